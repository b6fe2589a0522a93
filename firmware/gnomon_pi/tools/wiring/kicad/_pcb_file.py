"""Write a board as KiCad 9 reads it: `.kicad_pcb`."""

from collections.abc import Iterator
from typing import Final

from gnomon_pi.tools.wiring.kicad._board import BACK, FRONT, SIDES, CircuitBoard, Label, Placed, Point, Pour
from gnomon_pi.tools.wiring.kicad._expression import Node, Word, dump, identity
from gnomon_pi.tools.wiring.kicad._footprints import Pad

LIBRARY: Final = "gnomon"
_VERSION: Final = 20241229
_ORIGIN: Final = Point(50.0, 50.0)
"""Where the board lies on the sheet."""
_LAYERS: Final = (
    (0, FRONT, "signal"), (2, BACK, "signal"), (13, "F.Paste", "user"), (15, "B.Paste", "user"),
    (5, "F.SilkS", "user"), (7, "B.SilkS", "user"), (1, "F.Mask", "user"), (3, "B.Mask", "user"),
    (17, "Dwgs.User", "user"), (25, "Edge.Cuts", "user"), (31, "F.CrtYd", "user"),
    (29, "B.CrtYd", "user"), (35, "F.Fab", "user"),
    (33, "B.Fab", "user"),
)  # fmt: skip
_POUR_CLEARANCE: Final = 0.2
_POUR_LEAST: Final = 0.2


def pcb_text(board: CircuitBoard, *, linked: bool = True) -> str:
    """The file. `linked` says that a schematic stands beside it, whose symbols the parts belong to."""
    nets = ("", *board.nets, *sorted(open_nets(board)))
    numbers = {net: number for number, net in enumerate(nets)}
    return (
        dump(
            (
                Word("kicad_pcb"),
                (Word("version"), _VERSION),
                (Word("generator"), "gnomond"),
                (Word("generator_version"), "9.0"),
                (Word("general"), (Word("thickness"), board.thickness), (Word("legacy_teardrops"), Word("no"))),
                (Word("paper"), "A4"),
                (Word("title_block"), (Word("title"), board.title)),
                (Word("layers"), *((Word(number), name, Word(kind)) for number, name, kind in _LAYERS)),
                (Word("setup"), (Word("pad_to_mask_clearance"), 0.05)),
                *((Word("net"), number, net) for net, number in numbers.items()),
                *(_part(board, part, numbers, linked=linked) for part in board.parts),
                *_outline(board),
                *(_hole(board, number) for number in range(len(board.holes))),
                *(_label(board, label) for label in board.labels),
                *_copper(board, numbers),
                *(_pour(board, pour, numbers, side) for pour in board.pours for side in SIDES),
                *(_cut(board, number) for number in range(len(board.cuts))),
            )
        )
        + "\n"
    )


def open_nets(board: CircuitBoard) -> set[str]:
    """The nets of one pad that KiCad gives to pins that stay open, by its own spelling."""
    return {name for part in board.parts for pad in part.footprint.pads if (name := _open_net(part, pad))}


def _open_net(part: Placed, pad: Pad) -> str:
    if not pad.number or part.nets.get(pad.number):
        return ""
    name = part.stock.pins.get(pad.number, "")
    return f"unconnected-({part.reference}-{name}-Pad{pad.number})" if name != pad.number else (
        f"unconnected-({part.reference}-Pad{pad.number})"
    )  # fmt: skip


def _at(point: Point, angle: float | None = None) -> Node:
    place = (Word("at"), round(point.x + _ORIGIN.x, 6), round(point.y + _ORIGIN.y, 6))
    return place if angle is None else (*place, angle)


def _end(name: str, point: Point) -> Node:
    return (Word(name), round(point.x + _ORIGIN.x, 6), round(point.y + _ORIGIN.y, 6))


def _font(size: float) -> Node:
    thickness = round(size * 0.15, 3)
    return (
        Word("effects"),
        (Word("font"), (Word("size"), size, size), (Word("thickness"), max(0.1, thickness))),
    )


def _part(board: CircuitBoard, part: Placed, numbers: dict[str, int], *, linked: bool) -> Node:
    footprint = part.footprint
    key = (board.name, part.reference)

    def text(name: str, value: str, layer: str, *, hidden: bool) -> Node:
        row = 0.0
        flags = ((Word("hide"), Word("yes")),) if hidden else ()
        place = (Word("at"), 0.0, row, part.angle)
        unique = (Word("uuid"), identity("text", *key, name))
        return (Word("property"), name, value, place, (Word("layer"), layer), *flags, unique, _font(0.6))

    kind = Word("through_hole" if footprint.through else "smd")
    link = ((Word("path"), f"/{identity('symbol', *key)}"),) if linked else ()
    return (
        Word("footprint"),
        f"{LIBRARY}:{footprint.name}",
        (Word("layer"), FRONT),
        (Word("uuid"), identity("footprint", *key)),
        _at(part.at, part.angle),
        text("Reference", part.reference, "F.Fab", hidden=False),
        text("Value", part.stock.value, "F.Fab", hidden=True),
        text("Datasheet", "", "F.Fab", hidden=True),
        text("Description", "", "F.Fab", hidden=True),
        text("MPN", part.stock.number, "F.Fab", hidden=True),
        text("LCSC", part.stock.lcsc, "F.Fab", hidden=True),
        *link,
        (Word("attr"), kind),
        *_graphics(part, key),
        *(_pad(part, pad, place, numbers, key) for place, pad in enumerate(footprint.pads)),
    )


def _graphics(part: Placed, key: tuple[str, str]) -> Iterator[Node]:
    footprint = part.footprint
    for layer, box, width in (("F.CrtYd", footprint.courtyard, 0.05), ("F.Fab", footprint.body, 0.1)):
        left, top, right, bottom = box
        yield (
            Word("fp_rect"), (Word("start"), left, top), (Word("end"), right, bottom),
            (Word("stroke"), (Word("width"), width), (Word("type"), Word("solid"))), (Word("fill"), Word("no")),
            (Word("layer"), layer), (Word("uuid"), identity(layer, *key)),
        )  # fmt: skip
    # A dot beside pin 1, outside of the part, where there is room for it.
    first = footprint.pads[0]
    if len(footprint.numbers) > 2:  # noqa: PLR2004 - two legs need no dot
        left = footprint.courtyard[0]
        spot = (round(left + 0.1, 3), first.y) if abs(first.x) >= abs(first.y) else (first.x, 0.0)
        if abs(first.x) >= abs(first.y):
            yield (
                Word("fp_circle"), (Word("center"), *spot), (Word("end"), round(spot[0] + 0.1, 3), spot[1]),
                (Word("stroke"), (Word("width"), 0.1), (Word("type"), Word("solid"))), (Word("fill"), Word("yes")),
                (Word("layer"), "F.SilkS"), (Word("uuid"), identity("dot", *key)),
            )  # fmt: skip


def _pad(part: Placed, pad: Pad, place: int, numbers: dict[str, int], key: tuple[str, str]) -> Node:
    net = part.nets.get(pad.number, "") if pad.number else ""
    net = net or _open_net(part, pad)
    kind = "thru_hole" if pad.drill else "smd"
    layers = ("*.Cu", "*.Mask") if pad.drill else ("F.Cu", "F.Mask", "F.Paste")
    name = part.stock.pins.get(pad.number, "")
    facts: tuple[Node, ...] = ()
    if net:
        facts += ((Word("net"), numbers[net], net),)
    if name and name != pad.number:
        facts += ((Word("pinfunction"), name),)
    if pad.number:
        kind_of_pin = part.stock.kinds.get(pad.number, "passive")
        facts += ((Word("pintype"), kind_of_pin if part.nets.get(pad.number) else f"{kind_of_pin}+no_connect"),)
    return (
        Word("pad"),
        pad.number,
        Word(kind),
        Word(pad.shape),
        (Word("at"), pad.x, pad.y, part.angle),
        (Word("size"), pad.width, pad.height),
        *(((Word("drill"), pad.drill),) if pad.drill else ()),
        (Word("layers"), *layers),
        *(((Word("roundrect_rratio"), 0.2),) if pad.shape == "roundrect" else ()),
        *facts,
        (Word("uuid"), identity("pad", *key, place)),
    )


def _outline(board: CircuitBoard) -> Iterator[Node]:
    yield (
        Word("gr_rect"), _end("start", Point(0, 0)), _end("end", Point(board.width, board.height)),
        (Word("stroke"), (Word("width"), 0.1), (Word("type"), Word("solid"))), (Word("fill"), Word("no")),
        (Word("layer"), "Edge.Cuts"), (Word("uuid"), identity("edge", board.name)),
    )  # fmt: skip


def _hole(board: CircuitBoard, number: int) -> Node:
    hole = board.holes[number]
    key = (board.name, "hole", number)
    size = (Word("size"), hole.diameter, hole.diameter)
    pad = (
        Word("pad"), "", Word("np_thru_hole"), Word("circle"), (Word("at"), 0, 0), size,
        (Word("drill"), hole.diameter), (Word("layers"), "*.Cu", "*.Mask"), (Word("uuid"), identity("pad", *key)),
    )  # fmt: skip
    hidden = (Word("hide"), Word("yes"))
    texts = tuple(
        (
            Word("property"), name, value, (Word("at"), 0, 0, 0), (Word("layer"), "F.Fab"), hidden,
            (Word("uuid"), identity("text", *key, name)), _font(0.6),
        )
        for name, value in (("Reference", f"H{number + 1}"), ("Value", "hole"))
    )  # fmt: skip
    return (
        Word("footprint"), f"{LIBRARY}:Hole-{hole.diameter:g}", (Word("layer"), FRONT),
        (Word("uuid"), identity("footprint", *key)), _at(hole.at), *texts,
        (Word("attr"), Word("board_only"), Word("exclude_from_pos_files"), Word("exclude_from_bom")), pad,
    )  # fmt: skip


def _label(board: CircuitBoard, label: Label) -> Node:
    return (
        Word("gr_text"), label.text, _at(label.at, label.angle), (Word("layer"), "F.SilkS"),
        (Word("uuid"), identity("label", board.name, *label)), _font(label.size),
    )  # fmt: skip


def _copper(board: CircuitBoard, numbers: dict[str, int]) -> Iterator[Node]:
    for place, track in enumerate(board.tracks):
        yield (
            Word("segment"), _end("start", track.start), _end("end", track.end), (Word("width"), track.width),
            (Word("layer"), track.side), (Word("net"), numbers[track.net]),
            (Word("uuid"), identity("track", board.name, place)),
        )  # fmt: skip
    for place, via in enumerate(board.vias):
        yield (
            Word("via"), _at(via.at), (Word("size"), via.diameter), (Word("drill"), via.drill),
            (Word("layers"), FRONT, BACK), (Word("net"), numbers[via.net]),
            (Word("uuid"), identity("via", board.name, place)),
        )  # fmt: skip


def _pour(board: CircuitBoard, pour: Pour, numbers: dict[str, int], side: str) -> Node:
    box = pour.box
    corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
    points = tuple((Word("xy"), round(x + _ORIGIN.x, 6), round(y + _ORIGIN.y, 6)) for x, y in corners)
    return (
        Word("zone"), (Word("net"), numbers[pour.net]), (Word("net_name"), pour.net), (Word("layer"), side),
        (Word("uuid"), identity("pour", board.name, pour.net, side)), (Word("hatch"), Word("edge"), 0.5),
        (Word("connect_pads"), (Word("clearance"), _POUR_CLEARANCE)), (Word("min_thickness"), _POUR_LEAST),
        (
            Word("fill"), Word("yes"), (Word("thermal_gap"), 0.25), (Word("thermal_bridge_width"), 0.25),
            (Word("island_removal_mode"), 0),
        ),
        (Word("polygon"), (Word("pts"), *points)),
    )  # fmt: skip


def _cut(board: CircuitBoard, number: int) -> Node:
    start, end = board.cuts[number]
    return (
        Word("gr_line"), _end("start", start), _end("end", end),
        (Word("stroke"), (Word("width"), 0.1), (Word("type"), Word("solid"))), (Word("layer"), "Dwgs.User"),
        (Word("uuid"), identity("cut", board.name, number)),
    )  # fmt: skip
