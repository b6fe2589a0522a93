"""The page of a series of tournaments, which everybody may see."""

from gnomon.tournament.state.results import GameResult
from tests.web_director.houses import DirectorHouse

WON = (GameResult.FIRST_WON,)


def test_the_address_says_what_the_series_is(house: DirectorHouse) -> None:
    for name in ("one", "two"):
        house.tournament(name, 4, rounds=1)
        house.publish(name)
        house.play(name, WON)
    assert 'href="/series"' in house.anybody().page("/tournaments")
    empty = house.anybody().page("/series")
    assert 'id="series"' not in empty
    assert 'value="one"' in empty
    shown = house.anybody().page("/series?event=one&event=two&scoring=grand-prix&places=10,6,3")
    assert shown.count("<strong>20</strong>") + shown.count("<strong>16</strong>") > 0
    best = house.anybody().page("/series?event=one&event=two&scoring=decathlon&best=1")
    assert "(1)" in best


def test_points_that_cannot_be_are_said(house: DirectorHouse) -> None:
    house.tournament("one", 4)
    said = house.anybody().get("/series?event=one&places=1,2")
    assert (said.status_code, "are no points for places" in said.text) == (409, True)
