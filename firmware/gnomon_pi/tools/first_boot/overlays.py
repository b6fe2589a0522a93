"""Name the device tree overlays that switch on the buses of a board, as the image has them."""

import re
from typing import Final

from gnomon_pi.config.boot_lines import boot_lines
from gnomon_pi.config.parser import examine_board

NAME: Final = "gnomon-overlays.txt"
"""The file on the boot partition that config.txt includes."""
KNOWN: Final = ("gnomon-spi0", "gnomon-spi1", "gnomon-i2c1", "gnomon-i2c4", "gnomon-i2c6")
"""The overlays that lie on the boot partition; those of buses 4 and 6 fit a Raspberry Pi 4 only."""

_BUS: Final = re.compile(r"/dev/(?:(i2c)-|(spi)dev)(\d+)")


def overlays_of(text: str, file: str) -> tuple[str, ...]:
    """The overlays for the buses of a board whose description has no mistake, in the order of `KNOWN`.

    They are those whose devices `boot_lines` brings with a kernel of Raspberry Pi OS.
    """
    examined = examine_board(text, file)
    lines = () if examined.description is None else boot_lines(examined.description, examined.pins, "")
    found = (_BUS.match(device) for line in lines for device in line.devices)
    wanted = {f"gnomon-{bus[1] or bus[2]}{bus[3]}" for bus in found if bus is not None}
    return tuple(name for name in KNOWN if name in wanted)


def dump(overlays: tuple[str, ...]) -> str:
    """The text of the file that config.txt includes."""
    return "".join(
        ("# Written by Gnomon from the board's description.\n", *(f"dtoverlay={name}\n" for name in overlays))
    )
