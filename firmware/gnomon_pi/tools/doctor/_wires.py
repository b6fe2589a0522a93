"""List the header pins and the /dev files that a board description uses."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, LightsWiring, OnI2c, SpiDisplay

# Clock, data out and data in of a hardware bus, then its chip selects by device number (BCM2835 and RP1 alike).
SPI_PINS: Final = {0: ((11, 10, 9), (8, 7)), 1: ((21, 20, 19), (18, 17, 16))}
_I2C_PINS: Final = {0: (0, 1), 1: (2, 3)}


class Wire(NamedTuple):
    """A pin, what it is for, and the bus of which it is a part, or nothing."""

    pin: int
    purpose: Statement
    bus: str = ""


class DeviceFile(NamedTuple):
    """A file in /dev that the drivers open, for whom, and the group that may."""

    path: str
    purpose: Statement
    group: str


def wires(description: BoardDescription) -> tuple[Wire, ...]:
    """Every pin that a board takes; those of a bus that several devices share come once for each."""
    return (*_single(description), *_spi(description), *_i2c(description))


def nodes(description: BoardDescription) -> tuple[DeviceFile, ...]:
    """Every file in /dev that a board needs, each once; the chip of the pins is not among them."""
    found = [DeviceFile(f"/dev/i2c-{bus}", purpose, "i2c") for bus, purpose in i2c_users(description)]
    found += [
        DeviceFile(f"/dev/spidev{port}.{device}", purpose, "spi") for port, device, purpose in spi_users(description)
    ]
    if (reader := description.reader) is not None and reader.device:
        found.append(
            DeviceFile(
                reader.device, statement("doctor.part.reader"), "input" if reader.kind == "keyboard" else "dialout"
            )
        )
    return tuple({node.path: node for node in reversed(found)}.values())[::-1]


def i2c_users(description: BoardDescription) -> tuple[tuple[int, Statement], ...]:
    """The I2C buses, and for whom, each user once."""
    found: list[tuple[int, Statement]] = []
    if isinstance(description.sensors, Expanders):
        found += [(chip.bus, statement("doctor.part.sensors")) for chip in description.sensors.chips]
    if description.display is not None and isinstance(description.display.wires, OnI2c):
        found.append((description.display.wires.bus, statement("doctor.part.display")))
    if description.reader is not None and description.reader.wires is not None:
        found.append((description.reader.wires.bus, statement("doctor.part.reader")))
    return tuple(each for number, each in enumerate(found) if each not in found[:number])


def spi_users(description: BoardDescription) -> tuple[tuple[int, int, Statement], ...]:
    """The SPI ports and devices, and for whom."""
    found: list[tuple[int, int, Statement]] = []
    if isinstance(description.sensors, Chain):
        found.append((description.sensors.spi_port, description.sensors.spi_device, statement("doctor.part.sensors")))
    if isinstance(description.lights, LightsWiring):
        found.append((description.lights.spi_port, description.lights.spi_device, statement("doctor.part.lights")))
    if description.display is not None and isinstance(description.display.wires, SpiDisplay):
        spi = description.display.wires.spi
        found.append((spi.port, spi.device, statement("doctor.part.display")))
    return tuple(found)


def _single(description: BoardDescription) -> Iterator[Wire]:
    sensors, display, buzzer = description.sensors, description.display, description.buzzer
    for button in description.buttons:
        yield Wire(button.pin, Statement.plain(button.name))
    if isinstance(sensors, Chain):
        yield Wire(sensors.latch, statement("doctor.part.latch"))
    if isinstance(sensors, Expanders) and sensors.interrupt is not None:
        yield Wire(sensors.interrupt, statement("doctor.part.interrupt"))
    if sensors is not None and sensors.emitters is not None:
        yield Wire(sensors.emitters.pin, statement("doctor.part.emitters"))
    if buzzer is not None:
        yield Wire(buzzer.pin, statement("doctor.part.buzzer"))
    if display is not None and isinstance(display.wires, SpiDisplay):
        yield Wire(display.wires.data_command, statement("doctor.part.data_command"))
        if display.wires.reset is not None:
            yield Wire(display.wires.reset, statement("doctor.part.reset"))


def _spi(description: BoardDescription) -> Iterator[Wire]:
    for port, device, purpose in spi_users(description):
        shared, selects = SPI_PINS.get(port, ((), ()))
        for pin in (*shared, *selects[device : device + 1]):
            yield Wire(pin, statement("doctor.part.bus", bus=f"SPI{port}", purpose=purpose), f"spi{port}")


def _i2c(description: BoardDescription) -> Iterator[Wire]:
    described = {bus.number: (bus.sda, bus.scl) for bus in description.buses}
    for bus, purpose in i2c_users(description):
        for pin in described.get(bus, _I2C_PINS.get(bus, ())):
            yield Wire(pin, statement("doctor.part.bus", bus=f"I2C{bus}", purpose=purpose), f"i2c{bus}")
