"""Define the pinout of the Raspberry Pi's 40-pin header."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

# Raspberry Pi documentation, "GPIO and the 40-pin header": the same on every model with 40 pins.
_HEADER: Final = (
    "3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15", "17", "18", "27", "GND", "22", "23", "3V3", "24", "10",
    "GND", "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND", "6", "12", "13", "GND", "19", "16", "26", "20",
    "GND", "21",
)  # fmt: skip
_SECOND_NAMES: Final[Mapping[int, str]] = MappingProxyType({
    0: "ID_SD", 1: "ID_SC", 2: "SDA1", 3: "SCL1", 4: "GPCLK0", 7: "CE1 of SPI0", 8: "CE0 of SPI0", 9: "MISO of SPI0",
    10: "MOSI of SPI0", 11: "SCLK of SPI0", 12: "PWM0", 13: "PWM1", 14: "TXD", 15: "RXD", 16: "CE2 of SPI1",
    17: "CE1 of SPI1", 18: "CE0 of SPI1", 19: "MISO of SPI1", 20: "MOSI of SPI1", 21: "SCLK of SPI1",
})  # fmt: skip


class SpiPins(NamedTuple):
    """The pins of a hardware SPI (BCM numbers); `selects` by device."""

    sclk: int
    mosi: int
    miso: int
    selects: tuple[int, ...]


SPI: Final[Mapping[int, SpiPins]] = MappingProxyType(
    {
        0: SpiPins(11, 10, 9, (8, 7)),
        1: SpiPins(21, 20, 19, (18, 17, 16)),
    }
)
I2C_1: Final = (2, 3)
"""SDA and SCL of the bus that every Pi has, with 1.8 kΩ to 3.3 V soldered on the Pi."""

PIN_OF_GPIO: Final[Mapping[int, str]] = MappingProxyType(
    {int(what): str(number) for number, what in enumerate(_HEADER, start=1) if what.isdigit()}
)
GPIO_OF_PIN: Final[Mapping[str, int]] = MappingProxyType({pin: gpio for gpio, pin in PIN_OF_GPIO.items()})
HEADER_PINS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        rail: tuple(str(number) for number, what in enumerate(_HEADER, start=1) if what == rail)
        for rail in ("3V3", "5V", "GND")
    }
)
NAMES_OF_HEADER_PINS: Final[Mapping[str, str]] = MappingProxyType(
    {str(number): f"GPIO {what}" if what.isdigit() else what for number, what in enumerate(_HEADER, start=1)}
)


def second_name(pin: str) -> str:
    """What else a pin of the header may be, such as `SDA1`; empty when nothing."""
    return _SECOND_NAMES.get(GPIO_OF_PIN.get(pin, -1), "")
