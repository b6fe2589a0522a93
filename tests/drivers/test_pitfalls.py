"""What the libraries for pins do behind one's back, each with the proof that it does not reach us."""

import ast
import gc
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

import pytest
from gpiozero import Device, OutputDevice
from gpiozero.pins.local import LocalPiSoftwareSPI
from gpiozero.pins.mock import MockFactory, MockPin

import gnomon_pi
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers.devices import VARIABLE, open_devices, pin_folder
from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.bench.house import parsed
from tests.drivers.pin_libraries import Lgpio, StatefulGPIO
from tests.drivers.world import World
from tests.words.statements import in_english

BUTTONS: Final = load_bundled("tamsk").buttons
PACKAGE: Final = Path(gnomon_pi.__file__).parent
BOTH = pytest.mark.parametrize("library", ["rpigpio", "lgpio_factory"])


@cache
def trees() -> Mapping[Path, ast.Module]:
    """The tree of every module of the daemon."""
    return {path.relative_to(PACKAGE): parsed(path) for path in PACKAGE.rglob("*.py")}


def named(tree: ast.Module) -> Iterator[str]:
    """Everything that a module imports, calls for by an attribute, or hands over by a name."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute):
                yield f"{owner}.{attribute}"
            case ast.keyword(arg=str(argument)):
                yield f"={argument}"
            case _:
                pass


def users(*banned: str) -> dict[str, set[str]]:
    """Which modules of the daemon name what is banned."""
    found = {str(path): set(named(tree)) & set(banned) for path, tree in trees().items()}
    return {path: names for path, names in found.items() if names}


# lgpio hears all pins with one thread, and an exception ends it


def test_the_thread_of_lgpio_outlives_a_report_that_fails_in_any_way(
    lgpio_factory: PinFactory, lgpio: Lgpio, world: World
) -> None:
    failures = iter(
        [RuntimeError("the loop is closed"), ValueError(), KeyError("x"), AssertionError(), OSError(5, "I/O")]
    )

    def report(stamp: int, name: str, value: bool) -> None:
        world.hear(stamp, name, value)
        raise next(failures)

    buttons = Buttons(BUTTONS, pin_factory=lgpio_factory, now=world.clock)
    buttons.start(report)
    for number, level in enumerate((0, 1, 0, 1, 0)):
        lgpio.drive(5, level, number)
        assert lgpio.alive
    assert [value for _, _, value in world.edges] == [True, False, True, False, True]
    assert in_english(buttons.health()) == ("An edge of button.red was lost: OSError: [Errno 5] I/O.",)
    buttons.close()


# lgpio's pipe: which folder, and where that leaves the process

STAND_IN: Final = '''"""lgpio as it is imported: it goes to its folder, and makes its pipe there."""
import os
from gnomon_pi.config import load_bundled
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from tests.drivers.pin_libraries import Lgpio
if "LG_WD" in os.environ:
    os.chdir(os.environ["LG_WD"])
os.mkfifo(".lgd-nfy0")
where = os.getcwd()
library = Lgpio(RegisterChain(load_bundled("tamsk").sensors))
names = {*dir(type(library)), *vars(library)}
globals().update({name: getattr(library, name) for name in names if not name.startswith("__")})
'''


@pytest.fixture
def importing_lgpio(pi: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """A machine on which lgpio has not been imported yet."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "lgpio.py").write_text(STAND_IN)
    pi.syspath_prepend(tmp_path / "library")
    pi.delitem(sys.modules, "lgpio", raising=False)
    pi.delenv(VARIABLE, raising=False)
    pi.delenv("RUNTIME_DIRECTORY", raising=False)
    yield pi
    sys.modules.pop("lgpio", None)


def open_table(world: World) -> Path:
    """Open the pins of a table, and answer where lgpio made its pipe."""
    bare = BoardDescription("table", "lgpio", None, load_bundled("table").buttons, None, None, None)
    open_devices(bare, now=world.clock, later=world.later).close()
    return Path(sys.modules["lgpio"].where)


@pytest.mark.parametrize("variable", ["", VARIABLE, "RUNTIME_DIRECTORY"])
def test_lgpio_gets_a_folder_of_its_own_and_the_process_stays_where_it_is(
    importing_lgpio: pytest.MonkeyPatch, tmp_path: Path, world: World, variable: str
) -> None:
    """A service stands in `/`, where it may not write; and relative paths mean the same before and after."""
    parent = tmp_path / "run"
    parent.mkdir()
    importing_lgpio.chdir("/")
    if variable:
        importing_lgpio.setenv(variable, str(parent))
    else:
        importing_lgpio.setattr("tempfile.tempdir", str(parent))
    before = dict(os.environ)
    folder = open_table(world)
    assert folder.parent == parent
    assert (folder / ".lgd-nfy0").is_fifo()
    assert Path.cwd() == Path("/")
    assert dict(os.environ) == before


def test_two_programs_in_one_folder_do_not_share_a_pipe(importing_lgpio: pytest.MonkeyPatch, world: World) -> None:
    first = open_table(world)
    for module in ("lgpio", "gpiozero.pins.lgpio"):
        importing_lgpio.delitem(sys.modules, module)
    assert open_table(world) != first


def test_a_folder_that_cannot_be_made_is_one_sentence(
    importing_lgpio: pytest.MonkeyPatch, tmp_path: Path, world: World
) -> None:
    importing_lgpio.setenv(VARIABLE, str(tmp_path / "missing"))
    with pytest.raises(
        DriverError, match=r"The pins cannot be opened by lgpio: .*No such file or directory: .*/missing"
    ):
        open_table(world)


def test_the_folder_is_gone_when_the_process_ends(tmp_path: Path) -> None:
    script = "from gnomon_pi.drivers.devices import pin_folder\nwith pin_folder(): open('.lgd-nfy0', 'w').close()"
    environment = {**os.environ, VARIABLE: str(tmp_path)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_in_the_folder_leaves_the_process_where_it_was() -> None:
    before = Path.cwd()

    def fail() -> None:
        with pin_folder():
            raise ImportError

    with pytest.raises(ImportError):
        fail()
    assert Path.cwd() == before
    assert VARIABLE not in os.environ


# Debouncing by a library means something else with each of them


def test_nothing_asks_a_library_to_debounce() -> None:
    assert users("=bounce_time") == {}


@BOTH
def test_no_pin_debounces(request: pytest.FixtureRequest, library: str, world: World) -> None:
    """The stand-ins for both libraries fail when they are asked to."""
    factory: PinFactory = request.getfixturevalue(library)
    buttons = Buttons(BUTTONS, pin_factory=factory, now=world.clock)
    buttons.start(world.hear)
    assert [factory.pin(button.pin).bounce for button in BUTTONS] == [None] * len(BUTTONS)
    buttons.close()


# A pin that is claimed does not survive a fork


@pytest.mark.untraced
def test_the_daemon_never_forks() -> None:
    forks = ("os.fork", "os.forkpty", "pty.fork", "os.posix_spawn", "concurrent.futures.ProcessPoolExecutor")
    assert users(*forks) == {}
    assert [
        path for path, tree in trees().items() if any(name.split(".")[0] == "multiprocessing" for name in named(tree))
    ] == []


@pytest.mark.parametrize(
    "source", ["import multiprocessing.pool", "from os import path\nos.fork()", "Button(5, bounce_time=1)"]
)
def test_what_is_banned_is_found(source: str) -> None:
    banned = {"multiprocessing.pool", "os.fork", "=bounce_time"}
    assert set(named(ast.parse(source))) & banned


# Pins know their device by a weak reference only


@BOTH
def test_edges_are_heard_after_every_collection_of_garbage(
    request: pytest.FixtureRequest, library: str, world: World
) -> None:
    factory: PinFactory = request.getfixturevalue(library)
    buttons = Buttons(BUTTONS, pin_factory=factory, now=world.clock)
    buttons.start(world.hear)
    gc.collect()
    if library == "rpigpio":
        gpio: StatefulGPIO = request.getfixturevalue("gpio")
        gpio.drive(5, 0)
    else:
        lgpio: Lgpio = request.getfixturevalue("lgpio")
        lgpio.drive(5, 0, 1)
    assert [name for _, name, _ in world.edges] == ["button.red"]
    buttons.close()


def test_the_garbage_of_one_pin_does_not_stop_the_taking_of_another(lgpio_factory: PinFactory) -> None:
    """A device that is collected is closed, and that takes a lock which the same thread may hold already."""
    left: Any = [OutputDevice(20, pin_factory=lgpio_factory)]
    left.append(left)  # only the collector finds it
    factory: Any = lgpio_factory
    taken: list[object] = []

    def take() -> None:
        with factory._res_lock:
            left.clear()
            gc.collect()
        taken.append(OutputDevice(21, pin_factory=lgpio_factory))

    thread = Thread(target=take, daemon=True)
    thread.start()
    thread.join(30.0)
    assert taken
    taken.clear()


def test_the_lock_of_gpiozero_alone_would_stand_still() -> None:
    """When this fails, `real_pins` and the simulated pins need no lock of their own any more."""
    assert isinstance(MockFactory()._res_lock, type(Lock()))
    assert not isinstance(SimulatedFactory(chain=None, ticks=lambda: 0.0)._res_lock, type(Lock()))


# Threads for buttons that are held


@pytest.mark.untraced
def test_no_pin_has_a_thread_of_its_own(description: BoardDescription, world: World) -> None:
    """Each of gpiozero's Buttons would have one."""
    before = threading.active_count()
    board = SimulatedBoard(description, now=world.clock, later=world.later)
    board.drivers.buttons.start(world.hear)
    board.set_input("button.red", True)
    assert world.edges
    assert threading.active_count() == before
    board.close()
    assert users("gpiozero.Button", "=hold_time") == {}


# Mock pins remember every change for ever


def test_simulated_pins_remember_no_changes(world: World) -> None:
    factory = SimulatedFactory(chain=None, ticks=lambda: world.now / 1_000_000)
    devices = [OutputDevice(20, pin_factory=each) for each in (factory, MockFactory())]
    for device in devices:
        for _ in range(100):
            device.toggle()
    assert len(factory.pin(20).states) == 0
    mock = devices[1].pin
    assert isinstance(mock, MockPin)
    assert len(mock.states) == 101
    for device in devices:
        device.close()


# An SPI that is clocked by Python, without a word


def test_the_pins_of_spi1_are_clocked_by_python_without_a_word(
    lgpio_factory: PinFactory, pi: pytest.MonkeyPatch
) -> None:
    """So the sensors ask for a port, which it refuses: `test_sensors_on_spi1_are_refused`."""
    factory: Any = lgpio_factory
    pi.setattr(Device, "pin_factory", factory)  # which such a bus asks for, whatever it was given
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spi = factory.spi(clock_pin=21, mosi_pin=20, miso_pin=19, select_pin=18)
    assert isinstance(spi, LocalPiSoftwareSPI)
    spi.close()
    assert users("=clock_pin", "=mosi_pin") == {}
