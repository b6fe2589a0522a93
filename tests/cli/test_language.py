"""The language of a run: chosen on the command line or in the environment, English where nobody says."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.cli.words import LANGUAGE, command_words, say, say_sentence
from gnomon.refusals import NOTHING, Refusal, statement
from gnomon.words import LANGUAGES
from gnomon_pi.cli.daemon import main as daemon

OCCUPIED = statement("told.tabik.occupied", rules=(4,), square="a1")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a command said, which the command line has while a test lasts."""
    said: list[str] = []

    @click.command()
    def ask() -> None:
        said.extend([command_words().language, say(Refusal(OCCUPIED)), say_sentence(OCCUPIED)])

    monkeypatch.setattr(type(main), "FUNCTIONS", {"ask": "none:ask"})
    monkeypatch.setattr(main, "get_command", lambda _context, name: {"ask": ask}.get(name))
    return said


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        ([], {}, ["en", "rule 4: a stone stands on a1", "Rule 4: a stone stands on a1."]),
        (
            ["--language", "de"],
            {},
            ["de", "Regel 4: auf a1 steht ein Stein", "Regel 4: Auf a1 steht ein Stein."],
        ),
        ([], {LANGUAGE: "fr"}, ["fr", "règle 4\xa0: une pierre est en a1", "Règle 4\xa0: une pierre est en a1."]),
        (
            ["--language", "en"],
            {LANGUAGE: "fr"},
            ["en", "rule 4: a stone stands on a1", "Rule 4: a stone stands on a1."],
        ),
    ],
)
def test_a_command_speaks_the_language_of_its_run(
    asked: list[str], arguments: list[str], environment: dict[str, str], told: list[str]
) -> None:
    result = CliRunner().invoke(main, [*arguments, "ask"], env=environment, catch_exceptions=False)
    assert (result.output, asked) == ("", told)


@pytest.mark.parametrize("program", [main, daemon])
def test_a_language_that_there_is_not_is_refused_with_those_that_there_are(program: click.Group) -> None:
    result = CliRunner().invoke(program, ["--language", "xx"])
    assert result.exit_code == 2
    assert "'xx' is not one of en, de, fr" in result.output


def test_outside_of_a_run_english_is_spoken() -> None:
    assert command_words().language == "en"
    assert say_sentence(OSError("no such thing")) == "no such thing"
    assert say(NOTHING) == ""


def test_no_word_is_read_for_english() -> None:
    program = (
        "from gnomon.words import _packed_entries; from gnomon.cli import main\n"
        "main(['rules', 'tabik'], standalone_mode=False)"
    )
    checked = f"{program}\nassert _packed_entries.cache_info().misses == 0"
    subprocess.run([sys.executable, "-c", checked], check=True, input=b"quit\n")


EVENING = (
    "new Abend --rounds 3",
    "add Ada:1500 Ben Cleo Dov",
    "apart 1 2",
    "bye 3 half --round 2",
    "publish",
    "result 1 1-0 2 =",
    "correct 1 0-1 --why verschrieben",
    "rounds --by-name",
    "standings",
    "cross",
    "entrants",
    "heading --city Bonn",
    "log",
    "undo --why Irrtum",
    "mend",
    "pair",
)
ENGLISH_WORDS = re.compile(
    r"\b(?:the|is|was|of|round|board|no|entrants?|after|in order|Place|Moves|Standings|Rating)\b"
)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_a_tournament_on_the_command_line_speaks_the_language_of_its_run(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in EVENING:
        arguments = ["--language", language, "tournament", *command.split()]
        result = CliRunner().invoke(main, arguments, env={"GNOMON_WHO": "Ada"}, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert result.output
        assert ENGLISH_WORDS.findall(result.output) == [], result.output


def test_a_tournament_refuses_in_the_language_of_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["--language", "de", "tournament", "standings"])
    assert result.exit_code == 1
    assert result.output.startswith("Fehler: in diesem Ordner gibt es kein Turnier")
