"""The commands `gnomon tournament` on a hall's database, where others tell the same tournament something too."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.cli.tournament_commands._places import at_wall
from gnomon.hall.hall import Hall
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.store import backend
from gnomon.tournament.events import ByeGranted, EntrantRegistered
from gnomon.tournament.state.settings import Bye, System, TournamentSettings
from gnomon.web.sheets.paper import _css_text

TOLD = at_wall(lambda: datetime(2026, 11, 20, 18, 0, tzinfo=UTC))
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder with the empty database of a hall."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GNOMON_WHO", "Ada")
    monkeypatch.setenv("GNOMON_DATABASE", "hall.db")
    backend.open_database("hall.db").close()

    def run(command: str) -> Result:
        result = CliRunner().invoke(main, ["tournament", *command.split()], obj=TOLD)
        assert isinstance(result.exception, SystemExit | None), result.exception
        return result

    return run


def said(run: Run, *commands: str) -> str:
    last = ""
    for command in commands:
        result = run(command)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        last = result.stdout
    return last


def refused(run: Run, command: str, code: int = 1) -> str:
    result = run(command)
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr.strip().splitlines()[-1].removeprefix("Error: ")


def test_a_tournament_of_a_hall_is_told_by_commands(run: Run) -> None:
    opened = said(run, "new Übung_Groß --rounds 3")
    assert opened.startswith("ubung-gross in hall.db: Übung_Groß, swiss, 3 rounds")
    said(run, "add Ben:1900 Cleo:1800", "heading --city Bonn", "publish", "result 1 1-0", "undo --why slip")
    assert said(run, "rounds").splitlines()[0] == "Round 1 of 3, waiting for board 1"
    assert " ".join(said(run, "log --last 1").split()).endswith("1 Ben – 2 Cleo result taken back: slip")
    exported = json.loads(said(run, "export json"))
    assert (len(exported["events"]), "seal" in exported) == (7, False)
    assert str(_css_text(" · 7"))[1:] in said(run, "print entrants")


def test_commands_and_a_hall_at_work_tell_the_same_tournament(run: Run) -> None:
    hall = Hall.open("hall.db", MemoryBroker().connect())
    try:
        hall.open_tournament("evening", TournamentSettings("Evening", System.SWISS, 3), "Dora")
        said(run, "add Ben Cleo")
        hall.tell("evening", EntrantRegistered(3, "Dov"), "Dora", after=3)
        assert said(run, "entrants").splitlines()[-1] == "3 entrants, 3 in round 1"
        said(run, "new Second")
        assert [kept.id for kept in hall.tournaments()] == ["evening", "second"]
        said(run, "bye 1 half --tournament evening")
        assert hall.book("evening").read()[-1].event == ByeGranted(1, 1, Bye.HALF)
    finally:
        hall.close()


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("standings --tournament third", 1, "there is no tournament third in hall.db: open one with"),
        ("standings", 1, "there are 2 tournaments in hall.db: say --tournament (evening, second)"),
        ("new Second", 1, "the tournament second in hall.db exists already: choose another name with --tournament"),
        ("new Second --tournament 2_nd", 1, "2_nd cannot be the short name of a tournament in a hall: give"),
        ("mend --tournament second", 1, "second in hall.db is in a database, which mends itself: there is nothing to"),
        ("add Eva --tournament second --after 9", 1, "second has 1 events, but you have seen 9"),
        (
            "standings --database none.db",
            1,
            "none.db does not exist: name the file of a hall's database, or postgresql:",
        ),
        ("standings --database words.txt", 1, "the database words.txt cannot be used: it is not a database"),
        ("standings --database postgresql://127.0.0.1:1/x", 1, "the database"),
        ("standings --database hall.db --file x", 2, "a tournament is kept in a file or in a hall's database: say"),
        ("standings --file none", 1, "there is no tournament in none: open one with"),
        ("standings --file none --tournament second", 2, "--tournament names one in a hall's database: say which"),
    ],
)
def test_what_cannot_be_found_is_said_in_a_sentence(run: Run, command: str, code: int, sentence: str) -> None:
    said(run, "new Evening", "new Second")
    Path("words.txt").write_text("no database, but words enough to be taken for one " * 20, encoding="utf-8")
    assert sentence in refused(run, command, code)


def test_a_hall_without_a_tournament_says_so(run: Run) -> None:
    assert refused(run, "standings").startswith("there is no tournament in hall.db: open one with")


def test_what_the_environment_says_gives_way_to_the_command_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    said(run, "new Evening")
    monkeypatch.setenv("GNOMON_TOURNAMENT", "other.gnomon-tournament")
    assert "say --file or --database, not both" in refused(run, "standings", 2)
    said(run, "standings --database hall.db")
    assert "there is no tournament in other.gnomon-tournament" in refused(
        run, "standings --file other.gnomon-tournament"
    )


def test_ratings_know_which_game_a_halls_boards_play(run: Run) -> None:
    database = backend.open_database("hall.db")
    hall = Hall(database, MemoryBroker().connect())
    for name, round_games in (("open", ()), ("mix", ("Chess",))):
        settings = TournamentSettings(name.title(), System.SWISS, 1, round_games=round_games)
        hall.open_tournament(name, settings, "Ada", BoardAssignment("tabik"))
    hall.close()
    database.close()
    for name in ("open", "mix"):
        said(run, f"add Ben:2000 Cleo:1900 --tournament {name}", f"publish --tournament {name}")
        said(run, f"result 1 1-0 --tournament {name}")
    followed = json.loads(said(run, "elo hall.db --json"))
    assert [(one["game"], one["name"], one["rating"]) for one in followed] == [
        ("chess", "Ben", 2007),
        ("chess", "Cleo", 1893),
        ("tabik", "Ben", 2007),
        ("tabik", "Cleo", 1893),
    ]
