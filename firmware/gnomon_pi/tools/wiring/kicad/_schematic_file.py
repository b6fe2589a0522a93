"""Write the circuit of a board as KiCad 9 reads it: `.kicad_sch`.

Each part is a box with its pins; a label at a pin says its net. So the sheet is a list to read and to check, not a
drawing to admire: where the wires run is what the board shows.
"""

from collections.abc import Iterator
from math import ceil
from typing import Final

from gnomon_pi.tools.wiring.kicad._board import CircuitBoard, Placed
from gnomon_pi.tools.wiring.kicad._expression import Node, Word, dump, identity
from gnomon_pi.tools.wiring.kicad._pcb_file import LIBRARY
from gnomon_pi.tools.wiring.kicad._stock import StockPart

_VERSION: Final = 20250114
_GRID: Final = 2.54
_PIN: Final = 2.54
_LEFT, _TOP, _BOTTOM = 40.64, 38.1, 380.0
_COLUMN: Final = 76.2


def schematic_text(board: CircuitBoard) -> str:
    """The file."""
    root = identity("sheet", board.name)
    stocks = {part.stock.value: part.stock for part in board.parts}
    placed = list(_places(board))
    return (
        dump(
            (
                Word("kicad_sch"),
                (Word("version"), _VERSION),
                (Word("generator"), "gnomond"),
                (Word("generator_version"), "9.0"),
                (Word("uuid"), root),
                (Word("paper"), "A2"),
                (Word("title_block"), (Word("title"), board.title)),
                (Word("lib_symbols"), *map(_library_symbol, stocks.values()), _flag_symbol()),
                *(node for part, x, y in placed for node in _labels(board, part, x, y)),
                *(node for number, net in enumerate(board.supplies) for node in _flag(board, number, net)),
                *(_symbol(board, part, x, y) for part, x, y in placed),
                (Word("sheet_instances"), (Word("path"), "/", (Word("page"), "1"))),
                (Word("embedded_fonts"), Word("no")),
            )
        )
        + "\n"
    )


def _places(board: CircuitBoard) -> Iterator[tuple[Placed, float, float]]:
    x, y = _LEFT, _TOP
    for part in board.parts:
        height = (_rows(part.stock) + 3) * _GRID
        if y + height > _BOTTOM:
            x, y = x + _COLUMN, _TOP
        yield part, x, y
        y += height


def _rows(stock: StockPart) -> int:
    return ceil(len(stock.footprint.numbers) / 2)


def _pins(stock: StockPart) -> Iterator[tuple[str, float, float, int]]:
    """The pins with the ends of their lines, y upwards, and the way that they look: half of them on each side."""
    numbers, rows = stock.footprint.numbers, _rows(stock)
    for place, number in enumerate(numbers):
        left = place < rows
        row = place if left else len(numbers) - 1 - place
        yield number, (-1 if left else 1) * (10.16 + _PIN), -row * _GRID, 0 if left else 180


def _font(size: float = 1.27, justify: str = "") -> Node:
    facts: tuple[Node, ...] = ((Word("font"), (Word("size"), size, size)),)
    return (Word("effects"), *facts, *(((Word("justify"), Word(justify)),) if justify else ()))


def _property(name: str, value: str, x: float, y: float, *, hidden: bool = False) -> Node:
    flags = ((Word("hide"), Word("yes")),) if hidden else ()
    return (Word("property"), name, value, (Word("at"), x, y, 0), *flags, _font())


def _library_symbol(stock: StockPart) -> Node:
    name = _safe(stock.value)
    lines = tuple(
        (
            Word("pin"), Word(stock.kinds.get(number, "passive")), Word("line"), (Word("at"), x, y, angle),
            (Word("length"), _PIN), (Word("name"), _pin_name(stock, number), _font()),
            (Word("number"), number, _font()),
        )
        for number, x, y, angle in _pins(stock)
    )  # fmt: skip
    box = (
        Word("rectangle"), (Word("start"), -10.16, _GRID), (Word("end"), 10.16, -_rows(stock) * _GRID),
        (Word("stroke"), (Word("width"), 0), (Word("type"), Word("default"))),
        (Word("fill"), (Word("type"), Word("none"))),
    )  # fmt: skip
    return (
        Word("symbol"), f"{LIBRARY}:{name}", (Word("exclude_from_sim"), Word("no")), (Word("in_bom"), Word("yes")),
        (Word("on_board"), Word("yes")), _property("Reference", stock.letter, 0, 5.08),
        _property("Value", name, 0, 3.81),
        _property("Footprint", f"{LIBRARY}:{stock.footprint.name}", 0, 0, hidden=True),
        _property("Datasheet", "", 0, 0, hidden=True), _property("Description", "", 0, 0, hidden=True),
        (Word("symbol"), f"{name}_0_1", box), (Word("symbol"), f"{name}_1_1", *lines),
        (Word("embedded_fonts"), Word("no")),
    )  # fmt: skip


def _pin_name(stock: StockPart, number: str) -> str:
    name = stock.pins.get(number, "")
    return name if name != number else "~"


def _safe(name: str) -> str:
    return name.replace(" ", "_").replace("/", "_")


def _flag_symbol() -> Node:
    pin = (
        Word("pin"), Word("power_out"), Word("line"), (Word("at"), 0, 0, 90), (Word("length"), 0),
        (Word("name"), "", _font()), (Word("number"), "1", _font()),
    )  # fmt: skip
    return (
        Word("symbol"), f"{LIBRARY}:PWR_FLAG", (Word("power"),), (Word("exclude_from_sim"), Word("no")),
        (Word("in_bom"), Word("yes")), (Word("on_board"), Word("yes")),
        _property("Reference", "#FLG", 0, 1.9, hidden=True), _property("Value", "PWR_FLAG", 0, 3.8),
        _property("Footprint", "", 0, 0, hidden=True), _property("Datasheet", "", 0, 0, hidden=True),
        _property("Description", "", 0, 0, hidden=True), (Word("symbol"), "PWR_FLAG_0_0", pin),
        (Word("embedded_fonts"), Word("no")),
    )  # fmt: skip


def _label(board: CircuitBoard, net: str, at: tuple[float, float], *, left: bool, key: object) -> Node:
    return (
        Word("global_label"), net, (Word("shape"), Word("passive")), (Word("at"), *at, 180 if left else 0),
        (Word("fields_autoplaced"), Word("yes")), _font(justify="right" if left else "left"),
        (Word("uuid"), identity("label", board.name, key, net)),
    )  # fmt: skip


def _labels(board: CircuitBoard, part: Placed, x: float, y: float) -> Iterator[Node]:
    for number, dx, dy, angle in _pins(part.stock):
        spot = (round(x + dx, 4), round(y - dy, 4))
        net = part.nets.get(number, "")
        key = f"{part.reference}:{number}"
        if net:
            yield _label(board, net, spot, left=angle == 0, key=key)
        else:
            yield (Word("no_connect"), (Word("at"), *spot), (Word("uuid"), identity("open", board.name, key)))


def _instance(board: CircuitBoard, reference: str) -> Node:
    path = (
        Word("path"), f"/{identity('sheet', board.name)}", (Word("reference"), reference), (Word("unit"), 1)
    )  # fmt: skip
    return (Word("instances"), (Word("project"), board.name, path))


def _symbol(board: CircuitBoard, part: Placed, x: float, y: float) -> Node:
    stock = part.stock
    return (
        Word("symbol"), (Word("lib_id"), f"{LIBRARY}:{_safe(stock.value)}"), (Word("at"), x, y, 0), (Word("unit"), 1),
        (Word("exclude_from_sim"), Word("no")), (Word("in_bom"), Word("yes")), (Word("on_board"), Word("yes")),
        (Word("dnp"), Word("no")), (Word("uuid"), identity("symbol", board.name, part.reference)),
        _property("Reference", part.reference, x, y - 5.08), _property("Value", stock.value, x, y - 3.81),
        _property("Footprint", f"{LIBRARY}:{stock.footprint.name}", x, y, hidden=True),
        _property("Datasheet", "", x, y, hidden=True), _property("Description", "", x, y, hidden=True),
        _property("MPN", stock.number, x, y, hidden=True), _property("LCSC", stock.lcsc, x, y, hidden=True),
        *(
            (Word("pin"), number, (Word("uuid"), identity("pin", board.name, part.reference, number)))
            for number in stock.footprint.numbers
        ),
        _instance(board, part.reference),
    )  # fmt: skip


def _flag(board: CircuitBoard, number: int, net: str) -> Iterator[Node]:
    x, y = _LEFT + number * 25.4, 20.32
    yield _label(board, net, (x, y), left=False, key=f"flag {number}")
    reference = f"#FLG{number + 1:02}"
    yield (
        Word("symbol"), (Word("lib_id"), f"{LIBRARY}:PWR_FLAG"), (Word("at"), x, y, 0), (Word("unit"), 1),
        (Word("exclude_from_sim"), Word("no")), (Word("in_bom"), Word("yes")), (Word("on_board"), Word("yes")),
        (Word("dnp"), Word("no")), (Word("uuid"), identity("flag", board.name, number)),
        _property("Reference", reference, x, y - 1.9, hidden=True), _property("Value", "PWR_FLAG", x, y - 3.8),
        _property("Footprint", "", x, y, hidden=True), _property("Datasheet", "", x, y, hidden=True),
        _property("Description", "", x, y, hidden=True),
        (Word("pin"), "1", (Word("uuid"), identity("flag pin", board.name, number))), _instance(board, reference),
    )  # fmt: skip
