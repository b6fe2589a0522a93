"""Emulate the readers of codes that Linux knows as a device: the bytes that each sends go into the real decoder."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import EM4100
from gnomon_pi.drivers.reader import DECODERS, frame_tag, type_code

_KEYBOARD: Final = "keyboard"


def _send_line(code: str) -> bytes:
    return f"{code}\r\n".encode()


_SENT: Final[Mapping[str, Callable[[str], bytes]]] = {_KEYBOARD: type_code, "lines": _send_line, EM4100: frame_tag}


class SimulatedScanner:
    """A reader driver that is shown codes by `read`, in whatever thread calls it."""

    def __init__(
        self, now: Callable[[], int], kind: str = _KEYBOARD, codes: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`codes` are the kinds of tiles by their codes: a tile is read by its tag, where only tags can be read."""
        self._now = now
        self._encode = _SENT[kind]
        self._decode = DECODERS[kind]()
        self._codes = codes
        self._report: Callable[[int, str], None] | None = None
        self.plugged = True

    def start(self, report: Callable[[int, str], None]) -> None:
        """From now on call `report(stamp, code)` for every code."""
        self._report = report

    def read(self, code: str) -> None:
        """Read a code, or a code that means the same. Raises KeyError for what no such device reads."""
        if not self.plugged:
            return
        for found in self._decode(self._bytes_of(code)):
            if self._report is not None:
                self._report(self._now(), found)

    def check(self) -> None:
        """Nothing is lost that would have to be found again."""

    def health(self) -> tuple[Statement, ...]:
        """Whether it is plugged in."""
        return () if self.plugged else (statement("health.reader.gone"),)

    def close(self) -> None:
        """Report no more."""
        self._report = None

    def _bytes_of(self, code: str) -> bytes:
        for each in (code, *(known for known, kind in self._codes.items() if kind == code)):
            with suppress(KeyError):
                return self._encode(each)
        raise KeyError(code)
