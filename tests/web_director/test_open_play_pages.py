"""Open rounds, deadlines, and the other systems on the pages."""

import re

import pytest

from gnomon.tournament.state.settings import System
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse
from tests.web_director.test_director_rounds import mark_of, paired

OPEN = "/tournaments/open"


def test_results_of_an_open_round_are_entered_and_its_deadline_is_shown(
    house: DirectorHouse, dora: houses.Person
) -> None:
    house.tournament(count=4, system=System.ROUND_ROBIN, tie_breaks=(), open_rounds=2)
    house.publish()
    house.publish()
    assert dora.send(f"{OPEN}/results/deadline", round="1", until="2026-12-01 20:00").status_code == 303
    assert "until 2026-12-01 20:00" in dora.page(f"{OPEN}/results?round=1")
    assert "until 2026-12-01 20:00" in house.anybody().page(f"{OPEN}?round=1")
    assert 'name="result"' in dora.page(f"{OPEN}/results?round=1")
    assert dora.send(f"{OPEN}/results/enter", round="1", board="1", was="", result="1").status_code == 303
    assert house.hall.book("open").tournament().rounds[0].waiting == (2,)
    wrong = dora.send(f"{OPEN}/results/deadline", round="1", until="soon")
    assert (wrong.status_code, "is no deadline" in wrong.text) == (409, True)
    assert dora.send(f"{OPEN}/results/deadline", round="1", until="").status_code == 303
    assert house.hall.book("open").tournament().deadlines == {}


def waits(page: str) -> list[str]:
    return re.findall(r"Round \d+ still waits for \d+ results?", page)


@pytest.mark.parametrize(("system", "rounds"), [(System.ARENA, 1), (System.SWISS, 2), (System.KEIZER, 2)])
def test_a_round_is_paired_and_published_while_another_is_played(
    house: DirectorHouse, dora: houses.Person, system: System, rounds: int
) -> None:
    house.tournament(count=9, system=system, tie_breaks=(), open_rounds=rounds)
    house.publish()
    book = house.hall.book("open")
    boards = book.tournament().waiting
    is_arena = system is System.ARENA  # one is free there, and waits for another
    for path in ("desk", "round"):
        shown = dora.page(f"{OPEN}/{path}")
        assert ("Pair round 2" in shown) is not is_arena
        assert ("As soon as two players are free, you can pair round 2." in shown) is is_arena
    assert ("Round 2 is for 9 players." in dora.page(f"{OPEN}/round")) is not is_arena
    assert 'action="/tournaments/open/round/revoke"' in dora.page(f"{OPEN}/round")
    entered = {"round": "1", "was": "", "result": "1"}
    for board in boards[:2]:
        assert dora.send(f"{OPEN}/results/enter", board=str(board), **entered).status_code == 303
    text = paired(house, dora)
    assert dora.send(f"{OPEN}/results/enter", board=str(boards[2]), **entered).status_code == 303
    published = dora.send(f"{OPEN}/round/publish", mark=mark_of(text))
    assert published.status_code == 303, "a result that comes in meanwhile is no reason to pair again"
    tournament = book.tournament()
    assert [one.number for one in tournament.open_rounds] == [1, 2]
    assert waits(dora.page(f"{OPEN}/desk")) == ["Round 1 still waits for 1 result"]
    assert ("Pair round 3" in dora.page(f"{OPEN}/round")) is (system is System.ARENA)
    if system is not System.ARENA:
        assert waits(dora.page(f"{OPEN}/round")) == []
        assert "Pair round 2" in dora.page(f"{OPEN}/round"), "it may still be paired again"
        dora.send(f"{OPEN}/results/enter", **{**entered, "round": "2"}, board="1")
        assert len(waits(dora.page(f"{OPEN}/round"))) == 2
    for board in book.tournament().waiting:
        dora.send(f"{OPEN}/results/enter", **{**entered, "round": "2"}, board=str(board))
    assert waits(dora.page(f"{OPEN}/desk")) == ["Round 1 still waits for 1 result"], "also between two rounds"


def test_those_who_are_free_on_a_ladder_are_paired_while_others_play(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament(count=9, system=System.LADDER, tie_breaks=())
    house.publish()
    assert "As soon as two players are free" in dora.page(f"{OPEN}/desk")
    dora.send(f"{OPEN}/results/enter", round="1", board="3", was="", result="0")
    assert "Round 2 can be paired for 3 players." in dora.page(f"{OPEN}/desk")
    published = dora.send(f"{OPEN}/round/publish", mark=mark_of(paired(house, dora)))
    assert published.status_code == 303
    tournament = house.hall.book("open").tournament()
    assert [one.number for one in tournament.open_rounds] == [1, 2]
    assert [each.board for each in tournament.rounds[1].pairings] == [3], "at the board that is free"


@pytest.mark.parametrize("system", [System.KEIZER, System.ARENA, System.LADDER])
def test_every_page_of_every_system_is_there(house: DirectorHouse, dora: houses.Person, system: System) -> None:
    sent = dora.send("/tournaments/new", name="Open", system=system.value, streak="yes", reach="2", rounds="9")
    assert sent.status_code == 303
    settings = house.hall.book("open").tournament().settings
    assert settings.system is system
    for name in ("Ada", "Ben", "Cleo", "Dov"):
        dora.send(f"{OPEN}/entrants/add", name=name)
    house.publish()
    house.play()
    for path in ("", "/standings", "/cross", "/players/1", "/wall", "/desk", "/round", "/results", "/settings"):
        assert dora.get(f"{OPEN}{path}").status_code == 200, path


def test_a_players_rounds_add_up_to_the_points_at_the_head(house: DirectorHouse) -> None:
    house.tournament(count=5, system=System.KEIZER, tie_breaks=())
    for _ in range(2):
        house.publish()
        house.play()
    for number in range(1, 6):
        page = house.anybody().page(f"/tournaments/open/players/{number}")
        head = re.search(r"<strong>([^<]+)</strong>", page)
        totals = re.findall(r'<td class="n">([^<]+)</td></tr>', page)
        assert head is not None
        assert head[1] == totals[-1]
        assert "To begin with: " in page
