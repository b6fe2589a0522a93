"""Find the sensors whose rings may have fallen sooner or later than a ruling has it, or not at all."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import NOWHERE
from gnomon.games.tamsk.sensing._board_reading import Touch
from gnomon.games.tamsk.sensing._scene import TIMED
from gnomon.games.tamsk.sensing._unsure_ends import LATELY_RULED, is_seen_late
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    is_socket,
    place_of,
)
from gnomon.games.tamsk.sensing.verdicts import Made, MayGoOn
from gnomon.referee.debounce import SHOWED, Change
from gnomon.referee.evidence import NUDGE, PATIENCE
from gnomon.referee.rulings import (
    FaultRuled,
    Righted,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import Instant, after

_TWO_TURNS: Final = 2


def is_righted(game: TamskGame, since: Instant) -> bool:
    """Whether something was put right since a board time."""
    return any(isinstance(it, Righted) and it.at > since for it in game.rulings[-LATELY_RULED:])


def lost_under_ring(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The setting down of a glass that its socket did not show while its ring fell, if nobody knows whose ring it is.

    The reply had begun, and it may be the opponent's. Or the ring had lain there for longer than a hand holds a glass
    above its ring, and the sand has run since.
    """
    scene, is_turn = game.scene, made.move.kind == "turn"
    placed = scene.last_set_down(made.move.target) if is_turn else None
    if placed is None or placed.game > made.placed:
        return ()  # it has been set down there again in a later turn
    fell = rings_before(game, made, placed)
    if not fell or placed.at - fell[-1] < NUDGE or is_righted(game, fell[-1]):
        return ()
    lifts = [scene.trail.last_lift(space) for space in scene.theirs]
    is_answered = any(lift is not None and lift.at < fell[-1] for lift in lifts)
    is_long = game.rules.settings.level >= TIMED and after(fell[-1], PATIENCE) <= placed.at
    return (placed,) if is_answered or is_long else ()


def lost_before_ring(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The setting down of a glass that its socket had shown before, if the ring would be the opponent's by that.

    It fell in the reply, and too late for the mover after the socket first showed the glass (rule 3). Or the ring, if
    its sensor has moved since it was too late.
    """
    scene, target = game.scene, made.move.target
    placed = scene.last_set_down(target) if made.move.kind == "turn" and made.move.ring else None
    lifted = scene.last_lift(made.move.origin, target)
    if placed is None or placed.game > made.placed or lifted is None:
        return ()
    first = min([on.at for on, _ in scene.trail.stays(target) if lifted.at <= on.at < placed.at], default=placed.at)
    replies = [it.at for space in scene.theirs if (it := scene.trail.last_lift(space)) is not None]
    if not replies or is_righted(game, first):
        return ()
    its_own_until = max(after(first, scene.sensing.evidence.late_ring), min(replies))
    rings = [it for it in scene.trail.rings(target) if it.value]
    if first < placed.at:
        return (placed,) if any(it.at > its_own_until for it in rings) else ()
    starts = game.debouncer.history
    return tuple(it for it in rings if it.at <= its_own_until < max(starts.get(it.input, ()), default=it.at))


def rings_before(game: TamskGame, made: Made, placed: Touch) -> Sequence[Instant]:
    """When rings fell on the target of a turn before its glass was set down there, and after it was lifted.

    None counts if the glass stood there the other way up: then it was turned later, as hands do that are in a hurry.
    """
    lifted = game.scene.last_lift(made.move.origin, made.move.target)
    target = BOARD.names[made.move.target]
    its = [it for it in game.trail.touches if it.value and place_of(it.input) == target and it.at < placed.at]
    its = [it for it in its if lifted is None or lifted.at <= it.at]
    is_turned_there = any(is_socket(it.input) and it.input != placed.input for it in its)
    return [] if is_turned_there else [it.at for it in its if ".ring" in it.input]


def fell_unseen(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The ring that completed a turn while nobody looked, if nobody knows whether the turn was in time."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    is_seen = placed is not None and placed.since == placed.at  # else its own socket is named
    for touch in game.trail.touches if is_seen and is_seen_late(game, made) else ():
        if touch.at == made.at and ".ring" in touch.input:
            yield touch


def lost_second_rings(game: TamskGame, made: Made | None = None) -> Iterator[Change]:
    """The rings that came and went too soon to be evidence in a turn to which rule 18 gives a second one.

    `made` is the turn without it, or None while the turn is under way.
    """
    if not game.position.penalty or (made is None and not isinstance(game.under_way, MayGoOn)):
        return
    at = game.rulings[-1].at if made is None else made.at
    seen = {NOWHERE} if made is None else {made.move.target, made.move.forgotten, made.move.free}
    beside = {place_of(change.input) for change in game.debouncer.lost_rings(at)}
    beside |= {BOARD.names[space] for space in seen - {NOWHERE}}
    for name, (first, _) in game.debouncer.glimpses.items():
        is_ring = ".ring" in name and place_of(name) not in beside
        if is_ring and game.turn_began < first <= at < first + SHOWED:
            yield Change(first, name, value=True)


def lost_forgotten_ring(game: TamskGame, made: Made) -> Iterator[Change]:
    """The ring that the opponent had forgotten, if it showed for a while in a turn that counts without it."""
    space = game.position.forgotten
    if space == NOWHERE or made.move.forgotten != NOWHERE:
        return
    shown = [(it.at, it.input) for it in game.trail.rings(space) if it.value and it.input not in game.shown]
    for first, name in (*glimpsed_rings(game, space), *shown):
        if game.turn_began < first <= made.at:
            yield Change(first, name, value=True)


def lost_own_ring(game: TamskGame, made: Made) -> Iterator[Change]:
    """The ring beside the glass of a turn that counts without one, if it showed there for a moment.

    A player who ends the turn with the button says that none has fallen; the next lift does not say so.
    """
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" and not made.move.ring else None
    is_lifted = any(it.at == made.at and not it.value and is_socket(it.input) for it in game.trail.touches)
    for first, name in glimpsed_rings(game, made.move.target) if placed is not None and is_lifted else ():
        if placed is not None and placed.at <= first <= made.at:
            yield Change(first, name, value=True)


def gone_meanwhile(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The rings elsewhere that were gone until the glass of a turn had been lifted again and set down once more.

    Without that, the turn might have been over as the glass first stood there.
    """
    left = [off.at for _, off in game.trail.stays(made.move.target)] if made.move.kind == "turn" else []
    its = {made.move.target, made.move.forgotten, made.move.free}
    for space in set(range(len(BOARD.names))) - its if left else ():
        rings = game.trail.rings(space)
        for number, gone in enumerate(rings):
            back = next((it.at for it in rings[number:] if it.value and it.input == gone.input), None)
            if not gone.value and back is not None and any(gone.at < at < back for at in left):
                yield gone


def glimpsed_rings(game: TamskGame, space: int) -> Sequence[tuple[Instant, str]]:
    """When a ring first showed on a space for too short a time to be evidence, and its input."""
    its = (name for name in game.debouncer.glimpses if place_of(name) == BOARD.names[space] and ".ring" in name)
    return [(game.debouncer.glimpses[name][0], name) for name in its]


def fell_again(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The rings of a turn that had gone before they fell: perhaps they have lain there all the time."""
    for space in {made.move.target, made.move.forgotten, made.move.free} - {NOWHERE}:
        rings = game.trail.rings(space)
        for number, touch in enumerate(rings):
            had_gone = any(not it.value and it.input == touch.input for it in rings[:number])
            if touch.value and (had_gone or _was_seen_before(game, space, touch) or _was_in_time(game, made, touch)):
                yield touch


def _was_in_time(game: TamskGame, made: Made, ring: Touch) -> bool:
    """Whether a ring that came too late had shown, for too short a time to be evidence, before that."""
    first = glimpse_of(game, ring)
    return game.turn_began < first < ring.at and game.game_time(first) <= game.position.bound_until < made.done


def _was_seen_before(game: TamskGame, space: int, ring: Touch) -> bool:
    """Whether a ring beside no glass showed for too short a time to be evidence, before it fell.

    In this turn; or in the turn before, if it is the one that its player had forgotten, or may be a second one of
    theirs (rule 18) that was not named then.
    """
    first = glimpse_of(game, ring)
    may_be_second = bool(game.plies) and game.plies[-1].before.penalty and not _is_named(game, ring)
    since = Instant(0) if may_be_second or space == game.position.forgotten else game.turn_began
    is_second = space == game.position.forgotten or game.position.penalty
    is_beside = space in game.scene.sight.glasses and not is_second
    return not is_beside and since < first < ring.at


def _is_named(game: TamskGame, ring: Touch) -> bool:
    """Whether a sensor was named lately."""
    return any(isinstance(it, FaultRuled) and it.input == ring.input for it in game.rulings[-LATELY_RULED:])


def glimpse_of(game: TamskGame, touch: Touch) -> Instant:
    """When an input first showed for a moment what it came to show, in this turn or the one before.

    Where it did not, when it came to show it.
    """
    first, last = game.debouncer.glimpses.get(touch.input, (touch.at, touch.at))
    ends = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, TurnRuled | TurnLost)]
    return first if len(ends) < _TWO_TURNS or last >= ends[-_TWO_TURNS] else touch.at
