"""A lesson in a browser: done by finger and by keyboard, and kept in this browser alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from gnomon.web.access import Role
from tests.bench_page.visits import DESK, PATIENCE, PHONE
from tests.web.street import Street, opened

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with opened(tmp_path_factory.mktemp("street"), {("empty", Role.SPECTATOR)}) as street:
        yield street


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(viewport=request.param)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def place(name: str) -> str:
    return f'#picture [data-place="{name}"]'


def test_a_lesson_is_done_by_touching_the_picture(page: Page, street: Street) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{street.address('empty')}/learn")
    page.get_by_role("link", name="Stones, rods and groups").click()
    page.locator(place("b2")).click()
    expect(page.locator("#hint")).to_have_text("Black on b2: now choose the square of the white stone.")
    page.locator(place("b1")).click()
    expect(page.locator("#verdict")).to_contain_text("Right.")
    expect(page.locator("#verdict")).to_be_focused()
    page.get_by_role("link", name="Next step").click()
    page.locator(place("a1")).click()
    page.locator(place("a2")).click()
    expect(page.locator("#verdict")).to_contain_text("That is legal, but this step asks for something else.")
    page.get_by_role("button", name="Swap sides").click()
    expect(page.locator("#verdict")).to_contain_text("Right.")
    expect(page.locator("#verdict")).to_be_focused()  # by the script that keeps the step
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator('[data-progress="tabik/first"]')).to_have_text("2 of 7 done")
    assert errors == []


def test_a_lesson_is_done_by_keyboard_alone(page: Page, street: Street) -> None:
    page.goto(f"{street.address('empty')}/learn/tamsk/first")
    page.locator(place("D1")).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    actions = page.locator("#actions button")
    expect(actions).to_have_count(2)  # with a ring, and without
    actions.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("Right.")
    expect(page.locator('.lesson-steps [data-name="move"]')).to_have_attribute("data-done", "yes")


def test_an_illegal_turn_gets_the_rule_and_a_tile_is_laid(page: Page, street: Street) -> None:
    page.goto(f"{street.address('empty')}/learn/tayu/first?step=2")
    page.locator("#answer").fill("025@a1/E")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_contain_text("Not allowed. Rule 3: ")
    page.locator(place("e5")).click()
    page.get_by_role("button", name="Lay it").click()
    expect(page.locator("#verdict")).to_contain_text("Right.")
