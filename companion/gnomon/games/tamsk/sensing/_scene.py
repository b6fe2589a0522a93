"""Gather the facts that an explanation of the TAMSK board rests on, and compare the board with the position.

What is remembered of turns taken on trust, what differs, the repairs that make board and game agree, and the words of
a refusal.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, CAPACITY, Move, Position, Tamsk, heights_of
from gnomon.games.tamsk.sensing._board_reading import BARE, BOTH, UNSEEN, BoardReading, ChangeHistory, Touch
from gnomon.games.tamsk.sensing.inputs import is_socket, place_of
from gnomon.games.tamsk.sensing.verdicts import Made, Wrong
from gnomon.referee.evidence import BY_POLES, Sensing
from gnomon.referee.judgement import Action, Repair
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant


@dataclass(frozen=True, slots=True)
class Denied:
    """Somebody said that the glass on a space had not been turned over; `lifted`: since when it is off its socket."""

    space: int
    lifted: Instant | None = None  # board time


@dataclass(frozen=True, slots=True)
class Moved:
    """The last turn of a glass that was accepted on trust, and what was known as it was."""

    made: Made
    before: Position
    trail: ChangeHistory
    turn_began: Instant  # board time
    number: int  # of its ply, from 0


@dataclass(frozen=True, slots=True)
class TimerTurn:
    """The last turning of the 15-second glass that was ruled on trust, and how things stood before it."""

    at: Instant  # board time
    position: Position
    pole: int | None


@dataclass(frozen=True)
class Trust:
    """What is believed of turning that no sensor sees, and what somebody may still say of it.

    `timer`: how the 15-second glass stands, counted as a pole that changes whenever it is off its stand for longer
    than a nudge; None where its poles are seen, and where it is not used. `timer_lifted`: since when it is off.
    """

    timer: int | None = None
    timer_lifted: Instant | None = None  # board time
    denied: Denied | None = None
    moved: Moved | None = None
    timer_turn: TimerTurn | None = None


class Moment:
    """The board time as of which a board is explained, and from when and until when its explanation is the same."""

    def __init__(self, now: Instant) -> None:
        """A moment as of which nothing has been asked yet."""
        self.since, self.now, self.until = -inf, now, inf

    def has_come(self, at: Instant) -> bool:
        """Whether a board time has come, on which the explanation depends from now on."""
        if self.now < at:
            self.until = min(self.until, at)
            return False
        self.since = max(self.since, at)
        return True


CARRIED: Final = Duration(100 * MILLISECOND)
"""No hand carries a glass to another space in less."""

TIMED: Final = 2
"""The level from which glasses are turned with every move, and sand decides (rule 10)."""


class Scene(NamedTuple):
    """Everything that an explanation rests on."""

    rules: Tamsk
    position: Position  # after the last accepted turn
    poles: tuple[int, ...]  # what each of the six glasses shows by the game
    timer_pole: int | None
    sight: BoardReading
    trail: ChangeHistory
    turn_began: Instant  # board time
    sensing: Sensing = BY_POLES
    denied: Denied | None = None  # the glass of which somebody said that it was not turned
    pressed: Instant | None = None  # board time at which the mover said that a turn was made, which nothing showed yet

    @property
    def own(self) -> tuple[int, ...]:
        """The spaces of the glasses of the player on turn."""
        return self.position.glasses[3 * self.position.mover :][:3]

    @property
    def theirs(self) -> tuple[int, ...]:
        """The spaces of the other player's glasses."""
        return self.position.glasses[3 - 3 * self.position.mover :][:3]

    @property
    def latest(self) -> Instant:
        """The stamp of the last change of the board."""
        touch = self.trail.latest()
        return self.turn_began if touch is None else touch.at

    def last_set_down(self, space: int) -> Touch | None:
        """When a glass last came to stand in a socket; the other pole that shows while it stands is no setting down."""
        pressed = self.pressed if self.sensing.evidence.contradictions else None
        return self.trail.first_stood(space, pressed) if self.sensing.evidence.wary else self.trail.last_set_down(space)

    def is_lost_at(self, origin: int, pressed: Instant | None) -> bool:
        """Whether the glass that went from `origin` was lost by its new socket just as the mover pressed the button."""
        its = (self.trail.lost_at(space, pressed) for space in BOARD.neighbours[origin])
        return self.sensing.evidence.contradictions and any(touch is not None for touch in its)

    def last_lift(self, origin: int, target: int) -> Touch | None:
        """When a glass left its space that may stand on another; what its socket blinked after that is none."""
        placed = self.last_set_down(target)
        if placed is None or not self.sensing.evidence.contradictions:
            return self.trail.last_lift(origin)
        return self.trail.lift_by(origin, placed.at, self.sensing.evidence.stands)

    def is_turned(self, origin: int, target: int) -> bool:
        """Whether the glass from `origin` was turned on its way (rule 10).

        A blind socket is trusted, and one that sees one pole unless somebody has said that it was not.
        """
        pole = self.poles[self.position.glasses.index(origin)]
        if self.denied is not None and self.denied.space == target and self.sight.glasses.get(target) == UNSEEN:
            return False
        return self.rules.settings.level < TIMED or self.sight.glasses.get(target, 1 - pole) != pole

    def may_be_lifted(self, space: int, lifted: Instant) -> bool:
        """Whether a lift at that game time begins a turn: a glass that may not move begins none (11, 12 and 17).

        Neither does one when the last sand has run out by then, though nobody has been told yet (rule 15).
        """
        try:
            hold(self.rules, self.position, space, lifted)
        except RulesError:
            return False
        return True


def hold(rules: Tamsk, position: Position, space: int, lifted: Instant) -> Position:
    """The position with the glass of that space in the air since `lifted`. Raises IllegalMoveError."""
    if position.lifted == space:
        return position
    at_rest = position if position.lifted < 0 else rules.put_back(position)
    return rules.lift(rules.elapse(at_rest, lifted), space)


def before_completion(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position at the instant when the turn was done, the glass still in the air. Raises IllegalMoveError."""
    if made.move.kind != "turn":
        return rules.elapse(position, made.done)
    before = rules.elapse(hold(rules, position, made.move.origin, made.lifted), made.done)
    return before._replace(bound_until=before.now - 1) if made.is_late else before


def play(rules: Tamsk, position: Position, made: Made) -> Position:
    """The position after the turn. Raises IllegalMoveError."""
    placed_at = made.placed if rules.settings.level >= TIMED else None
    return rules.play(before_completion(rules, position, made), made.move, placed_at=placed_at)


def turn_text(rules: Tamsk, position: Position, made: Made) -> str:
    """The canonical text of a turn that was made by hand."""
    return rules.text(before_completion(rules, position, made), made.move)


@dataclass(frozen=True, slots=True)
class Difference:
    """What the board shows beyond, or short of, the position; `rings`: how many too many (or few) on a space."""

    missing: frozenset[int]
    extra: frozenset[int]
    turned: frozenset[int]
    rings: Mapping[int, int]

    @property
    def spaces(self) -> frozenset[int]:
        """Every space on which board and game differ."""
        return self.missing | self.extra | self.turned | frozenset(self.rings)


def difference(scene: Scene) -> Difference:
    """Compare the board with the position; sockets and stacks that are not believed never differ."""
    position, sight = scene.position, scene.sight
    believed = set(position.glasses)
    rings = {}
    for space, count in enumerate(heights_of(position.rings)) if sight.stacks != position.rings else ():
        fewest, most = sight.rings.get(space, BARE)
        if not fewest <= count <= most:
            rings[space] = fewest - count if count < fewest else most - count
    # A ring on a socket that cannot be seen speaks for a glass there: rings fall on destinations (rule 2).
    guessed = {space for space in sight.blind - believed if rings.get(space) == 1} if sight.blind else set()
    poles = zip(position.glasses, scene.poles, strict=True) if scene.rules.settings.level >= TIMED else ()
    turned = [space for space, pole in poles if sight.glasses.get(space, pole) not in (pole, UNSEEN)]
    return Difference(
        missing=frozenset(believed.difference(sight.glasses, sight.blind)),
        extra=frozenset(guessed.union(sight.glasses) - believed),
        turned=frozenset(turned),
        rings=rings,
    )


def may_be_carried(scene: Scene, due: Instant, coming: Touch | None, later: Collection[str]) -> frozenset[int]:
    """The own spaces whose glass may have been in a hand, or moved, at game time `due`: one stands beside them so soon.

    `coming` is the next change, `later` are sockets that come to show one so soon and are no evidence yet. One that
    came to stand there sooner, though all of them still show theirs, is the seventh that shows. No hand that
    carries one lifts another of them so soon.
    """
    its = () if coming is None else (coming,)
    if not scene.sensing.evidence.contradictions or any(space not in scene.sight.glasses for space in scene.theirs):
        return frozenset()
    soon = [it for it in (*scene.trail.touches, *its) if it.value and it.game < due + CARRIED and is_socket(it.input)]
    since = {BOARD.index[place_of(it.input)]: it.game for it in soon}
    standing = [space for space in scene.own if space in scene.sight.glasses]
    is_one_more = len(standing) == len(scene.own)
    shown = {space for space, at in since.items() if at >= due or (is_one_more and space in scene.sight.glasses)}
    shown |= {BOARD.index[place_of(name)] for name in later} if is_one_more else set()
    spaces = shown.difference(scene.position.glasses)
    at_once = (it for it in its if not it.value and it.game < due + CARRIED and is_socket(it.input))
    lifted = {BOARD.index[place_of(it.input)] for it in at_once}
    held = lifted.intersection(standing) or standing
    return frozenset(space for space in held if not spaces.isdisjoint(BOARD.neighbours[space]))


def timer_is_turned(scene: Scene) -> bool:
    """Whether the 15-second glass stands the other way up than the game has it."""
    pole = scene.sight.timer
    return scene.timer_pole is not None and pole is not None and pole not in (scene.timer_pole, BOTH)


def repairs(scene: Scene) -> tuple[Repair, ...]:
    """What must change for the board to show the position: first what to take away, then what to put."""
    seen = difference(scene)
    steps = ring_repairs(seen.rings)
    return (
        *((Repair(Action.TURN_TIMER),) if timer_is_turned(scene) else ()),
        *(step for step in steps if step.action is Action.TAKE_RING),
        *_repairs(Action.TAKE_GLASS, seen.extra),
        *_repairs(Action.TURN_GLASS, seen.turned),
        *_repairs(Action.PUT_GLASS, seen.missing),
        *(step for step in steps if step.action is Action.PUT_RING),
    )


def ring_repairs(rings: Mapping[int, int]) -> tuple[Repair, ...]:
    """One step for each ring too many or too few."""
    return tuple(
        Repair(Action.TAKE_RING if count > 0 else Action.PUT_RING, BOARD.names[space])
        for space, count in sorted(rings.items())
        for _ in range(abs(count))
    )


def _repairs(action: Action, spaces: Iterable[int]) -> Iterator[Repair]:
    return (Repair(action, BOARD.names[space]) for space in sorted(spaces))


def refused_move(scene: Scene, code: str, move: Move, at: Instant) -> Wrong:
    """A glass went from one space to another against the rules."""
    turn_over = (Repair(Action.TURN_GLASS, BOARD.names[move.target]),)
    steps = turn_over if code == "not_turned" else repairs(scene)
    return Wrong(at, scene.position.mover, code, bare_text(scene, move), steps, at_once=code == "full")


def refused_rings(scene: Scene, code: str, rings: Mapping[int, int], made: Made | None = None) -> Wrong:
    """Rings too many or too few; when a legal turn is being made, only they must be put right."""
    at = max((touch.at for space in rings for touch in scene.trail.rings(space)), default=scene.latest)
    text = None if made is None else bare_text(scene, made.move)
    return Wrong(at, scene.position.mover, code, text, ring_repairs(rings))


def bare_text(scene: Scene, move: Move) -> str:
    """A move and its own ring in notation, whether it is legal or not."""
    fills = scene.position.rings_on(move.target) + 1 == CAPACITY[move.target]
    ring = "=" if not move.ring else "x" if fills else ""
    return f"{BOARD.names[move.origin]}-{BOARD.names[move.target]}{ring}"
