"""Draw single faults that last for a whole turn or end just before a press, which random instants hardly ever meet."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from gnomon.referee.events import InputChanged
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.simulated._chance import pick
from tests.faults.faults import Fault, Lie, killed, pulse
from tests.faults.known_games import KnownGame

_TOUCH: Final = 100 * MILLISECOND
"""Edges of an input that come sooner after each other are one touch that bounces."""

_SHOWN: Final = tuple(ms * MILLISECOND for ms in (30, 60, 150, 400, 650, 1200))
"""For so long a piece shows before its sensor loses it, or is away before its sensor shows it again."""

_LONG: Final = tuple(Duration(ms * MILLISECOND) for ms in (2500, 3000, 3500, 4000, 4600, 5300, 6000, 7000, 9000, 11000))
_BEFORE: Final = tuple(ms * MILLISECOND for ms in (250, 400, 550, 700, 850, 1000, 1200, 1500, 2000, 2500, 3200))
"""From the end of a fault to a press: what is asked because of it is put up to some seconds later."""

_SPELLS: Final = tuple(ms * MILLISECOND for ms in (150, 250, 500, 700))
_PULSES: Final = 3
_OUTAGES: Final = tuple(Duration(ms * MILLISECOND) for ms in (800, 1500, 3000, 8000))
_BOUNCE: Final = 60 * MILLISECOND
_TURN: Final = 9_000 * MILLISECOND
"""What was touched so long before a press may belong to the turn that it ends."""


def _hidden(game: KnownGame, random: Random) -> Fault | None:
    """A piece is not to be seen for as long as it stands there, from its setting down or from soon after it."""
    edge = _touch(game, random, value=True)
    left = _next(game, edge)
    if left is None:
        return None
    start = edge.at - 10 if random.random() < 0.5 else edge.at + pick(random, _SHOWN)
    end = left + _BOUNCE if random.random() < 0.7 else left - pick(random, _SHOWN)
    if end <= start:
        return None
    return Fault("pulse", (pulse(edge.input, Instant(start), Duration(end - start), value=False),))


def _later(game: KnownGame, random: Random) -> Fault | None:
    """A touch shows only seconds later, or not before the next one."""
    edge = _touch(game, random, value=random.random() < 0.3)
    return Fault(
        "late", (Lie(edge.input, edge.at, Instant(edge.at + pick(random, _LONG)), ((edge.at, not edge.value),)),)
    )


def _lost(game: KnownGame, random: Random) -> Fault | None:
    """A piece that has just been set down, or has just been lifted, reads otherwise for seconds."""
    edge = _touch(game, random, value=random.random() < 0.7)
    start = Instant(edge.at + pick(random, _SHOWN))
    return Fault("pulse", (pulse(edge.input, start, pick(random, _LONG), value=not edge.value),))


def _pulses(game: KnownGame, random: Random) -> Fault | None:
    """A place pulses three times about a touch of it, too slowly for chatter."""
    edge = _touch(game, random, value=random.random() < 0.5)
    on, off, value = pick(random, _SPELLS), pick(random, _SPELLS), random.random() < 0.5
    start = max(0, edge.at - random.randint(0, _PULSES * (on + off)))
    starts = [Instant(start + number * (on + off)) for number in range(_PULSES)]
    edges = [pair for at in starts for pair in ((at, value), (Instant(at + on), not value))]
    return Fault("pulses", (Lie(edge.input, starts[0], edges[-1][0], tuple(edges[:-1])),))


def _before_press(game: KnownGame, random: Random) -> Fault | None:
    """A fault ends just before a button is pressed: what is asked because of it is answered before anybody reads it."""
    buttons = game.board.host.buttons
    presses = [edge for edge in _touches(game) if edge.input in buttons and edge.value]
    if not presses:
        return None
    press = pick(random, presses)
    end = Instant(max(0, press.at - pick(random, _BEFORE)))
    if random.random() < 0.5:
        gap = pick(random, _OUTAGES)
        return killed(game, Instant(end - gap), gap) if end > gap else None
    since = Instant(max(0, press.at - _TURN))
    touched = [edge for edge in game.touches(game.before(since), game.before(end)) if edge.input not in buttons]
    if not touched:
        return None
    edge = pick(random, touched)
    return Fault("late", (Lie(edge.input, edge.at, end, ((edge.at, not edge.value),)),))


LASTING: Final[Mapping[str, tuple[Callable[[KnownGame, Random], Fault | None], float]]] = {
    "hidden": (_hidden, 0.25),
    "later": (_later, 0.25),
    "lost": (_lost, 0.25),
    "pulses": (_pulses, 0.10),
    "before a press": (_before_press, 0.15),
}
"""The faults by kind, and how often each is drawn."""


def draw_lasting(game: KnownGame, random: Random) -> Fault | None:
    """One single fault of these kinds, or None where there is no room for it."""
    kind = random.choices(list(LASTING), weights=[weight for _, weight in LASTING.values()])[0]
    return LASTING[kind][0](game, random)


def _touch(game: KnownGame, random: Random, *, value: bool) -> InputChanged:
    """A touch of a place, to that level if there is one among some."""
    buttons = game.board.host.buttons
    edges = game.touches()
    tried = [pick(random, edges) for _ in range(8)]
    fitting = [edge for edge in tried if edge.value == value and edge.input not in buttons]
    return fitting[0] if fitting else tried[0]


def _touches(game: KnownGame) -> Sequence[InputChanged]:
    return [
        edge
        for edge in game.touches()
        if edge.at - _TOUCH <= 0 or not game.changes_of(edge.input, Instant(edge.at - _TOUCH), edge.at)
    ]


def _next(game: KnownGame, edge: InputChanged) -> Instant | None:
    """When what was set down is lifted again, bounce left out; None: it stays."""
    later = game.changes_of(edge.input, Instant(edge.at + _TOUCH), Instant(1 << 60))
    return later[bisect_left(later, edge.at)] if later else None
