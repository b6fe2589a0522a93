"""Every correction at the arbiter's desk in a browser, on a tablet: at most four clicks or keys each, and how long."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.bench_page.visits import PATIENCE, TABLET, started

MOST_ACTIONS = 4
MOST_SECONDS = 15
# By itself the word of success would go after four seconds, however slow the machine is.
STAYS = """() => {
    const wait = setTimeout;
    globalThis.setTimeout = (run, time) => time === 4000 ? 0 : wait(run, time);
}"""
WORDS_IN_PIECES: Final = """(cells) => cells.flatMap((cell) => {
    const range = document.createRange();
    return [...cell.textContent.matchAll(/[^ -]+/g)].map((word) => {
        range.setStart(cell.firstChild, word.index);
        range.setEnd(cell.firstChild, word.index + word[0].length);
        return [word[0], range.getClientRects().length];
    }).filter(([word, lines]) => lines > 1 && word.length < 10).map(([word]) => word);
})"""  # a long word may be hyphenated


class Arbiter:
    """Somebody at the desk: what is done is counted, writing into one field as one action."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0
        self.slowest = ""
        self.told: list[str] = []

    def key(self, key: str) -> None:
        self.actions += 1
        self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        """Write into the field that has the focus."""
        self.actions += 1
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def click(self, selector: str) -> None:
        self.actions += 1
        self.page.locator(selector).first.click()

    def choose(self, selector: str, value: str) -> None:
        self.actions += 1
        self.page.locator(selector).select_option(value)

    @contextmanager
    def somebody_else(self) -> Iterator["Arbiter"]:
        """A second arbiter at the same desk."""
        page = self.page.context.new_page()
        page.goto(self.page.url)
        expect(page.locator("#live-text")).to_have_text("Live")
        yield Arbiter(page)
        page.close()

    def does(self, name: str, act: Callable[[], None], said: str) -> None:
        """Make a correction and wait until it stands among the incidents."""
        self.actions, began = 0, perf_counter()
        act()
        expect(self.page.locator(".incident-list li").first).to_contain_text(said)
        took = perf_counter() - began
        self.told.append(f"{name}: {self.actions} actions, {took:.2f} s")
        assert self.actions <= MOST_ACTIONS, self.told[-1]
        assert took < MOST_SECONDS, self.told[-1]


class Held:
    """The answer to the next correction, which comes when it is let go."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route("**/desk/do*", self.hold)

    def hold(self, route: Route) -> None:
        self.routes.append(route)

    def until(self, act: Callable[[], None]) -> None:
        """Do what sends the correction, and wait until it is on its way."""
        act()
        while not self.routes:
            self.page.wait_for_timeout(10)

    def let_go(self, *, refused: str = "") -> None:
        (route,) = self.routes
        route.fulfill(status=409, json={"error": refused}) if refused else route.continue_()
        self.page.unroute("**/desk/do*")


@pytest.fixture(scope="module")
def arbiter(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arbiter]:
    folder: Path = tmp_path_factory.mktemp("desk")
    with started(folder, "tamsk", "--level", "3") as daemon:
        context = browser.new_context(viewport=TABLET)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://127.0.0.1:{daemon.port}/desk")
        expect(page.locator("#live-text")).to_have_text("Live")
        yield Arbiter(page)
        context.close()
        assert [said for said in complaints if "409" not in said and "favicon" not in said] == []


def test_every_correction_takes_at_most_four_actions(arbiter: Arbiter) -> None:
    key, write, click, choose, does = arbiter.key, arbiter.write, arbiter.click, arbiter.choose, arbiter.does

    def enter(text: str) -> Callable[[], None]:
        return lambda: (key("i"), write(text), key("Enter"))[0]

    does("enter a turn", enter("D1-D2"), "turn D1-D2 entered")
    does("enter a turn", enter("A1-B2"), "turn A1-B2 entered")
    does(
        "time of a glass", lambda: (click("[data-glass=D2]"), write("2:05"), key("Enter"))[0], "sand of D2 set to 125 s"
    )
    does("undo", lambda: (key("u"), key("Enter"))[0], "last correction undone")
    does(
        "rings",
        lambda: (click("[data-space=D4]"), click("#ask-space [data-opens=rings]"), write("2"), key("Enter"))[0],
        "rings on D4 set to 2",
    )
    does(
        "move a glass",
        lambda: (
            key("g"),
            choose("#form-place [name=glass]", "D2"),
            choose("#form-place [name=space]", "E3"),
            key("Enter"),
        )[0],
        "glass of D2 placed on E3",
    )
    does("whose turn", lambda: (key("t"), key("Enter"))[0], "turn given to Black")
    does("second ring", lambda: (key("2"), key("Enter"))[0], "second ring allowed this turn")
    does("take a turn back", lambda: (key("v"), key("Enter"))[0], "last turn voided")
    does("insert a turn", enter("G1-F2"), "turn G1-F2 entered")
    does(
        "restore a position",
        lambda: (click("#turns [data-turns='1']"), key("Enter"))[0],
        "position after turn 1 restored",
    )
    does("claim", lambda: (key("c"), key("Enter"))[0], "claim of Red upheld: flag")
    does("note", lambda: (key("n"), write("a spectator spoke"), key("Enter"))[0], "note: a spectator spoke")
    does("result", lambda: (key("e"), choose("#form-result [name=winner]", "draw"), key("Enter"))[0], "A draw")
    does("undo the result", lambda: (key("u"), key("Enter"))[0], "last correction undone")
    does("pause", lambda: key("p"), "The game is paused")
    does("resume", lambda: key("p"), "The game goes on")
    does("stopwatch", lambda: key("w"), "The game is paused")  # also just after the game went on
    does("what it was for", lambda: (key("w"), write("rules explained"), key("Enter"))[0], "rules explained")
    does("adjourn", lambda: (key("a"), key("Enter"))[0], "game adjourned")
    print("", *arbiter.told, sep="\n")


def test_a_form_that_cannot_be_says_why_and_escape_leaves_it(arbiter: Arbiter) -> None:
    arbiter.key("i")
    arbiter.write("D1-D9")
    expect(arbiter.page.locator("#form-insert .wrong")).to_be_visible()
    arbiter.key("Enter")
    expect(arbiter.page.locator("#form-insert .wrong")).to_be_visible()
    arbiter.key("Escape")
    expect(arbiter.page.locator("#form-insert")).to_be_hidden()


def test_what_would_change_is_read_without_a_word_that_falls_apart(arbiter: Arbiter, browser: Browser) -> None:
    context = browser.new_context(viewport=TABLET, locale="de")
    page = context.new_page()
    page.goto(arbiter.page.url)
    expect(page.locator("#live-text")).to_have_text("Live")
    page.keyboard.press("e")
    form = page.locator("#form-result")
    expect(form.locator("[name=reason]")).to_have_value("aufgegeben")
    form.locator("[name=winner]").select_option("red")
    expect(form.locator(".preview")).to_contain_text("Rot gewinnt. Durch Aufgabe.")
    assert form.locator(".preview").evaluate("(box) => box.scrollWidth <= box.clientWidth")
    assert form.locator(".preview :is(th, td)").evaluate_all(WORDS_IN_PIECES) == []
    context.close()


def test_the_word_of_success_does_not_cover_the_next_form(arbiter: Arbiter) -> None:
    toast, form = arbiter.page.locator("#toast"), arbiter.page.locator("#form-note")
    key, write = arbiter.key, arbiter.write
    arbiter.page.evaluate(STAYS)
    arbiter.does("note", lambda: (key("n"), write("tea is served"), key("Enter"))[0], "tea is served")
    expect(toast).to_be_visible()
    assert toast.evaluate("(one) => one.getBoundingClientRect().bottom") < TABLET["height"] / 10
    key("n")
    expect(form).to_be_visible()
    expect(toast).to_be_hidden()
    key("Escape")


def test_a_key_pressed_while_the_board_answers_opens_the_next_form(arbiter: Arbiter) -> None:
    page, held = arbiter.page, Held(arbiter.page)
    arbiter.key("n")
    arbiter.write("a slow board")
    held.until(lambda: arbiter.key("Enter"))
    arbiter.key("r")
    expect(page.locator("#form-rings")).to_be_visible()
    held.let_go()
    expect(page.locator(".incident-list li").first).to_contain_text("a slow board")
    expect(page.locator("#form-rings")).to_be_visible()
    assert page.locator("#form-note [name=text]").input_value() == ""
    arbiter.key("Escape")


def test_what_a_board_refuses_is_told_although_another_form_is_open(arbiter: Arbiter) -> None:
    page, held = arbiter.page, Held(arbiter.page)
    arbiter.key("n")
    arbiter.write("never written")
    held.until(lambda: arbiter.key("Enter"))
    arbiter.key("r")
    held.let_go(refused="Somebody else was faster.")
    expect(page.locator("#wrong")).to_have_text("Somebody else was faster.")
    expect(page.locator("#form-rings")).to_be_visible()
    arbiter.key("Escape")


def test_what_a_board_refuses_stands_in_its_form_and_the_field_has_the_focus_again(arbiter: Arbiter) -> None:
    page, held = arbiter.page, Held(arbiter.page)
    arbiter.key("n")
    arbiter.write("tried again")
    held.until(lambda: arbiter.key("Enter"))
    held.let_go(refused="Not now.")
    expect(page.locator("#form-note .preview .wrong")).to_have_text("Not now.")
    expect(page.locator("#form-note [name=text]")).to_be_focused()
    with arbiter.somebody_else() as other, page.expect_response("**/desk/ask*") as asked_again:
        other.key("n")
        other.write("renews every page")
        other.key("Enter")
        expect(page.locator(".incident-list li").first).to_contain_text("renews every page")
    asked_again.value.finished()
    expect(page.locator("#form-note .preview .wrong")).to_have_text("Not now.")
    arbiter.write("tried once more")
    expect(page.locator("#form-note .preview .wrong")).to_have_count(0)
    arbiter.key("Escape")


def test_a_list_that_stays_as_it_is_keeps_its_lines_when_the_page_is_renewed(arbiter: Arbiter) -> None:
    """A click on a line that another one replaces between press and release would be lost."""
    page = arbiter.page
    page.reload()
    expect(page.locator("#live-text")).to_have_text("Live")
    turns = page.locator("#turns > *").element_handles()
    assert turns
    for number in range(2):
        arbiter.key("n")
        arbiter.write(f"seen {number}")
        arbiter.key("Enter")
        expect(page.locator(".incident-list li").first).to_contain_text(f"seen {number}")
        assert all(turn.evaluate("it => it.isConnected") for turn in turns)
