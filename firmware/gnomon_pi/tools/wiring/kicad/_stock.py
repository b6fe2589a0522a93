"""Define what the boards are made of: land pattern, order numbers, prices, and what each pin is to the rules check."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring.kicad import _footprints as lands
from gnomon_pi.tools.wiring.kicad._footprints import Footprint

IN: Final = "input"
OUT: Final = "output"
THREE: Final = "tri_state"
FEED: Final = "power_in"


class StockPart(NamedTuple):
    """A part as it is ordered: `lcsc` is LCSC's number where one was seen in use, and empty where none was.

    `cents` are euro cents for one of some hundred, as an estimate. `pins` names the pins, `kinds` says what those are
    that are not passive.
    """

    value: str
    footprint: Footprint
    maker: str
    number: str
    lcsc: str
    cents: float
    letter: str
    pins: Mapping[str, str]
    kinds: Mapping[str, str] = {}


def _by_number(names: str) -> dict[str, str]:
    return {str(number): name for number, name in enumerate(names.split(), start=1)}


def _of(pins: str, kind: str) -> dict[str, str]:
    return dict.fromkeys(pins.split(), kind)


_TWO: Final = _by_number("1 2")
_QUAD: Final = _by_number("1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC")
_QUAD_KINDS: Final = {**_of("1 2 4 5 9 10 12 13", IN), **_of("3 6 8 11", THREE), **_of("7 14", FEED)}


def _resistor(value: str, number: str, lcsc: str) -> StockPart:
    return StockPart(value, lands.R0603, "UNI-ROYAL", number, lcsc, 0.3, "R", _TWO)


STOCK: Final[Mapping[str, StockPart]] = {
    catalogue.HC165: StockPart(
        "74HC165D", lands.SOIC16, "Nexperia", "74HC165D,653", "C5613", 20, "U",
        _by_number("SH_LD CLK E F G H QH_N GND QH SER A B C D INH VCC"),
        {**_of("1 2 3 4 5 6 10 11 12 13 14 15", IN), **_of("7 9", OUT), **_of("8 16", FEED)},
    ),
    catalogue.HC125: StockPart("74HC125D", lands.SOIC14, "TI", "SN74HC125DR", "", 25, "U", _QUAD, _QUAD_KINDS),
    catalogue.AHCT125: StockPart(
        "74AHCT125D", lands.SOIC14, "TI", "SN74AHCT125DR", "C155176", 35, "U", _QUAD, _QUAD_KINDS
    ),
    catalogue.HALL_POLE: StockPart(
        "DRV5032DU", lands.X2SON4, "TI", "DRV5032DUDMRR", "", 55, "U", _by_number("VCC GND OUT2 OUT1 PAD"),
        {**_of("1 2", FEED), **_of("3 4", OUT)},
    ),
    catalogue.HALL_ANY: StockPart(
        "DRV5032FA", lands.X2SON4, "TI", "DRV5032FADMRR", "", 45, "U", _by_number("VCC GND NC OUT PAD"),
        {**_of("1 2", FEED), "4": OUT},
    ),
    catalogue.EYE: StockPart(
        "QRE1113GR", lands.EYE4, "onsemi", "QRE1113GR", "C232862", 45, "U",
        _by_number("anode cathode collector emitter"),
    ),
    catalogue.MOSFET: StockPart(
        "AO3400A", lands.SOT23, "AOS", "AO3400A", "C20917", 6, "Q", _by_number("gate source drain"), {"1": IN}
    ),
    catalogue.R100: _resistor("100R", "0603WAF1000T5E", "C22775"),
    catalogue.R180: _resistor("180R", "0603WAF1800T5E", "C22828"),
    catalogue.R330: _resistor("330R", "0603WAF3300T5E", "C23138"),
    catalogue.R10K: _resistor("10k", "0603WAF1002T5E", "C25804"),
    catalogue.R47K: _resistor("47k", "0603WAF4702T5E", "C25819"),
    catalogue.C100N: StockPart("100n", lands.C0603, "YAGEO", "CC0603KRX7R9BB104", "C14663", 0.6, "C", _TWO),
    catalogue.C10U: StockPart("10u", lands.C0805, "Samsung", "CL21A106KAYNNNE", "C15850", 2, "C", _TWO),
    catalogue.C470U: StockPart("470u", lands.CAN8, "any", "470 µF, 10 V, 8 mm", "", 30, "C", _TWO),
    catalogue.C1000U: StockPart("1000u", lands.CAN10, "any", "1000 µF, 10 V, 10 mm", "", 40, "C", _TWO),
    catalogue.FEED: StockPart(
        "5V in", lands.TERMINAL2, "any", "screw terminal, 5.08 mm, 10 A", "", 70, "J", {"+": "plus", "-": "minus"}
    ),
    catalogue.FUSE: StockPart("fuse holder", lands.FUSE5X20, "Schurter", "0031.8201", "", 90, "F", _TWO),
}  # fmt: skip
"""The parts by the keys of the catalogue."""

FLAT: Final = StockPart(
    "FFC 10", lands.FLAT10, "JUSHUO", "AFC07-S10FCC-00", "C11050", 9, "J", _by_number(" ".join(map(str, range(1, 11))))
)
JUMPER: Final = StockPart("SH 4", lands.SH4, "JST", "BM04B-SRSS-TB", "", 15, "J", _by_number("1 2 3 4"))
RIBBON: Final = StockPart(
    "IDC 10", lands.BOX10, "any", "box header 2 × 5, 2.54 mm", "", 20, "J",
    _by_number(" ".join(map(str, range(1, 11)))),
)  # fmt: skip
PI_SOCKET: Final = StockPart(
    "Pi header", lands.PI40, "any", "socket 2 × 20, 2.54 mm", "", 120, "J",
    _by_number(" ".join(map(str, range(1, 41)))),
)  # fmt: skip


def wire_header(value: str, names: tuple[str, ...]) -> StockPart:
    """Where the wires of something that stands elsewhere begin: a display, a strip of lights, a button."""
    poles = len(names)
    return StockPart(
        value, lands.header(poles), "JST", f"B{poles}B-XH-A", "", 4 + 2 * poles, "J", _by_number(" ".join(names))
    )


ON_BOARD: Final[Mapping[str, StockPart]] = {
    catalogue.BUTTON: StockPart("tact 12 mm", lands.TACT12, "Omron", "B3F-4055", "", 60, "S", _TWO),
    catalogue.PIEZO: StockPart("piezo 12 mm", lands.PIEZO12, "TDK", "PS1240P02BT", "", 80, "B", _TWO),
    catalogue.OLED_I2C: StockPart(
        "OLED socket", lands.pin_row(4), "any", "socket 1 × 4, 2.54 mm", "", 25, "J", _by_number("GND VCC SCL SDA")
    ),
}  # fmt: skip
"""What stands on a carrier itself, where elsewhere a wire begins."""
