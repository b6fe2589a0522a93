"""Define what the views ask of a game: its words, pictures, requests, seats and settings as people see them.

A game extends `Show` in its own folder and answers otherwise only what is otherwise with it. What is said of a game
is looked up in the words under its name: `turn.GAME.…`, `reason.GAME.CODE`, `due.GAME`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Final, Generic, NamedTuple

from gnomon.referee.game import Game, GameT, Ply
from gnomon.referee.rulings import Ruling
from gnomon.refusals import Statement
from gnomon.rules.kinds import load
from gnomon.rules.protocol import OVER, Rules
from gnomon.rules.registry import GAMES, kind_of
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.views.lights import Sides
from gnomon.views.phrases import name, shorten_numbers
from gnomon.words import Words

Json = Mapping[str, object]

TOUCHES: Final = ("", "places", "steps", "stones", "lines", "tiles", "counters")
"""The ways in which a page's `fingers.js` makes turns of touches; the first is none."""


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
    """What must come next: `kind` for programs, `verb` for the display (`oled.does.VERB`), and a request for people."""

    kind: str
    verb: str
    request: str


class Mark(NamedTuple):
    """How pages tell a player apart: a shape by the place at the table, from 1, and a hue by the side that is played.

    Hue 1 is the first side of the pictures, 2 the second; 0 plays for neither.
    """

    place: int
    hue: int


class PictureArea(NamedTuple):
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


class SheetColumn(NamedTuple):
    """A column of a printed score sheet."""

    title: str
    is_narrow: bool = False


class SheetForm(NamedTuple):
    """What is written by hand during a game: for each side the columns of a turn, and what is told in the end."""

    players: tuple[str, ...]
    sides: tuple[str, ...]
    columns: tuple[SheetColumn, ...]
    ends: tuple[str, ...]
    blocks: int = 2
    rows: int = 22


class Field(NamedTuple):
    """A field of an arbiter's form: `kind` is `select`, `radio`, `number`, `time` or `tick`, and `label` an entry.

    `choices` are the values of a `select` or `radio` with what is shown of each, `most` is the greatest number; a tick
    is set when `value` is `yes`.
    """

    kind: str
    name: str
    label: str
    value: str = ""
    choices: Sequence[tuple[str, str]] = ()
    most: int = 0


class Form(NamedTuple):
    """A correction of this game alone on an arbiter's desk, with the key that opens it; `do` names the correction.

    `at` is the field that a touch of the drawing fills: `space`, or `glass` where one stands.
    """

    do: str
    key: str
    fields: Sequence[Field]
    at: str = ""


class Show(Generic[GameT]):
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
    numbers_players: bool = False
    """Whether players have other names with other settings, so that a form numbers them."""
    sample: str = ""
    """Turns, from the start under `sample_settings`, after which a picture shows what the game is like."""
    sample_settings: ClassVar[Mapping[str, object]] = {}
    example: str = ""
    """Turns of which a rules page shows the last one, before and after, under the same settings; empty: the sample."""
    picture: str = "gnomon.views.pictures.plain:picture"
    """The function that draws a position, "module:name": of rules, position and
    `gnomon.views.pictures.frame.Annotations`."""
    miniature: str = "gnomon.views.pictures.plain:miniature"
    """The function that draws a position on the display: of rules, position, image and words; it returns a text.
    Empty where the display is drawn otherwise."""
    miniature_at_end: str = ""
    """The one for a game that is over, also by hand; empty where the other says nothing of who is to act."""
    drawings: ClassVar[Mapping[str, str]] = {}
    """The functions without arguments, "module:name", that draw what a page's program moves, by what they draw."""
    summary: str = "gnomon.views.table_summary:summary"
    """The function that builds the JSON summary: of game, board time, health and words."""
    screen: str = "gnomon.views.display.table_oled:screen"
    """The function that draws the display: of game, board time and health."""
    screen_changes_at: str = "gnomon.views.display.table_oled:changes_at"
    """The function that says when the display may next differ by itself: of game, board time and health."""
    lights: str = "gnomon.views.lights:lights"
    """The function that says what every light shows, and until when: of game, board time and the lights' halves."""
    light_sides: Sides = ()
    """Of each light under the spaces of the game's own board, the half of a match clock that it belongs to."""
    touch: str = "places"
    """How people make a turn by touching the picture: `places`, each of which is a turn by its name; `steps`, of which
    the text of a turn names several, to be touched in that order; another way of `fingers.js`; empty where a turn is
    not made by touch."""
    lesson_touch: str = ""
    """The same for a lesson, where the picture is touched in place of a board with sensors; empty where it is alike."""
    is_tapped: bool = True
    """Whether a tap on a half of the match clock ends a turn."""
    seat_score: str = "players.points"
    """The entry that says what a player's score counts."""
    score_key: str = "score.other"
    score_fact: str = "arbiter.fact.score"
    """The entry by which an arbiter's page calls a player's score."""
    edges: tuple[float, float, float, float] = (0, 0, 0, 0)
    """How far the board reaches beyond its places on a picture: left, top, right and bottom; all 0 where narrow screens
    need the whole picture too."""

    # Who plays

    def people(self, game: GameT) -> Mapping[str, str]:
        """The names by the players of the rules as they are now; empty for those who gave none."""
        return dict(game.people)

    def seated_players(self, game: GameT) -> tuple[str, ...]:
        """The players who are listed at the table, in order."""
        return tuple(game.rules.players)

    def named_by(self, rules: Any) -> tuple[str, ...]:  # noqa: ANN401 - each game has rules of its own
        """The players of the rules who give a name before the game."""
        return tuple(rules.players)

    def role(self, game: GameT, player: str, words: Words) -> str:
        """What a player plays for, in words; empty where nothing is to be said."""
        del game, player, words
        return ""

    def partners(self, game: GameT, player: str) -> tuple[str, ...]:
        """Who wins and loses with a player."""
        del game, player
        return ()

    def marks(self, game: GameT) -> Mapping[str, Mark]:
        """The mark of every player of the rules."""
        return {
            player: Mark(place, self.hue(game, player, place)) for place, player in enumerate(game.rules.players, 1)
        }

    def hue(self, game: GameT, player: str, place: int) -> int:
        """The hue of a player at a place: that of the first of the team."""
        del place
        team = {player, *self.partners(game, player)}
        return next(hue for hue, mate in enumerate(game.rules.players, 1) if mate in team)

    def is_swapped(self, game: GameT) -> bool:
        """Whether the two persons have changed sides since the game began."""
        del game
        return False

    def variant(self, settings: Mapping[str, object], words: Words) -> str:
        """What is said of the settings beside the name of the game in headings; empty where nothing is."""
        del settings, words
        return ""

    # What comes next

    def prompt(self, game: GameT, words: Words) -> TurnPrompt:
        """What must come next while the game goes on."""
        return TurnPrompt("move", "moves", words(f"due.{game.rules.name}"))

    def lines(self, game: GameT, words: Words) -> Sequence[str]:
        """How the game stands, in the few short lines that stand beside its small board on the display."""
        return [f"{name(player, words)} {points}" for player, points in game.rules.score(game.position).items()]

    def chances(self, rules: Any, position: Any, words: Words) -> Iterator[Json]:  # noqa: ANN401 - its own
        """What may be thrown or drawn now, each with `text`, `label` and `odds`."""
        del rules, position, words
        yield from ()

    def in_hand(self, rules: Any, position: Any) -> Json | None:  # noqa: ANN401 - its own
        """The piece in hand and where it may go, so that it can be shown while it is in the hand."""
        del rules, position
        return None

    def bids(self, game: GameT) -> Json | None:
        """Between which numbers may be bid now, as digits, and whether one may pass."""
        del game
        return None

    def remarks(self, rules: Any) -> Sequence[Statement]:  # noqa: ANN401 - its own
        """What must be said of how certain the rules or the board are."""
        del rules
        return ()

    def score(self, score: Mapping[str, int], words: Words) -> str:
        """The score in words; empty where nothing counts."""
        if not score:
            return ""
        names = {player: name(player, words) for player in score}
        # A name that ends with a number and the points beside it would be read as two numbers.
        key = "score.player.numbered" if any(each[-1:].isdigit() for each in names.values()) else "score.player"
        points = [words(key, player=names[player], points=number) for player, number in score.items()]
        return words(self.score_key, score=", ".join(points))

    def sheet_form(self, words: Words) -> SheetForm:
        """The score sheet to write by hand."""
        sides = words("sheet.first"), words("sheet.second")
        columns = SheetColumn(words("sheet.move")), SheetColumn(words("sheet.time"))
        return SheetForm(sides, sides, columns, points_of(sides, words))

    def turn(self, player: str, text: str, words: Words, *, at_length: bool = True) -> str:
        """A turn in canonical text, in plain words; text of another grammar is given as it stands."""
        for known in self.turns:
            found = known.grammar.fullmatch(text)
            if found is not None:
                values = found.groupdict()
                key = (known.said if at_length else known.brief).format_map(values)
                return shorten_numbers(words(key, player=name(player, words), **values))
        return shorten_numbers(words("turn.other", player=name(player, words), text=text))

    def ruling_sentence(self, ruling: Ruling, words: Words, *, at_length: bool = True) -> str:
        """A ruling by sand glasses, in plain words or in few; a game without such has no words for one."""
        del words, at_length
        return ruling.kind

    def traits(self, game: GameT, words: Words) -> Json:
        """What a page asks of a game, so that it need not know it by its name."""
        return {
            "live_drawing": bool(self.drawings),
            "has_sand": self.has_sand(game.rules),
            "touch": self.touch,
            "tapped": self.is_tapped,
            "counts": words(self.seat_score),
        }

    # Time, and what it changes by itself

    def has_sand(self, rules: Any) -> bool:  # noqa: ANN401 - its own
        """Whether sand runs down during the game; its summary then has `glasses`."""
        del rules
        return False

    def time(self, game: GameT, now: Instant) -> Instant:
        """Game time as it is shown at board time `now`."""
        return game.game_time(now)

    def position(self, game: GameT, now: Instant) -> Any:  # noqa: ANN401 - its own
        """The position as it is shown at board time `now`."""
        del now
        return game.position

    def recorded_position(self, game: GameT, at: Instant) -> Any:  # noqa: ANN401 - its own
        """The position at a board time of a game that is looked back on: nothing in it has not been ruled."""
        del at
        return game.position

    def ply_time(self, game: GameT, ply: Ply) -> Instant:
        """The game time of a turn."""
        del game
        return ply.when

    def sands(self, game: GameT, now: Instant) -> Sequence[SandGlass]:
        """Every sand glass as it is shown at board time `now`."""
        del game, now
        return ()

    def sands_of(self, game: GameT, whose: str) -> Sequence[SandGlass]:
        """The sand glasses that an arbiter means by a name."""
        del game, whose
        return ()

    def sand_left(self, game: GameT, player: str, now: Instant) -> tuple[Duration, bool] | None:
        """The least sand that decides against a player, and whether it runs; None where none does."""
        del game, player, now
        return None

    def timer_left(self, game: GameT, now: Instant) -> Duration | None:
        """What is left of a glass that hurries the player on turn, while it runs."""
        del game, now
        return None

    def timer_binds(self, game: GameT) -> bool:
        """Whether that glass hurries the player on turn now."""
        del game
        return False

    def sand_rows(self, game: GameT, at: Instant, words: Words) -> Sequence[Json]:
        """Each sand glass of a game that is looked back on, as a replay shows it."""
        del game, at, words
        return ()

    def timer_text(self, game: GameT, at: Instant) -> str:
        """What was left of the glass that hurries, as a replay shows it; empty without one."""
        del game, at
        return ""

    # A display in large letters

    def large_over(self, game: GameT, words: Words) -> Sequence[str]:
        """What is told below the result."""
        del game, words
        return ()

    def large_choices(self, game: GameT, words: Words) -> Sequence[str]:
        """The answers to the question that is open."""
        del words
        return () if game.question is None else game.question.asked.choices

    def large_pause(self, game: GameT, words: Words) -> Sequence[str]:
        """What is to be done before a paused game goes on, beside the steps of a repair; empty for nothing."""
        del game, words
        return ()

    def large_play(
        self, game: GameT, now: Instant, step: Sequence[str], words: Words
    ) -> tuple[str, str, Sequence[str]] | None:
        """Headline, what stands at its end, and what is told below, while the game goes on; None as at every table.

        `step` is the next step of a repair, if one is due.
        """
        del game, now, step, words
        return None

    # What an arbiter is shown

    def facts(self, game: GameT, told: Mapping[str, Any], words: Words) -> Mapping[str, tuple[str, str]]:
        """What a correction may change of this game alone, each with its name and value; `told` is a summary."""
        del game, told, words
        return {}

    def forms(self, game: GameT, told: Mapping[str, Any], words: Words) -> Sequence[Form]:
        """The forms for this game's own corrections, in their order; `told` is a summary."""
        del game, told, words
        return ()

    def places(self, rules: Any) -> Mapping[str, PictureArea]:  # noqa: ANN401 - its own
        """The rectangle of each place on the game's picture; none where they are too small to be drawn one by one."""
        del rules
        return {}

    def places_to_touch(self, rules: Rules[Any, Any]) -> Mapping[str, PictureArea]:
        """The same for a lesson, where also a game is played on its picture that has a board with sensors."""
        return self.places(rules)


def points_of(sides: tuple[str, str], words: Words) -> tuple[str, ...]:
    """What a score sheet has in the end: the points of each side, and the result."""
    return (*(words("sheet.score.points", name=side) for side in sides), words("sheet.result"))


@cache
def show(game: str) -> Show[Any]:
    """How a game is shown, by its name. Raises SettingsError for an unknown game."""
    shown: Show[Any] = load(kind_of(game).show)
    return shown


def lights_under(board: str) -> Sides:
    """Of each light under the spaces of a board, the half of a match clock that it belongs to; empty for a table."""
    return next((show(game).light_sides for game in GAMES if kind_of(game).own_board == board), ())


def show_of(game: Game) -> Show[Any]:
    """How a game in progress is shown."""
    return show(game.rules.name)


def prompt_of(game: Game, words: Words) -> TurnPrompt:
    """What must come next, of a player or of chance."""
    if game.outcome is not None:
        return TurnPrompt(OVER, "", words("due.over"))
    return show_of(game).prompt(game, words)
