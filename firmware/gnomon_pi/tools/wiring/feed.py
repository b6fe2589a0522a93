"""Decide whether a board needs its own 5 V supply, and choose its fuse (IEC 60127)."""

from typing import Final

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.config.power import FIVE, budget, drawn

# The row of IEC 60127.
_FUSES: Final = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0)
_MARGIN: Final = 1.25


def has_own_feed(description: BoardDescription) -> bool:
    """Whether the board has a 5 V supply of its own, for what is too much for the Pi's pins."""
    strobed = description.sensors is not None and any(description.sensors.strobed)
    return description.lights is not None or strobed


def fuse(description: BoardDescription) -> str:
    """The fuse that carries all that draws from 5 V, with a quarter to spare, such as `4 A`."""
    amperes = drawn(budget(description), FIVE) * _MARGIN / 1000
    return f"{next((size for size in _FUSES if size >= amperes), _FUSES[-1]):g} A"
