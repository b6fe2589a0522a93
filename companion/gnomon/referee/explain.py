"""The only place that explains what the TAMSK board shows: the state of the board is judged, not the order of events.

A turn explains the board when the position after it shows what the sensors show, or when only a ring, or the
opponent's reply, is still to come. Stamps decide what the state alone cannot tell: whose ring it was (rule 22), and
whether a turn was begun and done in time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from gnomon.referee.judgement import Action, Repair
from gnomon.referee.sight import BOTH, Sight
from gnomon.referee.trail import Touch, Trail
from gnomon.referee.verdicts import (
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
from gnomon.rules.protocol import IllegalMoveError
from gnomon.rules.tamsk import BOARD, CAPACITY, Move, Position, Tamsk
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after

NUDGE: Final = Duration(200 * MILLISECOND)
"""A glass that is back sooner was knocked, not lifted; one that has come to stand elsewhere was lifted."""

OWN_AGAIN: Final = Duration(2 * SECOND)
"""A glass lifted so soon after its owner's turn was moved by its owner, not by the opponent."""

_TIMED: Final = 2  # the level from which glasses are turned with every move (rule 10)


class Scene(NamedTuple):
    """Everything that an explanation rests on."""

    rules: Tamsk
    position: Position  # after the last accepted turn
    poles: tuple[int, ...]  # what each of the six glasses shows by the game
    timer_pole: int | None
    sight: Sight
    trail: Trail
    turn_began: Instant  # board time


@dataclass(frozen=True, slots=True)
class _Difference:
    """What the board shows beyond, or short of, the position."""

    missing: frozenset[int]
    extra: frozenset[int]
    turned: frozenset[int]
    rings: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class _Reply:
    """The opponent's next turn, as far as it shows: which glass is away, where it has come to stand."""

    space: int
    lifted: Touch | None
    target: int | None
    placed: Touch | None

    def begun(self, placed: Touch) -> Touch | None:
        """What ended the turn before: the lift, or, if he was too early for that, his own setting down (rule 22)."""
        if self.lifted is not None and self.lifted.at >= placed.at:
            return self.lifted
        return self.placed

    def is_sure(self, now: Instant) -> bool:
        """Whether it was a lift and no nudge."""
        return self.target is not None or self.lifted is None or now - self.lifted.at >= NUDGE


def explain(scene: Scene, now: Instant) -> Verdict:
    """What the board comes to at board time `now`."""
    doubt = _doubt(scene)
    if doubt is not None:
        return doubt
    timer = _timer(scene)
    if timer is not None:
        return timer
    seen = _difference(scene)
    verdicts = [_made(scene, seen, *first, now) for first in _first_turns(scene, seen)]
    fitting = [verdict for verdict in verdicts if not isinstance(verdict, Wrong)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        choices = tuple(verdict.made for verdict in fitting if isinstance(verdict, Complete | MayGoOn))
        return Several(choices) if len(choices) == len(fitting) else fitting[0]
    if verdicts:
        return verdicts[0]
    if seen.extra or seen.turned:
        return _no_turn(scene, seen)
    return _in_the_air(scene, seen, now) if seen.missing else _nothing_moved(scene, seen)


def repairs(scene: Scene) -> tuple[Repair, ...]:
    """What must change for the board to show the position: first what to take away, then what to put."""
    seen = _difference(scene)
    rings = seen.rings.items()
    return (
        *(_repair(Action.TAKE_RING, space) for space, count in rings for _ in range(count)),
        *(_repair(Action.TAKE_GLASS, space) for space in sorted(seen.extra)),
        *(_repair(Action.TURN_GLASS, space) for space in sorted(seen.turned)),
        *(_repair(Action.PUT_GLASS, space) for space in sorted(seen.missing)),
        *(_repair(Action.PUT_RING, space) for space, count in rings for _ in range(-count)),
    )


def shows(scene: Scene) -> bool:
    """Whether the board shows exactly the position, glasses, poles and rings."""
    return not repairs(scene)


def turn_text(position: Position, made: Made, rules: Tamsk) -> str:
    """The canonical text of a turn that was made by hand."""
    return rules.text(before_completion(rules, position, made), made.move)


def before_completion(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position at the instant when the turn was done, the glass still in the air."""
    if made.move.kind != "turn":
        return rules.elapse(position, made.done)
    return rules.elapse(held(rules, position, made.move.origin, made.lifted), made.done)


def played(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position after the turn. Raises IllegalMoveError."""
    placed_at = made.placed if rules.settings.level >= _TIMED else None
    return rules.play(before_completion(rules, position, made), made.move, placed_at=placed_at)


def held(rules: Tamsk, position: Position, space: int, lifted: Instant) -> Position:
    """The position with the glass of that space in the air since `lifted`. Raises IllegalMoveError."""
    if position.lifted == space:
        return position
    at_rest = position if position.lifted < 0 else rules.put_back(position)
    return rules.lift(rules.elapse(at_rest, lifted), space)


def _repair(action: Action, space: int) -> Repair:
    return Repair(action, BOARD.names[space])


def _difference(scene: Scene) -> _Difference:
    position, sight = scene.position, scene.sight
    believed = set(position.glasses)
    extra = set(sight.glasses) - believed
    rings = {}
    for space in range(len(BOARD.names)):
        fewest, most = sight.heights(space)
        count = position.rings_on(space)
        if not fewest <= count <= most:
            rings[space] = fewest - count if count < fewest else most - count
    # A ring on a socket that cannot be seen speaks for a glass there: rings fall on destinations (rule 2).
    extra |= {space for space in sight.blind - believed if rings.get(space) == 1}
    timed = scene.rules.settings.level >= _TIMED
    return _Difference(
        missing=frozenset(believed - set(sight.glasses) - sight.blind),
        extra=frozenset(extra),
        turned=frozenset(
            space
            for space, pole in zip(position.glasses, scene.poles, strict=True)
            if timed and sight.glasses.get(space, pole) != pole
        ),
        rings=rings,
    )


def _doubt(scene: Scene) -> Doubt | None:
    """An input that says what cannot be: a gap in a stack, both poles, or a seventh glass."""
    for space in sorted(scene.sight.odd):
        for touch in scene.trail.rings(space)[-1:]:
            return Doubt(touch.at, touch.input, "stack")
    for space, pole in sorted(scene.sight.glasses.items()):
        placed = scene.trail.placed(space)
        if pole == BOTH and placed is not None:
            return Doubt(placed.at, placed.input, "stuck")
    return None


def _timer(scene: Scene) -> Wrong | None:
    """The 15-second glass stands turned although it could not be turned (rules 16 and 20)."""
    pole = scene.sight.timer
    if scene.timer_pole is None or pole is None or pole in (scene.timer_pole, BOTH):
        return None
    at = max((touch.at for touch in scene.trail.touches if touch.input.startswith("timer15")), default=Instant(0))
    return Wrong(at, 1 - scene.position.mover, "timer15_running", None, (Repair(Action.TURN_TIMER),), at_once=True)


def _first_turns(scene: Scene, seen: _Difference) -> Iterator[tuple[int, int, _Reply | None]]:
    """Moves of one own glass that may explain the board, each with what would be the opponent's reply."""
    position, sight, trail = scene.position, scene.sight, scene.trail
    mover = position.mover
    for origin in position.glasses[3 * mover : 3 * mover + 3]:
        refilled = origin in sight.glasses and trail.lifted(origin) is not None
        if not (origin in seen.missing or origin in sight.blind or refilled):
            continue
        for target in sorted(seen.extra):
            missing = seen.missing - {origin}
            extra = seen.extra - {target} | ({origin} if refilled else frozenset())
            theirs = sorted(missing & set(position.glasses[3 - 3 * mover : 6 - 3 * mover]))
            if seen.turned - {origin} or len(extra) > 1 or (extra and len(theirs) != 1):
                continue
            if not theirs:
                yield origin, target, None
                continue
            end = next(iter(extra), None)
            reply = _Reply(theirs[0], trail.lifted(theirs[0]), end, None if end is None else trail.placed(end))
            if end is None or _reply_fits(scene, origin, target, reply):
                yield origin, target, reply


def _reply_fits(scene: Scene, origin: int, target: int, reply: _Reply) -> bool:
    """Whether the opponent's glass could go where it stands once the first turn has been made."""
    end = reply.target
    if end is None or end not in BOARD.neighbours[reply.space] or _is_full(scene.position, end):
        return False
    occupied = set(scene.position.glasses) - {origin} | {target}
    return end not in occupied and _is_turned(scene, reply.space, end)


def _is_full(position: Position, space: int) -> bool:
    return position.rings_on(space) >= CAPACITY[space]


def _is_turned(scene: Scene, origin: int, target: int) -> bool:
    """Whether the glass from `origin` was turned on its way (rule 10); a socket that is blind is trusted."""
    pole = scene.poles[scene.position.glasses.index(origin)]
    return scene.rules.settings.level < _TIMED or scene.sight.glasses.get(target, 1 - pole) != pole


def _made(  # noqa: C901, PLR0911 - one path for each way a turn can stand on the board (rule 22)
    scene: Scene, seen: _Difference, origin: int, target: int, reply: _Reply | None, now: Instant
) -> Verdict:
    """What the move of a glass from `origin` to `target` comes to."""
    rules, position, trail = scene.rules, scene.position, scene.trail
    rings = dict(seen.rings)
    falls = trail.rings(target)
    placed = trail.placed(target) or next(iter(falls), None)
    if placed is None:
        return _wrong(scene, "not_adjacent", origin, target)
    lifted = trail.lifted(origin) or placed
    if reply is not None and reply.target is not None:
        rings.pop(reply.target, None)  # judged with the reply
    begun = reply.begun(placed) if reply else None
    forgotten = -1
    if position.forgotten >= 0 and rings.get(position.forgotten, 0) > 0:
        forgotten = position.forgotten
        _take_one(rings, forgotten)
    on_target = rings.pop(target, 0)
    first_ring = next((touch for touch in falls if touch.value), placed)
    if on_target > 0 and begun is not None and first_ring.at > begun.at:
        on_target = 0  # after the opponent had begun it is his ring (rules 3 and 22)
    free = -1
    if position.penalty and on_target > 1:
        free, on_target = target, on_target - 1
    elif position.penalty and len(rings) == 1 and 1 in rings.values():
        free = rings.popitem()[0]
    move = Move(origin, target, on_target > 0, forgotten, free)
    done = max((placed, *_falls(trail, move)), key=lambda touch: touch.at)
    started = Instant(max(position.now, lifted.granted))
    made = Made(move, started, Instant(max(started, placed.game)), Instant(max(started, done.granted)), done.at)
    illegal = _geometry(rules, position, made) or ("" if _is_turned(scene, origin, target) else "not_turned")
    if illegal:
        return _wrong(scene, illegal, origin, target, at=max(placed.at, lifted.at), ring=on_target > 0)
    if on_target > 1:
        return _ring_wrong(scene, {target: on_target - 1}, made, "two_rings")
    if rings:
        return _ring_wrong(scene, rings, made, "ring_removed" if min(rings.values()) < 0 else "ring_elsewhere")
    if _cannot(rules, position, made):
        return MayGoOn(made) if not move.ring else _ring_wrong(scene, {target: 1}, made, "two_rings")
    if move.ring and (free >= 0 or not _may_drop_another(rules, position, made)):
        return Complete(made)
    if begun is None or reply is None:
        return MayGoOn(made)
    if not reply.is_sure(now) and reply.lifted is not None:
        return Review(after(reply.lifted.at, NUDGE))
    return Complete(made._replace(done=Instant(max(made.placed, begun.granted)), at=begun.at))


def _take_one(rings: dict[int, int], space: int) -> None:
    rings[space] -= 1
    if not rings[space]:
        del rings[space]


def _falls(trail: Trail, move: Move) -> Iterator[Touch]:
    """The rings that belong to a turn, each by the change that brought it."""
    if move.ring:
        yield next((touch for touch in trail.rings(move.target) if touch.value), trail.touches[-1])
    for space in (move.forgotten, move.free):
        if space >= 0:
            yield [touch for touch in trail.rings(space) if touch.value][-1]


def _geometry(rules: Tamsk, position: Position, made: Made) -> str:
    """Why the glass may not go there, whatever the rings; empty when it may."""
    move = made.move
    try:
        in_hand = held(rules, position, move.origin, made.lifted)
    except IllegalMoveError as error:
        return error.code
    bare = Move(move.origin, move.target, rules.settings.ring == "auto")
    illegality = rules.why_not(in_hand, bare)
    return illegality.code if illegality is not None and illegality.code in _OF_GLASSES else ""


_OF_GLASSES: Final = frozenset(
    {"not_adjacent", "occupied", "full", "not_yours", "stopped_glass", "must_be_another_glass"}
)


def _cannot(rules: Tamsk, position: Position, made: Made) -> bool:
    """Whether the rings of this turn cannot fall so, or not yet (the ring of `ring=auto`)."""
    return rules.why_not(before_completion(rules, position, made), made.move) is not None


def _may_drop_another(rules: Tamsk, position: Position, made: Made) -> bool:
    """Whether the mover still has a second ring coming, and one to drop, and a space for it (rule 18)."""
    if not position.penalty:
        return False
    before = before_completion(rules, position, made)
    return any(rules.why_not(before, made.move._replace(free=space)) is None for space in range(len(BOARD.names)))


def _wrong(  # noqa: PLR0913 - a refusal has so many parts
    scene: Scene, code: str, origin: int, target: int, *, at: Instant | None = None, ring: bool = False
) -> Wrong:
    steps = (_repair(Action.TURN_GLASS, target),) if code == "not_turned" else repairs(scene)
    text = f"{BOARD.names[origin]}-{BOARD.names[target]}{'' if ring else '='}"
    return Wrong(_latest(scene) if at is None else at, scene.position.mover, code, text, steps, at_once=code == "full")


def _ring_wrong(scene: Scene, rings: Mapping[int, int], made: Made | None, code: str) -> Wrong:
    """A ring too many or too few; when a turn is being made, only that ring must be put right."""
    steps = tuple(
        _repair(Action.TAKE_RING if count > 0 else Action.PUT_RING, space)
        for space, count in sorted(rings.items())
        for _ in range(abs(count))
    )
    text = None
    if made is not None:
        move = made.move
        text = f"{BOARD.names[move.origin]}-{BOARD.names[move.target]}{'' if move.ring else '='}"
    at = max((touch.at for space in rings for touch in scene.trail.rings(space)), default=_latest(scene))
    return Wrong(at, scene.position.mover, code, text, steps)


def _latest(scene: Scene) -> Instant:
    touch = scene.trail.latest()
    return scene.turn_began if touch is None else touch.at


def _nothing_moved(scene: Scene, seen: _Difference) -> Verdict:
    """Every glass stands where the game has it."""
    rings, position = seen.rings, scene.position
    if not rings:
        return Agreed(clean=True)
    if rings == {position.forgotten: 1} and _may_use_forgotten(scene):
        return Agreed(clean=False)
    if len(rings) == 1 and 1 in rings.values():
        free = Move(free=next(iter(rings)), kind="free")
        fall = scene.trail.rings(free.free)[-1:]
        now = Instant(max([position.now, *(touch.granted for touch in fall)]))
        if scene.rules.why_not(scene.rules.elapse(position, now), free) is None:
            return Complete(Made(free, now, now, now, _latest(scene)))
    return _stray_ring(scene, rings)


def _may_use_forgotten(scene: Scene) -> bool:
    position = scene.position
    return position.forgotten >= 0 and not scene.rules.cannot_move(position)


def _stray_ring(scene: Scene, rings: Mapping[int, int]) -> Wrong:
    """Rings have come or gone where no turn explains it."""
    if min(rings.values()) < 0:
        return _ring_wrong(scene, rings, None, "ring_removed")
    last = scene.position.glasses
    if max(rings.values()) > 1:
        return _ring_wrong(scene, rings, None, "two_rings")
    # A second ring under the glass that has just got one: it is the last mover's, rule 2 allows him one.
    space = next(iter(rings))
    mine = space in last[3 * scene.position.mover : 3 * scene.position.mover + 3]
    if space in last and not mine and scene.position.rings_on(space):
        return _ring_wrong(scene, rings, None, "two_rings")._replace(player=1 - scene.position.mover)
    return _ring_wrong(scene, rings, None, "ring_elsewhere")


def _in_the_air(scene: Scene, seen: _Difference, now: Instant) -> Verdict:
    """Glasses are away and none stands where it should not."""
    position, rings = scene.position, dict(seen.rings)
    if rings.get(position.forgotten, 0) > 0 and _may_use_forgotten(scene):
        _take_one(rings, position.forgotten)
    own = [space for space in position.glasses[3 * position.mover : 3 * position.mover + 3] if space in seen.missing]
    lifts = [(touch.at, space, touch) for space in own if (touch := scene.trail.lifted(space)) is not None]
    if rings and not (own and _falls_ahead(rings, own)):
        return _stray_ring(scene, rings)
    for _, space, touch in sorted(lifts):
        started = Instant(max(position.now, touch.granted))
        if _may_be_lifted(scene, space, started):
            return InHand(space, started)
    theirs = [touch for space in seen.missing - set(own) if (touch := scene.trail.lifted(space)) is not None]
    if theirs and not own and _only_a_free_ring_is_due(scene):
        # His opponent begins: the right to the second ring lapses with this turn, which is a pass (rules 18 and 22).
        begun = min(theirs, key=lambda touch: touch.at)
        if now - begun.at < NUDGE:
            return Review(after(begun.at, NUDGE))
        return Complete(Made(Move(kind="pass"), begun.game, begun.game, begun.game, begun.at))
    return Away(repairs(scene))


def _may_be_lifted(scene: Scene, space: int, lifted: Instant) -> bool:
    """Whether the lift began a turn: a glass that may not move begins none (rules 11, 12 and 17)."""
    try:
        held(scene.rules, scene.position, space, lifted)
    except IllegalMoveError:
        return False
    return True


def _falls_ahead(rings: Mapping[int, int], own: list[int]) -> bool:
    """Whether one ring lies ready on a space to which the glass in the air may go."""
    space = next(iter(rings))
    return len(rings) == 1 and rings[space] == 1 and any(space in BOARD.neighbours[origin] for origin in own)


def _only_a_free_ring_is_due(scene: Scene) -> bool:
    return scene.position.penalty and scene.rules.cannot_move(scene.position)


def _no_turn(scene: Scene, seen: _Difference) -> Verdict:
    """No move of one own glass explains the board: say which rule it breaks."""
    position = scene.position
    mover = position.mover
    theirs = sorted(seen.missing & set(position.glasses[3 - 3 * mover : 6 - 3 * mover]))
    mine = sorted(seen.missing - set(theirs))
    if seen.extra and not seen.missing:
        return _seventh_glass(scene, seen)
    if theirs and len(seen.extra) == 1:
        return _opponents_glass(scene, theirs[0], next(iter(seen.extra)), busy=bool(mine))
    if seen.turned and not seen.extra:
        # Glasses are turned only by moving them (rule 10): its "move" ends where it began.
        return _wrong(scene, "not_adjacent", min(seen.turned), min(seen.turned))._replace(text=None)
    return Wrong(_latest(scene), mover, "not_your_turn", None, repairs(scene))


def _opponents_glass(scene: Scene, origin: int, target: int, *, busy: bool) -> Wrong:
    """A glass of the player who is not on turn was moved.

    By its owner, when the player on turn has his own in hand or the owner has only just moved; else by the player on
    turn.
    """
    mover = scene.position.mover
    lifted = scene.trail.lifted(origin)
    again = lifted is not None and scene.turn_began > 0 and lifted.at - scene.turn_began < OWN_AGAIN
    wrong = _wrong(scene, "not_yours", origin, target)
    return wrong._replace(player=1 - mover, code="not_your_turn") if busy or again else wrong


def _seventh_glass(scene: Scene, seen: _Difference) -> Verdict:
    """There are six glasses: one sensor shows a glass that is not there.

    A ring on the new space speaks for the glass there and against the sensor it came from, if only one will do.
    """
    space = min(seen.extra)
    placed = scene.trail.placed(space)
    at = _latest(scene) if placed is None else placed.at
    position = scene.position
    if seen.rings.get(space) == 1:
        mover = position.mover
        origins = [
            origin for origin in position.glasses[3 * mover : 3 * mover + 3] if space in BOARD.neighbours[origin]
        ]
        if len(origins) == 1:
            pole = ("north", "south")[scene.sight.glasses.get(origins[0], 0)]
            return Doubt(at, f"{BOARD.names[origins[0]]}.{pole}", "stuck")
    name = placed.input if placed is not None else f"{BOARD.names[space]}.north"
    return Doubt(at, name, "stuck")
