"""Find the sensors of the 15-second glass's stand that contradict a ruling, and what they leave in doubt."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.sensing._board_reading import ChangeHistory, Touch, flickers
from gnomon.games.tamsk.sensing._explain import upended_returns
from gnomon.games.tamsk.sensing._ring_contradictions import glimpse_of, lost_second_rings
from gnomon.games.tamsk.sensing._scene import CARRIED
from gnomon.games.tamsk.sensing._unsure_ends import LATELY_RULED
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    GLASS,
    POLES,
    TIMER,
    is_socket,
    place_of,
    trusts_timer,
)
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.debounce import JUMP, Change
from gnomon.referee.evidence import PATIENCE
from gnomon.referee.rulings import (
    TimerTurned,
)
from gnomon.timekeeping.instants import Duration, Instant, after

_LONG: Final = Duration(4 * PATIENCE)
"""A stand that has shown no glass for so long is unsure."""


def find_unsure_of_timer(game: TamskGame, trail: ChangeHistory) -> Iterable[Touch | Change]:
    """The changes that may have come sooner or later than the last turning of the 15-second glass has them.

    Its stand, if it showed both poles, or flickered as the turn before ended; a ring that showed before for too short a
    time, beside a glass or by right of rule 18; and what may have ended the turn before. `trail` is that from before it
    was turned.
    """
    if not game.sensing.evidence.contradictions:
        return ()
    at, touch, late = game.rulings[-1].at, trail.timer_set_down(), stand_shown_late(trail)
    pending = {change.input: change for change in game.debouncer.pending_at(at) if _may_end_turn(game, change)}
    is_others = touch is not None and flickers(touch) and touch.first < game.turn_began <= touch.at
    early = (touch,) if touch is not None and is_others and not late else ()
    return (*late, *early, *game.debouncer.lost_rings(at), *lost_second_rings(game), *pending.values())


def turned_at_once(trail: ChangeHistory) -> Iterator[Touch]:
    """The changes of a socket that showed the other pole sooner than a hand turns a glass over."""
    for lost in trail.touches:
        for touch in trail.touches if not lost.value and is_socket(lost.input) else ():
            is_other = touch.input != lost.input and place_of(touch.input) == place_of(lost.input)
            if is_other and touch.value and abs(touch.at - lost.at) < CARRIED:
                yield from (lost, touch)


def moved_together(game: TamskGame) -> Iterator[Touch]:
    """The changes of one register that came together, if one of them was undone: that was the register, not a hand."""
    touches = game.trail.touches
    undone = {each.input for each in touches if any(it.input == each.input and it != each for it in touches)}
    for register in game.sensing.registers if undone else ():
        its = [touch for touch in touches if touch.input in register]
        for one, other in pairwise(its):
            if (
                one.input != other.input
                and other.at - one.at <= JUMP
                and not undone.isdisjoint({one.input, other.input})
            ):
                yield from (one, other)


def spans_timer(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The changes that may have come before the 15-second glass was turned in this turn: perhaps it was another."""
    turned = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, TimerTurned) and it.at >= game.turn_began]
    for at in turned if made.move.ring else ():
        yield from _stood_before(game, made, at)
    # Without what such a socket showed, the lift before it ended the turn.
    shown = (each for each in upended_returns(game.trail) if each[2].at == made.at)
    yield from (on for lifted, on, _ in shown if any(lifted.at <= at < made.at for at in turned))
    for touch in game.trail.touches:
        first = glimpse_of(game, touch) if ".ring" in touch.input and not touch.last else touch.first
        is_known = bool(touch.last) or game.turn_began < first
        if is_known and any(first <= at < touch.at for at in turned) and place_of(touch.input) != TIMER:
            yield touch


def _stood_before(game: TamskGame, made: Made, turned: Instant) -> Iterator[Touch]:
    """The setting down of a glass after the 15-second glass was turned, if it showed before, and its ring fell before.

    Its socket may have lost it for a while: then the turn was over, and the 15-second glass was turned in the next one.
    """
    target = made.move.target
    placed = game.scene.last_set_down(target)
    if placed is None or placed.at <= turned or all(it.at > turned for it in game.trail.rings(target) if it.value):
        return
    starts = (*game.debouncer.glimpses.get(placed.input, ())[:1], *game.debouncer.history.get(placed.input, ()))
    if any(game.turn_began < start <= turned for start in starts):
        yield placed


def stand_shown_late(trail: ChangeHistory) -> tuple[Touch, ...]:
    """The setting down of the 15-second glass and its lift, if the stand showed both poles in between."""
    lifted = trail.timer_lifted()
    placed = None if lifted is None else trail.timer_set_down(lifted.input)
    if placed is None or lifted is None:
        return ()
    return (placed, lifted) if placed.at < lifted.at else ()


def stand_long_dark(game: TamskGame, made: Made) -> Iterator[Change]:
    """The sensors of the stand that the 15-second glass has not come back to for long: it may stand there and run."""
    kinds = POLES if game.timer_pole is not None and not trusts_timer(game.sensing) else (GLASS,)
    names = [f"{TIMER}.{kind}" for kind in kinds]
    moved = max((at for name in names for at in game.debouncer.history.get(name, ())), default=made.at)
    if (
        game.scene.sight.timer is None
        and after(moved, _LONG) <= made.at
        and not set(names).intersection(game.quarantined)
    ):
        yield from (Change(moved, name, value=True) for name in names)


def is_put_back_late(game: TamskGame, touch: Touch) -> bool:
    """Whether the 15-second glass comes back to its stand as it stood there long before: it may have run meanwhile."""
    pole = game.timer_pole
    if not game.sensing.evidence.contradictions or pole is None or (touch.input, touch.value) != (_show(pole), True):
        return False
    history = game.debouncer.history
    lately = (
        touch.at - _LONG < at < touch.at for name in map(_show, range(len(POLES))) for at in history.get(name, ())
    )
    return game.scene.sight.timer is None and not any(lately)


def _show(pole: int) -> str:
    return f"{TIMER}.{POLES[pole]}"


def _may_end_turn(game: TamskGame, change: Change) -> bool:
    """Whether a change may have ended the turn in which the 15-second glass was turned: a ring, or a reply's lift."""
    place, _, kind = change.input.partition(".")
    return kind.startswith("ring") or (is_socket(change.input) and BOARD.index[place] in game.scene.theirs)
