"""Find the legal turns that explain what the sensors of the TAMSK board show.

The state of the board is judged, not the order of events. A turn explains the board when the position after it shows
what the sensors show, or when only a ring, or the opponent's reply, is still to come. Stamps decide what the state
alone cannot: whose ring it was (rule 22), and whether a turn was begun and done in time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from gnomon.games.tamsk.rules import BOARD, PASS, Move
from gnomon.games.tamsk.sensing._board_reading import BOTH, SOUTH, UNSEEN, ChangeHistory, Touch
from gnomon.games.tamsk.sensing._candidate_turns import (
    FirstTurn,
    away,
    first_turns,
    lift_after,
    may_have_gone,
    may_still_go,
    stood_and_left,
)
from gnomon.games.tamsk.sensing._move_completion import Reply, Share, complete_move
from gnomon.games.tamsk.sensing._scene import (
    CARRIED,
    Difference,
    Moment,
    Scene,
    before_completion,
    difference,
    play,
    refused_move,
    refused_rings,
    repairs,
    timer_is_turned,
)
from gnomon.games.tamsk.sensing.inputs import GLASS, POLES, is_socket
from gnomon.games.tamsk.sensing.verdicts import (
    Agreed,
    Away,
    Complete,
    Doubt,
    InHand,
    Made,
    MayGoOn,
    Review,
    Several,
    Verdict,
    Wrong,
)
from gnomon.referee.evidence import DOUBT_TIME, NUDGE, PATIENCE
from gnomon.referee.judgement import Action, Repair
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

VerdictT = TypeVar("VerdictT", bound=Verdict)

OWN_AGAIN: Final = Duration(2 * SECOND)
"""A glass lifted so soon after its owner's turn was moved by its owner, not by the opponent."""


class _Lately:
    """The last explanations: a board is explained as it is shown, and again when it is evidence."""

    def __init__(self) -> None:
        self._last: tuple[tuple[Scene, Moment, Verdict], ...] = ()

    def verdict(self, scene: Scene, now: Instant) -> Verdict:
        """What the board comes to at board time `now`."""
        for its, moment, known in self._last:
            if moment.since <= now < moment.until and its == scene:
                return known
        moment = Moment(now)
        verdict = _explain(scene, moment)
        self._last = ((scene, moment, verdict), *self._last[: _KEPT - 1])
        return verdict


_KEPT: Final = 8
_LATELY: Final = _Lately()


def explain(scene: Scene, now: Instant) -> Verdict:
    """What the board comes to at board time `now`."""
    return _LATELY.verdict(scene, now)


def _explain(scene: Scene, moment: Moment) -> Verdict:
    doubt = _doubt(scene) or _turned_timer(scene)
    if doubt is not None:
        return doubt
    seen = difference(scene)
    ended = _ended_by_the_mover(scene, seen)
    if ended is not None:
        return ended
    firsts = list(first_turns(scene, seen))
    verdicts = _complete(scene, firsts, moment)
    fitting = [verdict for verdict in verdicts if not isinstance(verdict, Wrong)]
    if scene.sensing.evidence.contradictions and len(fitting) > 1:
        blind = [it for first, it in zip(firsts, verdicts, strict=False) if _ends_blindly(scene, first[-1])]
        fitting = list(_different([it for it in fitting if it in blind] or fitting))
    if len(fitting) > 1:
        return _several(scene, fitting)
    if fitting:
        return fitting[0]
    theirs = away(seen, scene.theirs)
    doubt = _find_uncaused(scene, seen)
    if doubt is not None:
        return _lifted_late(scene, seen, moment) or doubt
    if verdicts and not (theirs and all(isinstance(it, Wrong) and it.code == "not_adjacent" for it in verdicts)):
        return verdicts[0]
    if seen.extra or seen.turned:
        return _no_turn(scene, seen)
    return _in_the_air(scene, seen, moment) if seen.missing else _nothing_moved(scene, seen)


def _complete(scene: Scene, firsts: Sequence[FirstTurn], moment: Moment) -> list[Verdict]:
    """What each of the moves comes to, and what else it may come to after an outage."""
    verdicts = [complete_move(scene, *first, moment) for first in firsts]
    if verdicts and all(isinstance(verdict, Wrong) for verdict in verdicts):
        late = [_set_down_late(scene, *first[1:3]) for first in firsts]
        verdicts = [
            verdict if then is scene else complete_move(then, *first, moment)
            for verdict, then, first in zip(verdicts, late, firsts, strict=True)
        ]
    if scene.sensing.evidence.causes and scene.trail.is_unsure():
        shares = (Share.OWN, Share.OPPONENTS) if scene.sensing.evidence.contradictions else (Share.OPPONENTS,)
        others = (complete_move(scene, *first, moment, share=share) for share in shares for first in firsts)
        for other in others:
            verdicts += () if other in verdicts else (other,)
    return verdicts


def _several(scene: Scene, fitting: Sequence[Verdict]) -> Verdict:
    """Which of several turns was made is to be asked, or only time can tell."""
    choices = tuple(verdict.made for verdict in fitting if isinstance(verdict, Complete | MayGoOn))
    if len(choices) == len(fitting):
        return Several(choices)
    waiting = next(verdict for verdict in fitting if isinstance(verdict, Review))
    return waiting._replace(made=None) if scene.sensing.evidence.contradictions else waiting


def _ends_blindly(scene: Scene, reply: Reply | None) -> bool:
    """Whether a reply came from a socket that is not believed: then no other sensor need lie."""
    return reply is not None and reply.target is not None and reply.space in scene.sight.blind


def _different(fitting: Sequence[VerdictT]) -> Iterable[VerdictT]:
    """The first of those verdicts that come to the same turn, however it was answered."""
    found: dict[Move | None, VerdictT] = {}
    for verdict in fitting:
        made = verdict.made if isinstance(verdict, Complete | MayGoOn | Review) else None
        found.setdefault(made and made.move, verdict)
    return found.values()


def _doubt(scene: Scene) -> Doubt | None:
    """An input that says what cannot be: a gap in a stack, or both poles under one glass."""
    causes = scene.sensing.evidence.causes
    odd = [(causes and _gone_below(scene, space)) or scene.trail.rings(space) for space in scene.sight.odd]
    doubtful = [touch for touches in odd for touch in touches[-1:]]
    if doubtful:
        return Doubt(doubtful[0].at, doubtful[0].input, "stack")
    shows_both = causes and scene.sight.timer == BOTH and scene.timer_pole is not None
    if shows_both and (stand := scene.trail.timer_set_down()) is not None:
        return _both_poles(scene, stand)
    both = [scene.trail.last_set_down(space) for space, pole in sorted(scene.sight.glasses.items()) if pole == BOTH]
    return next((_both_poles(scene, touch) for touch in both if touch is not None), None)


def _both_poles(scene: Scene, last: Touch) -> Doubt:
    """A place shows both poles, the second of them since `last`: which of them lies, nobody can tell."""
    place = last.input.partition(".")[0]
    others = tuple(f"{place}.{pole}" for pole in POLES if f"{place}.{pole}" != last.input)
    return Doubt(last.at, last.input, "stuck", also=others if scene.sensing.evidence.causes else ())


def _gone_below(scene: Scene, space: int) -> tuple[Touch, ...]:
    """The sensor of a ring that lies on a space by the game, if it shows none although one lies above it."""
    known = {f"{BOARD.names[space]}.ring{height + 1}" for height in range(scene.position.rings_on(space))}
    last = {touch.input: touch for touch in scene.trail.rings(space)}
    return tuple(touch for touch in last.values() if touch.input in known and not touch.value)


def _turned_timer(scene: Scene) -> Wrong | None:
    """The 15-second glass stands turned although it could not be turned (rules 16 and 20)."""
    if not timer_is_turned(scene):
        return None
    at = max((touch.at for touch in scene.trail.touches if touch.input.startswith("timer15")), default=scene.turn_began)
    return Wrong(at, 1 - scene.position.mover, "timer15_running", None, (Repair(Action.TURN_TIMER),), at_once=True)


def _find_uncaused(scene: Scene, seen: Difference) -> Doubt | None:
    """A socket that showed a glass before any was lifted: none can have come there, so its sensor lies."""
    lifts = [touch for space in seen.missing if (touch := scene.trail.last_lift(space)) is not None]
    if not scene.sensing.evidence.causes or not lifts or len(lifts) < len(seen.missing):
        return None
    first = min(touch.granted for touch in lifts)
    # As long as no own glass is away, the sensor that shows one may still show its lift.
    patience = DOUBT_TIME if away(seen, scene.own) else PATIENCE
    for space in sorted(seen.extra):
        touch = scene.last_set_down(space)
        if touch is not None and touch.game < first:
            near = [
                scene.trail.last_lift(origin) for origin in away(seen, scene.own) if space in BOARD.neighbours[origin]
            ]
            against = tuple(lift.input for lift in near if lift is not None and scene.sensing.evidence.contradictions)
            return Doubt(touch.at, touch.input, "stuck", patience, against=against)
    return None


def _lifted_late(scene: Scene, seen: Difference, moment: Moment) -> Verdict | None:
    """The only turn that explains the board if the sensor of its origin has shown the lift too late.

    It is told once the board has stood for a while: the glass may still be in the air, and the new socket lie. A ring
    there, or the mover's button, says that it does not.
    """
    verdicts = [
        complete_move(scene, *first, moment)
        for first in first_turns(scene, seen, in_order=False)
        if (touch := scene.trail.last_lift(first[1])) is None
        or moment.has_come(after(touch.at, DOUBT_TIME))
        or _is_witnessed(scene, seen, first[2])
    ]
    fitting = [verdict for verdict in verdicts if not isinstance(verdict, Wrong)]
    return fitting[0] if len(fitting) == 1 else None


def _is_witnessed(scene: Scene, seen: Difference, space: int) -> bool:
    """Whether something besides its socket speaks for a glass on a space: its ring, or the mover's button."""
    placed = scene.last_set_down(space)
    pressed = scene.pressed is not None and placed is not None and placed.at <= scene.pressed
    return scene.sensing.evidence.contradictions and (pressed or seen.rings.get(space) == 1)


def lift_shown_late(scene: Scene, turn: Made) -> Touch | None:
    """The lift with which a turn began, where its sensor showed it only when the glass stood on its new space."""
    if turn.move.origin < 0 or may_have_gone(scene, turn.move.origin, turn.move.target):
        return None
    return scene.last_lift(turn.move.origin, turn.move.target)


def find_flicker(scene: Scene, turn: Made) -> tuple[Touch, ...]:
    """The changes of sensors that flickered, if it was another turn should they have changed sooner or later then."""
    for trail in scene.trail.sharp_histories():
        if _is_another(scene._replace(trail=trail), turn):
            return tuple(touch for touch in scene.trail.touches if touch.last)
    return ()


def find_blink(scene: Scene, turn: Made) -> tuple[Touch, ...]:
    """What came back soon to a socket that had lost it, if it was another turn should it have stood there meanwhile."""
    steady = scene.trail.without_blinks(scene.sensing.evidence.stands)
    if steady == scene.trail or not _is_another(scene._replace(trail=steady), turn):
        return ()
    return tuple(touch for touch in scene.trail.touches if touch.value and touch not in steady.touches)


def find_upended(scene: Scene, turn: Made) -> tuple[Touch, ...]:
    """What showed a lifted glass on its own space for a moment, the other way up, if without it it was another turn."""
    touches = scene.trail.touches
    for _, on, off in upended_returns(scene.trail):
        rest = scene.trail._replace(touches=tuple(it for it in touches if it not in {on, off}))
        if _is_another(scene._replace(trail=rest), turn):
            return (on,)
    return ()


def upended_returns(trail: ChangeHistory) -> Iterator[tuple[Touch, Touch, Touch]]:
    """The lifts of glasses that showed on their own space again for a moment, the other way up, from when until when.

    No hand puts a glass back upside down and takes it away again at once.
    """
    touches = trail.touches
    for on in (it for it in touches if it.value and is_socket(it.input)):
        place, _, kind = on.input.partition(".")
        before = [it for it in touches if it.at < on.at and is_socket(it.input) and it.input.partition(".")[0] == place]
        off = next((it for it in touches if it.at > on.at and it.input == on.input), None)
        is_turned = bool(before) and not before[-1].value and before[-1].input.partition(".")[2] != kind
        if is_turned and off is not None and off.at - on.at < DOUBT_TIME:
            yield before[-1], on, off


def find_glimpse(scene: Scene, turn: Made, first: Instant) -> tuple[Touch, ...]:
    """The setting down of a turn, if it was another turn should its glass have stood there since a glimpse of it."""
    placed, lifted = scene.last_set_down(turn.move.target), scene.last_lift(turn.move.origin, turn.move.target)
    if placed is None or first >= placed.at or (lifted is not None and first < lifted.at):
        return ()
    touches = [placed.moved_to(first) if touch == placed else touch for touch in scene.trail.touches]
    trail = scene.trail._replace(touches=tuple(sorted(touches)))
    return (placed,) if _is_another(scene._replace(trail=trail), turn) else ()


def _is_another(scene: Scene, turn: Made) -> bool:
    """Whether a scene that differs in what sensors may have shown too late shows another turn, as soon as it can."""
    verdict = explain(scene, after(turn.at, PATIENCE))
    return isinstance(verdict, Complete | MayGoOn) and _comes_to(scene, verdict.made) != _comes_to(scene, turn)


def _comes_to(scene: Scene, turn: Made) -> tuple[Move, bool]:
    """What a turn was, and whether it was late (rule 18)."""
    before = before_completion(scene.rules, scene.position, turn)
    return turn.move, 0 <= before.bound_until < before.now


def find_haste(scene: Scene, turn: Made) -> tuple[Touch, ...]:
    """The lift and the setting down of a turn, if no hand is so fast: one of the two was shown early or late."""
    return () if turn.move.origin < 0 else _haste(scene, turn.move.origin, turn.move.target)


def _haste(scene: Scene, origin: int, target: int) -> tuple[Touch, ...]:
    """The lift from a space and the setting down on another, if no hand is so fast."""
    lifted, placed = scene.last_lift(origin, target), scene.last_set_down(target)
    if lifted is None or placed is None or not scene.sensing.evidence.contradictions:
        return ()
    carried = placed.at - lifted.at + lifted.game - lifted.granted
    return (lifted, placed) if carried < CARRIED else ()


def _set_down_late(scene: Scene, origin: int, target: int) -> Scene:
    """The scene as it was if a glass that shows sooner than a hand carries it was set down after the rings so far."""
    hasty = _haste(scene, origin, target)
    rings = [touch.at for touch in scene.trail.touches if touch.value and ".ring" in touch.input] if hasty else []
    if not rings or max(rings) <= hasty[1].at:
        return scene
    late = hasty[1].moved_to(max(rings))
    touches = tuple(late if touch == hasty[1] else touch for touch in scene.trail.touches)
    return scene._replace(trail=scene.trail._replace(touches=touches))


def _ended_by_the_mover(scene: Scene, seen: Difference) -> Complete | None:
    """The turn that its own player ended with the next lift, because the opponent has no move any more (rule 22)."""
    if not scene.sensing.evidence.late_ring or away(seen, scene.theirs) or seen.turned:
        return None
    for origin, target in stood_and_left(scene, seen):
        placed, again = scene.last_set_down(target), lift_after(scene, seen, origin, target)
        lifted = scene.trail.last_lift(origin)
        if placed is None or again is None or lifted is None or seen.rings.get(target):
            continue
        if target not in scene.sight.glasses and may_still_go(scene, seen, origin, target):
            continue
        stood = scene._replace(sight=scene.sight._replace(glasses=_poles_after(scene, origin, target)))
        verdict = complete_move(stood, seen.rings, origin, target, None, Moment(again.at))
        if isinstance(verdict, MayGoOn) and (turn := _passed_over(scene, verdict.made, again)) is not None:
            return Complete(turn)
    return None


def _poles_after(scene: Scene, origin: int, target: int) -> Mapping[int, int]:
    """The glasses as they stood when the one from `origin` had come to `target`, turned by its own showing."""
    placed = scene.last_set_down(target)
    kind = "" if placed is None else placed.input.partition(".")[2]
    pole = UNSEEN if kind == GLASS else POLES.index(kind)
    others = {space: scene.poles[number] for number, space in enumerate(scene.position.glasses) if space != origin}
    return {**others, target: pole}


def _passed_over(scene: Scene, turn: Made, again: Touch) -> Made | None:
    """The turn as ended by the mover's next lift, if the opponent has nothing to do then but to pass."""
    rules = scene.rules
    turn = turn._replace(done=Instant(max(turn.done, again.granted)), at=again.at)
    try:
        position = play(rules, scene.position, turn)
    except RulesError:
        return None
    return turn if position.mover != scene.position.mover and list(rules.legal_moves(position)) == [PASS] else None


def _nothing_moved(scene: Scene, seen: Difference) -> Verdict:
    """Every glass stands where the game has it."""
    rings, position = seen.rings, scene.position
    if not rings:
        return Agreed(clean=True)
    if rings == {position.forgotten: 1} and not scene.rules.cannot_move(position):
        return Agreed(clean=False)
    if list(rings.values()) == [1]:
        free = Move(free=next(iter(rings)), kind="free")
        touches = scene.trail.rings(free.free)[-1:]
        now = Instant(max([position.now, *(touch.granted for touch in touches)]))
        if scene.rules.why_not(scene.rules.elapse(position, now), free) is None:
            return Complete(Made(free, now, now, now, scene.latest))
    return _stray_rings(scene, rings)


def _stray_rings(scene: Scene, rings: Mapping[int, int]) -> Wrong:
    """Rings have come or gone where no turn explains it."""
    if min(rings.values()) < 0:
        return refused_rings(scene, "ring_removed", rings)
    if max(rings.values()) > 1:
        return refused_rings(scene, "two_rings", rings)
    space = next(iter(rings))
    if space in scene.theirs and scene.position.rings_on(space):
        # A second ring under the glass that has just got one is the last mover's: rule 2 allows one.
        return refused_rings(scene, "two_rings", rings)._replace(player=1 - scene.position.mover)
    return refused_rings(scene, "ring_elsewhere", rings)


def _in_the_air(scene: Scene, seen: Difference, moment: Moment) -> Verdict:
    """Glasses are away and none stands where it should not."""
    position = scene.position
    own = away(seen, scene.own)
    rings = {space: count for space, count in seen.rings.items() if (space, count) != (position.forgotten, 1)}
    if rings and not _lies_ready(rings, own):
        return _stray_rings(scene, rings)
    lifts = [(touch, space) for space in own if (touch := scene.trail.last_lift(space)) is not None]
    for touch, space in sorted(lifts):
        started = Instant(max(position.now, touch.granted))
        if scene.may_be_lifted(space, started):
            return InHand(space, started)
    theirs = [touch for space in away(seen, scene.theirs) if (touch := scene.trail.last_lift(space)) is not None]
    if theirs and not own and position.penalty and scene.rules.cannot_move(position):
        # The opponent begins, and with this turn, a pass, the right to the second ring lapses (rules 18 and 22).
        begun = min(theirs)
        sure = after(begun.at, max(NUDGE, scene.sensing.evidence.stands))
        if not moment.has_come(sure):
            return Review(sure)
        when = Instant(max(position.now, begun.game))
        return Complete(Made(PASS, when, when, when, begun.at))
    return Away(repairs(scene))


def _lies_ready(rings: Mapping[int, int], own: list[int]) -> bool:
    """Whether the only ring is one on a space to which the glass in the air may go."""
    return list(rings.values()) == [1] and any(min(rings) in BOARD.neighbours[origin] for origin in own)


def _no_turn(scene: Scene, seen: Difference) -> Verdict:
    """No move of one own glass explains the board: say which rule it breaks."""
    if seen.extra and not seen.missing:
        return _seventh_glass(scene, seen)
    theirs = away(seen, scene.theirs)
    if theirs and len(seen.extra) == 1:
        return _opponents_glass(scene, seen, theirs[0], busy=bool(away(seen, scene.own)))
    if seen.turned and not seen.extra:
        # Glasses are turned only by moving them (rule 10): this "move" ends where it began.
        space = min(seen.turned)
        return refused_move(scene, "not_adjacent", Move(space, space), scene.latest)._replace(text=None)
    return Wrong(scene.latest, scene.position.mover, "not_your_turn", None, repairs(scene))


def _opponents_glass(scene: Scene, seen: Difference, origin: int, *, busy: bool) -> Wrong:
    """A glass of the player who is not on turn was moved.

    By its owner, when the player on turn has their own in hand or the owner has only just moved; else by the player on
    turn.
    """
    lifted = scene.trail.last_lift(origin)
    again = lifted is not None and scene.turn_began > 0 and lifted.at - scene.turn_began < OWN_AGAIN
    (target,) = seen.extra
    placed = scene.last_set_down(target)
    at = scene.latest if placed is None else placed.at
    wrong = refused_move(scene, "not_yours", Move(origin, target, seen.rings.get(target, 0) > 0), at)
    return wrong._replace(player=1 - wrong.player, code="not_your_turn") if busy or again else wrong


def _seventh_glass(scene: Scene, seen: Difference) -> Verdict:
    """There are six glasses: one sensor shows a glass that is not there.

    A ring on the new space, or the mover's button, speaks for the glass there and against the sensor it came from, or
    against each from which it may have come.
    """
    space = min(seen.extra)
    pole = scene.sight.glasses.get(space)
    if pole is None:
        return _stray_rings(scene, seen.rings)  # only its ring spoke for a glass there
    placed = scene.last_set_down(space)
    at = scene.latest if placed is None else placed.at
    origins = [origin for origin in scene.own if space in BOARD.neighbours[origin]]
    if scene.sensing.evidence.contradictions:
        now, began = scene.position.now, scene.position.now if placed is None else after(placed.game, -PATIENCE)
        origins = [each for each in origins if scene.may_be_lifted(each, now) or _has_just_run_out(scene, each, began)]
    pressed = scene.pressed is not None and scene.pressed >= at
    # Perhaps a sensor shows late that the glass was lifted.
    patience = PATIENCE if scene.sensing.evidence.causes else DOUBT_TIME
    is_made = seen.rings.get(space) == 1 or pressed
    showing = [origin for origin in origins if origin in scene.sight.glasses]
    if is_made and showing and (len(origins) == 1 or scene.sensing.evidence.contradictions):
        name, *others = (_socket(origin, scene.sight.glasses[origin]) for origin in showing)
        if scene.pressed is not None and scene.sensing.evidence.contradictions:
            at = max(at, scene.pressed)
        return Doubt(at, name, "stuck", DOUBT_TIME, also=tuple(others), is_moving=scene.sensing.evidence.contradictions)
    return Doubt(at, _socket(space, pole), "stuck", patience)


def _has_just_run_out(scene: Scene, space: int, since: Instant) -> bool:
    """Whether the glass on a space ran out after a game time: until then it may have been lifted."""
    sands = scene.position.sands
    end = sands[scene.position.glasses.index(space)].runs_out_at() if sands else None
    return end is not None and since < end <= scene.position.now


def _socket(space: int, pole: int) -> str:
    """The input that shows a glass that way up on a space."""
    kind = GLASS if pole == UNSEEN else POLES[pole == SOUTH]
    return f"{BOARD.names[space]}.{kind}"
