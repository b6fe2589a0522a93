"""Opening the devices of a real Pi: what is opened, and one sentence for whatever is missing."""

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

import pytest
from gpiozero import Device
from gpiozero.pins import local
from PIL import Image

from gnomon_pi.config import description as wired
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.pn532 import TagReader
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from tests.drivers.pin_libraries import Lgpio, SpiDev
from tests.drivers.world import World, sensors_of


class SMBus:
    """smbus2's class, as far as the display needs it."""

    opened: int | None = None

    def __init__(self, bus: int) -> None:
        type(self).opened = bus

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Nobody is listening."""

    def close(self) -> None:
        type(self).opened = None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A Raspberry Pi on which everything is installed and switched on."""
    monkeypatch.setattr(local, "get_pi_revision", lambda: 0xC03112)
    monkeypatch.setattr(local.LocalPiFactory, "pins", {})
    monkeypatch.setattr(local.LocalPiFactory, "_reservations", type(local.LocalPiFactory._reservations)(list))
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setitem(sys.modules, "lgpio", Lgpio(RegisterChain(sensors_of(load_bundled("tamsk")))))
    for name, member in (("smbus2", SMBus), ("spidev", SpiDev)):
        module = ModuleType(name)
        setattr(module, member.__name__, member)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(SpiDev, "opened", [])
    yield monkeypatch
    for module_name in ("gpiozero.pins.rpigpio", "gpiozero.pins.lgpio"):
        sys.modules.pop(module_name, None)


def refusal(description: BoardDescription) -> str:
    world = World()
    with pytest.raises(DriverError) as raised:
        open_devices(description, now=world.clock, later=world.later)
    message = str(raised.value)
    assert "\n" not in message
    return message


@pytest.mark.usefixtures("machine")
def test_the_described_buses_are_opened_and_let_go(description: BoardDescription, world: World) -> None:
    drivers = open_devices(description, now=world.clock, later=world.later)
    assert (SMBus.opened, SpiDev.opened) == (1, [(1, 0)])
    assert None not in drivers[:5]
    assert drivers.reader is None  # none is described
    drivers.buttons.start(world.hear)
    drivers.close()
    assert SMBus.opened is None
    assert Device.pin_factory is None


@pytest.mark.usefixtures("machine")
def test_a_board_without_display_and_lights_opens_no_bus(description: BoardDescription, world: World) -> None:
    bare = dataclasses.replace(description, display=None, lights=None, buzzer=None)
    drivers = open_devices(bare, now=world.clock, later=world.later)
    assert (SMBus.opened, SpiDev.opened) == (None, [])
    assert (drivers.display, drivers.lights, drivers.sound) == (None, None, None)
    drivers.close()


@pytest.mark.usefixtures("machine")
def test_a_display_on_spi_and_a_reader_of_tags_open_their_own_buses(world: World) -> None:
    table = dataclasses.replace(
        load_bundled("table"),
        display=wired.DisplayWiring("sh1106", wired.SpiDisplay(wired.OnSpi(0, 1, 4_000_000), 24, 22)),
        reader=wired.Reader("pn532", "", {}, wired.OnI2c(1, 0x24)),
    )
    drivers = open_devices(table, now=world.clock, later=world.later)
    assert (SMBus.opened, SpiDev.opened) == (1, [(0, 1)])
    assert isinstance(drivers.reader, TagReader)
    assert drivers.display is not None
    drivers.display.show(Image.new("1", (128, 64)))
    drivers.close()
    assert SMBus.opened is None


@pytest.mark.usefixtures("machine")
def test_pins_in_software_need_no_library(machine: pytest.MonkeyPatch, world: World) -> None:
    for library in ("lgpio", "RPi"):
        machine.setitem(sys.modules, library, None)
    table = dataclasses.replace(load_bundled("table"), pins="mock", display=None)
    drivers = open_devices(table, now=world.clock, later=world.later)
    drivers.buttons.start(world.hear)
    assert drivers.sound is not None
    drivers.sound.play([(440.0, 0.1)])
    drivers.buttons.check()
    drivers.close()
    assert world.edges == []


@pytest.mark.parametrize(
    ("taken", "opened", "group"),
    [("smbus2", "I2C bus 1 of the display", "i2c"), ("spidev", "SPI1 of the lights", "spi")],
)
def test_a_bus_that_the_user_may_not_open_is_one_sentence_with_its_group(
    machine: pytest.MonkeyPatch, description: BoardDescription, taken: str, opened: str, group: str
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/dev/somewhere")

    if taken == "smbus2":
        machine.setattr(SMBus, "__init__", refused)
    else:
        machine.setattr(SpiDev, "open", refused)
    assert refusal(description) == (
        f"{opened} cannot be opened: this user may not use it: sudo usermod -aG {group} $USER, and log in again."
    )


@pytest.mark.parametrize("library", ["lgpio", "smbus2", "spidev"])
def test_a_missing_library_is_one_sentence(
    machine: pytest.MonkeyPatch, description: BoardDescription, library: str
) -> None:
    machine.setitem(sys.modules, library, None)
    message = refusal(description)
    assert message.startswith(f"The library {library} is missing")
    assert f"install python3-{library} for" in message
    assert message.endswith("elsewhere use --simulated.")


def test_a_missing_rpi_gpio_is_one_sentence(machine: pytest.MonkeyPatch, description: BoardDescription) -> None:
    machine.setitem(sys.modules, "RPi", None)
    message = refusal(dataclasses.replace(description, pins="rpigpio"))
    assert message.startswith("The library rpigpio is missing")


def test_a_machine_that_is_no_pi_is_one_sentence(machine: pytest.MonkeyPatch, description: BoardDescription) -> None:
    lgpio = Lgpio(RegisterChain(sensors_of(description)))
    lgpio.has_chip = False
    machine.setitem(sys.modules, "lgpio", lgpio)
    assert refusal(description).startswith("The pins cannot be opened by lgpio: can not open gpiochip 0: ")


def test_an_rpi_gpio_that_refuses_the_machine_is_one_sentence(
    machine: pytest.MonkeyPatch, description: BoardDescription
) -> None:
    class Refusing(ModuleType):
        def __getattr__(self, name: str) -> object:
            message = "This module can only be run on a Raspberry Pi!"
            raise RuntimeError(message)

    machine.setitem(sys.modules, "RPi", Refusing("RPi"))
    message = refusal(dataclasses.replace(description, pins="rpigpio"))
    assert "This module can only be run on a Raspberry Pi: " in message


def test_an_i2c_that_is_switched_off_is_one_sentence(
    machine: pytest.MonkeyPatch, description: BoardDescription
) -> None:
    def missing(_self: SMBus, bus: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", f"/dev/i2c-{bus}")

    machine.setattr(SMBus, "__init__", missing)
    message = refusal(description)
    assert message.startswith("I2C bus 1 of the display cannot be opened: ")
    assert "dtparam=i2c_arm=on" in message


@pytest.mark.parametrize(("port", "setting"), [(0, "dtparam=spi=on"), (1, "dtoverlay=spi1-1cs")])
def test_an_spi_that_is_switched_off_is_one_sentence_with_its_setting(
    machine: pytest.MonkeyPatch, description: BoardDescription, port: int, setting: str
) -> None:
    def missing(_self: SpiDev, _port: int, _device: int) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    machine.setattr(SpiDev, "open", missing)
    assert description.lights is not None
    lights: wired.LightsWiring = dataclasses.replace(description.lights, spi_port=port)
    message = refusal(dataclasses.replace(description, lights=lights))
    assert message.startswith(f"SPI{port} of the lights cannot be opened: ")
    assert setting in message
