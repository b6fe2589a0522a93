"""Number every bit of a board's sensors, described or spare, and convert between bits, inputs and chips."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple, assert_never

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import (
    BITS_PER_EXPANDER,
    BITS_PER_REGISTER,
    OUTPUTS_OF_AN_EXPANDER,
    PINS_OF_A_REGISTER,
    PINS_OF_AN_EXPANDER,
    Chain,
    Expanders,
    Sensors,
)

_PINS_OF_A_PORT: Final = 7  # of an expander that may be inputs


class BitLevels(NamedTuple):
    """The levels of all bits, bit n of each number being bit n of the board, 1 for high.

    `low` and `high` were read with the emitters' pin at that level; they are the same reading where it was let alone.
    """

    low: int
    high: int


def every_bit(sensors: Sensors) -> tuple[int, ...]:
    """The bits on which an input may lie, in the order in which they are given out."""
    match sensors:
        case Chain():
            return tuple(range((sensors.registers - 1) * BITS_PER_REGISTER))
        case Expanders():
            bits = range(len(sensors.chips) * BITS_PER_EXPANDER)
            return tuple(bit for bit in bits if bit % BITS_PER_EXPANDER not in OUTPUTS_OF_AN_EXPANDER)
        case _:
            assert_never(sensors)


def own_bits(sensors: Sensors) -> Mapping[str, int]:
    """The bit of each input as its order says, were none moved."""
    return dict(zip(sensors.inputs, every_bit(sensors), strict=False))


def bits_of(sensors: Sensors) -> Mapping[str, int]:
    """The bit of each input as it is described."""
    return dict(zip(sensors.inputs, sensors.bits, strict=True))


def raw(sensors: Sensors) -> Sensors:
    """The same wires, described so that a scan gives every bit, set where it is low, and drives nothing.

    Low counts as on, because then expanders pull up what open collectors leave alone; a sensor that drives high does
    so against the pull-up too.
    """
    bits = every_bit(sensors)
    strobed = (False,) * len(bits)
    inputs = tuple(f"bit{bit}" for bit in bits)
    if isinstance(sensors, Chain):
        return replace(sensors, emitters=None, active_low=True, inputs=inputs, bits=bits, strobed=strobed)
    return replace(sensors, interrupt=None, emitters=None, active_low=True, inputs=inputs, bits=bits, strobed=strobed)


def levels(sensors: Sensors, scanned: int) -> int:
    """What a scan by the `raw` description means: bit n is the level of bit n."""
    every = len(every_bit(sensors))
    high = ~scanned & (1 << every) - 1
    if isinstance(sensors, Chain):
        return high
    port, placed = (1 << _PINS_OF_A_PORT) - 1, 0
    for number in range(2 * len(sensors.chips)):  # ports of eight pins, of which the last is no input
        placed |= (high >> number * _PINS_OF_A_PORT & port) << number * 8
    return placed


def chip_of(sensors: Sensors, bit: int) -> int:
    """The chip that has a bit, counted from the Pi, from 0."""
    return bit // (BITS_PER_REGISTER if isinstance(sensors, Chain) else BITS_PER_EXPANDER)


def where(sensors: Sensors, bit: int) -> Statement:
    """Where to look for a bit, for people."""
    chip = chip_of(sensors, bit)
    if isinstance(sensors, Chain):
        return statement("walk.where.register", register=chip, pin=PINS_OF_A_REGISTER[bit % BITS_PER_REGISTER])
    wires = sensors.chips[chip]
    pin = PINS_OF_AN_EXPANDER[bit % BITS_PER_EXPANDER]
    return statement("walk.where.chip", chip=chip, address=f"0x{wires.address:02X}", bus=wires.bus, pin=pin)


def mask(bits: tuple[int, ...]) -> int:
    """A number with these bits set."""
    return sum(1 << bit for bit in bits)


def ones(number: int) -> tuple[int, ...]:
    """The bits that are set in a number, the lowest first."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(found)
