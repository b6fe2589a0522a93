"""Play games whose every touch is known, and keep the referee's state before each edge."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Self

from gnomon.records.traces import read_trace
from gnomon.referee.effects import Announce, Effect
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.referee.game import Game, new_game
from gnomon.referee.rulings import FaultRuled, IllegalRuled, QuestionAsked, Ruling, TurnLost, TurnRuled
from gnomon.referee.step import step
from gnomon.referee.tamsk_inputs import BUTTONS
from gnomon.rules.tamsk import LOST, Tamsk
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.config.bundles import bundled
from gnomon_pi.hosting import Host
from gnomon_pi.simulated.habits import Habits
from gnomon_pi.simulated.hands import edges, play
from gnomon_pi.simulated.noise import Noise
from gnomon_pi.simulated.scores import Score, random_score
from gnomon_pi.simulated.table import Table

SCAN: Final = Duration(10 * MILLISECOND)
WATCHED_ON: Final = Duration(200 * SECOND)
"""After the last touch: no sand runs any longer."""

HABITS: Final = Habits(cuts_it_fine=0.0)  # within microseconds of a deadline no sampling tells who was first


class Told(NamedTuple):
    """A ruling and the board time at which the table heard of it."""

    heard: Instant
    ruling: Ruling


@dataclass(frozen=True)
class KnownGame:
    """One game of simulated hands as the board shows it, and what the referee made of it edge by edge."""

    name: str
    level: int
    rules: Tamsk
    score: Score  # empty where only its edges are known
    edges: tuple[InputChanged, ...]
    states: tuple[Game, ...]  # before each edge, and one after the last
    told: tuple[Told, ...]
    resting: Mapping[str, int]  # inputs before the first edge
    is_scanned: bool

    @classmethod
    def of(  # noqa: PLR0913 - each is a choice of its own
        cls,
        level: int,
        seed: int,
        *,
        habits: Habits = HABITS,
        is_scanned: bool = True,
        bounces: bool = True,
        most: int = 1 << 30,
    ) -> Self:
        """The game of a seed, or its first turns; sampled every 10 ms or with exact stamps, with bounce or without."""
        rules, random = Tamsk.from_settings({"level": level}), Random(f"known {level} {seed}")
        score = random_score(rules, random, habits, turns=most)
        noise = Noise(bounces=0.8 if bounces else 0.0, glitches=0.0)
        raw = edges(play(score, random, level=level, habits=habits, noise=noise))
        shown = tuple(scanned(raw, Table.set_out(level).inputs()) if is_scanned else raw)
        name = f"level {level}, seed {seed}{'' if is_scanned else ', exact stamps'}"
        return cls._of_edges(name, level, score, shown, is_scanned=is_scanned)

    @classmethod
    def recorded(cls, path: Path) -> Self:
        """The game of a trace without corrections by hand."""
        with path.open("rb") as lines:
            trace = read_trace(lines)
            level = Tamsk.from_settings(trace.header.settings).settings.level
            shown = tuple(entry for entry in trace.entries if isinstance(entry, InputChanged))
        return cls._of_edges(path.name, level, (), shown, is_scanned=False)

    @classmethod
    def _of_edges(
        cls, name: str, level: int, score: Score, shown: tuple[InputChanged, ...], *, is_scanned: bool
    ) -> Self:
        rules = Tamsk.from_settings({"level": level})
        states, told = _refereed(new_game(rules, sensing=board().sensing), shown)
        return cls(name, level, rules, score, shown, states, told, Table.set_out(level).inputs(), is_scanned)

    @property
    def end(self) -> Instant:
        """Until when the board was watched."""
        return Instant(self.edges[-1].at + WATCHED_ON)

    @property
    def is_right(self) -> bool:
        """Whether the referee ruled what the hands meant, and raised no alarm."""
        wanted = [(turn.player, turn.text) for turn in self.score]
        alarms = any(isinstance(it.ruling, IllegalRuled | QuestionAsked | FaultRuled) for it in self.told)
        return not alarms and (not wanted or turns(it.ruling for it in self.told) == wanted)

    @cached_property
    def turn_ends(self) -> tuple[Instant, ...]:
        """When each turn was told of."""
        return tuple(it.heard for it in self.told if isinstance(it.ruling, TurnRuled | TurnLost))

    def before(self, at: Instant) -> int:
        """The number of the first edge that is not older than this instant."""
        return bisect_left(self.edges, at, key=lambda edge: edge.at)

    def level_of(self, name: str, at: Instant) -> bool:
        """What the input truly shows at an instant, its edge at that instant included."""
        stamps, values = self._course.get(name, ([], []))
        number = bisect_right(stamps, at)
        return values[number - 1] if number else bool(self.resting[name])

    def changes_of(self, name: str, start: Instant, end: Instant) -> list[Instant]:
        """When the input truly changes, from an instant to before another."""
        stamps, _ = self._course.get(name, ([], []))
        return stamps[bisect_left(stamps, start) : bisect_left(stamps, end)]

    @cached_property
    def _course(self) -> dict[str, tuple[list[Instant], list[bool]]]:
        course: dict[str, tuple[list[Instant], list[bool]]] = {}
        for edge in self.edges:
            stamps, values = course.setdefault(edge.input, ([], []))
            stamps.append(edge.at)
            values.append(edge.value)
        return course


@cache
def board() -> Host:
    """The TAMSK board as it is described: its inputs, and which of them share a chip."""
    return Host.of(bundled("tamsk"))


def turns(rulings: Iterable[Ruling]) -> list[tuple[str, str]]:
    """Player and text of every turn that was accepted or lost."""
    return [
        (ruling.player, ruling.text if isinstance(ruling, TurnRuled) else LOST.kind)
        for ruling in rulings
        if isinstance(ruling, TurnRuled | TurnLost)
    ]


def scan_after(at: Instant) -> Instant:
    """The first scan that is not before an instant."""
    return Instant(-(-at // SCAN) * SCAN)


def scanned(raw: Iterable[InputChanged], resting: Mapping[str, int]) -> Iterator[InputChanged]:
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
        if edge.input in BUTTONS:
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
    while (deadline := game.deadline()) is not None and deadline < until:
        game, effects = step(game, DeadlineReached(deadline))
        told += _announced(deadline, effects)
    return game, told


def told_of(game: Game, edge: InputChanged) -> tuple[Game, list[Told]]:
    """The game after everything due before an edge and the edge itself, and what was said."""
    game, told = told_until(game, edge.at)
    game, effects = step(game, edge)
    told += _announced(edge.at, effects)
    return game, told


def _announced(at: Instant, effects: Iterable[Effect]) -> list[Told]:
    return [Told(at, effect.ruling) for effect in effects if isinstance(effect, Announce)]


def _refereed(game: Game, shown: Iterable[InputChanged]) -> tuple[tuple[Game, ...], tuple[Told, ...]]:
    states = [game]
    told: list[Told] = []
    last = Instant(0)
    for edge in shown:
        game, news = told_of(game, edge)
        told += news
        states.append(game)
        last = edge.at
    _, news = told_until(game, Instant(last + WATCHED_ON))
    return tuple(states), (*told, *news)
