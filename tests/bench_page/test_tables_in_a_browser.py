"""People at the bench with the games that are played at a table, and with Tayu on its own board."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from gnomon.words import LANGUAGES
from tests.bench_page.visits import DESK, PHONE, SMALL_BUTTONS, TABLET, WALL, Daemon, Open, Visit, started
from tests.web.shots import LOOK

pytestmark = pytest.mark.browser

SIZES: Final = (PHONE, TABLET, DESK, WALL)
TITLES: Final = {
    "tayu": "North-South draws a tile",
    "tabik": "Black moves",
    "tau": "Player 1 bids",
    "twenty-squares": "Player 1 throws",
}
TABLE_GAMES: Final = tuple(TITLES)
LINES: Final = {
    "tayu": ("draw:012", "012@h9/E", "draw:013"),
    "tabik": ("c3c4", "d5d4"),
    "tau": ("bid:70", "pass", "r2"),
    "twenty-squares": ("throw:1", "convert", "throw:4"),
}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A table with buttons and a display, and nothing that senses."""
    with started(tmp_path_factory.mktemp("table"), "table", "--seed", "3") as daemon:
        yield daemon


@pytest.fixture(scope="module")
def tayu_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with started(tmp_path_factory.mktemp("tayu"), "tayu", "--seed", "3") as daemon:
        yield daemon


@pytest.fixture(scope="module")
def tamsk_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with started(tmp_path_factory.mktemp("tamsk"), "tamsk") as daemon:
        yield daemon


def begin(visit: Visit, game: str, title: str, **settings: str) -> None:
    """Start a game."""
    visit.start(game, **settings)
    expect(visit.title).to_have_text(title)


def place(visit: Visit, name: str) -> Locator:
    return visit.page.locator(f"[data-place='{name}']")


def touch(visit: Visit, *names: str) -> None:
    for name in names:
        place(visit, name).click()


def act(visit: Visit, name: str) -> None:
    """Press a button of the banner."""
    visit.page.locator("#banner-actions").get_by_role("button", name=name, exact=True).click()


def write(visit: Visit, text: str) -> None:
    visit.page.locator("#move-text").fill(text)
    visit.page.locator("#move-text").press("Enter")


def plies(visit: Visit) -> Locator:
    return visit.page.locator("#plies li")


def hint(visit: Visit) -> Locator:
    return visit.page.locator("#banner-hint")


# Tabik


def test_stones_are_placed_and_swapped_with_two_touches_each(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves")
    touch(visit, "c3")
    expect(hint(visit)).to_have_text("Black on c3: now choose the square of the white stone.")
    expect(place(visit, "c4")).to_have_attribute("data-mark", "target")
    touch(visit, "c4")
    expect(visit.newest_ruling).to_have_text("Black places black on c3, white on c4 and a rod between them.")
    expect(visit.page.locator("#picture [data-key='c3']").first).to_be_attached()
    touch(visit, "d4", "d3")
    expect(plies(visit)).to_have_text(["2d4d3", "1c3c4"])
    touch(visit, "d4", "c4")
    expect(visit.newest_ruling).to_have_text("Black swaps c4 and d4, and a rod lies between them.")
    expect(visit.title).to_have_text("White moves")


def test_what_the_rules_refuse_is_refused_in_plain_words_and_the_game_goes_on(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves")
    touch(visit, "a1", "b1")
    expect(visit.title).to_have_text("White moves")
    write(visit, "a1~b1")
    expect(hint(visit)).to_have_text("Not allowed. Rule 5: a rod lies between a1 and b1.")
    touch(visit, "e5")
    expect(hint(visit)).to_have_text(
        "Black on e5: now choose the square of the white stone."
    )  # no more of what was refused
    act(visit, "Swap sides")
    expect(visit.newest_ruling).to_have_text("White swaps sides (rule 8).")
    expect(visit.title).to_have_text("White moves")


def test_two_squares_that_do_not_fit_are_another_choice_and_no_turn(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves")
    touch(visit, "e5", "g5")
    expect(hint(visit)).to_have_text("Rule 4: e5 and g5 are not orthogonally adjacent.")
    expect(place(visit, "g5")).to_have_attribute("data-mark", "picked")
    expect(place(visit, "e5")).not_to_have_attribute("data-mark", "picked")
    touch(visit, "g6")
    expect(plies(visit)).to_have_text(["1g5g6"])
    expect(visit.page.locator("#rulings li[data-kind='illegal']")).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("tabik", "a1b1", {"a1": "a1: black stone, rod to b1", "b1": "b1: white stone, rod to a1", "c1": "c1: empty"}),
        ("tau", "bid:3 pass r2", {"r2": "row 2: row 2 drawn", "ca": "column a: not drawn yet"}),
        ("tayu", "draw:012", {"i9": "i9: empty; may be played", "a1": "a1: empty"}),
        (
            "twenty-squares",
            "throw:1 convert throw:4 in-a1",
            {"a1": "a1: counters of Player\u00a01: 1", "p1": "Player\u00a01: 4 in hand, 0 home"},
        ),
    ],
)
def test_who_does_not_see_the_board_is_told_what_is_on_each_place(
    open_page: Open, game: str, moves: str, said: dict[str, str]
) -> None:
    visit = open_page()
    visit.start(game)
    for count, move in enumerate(moves.split(), 1):
        write(visit, move)
        expect(plies(visit)).to_have_count(count)
    for name, words in said.items():
        expect(place(visit, name)).to_have_attribute("aria-label", words)


def test_a_game_without_points_names_none_after_one_with_points(open_page: Open) -> None:
    visit = open_page()
    visit.start("twenty-squares")
    expect(visit.page.locator(".seat-score")).to_have_text(["Points0", "Points0"])
    visit.start("tau")
    expect(visit.page.locator(".seat-score")).to_have_text(["", ""])
    visit.start("twenty-squares")
    expect(visit.page.locator(".seat-score")).to_have_text(["Points0", "Points0"])


def test_a_match_clock_stands_beside_the_names_and_goes_on(open_page: Open) -> None:
    page = open_page().page
    bench = page.url
    page.goto(bench.partition("/bench")[0] + "/board/new?game=tabik")
    page.locator("#clock").select_option("club")
    for given_up in page.locator("[name=abandon]").all():
        given_up.check()
    page.locator("#new-game button:not([type=button])").last.click()
    page.wait_for_url("**/board")
    page.goto(bench)
    clocks = page.locator(".seat-time")
    expect(clocks).to_have_text(["25:10", "25:10"])
    page.locator("#move-text").fill("c3c4")
    page.locator("#move-text").press("Enter")
    expect(page.locator("#plies li")).to_have_text(["1c3c4"])
    expect(clocks.last).not_to_have_text("25:10")  # by itself: no news comes while somebody thinks


def test_a_move_is_written_chosen_from_the_list_and_nonsense_is_answered(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves", size="4")
    write(visit, "b2b3")
    expect(plies(visit)).to_have_text(["1b2b3"])
    expect(visit.page.locator("#move-text")).to_have_value("")
    visit.page.locator("#legal-count").click()
    visit.page.locator("#legal-list").get_by_role("button", name="a1b1", exact=True).click()
    expect(plies(visit)).to_have_text(["2a1b1", "1b2b3"])
    write(visit, "z9z8")
    expect(visit.page.locator("#toast")).to_contain_text("there is no square z9 on a board of 4 x 4")
    visit.complaints.clear()  # a browser calls every answer 409 an error; this one is wanted


def test_stones_are_placed_with_the_keyboard_alone(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves")
    keyboard = visit.page.keyboard
    place(visit, "a1").focus()
    for key in ("ArrowUp", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        keyboard.press(key)
    expect(plies(visit)).to_have_text(["1b2c2"])
    expect(place(visit, "c2")).to_be_focused()
    keyboard.press("ArrowUp")
    keyboard.press("Enter")
    expect(place(visit, "c3")).to_have_attribute("data-mark", "picked")
    keyboard.press("Escape")
    expect(place(visit, "c3")).to_have_attribute("data-mark", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_names_of_the_four_buttons_stand_in_one_line(
    open_page: Open, daemon: Daemon, size: ViewportSize, language: str
) -> None:
    visit = open_page(size)
    visit.start("tau")
    visit.page.goto(f"{daemon.address}?language={language}")
    names = visit.page.locator(".key .press-name").filter(visible=True)
    expect(names).to_have_count(4)
    lines = "(names) => names.map((name) => name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight))"
    assert names.evaluate_all(lines) == pytest.approx([1] * 4, abs=0.4)


def test_a_move_is_picked_with_the_four_buttons_and_the_display(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves", size="2")
    pixels = """document.querySelector("#display").getContext("2d").getImageData(0, 0, 128, 64).data.join()"""
    before = visit.page.evaluate(pixels)
    for button in ("Enter", "Next", "Enter", "Enter", "Enter", "Enter"):
        with visit.page.expect_response("**/hands?*"):
            visit.page.locator("#keys").get_by_role("button", name=button).click()
    expect(plies(visit)).to_have_count(1)
    expect(visit.title).to_have_text("White moves")
    visit.page.wait_for_function(f"(before) => {pixels} !== before", arg=before)


def test_a_game_is_paused_taken_back_and_given_up(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves")
    touch(visit, "a1", "b1")
    visit.page.locator("#press-arbiter").click()
    expect(visit.title).to_have_text("Paused")
    act(visit, "Go on")
    expect(visit.title).to_have_text("White moves")
    for name in ("Take the last turn back", "White resigns"):
        visit.page.get_by_role("button", name="Menu").click()
        visit.page.get_by_role("button", name=name).click()
    expect(visit.title).to_have_text("Black has won")
    expect(hint(visit)).to_contain_text("By resignation.")
    expect(plies(visit)).to_have_text(["none yet"])
    visit.page.get_by_role("link", name="Replay this game").click()
    visit.page.wait_for_url("**/games/*")
    expect(visit.page.locator(".result")).to_contain_text("Black wins.")


def test_what_is_begun_with_a_finger_is_judged_where_the_game_says_so(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tabik", "Black moves", size="3", pie="no", help="hand")
    touch(visit, "b2", "a2")
    expect(visit.title).to_have_text("White moves")
    for _ in range(60):  # until the engine has weighed the moves: nobody waits for it
        touch(visit, "b1")
        visit.page.wait_for_timeout(700)
        if "good turn" in (hint(visit).text_content() or ""):
            break
        touch(visit, "b1")
    expect(hint(visit)).to_have_text(re.compile("^(Yes: a|No: every) good turn uses"))


# TAU


def test_a_turn_that_is_picked_and_loses_is_warned_of_before_it_is_played(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tau", "HIGH draws a line", rows="3", columns="3", limit="1", warnings="on")
    for _ in range(60):  # until the engine has weighed the moves: nobody waits for it
        touch(visit, "r2")
        visit.page.wait_for_timeout(700)
        if (hint(visit).text_content() or "").startswith("Look again"):
            break
        touch(visit, "r1")  # another line is picked
        visit.page.wait_for_timeout(300)
    expect(hint(visit)).to_have_text("Look again: this move is proven to lose, and another one is not.")
    expect(visit.page.locator("#picture")).to_have_class("picture preview")
    touch(visit, "r2")
    expect(visit.newest_ruling).to_have_text("HIGH draws a line through row 2.")


def test_the_limit_is_negotiated_and_lines_are_drawn(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tau", "Player 1 bids", rows="4", columns="5")
    number = visit.page.locator("#bid-number")
    number.fill("70")
    visit.page.get_by_role("button", name="Name it").click()
    expect(visit.title).to_have_text("Player 2 bids")
    expect(hint(visit)).to_have_text("Name a number above 70, or pass and be LOW.")
    number.fill("70")
    number.press("Enter")
    expect(hint(visit)).to_have_text("Not allowed. Rule 2: name a number higher than 70, or pass.")
    visit.page.get_by_role("button", name="Pass", exact=True).click()
    expect(visit.title).to_have_text("HIGH draws a line")
    touch(visit, "cb")
    expect(visit.page.locator("#picture")).to_have_class("picture preview")
    touch(visit, "cb")
    expect(visit.newest_ruling).to_have_text("HIGH draws a line through column b.")
    touch(visit, "r2 cd")
    expect(hint(visit)).to_have_text("Through row 2 or column d?")
    act(visit, "Line through row 2")
    expect(visit.newest_ruling).to_have_text("LOW draws a line through row 2.")
    touch(visit, "r2", "r2")
    expect(hint(visit)).to_have_text("Rule 4: a line through r2 crosses no square that is left.")
    expect(visit.page.locator(".seat.on-turn")).to_contain_text("HIGH")
    touch(visit, "cd", "cd")
    expect(visit.title).to_have_text("LOW has won")


# Tau (Twenty Squares)


def test_sticks_are_thrown_counters_enter_and_move(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "twenty-squares", "Player 1 throws")
    throw = visit.page.locator("#chances")
    throw.get_by_role("button", name="1, 1/4").click()
    act(visit, "Throw again to enter")
    throw.get_by_role("button", name="4, 1/16").click()
    expect(hint(visit)).to_have_text("Enter a counter with the 4.")
    expect(place(visit, "p1")).to_have_attribute("data-mark", "may")
    touch(visit, "p1")
    expect(place(visit, "a1")).to_have_attribute("data-mark", "target")
    touch(visit, "a1")
    expect(visit.newest_ruling).to_have_text("Player 1 enters a counter on a1.")
    expect(visit.title).to_have_text("Player 1 throws")  # a rosette gives another throw
    throw.get_by_role("button", name="2, 3/8").click()
    expect(hint(visit)).to_have_text("Move a counter by 2.")
    touch(visit, "a1", "b2")
    expect(visit.title).to_have_text("Player 2 throws")
    throw.get_by_role("button", name="2, 3/8").click()
    expect(hint(visit)).to_have_text("A 2 cannot be used: forfeit the throw.")
    touch(visit, "p2", "c3")
    expect(hint(visit)).to_have_text("Rule 4: a counter enters only after a throw of 1 or 5, by a second throw.")
    act(visit, "Forfeit the throw")
    expect(visit.title).to_have_text("Player 1 throws")
    act(visit, "Let the board throw")
    expect(visit.newest_ruling).to_have_text("A throw of 2.")
    visit.page.get_by_role("button", name="Menu").click()
    visit.page.get_by_role("button", name="Take the last throw or draw back").click()
    expect(visit.title).to_have_text("Player 1 throws")


# Tayu


def test_a_tile_is_read_shown_where_it_may_lie_turned_and_laid(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tayu", "North-South draws a tile")
    expect(visit.page.locator("#remarks")).to_contain_text("Size 17 is a guess")
    visit.page.locator("#read-code").fill("012")
    visit.page.get_by_role("button", name="Draw it").click()
    expect(visit.title).to_have_text("North-South lays")
    expect(visit.page.locator("[data-mark=may]")).to_have_count(9)
    touch(visit, "i9")
    expect(hint(visit)).to_have_text("Position 1 of 12.")
    act(visit, "Turn it")
    expect(hint(visit)).to_have_text("Position 2 of 12.")
    expect(visit.page.locator("#picture")).to_have_class("picture preview")
    act(visit, "Lay it")
    expect(visit.newest_ruling).to_contain_text("North-South lays 012 on ")
    act(visit, "Let the board draw a tile")
    expect(visit.title).to_have_text("East-West lays")
    write(visit, "012@a1/E")
    expect(hint(visit)).to_contain_text("Not allowed. Rule")


def test_three_play_with_a_saboteur_who_is_bid_for(open_page: Open) -> None:
    visit = open_page()
    begin(visit, "tayu", "Player 1 bids", players="3", auction="yes")
    number = visit.page.locator("#bid-number")
    for bid in ("28", "25", "25"):
        number.fill(bid)
        number.press("Enter")
        expect(number).to_have_value("")
    expect(visit.page.locator(".seat", has_text="the saboteur")).to_contain_text("Player 2")
    expect(visit.page.locator(".seat.on-turn")).to_contain_text("Player 1")


def test_tiles_are_laid_by_hand_on_a_board_that_senses_them(open_page: Open, tayu_board: Daemon) -> None:
    visit = open_page(daemon=tayu_board)
    expect(visit.page.locator(".welcome-card b")).to_have_text(["Tayu", "Tabik", "TAU", "Tau (Twenty Squares)"])
    visit.page.locator(".welcome-card").first.click()
    visit.page.get_by_role("button", name="Start the game").click()
    visit.page.wait_for_url("**/bench/")
    visit.page.locator("#chances").get_by_role("button", name="012, 3 left").click()
    expect(visit.title).to_have_text("North-South lays")
    touch(visit, "i9")
    act(visit, "Lay it")  # the referee asks which way round; the page knows what was meant
    expect(visit.title).to_have_text("East-West draws a tile")
    act(visit, "Let the board draw a tile")
    visit.page.locator("#by-touch").check()
    touch(visit, "a1", "a3")
    expect(visit.title).to_have_text("Put the board right")
    expect(visit.page.locator("#banner-steps li")).to_have_text(["Take the tile off a1 a2 a3."])
    touch(visit, "a2")  # takes it off
    expect(visit.newest_ruling).to_have_text("The board agrees with the game again: play goes on.")
    touch(visit, "i9")
    expect(hint(visit)).to_have_text("A tile that has been laid stays where it is.")
    act(visit, "Do this step for me")
    expect(visit.title).to_have_text("East-West lays")


# Every game


def test_a_board_of_tamsk_starts_any_of_the_five_from_one_page(open_page: Open, tamsk_board: Daemon) -> None:
    visit = open_page(daemon=tamsk_board)
    for game in TABLE_GAMES:
        begin(visit, game, TITLES[game])
        expect(visit.page.locator("#picture svg")).to_be_visible()
        expect(visit.page.locator("#live-board")).to_be_hidden()
    visit.begin()
    expect(visit.page.locator("#picture")).to_be_hidden()
    expect(visit.page.locator("#live-board")).to_be_visible()


@pytest.mark.parametrize("game", TABLE_GAMES)
def test_a_game_plays_by_itself_and_is_stopped(open_page: Open, game: str) -> None:
    visit = open_page()
    # Hands in a hurry are through with a small grid before anybody can stop them.
    begin(visit, game, TITLES[game], **({"rows": "60", "columns": "60"} if game == "tau" else {}))
    act(visit, "Let it play")
    # A grid of that size takes a busy machine some seconds a turn.
    expect(plies(visit).nth(3)).to_be_visible(timeout=60_000)
    act(visit, "Stop the hands")
    expect(visit.page.get_by_role("button", name="Stop the hands")).to_have_count(0)


# Asked for until it is so: news of the board replace its picture.
FITS: Final = """([width, height]) => {
  const box = document.querySelector("#picture svg")?.getBoundingClientRect();
  return box && innerWidth === width && document.scrollingElement.scrollWidth <= width
      && box.height > 0 && box.top >= 0 && box.bottom <= height;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_game_fits_every_screen(open_page: Open, scheme: str) -> None:
    visit = open_page(DESK, color_scheme=scheme)
    for game in TABLE_GAMES:
        visit.page.set_viewport_size(DESK)
        line = LINES[game]
        begin(visit, game, TITLES[game])
        for number, text in enumerate(line, start=1):
            write(visit, text)
            expect(plies(visit).first).to_have_text(re.compile(f"^{number}"))
        for size in SIZES:
            visit.page.set_viewport_size(size)
            visit.page.wait_for_function(FITS, arg=[size["width"], size["height"]])


def test_a_finger_finds_every_button_of_every_game_on_a_phone(open_page: Open) -> None:
    visit = open_page(PHONE, has_touch=True, is_mobile=True)
    for game in TABLE_GAMES:
        begin(visit, game, TITLES[game])
        expect(visit.page.locator("button:visible")).not_to_have_count(0)
        assert visit.page.evaluate(SMALL_BUTTONS) == [], game
        assert visit.page.evaluate(LOOK) == [], game
