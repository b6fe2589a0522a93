"""The page about `gnomon rules`: its dialogues are replayed line by line, its tables are those of the program."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.cli.game_commands import rules as protocol
from gnomon.cli.game_commands.rules import Talk
from gnomon.rules.registry import GAMES, rules_of
from tests.docs_examples.pages import codes, dialogues, page, sections, table

PAGE = page("line-protocol.md")
DIALOGUES = [
    pytest.param(dialogue, id=f"{title}: {dialogue.splitlines()[0]}")
    for title, text in sections(PAGE).items()
    for dialogue in dialogues(text)
]
PROMPT = "> "
ANYTHING = "…"  # stands for what a line leaves out


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_a_dialogue_goes_as_it_is_written(dialogue: str) -> None:
    command, *lines = dialogue.splitlines()
    assert command.startswith("$ gnomon ")
    written = [line.removeprefix(PROMPT) for line in lines if line.startswith(PROMPT)]
    result = CliRunner().invoke(main, shlex.split(command)[2:], input="".join(f"{line}\n" for line in written))
    assert (result.exit_code, result.stderr) == (0, "")
    # Reply by reply, so that a reply too many or too few shows where it is.
    replies = iter(result.stdout.splitlines())
    found = [line if line.startswith(PROMPT) else fitting(line, next(replies, "")) for line in lines]
    assert found == lines
    assert list(replies) == []


def fitting(expected: str, reply: str) -> str:
    """The expected line if the reply fits it, else the reply."""
    pattern = ".*".join(map(re.escape, expected.split(ANYTHING)))
    return expected if re.fullmatch(pattern, reply) else reply


@pytest.mark.parametrize(
    ("expected", "reply", "fits"),
    [("ok {a, …}", "ok {a, b}", True), ("ok", "ok", True), ("ok", "ok 1", False), ("ok …}", "ok {a", False)],
)
def test_only_what_a_line_leaves_out_may_differ(expected: str, reply: str, fits: bool) -> None:
    assert (fitting(expected, reply) == expected) is fits


def test_every_command_stands_in_the_table() -> None:
    named = [codes(row["command"])[0].split()[0].encode() for row in table(PAGE, "command")]
    assert named == list(Talk(rules_of("tamsk", {}))._commands)


def test_every_code_of_an_error_stands_in_the_table_and_in_a_dialogue() -> None:
    named = [codes(row["code"])[0] for row in table(PAGE, "code")]
    assert named == [protocol.SYNTAX, protocol.ILLEGAL, protocol.STATE, protocol.UNKNOWN]
    replied = [re.findall(r"^error (\w+) ", dialogue, re.MULTILINE) for dialogue in dialogues(PAGE)]
    assert {code for codes_of_one in replied for code in codes_of_one} == set(named)


@pytest.mark.parametrize("game", GAMES)
def test_the_keys_of_the_state_are_those_of_the_tables(game: str) -> None:
    reply = Talk(rules_of(game, {})).reply(b"state")
    assert reply is not None
    of_every_game, own = (table(sections(PAGE)[title], "key") for title in ("The state", game))
    assert [codes(row["key"])[0] for row in [*of_every_game, *own]] == list(json.loads(reply.removeprefix("ok ")))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_dialogue(game: str) -> None:
    assert all(f"$ gnomon rules {game}" in dialogue for dialogue in dialogues(sections(PAGE)[game]))
    assert dialogues(sections(PAGE)[game])
