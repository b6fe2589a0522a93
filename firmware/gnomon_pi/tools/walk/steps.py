"""Define the order in which a board is walked, and the acts at each place."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from gnomon.games.tamsk.sensing.inputs import GLASS, POLES, TIMER
from gnomon_pi.config.description import BoardDescription, Sensors
from gnomon_pi.tools.walk.wires import bits_of, chip_of

TILE: Final = "tile"
RING: Final = "ring"


class Do(Enum):
    """What a person is asked to do, or to say."""

    PRESS = "press"
    NORTH_UP = "north up"
    TURN = "turn"
    PUT_GLASS = "put glass"
    PUT_TILE = "put tile"
    DROP_RING = "drop ring"
    TAKE = "take"
    SEE_LIGHT = "see light"
    HEAR_HIGH = "hear high"
    HEAR_LOW = "hear low"
    HEAR_TONE = "hear tone"
    KNOW_SWITCH = "know switch"


QUESTIONS: Final = frozenset((Do.SEE_LIGHT, Do.HEAR_HIGH, Do.HEAR_LOW, Do.HEAR_TONE, Do.KNOW_SWITCH))


class WalkAct(NamedTuple):
    """One thing to do, and the input that should answer; none answers a question, or when pieces are taken away."""

    do: Do
    name: str = ""


class WalkStep(NamedTuple):
    """What is done at one place, one act after the other; `is_lit` says that its inputs need the emitters' light."""

    place: str
    acts: tuple[WalkAct, ...]
    is_lit: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The inputs that are learnt here."""
        return tuple(act.name for act in self.acts if act.name)


LIGHTS: Final = "lights"
BUZZER: Final = "buzzer"


def steps_of(board: BoardDescription, *, quick: bool = False) -> tuple[WalkStep, ...]:
    """The way over a board: buttons first, for they answer later on; `quick` looks at one place a chip only."""
    steps = [WalkStep(button.name, (WalkAct(Do.PRESS, button.name),)) for button in board.buttons]
    if board.lights is not None:
        steps.append(WalkStep(LIGHTS, (WalkAct(Do.SEE_LIGHT),)))
    if board.buzzer is not None:
        steps.append(WalkStep(BUZZER, tuple(WalkAct(do) for do in _hearing_acts(board))))
    if board.sensors is not None:
        places = [*_stands(board.sensors), *_tubes(board.sensors)]
        steps += _one_a_chip(places, board.sensors) if quick else places
    return tuple(steps)


def _hearing_acts(board: BoardDescription) -> tuple[Do, ...]:
    """An active buzzer sounds at one level; a passive one does so only while it is driven, whatever switches it."""
    if board.buzzer is not None and board.buzzer.active:
        return (Do.HEAR_HIGH, Do.HEAR_LOW)
    return (Do.HEAR_TONE, Do.KNOW_SWITCH)


def _kinds(sensors: Sensors) -> Mapping[str, list[str]]:
    """The kinds of inputs that each place has, in their order."""
    kinds: dict[str, list[str]] = {}
    for name in sensors.inputs:
        place, _, kind = name.rpartition(".")
        kinds.setdefault(place, []).append(kind)
    return kinds


def _stands(sensors: Sensors) -> Iterator[WalkStep]:
    """Sockets, squares and the stand of the 15-second glass, the last of all."""
    for place, kinds in sorted(_kinds(sensors).items(), key=lambda item: item[0] == TIMER):
        if set(POLES) <= set(kinds):
            # The socket shows the pole of the end that is down.
            north, south = (f"{place}.{pole}" for pole in POLES)
            yield WalkStep(place, (WalkAct(Do.NORTH_UP, south), WalkAct(Do.TURN, north), WalkAct(Do.TAKE)))
        elif GLASS in kinds:
            yield WalkStep(place, (WalkAct(Do.PUT_GLASS, f"{place}.{GLASS}"), WalkAct(Do.TAKE)))
        elif TILE in kinds:
            yield WalkStep(place, (WalkAct(Do.PUT_TILE, f"{place}.{TILE}"), WalkAct(Do.TAKE)))


def _tubes(sensors: Sensors) -> Iterator[WalkStep]:
    """The tubes, each filled ring by ring."""
    strobed = dict(zip(sensors.inputs, sensors.strobed, strict=True))
    for place, kinds in _kinds(sensors).items():
        rings = tuple(f"{place}.{kind}" for kind in sorted(kinds) if kind.startswith(RING))
        if rings:
            drops = tuple(WalkAct(Do.DROP_RING, name) for name in rings)
            yield WalkStep(place, (*drops, WalkAct(Do.TAKE)), is_lit=any(strobed[name] for name in rings))


def _one_a_chip(steps: Sequence[WalkStep], sensors: Sensors) -> list[WalkStep]:
    """As few places as it takes to have looked at every chip."""
    bits = bits_of(sensors)
    missing = {chip_of(sensors, bit) for bit in sensors.bits}
    chosen = []
    for step in steps:
        there = {chip_of(sensors, bits[name]) for name in step.names} & missing
        if there:
            chosen.append(step)
            missing -= there
    return chosen
