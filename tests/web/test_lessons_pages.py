"""The pages of the lessons: a list by game, and steps that are answered by an address."""

import re
from html import unescape
from pathlib import Path

import pytest

from gnomon.lessons import Lesson, judge, lessons_of, register, step_start, unregister
from gnomon.refusals import sentence
from gnomon.rules.protocol import NATURE
from gnomon.rules.registry import GAMES
from gnomon.views.places import places, places_to_touch
from gnomon.views.show import TOUCHES, show
from gnomon.words import LANGUAGES, words
from tests.web.visitors import Browser, Reception
from tests.web_hall.party import Party

EVERY = [pytest.param(lesson, id=lesson.key) for game in GAMES for lesson in lessons_of(game)]


@pytest.fixture
def browser() -> Browser:
    return Reception().browser()


def text_of(page: str) -> str:
    """What a page says, without its tags."""
    return plain(unescape(re.sub(r"<[^>]+>", " ", page)))


def plain(text: str) -> str:
    """A text whose spaces may all end a line."""
    return " ".join(text.split())


def address(lesson: Lesson) -> str:
    return f"/learn/{lesson.game}/{lesson.name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_lessons_are_listed_by_game(browser: Browser, language: str) -> None:
    page = browser.get("/learn", **{"Accept-Language": language}).text
    told = text_of(page)
    for game in GAMES:
        assert words(language)(f"game.{game}") in told
        for lesson in lessons_of(game):
            assert f'href="{address(lesson)}"' in page
            assert lesson.title(words(language)) in told
    assert words(language)("learn.broken") not in told
    assert 'href="/learn"' in browser.get("/help").text


@pytest.mark.parametrize("number", ["0", "-1", "x", "²", "99999", "0001999", "0001" + "0" * 5_000])
def test_an_address_without_a_number_of_a_step_leads_to_the_first(browser: Browser, number: str) -> None:
    lesson = lessons_of("tabik")[0]
    page = browser.get(f"{address(lesson)}?step={number}&hint={number}")
    assert page.status_code == 200
    assert lesson.request(0, words()) in text_of(page.text)


@pytest.mark.parametrize("lesson", EVERY)
def test_a_lesson_is_finished_on_its_pages_by_its_solutions(browser: Browser, lesson: Lesson) -> None:
    for number, step in enumerate(lesson.steps):
        asked = {"step": str(number + 1), "answer": step.solution}
        before = browser.get(f"{address(lesson)}?step={number + 1}").text
        assert lesson.request(number, words()) in text_of(before)
        assert "<svg" in before
        assert 'data-right="no"' in before
        query = "&".join(f"{key}={value.replace('+', '%2B').replace('=', '%3D')}" for key, value in asked.items())
        after = browser.get(f"{address(lesson)}?{query}").text
        assert 'data-right="yes"' in after
        assert f"Right. {lesson.praise(number, words())}" in text_of(after)
        assert ("You have finished this lesson." in after) == (number + 1 == len(lesson.steps))
        go_on = f"{address(lesson)}?step={number + 2}"
        assert (f'href="{go_on}"' in after) == (number + 1 < len(lesson.steps))


@pytest.mark.parametrize("lesson", EVERY)
def test_a_page_refuses_an_illegal_turn_with_the_sentence_of_the_rules(browser: Browser, lesson: Lesson) -> None:
    number = len(lesson.steps) - 1
    others = [step.solution for each in lessons_of(lesson.game) for step in each.steps]
    wrong = next(text for text in others if judge(lesson, number, text).grade.value == "refused")
    for language in LANGUAGES:
        query = f"step={number + 1}&answer={wrong.replace('+', '%2B')}"
        page = browser.get(f"{address(lesson)}?{query}", **{"Accept-Language": language}).text
        assert plain(sentence(judge(lesson, number, wrong).why, words(language))) in text_of(page)
        assert 'data-verdict="refused"' in page


def test_a_hall_teaches_too(tmp_path: Path) -> None:
    guest = Party(tmp_path).visitor()
    listed = guest.get("/learn").text
    assert 'href="/learn/tayu/first"' in listed
    for address_of in sorted(set(re.findall(r'(?:src|href)="(/(?:rules|learn|board|static)/[^"?]*)', listed))):
        assert guest.get(address_of).status_code == 200, address_of
    step = guest.get("/learn/tabik/first?step=2&answer=pie")
    assert "Right." in step.text
    assert guest.get("/board/pictures.css").status_code == 200
    assert 'href="/learn/tabik/first"' in guest.get("/rules/tabik").text


def test_what_is_legal_and_not_asked_for_is_asked_again(browser: Browser) -> None:
    page = browser.get("/learn/tabik/first?step=2&answer=a1a2").text
    assert "That is legal, but this step asks for something else." in page
    assert "Swap sides." in page
    refused = browser.get("/learn/tabik/first?step=2&answer=a1a3").text
    assert 'href="/rules/tabik#rule-4"' in refused


def test_a_number_is_named_in_a_field_of_its_own(browser: Browser) -> None:
    assert 'name="number"' in browser.get("/learn/tau/first").text
    assert 'data-right="yes"' in browser.get("/learn/tau/first?step=1&number=12").text
    assert 'data-right="yes"' in browser.get("/learn/tau/first?step=3&answer=pass").text


def test_a_throw_is_a_button_and_a_turn_stands_in_a_list(browser: Browser) -> None:
    throw = browser.get("/learn/twenty-squares/first").text
    assert '<button class="chance-face" name="answer" value="throw:1"' in throw
    assert 'name="answer" value="in-a1"' in browser.get("/learn/twenty-squares/first?step=3").text


def test_a_turn_that_names_no_place_is_a_button(browser: Browser) -> None:
    page = browser.get("/learn/tamsk/sand?step=3").text
    assert 'name="answer" value="flip15">The 15-second glass is turned against Black.</button>' in page
    assert 'name="answer" value="lost">' in browser.get("/learn/tamsk/sand?step=8").text


def test_the_answer_is_shown_on_request(browser: Browser) -> None:
    assert "The answer is b2b1." in browser.get("/learn/tabik/first?step=1&solution=yes").text


def test_a_hint_names_the_first_place_and_then_the_others(browser: Browser) -> None:
    first = browser.get("/learn/tamsk/first?step=2").text
    assert 'href="/learn/tamsk/first?step=2&amp;hint=1#verdict"' in first
    begun = browser.get("/learn/tamsk/first?step=2&hint=1").text
    assert "Look at G1." in begun
    assert 'href="/learn/tamsk/first?step=2&amp;hint=2#verdict"' in begun
    more = browser.get("/learn/tamsk/first?step=2&hint=2").text
    assert "Look at G1, then at F1." in more
    assert "hint=3" not in more
    # A turn that names no place has no hint but the answer.
    assert "hint=" not in browser.get("/learn/tamsk/sand?step=3").text
    assert "Look at" not in browser.get("/learn/tamsk/sand?step=3&hint=1").text
    assert "Look at r2." in browser.get("/learn/tau/first?step=4&hint=1").text


@pytest.mark.parametrize("step", ["0", "8", "-1", "one", "²", "", "99999999999"])
def test_a_step_that_there_is_not_is_the_first(browser: Browser, step: str) -> None:
    assert "Step 1 of 7" in browser.get(f"/learn/tabik/first?step={step}").text


@pytest.mark.parametrize("path", ["/learn/chess/first", "/learn/tabik/second"])
def test_a_lesson_that_there_is_not_is_not_found(browser: Browser, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_an_answer_of_any_length_is_borne(browser: Browser) -> None:
    assert browser.get(f"/learn/tau/first?step=1&number={'9' * 3000}").status_code == 200
    assert 'data-verdict="' not in browser.get(f"/learn/tau/first?step=1&answer={'9' * 4001}").text


def test_a_club_reads_what_is_wrong_with_its_lesson(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("game = 3\n", encoding="utf-8")
    register(tmp_path)
    try:
        told = text_of(browser.get("/learn").text)
    finally:
        unregister(tmp_path)
    assert "The lesson broken.toml: the field 'steps' is missing or of the wrong kind." in told


@pytest.mark.parametrize("lesson", EVERY)
def test_every_place_that_a_turn_names_can_be_touched(lesson: Lesson) -> None:
    shown = show(lesson.game)
    touch = shown.lesson_touch or shown.touch
    assert touch in TOUCHES[1:]
    if touch != "steps":
        assert places_to_touch(lesson.rules) == places(lesson.rules)
        return
    names = set(places_to_touch(lesson.rules))
    for number in range(len(lesson.steps)):
        position = step_start(lesson, number).position
        if lesson.rules.turn(position) == NATURE:
            continue
        for move in lesson.rules.legal_moves(position):
            assert set(re.findall(r"[A-G]\d", lesson.rules.text(position, move))) <= names
