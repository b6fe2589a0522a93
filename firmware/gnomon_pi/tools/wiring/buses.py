"""Add the I2C and SPI buses of the Pi to the netlist, shared among the devices on them."""

from collections import Counter
from typing import NamedTuple

from gnomon_pi.config.description import BoardDescription, Chain, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.tools.wiring.catalogue import R2K2
from gnomon_pi.tools.wiring.header import I2C_1, SPI
from gnomon_pi.tools.wiring.netlist import V3, Draft, WiringError


class I2cNets(NamedTuple):
    """The nets of an I2C bus."""

    sda: str
    scl: str


class Buses:
    """The buses of one board, wired to the Pi as they are asked for."""

    def __init__(self, draft: Draft, description: BoardDescription) -> None:
        self._draft = draft
        self._pins = {1: I2C_1} | {bus.number: (bus.sda, bus.scl) for bus in description.buses}
        self._pulled_up: set[int] = set()
        self._on_spi = Counter(spi.port for spi in on_spi(description))
        self._addresses: dict[OnI2c, str] = {}

    def i2c(self, wires: OnI2c, reference: str) -> I2cNets:
        """The nets of a bus, for a device of that reference.

        Raises WiringError when the pins of the bus are not known or another device has the address.
        """
        if wires.bus not in self._pins:
            message = f"I2C{wires.bus} of {reference} has no pins: name them in the description"
            raise WiringError(message)
        if (other := self._addresses.setdefault(wires, reference)) != reference:
            message = f"{reference} and {other} have the same address 0x{wires.address:02X} on I2C{wires.bus}"
            raise WiringError(message)
        nets = I2cNets(f"SDA{wires.bus}", f"SCL{wires.bus}")
        pins = self._pins[wires.bus]
        for net, pin in zip(nets, pins, strict=True):
            self._draft.gpio(net, pin)
            if pin not in I2C_1 and wires.bus not in self._pulled_up:
                self._draft.across(f"R{net}", R2K2, f"pull-up of {net}", V3, net)
        self._pulled_up.add(wires.bus)
        return nets

    def clock(self, port: int) -> str:
        """The net of the clock of an SPI."""
        return self._line(port, "SCLK", SPI[port].sclk)

    def data_out(self, port: int) -> str:
        """The net of the data that the Pi sends."""
        return self._line(port, "MOSI", SPI[port].mosi)

    def data_in(self, port: int) -> str:
        """The net of the data that the Pi receives."""
        return self._line(port, "MISO", SPI[port].miso)

    def select(self, port: int, device: int) -> str:
        """The net of a chip select, low while the device is meant."""
        return self._line(port, f"CE{device}_", SPI[port].selects[device])

    def is_shared(self, port: int) -> bool:
        """Whether more than one device hangs on an SPI."""
        return self._on_spi[port] > 1

    def _line(self, port: int, name: str, gpio: int) -> str:
        net = f"{name}SPI{port}" if name.endswith("_") else f"{name}{port}"
        self._draft.gpio(net, gpio)
        return net


def on_spi(description: BoardDescription) -> list[OnSpi]:
    """What hangs on SPI."""
    devices = []
    sensors, lights, display = description.sensors, description.lights, description.display
    if isinstance(sensors, Chain):
        devices.append(OnSpi(sensors.spi_port, sensors.spi_device, sensors.clock_hz))
    if lights is not None:
        devices.append(OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz))
    if display is not None and isinstance(display.wires, SpiDisplay):
        devices.append(display.wires.spi)
    return devices
