"""Three or more at a table, on their own phones: each says who came where, and what all say is entered."""

import html
import re
from collections.abc import Mapping

import httpx
import pytest

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.player_codes import readable
from gnomon.tournament.events import TablesSeated
from gnomon.tournament.state.rounds import Pairing, Table
from gnomon.tournament.state.settings import System
from tests.web_director.houses import DirectorHouse, Person

NAME = "open"
TABLES = f"/tournaments/{NAME}/tables"
IN_ORDER = {"1": "1", "2": "2", "3": "3"}


def code_of(house: DirectorHouse, entrant: int) -> str:
    """The code of an entrant."""
    return house.hall.player_codes(NAME)[entrant]


def at_table(house: DirectorHouse, *seats: int, rounds: int = 1) -> None:
    """Seat everybody at a table of a round that is played without boards of the hall."""
    house.tournament(count=max(seats), system=System.TABLES, tie_breaks=(), open_rounds=rounds)
    book = house.hall.book(NAME)
    for in_round in range(1, rounds + 1):
        book.append(TablesSeated(in_round, (Table(1, seats),)), "Dora", after=len(book.read()))


def report(house: DirectorHouse, entrant: int, ranks: Mapping[str, str], in_round: str = "1") -> httpx.Response:
    """Say as an entrant how the table ended: each place by the number of whom it is."""
    fields = {f"place-{number}": rank for number, rank in ranks.items()}
    answer = house.anybody().send(f"/my/{code_of(house, entrant)}/result", round=in_round, **fields)
    house.run()
    return answer


def places(house: DirectorHouse, in_round: int = 1) -> Mapping[int, tuple[int, ...]]:
    return house.hall.book(NAME).tournament().round(in_round).places


def seen_by(house: DirectorHouse, entrant: int) -> str:
    """The words of an entrant's page."""
    page = html.unescape(house.anybody().page(f"/my/{code_of(house, entrant)}"))
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def test_at_a_table_of_three_the_page_names_the_others(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=3, system=System.TABLES, tie_breaks=())
    dora.send(f"/tournaments/{NAME}/tables/seat")
    page = house.anybody().page(f"/my/{code_of(house, 2)}")
    assert "table 1" in page


def test_what_everybody_at_a_table_reports_is_entered(house: DirectorHouse, anna: Person) -> None:
    at_table(house, 3, 1, 2)
    assert house.anybody().page(f"/my/{code_of(house, 2)}").count('type="radio"') == 9
    assert report(house, 1, {"3": "2", "1": "1", "2": "2"}).status_code == 303
    mine = seen_by(house, 1)
    assert "You said: 1. Ada Lovelace 2. Çiğdem Öztürk = Benoît Mandelbrot The result" in mine
    assert "Still missing: Çiğdem Öztürk, Benoît Mandelbrot." in mine
    other = house.anybody().page(f"/my/{code_of(house, 2)}")
    assert "Ada Lovelace said:" in seen_by(house, 2)
    # A player who reads what another said sends the same with one button.
    fields = re.findall(r'type="hidden" name="(place-\d)" value="(\d)"', other)
    assert fields == [("place-3", "2"), ("place-1", "1"), ("place-2", "2")]
    report(house, 2, {name[-1]: rank for name, rank in fields})
    assert "Still missing: Çiğdem Öztürk." in seen_by(house, 1)
    assert "Ada Lovelace, Benoît Mandelbrot: 1 3=2" in html.unescape(anna.page(TABLES))
    assert "Ada Lovelace, Benoît" not in html.unescape(house.anybody().page(TABLES))
    assert places(house) == {}
    report(house, 3, {"3": "3", "1": "1", "2": "3"})  # players who are level share a place, however it is numbered
    assert places(house) == {1: (2, 1, 2)}
    told = house.hall.book(NAME).read()[-1]
    assert (told.who, told.why.count("1 3=2")) == ("all players", 3)
    ended = seen_by(house, 3)
    assert "1. Ada Lovelace 1 2. Benoît Mandelbrot ¼ 2. Çiğdem Öztürk ¼ This result is entered." in ended
    late = report(house, 3, {"3": "1", "1": "2", "2": "3"})
    assert (late.status_code, "table 1 are entered already" in late.text) == (409, True)


def test_who_disagrees_at_a_table_goes_to_the_director_with_who_said_what(
    house: DirectorHouse, dora: Person, anna: Person
) -> None:
    at_table(house, 1, 2, 3)
    report(house, 1, IN_ORDER)
    report(house, 2, {"1": "2", "2": "1", "3": "3"})
    report(house, 3, IN_ORDER)
    assert places(house) == {}
    for entrant in (1, 2):
        assert "the director decides" in seen_by(house, entrant)
    desk = dora.page(f"/tournaments/{NAME}/desk")
    assert '1 result is for you to decide. <a href="/tournaments/open/tables?round=1">Round 1, table 1</a>' in desk
    page = html.unescape(anna.page(TABLES))
    assert "the players disagree" in page
    assert "Ada Lovelace, Çiğdem Öztürk: 1 2 3" in page
    assert "Benoît Mandelbrot: 2 1 3" in page
    assert anna.send(f"{TABLES}/places", round="1", board="1", order="1 2 3").status_code == 303
    assert places(house) == {1: (1, 2, 3)}
    house.run()
    assert "the players disagree" not in anna.page(TABLES)
    assert "disputed" not in dora.page(f"/tournaments/{NAME}/desk")


@pytest.mark.parametrize(
    "ranks",
    [{}, {"1": "1", "2": "2"}, {"1": "1", "2": "2", "3": "4"}, {"1": "0", "2": "1", "3": "2"}, {"1": "x"}],
)
def test_places_that_nobody_can_choose_are_refused(house: DirectorHouse, ranks: dict[str, str]) -> None:
    at_table(house, 1, 2, 3)
    answer = report(house, 1, ranks)
    assert (answer.status_code, "Choose a place for everybody at the table." in answer.text) == (422, True)
    assert house.hall.table_proposals(NAME, 1) == []


def test_a_table_has_no_result_of_two_and_a_pair_no_places(house: DirectorHouse, pairing: Pairing) -> None:
    assert report(house, pairing.first, {"1": "1", "2": "2"}).status_code == 422
    assert report(house, pairing.first, {"1": "1"}, in_round="7").status_code == 422
    house.tournament("tayu", count=3, system=System.TABLES, tie_breaks=())
    book = house.hall.book("tayu")
    book.append(TablesSeated(1, (Table(1, (1, 2, 3)),)), "Dora", after=len(book.read()))
    mine = house.hall.player_codes("tayu")[1]
    assert house.anybody().send(f"/my/{mine}/result", result="1-0", round="1").status_code == 422
    assert house.hall.table_proposals("tayu", 1) == []


def test_a_table_of_an_earlier_round_is_chosen_and_ends_by_phone_too(house: DirectorHouse, dora: Person) -> None:
    at_table(house, 1, 2, 3, rounds=2)
    mine = f"/my/{code_of(house, 1)}"
    assert f'href="{mine}?round=2"' in house.anybody().page(mine)
    for entrant in (1, 2):
        assert report(house, entrant, IN_ORDER).headers["location"].endswith("?round=1")
    assert "Ada Lovelace, Benoît Mandelbrot: 1 2 3" in html.unescape(dora.page(f"{TABLES}?round=1"))
    report(house, 3, IN_ORDER)
    assert (places(house, 1), places(house, 2)) == ({1: (1, 2, 3)}, {})
    assert "Round 2 of 3" in seen_by(house, 1)


def test_where_places_are_entered_by_hand_what_all_say_waits(house: DirectorHouse, anna: Person) -> None:
    at_table(house, 1, 2, 3)
    house.hall.set_plan(NAME, BoardAssignment(accept=Accept.BY_HAND))
    for entrant in (1, 2, 3):
        report(house, entrant, IN_ORDER)
    assert places(house) == {}
    assert "Everybody at the table said the same." in seen_by(house, 1)
    assert "Ada Lovelace, Benoît Mandelbrot, Çiğdem Öztürk: 1 2 3" in html.unescape(anna.page(TABLES))


def test_everybody_at_tables_has_a_card(house: DirectorHouse, anna: Person) -> None:
    at_table(house, 1, 2, 3)
    sheet = anna.page(f"/tournaments/{NAME}/print/codes")
    assert all(readable(each) in sheet for each in house.hall.player_codes(NAME).values())
    assert f'href="/tournaments/{NAME}/print/codes"' in anna.page(f"/tournaments/{NAME}/desk")
