"""The file of measured durations: whole or not at all, exact, and every mistake named with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import Tamsk
from gnomon.timekeeping.calibration import Measured
from gnomon.timekeeping.instants import Duration
from gnomon_pi.runtime.calibration import (
    ENDS,
    GLASSES,
    CalibrationError,
    durations,
    format_measurements,
    keep,
    parse,
    prepare,
    read,
    with_durations,
    with_nominal_durations,
)

SIX = GLASSES[:-1]


def one(mean: int = 181_000_000) -> Measured:
    return Measured(Duration(mean), Duration(100_000), Duration(mean - 5), Duration(mean + 5), 3, "2026-11-20")


def everything(*names: str) -> dict[tuple[str, bool], Measured]:
    return {
        (name, up): one(180_000_000 + 10 * number + up) for number, name in enumerate(names) for up in ENDS.values()
    }


@given(st.dictionaries(st.tuples(st.sampled_from(GLASSES), st.booleans()), st.integers(10, 10**9).map(one)))
def test_what_was_measured_reads_back_as_it_was_written(found: dict[tuple[str, bool], Measured]) -> None:
    assert parse(format_measurements(found), "x") == found


def test_it_is_kept_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "calibration.toml"
    keep(path, everything("red1"))
    keep(path, everything("red1", "red2"))
    assert read(path) == everything("red1", "red2")
    assert [each.name for each in path.parent.iterdir()] == ["calibration.toml"]


def test_where_nothing_was_measured_there_is_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "calibration.toml") == {}


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CalibrationError, match=r"calibration\.toml: cannot be written: "):
        keep(tmp_path / "file" / "calibration.toml", {})


def test_a_file_that_cannot_be_replaced_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "calibration.toml" / "a folder").mkdir(parents=True)
    with pytest.raises(CalibrationError, match="cannot be written"):
        keep(tmp_path / "calibration.toml", everything("red1"))
    assert [each.name for each in tmp_path.iterdir()] == ["calibration.toml"]


def test_a_file_that_could_not_be_kept_is_found_out_before_anything_is_measured(tmp_path: Path) -> None:
    prepare(tmp_path / "new" / "calibration.toml")
    assert not list((tmp_path / "new").iterdir())
    (tmp_path / "a file").touch()
    with pytest.raises(CalibrationError, match=r"a file/calibration\.toml: cannot be written: "):
        prepare(tmp_path / "a file" / "calibration.toml")


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be read"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mean_us = 180000001", "mean_us = 3", "x:5: mean_us must be between shortest_us and longest_us, not 3"),
        ("runs = 3", "runs = 2", "x:9: runs must be a whole number from 3 to 1000, not 2"),
        ('"2026-11-20"', '"yesterday"', "x:10: date must be a day as 2026-11-20, not 'yesterday'"),
        ("[red1.north_up]", "[green1.north_up]", "x:4: the file has no key green1"),
        ("[red1.north_up]", "[red1.west_up]", "x:4: [red1] has no key west_up"),
        ("runs = 3", "walks = 3", "x:4: [red1.north_up] lacks runs"),
        ("runs = 3", "runs = ", "x:9: "),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, said: str) -> None:
    text = format_measurements({("red1", True): one(180_000_001)}).replace(old, new, 1)
    with pytest.raises(CalibrationError) as caught:
        parse(text, "x")
    assert str(caught.value).startswith(said)


# Games that are decided by it


def test_a_game_is_given_the_measured_durations_and_needs_no_file_any_more(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    keep(path, everything(*GLASSES))
    settings = with_durations("tamsk", {"level": 3, "time": "calibrated"}, path)
    path.unlink()
    rules = Tamsk.from_settings(settings)
    assert rules.settings.durations[0] == (180_000_000, 180_000_001)
    assert with_durations("tamsk", settings, path) == settings


def test_without_a_measured_15_second_glass_level_2_can_be_played() -> None:
    text = durations(everything(*SIX), Path("x"))
    assert Tamsk.from_settings({"level": 2, "time": "calibrated", "durations": text}).start().sands


def test_a_glass_that_was_not_measured_is_named(tmp_path: Path) -> None:
    found = everything(*SIX)
    del found["black2", False]
    with pytest.raises(CalibrationError) as caught:
        durations(found, tmp_path / "c.toml")
    assert str(caught.value) == (
        f"time=calibrated needs every glass measured both ways, and {tmp_path / 'c.toml'} has no measurement of "
        "black2 with its south end up: run gnomond calibrate"
    )


@pytest.mark.parametrize(
    ("game", "settings"), [("tamsk", {"level": 2}), ("tayu", {"time": "calibrated"}), ("tamsk", {"time": "sand"})]
)
def test_other_games_are_left_as_they_are(game: str, settings: dict[str, object]) -> None:
    assert with_durations(game, settings, Path("nowhere")) is settings
    assert with_nominal_durations(game, settings) is settings


def test_settings_can_be_judged_before_anything_is_measured() -> None:
    assert Tamsk.from_settings(with_nominal_durations("tamsk", {"level": "3", "time": "calibrated"})).start().timer15
