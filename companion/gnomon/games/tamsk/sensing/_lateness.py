"""Decide whether a turn may have been late, where it is not known when it was made or the 15-second glass turned."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.evidence import OUTAGE
from gnomon.referee.quarantine import UNSURE
from gnomon.referee.rulings import FaultRuled, TimerTurned
from gnomon.timekeeping.instants import Instant, after

LATELY_RULED: Final = 8
"""Among so many rulings the turning of the 15-second glass stands that was ruled in this turn, a fault, or a repair."""


def is_seen_late(game: TamskGame, made: Made) -> bool:
    """Whether the 15-second glass ran out in the outage in which a turn was made: nobody knows if it was in time."""
    seen = game.game_time(made.at)
    return seen - made.done > OUTAGE and made.done <= game.position.bound_until < seen


def may_be_late(game: TamskGame, made: Made, *, ends: bool) -> bool:
    """Whether a turn counts as made in time, and was late if the 15-second glass was turned sooner than it counts.

    Or if it was turned when its stand showed what cannot be, so that nobody knows whether it was. If the turn `ends`
    the game, less is enough: that its stand moved, or that the turn in which it was turned may have been over.
    """
    bound = game.position.bound_until
    if bound - timer_span(game)[0] < made.done <= bound:
        return True
    glass, is_bound = game.position.timer15, game.position.timer15_binds
    if glass is None or (is_bound and not ends):
        return False
    doubts = [it for it in game.rulings[-LATELY_RULED:] if isinstance(it, FaultRuled)]
    since = [it.at for it in doubts if it.input.startswith(TIMER) and it.at >= game.turn_began]
    since += _perhaps_turned(game, doubts) if ends and not is_bound else ()
    if not since or (is_bound and made.done > bound):
        return False
    return after(game.game_time(min(since)), min(glass.durations)) < made.done


def _perhaps_turned(game: TamskGame, doubts: Sequence[FaultRuled]) -> Iterator[Instant]:
    """When the 15-second glass may have been turned so that it binds the turn under way, and counts as not binding it.

    When its stand moved in this turn, or when it was turned before the turn before was over, if that is in doubt.
    """
    for name, starts in game.debouncer.history.items():
        yield from (at for at in starts if name.startswith(TIMER) and at >= game.turn_began)
    ends = [it.at for it in doubts if it.fault == UNSURE and it.at <= game.turn_began]
    for it in game.rulings[-LATELY_RULED:]:
        if isinstance(it, TimerTurned) and any(it.at <= end for end in ends):
            yield it.at


def timer_span(game: TamskGame) -> tuple[int, int]:
    """By how much sooner, and later, the 15-second glass may have been turned: unseen, or on a stand that flickered."""
    turned = game.timer_unsure
    if turned is None:
        return 0, 0
    first = min(turned.since, turned.first) if turned.last else turned.since
    return turned.at - max(first, game.turn_began), max(turned.last - turned.at, 0)
