"""Simulate boards with random wiring faults, and hands that follow a wiring walk over them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, NamedTuple

from gnomon.refusals import Statement
from gnomon.timekeeping.instants import MILLISECOND, Duration
from gnomon_pi.config.description import BoardDescription, Sensors
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.libraries import Later
from gnomon_pi.simulated._chance import toss
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.walk.prompts import Prompt
from gnomon_pi.tools.walk.rig import Rig
from gnomon_pi.tools.walk.steps import Do
from gnomon_pi.tools.walk.walk_loop import WalkAudience, WalkPace, run_walk
from gnomon_pi.tools.walk.wires import every_bit
from gnomon_pi.tools.walk.wiring_inference import Walk, WalkAnswer, WalkPhase

_REACTION: Final = Duration(400 * MILLISECOND)
_PATIENCE: Final = Duration(1200 * MILLISECOND)  # from being asked to saying that nothing happens
_PERIOD: Final = Duration(100 * MILLISECOND)
_NORTH_UP: Final = frozenset((Do.NORTH_UP, Do.TURN))


@dataclass(frozen=True, slots=True)
class Miswiring:
    """A board as it is really wired, and which of its inputs do not work."""

    wired: BoardDescription
    dead: frozenset[str] = frozenset()
    inverted: frozenset[str] = frozenset()  # on at rest, off when it should be on
    chattering: frozenset[str] = frozenset()
    bridged: tuple[tuple[str, str], ...] = ()  # what makes one of them on makes both so
    magnets_turned: bool = False  # the ends of the glasses are marked the other way round


def miswire(board: BoardDescription, random: Random, *, faults: int = 3) -> Miswiring:
    """A random board that is not wired as described: up to so many faults of each kind, outputs of either level."""
    wired, spoilt = board, list[str]()
    if board.sensors is not None:
        sensors = _swap_inputs(board.sensors, random, faults)
        emitters = sensors.emitters and replace(sensors.emitters, active_low=toss(random))
        wired = replace(wired, sensors=replace(sensors, emitters=emitters, active_low=toss(random)))
        spoilt = random.sample(sensors.inputs, min(3 * faults, len(sensors.inputs) // 4))
    if board.buzzer is not None:
        wired = replace(wired, buzzer=replace(board.buzzer, active_low=toss(random)))
    if toss(random):
        wired = _with_buttons_swapped(wired, random)
    groups = [frozenset(spoilt[number::3][: random.randint(0, faults)]) for number in range(3)]
    return Miswiring(wired, dead=groups[0], inverted=groups[1], chattering=groups[2])


def _swap_inputs(sensors: Sensors, random: Random, faults: int) -> Sensors:
    """The sensors with pairs of inputs swapped, and some moved to spare bits."""
    bits = list(sensors.bits)
    for _ in range(random.randint(0, faults)):
        one, other = random.sample(range(len(bits)), 2)
        bits[one], bits[other] = bits[other], bits[one]
    spare = [bit for bit in every_bit(sensors) if bit not in bits]
    random.shuffle(spare)
    for bit in spare[: random.randint(0, faults)]:
        bits[random.randrange(len(bits))] = bit
    return replace(sensors, bits=tuple(bits))


def _with_buttons_swapped(board: BoardDescription, random: Random) -> BoardDescription:
    buttons = list(board.buttons)
    one, other = random.sample(range(len(buttons)), 2)
    pins = buttons[one].pin, buttons[other].pin
    buttons[one], buttons[other] = replace(buttons[one], pin=pins[1]), replace(buttons[other], pin=pins[0])
    return replace(board, buttons=tuple(buttons))


class MiswiredBoard:
    """A simulated board that is wired in one way and opened as if it were wired in another."""

    def __init__(self, miswiring: Miswiring, random: Random, *, now: Callable[[], int], later: Later) -> None:
        self.miswiring = miswiring
        self.board = SimulatedBoard(miswiring.wired, now=now, later=later)
        self.board.drivers.close()
        self._random = random
        for name in miswiring.dead:
            self.board.break_input(name, value=False)
        for name in miswiring.inverted:
            self.board.set_input(name, value=True)

    def open(self, description: BoardDescription) -> Drivers:
        """Drivers on this board for a description of it, right or wrong."""
        return self.board.drivers_for(description)

    def set(self, name: str, *, value: bool) -> None:
        """Make a magnet, a ring or a finger act on an input, as well as that works."""
        self.board.set_input(name, value is not (name in self.miswiring.inverted))
        for pair in self.miswiring.bridged:
            if name in pair:
                self.board.set_input(pair[1 - pair.index(name)], value=value)

    def flutter(self) -> None:
        """Let what chatters do so."""
        for name in sorted(self.miswiring.chattering):
            self.board.set_input(name, toss(self._random))


class FollowingHands:
    """Hands that do what a walk asks for, and say so where nothing happens; they know the board, the walk does not."""

    def __init__(self, board: MiswiredBoard, *, now: Callable[[], int], listener: WalkAudience | None = None) -> None:
        """`listener` is told what they are."""
        self._board = board
        self._listener = listener
        self._now = now
        self._walk: Walk | None = None
        self._asked_at = 0
        self._has_acted = self._has_answered = True
        self._on: list[str] = []
        self._held: str = ""
        self.prompts: list[Prompt] = []
        self.troubles: list[Statement] = []

    def on_prompt(self, walk: Walk, prompt: Prompt) -> None:
        """Take note of what is asked."""
        self._walk, self._asked_at = walk, self._now()
        self._has_acted = self._has_answered = False
        self.prompts.append(prompt)
        if self._listener is not None:
            self._listener.on_prompt(walk, prompt)

    def trouble(self, told: Statement) -> None:
        """Take note of what does not work."""
        self.troubles.append(told)
        if self._listener is not None:
            self._listener.trouble(told)

    def answers(self) -> Iterator[WalkAnswer]:
        """Act when it is time, and answer when that has changed nothing."""
        self._board.flutter()
        if self._held:
            self._board.set(self._held, value=False)
            self._held = ""
        walk, waited = self._walk, self._now() - self._asked_at
        if walk is None or walk.phase in {WalkPhase.REST, WalkPhase.REST_LIT, WalkPhase.OVER}:
            return
        if not self._has_acted and waited >= _REACTION:
            self._has_acted = True
            self._act(walk)
        if not self._has_answered and waited >= _PATIENCE:
            self._has_answered = True
            yield WalkAnswer.YES if walk.phase is not WalkPhase.DO or self._is_true(walk) else WalkAnswer.NO

    def _act(self, walk: Walk) -> None:
        act = walk.now_do
        if walk.phase is WalkPhase.CLEAR or act.do is Do.TAKE:
            self._put(())
        elif walk.phase is WalkPhase.DO and act.do is Do.PRESS:
            self._held = act.name
            self._board.set(act.name, value=True)
        elif walk.phase is WalkPhase.DO and act.do in _NORTH_UP:
            self._put((_other_pole(act.name) if self._board.miswiring.magnets_turned else act.name,))
        elif walk.phase is WalkPhase.DO and act.name:
            self._put((*self._on, act.name))

    def _put(self, names: Sequence[str]) -> None:
        for name in self._on:
            self._board.set(name, value=False)
        for name in names:
            self._board.set(name, value=True)
        self._on = list(names)

    def _is_true(self, walk: Walk) -> bool:
        """What eyes and ears say to a question; to anything else that it has been done."""
        simulated = self._board.board
        match walk.now_do.do:
            case Do.SEE_LIGHT:
                lit = [any(colour) for colour in simulated.lights()]
                return lit[0] and not any(lit[1:])
            case Do.HEAR_HIGH | Do.HEAR_LOW | Do.HEAR_TONE:
                heard = simulated.sounds()
                return bool(heard) and heard[-1].frequency > 0
            case Do.KNOW_SWITCH:
                buzzer = simulated.description.buzzer
                return buzzer is not None and bool(buzzer.active_low)
            case _:
                return True


def _other_pole(name: str) -> str:
    place, _, pole = name.rpartition(".")
    return f"{place}.{'south' if pole == 'north' else 'north'}"


class Followed(NamedTuple):
    """A walk that hands followed to its end, the hands, and the board they did it on."""

    walk: Walk
    hands: FollowingHands
    board: MiswiredBoard


def walk_by_hands(walk: Walk, miswiring: Miswiring, random: Random, listener: WalkAudience | None = None) -> Followed:
    """Walk to the end over a board that is wired so, in virtual time. Raises DriverError."""
    watch = VirtualWatch()
    board = MiswiredBoard(miswiring, random, now=watch.now, later=watch.later)
    hands = FollowingHands(board, now=watch.now, listener=listener)
    rig = Rig(walk.board, board.open)
    try:
        return Followed(run_walk(walk, rig, hands, WalkPace(watch, watch.go_to, _PERIOD)), hands, board)
    finally:
        rig.close()
