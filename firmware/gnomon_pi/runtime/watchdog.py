"""Check the running daemon once a second: drivers, clock, scans, pins and journal, for systemd's watchdog."""

import sys
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Final, Protocol

from gnomon.records.journal.writer import Journal
from gnomon.refusals import Statement, statement, together
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.scanner import ScanSchedule
from gnomon_pi.runtime.system.clock import Watch

PERIOD: Final = 1.0  # seconds
EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""No machine that runs this program lives before it was written: its clock has not been set since it was started."""


class Checked(Protocol):
    """A driver that knows more than its calls say."""

    def health(self) -> tuple[Statement, ...]:
        """What is wrong with it, in short sentences."""
        ...


class CheckedButtons(Checked, Protocol):
    """Buttons that find the edges which the kernel lost."""

    def check(self) -> None:
        """Report lost edges. Raises DriverError."""
        ...


class CheckedReader(Checked, Protocol):
    """A reader that is looked for when it was pulled out."""

    def check(self) -> None:
        """Look for it."""
        ...


class Watchdog:
    """Everything that is looked at once a second."""

    def __init__(  # noqa: PLR0913, PLR0917 - each is looked at in its own way
        self,
        watch: Watch,
        health: Health,
        beat: ScanSchedule | None,
        buttons: CheckedButtons,
        drivers: Iterable[Checked],
        reader: CheckedReader | None = None,
        journal: Journal | None = None,
    ) -> None:
        """`beat` is that of the scans, None on a board that has nothing to scan."""
        self._journal = journal
        self._reader = reader
        self._watch = watch
        self._health = health
        self._beat = beat
        self._buttons = buttons
        self._drivers = (buttons, *drivers, *(() if reader is None else (reader,)))

    def look(self) -> bool:
        """Look at everything, and answer whether the daemon is alive: the caller's loop is, or it would not ask."""
        self._look_at_buttons()
        if self._reader is not None:
            self._reader.check()
        for number, driver in enumerate(self._drivers):
            self._report(f"driver {number}", driver.health(), Audience.PLAYERS)
        clock = () if self._watch.wall() >= EARLIEST else (statement("health.date"),)
        self._report("clock", clock)
        scans = self._beat is None or self._beat.is_alive(self._watch.now())
        self._report("scan thread", () if scans else (statement("health.scanning"),), Audience.PLAYERS)
        self._look_at_the_journal()
        pins = pins_are_heard()
        self._report("pins", () if pins else (statement("health.buttons"),), Audience.PLAYERS)
        return scans and pins

    def _look_at_buttons(self) -> None:
        try:
            self._buttons.check()
        except DriverError as error:
            self._health.wrong("buttons", error.statement, Audience.PLAYERS)
        else:
            self._health.well("buttons")

    def _look_at_the_journal(self) -> None:
        if self._journal is None:
            return
        moved, failed = self._journal.look(self._watch.wall()), self._journal.witness_failed
        self._report("journal place", () if moved is None else (moved,), Audience.PLAYERS)
        self._report("witness", () if failed is None else (statement("health.witness", detail=failed),))

    def _report(self, part: str, told: Collection[Statement], audience: Audience = Audience.KEEPERS) -> None:
        if told:
            self._health.wrong(part, together(told), audience)
        else:
            self._health.well(part)


def pins_are_heard() -> bool:
    """Whether the one thread in which lgpio hears all pins lives; it ends with the first exception (lgpio 0.2.2)."""
    lgpio = sys.modules.get("lgpio")
    thread = getattr(lgpio, "_notify_thread", None)
    return thread is None or bool(thread.is_alive())
