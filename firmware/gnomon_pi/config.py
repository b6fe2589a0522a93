"""The only place that says what a board description may hold: TOML in, frozen values out."""

from collections.abc import Collection, Sequence
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Final

from gnomon.referee.table_game import TABLE_BUTTONS
from gnomon.referee.tamsk_inputs import INPUTS
from gnomon.referee.tayu_judge import square_inputs
from gnomon.rules.tayu import EDITIONS, KINDS, Tayu, TayuSettings
from gnomon_pi.checked_toml import MistakeError, Table, checked
from gnomon_pi.description import (
    BITS_PER_REGISTER,
    BOARDS,
    TABLE,
    TAMSK,
    TAYU,
    BoardDescription,
    Button,
    Buzzer,
    Chain,
    Display,
    Lights,
    OnI2c,
    Output,
    Reader,
)

# GPIO 0 and 1 belong to the identification of add-on boards; the header ends at 27.
_FIRST_PIN, _LAST_PIN = 2, 27
# What a hardware bus occupies: clock, data out and data in; then its chip selects by device number.
_SPI_PINS: Final = {0: ((11, 10, 9), (8, 7)), 1: ((21, 20, 19), (18, 17, 16))}
_I2C_PINS: Final = {1: (2, 3)}

_DEFAULT_SIZE: Final = TayuSettings().size
_LEAST_SIZE, _MOST_SIZE = 3, 26  # squares along a side of Tayu's board
_MOST_REGISTERS: Final = 128

BoardError = MistakeError
"""A board description is wrong; the message is one sentence that names the file and the line."""


def bundled(board: str, size: int | None = None) -> BoardDescription:
    """The description that comes with the program; of Tayu's boards the one with so many squares along a side.

    Raises BoardError when there is no such board.
    """
    if board not in BOARDS:
        message = f"there is no board {board!r}; there are: {', '.join(sorted(BOARDS))}"
        raise BoardError(message)
    name = f"{board}{size}" if board == TAYU and size not in (None, _DEFAULT_SIZE) else board
    if board == TAYU and size is not None and size not in bundled_sizes():
        sizes = " and ".join(map(str, bundled_sizes()))
        message = f"no board of {size} squares a side comes with the program, only {sizes}: describe yours (--wiring)"
        raise BoardError(message)
    file = resources.files("gnomon_pi") / "boards" / f"{name}.toml"
    return described(file.read_text(encoding="utf-8"), f"{name}.toml")


def bundled_sizes() -> tuple[int, ...]:
    """How many squares a side Tayu's boards have that come with the program: those of the editions."""
    return tuple(edition.size for edition in EDITIONS.values())


def load(path: Path) -> BoardDescription:
    """Read a builder's own description. Raises BoardError, also when the file cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path}: cannot be read: {error}"
        raise BoardError(message) from error
    return described(text, str(path))


def described(text: str, file: str) -> BoardDescription:
    """The values of a description given as text; `file` is its name in messages. Raises BoardError."""
    top = checked(text, file)
    board = top.word("board", BOARDS)
    library = top.word("pins", ("lgpio", "rpigpio"), default="lgpio")
    wiring = _Wiring(_inputs_of(board, top))
    result = BoardDescription(
        board=board,
        pins=library,
        sensors=None if board == TABLE else _sensors(top.table("sensors"), wiring),
        buttons=_buttons(top.table("buttons"), wiring),
        display=top.part("display", lambda table: _display(table, wiring)),
        lights=top.part("lights", lambda table: _lights(table, wiring)) if board == TAMSK else None,
        buzzer=top.part("buzzer", lambda table: _buzzer(table, wiring)),
        reader=None if board == TAMSK else top.part("reader", _reader),
    )
    top.nothing_else()
    if missing := wiring.missing():
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        message = f"no wire is given for {missing[0]}{more}"
        raise top.table("buttons" if missing[0].startswith("button.") else "sensors").fault(message)
    return result


def _inputs_of(board: str, top: Table) -> frozenset[str]:
    """Every input that a board must have."""
    if board == TAMSK:
        return frozenset(INPUTS)
    if board == TABLE:
        return frozenset(TABLE_BUTTONS)
    size = top.integer("size", _LEAST_SIZE, _MOST_SIZE, default=_DEFAULT_SIZE)
    return square_inputs(Tayu.from_settings({"size": size})) | frozenset(TABLE_BUTTONS)


class _Wiring:
    """Which pins and which of the board's inputs are taken, by what and from which line on."""

    def __init__(self, inputs: Collection[str]) -> None:
        self._expected = inputs
        self._wired: set[str] = set()
        self._pins: dict[int, tuple[str, int]] = {}

    def pin(self, table: Table, key: str, purpose: str) -> int:
        """The pin that a key gives, which nothing else may use."""
        pin = table.integer(key, _FIRST_PIN, _LAST_PIN)
        self._claim(table, key, pin, purpose)
        return pin

    def spi(self, table: Table, purpose: str) -> tuple[int, int]:
        """The port and device of a hardware SPI, with its pins."""
        port = table.integer("spi_port", 0, 1)
        shared, selects = _SPI_PINS[port]
        device = table.integer("spi_device", 0, len(selects) - 1)
        for pin in (*shared, selects[device]):
            self._claim(table, "spi_port", pin, f"SPI{port} of {purpose}")
        return port, device

    def i2c(self, table: Table, purpose: str) -> int:
        """The number of an I2C bus, with its pins."""
        bus = table.integer("i2c_bus", 1, 1)
        for pin in _I2C_PINS[bus]:
            self._claim(table, "i2c_bus", pin, f"I2C{bus} of {purpose}")
        return bus

    def input(self, table: Table, name: str, key: str, text: str = "") -> str:
        """An input that the board has and that is not wired yet."""
        if name not in self._expected:
            message = f"the board has no input {name}"
            raise table.fault(message, key, text)
        if name in self._wired:
            message = f"{name} is wired twice"
            raise table.fault(message, key, text)
        self._wired.add(name)
        return name

    def missing(self) -> Sequence[str]:
        """The board's inputs that are not wired."""
        return sorted(set(self._expected) - self._wired)

    def _claim(self, table: Table, key: str, pin: int, purpose: str) -> None:
        if pin in self._pins:
            other, line = self._pins[pin]
            message = f"pin {pin} cannot be {purpose}: it is {other} (line {line})"
            raise table.fault(message, key)
        self._pins[pin] = (purpose, table.line(key))


def _sensors(table: Table, wiring: _Wiring) -> Chain:
    table.word("kind", ("hc165",))
    registers = table.integer("registers", 2, _MOST_REGISTERS)
    inputs = _inputs(table, wiring)
    if any(inputs.values()) and "emitters" not in table:
        message = "[sensors] lacks emitters, the pin that switches the light of the strobed bits"
        raise table.fault(message)
    port, device = wiring.spi(table, "the sensors")
    result = Chain(
        spi_port=port,
        spi_device=device,
        clock_hz=table.integer("clock_hz", 10_000, 10_000_000),
        registers=registers,
        # A canary of zeros or ones would not tell a dead wire from a live one.
        canary=table.integer("canary", 0x01, 0xFE),
        latch=wiring.pin(table, "latch", "the latch of the sensors"),
        emitters=Output(wiring.pin(table, "emitters", "the emitters of the sensors")) if "emitters" in table else None,
        active_low=table.word("active", ("low", "high")) == "low",
        scan_hz=table.integer("scan_hz", 10, 1000),
        inputs=tuple(inputs),
        bits=_bits(table, tuple(inputs), (registers - 1) * BITS_PER_REGISTER),
        strobed=tuple(inputs.values()),
    )
    table.nothing_else()
    return result


def _inputs(table: Table, wiring: _Wiring) -> dict[str, bool]:
    """The inputs on the chain in their order, and whether each is strobed."""
    inputs: dict[str, bool] = {}
    for group in table.tables("bits"):
        places, kinds, strobed = group.words("places"), group.words("inputs"), group.flag("strobed")
        group.nothing_else()
        for place in places:
            for kind in kinds:
                inputs[wiring.input(group, f"{place}.{kind}", "places", place)] = strobed
    return inputs


def _bits(table: Table, inputs: Sequence[str], room: int) -> tuple[int, ...]:
    """The bit of each input on the chain: its number in the order, but for single inputs that were moved."""
    if len(inputs) > room:
        message = f"{len(inputs)} inputs do not fit on {room // BITS_PER_REGISTER} registers beside the canary"
        raise table.fault(message, "registers")
    moves = table.table("moved", required=False)
    moved = {name: moves.integer(name, 0, room - 1) for name in moves}
    taken = {bit: name for bit, name in enumerate(inputs) if name not in moved}
    for name, bit in moved.items():
        if name not in inputs:
            message = f"{name} is not on the chain, so it cannot be moved"
            raise moves.fault(message, name)
        if bit in taken:
            message = f"bit {bit} cannot be {name}: it is {taken[bit]}"
            raise moves.fault(message, name)
        taken[bit] = name
    return tuple(moved.get(name, bit) for bit, name in enumerate(inputs))


def _buttons(table: Table, wiring: _Wiring) -> tuple[Button, ...]:
    return tuple(Button(wiring.input(table, name, name), wiring.pin(table, name, name)) for name in table)


def _display(table: Table, wiring: _Wiring) -> Display:
    result = Display(
        kind=table.word("kind", ("ssd1306",)),
        # The I2C specification reserves the seven-bit addresses below 0x08 and above 0x77.
        wires=OnI2c(wiring.i2c(table, "the display"), table.integer("address", 0x08, 0x77)),
        rotate=2 if table.flag("upside_down") else 0,
    )
    table.nothing_else()
    return result


def _lights(table: Table, wiring: _Wiring) -> Lights:
    table.word("kind", ("sk9822",))
    port, device = wiring.spi(table, "the lights")
    result = Lights(
        spi_port=port,
        spi_device=device,
        clock_hz=table.integer("clock_hz", 100_000, 20_000_000),
        count=table.integer("count", 1, 1000),
        brightness=table.integer("brightness", 1, 31),
    )
    table.nothing_else()
    return result


def _buzzer(table: Table, wiring: _Wiring) -> Buzzer:
    active = table.word("kind", ("passive", "active")) == "active"
    result = Buzzer(pin=wiring.pin(table, "pin", "the buzzer"), active=active)
    table.nothing_else()
    return result


def _reader(table: Table) -> Reader:
    kind, device = table.word("kind", ("keyboard", "lines")), table.text("device")
    codes = table.table("codes", required=False)
    kinds = {code: codes.word(code, KINDS) for code in codes}
    table.nothing_else()
    return Reader(kind, device, MappingProxyType(kinds))
