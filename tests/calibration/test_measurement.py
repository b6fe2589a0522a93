"""Simulated glasses on the simulated board: the whole way from edges at the chips to durations that are true."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event

import pytest
from click.testing import CliRunner, Result

from gnomon.timekeeping.calibration import Measured
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon.words import ENGLISH
from gnomon_pi import config
from gnomon_pi.cli.daemon import main
from gnomon_pi.config.description import BoardDescription, Button
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.drivers.libraries import Later
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime.calibration import GLASSES, CalibrationError, read
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.calibration import Glasses, simulate
from gnomon_pi.tools.calibration.guide import Guide, GuideMessage
from gnomon_pi.tools.calibration.measurement import CalibrationOptions, measure

TAMSK = config.load_bundled("tamsk")
SCAN = 10 * MILLISECOND
Found = dict[tuple[str, bool], Measured]


def recovered(
    wish: CalibrationOptions, seed: int, glasses: Glasses | None = None
) -> tuple[Found, Glasses, list[str], Guide]:
    found: Found = {}
    said: list[str] = []

    def hear(_at: Instant, _guide: Guide, message: GuideMessage) -> None:
        said.append(message.told.message)
        if message.found is not None:
            found.update({(message.glass, True): message.found[0], (message.glass, False): message.found[1]})

    guide, truth = simulate(TAMSK, wish, hear, Event(), random=Random(seed), glasses=glasses)
    return found, truth, said, guide


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(6))
def test_by_the_light_sensor_every_duration_is_true_within_its_own_error_and_one_scan(seed: int) -> None:
    found, truth, _, guide = recovered(CalibrationOptions(GLASSES, "2026-11-20", 5, light=True), seed)
    assert guide.is_done
    assert found.keys() == truth.durations.keys()
    for which, measured in found.items():
        assert abs(measured.mean - truth.durations[which]) <= 5 * measured.uncertainty + SCAN


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(6))
def test_by_the_button_a_reaction_comes_on_top(seed: int) -> None:
    found, truth, _, _ = recovered(CalibrationOptions(GLASSES, "2026-11-20", 5, light=False), seed)
    assert found.keys() == truth.durations.keys()
    for which, measured in found.items():
        late = measured.mean - truth.durations[which] - 150 * MILLISECOND
        assert abs(late) <= 5 * measured.uncertainty + SCAN + 50 * MILLISECOND


def test_glasses_that_repeat_themselves_exactly_are_measured_to_one_scan() -> None:
    names = ("red2", "timer15")
    truth = Glasses.make(names, Random(1))
    exact = Glasses(truth.durations, repeats=0.0)
    found, _, _, _ = recovered(CalibrationOptions(names, "2026-11-20", 3, light=True), 2, exact)
    # A glass that stands between two scans is seen by the second: a run is measured at most one scan too short.
    assert all(-SCAN <= found[which].mean - exact.durations[which] <= 0 for which in found)


def test_sand_that_runs_unevenly_is_not_calibrated() -> None:
    uneven = Glasses({("red1", up): Duration(180 * SECOND) for up in (True, False)}, repeats=0.04)
    found, _, said, guide = recovered(CalibrationOptions(("red1",), "2026-11-20", 3, light=False), 3, uneven)
    assert (found, guide.is_done) == ({}, True)
    assert said[-1].endswith("red1 is not calibrated.")


def test_it_stops_when_it_is_told_to() -> None:
    stop = Event()
    said: list[str] = []

    def hear(_at: Instant, _guide: Guide, message: GuideMessage) -> None:
        said.append(message.told.message)
        if len(said) > 3:
            stop.set()

    guide, _ = simulate(TAMSK, CalibrationOptions(GLASSES, "x", 3, light=False), hear, stop, random=Random(1))
    assert not guide.is_done


def test_a_board_on_which_no_glass_stands_is_refused() -> None:
    with pytest.raises(CalibrationError, match="has no sockets"):
        simulate(
            config.load_bundled("tayu"),
            CalibrationOptions(GLASSES, "x", 3, light=False),
            print,
            Event(),
            random=Random(1),
        )


def test_a_light_sensor_must_be_described() -> None:
    with pytest.raises(CalibrationError, match=r"--light-sensor needs \[sand_light\]"):
        measure(TAMSK, CalibrationOptions(GLASSES, "x", 3, light=True), print, Event(), ENGLISH)


def test_a_light_sensor_that_is_described_is_used() -> None:
    described = replace(TAMSK, sand_light=Button("sand.light", 4))
    guide, _ = simulate(
        described, CalibrationOptions(("timer15",), "x", 3, light=True), lambda *_: None, Event(), random=Random(1)
    )
    assert guide.is_done


def test_a_wired_board_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(DriverError):
        measure(TAMSK, CalibrationOptions(GLASSES, "x", 3, light=False), print, Event(), ENGLISH)


class Wired:
    """A simulated board in real time, in place of the one that is wired to a Pi."""

    def __init__(self) -> None:
        self.board: SimulatedBoard | None = None

    def open(self, description: BoardDescription, *, now: Callable[[], int], later: Later) -> Drivers:
        self.board = SimulatedBoard(description, now=now, later=later)
        return self.board.drivers


def test_on_a_wired_board_the_display_and_the_terminal_guide_and_presses_are_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wired, stop, said = Wired(), Event(), list[str]()
    monkeypatch.setattr("gnomon_pi.tools.calibration.measurement.open_devices", wired.open)

    def hear(_at: Instant, _guide: Guide, message: GuideMessage) -> None:
        said.append(message.told.message)
        board = wired.board
        assert board is not None
        if len(said) == 1:
            board.set_input("timer15.south", True)
        elif "runs:" in message.told.message:
            board.set_input("button.arbiter", True)
        elif "cannot be a whole run" in message.told.message:
            stop.set()

    measure(TAMSK, CalibrationOptions(("timer15",), "x", 3, light=False), hear, stop, ENGLISH)
    assert said[1] == "timer15 with its north end up runs: press the arbiter button at the last grain."


def test_sensors_that_do_not_answer_are_told_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wired, stop, said = Wired(), Event(), list[str]()
    monkeypatch.setattr("gnomon_pi.tools.calibration.measurement.open_devices", wired.open)

    def hear(_at: Instant, _guide: Guide, message: GuideMessage) -> None:
        said.append(message.told.message)
        assert wired.board is not None
        if len(said) == 1:
            wired.board.break_sensors(register=3)
        else:
            stop.set()

    measure(TAMSK, CalibrationOptions(("red1",), "x", 3, light=False), hear, stop, ENGLISH)
    assert len(said) == 2
    assert "register" in said[1]


# The command


def calibrate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", *arguments])


def test_the_command_keeps_what_it_measured_and_shows_it_in_a_table(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    result = calibrate("--simulated", f"--calibration={path}", "--glass=timer15", "--seed=3")
    assert result.exit_code == 0
    assert read(path).keys() == {("timer15", True), ("timer15", False)}
    assert "timer15   timer15     north" in result.stdout
    assert "You press some tenths of a second after the last grain" in result.stdout
    assert result.stdout.endswith(
        f"Saved in {path}. To let these times decide a game, start it with --set time=calibrated.\n"
    )
    again = calibrate("--simulated", "--light-sensor", f"--calibration={path}", "--glass=red3")
    assert again.exit_code == 0
    assert ("timer15", True) in read(path)
    assert "nobody's reaction" in again.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--board=table",), "has no sockets"),
        (("--wiring=nowhere.toml",), "nowhere.toml: cannot be read"),
        (("--calibration=/dev/null/c.toml",), "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    result = calibrate("--simulated", *arguments)
    assert result.exit_code == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_glass_that_could_not_be_measured_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon_pi.simulated.calibration.simulate", lambda *_, **__: None)
    result = calibrate("--simulated", f"--calibration={tmp_path / 'c.toml'}", "--glass=red2")
    assert (result.exit_code, result.stderr) == (1, "Not measured: red2.\n")
