"""The page about the coach: its example is the hint that the command prints."""

import shlex

from click.testing import CliRunner

from gnomon.cli import main
from tests.docs_examples.pages import dialogues, page


def test_the_hint_is_what_the_command_prints() -> None:
    (dialogue,) = dialogues(page("coach.md"))
    command, printed = dialogue.split("\n", 1)
    ran = CliRunner().invoke(main, shlex.split(command)[2:])
    assert (ran.exit_code, ran.output) == (0, printed)
