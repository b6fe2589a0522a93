"""Simulate noisy inputs: bounce, glitches, missed scans and false samples."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import log
from random import Random
from typing import Final

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.simulated.players.player_timing import RandomSpan

LONGEST_BOUNCE: Final = Duration(20 * MILLISECOND)
LONGEST_GLITCH: Final = Duration(5 * MILLISECOND)
"""What the trace interface promises never to lead to a ruling; `Noise` stays within both."""

APART: Final = Duration(60 * MILLISECOND)
"""A glitch is a single one: its input is at rest for so long before and after it."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How unclean the inputs are.

    `bounces` is the probability that a change bounces, `bounce` the length of such a burst (5 ms in the mean), `gap`
    the time between two of its edges. `glitches` is the probability that an act disturbs another input, for `glitch`,
    at most `reach` later.
    """

    bounces: float = 0.8
    bounce: RandomSpan = field(default=RandomSpan(300, LONGEST_BOUNCE, 3.2))  # mean: 300 + 19 700 / (skew + 1) µs
    gap: RandomSpan = field(default=RandomSpan(300, 2_900))
    glitches: float = 0.1
    glitch: RandomSpan = field(default=RandomSpan(200, LONGEST_GLITCH))
    reach: RandomSpan = field(default=RandomSpan(0, 1_500 * MILLISECOND, 2.0))


CLEAN: Final = Noise(bounces=0.0, glitches=0.0)


def bounce(change: InputChanged, noise: Noise, random: Random) -> Iterator[InputChanged]:
    """The raw edges of one change: the change itself, then to and fro, the last with the lasting value."""
    yield change
    if random.random() >= noise.bounces:
        return
    end = change.at + noise.bounce.draw(random)
    back = change.at + noise.gap.draw(random)
    forth = back + noise.gap.draw(random)
    while forth <= end:
        yield InputChanged(Instant(back), change.input, not change.value)
        yield InputChanged(Instant(forth), change.input, change.value)
        back = forth + noise.gap.draw(random)
        forth = back + noise.gap.draw(random)


def glitch(at: Instant, name: str, *, resting: bool, noise: Noise, random: Random) -> tuple[InputChanged, InputChanged]:
    """A stray glitch of an input that rests: away and back within a few milliseconds."""
    back = Instant(at + noise.glitch.draw(random))
    return InputChanged(at, name, not resting), InputChanged(back, name, resting)


@dataclass(frozen=True, slots=True)
class Scanning:
    """How a board is sampled: `period` in µs, the probability that a scan fails, and that one input lies in one."""

    period: Duration = Duration(10 * MILLISECOND)
    missed: float = 0.01
    ghosts: float = 1e-4


def sample_edges(
    edges: Iterable[InputChanged],
    resting: Mapping[str, int],
    until: Instant,
    random: Random,
    scanning: Scanning | None = None,
) -> Iterator[InputChanged]:
    """What a scanning board makes of raw edges: samples, stamped with the scan, the time since the last one granted.

    `resting` are the inputs before the first edge. A ghost is seen in one scan only; scans are made up to `until`.
    """
    how = scanning or Scanning()
    names = tuple(resting)
    ordinal = {name: number for number, name in enumerate(names)}
    true = dict(resting)
    seen = dict(resting)
    wrong: set[str] = set()  # seen otherwise than they are
    ghosts = _lying_samples(how.ghosts, random)
    ghost = next(ghosts)
    coming = iter(edges)
    edge = next(coming, None)
    before = Instant(0)
    for number in range(1, until // how.period + 1):
        now = Instant(number * how.period)
        while edge is not None and edge.at <= now:
            true[edge.input] = int(edge.value)
            (wrong.add if true[edge.input] != seen[edge.input] else wrong.discard)(edge.input)
            edge = next(coming, None)
        lies = set()
        while ghost < number * len(names):
            lies.add(names[ghost % len(names)])
            ghost = next(ghosts)
        if random.random() < how.missed:
            continue
        for name in sorted(wrong ^ lies, key=ordinal.__getitem__):
            seen[name] ^= 1
            yield InputChanged(now, name, bool(seen[name]), Duration(now - before))
        wrong, before = lies, now


def _lying_samples(chance: float, random: Random) -> Iterator[int]:
    """The samples that lie, counted over all scans and inputs: gaps of a geometric distribution."""
    sample = -1
    while True:
        sample += 1 + (int(log(1.0 - random.random()) / log(1.0 - chance)) if chance > 0 else 1 << 62)
        yield sample
