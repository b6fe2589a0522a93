"""Rules pages begin for people: what the game is about, a picture and an example turn; figures come last."""

import re

import pytest

from gnomon.rules.registry import GAMES
from gnomon.views.show import show
from gnomon.web._pictures import NoPictureError, example
from gnomon.web.pages._documents import document
from gnomon.words import LANGUAGES, words
from tests.docs_examples import rules_pictures
from tests.docs_examples.pages import rules_page, sections
from tests.web.visitors import Browser, Reception


@pytest.fixture
def browser() -> Browser:
    return Reception().browser()


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("game", GAMES)
def test_a_page_begins_with_two_sentences_a_picture_and_a_turn(game: str) -> None:
    _, about, picture, turn, *_ = rules_page(game).split("\n\n")
    assert plain(about) == plain(words()(f"rules.about.{game}"))
    assert len(about.splitlines()) == 2  # a sentence a line
    shown = example(game)
    assert shown is not None
    assert picture == f"![{shown.sentence}](../pictures/rules/{game}.svg)"
    explained = words()(f"rules.example.{game}")
    assert plain(turn) == plain(f"**An example turn.** {shown.sentence} {explained}")


@pytest.mark.parametrize("game", GAMES)
def test_figures_and_the_words_of_programs_are_in_the_appendix(game: str) -> None:
    *_, last = found = sections(rules_page(game))
    assert last == "Appendix"
    for heading in ("How a game ends", "Check figures"):
        assert f"### {heading}\n" in sections(rules_page(game))["Appendix"]
        assert heading not in found


def test_the_pictures_are_those_that_the_program_draws() -> None:
    for file, svg in rules_pictures.pictures().items():
        assert file.read_text("utf-8") == svg, "`make docs` draws it again"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_reader_meets_the_game_in_their_language(browser: Browser, game: str, language: str) -> None:
    page = plain(browser.get(f"/rules/{game}", **{"Accept-Language": language}).text)
    shown = example(game, words(language))
    assert shown is not None
    for text in (words(language)(f"rules.about.{game}"), shown.sentence, words(language)(f"rules.example.{game}")):
        assert plain(text) in page
    assert 'id="rule-1"' in page
    assert plain(document(f"rules/{game}", language).sections) in page
    assert page.count(plain(words()(f"rules.about.{game}"))) == (language == "en")  # and not once more in the text
    assert f'href="/learn/{game}/first"' in page
    for moment, svg in (("before", shown.before), ("after", shown.after)):
        answer = browser.get(f"/rules/{game}/{moment}.svg", **{"Accept-Language": language})
        assert answer.text == svg
        assert answer.headers["content-type"].startswith("image/svg+xml")


def test_the_page_of_the_ancient_game_says_that_it_is_a_conjecture(browser: Browser) -> None:
    page = browser.get("/rules/twenty-squares").text
    assert "Every reconstruction of this game is conjectural." in page


@pytest.mark.parametrize("path", ["/rules/chess", "/rules/chess/after.svg", "/rules/tabik/later.svg"])
def test_nothing_else_is_shown(browser: Browser, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_a_game_that_there_is_not_has_no_example() -> None:
    with pytest.raises(NoPictureError):
        example("chess")


@pytest.mark.parametrize("game", GAMES)
def test_an_example_turn_changes_the_board(game: str) -> None:
    shown = example(game)
    assert shown is not None
    assert shown.before != shown.after
    turns = (show(game).example or show(game).sample).split()
    assert re.search(r"\d", turns[-1])


def test_a_document_without_sections_is_whole() -> None:
    found = document("rules/tabik")
    assert found.body.endswith(found.sections)
    assert found.sections.startswith('<h2 id="these-rules">')
