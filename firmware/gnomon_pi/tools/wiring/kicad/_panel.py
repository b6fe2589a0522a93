"""Put several boards on one panel, in rows that are scored in straight lines, between two rails for the assembler.

The rows of a panel are of one height each, and the boards of a row as wide as its columns. A fifth of what a board
needs is on a panel, because makers make five of everything.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil
from typing import Final

from gnomon_pi.tools.wiring.kicad._assembly import Assembly
from gnomon_pi.tools.wiring.kicad._board import CircuitBoard, Placed, Point, Pour, Track, Via

PIECES: Final = 5
"""How many of each order makers make at least."""
RAIL: Final = 5.0
_COLUMNS: Final = 4


def orders(built: Assembly) -> Mapping[str, CircuitBoard]:
    """What is ordered, each in five pieces: panels of small boards, and the large ones alone."""
    found: dict[str, CircuitBoard] = {}
    by_width: dict[tuple[float, float], list[str]] = {}
    for name, design in built.designs.items():
        by_width.setdefault((design.width, design.thickness), []).append(name)
    for names in by_width.values():
        if all(built.quantities[name] <= PIECES for name in names) and len(names) == 1:
            found |= {name: built.designs[name] for name in names}
            continue
        designs = {name: built.designs[name] for name in names}
        name = f"panel-{built.name}-{names[0].partition('-')[0]}"
        found[name] = panel(name, f"Panel of {built.name}", designs, {one: built.quantities[one] for one in names})
    return found


def panel(name: str, title: str, designs: Mapping[str, CircuitBoard], quantities: Mapping[str, int]) -> CircuitBoard:
    """The panel of which five make up the quantities. Raises ValueError when the boards are not of one width."""
    (width,) = {board.width for board in designs.values()}
    rows = list(_rows(designs, {design: ceil(count / PIECES) for design, count in quantities.items()}))
    columns = max(map(len, rows))
    top = RAIL
    parts: list[Placed] = []
    tracks: list[Track] = []
    vias: list[Via] = []
    pours: list[Pour] = []
    cuts = [(Point(0, RAIL), Point(columns * width, RAIL))]
    copies = 0
    for row in rows:
        for column, design in enumerate(row):
            copies += 1
            board = _copy_at(designs[design], column * width, top, copies)
            parts += board.parts
            tracks += board.tracks
            vias += board.vias
            pours += board.pours
        top = round(top + designs[row[0]].height, 3)
        cuts.append((Point(0, top), Point(columns * width, top)))
    cuts += [(Point(column * width, 0), Point(column * width, top + RAIL)) for column in range(1, columns)]
    return CircuitBoard(
        name, title, columns * width, round(top + RAIL, 3), tuple(parts),
        thickness=next(iter(designs.values())).thickness, tracks=tuple(tracks), vias=tuple(vias), pours=tuple(pours),
        cuts=tuple(cuts), supplies=(),
    )  # fmt: skip


def _rows(designs: Mapping[str, CircuitBoard], counts: Mapping[str, int]) -> Iterator[list[str]]:
    heights = sorted({board.height for board in designs.values()})
    for height in heights:
        here = [name for name in designs if designs[name].height == height for _ in range(counts[name])]
        columns = _COLUMNS if max(board.width for board in designs.values()) < 20 else 1  # noqa: PLR2004 - a finger's
        for begin in range(0, len(here), columns):
            yield here[begin : begin + columns]


def _copy_at(board: CircuitBoard, x: float, y: float, copy: int) -> CircuitBoard:
    """A copy of a board elsewhere, with nets and references of its own."""

    def net(name: str) -> str:
        return f"{name}/{copy}"

    def point(at: Point) -> Point:
        return Point(round(at.x + x, 6), round(at.y + y, 6))

    return replace(
        board,
        parts=tuple(
            replace(
                part, reference=f"{part.reference}_{copy}", at=point(part.at),
                nets={number: net(name) for number, name in part.nets.items()},
            )
            for part in board.parts
        ),
        tracks=tuple(
            track._replace(net=net(track.net), start=point(track.start), end=point(track.end)) for track in board.tracks
        ),
        vias=tuple(via._replace(net=net(via.net), at=point(via.at)) for via in board.vias),
        pours=tuple(
            Pour(net(pour.net), pour.box._replace(left=pour.box.left + x, right=pour.box.right + x,
                                                  top=pour.box.top + y, bottom=pour.box.bottom + y))
            for pour in board.pours
        ),
    )  # fmt: skip
