"""Show Hex: its turns in words, its picture, whose turn it is, and who has swapped."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from gnomon.referee.game import Game
from gnomon.views.phrases import name
from gnomon.views.show import Choice, PictureArea, Show, TurnPrompt, phrase
from gnomon.words import Words
from hex7.picture import RADIUS, centre
from hex7.rules import PLAYERS, SPACES, SWAP


class HexShow(Show[Game]):
    """Hex as it is shown."""

    title = "Hex"
    turns = (
        phrase(SWAP, "turn.hex7.swap"),
        phrase("(?P<space>[a-g][1-7])", "turn.hex7.place"),
    )
    reasons: ClassVar[Mapping[str, int]] = {"occupied": 2, "no_swap": 5, "not_now": 5}
    endings: ClassVar[Mapping[str, int]] = {"connected": 4}
    choices = (Choice("swap", "yes", ("yes", "no"), early=True),)
    sample = "b6 d4 c5 d5 d3 e3 c4 e2"
    picture = "hex7.picture:picture"
    miniature = "hex7.miniature:draw"
    edges = (95, 60, 100, 60)

    def people(self, game: Game) -> Mapping[str, str]:
        """The names by the colours: they change sides with the swap (rule 5)."""
        names = dict(game.people)
        if not self.is_swapped(game):
            return names
        black, white = PLAYERS
        return {new: names[old] for new, old in ((black, white), (white, black)) if old in names}

    def is_swapped(self, game: Game) -> bool:
        """Whether the two persons have changed sides."""
        return bool(game.position.swapped)

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A stone, or the swap."""
        may_swap = game.rules.why_not(game.position, SWAP) is None
        return TurnPrompt("move", "moves", words("due.hex7.swap" if may_swap else "due.hex7"))

    def lines(self, game: Game, words: Words) -> Sequence[str]:
        """How many stones each has."""
        return [
            f"{name(player, words)} {len(stones)}" for player, stones in zip(PLAYERS, game.position.stones, strict=True)
        ]

    def places(self, _rules: object) -> Mapping[str, PictureArea]:
        """Every space."""
        middles = {space: centre(space) for space in SPACES}
        return {space: PictureArea(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS) for space, (x, y) in middles.items()}


SHOW: Final = HexShow()
