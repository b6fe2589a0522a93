"""The page on which a director changes the settings of a tournament after its opening."""

import re

from gnomon.tournament.settings.changes import FROM_ROUND_ONE
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import GradeRules, Rounding
from gnomon.web.access import Role
from tests.web_director import houses
from tests.web_director.houses import DirectorHouse

PAGE = "/tournaments/open/settings"
CHANGE = f"{PAGE}/change"


def fields_of(page: str) -> set[str]:
    return set(re.findall(r'<(?:input|select) id="setting-(\w+)"', page))


def test_a_change_counts_at_once_and_the_log_says_who_and_why(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    house.publish()
    house.play()
    assert dora.send(CHANGE, name="Night Open", rounds="5", win="3", bye="3", why="a long night").status_code == 303
    settings = house.hall.book("open").tournament().settings
    assert (settings.name, settings.rounds, settings.scoring.win) == ("Night Open", 5, Points(3))
    log = dora.page("/tournaments/open/log")
    assert "The settings were changed: name Night Open (was Club Open); rounds 5 (was 3)" in log
    assert "a long night" in log
    assert "Night Open" in house.anybody().page("/tournaments/open/standings")


def test_what_follows_is_shown_before_anything_is_changed(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    house.publish()
    house.play()
    before = len(house.hall.book("open").read())
    said = dora.send(f"{PAGE}/look", tie_breaks="SEED", why="announced so").text
    assert "Tie-breaks SEED (was BHC1 SB)" in said
    assert "place" in said.partition('id="follows"')[2].partition("</section>")[0]
    assert 'value="announced so"' in said
    same = dora.send(f"{PAGE}/look", rounds="4", why="time").text
    assert "Nobody would change places." in same
    assert len(house.hall.book("open").read()) == before


def test_what_rounds_rest_on_can_be_changed_only_before_them(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    early = fields_of(dora.page(PAGE))
    assert early >= FROM_ROUND_ONE
    assert dora.send(CHANGE, system="round robin", rounds="9", why="few enough").status_code == 303
    house.publish()
    assert fields_of(dora.page(PAGE)) == early - FROM_ROUND_ONE
    refused = dora.send(CHANGE, games="2", why="more")
    assert refused.status_code == 409
    assert "can no longer be changed: games in a round" in refused.text


def test_an_empty_bye_is_worth_a_win(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    assert dora.send(CHANGE, win="3", draw="1", bye="", why="as announced").status_code == 303
    assert house.hall.book("open").tournament().settings.scoring.bye == Points(3)


def test_what_cannot_be_is_said_beside_what_was_written(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    for path in ("look", "change"):
        unreasoned = dora.send(f"{PAGE}/{path}", rounds="4")
        assert unreasoned.status_code == 422
        assert 'value="4"' in unreasoned.text
        assert "is not a tie-break" in dora.send(f"{PAGE}/{path}", tie_breaks="LUCK", why="x").text


def test_two_who_change_the_settings_at_once_are_told(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    seen = str(len(house.hall.book("open").read()))
    other = house.person(Role.DIRECTOR, "Otto")
    assert other.send(CHANGE, rounds="4", why="time").status_code == 303
    late = dora.send(CHANGE, rounds="5", why="time", seen=seen)
    assert late.status_code == 409
    assert "Otto got there first" in late.text


def test_handicap_and_half_points_of_go_are_changed_before_round_one(house: DirectorHouse, dora: houses.Person) -> None:
    house.tournament()
    sent = {"go": "yes", "graded": "yes", "go_handicap": "1", "go_rounding": "down", "why": "as usual"}
    assert dora.send(CHANGE, **sent).status_code == 303
    assert house.hall.book("open").tournament().settings.grades == GradeRules(handicap=1, rounding=Rounding.DOWN)
    page = dora.page(PAGE)
    assert '<option value="1" selected>1 fewer than the difference</option>' in page
    assert '<option value="down" selected>' in page
    looked = dora.send(f"{PAGE}/look", go="yes", graded="yes", go_floor="20k", go_handicap="1", why="so")
    assert (looked.status_code, "this means nothing here (swiss)" in looked.text) == (409, True)
    assert 'value="20k"' in looked.text
    assert dora.send(CHANGE, go="yes", why="no stones").status_code == 303
    assert house.hall.book("open").tournament().settings.grades is None
