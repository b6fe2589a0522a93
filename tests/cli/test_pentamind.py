"""Test Pentamind points on the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from gnomon.cli import main


def test_standings_show_what_each_place_is_worth(tmp_path: Path) -> None:
    file = f"--file={tmp_path / 'evening.gnomon-tournament'}"

    def told(*words: str) -> str:
        ran = CliRunner().invoke(main, ["tournament", *words, file])
        assert ran.exit_code == 0, ran.output
        return ran.output

    told("new", "Evening", "--rounds=1", "--rule-set=MSO_2018")
    told("add", "Ada:1900", "Ben:1800", "Cleo:1700", "Dov:1600")
    assert "has no Pentamind points" not in told("standings", "--pentamind")
    told("publish")
    told("result", "1", "1-0", "2", "0-1")
    # 9/10 × (4 − 1½)/3 × 100 for the two who won; the tie-breaks, and whom they put first, change nothing.
    lines = told("standings", "--pentamind").splitlines()
    assert lines[1].split() == ["Place", "No", "Name", "Pts", "HH", "SPREAD", "SB", "Pentamind"]
    assert [line.split()[-1] for line in lines[2:6]] == ["75.00", "75.00", "15.00", "15.00"]
    shown = json.loads(told("standings", "--pentamind", "--json"))
    assert [one["pentamind"] for one in shown] == ["75.00", "75.00", "15.00", "15.00"]
    assert "pentamind" not in told("standings", "--json")
