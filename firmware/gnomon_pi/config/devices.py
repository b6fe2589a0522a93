"""Parse the device tables of a board description: buttons, display, lights, buzzer, reader and supply."""

from types import MappingProxyType
from typing import Final

from gnomon.games.tayu.rules import KINDS
from gnomon_pi.config.checked_toml import Table
from gnomon_pi.config.claims import Claims
from gnomon_pi.config.description import Button, Buzzer, Display, Lights, OnI2c, Reader, SpiDisplay, Supply

DISPLAYS: Final = ("ssd1306", "ssd1309", "sh1106")
LETTERS: Final = ("normal", "large")
PN532: Final = "pn532"
READERS: Final = ("keyboard", "lines", PN532)
# NXP, user manual of the PN532, UM0701-02, section 6.2.4: 0x48 to write, 0x49 to read.
_PN532_ADDRESS: Final = 0x24
# The least clock cycle of the 4-wire serial interface, in nanoseconds: Solomon Systech, data sheets of SSD1306 and
# SSD1309; Sino Wealth, data sheet of the SH1106, at a supply of 2.4 V to 3.5 V.
_DISPLAY_CYCLES_NS: Final = MappingProxyType({"ssd1306": 100, "ssd1309": 100, "sh1106": 250})
_SECOND: Final = 1_000_000_000  # in nanoseconds
_FASTEST_DISPLAY_HZ: Final = _SECOND // min(_DISPLAY_CYCLES_NS.values())
SAND_LIGHT: Final = "sand.light"
_DAY: Final = 86_400  # seconds
_PART: Final = Display("", OnI2c(0, 0), 0)  # for its defaults


def buttons(table: Table, claims: Claims) -> tuple[Button, ...]:
    """The buttons, each on a pin of its own."""
    return tuple(Button(name, claims.pin(table, name, name)) for name in table if claims.input(table, name, name))


def display(table: Table, claims: Claims) -> Display:
    """The display, on I2C or on SPI."""
    kind = table.word("kind", DISPLAYS)
    on_spi, on_i2c = table.has("spi_port"), table.has("i2c_bus")
    if on_spi and on_i2c:
        table.note("[display] has both i2c_bus and spi_port: keep the one of the bus that it hangs on", "i2c_bus")
    result = Display(
        kind=kind,
        wires=_on_spi(table, kind, claims) if on_spi else claims.i2c(table, "the display"),
        rotate=2 if table.flag("upside_down") else 0,
        dim_after=table.integer("dim_after", 0, _DAY, default=_PART.dim_after),
        shift_every=table.integer("shift_every", 0, _DAY, default=_PART.shift_every),
        letters=table.word("letters", LETTERS) if table.has("letters") else _PART.letters,
    )
    table.nothing_else()
    return result


def _on_spi(table: Table, kind: str, claims: Claims) -> SpiDisplay:
    spi = claims.spi(table, "the display", slowest=100_000, fastest=_FASTEST_DISPLAY_HZ)
    cycle = _DISPLAY_CYCLES_NS[kind]
    if spi.clock_hz * cycle > _SECOND:
        said = f"clock_hz = {spi.clock_hz} is too fast for an {kind.upper()}, whose clock cycle takes {cycle} ns"
        table.note(f"{said}: {_SECOND // cycle} at most", "clock_hz")
    return SpiDisplay(
        spi=spi,
        data_command=claims.pin(table, "data_command", "data or command of the display"),
        reset=claims.pin(table, "reset", "the reset of the display") if table.has("reset") else None,
    )


def lights(table: Table, claims: Claims) -> Lights:
    """The strip of lights."""
    table.word("kind", ("sk9822",))
    spi = claims.spi(table, "the lights", slowest=100_000, fastest=20_000_000, selected=False)
    result = Lights(
        spi_port=spi.port,
        spi_device=spi.device,
        clock_hz=spi.clock_hz,
        count=table.integer("count", 1, 1000),
        brightness=table.integer("brightness", 1, 31),
    )
    table.nothing_else()
    return result


def buzzer(table: Table, claims: Claims) -> Buzzer:
    """The piezo."""
    active = table.word("kind", ("passive", "active")) == "active"
    result = Buzzer(claims.pin(table, "pin", "the buzzer"), active, claims.level(table, "on"))
    table.nothing_else()
    return result


def reader(table: Table, claims: Claims) -> Reader | None:
    """What reads the codes on tiles, or None where its kind is a mistake."""
    kind = table.word("kind", READERS)
    if table.is_faulty("kind"):
        return None
    codes = table.table("codes", required=False)
    is_pn532 = kind == PN532
    result = Reader(
        kind=kind,
        device="" if is_pn532 else table.text("device"),
        codes=MappingProxyType({code: codes.word(code, KINDS) for code in codes}),
        wires=claims.i2c(table, "the reader", usual=_PN532_ADDRESS) if is_pn532 else None,
    )
    table.nothing_else()
    return result


def sand_light(table: Table, claims: Claims) -> Button:
    """The light sensor at the neck of a glass that is being measured; like a button it closes its pin to ground."""
    result = Button(SAND_LIGHT, claims.pin(table, "pin", "the light sensor of the calibration"))
    table.nothing_else()
    return result


def supply(table: Table) -> Supply:
    """What the supplies give."""
    result = Supply(table.integer("five_volt_ma", 1, 100_000), table.integer("three_volt_ma", 1, 100_000))
    table.nothing_else()
    return result
