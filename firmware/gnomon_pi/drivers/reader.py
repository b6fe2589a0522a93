"""Read codes from a scanner on an input device, serial port or pipe, and reopen it after unplugging.

A scanner of bar codes or tags appears as a keyboard that types a code and then Enter. Linux gives its keys as
`struct input_event` (linux/input.h): two native longs for the time, then type, code and value.

A reader of EM4100 tags sends a frame over its serial port: STX, ten hexadecimal digits, two of a checksum, which is the
exclusive or of the five bytes before it, and ETX (Seeed, "125Khz RFID module - UART", for the RDM6300). The ID-12LA
puts CR and LF before the ETX (ID Innovations, data sheet of the ID-2LA, ID-12LA and ID-20LA, "Output Data Structure").
"""

import os
import struct
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fcntl import ioctl
from functools import reduce
from operator import xor
from select import select
from threading import Lock, Thread
from tty import setraw
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import EM4100, Reader

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

TAG_BYTES: Final = 5
LYING_US: Final = 1_000_000
"""An RDM6300 sends a tag again and again while it lies there: what comes within so long of the same is no other tag."""
_STX: Final = b"\x02"
_ETX: Final = b"\x03"

LONGEST: Final = 128
"""Characters of a code; what comes longer is noise."""

Decode = Callable[[bytes], Iterator[str]]


class CodeReader:
    """A reader driver on a device of Linux: `/dev/input/by-id/…-event-kbd`, a serial port, or a pipe.

    One thread waits for the device. When that is pulled out the thread ends, and `check` looks for it again.
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
        self._lying: tuple[str, int] | None = None

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
            if self._reader.kind == EM4100:
                _slow_down(device)
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
                    self._tell(code, report)
        except OSError as error:
            self._trouble = statement("health.reader.lost", device=self._reader.device, detail=str(error.strerror))
        finally:
            os.close(device)
            os.close(stop)

    def _tell(self, code: str, report: Report) -> None:
        now, lying = self._now(), self._lying
        if self._reader.kind == EM4100:
            self._lying = code, now
            if lying is not None and lying[0] == code and now - lying[1] < LYING_US:
                return
        report(now, code)


def _open_device(device: str) -> int:
    """The device, for us alone where that can be had: a pipe and a serial port know no such thing."""
    number = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    if os.isatty(number):
        with suppress(termios.error):  # no echo, no line discipline
            setraw(number)
    with suppress(OSError):
        ioctl(number, EVIOCGRAB, 1)
    return number


def _slow_down(device: int) -> None:
    """Set a serial port to the 9600 baud of the readers of tags, whatever another program left it at."""
    with suppress(termios.error):  # a pipe has no speed
        told = termios.tcgetattr(device)
        told[4] = told[5] = termios.B9600  # in and out
        termios.tcsetattr(device, termios.TCSANOW, told)


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


class TagFrames:
    """Codes from the frames of a reader of EM4100 tags: ten capital hexadecimal digits; a damaged frame gives none."""

    def __init__(self) -> None:
        self._rest = b""

    def __call__(self, data: bytes) -> Iterator[str]:
        """The codes whose frames end in these bytes."""
        *frames, rest = (self._rest + data).split(_ETX)
        self._rest = rest[-LONGEST:]
        for frame in frames:
            _, begun, digits = frame.rpartition(_STX)
            with suppress(ValueError):  # what is no number in hexadecimal is noise
                *tag, check = bytes.fromhex(digits.decode("ascii"))
                if begun and len(tag) == TAG_BYTES and check == reduce(xor, tag):
                    yield bytes(tag).hex().upper()


DECODERS: Final[Mapping[str, Callable[[], Decode]]] = {"keyboard": Keystrokes, "lines": Lines, EM4100: TagFrames}


def frame_tag(code: str) -> bytes:
    """The frame with which an RDM6300 sends a tag. Raises KeyError for what is not the code of one."""
    try:
        tag = bytes.fromhex(code)
    except ValueError as error:
        raise KeyError(code) from error
    if len(tag) != TAG_BYTES:
        raise KeyError(code)
    return _STX + bytes((*tag, reduce(xor, tag))).hex().upper().encode() + _ETX


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
