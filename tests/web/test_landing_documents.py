"""The documents that come with the program, as pages: all of them, every link in them, and every rule by its number."""

import re
import tomllib
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from gnomon.rules.registry import GAMES
from gnomon.views.show import show
from gnomon.web.pages._documents import GUIDES, NoDocumentError, address, document
from gnomon.words import LANGUAGES, NO_BREAK, words
from tests.docs_examples.translated_rules import languages, translations
from tests.web.visitors import Browser, Reception

ROOT: Final = Path(__file__).parents[2]
ALL: Final = (*(f"rules/{game}" for game in GAMES), *GUIDES)
WRITTEN: Final = (*((name, "en") for name in ALL), *((f"rules/{game}", each) for each, game in translations()))
"""Every document in every language in which it is written."""


@pytest.fixture
def browser() -> Browser:
    return Reception().browser()


@pytest.mark.parametrize(("name", "language"), WRITTEN)
def test_a_document_has_a_title_and_its_links_lead_somewhere(name: str, language: str) -> None:
    found = document(name, language)
    assert found.title
    assert found.language == language
    assert "<h1" not in found.body
    for where in re.findall(r'href="([^"]+)"', found.body):
        address_, _, part = unquote(where).partition("#")
        path, _, asked = address_.partition("?language=")
        other = name if not path else next(each for each in ALL if address(each) == path)
        assert not part or f'id="{part}"' in document(other, asked or language).body, where


@pytest.mark.parametrize(("language", "game"), translations())
def test_rules_are_read_in_the_language_of_the_reader(browser: Browser, language: str, game: str) -> None:
    page = browser.get(f"/rules/{game}", **{"Accept-Language": language}).text
    own, english = document(f"rules/{game}", language), document(f"rules/{game}")
    assert own.sections in page
    assert f'<article lang="{language}">' in page
    assert words(language)("landing.document.english") not in page
    assert f'href="/rules/{game}?language=en#appendix"' in page
    (asked,) = re.findall(r'href="(/rules/[^"]+)#appendix"', page)
    assert english.sections in browser.get(asked, **{"Accept-Language": language}).text


@pytest.mark.parametrize("name", ALL)
def test_what_is_not_translated_is_read_in_english(name: str) -> None:
    for language in {*LANGUAGES, "nl"} - ({*languages()} if name.startswith("rules/") else set()):
        assert document(name, language) == document(name)


def test_a_page_in_english_says_so_to_readers_of_other_languages(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon.web.pages.guide.document", lambda name, _: document(name))
    page = browser.get("/rules/tabik", **{"Accept-Language": "de"}).text
    assert words("de")("landing.document.english") in page
    assert '<article lang="en">' in page


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


@pytest.mark.parametrize("game", [game for language, game in translations() if language == "fr"])
def test_no_line_of_a_french_page_begins_with_a_sign(game: str) -> None:
    found = document(f"rules/{game}", "fr")
    prose = re.sub(r"<(pre|code)\b.*?</\1>", "", found.title + found.body, flags=re.DOTALL)
    assert NO_BREAK in found.title
    assert f"{NO_BREAK};" in prose
    assert re.findall(r" [:;!?»]|« ", prose) == []


@pytest.mark.parametrize(("language", "game"), [*(("en", game) for game in sorted(GAMES)), *translations()])
def test_a_table_of_settings_is_wrapped_and_no_box_to_scroll_in(language: str, game: str) -> None:
    body = document(f"rules/{game}", language).body
    heads = rf"<tr>\n<th>{words(language)('rules.setting')}</th>\n<th>[^<]+</th>\n<th>([^<]+)</th>"
    ((kind, heading),) = re.findall(rf'<div class="([^"]+)"[^>]*><table>\n<thead>\n{heads}', body)
    assert kind == "settings"
    assert f'<td data-heading="{heading}"><code>' in body  # a default says on a phone what it is
