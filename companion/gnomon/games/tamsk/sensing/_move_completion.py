"""Classify the move of one glass as complete, unfinished or against the rules (TAMSK rule 22)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import Move
from gnomon.games.tamsk.sensing._board_reading import Touch
from gnomon.games.tamsk.sensing._scene import CARRIED, Moment, Scene, before_completion, refused_move, refused_rings
from gnomon.games.tamsk.sensing.verdicts import Complete, Made, MayGoOn, Review, Verdict
from gnomon.referee.debounce import SHOWED
from gnomon.referee.evidence import NUDGE, Evidence
from gnomon.referee.replacement import replace
from gnomon.rules.protocol import TurnProgress
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

EARLY_REPLY: Final = Duration(2 * SECOND)
"""How long a mover still has for their ring when the opponent was in the air before them."""

_OF_GLASSES: Final = frozenset(
    {"not_adjacent", "occupied", "full", "not_yours", "stopped_glass", "must_be_another_glass"}
)


@dataclass(frozen=True, slots=True)
class Reply:
    """The opponent's next turn, as far as it shows: which glass was lifted, where it stands now, and since when.

    A glass that was put back on its own space after it had surely been lifted has begun a turn all the same.
    """

    space: int
    lifted: Touch | None
    target: int | None
    evidence: Evidence
    down: Touch | None = None

    def is_early(self, placed: Touch) -> bool:
        """Whether the opponent was in the air before the glass that they answer was set down."""
        return self.lifted is None or self.lifted.at < placed.at

    def end_of_turn(self, placed: Touch) -> Touch:
        """What ended the turn whose glass was set down at `placed` (rule 22): the lift, or that setting down."""
        return placed if self.lifted is None or self.lifted.at < placed.at else self.lifted

    def rings_until(self, placed: Touch) -> Instant:
        """Until when a ring is still the mover's: for a while, as long as no reply has been set down (rule 22)."""
        if self.is_early(placed):
            return after(placed.at, EARLY_REPLY)
        late = after(placed.at, self.evidence.late_ring)
        return max(
            self.end_of_turn(placed).at, late if self.down is None or self.target is None else min(late, self.down.at)
        )

    def sure_at(self, placed: Touch) -> Instant:
        """When the reply has surely ended the turn: a lift may be a nudge, or a sleeve, until the glass stands."""
        until = self.rings_until(placed)
        if self.is_early(placed) or self.down is not None or self.target is not None:
            return until
        return max(until, after(self.end_of_turn(placed).at, max(self.evidence.stands, NUDGE)))

    def earliest(self) -> Self:
        """The reply with its touches as early as they may have been."""
        lifted, down = (touch and touch._replace(at=touch.since) for touch in (self.lifted, self.down))
        return replace(self, lifted=lifted, down=down)


class Share(Enum):
    """Whose rings are that fell in an outage, before the reply or after it."""

    MOVERS = auto()
    OWN = auto()  # the mover's where their glass stands, the opponent's elsewhere
    OPPONENTS = auto()


class _Rings(NamedTuple):
    """How the rings that have come and gone belong to a turn."""

    ring: bool
    forgotten: int
    free: int
    too_many: int  # on the target
    stray: Mapping[int, int]
    last: Touch  # what completed the turn: its last ring, or the setting down


def complete_move(  # noqa: PLR0913, PLR0917 - what a turn by hand consists of
    scene: Scene,
    rings: Mapping[int, int],
    origin: int,
    target: int,
    reply: Reply | None,
    moment: Moment,
    *,
    share: Share = Share.MOVERS,
) -> Verdict:
    """What the move of a glass from `origin` to `target` comes to, with the rings that have come and gone.

    A ring that fell in an outage may have come before the reply or after it: `share` says whose it is then.
    """
    if reply is not None and scene.sensing.evidence.contradictions:
        scene = _until_next_turn(scene, target, reply)
    placed = scene.last_set_down(target) or _fall(scene, target, 1) or _unseen(scene)
    lifted = scene.last_lift(origin, target) or placed
    mine = rings
    # With ring=auto the ring that falls is always the mover's: there is no forgotten one.
    if reply is not None and scene.rules.settings.ring != "auto":
        favoured = {Share.MOVERS: frozenset(rings), Share.OWN: frozenset({target}), Share.OPPONENTS: frozenset()}
        mine = _before_reply(scene, rings, reply, placed, favoured[share])
    if scene.pressed is not None and placed.at <= scene.pressed and scene.rules.settings.ring != "auto":
        mine = _before_press(scene, mine, scene.pressed)
    fallen = _rings(scene, mine, origin, target, placed)
    move = Move(origin, target, fallen.ring, fallen.forgotten, fallen.free)
    started = Instant(max(scene.position.now, _lifted_by(scene, lifted, placed)))
    set_down = Instant(max(started, _in_time(scene, placed)))
    turn = Made(
        move,
        started,
        set_down,
        Instant(max(set_down, fallen.last.granted)),
        fallen.last.at,
    )
    code = _glass_code(scene, turn)
    if code:
        return refused_move(scene, code, move, max(placed.at, lifted.at))
    if fallen.too_many:
        return refused_rings(scene, "two_rings", {target: fallen.too_many}, turn)
    if fallen.stray:
        gone = min(fallen.stray.values()) < 0
        return refused_rings(scene, "ring_removed" if gone else "ring_elsewhere", fallen.stray, turn)
    return _completion(scene, turn, reply, placed, moment)


def _until_next_turn(scene: Scene, target: int, reply: Reply) -> Scene:
    """The scene without how the glass on the target was lifted again, once the reply had surely ended its turn."""
    for placed, lifted in scene.trail.stays(target):
        if reply.lifted is not None and reply.sure_at(placed) <= lifted.at:
            return scene._replace(trail=scene.trail.without_lifts(target, lifted.at))
    return scene


def _lifted_by(scene: Scene, lifted: Touch, placed: Touch) -> Instant:
    """Game time by which a glass was lifted, by the lift that was seen, and because hands carry it for a while."""
    if not scene.sensing.evidence.contradictions:
        return lifted.granted
    return Instant(min(lifted.granted, placed.granted - CARRIED))


def _in_time(scene: Scene, placed: Touch) -> Instant:
    """When a glass was set down: if nobody looked as the 15-second glass emptied, just in time (rule 18)."""
    bound = scene.position.bound_until
    return Instant(bound) if placed.since < placed.at and placed.granted <= bound < placed.game else placed.game


def _rings(scene: Scene, rings: Mapping[int, int], origin: int, target: int, placed: Touch) -> _Rings:
    """Share out the rings of the mover, the one on the space that the opponent had forgotten among them (rule 3)."""
    position, mine = scene.position, dict(rings)
    if _lay_there(scene, mine, origin, target):
        return _Rings(ring=False, forgotten=-1, free=-1, too_many=0, stray={target: mine[target]}, last=placed)
    parts = [placed]
    forgotten = -1
    if _is_forgotten_ring(scene, mine, placed):
        forgotten = position.forgotten
        mine[forgotten] -= 1
        if not mine[forgotten]:
            del mine[forgotten]
        parts.append(_fall(scene, forgotten, 1) or placed)
    on_target = mine.pop(target, 0)
    ring = on_target > 0
    if ring:
        parts.append(_fall(scene, target, 1) or placed)
    elif on_target < 0:
        mine[target] = on_target
    too_many = max(0, on_target - 1)
    free = -1
    if position.penalty and too_many == 1:
        free, too_many = target, 0
    elif position.penalty and not too_many and list(mine.values()) == [1]:
        free = mine.popitem()[0]
    if free >= 0:
        parts.append(_fall(scene, free, 2 if free in (target, forgotten) else 1) or placed)
    return _Rings(ring, forgotten, free, too_many, mine, max(parts, key=lambda touch: touch.at))


def _lay_there(scene: Scene, rings: Mapping[int, int], origin: int, target: int) -> bool:
    """Whether the ring on the target showed before the glass was lifted: then nobody can have dropped it (rule 2)."""
    lifted = scene.last_lift(origin, target)
    fall = _fall(scene, target, 1) if rings.get(target, 0) > 0 else None
    if not scene.sensing.evidence.causes or lifted is None or fall is None or scene.position.penalty:
        return False
    return fall.game < lifted.granted


def _is_forgotten_ring(scene: Scene, rings: Mapping[int, int], placed: Touch) -> bool:
    """Whether a ring fell on the forgotten space before the mover had moved: then the right lapses (rule 3)."""
    space = scene.position.forgotten
    fall = _fall(scene, space, 1) if rings.get(space, 0) > 0 else None
    return fall is not None and fall.at <= placed.at


def _before_reply(
    scene: Scene, rings: Mapping[int, int], reply: Reply, placed: Touch, favoured: frozenset[int]
) -> Mapping[int, int]:
    """The rings that are the mover's: one that fell after the opponent had begun is for their turn (rules 3 and 22).

    On the `favoured` spaces it fell as early as it may have fallen, and the opponent began as late; elsewhere not.
    """
    latest = reply.rings_until(placed)
    earliest = min(latest, reply.earliest().rings_until(placed._replace(at=placed.since)))

    def is_theirs(space: int, count: int) -> bool:
        fall = _fall(scene, space, 1)
        if count <= 0 or fall is None:
            return False
        return fall.since > latest if space in favoured else fall.at > earliest

    return {space: count for space, count in rings.items() if not is_theirs(space, count)}


def _before_press(scene: Scene, rings: Mapping[int, int], pressed: Instant) -> Mapping[int, int]:
    """The rings that had fallen when the mover said that the turn was made; nothing showed it then (rule 22)."""

    def is_later(space: int, count: int) -> bool:
        fall = _fall(scene, space, 1)
        return count > 0 and fall is not None and fall.at > pressed

    return {space: count for space, count in rings.items() if not is_later(space, count)}


def _fall(scene: Scene, space: int, number: int) -> Touch | None:
    """When the `number`th new ring came to lie on a space, as far as that was seen.

    One that has shown for so long that it is taken for true is that ring, even if its sensor lost it for a moment.
    """
    touches = scene.trail.rings(space)
    falls = [touch for touch in touches if touch.value]
    height = f"ring{scene.position.rings_on(space) + number}"
    if scene.sensing.evidence.contradictions:
        its = [touch for touch in touches if touch.input.endswith(height)]
        for on, off in pairwise(its):
            if on.value and off.at - on.at >= SHOWED:
                return on
    return next((touch for touch in reversed(falls) if touch.input.endswith(height)), falls[-1] if falls else None)


def _unseen(scene: Scene) -> Touch:
    """A change of which no stamp is left, because the game was put right by hand since."""
    now = scene.position.now
    return Touch(scene.latest, now, now, "", value=True)


def _glass_code(scene: Scene, turn: Made) -> str:
    """Why the glass may not go there, whatever the rings; empty when it may."""
    rules, position, move = scene.rules, scene.position, turn.move
    # Asked at the instant of the lift: a glass that runs out in the hand was started in time.
    at_lift = rules.elapse(position, turn.lifted)
    if at_lift.lifted not in (-1, move.origin):
        at_lift = rules.put_back(at_lift)
    illegality = rules.why_not(at_lift, Move(move.origin, move.target, rules.settings.ring == "auto"))
    if illegality is not None:
        return illegality.code if illegality.code in _OF_GLASSES else "not_your_turn"
    return "" if scene.is_turned(move.origin, move.target) else "not_turned"


def _completion(scene: Scene, turn: Made, reply: Reply | None, placed: Touch, moment: Moment) -> Verdict:
    """Whether a turn that stands rightly on the board is complete (rule 22)."""
    before = before_completion(scene.rules, scene.position, turn)
    move = turn.move
    progress = scene.rules.progress(before, move)
    if progress is TurnProgress.IMPOSSIBLE:
        return refused_rings(scene, "two_rings", {move.target: 1}, turn)  # more than the holder had
    if progress is TurnProgress.COMPLETE:
        return Complete(turn if reply is None else turn._replace(answered=reply.end_of_turn(placed).granted))
    if reply is None:
        return MayGoOn(turn)
    if not moment.has_come(reply.sure_at(placed)):
        return Review(reply.sure_at(placed), turn)
    if scene.rules.settings.ring == "auto" and not move.ring:  # it always falls
        return refused_rings(scene, "ring_removed", {move.target: -1}, turn)
    begun, pressed = reply.end_of_turn(placed), scene.pressed
    if scene.sensing.evidence.contradictions and pressed is not None and placed.at <= pressed < begun.at:
        by_press = Instant(pressed - placed.at + placed.game)
        return Complete(turn._replace(done=Instant(max(turn.done, by_press)), at=Instant(max(turn.at, pressed))))
    return Complete(turn._replace(done=Instant(max(turn.done, begun.granted)), at=max(turn.at, begun.at)))
