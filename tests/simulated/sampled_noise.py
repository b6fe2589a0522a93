"""Sample raw edges as a scanning board does, with missed scans and false samples."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from random import Random

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant


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
