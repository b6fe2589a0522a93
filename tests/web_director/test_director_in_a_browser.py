"""A tournament of three rounds as its director sees it, in a browser; and the pages as they are looked at."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from gnomon.tournament.events import TablesSeated
from gnomon.tournament.state.results import GameResult, format_result
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import System
from gnomon.web.access import Role
from tests.bench_page.visits import DESK, PATIENCE, PHONE, WALL
from tests.web.shots import faults_of
from tests.web_director.houses import DirectorHouse
from tests.web_director.serving import Served, evening, served
from tests.web_director.shots import SHOTS

pytestmark = pytest.mark.browser

ENTRANTS = (
    "Name;Rating\nAda Lovelace;1900\nBenoît Mandelbrot;1850\nÇiğdem Öztürk;1800\nDan Troyka;1750\nGrace Hopper;x\n"
)
LOWEST = "all => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"
LOOKED_AT = ("entrants-none", "results-phone", "wall", "preview-phone", "bracket-phone", "double-phone")
"""Of all shots those that differ most; the others are looked at by `python -m tests.web_director.shots`."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[DirectorHouse, Served]]:
    house = evening(Path(tmp_path_factory.mktemp("evening")))
    with served(house) as site:
        yield house, site
    house.close()


class Visitor:
    """Somebody with a page, and what the browser complained of."""

    def __init__(self, browser: Browser, site: Served, role: Role) -> None:
        self.context: BrowserContext = browser.new_context(viewport=DESK, locale="en", service_workers="block")
        self.context.set_default_timeout(PATIENCE)
        for name, value in site.cookies["", role].items():
            self.context.add_cookies([{"name": name, "value": value, "url": site.site}])
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.site = site.site

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.site}{path}")
        return self.page


def on_a_phone(browser: Browser, site: Served, path: str, language: str) -> Page:
    context = browser.new_context(viewport=PHONE, locale=language, service_workers="block")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site.site}{path}")
    return page


def test_on_a_phone_the_parts_of_the_hall_s_screen_follow_each_other_without_holes(
    browser: Browser, hall: tuple[DirectorHouse, Served]
) -> None:
    page = on_a_phone(browser, hall[1], "/tournaments/small/wall", "de")
    expect(page.locator("html.scripted .panel.shown")).to_have_count(1)
    holes = page.evaluate("""() => [...document.querySelectorAll(".panel + .panel, .site-foot")].map((part) => {
        const rows = [...document.querySelectorAll(".wall-rows li")].map((row) => row.getBoundingClientRect().bottom);
        const top = part.getBoundingClientRect().top;
        const above = rows.filter((bottom) => bottom <= top + 1);
        const below = [...part.querySelectorAll(".wall-rows li")].length;
        return { hole: top - Math.max(...above), covered: rows.length - above.length - below };
    })""")
    assert [one for one in holes if one["hole"] > 90] == []
    assert holes[-1]["covered"] == 0, "the foot of the page stands over no row"
    page.context.close()


def test_a_day_in_the_list_of_tournaments_stands_in_one_line(
    browser: Browser, hall: tuple[DirectorHouse, Served]
) -> None:
    page = on_a_phone(browser, hall[1], "/tournaments", "fr")
    expect(page.locator(".tournaments .mark-playing").first).to_have_text("Une ronde est en cours")
    lines = "all => Math.max(...all.map((one) => one.getClientRects().length))"
    assert page.locator(".tournaments .day").evaluate_all(lines) == 1
    page.context.close()


def test_the_form_of_a_new_tournament_follows_the_system_and_keeps_what_was_written(
    browser: Browser, hall: tuple[DirectorHouse, Served]
) -> None:
    director = Visitor(browser, hall[1], Role.DIRECTOR)
    page = director.go("/tournaments/new")
    page.get_by_label("Name", exact=True).fill("Team cup")
    page.get_by_text("Teams against teams").click()
    page.locator("[name=boards]").fill("4")
    page.get_by_text("More settings").click()
    page.locator("[name=loss]").fill("¼")
    page.get_by_label("Check-in").check()
    page.get_by_text("More settings").click()
    for system, shows in (("knockout", "yes"), ("swiss", "no")):
        page.locator(f"input[name=system][value={system}]").check()
        page.wait_for_url(f"**/new?*system={system}*")
        expect(page.get_by_label("Name", exact=True)).to_have_value("Team cup")
        expect(page.locator("[name=boards]")).to_have_value("4")
        expect(page.locator("[name=cup_breaks]")).to_be_visible(visible=shows == "yes")
        expect(page.locator("[name=loss]")).to_be_hidden()  # what was folded away stays so, and keeps what it says
        expect(page.locator("[name=loss]")).to_have_value("¼")
        expect(page.locator("[name=check_in]")).to_be_checked()
    assert director.complaints == []
    director.context.close()


def test_a_tournament_of_three_rounds_in_a_browser(
    browser: Browser, hall: tuple[DirectorHouse, Served], tmp_path: Path
) -> None:
    house, site = hall
    director, spectator = Visitor(browser, site, Role.DIRECTOR), Visitor(browser, site, Role.SPECTATOR)
    arbiter = Visitor(browser, site, Role.ARBITER)
    page = director.go("/tournaments")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).fill("Browser Open")
    page.get_by_label("Rounds", exact=True).fill("3")
    page.get_by_role("button", name="Open the tournament").click()

    # Entrants: from a file, with one row that is wrong, and one by hand.
    file = tmp_path / "entrants.csv"
    file.write_text(ENTRANTS, encoding="utf-8")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".mistakes")).to_contain_text("x cannot be the rating")
    page.get_by_role("button", name="Add 4 entrants").click()
    page.get_by_label("Name", exact=True).fill("Grace Hopper")
    page.locator("#add-rating").fill("1700")
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator("h1")).to_contain_text("5 entrants")

    watched = spectator.go("/tournaments/browser-open")
    expect(watched.locator("h1")).to_have_text("Pairings")
    for number in (1, 2, 3):
        page.goto(f"{site.site}/tournaments/browser-open/round")
        page.get_by_role("button", name=f"Pair round {number}").click()
        expect(page.locator("#preview h2")).to_have_text(f"Preview of round {number}")  # it comes by itself
        page.get_by_role("button", name=f"Publish round {number}").click()
        expect(page.locator("#next")).to_contain_text(f"Round {number} is being played: 0 of 2")
        expect(watched.locator("h1")).to_contain_text(f"Round {number}")  # nobody has loaded that page again
        page.get_by_role("link", name="Results").first.click()
        # The first board has the focus: keys alone do the rest.
        expect(page.locator("input.result").first).to_be_focused()
        if number == 1:
            arbiter.go("/tournaments/browser-open/results")
            expect(arbiter.page.locator("#b1 input.result")).to_be_focused()
        page.keyboard.type("1")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowDown")
        page.keyboard.type("=")
        page.keyboard.press("Enter")
        expect(page.locator("#waits")).to_contain_text("All results are in")
        if number == 1:
            expect(watched.locator("#table")).to_contain_text("½-½")
            # A person who waits at a board sees what another enters for it, and types nothing into the next by mistake.
            expect(arbiter.page.locator("#b1 .told")).to_have_text("1-0")
            expect(arbiter.page.locator("#b1")).to_be_focused()
    watched.goto(f"{site.site}/tournaments/browser-open/standings")
    expect(watched.locator("tbody tr")).to_have_count(5)
    tournament = house.hall.book("browser-open").tournament()
    assert [format_result(round_.results[1]) for round_ in tournament.rounds] == ["1-0", "1-0", "1-0"]
    assert {told.who for told in house.hall.book("browser-open").read()} == {"Dora Kaya"}
    assert director.complaints == spectator.complaints == arbiter.complaints == []
    for visitor in (director, spectator, arbiter):
        visitor.context.close()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "the hall cannot be reached, or failed"),
        ({"status": 500, "body": "Internal Server Error"}, "the hall cannot be reached, or failed"),
        ({"status": 503, "json": {"error": "The database is away."}}, "The database is away."),
    ],
    ids=["unreached", "failed", "refused"],
)
def test_a_result_that_is_not_entered_is_said_in_a_sentence_and_stays_in_its_field(
    browser: Browser, hall: tuple[DirectorHouse, Served], answer: dict[str, Any] | None, why: str
) -> None:
    house, site = hall
    if not house.hall.book("unsent").read():
        house.tournament("unsent", count=4)
        house.publish("unsent")
    one = Visitor(browser, site, Role.ARBITER)
    page = one.go("/tournaments/unsent/results")
    page.route("**/results/enter", lambda road: road.abort() if answer is None else road.fulfill(**answer))
    field = page.locator("#b1 input.result")
    field.fill("1")
    field.press("Enter")
    expect(page.locator("#said")).to_contain_text("Board 1: ")
    expect(page.locator("#said")).to_contain_text(why)
    expect(field).to_be_focused()
    expect(field).to_have_value("1")
    page.unroute("**/results/enter")
    one.context.close()


def test_two_directors_at_once_and_the_second_is_told_beside_the_board(
    browser: Browser, hall: tuple[DirectorHouse, Served]
) -> None:
    house, site = hall
    one = Visitor(browser, site, Role.ARBITER)
    page = one.go("/tournaments/large/results")
    field = page.locator("#b7 input.result")
    field.fill("1")  # somebody writes here: the row waits for them
    book = house.hall.book("large")
    before = len(book.read())
    house.play("large", [GameResult.DRAWN])
    house.hall.thread.listeners.tell(tournaments=["large"])
    expect(page.locator("#b8")).to_contain_text("½-½")  # the others have changed meanwhile
    field.press("Enter")
    expect(page.locator("#said")).to_contain_text("Dora got there first")
    expect(field).to_be_focused()
    assert len(book.read()) == before + 80
    one.context.close()


def test_the_round_clock_runs_on_every_screen(browser: Browser, hall: tuple[DirectorHouse, Served]) -> None:
    _, site = hall
    arbiter, screen = Visitor(browser, site, Role.ARBITER), Visitor(browser, site, Role.SPECTATOR)
    wall = screen.go("/tournaments/small/wall")
    expect(wall.locator(".clock")).to_have_text("25:00")
    size = wall.viewport_size
    assert size is not None
    expect(wall.locator("html")).to_have_js_property("scrollHeight", size["height"])  # nobody scrolls a projector
    page = arbiter.go("/tournaments/small/desk")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(wall.locator(".clock")).to_contain_text("24:")
    page.get_by_role("button", name="+5 min").click()
    expect(wall.locator(".clock")).to_contain_text("29:")
    page.get_by_role("button", name="Pause").click()
    expect(wall.locator(".clock.stands")).to_be_visible()
    arbiter.context.close()
    screen.context.close()


@pytest.mark.parametrize("size", [WALL, {"width": 1280, "height": 720}], ids=["wall", "projector"])
def test_a_screen_in_the_hall_shows_the_brackets_whole(
    browser: Browser, hall: tuple[DirectorHouse, Served], size: ViewportSize
) -> None:
    _, site = hall
    context = browser.new_context(viewport=size, locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    for name, title in (("knockout", "Bracket"), ("double", "Winners’ bracket"), ("double", "Losers’ bracket")):
        page.goto(f"{site.site}/tournaments/{name}/wall")
        panel = page.locator(".panel.shown", has_text=title)
        while not panel.count():
            page.keyboard.press("ArrowRight")
        lowest = panel.locator(".match").evaluate_all(LOWEST)
        assert 0 < lowest <= page.locator("#panels").evaluate("one => one.getBoundingClientRect().bottom")
        expect(page.locator("html")).to_have_js_property("scrollHeight", size["height"])
    context.close()


@pytest.mark.parametrize("shot", [shot for shot in SHOTS if shot.name in LOOKED_AT], ids=lambda shot: shot.name)
def test_nothing_is_wrong_with_how_a_page_looks(
    browser: Browser, hall: tuple[DirectorHouse, Served], shot: object
) -> None:
    _, site = hall
    assert list(faults_of(browser, site, shot)) == []  # type: ignore[arg-type]  # a Shot


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_a_player_says_a_result_on_a_phone(
    browser: Browser, hall: tuple[DirectorHouse, Served], *, scripts: bool
) -> None:
    house, site = hall
    name = f"phones-{scripts}".lower()
    house.tournament(name, 4)
    house.publish(name)
    pairing = house.hall.book(name).tournament().round(1).at(1)
    code = house.hall.player_codes(name)[pairing.first]
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en", java_script_enabled=scripts)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site.site}/my")
    page.get_by_label("Your code").fill(code.lower())
    page.get_by_role("button", name="Show my board").click()
    expect(page.locator("main")).to_contain_text("Board 1")
    page.get_by_role("button", name="I won").click()
    expect(page.locator("main")).to_contain_text("You said: I won.")
    expect(page).to_have_url(f"{site.site}/my/{code}")
    (told,) = [one.said for one in house.hall.proposals(name, 1) if one.board == 1]
    assert len(told) == 1
    context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_a_table_of_three_reports_its_places_on_phones(
    browser: Browser, hall: tuple[DirectorHouse, Served], *, scripts: bool
) -> None:
    house, site = hall
    name = f"tayu-{scripts}".lower()
    house.tournament(name, 3, system=System.TABLES, tie_breaks=())
    book = house.hall.book(name)
    book.append(TablesSeated(1, (Table(1, (2, 3, 1)),)), "Dora Kaya", after=len(book.read()))
    codes = house.hall.player_codes(name)
    context = browser.new_context(viewport=PHONE, locale="en", java_script_enabled=scripts)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site.site}/my/{codes[1]}")
    expect(page.locator("main")).to_contain_text("You sit with Benoît Mandelbrot, Çiğdem Öztürk.")
    for person, place in (("Ada", "1."), ("Benoît", "3."), ("Çiğdem", "2.")):
        page.get_by_role("group", name=person).get_by_role("radio", name=place).check()
    page.get_by_role("button", name="Report these places").click()
    expect(page.get_by_role("status")).to_contain_text("You said:")
    expect(page.locator("html")).to_have_js_property("scrollWidth", PHONE["width"])
    for other in (2, 3):
        page.goto(f"{site.site}/my/{codes[other]}")
        page.get_by_role("button", name="That is how it ended").click()
        expect(page.get_by_role("status")).to_contain_text("You said:")
        house.run()
    page.reload()
    expect(page.locator(".my-result")).to_contain_text("This result is entered.")
    assert book.tournament().round(1).places == {1: (3, 2, 1)}
    assert book.read()[-1].who == "all players"
    context.close()
