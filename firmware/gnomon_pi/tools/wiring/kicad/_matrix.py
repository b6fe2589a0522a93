"""Lay out the strip of a matrix: eight squares in a row, each with a Hall switch, and one plug to a hub.

It is glued with its bare side under the squares. A strip may have fewer squares: the inputs that it does not have are
held at 3.3 V, so that no input of a register floats.
"""

from typing import Final

from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._netlist import GND, V3
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard, Placed, Spot, ground_pour
from gnomon_pi.tools.wiring.kicad._hub import DARK
from gnomon_pi.tools.wiring.kicad._stock import FLAT, STOCK

SQUARE: Final = 20.0
WIDTH: Final = 6.4
THICKNESS: Final = 0.8
"""Thinner than the others: the switches see the magnets through it."""
_MIDDLE: Final = 3.25
_SUPPLY: Final = {V3: 0.3, GND: 0.3}


def matrix_name(squares: int) -> str:
    """What a strip of so many squares is called."""
    return f"matrix-{squares}"


def matrix(squares: int) -> CircuitBoard:
    """The strip of so many squares, from 1 to 8."""
    parts = []
    for number in range(squares):
        letter, x = "ABCDEFGH"[number], SQUARE * (number + 0.5)
        chip = {"1": V3, "2": GND, "4": letter}
        parts.append(Placed(f"U{number + 1}", STOCK[catalogue.HALL_ANY], Spot(x, _MIDDLE), 0, chip))
        capacitor = {"1": GND, "2": V3}
        parts.append(Placed(f"C{number + 1}", STOCK[catalogue.C100N], Spot(x - 2.25, _MIDDLE), 90, capacitor))
    length = SQUARE * squares + (0 if squares > 1 else 6)
    here = "ABCDEFGH"[:squares]
    nets = {
        str(number): V3 if pole not in (GND, V3) and pole not in here else pole
        for number, pole in enumerate(DARK, start=1)
    }
    plug = SQUARE * (squares // 2) if squares > 1 else SQUARE - 0.5
    parts.append(Placed("J1", FLAT, Spot(plug, 2.4), 0, nets))
    return CircuitBoard(
        matrix_name(squares), f"Tayu, strip of {squares} squares", length, WIDTH, tuple(parts),
        thickness=THICKNESS, pours=ground_pour(length, WIDTH), supplies=(GND, V3), widths=_SUPPLY,
    )  # fmt: skip
