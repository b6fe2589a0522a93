"""Test stages: who goes on from pools, how they are seeded, and what they bring along."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import (
    EntrantRegistered,
    EntrantsSeeded,
    EntrantWithdrew,
    LotDrawn,
    PersonTold,
    TournamentOpened,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.settings.scope import check_scope
from gnomon.tournament.stages import (
    Carry,
    Seeding,
    StageFeed,
    StageRule,
    _Candidate,
    _clashes,
    _cross,
    draw_groups,
    group_events,
    groups_of,
    parse_places,
    qualifiers,
    stage_events,
)
from gnomon.tournament.standings import Standing, standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import GradeRules, Rounding, System
from gnomon.tournament.strength.given_points import strength_points
from tests.tournament._evening import after, by_hand, gathered, pairs, played, published, settings

TABLE = settings(System.ROUND_ROBIN, rounds=3, tie_breaks=("SEED",))
CUP = settings(System.KNOCKOUT, rounds=3, tie_breaks=())


def pool(letter: str, count: int = 4, strongest: int = 2000) -> Tournament:
    """A pool whose members are called A1 to A4, and end in that order."""
    entrants = [EntrantRegistered(at, f"{letter}{at}", strongest - at) for at in range(1, count + 1)]
    like = replace(TABLE, rounds=count - 1 + count % 2, name=f"Pool {letter}")
    return played(fold([TournamentOpened(like), *entrants]), like.rounds)


def fed(*pools: str, first: int = 1, last: int | None = 2) -> list[StageFeed]:
    return [StageFeed(letter, pool(letter, strongest=2000 - 10 * at), first, last) for at, letter in enumerate(pools)]


PLAIN = StageRule()


def names(feeds: list[StageFeed], rule: StageRule = PLAIN) -> list[str]:
    return [one.entrant.name for one in qualifiers(feeds, rule)]


def test_two_of_two_pools_go_on_crosswise() -> None:
    assert names(fed("A", "B")) == ["A1", "B1", "A2", "B2"]
    _, events = stage_events(gathered(0, CUP), fed("A", "B"), StageRule())
    final = after(gathered(0, CUP), *events)
    met = [sorted(final.entrants[one].name for one in pairing.entrants) for pairing in pair(final)]
    assert met == [["A1", "B2"], ["A2", "B1"]]


@given(st.integers(2, 6), st.integers(1, 3))
def test_nobody_meets_first_whom_they_met_in_their_pool(pools: int, going_on: int) -> None:
    feeds = fed(*"ABCDEF"[:pools], last=going_on)
    _, events = stage_events(gathered(0, replace(CUP, rounds=5)), feeds, StageRule())
    final = after(gathered(0, replace(CUP, rounds=5)), *events)
    met = [(p.first, p.second) for p in pair(final) if p.second is not None]
    if pools > 2 or going_on < 3:
        assert [pair for pair in met if final.entrants[pair[0]].name[0] == final.entrants[pair[1]].name[0]] == []


TIERS = st.lists(st.permutations(range(5)), min_size=1, max_size=4)


@given(TIERS, st.integers(2, 20), st.sets(st.integers(0, 19)))
def test_crossing_never_makes_more_meetings_of_one_stage_and_keeps_the_places(
    tiers: list[list[int]], count: int, left_out: set[int]
) -> None:
    every = [(feed, place) for place, tier in enumerate(tiers, start=1) for feed in tier]
    chosen = [each for at, each in enumerate(every) if at not in left_out or at < 2][:count]
    ordered = [
        _Candidate(feed, place, Standing(place, at, Points(0), ()), Points(0))
        for at, (feed, place) in enumerate(chosen)
    ]
    crossed = _cross(ordered)
    size = 1 << (len(ordered) - 1).bit_length()
    assert _clashes(crossed, size) <= _clashes(ordered, size)
    assert [one.place for one in crossed] == [one.place for one in ordered]
    assert sorted(crossed) == sorted(ordered)


def test_a_neighbour_who_would_meet_their_own_stage_then_does_not_change_places() -> None:
    feeds, places = (1, 3, 0, 0, 1, 0, 2, 4), (1, 1, 1, 2, 3, 3, 3, 4)
    ordered = [
        _Candidate(feed, place, Standing(place, at, Points(0), ()), Points(0))
        for at, (feed, place) in enumerate(zip(feeds, places, strict=True))
    ]
    assert [one.feed for one in _cross(ordered)] == [1, 3, 0, 0, 1, 2, 0, 4]


def test_a_top_cut_begins_with_its_seeds_or_its_points() -> None:
    swiss = played(gathered(8, settings(rounds=3)), 3)
    feed = StageFeed("Swiss", swiss, 1, 4)
    going_on, events = stage_events(gathered(0, CUP), [feed], StageRule(carry=Carry.POINTS))
    final = after(gathered(0, CUP), *events)
    ranked = standings(swiss)
    assert [one.number for one in going_on] == [one.number for one in ranked[:4]]
    assert [final.stage_seeds[at].carried for at in range(1, 5)] == [one.points for one in ranked[:4]]
    assert final.stage_seeds[1].origin == "Swiss 1"


def test_points_of_a_swiss_go_on_into_a_table() -> None:
    table = after(gathered(0, TABLE), *stage_events(gathered(0, TABLE), fed("A"), StageRule(carry=Carry.POINTS))[1])
    assert [(one.number, one.points) for one in standings(table)] == [(1, Points(3)), (2, Points(2))]


def test_meetings_among_those_who_go_on_count_again() -> None:
    going_on = qualifiers(fed("A", "B", last=3), StageRule(carry=Carry.MEETINGS))
    assert {one.entrant.name: one.carried for one in going_on} == {
        "A1": 2,
        "A2": 1,
        "A3": 0,
        "B1": 2,
        "B2": 1,
        "B3": 0,
    }


def test_the_best_of_the_rest_go_on_too() -> None:
    feeds = [StageFeed("A", pool("A", 4), 1, 1), StageFeed("B", pool("B", 6), 1, 1)]
    assert names(feeds, StageRule(rest=1)) == ["A1", "B1", "B2"]
    with pytest.raises(TournamentError, match="3 more cannot go on: there are 2 in the next places"):
        names(feeds, StageRule(rest=3))
    with pytest.raises(TournamentError, match="2 A2 and 2 B2 are level among the best of the rest"):
        names(fed("A", "B", last=1), StageRule(rest=1))


def test_divisions_exchange_their_best_and_their_last() -> None:
    one, two = pool("A"), pool("B")
    upper = [StageFeed("One", one, 1, 3), StageFeed("Two", two, 1, 1)]
    lower = [StageFeed("One", one, 4, None), StageFeed("Two", two, 2, None)]
    assert names(upper, StageRule(Seeding.LISTED)) == ["A1", "A2", "A3", "B1"]
    assert names(lower, StageRule(Seeding.LISTED)) == ["A4", "B2", "B3", "B4"]


def test_seeds_may_go_by_rating() -> None:
    feeds = [StageFeed("A", pool("A"), 3, 4), StageFeed("B", pool("B", strongest=2100), 1, 2)]
    assert names(feeds, StageRule(Seeding.RATING)) == ["B1", "B2", "A3", "A4"]
    _, events = stage_events(gathered(0, CUP), feeds, StageRule(Seeding.RATING))
    assert after(gathered(0, CUP), *events).seeds == (1, 2, 3, 4)


def test_who_has_left_does_not_go_on_and_the_next_moves_up() -> None:
    table = settings(System.ROUND_ROBIN, rounds=4, tie_breaks=("SEED",))
    left = after(played(gathered(4, table), 3), EntrantWithdrew(1, 4))
    assert names([StageFeed("A", left, 1, 2)]) == ["Ben", "Cleo"]


def test_what_is_known_of_people_goes_on_with_them() -> None:
    known = after(pool("A"), PersonTold(2, PersonalData(title="FM")))
    _, events = stage_events(gathered(0, CUP), [StageFeed("A", known, 2, 3)], StageRule())
    assert after(gathered(0, CUP), *events).persons == {1: PersonalData(title="FM")}


ALL_LEVEL = by_hand(gathered(4, settings(rounds=3, tie_breaks=())), [(1, 3, "½-½"), (4, 2, "½-½")])
LEVEL = by_hand(gathered(4, settings(rounds=3, tie_breaks=())), [(1, 3, "1-0"), (4, 2, "0-1")])


@pytest.mark.parametrize(
    ("feeds", "sentence"),
    [
        ([], "nobody goes on: name a stage and its places"),
        ([StageFeed("A", LEVEL, 1, 1)], "place 1 of A is not decided between 1 Ada and 2 Ben: enter a lot or an order"),
        ([StageFeed("A", LEVEL, 2, None)], "place 1 of A is not decided between 1 Ada and 2 Ben"),
        ([StageFeed("A", ALL_LEVEL, 2, None)], "place 1 of A is not decided between 1 Ada and 2 Ben and 3 Cleo and 4"),
        ([StageFeed("A", LEVEL, 9, None)], "nobody goes on"),
        ([StageFeed("A", published(LEVEL), 1, 1)], "A is not over yet: enter its results first"),
        ([StageFeed("A", gathered(4, CUP), 1, 1)], "A is not over yet"),
    ],
)
def test_nobody_goes_on_before_it_is_decided_who(feeds: list[StageFeed], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        qualifiers(feeds, StageRule())


def test_nobody_goes_on_twice_from_a_stage_that_is_named_twice() -> None:
    twice = [one._replace(origin=one.name) for one in (*fed("A", "B"), *fed("A"))]
    with pytest.raises(TournamentError, match=r"1 A1 would go on from A twice: name each stage once"):
        names(twice)
    apart = [twice[0]._replace(last=1), twice[1], twice[2]._replace(first=2)]
    assert sorted(names(apart)) == sorted(names(fed("A", "B")))


def test_a_lot_decides_who_goes_on() -> None:
    assert names([StageFeed("A", after(LEVEL, LotDrawn((2, 1))), 1, 1)]) == ["Ben"]


def test_a_stage_is_filled_once() -> None:
    with pytest.raises(TournamentError, match="Club evening has entrants already"):
        stage_events(LEVEL, fed("A"), StageRule())


def test_places_are_read() -> None:
    assert [parse_places(text) for text in ("2", "1-2", " 3- ")] == [(2, 2), (1, 2), (3, None)]
    for text in ("", "0", "3-2", "best", "-2"):
        with pytest.raises(TournamentError, match="names no places"):
            parse_places(text)


@given(st.integers(4, 40), st.integers(2, 6))
def test_groups_are_even(count: int, groups: int) -> None:
    tournament = gathered(count, settings())
    if count < 2 * groups:
        with pytest.raises(TournamentError, match=f"{groups} groups of {count} entrants cannot be"):
            draw_groups(tournament, groups)
        return
    drawn = draw_groups(tournament, groups)
    assert sorted(number for group in drawn for number in group) == list(range(1, count + 1))
    assert max(map(len, drawn)) - min(map(len, drawn)) <= 1
    assert [group[0] for group in drawn] == list(range(1, groups + 1))


def test_groups_go_to_and_fro_and_part_team_mates() -> None:
    assert draw_groups(gathered(6, settings()), 2) == ((1, 4, 5), (2, 3, 6))
    teams = ("North", "South", "North", "South")
    entrants = [EntrantRegistered(at, f"P{at}", 2000 - at, team) for at, team in enumerate(teams, start=1)]
    assert draw_groups(fold([TournamentOpened(settings()), *entrants]), 2) == ((1, 4), (2, 3))
    mates = [EntrantRegistered(at, f"P{at}", 2000 - at, "North") for at in range(1, 5)]
    assert draw_groups(fold([TournamentOpened(settings()), *mates]), 2) == ((1, 4), (2, 3))


def test_a_group_is_a_tournament_of_its_own() -> None:
    event = after(gathered(5, settings()), PersonTold(3, PersonalData(club="Rooks")))
    first, second = (fold(group_events(event, group)) for group in groups_of(event, 2, System.ROUND_ROBIN))
    assert (first.settings.name, [*map(len, (first.entrants, second.entrants))]) == ("Club evening A", [3, 2])
    assert [one.name for one in second.entrants.values()] == ["Ben", "Cleo"]
    assert second.persons == {2: PersonalData(club="Rooks")}
    assert [group.settings.rounds for group in (first, second)] == [3, 1]
    assert first.settings.tie_breaks == ("DE", "SB", "WIN", "KS")


def test_a_group_has_no_setting_that_means_nothing_in_its_system() -> None:
    rules = GradeRules(3, -20, 1, Rounding.DOWN)
    event = gathered(4, settings(System.MCMAHON, grades=rules, team_mates_meet=False, open_rounds=3, check_in=True))
    table = groups_of(event, 2, System.ROUND_ROBIN)[0].settings
    assert table.grades == GradeRules(handicap=1, rounding=Rounding.DOWN)
    assert (table.team_mates_meet, table.open_rounds, table.check_in) == (True, 3, False)
    cup, again = (groups_of(event, 2, system, 1)[0].settings for system in (System.KNOCKOUT, System.MCMAHON))
    assert (cup.open_rounds, cup.tie_breaks, again.grades) == (1, (), rules)
    for like in (table, cup, again):
        check_scope(like)
    with pytest.raises(TournamentError, match="how many rounds the groups play"):
        groups_of(event, 2, System.SWISS)


FOUR = gathered(4, settings())


def test_seeds_that_were_set_come_first() -> None:
    assert after(FOUR, EntrantsSeeded((StageSeed(4, 1), StageSeed(2, 2)))).seeds == (4, 2, 1, 3)
    cup = after(gathered(4, CUP), EntrantsSeeded(tuple(StageSeed(at, 5 - at) for at in range(1, 5))))
    assert pairs(pair(cup))[0] in {(4, 1), (1, 4)}


@pytest.mark.parametrize(
    ("seeds", "sentence"),
    [
        ((StageSeed(1, 1), StageSeed(2, 1)), "two entrants have one seed"),
        ((StageSeed(1, 1), StageSeed(1, 2)), "one entrant has two"),
        ((StageSeed(1, -1),), "a seed is a number from 1 up"),
        ((StageSeed(1, 1, Points(-1)),), "nobody begins with less than no points"),
        ((StageSeed(9, 1),), "there is no entrant 9"),
    ],
)
def test_seeds_that_cannot_be_are_refused(seeds: tuple[StageSeed, ...], sentence: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(sentence)):
        after(FOUR, EntrantsSeeded(seeds))


def test_seeds_are_set_before_the_first_round() -> None:
    with pytest.raises(TournamentError, match="seeds can no longer be set: rounds are published up to 1"):
        after(published(FOUR), EntrantsSeeded((StageSeed(1, 2),)))


def test_points_for_strength_are_given_once_from_mcmahon_to_mcmahon() -> None:
    like = settings(System.MCMAHON, rounds=2, tie_breaks=("SOS",), bars=(1500, 1900))
    pool = played(gathered(4, like), 2)
    best = standings(pool)[0]
    assert strength_points(pool, best.number) > 0
    feed = [StageFeed("Pool", pool, 1, 1)]
    carried = [
        stage_events(gathered(0, into), feed, StageRule(carry=Carry.POINTS))[0][0].carried
        for into in (like, settings(rounds=2))
    ]
    assert carried == [best.points - strength_points(pool, best.number), best.points]
