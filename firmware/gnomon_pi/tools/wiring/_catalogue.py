"""Define the Pi's 40-pin header and the catalogue of parts: pinouts, supply pins, prices and data sheets."""

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
HC165: Final = "74HC165"
HC125: Final = "74HC125"
HC14: Final = "74HC14"
AHCT125: Final = "74AHCT125"
MCP23017: Final = "MCP23017"
HALL_POLE: Final = "DRV5032DU"
HALL_ANY: Final = "DRV5032FA"
EYE: Final = "QRE1113"
IR_LIGHT: Final = "TSAL4400"
IR_EYE: Final = "TEFT4300"
MOSFET: Final = "IRLML6344"
DIODE: Final = "1N4148"
OLED_I2C: Final = "OLED, I2C"
OLED_SPI: Final = "OLED, SPI"
STRIP: Final = "SK9822"
PN532: Final = "PN532"
PIEZO: Final = "piezo"
BUZZER: Final = "buzzer"
BUTTON: Final = "button"
FUSE: Final = "fuse"
FEED: Final = "terminal"
PI: Final = "Raspberry Pi"
R100: Final = "100 Ω"
R180: Final = "180 Ω"
R330: Final = "330 Ω"
R2K2: Final = "2.2 kΩ"
R10K: Final = "10 kΩ"
R47K: Final = "47 kΩ"
C100N: Final = "100 nF"
C10U: Final = "10 µF"
C470U: Final = "470 µF"
C1000U: Final = "1000 µF"


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


class Article(NamedTuple):
    """One kind of part: its pins by number, which of them are fed, a rough price, and where the facts come from.

    `cents` are euro cents for one of some ten; `doubt` is what to try before buying many, empty where nothing is odd.
    """

    what: str
    package: str
    pins: Mapping[str, str]
    power: tuple[str, ...]
    ground: tuple[str, ...]
    alternative: str
    cents: int
    source: str
    doubt: str = ""


def _number(names: str) -> Mapping[str, str]:
    return MappingProxyType({str(number): name for number, name in enumerate(names.split(), start=1)})


def _name(names: str) -> Mapping[str, str]:
    return MappingProxyType({name: name for name in names.split()})


def _passive(what: str, package: str, alternative: str, cents: int, source: str) -> Article:
    return Article(what, package, _number("1 2"), (), (), alternative, cents, source)


_TWO_LEGS: Final = "axial, 0.25 W, 1 %"
_QUAD: Final = _number("1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC")
_RESISTOR: Final = "0805, if you make a circuit board"
_CERAMIC: Final = "0805 X7R, if you make a circuit board"
_ROUND: Final = "radial, 5 mm"

ARTICLES: Final[Mapping[str, Article]] = MappingProxyType({
    PI: Article(
        "any model with 40 pins", "40-pin header", NAMES_OF_HEADER_PINS, ("1", "2", "4", "17"), HEADER_PINS["GND"],
        "Zero 2 W, 3 B+, 4 B or 5", 4500, "Raspberry Pi documentation, GPIO and the 40-pin header",
    ),
    HC165: Article(
        "eight inputs into one serial line", "DIP-16",
        _number("SH/LD CLK D4/E D5/F D6/G D7/H /QH GND QH SER D0/A D1/B D2/C D3/D CLK_INH VCC"), ("16",), ("8",),
        "SN74HC165N, CD74HC165E; 74HC165D in SO-16", 45, "TI SCLS116, Nexperia 74HC165",
    ),
    HC125: Article(
        "four buffers, fed with 3.3 V", "DIP-14", _QUAD, ("14",), ("7",),
        "74LVC125A in SO-14, 74AHC125", 45, "TI SCLS104, Nexperia 74HC125",
    ),
    HC14: Article(
        "six inverters with clean edges", "DIP-14", _number("1A 1Y 2A 2Y 3A 3Y GND 4Y 4A 5Y 5A 6Y 6A VCC"),
        ("14",), ("7",), "74LVC14A in SO-14", 45, "TI SCLS085, Nexperia 74HC14",
    ),
    AHCT125: Article(
        "four buffers, fed with 5 V, that take 3.3 V for a one", "DIP-14", _QUAD, ("14",), ("7",),
        "74HCT125 (same pins)", 60, "TI SCLS264: an input of 2.0 V is high",
    ),
    MCP23017: Article(
        "sixteen inputs on I2C", "DIP-28",
        _number(
            "GPB0 GPB1 GPB2 GPB3 GPB4 GPB5 GPB6 GPB7 VDD VSS NC SCL SDA NC "
            "A0 A1 A2 /RESET INTB INTA GPA0 GPA1 GPA2 GPA3 GPA4 GPA5 GPA6 GPA7"
        ),
        ("9",), ("10",), "MCP23017-E/SO in SO-28", 170, "Microchip DS20001952D",
    ),
    HALL_POLE: Article(
        "Hall switch for one pole, 20 readings a second", "TO-92 (DRV5032DULPG)", _number("VCC GND OUT"),
        ("1",), ("2",),
        "DRV5032DUDMR in X2SON sees both poles with one chip: 1 VCC, 2 GND, 3 south, 4 north", 95,
        "TI SLVSDC7: on when a south pole faces the marked side, push-pull, 3.9 mT at most",
        "the distance from the magnet through your board",
    ),
    HALL_ANY: Article(
        "Hall switch for either pole, 20 readings a second", "TO-92 (DRV5032FALPG)", _number("VCC GND OUT"),
        ("1",), ("2",), "DRV5032FADBZ in SOT-23: 1 VCC, 2 OUT, 3 GND", 85,
        "TI SLVSDC7: push-pull, 4.8 mT at most", "the distance from the magnet, and from the neighbour's",
    ),
    EYE: Article(
        "infra-red light and eye in one", "4 pins, 1.8 mm", _number("anode cathode collector emitter"), (), (),
        "QRE1113GR (surface mount, same pins); a break-beam pair tells a ring the other way round", 90,
        "onsemi QRE1113/D: 0.1 mA at least with 20 mA, seen from 1 mm; not darker than 0.3 V at 50 µA",
        "the distance to the ring, its colour, and the darkest of your rings",
    ),
    IR_LIGHT: Article(
        "infra-red light, 940 nm", "3 mm, 2 legs", MappingProxyType({"A": "anode", "K": "cathode"}), (), (),
        "any of 940 nm in 3 or 5 mm", 30, "Vishay TSAL4400: 1.35 V; (3.3 V − 1.35 V) / 100 Ω = 20 mA",
        "whether enough of it passes your glass",
    ),
    IR_EYE: Article(
        "infra-red phototransistor that sees no daylight", "3 mm, 2 legs",
        MappingProxyType({"C": "collector", "E": "emitter"}), (), ("E",), "an infra-red one in 3 or 5 mm, two legs", 60,
        "Vishay TEFT4300: black against daylight; 0.25 mA bring 10 kΩ below 0.8 V, where the Pi reads a zero",
        "the distance through the neck, and that running sand darkens it",
    ),
    MOSFET: Article(
        "N-channel transistor that switches fully at 2.5 V", "SOT-23", _number("gate source drain"), (), ("2",),
        "AO3400A (same pins)", 35, "Infineon IRLML6344: 37 mΩ at most with 2.5 V at the gate, 5 A",
    ),
    DIODE: Article(
        "diode across the buzzer", "DO-35", MappingProxyType({"K": "cathode", "A": "anode"}), (), (),
        "1N4007", 5, "onsemi 1N4148/D",
    ),
    OLED_I2C: Article(
        "display of 2.42 inch, 128 × 64", "module, 4 pins", _name("GND VCC SCL SDA"), ("VCC",), ("GND",),
        "one that takes 3.3 V; the order of the pins differs, so go by their names. Modules of 0.96 inch (SSD1306) are "
        "read from 30 cm, or from 70 cm with large letters", 1700,
        "Solomon Systech SSD1309 (2.42 inch), SSD1306; Sino Wealth SH1106",
    ),
    OLED_SPI: Article(
        "display of 2.42 inch, 128 × 64", "module, 7 pins", _name("GND VCC D0 D1 RES DC CS"), ("VCC",), ("GND",),
        "one that takes 3.3 V; the order of the pins differs, so go by their names. Modules of 0.96 inch (SSD1306) are "
        "read from 30 cm, or from 70 cm with large letters", 1700,
        "Solomon Systech SSD1309 (2.42 inch), SSD1306: D0 is the clock, D1 the data; Sino Wealth SH1106",
    ),
    STRIP: Article(
        "strip of lights with clock and data, priced for one light", "IP20, cut to length", _name("5V CI DI GND"),
        ("5V",), ("GND",), "APA102", 25, "Normand SK9822, APA Electronic APA102C: 60 mA a light at full white",
    ),
    PN532: Article(
        "reader of tags", "module, 4 pins", _name("GND VCC SDA SCL"), ("VCC",), ("GND",),
        "any PN532 with switches for I2C; one of 3.3 V", 900, "NXP PN532/C1; its switches on I2C: SEL0 high, SEL1 low",
        "the distance to the tag through the tray",
    ),
    PIEZO: Article(
        "passive piezo disc in a housing", "2 wires", _number("1 2"), (), (), "any of 10 to 30 nF", 80,
        "no data sheet: a capacitor to the pin", "whether it is loud enough at 3.3 V",
    ),
    BUZZER: Article(
        "active buzzer, 5 V, 30 mA at most", "2 pins, 7.6 mm",
        MappingProxyType({"+": "plus", "-": "minus"}), (), (), "a piezo buzzer of 3 to 24 V", 120, "TDB-05, HMB-05",
    ),
    BUTTON: Article(
        "push button, closes", "panel, 16 to 30 mm", _number("1 2"), (), (), "an arcade button", 250,
        "no data sheet: a contact that bounces for less than 30 ms",
    ),
    FEED: Article(
        "screw terminal of the 5 V supply", "2 poles, 5.08 mm", MappingProxyType({"+": "5 V", "-": "ground"}), (), (),
        "a barrel jack of 5.5 × 2.1 mm, for 5 A", 70, "any of 10 A",
    ),
    FUSE: Article(
        "fuse, slow", "5 × 20 mm, in a holder", _number("1 2"), (), (), "a blade fuse; its amperes are in the tables",
        90, "IEC 60127-2",
    ),
    R100: _passive("resistor in series", _TWO_LEGS, _RESISTOR, 4, "keeps edges from ringing and pins from harm"),
    R180: _passive("resistor of an emitter", _TWO_LEGS, _RESISTOR, 4, "(5 V − 1.2 V) / 180 Ω = 21 mA"),
    R330: _passive("resistor of a button", _TWO_LEGS, _RESISTOR, 4, "10 mA at most into a pin that drives by mistake"),
    R2K2: _passive("pull-up of an I2C bus", _TWO_LEGS, _RESISTOR, 4, "NXP UM10204: 1 to 3 kΩ at 400 kHz and 3.3 V"),
    R10K: _passive("pull-up or pull-down", _TWO_LEGS, _RESISTOR, 4, "holds a level while nobody drives it"),
    R47K: _passive(
        "load of an eye", _TWO_LEGS, _RESISTOR, 4, "70 µA bring it to 0 V; the weakest QRE1113 gives 100 µA at 20 mA"
    ),
    C100N: _passive("capacitor beside a chip", "ceramic X7R, 2.54 mm", _CERAMIC, 6, "the chips' data sheets"),
    C10U: _passive("capacitor for eight chips", _ROUND, "tantalum", 12, "feeds the chips while the wire is slow"),
    C470U: _passive("capacitor of the emitters", "radial, 10 V", "1000 µF", 30, "feeds the flash of the emitters"),
    C1000U: _passive("capacitor of the lights", "radial, 10 V", "2200 µF", 40, "the usual one at the strip's feed"),
})  # fmt: skip
"""Every article by its key, which is its value in the tables, but for the plugs."""

_PLUG: Final = "plug "


def plug(poles: int) -> str:
    """The key of a plug with so many poles."""
    return f"{_PLUG}{poles}"


def article(key: str) -> Article:
    """The article of a key. Raises KeyError."""
    if not key.startswith(_PLUG):
        return ARTICLES[key]
    poles = int(key.removeprefix(_PLUG))
    return Article(
        "plug, socket and crimps", f"JST XH, {poles} poles", _number(" ".join(map(str, range(1, poles + 1)))), (), (),
        f"pin header 1 × {poles}, 2.54 mm", 15 + 4 * poles, "JST XH: 3 A a pole",
    )  # fmt: skip
