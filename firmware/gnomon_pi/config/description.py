"""Define the frozen data classes of a board description, one for each device."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

BITS_PER_REGISTER: Final = 8
PINS_OF_A_REGISTER: Final = "ABCDEFGH"
BITS_PER_EXPANDER: Final = 16
PINS_OF_AN_EXPANDER: Final = tuple(f"GP{port}{pin}" for port in "AB" for pin in range(8))
OUTPUTS_OF_AN_EXPANDER: Final = (7, 15)
"""The bits of GPA7 and GPB7: as inputs they disturb SDA (Microchip, data sheet of the MCP23017, DS20001952D)."""

TAMSK: Final = "tamsk"
TAYU: Final = "tayu"
TABLE: Final = "table"
BOARDS: Final = (TAMSK, TAYU, TABLE)


class ChipPlace(NamedTuple):
    """Where an input is soldered: the chip counted from the Pi, from 0, and its pin, as `A` to `H` or `GPA0`."""

    chip: int
    pin: str


class OnSpi(NamedTuple):
    """A device on a hardware SPI: port, chip select and clock."""

    port: int
    device: int
    clock_hz: int


class OnI2c(NamedTuple):
    """A device on an I2C bus, by its seven-bit address."""

    bus: int
    address: int


@dataclass(frozen=True, slots=True)
class I2cWires:
    """An I2C bus: its number in `/dev/i2c-N`, its pins, and the clock it is set to."""

    number: int
    sda: int
    scl: int
    clock_hz: int


@dataclass(frozen=True, slots=True)
class Output:
    """A pin that drives something; `active_low` is None while nobody has found out, and then it is not driven."""

    pin: int
    active_low: bool | None = False


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of 74HC165 shift registers and the inputs on it, in the order in which a scan gives them."""

    spi_port: int
    spi_device: int
    clock_hz: int
    registers: int  # the canary included
    canary: int
    latch: int
    emitters: Output | None
    active_low: bool
    scan_hz: int
    inputs: tuple[str, ...]
    bits: tuple[int, ...]  # of the chain, one an input
    strobed: tuple[bool, ...]  # whether an input is read with the emitters off and on
    settle_us: int = 0  # microseconds that the eyes are given after the emitters went on

    def place(self, name: str) -> ChipPlace:
        """Where an input is soldered. Raises ValueError when the chain does not have it."""
        register, pin = divmod(self.bits[self.inputs.index(name)], BITS_PER_REGISTER)
        return ChipPlace(register, PINS_OF_A_REGISTER[pin])


@dataclass(frozen=True, slots=True)
class Expanders:
    """MCP23017 expanders and the inputs on them, in the order in which a scan gives them.

    Bit n is pin n % 16 (GPA0 to GPA7, GPB0 to GPB7) of chip n // 16; GPA7 and GPB7 are never inputs. `interrupt` is
    the pin to which the open-drain INT lines of all chips go, or None.
    """

    chips: tuple[OnI2c, ...]
    interrupt: int | None
    emitters: Output | None
    active_low: bool
    scan_hz: int
    inputs: tuple[str, ...]
    bits: tuple[int, ...]
    strobed: tuple[bool, ...]
    settle_us: int = 0

    def place(self, name: str) -> ChipPlace:
        """Where an input is soldered. Raises ValueError when no chip has it."""
        chip, pin = divmod(self.bits[self.inputs.index(name)], BITS_PER_EXPANDER)
        return ChipPlace(chip, PINS_OF_AN_EXPANDER[pin])


Sensors = Chain | Expanders


@dataclass(frozen=True, slots=True)
class Button:
    """A button that closes its pin to ground."""

    name: str
    pin: int


@dataclass(frozen=True, slots=True)
class BuzzerWiring:
    """A piezo; an active one has a tone of its own."""

    pin: int
    active: bool
    active_low: bool | None = False  # as of an Output


@dataclass(frozen=True, slots=True)
class SpiDisplay:
    """How a display hangs on SPI: beside the bus it takes a pin for data or command, and perhaps one to reset it."""

    spi: OnSpi
    data_command: int
    reset: int | None


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """A display of 128 x 64 pixels; `kind` is ssd1306, ssd1309 or sh1106, and may stand upside down.

    `dim_after` is after how many seconds without a change it is dimmed, 0 for never; `shift_every` after how many
    seconds its picture moves by a pixel, 0 for never. `letters` are normal, or large on a module that is small.
    """

    kind: str
    wires: OnI2c | SpiDisplay
    dim_after: int = 300
    shift_every: int = 60
    letters: str = "normal"
    is_upside_down: bool = False


@dataclass(frozen=True, slots=True)
class LightsWiring:
    """A strip of SK9822 or APA102; `brightness` of 31 caps its current.

    `places` says, of each light that shows something, which of the strip it is, counted from 0; the others are dead or
    spare and stay dark. It is empty where every light shows something.
    """

    spi_port: int
    spi_device: int
    clock_hz: int
    count: int
    brightness: int
    places: tuple[int, ...] = ()

    @property
    def shown(self) -> Sequence[int]:
        """The lights of the strip that show something, in the order in which they are shown."""
        return self.places or range(self.count)


EM4100: Final = "em4100"


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads the codes on tiles.

    A keyboard of Linux, anything that gives a line a code, or a reader of EM4100 tags on a serial port, at `device`;
    or a PN532 that reads the tags under them, at `wires`. `codes` are the kinds of tiles by their codes; a code that
    is not there is taken for the kind itself.
    """

    kind: str  # keyboard, lines, em4100 or pn532
    device: str
    codes: Mapping[str, str]
    wires: OnI2c | None = None


@dataclass(frozen=True, slots=True)
class Supply:
    """What the supply of the board gives at 5 V and the Pi's regulator at 3.3 V, in milliamperes."""

    five_volt_ma: int
    three_volt_ma: int


@dataclass(frozen=True, slots=True)
class BoardDescription:
    """Which wire of one board goes where. Everything but the buttons may be missing."""

    board: str
    pins: str
    sensors: Sensors | None
    buttons: tuple[Button, ...]
    display: DisplayWiring | None
    lights: LightsWiring | None
    buzzer: BuzzerWiring | None
    reader: Reader | None = None
    buses: tuple[I2cWires, ...] = ()
    supply: Supply | None = None
    sand_light: Button | None = None  # the light sensor at the neck of a glass that is being measured
    only: tuple[str, ...] = ()
    """The places that are wired where a board is being tried in parts; no game can be played on it then."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that are sampled, in the order in which a scan gives them."""
        return () if self.sensors is None else self.sensors.inputs

    @property
    def strip(self) -> int:
        """How many lights stand beside a table; 0 where there are none, and where they are under spaces."""
        return 0 if self.lights is None or self.board == TAMSK else len(self.lights.shown)
