"""Decode the keystrokes or text lines of a keyboard-wedge scanner into codes.

A scanner of bar codes or tags appears as a keyboard that types a code and then Enter. Linux gives its keys as
`struct input_event` (linux/input.h): two native longs for the time, then type, code and value.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final

EVENT: Final = struct.Struct("@llHHi")
EV_KEY: Final = 1
PRESSED: Final = 1

# linux/input-event-codes.h: what a keyboard with the American layout types, which is what scanners pretend to be.
_ROWS: Final = ((2, "1234567890-="), (16, "qwertyuiop[]"), (30, "asdfghjkl;'"), (44, "zxcvbnm,./"), (57, " "))
KEYS: Final[Mapping[int, str]] = {first + number: key for first, keys in _ROWS for number, key in enumerate(keys)} | {
    **dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True)),  # the keypad
    74: "-",
    78: "+",
    83: ".",
}
_SHIFTED: Final = str.maketrans("1234567890-=[];',./", '!@#$%^&*()_+{}:"<>?')
ENTERS: Final = (28, 96)
SHIFTS: Final = (42, 54)

LONGEST: Final = 128
"""Characters of a code; what comes longer is noise."""

Decode = Callable[[bytes], Iterator[str]]


class Keystrokes:
    """Codes from input events, however they are cut up."""

    def __init__(self) -> None:
        self._rest = b""
        self._typed = ""
        self._shifted: set[int] = set()

    def __call__(self, data: bytes) -> Iterator[str]:
        """The codes that end in these bytes."""
        data = self._rest + data
        whole = len(data) - len(data) % EVENT.size
        self._rest = data[whole:]
        for _, _, kind, key, value in EVENT.iter_unpack(data[:whole]):
            if kind != EV_KEY:
                continue
            if key in SHIFTS:
                (self._shifted.add if value else self._shifted.discard)(key)
            elif value == PRESSED and key in ENTERS:
                typed, self._typed = self._typed.strip(), ""
                if typed:
                    yield typed
            elif value == PRESSED:
                self._type(KEYS.get(key, ""))

    def _type(self, key: str) -> None:
        if self._shifted:
            key = key.upper() if key.isalpha() else key.translate(_SHIFTED)
        self._typed = (self._typed + key)[-LONGEST:]


class Lines:
    """Codes from lines of text, as scanners on a serial port give them."""

    def __init__(self) -> None:
        self._rest = b""

    def __call__(self, data: bytes) -> Iterator[str]:
        """The codes that end in these bytes."""
        *lines, rest = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
        self._rest = rest[-LONGEST:]
        for line in lines:
            code = line[-LONGEST:].decode("utf-8", "replace").strip()
            if code:
                yield code


DECODERS: Final[Mapping[str, Callable[[], Decode]]] = {"keyboard": Keystrokes, "lines": Lines}


def typed(code: str) -> bytes:
    """The input events with which a keyboard types a code and Enter. Raises KeyError for what no key types."""
    numbers = {key: number for number, key in sorted(KEYS.items(), reverse=True)}
    lower = {chr(upper): chr(key) for key, upper in _SHIFTED.items()}
    events = b""
    for character in code:
        plain = lower.get(character) or character.lower()
        shifted = plain != character
        events += _key(SHIFTS[0], 1) * shifted + _key(numbers[plain], 1) + _key(numbers[plain], 0)
        events += _key(SHIFTS[0], 0) * shifted
    return events + _key(ENTERS[0], 1) + _key(ENTERS[0], 0)


def _key(number: int, value: int) -> bytes:
    return EVENT.pack(0, 0, EV_KEY, number, value) + EVENT.pack(0, 0, 0, 0, 0)
