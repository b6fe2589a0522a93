"""Read codes from a scanner on an input device, serial port or pipe, and reopen it after unplugging.

A scanner of bar codes or tags appears as a keyboard that types a code and then Enter. Linux gives its keys as
`struct input_event` (linux/input.h): two native longs for the time, then type, code and value.
"""

import os
import struct
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fcntl import ioctl
from select import select
from threading import Lock, Thread
from tty import setraw
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import Reader

Report = Callable[[int, str], None]
Open = Callable[[str], int]

EVIOCGRAB: Final = 0x40044590  # linux/input.h: what is typed comes to us alone, and not to a console
_CHUNK: Final = 4096
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


class CodeReader:
    """A reader driver on a device of Linux: `/dev/input/by-id/…-event-kbd`, a serial port, or a pipe.

    One thread waits for the device. When that is pulled out the thread ends, and `check` looks for it anew.
    """

    def __init__(self, reader: Reader, *, now: Callable[[], int], open_device: Open | None = None) -> None:
        self._reader = reader
        self._now = now
        self._open = open_device or _open_device
        self._lock = Lock()
        self._report: Report | None = None
        self._thread: Thread | None = None
        self._wake: int | None = None  # to end the thread, close it
        self._trouble: Statement | None = None

    def start(self, report: Report) -> None:
        """From now on call `report(stamp, code)` for every code, from a thread of its own."""
        self.close()
        self._report = report
        self.check()

    def check(self) -> None:
        """Take up reading where it is not going on: the device was pulled out, or was not there yet."""
        with self._lock:
            if self._report is None or (self._thread is not None and self._thread.is_alive()):
                return
            self._let_go()
            try:
                device = self._open(self._reader.device)
            except OSError as error:
                self._trouble = statement(
                    "health.reader.opened", device=self._reader.device, detail=str(error.strerror)
                )
                return
            self._trouble = None
            stop, self._wake = os.pipe()
            self._thread = Thread(target=self._read, args=(device, stop, self._report), name="reader", daemon=True)
            self._thread.start()

    def health(self) -> tuple[Statement, ...]:
        """Why nothing can be read; empty when all is well."""
        return () if self._trouble is None else (self._trouble,)

    def close(self) -> None:
        """Let the device go."""
        with self._lock:
            self._report = None
            self._let_go()

    def _let_go(self) -> None:
        wake, self._wake = self._wake, None
        thread, self._thread = self._thread, None
        if wake is not None:
            os.close(wake)
        if thread is not None:
            thread.join()

    def _read(self, device: int, stop: int, report: Report) -> None:
        decode = DECODERS[self._reader.kind]()
        try:
            while True:
                ready, _, _ = select([device, stop], [], [])
                if stop in ready:
                    return
                data = os.read(device, _CHUNK)
                if not data:
                    self._trouble = statement("health.reader.pulled", device=self._reader.device)
                    return
                for code in decode(data):
                    report(self._now(), code)
        except OSError as error:
            self._trouble = statement("health.reader.lost", device=self._reader.device, detail=str(error.strerror))
        finally:
            os.close(device)
            os.close(stop)


def _open_device(device: str) -> int:
    """The device, for us alone where that can be had: a pipe and a serial port know no such thing."""
    number = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    if os.isatty(number):
        with suppress(termios.error):  # no echo, no line discipline
            setraw(number)
    with suppress(OSError):
        ioctl(number, EVIOCGRAB, 1)
    return number


# What is read, as codes


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


def type_code(code: str) -> bytes:
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
