"""Find the sensors that contradict a ruling: what they showed may have come sooner or later than the ruling has it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD
from gnomon.games.tamsk.rules.position import BIT, NOWHERE
from gnomon.games.tamsk.sensing._board_reading import Touch, flickers
from gnomon.games.tamsk.sensing._explain import find_blink, find_flicker, find_glimpse, find_haste, find_upended
from gnomon.games.tamsk.sensing._ring_contradictions import (
    fell_again,
    fell_unseen,
    glimpse_of,
    glimpsed_rings,
    gone_meanwhile,
    is_righted,
    lost_before_ring,
    lost_forgotten_ring,
    lost_own_ring,
    lost_second_rings,
    lost_under_ring,
    rings_before,
)
from gnomon.games.tamsk.sensing._scene import TIMED, Scene, difference
from gnomon.games.tamsk.sensing._stand_contradictions import (
    moved_together,
    spans_timer,
    stand_long_dark,
    stand_shown_late,
    turned_at_once,
)
from gnomon.games.tamsk.sensing._unsure_ends import LATELY_RULED, timer_span
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import (
    GLASS,
    POLES,
    SINGLE,
    is_socket,
    place_of,
    trusts_sockets,
)
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.debounce import Change
from gnomon.referee.evidence import DOUBT_TIME, PATIENCE
from gnomon.referee.rulings import (
    FaultRuled,
    GlassStopped,
)
from gnomon.timekeeping.instants import Duration, Instant, after

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
    late = stand_shown_late(game.trail)
    told = (*told, *moved_together(game), *fell_again(game, made), *spans_timer(game, made))
    told = (*told, *find_blink(scene, made), *find_upended(scene, made), *_glimpsed_before(game, made))
    told = (*told, *_long_away(scene, made), *turned_at_once(game.trail))
    told = (*told, *fell_unseen(game, made), *_at_unsure_time(game, made), *lost_under_ring(game, made))
    told = (*told, *_lifted_unseen(game, made), *_seventh_shown(game, made), *_passed_in_a_glimpse(game, made))
    told = (*told, *_stood_between(game, made), *lost_before_ring(game, made), *_answered_early(game, made))
    told = (*told, *_pressed_before(game, made), *lost_forgotten_ring(game, made), *lost_own_ring(game, made))
    told = (*told, *_lost_as_sand_ran_out(game, made), *lost_second_rings(game, made), *gone_meanwhile(game, made))
    told = (*told, *_moved_in_the_same_outage(game, made), *stand_long_dark(game, made))
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
    is_ringed = any(first <= at for at in rings_before(game, made, placed))
    return min(first, placed.at) if is_ringed and not is_righted(game, first) else placed.at


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
    fell = [at for at in rings_before(game, made, placed)[-1:] if after(at, DOUBT_TIME) <= placed.at]
    seen = [*fell, *(at for at in shown if lifted is None or lifted.at <= at)]
    rung = [at for at, _ in glimpsed_rings(game, made.move.target) if at < placed.at]
    stays = (on for on, _ in game.trail.stays(made.move.target) if on.input == placed.input)
    seen += [on.at for on in stays if (lifted is None or lifted.at <= on.at) and any(on.at <= at for at in rung)]
    return min([first, *(at for at in seen if not is_righted(game, at))])


def _glimpsed_before(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The setting down of a glass that its socket had shown before for too short a time, if that makes another turn."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    glimpse = None if placed is None else game.debouncer.glimpses.get(placed.input)
    return () if glimpse is None else find_glimpse(game.scene, made, glimpse[0])


def _moved_in_the_same_outage(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The lift of another own glass, if nobody looked as it was moved: perhaps that was the turn before."""
    lifted = game.trail.last_lift(made.move.origin) if made.move.kind == "turn" else None
    if lifted is None or lifted.since == lifted.at:
        return
    spaces = difference(game.scene).missing.intersection(game.scene.own) - {made.move.origin}
    lifts = (game.trail.last_lift(space) for space in sorted(spaces))
    yield from (it for it in lifts if it is not None and it.since < it.at)


def _pressed_while_dark(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The setting down of a glass whose player pressed in vain before: perhaps it stood there already.

    Its socket had shown it before that, or showed it only long after.
    """
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if placed is None or placed.game > made.placed:
        return
    lifted, vain = game.scene.last_lift(made.move.origin, made.move.target), game.pressed_in_vain
    if lifted is not None and after(vain, DOUBT_TIME) <= placed.at and _is_held(game, lifted, vain):
        first = lifted.at
    else:
        stood = (on.at for on, _ in game.trail.stays(made.move.target) if lifted is not None and lifted.at <= on.at)
        first = min(first_there(game, made, placed), *stood, placed.at)
    if first <= vain < placed.at and not is_righted(game, first):
        yield placed


def _is_held(game: TamskGame, lifted: Touch, until: Instant) -> bool:
    """Whether a glass was in a hand since it was lifted, as far as no socket came to show one."""
    return not any(it.value and is_socket(it.input) and lifted.at < it.at <= until for it in game.trail.touches)


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


def _lost_as_sand_ran_out(game: TamskGame, made: Made) -> Iterator[Touch]:
    """The rings of a turn that had come and gone before they fell, if a glass stopped meanwhile: perhaps after it."""
    stopped = [it.at for it in game.rulings[-LATELY_RULED:] if isinstance(it, GlassStopped)]
    for space in {made.move.target, made.move.forgotten, made.move.free} - {NOWHERE} if stopped else ():
        for touch in (it for it in game.trail.rings(space) if it.value):
            first = min(touch.first if flickers(touch) else touch.at, max(glimpse_of(game, touch), game.turn_began))
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
        pressed = [on for on, off in stays if on.at <= vain <= off.at and not is_righted(game, on.at)]
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
    if find_late_lift(game, made.move.origin, (made.move.target,)):
        return (own,)
    lifts = [it.at for space in away.intersection(scene.theirs) if (it := scene.trail.last_lift(space)) is not None]
    reply = min(lifts, default=own.at)
    return find_hidden_lifts(game, reply) if reply < own.at else ()


def find_late_lift(game: TamskGame, origin: int, targets: Collection[int]) -> tuple[Touch, ...]:
    """The lift from a space, if it was shown soon after the glass on one of its targets was not believed."""
    lifted = game.scene.trail.last_lift(origin)
    if lifted is None or not game.sensing.evidence.contradictions:
        return ()
    places = {BOARD.names[target] for target in targets if game.position.enterable & BIT[target]}
    distrusted = [at for name, at in _distrusted_sockets(game).items() if place_of(name) in places]
    return (lifted,) if any(at < lifted.at < after(at, _SOON) for at in distrusted) else ()


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


def _held_up(game: TamskGame, made: Made) -> tuple[Touch, ...]:
    """The changes that were undone after the mover's press, if it has ended no turn and another has been made since."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    at = game.scene.pressed
    if at is None or placed is None or placed.at <= at:
        return ()
    later = {touch.input for touch in game.trail.touches if touch.at > at}
    return tuple(touch for touch in game.trail.touches if touch.at <= at and touch.input in later)
