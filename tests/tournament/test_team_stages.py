"""Test stages of teams: groups, who goes on with which players, and with which points."""

import re
from typing import Any

import pytest

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import EntrantWithdrew, PersonTold, TeamPlayTold, TeamsSeeded
from gnomon.tournament.stages import (
    Carry,
    Seeding,
    StageFeed,
    StageRule,
    group_events,
    groups_of,
    stage_events,
)
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.particulars import PersonalData
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.team_play import USUAL_BREAKS, TeamPlay
from gnomon.tournament.teams.matches import book_of, game_view, match_view, team_view
from tests.tournament import _teams
from tests.tournament._evening import after, gathered, settings


def pool(*extra: Any) -> Tournament:
    """North, South and East, in a league of which South has won both matches, and North the other."""
    league = _teams.gathered(3, system=System.ROUND_ROBIN, tie_breaks=("MPVGP",))
    league = after(league, *extra)
    return _teams.played(league, [(2, 3, "11")], [(1, 2, "00")], [(3, 1, "0=")])


def opened(system: System = System.SWISS, **play: Any) -> Tournament:
    return after(gathered(0, settings(system, 2, tie_breaks=())), TeamPlayTold(TeamPlay(2, **play)))


def entered(feeds: list[StageFeed], rule: StageRule, into: Tournament) -> Tournament:
    return after(into, *stage_events(into, feeds, rule)[1])


def test_teams_go_on_with_their_players_in_the_order_of_their_places() -> None:
    stage = pool(PersonTold(21, PersonalData(title="FM")), EntrantWithdrew(13, 1))
    final = entered([StageFeed("Pool", stage, 1, 2)], StageRule(), opened(System.KNOCKOUT))
    book = book_of(final)
    assert [one.name for one in book.matches.entrants.values()] == ["South", "North"]
    assert [final.entrants[one].name for one in book.rosters[2].members] == ["North 1", "North 2"]
    assert final.person(1).title == "FM"
    assert team_view(final).seeds == (1, 2)
    assert book.matches.stage_seeds[2] == StageSeed(2, 2, Points(0), "Pool 2")


def test_teams_bring_points_of_the_kind_that_ranks_first() -> None:
    final = entered([StageFeed("Pool", pool(), 1, None)], StageRule(carry=Carry.POINTS), opened())
    assert [(one.number, int(one.points)) for one in standings(team_view(final))] == [(1, 4), (2, 2), (3, 0)]
    assert match_view(final).stage_seeds[1].carried == 4
    assert game_view(final).stage_seeds[1].carried == 0
    by_games = opened(games_first=True)
    final = entered([StageFeed("Pool", pool(), 1, None)], StageRule(Seeding.RATING, Carry.MEETINGS), by_games)
    assert game_view(final).stage_seeds[1].carried == 2
    assert match_view(final).stage_seeds[1].carried == 0


def test_groups_of_teams_are_tournaments_of_teams() -> None:
    event = _teams.gathered(4, scheveningen=False)
    first, second = (fold(group_events(event, group)) for group in groups_of(event, 2, System.ROUND_ROBIN))
    assert [[one.name for one in book_of(group).matches.entrants.values()] for group in (first, second)] == [
        ["North", "West"],
        ["South", "East"],
    ]
    assert first.settings.tie_breaks == ("MPVGP", "EDE", "EMGSB", "BERLIN")
    assert _teams.matches(_teams.published(second)) == [(1, 2)]
    cup = _teams.gathered(4, 2, System.KNOCKOUT, 2, cup_breaks=("TBR",))
    groups = [groups_of(cup, 2, system, 1)[0] for system in (System.SWISS, System.KNOCKOUT)]
    plays = [book_of(fold(group_events(cup, group))).play for group in groups]
    assert [play.cup_breaks for play in plays] == [USUAL_BREAKS, ("TBR",)]


@pytest.mark.parametrize(
    ("feed", "into"), [(pool(), gathered(0, settings())), (gathered(4, settings()), opened())], ids=["teams", "singles"]
)
def test_teams_and_single_players_do_not_mix(feed: Tournament, into: Tournament) -> None:
    with pytest.raises(TournamentError, match=re.escape("teams go on into a tournament of teams")):
        stage_events(into, [StageFeed("Pool", feed, 1, 1)], StageRule())


def test_seeds_of_teams_are_those_that_were_set() -> None:
    seeded = after(_teams.gathered(4), TeamsSeeded((StageSeed(3, 1), StageSeed(1, 2))))
    assert team_view(seeded).seeds == (3, 1, 2, 4)
    with pytest.raises(TournamentError, match="no teams play in"):
        after(gathered(4, settings()), TeamsSeeded(()))
    with pytest.raises(TournamentError, match="seeds can no longer be set"):
        after(_teams.published(seeded), TeamsSeeded(()))
