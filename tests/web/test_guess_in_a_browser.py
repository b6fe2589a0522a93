"""Guess-the-move in a browser: by touching the board, and by keyboard alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from gnomon.records.journal.writer import Journal
from gnomon.referee.games import begin
from gnomon.web.access import Role
from gnomon.web.games.analyses import Analyses
from tests.bench_page.visits import DESK, PHONE, TABLET, WALL
from tests.web.quiet_page import quiet_page
from tests.web.spectators import SHEETS, Shelfful, fill
from tests.web.test_players_in_a_browser import FITS_WIDTH, SMALL, RunningBoard, Site
from tests.web.visitors import Reception

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("guess")
    with Journal.open(folder / "journal") as journal:
        fill(journal, (SHEETS[0].replace("Result: black", "Result: white"), SHEETS[1]))
        archive = Shelfful.of(journal)
    archive.durable_seq = archive.last_of(2)
    board = RunningBoard(begin("tabik", {"size": 4}))
    solutions = Analyses.of_positions(folder / "journal", lambda: True)
    site = Site(board, Reception(board=board, archive=archive, open_to=Role.PLAYER, solutions=solutions).app)
    site.open()
    yield f"http://127.0.0.1:{site.port}"
    site.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that complains of nothing."""
    with quiet_page(browser, "en") as page:
        yield page


def touch(page: Page, place: str) -> None:
    """Touch the middle of a place on the picture, which has its size once the page and the picture are loaded."""
    page.wait_for_load_state()
    page.wait_for_function("document.getElementById('position').complete")
    x, y = page.evaluate(
        """(place) => {
            const picture = document.getElementById("position");
            const [left, top, width, height] = JSON.parse(picture.dataset.box);
            const [x, y, wide, high] = JSON.parse(picture.dataset.areas)[place];
            const box = picture.getBoundingClientRect();
            return [(x + wide / 2 - left) / width * box.width, (y + high / 2 - top) / height * box.height];
        }""",
        place,
    )
    page.locator("#position").click(position={"x": x, "y": y})


def test_a_solved_game_is_played_through_by_touching_the_places_of_a_turn(page: Page, address: str) -> None:
    page.goto(f"{address}/solved/tabik?size=3")
    touch(page, "b2")
    expect(page.locator("#touched")).to_have_text("b2")
    touch(page, "b2")  # once more lets go
    touch(page, "c3")
    touch(page, "a1")  # what names no turn begins another one
    touch(page, "b1")
    page.wait_for_url("**/solved/tabik?size=3&pie=no&turns=a1b1")
    expect(page.locator("#solved-title")).to_have_text("White to move")
    touch(page, "b1")
    touch(page, "a1")  # two stones are swapped, whichever one is touched first
    expect(page.locator("#touched")).to_have_text("a1")
    page.get_by_role("link", name="One turn back").click()
    expect(page.locator("#solved-title")).to_have_text("Black to move")
    page.get_by_role("link", name="b2b1").click()
    page.wait_for_url("**turns=b2b1")
    page.goto(f"{address}/solved/tabik?size=3&turns=a1b1.b2b3")
    touch(page, "b2")
    touch(page, "b1")
    page.wait_for_url("**turns=a1b1.b2b3.b1~b2")


def test_a_move_is_guessed_by_touching_its_places(page: Page, address: str) -> None:
    page.goto(f"{address}/games")
    page.get_by_role("link", name="Guess the moves #1").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Turn 2, White: which move?")
    touch(page, "c1")
    expect(page.locator("#touched")).to_contain_text("Touched: c1.")
    touch(page, "c2")
    expect(page.locator("#touched")).to_have_text("Touched: c1, c2. Moves that fit: 2.")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#touched")).to_contain_text("Choose a move")
    touch(page, "c1")
    touch(page, "c2")
    page.locator("#move").select_option("c1c2")
    page.get_by_role("button", name="Guess").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("10 points: that is what was played.")
    page.get_by_role("link", name="Result").click()
    expect(page.locator(".sum")).to_have_text("10 of 10 points (100 %): as well as the winner played, or nearly.")


def test_a_move_is_guessed_by_keyboard_alone(page: Page, address: str) -> None:
    page.goto(f"{address}/guess/1")
    page.locator("#move").focus()
    page.keyboard.type("c1c2")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2)).to_have_text("10 points: that is what was played.")
    expect(page).to_have_title("10 points: that is what was played. Guess the move · Gnomon")


@pytest.mark.parametrize("size", [PHONE, TABLET, DESK, WALL], ids=["phone", "tablet", "desk", "wall"])
def test_the_page_fits_and_its_controls_are_large_enough(page: Page, address: str, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    for path in ("/guess/1", "/guess/2", "/guess/1?turn=1&move=c1c2", "/guess/1?turn=2&points=10"):
        page.goto(f"{address}{path}")
        assert page.evaluate(FITS_WIDTH, size["width"]), path
        assert page.evaluate(SMALL) == [], path
