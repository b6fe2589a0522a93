"""Write a board as KiCad 9 reads it: `.kicad_pcb`."""

from collections.abc import Iterator
from typing import Final

from gnomon_pi.tools.wiring.kicad._board import BACK, FRONT, SIDES, CircuitBoard, Label, Placed, Pour, Spot
from gnomon_pi.tools.wiring.kicad._expression import Bare, Node, dump, identity
from gnomon_pi.tools.wiring.kicad._footprints import Pad

LIBRARY: Final = "gnomon"
_VERSION: Final = 20241229
_ORIGIN: Final = Spot(50.0, 50.0)
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
                Bare("kicad_pcb"),
                (Bare("version"), _VERSION),
                (Bare("generator"), "gnomond"),
                (Bare("generator_version"), "9.0"),
                (Bare("general"), (Bare("thickness"), board.thickness), (Bare("legacy_teardrops"), Bare("no"))),
                (Bare("paper"), "A4"),
                (Bare("title_block"), (Bare("title"), board.title)),
                (Bare("layers"), *((Bare(number), name, Bare(kind)) for number, name, kind in _LAYERS)),
                (Bare("setup"), (Bare("pad_to_mask_clearance"), 0.05)),
                *((Bare("net"), number, net) for net, number in numbers.items()),
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


def _at(point: Spot, angle: float | None = None) -> Node:
    place = (Bare("at"), round(point.x + _ORIGIN.x, 6), round(point.y + _ORIGIN.y, 6))
    return place if angle is None else (*place, angle)


def _end(name: str, point: Spot) -> Node:
    return (Bare(name), round(point.x + _ORIGIN.x, 6), round(point.y + _ORIGIN.y, 6))


def _font(size: float) -> Node:
    thickness = round(size * 0.15, 3)
    return (
        Bare("effects"),
        (Bare("font"), (Bare("size"), size, size), (Bare("thickness"), max(0.1, thickness))),
    )


def _part(board: CircuitBoard, part: Placed, numbers: dict[str, int], *, linked: bool) -> Node:
    footprint = part.footprint
    key = (board.name, part.reference)

    def text(name: str, value: str, layer: str, *, hidden: bool) -> Node:
        row = 0.0
        flags = ((Bare("hide"), Bare("yes")),) if hidden else ()
        place = (Bare("at"), 0.0, row, part.angle)
        unique = (Bare("uuid"), identity("text", *key, name))
        return (Bare("property"), name, value, place, (Bare("layer"), layer), *flags, unique, _font(0.6))

    kind = Bare("through_hole" if footprint.through else "smd")
    link = ((Bare("path"), f"/{identity('symbol', *key)}"),) if linked else ()
    return (
        Bare("footprint"),
        f"{LIBRARY}:{footprint.name}",
        (Bare("layer"), FRONT),
        (Bare("uuid"), identity("footprint", *key)),
        _at(part.at, part.angle),
        text("Reference", part.reference, "F.Fab", hidden=False),
        text("Value", part.stock.value, "F.Fab", hidden=True),
        text("Datasheet", "", "F.Fab", hidden=True),
        text("Description", "", "F.Fab", hidden=True),
        text("MPN", part.stock.number, "F.Fab", hidden=True),
        text("LCSC", part.stock.lcsc, "F.Fab", hidden=True),
        *link,
        (Bare("attr"), kind),
        *_graphics(part, key),
        *(_pad(part, pad, place, numbers, key) for place, pad in enumerate(footprint.pads)),
    )


def _graphics(part: Placed, key: tuple[str, str]) -> Iterator[Node]:
    footprint = part.footprint
    for layer, box, width in (("F.CrtYd", footprint.courtyard, 0.05), ("F.Fab", footprint.body, 0.1)):
        left, top, right, bottom = box
        yield (
            Bare("fp_rect"), (Bare("start"), left, top), (Bare("end"), right, bottom),
            (Bare("stroke"), (Bare("width"), width), (Bare("type"), Bare("solid"))), (Bare("fill"), Bare("no")),
            (Bare("layer"), layer), (Bare("uuid"), identity(layer, *key)),
        )  # fmt: skip
    # A dot beside pin 1, outside of the part, where there is room for it.
    first = footprint.pads[0]
    if len(footprint.numbers) > 2:  # noqa: PLR2004 - two legs need no dot
        left = footprint.courtyard[0]
        spot = (round(left + 0.1, 3), first.y) if abs(first.x) >= abs(first.y) else (first.x, 0.0)
        if abs(first.x) >= abs(first.y):
            yield (
                Bare("fp_circle"), (Bare("center"), *spot), (Bare("end"), round(spot[0] + 0.1, 3), spot[1]),
                (Bare("stroke"), (Bare("width"), 0.1), (Bare("type"), Bare("solid"))), (Bare("fill"), Bare("yes")),
                (Bare("layer"), "F.SilkS"), (Bare("uuid"), identity("dot", *key)),
            )  # fmt: skip


def _pad(part: Placed, pad: Pad, place: int, numbers: dict[str, int], key: tuple[str, str]) -> Node:
    net = part.nets.get(pad.number, "") if pad.number else ""
    net = net or _open_net(part, pad)
    kind = "thru_hole" if pad.drill else "smd"
    layers = ("*.Cu", "*.Mask") if pad.drill else ("F.Cu", "F.Mask", "F.Paste")
    name = part.stock.pins.get(pad.number, "")
    facts: tuple[Node, ...] = ()
    if net:
        facts += ((Bare("net"), numbers[net], net),)
    if name and name != pad.number:
        facts += ((Bare("pinfunction"), name),)
    if pad.number:
        kind_of_pin = part.stock.kinds.get(pad.number, "passive")
        facts += ((Bare("pintype"), kind_of_pin if part.nets.get(pad.number) else f"{kind_of_pin}+no_connect"),)
    return (
        Bare("pad"),
        pad.number,
        Bare(kind),
        Bare(pad.shape),
        (Bare("at"), pad.x, pad.y, part.angle),
        (Bare("size"), pad.width, pad.height),
        *(((Bare("drill"), pad.drill),) if pad.drill else ()),
        (Bare("layers"), *layers),
        *(((Bare("roundrect_rratio"), 0.2),) if pad.shape == "roundrect" else ()),
        *facts,
        (Bare("uuid"), identity("pad", *key, place)),
    )


def _outline(board: CircuitBoard) -> Iterator[Node]:
    yield (
        Bare("gr_rect"), _end("start", Spot(0, 0)), _end("end", Spot(board.width, board.height)),
        (Bare("stroke"), (Bare("width"), 0.1), (Bare("type"), Bare("solid"))), (Bare("fill"), Bare("no")),
        (Bare("layer"), "Edge.Cuts"), (Bare("uuid"), identity("edge", board.name)),
    )  # fmt: skip


def _hole(board: CircuitBoard, number: int) -> Node:
    hole = board.holes[number]
    key = (board.name, "hole", number)
    size = (Bare("size"), hole.diameter, hole.diameter)
    pad = (
        Bare("pad"), "", Bare("np_thru_hole"), Bare("circle"), (Bare("at"), 0, 0), size,
        (Bare("drill"), hole.diameter), (Bare("layers"), "*.Cu", "*.Mask"), (Bare("uuid"), identity("pad", *key)),
    )  # fmt: skip
    hidden = (Bare("hide"), Bare("yes"))
    texts = tuple(
        (
            Bare("property"), name, value, (Bare("at"), 0, 0, 0), (Bare("layer"), "F.Fab"), hidden,
            (Bare("uuid"), identity("text", *key, name)), _font(0.6),
        )
        for name, value in (("Reference", f"H{number + 1}"), ("Value", "hole"))
    )  # fmt: skip
    return (
        Bare("footprint"), f"{LIBRARY}:Hole-{hole.diameter:g}", (Bare("layer"), FRONT),
        (Bare("uuid"), identity("footprint", *key)), _at(hole.at), *texts,
        (Bare("attr"), Bare("board_only"), Bare("exclude_from_pos_files"), Bare("exclude_from_bom")), pad,
    )  # fmt: skip


def _label(board: CircuitBoard, label: Label) -> Node:
    return (
        Bare("gr_text"), label.text, _at(label.at, label.angle), (Bare("layer"), "F.SilkS"),
        (Bare("uuid"), identity("label", board.name, *label)), _font(label.size),
    )  # fmt: skip


def _copper(board: CircuitBoard, numbers: dict[str, int]) -> Iterator[Node]:
    for place, track in enumerate(board.tracks):
        yield (
            Bare("segment"), _end("start", track.start), _end("end", track.end), (Bare("width"), track.width),
            (Bare("layer"), track.side), (Bare("net"), numbers[track.net]),
            (Bare("uuid"), identity("track", board.name, place)),
        )  # fmt: skip
    for place, via in enumerate(board.vias):
        yield (
            Bare("via"), _at(via.at), (Bare("size"), via.diameter), (Bare("drill"), via.drill),
            (Bare("layers"), FRONT, BACK), (Bare("net"), numbers[via.net]),
            (Bare("uuid"), identity("via", board.name, place)),
        )  # fmt: skip


def _pour(board: CircuitBoard, pour: Pour, numbers: dict[str, int], side: str) -> Node:
    box = pour.box
    corners = ((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))
    points = tuple((Bare("xy"), round(x + _ORIGIN.x, 6), round(y + _ORIGIN.y, 6)) for x, y in corners)
    return (
        Bare("zone"), (Bare("net"), numbers[pour.net]), (Bare("net_name"), pour.net), (Bare("layer"), side),
        (Bare("uuid"), identity("pour", board.name, pour.net, side)), (Bare("hatch"), Bare("edge"), 0.5),
        (Bare("connect_pads"), (Bare("clearance"), _POUR_CLEARANCE)), (Bare("min_thickness"), _POUR_LEAST),
        (
            Bare("fill"), Bare("yes"), (Bare("thermal_gap"), 0.25), (Bare("thermal_bridge_width"), 0.25),
            (Bare("island_removal_mode"), 0),
        ),
        (Bare("polygon"), (Bare("pts"), *points)),
    )  # fmt: skip


def _cut(board: CircuitBoard, number: int) -> Node:
    start, end = board.cuts[number]
    return (
        Bare("gr_line"), _end("start", start), _end("end", end),
        (Bare("stroke"), (Bare("width"), 0.1), (Bare("type"), Bare("solid"))), (Bare("layer"), "Dwgs.User"),
        (Bare("uuid"), identity("cut", board.name, number)),
    )  # fmt: skip
