"""Learn a board's wiring step by step: looks, presses and answers in, a new walk out.

A pure state machine, like the referee. At rest it learns the level of each input, and which ones chatter. A bit has
answered when its level has differed for a while from what it was at rest; which level counts as on is not asked for,
so inverted inputs are learnt as all others.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Final, NamedTuple, Self, TypeVar

from gnomon.games.tamsk.sensing.inputs import BUTTON_ARBITER, BUTTON_BLACK, BUTTON_NOT_TURNED, BUTTON_RED
from gnomon.refusals import InvalidValueError, statement
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.config.description import TAMSK, BoardDescription
from gnomon_pi.tools.walk.steps import QUESTIONS, Do, WalkAct, WalkStep, steps_of
from gnomon_pi.tools.walk.wires import BitLevels, bits_of, every_bit, mask, ones

LOOKS: Final = 60
"""Three seconds at the usual pace: hall switches that look 20 times a second have each looked sixty times."""

CHATTER: Final = 3
"""Changes from which on a bit is said to change by itself: a hand that clears the board late makes one or two."""
SETTLED: Final = Duration(300 * MILLISECOND)
"""How long a change must last: hall switches look 20 times a second, and a glass that is put down rattles."""

CALM: Final = Duration(300 * MILLISECOND)
"""How long a button is deaf after a press: contacts bounce."""

TRUSTED: Final = 3
"""How often a person confirms that another bit answers than the described one, before it is believed unasked."""

_K = TypeVar("_K")
_V = TypeVar("_V")


# At rest


@dataclass(frozen=True, slots=True)
class Resting:
    """A board that is being watched at rest: the last look, how many there were, and how often each bit changed."""

    looks: int = 0
    last: BitLevels | None = None
    changes: Mapping[int, int] = field(default_factory=dict)

    def look_again(self, look: BitLevels) -> Self:
        """After one more look."""
        changes = self.changes
        if self.last is not None and look != self.last:
            counted = dict(changes)
            for bit in ones((look.low ^ self.last.low) | (look.high ^ self.last.high)):
                counted[bit] = counted.get(bit, 0) + 1
            changes = counted
        return replace(self, looks=self.looks + 1, last=look, changes=changes)

    @property
    def is_over(self) -> bool:
        """Whether there were enough looks."""
        return self.looks >= LOOKS

    @property
    def chatter_mask(self) -> int:
        """The bits that change by themselves, as a mask."""
        return sum(1 << bit for bit, count in self.changes.items() if count >= CHATTER)


def rests_high(levels: int, described: int, chattering: int) -> bool | None:
    """Whether the most of the described bits rest high, so that low is on; None where there is no clear majority."""
    steady = described & ~chattering
    count, high = steady.bit_count(), (levels & steady).bit_count()
    # One piece that was forgotten on the board, or a chip without power, must not decide.
    if 4 * max(high, count - high) < 3 * count or not count:
        return None
    return 2 * high > count


# The walk


class WalkAnswer(Enum):
    """What a person says, by a key or a button."""

    YES = "yes"  # or: I have done it
    NO = "no"  # or: skip this place
    AGAIN = "again"
    BACK = "back"
    STOP = "stop"


class WalkPhase(Enum):
    """Where a walk is."""

    REST = "rest"  # nobody may touch the board
    REST_LIT = "rest in the light"  # the same, with the emitters on and off
    DO = "do"
    DOUBT = "doubt"  # another input answered than the one that should
    CLEAR = "clear"  # what was put there is to be taken away before it goes on elsewhere
    OVER = "over"


class Wants(NamedTuple):
    """What the board is to do for the walk; no output is driven unless it is wanted here."""

    emitters: bool = False  # each look is to be taken with their pin low and high
    light: str = ""  # the place that is lit
    buzzer: bool | None = None  # the level at which its pin is held
    tone: bool = False  # a passive one plays


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk over a board. Masks have bit n for bit n of the board; they say what differs from rest."""

    board: BoardDescription
    steps: tuple[WalkStep, ...]
    phase: WalkPhase
    number: int = 0  # of the step
    act: int = 0  # of the step's acts
    resting: Resting = field(default_factory=Resting)
    plain: BitLevels | None = None  # at rest
    lit: BitLevels | None = None  # at rest, with the emitters' pin low and high
    chattering: int = 0
    start: int = 0  # what differed as the step began, and is known to be of an earlier one
    before: int = 0  # … and as the act began
    seen: int = 0  # … and differs now
    since: Instant = Instant(0)  # when it became so
    last: BitLevels | None = None
    answered: Mapping[str, tuple[int, ...]] = field(
        default_factory=dict
    )  # the bits that answered for an input, or none
    lit_high: Mapping[str, bool | None] = field(
        default_factory=dict
    )  # whether it saw light at a high pin; None: either way
    pressed: Mapping[str, str] = field(default_factory=dict)  # the button that answered for one, or ""
    said: Mapping[Do, bool] = field(default_factory=dict)
    doubted: tuple[int, ...] = ()
    doubted_button: str = ""
    confirmed: int = 0
    goal: int = 0  # the step to go to when the place is cleared
    heard_at: Instant | None = None  # when a button was last believed
    is_stopped: bool = False

    @property
    def step(self) -> WalkStep:
        """The present step. Raises IndexError when the walk is over."""
        return self.steps[self.number]

    @property
    def now_do(self) -> WalkAct:
        """The present act. Raises IndexError when the walk is over."""
        return self.step.acts[self.act]


def begin_walk(board: BoardDescription, *, quick: bool = False, only: Collection[str] = ()) -> Walk:
    """A walk over a board as it begins; `quick` looks at one place a chip, `only` at some places.

    Raises InvalidValueError for a place that the board has not.
    """
    steps = steps_of(board, quick=quick and not only)
    there = {step.place for step in steps}
    if unknown := [place for place in only if place not in there]:
        raise InvalidValueError(statement("walk.no_place", place=unknown[0], names=sorted(there)[:3]))
    if only:
        steps = tuple(step for step in steps if step.place in only)
    return Walk(board, steps, WalkPhase.DO if board.sensors is None else WalkPhase.REST)


def wants(walk: Walk) -> Wants:
    """What the board is to do now."""
    if walk.phase is WalkPhase.REST_LIT:
        return Wants(emitters=True)
    if walk.phase not in {WalkPhase.DO, WalkPhase.DOUBT, WalkPhase.CLEAR}:
        return Wants()
    do = walk.now_do.do
    light = _first_place(walk) if do is Do.SEE_LIGHT else _lit_place(walk)
    level = {Do.HEAR_HIGH: True, Do.HEAR_LOW: False}.get(do)
    return Wants(walk.step.is_lit, light, level, tone=do is Do.HEAR_TONE)


def take_look(walk: Walk, look: BitLevels, now: Instant) -> Walk:
    """The walk after a look at every bit."""
    match walk.phase:
        case WalkPhase.OVER | WalkPhase.DOUBT:
            return walk
        case WalkPhase.REST | WalkPhase.REST_LIT:
            return _take_rest(walk, walk.resting.look_again(look))
        case _:
            return _watch_levels(walk, look, now)


def take_press(walk: Walk, button: str, now: Instant) -> Walk:
    """The walk after a button was pressed, by the name it is described with."""
    if walk.heard_at is not None and now - walk.heard_at < CALM:
        return walk
    walk = replace(walk, heard_at=now)
    if walk.phase is WalkPhase.DOUBT and walk.doubted_button:
        return take_answer(walk, WalkAnswer.YES if button == walk.doubted_button else WalkAnswer.AGAIN, now)
    if walk.phase is not WalkPhase.DO or walk.now_do.do is not Do.PRESS:
        answer = _answer_of(walk, button)
        return walk if answer is None else take_answer(walk, answer, now)
    if button == walk.now_do.name:
        return _button_learnt(walk, button)
    return replace(walk, phase=WalkPhase.DOUBT, doubted_button=button)


def take_answer(walk: Walk, answer: WalkAnswer, now: Instant) -> Walk:
    """The walk after a person answered."""
    if walk.phase is WalkPhase.OVER:
        return walk
    if answer is WalkAnswer.STOP:
        return replace(walk, phase=WalkPhase.OVER, is_stopped=True)
    match walk.phase:
        case WalkPhase.DO:
            return _told_while_doing(walk, answer, now)
        case WalkPhase.DOUBT if answer is WalkAnswer.YES and walk.doubted_button:
            return _button_learnt(walk, walk.doubted_button)
        case WalkPhase.DOUBT if answer is WalkAnswer.YES:
            return _learn(replace(walk, confirmed=walk.confirmed + 1), walk.doubted, now)
        case WalkPhase.DOUBT:
            return _leave(walk, answer if answer is WalkAnswer.BACK else WalkAnswer.AGAIN, now)
        case WalkPhase.CLEAR if answer is WalkAnswer.YES:
            # A person who says that nothing is there says that these bits are stuck.
            return _go_to(replace(walk, start=walk.seen), walk.goal)
        case _:
            return walk


# Looks


def _take_rest(walk: Walk, resting: Resting) -> Walk:
    if not resting.is_over:
        return replace(walk, resting=resting)
    chattering = walk.chattering | resting.chatter_mask
    walk = replace(walk, resting=Resting(), chattering=chattering)
    if walk.phase is WalkPhase.REST:
        return _go_to(replace(walk, plain=resting.last), walk.number)
    return _go_to(replace(walk, lit=resting.last), walk.number)


def _watch_levels(walk: Walk, look: BitLevels, now: Instant) -> Walk:
    differs = _differing_bits(walk, look)
    if differs != walk.seen:
        return replace(walk, seen=differs, since=now, last=look)
    return _settle(replace(walk, last=look), now) if now - walk.since >= SETTLED else walk


def _differing_bits(walk: Walk, look: BitLevels) -> int:
    """The bits that are not as they were at rest."""
    rest = walk.lit if walk.step.is_lit else walk.plain
    if rest is None or walk.board.sensors is None:
        return 0
    believed = mask(every_bit(walk.board.sensors)) & ~walk.chattering
    return ((look.low ^ rest.low) | (look.high ^ rest.high)) & believed


def _settle(walk: Walk, now: Instant) -> Walk:
    came = walk.seen & ~walk.start
    if walk.phase is WalkPhase.CLEAR:
        return walk if came else _go_to(walk, walk.goal)
    act = walk.now_do
    if act.do is Do.TAKE:
        # Where nothing answered, nobody but the person knows whether the piece is still there.
        has_answered = any(walk.answered.get(name) for name in walk.step.names)
        return _go_to(walk, walk.number + 1) if has_answered and not came else walk
    new = ones(walk.seen & ~walk.before)
    if act.do in QUESTIONS or act.do is Do.PRESS or not new:
        return walk
    return _offer(walk, new, now)


def _offer(walk: Walk, new: tuple[int, ...], now: Instant) -> Walk:
    """Some bits answered: they are believed, or the person is asked whether the piece is where it should be."""
    assert walk.board.sensors is not None  # noqa: S101 - bits answer
    described = bits_of(walk.board.sensors)
    taken = {bit for name, bits in walk.answered.items() if name not in walk.step.names for bit in bits}
    is_here = any(described[name] in new for name in walk.step.names)
    if not taken.isdisjoint(new) or not (is_here or walk.confirmed >= TRUSTED):
        return replace(walk, phase=WalkPhase.DOUBT, doubted=new)
    return _learn(walk, new, now)


# Learning


def _learn(walk: Walk, bits: tuple[int, ...], now: Instant) -> Walk:
    name = walk.now_do.name
    walk = replace(
        walk,
        phase=WalkPhase.DO,
        doubted=(),
        answered=_with(walk.answered, name, bits),
        before=walk.seen,
        since=now,
    )
    if walk.step.is_lit and bits and walk.last is not None and walk.lit is not None:
        at_low, at_high = (
            any((seen ^ rest) >> bit & 1 for bit in bits) for seen, rest in zip(walk.last, walk.lit, strict=True)
        )
        walk = replace(walk, lit_high=_with(walk.lit_high, name, None if at_low == at_high else at_high))
    return _next_act(walk)


def _button_learnt(walk: Walk, button: str) -> Walk:
    learnt = _with(walk.pressed, walk.now_do.name, button)
    return _next_act(replace(walk, phase=WalkPhase.DO, doubted_button="", pressed=learnt))


def _told_while_doing(walk: Walk, answer: WalkAnswer, now: Instant) -> Walk:
    act = walk.now_do
    is_question = act.do in QUESTIONS
    if is_question and answer in {WalkAnswer.YES, WalkAnswer.NO}:
        return _next_act(replace(walk, said=_with(walk.said, act.do, answer is WalkAnswer.YES)))
    if answer is not WalkAnswer.YES:
        return _leave(walk, answer, now)
    if act.do is Do.PRESS:
        return _button_learnt(walk, "")
    if act.do is Do.TAKE:
        return _go_to(walk, walk.number + 1)
    new = ones(walk.seen & ~walk.before)
    return _offer(walk, new, now) if new else _learn(walk, (), now)


def _next_act(walk: Walk) -> Walk:
    if walk.act + 1 < len(walk.step.acts):
        return replace(walk, act=walk.act + 1)
    return _go_to(walk, walk.number + 1)


def _leave(walk: Walk, answer: WalkAnswer, now: Instant) -> Walk:
    """Go elsewhere, or do this place again, once what stands there has been taken away."""
    goal = {WalkAnswer.NO: walk.number + 1, WalkAnswer.BACK: max(0, walk.number - 1)}.get(answer, walk.number)
    walk = replace(walk, goal=goal, doubted=(), doubted_button="", since=now)
    if goal <= walk.number:
        for step in walk.steps[goal : walk.number + 1]:
            walk = _forget(walk, step)
    return replace(walk, phase=WalkPhase.CLEAR) if walk.seen & ~walk.start else _go_to(walk, goal)


def _forget(walk: Walk, step: WalkStep) -> Walk:
    return replace(
        walk,
        answered=_without(walk.answered, step.names),
        lit_high=_without(walk.lit_high, step.names),
        pressed=_without(walk.pressed, step.names),
    )


def _go_to(walk: Walk, number: int) -> Walk:
    """Begin a step. What has not gone back since an earlier one is no answer; what came meanwhile may be."""
    if number == len(walk.steps):
        return replace(walk, number=number, act=0, phase=WalkPhase.OVER)
    heard = mask(tuple({bit for name in walk.step.names for bit in walk.answered.get(name, ())}))
    is_same_light = walk.steps[number].is_lit is walk.step.is_lit
    start = walk.seen & (walk.start | heard) if is_same_light else 0
    seen = walk.seen if is_same_light else 0
    walk = replace(walk, number=number, act=0, start=start, before=start, seen=seen, phase=WalkPhase.DO)
    return replace(walk, phase=WalkPhase.REST_LIT) if walk.step.is_lit and walk.lit is None else walk


# What lights and buttons are for


def _lit_place(walk: Walk) -> str:
    """The place to light; none when the lights do not show what they should."""
    return "" if walk.said.get(Do.SEE_LIGHT) is False else walk.step.place


def _first_place(walk: Walk) -> str:
    return next((name.rpartition(".")[0] for name in walk.board.inputs), "")


_MEANINGS: Final = {
    BUTTON_RED: WalkAnswer.YES,
    BUTTON_BLACK: WalkAnswer.NO,
    BUTTON_NOT_TURNED: WalkAnswer.AGAIN,
    BUTTON_ARBITER: WalkAnswer.BACK,
    "button.enter": WalkAnswer.YES,
    "button.next": WalkAnswer.NO,
    "button.back": WalkAnswer.AGAIN,
    "button.previous": WalkAnswer.BACK,
    "button.left": WalkAnswer.YES,
    "button.right": WalkAnswer.NO,
}


def _answer_of(walk: Walk, button: str) -> WalkAnswer | None:
    """What a press says, by the button that it really was."""
    real = next((name for name, answered in walk.pressed.items() if answered == button), button)
    if real == BUTTON_ARBITER and walk.board.board != TAMSK:
        return WalkAnswer.STOP
    return _MEANINGS.get(real)


def _with(known: Mapping[_K, _V], key: _K, value: _V) -> Mapping[_K, _V]:
    return MappingProxyType({**known, key: value})


def _without(known: Mapping[str, _V], names: tuple[str, ...]) -> Mapping[str, _V]:
    return MappingProxyType({name: value for name, value in known.items() if name not in names})
