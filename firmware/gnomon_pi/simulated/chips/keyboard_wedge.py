"""Emulate a keyboard-wedge scanner by typing codes into the real keystroke decoder."""

from collections.abc import Callable
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon_pi.drivers.reader import DECODERS, type_code

_KIND: Final = "keyboard"


class SimulatedScanner:
    """A reader driver whose keys are pressed by `type`, in whatever thread calls it."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._decode = DECODERS[_KIND]()
        self._report: Callable[[int, str], None] | None = None
        self.plugged = True

    def start(self, report: Callable[[int, str], None]) -> None:
        """From now on call `report(stamp, code)` for every code."""
        self._report = report

    def type(self, code: str) -> None:
        """Read a code. Raises KeyError for a character that no keyboard types."""
        if not self.plugged:
            return
        for read in self._decode(type_code(code)):
            if self._report is not None:
                self._report(self._now(), read)

    def check(self) -> None:
        """Nothing is lost that would have to be found again."""

    def health(self) -> tuple[Statement, ...]:
        """Whether it is plugged in."""
        return () if self.plugged else (statement("health.reader.gone"),)

    def close(self) -> None:
        """Report no more."""
        self._report = None
