"""Derive the lines of config.txt, the boot configuration of a Raspberry Pi, from the description of a board.

Names and parameters of overlays are those of the kernel's own list, arch/arm/boot/dts/overlays/README of
raspberrypi/linux. `install.sh` asks this too, with a bare Python, before anything is installed.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from gnomon_pi.config.description import BoardDescription, Chain, I2cWires, OnSpi, SpiDisplay
from gnomon_pi.config.parser import examine_board, read_board_text

MODEL: Final = Path("/proc/device-tree/model")
_HEADER_BUS: Final = 1
_KERNEL_I2C_HZ: Final = 100_000  # what the kernel takes without a word on it
_WITH_FURTHER_BUSES: Final = re.compile(r"Raspberry Pi (4|400|Compute Module 4)")
_FURTHER_BUSES: Final[Mapping[int, tuple[tuple[int, int], ...]]] = {
    3: ((4, 5), (2, 3)),
    4: ((8, 9), (6, 7)),
    5: ((12, 13), (10, 11)),
    6: ((22, 23), (0, 1)),
}
"""The pins that the overlays i2c3 to i2c6 may choose."""
_SPI0_PINS: Final = frozenset((7, 8, 9, 10, 11))
_ON: Final = "(=(on|1|y|yes|true))?(,|$)"
_OFF: Final = "=(off|0|n|no|false)(,|$)"


class BootLine(NamedTuple):
    """A line that a board needs: what other lines do the same or undo it, and the files in /dev that it brings.

    The patterns are of awk and of Python alike. What `holds` already needs no line while none undoes it.
    """

    line: str
    same: str
    undone: str = ""
    devices: tuple[str, ...] = ()
    holds: bool = False

    def __str__(self) -> str:
        """As `install.sh` reads it."""
        return ";".join((self.line, self.same, self.undone, str(int(self.holds)), " ".join(self.devices)))


def boot_lines(description: BoardDescription, pins: Mapping[int, object], model: str) -> tuple[BootLine, ...]:
    """The lines for a board, whose pins are those of `examine_board`, on a Pi that calls itself so.

    Overlays come last: behind one, a parameter might be taken for the overlay's.
    """
    return tuple(
        sorted(
            (*_i2c(description, model), *_spi(description, pins)), key=lambda each: each.line.startswith("dtoverlay")
        )
    )


def _i2c(description: BoardDescription, model: str) -> Iterator[BootLine]:
    for bus in description.buses:
        if bus.number != _HEADER_BUS:
            yield _further_bus(bus, model)
            continue
        name = "i2c(_arm|1)?"
        on, off = f"^dtparam=(.*,)?{name}{_ON}", f"^dtparam=(.*,)?{name}{_OFF}"
        yield BootLine("dtparam=i2c_arm=on", on, off, ("/dev/i2c-1",))
        if bus.clock_hz != _KERNEL_I2C_HZ:
            yield BootLine(f"dtparam=i2c_arm_baudrate={bus.clock_hz}", f"^dtparam=(.*,)?{name}_baudrate=")


def _further_bus(bus: I2cWires, model: str) -> BootLine:
    """A bus of the hardware where there is one at these pins, and otherwise one in software."""
    pair = (bus.sda, bus.scl)
    if _WITH_FURTHER_BUSES.match(model) and pair in _FURTHER_BUSES.get(bus.number, ()):
        line = f"dtoverlay=i2c{bus.number},pins_{bus.sda}_{bus.scl},baudrate={bus.clock_hz}"
    else:
        # 2 µs are some 100 kHz, says the list; it takes whole ones.
        delay = max(1, round(2 * _KERNEL_I2C_HZ / bus.clock_hz))
        wires = f"i2c_gpio_sda={bus.sda},i2c_gpio_scl={bus.scl}"
        line = f"dtoverlay=i2c-gpio,bus={bus.number},{wires},i2c_gpio_delay_us={delay}"
    number = bus.number
    same = f"^dtoverlay=(i2c{number}(-pi5)?(,|$)|i2c-gpio,(.*,)?bus={number}(,|$))"
    return BootLine(line, same, devices=(f"/dev/i2c-{number}",))


def _spi(description: BoardDescription, pins: Mapping[int, object]) -> Iterator[BootLine]:
    devices = [(wires.port, wires.device) for wires in _on_spi(description)]
    first, second = ([device for port, device in devices if port == number] for number in (0, 1))
    on, off = f"^dtparam=(.*,)?spi{_ON}", f"^dtparam=(.*,)?spi{_OFF}"
    if first:
        yield BootLine("dtparam=spi=on", on, off, tuple(f"/dev/spidev0.{device}" for device in first))
    elif _SPI0_PINS & set(pins):
        yield BootLine("dtparam=spi=off", off, on, holds=True)
    if second:
        count = max(second) + 1
        files = tuple(f"/dev/spidev1.{device}" for device in second)
        yield BootLine(f"dtoverlay=spi1-{count}cs", f"^dtoverlay=spi1-[{count}-3]cs(,|$)", devices=files)


def _on_spi(description: BoardDescription) -> Iterator[OnSpi]:
    sensors, lights, display = description.sensors, description.lights, description.display
    if isinstance(sensors, Chain):
        yield OnSpi(sensors.spi_port, sensors.spi_device, sensors.clock_hz)
    if lights is not None:
        yield OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz)
    if display is not None and isinstance(display.wires, SpiDisplay):
        yield display.wires.spi


def model_of(file: Path = MODEL) -> str:
    """What this computer calls itself; empty for one that is no Pi."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def print_lines(file: str) -> None:
    """Print the lines for the board of a description on this computer; nothing for one that is wrong."""
    found = examine_board(read_board_text(Path(file)), file)
    if found.description is not None:
        sys.stdout.writelines(f"{line}\n" for line in boot_lines(found.description, found.pins, model_of()))
