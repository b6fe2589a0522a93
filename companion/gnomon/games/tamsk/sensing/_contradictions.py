"""Find the sensors that contradict a ruling: what they showed may have come sooner or later than the ruling has it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import NOWHERE
from gnomon.games.tamsk.sensing._board_reading import ChangeHistory, Touch, flickers
from gnomon.games.tamsk.sensing._explain import find_blink, find_flicker, find_glimpse, find_haste, find_upended
from gnomon.games.tamsk.sensing._scene import CARRIED, TIMED, Scene, difference
from gnomon.games.tamsk.sensing._unsure_ends import LATELY_RULED, is_seen_late, timer_span
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    GLASS,
    POLES,
    SINGLE,
    TIMER,
    is_socket,
    place_of,
    trusts_sockets,
    trusts_timer,
)
from gnomon.games.tamsk.sensing.verdicts import Made, MayGoOn
from gnomon.referee.debounce import JUMP, SHOWED, Change
from gnomon.referee.evidence import DOUBT_TIME, NUDGE, PATIENCE
from gnomon.referee.rulings import (
    FaultRuled,
    GlassStopped,
    Righted,
    TimerTurned,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import Duration, Instant, after

_TWO_TURNS: Final = 2

_SOON: Final = Duration(4 * PATIENCE)
"""A lift that is shown so soon after the glass on its new socket was not believed may be that glass's."""


def find_unsure(game: TamskGame, made: Made) -> Iterable[Touch | Change]:
    """The changes that may have come sooner or later than a turn has them, so that it may have been another."""
    if not game.sensing.evidence.contradictions:
        return ()
    scene = game.scene
    told: tuple[Touch | Change, ...] = (*find_flicker(scene, made), *find_haste(scene, made), *_held_up(game, made))
    spaces = {each for each in (made.move.origin, made.move.target, game.position.forgotten) if each != NOWHERE}
    names = {BOARD.names[space] for space in spaces}
    later = game.debouncer.flicker_at(made.at)
    late = _stand_shown_late(game.trail)
    told = (*told, *_moved_together(game), *_fell_again(game, made), *_spans_timer(game, made))
    told = (*told, *find_blink(scene, made), *find_upended(scene, made), *_glimpsed_before(game, made))
    told = (*told, *_long_away(scene, made), *_turned_at_once(game.trail))
    told = (*told, *_fell_unseen(game, made), *_at_unsure_time(game, made), *_lost_under_ring(game, made))
    told = (*told, *_lifted_unseen(game, made), *_seventh_shown(game, made), *_passed_in_a_glimpse(game, made))
    told = (*told, *_stood_between(game, made), *_lost_before_ring(game, made), *_answered_early(game, made))
    told = (*told, *_pressed_before(game, made), *_lost_forgotten_ring(game, made))
    told = (*told, *_lost_as_sand_ran_out(game, made), *_lost_second_rings(game, made))
    told = (*told, *_moved_in_the_same_outage(game, made), *_stand_long_dark(game, made))
    told = (*told, *_pressed_while_dark(game, made))
    told = (*told, *late) if late and late[0].at <= made.at <= late[1].at else told
    flickering = (change for change in later if change.input.partition(".")[0] in names)
    return (*told, *_answered_before(game, made), *flickering)


def first_shown(game: TamskGame, made: Made, placed: Touch) -> Instant:
    """When the new socket of a turn first showed its glass that way up; it may have lost it for a while since.

    If the ring fell there meanwhile, the glass has stood there all the time; else hands may have taken it away. They
    have if it was put right.
    """
    trail, target = game.trail, made.move.target
    if placed.game > made.placed:
        return placed.at  # it has been set down there again in a later turn
    lifted = game.scene.last_lift(made.move.origin, target)
    shown = [on.at for on, _ in trail.stays(target) if on.input == placed.input]
    shown += game.debouncer.glimpses.get(placed.input, ())[:1]
    first = min((at for at in shown if lifted is None or lifted.at <= at), default=placed.at)
    is_ringed = any(first <= at for at in _rings_before(game, made, placed))
    return min(first, placed.at) if is_ringed and not _is_righted(game, first) else placed.at


def first_there(game: TamskGame, made: Made, placed: Touch) -> Instant:
    """When the glass of a turn may first have stood on its new socket, though the socket was dark since.

    When it showed for a moment, or stood before its ring did; or as its ring fell, if no hand holds a glass for so long
    above its ring.
    """
    first = first_shown(game, made, placed)
    if placed.game > made.placed:
        return first
    lifted = game.scene.last_lift(made.move.origin, made.move.target)
    shown = game.debouncer.glimpses.get(placed.input, ())[:1]
    fell = [at for at in _rings_before(game, made, placed)[-1:] if after(at, DOUBT_TIME) <= placed.at]
    seen = [*fell, *(at for at in shown if lifted is None or lifted.at <= at)]
    rung = [at for at, _ in _glimpsed_rings(game, made.move.target) if at < placed.at]
    stays = (on for on, _ in game.trail.stays(made.move.target) if on.input == placed.input)
    seen += [on.at for on in stays if (lifted is None or lifted.at <= on.at) and any(on.at <= at for at in rung)]
    return min([first, *(at for at in seen if not _is_righted(game, at))])


def _is_righted(game: TamskGame, since: Instant) -> bool:
    """Whether something was put right since a board time."""
    return any(isinstance(it, Righted) and it.at > since for it in game.rulings[-LATELY_RULED:])


def _glimpsed_before(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The setting down of a glass that its socket had shown before for too short a time, if that makes another turn."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    glimpse = None if placed is None else game.debouncer.glimpses.get(placed.input)
    return () if glimpse is None else find_glimpse(game.scene, made, glimpse[0])


def _lost_under_ring(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The setting down of a glass that its socket did not show while its ring fell, if nobody knows whose ring it is.

    The reply had begun, and it may be the opponent's. Or the ring had lain there for longer than a hand holds a glass
    above its ring, and the sand has run since.
    """
    scene, is_turn = game.scene, made.move.kind == "turn"
    placed = scene.last_set_down(made.move.target) if is_turn else None
    if placed is None or placed.game > made.placed:
        return ()  # it has been set down there again in a later turn
    fell = _rings_before(game, made, placed)
    if not fell or placed.at - fell[-1] < NUDGE or _is_righted(game, fell[-1]):
        return ()
    lifts = [scene.trail.last_lift(space) for space in scene.theirs]
    is_answered = any(lift is not None and lift.at < fell[-1] for lift in lifts)
    is_long = game.rules.settings.level >= TIMED and after(fell[-1], PATIENCE) <= placed.at
    return (placed,) if is_answered or is_long else ()


def _lost_before_ring(game: TamskGame, made: Made) -> tuple[Touch, ...]:
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
    if not replies or _is_righted(game, first):
        return ()
    its_own_until = max(after(first, scene.sensing.evidence.late_ring), min(replies))
    rings = [it for it in scene.trail.rings(target) if it.value]
    if first < placed.at:
        return (placed,) if any(it.at > its_own_until for it in rings) else ()
    starts = game.debouncer.history
    return tuple(it for it in rings if it.at <= its_own_until < max(starts.get(it.input, ()), default=it.at))


def _moved_in_the_same_outage(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The lift of another own glass, if nobody looked as it was moved: perhaps that was the turn before."""
    lifted = game.trail.last_lift(made.move.origin) if made.move.kind == "turn" else None
    if lifted is None or lifted.since == lifted.at:
        return
    spaces = difference(game.scene).missing.intersection(game.scene.own) - {made.move.origin}
    lifts = (game.trail.last_lift(space) for space in sorted(spaces))
    yield from (it for it in lifts if it is not None and it.since < it.at)


def _pressed_while_dark(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The setting down of a glass that its socket had shown before, if its player pressed in vain while it did not."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if placed is not None and placed.game <= made.placed:
        lifted = game.scene.last_lift(made.move.origin, made.move.target)
        stood = (on.at for on, _ in game.trail.stays(made.move.target) if lifted is not None and lifted.at <= on.at)
        first = min(first_there(game, made, placed), *stood, placed.at)
        yield from (placed,) if first <= game.pressed_in_vain < placed.at and not _is_righted(game, first) else ()


def _answered_early(game: TamskGame, made: Made) -> Iterator[Touch | Change]:
    """The lift of a glass that was away for long after the turn that it answers, and was lifted before its set-down.

    A hand that is in such a hurry does not wait once the turn is over: perhaps this one was set down where that is
    thought to have ended, and the turn before ended on a socket that shows no glass.
    """
    own = game.trail.last_lift(made.move.origin) if made.move.kind == "turn" else None
    placed = None if own is None else game.scene.last_set_down(made.move.target)
    before = next((ply for ply in reversed(game.plies[-2:]) if ply.before.mover != game.position.mover), None)
    if own is None or placed is None or before is None or before.placed is None:
        return
    if own.game >= before.placed or after(game.turn_began, PATIENCE) >= placed.at:
        return
    yield own
    was, now = before.before, set(game.position.glasses)
    origin, *others = set(was.glasses) - now
    if others or now.difference(was.glasses).isdisjoint(BOARD.neighbours[made.move.origin]):
        return
    # The glass that has just been set down may be the one that stood there unseen.
    dark = {space for space in BOARD.neighbours[origin] if made.move.target in BOARD.neighbours[space]} - now
    for space in sorted(space for space in dark if not was.is_full(space)):
        for kind in _kinds_of(game, 1 - before.poles[was.glasses.index(origin)]):
            yield Change(own.at, f"{BOARD.names[space]}.{kind}", value=True)


def _kinds_of(game: TamskGame, pole: int) -> Sequence[str]:
    """The inputs of a socket that may show a glass which is believed to stand with a pole up."""
    seen = POLES if game.rules.settings.level < TIMED else (POLES[pole],)
    return SINGLE if trusts_sockets(game.sensing) else seen


def _rings_before(game: TamskGame, made: Made, placed: Touch) -> Sequence[Instant]:
    """When rings fell on the target of a turn before its glass was set down there, and after it was lifted.

    None counts if the glass stood there the other way up: then it was turned later, as hands do that are in a hurry.
    """
    lifted = game.scene.last_lift(made.move.origin, made.move.target)
    target = BOARD.names[made.move.target]
    its = [it for it in game.trail.touches if it.value and place_of(it.input) == target and it.at < placed.at]
    its = [it for it in its if lifted is None or lifted.at <= it.at]
    is_turned_there = any(is_socket(it.input) and it.input != placed.input for it in its)
    return [] if is_turned_there else [it.at for it in its if ".ring" in it.input]


def _lost_as_sand_ran_out(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The rings of a turn that had come and gone before they fell, if a glass stopped meanwhile: perhaps after it."""
    stopped = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, GlassStopped)]
    for space in {made.move.target, made.move.forgotten, made.move.free} - {NOWHERE} if stopped else ():
        for touch in (it for it in game.trail.rings(space) if it.value):
            first = min(touch.first if flickers(touch) else touch.at, max(_glimpse_of(game, touch), game.turn_began))
            if any(first <= at < touch.at for at in stopped):
                yield touch


def _at_unsure_time(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The turning of the 15-second glass, if nobody knows whether a turn was begun, or made, before it was empty.

    Or whether it was turned in that turn, for its stand flickered as the turn ended.
    """
    turned, bound = game.timer_unsure, game.position.bound_until
    if turned is None:
        return ()
    sooner, later = timer_span(game)
    is_unsure = any(bound - sooner < when <= bound + later for when in (made.lifted, made.done))
    return (turned,) if is_unsure or made.at <= turned.last else ()


def _fell_unseen(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The ring that completed a turn while nobody looked, if nobody knows whether the turn was in time."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    is_seen = placed is not None and placed.since == placed.at  # else its own socket is named
    for touch in game.trail.touches if is_seen and is_seen_late(game, made) else ():
        if touch.at == made.at and ".ring" in touch.input:
            yield touch


def _lifted_unseen(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The lift that began a turn while nobody looked, if the 15-second glass ran out in that time.

    If nobody saw it being set down either, that is what is told.
    """
    if made.move.kind != "turn":
        return
    lifted, placed = (
        game.scene.last_lift(made.move.origin, made.move.target),
        game.scene.last_set_down(made.move.target),
    )
    if lifted is None or placed is None or placed.since < placed.at:
        return
    if lifted.since < lifted.at and lifted.granted <= game.position.bound_until < lifted.game:
        yield lifted


def _seventh_shown(game: TamskGame, made: Made) -> Iterator[Change]:
    """The sockets of which one may have lied: a glass more than there are showed for a while, and one has gone again.

    They are the space that it left, which the turn does not know, and those that still show a glass beside that space
    or beside the target of the turn.
    """
    scene, standing = game.scene, set(game.position.glasses)
    gone = {
        space: (on.at, off.at)
        for space in range(len(BOARD.names))
        for on, off in (scene.trail.stays(space) if space not in standing and space != made.move.target else ())
    }
    its = [(touch, BOARD.index[place_of(touch.input)]) for touch in scene.trail.touches if is_socket(touch.input)]
    since: Instant | None = None
    for touch, space in its:
        if since is not None and after(since, DOUBT_TIME) <= touch.at and space in gone and touch.at == gone[space][1]:
            beside = {*BOARD.neighbours[space], *BOARD.neighbours[made.move.target]}
            near = {BOARD.names[each] for each in {space} | (standing & beside) - {made.move.target}}
            names = (name for name in {it.input for it, _ in its} | game.debouncer.on if is_socket(name))
            yield from (Change(since, name, value=True) for name in sorted(names) if place_of(name) in near)
            return
        (standing.add if touch.value else standing.discard)(space)
        since = None if len(standing) <= len(game.position.glasses) else since or touch.at


def _stood_between(game: TamskGame, made: Made) -> Iterator[Touch]:
    """Where a glass stood for a while that the turn does not know, and was answered there; with the lifts beside it.

    A lift that shows after the glass has left counts if the reply stands somewhere: its sensor may show it late. Or
    where its player pressed the button in vain while it stood there.
    """
    trail, known = game.trail, {*game.position.glasses, made.move.target, made.move.origin}
    others = {BOARD.names[space] for space in game.scene.theirs}
    is_answered = bool(difference(game.scene).extra - {made.move.target})
    for space in sorted(set(range(len(BOARD.names))) - known):
        stays = [(on, off) for on, off in trail.stays(space) if after(on.at, DOUBT_TIME) <= off.at]
        vain = game.pressed_in_vain
        pressed = [on for on, off in stays if on.at <= vain <= off.at and not _is_righted(game, on.at)]
        lost = (it for it in trail.touches if not it.value and ".ring" in it.input and it.at <= vain)
        yield from (*pressed, *(lost if pressed else ()))
        near = {BOARD.names[each] for each in BOARD.neighbours[space]} if stays else set()
        lifts = [it for it in trail.touches if not it.value and is_socket(it.input) and place_of(it.input) in near]
        for on, off in stays:
            until = after(off.at, DOUBT_TIME) if is_answered else off.at
            if any(place_of(it.input) in others and after(on.at, -PATIENCE) < it.at <= until for it in lifts):
                yield from (on, *lifts)


def _passed_in_a_glimpse(game: TamskGame, made: Made) -> Iterator[Change]:
    """The sockets beside the origin of a turn that stirred, if the turn was answered before its glass was set down.

    Perhaps the glass stood there, and was moved on in another turn.
    """
    scene = game.scene
    if made.move.kind != "turn":
        return
    lifted, placed = scene.last_lift(made.move.origin, made.move.target), scene.last_set_down(made.move.target)
    if lifted is None or placed is None:
        return
    new = difference(scene).extra - {made.move.target}
    stood = [it.at for space in new if (it := scene.last_set_down(space)) is not None and lifted.at < it.at < placed.at]
    yield from find_stirred(game, made.move.origin, lifted.at, min(stood)) if stood else ()


def find_stirred(game: TamskGame, origin: int, since: Instant, until: Instant) -> Iterator[Change]:
    """The empty sockets beside a space that moved between two board times, for too short a time to be evidence."""
    beside = {BOARD.names[space] for space in BOARD.neighbours[origin] if space not in game.scene.sight.glasses}
    beside -= {place_of(touch.input) for touch in game.trail.touches if since < touch.at < until}
    for name, starts in game.debouncer.history.items():
        if is_socket(name) and place_of(name) in beside:
            yield from (Change(at, name, value=True) for at in starts if since < at < until)


def find_unsure_of_timer(game: TamskGame, trail: ChangeHistory) -> Iterable[Touch | Change]:
    """The changes that may have come sooner or later than the last turning of the 15-second glass has them.

    Its stand, if it showed both poles, or flickered as the turn before ended; a ring that showed before for too short a
    time, beside a glass or by right of rule 18; and what may have ended the turn before. `trail` is that from before it
    was turned.
    """
    if not game.sensing.evidence.contradictions:
        return ()
    at, touch, late = game.rulings[-1].at, trail.timer_set_down(), _stand_shown_late(trail)
    pending = {change.input: change for change in game.debouncer.pending_at(at) if _may_end_turn(game, change)}
    is_others = touch is not None and flickers(touch) and touch.first < game.turn_began <= touch.at
    early = (touch,) if touch is not None and is_others and not late else ()
    return (*late, *early, *game.debouncer.lost_rings(at), *_lost_second_rings(game), *pending.values())


def _lost_second_rings(game: TamskGame, made: Made | None = None) -> Iterator[Change]:
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


def _lost_forgotten_ring(game: TamskGame, made: Made) -> Iterator[Change]:
    """The ring that the opponent had forgotten, if it showed for a while in a turn that counts without it."""
    space = game.position.forgotten
    if space == NOWHERE or made.move.forgotten != NOWHERE:
        return
    shown = [(it.at, it.input) for it in game.trail.rings(space) if it.value and it.input not in game.shown]
    for first, name in (*_glimpsed_rings(game, space), *shown):
        if game.turn_began < first <= made.at:
            yield Change(first, name, value=True)


def _glimpsed_rings(game: TamskGame, space: int) -> Sequence[tuple[Instant, str]]:
    """When a ring first showed on a space for too short a time to be evidence, and its input."""
    its = (name for name in game.debouncer.glimpses if place_of(name) == BOARD.names[space] and ".ring" in name)
    return [(game.debouncer.glimpses[name][0], name) for name in its]


def _fell_again(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The rings of a turn that had gone before they fell: perhaps they have lain there all the time."""
    for space in {made.move.target, made.move.forgotten, made.move.free} - {NOWHERE}:
        rings = game.trail.rings(space)
        for number, touch in enumerate(rings):
            had_gone = any(not it.value and it.input == touch.input for it in rings[:number])
            if touch.value and (had_gone or _was_seen_before(game, space, touch) or _was_in_time(game, made, touch)):
                yield touch


def _was_in_time(game: TamskGame, made: Made, ring: Touch) -> bool:
    """Whether a ring that came too late had shown, for too short a time to be evidence, before that."""
    first = _glimpse_of(game, ring)
    return game.turn_began < first < ring.at and game.game_time(first) <= game.position.bound_until < made.done


def _was_seen_before(game: TamskGame, space: int, ring: Touch) -> bool:
    """Whether a ring beside no glass showed for too short a time to be evidence, before it fell.

    In this turn; or in the turn before, if it is the one that its player had forgotten.
    """
    first = _glimpse_of(game, ring)
    since = Instant(0) if space == game.position.forgotten else game.turn_began
    is_second = space == game.position.forgotten or game.position.penalty
    is_beside = space in game.scene.sight.glasses and not is_second
    return not is_beside and since < first < ring.at


def _glimpse_of(game: TamskGame, touch: Touch) -> Instant:
    """When an input first showed for a moment what it came to show, in this turn or the one before.

    Where it did not, when it came to show it.
    """
    first, last = game.debouncer.glimpses.get(touch.input, (touch.at, touch.at))
    ends = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, TurnRuled | TurnLost)]
    return first if len(ends) < _TWO_TURNS or last >= ends[-_TWO_TURNS] else touch.at


def _long_away(scene: Scene, made: Made) -> Iterator[Touch]:
    """The opponent's glass that is taken for a reply, if it was away long before the turn began that it answers."""
    own = scene.trail.last_lift(made.move.origin) if made.move.kind == "turn" else None
    if own is None:
        return
    target = BOARD.names[made.move.target]
    stood = [it.at for it in scene.trail.touches if it.value and is_socket(it.input) and place_of(it.input) != target]
    for space in scene.theirs:
        lifted = scene.trail.last_lift(space)
        if lifted is not None and space not in scene.sight.glasses and own.at >= after(lifted.at, PATIENCE):
            yield from () if any(at > lifted.at for at in stood) else (lifted,)


def _answered_before(game: TamskGame, made: Made) -> Iterable[Touch | Change]:
    """The own sockets from which a glass may have gone that was answered before this turn was begun.

    A socket that showed a glass more than there are is not believed; but if the opponent lifted a glass after that, and
    before the turn, then perhaps it was right, and one of those has not shown the lift. Perhaps it was right, too, if
    the turn ends there, and its lift was shown soon after.
    """
    scene, away = game.scene, difference(game.scene).missing
    own = scene.trail.last_lift(made.move.origin) if made.move.kind == "turn" else None
    if own is None:
        return ()
    target = BOARD.names[made.move.target]
    if any(
        place_of(name) == target and at < own.at < after(at, _SOON) for name, at in _distrusted_sockets(game).items()
    ):
        return (own,)
    lifts = [it.at for space in away.intersection(scene.theirs) if (it := scene.trail.last_lift(space)) is not None]
    reply = min(lifts, default=own.at)
    return find_hidden_lifts(game, reply) if reply < own.at else ()


def _pressed_before(game: TamskGame, made: Made) -> Iterable[Change]:
    """The own sockets from which a glass may have gone to one that is not believed, if the opponent pressed after that.

    So the opponent thought that the turn was over, well before this one was begun.
    """
    press = game.answered
    return () if press is None or game.board_time(made.lifted) <= press.at else find_hidden_lifts(game, press.at)


def find_hidden_lifts(game: TamskGame, until: Instant) -> Sequence[Change]:
    """The own sockets that show a glass which may have gone to one that is not believed, by a board time.

    Or they have shown its lift since. Where one glass more shows than there are, nobody knows which to believe.
    """
    scene = game.scene
    extra = [name for name, at in _distrusted_sockets(game).items() if at < until]
    seen = difference(scene)
    more = {BOARD.names[space] for space in (() if seen.missing.intersection(scene.own) else seen.extra)}
    its_own = (touch for touch in scene.trail.touches if touch.value and is_socket(touch.input))
    extra += [touch.input for touch in its_own if place_of(touch.input) in more and touch.at < until]
    near: dict[str, Collection[int]] = {}
    shown: list[str] = []
    lifts = {space: scene.trail.last_lift(space) for space in scene.own} if extra else {}
    its = {space: it for space, it in lifts.items() if it is None or space in scene.sight.glasses or it.at > until}
    for space, lifted in its.items():
        name = BOARD.names[space]
        near[name] = BOARD.neighbours[space]
        shown += [it for it in game.shown if place_of(it) == name and is_socket(it)]
        shown += [] if lifted is None else [lifted.input]

    def may_go(before: str, after: str) -> bool:
        return BOARD.index[place_of(after)] in near[place_of(before)] and _may_be_turned(scene, before, after)

    return [Change(until, name, value=True) for name in sorted(shown) if any(may_go(name, it) for it in extra)]


def _may_be_turned(scene: Scene, before: str, after: str) -> bool:
    """Whether a glass that showed itself to one socket may show itself to another after it was moved (rule 10)."""
    kind = before.partition(".")[2]
    return scene.rules.settings.level < TIMED or kind == GLASS or kind != after.partition(".")[2]


def _distrusted_sockets(game: TamskGame) -> Mapping[str, Instant]:
    """The sockets that show a glass on a free space, and are not believed since this turn began; with since when."""
    lately = (it for it in game.rulings[-LATELY_RULED:] if isinstance(it, FaultRuled) and it.at >= game.turn_began)
    lying = game.debouncer.on.intersection(game.quarantined)
    its = {it.input: it.at for it in lately if is_socket(it.input) and it.input in lying}
    return {name: at for name, at in its.items() if BOARD.index[place_of(name)] not in game.position.glasses}


def _turned_at_once(trail: ChangeHistory) -> Iterator[Touch]:
    """The changes of a socket that showed the other pole sooner than a hand turns a glass over."""
    for lost in trail.touches:
        for touch in trail.touches if not lost.value and is_socket(lost.input) else ():
            is_other = touch.input != lost.input and place_of(touch.input) == place_of(lost.input)
            if is_other and touch.value and abs(touch.at - lost.at) < CARRIED:
                yield from (lost, touch)


def _moved_together(game: TamskGame) -> Iterator[Touch]:
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


def _held_up(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The changes that were undone after the mover's press, if it has ended no turn and another has been made since."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    at = game.scene.pressed
    if at is None or placed is None or placed.at <= at:
        return ()
    later = {touch.input for touch in game.trail.touches if touch.at > at}
    return tuple(touch for touch in game.trail.touches if touch.at <= at and touch.input in later)


def _spans_timer(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The changes that may have come before the 15-second glass was turned in this turn: perhaps it was another."""
    turned = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, TimerTurned) and it.at >= game.turn_began]
    for at in turned if made.move.ring else ():
        yield from _stood_before(game, made, at)
    for touch in game.trail.touches:
        first = _glimpse_of(game, touch) if ".ring" in touch.input and not touch.last else touch.first
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


def _stand_shown_late(trail: ChangeHistory) -> tuple[Touch, ...]:
    """The setting down of the 15-second glass and its lift, if the stand showed both poles in between."""
    lifted = trail.timer_lifted()
    placed = None if lifted is None else trail.timer_set_down(lifted.input)
    if placed is None or lifted is None:
        return ()
    return (placed, lifted) if placed.at < lifted.at else ()


def _stand_long_dark(game: TamskGame, made: Made) -> Iterator[Change]:
    """The sensors of the stand that the 15-second glass has not come back to for long: it may stand there and run."""
    kinds = POLES if game.timer_pole is not None and not trusts_timer(game.sensing) else (GLASS,)
    names = [f"{TIMER}.{kind}" for kind in kinds]
    moved = max((at for name in names for at in game.debouncer.history.get(name, ())), default=made.at)
    if (
        game.scene.sight.timer is None
        and after(moved, _SOON) <= made.at
        and not set(names).intersection(game.quarantined)
    ):
        yield from (Change(moved, name, value=True) for name in names)


def _may_end_turn(game: TamskGame, change: Change) -> bool:
    """Whether a change may have ended the turn in which the 15-second glass was turned: a ring, or a reply's lift."""
    place, _, kind = change.input.partition(".")
    return kind.startswith("ring") or (is_socket(change.input) and BOARD.index[place] in game.scene.theirs)
