"""What measured runs of a sand glass come to, and which are refused."""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.calibration import (
    FEWEST,
    Measured,
    MeasuredRun,
    NoisyError,
    implausible,
    summarize_runs,
    which,
)
from gnomon.timekeeping.glasses import FIFTEEN_SECONDS, THREE_MINUTES
from gnomon.timekeeping.instants import SECOND, Duration


def runs(*seconds: float, date: str = "2026-11-20") -> list[MeasuredRun]:
    return [MeasuredRun("red1", True, Duration(round(each * SECOND)), date) for each in seconds]


def refusal(*seconds: float, nominal: Duration = THREE_MINUTES) -> NoisyError:
    with pytest.raises(NoisyError) as caught:
        summarize_runs(runs(*seconds), nominal)
    return caught.value


def test_mean_and_spread_of_a_few_runs() -> None:
    assert summarize_runs(runs(180, 181, 182), THREE_MINUTES) == Measured(
        mean=Duration(181 * SECOND),
        deviation=Duration(SECOND),
        shortest=Duration(180 * SECOND),
        longest=Duration(182 * SECOND),
        runs=3,
        date="2026-11-20",
    )


@given(st.lists(st.integers(179_000_000, 181_000_000), min_size=FEWEST, max_size=9))
def test_the_figures_are_exact_to_the_microsecond(microseconds: list[int]) -> None:
    found = summarize_runs([MeasuredRun("red1", False, Duration(each), "x") for each in microseconds], THREE_MINUTES)
    number = len(microseconds)
    mean = Fraction(sum(microseconds), number)
    variance = sum((each - mean) ** 2 for each in microseconds) / (number - 1)
    assert abs(found.mean - mean) <= Fraction(1, 2)
    assert found.deviation**2 <= variance < (found.deviation + 1) ** 2
    assert (found.shortest, found.longest, found.runs) == (min(microseconds), max(microseconds), number)


@given(st.integers(0, 10**7), st.integers(FEWEST, 100))
def test_the_error_of_a_mean_is_the_spread_over_the_root_of_the_number_never_too_small(
    spread: int, number: int
) -> None:
    found = Measured(Duration(1), Duration(spread), Duration(1), Duration(1), number, "")
    assert found.uncertainty**2 * number >= spread**2
    assert found.uncertainty <= isqrt(spread**2 // number) + 2


def test_the_day_of_the_last_run_is_kept() -> None:
    assert summarize_runs([*runs(180, 180), *runs(180, date="2026-12-01")], THREE_MINUTES).date == "2026-12-01"


@pytest.mark.parametrize(
    ("seconds", "said", "worst"),
    [
        ((), "this glass has 0 of the 3 runs that are needed: measure it again", None),
        ((180, 181), "red1 with its north end up has 2 of the 3 runs that are needed: measure it again", None),
        (
            (180, 120, 181),
            "red1 with its north end up ran 120.0 s, more than 15 % off 180.0 s: measure it again",
            1,
        ),
        (
            (180, 181, 172),
            (
                "red1 with its north end up ran from 172.0 s to 181.0 s, which is too far apart: "
                "measure the run of 172.0 s again"
            ),
            2,
        ),
    ],
)
def test_what_says_too_little_is_refused_with_the_run_to_measure_again(
    seconds: tuple[float, ...], said: str, worst: int | None
) -> None:
    error = refusal(*seconds)
    assert (str(error), error.worst) == (said, worst)


def test_two_presses_may_differ_by_a_reaction_even_where_that_is_more_than_two_percent() -> None:
    assert summarize_runs(runs(15.0, 15.6, 15.3), FIFTEEN_SECONDS).runs == 3
    assert "too far apart" in str(refusal(15.0, 15.9, 15.3, nominal=FIFTEEN_SECONDS))


@pytest.mark.parametrize(("seconds", "is_implausible"), [(153, False), (152.999999, True), (207, False), (208, True)])
def test_a_whole_run_is_within_fifteen_percent(seconds: float, is_implausible: bool) -> None:
    assert implausible(Duration(round(seconds * SECOND)), THREE_MINUTES) is is_implausible


def test_a_glass_and_its_direction_are_told_to_people() -> None:
    said = {which(glass, north_up=up).message for glass in ("red1", "timer") for up in (True, False)}
    assert len(said) == 4
    assert all("north" in each.lower() or "south" in each.lower() for each in said), said
