"""A board at rest in virtual time: what scans, buttons, display and reader tell, through the real drivers on chips."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import start_inputs
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Reader
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers.protocols import too_much_light
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.doctor._at_rest import percentile, watch_at_rest
from gnomon_pi.tools.doctor.finding import Finding, Severity
from tests.doctor.machines import said, worse

SCANS = 50


class Bench:
    """A simulated board and its virtual time."""

    def __init__(self, description: BoardDescription) -> None:
        self.watch = VirtualWatch()
        self.board = SimulatedBoard(description, now=self.watch.now, later=self.watch.later)

    def look(self, wait: Callable[[Instant], None] | None = None) -> list[Finding]:
        """What is found at rest."""
        description = self.board.description
        return list(watch_at_rest(self.board.drivers, description, self.watch, wait or self.watch.go_to, SCANS))


@pytest.fixture
def bench(tamsk: BoardDescription) -> Iterator[Bench]:
    """The TAMSK board, empty."""
    bench = Bench(tamsk)
    yield bench
    bench.board.close()


@pytest.mark.parametrize("name", ["tamsk", "tayu", "table"])
def test_a_healthy_board_has_nothing_to_complain_of(name: str) -> None:
    bench = Bench(load_bundled(name))
    found = bench.look()
    assert worse(found) == []
    assert "ok: display" in said(found)
    assert ("position: The board is empty." in said(found)) == (name != "table")
    assert [finding.subject for finding in found if finding.mark is Severity.OK and finding.advice()] == []
    bench.board.close()


def test_of_buttons_that_a_board_in_parts_does_not_have_nothing_is_said() -> None:
    bench = Bench(load_bundled("tamsk", variant="one-space"))
    assert "buttons" not in {finding.subject for finding in bench.look()}
    bench.board.close()


@pytest.mark.parametrize(("level", "told"), [(1, "set out for level 1 or 2"), (3, "set out for level 3")])
def test_a_board_that_is_set_out_is_known(bench: Bench, level: int, told: str) -> None:
    for name in start_inputs(level):
        bench.board.set_input(name, True)
    assert f"ok: position: The board is {told}." in said(bench.look())


def test_a_board_with_single_poles_is_known_when_it_is_set_out() -> None:
    bench = Bench(load_bundled("tamsk", variant="single-pole"))
    for name in start_inputs(1):
        bench.board.set_input(name.replace("north", "glass"), True)
    assert "The board is set out for level 1 or 2." in said(bench.look())
    bench.board.close()


def test_a_stuck_input_is_named_with_its_solder(bench: Bench) -> None:
    bench.board.break_input("D4.north", True)
    told = said(worse(bench.look()))
    assert "The board is empty, but D4.north (register 4, pin E) is on." in told


def test_a_dead_input_of_a_board_that_is_set_out_is_named(bench: Bench) -> None:
    for name in start_inputs(2):
        bench.board.set_input(name, True)
    bench.board.break_input("A1.north", False)
    assert "A1.north (register 0, pin A) is off" in said(worse(bench.look()))


def test_a_game_on_the_board_is_no_fault(bench: Bench) -> None:
    for name in ("D4.north", "C3.south", "B2.north", "E2.north", "B1.ring1", "C1.ring1"):
        bench.board.set_input(name, True)
    found = bench.look()
    assert worse(found) == []
    assert "6 inputs are on: a game lies on the board" in said(found)


def test_what_no_piece_can_cause_is_told(bench: Bench) -> None:
    for name in ("D4.north", "D4.south", "C3.ring2"):
        bench.board.set_input(name, True)
    told = said(worse(bench.look()))
    assert "D4 shows north and south at once" in told
    assert "C3 shows ring 2 and none below it" in told


def test_an_input_that_chatters_is_named_and_counted(bench: Bench) -> None:
    def shake(instant: Instant) -> None:
        bench.watch.go_to(instant)
        bench.board.set_input("E2.north", instant // 10_000 % 2 == 0)

    told = said(worse(bench.look(shake)))
    assert f"E2.north (register 5, pin G) {SCANS - 1} times" in told
    assert "position" not in told


def test_a_piece_that_was_put_down_meanwhile_is_a_note(bench: Bench) -> None:
    def put(instant: Instant) -> None:
        bench.watch.go_to(instant)
        bench.board.set_input("E2.north", instant > SECOND // 10)

    assert "note: chatter: E2.north changed: was the board touched?" in said(bench.look(put))


def test_a_broken_chain_is_a_fault_that_says_where(bench: Bench) -> None:
    bench.board.break_sensors(5, reads=0)
    told = said(worse(bench.look()))
    assert told.startswith("FAULT: sensors: Every scan failed: The sensors read only zeros from register 5 on")
    assert "position" not in told


def test_a_chain_that_fails_now_and_then_is_a_fault_with_a_count(bench: Bench) -> None:
    def loosen(instant: Instant) -> None:
        bench.watch.go_to(instant)
        bench.board.mend()
        if instant % 100_000 == 0:
            bench.board.break_sensors(0, reads=0)

    assert f"FAULT: sensors: 5 of {SCANS} scans failed: The sensors read only zeros" in said(worse(bench.look(loosen)))


def test_light_on_a_ring_sensor_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sensors = bench.board.drivers.sensors
    assert sensors is not None
    monkeypatch.setattr(sensors, "health", lambda: (too_much_light(["D4.ring1"]),))
    assert "warning: light: D4.ring1 (register 16, pin G) is on although the emitters are off" in said(bench.look())


def test_scans_that_come_late_are_warned_of(bench: Bench) -> None:
    def dawdle(instant: Instant) -> None:
        bench.watch.go_to(Instant(instant + 7_000))

    told = said(worse(bench.look(dawdle)))
    assert "99 of 100 within 0.00 ms; they begin at most 7.00 ms late in 99 of 100, 50 of 50 too late." in told


def test_a_button_that_is_down_and_one_that_flutters_are_told(bench: Bench) -> None:
    bench.board.break_input("button.red", True)

    def flutter(instant: Instant) -> None:
        bench.watch.go_to(instant)
        bench.board.set_input("button.arbiter", instant // 10_000 % 2 == 1 and instant < SECOND // 10)

    told = said(worse(bench.look(flutter)))
    assert "button.red is down although nobody presses anything." in told
    assert "button.arbiter changed 10 times." in told


def test_a_display_and_lights_that_do_not_answer_are_warnings(bench: Bench) -> None:
    bench.board.break_display()
    bench.board.break_lights()
    told = said(worse(bench.look()))
    assert "warning: display: The display does not answer" in told
    assert "warning: lights: The lights do not answer" in told


@pytest.mark.parametrize(
    ("plugged", "told"), [(True, "ok: reader: It is there."), (False, "warning: reader: The reader was pulled out.")]
)
def test_a_reader_is_looked_for(tamsk: BoardDescription, plugged: bool, told: str) -> None:
    bench = Bench(replace(tamsk, reader=Reader("keyboard", "/dev/input/event0", {})))
    bench.board.scanner.plugged = plugged
    assert told in said(bench.look())
    bench.board.close()


def test_a_button_whose_pin_is_taken_is_a_fault(bench: Bench, tamsk: BoardDescription) -> None:
    bench.board.drivers.buttons.start(lambda _stamp, _name, _value: None)
    # The same wires once more, as by a second program.
    rival = Buttons(tamsk.buttons, pin_factory=bench.board._factory, now=bench.watch.now)
    again = bench.board.drivers._replace(buttons=rival)
    found = list(watch_at_rest(again, tamsk, bench.watch, bench.watch.go_to, 1))
    assert "FAULT: buttons: button.red on GPIO 5 cannot be read" in said(found)


@given(st.lists(st.integers(0, 100), min_size=1), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_so_many_do_not_exceed(values: list[int], percent: int) -> None:
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) * 100 >= percent * len(values)
    assert sum(value < found for value in values) * 100 < percent * len(values)


def test_a_percentile_of_nothing_is_0() -> None:
    assert percentile([], 50) == 0
