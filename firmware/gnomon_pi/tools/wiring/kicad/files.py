"""Generate the files of a description's circuit boards: circuits, boards and rules for KiCad, and what to order."""

import csv
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from gnomon_pi.config.description import BoardDescription, Chain
from gnomon_pi.tools.wiring._netlist import WiringError
from gnomon_pi.tools.wiring.kicad._assembly import Assembly, assemble
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard
from gnomon_pi.tools.wiring.kicad._panel import PIECES, orders
from gnomon_pi.tools.wiring.kicad._pcb_file import pcb_text
from gnomon_pi.tools.wiring.kicad._project_file import project_text
from gnomon_pi.tools.wiring.kicad._router import route
from gnomon_pi.tools.wiring.kicad._schematic_file import schematic_text
from gnomon_pi.tools.wiring.kicad._shopping import board_lines

__all__ = ["board_files", "board_lines", "boards_of"]


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
    texts["kicad/orders.csv"] = order_list(ordered)
    texts["kicad/pins.csv"] = pin_list(built)
    return texts


def boards_of(description: BoardDescription, title: str) -> Assembly | None:
    """The boards of a description whose inputs are made for them; none for one that is wired by hand."""
    if not isinstance(description.sensors, Chain):
        return None
    with suppress(WiringError):
        return assemble(description, title.lower().replace(",", "").replace(" ", "-"), title)
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


def order_list(ordered: Mapping[str, CircuitBoard]) -> str:
    """What to order, and its size."""

    def rows() -> Iterator[tuple[object, ...]]:
        for name, board in ordered.items():
            yield name, PIECES, f"{board.width:g}", f"{board.height:g}", f"{board.thickness:g}", board.title

    return _csv(("order", "pieces", "width_mm", "height_mm", "thickness_mm", "what"), rows())


def pin_list(built: Assembly) -> str:
    """Where each pin of the netlist is: for whoever follows a wire with a meter."""
    rows = ((*pin, built.netlist.nets[pin], *pad) for pin, pad in sorted(built.pads.items()))
    return _csv(("part", "pin", "net", "board", "board_part", "board_pad"), rows)


def _csv(head: tuple[str, ...], rows: object) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)  # type: ignore[arg-type]  # rows of atoms
    return text.getvalue()
