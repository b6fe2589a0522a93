"""Read codes from a scanner on an input device, serial port or pipe, and reopen it after unplugging."""

import os
import termios
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from select import select
from threading import Lock, Thread
from tty import setraw
from typing import Final

from gnomon_pi.config.description import Reader
from gnomon_pi.drivers.wedge import DECODERS

Report = Callable[[int, str], None]
Open = Callable[[str], int]

EVIOCGRAB: Final = 0x40044590  # linux/input.h: what is typed comes to us alone, and not to a console
_CHUNK: Final = 4096


class CodeReader:
    """A reader driver on a device of Linux: `/dev/input/by-id/…-event-kbd`, a serial port, or a pipe.

    One thread waits for the device. When that is pulled out the thread ends, and `check` looks for it anew.
    """

    def __init__(self, reader: Reader, *, now: Callable[[], int], open_device: Open | None = None) -> None:
        self._reader = reader
        self._now = now
        self._open = open_device or _opened
        self._lock = Lock()
        self._report: Report | None = None
        self._thread: Thread | None = None
        self._wake: int | None = None  # to end the thread, close it
        self._trouble = ""

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
                self._trouble = f"The reader {self._reader.device} cannot be opened: {error.strerror}."
                return
            self._trouble = ""
            stop, self._wake = os.pipe()
            self._thread = Thread(target=self._read, args=(device, stop, self._report), name="reader", daemon=True)
            self._thread.start()

    def health(self) -> tuple[str, ...]:
        """Why nothing can be read; empty when all is well."""
        return (self._trouble,) if self._trouble else ()

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
                    self._trouble = f"The reader {self._reader.device} was pulled out."
                    return
                for code in decode(data):
                    report(self._now(), code)
        except OSError as error:
            self._trouble = f"The reader {self._reader.device} was lost: {error.strerror}."
        finally:
            os.close(device)
            os.close(stop)


def _opened(device: str) -> int:
    """The device, for us alone where that can be had: a pipe and a serial port know no such thing."""
    number = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    if os.isatty(number):
        with suppress(termios.error):  # no echo, no line discipline
            setraw(number)
    with suppress(OSError):
        ioctl(number, EVIOCGRAB, 1)
    return number
