"""Parse a whole board description from TOML into frozen values, and collect every mistake in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from gnomon_pi.config import devices
from gnomon_pi.config.checked_toml import Mistake, MistakeError, Table, checked, text_of
from gnomon_pi.config.claims import Claims
from gnomon_pi.config.description import BOARDS, TABLE, TAMSK, TAYU, BoardDescription
from gnomon_pi.config.expected import Expected, expected_of, groups_of
from gnomon_pi.config.power import FIVE, THREE, budget, drawn
from gnomon_pi.config.sensors import sensors

BoardError = MistakeError
"""A board description is wrong; the message is one sentence that names the file and the line."""

_LIBRARIES: Final = ("lgpio", "rpigpio", "mock")


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of a text: the board it describes, or every mistake in it, those of one table in their order."""

    description: BoardDescription | None
    mistakes: tuple[Mistake, ...]
    pins: Mapping[int, str] = field(default_factory=dict)  # what each is for
    keys: frozenset[str] = frozenset()  # every key that was asked for, as `sensors.bits.places`


def load(path: Path) -> BoardDescription:
    """Read a builder's own description. Raises BoardError, also when the file cannot be read."""
    return described(written(path), str(path))


def described(text: str, file: str) -> BoardDescription:
    """The values of a description given as text; `file` is its name in messages. Raises BoardError."""
    result = examined(text, file)
    if result.description is None:
        raise BoardError(str(result.mistakes[0]))
    return result.description


def written(path: Path) -> str:
    """The text of a description. Raises BoardError when it cannot be read."""
    try:
        return text_of(path)
    except FileNotFoundError as error:
        message = f"{path}: cannot be read: {error.strerror}"
        raise BoardError(message) from error


def examined(text: str, file: str) -> Examined:
    """Everything that can be said of a description. Raises BoardError when it is no TOML at all."""
    top = checked(text, file)
    board = top.word("board", BOARDS)
    library = top.word("pins", _LIBRARIES, default=_LIBRARIES[0])
    has_sensors = board != TABLE or top.is_faulty("board")
    sensed = top.table("sensors") if has_sensors else None
    groups = groups_of(sensed) if sensed is not None else ()
    pressed = top.table("buttons")
    expected = expected_of(board, top, groups, tuple(pressed))
    claims = Claims(expected)
    for bus in top.tables("i2c", required=False):
        claims.bus(bus)
    description = BoardDescription(
        board=board,
        pins=library,
        sensors=sensors(sensed, groups, claims) if sensed is not None else None,
        buttons=devices.buttons(pressed, claims),
        display=top.part("display", lambda table: devices.display(table, claims)),
        lights=top.part("lights", lambda table: devices.lights(table, claims)) if board != TAYU else None,
        buzzer=top.part("buzzer", lambda table: devices.buzzer(table, claims)),
        reader=None if board == TAMSK else top.part("reader", lambda table: devices.reader(table, claims)),
        buses=claims.buses,
        supply=top.part("supply", devices.supply),
        sand_light=top.part("sand_light", lambda table: devices.sand_light(table, claims)) if board == TAMSK else None,
    )
    if not top.is_faulty("board"):  # Which tables there may be depends on it.
        top.nothing_else()
    _nothing_missing(sensed, pressed, expected, claims)
    if top.is_sound:
        _within_supply(top, description)
    return Examined(description if top.is_sound else None, tuple(top.mistakes), claims.pins, top.asked)


def _nothing_missing(sensed: Table | None, pressed: Table, expected: Expected, claims: Claims) -> None:
    """Note what has no wire, unless it may only seem so because its line is a mistake."""
    missing = claims.missing()
    if not missing or not pressed.is_sound or not (sensed is None or sensed.is_sound):
        return
    buttons = [name for name in missing if name.startswith("button.")]
    others = [name for name in missing if name not in buttons]
    for table, names in ((pressed, buttons), (sensed, others)):
        if table is not None and names:
            table.note(expected.lack(names))


def _within_supply(top: Table, description: BoardDescription) -> None:
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
        if drawn(loads, volts) > gives:
            table.note(
                f"the parts draw up to {drawn(loads, volts):.0f} mA at {volts:g} V, more than {key} = {gives}", key
            )
