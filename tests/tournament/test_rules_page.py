"""Test that the page of tournament rules has every name that settings take, and no other."""

import re
from pathlib import Path

from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.tiebreaks import TEAM_TIE_BREAKS
from gnomon.tournament.tiebreaks.rule_sets import RULE_SETS
from gnomon.tournament.tiebreaks.values import MODIFIERS, NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "tournament-rules.md").read_text(encoding="utf-8")


def first_column(heading: str) -> list[str]:
    table = PAGE.partition(f"\n{heading}\n")[2].partition("\n#")[0]
    return [
        name for row in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE) for name in re.findall(r"`(\w[^`]*)`", row)
    ]


def test_every_system_rule_set_and_tie_break_stands_on_the_page() -> None:
    assert first_column("## Systems")[1:] == [system.value for system in System]
    assert first_column("### Rule sets")[1:] == list(RULE_SETS)
    assert sorted(first_column("### Tie-breaks")) == sorted(NAMES)
    rows = re.findall(r"^\| `(\w)` \| ([^|]*) \|", PAGE.partition("### Modifiers")[2], re.MULTILINE)
    assert {modifier: tuple(re.findall(r"`(\w+)`", names)) for modifier, names in rows} == MODIFIERS
    assert first_column("### Teams") == list(TEAM_TIE_BREAKS)


def test_the_page_names_the_tie_breaks_of_each_rule_set() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE.partition("### Rule sets")[2], re.MULTILINE))
    for name, rules in RULE_SETS.items():
        if rows[name] != "the same":
            assert tuple(re.findall(r"`(\w+)`", rows[name])) == rules.tie_breaks
