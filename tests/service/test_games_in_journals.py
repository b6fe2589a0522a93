"""What `gnomond status` says of the last games: over, paused, being played, or not to be told."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.event_codec import body_of
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Event, Paused, Resumed
from gnomon.timekeeping.instants import Instant
from gnomon_pi.cli.daemon import main
from gnomon_pi.cli.status import last_game

WALL = "2026-11-20T10:00:00.000+00:00"


def write(path: Path, *events: Event, ended: bool = False, settings: dict[str, object] | None = None) -> Path:
    """A journal with one game of TAMSK and these events in it."""
    with Journal.open(path) as journal:
        journal.begin(GameStart("tamsk", settings or {"level": 1}, "assistant", Instant(0), "boot", WALL, "1", "tamsk"))
        journal.append(Entry(1, EntryKind.NOTE, Instant(0), {"note": "begun", "origin_us": 0}, "boot", WALL))
        for event in events:
            kind, body = body_of(event)
            journal.append(Entry(1, kind, event.at, body, "boot", WALL))
        if ended:
            journal.end(Entry(1, EntryKind.NOTE, Instant(2), {"note": "over"}, "boot", WALL))
    return path


PAUSED = Paused(Instant(1), "arbiter", "tea")
RESUMED = Resumed(Instant(2), "arbiter")


def status(*arguments: str) -> dict[str, object]:
    """What the command says to programs."""
    ran = CliRunner().invoke(main, ["status", "--json", *arguments])
    assert ran.exit_code == 0, ran.output
    said: dict[str, object] = json.loads(ran.stdout)
    return said


@pytest.mark.parametrize(
    ("events", "ended", "state", "played"),
    [
        ([], False, "is being played", True),
        ([PAUSED], False, "is paused", False),
        ([PAUSED, RESUMED], False, "is being played", True),
        ([], True, "is over", False),
    ],
)
def test_a_game_is_played_when_it_is_neither_over_nor_paused(
    tmp_path: Path, events: list[Event], ended: bool, state: str, played: bool
) -> None:
    path = write(tmp_path / "tamsk.journal", *events, ended=ended)
    game = last_game(path)
    assert game.sentence == f"Game 1 of {path}, tamsk, begun {WALL}, {state}."
    assert game.is_played is played
    assert status(f"--journal={path}")["playing"] is played


def test_a_game_that_cannot_be_understood_counts_as_played(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal", settings={"speed": 9})
    game = last_game(path)
    assert game.is_played
    assert game.sentence.startswith("Game 1 of the journal cannot be restored: ")
    assert game.sentence.endswith("; it counts as being played.")


def test_a_running_daemon_is_asked_without_being_disturbed(tmp_path: Path) -> None:
    path = write(tmp_path / "tamsk.journal")
    with Journal.open(path):
        assert status(f"--state={tmp_path}")["playing"] is True


def test_every_journal_of_the_folder_counts(tmp_path: Path) -> None:
    write(tmp_path / "tamsk.journal", ended=True)
    write(tmp_path / "tayu.journal")
    said = CliRunner().invoke(main, ["status", f"--state={tmp_path}"]).stdout.splitlines()
    assert [line.rpartition(", ")[2] for line in said] == ["is over.", "is being played."]
    assert status(f"--state={tmp_path}")["playing"] is True


def test_without_a_game_nothing_is_played(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["status", f"--state={tmp_path}"]).stdout == "There is no journal yet.\n"
    with Journal.open(tmp_path / "tamsk.journal"):
        pass
    assert last_game(tmp_path / "tamsk.journal").sentence == f"{tmp_path / 'tamsk.journal'} holds no game."
    assert status(f"--state={tmp_path}")["playing"] is False


def test_a_journal_that_cannot_be_read_is_said_and_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "tamsk.journal").write_bytes(b"no database " * 100)
    game = last_game(tmp_path / "tamsk.journal")
    assert not game.is_played
    assert "it is not a journal, or damaged" in game.sentence


def test_a_missing_journal_is_said_in_words_and_is_no_failure_as_the_help_tells(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    ran = CliRunner().invoke(main, ["status", f"--journal={path}"])
    assert (ran.exit_code, ran.stdout) == (0, f"There is no journal {path}.\n")
    assert CliRunner().invoke(main, ["status", "--colour"]).exit_code == 2
    told = " ".join(CliRunner().invoke(main, ["status", "--help"]).stdout.split())
    assert "The exit status is 0 whatever the answer is. If a journal is missing" in told
    assert "The exit status is 2 for a command that was not understood." in told
