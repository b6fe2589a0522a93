"""Tie-breaks come out as gacrux, the program of FIDE's technical commission, has them in the same report files."""

from pathlib import Path

import pytest

from gnomon.tournament.strength.elo import expected_score
from tests.tournament._gacrux import ROUND_ROBIN, SWISS, differences, round_robin, swiss

pytest.importorskip("gacrux", reason="gacrux is not installed: pip install gacrux")


@pytest.mark.parametrize("seed", range(5))
def test_a_swiss_with_every_kind_of_unplayed_round(seed: int, tmp_path: Path) -> None:
    assert differences(swiss(seed), tmp_path / "swiss.trf", SWISS, "-s") == []


@pytest.mark.parametrize("seed", range(3))
def test_a_round_robin(seed: int, tmp_path: Path) -> None:
    assert differences(round_robin(seed), tmp_path / "robin.trf", ROUND_ROBIN, "-p") == []


def test_expected_scores_are_those_of_the_table() -> None:
    theirs = pytest.importorskip("gacrux.rating").ComputeExpectedScore
    assert all(expected_score(2000, other) == 100 * theirs(2000, other) for other in range(1000, 3001))
