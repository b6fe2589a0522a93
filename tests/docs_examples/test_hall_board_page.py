"""The page of a board in a hall: what it says is seen at the board is what the board says."""

import re
from pathlib import Path

from click.testing import CliRunner

from gnomon.words import ENGLISH
from gnomon_pi.cli.daemon import main

PAGE = (Path(__file__).parents[2] / "docs" / "hall-board.md").read_text(encoding="utf-8")
SAID = re.findall(r"^\| `([^`]+\.|[^`]+…)` \|", PAGE, re.MULTILINE)


def test_every_sentence_of_the_page_is_one_that_the_board_says() -> None:
    assert len(SAID) == 6
    health = {key: said for key, said in ENGLISH.entries.items() if key.startswith(("health.hall", "health.result"))}
    known = [re.compile(".+".join(map(re.escape, re.split(r"\{[^}]*\}", said)))) for said in health.values()]
    for sentence in SAID:
        assert any(each.fullmatch(sentence.replace("…", "x.")) for each in known), sentence


def test_every_option_of_the_page_is_one_of_the_daemon() -> None:
    shown = CliRunner().invoke(main, ["--help"]).output
    for option in ("--hall", "--home-assistant"):
        assert option in PAGE
        assert option in shown
