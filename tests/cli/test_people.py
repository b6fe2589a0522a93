"""`gnomon people`: lists, profiles, head to head and decisions, in three languages, over journals and a hall."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.hall import clock
from gnomon.hall.store.backend import open_database
from gnomon.hall.store.records import RecordStore, WriteBatch
from gnomon.records.journal.people_file import NAME
from gnomon.records.journal.writer import Journal
from tests.hall.told import batch, over, record
from tests.web.spectators import SHEETS, fill

GAME: Final = SHEETS[0]
EVENING: Final = (
    GAME,
    GAME.replace("black resigned", "white resigned"),
    GAME.replace("black resigned", "draw agreed"),
    GAME.replace("Bo", "Cleo"),
    GAME.replace("Bo", "Gnomon, level 3"),
)
HALL: Final = {"red": "Ada", "black": "Bo"}
LISTS: Final = {
    "en": """\
Name  Games  Won  Drawn  Lost  Programs  Ratings
Ada       4    2      1     1         1  Tabik 1584 ± 409
Bo        3    1      1     1         0  Tabik 1500 ± 446
Cleo      1    0      0     1         0  Tabik 1338 ± 569
""",
    "de": """\
Name  Partien  Gewonnen  Unentschieden  Verloren  Programme  Wertungszahlen
Ada         4         2              1         1          1  Tabik 1584 ± 409
Bo          3         1              1         1          0  Tabik 1500 ± 446
Cleo        1         0              0         1          0  Tabik 1338 ± 569
""",
    "fr": """\
Nom   Parties  Gagnées  Nulles  Perdues  Programmes  Cotes
Ada         4        2       1        1           1  Tabik 1584 ± 409
Bo          3        1       1        1           0  Tabik 1500 ± 446
Cleo        1        0       0        1           0  Tabik 1338 ± 569
""",
}
PROFILES: Final = {
    "en": """\
Ada (private)

Game   Games  Won  Drawn  Lost      Rating  Rated games
Tabik      4    2      1     1  1584 ± 409            4

Opponent  Game   Games  Won  Drawn  Lost
Bo        Tabik      3    1      1     1
Cleo      Tabik      1    1      0     0

Games against programs
Game   Games  Won  Drawn  Lost
Tabik      1    1      0     0
""",
    "de": """\
Ada (privat)

Spiel  Partien  Gewonnen  Unentschieden  Verloren  Wertungszahl  Gewertet
Tabik        4         2              1         1    1584 ± 409         4

Gegner  Spiel  Partien  Gewonnen  Unentschieden  Verloren
Bo      Tabik        3         1              1         1
Cleo    Tabik        1         1              0         0

Partien gegen Programme
Spiel  Partien  Gewonnen  Unentschieden  Verloren
Tabik        1         1              0         0
""",
    "fr": """\
Ada (page privée)

Jeu    Parties  Gagnées  Nulles  Perdues        Cote  Parties cotées
Tabik        4        2       1        1  1584 ± 409               4

Adversaire  Jeu    Parties  Gagnées  Nulles  Perdues
Bo          Tabik        3        1       1        1
Cleo        Tabik        1        1       0        0

Parties contre des programmes
Jeu    Parties  Gagnées  Nulles  Perdues
Tabik        1        1       0        0
""",
}
MEETINGS: Final = {
    "en": """\
Ada against Bo

Game   Games  Won  Drawn  Lost
Tabik      3    1      1     1

Began             Game   Result  Record
2026-11-20 02:30  Tabik  drawn   …/table.journal #3
2026-11-20 01:30  Tabik  lost    …/table.journal #2
2026-11-20 00:30  Tabik  won     …/table.journal #1
""",
    "de": """\
Ada gegen Bo

Spiel  Partien  Gewonnen  Unentschieden  Verloren
Tabik        3         1              1         1

Beginn            Spiel  Ergebnis       Aufzeichnung
2026-11-20 02:30  Tabik  unentschieden  …/table.journal #3
2026-11-20 01:30  Tabik  verloren       …/table.journal #2
2026-11-20 00:30  Tabik  gewonnen       …/table.journal #1
""",
    "fr": """\
Ada contre Bo

Jeu    Parties  Gagnées  Nulles  Perdues
Tabik        3        1       1        1

Début             Jeu    Résultat  Enregistrement
2026-11-20 02:30  Tabik  nulle     …/table.journal #3
2026-11-20 01:30  Tabik  perdue    …/table.journal #2
2026-11-20 00:30  Tabik  gagnée    …/table.journal #1
""",
}


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of state with a journal of one evening; it is November 2026."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr(clock, "wall", lambda: datetime(2026, 11, 30, tzinfo=UTC))
    folder = tmp_path / "gnomon"
    folder.mkdir()
    with Journal.open(folder / "table.journal") as journal:
        fill(journal, EVENING, day="2026-11-20")
    return folder


def ask(*arguments: str, language: str = "en", code: int = 0) -> str:
    """What the command says, which must end with this code."""
    result = CliRunner().invoke(main, ["--language", language, "people", *arguments])
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize("language", LISTS)
def test_everybody_is_listed(club: Path, language: str) -> None:
    assert ask(language=language) == ask("--from", str(club), language=language) == LISTS[language]


@pytest.mark.parametrize("language", PROFILES)
def test_a_person_is_shown_by_game_and_opponent(club: Path, language: str) -> None:
    assert ask("ada", language=language) == PROFILES[language], club


@pytest.mark.parametrize("language", MEETINGS)
def test_two_people_are_shown_head_to_head(club: Path, language: str) -> None:
    assert ask("Ada", "bo", language=language).replace(str(club), "…") == MEETINGS[language]


def test_two_who_have_not_met_are_told_so(club: Path) -> None:
    assert ask("Bo", "Cleo").splitlines()[-1] == "They have not played a finished game against each other.", club


def test_programs_are_told_the_same(club: Path) -> None:
    assert [one["name"] for one in json.loads(ask("--json"))] == ["Ada", "Bo", "Cleo"]
    ada = json.loads(ask("show", "Ada", "--json"))
    assert ada["results"] == {"tabik": {"won": 2, "drawn": 1, "lost": 1}}
    assert ada["ratings"]["tabik"]["deviation"] == pytest.approx(208.56, abs=0.01)
    met = json.loads(ask("Ada", "Bo", "--json", "--from", str(club / "table.journal")))
    assert [game["result"] for game in met["games"]] == ["drawn", "lost", "won"]


def test_decisions_are_kept_beside_the_journal_and_can_be_undone(club: Path) -> None:
    assert ask("publish", "Ada") == "Everybody may see the page of Ada.\n"
    assert ask("Ada").startswith("Ada (public)")
    assert ask("withdraw", "Ada") == "Only arbiters and Ada may see that page.\n"
    assert ask("join", "cleo", "Bo") == "cleo is another spelling of Bo now.\n"
    assert "Written as: Bo, Cleo" in ask("Cleo")
    assert ask("part", "Cleo") == "Cleo is a separate person again.\n"
    assert ask("engine", "Cleo") == "Cleo is a program.\n"
    assert "Cleo" not in ask()
    assert ask("engine", "Cleo", "--undo") == "Cleo is a person.\n"
    assert ask("forget", "Bo") == "Bo is shown as N. N. 1 from now on. The journal keeps the name.\n"
    assert ask("Bo", code=2) == "Error: no game names Bo\n"
    assert "N. N. 1" in ask()
    assert '"Bo"' not in CliRunner().invoke(main, ["journal", "bundle", str(club / "table.journal")]).output
    assert ask("recall", "Bo") == "Bo is shown again.\n"
    assert ask() == LISTS["en"]
    assert (club / NAME).is_file()


def test_decisions_may_stand_elsewhere(club: Path, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "club.json")
    ask("publish", "Ada", "--decisions", elsewhere)
    assert ask("Ada", "--decisions", elsewhere).startswith("Ada (public)")
    assert ask("Ada").startswith("Ada (private)")
    assert not (club / NAME).exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("Zoe",), "no game names Zoe"),
        (("Ada", "Zoe"), "no game names Zoe"),
        (("publish", "Zoe"), "no game names Zoe"),
        (("join", "Ada", "Zoe"), "no game names Zoe"),
        (("join", "Ada", "ada"), "Ada and ada are already one person"),
        (("part", "Ada"), "Ada is not joined to anybody"),
        (("recall", "Ada"), "Ada is not forgotten"),
        (("Zoe", "--export", "-"), "no game names Zoe"),
        (("Ada", "--export", "no/such/file"), "no/such/file cannot be written: No such file or directory"),
        (("--from", "none.journal"), "the journal none.journal cannot be used: No such file or directory"),
        (("--from", "postgresql://nobody@127.0.0.1:1/none"), ""),
    ],
)
def test_what_cannot_be_done_is_one_sentence(club: Path, arguments: tuple[str, ...], why: str) -> None:
    said = ask(*arguments, code=2)
    assert said.startswith(f"Error: {why}"), club
    assert said.count("\n") == 1
    assert not (club / NAME).exists()


def test_an_export_without_a_name_is_a_mistake(club: Path) -> None:
    assert "--export needs NAME." in ask("--export", "-", code=2), club
    assert "--history needs NAME." in ask("--history", code=2)


def test_ratings_are_shown_month_by_month(club: Path) -> None:
    assert [line.split() for line in ask("Ada", "--history").splitlines()] == [
        ["Game", "Month", "Rating", "Rated", "games"],
        ["Tabik", "2026-11", "1584", "±", "409", "4"],
    ], club
    (month,) = json.loads(ask("Ada", "--history", "--json"))["history"]["tabik"]
    assert (month["month"], month["games"]) == ("2026-11", 4)


def test_everything_that_is_kept_is_exported(club: Path, tmp_path: Path) -> None:
    file = tmp_path / "ada.json"
    assert ask("Ada", "--export", str(file)) == ""
    said = json.loads(file.read_text("utf-8"))
    assert (said["name"], len(said["records"])) == ("Ada", 5)
    assert {record["source"] for record in said["records"]} == {str(club / "table.journal")}


def test_the_boards_of_a_hall_are_read_from_its_database(tmp_path: Path) -> None:
    where = str(tmp_path / "hall.sqlite")
    database = open_database(where)
    for board, winner in (("t01", "red"), ("t02", "black")):
        told = batch(board, record(1), over(2, winner), last=2, ended={1: 2000})
        games = tuple(replace(game, start=replace(game.start, players=HALL, boot=board)) for game in told.games)
        RecordStore(database).save(WriteBatch(records=(replace(told, games=games),)))
    database.close()
    said = json.loads(ask("--json", "--from", where, "--decisions", str(tmp_path / "no.json")))
    assert [(one["name"], one["results"]) for one in said] == [
        ("Ada", {"won": 1, "drawn": 0, "lost": 1}),
        ("Bo", {"won": 1, "drawn": 0, "lost": 1}),
    ]


def test_a_journal_is_not_shown_where_nobody_can_tell_who_is_forgotten(club: Path) -> None:
    (club / NAME).write_text("no register", "utf-8")
    for command in (["games"], ["bundle"]):
        result = CliRunner().invoke(main, ["journal", *command, str(club / "table.journal")])
        assert result.exit_code == 2
        assert result.output.startswith("Error: the decisions about people cannot be read")
    assert ask(code=2).startswith("Error: the decisions about people cannot be read")


def test_without_a_journal_there_is_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "none"))
    assert ask(code=2) == f"Error: there is no journal in {tmp_path / 'none'}\n"
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert ask(code=2) == f"Error: there is no journal in {tmp_path}\n"
    with Journal.open(tmp_path / "new.journal"):
        pass
    assert ask() == "No finished game between named people.\n"
