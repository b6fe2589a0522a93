"""Play games whose every touch is known, and keep the referee's state before each edge."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Protocol, Self

from gnomon.games.tamsk.rules import LOST
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import DeadlineReached, InputChanged, TurnEntered
from gnomon.referee.evidence import OUTAGE
from gnomon.referee.game import Game
from gnomon.referee.games import tell
from gnomon.referee.rulings import FaultRuled, IllegalRuled, QuestionAsked, Ruling, TurnLost, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.runtime.live_game import Host
from gnomon_pi.simulated.players.game_script import Score
from gnomon_pi.simulated.players.table_hands import Meant

SCAN: Final = Duration(10 * MILLISECOND)
WATCHED_ON: Final = Duration(200 * SECOND)
"""After the last touch: no sand runs any longer."""

Happening = InputChanged | TurnEntered
"""What hands do: they touch the board, or enter what a reader reads and a page is told."""


class Refused(NamedTuple):
    """What was entered cannot be a turn now, and the person who entered it is told so."""

    text: str


class Told(NamedTuple):
    """A ruling, or a refusal, and the board time at which the table heard of it."""

    heard: Instant
    ruling: Ruling | Refused


class Board(Protocol):
    """What tells the game of one board from that of another, for those who judge what became of a fault."""

    @property
    def name(self) -> str:
        """The game's."""
        ...

    @property
    def host(self) -> Host:
        """The board as it is described: its inputs, and which of them share a chip."""
        ...

    @property
    def asks(self) -> bool:
        """Whether questions belong to play: which way round a tile lies."""
        ...

    def asked(self, game: Game) -> object:
        """What the display asks for that is answered with buttons; the same for all where they are pressed blindly."""
        ...

    def is_like(self, one: Game, other: Game) -> bool:
        """Whether a game stands as another does, nothing pending, but for instants that decide nothing."""
        ...

    def waits(self, game: Game, wanted: str) -> bool:
        """Whether the turn stands on the board as legal, and the players are asked for its end."""
        ...

    def reads_like_play(self, game: Game, kind: str, wanted: str, got: str) -> bool:
        """Whether the board reads just as if hands had made of it what is ruled, or had not finished yet."""
        ...


@dataclass(frozen=True)
class KnownGame:
    """One game of simulated hands as the board shows it, and what the referee made of it edge by edge."""

    name: str
    board: Board
    settings: Mapping[str, object]
    meant: tuple[Meant, ...]  # empty where only its edges are known
    edges: tuple[Happening, ...]
    states: tuple[Game, ...]  # before each edge, and one after the last
    steps: tuple["Step", ...]  # after each edge and after each deadline
    told: tuple[Told, ...]
    resting: Mapping[str, int]  # inputs before the first edge
    is_scanned: bool
    score: Score = ()  # of TAMSK: when the hands did what

    @classmethod
    def of(  # noqa: PLR0913 - each is a choice of its own
        cls,
        name: str,
        board: Board,
        settings: Mapping[str, object],
        edges: Iterable[Happening],
        resting: Mapping[str, int],
        *,
        is_scanned: bool,
        meant: Iterable[Meant] = (),
        score: Score = (),
    ) -> Self:
        """The game of those edges, sampled every 10 ms if it `is_scanned`; they are sampled here."""
        shown = tuple(scanned(edges, resting, frozenset(board.host.buttons)) if is_scanned else edges)
        states, steps, told = refereed(board.host.begin(GameSetup(board.name, settings)), shown)
        return cls(name, board, settings, tuple(meant), shown, states, steps, told, resting, is_scanned, score)

    @property
    def end(self) -> Instant:
        """Until when the board was watched."""
        return Instant(self.edges[-1].at + WATCHED_ON)

    @property
    def is_right(self) -> bool:
        """Whether the referee ruled what the hands meant, and raised no alarm."""
        is_meant = not self.meant or turns(it.ruling for it in self.told) == [turn[:2] for turn in self.meant]
        return is_meant and not any(self.is_alarm(it.ruling) for it in self.told)

    @cached_property
    def turn_ends(self) -> tuple[Instant, ...]:
        """When each turn was told of."""
        return tuple(it.heard for it in self.told if isinstance(it.ruling, TurnRuled | TurnLost))

    def state_at(self, at: Instant) -> Game:
        """The game after all that was done by an instant."""
        number = bisect_right(self.steps, at, key=lambda step: step.at)
        return self.steps[number - 1].game if number else self.states[0]

    def told_within(self, since: Instant, until: Instant | None = None) -> Sequence[Told]:
        """What was told after an instant, and before another."""
        start = bisect_right(self.told, since, key=lambda it: it.heard)
        return self.told[start : None if until is None else bisect_left(self.told, until, key=lambda it: it.heard)]

    def steps_within(self, since: Instant, until: Instant) -> Sequence["Step"]:
        """What was done after an instant, and before another."""
        start = bisect_right(self.steps, since, key=lambda step: step.at)
        return self.steps[start : bisect_left(self.steps, until, key=lambda step: step.at)]

    def before(self, at: Instant) -> int:
        """The number of the first edge that is not older than this instant."""
        return bisect_left(self.edges, at, key=lambda edge: edge.at)

    def before_edge(self, number: int) -> Instant:
        """The stamp of the edge before that of a number: all that was told later is what it led to."""
        return self.edges[number - 1].at if number else Instant(-1)

    def level_of(self, name: str, at: Instant) -> bool:
        """What the input truly shows at an instant, its edge at that instant included."""
        stamps, values = self._course.get(name, ([], []))
        number = bisect_right(stamps, at)
        return values[number - 1] if number else bool(self.resting[name])

    def changes_of(self, name: str, start: Instant, end: Instant) -> list[Instant]:
        """When the input truly changes, from an instant to before another."""
        stamps, _ = self._course.get(name, ([], []))
        return stamps[bisect_left(stamps, start) : bisect_left(stamps, end)]

    def touches(self, start: int = 0, end: int | None = None) -> list[InputChanged]:
        """The edges of the board itself, from one number to before another."""
        return [edge for edge in self.edges[max(0, start) : end] if isinstance(edge, InputChanged)]

    def is_alarm(self, ruling: Ruling | Refused) -> bool:
        """Whether people are told that something is wrong."""
        if isinstance(ruling, QuestionAsked):
            return not self.board.asks
        return isinstance(ruling, IllegalRuled | FaultRuled | Refused)

    @cached_property
    def _course(self) -> dict[str, tuple[list[Instant], list[bool]]]:
        course: dict[str, tuple[list[Instant], list[bool]]] = {}
        for edge in self.touches():
            stamps, values = course.setdefault(edge.input, ([], []))
            stamps.append(edge.at)
            values.append(edge.value)
        return course


def turns(rulings: Iterable[Ruling | Refused]) -> list[tuple[str, str]]:
    """Player and text of every turn that was accepted or lost."""
    return [
        (ruling.player, ruling.text if isinstance(ruling, TurnRuled) else LOST.kind)
        for ruling in rulings
        if isinstance(ruling, TurnRuled | TurnLost)
    ]


def scan_after(at: Instant) -> Instant:
    """The first scan that is not before an instant."""
    return Instant(-(-at // SCAN) * SCAN)


def scanned(raw: Iterable[Happening], resting: Mapping[str, int], buttons: frozenset[str]) -> Iterator[Happening]:
    """What a board that is read every 10 ms makes of edges; buttons have pins of their own and exact stamps."""
    shown = {name: bool(value) for name, value in resting.items()}
    true = dict(shown)
    tick: Instant | None = None
    touched: dict[str, None] = {}
    for edge in raw:
        due = scan_after(edge.at)
        if tick is not None and due > tick:
            yield from _sampled(tick, touched, true, shown)
            touched = {}
        tick = due
        if isinstance(edge, TurnEntered) or edge.input in buttons:
            yield edge  # no later than the scan: the scan comes after it
            continue
        true[edge.input] = edge.value
        touched[edge.input] = None
    if tick is not None:
        yield from _sampled(tick, touched, true, shown)


def _sampled(
    tick: Instant, touched: Iterable[str], true: Mapping[str, bool], shown: dict[str, bool]
) -> Iterator[InputChanged]:
    for name in touched:
        if true[name] != shown[name]:
            shown[name] = true[name]
            yield InputChanged(tick, name, true[name], SCAN)


def told_until(game: Game, until: Instant) -> tuple[Game, list[Told]]:
    """The game after every deadline before an instant, and what was said at each."""
    told: list[Told] = []
    for step in steps_until(game, until):
        game = step.game
        told += step.told
    return game, told


def steps_until(game: Game, until: Instant) -> "Iterator[Step]":
    """Every deadline before an instant, one after the other."""
    while (deadline := game.deadline()) is not None and deadline < until:
        game, effects = tell(game, DeadlineReached(deadline))
        yield Step(deadline, game, _announced(deadline, effects))


def looked_until(edge: Happening) -> Instant:
    """Until when somebody had looked before an edge was seen: nobody is told of time while nobody looks."""
    unseen = edge.uncertainty if isinstance(edge, InputChanged) and edge.uncertainty > OUTAGE else 0
    return Instant(edge.at - unseen)


def told_of(game: Game, edge: Happening) -> tuple[Game, list[Told]]:
    """The game after everything due before an edge and the edge itself, and what was said."""
    game, told = told_until(game, looked_until(edge))
    step = step_of(game, edge)
    return step.game, [*told, *step.told]


def step_of(game: Game, edge: Happening) -> "Step":
    """One edge to which everything due before it has been done."""
    try:
        game, effects = tell(game, edge)
    except CorrectionError:
        assert isinstance(edge, TurnEntered)
        return Step(edge.at, game, (Told(edge.at, Refused(edge.text)),))
    return Step(edge.at, game, _announced(edge.at, effects))


def _announced(at: Instant, effects: Iterable[Effect]) -> tuple[Told, ...]:
    return tuple(Told(at, effect.ruling) for effect in effects if isinstance(effect, Announce))


class Step(NamedTuple):
    """The game after an edge or a deadline, and what was said at it."""

    at: Instant
    game: Game
    told: tuple[Told, ...]


class Refereed(NamedTuple):
    """The game before each edge and after the last, every step of it, and what was told."""

    states: tuple[Game, ...]
    steps: tuple[Step, ...]
    told: tuple[Told, ...]


def refereed(game: Game, shown: Iterable[Happening]) -> Refereed:
    """What the referee makes of edges, and of the time after them."""
    states = [game]
    steps: list[Step] = []
    last = Instant(0)
    for edge in shown:
        steps += steps_until(game, looked_until(edge))
        steps.append(step_of(steps[-1].game if steps else game, edge))
        game = steps[-1].game
        states.append(game)
        last = edge.at
    steps += steps_until(game, Instant(last + WATCHED_ON))
    return Refereed(tuple(states), tuple(steps), tuple(it for step in steps for it in step.told))
