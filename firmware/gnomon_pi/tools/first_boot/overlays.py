"""Name the device tree overlays that switch on the buses of a board, as the image has them."""

from typing import Final

from gnomon_pi.config.description import BoardDescription, Chain, OnI2c, SpiDisplay

NAME: Final = "gnomon-overlays.txt"
"""The file on the boot partition that config.txt includes."""
KNOWN: Final = ("gnomon-spi0", "gnomon-spi1", "gnomon-i2c1", "gnomon-i2c4", "gnomon-i2c6")
"""The overlays that lie on the boot partition; those of buses 4 and 6 fit a Raspberry Pi 4 only."""


def overlays_of(description: BoardDescription) -> tuple[str, ...]:
    """The overlays for the buses that a board uses, in the order of `KNOWN`; a bus without an overlay has none."""
    ports = set()
    if isinstance(description.sensors, Chain):
        ports.add(description.sensors.spi_port)
    if description.lights is not None:
        ports.add(description.lights.spi_port)
    buses = {bus.number for bus in description.buses}
    if description.sensors is not None and not isinstance(description.sensors, Chain):
        buses |= {chip.bus for chip in description.sensors.chips}
    if description.display is not None:
        match description.display.wires:
            case OnI2c(bus=bus):
                buses.add(bus)
            case SpiDisplay(spi=spi):
                ports.add(spi.port)
    if description.reader is not None and description.reader.wires is not None:
        buses.add(description.reader.wires.bus)
    wanted = {*(f"gnomon-spi{port}" for port in ports), *(f"gnomon-i2c{bus}" for bus in buses)}
    return tuple(name for name in KNOWN if name in wanted)


def dump(overlays: tuple[str, ...]) -> str:
    """The text of the file that config.txt includes."""
    return "".join(
        ("# Written by Gnomon from the board's description.\n", *(f"dtoverlay={name}\n" for name in overlays))
    )
