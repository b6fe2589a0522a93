"""Lay one space out on a breadboard: which leg and which wire goes into which hole, and the picture of it.

A breadboard joins the five holes a to e of a row, and f to j; each of its four rails is one long hole.
A test computes what is joined that way, and holds the layout to the description.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon_pi.config.description import PINS_OF_A_REGISTER, BoardDescription, Chain
from gnomon_pi.tools.wiring._netlist import WiringError
from gnomon_pi.tools.wiring._sheet import FAINT, INK, DrawingSheet, PaintStyle, Point, Type

ROWS: Final = 30
_LEFT = "abcde"
_DIP: Final = 16
_CAPACITOR: Final = "100 nF"
_SPI0: Final = {"clock": 11, "data": 9}
# Texas Instruments, SN74HC165, SCLS116: the pin of each input.
_INPUT_PINS: Final = {"A": 11, "B": 12, "C": 13, "D": 14, "E": 3, "F": 4, "G": 5, "H": 6}
_FIRST_ROWS: Final = (3, 13)  # of the two registers
_CAPACITOR_ROWS: Final = (6, 12)
_GREEN, _YELLOW, _BLUE, _ORANGE, _RED, _BLACK = "#2e8b57", "#b8960c", "#2b5fb3", "#c8641e", "#b3262b", "#1c1c1c"


class Leg(NamedTuple):
    """A leg of a part, by its name, and the hole that it is in."""

    name: str
    hole: str


class Part(NamedTuple):
    """A part with its legs; a wire is a part of two legs without names."""

    name: str
    what: str
    legs: tuple[Leg, ...]
    colour: str = INK


class BreadboardLayout(NamedTuple):
    """What is on a breadboard; a hole is `e3`, a rail `L+`, and a pin of the Pi `GPIO 25`, `3V3` or `GND`."""

    parts: tuple[Part, ...]
    wires: tuple[Part, ...]


def one_space(description: BoardDescription) -> BreadboardLayout:
    """The layout for one space with one ring, whose inputs are the first three. Raises WiringError."""
    sensors = description.sensors
    names = [f"{description.only[0]}.{kind}" for kind in ("north", "south", "ring1")]
    is_chain = isinstance(sensors, Chain) and sensors.registers == len(_FIRST_ROWS) and sensors.bits == (0, 1, 2)
    if not is_chain or not isinstance(sensors, Chain) or [*sensors.inputs] != names or sensors.emitters is None:
        raise WiringError(statement("wiring.breadboard"))
    place = description.only[0]
    chips = tuple(_dip(f"U{number}", row) for number, row in enumerate(_FIRST_ROWS))
    parts = (
        *chips,
        _part(f"{place}.north", "DRV5032DU, marked side to the magnet", {"VCC": "h22", "GND": "h23", "OUT": "h24"}),
        _part(f"{place}.south", "DRV5032DU, the other way round", {"VCC": "h26", "GND": "h27", "OUT": "h28"}),
        _part(f"{place}.ring1", "QRE1113", {"anode": "e29", "cathode": "e30", "collector": "f30", "emitter": "f29"}),
        _part("Q", "BC547 or 2N3904", {"collector": "c22", "base": "c23", "emitter": "c24"}),
        _part("R1", "100 Ω", {"1": "L+", "2": "a29"}),
        _part("R2", "1 kΩ", {"1": "b26", "2": "b23"}),
        _part("R3", "47 kΩ", {"1": "R+", "2": "j30"}),
        _part("C0", _CAPACITOR, {"1": "R+", "2": "R-"}),
        _part("C1", _CAPACITOR, {"1": "R+", "2": "R-"}),
    )
    wires = (*_supply(), *_chain(sensors), *_levels(sensors), *_space(sensors.emitters.pin))
    return BreadboardLayout(parts, wires)


def _supply() -> tuple[Part, ...]:
    return (
        _wire("3V3", "L+", _RED),
        _wire("GND", "L-", _BLACK),
        _wire("L+", "R+", _RED),
        _wire("L-", "R-", _BLACK),
    )


def _chain(sensors: Chain) -> tuple[Part, ...]:
    """Latch, clock and data of both registers."""
    first, last = _FIRST_ROWS
    return (
        _wire(f"GPIO {sensors.latch}", f"a{first}", _YELLOW),
        _wire(f"b{first}", f"b{last}", _YELLOW),
        _wire(f"GPIO {_SPI0['clock']}", f"a{first + 1}", _BLUE),
        _wire(f"b{first + 1}", f"b{last + 1}", _BLUE),
        _wire(f"GPIO {_SPI0['data']}", f"j{first + 7}", _GREEN),
        _wire(f"g{last + 7}", f"g{first + 6}", _GREEN),
        _wire(f"j{last + 6}", "R-", _BLACK),
    )


def _levels(sensors: Chain) -> tuple[Part, ...]:
    """Supply of the registers, their CLK INH at ground, spare inputs at 3.3 V, and the canary's pattern."""
    wires = []
    used = len(sensors.inputs)
    for number, row in enumerate(_FIRST_ROWS):
        wires += [_to_rail(row, 16, is_high=True), _to_rail(row, 8, is_high=False), _to_rail(row, 15, is_high=False)]
        for bit, name in enumerate(PINS_OF_A_REGISTER):
            if number == 0 and bit >= used:
                wires.append(_to_rail(row, _INPUT_PINS[name], is_high=sensors.active_low))
            elif number == 1:
                wires.append(_to_rail(row, _INPUT_PINS[name], is_high=bool(sensors.canary >> bit & 1)))
    return tuple(wires)


def _space(emitters: int) -> tuple[Part, ...]:
    """The sensors of the space, their supply and their lines to the register."""
    first = _FIRST_ROWS[0]
    lines = [f"i{_row_of(first, _INPUT_PINS[name])}" for name in "ABC"]
    return (
        *(_wire(f"j{row}", "R+", _RED) for row in (22, 26)),
        *(_wire(f"j{row}", "R-", _BLACK) for row in (23, 27)),
        _wire("i24", lines[0], _ORANGE),
        _wire("i28", lines[1], _ORANGE),
        _wire("i30", lines[2], _ORANGE),
        _wire("j29", "R-", _BLACK),
        _wire("a30", "a22", _GREEN),
        _wire("d24", "L-", _BLACK),
        _wire(f"GPIO {emitters}", "a26", _ORANGE),
    )


def _dip(name: str, row: int) -> Part:
    legs = tuple(Leg(str(pin), f"{'e' if pin <= _DIP // 2 else 'f'}{_row_of(row, pin)}") for pin in range(1, _DIP + 1))
    return Part(name, "74HC165", legs)


def _row_of(first: int, pin: int) -> int:
    """The row of a pin of a chip whose pin 1 is in row `first`."""
    return first + (pin - 1 if pin <= _DIP // 2 else _DIP - pin)


def _to_rail(first: int, pin: int, *, is_high: bool) -> Part:
    is_left = pin <= _DIP // 2
    rail = f"{'L' if is_left else 'R'}{'+' if is_high else '-'}"
    return _wire(f"{'a' if is_left else 'j'}{_row_of(first, pin)}", rail, _RED if is_high else _BLACK)


def _part(name: str, what: str, legs: Mapping[str, str]) -> Part:
    return Part(name, what, tuple(Leg(leg, hole) for leg, hole in legs.items()))


def _wire(first: str, second: str, colour: str) -> Part:
    return Part("", "wire", (Leg("", first), Leg("", second)), colour)


# The picture

_PITCH: Final = 24.0
_TOP: Final = 110.0
_EDGE: Final = 250.0
_COLUMNS: Final = {
    "L+": 0.0, "L-": 1.0, "a": 3.0, "b": 4.0, "c": 5.0, "d": 6.0, "e": 7.0,
    "f": 10.0, "g": 11.0, "h": 12.0, "i": 13.0, "j": 14.0, "R-": 16.0, "R+": 17.0,
}  # fmt: skip
_HOLE: Final = PaintStyle(fill="#d8d4ca", stroke="none")
_CHIP: Final = PaintStyle(fill="#3a3a3a", stroke="none")


def breadboard_drawing(layout: BreadboardLayout, name: str) -> str:
    """The breadboard as an SVG: every hole, every part and every wire."""
    sheet = DrawingSheet(
        f"{name}: the breadboard", "Which leg and which wire goes into which hole; the rows are numbered.", upright=True
    )
    sheet.text((40, 50), f"{name}: the breadboard", Type(size=26, bold=True))
    sheet.text((40, 76), "Red is 3.3 V and black is ground; no 5 V is needed.", Type(colour=FAINT))
    _draw_holes(sheet)
    upright = [wire for wire in layout.wires if len({_column(leg.hole) for leg in wire.legs}) == 1]
    for wire in layout.wires:
        first, second = (leg.hole for leg in wire.legs)
        lanes = [other for other in upright if _column(other.legs[0].hole) == _column(first)]
        lane = (lanes.index(wire) + 1) / (len(lanes) + 1) if wire in lanes else 0
        _draw_wire(sheet, first, second, wire.colour, lane)
    for part in layout.parts:
        _draw_part(sheet, part)
    _list_parts(sheet, layout)
    return sheet.svg()


def _list_parts(sheet: DrawingSheet, layout: BreadboardLayout) -> None:
    """Below the board, each part with its legs and their holes."""
    for number, part in enumerate(layout.parts):
        shown = part.legs if len(part.legs) < _DIP else (part.legs[0], part.legs[-1])
        said = ", ".join(f"{leg.name} in {_hole_name(part, leg.hole)}" for leg in shown)
        y = _TOP + (ROWS + 2) * _PITCH + 22 * number
        sheet.text((60, y), part.name, Type(bold=True))
        sheet.text((150, y), part.what)
        sheet.text((430, y), said)


def _hole_name(part: Part, hole: str) -> str:
    """A hole; of a rail in which row, where a part is drawn at one."""
    if hole not in _COLUMNS:
        return hole
    row = next((_row(leg.hole) for leg in part.legs if leg.hole not in _COLUMNS), 0) or _capacitor_row(part)
    return f"{'left' if hole[0] == 'L' else 'right'} {hole[1]} at {row}"


def _at(column: str, row: float) -> Point:
    return _EDGE + _COLUMNS[column] * _PITCH, _TOP + row * _PITCH


def _draw_holes(sheet: DrawingSheet) -> None:
    for column in _COLUMNS:
        x, y = _at(column, 0)
        sheet.text((x, y + 4), column[-1], Type(size=12, anchor="middle", colour=FAINT))
        for row in range(1, ROWS + 1):
            sheet.dot(_at(column, row), 3, _HOLE)
    for row in range(1, ROWS + 1):
        x, y = _at("e", row)
        sheet.text((x + 1.5 * _PITCH, y + 4), str(row), Type(size=9, anchor="middle", colour=FAINT))


def _point(hole: str, other: str) -> Point:
    """Where a hole is; a rail has one in the row of the other end, and a pin of the Pi is outside."""
    if hole in _COLUMNS:
        return _at(hole, _row(other) if other[1:].isdecimal() else _row(hole))
    if hole[:1] in _COLUMNS and hole[1:].isdecimal():
        return _at(hole[0], int(hole[1:]))
    y = _at("a", _row(other))[1]
    return (_EDGE - 3 * _PITCH if _column(other) in {"L+", "L-", *_LEFT} else _EDGE + 20 * _PITCH), y


def _row(hole: str) -> int:
    return int(hole[1:]) if hole[1:].isdecimal() else {"L+": 1, "L-": 2, "R+": 1, "R-": 2}.get(hole, 1)


def _column(hole: str) -> str:
    return hole if hole in _COLUMNS else hole[:1]


def _draw_wire(sheet: DrawingSheet, first: str, second: str, colour: str, lane: float) -> None:
    """One that runs along a column goes through its lane beside it, so that it covers no hole and no other wire."""
    look = PaintStyle(stroke=colour, width=2.4)
    start, end = _point(first, second), _point(second, first)
    if first not in _COLUMNS and not first[1:].isdecimal():
        is_left = start[0] < _EDGE
        sheet.text((start[0] + (-6 if is_left else 6), start[1] + 4), first, Type(anchor="end" if is_left else "start"))
    if lane:
        aside = start[0] + (_PITCH * lane if _column(first) in {"b", "g", "i"} else -_PITCH * lane)
        sheet.wire((start, (aside, start[1]), (aside, end[1]), end), look)
    else:
        sheet.wire((start, end), look)
    for point in (start, end):
        sheet.dot(point, 4, PaintStyle(fill=colour, stroke="none"))


def _draw_part(sheet: DrawingSheet, part: Part) -> None:
    holes = [leg.hole for leg in part.legs]
    points = [_point(hole, next(other for other in holes if other != hole)) for hole in holes]
    if part.what == _CAPACITOR:
        points = [_at(hole, _capacitor_row(part)) for hole in holes]
    left, top = (min(each) for each in zip(*points, strict=True))
    right, bottom = (max(each) for each in zip(*points, strict=True))
    margin = 0.0 if len(points) == _DIP else 8.0
    look = _CHIP if len(points) == _DIP else PaintStyle(fill="#f0c987", stroke=INK)
    sheet.box((left - margin, top - 9), (right - left + 2 * margin, bottom - top + 18), look)
    for leg, point in zip(part.legs, points, strict=True):
        sheet.dot(point, 4, PaintStyle(fill="#ffffff", stroke=INK))
        if leg.name in {"1", "16"} and len(points) == _DIP:
            aside = point[0] + (14 if leg.name == "1" else -14)
            sheet.text((aside, point[1] + 4), leg.name, Type(size=10, anchor="middle", colour="#ffffff"))
    height = (top + bottom) / 2 + 4
    if len(points) == _DIP:
        how = Type(size=10, anchor="middle", bold=True, colour="#ffffff")
        sheet.text(((left + right) / 2, height), f"{part.name} {part.what}", how)
    elif left == right and part.name != "Q":
        sheet.text((left - 14, height), part.name, Type(size=10, anchor="end", bold=True))
    elif left == right or part.what == _CAPACITOR:
        sheet.text((right + 14, height), part.name, Type(size=10, bold=True))
    else:
        sheet.text(((left + right) / 2, height), part.name, Type(size=10, anchor="middle", bold=True))


def _capacitor_row(part: Part) -> int:
    """Near the supply pin of its chip, where no wire is in the rails."""
    return _CAPACITOR_ROWS[int(part.name[1:])]
