"""The page about tournaments: its evening is played again, command by command, and says the same."""

import re
import shlex
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.cli.tournament_commands._places import at_wall
from gnomon.cli.tournament_commands.reports.papers import SHEETS
from tests.docs_examples.pages import codes, dialogues, page, table

PAGE = page("tournament.md")
TEAMS = page("tournament-teams.md")
FILE = re.compile(r"`([\w.]+)`:\n\n```(?:csv|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEAL = re.compile(r"\b[0-9a-f]{64}\b")
BEGINNING = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


@pytest.fixture
def an_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    """An empty folder, in the zone and on the terminal of the examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GNOMON_WHO", "Ada")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield CliRunner()
    monkeypatch.undo()
    time.tzset()


def unsealed(line: str) -> str:
    """A line without the digits of a seal, which are others as soon as an opening tells one more setting."""
    return SEAL.sub("seal", line)


@pytest.mark.parametrize("text", [PAGE, TEAMS], ids=["single players", "teams"])
def test_the_evening_is_played_as_it_is_written(an_evening: CliRunner, text: str) -> None:
    for name, content in FILE.findall(text):
        Path(name).write_text(content, encoding="utf-8")
    minutes = count(1)
    told = at_wall(lambda: BEGINNING + timedelta(minutes=next(minutes)))
    for dialogue in dialogues(text):
        said = []
        for command in (line for line in dialogue.splitlines() if line.startswith("$ ")):
            program, *arguments = shlex.split(command.removeprefix("$ "))
            assert program == "gnomon"
            result = an_evening.invoke(main, arguments, obj=told)
            assert isinstance(result.exception, SystemExit | None)
            said += [command, *result.output.splitlines()]
        assert [unsealed(line) for line in said] == [unsealed(line) for line in dialogue.splitlines()]


def test_every_sheet_is_named() -> None:
    rows = table(PAGE, "`print`", "what")
    assert [codes(row["`print`"]) for row in rows] == [[sheet] for sheet in SHEETS]
