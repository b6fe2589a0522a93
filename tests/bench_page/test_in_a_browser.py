"""People at the bench: the page in a real browser, before the real daemon on its simulated board."""

import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect, sync_playwright

pytestmark = pytest.mark.browser

FLAGS: Final = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
PHONE: Final = {"width": 390, "height": 844}
TABLET: Final = {"width": 820, "height": 1180}
DESK: Final = {"width": 1280, "height": 800}
WALL: Final = {"width": 1920, "height": 1080}
PATIENCE: Final = 10_000  # ms; a page says within 10 s that it is not live, everything else is quicker

expect.set_options(timeout=PATIENCE)


@dataclass
class Daemon:
    """The command gnomond with its simulated board, its journal in a folder of its own."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "gnomon_pi.daemon", "--board", "tamsk", "--simulated"),
                *("--port", str(self.port), "--journal", str(self.folder / "journal.db")),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)):
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE / 1000)
            line = self.process.stdout.readline() if ready else ""
            assert line, f"gnomond gave no address, but said: {said}"
            said += line
        self.port = int(found[1])

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE / 1000)
        self.process = None


@dataclass
class Visit:
    """One open page, what the browser complained of and whom it asked."""

    page: Page
    daemon: Daemon
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(self.daemon.address):
            self.outside.append(request.url)

    def space(self, name: str) -> Locator:
        return self.page.locator(f"[data-space={name}]")

    def begin(self, level: int = 1, temperament: str = "assistant") -> None:
        """Start a game on the sheet, as people do."""
        self.page.get_by_role("navigation").get_by_role("button", name="New game").click()
        self.page.locator(f"input[name=level][value='{level}'] + span").click()
        if temperament != "assistant":
            self.page.get_by_text("Settings", exact=True).click()
            self.page.get_by_label("Referee").select_option(temperament)
        with self.page.expect_response("**/game"):
            self.page.get_by_role("button", name="Play", exact=True).click()
        expect(self.title).to_have_text("Red begins")

    @property
    def title(self) -> Locator:
        return self.page.locator("#banner-title")

    @property
    def newest_ruling(self) -> Locator:
        return self.page.locator("#rulings li").first

    def middle(self, what: Locator, down: float = 0.5) -> tuple[float, float]:
        box = what.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * down

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def tile(self, name: str) -> tuple[float, float]:
        return self.middle(self.space(name).locator(".tile"), 0.75)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS.split())
        yield browser
        browser.close()


@contextmanager
def started(folder: Path) -> Iterator[Daemon]:
    daemon = Daemon(folder)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.stop()


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """One daemon for all tests that begin a game of their own."""
    with started(tmp_path_factory.mktemp("bench")) as daemon:
        yield daemon


@pytest.fixture
def new_daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon that has seen no game yet."""
    with started(tmp_path) as daemon:
        yield daemon


Open = Callable[..., Visit]


@pytest.fixture
def open_page(browser: Browser, daemon: Daemon) -> Iterator[Open]:
    """Open the page; when the test is over, no browser may have complained and nobody else been asked."""
    visits: list[Visit] = []

    def open_it(size: dict[str, int] = DESK, daemon: Daemon = daemon, **options: object) -> Visit:
        context = browser.new_context(viewport=size, **options)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        visit = Visit(context.new_page(), daemon)
        visits.append(visit)
        visit.listen()
        visit.page.goto(daemon.address)
        expect(visit.page.locator("#live-text")).to_have_text("Live")
        return visit

    yield open_it
    for visit in visits:
        visit.page.context.close()
        assert visit.outside == []
        assert visit.complaints == []


@pytest.fixture
def visit(open_page: Open) -> Visit:
    return open_page()


def test_a_board_without_a_game_invites_to_one(new_daemon: Daemon, open_page: Open) -> None:
    visit = open_page(daemon=new_daemon)
    expect(visit.title).to_have_text("A board, six glasses, 64 rings")
    expect(visit.page.locator("#banner-actions button")).to_have_text(["New game", "Let it play"])
    expect(visit.page.locator(".space")).to_have_count(37)
    expect(visit.page.locator(".board .glass")).to_have_count(6)


def test_a_whole_turn_is_played_by_dragging_with_the_mouse(visit: Visit) -> None:
    visit.begin(level=2)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    visit.drag(visit.middle(visit.page.locator("#holder-red")), visit.tile("D2"))
    expect(visit.newest_ruling).to_have_text("Red moves D1 to D2 and drops a ring.")
    expect(visit.title).to_have_text("Black to play")
    expect(visit.page.locator("#rings-left-red")).to_have_text("31")
    expect(visit.page.locator("#plies li")).to_have_text(["1D1-D2"])
    expect(visit.space("D2")).to_have_attribute("aria-label", re.compile("red glass"))


def test_a_whole_turn_is_played_by_touch_on_a_phone(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=3)
    visit.page.touchscreen.tap(*visit.tile("A4"))
    expect(visit.title).to_have_text("Red: glass from A4 in hand")
    visit.page.touchscreen.tap(*visit.tile("A3"))
    expect(visit.title).to_have_text("Red may drop a ring on A3")
    visit.page.touchscreen.tap(*visit.middle(visit.page.locator("#holder-red")))
    visit.page.touchscreen.tap(*visit.tile("A3"))
    expect(visit.newest_ruling).to_have_text("Red moves A4 to A3 and drops a ring, which fills it (rule 4).")
    expect(visit.title).to_have_text("Black to play")


def test_a_glass_goes_on_its_way_by_a_dragging_finger(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=1)
    finger = visit.page.context.new_cdp_session(visit.page)
    (x, y), (to_x, to_y) = visit.tile("D1"), visit.tile("E1")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": across, "y": down} for across, down in points]},
        )

    touch("touchStart", (x, y))
    touch("touchMove", ((x + to_x) / 2, (y + to_y) / 2))
    touch("touchMove", (to_x, to_y))
    touch("touchEnd")
    expect(visit.title).to_have_text("Red may drop a ring on E1")


def test_the_buttons_of_the_board_are_pressed(visit: Visit) -> None:
    visit.begin(level=1)
    visit.space("D1").locator(".tile").click()
    visit.space("D2").locator(".tile").click()
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    visit.page.locator("#press-red").click()
    expect(visit.newest_ruling).to_have_text("Red moves D1 to D2 and drops no ring.")
    visit.page.locator("#press-arbiter").click()
    expect(visit.title).to_have_text("Paused")
    visit.page.locator("#press-arbiter").click()
    expect(visit.title).to_have_text("Black to play")


def test_the_15_second_glass_is_turned_and_counts_down(visit: Visit) -> None:
    visit.begin(level=3)
    visit.page.locator("#timer-glass").click()
    expect(visit.page.locator("#timer-hint")).to_have_text("hurries red")
    expect(visit.page.locator("#timer-number")).to_have_text("13")
    expect(visit.newest_ruling).to_have_text(re.compile("^Black turns the 15-second glass"))


def test_the_sand_runs_while_nothing_happens(visit: Visit) -> None:
    visit.begin(level=2)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    time = visit.space("D2").locator(".chip text")
    expect(time).to_have_text("2:59")
    expect(time).to_have_text("2:58")


def test_the_display_shows_its_real_pixels(visit: Visit) -> None:
    visit.begin(level=1)
    lit = """canvas => canvas.getContext("2d").getImageData(0, 0, 128, 64).data
        .filter((part, at) => at % 4 === 1 && part > 128).length"""
    assert 100 < visit.page.locator("#display").evaluate(lit) < 128 * 64 - 100


def test_a_board_that_plays_by_itself_is_watched_and_stopped(new_daemon: Daemon, open_page: Open) -> None:
    visit = open_page(daemon=new_daemon)
    visit.page.locator("#banner-actions").get_by_role("button", name="Let it play").click()
    visit.page.locator("input[name=level][value='1'] + span").click()
    visit.page.locator("#game-sheet").get_by_role("button", name="Let it play").click()
    expect(visit.page.locator("#plies li[data-player=red]").first).to_be_visible(timeout=30_000)
    visit.page.get_by_role("button", name="Stop the hands").first.click()
    expect(visit.page.get_by_role("button", name="Stop the hands")).to_have_count(0)


def test_an_illegal_move_is_refused_and_the_board_put_right_step_by_step(visit: Visit) -> None:
    visit.begin(level=1)
    visit.drag(visit.tile("D1"), visit.tile("D3"))
    visit.page.locator("#press-red").click()
    expect(visit.title).to_have_text("Put the board right")
    expect(visit.page.locator("#banner-hint")).to_have_text("Rule 1: a glass moves to a space next to its own.")
    expect(visit.page.locator("#banner-steps li")).to_have_text(["Take the glass off D3.", "Put a glass on D1."])
    visit.page.get_by_role("button", name="Do this step for me").click()
    expect(visit.page.locator("#banner-steps li")).to_have_text(["Put a glass on D1."])
    visit.space("D1").locator(".tile").click()
    expect(visit.title).to_have_text("Red begins")
    expect(visit.newest_ruling).to_have_text("The board agrees with the game again: play goes on.")


def test_what_no_hand_can_do_is_said_in_a_sentence(visit: Visit) -> None:
    visit.begin(level=1)
    visit.space("D1").locator(".tile").click()
    expect(visit.page.locator("#hand")).to_contain_text("Red in hand")
    visit.drag(visit.middle(visit.page.locator("#holder-black")), visit.tile("A1"))
    visit.drag(visit.middle(visit.page.locator("#holder-black")), visit.tile("A1"))
    expect(visit.page.locator("#toast")).to_contain_text("The tube of A1 holds no more than 1 ring")
    visit.complaints.clear()  # a browser calls every answer 409 an error; this one is wanted


def test_a_mistake_is_made_on_purpose(visit: Visit) -> None:
    visit.begin(level=1)
    visit.page.get_by_role("button", name="Menu").click()
    visit.page.get_by_role("button", name="Knock a glass over").click()
    visit.space("D7").locator(".tile").click()
    expect(visit.page.locator("#hand")).to_contain_text("A glass lies beside the board")
    visit.space("D7").locator(".tile").click()
    expect(visit.page.locator("#hand")).to_be_hidden()
    expect(visit.space("D7")).to_have_attribute("aria-label", re.compile("black glass"))


def test_a_turn_is_taken_back_by_hand(visit: Visit) -> None:
    visit.begin(level=1)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    visit.page.get_by_role("button", name="End the turn").click()
    expect(visit.page.locator("#plies li")).to_have_text(["1D1-D2="])
    visit.page.get_by_role("button", name="Menu").click()
    visit.page.get_by_role("button", name="Take the last turn back").click()
    expect(visit.page.locator("#plies li")).to_have_text(["none yet"])


def test_a_new_game_abandons_the_old_one_only_when_told(visit: Visit) -> None:
    visit.begin(level=1)
    visit.page.get_by_role("navigation").get_by_role("button", name="New game").click()
    expect(visit.page.locator("#game-note")).to_be_visible()
    visit.page.get_by_role("button", name="Close").click()
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    visit.begin(level=3)
    expect(visit.page.locator("#timer")).to_have_attribute("data-used", "yes")


def test_a_whole_turn_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    visit.begin(level=2)
    keyboard = visit.page.keyboard
    visit.space("A1").focus()
    keyboard.press("ArrowRight")
    for _ in range(3):
        keyboard.press("ArrowDown")
        keyboard.press("ArrowRight")
    keyboard.press("ArrowDown")
    expect(visit.space("D1")).to_be_focused()
    keyboard.press("Enter")
    expect(visit.title).to_have_text("Red: glass from D1 in hand")
    keyboard.press("ArrowUp")
    keyboard.press("Enter")
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    visit.page.locator("#holder-red").focus()
    keyboard.press("Enter")
    visit.space("D2").focus()
    keyboard.press("Enter")
    expect(visit.newest_ruling).to_have_text("Red moves D1 to D2 and drops a ring.")


def test_the_tab_key_reaches_everything_once(visit: Visit) -> None:
    visit.begin(level=3)
    reached = []
    visit.page.locator("body").evaluate("body => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    for _ in range(12):
        visit.page.keyboard.press("Tab")
        reached.append(visit.page.evaluate("document.activeElement.id || document.activeElement.dataset.space || ''"))
    assert {"open-table", "open-game", "holder-red", "press-red", "A1", "timer-glass", "press-arbiter"} <= set(reached)
    assert sum(name == "A1" for name in reached) == 1


def test_escape_puts_the_glass_back(visit: Visit) -> None:
    visit.begin(level=2)
    visit.space("D1").locator(".tile").click()
    expect(visit.title).to_have_text("Red: glass from D1 in hand")
    visit.page.keyboard.press("Escape")
    expect(visit.title).to_have_text("Red begins")


def test_a_page_that_loses_its_board_says_so_and_comes_back_by_itself(new_daemon: Daemon, open_page: Open) -> None:
    visit = open_page(daemon=new_daemon)
    visit.begin(level=1)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    visit.page.get_by_role("button", name="Drop a ring on D2").click()
    expect(visit.title).to_have_text("Black to play")
    visit.daemon.stop()
    expect(visit.title).to_have_text("Not live")
    expect(visit.page.locator("#live-text")).to_have_text("Not live")
    visit.daemon.start()
    expect(visit.title).to_have_text("Black to play")
    expect(visit.page.locator("#plies li")).to_have_text(["1D1-D2"])
    visit.complaints.clear()  # the browser says that nobody answered, which is what this test is about


def test_a_silent_board_is_not_taken_for_a_live_one(visit: Visit) -> None:
    visit.begin(level=1)
    assert visit.daemon.process is not None
    visit.daemon.process.send_signal(signal.SIGSTOP)
    try:
        expect(visit.title).to_have_text("Not live")
    finally:
        visit.daemon.process.send_signal(signal.SIGCONT)
    expect(visit.title).to_have_text("Red begins")


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK, WALL], ids=["phone", "tablet", "desk", "wall"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen(open_page: Open, size: dict[str, int], scheme: str) -> None:
    visit = open_page(size, color_scheme=scheme)
    visit.begin(level=3)
    too_wide = visit.page.evaluate("document.scrollingElement.scrollWidth - innerWidth")
    assert too_wide <= 0
    board = visit.page.locator("#board").bounding_box()
    assert board is not None
    assert board["y"] >= 0
    assert board["y"] + board["height"] <= size["height"]


def test_a_finger_finds_every_button_on_a_phone(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=3)
    for button in visit.page.locator("button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button


def test_nothing_moves_for_those_who_ask_for_stillness(open_page: Open) -> None:
    visit = open_page(reduced_motion="reduce")
    visit.begin(level=2)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    assert visit.page.evaluate("document.getAnimations().length") == 0


def test_the_page_is_not_spoken_to_by_a_page_from_elsewhere(open_page: Open, browser: Browser, daemon: Daemon) -> None:
    visit = open_page()
    visit.begin(level=1)
    context = browser.new_context()
    stranger = context.new_page()
    stranger.goto(
        f"data:text/html,<form method=post action='{daemon.address}hands' enctype='text/plain'><input name=x>"
    )
    with stranger.expect_response(f"{daemon.address}hands") as answered:
        stranger.locator("form").evaluate("form => form.submit()")
    assert answered.value.status in (403, 415)
    context.close()
