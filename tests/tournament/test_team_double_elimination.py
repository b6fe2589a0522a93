"""Double elimination of teams: a team is out after its second lost match."""

import random
from dataclasses import replace

import pytest

from gnomon.tournament.errors import NoPairingError, TournamentError
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import LotDrawn, OrderDecided, RoundRevoked, TournamentOpened
from gnomon.tournament.pairing.double_elimination import losses
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.teams.matches import as_people, match_view, team_view, undecided_matches
from tests.tournament._evening import after
from tests.tournament._teams import matches, opening, played, published, told
from tests.tournament.test_trf_team_cups import comes_back, lost


def twice(teams: int, boards: int = 2, rounds: int = 20) -> Tournament:
    """So many teams that are out after two lost matches."""
    opened, *others = opening(teams, boards, System.KNOCKOUT, rounds)
    assert isinstance(opened, TournamentOpened)
    return fold([TournamentOpened(replace(opened.settings, lives=2)), *others])


def stronger(pairing: Pairing) -> str:
    return "1-0" if pairing.first < (pairing.second or 0) else "0-1"


@pytest.mark.parametrize("seed", range(12))
def test_the_last_team_with_a_life_has_won(seed: int) -> None:
    chance = random.Random(seed)
    event = twice(chance.randint(2, 9), chance.randint(1, 3))
    while True:
        try:
            event = published(event)
        except NoPairingError:
            break
        event = told(event, lambda _: chance.choice(("1-0", "0-1", "=", "+/-")))
        for match in undecided_matches(event):
            event = after(event, LotDrawn(tuple(chance.sample(match.entrants, 2))))
    lost_by = losses(match_view(event))
    (alive,) = [team for team, count in lost_by.items() if count < 2]
    assert standings(team_view(event))[0].number == alive
    assert all(count == 2 for team, count in lost_by.items() if team != alive)
    assert as_people(event).settings.lives == 1


def test_a_team_that_has_lost_once_may_win() -> None:
    event = played(twice(2), [(1, 2, "00")])
    assert [one.number for one in standings(team_view(event))] == [2, 1]
    event = played(event, [(1, 2, "11")])
    event = played(event, [(1, 2, "11")])
    with pytest.raises(NoPairingError, match="1 North has won"):
        pair(event)


def test_what_decides_one_match_of_two_teams_decides_no_other() -> None:
    first = after(played(twice(2), [(1, 2, "==")]), LotDrawn((1, 2)))
    again = played(first, [(1, 2, "==")])
    assert [match.board for match in undecided_matches(again)] == [1]
    with pytest.raises(TournamentError, match="match 1 is level, and its boards do not decide it"):
        pair(again)
    other = after(again, OrderDecided((2, 1), "a play-off"))
    assert [dict(losses(match_view(each))) for each in (again, other)] == [{1: 0, 2: 1}, {1: 1, 2: 1}]
    third = played(other, [(1, 2, "==")])
    assert undecided_matches(third) != ()
    with pytest.raises(NoPairingError, match="2 South has won"):
        pair(after(third, LotDrawn((2, 1))))


def test_a_round_that_is_revoked_takes_no_decision_along() -> None:
    level = played(twice(2), [(1, 2, "==")])
    gone_on = after(published(after(level, LotDrawn((1, 2)))), RoundRevoked(2, "too early"))
    drawn = after(gone_on, OrderDecided((2, 1), "drawn wrongly"))
    assert dict(losses(match_view(drawn))) == {1: 1, 2: 0}


def test_a_report_file_holds_a_double_elimination_whose_matches_are_not_level() -> None:
    event = twice(5, 3, 8)
    for number in range(1, 6):
        event = told(published(event), stronger)
        assert comes_back(event).settings.lives == min(number, 2)
    assert lost(event) == []
    level = after(played(twice(4, 2, 8), [(1, 4, "=="), (2, 3, "11")]), LotDrawn((4, 1)))
    assert "the setting lives is 2 but would be read back as 1" in lost(level)
    further = told(published(level), stronger)
    assert {frozenset(match) for match in matches(further)} == {frozenset({4, 2}), frozenset({1, 3})}
    # These may be a final and a match for third place as well.
    assert "the setting third place is off but would be read back as on" in lost(further)
    over = told(published(further), stronger)
    assert any(said.startswith("Gnomon itself cannot read this file") for said in lost(over))
