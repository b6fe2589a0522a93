"""Draw the packages and what each is built on, from the imports, as docs/pictures/architecture.svg (`make docs`).

Each box stands above all that it imports. A line is left out where a way over other boxes says the same.
"""

from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Final

from tests.bench.house import ROOMS, ROOT, Tree, floor_of, graph_of

PICTURE: Final = ROOT / "docs" / "pictures" / "architecture.svg"
HALVES: Final = (
    ("gnomon_pi", "firmware/gnomon_pi: the daemon, and the board in software"),
    ("gnomon", "companion/gnomon: the core, which knows no hardware"),
)
ROOM_OF_EACH_GAME: Final = {
    "rules": "The rules of each game, a package of its own.",
    "sensing": "How each game's board is sensed, and what explains it.",
    "show": "How each game is shown: its turns in words, pictures, and what is due.",
}
WIDTH, MARGIN, GAP = 1200, 24, 20
HEADING, ROW, BOX = 44, 114, 84
WIDEST, LINES, LETTER = 360, 3, 6.1  # of a box; of what it says; a letter's width

Spot = tuple[float, float, float]  # of a box: left, top, width
Graph = dict[str, set[str]]


def picture(tree: Tree) -> str:
    """The picture of a tree as SVG."""
    top, parts = float(MARGIN), []
    for package, heading in HALVES:
        graph = {name: others for name, others in graph_of(tree, package).items() if not name.startswith("_")}
        spots, bottom = _places(graph, top + HEADING)
        parts.append(f'<text class="heading" x="{MARGIN}" y="{top + 26:g}">{escape(heading)}</text>')
        parts += [_line(spots[name], spots[other]) for name in sorted(graph) for other in sorted(_direct(graph, name))]
        parts += [_box(name, _first_line(tree, f"{package}.{name}"), spot) for name, spot in spots.items()]
        top = bottom + MARGIN
    style = (
        "text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#1d2733}.heading{font-size:17px;font-weight:bold}"
        ".name{font-size:15px;font-weight:bold}.what{font-size:11px}"
        "rect{fill:#eef3f8;stroke:#4a6785}path{fill:none;stroke:#8aa0b6;stroke-width:1.3}"
    )
    size = f'width="{WIDTH}" height="{top:g}" viewBox="0 0 {WIDTH} {top:g}"'
    title = "<title>The packages of Gnomon, each above what it is built on</title>"
    ground = f'<path d="M0 0H{WIDTH}V{top:g}H0Z" style="fill:#fff;stroke:none"/>'
    body = "\n".join([title, f"<style>{style}</style>", ground, *parts])
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>\n{body}\n</svg>\n'


def _places(graph: Graph, top: float) -> tuple[dict[str, Spot], float]:
    """Where each box stands, and where the last row ends."""
    floors = {name: floor_of(graph, name) for name in graph}
    spots: dict[str, Spot] = {}
    for row, floor in enumerate(sorted(set(floors.values()), reverse=True)):
        names = sorted(name for name in graph if floors[name] == floor)
        width = min(WIDEST, (WIDTH - 2 * MARGIN - GAP * (len(names) - 1)) / len(names))
        left = (WIDTH - len(names) * width - GAP * (len(names) - 1)) / 2
        for number, name in enumerate(names):
            spots[name] = (left + number * (width + GAP), top + row * ROW, width)
    return spots, top + (len(set(floors.values())) - 1) * ROW + BOX


def _direct(graph: Graph, name: str) -> set[str]:
    """What a package is built on, without what it reaches through others."""
    further = {beyond for other in graph[name] for beyond in _below(graph, other)}
    return graph[name] - further


def _below(graph: Graph, name: str) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def _first_line(tree: Tree, module: str) -> str:
    if module.startswith(f"gnomon.{ROOMS}/"):
        return ROOM_OF_EACH_GAME.get(module.rpartition("/")[2], "What each game has in a folder of this name.")
    return tree.files[module].read_text("utf-8").split("\n")[0].strip('"')


def _line(upper: Spot, lower: Spot) -> str:
    x, y = upper[0] + upper[2] / 2, upper[1] + BOX
    to_x, to_y = lower[0] + lower[2] / 2, lower[1]
    middle = (y + to_y) / 2
    return f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"/>'


def _box(name: str, what: str, spot: Spot) -> str:
    left, top, width = spot
    centre = left + width / 2
    told = wrap(what, int((width - 16) / LETTER), max_lines=LINES, placeholder=" …")
    lines = "".join(_text("what", centre, top + 41 + 15 * number, line) for number, line in enumerate(told))
    frame = f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{BOX}" rx="8"/>'
    return f"{frame}{_text('name', centre, top + 22, name)}{lines}"


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}" text-anchor="middle">{escape(text)}</text>'


if __name__ == "__main__":
    Path(PICTURE).write_text(picture(Tree(ROOT)), encoding="utf-8")
