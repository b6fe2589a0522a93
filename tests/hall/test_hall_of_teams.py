"""A hall in which teams play teams: what a board tells counts at its board of its match."""

from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.rounds.results import PairingState
from gnomon.tournament.events import (
    EntrantRegistered,
    LineupTold,
    ResultEntered,
    RoundPublished,
    TeamPlayTold,
    TeamTold,
)
from gnomon.tournament.results import GameResult, Points, parse_result
from gnomon.tournament.rounds import at_boards
from gnomon.tournament.settings import System, TournamentSettings
from gnomon.tournament.teams.matches import match_score, match_view
from gnomon.tournament.teams.play import TeamPlay
from tests.hall.evenings import Evening, results

PLAYERS = tuple(EntrantRegistered(10 * team + place, f"P{team}{place}") for team in (1, 2, 3, 4) for place in (1, 2, 3))


def test_what_boards_tell_counts_at_the_right_board_of_the_right_match(evening: Evening) -> None:
    boards = {number: evening.board(f"t0{number}") for number in range(1, 5)}
    evening.hall.open_tournament("open", TournamentSettings("Evening", System.SWISS, 2, tie_breaks=()), "Anna")
    book = evening.hall.book("open")
    teams = [TeamTold(team, f"Team {team}", tuple(10 * team + place for place in (1, 2, 3))) for team in (1, 2, 3, 4)]
    round_ = RoundPublished(1, at_boards([(1, 2), (3, 4)]))
    book.extend([TeamPlayTold(TeamPlay(2)), *PLAYERS, *teams, LineupTold(4, 1, (42, 0)), round_], "Anna", after=1)
    plan = BoardAssignment(game="tamsk", boards={number: f"t0{number}" for number in boards})
    evening.hall.set_plan("open", plan)
    sent = evening.hall.send_round("open", "Anna")
    # Board 4 is empty on one side: nobody is asked there, and its forfeit waits for nobody.
    assert sorted(sent.requests) == [1, 2, 3]
    evening.run(1)
    assert boards[2].names == {1: {"red": "P22", "black": "P12"}}
    assert boards[3].names == {1: {"red": "P31", "black": "P42"}}
    boards[2].end("black")
    boards[2].confirm("red", "black")
    evening.run(1)
    tournament = book.tournament()
    assert results(book) == [("board t02, confirmed by both", ResultEntered(1, 2, parse_result("0-1")))]
    assert tournament.teams is not None
    first, second = tournament.teams.matches.rounds[0].pairings
    assert match_score(tournament, tournament.rounds[0], first) == (Points(1), Points(0), (1,))
    assert match_score(tournament, tournament.rounds[0], second) == (Points(1), Points(0), (3,))
    for number in (1, 3):
        boards[number].end("red")
        boards[number].confirm("red", "black")
    evening.run(1)
    assert evening.standings() == [PairingState.ENTERED] * 3
    assert match_view(book.tournament()).rounds[0].results == {
        1: (GameResult.FIRST_WON,),
        2: (GameResult.FIRST_WON,),
    }
