"""The page of a board in a hall: what it says is seen at the board is what the board says."""

import re
from pathlib import Path

from click.testing import CliRunner

from gnomon.views.retelling import recognised
from gnomon_pi.cli.daemon import main

PAGE = (Path(__file__).parents[2] / "docs" / "hall-board.md").read_text(encoding="utf-8")
SAID = re.findall(r"^\| `([^`]+\.|[^`]+…)` \|", PAGE, re.MULTILINE)


def test_every_sentence_of_the_page_is_one_that_the_board_says() -> None:
    assert len(SAID) == 6
    for sentence in SAID:
        found = recognised(sentence.replace("…", "x."), "health")
        assert found is not None
        assert found[0].startswith(("health.hall", "health.result"))


def test_every_option_of_the_page_is_one_of_the_daemon() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    for option in ("--hall", "--home-assistant"):
        assert option in PAGE
        assert option in shown
