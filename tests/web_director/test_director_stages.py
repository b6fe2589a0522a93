"""The page on which a tournament is filled from the standings of others."""

import html
import re
from dataclasses import replace

from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.tournament.events import TeamPlayTold, TeamTold
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import book_of
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse

PAGE = "/tournaments/final/stages"
WON = (GameResult.FIRST_WON,)


def two_pools(house: DirectorHouse) -> None:
    for name in ("pool-a", "pool-b"):
        house.tournament(name, 3, system=System.ROUND_ROBIN, rounds=3, tie_breaks=("SEED",))
        for _ in range(3):
            house.publish(name)
            house.play(name, WON)
    house.tournament("final", 0, system=System.KNOCKOUT, rounds=2, tie_breaks=())


def test_those_who_go_on_are_shown_and_then_entered(house: DirectorHouse, dora: houses.Person) -> None:
    two_pools(house)
    assert "Fill from other tournaments" in dora.page("/tournaments/final/entrants")
    form = {"from-pool-a": "1-2", "from-pool-b": "1-2", "seeding": "places", "carry": "points"}
    said = dora.send(f"{PAGE}/look", **form).text
    assert "Who would go on" in said
    assert 'value="1-2"' in said
    assert house.hall.book("final").tournament().entrants == {}
    assert dora.send(f"{PAGE}/advance", **form).status_code == 303
    final = house.hall.book("final").tournament()
    assert len(final.entrants) == 4
    assert final.stage_seeds[1].origin == "Club Open (pool-a) 1"
    assert "Somebody has entered already" in dora.page(PAGE)


def test_tournaments_of_one_name_are_told_apart(house: DirectorHouse, dora: houses.Person) -> None:
    two_pools(house)
    house.tournament("pool-c", 5, rounds=4)
    settings = house.hall.book("pool-c").tournament().settings
    house.hall.open_tournament("juniors", replace(settings, name="Juniors"), "Dora")
    page = html.unescape(dora.page(PAGE))
    offered = re.findall(r'<label for="from-[^"]+">([^<]+)</label>.*?<p class="hint"[^>]*>([^<]+)</p>', page, re.DOTALL)
    day = "2026-11-20"
    assert offered == [
        ("Juniors", f"0 entrants · Entries are open · {day}"),
        ("Club Open (pool-c)", f"5 entrants · Entries are open · {day}"),
        ("Club Open (pool-b)", f"3 entrants · Over · {day}"),
        ("Club Open (pool-a)", f"3 entrants · Over · {day}"),
    ]
    events = "event=pool-a&event=pool-b"
    series = html.unescape(house.anybody().page(f"/series?{events}"))
    assert all(f'<th class="n">Club Open ({name})</th>' in series for name in ("pool-a", "pool-b"))
    assert f"<strong>Club Open (pool-c)</strong> 5 entrants · Entries are open · {day}" in series
    starts = {"starts": "2026/12/05"}
    assert dora.send("/tournaments/pool-c/event/tell", **starts).status_code == 303
    assert "Entries are open · 2026-12-05" in dora.page(PAGE)


def test_what_cannot_be_is_said_beside_the_form(house: DirectorHouse, dora: houses.Person) -> None:
    two_pools(house)
    for path in ("look", "advance"):
        assert "Nobody goes on" in dora.send(f"{PAGE}/{path}").text
        wrong = dora.send(f"{PAGE}/{path}", **{"from-pool-a": "best"})
        assert (wrong.status_code, "names no places" in wrong.text) == (409, True)


def test_a_hall_with_one_tournament_says_so(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament("final", 0)
    assert "This hall has no other tournament." in dora.page(PAGE)


GROUPS = "/tournaments/open/groups"


def test_a_tournament_is_split_into_groups(house: DirectorHouse, dora: houses.Person, anna: houses.Person) -> None:
    house.tournament("open", 7)
    house.hall.set_plan("open", BoardAssignment("tabik", boards={1: "t01"}))
    assert "Split into groups" in dora.page("/tournaments/open/entrants")
    looked = dora.send(f"{GROUPS}/look", count="2", system="round_robin").text
    assert all(name in looked for name in ("Club Open A", "Club Open B", "3 rounds"))
    assert len(house.hall.tournaments()) == 1
    assert anna.send(f"{GROUPS}/split", count="2").status_code == 403
    assert dora.send(f"{GROUPS}/split", count="2").headers["location"] == "/tournaments"
    first, second = (house.hall.book(name).tournament() for name in ("club-open-a", "club-open-b"))
    assert [len(one.entrants) for one in (first, second)] == [3, 4]
    assert first.settings.system is System.ROUND_ROBIN
    assert house.hall.plan("club-open-a") == BoardAssignment("tabik")
    assert house.hall.book("club-open-a").read()[0].who == "Dora"
    again = dora.send(f"{GROUPS}/split", count="2")
    assert (again.status_code, "There is a tournament called Club Open A already" in again.text) == (409, True)


def test_groups_that_cannot_be_are_refused_beside_the_form(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament("open", 5)
    for path in ("look", "split"):
        many = dora.send(f"{GROUPS}/{path}", count="3")
        assert (many.status_code, 'value="3"' in many.text) == (409, True)
        swiss = dora.send(f"{GROUPS}/{path}", count="2", system="swiss")
        assert "how many rounds the groups play" in swiss.text
        assert dora.send(f"{GROUPS}/{path}", count="two").status_code == 422
    assert len(house.hall.tournaments()) == 1


def test_teams_are_split_into_groups_of_teams(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament("open", 8)
    book = house.hall.book("open")
    teams = [TeamTold(number, f"Team {number}", (2 * number - 1, 2 * number)) for number in range(1, 5)]
    book.extend([TeamPlayTold(TeamPlay(2)), *teams], "Dora", after=len(book.read()))
    assert "Split into groups" in dora.page("/tournaments/open/entrants")
    looked = dora.send(f"{GROUPS}/look", count="2").text
    assert looked.index("<li>Team 1</li>") < looked.index("<li>Team 4</li>") < looked.index("<li>Team 2</li>")
    assert dora.send(f"{GROUPS}/split", count="2").status_code == 303
    group = house.hall.book("club-open-a").tournament()
    assert [one.name for one in book_of(group).matches.entrants.values()] == ["Team 1", "Team 4"]
