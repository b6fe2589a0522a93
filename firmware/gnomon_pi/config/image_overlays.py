"""Name the device tree overlays that switch on the buses of a board, as the image has them.

Its kernel is Debian's, which has none of those of Raspberry Pi OS, and knows no `dtparam`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gnomon_pi.config.boot_lines import boot_lines
from gnomon_pi.config.description import BoardDescription

NAME: Final = "gnomon-overlays.txt"
"""The file on the boot partition that config.txt includes."""
FILE: Final = Path("/boot/firmware") / NAME
"""Where it is on a machine that was started from the image; no other machine has one."""


class _ImageOverlay(NamedTuple):
    """What an overlay is like: the line that does the same with a kernel of Raspberry Pi OS, and the overlay there."""

    line: str
    kind: str


# Those of buses 4 and 6 fit a Raspberry Pi 4 only.
_OVERLAYS: Final[Mapping[str, _ImageOverlay]] = {
    "gnomon-spi0": _ImageOverlay("dtparam=spi=on", "spi0-2cs"),
    "gnomon-spi1": _ImageOverlay("dtoverlay=spi1-1cs", "spi1-1cs"),
    "gnomon-i2c1": _ImageOverlay("dtparam=i2c_arm=on", "i2c1"),
    "gnomon-i2c4": _ImageOverlay("dtoverlay=i2c4,pins_8_9", "i2c4"),
    "gnomon-i2c6": _ImageOverlay("dtoverlay=i2c6,pins_22_23", "i2c6"),
}
_MODEL: Final = "Raspberry Pi 4"  # the one that has all of these buses
OVERLAY_I2C_HZ: Final = 400_000
"""The clock of the image's buses where nothing else is said."""
_OURS: Final = re.compile(r"dtoverlay=(gnomon-[a-z0-9]+)(,baudrate=[0-9]+)?")

KNOWN: Final = tuple(_OVERLAYS)
"""The overlays that lie on the boot partition."""


def kind_of(name: str) -> str:
    """What an overlay is called with Raspberry Pi OS, whose own ones keep their name."""
    return _OVERLAYS[name].kind if name in _OVERLAYS else name


def overlays_of(description: BoardDescription) -> tuple[str, ...]:
    """The overlays for the buses of a board, in the order of `KNOWN`; a clock that is not theirs stands with them."""
    asked = [f"{each.line}," for each in boot_lines(description, {}, _MODEL)]
    clocks = {f"gnomon-i2c{bus.number}": bus.clock_hz for bus in description.buses}
    return tuple(
        name if (clock := clocks.get(name, OVERLAY_I2C_HZ)) == OVERLAY_I2C_HZ else f"{name},baudrate={clock}"
        for name, overlay in _OVERLAYS.items()
        if any(line.startswith(f"{overlay.line},") for line in asked)
    )


def dump(overlays: Sequence[str], before: str = "") -> str:
    """The text of the file that config.txt includes; what its owner wrote into the one before stays."""
    return "".join(
        (
            "# Written by Gnomon from the board's description.\n",
            *(f"dtoverlay={name}\n" for name in overlays),
            *(f"{line}\n" for line in _of_owner(before)),
        )
    )


def _of_owner(text: str) -> Iterator[str]:
    for line in text.splitlines():
        found = _OURS.fullmatch(line.strip())
        if line.strip() and not line.startswith("# Written by Gnomon") and (found is None or found[1] not in KNOWN):
            yield line
