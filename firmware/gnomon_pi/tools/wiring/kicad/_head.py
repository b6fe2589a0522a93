"""Lay out the board on the Pi: supply, buffers, emitters' transistor, and plugs for all that has wires.

A carrier is the same for a clock: display, buttons and piezo stand on it, and nothing is wired at all.

It lies on the Pi's header as a HAT does, and reaches over the Pi's north and west edges, where the box has room. What
is on it, and which net each pin is of, comes from the netlist alone: all that belongs to no space and no register.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gnomon.refusals import statement
from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._netlist import FED, GND, IR, PI, V3, V5, Netlist, NetPart, WiringError
from gnomon_pi.tools.wiring.kicad._board import (
    BACK,
    FRONT,
    CircuitBoard,
    Hole,
    Label,
    Placed,
    Point,
    Track,
    Via,
    ground_pour,
    path,
)
from gnomon_pi.tools.wiring.kicad._hub import CHAIN
from gnomon_pi.tools.wiring.kicad._stock import ON_BOARD, PI_SOCKET, RIBBON, STOCK, StockPart, wire_header

WIDTH: Final = 77.0
HEIGHT: Final = 66.0
PI_CORNER: Final = Point(12.0, 10.0)
"""The upper left corner of the Pi below it, its header along the upper edge."""
_PIN_1: Final = Point(8.37, 4.77)
_SCREWS: Final = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
_BOX: Final = Point(24.0, 4.0)
# Where each part of the netlist lies, and its angle. Buttons and their resistors follow one another down the west side.
_PLACES: Final[Mapping[str, tuple[float, float, float]]] = {
    "J5V": (6, 56, 270), "FUSE": (22, 60, 0), "CIR": (52, 60, 0), "CSTRIP": (62, 59.5, 0),
    "UB": (27, 32, 0), "UB.C": (27, 25.5, 0), "RCLK": (35, 29, 0), "RLATCH": (35, 32, 0), "RDATA": (35, 35, 0),
    "UL": (46, 32, 0), "UL.C": (46, 25.5, 0), "RDI": (54, 29, 0), "RCI": (54, 32, 0),
    "QEMIT": (12, 6, 0), "REMIT": (7, 3, 0), "REMIT.off": (7, 9, 0),
    "STRIP": (45, 3.2, 0), "DISP": (59, 3.2, 0),
}  # fmt: skip
CARRIER_WIDTH: Final = 150.0
_CARRIER_CORNER: Final = Point(42.5, 10.0)
_CARRIER_PLACES: Final[Mapping[str, tuple[float, float, float]]] = {
    "DISP": (71.19, 6, 0), "BZ": (120, 57, 0), "RTONE": (108, 57, 0),
}  # fmt: skip
_CARRIER_BUTTONS: Final = (((16, 33, 0), (28, 33, 0)), ((134, 33, 0), (122, 33, 0)), ((75, 57, 0), (63, 57, 0)))
"""Where each of three buttons is, and the resistor beside it: a player's at either end, the arbiter's in the middle."""
_CARRIER_SCREWS: Final = ((4, 4), (146, 4), (4, 62), (146, 62))
_WEST: Final = (4.0, 20.0, 8.2)
_THICK: Final = 1.5
_WIDTHS: Final = {V3: 0.4, V5: 0.4, GND: 0.4, IR: 0.4, FED: 0.4}


def head(netlist: Netlist, stem: str, title: str, spaces: frozenset[str]) -> CircuitBoard:
    """The board of a description whose `spaces` are on hubs. Raises WiringError when it has no place for a part."""
    parts = [part for part in netlist.parts if _is_here(netlist, part, spaces)]
    chained = bool(spaces)
    carries = is_carrier(parts)
    name = f"{'carrier' if carries else 'head'}-{stem}"
    corner = _CARRIER_CORNER if carries else PI_CORNER
    places = _carrier_places(parts) if carries else dict(_PLACES) | _west(parts)
    taken: dict[str, int] = {}
    header = Point(corner.x + _PIN_1.x, corner.y + _PIN_1.y)
    placed = [
        Placed("J1", PI_SOCKET, header, 0, {pin: net for pin in PI_SOCKET.pins if (net := netlist.net(PI, pin))}, "Pi")
    ]
    taken["J"] = 1
    if chained:
        nets = {str(number): pole for number, pole in enumerate(CHAIN, start=1) if netlist.pins.get(pole)}
        placed.append(Placed("J2", RIBBON, _BOX, 0, nets, "hubs"))
        taken["J"] = 2
    for part in parts:
        if part.key == catalogue.PI:
            continue
        if part.reference not in places:
            raise WiringError(statement("wiring.no_board_place", part=part.reference))
        stock, numbers = stock_of(part, on_board=carries)
        taken[stock.letter] = taken.get(stock.letter, 0) + 1
        nets = {number: net for pin, number in numbers.items() if (net := netlist.net(part.reference, pin))}
        x, y, angle = places[part.reference]
        placed.append(Placed(f"{stock.letter}{taken[stock.letter]}", stock, Point(x, y), angle, nets, part.reference))
    copper = list(_power({part.mark: part for part in placed}))
    width = CARRIER_WIDTH if carries else WIDTH
    holes = [Hole(Point(corner.x + x, corner.y + y), 2.75) for x, y in _SCREWS]
    holes += [Hole(Point(*spot), 3.2) for spot in _CARRIER_SCREWS if carries]
    return CircuitBoard(
        name, title, width, HEIGHT, tuple(placed),
        tracks=tuple(item for item in copper if isinstance(item, Track)),
        vias=tuple(item for item in copper if isinstance(item, Via)),
        holes=tuple(holes), pours=ground_pour(width, HEIGHT),
        labels=(*_marks(placed), Label(f"Gnomon {name}", Point(corner.x + 34, 46), 1.5)),
        supplies=tuple(net for net in (GND, V3, FED, V5) if netlist.pins.get(net)), widths=_WIDTHS,
    )  # fmt: skip


def _is_here(netlist: Netlist, part: NetPart, places: frozenset[str]) -> bool:
    """Whether a part belongs on this board: to no place, and to no register."""
    owner = part.reference.partition(".")[0]
    registers = {chip.reference for chip in netlist.of(catalogue.HC165)}
    return owner not in registers and owner not in places and part.reference.removeprefix("C") not in registers


def is_carrier(parts: Iterable[NetPart]) -> bool:
    """Whether three buttons, a display and a piezo are all that there is: a clock."""
    keys = Counter(part.key for part in parts if part.key not in STOCK and part.key != catalogue.PI)
    return keys == Counter({catalogue.BUTTON: 3, catalogue.OLED_I2C: 1, catalogue.PIEZO: 1})


def stock_of(part: NetPart, *, on_board: bool) -> tuple[StockPart, Mapping[str, str]]:
    """What stands for a part on a board, and the number of the pad of each of its pins."""
    if on_board and part.key in ON_BOARD:
        stock = ON_BOARD[part.key]
        return stock, {pin: str(number) for number, pin in enumerate(part.article.pins, start=1)}
    if part.key in STOCK:
        return STOCK[part.key], {pin: pin for pin in part.article.pins}
    names = tuple(part.article.pins)
    return wire_header(f"XH-{len(names)} {part.key}", names), {
        pin: str(number) for number, pin in enumerate(names, start=1)
    }


def _carrier_places(parts: list[NetPart]) -> dict[str, tuple[float, float, float]]:
    found = dict(_CARRIER_PLACES)
    buttons = [part.reference for part in parts if part.key == catalogue.BUTTON]
    for reference, (place, beside) in zip(buttons, _CARRIER_BUTTONS, strict=True):
        found |= {reference: place, f"{reference}.R": beside}
    return found


def _west(parts: list[NetPart]) -> dict[str, tuple[float, float, float]]:
    x, y, step = _WEST
    found = {}
    for number, part in enumerate(part for part in parts if part.key in (catalogue.BUTTON, catalogue.PIEZO)):
        row = y + number * step
        found[part.reference] = (x, row, 90.0)
        found[f"{part.reference}.R" if part.key == catalogue.BUTTON else "RTONE"] = (11.5, row - 1.25, 0.0)
    return found


def _marks(placed: list[Placed]) -> Iterator[Label]:
    for part in placed:
        if part.stock.letter in "JS" and part.mark not in ("Pi", "hubs"):
            yard = part.courtyard
            beside = part.angle == 90  # noqa: PLR2004 - a right angle
            at = (
                Point(yard.right + 3.4, part.at.y + 0.8)
                if beside
                else Point((yard.left + yard.right) / 2, yard.bottom + 0.9)
            )
            yield Label(part.mark.removeprefix("S."), at, 0.8)
        elif part.mark == "hubs":
            yield Label("hubs", Point(part.courtyard.right + 1.4, 8.0), 0.8)


def _power(parts: Mapping[str, Placed]) -> Iterator[Track | Via]:
    """What carries amperes, by rule: from the terminal by the fuse to lights and hubs, back by the transistor."""

    def pad(mark: str, number: str) -> Point:
        x, y = next((pad.x, pad.y) for pad in parts[mark].footprint.pads if pad.number == number)
        return parts[mark].turn(x, y)

    if "FUSE" not in parts:
        return
    feed, entry, out = pad("J5V", "+"), pad("FUSE", "1"), pad("FUSE", "2")
    yield from path(FED, FRONT, 2.0, feed, Point(entry.x - 4, feed.y), entry)
    trunk, column, upper = 52.5, 18.2, 8.9
    yield from path(V5, BACK, 2.0, out, Point(out.x, trunk), Point(column + 0.25, trunk))
    for mark in ("CIR", "CSTRIP"):
        if mark in parts:
            plus = pad(mark, "1")
            yield from path(V5, BACK, 2.0, Point(out.x, trunk), Point(plus.x, trunk), plus)
    ends = [pad("hubs", "2").x] if "hubs" in parts else []
    ends += [pad("STRIP", "1").x] if "STRIP" in parts else []
    if ends:
        yield from path(V5, BACK, _THICK, Point(column, trunk), Point(column, upper), Point(max(ends), upper))
    if "hubs" in parts:
        yield from path(V5, BACK, _THICK, Point(pad("hubs", "2").x, upper), pad("hubs", "1"))
    if "STRIP" in parts:
        yield from path(V5, BACK, _THICK, Point(pad("STRIP", "1").x, upper), pad("STRIP", "1"))
    if "QEMIT" in parts and "hubs" in parts:
        drain, source, ribbon = pad("QEMIT", "3"), pad("QEMIT", "2"), pad("hubs", "3")
        yield from path(
            IR,
            FRONT,
            1.2,
            drain,
            Point(drain.x + 0.5, drain.y),
            Point(drain.x + 0.5, 1.4),
            Point(ribbon.x, 1.4),
            pad("hubs", "4"),
        )
        yield from path(GND, FRONT, 0.6, source, Point(source.x, source.y + 2.0))
        for aside in (-0.5, 0.5):
            yield from path(GND, FRONT, 0.6, Point(source.x, source.y + 2.0), Point(source.x + aside, source.y + 2.0))
            yield Via(GND, Point(source.x + aside, source.y + 2.0), 0.8, 0.4)
