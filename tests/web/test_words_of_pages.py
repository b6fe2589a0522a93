"""The words that the pages' programs ask for: light on the way, and not sent twice."""

import re

import pytest

from gnomon import words as lookup
from gnomon.web import _pictures
from gnomon.web._pictures import live
from gnomon.web._templates import HERE
from gnomon.words import LANGUAGES, words
from tests.web.visitors import Browser, Reception


@pytest.fixture
def browser() -> Browser:
    return Reception().browser()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_the_same_packed_and_plain(browser: Browser, language: str) -> None:
    address = f"/words/{language}.json"
    packed = browser.get(address, **{"accept-encoding": "gzip"})
    plain = browser.get(address, **{"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) * 3 < int(plain.headers["content-length"])
    of_commands = ("command.", "option.", "usage.")  # of which no page speaks
    said = {key: entry for key, entry in words(language).entries.items() if not key.startswith(of_commands)}
    assert packed.json() == plain.json() == said
    assert len(said) > 5000


def test_words_that_a_browser_knows_are_not_sent_again(browser: Browser) -> None:
    mark = browser.get("/words/de.json").headers["etag"]
    again = browser.get("/words/de.json", **{"if-none-match": mark})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get("/words/fr.json", **{"if-none-match": mark}).status_code == 200


def test_a_page_names_every_language_and_reads_the_words_of_its_own(browser: Browser) -> None:
    lookup._forget()
    text = browser.get("/help").text
    assert all(name in text for name in ("English", "Deutsch", "Français"))
    assert lookup._packed_entries.cache_info().currsize == 1


def test_there_are_no_words_of_a_language_that_nobody_wrote(browser: Browser) -> None:
    answer = browser.get("/words/xx.json")
    assert answer.status_code == 404
    assert "no words in 'xx'" in answer.json()["error"]


@pytest.mark.parametrize("address", ["/board/looks/tayu.svg", live("board")])
def test_a_drawing_is_sent_packed_too(browser: Browser, address: str) -> None:
    packed = browser.get(address, **{"accept-encoding": "gzip"})
    plain = browser.get(address, **{"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert plain.text.startswith("<svg")


def test_the_drawing_that_a_page_moves_is_kept_packed() -> None:
    assert live("board")
    kept = _pictures._pack_drawing("tamsk", "board")
    assert len(kept.packed) < 20_000  # of 200 KB


def test_what_stands_between_a_name_and_its_value_is_said_by_the_language_and_by_no_page() -> None:
    pages = [*(HERE / "templates").glob("*.html"), *(HERE / "static").glob("*.js")]
    glued = re.compile(r"say\([^{}]*\) ?\}+: ")
    assert len(pages) > 40
    assert [page.name for page in pages if glued.search(page.read_text())] == []
    named = [words(language)("page.named", name="a", value="b") for language in LANGUAGES]
    assert named == ["a: b", "a: b", "a\xa0: b"]
