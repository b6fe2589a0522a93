"""Wire the circuits that several parts of a board share: buses, transistors that switch, and buffers."""

from collections import Counter
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon_pi.config.description import (
    BoardDescription,
    Chain,
    OnI2c,
    OnSpi,
    Output,
    SpiDisplay,
)
from gnomon_pi.tools.wiring._catalogue import (
    I2C_1,
    MOSFET,
    R2K2,
    R10K,
    R100,
    SPI,
)
from gnomon_pi.tools.wiring._netlist import GND, V3, NetlistDraft, WiringError

_BUFFERS: Final = (("1", "2", "3"), ("4", "5", "6"), ("10", "9", "8"), ("13", "12", "11"))
"""Enable (low), in and out of the four buffers of a 125."""


# Buses


class I2cNets(NamedTuple):
    """The nets of an I2C bus."""

    sda: str
    scl: str


class Buses:
    """The buses of one board, wired to the Pi as they are asked for."""

    def __init__(self, draft: NetlistDraft, description: BoardDescription) -> None:
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
            raise WiringError(statement("wiring.no_pins", bus=wires.bus, part=reference))
        if (other := self._addresses.setdefault(wires, reference)) != reference:
            address = f"0x{wires.address:02X}"
            raise WiringError(
                statement("wiring.same_address", part=reference, other=other, address=address, bus=wires.bus)
            )
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


# Switches


def wire_switch(draft: NetlistDraft, name: str, load: str, output: Output, purpose: str) -> None:
    """Pull the net `load` to ground while the output is on; until the Pi has started it is off.

    An output that is on when low has a second transistor in front. One of which nobody has found out yet is wired as
    on when high, as most are.
    """
    draft.add(f"Q{name}", MOSFET, f"switches {purpose}")
    draft.join(GND, (f"Q{name}", "2"))
    draft.join(load, (f"Q{name}", "3"))
    gate = f"{name}.gate"
    if not output.active_low:
        _wire_gate(draft, name, output.pin, off=GND)
        return
    draft.join(gate, (f"Q{name}", "1"))
    draft.across(f"R{name}.up", R10K, f"switches Q{name} on", V3, gate)
    turned = f"{name}.low"
    draft.add(f"Q{turned}", MOSFET, f"turns the pin of {purpose} round")
    draft.join(GND, (f"Q{turned}", "2"))
    draft.join(gate, (f"Q{turned}", "3"))
    _wire_gate(draft, turned, output.pin, off=V3)


def _wire_gate(draft: NetlistDraft, name: str, pin: int, off: str) -> None:
    draft.gpio(name, pin)
    draft.across(f"R{name}", R100, f"in series with the gate of Q{name}", name, f"{name}.gate")
    draft.join(f"{name}.gate", (f"Q{name}", "1"))
    draft.across(f"R{name}.off", R10K, f"keeps Q{name} in its place while the Pi starts", off, f"{name}.gate")


# Buffers


def tie_off_buffers(draft: NetlistDraft, reference: str, used: int, power: str) -> None:
    """Switch the buffers of a 125 off that nobody needs, and hold their inputs."""
    for enable, entry, _ in _BUFFERS[used:]:
        draft.join(power, (reference, enable))
        draft.join(GND, (reference, entry))


def wire_buffer(draft: NetlistDraft, reference: str, number: int, *nets: str) -> None:
    """Wire a buffer of a 125: its enable, which is on when low, its input and its output."""
    for net, pin in zip(nets, _BUFFERS[number], strict=True):
        draft.join(net, (reference, pin))
