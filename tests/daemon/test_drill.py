"""The kill drill, as many times as a test may take; `make drill` does it two thousand times."""

from pathlib import Path

import pytest

from tests.drill import drill

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
