"""The page about engines: its dialogue is replayed, its tables are complete, and its engine in Python plays."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.cli.engine import engine
from gnomon.engines.plugins import MEMORY, PATIENCE, read_plugin
from gnomon.engines.ugi import UgiSession
from tests.docs_examples.pages import codes, dialogues, page, sections, table
from tests.docs_examples.test_line_protocol_page import PROMPT, fitting

PAGE = page("engines.md")
(GREEDY,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(FILE,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("dialogue", dialogues(PAGE))
def test_a_dialogue_goes_as_it_is_written(dialogue: str) -> None:
    command, *lines = dialogue.splitlines()
    program = [sys.executable, "-c", "from gnomon.cli import main; main()", *shlex.split(command)[2:]]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines:
            if line.startswith(PROMPT):
                process.stdin.write(line.removeprefix(PROMPT) + "\n")
                process.stdin.flush()
            else:
                reply = process.stdout.readline().rstrip("\n")
                assert fitting(line, reply) == line
        assert process.stdout.read() == ""


def test_every_command_stands_in_the_table() -> None:
    named = {codes(row["command"])[0].split()[0] for row in table(PAGE, "command", "what it does")}
    assert named == set(UgiSession("tabik", {}, lambda _: None)._commands) - {"debug", "register"}  # type: ignore[arg-type, return-value]  # it says nothing


def test_every_subcommand_is_shown() -> None:
    assert all(f"gnomon engine {name}" in PAGE for name in engine.list_commands(None))  # type: ignore[arg-type]  # no context is needed


def test_the_file_of_the_page_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("#!/bin/sh\n", "utf-8")
    (tmp_path / "mine").chmod(0o755)
    (tmp_path / "mine.toml").write_text(FILE, "utf-8")
    plugin = read_plugin(tmp_path / "mine.toml")
    assert (plugin.games, plugin.memory, plugin.options) == (("tabik", "tamsk"), 512, {"Hash": "64"})
    assert f"{MEMORY} if this is left out" in FILE
    assert f"{PATIENCE} if this is left out" in FILE


@pytest.mark.parametrize(("game", "setting"), [("tabik", "size=3"), ("tamsk", "level=2")])
def test_the_engine_in_python_plays(game: str, setting: str, tmp_path: Path) -> None:
    program = tmp_path / "greedy.py"
    program.write_text(GREEDY, "utf-8")
    assert sum(bool(line.strip()) for line in GREEDY.splitlines()) <= 60
    result = CliRunner().invoke(
        main, ["engine", "check", "--game", game, "--set", setting, sys.executable, str(program), game]
    )
    assert result.exit_code == 0, result.output


def test_the_page_has_its_sections() -> None:
    assert [*sections(PAGE)] == [
        *("The protocol", "Levels", "The compiled search of TAMSK", "Tabik, solved"),
        *("Plugging in an engine", "Checking an engine", "A match", "An engine in Python"),
    ]
