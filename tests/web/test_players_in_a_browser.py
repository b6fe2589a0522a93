"""The players' pages in a real browser: before the real referee, on a board of paper whose clock runs."""

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final
from weakref import finalize

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, ViewportSize, expect
from starlette.types import ASGIApp

from gnomon.referee.events import Correction, DeadlineReached, Paused, PlayerWarned, TurnEntered, TurnsVoided
from gnomon.referee.game import Game
from gnomon.referee.games import begin, tell
from gnomon.referee.people import Person
from gnomon.referee.rulings import Ruling
from gnomon.refusals import statement
from gnomon.timekeeping.instants import SECOND, Instant, seconds
from gnomon.views.clock_faces import faces, summary
from gnomon.web.access import Role
from gnomon.words import LANGUAGES, words
from tests.bench_page.visits import DESK, PATIENCE, PHONE, TABLET, WALL
from tests.ports import held_port, port_of
from tests.views.clock_scenes import CONTROLS, running
from tests.views.clock_scenes import scenes as clock_scenes
from tests.views.table_scenes import Hands
from tests.views.table_scenes import scenes as table_scenes
from tests.views.tables import scenes
from tests.web.api_house import PaperBoard
from tests.web.visitors import Reception

pytestmark = pytest.mark.browser

BEAT: Final = 0.2  # seconds
SHOWS: Final = """async (asked) => {
    const { shows, sidesNow } = await import("/static/match_clock.js");
    return asked.map(([game, age]) => sidesNow(game, age).map(shows));
}"""
LEAST: Final = 44  # pixels of what a finger meets, but for links in a sentence (WCAG 2.2, success criterion 2.5.5)
SMALL: Final = f"""() => [...document.querySelectorAll("main a, main button, main summary, main input, main select")]
    .filter(part => part.offsetParent && part.type !== "hidden" && !part.closest("p.note, .ruling-list"))
    .map(part => [part.textContent.trim() || part.name, (part.closest("label") ?? part).getBoundingClientRect()])
    .filter(([, box]) => box.height < {LEAST} || box.width < {LEAST}).map(([name]) => name)"""
# Asked for until they are so: a picture comes after the news that tell of it, and may be replaced by the next.
FITS_WIDTH: Final = "(width) => innerWidth === width && document.documentElement.scrollWidth <= width"
SIDE_BY_SIDE: Final = """(drawn) => {
    const box = (part) => document.querySelector(part)?.getBoundingClientRect();
    const [board, words] = [box(drawn), box("#banner")];
    return board && board.height > 0 && board.top >= 0 && board.bottom <= innerHeight
        && board.right <= words.left && words.top < innerHeight / 2;
}"""
FACES_WITHIN: Final = """() => [...document.querySelectorAll(".side")].every((side) => {
    const box = side.getBoundingClientRect();
    const parts = [...side.querySelectorAll(".who, .state, .number, .what, .bars")];
    return parts.filter((part) => part.offsetHeight).every((part) => {
        const one = part.getBoundingClientRect();
        return one.top >= box.top && one.bottom <= box.bottom && one.left >= box.left && one.right <= box.right;
    });
})"""


@dataclass
class RunningBoard(PaperBoard):
    """A board of paper whose time goes on, and which speaks often."""

    since: float = field(default_factory=time.monotonic)
    is_demonstrated: bool = False

    def show(self, game: Game | None, at: Instant) -> None:
        """From now on show a game, at an instant of it."""
        self.present, self.at, self.since = game, at, time.monotonic()

    def now(self) -> Instant:
        return Instant(self.at + round((time.monotonic() - self.since) * SECOND))

    async def changes(self) -> AsyncIterator[None]:
        while True:
            yield
            await asyncio.sleep(BEAT)

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        self.show(self.present, self.now())
        return await super().correct(correction, after)


class Site:
    """The pages of a board, served in a thread; they can go away and come back at the same address."""

    def __init__(self, board: RunningBoard | None = None, app: ASGIApp | None = None) -> None:
        self.board = board or RunningBoard()
        self.app = app or Reception(open_to=Role.PLAYER, board=self.board).app
        held = held_port()
        finalize(self, held.close)
        self.port = port_of(held)

    def open(self) -> None:
        settings = uvicorn.Config(self.app, port=self.port, log_level="error", timeout_graceful_shutdown=0)
        self.server = uvicorn.Server(settings)
        self.thread = threading.Thread(target=self.server.run, name="pages of paper")
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE / 1000)

    def show(self, game: Game | None, at: Instant = Instant(0)) -> None:
        self.board.show(game, at)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    site.open()
    yield site
    site.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visit]:
    """Open a page; when the test is over, no browser may have complained."""
    complaints: list[str] = []
    contexts = []

    def open_it(path: str, size: ViewportSize = DESK, **options: Any) -> Page:
        context = browser.new_context(viewport=size, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://127.0.0.1:{site.port}{path}")
        return page

    yield open_it
    for context in contexts:
        context.close()
    # That a board is away is told by the browser too.
    assert [said for said in complaints if not re.search("ERR_CONNECTION|ERR_INCOMPLETE", said)] == []


def test_sand_runs_between_the_news_and_stands_still_when_nothing_is_live(site: Site, visit: Visit) -> None:
    scene = scenes()["level2-play"]
    site.show(scene.game, scene.now)
    page = visit("/board")
    sand = page.locator("[data-glass='0'] [data-part=tag] text")
    expect(page.locator("#live-text")).to_have_text("Live")
    before = sand.text_content()
    expect(sand).not_to_have_text(before or "")
    site.close()
    expect(page.locator("#banner-title")).to_have_text("Not live", timeout=PATIENCE)
    stands = sand.text_content()
    page.wait_for_timeout(1200)
    assert sand.text_content() == stands
    assert page.locator(".seat-time").first.text_content()
    site.open()
    expect(page.locator("#banner-title")).to_have_text("Red to play", timeout=PATIENCE)
    expect(sand).not_to_have_text(stands or "")


def test_an_app_that_is_opened_without_its_board_comes_to_it_by_itself(site: Site, visit: Visit) -> None:
    page = visit("/clock", PHONE)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    site.close()
    page.goto(page.url)
    expect(page.locator("h1")).to_have_text("Not live")
    site.open()
    expect(page.locator("#facing")).to_be_visible(timeout=PATIENCE)


def test_a_question_is_answered_by_a_button(site: Site, visit: Visit) -> None:
    scene = table_scenes()["tayu-question"]
    site.show(scene.game, scene.now)
    page = visit("/board", PHONE)
    answers = page.locator("#banner-actions button")
    expect(answers).to_have_text([re.compile("012@j9/W"), re.compile("012@h9/E")])
    answers.nth(1).click()
    expect(page.locator("#rulings li").first).to_contain_text("h9")
    expect(answers).to_have_count(1)  # the next tile is to be drawn


def test_a_game_is_chosen_and_begun_with_the_keyboard_alone(site: Site, visit: Visit) -> None:
    site.show(None)
    page = visit("/board")
    expect(page.locator("#banner-title")).to_have_text("No game yet")
    page.locator("#banner-actions a").press("Enter")
    expect(page.locator(".game-card")).to_have_count(6)
    page.locator(".game-card", has_text="Tabik").press("Enter")
    page.locator("#name-1").focus()
    page.keyboard.type("Ada")
    page.keyboard.press("Tab")
    page.keyboard.type("Grace")
    page.keyboard.press("Enter")
    expect(page.locator("#banner-title")).to_have_text("Ada (Black) moves")
    expect(page.locator("#picture svg")).to_be_visible()
    page.locator("#by-hand summary").press("Enter")
    page.locator("#turn-text").fill("d4e4")
    page.locator("#turn-text").press("Enter")
    expect(page.locator("#banner-title")).to_have_text("Grace (White) moves")
    expect(page.locator("#plies li")).to_have_count(1)
    page.locator("#turn-text").fill("d4e4")
    page.locator("#turn-text").press("Enter")
    expect(page.locator("#banner-hint")).to_contain_text("Not allowed.")


def test_a_draw_is_offered_declined_and_accepted_on_the_page(site: Site, visit: Visit) -> None:
    site.show(begin("tabik", {"size": 4}))
    page = visit("/board", PHONE)
    page.locator("#help summary").click()
    expect(page.locator("#draw-who")).to_have_text("Black offers a draw; the other player answers.")
    page.locator("#draw-form button").click()
    answers = page.locator("#banner-actions button")
    expect(page.locator("#banner-hint")).to_contain_text("Black offers a draw.")
    expect(answers).to_have_text(["Accept the draw", "Decline"])
    answers.nth(1).click()
    expect(answers).to_have_count(0)
    page.locator("#by-hand summary").click()
    page.locator("#turn-text").fill("a1b1")
    page.locator("#turn-text").press("Enter")
    page.locator("#help summary").click()
    page.locator("#draw-form button").click()
    answers.nth(0).click()
    expect(page.locator("#banner-title")).to_contain_text("draw")
    expect(page.locator("#help")).to_be_hidden()


def test_a_warning_stands_in_the_banner_while_the_turn_waits(site: Site, visit: Visit) -> None:
    hands = Hands("tau", rows=3, columns=3).press("next")
    text = hands.game.board.turn_to_confirm(hands.game)
    assert text is not None
    hands.tell(PlayerWarned(hands.after(100), text, "Gnomon", statement("coach.verdict.loses")))
    site.show(hands.game, hands.now)
    page = visit("/board")
    expect(page.locator("#banner-hint")).to_contain_text("Look again: this move is proven to lose")
    hands.press("next")
    site.show(hands.game, hands.now)
    expect(page.locator("#banner-hint")).not_to_contain_text("Look again")


def test_the_second_engine_of_an_exhibition_is_asked_for_where_there_is_one(site: Site, visit: Visit) -> None:
    site.show(None)
    page = visit("/board/new?game=tau")
    expect(page.locator("#opponent-second")).to_be_hidden()
    page.locator("#opponent").select_option("9")
    expect(page.locator("#opponent-second")).to_be_hidden()
    page.locator("#opponent-side").select_option("all")
    page.locator("#opponent-second").select_option("2")
    page.locator("#opponent").select_option("none")
    expect(page.locator("#opponent-second")).to_be_hidden()
    page.locator("#opponent").select_option("1")
    page.locator("#new-game .go button").click()
    expect(page.locator("#seats")).to_contain_text("Gnomon 1")
    expect(page.locator("#seats")).to_contain_text("Gnomon 2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_every_level_fits_its_field_on_a_phone(visit: Visit, language: str) -> None:
    page = visit(f"/board/new?game=tabik&language={language}", PHONE)
    field = page.locator("#opponent")
    levels = field.locator("option").evaluate_all(
        "options => options.filter(({ value }) => Number(value)).map(({ text }) => text)"
    )
    room, widths = field.evaluate(
        """(select, names) => {
            const style = getComputedStyle(select), canvas = document.createElement("canvas").getContext("2d");
            canvas.font = style.font;
            const arrow = 24;  // beside what is chosen
            const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
            return [room, names.map((name) => canvas.measureText(name).width)];
        }""",
        levels,
    )
    assert len(levels) == 13
    assert max(widths) <= room, dict(zip(levels, widths, strict=True))


def test_the_clock_tells_who_is_to_play_by_size_and_turns_a_side_round(site: Site, visit: Visit) -> None:
    scene = scenes()["level3-play"]
    site.show(scene.game, scene.now)
    page = visit("/clock", PHONE)
    red, black = (page.locator(f".side[data-player={player}]") for player in ("red", "black"))
    expect(red.locator(".state")).to_have_text("to play")
    expect(black.locator(".state")).to_have_text("")
    page.wait_for_function("""() => {
        const [red, black] = ["red", "black"].map((player) => document.querySelector(`.side[data-player=${player}]`));
        return red.getBoundingClientRect().height > 1.4 * black.getBoundingClientRect().height;
    }""")
    turned = "side => getComputedStyle(side.querySelector('.face')).transform"
    assert red.evaluate(turned) == "matrix(-1, 0, 0, -1, 0, 0)"
    page.get_by_role("button", name="Face to face").click()
    assert red.evaluate(turned) == "none"
    page.reload()
    expect(page.get_by_role("button", name="Face to face")).to_have_attribute("aria-pressed", "false")


def test_no_word_of_a_name_is_broken_beside_the_score(site: Site, visit: Visit) -> None:
    site.show(begin("tamsk", {"level": "1", "opponent": "2"}))
    page = visit("/board?language=de", DESK)
    names = page.locator(".seat-name")
    expect(names).to_have_text(["Rot", "Gnomon 2 (Schwarz)"])
    page.locator("#seats").evaluate("seats => { seats.style.width = '245px'; }")  # as narrow as beside the bench
    lines = "name => Math.round(name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight))"
    assert [names.nth(each).evaluate(lines) for each in (0, 1)] == [1, 2]


def test_the_example_turn_of_a_rules_page_plays(visit: Visit) -> None:
    page = visit("/rules/tabik", TABLET)
    before, after = (page.locator(f"#example [data-moment={moment}]") for moment in ("before", "after"))
    expect(before).to_be_visible()
    expect(after).to_be_hidden()
    page.get_by_role("button", name="Play the turn").click()
    expect(after).to_be_visible()
    expect(before).to_be_hidden()


@pytest.mark.parametrize(("path", "where"), [("/clock", "#middle"), ("/overlay", "#state")])
def test_clock_and_overlay_say_that_a_game_is_a_demonstration(
    site: Site, visit: Visit, monkeypatch: pytest.MonkeyPatch, path: str, where: str
) -> None:
    site.show(begin("tabik", {}))
    said = words()("players.demonstration")
    page = visit(path, TABLET)
    expect(page.locator(".side").first).to_be_visible()
    expect(page.locator(where)).not_to_have_text(said)
    monkeypatch.setattr(site.board, "is_demonstrated", True)
    expect(page.locator(where)).to_have_text(said)
    site.show(tell(begin("tabik", {}), Paused(Instant(0), "a test"))[0])
    expect(page.locator(where)).to_have_text(words()("players.demonstration.paused"))


@pytest.mark.parametrize("name", ["level3-play", "clock"])
@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}, TABLET], ids=["phone", "lying", "tablet"])
def test_long_names_stay_within_their_half_of_the_clock(
    site: Site, visit: Visit, size: ViewportSize, name: str
) -> None:
    scene = scenes()["level3-play"] if name == "level3-play" else clock_scenes()["alone-left"]
    assert scene.game is not None
    people = map(Person, scene.game.rules.players, ("Maximiliane von Österreich", "Jean-François Desrosiers"))
    site.show(replace(scene.game, people=tuple(people)), scene.now)
    page = visit("/clock", size)
    expect(page.locator(".who")).to_have_count(2)
    page.wait_for_function(FACES_WITHIN)


def test_the_clock_without_a_game_leads_to_a_new_one_and_shows_the_sides_when_it_has_begun(
    site: Site, visit: Visit
) -> None:
    site.show(None)
    page = visit("/clock", PHONE)
    begin = page.locator("#none a")
    expect(begin).to_have_text("New game")
    assert begin.get_attribute("href") == "/board/new"
    expect(page.locator("#middle")).to_have_text("")
    assert page.evaluate(SMALL) == []
    scene = scenes()["level2-play"]
    site.show(scene.game, scene.now)
    expect(page.locator(".side")).to_have_count(2)
    expect(begin).to_be_hidden()


def test_two_taps_start_and_press_a_clock_whose_time_goes_on_as_the_referee_counts_it(site: Site, visit: Visit) -> None:
    site.show(begin("clock", {"clock": "0:25 then byo-yomi 5x30"}))
    page = visit("/clock", {"width": 390, "height": 844})
    expect(page.locator(".match[data-state=start]")).to_have_count(2)
    left, right = page.locator(".match").all()
    right.get_by_role("button").dispatch_event("pointerdown")  # of the player who does not begin
    expect(left).to_have_attribute("data-state", "runs")
    left.get_by_role("button").press("Enter")
    expect(right).to_have_attribute("data-state", "runs")
    expect(right.get_by_role("button")).to_be_enabled()
    expect(left.get_by_role("button")).to_be_disabled()
    expect(left.locator(".what")).to_contain_text("1")
    page.locator("#halt").click()
    expect(page.locator(".match[data-state=paused]")).to_have_count(2)
    asked, wanted = [], []
    late = {control: running(24.2, clock=control).table() for control in CONTROLS}  # periods end, spells are lost
    for name, scene in {**clock_scenes(), **late}.items():
        game, now = scene.game, scene.now
        for age in (0.0, 0.04, 0.5, 1.0, 2.5):
            then = Instant(now + round(age * SECOND))
            later, _ = tell(game, DeadlineReached(then))
            fallen = later.clock is None or later.clock.flag != (game.clock and game.clock.flag)
            if not fallen and all(half.account.fallen is None for half in faces(later, then)):
                asked.append([{"now": seconds(now), "clock": summary(game, now)}, age])
                wanted.append([name, age, *(half.text for half in faces(later, then))])
    shown = page.evaluate(SHOWS, asked)
    assert [[*each[:2], *texts] for each, texts in zip(wanted, shown, strict=True)] == wanted
    assert len(wanted) > 100


def test_nothing_moves_for_those_who_ask_for_stillness(site: Site, visit: Visit) -> None:
    scene = scenes()["level2-play"]
    site.show(scene.game, scene.now)
    page = visit("/board", reduced_motion="reduce")
    expect(page.locator("[data-glass='0'] [data-part=tag] text")).not_to_be_empty()
    assert page.evaluate("document.getAnimations().filter(each => each.playState === 'running').length") == 0


def test_every_state_fits_every_screen(site: Site, visit: Visit) -> None:
    tamsk, table = scenes(), table_scenes()
    shown: tuple[tuple[Game | None, Instant], ...] = (
        *((tamsk[name].game, tamsk[name].now) for name in ("question-of-three", "refused", "over-red", "trouble")),
        *((table[name].game, table[name].now) for name in ("tayu-play", "counters-four", "tau-bidding-far")),
    )
    page = visit("/clock")
    for game, now in shown:
        site.show(game, now)
        page.goto(f"http://127.0.0.1:{site.port}/board")
        expect(page.locator("#live-text")).to_have_text("Live")
        fits(page)
    for path in ("/board/new?game=tamsk", "/clock"):
        page.goto(f"http://127.0.0.1:{site.port}{path}")
        fits(page)


@pytest.mark.parametrize("size", [{"width": 844, "height": 390}, {"width": 568, "height": 320}])
def test_on_a_phone_that_lies_on_its_side_board_and_words_stand_side_by_side(
    site: Site, visit: Visit, size: ViewportSize
) -> None:
    site.show(None)
    page = visit("/board", size)
    for scene, drawn in ((scenes()["level2-play"], "#live-board"), (table_scenes()["counters-four"], "#picture svg")):
        site.show(scene.game, scene.now)
        expect(page.locator(drawn)).to_be_visible()
        expect(page.locator("#seats li")).not_to_have_count(0)
        page.wait_for_function(SIDE_BY_SIDE, arg=drawn)
        page.wait_for_function(FITS_WIDTH, arg=size["width"])
        assert page.evaluate(SMALL) == []


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and nothing to touch is smaller than a finger."""
    for size in (PHONE, TABLET, DESK, WALL):
        page.set_viewport_size(size)
        page.wait_for_function(FITS_WIDTH, arg=size["width"])
        assert page.evaluate(SMALL) == []


def test_the_banner_says_what_is_to_be_done_and_leads_on(site: Site, visit: Visit) -> None:
    page = visit("/board")
    steps, hint, notices = page.locator("#banner-steps li"), page.locator("#banner-hint"), page.locator("#notices li")
    for name, title, said in (
        ("paused-put-right", "Paused", ["Take the glass off E5.", "Put a glass on D4."]),
        ("glass-away", "Red to play", ["Put a glass on D4."]),
    ):
        scene = scenes()[name]
        site.show(scene.game, scene.now)
        expect(page.locator("#banner-title")).to_have_text(title)
        expect(steps).to_have_text(said)
    scene = scenes()["level2-nothing-to-end"]
    site.show(scene.game, scene.now)
    expect(hint).to_have_text("No turn to end yet: move a glass first.")
    top = page.locator("#live-board").bounding_box()
    scene = scenes()["quarantined-notice"]
    site.show(scene.game, scene.now)
    expect(notices).to_have_count(1)
    assert page.locator("#live-board").bounding_box() == top  # what ails the board moves nothing
    scene = scenes()["over-red"]
    site.show(scene.game, scene.now)
    expect(page.get_by_role("link", name="Replay this game")).to_have_attribute("href", "/games/12")


def test_a_lesson_on_the_board_stands_in_the_banner(site: Site, visit: Visit) -> None:
    game = begin("tabik", {"size": 3, "exercise": "lesson:first:6"})
    site.show(game)
    page = visit("/board")
    expect(page.locator("#banner-title")).to_have_text("Stones, rods and groups: Step 6 of 7")
    expect(page.locator("#banner-hint")).to_contain_text("The score of a colour is")
    page.locator("#help summary").click()
    expect(page.locator("#resign-form")).to_be_hidden()  # there is no game to be lost
    french = visit("/board", locale="fr-FR")
    expect(french.locator("#banner-title")).to_contain_text("\N{NO-BREAK SPACE}: Étape 6 sur 7")
    for event in (TurnEntered(Instant(1), "a1b1", "page"), TurnsVoided(Instant(2), 1, give_back=True, who="Gnomon")):
        game, _ = tell(game, event)
    site.show(game)
    expect(page.locator("#banner-hint")).to_contain_text("It is taken back.")
    site.show(begin("tabik", {"size": 3}))
    expect(page.locator("#resign-form")).to_be_visible()
