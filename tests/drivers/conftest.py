"""Provide the tests of the drivers with a world, the simulated TAMSK board and a Pi's pin libraries."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from gpiozero import Device
from gpiozero.pins import local

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.devices import real_pins
from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from tests.drivers.expander_rig import QUIET, Rig
from tests.drivers.pin_libraries import Lgpio, SpiDev, StatefulGPIO
from tests.drivers.world import World, sensors_of

RASPBERRY_PI_4B = 0xC03112
SENSORS = sensors_of(load_bundled("tamsk"))


@pytest.fixture
def world() -> World:
    """Time that only the test moves."""
    return World()


@pytest.fixture(scope="session")
def description() -> BoardDescription:
    """The TAMSK board as it is bundled."""
    return load_bundled("tamsk")


@pytest.fixture
def board(description: BoardDescription, world: World) -> Iterator[SimulatedBoard]:
    """The TAMSK board in software, with nothing on it."""
    board = SimulatedBoard(description, now=world.clock, later=world.later)
    yield board
    board.close()


@pytest.fixture
def chain() -> RegisterChain:
    """The chain of the TAMSK board, soldered to whichever library is tried."""
    return RegisterChain(SENSORS)


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A machine that gpiozero takes for a Raspberry Pi, without anything that another test left on its pins."""
    monkeypatch.setattr(local, "get_pi_revision", lambda: RASPBERRY_PI_4B)
    monkeypatch.setattr(local.LocalPiFactory, "pins", {})
    monkeypatch.setattr(local.LocalPiFactory, "_reservations", type(local.LocalPiFactory._reservations)(list))
    # Nothing of ours may fall back on the global factory.
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", lambda: pytest.fail("a driver asked for the global factory"))
    yield monkeypatch
    for module in ("gpiozero.pins.rpigpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(module, None)


def solder(library: StatefulGPIO | Lgpio, chain: RegisterChain) -> None:
    """Connect the pins of the library with the chain."""

    def heed(pin: int, level: float) -> None:
        if pin == SENSORS.latch:
            chain.on_latch(level)
        elif SENSORS.emitters is not None and pin == SENSORS.emitters.pin:
            chain.on_emitters(level)

    library.heed = heed


@pytest.fixture
def gpio(pi: pytest.MonkeyPatch, chain: RegisterChain) -> StatefulGPIO:
    """RPi.GPIO and spidev as they are on a Pi."""
    library = StatefulGPIO()
    package = ModuleType("RPi")
    package.GPIO = library  # type: ignore[attr-defined]  # a module made for the test
    pi.setitem(sys.modules, "RPi", package)
    pi.setitem(sys.modules, "RPi.GPIO", library)
    pi.setattr(SpiDev, "chain", chain, raising=False)
    pi.setattr(local, "SpiDev", SpiDev)
    solder(library, chain)
    return library


@pytest.fixture
def rpigpio(gpio: StatefulGPIO) -> PinFactory:  # noqa: ARG001 - installs the library
    """Gpiozero's factory for RPi.GPIO, which is used with rpi-lgpio too."""
    return real_pins("rpigpio")


@pytest.fixture
def lgpio(pi: pytest.MonkeyPatch, chain: RegisterChain) -> Lgpio:
    """Lgpio as it is on a Pi."""
    library = Lgpio(chain)
    pi.setitem(sys.modules, "lgpio", library)
    solder(library, chain)
    return library


@pytest.fixture
def lgpio_factory(lgpio: Lgpio) -> PinFactory:  # noqa: ARG001 - installs the library
    """Gpiozero's factory for lgpio, the one of the TAMSK board."""
    return real_pins("lgpio")


@pytest.fixture
def rig() -> Rig:
    """Three chips on two buses, read once."""
    rig = Rig()
    rig.scan()
    return rig


@pytest.fixture
def quiet() -> Rig:
    """The same without anything strobed."""
    rig = Rig(QUIET)
    rig.scan()
    return rig
