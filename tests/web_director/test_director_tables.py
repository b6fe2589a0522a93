"""The page of tables of three and four: seated by directors, ended by arbiters, read by everybody."""

import html
import re
from dataclasses import replace

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.records.journal.entries import EntryKind
from gnomon.tournament.events import TablesChanged, TablesSeated
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import System
from gnomon.web.access import Role
from gnomon.web.hall._rounds import told_rounds
from gnomon.web.hall._stream import alarms_payload
from tests.hall.told import START, record
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse

PAGE = "/tournaments/open/tables"


def words_of(page: str) -> str:
    """The text of a page, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def test_a_round_at_tables_from_seating_to_standings(
    house: DirectorHouse, dora: houses.Person, anna: houses.Person
) -> None:
    house.tournament(count=7, system=System.TABLES, tie_breaks=())
    assert "Seat round 1" in dora.page(PAGE)
    assert "Seat round 1" not in anna.page(PAGE)
    assert dora.send(f"{PAGE}/seat").status_code == 303
    tables = house.hall.book("open").tournament().rounds[0].tables
    assert [len(table.seats) for table in tables] == [4, 3]
    seats = tables[0].seats
    names = house.hall.book("open").tournament().entrants
    assert " – ".join(names[number].name for number in seats[:2]) in html.unescape(
        dora.page("/tournaments/open/boards")
    )
    order = f"{seats[2]} {seats[0]}={seats[1]} {seats[3]}"
    assert anna.send(f"{PAGE}/places", round="1", board="1", order=order).status_code == 303
    assert house.hall.book("open").tournament().rounds[0].places == {1: (2, 2, 1, 4)}
    shown = house.anybody().page(PAGE)
    places = (
        f"1. {names[seats[2]].name} 1",
        f"2. {names[seats[0]].name} ½",
        f"2. {names[seats[1]].name} ½",
        f"4. {names[seats[3]].name} 0",
    )
    assert " ".join(places) in words_of(shown)
    assert "<form" not in shown.partition('id="table"')[2]
    assert "round 1" in dora.page("/tournaments/open/desk").casefold()
    assert "Tables" in house.anybody().page("/tournaments/open/standings")
    assert house.anybody().get("/tournaments/open/print/pairings").status_code == 200
    assert house.anybody().get("/tournaments/open/files/trf26.trf").status_code == 404
    for path in ("", "/wall", "/cross", "/players/1"):
        assert house.anybody().get(f"/tournaments/open{path}").status_code == 200


def test_a_director_seats_tables_by_hand(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament(count=7, system=System.TABLES, tie_breaks=())
    assert dora.send(f"{PAGE}/seat", tables="1:1-2-3").status_code == 409
    answer = dora.send(f"{PAGE}/seat", tables="1:1-2 and more")
    assert "is not a table" in answer.text
    assert 'value="1:1-2 and more"' in answer.text
    assert dora.send(f"{PAGE}/seat", tables="1:4-1-3-2  2:5-6-7").status_code == 303
    tables = house.hall.book("open").tournament().rounds[0].tables
    assert tables == (Table(1, (4, 1, 3, 2)), Table(2, (5, 6, 7)))


def test_the_desk_of_tables_leads_nobody_astray(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament(count=7, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat")
    results = dora.page("/tournaments/open/results")
    assert "2 results are missing." in results
    assert "All results are in." not in results
    for page in ("results", "round"):
        assert f'<a class="button" href="{PAGE}">' in dora.page(f"/tournaments/open/{page}")
    assert "Pair round" not in dora.page("/tournaments/open/round")
    desk = dora.page("/tournaments/open/desk")
    assert 'href="/tournaments/open/round"' not in desk
    assert "trf16.trf" not in desk
    house.tournament("swiss", count=4)
    assert "trf16.trf" in dora.page("/tournaments/swiss/desk")


def test_pairings_wall_and_the_pages_of_players_show_tables(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament(count=4, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat")
    tournament = house.hall.book("open").tournament()
    seats = tournament.rounds[0].tables[0].seats
    names = [tournament.entrants[number].name for number in seats]
    public = house.anybody()
    for path in ("", "/wall"):
        shown = html.unescape(public.page(f"/tournaments/open{path}"))
        assert all(name in shown for name in names)
    others = ", ".join(names[1:])
    found = html.unescape(public.page(f"/tournaments/open?find={names[0].split()[0]}"))
    assert f"You sit with {others}." in found
    phone = html.unescape(public.page(f"/my/{house.hall.player_codes('open')[seats[0]]}"))
    assert f"You sit with {others}." in phone
    player = html.unescape(public.page(f"/tournaments/open/players/{seats[0]}"))
    assert others in player
    assert "no game in this round" not in player
    dora.send(f"{PAGE}/places", round="1", board="1", order=" ".join(map(str, seats)))
    ended = public.page(f"/tournaments/open/players/{seats[1]}")
    assert ("2." in ended, ended.count("⅔")) == (True, 3)
    assert f"{seats[0]} " in public.page("/tournaments/open/cross")
    in_order = [tournament.entrants[number].name for number in seats]
    places = " ".join(
        f"{place}. {name} {points}" for place, name, points in zip((1, 2, 3, 4), in_order, "1⅔⅓0", strict=True)
    )
    for path in ("", "/wall"):
        assert places in words_of(public.page(f"/tournaments/open{path}"))
    [told] = told_rounds(house.hall)
    assert told["results"] == [{"round": 1, "board": 1, "places": list(enumerate(in_order, start=1))}]
    dora.send(f"{PAGE}/places", round="1", board="1", order="", why="they play on")
    assert told_rounds(house.hall)[0]["results"] == []
    assert places not in words_of(public.page("/tournaments/open"))


def test_an_arbiter_enters_a_table_of_an_earlier_round_that_waits_and_corrects_none(
    house: DirectorHouse, dora: houses.Person, anna: houses.Person
) -> None:
    house.tournament(count=4, system=System.TABLES, tie_breaks=(), open_rounds=2)
    for _ in range(2):
        assert dora.send(f"{PAGE}/seat").status_code == 303, "the next round is seated while this one waits"
    assert "/tables/seat" not in dora.page(PAGE), "two rounds wait, and no more may"
    book = house.hall.book("open")
    order = " ".join(map(str, book.tournament().rounds[0].tables[0].seats))
    page = anna.page(f"{PAGE}?round=1")
    assert 'name="order"' in page
    assert 'name="why"' not in page
    assert anna.send(f"{PAGE}/places", round="1", board="1", order=order).status_code == 303
    assert book.tournament().rounds[0].places == {1: (1, 2, 3, 4)}
    assert 'name="order"' not in anna.page(f"{PAGE}?round=1")
    refused = anna.send(f"{PAGE}/places", round="1", board="1", order=order.replace(" ", "="), why="slip")
    assert (refused.status_code, book.tournament().rounds[0].places) == (422, {1: (1, 2, 3, 4)})
    changed = dora.send(f"{PAGE}/places", round="1", board="1", order=order.replace(" ", "="), why="slip")
    assert (changed.status_code, book.tournament().rounds[0].places) == (303, {1: (1, 1, 1, 1)})


def test_what_cannot_be_is_said_and_places_are_taken_back_with_a_reason(
    house: DirectorHouse, dora: houses.Person, anna: houses.Person
) -> None:
    house.tournament(count=4, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat")
    wrong = anna.send(f"{PAGE}/places", round="1", board="1", order="1 2")
    assert (wrong.status_code, "is no order of table 1" in wrong.text) == (409, True)
    anna.send(f"{PAGE}/places", round="1", board="1", order="1 2 3 4")
    assert anna.send(f"{PAGE}/places", round="1", board="1", order="").status_code == 409
    assert anna.send(f"{PAGE}/places", round="1", board="1", order="", why="slip").status_code == 303
    assert dora.send(f"{PAGE}/revoke", why="again").status_code == 303
    assert house.hall.book("open").tournament().rounds == ()


def test_somebody_else_who_was_quicker_is_named(house: DirectorHouse, dora: houses.Person, anna: houses.Person) -> None:
    house.tournament(count=4, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat")
    seen = str(len(house.hall.book("open").read()))
    dora.send(f"{PAGE}/places", round="1", board="1", order="1 2 3 4")
    late = anna.send(f"{PAGE}/places", round="1", board="1", order="2 1 3 4", seen=seen)
    assert (late.status_code, "got there first" in late.text) == (409, True)


def test_a_tournament_of_tables_is_opened_on_the_page(house: DirectorHouse, dora: houses.Person) -> None:
    sent = dora.send("/tournaments/new", name="Tayu", system="tables", rounds="3", table_size="3", place_points="5,3,1")
    assert sent.status_code == 303
    settings = house.hall.book("tayu").tournament().settings
    assert (settings.system, settings.table_size, len(settings.place_points)) == (System.TABLES, 3, 3)


def test_what_a_board_says_of_its_table_is_taken_over(house: DirectorHouse, anna: houses.Person) -> None:
    house.tournament(count=4, system=System.TABLES, tie_breaks=())
    book = house.hall.book("open")
    book.append(TablesSeated(1, (Table(1, (1, 2, 3, 4)),)), "Dora", after=len(book.read()))
    house.hall.set_plan("open", BoardAssignment("tayu", accept=Accept.BY_HAND, boards={1: "t01"}))
    board = house.board("t01")
    board.start = replace(START, game="tayu", settings={"players": 4})
    house.hall.send_round("open", "Dora")
    house.run()
    assert "Board t01 reports" not in anna.page(PAGE)
    score = {"p1": 3, "p2": 8, "p3": 3, "p4": 8}
    body = {"at_us": 1, "ruling": "over", "winner": "p2", "reason": "higher_score", "score": score}
    board.write(record(0, body, board.games, EntryKind.RULING))
    board.ended[board.games] = len(board.journal)
    house.run()
    house.run()
    page = anna.page(PAGE)
    assert "Board t01 reports: 2=4 1=3" in page
    assert "Board t01" not in house.anybody().page(PAGE)
    order = re.search(r'name="order" value="([^"]+)"><span>', page)
    assert order is not None
    assert anna.send(f"{PAGE}/places", round="1", board="1", order=order[1]).status_code == 303
    assert book.tournament().rounds[0].places == {1: (3, 1, 3, 1)}
    anna.send(f"{PAGE}/places", round="1", board="1", order="1 2 3 4")
    assert "Board t01 says otherwise: 2=4 1=3" in anna.page(PAGE)
    assert "/tables/settle" not in anna.page(PAGE), "it is the director's to decide"
    dora = house.person(Role.DIRECTOR, "Dora")
    house.run()
    (told,) = alarms_payload(house.hall.alarms(), house.hall.now())
    assert (told["page"], told["about"]["de"]) == (f"{PAGE}?round=1", "Club Open, Runde 1, Tisch 1")  # type: ignore[index]  # it has
    assert "Correct to 2=4 1=3" in dora.page(PAGE)
    assert dora.send(f"{PAGE}/settle", round="1", board="1").status_code == 422, "not without a reason"
    assert dora.send(f"{PAGE}/settle", round="1", board="1", why="a tile had fallen").status_code == 303
    house.run()
    assert "says otherwise" not in dora.page(PAGE)
    assert house.hall.alarms() == []


def test_a_director_swaps_two_at_published_tables_and_the_log_says_who_and_why(
    house: DirectorHouse, dora: houses.Person, anna: houses.Person
) -> None:
    house.tournament(count=7, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat", tables="1:1-2-3-4 2:5-6-7")
    book = house.hall.book("open")
    assert "tables/change" not in anna.page(PAGE)
    assert anna.send(f"{PAGE}/change", one="3", other="5", why="no").status_code == 403
    assert dora.send(f"{PAGE}/change", one="3", other="5").status_code == 422, "not without a reason"
    assert dora.send(f"{PAGE}/change", one="3", why="alone").status_code == 409
    assert dora.send(f"{PAGE}/change", one="3", other="9", why="a stranger").status_code == 409
    assert dora.send(f"{PAGE}/change", one="3", other="5", why="3 and 4 are married").status_code == 303
    assert book.tournament().rounds[0].tables == (Table(1, (1, 2, 5, 4)), Table(2, (3, 6, 7)))
    dora.send(f"{PAGE}/places", round="1", board="1", order="1 2 5 4")
    late = dora.send(f"{PAGE}/change", one="1", other="3", why="too late")
    assert (late.status_code, "table 1 has ended" in late.text) == (409, True)
    assert dora.send(f"{PAGE}/change", tables="2:7-3-6", why="in this order").status_code == 303
    assert book.tournament().rounds[0].tables == (Table(1, (1, 2, 5, 4)), Table(2, (7, 3, 6)))
    log = " ".join(re.sub(r"<[^>]*>", " ", dora.page("/tournaments/open/log")).split())
    assert re.search(r"Dora [Rr]ound 1 was changed \(1:1-2-5-4 2:3-6-7\):? ?3 and 4 are married", log), log
    told = next(each for each in book.read() if isinstance(each.event, TablesChanged))
    assert told.who == "Dora"


def test_somebody_is_told_when_the_table_was_changed_meanwhile(
    house: DirectorHouse, dora: houses.Person, anna: houses.Person
) -> None:
    house.tournament(count=7, system=System.TABLES, tie_breaks=())
    dora.send(f"{PAGE}/seat", tables="1:1-2-3-4 2:5-6-7")
    seen = str(len(house.hall.book("open").read()))
    dora.send(f"{PAGE}/change", one="3", other="4", why="the seats were wrong")
    late = anna.send(f"{PAGE}/places", round="1", board="1", order="1 2 3 4", seen=seen)
    assert (late.status_code, "got there first" in late.text) == (409, True)
