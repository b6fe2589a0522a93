"""Test series of events: Pentamind, grand prix and decathlon."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantRegistered, PersonTold, TournamentOpened
from gnomon.tournament.standings.pentamind import pentamind
from gnomon.tournament.standings.series import (
    SeriesEvent,
    SeriesRule,
    SeriesScoring,
    SeriesStanding,
    parse_place_points,
    series_standings,
    usual_rule,
)
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import System
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, played, settings

PENTAMIND = usual_rule(SeriesScoring.PENTAMIND)
GRAND_PRIX = usual_rule(SeriesScoring.GRAND_PRIX)
DECATHLON = usual_rule(SeriesScoring.DECATHLON)


def event(*names: str, kind: str = "", factor: int = 1) -> SeriesEvent:
    """A round robin that ended in the order of the names."""
    rounds = max(1, len(names) - 1 + len(names) % 2)
    entrants = [EntrantRegistered(at, name) for at, name in enumerate(names, start=1)]
    opened = fold([TournamentOpened(settings(System.ROUND_ROBIN, rounds=rounds, tie_breaks=("SEED",))), *entrants])
    return SeriesEvent("-".join(names), played(opened, rounds), kind, Points(factor))


def totals(ranked: tuple[SeriesStanding, ...]) -> list[tuple[int, str, Points]]:
    return [(one.place, one.name, one.total) for one in ranked]


def test_a_grand_prix_adds_up_points_for_places() -> None:
    ranked = series_standings([event("Ada", "Ben", "Cleo"), event("Ben", "Cleo")], GRAND_PRIX)
    assert totals(ranked) == [(1, "Ben", Points(43)), (2, "Cleo", Points(33)), (3, "Ada", Points(25))]


def test_only_the_best_count_and_the_others_break_ties() -> None:
    events = [event("Ada", "Ben"), event("Ben", "Ada"), event("Cleo", "Ben")]
    ranked = series_standings(events, GRAND_PRIX._replace(best=1))
    assert totals(ranked) == [(1, "Ben", Points(25)), (2, "Ada", Points(25)), (3, "Cleo", Points(25))]
    assert [(each.event, each.counts) for each in ranked[0].scores] == [(0, False), (1, True), (2, False)]


def test_who_is_level_in_everything_shares_the_place() -> None:
    ranked = series_standings([event("Ada", "Ben"), event("Ben", "Ada")], GRAND_PRIX)
    assert totals(ranked) == [(1, "Ada", Points(43)), (1, "Ben", Points(43))]


def test_those_who_share_a_place_share_its_points() -> None:
    level = settings(System.ROUND_ROBIN, rounds=1, tie_breaks=())
    two = fold([TournamentOpened(level), EntrantRegistered(1, "Ada"), EntrantRegistered(2, "Ben")])
    drawn = played(two, 1, lambda _: "½-½")
    assert [one.total for one in series_standings([SeriesEvent("A", drawn)], GRAND_PRIX)] == [Points(43, 2)] * 2


def test_places_beyond_the_list_bring_nothing() -> None:
    rule = GRAND_PRIX._replace(places=parse_place_points("3, 1"))
    assert [one.total for one in series_standings([event("Ada", "Ben", "Cleo")], rule)] == [3, 1, 0]


def test_the_best_five_count_at_pentamind() -> None:
    small, large = event("Ada", "Ben"), event("Ben", "Ada", "Cleo", "Dov")
    ranked = series_standings([small] * 5 + [large], PENTAMIND)
    best = pentamind(4, 1) + 0
    assert ranked[0].name == "Ada"
    assert ranked[0].total == 5 * pentamind(2, 1)
    assert ranked[1].total == best
    assert [each.counts for each in ranked[0].scores] == [True] * 5 + [False]


def test_of_one_kind_only_the_best_counts() -> None:
    events = [event("Ada", "Ben", kind="chess"), event("Ada", "Ben", kind="chess"), event("Ben", "Ada", kind="go")]
    assert totals(series_standings(events, GRAND_PRIX)) == [(1, "Ada", Points(43)), (2, "Ben", Points(43))]


def test_a_decathlon_adds_up_what_was_scored_and_an_event_may_weigh_more() -> None:
    ranked = series_standings([event("Ada", "Ben", "Cleo"), event("Ben", "Ada", factor=2)], DECATHLON)
    assert totals(ranked) == [(1, "Ben", Points(3)), (2, "Ada", Points(2)), (3, "Cleo", Points(0))]


def test_somebody_is_known_by_a_list_number_or_by_name() -> None:
    one, two = event("Ada Lovelace", "Ben"), event("LOVELACE, Ada", "ben")
    known = [
        each._replace(tournament=after(each.tournament, PersonTold(1, PersonalData(fide_number="400123"))))
        for each in (one, two)
    ]
    assert totals(series_standings(known, DECATHLON)) == [(1, "Ada Lovelace", Points(2)), (2, "Ben", Points(0))]


def test_one_person_twice_in_an_event_is_refused() -> None:
    with pytest.raises(TournamentError, match="ada is in Ada-ada twice"):
        series_standings([event("Ada", "ada")], GRAND_PRIX)


def test_five_events_count_at_pentamind_and_all_elsewhere() -> None:
    assert [usual_rule(scoring).best for scoring in SeriesScoring] == [5, 0, 0]


def test_no_events_have_no_standings() -> None:
    assert series_standings([], GRAND_PRIX) == ()


def test_points_for_places_are_read() -> None:
    assert parse_place_points("10, 7.5 5") == (Points(10), Points(15, 2), Points(5))
    for text in ("", "1, 2", "3, -1"):
        with pytest.raises(TournamentError, match=re.escape("are no points for places")):
            parse_place_points(text)


NAMES = st.lists(st.sampled_from(["Ada", "Ben", "Cleo", "Dov", "Eva"]), min_size=2, max_size=5, unique=True)


@given(st.lists(NAMES, min_size=1, max_size=5), st.sampled_from(SeriesScoring), st.integers(0, 3))
def test_everybody_is_ranked_by_what_counts(fields: list[list[str]], scoring: SeriesScoring, best: int) -> None:
    events = [event(*names) for names in fields]
    ranked = series_standings(events, SeriesRule(scoring, best))
    assert {one.name for one in ranked} == {name for names in fields for name in names}
    assert [one.total for one in ranked] == sorted((one.total for one in ranked), reverse=True)
    for one in ranked:
        counted = [each.points for each in one.scores if each.counts]
        assert one.total == sum(counted)
        assert len(counted) == min(best or len(one.scores), len(one.scores))
        left_out = [each.points for each in one.scores if not each.counts]
        assert not left_out or max(left_out) <= min(counted)


@pytest.mark.parametrize("factor", [Points(0), Points(-1)])
def test_an_event_counts_something(factor: Points) -> None:
    with pytest.raises(TournamentError, match="take a factor above 0"):
        series_standings([event("Ada", "Ben")._replace(factor=factor)], GRAND_PRIX)


def test_an_event_that_is_named_twice_is_refused() -> None:
    evening = played(gathered(4, settings(rounds=2)), 2)
    alike = [SeriesEvent("Spring", evening), SeriesEvent("Summer", evening)]
    assert len(series_standings(alike, usual_rule(SeriesScoring.GRAND_PRIX))) == 4
    events = [one._replace(name=name, origin="5f0c") for one, name in zip(alike, ("Spring", "Copy"), strict=True)]
    with pytest.raises(TournamentError, match="Copy is in the series twice: name each event once"):
        series_standings(events, usual_rule(SeriesScoring.GRAND_PRIX))


def test_a_series_of_events_of_teams_ranks_teams() -> None:
    first = _teams.played(_teams.gathered(2, tie_breaks=("MPVGP",)), [(1, 2, "11")])
    second = _teams.played(_teams.gathered(2, tie_breaks=("MPVGP",)), [(1, 2, "0=")])
    events = [SeriesEvent("Spring", first), SeriesEvent("Summer", second)]
    ranked = series_standings(events, usual_rule(SeriesScoring.GRAND_PRIX))
    assert [(one.name, int(one.total)) for one in ranked] == [("North", 43), ("South", 43)]
