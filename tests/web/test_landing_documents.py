"""The documents that come with the program, as pages: all of them, every link in them, and every rule by its number."""

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from gnomon.rules.registry import GAMES
from gnomon.views.show import show
from gnomon.web.pages._documents import GUIDES, NoDocumentError, address, document

ROOT: Final = Path(__file__).parents[2]
ALL: Final = (*(f"rules/{game}" for game in GAMES), *GUIDES)


@pytest.mark.parametrize("name", ALL)
def test_a_document_has_a_title_and_its_links_lead_somewhere(name: str) -> None:
    found = document(name)
    assert found.title
    assert "<h1" not in found.body
    for where in re.findall(r'href="([^"]+)"', found.body):
        path, _, part = where.partition("#")
        other = name if not path else next(each for each in ALL if address(each) == path)
        assert not part or f'id="{part}"' in document(other).body, where


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_a_ruling_names_can_be_looked_up(game: str) -> None:
    cited = set(show(game).reasons.values())
    cited -= {0}  # said without a rule
    assert cited
    named = set(map(int, re.findall(r'<li id="rule-(\d+)"', document(f"rules/{game}").body)))
    assert cited <= named


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_numbered_without_a_gap(game: str) -> None:
    numbers = [int(number) for number in re.findall(r'id="rule-(\d+)"', document(f"rules/{game}").body)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 1


@pytest.mark.parametrize("name", ["decisions/0001", "rules/chess", "../README", "rules/../install", ""])
def test_nothing_else_is_read(name: str) -> None:
    assert address(name) == ""
    with pytest.raises(NoDocumentError):
        document(name)


def test_the_program_carries_what_it_serves() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    carried = told["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    needed = {"docs/rules": "gnomon/web/docs/rules"}
    needed |= {f"docs/{guide}.md": f"gnomon/web/docs/{guide}.md" for guide in GUIDES}
    assert carried.items() >= needed.items()
    assert all((ROOT / source).exists() for source in carried)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_table_of_settings_is_wrapped_and_no_box_to_scroll_in(game: str) -> None:
    body = document(f"rules/{game}").body
    assert body.count('<div class="settings"><table>') == 1
    assert '"wide" tabindex="0"><table>\n<thead>\n<tr>\n<th>setting</th>' not in body
