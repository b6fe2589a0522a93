"""Simulate noisy inputs: bounce and glitches."""

from collections.abc import Iterator
from dataclasses import dataclass, field
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
