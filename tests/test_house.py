"""Test how the house is built: who may import whom, what stands where, and what gives its reason."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.bench import house

ROOT = Path(__file__).parents[1]
SOURCE_ROOTS = {"companion": "gnomon", "firmware": "gnomon_pi"}
PURE = ("timekeeping", "boards", "rules", "games", "referee", "coaching", "distance", "views", "people", "tournament")
ROOMS = ("cli", "simulated", "tools", "hall_link", "pages", "relay_link", "runtime", "drivers", "config")
WORLD = ("asyncio", "threading", "socket", "time", "random", "logging", "os", "pathlib")
# The watch measures; the wall only says what day it is, for what people do away from a board.
CLOCK_READERS = (Path("firmware/gnomon_pi/runtime/system/clock.py"), Path("companion/gnomon/hall/clock.py"))
# Contracts and conventions name these by where they stand.
NAMED_IN_CONTRACTS = ("gnomon.numbers", "gnomon.games.clock.rules")
TOOLS = Path(sys.executable).parent

MODULES = sorted(
    path.relative_to(ROOT)
    for source_root, package in SOURCE_ROOTS.items()
    for path in (ROOT / source_root / package).rglob("*.py")
)
TEST_MODULES = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py"))

with (ROOT / "pyproject.toml").open("rb") as _file:
    PROJECT = tomllib.load(_file)


@cache
def source_of(module: Path) -> str:
    """What stands in a module, read once for all that is asked of it."""
    return (ROOT / module).read_text("utf-8")


# Who may import whom


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts on the packages under `folder`."""
    roots = ":".join(str(folder / source_root) for source_root in SOURCE_ROOTS)
    return subprocess.run(
        [TOOLS / "lint-imports", "--config", folder / "pyproject.toml", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": roots, "PATH": "", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def small_house(tmp_path: Path) -> Path:
    """A tree with our contracts, and every package empty."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    packages = ["companion/gnomon", "firmware/gnomon_pi"]
    packages += [
        f"companion/gnomon/{name}" for name in (*PURE, "engines", "lessons", "records", "hall", "web", "cli", "words")
    ]
    packages += [f"companion/gnomon/games/{name}" for name in ("tamsk", "tamsk/rules", "tayu", "tayu/rules")]
    packages += [f"firmware/gnomon_pi/{name}" for name in ROOMS]
    packages += [f"firmware/gnomon_pi/{name}" for name in ("simulated/chips", "tools/doctor", "tools/walk")]
    for package in packages:
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "companion/gnomon/rules/protocol.py").touch()
    (tmp_path / "firmware/gnomon_pi/runtime/health.py").write_text("import gnomon_pi.runtime.runner\n")
    (tmp_path / "firmware/gnomon_pi/runtime/runner.py").touch()
    return tmp_path


def test_every_module_keeps_the_import_contracts() -> None:
    report = lint_imports(ROOT)
    assert report.returncode == 0, report.stdout + report.stderr


def test_what_the_plan_allows_keeps_the_contracts(small_house: Path) -> None:
    (small_house / "firmware/gnomon_pi/cli/daemon.py").write_text(
        "import asyncio, time\nfrom gnomon.referee import events\n"
    )
    (small_house / "firmware/gnomon_pi/drivers/_lights.py").write_text("import gpiozero, luma, smbus2, spidev\n")
    (small_house / "firmware/gnomon_pi/simulated/chips/hc165_and_lights.py").write_text("import gpiozero\n")
    (small_house / "companion/gnomon/web/__init__.py").write_text("from gnomon.views import seats\nimport socket\n")
    report = lint_imports(small_house)
    assert report.returncode == 0, report.stdout + report.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("companion/gnomon/records/replay.py", "import gnomon_pi.drivers", "The daemon knows the core"),
        (
            "companion/gnomon/timekeeping/glasses.py",
            "import gnomon.rules.protocol",
            "each layer knows only those below",
        ),
        (
            "companion/gnomon/games/tamsk/rules/__init__.py",
            "from gnomon.referee import events",
            "know no referee and no page",
        ),
        ("companion/gnomon/views/seats.py", "import gnomon.records", "each layer knows only those below"),
        ("companion/gnomon/words/__init__.py", "import gnomon.rules.protocol", "each layer knows only those below"),
        ("companion/gnomon/elsewhere.py", "", "each layer knows only those below"),
        ("companion/gnomon/referee/step.py", "from gnomon.games.tamsk import rules", "Referee and views know no game"),
        ("companion/gnomon/views/show.py", "from gnomon.games.tamsk import rules", "Referee and views know no game"),
        ("companion/gnomon/referee/step.py", "def late():\n    from time import monotonic", "do no I/O"),
        ("companion/gnomon/web/page.py", "import smbus2", "touch the devices' libraries"),
        ("firmware/gnomon_pi/cli/daemon.py", "from gpiozero import Button", "touch the devices' libraries"),
        ("firmware/gnomon_pi/runtime/runner.py", "import luma.core.render", "touch the devices' libraries"),
        (
            "firmware/gnomon_pi/runtime/runner.py",
            "def late():\n    from gnomon_pi.simulated import chips",
            "Inside the daemon",
        ),
        ("firmware/gnomon_pi/tools/doctor/_wires.py", "import gnomon_pi.simulated", "Inside the daemon"),
        ("firmware/gnomon_pi/pages/server.py", "import gnomon_pi.hall_link", "Inside the daemon"),
        ("firmware/gnomon_pi/drivers/_lights.py", "from gnomon_pi import runtime", "Inside the daemon"),
        ("firmware/gnomon_pi/config/power.py", "import gnomon_pi.drivers", "Inside the daemon"),
        ("firmware/gnomon_pi/elsewhere.py", "", "Inside the daemon"),
        ("firmware/gnomon_pi/tools/doctor/_wires.py", "import gnomon_pi.tools.walk", "tools of a builder"),
        ("firmware/gnomon_pi/runtime/runner.py", "def late():\n    import gnomon_pi.runtime.health", "No circle"),
    ],
)
def test_a_forbidden_import_is_found(small_house: Path, module: str, line: str, contract: str) -> None:
    (small_house / module).write_text(f"{line}\n")
    report = lint_imports(small_house)
    broken = [text for text in report.stdout.splitlines() if text.endswith("BROKEN")]
    assert report.returncode == 1, report.stdout + report.stderr
    assert [text for text in broken if contract in text] == broken != []


@cache
def top_imports(module: Path) -> frozenset[str]:
    """The packages that a module imports, looked for once for all that is asked of it."""
    found = set()
    for node in ast.walk(ast.parse(source_of(module))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


def test_no_further_module_uses_private_names_of_others() -> None:
    allowed = {module.as_posix() for module in MODULES if "noqa: SLF001" in source_of(module)}
    assert allowed == {"firmware/gnomon_pi/config/checked_toml.py", "firmware/gnomon_pi/drivers/devices.py"}


def test_a_library_that_one_module_alone_may_import_is_imported_by_no_other() -> None:
    said = {
        module: re.findall(r"^No other module imports (\w+)", source_of(module), re.MULTILINE) for module in MODULES
    }
    owners = {library: module for module, libraries in said.items() for library in libraries}
    assert {"argon2", "networkx", "paho", "python_multipart", "segno"} <= set(owners)
    for library, owner in owners.items():
        naming = (module for module in MODULES if library in source_of(module))  # nothing else can import it
        assert [module for module in naming if library in top_imports(module)] == [owner], library


def test_only_the_command_line_finds_the_simulator() -> None:
    # A contract knows imports, and no name that is imported as a text.
    rooms = {module.parts[2] for module in MODULES if "gnomon_pi.simulated" in source_of(module)}
    assert rooms == {"cli", "simulated"}


def banned_imports(module: str) -> set[str]:
    """Which of the world's modules ruff refuses in `module`."""
    source = "".join(f"import {name}\n" for name in WORLD)
    report = subprocess.run(
        [TOOLS / "ruff", "check", "--select=TID251", "--output-format=concise", f"--stdin-filename={module}", "-"],
        cwd=ROOT,
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    return {name for name in WORLD if f"`{name}` is banned" in report.stdout}


@pytest.mark.parametrize("package", PURE)
def test_a_pure_package_may_not_reach_for_the_world(package: str) -> None:
    assert banned_imports(f"companion/gnomon/{package}/anything.py") == set(WORLD)


def test_the_shells_may_reach_for_the_world() -> None:
    assert banned_imports("companion/gnomon/records/anything.py") == set()
    assert banned_imports("firmware/gnomon_pi/anything.py") == set()


def test_the_contracts_name_every_pure_package_that_exists() -> None:
    contracts = {contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
    named = contracts["The pure packages do no I/O"]["source_modules"]
    assert set(named) == {f"gnomon.{name}" for name in PURE if (ROOT / "companion/gnomon" / name).is_dir()}


GAMES = {"tamsk", "tayu", "tabik", "tau", "twenty_squares", "clock"}


def games_known(source: str) -> set[str]:
    """The games whose modules a source imports."""
    imported = "|".join(
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        for name in (alias.name, f"{getattr(node, 'module', '')}.{alias.name}")
    )
    return GAMES.intersection(re.findall(r"\bgnomon\.games\.(\w+)", imported))


@pytest.mark.parametrize(
    ("source", "games"),
    [
        ("import gnomon.games.tayu.rules.tiles as tiles", {"tayu"}),
        ("from gnomon.games import tabik, tau", {"tabik", "tau"}),
        ("def late():\n    from gnomon.games.tamsk.rules._moves import Move", {"tamsk"}),
        ("from gnomon.rules.protocol import Rules\nfrom gnomon.boards import hexes", set()),
    ],
)
def test_an_import_of_a_game_is_found(source: str, games: set[str]) -> None:
    assert games_known(source) == games


def test_a_game_knows_no_other_game() -> None:
    others = {
        module: games_known(source_of(module)) - {module.parts[3]} for module in MODULES if module.parts[2] == "games"
    }
    assert others
    assert {module: games for module, games in others.items() if games} == {}


NAMED: Final = re.compile(r"""["'](?:tamsk|tayu|tabik|tau|twenty-squares)["']|\bgnomon\.games\.[a-z]""")
WRITTEN: Final = re.compile(r'"""[\s\S]*?"""|/\*[\s\S]*?\*/|\{#[\s\S]*?#\}|^\s*(?://|#).*$', re.MULTILINE)
KNOWING: Final = ROOT / "tests" / "knows_a_game.txt"


def knows_a_game(source: str) -> bool:
    """Whether a source names a game, or a module of one, in anything but its comments."""
    return NAMED.search(WRITTEN.sub("", source)) is not None


@pytest.mark.parametrize(
    ("source", "knows"),
    [
        ('if game == "tamsk":', True),
        ("from gnomon.games.tayu.rules import Tayu", True),
        ("{% if game.game == 'tau' %}", True),
        ('"""Of the board "tamsk"."""', False),
        ('// as in "tamsk"', False),
        ('say("game.tamsk.title")', False),
    ],
)
def test_a_name_of_a_game_is_found(source: str, *, knows: bool) -> None:
    assert knows_a_game(source) is knows


def test_no_further_file_outside_its_folder_names_a_game() -> None:
    # The list only gets shorter. What it keeps for good: the registry, boards and their tools, what old records mean.
    sources = {
        str(path.relative_to(ROOT))
        for root, package in SOURCE_ROOTS.items()
        for kind in ("py", "js", "html", "css")
        for path in (ROOT / root / package).rglob(f"*.{kind}")
        if not path.is_relative_to(ROOT / "companion/gnomon/games") and knows_a_game(path.read_text("utf-8"))
    }
    known = KNOWING.read_text("utf-8").splitlines()
    assert sources == {line for line in known if line and not line.startswith("#")}


# Doors


@pytest.fixture(scope="module")
def tree() -> house.Tree:
    """The product as it stands, read once for all that look at it."""
    return house.Tree(ROOT)


def inside(module: str, package: str) -> bool:
    """Whether a module is a package or stands in it."""
    return module == package or module.startswith(f"{package}.")


def users_of(tree: house.Tree) -> dict[str, set[str]]:
    """Who imports each module, or names it in a string, as "module:name" does."""
    users: dict[str, set[str]] = {name: set() for name in tree.files}
    for user, nodes in tree.nodes.items():
        texts = (node.value for node in nodes if isinstance(node, ast.Constant))
        named = {
            name.rpartition(".")[0] if name not in users else name
            for text in texts
            if isinstance(text, str) and "gnomon" in text
            for name in re.findall(r"gnomon(?:_pi)?(?:\.\w+)+", text)
        }
        for used in (tree.imports[user] | named) & set(users) - {user}:
            users[used].add(user)
    return users


def is_command(tree: house.Tree, module: str) -> bool:
    """Whether a module holds a command, which the command line finds by its name."""
    source = tree.files[module].read_text("utf-8")
    return ".cli." in module and re.search(r"@\w+\.(?:command|group)\(", source) is not None


def without_need(tree: house.Tree) -> set[str]:
    """The modules that are open to everybody, though only their own package imports them."""
    found = set()
    for module, users in users_of(tree).items():
        package, _, name = module.rpartition(".")
        if tree.files[module].name == "__init__.py" or name.startswith("_") or module in NAMED_IN_CONTRACTS:
            continue
        if users and not is_command(tree, module) and all(inside(user, package) for user in users):
            found.add(module)
    return found


def through_walls(tree: house.Tree) -> set[tuple[str, str]]:
    """The imports of a private module from outside of its package."""
    found = set()
    for user, imported in tree.imports.items():
        for module in imported:
            parts = module.split(".")
            walls = (".".join(parts[:number]) for number, part in enumerate(parts) if part.startswith("_"))
            if not all(inside(user, package) for package in walls):
                found.add((user, module))
    return found


def test_a_module_that_only_its_own_package_imports_is_private(tree: house.Tree) -> None:
    assert without_need(tree) == set(), "give it a name that begins with an underscore"


def test_no_module_imports_a_private_module_of_another_package(tree: house.Tree) -> None:
    assert through_walls(tree) == set()


def test_an_open_inner_module_and_a_way_through_a_wall_are_found(tmp_path: Path) -> None:
    sources = {
        "companion/gnomon/__init__.py": "",
        "companion/gnomon/shop/__init__.py": "from gnomon.shop.till import open_till",
        "companion/gnomon/shop/till.py": "",
        "companion/gnomon/shop/_safe.py": "",
        "companion/gnomon/shop/office/__init__.py": "import gnomon.shop._safe",
        "companion/gnomon/shop/counter.py": "",
        "companion/gnomon/street.py": "from gnomon.shop.counter import buy",
        "firmware/gnomon_pi/__init__.py": "from gnomon.shop._safe import take\nSTREET = 'gnomon.street:walk'",
    }
    for path, source in sources.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    planted = house.Tree(tmp_path)
    assert without_need(planted) == {"gnomon.shop.till"}
    assert through_walls(planted) == {("gnomon_pi", "gnomon.shop._safe")}


# The house as it is judged: see "The house, before and after" in docs/figures.md


def test_few_names_of_classes_have_several_meanings(tree: house.Tree) -> None:
    assert house.homonyms(tree) < 20


def test_nothing_outside_the_games_asks_which_game_it_has(tree: house.Tree) -> None:
    assert house.isinstances(tree) == 0


def test_no_modules_import_each_other_in_a_circle(tree: house.Tree) -> None:
    assert house.circles(tree.imports) == []


def test_no_entries_of_a_package_import_each_other_in_a_circle(tree: house.Tree) -> None:
    assert house.circles_of_entries(tree) == [], (
        "a folder imports from beside it what imports the folder: move a module"
    )


def test_a_circle_of_entries_is_found(tmp_path: Path) -> None:
    sources = {
        "companion/gnomon/__init__.py": "",
        "companion/gnomon/shop/__init__.py": "",
        "companion/gnomon/shop/street.py": "from gnomon.shop.office.safe import take",
        "companion/gnomon/shop/office/__init__.py": "",
        "companion/gnomon/shop/office/safe.py": "",
        "companion/gnomon/shop/office/door.py": "from gnomon.shop.street import walk",
        "firmware/gnomon_pi/__init__.py": "",
    }
    for path, source in sources.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source)
    planted = house.Tree(tmp_path)
    assert house.circles(planted.imports) == []
    assert house.circles_of_entries(planted) == [("gnomon.shop", frozenset({"street", "office"}))]


def test_a_ring_passes_at_most_eight_files_of_the_referee(tree: house.Tree) -> None:
    files, _, _ = house.way_of_a_ring(tree).partition(" ")
    assert int(files) <= 8


# Who reads a clock


CLOCKS = {
    *(f"time.{name}{unit}" for name in ("time", "monotonic", "perf_counter", "clock_gettime") for unit in ("", "_ns")),
    *(f"datetime.datetime.{name}" for name in ("now", "utcnow", "today")),
    "datetime.date.today",
}


def dotted(node: ast.expr) -> str:
    """The name of an expression like `a.b.c`, empty for any other."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def clocks_read(source: str) -> set[str]:
    """The clocks of the standard library that a module names, called or handed on."""
    # Most modules import neither, and five hundred trees are a matter of seconds.
    if not re.search(r"^\s*(?:from|import)\b.*\b(?:date)?time\b", source, re.MULTILINE):
        return set()
    tree = ast.parse(source)
    meaning: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            meaning |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            meaning |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    names = set(meaning.values())
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            first, _, rest = dotted(node).partition(".")
            names.add(".".join(filter(None, (meaning.get(first, first), rest))))
    return names & CLOCKS


@pytest.mark.parametrize(
    ("source", "clocks"),
    [
        ("import time\ntime.sleep(1)", set()),
        ("import time\nstart = time.monotonic_ns()", {"time.monotonic_ns"}),
        ("import time as watch\nread = watch.time", {"time.time"}),
        ("from time import perf_counter as count", {"time.perf_counter"}),
        ("from datetime import datetime\ndatetime.now()", {"datetime.datetime.now"}),
        ("import datetime\ndatetime.date.today()", {"datetime.date.today"}),
        ("def later(time):\n    return time + 1", set()),
    ],
)
def test_a_reading_of_a_clock_is_found(source: str, clocks: set[str]) -> None:
    assert clocks_read(source) == clocks


def test_only_the_watch_and_the_wall_read_a_clock() -> None:
    read = {module: clocks_read(source_of(module)) for module in MODULES if module not in CLOCK_READERS}
    assert read
    assert {module: clocks for module, clocks in read.items() if clocks} == {}


# What stands where


def test_the_top_level_is_as_the_order_fixes_it() -> None:
    ordered = {"pyproject.toml", "firmware", "companion", "hardware", "tests", "README.md"}
    assert ordered <= {path.name for path in ROOT.iterdir()}


@pytest.mark.parametrize(("source_root", "package"), SOURCE_ROOTS.items())
def test_a_source_root_holds_its_readme_and_its_package_only(source_root: str, package: str) -> None:
    # Whatever else stood there would be importable.
    visible = {path.name for path in (ROOT / source_root).iterdir() if not path.name.startswith((".", "__"))}
    assert visible == {"README.md", package}


def test_both_packages_are_built() -> None:
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == [f"{source_root}/{package}" for source_root, package in SOURCE_ROOTS.items()]


def test_hardware_holds_no_program() -> None:
    assert list((ROOT / "hardware").rglob("*.py")) == []


# Why it is so


def test_every_exception_from_the_lint_gives_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    exceptions = re.findall(r'^  "[A-Z]+[0-9]*",.*$', text, re.MULTILINE)
    assert exceptions
    assert [line for line in exceptions if not re.search(r",\s+# \S+ \S+", line)] == []
