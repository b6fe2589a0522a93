"""Health, the watchdog, the clocks, and the word to systemd."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from gnomon.refusals import Statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import ScanSchedule
from gnomon_pi.runtime.system.clock import MachineWatch, sleep_until
from gnomon_pi.runtime.system.process import notify
from gnomon_pi.runtime.watchdog import Watchdog
from gnomon_pi.simulated._virtual_watch import VirtualWatch


class Driver:
    """A driver that says what it is told to say."""

    def __init__(self) -> None:
        self.said: tuple[str, ...] = ()
        self.failure = ""
        self.checks = 0

    def health(self) -> tuple[Statement, ...]:
        """What was put there."""
        return tuple(map(Statement.plain, self.said))

    def check(self) -> None:
        """Count, or fail."""
        self.checks += 1
        if self.failure:
            raise DriverError(self.failure)


def watchdog() -> tuple[Watchdog, Health, ScanSchedule, Driver, VirtualWatch]:
    health, watch, driver = Health(), VirtualWatch(), Driver()
    beat = ScanSchedule(Instant(0), health)
    beat.keep(Instant(0))
    return Watchdog(watch, health, beat, driver, [Driver()]), health, beat, driver, watch


# Health


def test_health_says_what_is_wrong_oldest_first_and_forgets_what_is_well() -> None:
    health = Health()
    health.wrong("display", "The display is dark.")
    health.wrong("lights", "The lights are dark.")
    assert health.sentences() == ("The display is dark.", "The lights are dark.")
    health.well("display")
    assert health.sentences() == ("The lights are dark.",)
    assert (health["display"], health["lights"]) == ("", "The lights are dark.")


def test_only_a_change_of_health_is_told() -> None:
    changes: list[None] = []
    health = Health(lambda: changes.append(None))
    health.well("display")
    health.wrong("display", "The display is dark.")
    health.wrong("display", "The display is dark.")
    health.wrong("display", "The display is missing.")
    health.well("display")
    health.well("display")
    assert len(changes) == 3


# Watchdog


def test_a_board_that_has_nothing_to_scan_is_alive_without_scans() -> None:
    health = Health()
    keeper = Watchdog(VirtualWatch(), health, None, Driver(), [])
    assert keeper.look()
    assert health.sentences() == ()


def test_a_reader_is_looked_for_and_what_is_wrong_with_it_is_said() -> None:
    health, reader = Health(), Driver()
    keeper = Watchdog(VirtualWatch(), health, None, Driver(), [], reader)
    reader.said = ("The reader was pulled out.",)
    assert keeper.look()
    assert reader.checks == 1
    assert health.sentences() == ("The reader was pulled out.",)
    reader.said = ()
    keeper.look()
    assert health.sentences() == ()


def test_all_is_well() -> None:
    keeper, health, _, driver, _ = watchdog()
    assert keeper.look()
    assert health.sentences() == ()
    assert driver.checks == 1


def test_without_scans_the_daemon_is_not_alive() -> None:
    keeper, health, beat, _, watch = watchdog()
    watch.go_to(Instant(2 * SECOND))
    assert not keeper.look()
    assert health.sentences() == ("The board is not being scanned.",)
    beat.keep(watch.now())
    assert keeper.look()
    assert health.sentences() == ()


def test_buttons_that_do_not_answer_are_told_of() -> None:
    keeper, health, _, driver, _ = watchdog()
    driver.failure = "button.red does not answer"
    keeper.look()
    assert health.sentences() == ("button.red does not answer",)
    driver.failure = ""
    keeper.look()
    assert health.sentences() == ()


def test_what_a_driver_knows_of_itself_is_told() -> None:
    keeper, health, _, driver, _ = watchdog()
    driver.said = ("It is too light for D2.ring1.",)
    keeper.look()
    assert health.sentences() == ("It is too light for D2.ring1.",)
    driver.said = ()
    keeper.look()
    assert health.sentences() == ()


def test_a_clock_that_was_never_set_is_told_of() -> None:
    health, watch = Health(), VirtualWatch(epoch=datetime(1970, 1, 1, tzinfo=UTC))
    beat = ScanSchedule(Instant(0), health)
    beat.keep(Instant(0))
    assert Watchdog(watch, health, beat, Driver(), []).look()
    assert health.sentences() == ("The date is wrong; the game's time does not need it.",)


@pytest.mark.parametrize("alive", [True, False])
def test_the_thread_in_which_lgpio_hears_the_buttons_must_live(monkeypatch: pytest.MonkeyPatch, alive: bool) -> None:
    thread = SimpleNamespace(is_alive=lambda: alive)
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(_notify_thread=thread))
    keeper, health, *_ = watchdog()
    assert keeper.look() is alive
    assert bool(health["pins"]) is not alive


# The word to systemd


@contextmanager
def manager(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(address)
        yield listening


def test_the_manager_is_told_through_a_path(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with manager(path) as listening:
        assert notify(path, "READY=1")
        assert listening.recv(100) == b"READY=1"


def test_the_manager_is_told_through_the_abstract_name_space(tmp_path: Path) -> None:
    name = f"gnomon-test{str(tmp_path).replace('/', '-')}"
    with manager("\0" + name) as listening:
        assert notify("@" + name, "WATCHDOG=1")
        assert listening.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize("address", [None, "", "/no/such/socket", "@gnomon-nobody-listens"])
def test_without_a_manager_nothing_happens(address: str | None) -> None:
    assert not notify(address, "READY=1")


# The machine's clocks


def test_the_machine_knows_its_boot_and_its_raw_clock_goes_forward() -> None:
    watch = MachineWatch.of_this_boot()
    assert watch.boot == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    before = watch.now()
    assert watch.now() >= before > 0
    assert watch.wall().tzinfo is not None


def test_nobody_sleeps_until_an_instant_that_has_passed() -> None:
    watch = VirtualWatch()
    watch.go_to(Instant(SECOND))
    sleep_until(watch, Instant(0))
    assert watch.now() == Instant(SECOND)
