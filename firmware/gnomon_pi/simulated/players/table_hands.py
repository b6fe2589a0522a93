"""Play legal games at a table with simulated hands, at human speed: at random, or as was decided.

A move is entered on the page or picked with the four buttons; a tile is read as it is drawn, and laid where the board
senses it. What chance decides, hands throw with the exact odds of the rules.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from gnomon.referee.chooser import Chooser
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.rules.bids import digits, number
from gnomon.rules.odds import weights
from gnomon.rules.protocol import NATURE, Rules
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.input_actions import (
    DRAW,
    HANDS,
    CodeRead,
    Deed,
    Fingers,
    buttons_to_pick,
    on_squares,
    press_buttons,
)
from gnomon_pi.simulated.players.player_timing import TableHabits

MANY: Final = 1 << 30
HIGHER: Final = 12  # a bid is raised by less than this
RESTED: Final = Duration(800 * MILLISECOND)
"""A tile lies still for longer than the board waits before it is accepted."""

_BID: Final = "bid:"


class SensedRules(Rules[Any, Any], Protocol):
    """The rules of a game whose pieces a board sees by the squares that they cover."""

    def squares_of(self, move: Any) -> Sequence[str]:  # noqa: ANN401 - each game has moves of its own
        """The squares that a laid piece covers."""
        ...

    def placements_on(self, position: Any, squares: Sequence[str]) -> Sequence[Any]:  # noqa: ANN401 - as above
        """The legal moves that cover just those squares."""
        ...


TileMistakes = Callable[[Any, Any, Instant, Fingers], tuple[Sequence[Deed], Instant]]
"""By rules and position, what hands do wrong with tiles at that board time and put right, and when all is as it was."""


class Meant(NamedTuple):
    """A move as the hands mean it: who makes it, canonical text, and when they are done with it."""

    player: str
    text: str
    at: Instant


class Handled(NamedTuple):
    """What the hands do in the order of time, the moves that they mean by it, and when they are at rest again."""

    deeds: Sequence[Deed]
    score: tuple[Meant, ...]
    until: Instant


@dataclass(frozen=True, slots=True)
class PlayingManner:
    """How hands play: their habits, their mistakes with tiles, and how unclean the inputs are."""

    habits: TableHabits = field(default_factory=TableHabits)
    mistakes: TileMistakes | None = None
    noise: Noise = field(default_factory=Noise)


def play_at_a_table(
    game: Game, random: Random, start: Instant = Instant(0), manner: PlayingManner | None = None, moves: int = MANY
) -> Handled:
    """Play on from a game whose board agrees with it, from board time `start` on, at most so many moves."""
    hands = _Hands(game, random, start, manner or PlayingManner())
    return hands.play(moves)


def make_at_a_table(game: Game, text: str, random: Random, start: Instant, manner: PlayingManner) -> Handled:
    """Make the move of this canonical text as `play_at_a_table` does one by chance. Raises RulesError."""
    hands = _Hands(game, random, start, manner)
    return hands.make(text)


class _Hands:
    """Hands, and the position as it will be when they have done what they have begun."""

    def __init__(self, game: Game, random: Random, start: Instant, manner: PlayingManner) -> None:
        self._game = game
        self._rules: Rules[Any, Any] = game.rules
        self._squares: SensedRules | None = game.rules if game.board.is_sensed else None
        self._position = game.position
        self._chooser = game.chooser
        self._random = random
        self._now = start
        self._manner = manner
        self._fingers = Fingers(manner.habits, manner.noise, random)
        self._deeds: list[Deed] = []
        self._score: list[Meant] = []

    def play(self, moves: int) -> Handled:
        """Play so many moves, or to the end."""
        while len(self._score) < moves and self._rules.outcome(self._position) is None:
            self._move(self._choice())
        return self._result()

    def make(self, text: str) -> Handled:
        """Make one move."""
        self._move(text)
        return self._result()

    def _result(self) -> Handled:
        return Handled(sorted(self._deeds, key=attrgetter("at")), tuple(self._score), self._now)

    def _move(self, text: str) -> None:
        rules, position, habits = self._rules, self._position, self._manner.habits
        player = rules.turn(position)
        self._now = after(self._now, habits.think.draw(self._random))
        if self._squares is not None and self._manner.mistakes is not None:
            deeds, self._now = self._manner.mistakes(self._squares, position, self._now, self._fingers)
            self._deeds += deeds
        move = rules.parse(position, text)
        if self._squares is not None and move.kind == "lay":
            self._lay(self._squares, move, text)
        elif player == NATURE:
            self._draw(text)
        elif self._random.random() < habits.picks:
            self._pick(replace(self._game, position=position).texts(), text, self._chooser)
        else:
            self._enter(text)
        self._chooser = None
        self._score.append(Meant(player, text, self._now))
        self._position = rules.play(position, move)

    def _choice(self) -> str:
        """What is played, or thrown and drawn, by chance."""
        rules, position, random = self._rules, self._position, self._random
        if rules.turn(position) == NATURE:
            texts, counts = zip(*weights(rules, position), strict=True)
            text: str = random.choices(texts, counts)[0]
            return text
        played = pick(random, sorted(rules.text(position, move) for move in rules.legal_moves(position)))
        if played.startswith(_BID) and rules.open_bids:
            return f"{_BID}{digits(number(played.removeprefix(_BID)) + random.randrange(HIGHER))}"
        return played

    # The ways to make a move

    def _enter(self, text: str) -> None:
        self._deeds.append(TurnEntered(self._now, text, HANDS))

    def _draw(self, text: str) -> None:
        if text.startswith(DRAW) and self._random.random() < self._manner.habits.reads:
            self._deeds.append(CodeRead(self._now, text.removeprefix(DRAW)))
        else:
            self._enter(text)

    def _pick(self, texts: Sequence[str], text: str, chooser: Chooser | None) -> None:
        buttons = buttons_to_pick(texts, text, chooser)
        edges, self._now = press_buttons(self._now, buttons, self._fingers)
        self._deeds += edges

    def _lay(self, rules: SensedRules, move: object, text: str) -> None:
        squares = rules.squares_of(move)
        self._deeds += self._on(squares, value=True)
        self._now = after(self._now, RESTED)
        ways = [rules.text(self._position, each) for each in rules.placements_on(self._position, squares)]
        if len(ways) > 1:
            # Both half turns are legal there: the referee asks, and a button or the page answers.
            self._now = after(self._now, self._manner.habits.answer.draw(self._random))
            if self._random.random() < self._manner.habits.picks:
                self._pick(ways, text, Chooser.among(ways))
            else:
                self._enter(text)

    def _on(self, squares: Sequence[str], *, value: bool) -> Sequence[Deed]:
        return on_squares(self._now, squares, self._fingers, value=value)
