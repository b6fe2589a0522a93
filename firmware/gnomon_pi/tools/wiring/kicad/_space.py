"""Lay out the boards of a space: the strip beside its tube, and the small one under its socket.

The strip has a reflex sensor for each ring and both plugs, the other the Hall switch. A short ready-made cable with
four poles joins them, a flat cable with ten the strip and a hub. The ten poles are the same for all spaces: the input
of a ring that a space does not have is held at 3.3 V, so that no input of a register floats.
"""

from collections.abc import Mapping
from typing import Final

from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._netlist import GND, IR, V3, V5
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard, Label, Placed, Spot, ground_pour
from gnomon_pi.tools.wiring.kicad._hub import DARK, LIT
from gnomon_pi.tools.wiring.kicad._stock import FLAT, JUMPER, STOCK

INPUTS: Final[Mapping[str, str]] = {
    "A": "north", "B": "south", "C": "ring1", "D": "ring2", "E": "ring3", "F": "ring4",
}  # fmt: skip
"""What the inputs of a register are at a space."""
POLES: Final = tuple(INPUTS.get(pole, pole) for pole in LIT)
"""What the ten poles of a strip's flat cable are, from pole 1, its opening looking down."""
LIT_INPUTS: Final = len(INPUTS)
MATRIX_END: Final = 26.0
"""As wide as the strip of a single square, with which it stands on a panel."""
HALL_POLES: Final = (V3, GND, "north", "south")
WIDTH: Final = 12.0
LOW: Final = 12.8
"""The length of what has no sensors of rings."""
HALL_CENTRE: Final = Spot(6.0, 6.5)
"""Where the switch is: on the axis of the post."""
RING_HEIGHT: Final = 6.0
FIRST_EYE: Final = 1.8
"""From the top of a strip to the middle of its first sensor: the middle of the highest ring."""
_RINGS: Final = 4
_BESIDE: Final = 0.8
"""How far a tube's insert reaches below the last ring's middle, less half a ring: its floor, less its flange."""
_POWER: Final = dict.fromkeys((GND, V3, V5, IR), 0.3)


def strip_name(rings: int) -> str:
    """What the strip of a space with so many rings is called."""
    return f"strip-{rings}"


def on_the_tube(rings: int) -> float:
    """How much of a strip lies on its tube: there it carries nothing but sensors."""
    return RING_HEIGHT * rings + _BESIDE if rings else 0.5


def strip_height(rings: int) -> float:
    """How long a strip is."""
    if not rings:
        return LOW
    # Three and four rings are of one length, so that a panel is scored in straight lines.
    return on_the_tube(_RINGS if rings == 3 else rings) + 3.4 + 12.3  # noqa: PLR2004 - of four rings


def strip(rings: int) -> CircuitBoard:
    """The strip of a space with so many rings; with none, of the stand."""
    parts = []
    for place in range(rings):
        ring = rings - place
        nets = {"1": f"light{ring}", "2": IR, "3": f"ring{ring}", "4": GND}
        at = Spot(WIDTH / 2, FIRST_EYE + RING_HEIGHT * place)
        parts.append(Placed(f"U{ring}", STOCK[catalogue.EYE], at, 90, nets, f"ring{ring}"))
    row = on_the_tube(rings) + 1.9
    for place, ring in enumerate(range(1, rings + 1)):
        left, right = Spot(WIDTH / 2 - 0.73 - 1.46 * place, row), Spot(WIDTH / 2 + 0.73 + 1.46 * place, row)
        lamp, load = {"1": V5, "2": f"light{ring}"}, {"1": V3, "2": f"ring{ring}"}
        parts.append(Placed(f"R{ring}", STOCK[catalogue.R180], left, 90, lamp))
        parts.append(Placed(f"R{_RINGS + ring}", STOCK[catalogue.R47K], right, 90, load))
    height = strip_height(rings)
    flat = {
        str(number): V3 if name.startswith("ring") and int(name[4:]) > rings else name
        for number, name in enumerate(POLES, start=1)
    }
    used = {pole for pole in flat.values() if rings or pole not in (V5, IR)}
    flat = {number: net for number, net in flat.items() if net in used}
    parts += (
        Placed("J1", FLAT, Spot(WIDTH / 2, height - 4.0), 0, flat),
        Placed("J2", JUMPER, Spot(WIDTH / 2, height - 9.25), 0, dict(zip("1234", HALL_POLES, strict=True))),
    )
    supplies = (GND, V3, V5, IR) if rings else (GND, V3)
    name = strip_name(rings)
    return CircuitBoard(
        name, f"TAMSK, strip of {rings} rings", WIDTH, height, tuple(parts), pours=ground_pour(WIDTH, height),
        supplies=supplies, widths=_POWER,
    )  # fmt: skip


def hall() -> CircuitBoard:
    """The board under a socket: glued with its bare side to the ceiling of the pocket, so its parts look down.

    The switch then sees the poles the other way round: its output 1 the south pole above it, its output 2 the north.
    """
    chip = {"1": V3, "2": GND, "3": "north", "4": "south"}
    parts = (
        Placed("U1", STOCK[catalogue.HALL_POLE], HALL_CENTRE, 0, chip),
        Placed("C1", STOCK[catalogue.C100N], Spot(2.75, 7.5), 90, {"1": GND, "2": V3}),
        Placed("C2", STOCK[catalogue.C100N], Spot(9.25, 7.5), 90, {"1": GND, "2": V3}),
        Placed("J1", JUMPER, Spot(6.0, 2.75), 0, dict(zip("1234", HALL_POLES, strict=True))),
    )
    labels = (Label("Gnomon hall", Spot(6.0, 11.0)),)
    return CircuitBoard(
        "hall",
        "TAMSK, the switch under a socket",
        WIDTH,
        LOW,
        parts,
        pours=ground_pour(WIDTH, LOW),
        labels=labels,
        supplies=(GND, V3),
    )


def end(bits: str) -> CircuitBoard:
    """What a plug of a hub is closed with where there is no space: each input held high (1) or low (0).

    `bits` are the inputs from A on: six of a hub with emitters, eight of one without.
    """
    poles = LIT if len(bits) == LIT_INPUTS else DARK
    levels = dict(zip("ABCDEFGH", bits, strict=False))
    nets = {
        str(number): (V3 if levels[pole] == "1" else GND) if pole in levels else pole
        for number, pole in enumerate(poles, start=1)
        if pole in levels or pole in (V3, GND)
    }
    width = WIDTH if len(bits) == LIT_INPUTS else MATRIX_END
    parts = (Placed("J1", FLAT, Spot(6, LOW - 4.0), 0, nets),)
    return CircuitBoard(
        f"end-{bits}", f"Hub, end plug {bits}", width, LOW, parts,
        labels=(Label(bits, Spot(6, 3.5)),), supplies=(GND, V3), widths=_POWER,
    )  # fmt: skip
