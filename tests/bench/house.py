"""Measure how the code is built: files, lines, floors, arrows, circles, and how far one name or one event reaches.

Everything is counted from the sources, of this tree or of another one (`--tree FOLDER`); only the way of a ring is
found by running the referee. docs/figures.md compares two trees.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench._figures import parser, say, say_machine

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ("companion/gnomon", "firmware/gnomon_pi")
GAMES: Final = frozenset(
    {"AnyGame", "Free", "Game", "TableGame", "Tabik", "Tamsk", "Tau", "Tayu", "TwentySquares"},
)
"""The classes of games and of their rules."""
ROOMS: Final = "games"
"""The package in which each entry is a game with rooms of its own."""
SHORT: Final = 60  # lines, of a module that may belong into the only one that imports it
FORMULA: Final = "The only "

# The glass on D1 is lifted, set down on D2, and a ring falls there: told as the daemon tells it.
RING: Final = """
import json, sys
from gnomon.referee.events import DeadlineReached, InputChanged
from gnomon.referee.games import begin, tell
game = begin("tamsk", {"level": 1})
def told(game, event):
    while (deadline := game.deadline()) is not None and deadline < event.at:
        game, _ = tell(game, DeadlineReached(deadline))
    return tell(game, event)[0]
for at, name, value in ((2_000_000, "D1.north", False), (2_800_000, "D2.south", True)):
    game = told(game, InputChanged(at, name, value))
passed, last = [], None
def watch(frame, kind, _):
    global last
    file = frame.f_code.co_filename
    if kind == "call" and "/gnomon/referee/" in file and file != last:
        passed.append(file)
        last = file
sys.setprofile(watch)
game = told(game, InputChanged(3_300_000, "D2.ring1", True))
game = told(game, DeadlineReached(9_000_000))
sys.setprofile(None)
assert [ply.text for ply in game.plies] == ["D1-D2"]
print(len(set(passed)), len(passed) - 1)
"""


@cache
def parsed(file: Path) -> ast.Module:
    """The syntax tree of a source, read once for all that look through it."""
    return ast.parse(file.read_text("utf-8"))


Graph = Mapping[str, set[str]]


class Tree:
    """The sources of a tree, and who imports whom."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = {
            _name(path.relative_to((root / source).parent)): path
            for source in SOURCES
            for path in sorted((root / source).rglob("*.py"))
        }
        self.parsed = {name: parsed(path) for name, path in self.files.items()}
        # Gone through once: it takes as long as to read the sources.
        self.nodes = {name: tuple(ast.walk(module)) for name, module in self.parsed.items()}
        self.imports = {name: set(self._imported(name)) - {name} for name in self.files}

    def lines(self, name: str) -> int:
        """How long a module is."""
        return len(self.files[name].read_text("utf-8").splitlines())

    def _imported(self, name: str) -> Iterator[str]:
        for node in self.nodes[name]:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in self.files)
            elif isinstance(node, ast.ImportFrom) and node.module in self.files:
                inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(self.files)
                yield from inner
                if len(inner) < len(node.names):
                    yield node.module


class Shape(NamedTuple):
    """A package seen from above: its entries (modules and folders), and how they stand on each other."""

    entries: int
    floors: int
    arrows: int
    circles: int


def graph_of(tree: Tree, package: str) -> dict[str, set[str]]:
    """The entries of a package, each with those that it imports.

    A game's folder has a room on each floor: rooms of one name are one entry, `games/*/rules`.
    """

    def entry(module: str) -> str:
        if not module.startswith(f"{package}."):
            return ""
        head, *rest = module.removeprefix(f"{package}.").split(".")
        return f"{ROOMS}/*/{rest[1]}" if head == ROOMS and len(rest) > 1 else head

    graph: dict[str, set[str]] = {entry(module): set() for module in tree.files if entry(module)}
    for module, imported in tree.imports.items():
        if entry(module):
            graph[entry(module)] |= {entry(each) for each in imported} - {entry(module), ""}
    return graph


def shape(tree: Tree, package: str) -> Shape:
    """How the entries of a package stand on each other."""
    graph = graph_of(tree, package)
    tallest = max(floor_of(graph, name) for name in graph)
    return Shape(len(graph), tallest, sum(map(len, graph.values())), len(circles(graph)))


def circles(graph: Graph) -> list[frozenset[str]]:
    """The groups in which everybody reaches everybody else."""
    found: set[frozenset[str]] = set()
    reached = {name: _reached(graph, name) for name in graph}
    for name, others in reached.items():
        ring = frozenset({each for each in others if name in reached[each]} | {name})
        if len(ring) > 1:
            found.add(ring)
    return sorted(found, key=sorted)


def circles_of_entries(tree: Tree) -> list[tuple[str, frozenset[str]]]:
    """The packages whose entries, modules and folders, do not all stand above those that they import."""
    packages = [name for name, path in tree.files.items() if path.name == "__init__.py"]
    return [(package, ring) for package in packages for ring in circles(graph_of(tree, package))]


def floor_of(graph: Graph, name: str) -> int:
    """On which floor an entry stands, above all that it imports; a circle stands on one floor."""
    rings = circles(graph)
    home = {each: next((min(ring) for ring in rings if each in ring), each) for each in graph}
    below: dict[str, set[str]] = {house: set() for house in home.values()}
    for upper, others in graph.items():
        below[home[upper]] |= {home[other] for other in others} - {home[upper]}

    @cache
    def floor(house: str) -> int:
        return 1 + max((floor(there) for there in below[house]), default=0)

    return floor(home[name])


def isinstances(tree: Tree) -> int:
    """How often something asks outside the games which game it has."""

    def is_of_a_game(node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "isinstance"
            and any(isinstance(each, ast.Name) and each.id in GAMES for each in ast.walk(node.args[1]))
        )

    outside = (nodes for name, nodes in tree.nodes.items() if not name.startswith(("gnomon.games.", "gnomon.rules.")))
    return sum(is_of_a_game(node) for nodes in outside for node in nodes)


def naming(tree: Tree, game: str) -> int:
    """How many modules outside its folder name a game."""
    own = re.compile(rf"^gnomon\.(?:games|rules)\.{game}(?:\.|$)")
    return sum(
        bool(re.search(game, path.read_text("utf-8"), re.IGNORECASE))
        for name, path in tree.files.items()
        if not own.match(name)
    )


def slices(tree: Tree) -> int:
    """How many short modules have a single importer."""
    importers = Counter(each for imported in tree.imports.values() for each in imported)
    return sum(
        importers[name] == 1 and tree.lines(name) <= SHORT
        for name, path in tree.files.items()
        if path.name != "__init__.py"
    )


def homonyms(tree: Tree) -> int:
    """How many names of classes have several meanings."""
    classes = Counter(node.name for nodes in tree.nodes.values() for node in nodes if isinstance(node, ast.ClassDef))
    return sum(times > 1 for times in classes.values())


def formulas(tree: Tree) -> int:
    """How many modules hide their subject behind a formula."""
    return sum((ast.get_docstring(module) or "").startswith(FORMULA) for module in tree.parsed.values())


def way_of_a_ring(tree: Tree) -> str:
    """How many files of the referee one ring passes, and how often it goes from one to another."""
    roots = [str((tree.root / source).parent) for source in SOURCES]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {roots!r}\n{RING}"]
    files, moves = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return f"{files} with {moves} moves"


def figures(tree: Tree) -> Mapping[str, object]:
    """Every figure by its name."""
    core, daemon = shape(tree, "gnomon"), shape(tree, "gnomon_pi")
    script = [path for source in SOURCES for path in (tree.root / source).rglob("*.js")]
    told: dict[str, Callable[[], object]] = {
        "modules": lambda: len(tree.files),
        "lines of Python": lambda: sum(map(tree.lines, tree.files)),
        "lines of JavaScript": lambda: sum(len(path.read_text("utf-8").splitlines()) for path in script),
        "gnomon: entries": lambda: core.entries,
        "gnomon: floors": lambda: core.floors,
        "gnomon: arrows": lambda: core.arrows,
        "gnomon: circles": lambda: core.circles,
        "gnomon_pi: entries": lambda: daemon.entries,
        "gnomon_pi: floors": lambda: daemon.floors,
        "gnomon_pi: arrows": lambda: daemon.arrows,
        "gnomon_pi: circles": lambda: daemon.circles,
        "circles of modules": lambda: len(circles(tree.imports)),
        "circles of entries, in all packages": lambda: len(circles_of_entries(tree)),
        "isinstance on games outside them": lambda: isinstances(tree),
        "modules that name Tabik outside its folder": lambda: naming(tree, "tabik"),
        f"modules of at most {SHORT} lines with one importer": lambda: slices(tree),
        "classes that share their name": lambda: homonyms(tree),
        "first lines with a formula": lambda: formulas(tree),
        "files of the referee that one ring passes": lambda: way_of_a_ring(tree),
    }
    return {name: ask() for name, ask in told.items()}


def main() -> None:
    """Print the figures of a tree."""
    options = parser(__doc__ or "")
    options.add_argument("--tree", type=Path, default=ROOT, help="the folder of another tree")
    root = options.parse_args().tree.resolve()
    say_machine()
    for name, figure in figures(Tree(root)).items():
        say(name, figure)


def _name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] & set(graph):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


if __name__ == "__main__":
    main()
