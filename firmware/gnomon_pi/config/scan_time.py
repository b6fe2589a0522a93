"""Compute how long a scan of the sensors takes on their buses."""

from collections.abc import Sequence
from typing import Final

from gnomon_pi.config.description import BITS_PER_REGISTER, Chain, I2cWires, Sensors

# Address and register, address again and two bytes, nine clocks each, and the conditions around them.
_CLOCKS_PER_EXPANDER: Final = 48


def reading_time(sensors: Sensors, buses: Sequence[I2cWires]) -> float:
    """Seconds in which all inputs are read once, by the clocks of their buses; the kernel's own time comes on top."""
    if isinstance(sensors, Chain):
        return sensors.registers * BITS_PER_REGISTER / sensors.clock_hz
    clocks = {wires.number: wires.clock_hz for wires in buses}
    return sum(_CLOCKS_PER_EXPANDER / clocks[chip.bus] for chip in sensors.chips)


def scan_time(sensors: Sensors, buses: Sequence[I2cWires]) -> float:
    """Seconds that a scan takes: a chain without emitters is read once, all else twice, with the emitters off and on.

    Expanders without emitters take that long when something moves: then they are asked what their interrupts tell.
    """
    is_read_once = isinstance(sensors, Chain) and sensors.emitters is None
    return reading_time(sensors, buses) * (1 if is_read_once else 2)
