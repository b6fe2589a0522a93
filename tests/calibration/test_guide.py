"""The guide through a calibration: what begins a run, what ends it, and what does not count."""

import pytest

from gnomon.referee.debounce import Change
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.words import ENGLISH
from gnomon_pi.tools.calibration.guide import LIGHT, LIGHT_CALM, Guide, GuideMessage, LanePhase, take_change, take_time
from gnomon_pi.tools.calibration.measurement import screen

NAMES = {"red1": "D1", "red2": "A4", "black1": "A1", "timer15": "timer15"}


class Bench:
    """Somebody who turns glasses and presses buttons, second by second."""

    def __init__(self, *glasses: str, light: bool = False, on: tuple[str, ...] = ()) -> None:
        self.guide = Guide.of(glasses, "2026-11-20", light=light).with_levels(on)
        self.said: list[GuideMessage] = []

    def change(self, at: float, name: str, *, value: bool) -> None:
        self.guide, said = take_change(self.guide, Change(Instant(round(at * SECOND)), name, value))
        self.said += said

    def turn(self, at: float, glass: str) -> None:
        """Off its socket 0.6 s before `at`, and back the other way up."""
        lane = next(lane for lane in self.guide.lanes if lane.glass == glass)
        pole, socket = lane.pole, NAMES[glass]
        self.change(at - 0.6, f"{socket}.{pole}", value=False)
        self.change(at, f"{socket}.{'south' if pole == 'north' else 'north'}", value=True)

    def press(self, at: float, button: str) -> None:
        self.change(at, f"button.{button}", value=True)
        self.change(at + 0.1, f"button.{button}", value=False)

    def run(self, at: float, glass: str, seconds: float, button: str = "red") -> None:
        self.turn(at, glass)
        self.press(at + seconds, button)

    @property
    def last(self) -> str:
        return self.said[-1].told.message

    @property
    def phase(self) -> LanePhase:
        return self.guide.lanes[0].phase


def test_the_way_up_is_what_the_socket_does_not_show() -> None:
    bench = Bench("red1")
    bench.turn(5, "red1")
    assert bench.last == "red1 with its north end up runs: press the red button at the last grain."


def test_a_run_lasts_from_the_setting_down_to_the_press() -> None:
    bench = Bench("red1")
    bench.run(5, "red1", 181.25)
    (run,) = bench.guide.lanes[0].runs
    assert (run.duration, run.north_up) == (181_250_000, True)
    assert [said.told.message for said in bench.said[-2:]] == [
        "red1 with its north end up: 181.25 s.",
        "Turn red1 on D1 over, with all its sand below (5 to go).",
    ]


def test_three_runs_each_way_measure_a_glass_and_lead_to_the_next() -> None:
    bench = Bench("red1", "red2")
    for number in range(6):
        bench.run(1_000 * number, "red1", (181, 176)[number % 2] + number / 10)
    measured = next(said for said in bench.said if said.found is not None)
    assert measured.glass == "red1"
    assert measured.found is not None
    assert [each.mean for each in measured.found] == [181_200_000, 176_300_000]
    assert bench.guide.lanes[0].glass == "red2"
    assert not bench.guide.is_done


def test_red_black_and_the_timer_are_measured_side_by_side_each_by_its_own_button() -> None:
    bench = Bench("red1", "black1", "timer15")
    bench.turn(5, "red1")
    bench.turn(9, "black1")
    bench.turn(12, "timer15")
    bench.press(27.5, "arbiter")
    bench.press(184, "black")
    bench.press(186, "red")
    assert [lane.runs[0].duration for lane in bench.guide.lanes] == [181_000_000, 175_000_000, 15_500_000]


def test_a_glass_set_down_the_same_way_up_has_not_been_turned() -> None:
    bench = Bench("red1")
    bench.change(5, "D1.north", value=False)
    bench.change(6, "D1.north", value=True)
    assert (bench.said, bench.phase) == ([], LanePhase.READY)


def test_a_glass_that_is_lifted_while_it_runs_is_begun_anew_when_it_is_empty() -> None:
    bench = Bench("red1")
    bench.turn(5, "red1")
    bench.change(65, "D1.south", value=False)
    assert bench.last == (
        "red1 was lifted after 60.0 s, so this run does not count: let red1 run out, then press the red button."
    )
    bench.change(66, "D1.south", value=True)
    assert bench.phase is LanePhase.SPOILT
    bench.press(300, "red")
    assert bench.last == "Turn red1 on D1 over, with all its sand below (6 to go)."
    bench.turn(310, "red1")
    assert bench.last.startswith("red1 with its south end up runs")


def test_what_cannot_be_a_whole_run_does_not_count() -> None:
    bench = Bench("red1")
    bench.run(5, "red1", 92)
    assert bench.last == (
        "red1 with its north end up: 92.00 s cannot be a whole run of 180 s, so it does not count: "
        "let red1 run out, then press the red button."
    )
    assert bench.guide.lanes[0].runs == ()


def test_a_run_that_lies_far_from_the_others_is_measured_again() -> None:
    bench = Bench("red1")
    for number, seconds in enumerate((181, 176, 181, 176, 189, 176)):
        bench.run(1_000 * number, "red1", seconds)
    assert "measure the run of 189.0 s again." in " ".join(said.told.message for said in bench.said)
    assert (bench.phase, bench.guide.lanes[0].runs_left) == (LanePhase.READY, 1)
    bench.run(6_000, "red1", 181)
    assert bench.phase is LanePhase.DONE


def test_sand_that_never_runs_evenly_is_given_up() -> None:
    bench = Bench("red1")
    for number, seconds in enumerate((162, 176, 172, 176, 182, 176, 192, 176, 202, 176, 163)):
        bench.run(1_000 * number, "red1", seconds)
    assert bench.phase is LanePhase.DONE
    assert bench.last.endswith("this happened too often, so red1 is not calibrated.")


def test_a_glass_that_stands_the_other_way_up_at_first_is_known_to() -> None:
    bench = Bench("red1", on=("D1.south", "D2.ring1"))
    assert bench.guide.lanes[0].pole == "south"
    bench.turn(5, "red1")
    assert "south end up" in bench.last


def test_the_next_glass_stands_as_it_was_last_seen() -> None:
    bench = Bench("red1", "red2", on=("D1.north", "A4.north"))
    bench.change(1, "A4.north", value=False)
    bench.change(2, "A4.south", value=True)
    for number in range(6):
        bench.run(1_000 * (number + 1), "red1", 180)
    assert bench.guide.lanes[0].pole == "south"


def test_a_button_of_another_lane_and_a_release_say_nothing() -> None:
    bench = Bench("red1")
    bench.turn(5, "red1")
    bench.press(100, "black")
    bench.change(186, "button.red", value=False)
    bench.change(187, "D2.ring1", value=True)
    assert bench.phase is LanePhase.RUNNING


# The light sensor


def test_the_light_sensor_ends_a_run_with_the_first_light_that_lasts() -> None:
    bench = Bench("red1", light=True)
    bench.turn(5, "red1")
    bench.change(100, LIGHT, value=True)  # a crumb that stuck
    bench.change(100.3, LIGHT, value=False)
    assert bench.guide.deadline() is None
    bench.change(186, LIGHT, value=True)
    assert bench.guide.deadline() == 186 * SECOND + LIGHT_CALM
    bench.guide, said = take_time(bench.guide, Instant(186 * SECOND + LIGHT_CALM))
    assert said[0].told.message == "red1 with its north end up: 181.00 s."
    assert bench.guide.deadline() is None


def test_light_before_the_sand_falls_and_before_its_time_ends_nothing() -> None:
    bench = Bench("red1", light=True)
    bench.change(1, LIGHT, value=True)
    bench.turn(5, "red1")
    assert bench.guide.deadline() is None
    bench.press(90, "arbiter")
    assert bench.phase is LanePhase.RUNNING
    bench.change(186, LIGHT, value=True)
    assert take_time(bench.guide, Instant(186 * SECOND + 499 * MILLISECOND)) == (bench.guide, ())


def test_by_the_light_sensor_one_glass_comes_after_the_other() -> None:
    assert len(Bench("red1", "black1", light=True).guide.lanes) == 1


@pytest.mark.parametrize(("glasses", "runs", "said"), [(("green1",), 3, "green1"), (("red1",), 2, "fewer than 3")])
def test_what_cannot_be_measured_is_refused(glasses: tuple[str, ...], runs: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Guide.of(glasses, "2026-11-20", runs)


def test_the_display_shows_each_state_differently() -> None:
    bench = Bench("red1", "black1", "timer15")
    pictures = [screen(bench.guide, ENGLISH).tobytes()]
    bench.turn(5, "red1")
    pictures.append(screen(bench.guide, ENGLISH).tobytes())
    bench.change(65, "D1.south", value=False)
    pictures.append(screen(bench.guide, ENGLISH).tobytes())
    for number in range(6):
        bench.run(100 + 1_000 * number, "timer15", 15, "arbiter")
    pictures.append(screen(bench.guide, ENGLISH).tobytes())
    done = Guide.of(("red1",), "x")
    lane = done.lanes[0]
    pictures.append(screen(Guide((type(lane)(lane.button, (), 3, LanePhase.DONE),), "x"), ENGLISH).tobytes())
    pictures.append(screen(Guide.of(("red1",), "x", light=True), ENGLISH).tobytes())
    assert len(set(pictures)) == len(pictures)
