"""Results by game and opponent, head to head, ratings month by month, and what programs are told of it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.people._glicko2 import UNRATED, RatedResult, rate
from gnomon.people.games import encounters
from gnomon.people.json_values import history_value, meetings_value, profile_value, summary_value
from gnomon.people.profiles import People, Tally, by_game
from gnomon.people.ratings import ratings_of
from gnomon.people.register import Register
from tests.people.games_of import SALTED, duel, played

NOW = "2026-11"
EVENING = (
    duel("Ada", "Bo", 0, "2026-09"),
    duel("Bo", "ADA", None, "2026-10"),
    duel("Ada", "Bo", 1, "2026-11", "tamsk"),
    duel("Ada", "Cleo", 0, "2026-10"),
    duel("Ada", "Gnomon", 1, "2026-11"),
)


def test_results_are_by_game_and_opponent_and_programs_are_apart() -> None:
    people = People(EVENING, Register(), NOW)
    key = people.find("ada")
    assert key is not None
    profile = people.profile(key)
    assert (profile.name, profile.spellings) == ("Ada", ("Ada", "ADA"))
    assert profile.by_game == {"tabik": Tally(2, 1, 0), "tamsk": Tally(0, 0, 1)}
    assert profile.with_engines == {"tabik": Tally(0, 0, 1)}
    [bo, cleo] = profile.opponents
    assert (bo.name, bo.by_game) == ("Bo", {"tabik": Tally(1, 1, 0), "tamsk": Tally(0, 0, 1)})
    assert (cleo.name, cleo.by_game["tabik"].games) == ("Cleo", 1)
    assert [one.encounter.game.month for one in profile.games] == [
        "2026-11",
        "2026-11",
        "2026-10",
        "2026-10",
        "2026-09",
    ]
    assert {game: one.games for game, one in profile.ratings.items()} == {"tabik": 3, "tamsk": 1}
    assert [one.name for one in people.everybody()] == ["Ada", "Bo", "Cleo"]


def test_head_to_head_is_what_two_have_played_against_each_other() -> None:
    people = People((*EVENING, duel("Ada", "Cleo", game="tau")), Register(), NOW)
    assert by_game(people.meetings("bo", "ada")) == {"tabik": Tally(0, 1, 1), "tamsk": Tally(1, 0, 0)}
    assert people.meetings("bo", "cleo") == []
    assert people.name("bo") == "Bo"
    assert (people.has("bo"), people.has("dov")) == (True, False)


def test_partners_are_no_opponents() -> None:
    names = {"p1": "Ada", "p2": "Bo", "p3": "Cleo", "p4": "Dov"}
    people = People([played(names, (("p1", "p3"), ("p2", "p4")))], Register(), NOW)
    assert people.meetings("ada", "cleo") == []
    assert len(people.meetings("ada", "dov")) == 1
    assert people.profile("ada").ratings == {}


def test_nobody_is_found_who_has_no_game_and_who_is_forgotten_is_found_by_the_pseudonym_alone() -> None:
    people = People(EVENING, SALTED.forget("Bo"), NOW)
    assert [people.find(name) for name in ("Dov", "Bo", "N. N. 1", "Gnomon")] == [None, None, "n. n. 1", None]
    assert people.profile("n. n. 1").spellings == ("N. N. 1",)
    assert people.profile("ada").opponents[0].name == "N. N. 1"


def test_a_month_is_rated_by_the_ratings_with_which_it_began() -> None:
    found = ratings_of(encounters(EVENING[:2], Register()), "2026-10")["tabik"]
    won, lost = (rate(UNRATED, [RatedResult(UNRATED, score)]) for score in (1.0, 0.0))
    assert found["ada"].rating == rate(won, [RatedResult(lost, 0.5)])
    assert found["bo"].rating == rate(lost, [RatedResult(won, 0.5)])
    assert (found["ada"].games, found["ada"].last) == (2, "2026-10")


TABLE = {"p1": "Ada", "p2": "Bo", "p3": "Cleo"}
ALONE = (("p1",), ("p2",), ("p3",))


def test_a_game_of_three_is_one_game_won_against_each_of_the_others() -> None:
    found = ratings_of(encounters([played(TABLE, ALONE, 0, "2026-10")], Register()), "2026-10")["tayu"]
    won, lost = (RatedResult(UNRATED, score, 0.5) for score in (1.0, 0.0))
    assert found["ada"].rating == rate(UNRATED, [won, won])
    assert found["bo"].rating == found["cleo"].rating == rate(UNRATED, [lost])
    assert {one.games for one in found.values()} == {1}
    # Two halves say as much as a game of two, and a half says less.
    duel_won = rate(UNRATED, [RatedResult(UNRATED, 1.0)])
    assert found["ada"].rating.value == pytest.approx(duel_won.value)
    assert found["bo"].rating.deviation > found["ada"].rating.deviation


def test_a_game_of_three_that_a_nameless_player_has_won_is_rated_for_nobody() -> None:
    met = encounters([played({**TABLE, "p3": ""}, ALONE, 2, "2026-10")], Register())
    assert [one.is_rated for one in met] == [True]
    assert ratings_of(met, "2026-10") == {"tayu": {}}


def test_every_month_without_a_game_makes_a_rating_less_certain() -> None:
    played_once = encounters(EVENING[:1], Register())
    ages = [ratings_of(played_once, month)["tabik"]["ada"] for month in ("2026-09", "2026-12", "2027-09")]
    assert [one.rating.value for one in ages] == [ages[0].rating.value] * 3
    deviations = [one.rating.deviation for one in ages]
    assert deviations == sorted(set(deviations))
    assert {one.last for one in ages} == {"2026-09"}


def test_a_date_ahead_counts_now_and_a_game_without_a_date_is_not_rated() -> None:
    ahead = encounters([duel("Ada", "Bo", month="2031-01")], Register())
    assert ratings_of(ahead, NOW)["tabik"]["ada"].last == NOW
    assert ratings_of(encounters([duel("Ada", "Bo", month="some")], Register()), NOW) == {}


@given(st.permutations(range(6)), st.lists(st.sampled_from([0, 1, None]), min_size=6, max_size=6))
def test_the_order_of_a_months_games_does_not_matter(order: list[int], winners: list[int | None]) -> None:
    pairs = [("Ada", "Bo"), ("Bo", "Cleo"), ("Cleo", "Ada"), ("Ada", "Dov"), ("Dov", "Bo"), ("Cleo", "Dov")]
    games = [duel(*pair, winner) for pair, winner in zip(pairs, winners, strict=True)]
    met = [encounters([game], Register())[0] for game in games]
    assert ratings_of([met[number] for number in order], NOW) == ratings_of(met, NOW)


def test_programs_are_told_the_same() -> None:
    people = People(EVENING, Register().publish("Ada"), NOW)
    [ada, *_] = people.everybody()
    listed = summary_value(ada, is_public=people.register.is_public(ada.key))
    assert (listed["name"], listed["public"], listed["with_engines"]) == ("Ada", True, 1)
    assert listed["results"] == {"won": 2, "drawn": 1, "lost": 1}
    told = json.loads(json.dumps(profile_value(people.profile("ada"), is_public=True)))
    assert told["opponents"][0] == {
        "name": "Bo",
        "results": {"tabik": {"won": 1, "drawn": 1, "lost": 0}, "tamsk": {"won": 0, "drawn": 0, "lost": 1}},
    }
    assert [one["with_engine"] for one in told["games"]].count(True) == 1
    tabik = told["ratings"]["tabik"]
    assert tabik["high"] - tabik["rating"] == pytest.approx(1.96 * tabik["deviation"], abs=0.05)
    assert [one["result"] for one in meetings_value(people.meetings("ada", "bo"))] == ["lost", "drawn", "won"]


def test_a_history_has_the_rating_of_every_month_with_a_game() -> None:
    games = [duel("Ada", "Bo", 0, "2026-06"), duel("Ada", "Bo", 1, "2026-06"), duel("Bo", "Ada", 0, "2026-09")]
    people = People(games, Register(), "2026-10")
    told = people.history("ada")
    assert [(one.month, one.rating.games) for one in told["tabik"]] == [("2026-06", 2), ("2026-09", 3)]
    # The last is the rating before October made it less certain.
    assert told["tabik"][1].rating.rating.value == people.ratings["tabik"]["ada"].rating.value
    assert told["tabik"][1].rating.rating.deviation < people.ratings["tabik"]["ada"].rating.deviation
    assert people.history("nobody") == {}
    again = People(reversed(games), Register(), "2026-10").history("ada")
    assert history_value("Ada", again) == history_value("Ada", told)
    (june, _) = json.loads(json.dumps(history_value("Ada", told)))["history"]["tabik"]
    assert (june["month"], june["last"], june["rating"]) == ("2026-06", "2026-06", 1500.0)


def test_a_game_without_a_date_is_not_the_latest() -> None:
    dated = duel("Ada", "Bo", month="2026-09")
    undated = replace(duel("Ada", "Bo"), began="unknown")
    assert {one.last for one in People([dated, undated], Register(), NOW).everybody()} == {dated.began}
