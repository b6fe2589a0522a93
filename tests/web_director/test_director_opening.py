"""Tournaments are opened: with what is usual for their system, or as a file tells them."""

import pytest

from gnomon.tournament.formats.trf import TrfEdition, write_trf
from gnomon.tournament.state.settings import GradeRules, Rounding, System
from gnomon.web.director.setup._go_form import FIELDS
from gnomon.web.director.setup.tournament_list import slug
from tests.tournament.test_go import xml
from tests.web_director.houses import DirectorHouse, Person


def test_a_name_is_enough(house: DirectorHouse, dora: Person) -> None:
    answer = dora.send("/tournaments/new", name="Spring Open")
    assert (answer.status_code, answer.headers["location"]) == (303, "/tournaments/spring-open/entrants")
    settings = house.hall.book("spring-open").tournament().settings
    assert (settings.system, settings.rounds, settings.tie_breaks) == (
        System.SWISS,
        5,
        ("DE", "BHC1", "BH", "SB", "WIN"),
    )
    assert [told.who for told in house.hall.book("spring-open").read()] == ["Dora"]
    again = dora.send("/tournaments/new", name="Spring open!")
    assert again.headers["location"] == "/tournaments/spring-open-2/entrants"
    assert dora.page("/tournaments").count("Spring") == 2


@pytest.mark.parametrize(
    ("sent", "rounds", "breaks"),
    [
        ({"system": "round_robin", "expected": "9"}, 9, ("DE", "SB", "WIN", "KS")),
        ({"system": "round_robin", "expected": "8", "cycles": "2"}, 14, ("DE", "SB", "WIN", "KS")),
        ({"system": "knockout", "expected": "11"}, 4, ()),
        ({"system": "knockout", "expected": "8", "lives": "2"}, 7, ()),
        ({"system": "mcmahon", "bars": "1500 1800"}, 5, ("SOS", "SOSOS", "DE")),
        ({"system": "swiss", "expected": "64"}, 7, ("DE", "BHC1", "BH", "SB", "WIN")),
        ({"system": "swiss", "rounds": "3", "tie_breaks": "bh, sb"}, 3, ("BH", "SB")),
    ],
)
def test_defaults_follow_from_the_system(
    house: DirectorHouse, dora: Person, sent: dict[str, str], rounds: int, breaks: tuple[str, ...]
) -> None:
    assert dora.send("/tournaments/new", name="T", **sent).status_code == 303
    settings = house.hall.book("t").tournament().settings
    assert (settings.rounds, settings.tie_breaks) == (rounds, breaks)


def test_every_setting_is_taken(house: DirectorHouse, dora: Person) -> None:
    sent = {"games": "2", "match_score": "yes", "balance": "no", "lot": "second", "win": "3", "draw": "1", "loss": "0"}
    more = {"bye": "2", "accelerated": "yes", "apart": "yes", "annul": "no", "rule_set": "FIDE_2024"}
    assert dora.send("/tournaments/new", name="All", system="swiss", **sent, **more).status_code == 303
    settings = house.hall.book("all").tournament().settings
    assert (settings.games, settings.match_score, settings.balance, settings.leader_first) == (2, True, False, False)
    assert [int(each) for each in (settings.scoring.win, settings.scoring.draw, settings.scoring.bye)] == [3, 1, 2]
    assert (settings.accelerated, settings.team_mates_meet, settings.rule_set) == (True, False, "FIDE_2024")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": " "}, "A name is missing"),
        ({"name": "T", "rounds": "many"}, "Enter a number"),
        ({"name": "T", "system": "knockout"}, "Enter how many players you expect"),
        ({"name": "T", "rounds": "100"}, "1 to 99 rounds"),
        ({"name": "T", "tie_breaks": "BH NONSENSE"}, "NONSENSE is not a tie-break"),
        ({"name": "T", "win": "0"}, "points cannot be: win"),
        ({"name": "T", "win": "x"}, "not a number of points"),
    ],
)
def test_a_mistake_is_told_in_one_sentence_and_nothing_is_lost(
    house: DirectorHouse, dora: Person, sent: dict[str, str], said: str
) -> None:
    answer = dora.send("/tournaments/new", **sent)
    assert answer.status_code in {409, 422}
    assert answer.text.count('role="alert"') == 1
    assert said in answer.text
    assert list(house.hall.tournaments()) == []
    if sent["name"].strip():
        assert 'value="T"' in answer.text


def test_a_report_file_opens_a_tournament_as_it_was(house: DirectorHouse, dora: Person) -> None:
    house.tournament(count=8)
    house.publish()
    house.play()
    text = write_trf(house.hall.book("open").tournament(), TrfEdition.TRF16).text
    answer = dora.upload("/tournaments/new/read", "old.trf", text.encode())
    assert answer.headers["location"] == "/tournaments/club-open/desk"
    taken = house.hall.book("club-open").tournament()
    assert (len(taken.entrants), len(taken.rounds), taken.waiting) == (8, 1, ())
    for content, said in ((b"\0\1", "not a text"), (b"012 X\n001 nonsense", "Line 2, column 5")):
        answer = dora.upload("/tournaments/new/read", "bad.trf", content)
        assert answer.status_code == 409
        assert said in answer.text
    assert "Choose a file first" in dora.send("/tournaments/new/read").text


@pytest.mark.parametrize(
    ("bars", "ratings", "grades"),
    [
        ("20k 4d", (), GradeRules(bar=3, floor=-20)),
        ("2d", (), GradeRules(bar=1)),
        ("1500, 1800", (1500, 1800), None),
        ("", (), None),
    ],
)
def test_a_mcmahon_goes_by_ratings_or_by_grades(
    house: DirectorHouse, dora: Person, bars: str, ratings: tuple[int, ...], grades: GradeRules | None
) -> None:
    dora.send("/tournaments/new", name="Go", system="mcmahon", rounds="3", bars=bars)
    settings = house.hall.book("go").tournament().settings
    assert (settings.bars, settings.grades) == (ratings, grades)


def test_a_file_of_opengotha_opens_a_tournament_and_its_results_are_given_out(dora: Person) -> None:
    answer = dora.upload("/tournaments/new/read", "egc.xml", xml().encode())
    assert answer.headers["location"] == "/tournaments/egc-2013/desk"
    desk = dora.get("/tournaments/egc-2013/desk").text
    for file, line in (("egf.h9", "; EV[EGC 2013]"), ("aga.txt", "TOURNEY EGC 2013, Olsztyn")):
        assert f"/files/{file}" in desk
        assert line in dora.get(f"/tournaments/egc-2013/files/{file}").text
    assert "2 stones" in dora.get("/tournaments/egc-2013").text
    assert "9 stones" in dora.get("/tournaments/egc-2013?round=1").text
    bad = dora.upload("/tournaments/new/read", "bad.xml", b"<!DOCTYPE Tournament><Tournament/>")
    assert bad.status_code == 409
    assert "document type or entities" in bad.text


def test_no_tournament_hides_the_form(dora: Person) -> None:
    assert dora.send("/tournaments/new", name="New").headers["location"] == "/tournaments/new-2/entrants"
    assert "Who meets whom" in dora.page("/tournaments/new")


def test_asking_for_names_at_random_keeps_nothing(house: DirectorHouse) -> None:
    for number in range(20):
        assert house.anybody().get(f"/tournaments/no{number}").status_code == 404
    assert house.hall._books == {}


def test_addresses_are_made_of_plain_letters() -> None:
    assert slug("Élan – Öko 2026!") == "elan-oko-2026"
    assert slug("囲碁") == "tournament"
    assert len(slug("x" * 200)) == 60


GO = {"name": "Go", "system": "mcmahon", "graded": "yes", "go_floor": "20k", "go_bar": "4d"}


def test_go_is_settled_in_the_form(house: DirectorHouse, dora: Person) -> None:
    page = dora.page("/tournaments/new")
    assert all(f'name="{field}"' in page for field in FIELDS)
    assert dora.send("/tournaments/new", **GO, go_handicap="2", go_rounding="down").status_code == 303
    assert house.hall.book("go").tournament().settings.grades == GradeRules(3, -20, 2, Rounding.DOWN)
    dora.send("/tournaments/new", name="Even", system="swiss", graded="yes")
    assert house.hall.book("even").tournament().settings.grades == GradeRules()
    dora.send("/tournaments/new", name="Bars", system="mcmahon", bars="20k 4d", go_handicap="0")
    assert house.hall.book("bars").tournament().settings.grades == GradeRules(3, -20, 0)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({**GO, "system": "swiss"}, "Bar and floor by grades: this means nothing here (swiss)"),
        ({**GO, "go_bar": "strong"}, "not a grade: write 12k, 3d or 1p"),
        ({**GO, "go_bar": "", "go_floor": "", "bars": "1800"}, "Bars are ratings or grades, not both"),
        ({"name": "Go", "bars": "1800"}, "Bars: this means nothing here (swiss)"),
        ({"name": "Go", "boards": "3", "go_handicap": "1"}, "Teams play even games: leave out the handicap stones"),
    ],
)
def test_what_go_cannot_be_opens_nothing(house: DirectorHouse, dora: Person, sent: dict[str, str], said: str) -> None:
    answer = dora.send("/tournaments/new", **sent)
    assert (answer.status_code, said in answer.text) == (409, True)
    assert house.hall.tournaments() == []


def test_go_players_are_entered_with_their_grades(house: DirectorHouse, dora: Person) -> None:
    dora.send("/tournaments/new", **GO, go_handicap="1")
    dora.send("/tournaments/go/entrants/add", name="Ada", rating="4d")
    dora.send("/tournaments/go/entrants/add", name="Ben", rating="2K")
    dora.send("/tournaments/go/entrants/2/correct", name="Ben", rating="25k")
    dora.send("/tournaments/go/entrants/add", name="Cleo", rating="1850")
    told = house.hall.book("go").tournament()
    assert [told.entrants[number].rating for number in (1, 2, 3)] == [2400, 1, 1850]
    assert [told.person(number).title for number in (1, 2, 3)] == ["4d", "25k", ""]
    assert "<small>25k</small>" in dora.page("/tournaments/go/entrants")
    read = dora.send("/tournaments/go/entrants/read", text="Name;Rank\nDov;3d\nEva;12k").text
    assert "<small>3d</small>" in read
    standings = house.anybody().page("/tournaments/go/standings")
    assert "<td>4d</td>" in standings
    assert "<small>4d</small>" in house.anybody().page("/tournaments/go/players/1")
