"""The printed sheets of a tournament: what stands on them, in every language, and how a browser prints them."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from gnomon.hall import enrolment_sheet
from gnomon.hall.messaging.enrolment import Enrolment
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    DeadlineSet,
    EntrantRegistered,
    Event,
    HeadingTold,
    PersonTold,
    PlacesEntered,
    RoundPublished,
    TablesSeated,
    TournamentOpened,
)
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import Heading, PersonalData
from gnomon.tournament.state.rounds import Table, at_boards
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.web.sheets.brackets import bracket_sheet
from gnomon.web.sheets.lists import (
    cross_sheet,
    entrants_sheet,
    pairings_by_board,
    pairings_by_name,
    standings_sheet,
    teams_sheet,
)
from gnomon.web.sheets.paper import Paper, PrintedSheet, _css_text, render
from gnomon.web.sheets.rounds import round_heading
from gnomon.web.sheets.slips import forms, score_sheets, slips_sheet
from gnomon.words import ENGLISH, LANGUAGES, Words, words
from tests.tournament._evening import after, by_hand, gathered, opening, played, published, settings

NASTY = 'Zoë "O\'Neil" <b>& Söhne</b></style>'
LONG = "Wolfeschlegelsteinhausenbergerdorff-Papadopoulos-Konstantinidis von und zu Hohenzollern-Sigmaringen der Jüngere"
EVENING = published(
    played(
        fold(
            [
                TournamentOpened(TournamentSettings(NASTY, System.SWISS, 5)),
                *(EntrantRegistered(n, f"Entrant {n}", 2000 - n, "North" if n % 2 else "South") for n in range(1, 10)),
                EntrantRegistered(10, LONG),
                EntrantRegistered(11, NASTY),
            ]
        ),
        2,
    )
)
TABLE = played(gathered(30, settings(System.ROUND_ROBIN, rounds=29)), 1)
CUP = played(after(gathered(26, settings(System.KNOCKOUT, rounds=5, third_place=True)), EntrantRegistered(27, LONG)), 1)
TWICE_OUT = played(after(gathered(26, settings(System.KNOCKOUT, rounds=12, lives=2)), EntrantRegistered(27, LONG)), 3)
AT_TABLES = settings(System.TABLES, rounds=2, tie_breaks=())
SEATED = after(
    gathered(5, AT_TABLES),
    EntrantRegistered(6, LONG),
    EntrantRegistered(7, NASTY),
    TablesSeated(1, (Table(1, (1, 4, 6, 7)), Table(2, (5, 3, 2)))),
    PlacesEntered(1, 2, (1, 1, 3)),
)
TWICE = published(gathered(4, settings(rounds=3, games=2)))
OPEN = Heading("Bad Ems", "GER", "2026/11/20", "2026/11/22", arbiter="Bell, Ann", dates=("26/11/20", "26/11/21"))
ADA = PersonalData("w", "WGM", "ENG", "400123", "1815/12/10", "SC Bonn")
TOLD = after(published(gathered(4, settings(rounds=3))), HeadingTold(OPEN), PersonTold(1, ADA))
CUP_TOLD = after(gathered(4, settings(System.KNOCKOUT, rounds=2)), HeadingTold(OPEN), PersonTold(1, ADA))

SHEETS: dict[str, Callable[[Words], PrintedSheet]] = {
    "by board": lambda say: pairings_by_board(EVENING, 3, say),
    "by name": lambda say: pairings_by_name(EVENING, 3, say),
    "tables": lambda say: pairings_by_board(SEATED, 1, say),
    "tables by name": lambda say: pairings_by_name(SEATED, 1, say),
    "entrants": lambda say: entrants_sheet(EVENING, say),
    "standings": lambda say: standings_sheet(EVENING, say, 2),
    "teams": lambda say: teams_sheet(EVENING, 4, say),
    "cross": lambda say: cross_sheet(EVENING, say),
    "table": lambda say: cross_sheet(TABLE, say),
    "bracket": lambda say: bracket_sheet(CUP, say),
    "two brackets": lambda say: bracket_sheet(TWICE_OUT, say),
    "slips": lambda say: slips_sheet(EVENING, 3, say),
    "slips of tables": lambda say: slips_sheet(SEATED, 1, say),
    "score of tables": lambda say: score_sheets(SEATED, "tayu", say, 1),
    "score of two games": lambda say: score_sheets(TWICE, "tamsk", say, 1),
    "slips of two games": lambda say: slips_sheet(TWICE, 1, say),
    **{f"score {game}": lambda say, game=game: score_sheets(EVENING, game, say, 3) for game in forms()},  # type: ignore[misc]  # mypy gives a lambda's default no type
}


def text(html: str) -> str:
    """What a reader sees, its elements parted by bars."""
    body = html.partition("<body>")[2]
    return re.sub(r"\s*\|[\s|]*", "|", unescape(re.sub(r"<[^>]*>", "|", body)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_loads_nothing_and_runs_nothing(name: str, language: str) -> None:
    say = words(language)
    html = render(SHEETS[name](say), say)
    assert html.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert re.search(r"<script|<link|<img|src=|url\(|@import|javascript", html) is None
    assert "<b>&" not in html
    assert html.count("</style>") == 1


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_told_in_every_language(name: str) -> None:
    told = {text(render(SHEETS[name](words(language)), words(language))) for language in LANGUAGES}
    assert len(told) == len(LANGUAGES)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_a_text_below_the_page_stays_a_text(name: str) -> None:
    shown = str(_css_text(name))
    assert re.fullmatch(r'"(?:[A-Za-z0-9]|\\[0-9a-f]{6})*"', shown)
    read = re.sub(r"\\([0-9a-f]{6})", lambda found: chr(int(found[1], 16)), shown[1:-1])
    assert read == name


def test_pairings_by_board_have_the_points_before_the_round() -> None:
    three = by_hand(gathered(3, settings(rounds=3)), [(1, 2, "½-½"), (3, None, "")])
    shown = text(
        render(pairings_by_board(after(three, RoundPublished(2, at_boards([(3, 1), (2, None)]))), 2, ENGLISH), ENGLISH)
    )
    assert "|1|3|Cleo|1|1|Ada|½|" in shown
    assert "|2|2|Ben|½|bye|" in shown
    with pytest.raises(TournamentError, match="round 2 is not published"):
        pairings_by_board(three, 2, ENGLISH)


def test_entrants_have_their_first_round_where_somebody_comes_late() -> None:
    some: list[Event] = [TournamentOpened(settings()), EntrantRegistered(1, "Ada", 2000, "North")]
    assert "|No|Name|Rating|Team|1|Ada|2000|North|" in text(render(entrants_sheet(fold(some), ENGLISH), ENGLISH))
    late = fold([*some, EntrantRegistered(2, "Ben", since=3)])
    assert "|Team|From round|" in text(render(entrants_sheet(late, ENGLISH), ENGLISH))
    assert "|2|Ben|3|" in text(render(entrants_sheet(late, ENGLISH), ENGLISH))


def test_pairings_by_name_stand_in_the_order_of_names() -> None:
    shown = text(render(pairings_by_name(EVENING, 3, ENGLISH), ENGLISH))
    names = re.findall(r"\|(Entrant \d+|Wolfe[^|]*|Zoë[^|]*)\|\d+\|", shown)
    assert names == sorted(names, key=str.casefold)
    assert len(names) == 11


def test_everybody_finds_their_table_and_seat_by_name() -> None:
    shown = in_english(pairings_by_name(SEATED, 1, ENGLISH))
    assert "|Name|Table|Seat|With|Ada|1|1|Dov, " in shown
    assert "|Ben|2|3|Eva, Cleo|Cleo|2|2|Eva, Ben|" in shown


def test_standings_leave_out_columns_that_nobody_needs() -> None:
    with_teams = text(render(standings_sheet(EVENING, ENGLISH), ENGLISH))
    assert "|Place|No|Name|Team|Rating|Pts|DE|BHC1|BH|SB|WIN|" in with_teams
    assert "Without the results still to come at board" in with_teams
    nobody = fold([TournamentOpened(settings()), EntrantRegistered(1, "Ada")])
    bare = text(render(standings_sheet(nobody, ENGLISH), ENGLISH))
    assert "|Place|No|Name|Pts|DE|BHC1|BH|SB|WIN|1|1|Ada|0|" in bare
    assert "BH: Buchholz, the points of all opponents" in bare


def test_a_tie_break_without_a_name_of_its_own_is_not_explained() -> None:
    codes = fold(opening(2, settings(tie_breaks=("TPR", "MAN"))))
    assert standings_sheet(codes, ENGLISH).notes == (
        "TPR: tournament performance rating",
        "MAN: the director’s decision",
    )


def test_a_table_that_is_too_wide_for_a_page_goes_on_below() -> None:
    sheet = cross_sheet(TABLE, ENGLISH)
    assert sheet.landscape
    tables = sheet.parts["tables"]
    assert isinstance(tables, list)
    first, second = tables
    assert (first.title, second.title) == ("1–24", "25–30")
    assert [row[4 + at] for at, row in enumerate(first.rows[:24])] == ["×"] * 24
    assert [row[4 + at] for at, row in enumerate(second.rows[24:])] == ["×"] * 6


def test_a_cross_table_of_many_rounds_lies_on_its_side() -> None:
    assert not cross_sheet(EVENING, ENGLISH).landscape
    assert cross_sheet(played(gathered(12, settings(rounds=9)), 9), ENGLISH).landscape


def test_a_bracket_of_many_is_drawn_in_parts_and_names_who_has_a_bye() -> None:
    shown = text(render(bracket_sheet(CUP, ENGLISH), ENGLISH))
    assert re.findall(r"Boards \d+ to \d+", shown) == ["Boards 1 to 8", "Boards 9 to 16"]
    titles = re.findall(r"\|(Round \d|Quarterfinals|Semifinals|Final|Third place)(?=\|)", shown)
    assert titles == [*["Round 1", "Round 2", "Quarterfinals", "Semifinals"] * 2, "Final", "Third place"]
    assert shown.count("|bye|") == 5


def test_a_double_elimination_is_drawn_as_two_brackets_and_the_finals() -> None:
    shown = in_english(bracket_sheet(TWICE_OUT, ENGLISH))
    titles = re.findall(r"\|([^|]* bracket[^|]*|Round \d|Final|Second final[^|]*)(?=\|)", shown)
    assert titles == [
        *("Winners’ bracket · Boards 1 to 8", "Round 1", "Round 2", "Round 3", "Round 4"),
        *("Winners’ bracket · Boards 9 to 16", "Round 1", "Round 2", "Round 3", "Round 4"),
        *("Winners’ bracket", "Round 5"),
        *("Losers’ bracket", "Round 2", "Round 3"),
        *("Final", "Second final, if needed"),
    ]
    assert "|Waiting for the next round: 5 Eva, 6 Finn," in shown


def test_a_slip_has_a_line_of_boxes_for_every_game() -> None:
    assert text(render(slips_sheet(TWICE, 1, ENGLISH), ENGLISH)).count("|1–0|½–½|0–1|") == 4
    assert "Game 2" in text(render(slips_sheet(TWICE, 1, ENGLISH), ENGLISH))


def test_the_sheets_of_a_round_tell_its_game_and_until_when_results_may_come_in() -> None:
    mixed = published(gathered(2, settings(rounds=2, round_games=("TABIK", "chess"))))
    until = after(mixed, DeadlineSet(1, "2026-12-01 20:00"))
    for make in (pairings_by_board, pairings_by_name):
        shown = in_english(make(until, 1, ENGLISH))
        assert "Round 1 of 2 – Tabik|Results may come in until 2026-12-01 20:00.|" in shown
    assert slips_sheet(mixed, 1, ENGLISH).subtitle == "Round 1 of 2 – Tabik"
    assert round_heading(mixed.settings, 2, ENGLISH) == "Round 2 of 2 – chess"


def test_a_slip_of_a_table_has_a_line_for_everybody_who_sits_there() -> None:
    shown = in_english(slips_sheet(SEATED, 1, ENGLISH))
    assert "|Round 1, table 2|Place|Signature|5 Eva|3 Cleo|2 Ben|" in shown
    assert "1–0" not in shown


def test_a_score_sheet_of_a_table_has_columns_for_every_seat() -> None:
    html = render(score_sheets(SEATED, "tayu", ENGLISH, 1), ENGLISH)
    shown = text(html)
    assert "|Seat 1|5 Eva|Seat 2|3 Cleo|Seat 3|2 Ben|" in shown
    assert "|Seat 1|Seat 2|Seat 3|Seat 4|Tile|Move|Tile|Move|Tile|Move|Tile|Move|" in shown
    assert "|Order|Signature: Seat 1|Signature: Seat 2|Signature: Seat 3|Signature: arbiter|" in shown


def test_each_game_of_a_match_has_a_score_sheet_with_the_sides_changed() -> None:
    sheets = text(render(score_sheets(TWICE, "tabik", ENGLISH, 1), ENGLISH)).split("|Tournament|")[1:]
    told = [
        re.findall(r"\|Round\|([^|]*)\|Board\|(\d+)\|.*?\|Black\|([^|]*)\|White\|([^|]*)\|", one)[0] for one in sheets
    ]
    (one, first, second), (two, third, fourth) = (
        (str(each.board), *(TWICE.label_of(number) for number in each.entrants)) for each in TWICE.rounds[0].pairings
    )
    assert told == [
        ("1 · Game 1", one, first, second),
        ("1 · Game 2", one, second, first),
        ("1 · Game 1", two, third, fourth),
        ("1 · Game 2", two, fourth, third),
    ]
    assert "Game 1" not in text(render(score_sheets(EVENING, "tabik", ENGLISH, 3), ENGLISH))


def test_a_blank_score_sheet_needs_no_tournament() -> None:
    html = render(score_sheets(None, "tau", ENGLISH), ENGLISH)
    assert "|Score sheet: TAU|" in text(html)
    assert "|First player|" in text(html)
    assert "|HIGH|LOW|" in text(html)
    with pytest.raises(TournamentError, match="there is no score sheet of chess: take one of tamsk"):
        score_sheets(None, "chess", ENGLISH)


# In a browser

PAGES = re.compile(rb"/Type /Page\b")
SIZE = re.compile(rb"/MediaBox \[0 0 (\d+)[\d.]* (\d+)[\d.]*\]")
A_MILLIMETRE = 96 / 25.4  # pixels of CSS
# What is cut off or runs out of its box without a sign of it, or leaves the page to the right. A line may be lower than
# its font is high, by a third at most.
UNSOUND = """() => [...document.querySelectorAll("header *, main *:not(tr, thead, tbody)")].filter(one => {
  const style = getComputedStyle(one), right = one.getBoundingClientRect().right, line = parseFloat(style.fontSize) / 3;
  const isShortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const sticksOut = one.scrollHeight > one.clientHeight + line || one.scrollWidth > one.clientWidth + 1;
  return right > innerWidth + 1 || style.display !== "inline" && !isShortened && sticksOut;
}).map(one => one.outerHTML.slice(0, 200))"""
# Letters as they are, and at least as wide as those of the widest font, whichever is installed.
WIDE = "* { letter-spacing: 0.15em }"
FONTS = {"as it is": "* {}", "wide": WIDE}
PRINTED: dict[str, tuple[PrintedSheet, int]] = {
    "by board": (pairings_by_board(EVENING, 3, ENGLISH), 1),
    "table": (cross_sheet(TABLE, ENGLISH), 3),
    "bracket": (bracket_sheet(CUP, ENGLISH), 3),
    "two brackets": (bracket_sheet(TWICE_OUT, ENGLISH), 3),
    "slips": (slips_sheet(EVENING, 3, ENGLISH), 1),
    "score": (score_sheets(EVENING, "tamsk", ENGLISH, 3), 5),
    "score of two games": (score_sheets(TWICE, "tamsk", ENGLISH, 1), 4),
    "slips of tables": (slips_sheet(SEATED, 1, ENGLISH), 1),
    "score of tables": (score_sheets(SEATED, "tayu", ENGLISH, 1), 2),
}


def field_of_500() -> Tournament:
    entrants = (EntrantRegistered(n, f"{LONG[: n % 90 + 8]} {n}", 2000) for n in range(1, 501))
    pairs = at_boards((n, n + 250) for n in range(1, 251))
    return fold([TournamentOpened(settings()), *entrants, RoundPublished(1, pairs)])


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Page:
    page = browser.new_page()
    page.emulate_media(media="print")
    return page


@pytest.mark.browser
@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("name", PRINTED)
def test_a_sheet_has_room_on_both_kinds_of_paper_with_any_font(paper: Page, name: str, font: str) -> None:
    sheet, pages = PRINTED[name]
    for size, short, long in ((Paper.A4, 210, 297), (Paper.LETTER, 216, 279)):
        margins = 16 if name.startswith("slips") else 26
        width = (long if sheet.landscape else short) - margins
        paper.set_viewport_size({"width": round(width * A_MILLIMETRE), "height": 800})
        paper.set_content(render(sheet, ENGLISH, size, "2026-11-20 19:30 · 6889a4fd24e2"))
        paper.add_style_tag(content=FONTS[font])
        assert paper.evaluate(UNSOUND) == []
        made = paper.pdf(prefer_css_page_size=True)
        first = SIZE.search(made)
        assert first is not None
        wide, high = (round(int(points) / 72 * 25.4) for points in first.groups())
        assert (min(wide, high), max(wide, high)) == (short, long)
        assert (wide > high) == sheet.landscape
        assert len(PAGES.findall(made)) == pages


@pytest.mark.browser
def test_the_name_of_a_hall_is_not_torn_apart(paper: Page) -> None:
    halls = {board: "assembly" if board % 2 else "westwing" for board in range(1, 7)}
    for make in (pairings_by_board, pairings_by_name):
        for tournament, in_round in ((EVENING, 3), (SEATED, 1)):
            paper.set_viewport_size({"width": round(184 * A_MILLIMETRE), "height": 800})
            paper.set_content(render(make(tournament, in_round, ENGLISH, halls), ENGLISH))
            lines = """() => [...document.querySelectorAll("td.hall")].map(one => {
              const range = document.createRange(); range.selectNodeContents(one);
              return range.getClientRects().length; })"""
            assert set(paper.evaluate(lines)) == {1}


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_is_whole_in_every_language_with_any_font(paper: Page, language: str) -> None:
    say, unsound = words(language), {}
    for name, made in SHEETS.items():
        sheet = made(say)
        width = (297 if sheet.landscape else 210) - (16 if name.startswith("slips") else 26)
        paper.set_viewport_size({"width": round(width * A_MILLIMETRE), "height": 800})
        paper.set_content(render(sheet, say))
        paper.add_style_tag(content=WIDE)
        unsound[name] = paper.evaluate(UNSOUND)
    assert {name: cut for name, cut in unsound.items() if cut} == {}


@pytest.mark.browser
def test_the_codes_of_a_hall_are_whole_with_any_font(paper: Page) -> None:
    broker = f"{'hohenzollern' * 5}.example.org"
    enrolments = [Enrolment(broker, 8883, f"board-{number}", "secret", "system") for number in range(3)]
    paper.set_viewport_size({"width": round(190 * A_MILLIMETRE), "height": 800})
    paper.set_content(enrolment_sheet.sheet(LONG, enrolments, ENGLISH))
    paper.add_style_tag(content=WIDE)
    assert paper.evaluate(UNSOUND) == []


@pytest.mark.browser
def test_a_round_of_500_is_printed_with_its_headings_on_every_page(paper: Page) -> None:
    paper.set_content(render(pairings_by_board(field_of_500(), 1, ENGLISH), ENGLISH))
    styles = "['thead', 'tr'].map(name => getComputedStyle(document.querySelector(name)))"
    assert paper.evaluate(f"{styles}.map((style, at) => at ? style.breakInside : style.display)") == [
        *("table-header-group", "avoid"),
    ]
    assert len(PAGES.findall(paper.pdf(prefer_css_page_size=True))) > 10


def in_english(sheet: PrintedSheet) -> str:
    return text(render(sheet, ENGLISH))


def test_the_head_of_a_sheet_tells_where_and_when_the_event_is() -> None:
    head = "|Bad Ems (GER) · 2026-11-20 – 2026-11-22 · Chief arbiter: Bell, Ann|"
    assert head in in_english(standings_sheet(TOLD, ENGLISH))
    assert head in in_english(bracket_sheet(CUP_TOLD, ENGLISH))
    assert "Club evening · Round 1 of 3 · 2026-11-20|" in in_english(pairings_by_board(TOLD, 1, ENGLISH))
    assert "|Date|2026-11-20|" in in_english(score_sheets(TOLD, "tayu", ENGLISH, 1))
    one_day = after(TOLD, HeadingTold(Heading(starts="2026/11/20", ends="2026/11/20", federation="GER")))
    assert "|2026-11-20|" in in_english(entrants_sheet(one_day, ENGLISH))


def test_a_day_for_every_game_is_no_day_of_a_round() -> None:
    dates = tuple(f"26/11/{day}" for day in range(20, 26))
    told = after(TOLD, HeadingTold(Heading(dates=dates)))
    assert "Round 1 of 3|" in in_english(pairings_by_board(told, 1, ENGLISH))


def test_titles_federations_and_clubs_have_columns_where_anybody_has_one() -> None:
    listed = in_english(entrants_sheet(TOLD, ENGLISH))
    assert "|No|Title|Name|Fed.|Rating|Team|Club|1|WGM|Ada|ENG|1999|SC Bonn|2|Ben|" in listed
    assert "|Place|No|Title|Name|Fed.|Club|Rating|" in in_english(standings_sheet(TOLD, ENGLISH))
    teamed = after(published(gathered(2, settings())), EntrantRegistered(3, "Cleo", team="North", since=2))
    assert "|Title|Name|Fed.|Team|Rating|" in in_english(standings_sheet(after(teamed, PersonTold(1, ADA)), ENGLISH))


def test_no_sheet_tells_when_anybody_was_born_or_their_sex() -> None:
    private = after(TOLD, *(PersonTold(number, PersonalData("SEXED", born="BORN")) for number in range(1, 5)))
    cup = after(CUP_TOLD, *(PersonTold(number, PersonalData("SEXED", born="BORN")) for number in range(1, 5)))
    sheets = (
        *(
            pairings_by_board(private, 1, ENGLISH),
            pairings_by_name(private, 1, ENGLISH),
            slips_sheet(private, 1, ENGLISH),
        ),
        *(entrants_sheet(private, ENGLISH), standings_sheet(private, ENGLISH), teams_sheet(private, 4, ENGLISH)),
        *(cross_sheet(private, ENGLISH), bracket_sheet(cup, ENGLISH), score_sheets(private, "tayu", ENGLISH, 1)),
    )
    assert [sheet.title for sheet in sheets if re.search("SEXED|BORN", render(sheet, ENGLISH))] == []
