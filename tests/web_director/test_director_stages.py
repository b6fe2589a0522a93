"""The page on which a tournament is filled from the standings of others."""

from gnomon.tournament.results import GameResult
from gnomon.tournament.settings import System
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
    assert final.stage_seeds[1].origin == "Club Open 1"
    assert "Somebody has entered already" in dora.page(PAGE)


def test_what_cannot_be_is_said_beside_the_form(house: DirectorHouse, dora: houses.Person) -> None:
    two_pools(house)
    for path in ("look", "advance"):
        assert "Nobody goes on" in dora.send(f"{PAGE}/{path}").text
        wrong = dora.send(f"{PAGE}/{path}", **{"from-pool-a": "best"})
        assert (wrong.status_code, "names no places" in wrong.text) == (409, True)


def test_a_hall_with_one_tournament_says_so(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament("final", 0)
    assert "This hall has no other tournament." in dora.page(PAGE)
