"""People at the bench: the page in a real browser, before the real daemon on its simulated board."""

import re
import signal
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.bench_page.visits import DESK, PHONE, SMALL_BUTTONS, TABLET, WALL, Daemon, Open, Visit

pytestmark = pytest.mark.browser

# Asked for until they are so: news of the board may come between a touch and a look.
BOXES: Final = "const [one, other] = parts.map((part) => document.querySelector(part).getBoundingClientRect());"
STANDS_BELOW: Final = f"(parts) => {{ {BOXES} return one.bottom <= other.top && other.right <= innerWidth; }}"
STANDS_BESIDE: Final = f"(parts) => {{ {BOXES} return other.width > 0 && one.right <= other.left; }}"
LIES_ON: Final = f"""(parts) => {{ {BOXES}
  const [x, y] = [(one.left + one.right) / 2, (one.top + one.bottom) / 2];
  return one.width > one.height && other.left < x && x < other.right && other.top < y && y < other.bottom;
}}"""
FITS: Final = """([part, width, height]) => {
  const box = document.querySelector(part).getBoundingClientRect();
  return innerWidth === width && document.scrollingElement.scrollWidth <= width
      && box.height > 0 && box.top >= 0 && box.bottom <= height;
}"""


def test_a_board_without_a_game_invites_to_one(new_daemon: Daemon, open_page: Open) -> None:
    visit = open_page(daemon=new_daemon)
    expect(visit.title).to_have_text("No game yet")
    expect(visit.page.locator("#banner-actions .action")).to_have_text(["New game", "Let it play"])
    expect(visit.page.locator("[data-space]")).to_have_count(37)
    expect(visit.page.locator(".board [data-glass]")).to_have_count(6)


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
    expect(visit.title).to_have_text("Red: a glass is in the air")
    visit.page.touchscreen.tap(*visit.tile("A3"))
    expect(visit.title).to_have_text("Red may drop a ring on A3")
    visit.page.touchscreen.tap(*visit.middle(visit.page.locator("#holder-red")))
    visit.page.touchscreen.tap(*visit.tile("A3"))
    expect(visit.newest_ruling).to_have_text("Red moves A4 to A3 and drops a ring, which fills it (rule 4).")
    expect(visit.title).to_have_text("Black to play")


def test_on_a_phone_the_buttons_at_the_thumb_cover_nothing(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=1)
    for name, bar in (("D1", "#hand"), ("D2", "#banner-actions")):
        visit.page.touchscreen.tap(*visit.tile(name))
        expect(visit.page.locator(f"{bar} button").first).to_be_visible()
        visit.page.wait_for_function(STANDS_BELOW, arg=["#main", bar])
    visit.page.locator("#press-black").scroll_into_view_if_needed()
    expect(visit.page.locator("#press-black")).to_be_in_viewport(ratio=0.95)


def test_on_a_phone_the_page_ends_where_its_foot_does(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=1)
    expect(visit.page.locator("#seats .unseen").first).to_be_attached()
    foot = "Math.round(document.querySelector('.site-foot').getBoundingClientRect().bottom + scrollY)"
    assert visit.page.evaluate(f"document.documentElement.scrollHeight - {foot}") <= 1


def test_on_a_phone_that_lies_the_hand_stands_beside_the_board(open_page: Open) -> None:
    visit = open_page({"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    visit.begin(level=1)
    visit.page.touchscreen.tap(*visit.tile("D1"))
    expect(visit.page.locator("#hand")).to_be_visible()
    visit.page.wait_for_function(STANDS_BESIDE, arg=["#live-board", "#hand"])


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
    visit.space("D1").locator("[data-part=plate]").click()
    expect(visit.title).to_have_text("Red: a glass is in the air")  # until then the page knows nothing of it
    visit.space("D2").locator("[data-part=plate]").click()
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
    expect(visit.page.locator("#timer-hint")).to_have_text("hurries Red")
    expect(visit.page.locator("#timer-number")).to_have_text(re.compile(r"^(1[0-3]|\d)$"))
    expect(visit.newest_ruling).to_have_text(re.compile("^Black turns the 15-second glass"))


def test_the_sand_runs_while_nothing_happens(visit: Visit) -> None:
    visit.begin(level=2)
    visit.drag(visit.tile("D1"), visit.tile("D2"))
    time = visit.page.locator("[data-glass='0'] [data-part=tag] text")
    expect(time).to_have_text(re.compile(r"^D2 2:\d\d$"))
    before = time.text_content() or ""
    expect(time).not_to_have_text(before)
    assert (time.text_content() or "") < before


def test_the_display_shows_its_real_pixels(visit: Visit) -> None:
    visit.begin(level=1)
    visit.page.wait_for_function("""() => {
        const { data } = document.querySelector("#display").getContext("2d").getImageData(0, 0, 128, 64);
        const lit = data.filter((part, at) => at % 4 === 1 && part > 128).length;
        return 100 < lit && lit < 128 * 64 - 100;
    }""")


def test_a_board_that_plays_by_itself_is_watched_and_stopped(new_daemon: Daemon, open_page: Open) -> None:
    visit = open_page(daemon=new_daemon)
    visit.page.locator("#banner-actions").get_by_role("button", name="Let it play").click()
    expect(visit.page.locator("#plies li[data-player=red]").first).to_be_visible(timeout=30_000)
    actions = visit.page.locator("#banner-actions")
    actions.get_by_role("button", name="Pause").click()
    expect(visit.title).to_have_text("Demonstration paused")
    expect(visit.page.locator("#banner-hint")).to_have_text("The hands rest, and sand and clocks stand still.")
    visit.page.get_by_role("button", name="Slower").click()  # the page is loaded again
    actions.get_by_role("button", name="Go on").click()
    expect(visit.title).to_contain_text("Gnomon 3")
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
    visit.space("D1").locator("[data-part=plate]").click()
    expect(visit.title).to_have_text("Red begins")
    expect(visit.newest_ruling).to_have_text("The board agrees with the game again: play goes on.")


def test_what_no_hand_can_do_is_said_in_a_sentence(visit: Visit) -> None:
    visit.begin(level=1)
    visit.space("D1").locator("[data-part=plate]").click()
    expect(visit.page.locator("#hand")).to_contain_text("Red in hand")
    visit.drag(visit.middle(visit.page.locator("#holder-black")), visit.tile("A1"))
    visit.drag(visit.middle(visit.page.locator("#holder-black")), visit.tile("A1"))
    expect(visit.page.locator("#toast")).to_contain_text("The tube of A1 holds only 1 ring")
    visit.complaints.clear()  # a browser calls every answer 409 an error; this one is wanted


def test_a_mistake_is_made_on_purpose(visit: Visit) -> None:
    visit.begin(level=1)
    visit.page.get_by_role("button", name="Menu").click()
    visit.page.get_by_role("button", name="Knock a glass over").click()
    visit.space("D7").locator("[data-part=plate]").click()
    expect(visit.page.locator("#hand")).to_contain_text("A glass has fallen over")
    visit.page.wait_for_function(LIES_ON, arg=["[data-where=beside]", "[data-space=D7]"])
    visit.space("D7").locator("[data-part=plate]").click()
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


def test_a_new_game_is_chosen_on_the_form_of_every_page_and_leads_back(visit: Visit) -> None:
    visit.begin(level=1)
    page = visit.page
    page.get_by_role("navigation").get_by_role("link", name="New game").click()
    page.locator(".game-card", has_text="TAMSK").click()
    page.locator("input[name=level][value='3'] + span").click()
    page.get_by_role("textbox", name="Red").fill("Ada")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#abandon-wrong")).to_be_visible()  # the game before is not given up by chance
    page.locator("[name=abandon]").check()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/bench/")
    expect(visit.title).to_have_text("Ada (Red) begins")
    expect(page.locator("#timer")).to_be_visible()
    visit.complaints.clear()  # a browser calls the form that came back an error; it is wanted


def test_a_whole_turn_is_played_with_the_keyboard_alone(visit: Visit) -> None:
    visit.begin(level=2)
    keyboard = visit.page.keyboard
    visit.space("A1").focus()
    # An arrow never jumps over a neighbour, sideways one keeps to a row, and the same key leads back.
    for key, name in (
        ("Right", "B2"),
        ("Right", "C2"),
        ("Left", "B2"),
        ("Left", "A1"),
        ("Right", "B2"),
        ("Right", "C2"),
    ):
        keyboard.press(f"Arrow{key}")
        expect(visit.space(name)).to_be_focused()
    for key, name in (("Right", "D3"), ("Down", "D2"), ("Down", "D1")):
        keyboard.press(f"Arrow{key}")
        expect(visit.space(name)).to_be_focused()
    keyboard.press("Enter")
    expect(visit.title).to_have_text("Red: a glass is in the air")
    # What is marked for the eye is told, too.
    expect(visit.space("D2")).to_have_attribute("aria-label", "D2: empty, rings: 0 of 2; may be reached")
    expect(visit.space("D3")).to_have_attribute("aria-label", "D3: empty, rings: 0 of 3")
    keyboard.press("ArrowUp")
    keyboard.press("Enter")
    expect(visit.title).to_have_text("Red may drop a ring on D2")
    expect(visit.space("D2")).to_have_attribute("aria-label", re.compile("red glass, rings: 0 of 2$"))
    visit.page.locator("#holder-red").focus()
    keyboard.press("Enter")
    visit.space("D2").focus()
    keyboard.press("Enter")
    expect(visit.newest_ruling).to_have_text("Red moves D1 to D2 and drops a ring.")


def test_a_button_that_goes_with_its_turn_leaves_the_focus_where_it_was(visit: Visit) -> None:
    visit.begin(level=1)
    visit.space("D1").focus()
    visit.page.keyboard.press("Enter")
    expect(visit.title).to_have_text("Red: a glass is in the air")
    visit.space("D2").focus()
    visit.page.keyboard.press("Enter")
    drop = visit.page.get_by_role("button", name="Drop a ring on D2")
    drop.press("Enter")
    expect(drop).to_be_hidden()
    expect(visit.page.locator("#banner")).to_be_focused()


def test_the_tab_key_reaches_everything_once(visit: Visit) -> None:
    visit.begin(level=3)
    reached = []
    visit.page.locator("body").evaluate("body => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    for _ in range(30):
        visit.page.keyboard.press("Tab")
        reached.append(visit.page.evaluate("document.activeElement.id || document.activeElement.dataset.space || ''"))
    assert {"open-table", "begin", "holder-red", "press-red", "A1", "timer-glass", "press-arbiter"} <= set(reached)
    assert sum(name == "A1" for name in reached) == 1


def test_escape_puts_the_glass_back(visit: Visit) -> None:
    visit.begin(level=2)
    visit.space("D1").locator("[data-part=plate]").click()
    expect(visit.title).to_have_text("Red: a glass is in the air")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_every_screen(open_page: Open, scheme: str) -> None:
    visit = open_page(PHONE, color_scheme=scheme)
    visit.begin(level=3)
    for size in (PHONE, TABLET, DESK, WALL):
        visit.page.set_viewport_size(size)
        visit.page.wait_for_function(FITS, arg=["#live-board", size["width"], size["height"]])


def test_a_finger_finds_every_button_on_a_phone(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    visit.begin(level=3)
    expect(visit.page.locator("button:visible")).not_to_have_count(0)
    assert visit.page.evaluate(SMALL_BUTTONS) == []


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
    hands = f"{daemon.site}api/v1/simulation/hands"
    stranger.goto(f"data:text/html,<form method=post action='{hands}' enctype='text/plain'><input name=x>")
    with stranger.expect_response(hands) as answered:
        stranger.locator("form").evaluate("form => form.submit()")
    assert answered.value.status in (403, 415)
    context.close()
