"""Parse board descriptions, a builder's own and the bundled ones, and collect every mistake in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gnomon.games.tamsk.sensing.inputs import INPUTS, SPACES
from gnomon.refusals import Statement, join, statement
from gnomon_pi.config._claims import Claims
from gnomon_pi.config._expected import (
    NOBODY_KNOWS,
    Expected,
    default_size,
    expected_of,
    groups_of,
    is_of_another_board,
    part_of,
)
from gnomon_pi.config.checked_toml import MistakeError, TomlMistake, TomlTable, parse_toml, text_of
from gnomon_pi.config.description import (
    BOARDS,
    EM4100,
    TABLE,
    TAMSK,
    TAYU,
    BoardDescription,
    Button,
    BuzzerWiring,
    DisplayWiring,
    LightsWiring,
    OnI2c,
    Reader,
    SpiDisplay,
    Supply,
)
from gnomon_pi.config.power import FIVE, THREE, budget, total_current
from gnomon_pi.config.sensors import sensors

DISPLAYS: Final = ("ssd1306", "ssd1309", "sh1106")
LETTERS: Final = ("normal", "large")
PN532: Final = "pn532"
READERS: Final = ("keyboard", "lines", EM4100, PN532)
# NXP, user manual of the PN532, UM0701-02, section 6.2.4: 0x48 to write, 0x49 to read.
_PN532_ADDRESS: Final = 0x24
# The least clock cycle of the 4-wire serial interface, in nanoseconds: Solomon Systech, data sheets of SSD1306 and
# SSD1309; Sino Wealth, data sheet of the SH1106, at a supply of 2.4 V to 3.5 V.
_DISPLAY_CYCLES_NS: Final = MappingProxyType({"ssd1306": 100, "ssd1309": 100, "sh1106": 250})
_SECOND: Final = 1_000_000_000  # in nanoseconds
_FASTEST_DISPLAY_HZ: Final = _SECOND // min(_DISPLAY_CYCLES_NS.values())
SAND_LIGHT: Final = "sand.light"
BOARD_PLACES: Final = frozenset(name.rpartition(".")[0] for name in INPUTS if not name.startswith("button."))
_DAY: Final = 86_400  # seconds
_PART: Final = DisplayWiring("", OnI2c(0, 0))  # for its defaults
BoardError = MistakeError
"""A board description is wrong; its words name the file and the line."""

_LIBRARIES: Final = ("lgpio", "rpigpio", "mock")
_FILE: Final = re.compile(r"([a-z]+)(\d*)(?:-([a-z0-9-]+))?\.toml")


# The devices, each from its table


def buttons(table: TomlTable, claims: Claims) -> tuple[Button, ...]:
    """The buttons, each on a pin of its own."""
    return tuple(
        Button(name, claims.pin(table, name, Statement.plain(name)))
        for name in table
        if claims.input(table, name, name)
    )


def display(table: TomlTable, claims: Claims) -> DisplayWiring:
    """The display, on I2C or on SPI."""
    kind = table.word("kind", DISPLAYS)
    on_spi, on_i2c = table.has("spi_port"), table.has("i2c_bus")
    if on_spi and on_i2c:
        table.note(statement("config.display.both"), "i2c_bus")
    result = DisplayWiring(
        kind=kind,
        wires=_on_spi(table, kind, claims) if on_spi else claims.i2c(table, statement("config.for.display")),
        is_upside_down=table.flag("upside_down"),
        dim_after=table.integer("dim_after", 0, _DAY, default=_PART.dim_after),
        shift_every=table.integer("shift_every", 0, _DAY, default=_PART.shift_every),
        letters=table.word("letters", LETTERS) if table.has("letters") else _PART.letters,
    )
    table.nothing_else()
    return result


def _on_spi(table: TomlTable, kind: str, claims: Claims) -> SpiDisplay:
    spi = claims.spi(table, statement("config.for.display"), slowest=100_000, fastest=_FASTEST_DISPLAY_HZ)
    cycle = _DISPLAY_CYCLES_NS[kind]
    if spi.clock_hz * cycle > _SECOND:
        said = statement(
            "config.display.fast", clock=spi.clock_hz, chip=kind.upper(), cycle=cycle, most=_SECOND // cycle
        )
        table.note(said, "clock_hz")
    return SpiDisplay(
        spi=spi,
        data_command=claims.pin(table, "data_command", statement("config.for.data_command")),
        reset=claims.pin(table, "reset", statement("config.for.reset")) if table.has("reset") else None,
    )


def lights(table: TomlTable, claims: Claims, spaces: int | None) -> LightsWiring:
    """The strip of lights; on a board with spaces it needs one for each, and the others stay dark."""
    table.word("kind", ("sk9822",))
    spi = claims.spi(table, statement("config.for.lights"), slowest=100_000, fastest=20_000_000, selected=False)
    result = LightsWiring(
        spi_port=spi.port,
        spi_device=spi.device,
        clock_hz=spi.clock_hz,
        count=table.integer("count", 1, 1000),
        brightness=table.integer("brightness", 1, 31),
    )
    skipped = _dark_lights(table, result.count)
    table.nothing_else()
    usable = [number for number in range(result.count) if number not in skipped]
    needed = len(usable) if spaces is None else spaces
    if table.is_sound and len(usable) < max(needed, 1):
        said = statement("config.lights.few", count=result.count, usable=len(usable), needed=max(needed, 1))
        table.note(said, "skipped" if skipped else "count")
    return result if needed == result.count else replace(result, places=tuple(usable[:needed]))


def _dark_lights(table: TomlTable, count: int) -> frozenset[int]:
    """The lights that are to stay dark, by their numbers on the strip."""
    numbers = table.integers("skipped", 0, count - 1) if table.has("skipped") else ()
    for item, number in enumerate(numbers):
        if number in numbers[:item]:
            table.note(statement("config.lights.twice", number=number), "skipped", item)
    return frozenset(numbers)


def buzzer(table: TomlTable, claims: Claims) -> BuzzerWiring:
    """The piezo."""
    active = table.word("kind", ("passive", "active")) == "active"
    result = BuzzerWiring(claims.pin(table, "pin", statement("config.for.buzzer")), active, claims.level(table, "on"))
    table.nothing_else()
    return result


def reader(table: TomlTable, claims: Claims) -> Reader | None:
    """What reads the codes on tiles, or None where its kind is a mistake."""
    kind = table.word("kind", READERS)
    if table.is_faulty("kind"):
        return None
    from gnomon.games.tayu.rules.tiles import KINDS

    codes = table.table("codes", required=False)
    is_pn532 = kind == PN532
    result = Reader(
        kind=kind,
        device="" if is_pn532 else table.text("device"),
        codes=MappingProxyType({code: codes.word(code, KINDS) for code in codes}),
        wires=claims.i2c(table, statement("config.for.reader"), usual=_PN532_ADDRESS) if is_pn532 else None,
    )
    table.nothing_else()
    return result


def sand_light(table: TomlTable, claims: Claims) -> Button:
    """The light sensor at the neck of a glass that is being measured; like a button it closes its pin to ground."""
    result = Button(SAND_LIGHT, claims.pin(table, "pin", statement("config.for.sand_light")))
    table.nothing_else()
    return result


def supply(table: TomlTable) -> Supply:
    """What the supplies give."""
    result = Supply(table.integer("five_volt_ma", 1, 100_000), table.integer("three_volt_ma", 1, 100_000))
    table.nothing_else()
    return result


# The whole description


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of a text: the board it describes, or every mistake in it, those of one table in their order."""

    description: BoardDescription | None
    mistakes: tuple[TomlMistake, ...]
    pins: Mapping[int, Statement] = field(default_factory=dict)  # what each is for
    keys: frozenset[str] = frozenset()  # every key that was asked for, as `sensors.bits.places`


def load(path: Path) -> BoardDescription:
    """Read a builder's own description. Raises BoardError, also when the file cannot be read."""
    return parse_board(read_board_text(path), str(path))


def parse_board(text: str, file: str) -> BoardDescription:
    """The values of a description given as text; `file` is its name in messages. Raises BoardError."""
    result = examine_board(text, file)
    if result.description is None:
        raise BoardError(result.mistakes[0].statement)
    return result.description


def read_board_text(path: Path) -> str:
    """The text of a description. Raises BoardError when it cannot be read."""
    try:
        return text_of(path)
    except FileNotFoundError as error:
        raise BoardError(statement("toml.unreadable", file=str(path), detail=error.strerror)) from error


def examine_board(text: str, file: str) -> Examined:
    """Everything that can be said of a description. Raises BoardError when it is no TOML at all."""
    top = parse_toml(text, file)
    board = top.word("board", BOARDS)
    library = top.word("pins", _LIBRARIES, default=_LIBRARIES[0])
    has_sensors = board != TABLE or top.is_faulty("board")
    sensed = top.table("sensors") if has_sensors else None
    groups = groups_of(sensed) if sensed is not None else ()
    only = _wired_places(top) if board == TAMSK else ()
    pressed = top.table("buttons", required=not (board == TAMSK and top.has("only")))
    expected = expected_of(board, top, groups, tuple(pressed))
    if only:
        expected = part_of(expected, only)
    if top.is_faulty("only"):
        expected = NOBODY_KNOWS
    if is_of_another_board(board, top, groups, pressed, expected):
        expected = NOBODY_KNOWS
    claims = Claims(expected)
    for bus in top.tables("i2c", required=False):
        claims.bus(bus)
    spaces = SPACES if board == TAMSK and not top.is_faulty("board") else None
    description = BoardDescription(
        board=board,
        pins=library,
        sensors=sensors(sensed, groups, claims) if sensed is not None else None,
        buttons=buttons(pressed, claims),
        display=top.part("display", lambda table: display(table, claims)),
        lights=top.part("lights", lambda table: lights(table, claims, spaces)) if board != TAYU else None,
        buzzer=top.part("buzzer", lambda table: buzzer(table, claims)),
        reader=None if board == TAMSK else top.part("reader", lambda table: reader(table, claims)),
        buses=claims.buses,
        supply=top.part("supply", supply),
        sand_light=top.part("sand_light", lambda table: sand_light(table, claims)) if board == TAMSK else None,
        only=only,
    )
    claims.check_selects()
    if not top.is_faulty("board"):  # Which tables there may be depends on it.
        top.nothing_else()
    _nothing_missing(sensed, pressed, expected, claims)
    if top.is_sound:
        _within_supply(top, description)
    return Examined(description if top.is_sound else None, tuple(top.mistakes), claims.pins, top.asked_keys)


def _wired_places(top: TomlTable) -> tuple[str, ...]:
    """The places that are wired, where that is not all of them."""
    if not top.has("only"):
        return ()
    places = top.words("only")
    for item, place in enumerate(places):
        if place not in BOARD_PLACES:
            top.note(statement("config.only", place=place), "only", item)
    return places


def _nothing_missing(sensed: TomlTable | None, pressed: TomlTable, expected: Expected, claims: Claims) -> None:
    """Note what has no wire, unless it may only seem so because its line is a mistake."""
    missing = claims.missing_inputs()
    if not missing or not pressed.is_sound or not (sensed is None or sensed.is_sound):
        return
    buttons = [name for name in missing if name.startswith("button.")]
    others = [name for name in missing if name not in buttons]
    for table, names in ((pressed, buttons), (sensed, others)):
        if table is not None and names:
            table.note(expected.lack(names))


def _within_supply(top: TomlTable, description: BoardDescription) -> None:
    """Note what draws more than it is given."""
    supply = description.supply
    if supply is None:
        return
    loads = budget(description)
    table = top.table("supply")
    for volts, key, gives in (
        (FIVE, "five_volt_ma", supply.five_volt_ma),
        (THREE, "three_volt_ma", supply.three_volt_ma),
    ):
        if total_current(loads, volts) > gives:
            draws = f"{total_current(loads, volts):.0f}"
            table.note(statement("config.draws", draws=draws, volts=f"{volts:g}", key=key, gives=gives), key)


# Those that come with the program


@cache
def load_bundled(board: str, size: int | None = None, variant: str = "") -> BoardDescription:
    """The description that comes with the program; of Tayu's boards the one with so many squares along a side.

    Raises BoardError when there is no such board, size or variant.
    """
    name, text = bundled_text(board, size, variant)
    return parse_board(text, name)


def bundled_text(board: str, size: int | None = None, variant: str = "") -> tuple[str, str]:
    """The file of such a description, and what it says. Raises BoardError when there is none."""
    if board not in BOARDS:
        raise BoardError(statement("config.no_board", board=board, known=tuple(sorted(BOARDS))))
    if board != TAYU and size is not None:
        raise BoardError(statement("config.one_size", board=board))
    if size is not None and size not in bundled_sizes():
        known = join(Statement.plain(str(each)) for each in bundled_sizes())
        raise BoardError(statement("config.no_size", size=size, known=known))
    if variant and variant not in variants(board):
        there = tuple(variants(board)) or (statement("toml.none"),)
        raise BoardError(statement("config.no_variant", board=board, variant=variant, known=there))
    sized = f"{board}{size}" if board == TAYU and size not in {None, default_size()} else board
    name = f"{sized}-{variant}.toml" if variant else f"{sized}.toml"
    return name, (_folder() / name).read_text(encoding="utf-8")


def bundled_sizes() -> tuple[int, ...]:
    """How many squares a side Tayu's boards have that come with the program: those of the editions."""
    from gnomon.games.tayu.rules.settings import EDITIONS

    return tuple(edition.size for edition in EDITIONS.values())


def variants(board: str) -> Sequence[str]:
    """The names of a board's other ways to be wired; there is none of an unknown board."""
    found = (_FILE.fullmatch(file.name) for file in _folder().iterdir())
    return sorted({match[3] for match in found if match and match[1] == board and match[3]})


def _folder() -> Traversable:
    return resources.files("gnomon_pi") / "boards"
