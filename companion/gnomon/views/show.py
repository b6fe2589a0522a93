"""Define what the views ask of a game: its words, pictures, requests, seats and settings as people see them.

A game extends `Show` in its own folder and answers otherwise only what is otherwise with it. What is said of a game
is looked up in the words under its name: `turn.GAME.…`, `reason.GAME.CODE`, `due.GAME`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

from gnomon.referee.game import Game
from gnomon.rules.kinds import load
from gnomon.rules.protocol import OVER, Rules
from gnomon.rules.registry import kind_of
from gnomon.views.wording import name
from gnomon.words import Words

Json = Mapping[str, object]


class Phrase(NamedTuple):
    """A kind of turn: its grammar, and the entries that say it at length and in brief.

    The groups of the grammar are the values of the entries, and may be a part of their keys.
    """

    grammar: re.Pattern[str]
    said: str
    brief: str


def phrase(grammar: str, said: str, brief: str = "") -> Phrase:
    """A kind of turn by its grammar; the brief entry is `said` with `.brief` unless it is given."""
    return Phrase(re.compile(grammar), said, brief or f"{said}.brief")


class TurnPrompt(NamedTuple):
    """What must come next: `kind` for programs, `verb` for the display ("Black moves"), and a request for people."""

    kind: str
    verb: str
    request: str


class Mark(NamedTuple):
    """How pages tell a player apart: a shape by the place at the table, from 1, and a hue by the side that is played.

    Hue 1 is the first side of the pictures, 2 the second; 0 plays for neither.
    """

    place: int
    hue: int


class Place(NamedTuple):
    """A rectangle on a game's picture, in the picture's own units."""

    x: float
    y: float
    width: float
    height: float


class Choice(NamedTuple):
    """A setting: one of `values`, or a whole number from `least` to `most`, or a text where both are 0.

    `default` is shown at first; empty leaves the setting to the rules. `early` settings stand before "more".
    `when` is the setting, and its values, with which it matters; it is not sent otherwise.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    early: bool = False
    when: tuple[str, tuple[str, ...]] = ("", ())

    @property
    def is_number(self) -> bool:
        """Whether a whole number is asked for."""
        return self.most > 0


class Show:
    """A game as it is shown. Functions of a game in progress are pure; those of rules and a position too."""

    title: str = ""
    """What the game is called, the same in every language."""
    turns: Sequence[Phrase] = ()
    """The kinds of turns; the first whose grammar fits counts."""
    reasons: ClassVar[Mapping[str, int]] = {}
    """The rule that forbids what has the code, 0 when none does; what it says is the entry `reason.GAME.CODE`."""
    endings: ClassVar[Mapping[str, int]] = {}
    """The rule by which a game ends for a reason; what it says is the entry `ending.REASON`."""
    choices: tuple[Choice, ...] = ()
    """The settings that the form for a new game offers."""
    most_players: int = 2
    sample: str = ""
    """Turns, from the start under `sample_settings`, after which a picture shows what the game is like."""
    sample_settings: ClassVar[Mapping[str, object]] = {}
    picture: str = ""
    """The function that draws a position, "module:name": of rules, position and `gnomon.views.pictures.frame.Asked`."""
    miniature: str = ""
    """The function that draws a position on the display: of rules, position and image; it returns the words beside."""
    score_key: str = "score.other"
    edges: tuple[float, float, float, float] = (0, 0, 0, 0)
    """How much of a picture's sheet lies around the board: left, top, right and bottom."""

    # Who plays

    def people(self, game: Game) -> Mapping[str, str]:
        """The names by the players of the rules as they are now; empty for those who gave none."""
        return dict(game.people)

    def seated(self, game: Game) -> tuple[str, ...]:
        """The players who are listed at the table, in order."""
        return tuple(game.rules.players)

    def named_by(self, rules: Any) -> tuple[str, ...]:  # noqa: ANN401 - each game has rules of its own
        """The players of the rules who give a name before the game."""
        return tuple(rules.players)

    def role(self, game: Game, player: str, words: Words) -> str:
        """What a player plays for, in words; empty where nothing is to be said."""
        del game, player, words
        return ""

    def partners(self, game: Game, player: str) -> tuple[str, ...]:
        """Who wins and loses with a player."""
        del game, player
        return ()

    def marks(self, game: Game) -> Mapping[str, Mark]:
        """The mark of every player of the rules."""
        return {
            player: Mark(place, self.hue(game, player, place)) for place, player in enumerate(game.rules.players, 1)
        }

    def hue(self, game: Game, player: str, place: int) -> int:
        """The hue of a player at a place: that of the first of the team."""
        del place
        team = {player, *self.partners(game, player)}
        return next(hue for hue, mate in enumerate(game.rules.players, 1) if mate in team)

    def is_swapped(self, game: Game) -> bool:
        """Whether the two persons have changed sides since the game began."""
        del game
        return False

    # What comes next

    def prompt(self, game: Game, words: Words) -> TurnPrompt:
        """What must come next while the game goes on."""
        return TurnPrompt("move", "moves", words(f"due.{game.rules.name}"))

    def lines(self, game: Game) -> Sequence[str]:
        """How the game stands, in the few short lines that stand beside its small board on the display."""
        return [f"{name(player)} {points}" for player, points in game.rules.score(game.position).items()]

    def chances(self, rules: Any, position: Any, words: Words) -> Iterator[Json]:  # noqa: ANN401 - its own
        """What may be thrown or drawn now, each with `text`, `label` and `odds`."""
        del rules, position, words
        yield from ()

    def in_hand(self, rules: Any, position: Any) -> Json | None:  # noqa: ANN401 - its own
        """The piece in hand and where it may go, so that it can be shown while it is in the hand."""
        del rules, position
        return None

    def bids(self, game: Game) -> Json | None:
        """Between which numbers may be bid now, as digits, and whether one may pass."""
        del game
        return None

    def remarks(self, rules: Any) -> Sequence[str]:  # noqa: ANN401 - its own
        """What must be said of how certain the rules or the board are."""
        del rules
        return ()

    def score(self, score: Mapping[str, int], words: Words) -> str:
        """The score in words; empty where nothing counts."""
        if not score:
            return ""
        points = [words("score.player", player=name(player, words), points=number) for player, number in score.items()]
        return words(self.score_key, score=", ".join(points))

    def places(self, rules: Rules[Any, Any]) -> Mapping[str, Place]:
        """The rectangle of each place on the game's picture; none where they are too small to be drawn one by one."""
        del rules
        return {}


@cache
def show(game: str) -> Show:
    """How a game is shown, by its name. Raises SettingsError for an unknown game."""
    shown: Show = load(kind_of(game).show)
    return shown


def show_of(game: Game) -> Show:
    """How a game in progress is shown."""
    return show(game.rules.name)


def prompt_of(game: Game, words: Words) -> TurnPrompt:
    """What must come next, of a player or of chance."""
    if game.outcome is not None:
        return TurnPrompt(OVER, "", words("due.over"))
    return show_of(game).prompt(game, words)
