"""What the command line says of match clocks."""

from pathlib import Path

from click.testing import CliRunner

from gnomon.cli import main
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant

TERMS = {"clock": "40/90+30 then 30+30", "flag": "shown"}


def test_a_clock_has_no_rules_to_be_played_by_lines() -> None:
    result = CliRunner().invoke(main, ["rules", "clock"], input="new\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: clock has no rules: it is a clock for games that Gnomon does not know\n"


def test_games_are_listed_with_the_terms_of_their_clocks(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.db")
    game = journal.begin(GameStart("table", TERMS, "silent", Instant(0), "boot", "today", "1", "clock"))
    journal.append(Entry(game, EntryKind.NOTE, Instant(0), {"note": "begun"}, "boot", "today"))
    journal.close()
    result = CliRunner().invoke(main, ["journal", "games", str(tmp_path / "journal.db")])
    assert result.exit_code == 0, result.output
    assert result.stdout.split() == [
        *("1", "today", "clock", "(table)"),
        *('clock="40/90+30', "then", '30+30"', "flag=shown"),
    ]


def test_a_sheet_without_points_says_nothing_of_a_score() -> None:
    sheet = "Sheet: 1\nGame: clock\nClock: 25+10\n\n1. left press 5\n"
    result = CliRunner().invoke(main, ["sheet", "show", "-"], input=sheet)
    assert result.stdout.endswith("\n  no result\n")
