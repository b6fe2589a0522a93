"""Test instants, durations and seconds as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.instants import SECOND, Duration, Instant, earliest, parse_seconds, seconds


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("0", 0),
        ("1.25", 1_250_000),
        ("0.000001", 1),
        ("179.999999", 179_999_999),
        ("000180.0", 180 * SECOND),
        ("999999999999.999999", 999_999_999_999_999_999),
    ],
)
def test_decimal_seconds_are_read_exactly(text: str, microseconds: int) -> None:
    assert parse_seconds(text) == microseconds


@pytest.mark.parametrize("text", ["", ".", "1.", ".5", "-1", "+1", "1e3", "1.1234567", " 1", "1\n", "1_0", "٣", "nan"])
def test_anything_but_decimal_seconds_is_refused_with_what_was_written(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number of seconds") as refusal:
        parse_seconds(text)
    assert repr(text) in str(refusal.value)


@given(st.integers(0, 999_999_999_999), st.integers(0, 999_999))
def test_seconds_and_six_places_are_read_as_that_many_microseconds(whole: int, micro: int) -> None:
    assert parse_seconds(f"{whole}.{micro:06}") == whole * SECOND + micro


@given(st.integers(0, 10**9))
def test_whole_seconds_are_written_without_a_point(whole: int) -> None:
    written = seconds(Duration(whole * SECOND))
    assert (written, type(written)) == (whole, int)


@given(st.integers(0, 10**12))
def test_what_is_written_as_seconds_reads_back_as_the_same_duration(duration: int) -> None:
    assert parse_seconds(f"{seconds(Duration(duration)):.6f}") == duration


def test_the_earliest_is_the_first_of_those_there_are() -> None:
    assert earliest([Instant(7), None, Instant(3)]) == 3
    assert earliest([None]) is None
    assert earliest([]) is None
