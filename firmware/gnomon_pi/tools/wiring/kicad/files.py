"""Generate the files of a description's circuit boards: circuits, boards and rules for KiCad, and what to order."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from gnomon_pi.config.description import BoardDescription, Chain
from gnomon_pi.tools.wiring._netlist import WiringError
from gnomon_pi.tools.wiring.kicad._assembly import Assembly, assemble
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard
from gnomon_pi.tools.wiring.kicad._order_lists import BOARD_FOREWORD, BOARD_NOTE, board_lines
from gnomon_pi.tools.wiring.kicad._panel import orders, pieces_ordered
from gnomon_pi.tools.wiring.kicad._pcb_file import pcb_text
from gnomon_pi.tools.wiring.kicad._router import route
from gnomon_pi.tools.wiring.kicad._schematic_file import schematic_text

__all__ = ["BOARD_FOREWORD", "BOARD_NOTE", "board_files", "board_lines", "boards_of"]


_RULES: Final = {
    "min_clearance": 0.15, "min_resolved_spokes": 1, "min_copper_edge_clearance": 0.4,
    "min_hole_clearance": 0.25, "min_hole_to_hole": 0.25,
    "min_through_hole_diameter": 0.3, "min_track_width": 0.15, "min_via_annular_width": 0.13,
    "min_via_diameter": 0.5, "min_silk_clearance": 0.0, "min_text_height": 0.7, "min_text_thickness": 0.1,
    "solder_mask_to_copper_clearance": 0.0,
}  # fmt: skip
# The land patterns and symbols stand in the files themselves, written from data sheets: there is no library of them
# that KiCad could compare them with. Everything else is an error, so that nobody has to weigh warnings.
# One spoke carries what a pad here draws; the ways do not rely on a pour alone.
_IGNORED: Final = ("lib_footprint_issues", "lib_footprint_mismatch")
_IGNORED_IN_CIRCUITS: Final = ("lib_symbol_issues", "footprint_link_issues", "lib_symbol_mismatch")


def board_files(description: BoardDescription, stem: str, title: str) -> Mapping[str, str]:
    """The files by their names, a folder for each board: `kicad/hub/hub.kicad_pcb`. Raises WiringError."""
    built = assemble(description, stem, title)
    built = replace(built, designs={name: route(design) for name, design in built.designs.items()})
    ordered = orders(built)
    texts: dict[str, str] = {}
    for name, design in built.designs.items():
        texts |= {
            f"kicad/{name}/{name}.kicad_pro": project_text(design),
            f"kicad/{name}/{name}.kicad_sch": schematic_text(design),
            f"kicad/{name}/{name}.kicad_pcb": pcb_text(design),
        }
    for name, board in ordered.items():
        if name not in built.designs:
            texts[f"kicad/{name}/{name}.kicad_pro"] = project_text(board)
            texts[f"kicad/{name}/{name}.kicad_pcb"] = pcb_text(board, linked=False)
        texts[f"kicad/{name}/bom.csv"] = bill(board)
    texts["kicad/orders.csv"] = order_list(built, ordered)
    texts["kicad/pins.csv"] = pin_list(built)
    return texts


def boards_of(description: BoardDescription) -> Assembly | None:
    """The boards of a description whose inputs are made for them; none for one that is wired by hand."""
    if not isinstance(description.sensors, Chain):
        return None
    with suppress(WiringError):
        return assemble(description, "board", description.board)
    return None


def bill(board: CircuitBoard) -> str:
    """What the assembler places, and last what hands solder: a line for each kind, with its order numbers."""
    kinds: dict[tuple[bool, str, str, str, str, str], list[str]] = {}
    for part in board.parts:
        stock = part.stock
        key = (stock.footprint.through, stock.value, stock.footprint.name, stock.maker, stock.number, stock.lcsc)
        kinds.setdefault(key, []).append(part.reference)
    rows = (
        (
            ",".join(references),
            value,
            footprint,
            len(references),
            "hands" if through else "assembler",
            maker,
            number,
            lcsc,
        )
        for (through, value, footprint, maker, number, lcsc), references in sorted(kinds.items())
    )
    head = ("Designator", "Comment", "Footprint", "Quantity", "Soldered by", "Maker", "Maker's number", "LCSC Part #")
    return _csv(head, rows)


def order_list(built: Assembly, ordered: Mapping[str, CircuitBoard]) -> str:
    """What to order, and its size."""

    def rows() -> Iterator[tuple[object, ...]]:
        for name, board in ordered.items():
            yield (
                name,
                pieces_ordered(built, name),
                f"{board.width:g}",
                f"{board.height:g}",
                f"{board.thickness:g}",
                board.title,
            )

    return _csv(("order", "pieces", "width_mm", "height_mm", "thickness_mm", "what"), rows())


def pin_list(built: Assembly) -> str:
    """Where each pin of the netlist is, for a person who follows a wire with a meter."""
    rows = ((*pin, built.netlist.nets[pin], *pad) for pin, pad in sorted(built.pads.items()))
    return _csv(("part", "pin", "net", "board", "board_part", "board_pad"), rows)


def _csv(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()


def project_text(board: CircuitBoard) -> str:
    """The rules that KiCad checks a board by: `.kicad_pro`."""
    return json.dumps(
        {
            "board": {"design_settings": {"rules": _RULES, "rule_severities": dict.fromkeys(_IGNORED, "ignore")}},
            "erc": {"rule_severities": dict.fromkeys(_IGNORED_IN_CIRCUITS, "ignore")},
            "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
            "net_settings": {
                "classes": [
                    {
                        "name": "Default", "clearance": 0.15, "track_width": 0.2, "via_diameter": 0.6,
                        "via_drill": 0.3, "priority": 2147483647,
                    }
                ],
                "meta": {"version": 4},
            },
            "sheets": [],
        },
        indent=2,
    ) + "\n"  # fmt: skip
