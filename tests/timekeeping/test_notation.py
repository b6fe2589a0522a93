"""Test how time controls are written, read and named."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.timekeeping.controls import (
    LONGEST,
    MOST,
    ByoYomi,
    Canadian,
    Hourglass,
    Main,
    Manner,
    Period,
    TimeControl,
    UpCount,
)
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration
from gnomon.timekeeping.notation import ControlNotationError, format_time_control, parse_time_control
from gnomon.timekeeping.presets import PRESETS, Preset, control_of
from tests.timekeeping.ticking import controls

times = st.integers(1, LONGEST).map(Duration) | st.integers(1, 300).map(lambda number: Duration(number * SECOND))
numbers = st.integers(1, MOST)
periods: st.SearchStrategy[Period] = (
    st.builds(Main, times, st.just(Duration(0)) | times, st.sampled_from(Manner), st.none() | numbers)
    | st.builds(ByoYomi, times, numbers)
    | st.builds(Canadian, times, numbers)
    | st.builds(Hourglass, times)
    | st.just(UpCount())
)


def minutes(number: int, *, extra: int = 0, manner: Manner = Manner.FISCHER, moves: int | None = None) -> Main:
    return Main(Duration(number * MINUTE), Duration(extra * SECOND), manner, moves)


@pytest.mark.untraced
@given(periods)
def test_every_period_is_read_as_it_was_written(period: Period) -> None:
    control = TimeControl.of(period)
    assert parse_time_control(format_time_control(control)) == control


@pytest.mark.untraced
@given(controls())
def test_every_control_is_read_as_it_was_written(control: TimeControl) -> None:
    assert parse_time_control(format_time_control(control)) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("25", TimeControl.of(minutes(25))),
        ("25+10", TimeControl.of(minutes(25, extra=10))),
        ("25b10", TimeControl.of(minutes(25, extra=10, manner=Manner.BRONSTEIN))),
        ("25d10", TimeControl.of(minutes(25, extra=10, manner=Manner.DELAY))),
        ("0+30", TimeControl.of(minutes(0, extra=30))),
        ("40/90+30 then 30+30", TimeControl.of(minutes(90, extra=30, moves=40), minutes(30, extra=30))),
        ("1:30+2.5", TimeControl.of(Main(Duration(90 * SECOND), Duration(2_500_000)))),
        ("0:00.000001", TimeControl.of(Main(Duration(1)))),
        ("30 then byo-yomi 5x30", TimeControl.of(minutes(30), ByoYomi(Duration(30 * SECOND), 5))),
        ("30 then canadian 20/5", TimeControl.of(minutes(30), Canadian(Duration(5 * MINUTE), 20))),
        ("hourglass 3", TimeControl.of(Hourglass(Duration(3 * MINUTE)))),
        ("up", TimeControl.of(UpCount())),
        ("25 then up, runs on", TimeControl.of(minutes(25), UpCount(), runs_on=True)),
        ("5 vs 3+2", TimeControl(((minutes(5),), (minutes(3, extra=2),)))),
    ],
)
def test_people_write_it_so(text: str, control: TimeControl) -> None:
    assert (parse_time_control(text), format_time_control(control)) == (control, text)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (" 25 + 10 ", "25+10"),
        ("G/25 d10", "25d10"),
        ("G/25;d10", "25d10"),
        ("40/90 then SD/30", "40/90 then 30"),
        ("1:30:00+30s", "90+30"),
        ("1h30m", "90"),
        ("1.5h", "90"),
        ("90s", "1:30"),
        ("1h 30 s", "60:30"),
        ("1.5", "1:30"),
        ("100:00", "100"),
        ("30 THEN Byoyomi 5 × 30s", "30 then byo-yomi 5x30"),
        ("byo-yomi 5x1m", "byo-yomi 5x60"),
        ("byo-yomi 5x1:30", "byo-yomi 5x90"),
        ("canadian 20/5m", "canadian 20/5"),
        ("up-count", "up"),
        ("5 vs 5, runs on", "5, runs on"),
    ],
)
def test_several_ways_are_read(text: str, same: str) -> None:
    assert format_time_control(parse_time_control(text)) == same


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a period of a time control; these are: 25, "),
        ("quick", "'quick' is not a period"),
        ("25 then", "'25 then' is not a period"),
        ("25 then then 5", "'then 5' is not a period"),
        ("-5", "'-5' is not a period"),
        ("0", "'0' is not a period: .* here both are 0"),
        ("1:60", "1:60 has 60 or more seconds or minutes after a colon"),
        ("1:60:00", "1:60:00 has 60 or more seconds or minutes"),
        ("30s1m", "hours come before minutes and minutes before seconds"),
        ("99999", "a period lasts at most a week"),
        ("0/25", "the moves of a period must be from 1 to 999, not 0"),
        ("up then 5", "nothing comes after an up-count"),
        ("hourglass 3 vs 5", "both sides need one"),
        ("5 vs 4 vs 3", "more than two sides"),
        ("1.1234567", "is not a period"),
    ],
)
def test_what_is_no_time_control_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ControlNotationError, match=reason):
        parse_time_control(text)


@pytest.mark.untraced
@given(st.text(alphabet="0123456789:.+bdhmsx/ gupvytnc-", max_size=20))
def test_any_text_is_read_exactly_or_refused(text: str) -> None:
    with suppress(ControlNotationError):
        control = parse_time_control(text)
        assert parse_time_control(format_time_control(control)) == control


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_written_as_its_control_is(preset: Preset) -> None:
    assert format_time_control(preset.control) == preset.text
    assert control_of(f" {preset.name.upper()} ") == control_of(preset.text) == preset.control


def test_what_is_no_preset_is_read_as_a_control() -> None:
    with pytest.raises(ControlNotationError, match="'swift' is not a period of a time control"):
        control_of("swift")
