"""The drivers on gpiozero's own factories for RPi.GPIO and lgpio, which run on stand-ins for those libraries."""

from collections.abc import Sequence

import fake_rpi
import pytest
from gpiozero.pins import local
from PIL import Image, ImageDraw

from gnomon_pi.config import description as wired
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers._display import Display, OverI2c
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.ssd1306 import Ssd1309
from tests.drivers.pin_libraries import Lgpio, SpiDev, StatefulGPIO
from tests.drivers.world import World, sensors_of

SENSORS = sensors_of(load_bundled("tamsk"))


def active(driver: ShiftRegisters) -> set[str]:
    levels = driver.scan()
    return {name for bit, name in enumerate(SENSORS.inputs) if levels >> bit & 1}


# RPi.GPIO


def test_the_chain_is_read_through_rpi_gpio(rpigpio: PinFactory, chain: RegisterChain) -> None:
    driver = ShiftRegisters(SENSORS, pin_factory=rpigpio)
    assert active(driver) == set()
    for name in ("A1.north", "D4.ring1", "D4.ring2", "timer15.south"):
        chain.set_input(name, value=True)
    assert active(driver) == {"A1.north", "D4.ring1", "D4.ring2", "timer15.south"}
    chain.break_wire(4, reads=0)
    with pytest.raises(DriverError, match="only zeros from register 4 on"):
        driver.scan()
    driver.close()


def test_an_spi_that_is_missing_is_refused_instead_of_clocked_by_hand(
    rpigpio: PinFactory, pi: pytest.MonkeyPatch
) -> None:
    def missing(_self: SpiDev, _port: int, _device: int) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    pi.setattr(SpiDev, "open", missing)
    driver = ShiftRegisters(SENSORS, pin_factory=rpigpio)
    for _ in range(2):
        with pytest.raises(
            DriverError, match=r"SPI0 of the sensors cannot be opened: .* No such file .*: set dtparam=spi=on"
        ):
            driver.scan()


def test_the_buttons_are_heard_through_rpi_gpio(rpigpio: PinFactory, gpio: StatefulGPIO, world: World) -> None:
    buttons = Buttons(load_bundled("tamsk").buttons, pin_factory=rpigpio, now=world.clock)
    buttons.start(world.hear)
    for level in (0, 1, 0, 1):  # a press that bounces once
        gpio.drive(5, level)
    gpio.drive(26, 0)
    assert [(name, value) for _, name, value in world.edges] == [
        ("button.red", True),
        ("button.red", False),
        ("button.red", True),
        ("button.red", False),
        ("button.arbiter", True),
    ]
    buttons.close()
    assert gpio.callbacks == {}


def test_a_kernel_that_gives_rpi_gpio_no_edges_is_a_driver_error(
    rpigpio: PinFactory, gpio: StatefulGPIO, world: World
) -> None:
    gpio.refuses_edges = True
    buttons = Buttons(load_bundled("tamsk").buttons, pin_factory=rpigpio, now=world.clock)
    with pytest.raises(DriverError, match=r"button\.red on GPIO 5 cannot be read: Failed to add edge detection"):
        buttons.start(world.hear)
    gpio.refuses_edges = False
    buttons.start(world.hear)
    gpio.drive(6, 0)
    assert [name for _, name, _ in world.edges] == ["button.black"]
    buttons.close()


@pytest.mark.parametrize("library", ["rpigpio", "lgpio_factory"])
def test_the_buzzer_sounds_through_either_library(request: pytest.FixtureRequest, library: str, world: World) -> None:
    factory: PinFactory = request.getfixturevalue(library)
    pins: StatefulGPIO | Lgpio = request.getfixturevalue("gpio" if library == "rpigpio" else "lgpio")
    heard: list[float] = []
    pins.heed = lambda pin, frequency: heard.append(frequency) if pin == 12 else None
    buzzer = Buzzer(wired.BuzzerWiring(pin=12, active=False), pin_factory=factory, later=world.later)
    buzzer.play([(440.0, 0.1), (0, 0.1), (880.0, 0.1)])
    world.wait(1_000_000)
    sounds = [frequency for before, frequency in zip([0.0, *heard], heard, strict=False) if frequency != before]
    assert sounds == [440.0, 0.0, 880.0, 0.0]
    buzzer.close()


# lgpio


def test_the_chain_is_read_through_lgpio(lgpio_factory: PinFactory, chain: RegisterChain) -> None:
    driver = ShiftRegisters(SENSORS, pin_factory=lgpio_factory)
    for name in ("A1.north", "D4.ring1"):
        chain.set_input(name, value=True)
    assert active(driver) == {"A1.north", "D4.ring1"}
    driver.close()


def test_errors_of_lgpio_are_driver_errors_and_the_next_scan_begins_anew(
    lgpio_factory: PinFactory, lgpio: Lgpio, chain: RegisterChain
) -> None:
    driver = ShiftRegisters(SENSORS, pin_factory=lgpio_factory)
    chain.set_input("A1.north", value=True)
    lgpio.has_spi = False
    for _ in range(2):
        with pytest.raises(DriverError, match="can not open SPI device"):
            driver.scan()
    lgpio.has_spi = True
    assert active(driver) == {"A1.north"}
    driver.close()


def test_the_stamp_is_the_kernels(
    lgpio_factory: PinFactory, lgpio: Lgpio, world: World, pi: pytest.MonkeyPatch
) -> None:
    """The kernel counts from another instant than the raw clock, and the thread of the pins runs 2.5 ms late."""
    pi.setattr(local.LocalPiFactory, "ticks", staticmethod(lambda: 77 + world.now / 1_000_000))
    buttons = Buttons(load_bundled("tamsk").buttons, pin_factory=lgpio_factory, now=world.clock)
    buttons.start(world.hear)
    happened, kernel_ns = world.now, 77_000_000_000 + world.now * 1_000
    world.now += 2_500
    lgpio.drive(5, 0, kernel_ns)
    assert world.edges == [(happened, "button.red", True)]
    buttons.close()


def test_an_exception_leaves_the_thread_of_lgpio_alive(lgpio_factory: PinFactory, lgpio: Lgpio, world: World) -> None:
    def report(stamp: int, name: str, value: bool) -> None:
        world.hear(stamp, name, value)
        message = "the loop is closed"
        raise RuntimeError(message)

    buttons = Buttons(load_bundled("tamsk").buttons, pin_factory=lgpio_factory, now=world.clock)
    buttons.start(report)
    lgpio.drive(5, 0, 1)
    assert lgpio.alive
    lgpio.drive(6, 0, 2)
    assert [name for _, name, _ in world.edges] == ["button.red", "button.black"]
    assert len(buttons.health()) == 2
    buttons.close()


# I2C


class ChipBus(fake_rpi.smbus.SMBus):  # type: ignore[misc]  # fake_rpi has no types
    """fake_rpi's SMBus, with a display on it."""

    def __init__(self, chip: Ssd1309) -> None:
        super().__init__(1)
        self.chip = chip

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        super().write_i2c_block_data(i2c_addr, register, data)
        assert i2c_addr == 0x3C
        self.chip.receive(register, data)


def test_the_display_is_written_through_an_smbus(description: BoardDescription, world: World) -> None:
    assert description.display is not None
    chip = Ssd1309()
    display = Display(description.display, wires=OverI2c(ChipBus(chip), wired.OnI2c(1, 0x3C)), now=world.clock)
    picture = Image.new("1", (128, 64))
    ImageDraw.Draw(picture).ellipse((30, 5, 90, 60), outline=1)
    display.show(picture)
    assert chip.image().tobytes() == picture.tobytes()
    display.close()
    assert chip.image().getbbox() is None
