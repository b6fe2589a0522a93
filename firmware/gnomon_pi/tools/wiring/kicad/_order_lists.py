"""List what a board of circuit boards needs: orders at a maker of boards, what stands elsewhere, cables."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from math import ceil
from typing import Final

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._nets import fuse
from gnomon_pi.tools.wiring._tables import WIRE_CENTS_A_METRE, PartsLine, line_of, lines_around, lines_of_magnets
from gnomon_pi.tools.wiring.kicad._assembly import Assembly
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard
from gnomon_pi.tools.wiring.kicad._panel import PIECES, orders, pieces_ordered
from gnomon_pi.tools.wiring.kicad._stock import StockPart

BOARD_FOREWORD: Final = """\
Made from the description of the board by `gnomond wiring`: change the description, not this file.

Circuit boards and what is assembled on them come in fives; the rest is what one board needs. Prices are estimates,
without postage and customs. Order numbers are the makers'; those of LCSC were seen in use, and nobody has ordered by
them yet. No board has been built of these parts: order one set, and try one space first.
"""
BOARD_NOTE: Final = """\
This board is made of circuit boards, which do the wiring of these tables. Their plugs to the hubs have ten poles, and
their switches are one chip for both poles: `pins.csv`, which `gnomond wiring --format kicad` writes, says where each
pin is.
"""
_SMALL_MM: Final = 100.0
_SMALL_CENTS, _LARGE_CENTS = 50, 140
"""A bare board of two layers in five pieces, up to 100 mm a side or larger."""
_SET_UP_CENTS: Final = 950
_KIND_CENTS: Final = 280
"""What an assembler asks for each order, and for each kind of part that it has to load: all are counted as such."""
_JOINT_CENTS: Final = 0.16
_LEAST_ASSEMBLED: Final = 2
_CABLES: Final[Mapping[str, tuple[str, str, int]]] = {
    "flat": ("flat cable, 10 × 0.5 mm, 150 to 300 mm", "contacts on the same face at both ends (type A)", 25),
    "short": ("cable of four poles, JST SH, 100 mm", "ready-made: Qwiic, STEMMA QT", 40),
    "ribbon": ("ribbon of ten cores, 15 cm, with two IDC plugs", "pressed, or bought ready-made", 60),
    "jumper": ("jumper, 2.54 mm", "on the last hub, over DATA and its neighbour", 5),
}
_HEADER: Final = re.compile(r"B(\d+)B-XH-A")
"""JST's number of a header, which is soldered to a board; its plug is crimped."""
_TO_A_PLUG_M, _BETWEEN_LIGHTS_M = 1.0, 0.1
_CORES_OF_A_LIGHT: Final = 4
_NOT_WITH_BOARDS: Final = ("wire", "socket 2 × 20")
_ELSEWHERE: Final = (
    catalogue.PI, catalogue.OLED_I2C, catalogue.OLED_SPI, catalogue.STRIP, catalogue.PN532, catalogue.PIEZO,
    catalogue.BUTTON,
)  # fmt: skip


_SPACERS: Final = PartsLine(
    4, "", "spacer, M2.5 × 11 mm", "between the Pi and the board on it", "with two screws", "", 15, ""
)


class Shop(Enum):
    """Where something is bought."""

    BOARDS = "a maker of boards that also assembles"
    PI = "a shop for the Raspberry Pi"
    PARTS = "a shop for electronic parts"


def board_lines(description: BoardDescription, built: Assembly) -> tuple[PartsLine, ...]:
    """Everything to buy. Boards and what is assembled on them come in fives, the rest in what one board needs."""
    return tuple(line for _, line in _lines(description, built, 1))


def cents_by_shop(description: BoardDescription, built: Assembly, boards: int = 1) -> Mapping[Shop, int]:
    """What so many boards that are ordered together cost at each shop, in cents."""
    sums = dict.fromkeys(Shop, 0)
    for shop, line in _lines(description, built, boards):
        sums[shop] += line.total
    return sums


def _lines(description: BoardDescription, built: Assembly, boards: int) -> Iterator[tuple[Shop, PartsLine]]:
    for line in _elsewhere(description, built):
        at = Shop.PI if line.value in (catalogue.PI, catalogue.OLED_I2C, catalogue.OLED_SPI) else Shop.PARTS
        yield at, _times(line, boards)
    for line in _boards(built, boards):
        yield Shop.BOARDS, line
    by_hand = (*_hands(built), *_fuses(description, built), *_cables(built), *_wires(description, built), _SPACERS)
    for line in (*by_hand, *lines_of_magnets(description)):
        yield Shop.PARTS, _times(line, boards)
    for line in lines_around(description, built.netlist):
        if line.value not in _NOT_WITH_BOARDS:
            yield Shop.PI, _times(line, boards)


def _times(line: PartsLine, boards: int) -> PartsLine:
    return line._replace(quantity=line.quantity * boards)


def _elsewhere(description: BoardDescription, built: Assembly) -> Iterator[PartsLine]:
    standing = {part.mark for design in built.designs.values() for part in design.parts if part.stands}
    for key in _ELSEWHERE:
        module = key in (catalogue.OLED_I2C, catalogue.OLED_SPI)  # It is plugged on what stands there.
        count = sum(module or part.reference not in standing for part in built.netlist.of(key))
        if key == catalogue.STRIP and description.lights is not None:
            count = description.lights.count
        if count:
            yield line_of(count, key)


def _pieces_of(built: Assembly, name: str, boards: int) -> int:
    """How many of an order are assembled: all panels, and as many of the larger boards as are needed."""
    return max(_LEAST_ASSEMBLED, boards * built.quantities[name]) if name in built.quantities else boards * PIECES


def _boards(built: Assembly, boards: int) -> Iterator[PartsLine]:
    kinds: Counter[str] = Counter()
    stock: dict[str, StockPart] = {}
    for order, board in orders(built).items():
        name = order.replace(f"{built.name}-", "").replace(f"-{built.name}", "")
        size = f"{board.width:g} × {board.height:g} × {board.thickness:g} mm, two layers"
        small = max(board.width, board.height) <= _SMALL_MM
        cents = _SMALL_CENTS if small else _LARGE_CENTS
        ordered = pieces_ordered(built, order, boards)
        yield PartsLine(ordered, "", name, "circuit board", size, "", cents, "one board")
        placed = [part.stock for part in board.parts if not part.footprint.through]
        pieces = _pieces_of(built, order, boards)
        joints = sum(len(part.footprint.pads) for part in placed) * pieces
        loaded = len({part.number for part in placed})
        cents = ceil(_SET_UP_CENTS + _KIND_CENTS * loaded + _JOINT_CENTS * joints)
        what = f"set-up, {loaded} kinds of parts, {joints} joints"
        yield PartsLine(1, "", f"assembly of {name}", what, f"{pieces} pieces", "by hand, with a stencil", cents, "")
        for part in placed:
            kinds[part.number] += pieces
            stock[part.number] = part
    for number, count in sorted(kinds.items()):
        yield _stock_line(stock[number], count)


def _hands(built: Assembly) -> Iterator[PartsLine]:
    counts: Counter[str] = Counter()
    stock: dict[str, StockPart] = {}
    for design in built.boards.values():
        for part in _through(built.designs[design]):
            counts[part.number] += 1
            stock[part.number] = part
    for number, count in sorted(counts.items()):
        yield _stock_line(stock[number], count)


def _fuses(description: BoardDescription, built: Assembly) -> Iterator[PartsLine]:
    if built.netlist.of(catalogue.FUSE):
        yield PartsLine(1, "", f"fuse, {fuse(description)}", "slow, IEC 60127-2", "5 × 20 mm", "", 30, "")


def _through(board: CircuitBoard) -> Iterator[StockPart]:
    return (part.stock for part in board.parts if part.footprint.through)


def _stock_line(part: StockPart, count: int) -> PartsLine:
    order = f"{part.maker} {part.number}" + (f", LCSC {part.lcsc}" if part.lcsc else "")
    return PartsLine(count, "", part.value, order, part.footprint.name, "", max(1, ceil(part.cents)), "")


def _cables(built: Assembly) -> Iterator[PartsLine]:
    counts = Counter(cable.kind for cable in built.cables)
    for kind, (what, how, cents) in _CABLES.items():
        if counts[kind]:
            yield PartsLine(counts[kind], "", what, how, "", "", cents, "")


def _wires(description: BoardDescription, built: Assembly) -> Iterator[PartsLine]:
    """What is crimped and soldered to display, buttons, piezo and lights."""
    headers = Counter(
        int(found[1])
        for design in built.boards.values()
        for part in _through(built.designs[design])
        if (found := _HEADER.fullmatch(part.number))
    )
    for poles, count in sorted(headers.items()):
        what = f"JST XHP-{poles} and {poles} × SXH-001T-P0.6"
        yield PartsLine(
            count, "", f"XH-{poles} plug with crimps", what, "", "ready-made with wires", 11 + 2 * poles, ""
        )
    lights = 0 if description.lights is None else description.lights.count
    crimped = sum(poles * count for poles, count in headers.items())
    metres = ceil(crimped * _TO_A_PLUG_M + lights * _CORES_OF_A_LIGHT * _BETWEEN_LIGHTS_M)
    if metres:
        what = f"{crimped} cores to the plugs" + (f", {_CORES_OF_A_LIGHT} from light to light" if lights else "")
        yield PartsLine(metres, "m", "wire", f"{what}, estimated", "AWG 26, stranded", "", WIRE_CENTS_A_METRE, "")
