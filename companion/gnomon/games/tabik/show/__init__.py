"""Show Tabik: its turns in words, its picture, whose turn it is, and the pie."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from gnomon.games.tabik.rules import PLAYERS, WHITE, Tabik
from gnomon.referee.game import Game
from gnomon.views.phrases import name
from gnomon.views.places import place_marks, square_areas
from gnomon.views.show import Choice, PictureArea, SheetColumn, SheetForm, Show, TurnPrompt, phrase, points_of
from gnomon.views.status_line import short_name
from gnomon.words import Words


class TabikShow(Show[Game]):
    """Tabik as it is shown."""

    title = "Tabik"
    turns = (
        phrase("pie", "turn.tabik.pie"),
        phrase("(?P<first>[a-z][0-9]+)~(?P<second>[a-z][0-9]+)", "turn.tabik.swap"),
        phrase("(?P<first>[a-z][0-9]+)(?P<second>[a-z][0-9]+)", "turn.tabik.place"),
    )
    reasons: ClassVar[Mapping[str, int]] = {
        "not_adjacent": 4,
        "occupied": 4,
        "empty": 4,
        "same_colour": 4,
        "rod": 5,
        "no_pie": 8,
        "not_now": 8,
    }
    endings: ClassVar[Mapping[str, int]] = {"larger_groups": 7, "last_move": 7}
    choices = (
        Choice("size", "8", least=2, most=19, early=True),
        Choice("pie", "yes", ("yes", "no"), early=True),
    )
    most_players = 2
    sample = "f5e5 f3f2 d6d5 f4g4 h5h6 b5b6 e3d3 g8g7 c6c5 a7a8 c4d4 b3c3 g6g5 g6~g7 f6e6 d1e1 d7e7"
    touch = "stones"
    picture = "gnomon.games.tabik.show._picture:picture"
    miniature = "gnomon.games.tabik.show._miniature:draw"
    edges = (62, 24, 24, 56)

    def people(self, game: Game) -> Mapping[str, str]:
        """The names by the colours: they change sides with the pie (rule 8)."""
        names = dict(game.people)
        if not game.position.swapped:
            return names
        black, white = game.rules.players
        return {new: names[old] for new, old in ((black, white), (white, black)) if old in names}

    def is_swapped(self, game: Game) -> bool:
        """Whether the pie has exchanged the colours."""
        return bool(game.position.swapped)

    def sheet_form(self, words: Words) -> SheetForm:
        """Moves, and whether sides were swapped."""
        sides = name("black", words), name("white", words)
        ends = words("sheet.score.pie"), *points_of(sides, words)
        return SheetForm(sides, sides, (SheetColumn(words("sheet.move")),), ends)

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """A move, or the pie."""
        return TurnPrompt("move", "moves", words("due.tabik.pie" if game.position.pie else "due.tabik"))

    def lines(self, game: Game, words: Words) -> Sequence[str]:
        """What each colour has, and the pie."""
        score = game.rules.score(game.position)
        signs = {player: "●" if seat == WHITE else "○" for seat, player in enumerate(PLAYERS)}
        said = [f"{signs[player]} {short_name(player, words)} {points}" for player, points in score.items()]
        return [*said, words("oled.may_swap")] if game.position.pie and game.outcome is None else said

    def places(self, rules: Tabik) -> Mapping[str, PictureArea]:
        """Every square."""
        return square_areas(place_marks(rules, list(rules.board.names.values())))


SHOW: Final = TabikShow()
