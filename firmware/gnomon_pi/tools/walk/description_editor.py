"""Edit a board description as TOML text: change only the differing keys, and keep every comment."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.refusals import Refusal, Statement, statement
from gnomon_pi.config import BoardError, parse_board
from gnomon_pi.config.checked_toml import Where, lines_of
from gnomon_pi.config.description import BoardDescription, Output
from gnomon_pi.tools.walk.conclusions import moved_inputs

_VALUE: Final = re.compile(r"""^(\s*(?:[^=#"']|"[^"]*"|'[^']*')+?=\s*)("[^"]*"|'[^']*'|[^\s#]+)""")
_HEADER: Final = "[sensors.moved]"
_LEVELS: Final = {False: '"high"', True: '"low"', None: '"unknown"'}

Keys = Mapping[Where, str | int]


class EditError(Refusal):
    """The description is written in a way that cannot be edited here; the message says what to write by hand."""


def edit(text: str, name: str, before: BoardDescription, after: BoardDescription) -> str:
    """The text with the keys changed in which two descriptions differ; what it says is read back and compared.

    `name` is the file's in messages. Raises EditError, with everything that is to be changed by hand.
    """
    wanted = _scalars(before, after)
    moves = None if after.sensors is None else moved_inputs(after.sensors)
    if before.sensors is not None and moves == moved_inputs(before.sensors):
        moves = None
    try:
        result = _edit_keys(text, wanted, moves)
        if parse_board(result, name) != after:
            raise EditError(_by_hand(name, wanted, moves))
    except (BoardError, ValueError) as error:
        raise EditError(_by_hand(name, wanted, moves)) from error
    return result


def _scalars(before: BoardDescription, after: BoardDescription) -> Keys:
    """The single values that change."""
    wanted: dict[Where, str | int] = {}
    old, new = before.sensors, after.sensors
    if old is not None and new is not None:
        if old.active_low is not new.active_low:
            wanted["sensors", "active"] = _LEVELS[new.active_low]
        if _level(old.emitters) is not _level(new.emitters):
            wanted["sensors", "emitters_on"] = _LEVELS[_level(new.emitters)]
    if before.buzzer and after.buzzer and before.buzzer.active_low is not after.buzzer.active_low:
        wanted["buzzer", "on"] = _LEVELS[after.buzzer.active_low]
    pins = {button.name: button.pin for button in before.buttons}
    for button in after.buttons:
        if pins[button.name] != button.pin:
            wanted["buttons", button.name] = button.pin
    return wanted


def _level(output: Output | None) -> bool | None:
    return output.active_low if output is not None else None


def _edit_keys(text: str, wanted: Keys, moves: Mapping[str, int] | None) -> str:
    # The reader of TOML knows no other ends of lines than these two.
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    if moves is not None:
        _move(lines, moves)
    for where, value in wanted.items():
        found = lines_of("\n".join(lines))
        if where in found:
            _set(lines, found[where] - 1, value)
        else:  # A key that has a default stands behind the one it belongs to.
            beside = found[where[0], "emitters" if where[0] == "sensors" else "pin"]
            lines.insert(beside, f"{where[1]} = {value}")
    return newline.join(lines)


def _set(lines: list[str], number: int, value: str | int) -> None:
    lines[number], count = _VALUE.subn(lambda match: f"{match[1]}{value}", lines[number], count=1)
    if not count:
        message = f"line {number + 1} has no value"
        raise ValueError(message)


def _move(lines: list[str], moves: Mapping[str, int]) -> None:
    """Bring the table of moved inputs up to date: changed values in their lines, others gone or added at its end."""
    found = lines_of("\n".join(lines))
    header = found.get(("sensors", "moved"))
    if header is None or "moved" not in lines[header - 1].split("=")[0] or "=" in lines[header - 1].split("#")[0]:
        _add_table(lines, found, moves)
        return
    there = {
        str(where[2]): line - 1 for where, line in found.items() if where[:2] == ("sensors", "moved") and where[2:]
    }
    for name, line in there.items():
        if name in moves:
            _set(lines, line, moves[name])
    end = max(there.values(), default=header - 1) + 1
    lines[end:end] = [_pair(name, bit) for name, bit in moves.items() if name not in there]
    for line in sorted((line for name, line in there.items() if name not in moves), reverse=True):
        del lines[line]


def _add_table(lines: list[str], found: Mapping[Where, int], moves: Mapping[str, int]) -> None:
    """Add the table behind those of the sensors, in front of the next table and of what is said above it."""
    last = max(line for where, line in found.items() if where[0] == "sensors")
    others = [line for where, line in found.items() if where[0] != "sensors" and line > last]
    at = min(others) - 1 if others else len(lines)
    while others and at > last and lines[at - 1].lstrip().startswith("#"):
        at -= 1
    while at > last and not lines[at - 1].strip():
        at -= 1
    lines[at:at] = ["", _HEADER, *(_pair(name, bit) for name, bit in moves.items())]


def _pair(name: str, bit: int) -> str:
    return f'"{name}" = {bit}'


def _by_hand(name: str, wanted: Keys, moves: Mapping[str, int] | None) -> Statement:
    """What is to be changed, where this cannot do it."""
    lines: Sequence[str] = [f"{'.'.join(f'{key}' for key in where)} = {value}" for where, value in wanted.items()]
    if moves is not None:
        lines = [*lines, f"{_HEADER} with {', '.join(_pair(*item) for item in moves.items()) or 'nothing'}"]
    return statement("walk.by_hand", file=name, keys="; ".join(lines))
