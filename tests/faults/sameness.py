"""Compare two games: whether every event is ruled alike from now on."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Final

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.debounce import AGAIN, CHATTER_BURSTS, CHATTER_WINDOW, Debouncer
from gnomon.referee.game import Game
from gnomon.timekeeping.instants import Instant

_FORGOTTEN: Final = frozenset({"rulings", "undoable", "debouncer"})
"""What was said and what can be taken back decide nothing; the debouncer is compared by itself."""


def _facts(of: type[Game] | type[Debouncer], but: Collection[str]) -> Callable[[object], object]:
    """The values of every field but some."""
    return attrgetter(*(field.name for field in fields(of) if field.name not in but))


_FACTS: Final = {kind: _facts(kind, _FORGOTTEN) for kind in (Game, TamskGame)}
_MOVING: Final = _facts(Debouncer, {"history", "fallen", "touched", "glimpses", "noise"})

_BURSTS: Final = CHATTER_BURSTS // 4
"""So many bursts more or less do not make an input chatter that is otherwise far from it."""


def is_same(one: Game, other: Game, now: Instant) -> bool:
    """Whether two games, both with all done that was due by `now`, are ruled alike from then on, whatever comes.

    They are equal in everything but what was said, and in what the debouncer remembers of inputs that are at rest.
    """
    return (
        _falls(one.debouncer, now) == _falls(other.debouncer, now)
        and _glimpses(one.debouncer, now) == _glimpses(other.debouncer, now)
        and bool(_FACTS[type(one)](one) == _FACTS[type(one)](other))
        and bool(_MOVING(one.debouncer) == _MOVING(other.debouncer))
        and _are_histories_alike(one.debouncer, other.debouncer, now)
    )


def _falls(debouncer: Debouncer, now: Instant) -> Mapping[str, object]:
    """Which rings may come again, and whether hands went on since each came."""
    return {
        name: (stamps, stamps[0] < debouncer.touched)
        for name, stamps in debouncer.fallen.items()
        if now - stamps[-1] < AGAIN
    }


def _glimpses(debouncer: Debouncer, now: Instant) -> Mapping[str, object]:
    """Which sockets have shown a glass for a moment."""
    return {name: stamps for name, stamps in debouncer.glimpses.items() if now - stamps[-1] < AGAIN}


def most_bursts(debouncer: Debouncer) -> int:
    """How many bursts of one input are remembered."""
    return max(map(len, debouncer.history.values()), default=0)


def _are_histories_alike(one: Debouncer, other: Debouncer, now: Instant) -> bool:
    if one.history == other.history:
        return True
    if most_bursts(other) > CHATTER_BURSTS - 2 * _BURSTS:
        return False
    return all(
        sum(1 for start in starts if now - start < CHATTER_WINDOW) <= _BURSTS
        for name, starts in one.history.items()
        if other.history.get(name) != starts
    )
