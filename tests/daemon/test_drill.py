"""The kill drill, as many times as a test may take; `make drill` does it two thousand times."""

from pathlib import Path

import pytest

from tests.drill import LossError, Record, drill, sand_errors

KILLS = 24


def test_killed_daemons_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    report = drill(KILLS, seed=20261120, folder=tmp_path)
    assert report.kills == KILLS
    assert report.rulings >= KILLS // 8
    assert len(report.sand_errors) >= KILLS


@pytest.mark.parametrize("game", ["tabik", "tayu"])
def test_killed_daemons_lose_nothing_of_other_games_either(tmp_path: Path, game: str) -> None:
    report = drill(KILLS // 2, seed=20261120, folder=tmp_path, game=game)
    assert report.kills == KILLS // 2
    assert report.rulings >= KILLS // 8


def test_sand_that_ran_on_is_compared_to_the_microsecond() -> None:
    assert sand_errors(sand(0, 100, 9), sand(1, 99, 8), 0) == [0, 0]
    assert sand_errors(sand(0, 100, 9), sand(1, 99, 8.01), 0) == [0, 10_000]


def test_sand_stands_in_a_pause_and_runs_for_a_part_of_a_second_that_began_or_ended_with_one() -> None:
    assert sand_errors(sand(0, 100, paused=True), sand(1, 100, paused=True), 0) == [0]
    assert sand_errors(sand(0, 100), sand(1, 99.5, paused=True), 0) == [0]
    with pytest.raises(LossError, match="100000000 µs became 99000000 µs"):
        sand_errors(sand(0, 100, paused=True), sand(1, 99, paused=True), 0)


@pytest.mark.parametrize("after", [98.9, 99.1])
def test_sand_that_went_astray_is_found(after: float) -> None:
    with pytest.raises(LossError, match="100000000 µs became"):
        sand_errors(sand(0, 100), sand(1, after), 0)
    with pytest.raises(LossError, match="100000000 µs became"):
        sand_errors(sand(0, 100), sand(1, after), 1_000_000)  # what nobody saw is granted at the next turn


def test_a_turn_grants_what_nobody_saw_and_no_more() -> None:
    assert sand_errors(sand(0, 178.76), sand(1, 177.8, plies=1), 20_000) == []
    with pytest.raises(LossError, match="177900000 µs"):
        sand_errors(sand(0, 178.76), sand(1, 177.9, plies=1), 20_000)
    with pytest.raises(LossError, match="177700000 µs"):
        sand_errors(sand(0, 178.76), sand(1, 177.7, plies=1), 20_000)


def sand(at: float, *left: float, plies: int = 0, paused: bool = False) -> Record:
    """What a daemon says of its sand, all times in seconds."""
    at_us, *remaining_us = (round(1_000_000 * each) for each in (at, *left))
    return {"raw_us": at_us, "at_us": at_us, "paused": paused, "plies": plies, "remaining_us": remaining_us}
