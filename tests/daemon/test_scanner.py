"""Scans: stamped edges of what has changed, at absolute times."""

from dataclasses import replace
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.config import load_bundled
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import PERIOD, WINDOW, InputEdge, Scanner, ScanSchedule, keep_scanning, period_of
from gnomon_pi.simulated._virtual_watch import VirtualWatch

INPUTS = ("a", "b", "", "c")
ALL = 0b1111


class ScriptedSensors:
    """Sensors that answer what stands in a list; None: nothing."""

    def __init__(self, *answers: int | None) -> None:
        self.answers = list(answers)

    def scan(self) -> int:
        """The next answer."""
        answer = self.answers.pop(0)
        if answer is None:
            message = "The sensors are not there: look at the cable."
            raise DriverError(message)
        return answer

    def unread(self, _number: int) -> int:
        """For no longer than a scan."""
        return 0

    def close(self) -> None:
        """Nothing."""


def scanned(*answers: int | None) -> tuple[list[tuple[InputEdge, ...]], Health]:
    """The edges of scans at every beat."""
    health = Health()
    scanner = Scanner(ScriptedSensors(*answers), INPUTS, health)
    return [scanner.scan(Instant(number * PERIOD)) for number in range(len(answers))], health


def test_the_first_scan_reports_every_input_and_spare_bits_have_none() -> None:
    (first,), _ = scanned(0b1101)
    assert [(edge.input, edge.value) for edge in first] == [("a", True), ("b", False), ("c", True)]
    assert {edge.uncertainty for edge in first} == {PERIOD}


@given(st.lists(st.integers(0, ALL), min_size=2, max_size=20))
def test_further_scans_report_what_has_changed_and_nothing_else(levels: list[int]) -> None:
    seen, _ = scanned(*levels)
    for number in range(1, len(levels)):
        expected = [
            InputEdge(Instant(number * PERIOD), name, bool(levels[number] >> bit & 1), PERIOD)
            for bit, name in enumerate(INPUTS)
            if name and (levels[number] ^ levels[number - 1]) >> bit & 1
        ]
        assert list(seen[number]) == expected


def test_a_scan_that_fails_is_a_health_item_and_grants_the_gap_to_what_is_found_after_it() -> None:
    seen, health = scanned(0, None, None)
    assert seen[1:] == [(), ()]
    assert health.sentences() == ("The sensors are not there: look at the cable.",)
    seen, health = scanned(0, None, None, 1)
    assert seen[3] == (InputEdge(Instant(3 * PERIOD), "a", True, Duration(3 * PERIOD)),)
    assert health.sentences() == ()


def test_when_asked_the_next_scan_reports_every_input() -> None:
    scanner = Scanner(ScriptedSensors(1, 1, 1), INPUTS, Health())
    scanner.scan(Instant(0))
    scanner.report_all()
    assert len(scanner.scan(Instant(PERIOD))) == 3
    assert scanner.scan(Instant(2 * PERIOD)) == ()


# The beat


@given(st.lists(st.integers(0, 60_000), min_size=1, max_size=50))
def test_beats_stay_on_the_grid_however_late_the_scans_are(lateness: list[int]) -> None:
    beat = ScanSchedule(Instant(1_000), Health())
    for late in lateness:
        due = beat.next
        beat.keep(Instant(due + late))
        assert (beat.next - beat.started) % PERIOD == 0
        assert due + late < beat.next <= due + late + PERIOD
    assert beat.scans == len(lateness)
    assert beat.missed == sum(late // PERIOD for late in lateness)
    assert beat.late == sum(late > PERIOD // 2 for late in lateness)


def test_late_scans_are_told_of_and_forgotten_when_they_come_in_time_again() -> None:
    health = Health()
    beat = ScanSchedule(Instant(0), health)
    for _ in range(WINDOW):
        beat.keep(Instant(beat.next + 9 * MILLISECOND))
    assert health.sentences() == ("Too busy: 1000 of 1000 scans came late.",)
    for _ in range(WINDOW):
        beat.keep(beat.next)
    assert health.sentences() == ()


def test_a_board_is_scanned_as_often_as_its_description_says() -> None:
    sensors = load_bundled("tamsk").sensors
    assert sensors is not None
    assert period_of(None) == period_of(sensors) == PERIOD
    rare = ScanSchedule(Instant(0), Health(), period_of(replace(sensors, scan_hz=25)))
    rare.keep(Instant(19 * MILLISECOND))
    rare.keep(Instant(rare.next + 21 * MILLISECOND))
    assert (rare.late, rare.missed, rare.next) == (1, 0, 80 * MILLISECOND)


def test_a_few_late_scans_are_nothing_to_speak_of() -> None:
    health = Health()
    beat = ScanSchedule(Instant(0), health)
    for number in range(WINDOW):
        beat.keep(Instant(beat.next + (9 * MILLISECOND if number % 100 == 0 else 0)))
    assert health.sentences() == ()


def test_scans_are_alive_while_one_was_made_in_the_last_second() -> None:
    beat = ScanSchedule(Instant(0), Health())
    assert not beat.is_alive(Instant(0))
    beat.keep(Instant(0))
    assert beat.is_alive(Instant(SECOND - 1))
    assert not beat.is_alive(Instant(SECOND))


# The thread's work


class StopAfter(Event):
    """Stops after so many looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    def is_set(self) -> bool:
        """Count a look."""
        self._looks -= 1
        return self._looks < 0


class HurryingWatch(VirtualWatch):
    """A watch on which each look takes so long that nobody ever has to sleep."""

    def now(self) -> Instant:
        """A beat and a bit later each time."""
        self.go_to(Instant(super().now() + PERIOD + 1))
        return super().now()


def test_scanning_posts_changes_only_and_stops_when_told() -> None:
    posted: list[tuple[InputEdge, ...]] = []
    sensors = ScriptedSensors(0, 0, 1, 1, 0)
    scanner = Scanner(sensors, INPUTS, Health())
    keep_scanning(scanner, ScanSchedule(Instant(0), Health()), HurryingWatch(), posted.append, StopAfter(5))
    assert [len(edges) for edges in posted] == [3, 1, 1]
    assert sensors.answers == []


def test_an_error_that_is_no_drivers_ends_the_scanning() -> None:
    scanner = Scanner(ScriptedSensors(), INPUTS, Health())
    with pytest.raises(IndexError):
        keep_scanning(scanner, ScanSchedule(Instant(0), Health()), HurryingWatch(), lambda _: None, StopAfter(5))
