"""`gnomon tournament standings --luck`: games of a hall's boards, and games in files."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.records.formats.sheet_play import play_to_end
from gnomon.records.formats.sheets import sheet_text
from tests.analysis.test_game_analysis import random_sheet
from tests.cli.tournament_runs import FOUR, Run, Told, refused
from tests.web_director.houses import DirectorHouse
from tests.web_director.test_even_luck import SETTINGS, gained, played


@pytest.fixture(autouse=True)
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[DirectorHouse]:
    found = DirectorHouse(tmp_path)
    yield found
    found.close()


def test_the_games_of_a_halls_boards_are_read_from_its_database(told: Told, house: DirectorHouse) -> None:
    sheets = played(house)
    text = told("standings --database hall.db --luck")
    assert "For interest only: this never decides places, pairings or prizes." in " ".join(text.split())
    assert "An estimate: there is no table" in text
    assert "Name" in text.splitlines()[-5]
    assert "With even luck" in text.splitlines()[-5]
    rows = {row["number"]: row for row in json.loads(told("standings --database hall.db --luck --json"))}
    for one in house.hall.proposals("open"):
        (game,) = one.games
        luck = gained(sheets[one.board - 1]) * (1 if game.seating.player == "p1" else -1)
        assert rows[game.seating.first]["even_luck"]["luck"] == pytest.approx(luck)
        assert rows[game.seating.second]["even_luck"]["luck"] == pytest.approx(-luck)
    for row in rows.values():
        even = row["even_luck"]
        assert (even["games"], even["exact"]) == (1, False)
        assert even["points"] == pytest.approx(float(row["points"]) - even["luck"])


def test_games_in_files_count_for_those_who_are_named_there(told: Told, tmp_path: Path) -> None:
    told(*FOUR, "publish")
    [first, second], _ = (
        (each["first_name"], each["second_name"]) for each in json.loads(told("rounds 1 --json"))[0]["pairings"]
    )
    sheet = random_sheet("twenty-squares", SETTINGS, 1)
    result = play_to_end(sheet).result
    assert result is not None
    told(f"result 1 {'1-0' if result.winner == 'p1' else '0-1'}")
    file = tmp_path / "game.sheet"
    file.write_text(sheet_text(replace(sheet, players={"p1": first.upper(), "p2": second})))
    # A game of somebody else, and the same game once more, do not count.
    strange = tmp_path / "strange.sheet"
    strange.write_text(sheet_text(replace(sheet, players={"p1": "Zoë", "p2": second})))
    other = tmp_path / "other.sheet"
    other.write_text("Sheet: 1\nGame: tabik\nSettings: size=3\n\n1. a1b1 3\n")
    command = ["standings", "--json", *(f"--games={each}" for each in (file, file, strange, other))]
    rows = {row["name"]: row["even_luck"] for row in json.loads(told(command))}
    assert rows[first]["luck"] == pytest.approx(gained(sheet))
    assert rows[second]["luck"] == pytest.approx(-gained(sheet))
    assert sorted(row["games"] for row in rows.values()) == [0, 0, 1, 1]


def test_what_cannot_be_said_is_refused_in_one_sentence(run: Run, told: Told, tmp_path: Path) -> None:
    told(*FOUR)
    assert refused(run, "standings", "--luck").startswith("there is no game of this tournament")
    told("new Keizer --system keizer --rounds 3 --file keizer.gnomon-tournament")
    assert "game by game" in refused(run, "standings", "--luck", "--file", "keizer.gnomon-tournament")
    bad = tmp_path / "bad.sheet"
    bad.write_text("Sheet: 1\nGame: twenty-squares\nSettings: counters=2\n\n1. nonsense\n")
    given = ("standings", "--games", str(bad), "--file", "evening.gnomon-tournament")
    assert "bad.sheet" in refused(run, *given, code=2)
