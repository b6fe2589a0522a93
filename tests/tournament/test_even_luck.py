"""Points with even luck: what luck gave is taken off, and nothing else changes."""

import pytest

from gnomon.tournament.events import TeamPlayTold
from gnomon.tournament.standings import standings
from gnomon.tournament.standings.even_luck import LuckOfGame, even_luck_standings, has_even_luck
from gnomon.tournament.state.notation import gain_text
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.settings import Scoring, System
from gnomon.tournament.state.team_play import TeamPlay
from tests.tournament._evening import after, gathered, played, settings


def test_what_luck_gave_is_taken_off_the_points() -> None:
    tournament = played(gathered(4, settings(System.ROUND_ROBIN, 3)), 1)
    first, other = tournament.rounds[0].pairings[0].entrants
    rows = {row.number: row for row in even_luck_standings(tournament, [LuckOfGame(1, first, other, 0.25)])}
    real = {one.number: one for one in standings(tournament)}
    for number, gain in ((first, 0.25), (other, -0.25)):
        assert rows[number].luck == gain
        assert rows[number].even == pytest.approx(float(real[number].points) - gain)
        assert rows[number].games == 1
    for number in set(real) - {first, other}:
        assert (rows[number].games, rows[number].luck) == (0, 0)
    assert all((rows[one].place, rows[one].points) == (real[one].place, real[one].points) for one in real)


def test_the_points_of_all_stay_together_what_they_were() -> None:
    tournament = played(gathered(6, settings(rounds=5)), 3)
    games = [
        LuckOfGame(round_.number, pairing.first, pairing.second or 0, 0.1 * round_.number)
        for round_ in tournament.rounds
        for pairing in round_.pairings
    ]
    rows = even_luck_standings(tournament, games)
    assert sum(row.even for row in rows) == pytest.approx(float(sum(row.points for row in rows)))
    assert [row.even for row in rows] == sorted((row.even for row in rows), reverse=True)
    assert {row.games for row in rows} == {3}


def test_luck_counts_as_much_as_a_game_does() -> None:
    like = settings(System.ROUND_ROBIN, 3, scoring=Scoring(Points(3), Points(1), Points(0), Points(0)))
    tournament = played(gathered(4, like), 1)
    first, other = tournament.rounds[0].pairings[0].entrants
    rows = even_luck_standings(tournament, [LuckOfGame(1, first, other, -0.5)])
    assert {row.number: row.luck for row in rows}[first] == -1.5


def test_a_game_that_brought_nothing_does_not_count() -> None:
    tournament = played(gathered(4, settings(System.ROUND_ROBIN, 3)), 1)
    (one, two), (three, _) = (pairing.entrants for pairing in tournament.rounds[0].pairings)
    strange = [LuckOfGame(2, one, two, 0.5), LuckOfGame(1, one, three, 0.5)]
    assert all(row.games == 0 and row.luck == 0 for row in even_luck_standings(tournament, strange))


@pytest.mark.parametrize(
    ("system", "more", "has"),
    [
        (System.SWISS, {}, True),
        (System.SWISS, {"games": 2}, True),
        (System.SWISS, {"games": 2, "match_score": True}, False),
        (System.KEIZER, {"tie_breaks": ()}, False),
        (System.TABLES, {"tie_breaks": ()}, False),
    ],
)
def test_points_that_do_not_add_up_game_by_game_have_none(
    system: System, more: dict[str, object], *, has: bool
) -> None:
    assert has_even_luck(gathered(4, settings(system, 3, **more))) is has


def test_teams_have_none() -> None:
    assert not has_even_luck(after(gathered(4, settings(rounds=3)), TeamPlayTold(TeamPlay(2))))


@pytest.mark.parametrize(("gain", "text"), [(0.254, "+0.25"), (-1.0, "−1.00"), (-0.001, "+0.00"), (0.0, "+0.00")])
def test_gains_are_written_with_their_sign(gain: float, text: str) -> None:
    assert gain_text(gain) == text
