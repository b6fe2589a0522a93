"""Describe what is wrong at a board for a while: which inputs read otherwise than they should, and when."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from random import Random
from typing import Final, NamedTuple

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import Duration, Instant
from tests.faults.known_games import SCAN, Happening, KnownGame, scan_after

FOR_GOOD: Final = Instant(1 << 61)


class Lie(NamedTuple):
    """From `start` to `end` an input reads what `edges` (instants and levels) say instead of the truth.

    `unseen` is how long before its end nobody looked at it: so much is granted to what changed meanwhile.
    """

    input: str
    start: Instant
    end: Instant
    edges: tuple[tuple[Instant, bool], ...]
    unseen: Duration = Duration(0)


class Fault(NamedTuple):
    """A single cause: what it is, and what the inputs read because of it.

    `last` is when the inputs are true again, `FOR_GOOD` if they never are.
    """

    name: str
    lies: tuple[Lie, ...]

    @property
    def first(self) -> Instant:
        """When the first input lies."""
        return min(lie.start for lie in self.lies)

    @property
    def last(self) -> Instant:
        """When the last input is true again."""
        return max(lie.end for lie in self.lies)

    @property
    def is_for_good(self) -> bool:
        """Whether an input never gets well."""
        return self.last >= FOR_GOOD

    @property
    def inputs(self) -> frozenset[str]:
        """The inputs that lie."""
        return frozenset(lie.input for lie in self.lies)

    def __str__(self) -> str:
        """One line for people: name, inputs and instants in seconds."""
        lies = "; ".join(
            f"{lie.input} {lie.start / 1e6:.6f}-{'…' if lie.end >= FOR_GOOD else f'{lie.end / 1e6:.6f}'} s"
            for lie in self.lies
        )
        return f"{self.name}: {lies}"


def pulse(name: str, start: Instant, width: Duration, *, value: bool) -> Lie:
    """The input reads `value` for a while, whatever is true."""
    return Lie(name, start, Instant(start + width), ((start, value),))


def stuck(name: str, start: Instant, *, value: bool) -> Lie:
    """The input reads `value` from an instant on, for good."""
    return Lie(name, start, FOR_GOOD, ((start, value),))


def toggling(name: str, start: Instant, gaps: Sequence[int], *, value: bool) -> Lie:
    """The input reads `value`, its contrary and so on, each for the next gap (µs)."""
    edges = []
    at = start
    for gap in gaps:
        edges.append((at, value))
        at, value = Instant(at + gap), not value
    return Lie(name, start, at, tuple(edges))


def register_lies(inputs: Sequence[str], at: Instant, scans: int, random: Random) -> tuple[Lie, ...]:
    """So many scans in which each input reads what chance will."""
    end = Instant(at + scans * SCAN)
    return tuple(
        Lie(name, at, end, tuple((Instant(at + scan * SCAN), random.random() < 0.5) for scan in range(scans)))
        for name in inputs
    )


def killed(game: KnownGame, start: Instant, gap: Duration) -> Fault | None:
    """The daemon is killed and comes back: it has its game from the journal, and sees the board as it is then.

    What came and went meanwhile is lost, and what has changed is seen at once, with the outage granted. Nobody enters
    a turn meanwhile: there is no page. None where nothing is touched meanwhile.
    """
    end = Instant(start + gap)
    first, last = game.before(start), game.before(end)
    touched = {edge.input for edge in game.touches(first, last)}
    if len(game.touches(first, last)) < last - first:
        return None
    return Fault("kill", tuple(Lie(name, start, end, (), gap) for name in sorted(touched))) if touched else None


def disturbed(game: KnownGame, fault: Fault, start: int) -> Iterator[tuple[int, Happening]]:
    """The edges from number `start` on as the faulty board shows them.

    Each comes with the number of the first true edge that is not before it.
    """
    silent = _silenced(game, fault, start)
    true: Iterator[tuple[int, Happening]] = (
        (number, game.edges[number]) for number in range(start, len(game.edges)) if number not in silent
    )
    false = sorted(_told(game, fault), key=lambda edge: edge.at)
    numbered: Iterator[tuple[int, Happening]] = ((game.before(edge.at), edge) for edge in false)
    return merge(true, numbered, key=lambda pair: pair[1].at)


def shows_at(game: KnownGame, fault: Fault) -> Instant | None:
    """When an input first reads otherwise than it truly does; None: never."""
    found: list[Instant] = []
    for lie in fault.lies:
        reads = game.level_of(lie.input, Instant(lie.start - 1))
        false = {at: value for at, value in lie.edges if at < lie.end}
        for at in sorted({lie.start, *false, *game.changes_of(lie.input, lie.start, lie.end)}):
            reads = false.get(at, reads)
            if reads != game.level_of(lie.input, at):
                found.append(at)
                break
    return min(found, default=None)


def _silenced(game: KnownGame, fault: Fault, start: int) -> frozenset[int]:
    return frozenset(
        number
        for lie in fault.lies
        for number in range(max(start, game.before(lie.start)), game.before(lie.end))
        if isinstance(edge := game.edges[number], InputChanged) and edge.input == lie.input
    )


def _told(game: KnownGame, fault: Fault) -> Iterator[InputChanged]:
    for lie in fault.lies:
        edges = [(at, value) for at, value in lie.edges if at < lie.end]
        is_sampled = game.is_scanned and lie.input in game.board.host.sampled
        if lie.end < FOR_GOOD:
            seen = scan_after(lie.end) if is_sampled else lie.end
            edges.append((lie.end, game.level_of(lie.input, seen)))
        if is_sampled:
            yield from _sampled(lie.input, edges, Duration(max(SCAN, lie.unseen)))
        else:
            yield from (InputChanged(at, lie.input, value, lie.unseen) for at, value in edges)


def _sampled(name: str, edges: Iterable[tuple[Instant, bool]], granted: Duration) -> Iterator[InputChanged]:
    """The last level before each scan; what comes and goes between two of them nobody sees."""
    ticks: dict[Instant, bool] = {}
    for at, value in edges:
        ticks[scan_after(at)] = value
    return (InputChanged(at, name, value, granted) for at, value in ticks.items())
