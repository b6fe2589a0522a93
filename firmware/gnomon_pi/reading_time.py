"""The only place that says how long the sensors are read on their bus."""

from collections.abc import Sequence
from typing import Final

from gnomon_pi.description import BITS_PER_REGISTER, Chain, I2cWires, Sensors

READINGS_PER_SCAN: Final = 2
"""With the emitters off, and on."""

# Address and register, address again and two bytes, nine clocks each, and the conditions around them.
_CLOCKS_PER_EXPANDER: Final = 48


def reading_time(sensors: Sensors, buses: Sequence[I2cWires]) -> float:
    """Seconds in which all inputs are read once, by the clocks of their buses; the kernel's own time comes on top."""
    if isinstance(sensors, Chain):
        return sensors.registers * BITS_PER_REGISTER / sensors.clock_hz
    clocks = {wires.number: wires.clock_hz for wires in buses}
    return sum(_CLOCKS_PER_EXPANDER / clocks[chip.bus] for chip in sensors.chips)
