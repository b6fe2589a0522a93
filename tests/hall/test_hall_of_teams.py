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
from gnomon.tournament.state.results import GameResult, Points, format_result, parse_result
from gnomon.tournament.state.rounds import at_boards
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.state.team_play import TeamPlay
from gnomon.tournament.teams.matches import match_score, match_view
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


def test_a_match_of_two_games_a_board_is_sent_twice_and_counts_once_both_have_ended(evening: Evening) -> None:
    boards = {number: evening.board(f"t0{number}") for number in range(1, 5)}
    announced = TournamentSettings("Evening", System.SWISS, 2, games=2, tie_breaks=())
    evening.hall.open_tournament("open", announced, "Anna")
    book, hall = evening.hall.book("open"), evening.hall
    teams = [TeamTold(team, f"Team {team}", tuple(10 * team + place for place in (1, 2, 3))) for team in (1, 2, 3, 4)]
    round_ = RoundPublished(1, at_boards([(1, 2), (3, 4)]))
    book.extend([TeamPlayTold(TeamPlay(2)), *PLAYERS, *teams, LineupTold(4, 1, (42, 0)), round_], "Anna", after=1)
    hall.set_plan("open", BoardAssignment(game="tamsk", boards={number: f"t0{number}" for number in boards}))
    assert sorted(hall.send_round("open", "Anna").requests) == [1, 2, 3]
    evening.run(1)
    first = {number: boards[number].names[1] for number in (1, 2, 3)}
    assert first == {
        1: {"red": "P11", "black": "P21"},
        2: {"red": "P22", "black": "P12"},
        3: {"red": "P31", "black": "P42"},
    }
    for number in (1, 2, 3):
        boards[number].end("red")
        boards[number].confirm("red", "black")
    evening.run(1)
    assert results(book) == [], "one game of two is no result"
    assert evening.standings() == [PairingState.BETWEEN] * 3
    assert sorted(hall.send_round("open", "Anna").requests) == [1, 2, 3]
    evening.run(1)
    assert {number: boards[number].names[2] for number in (1, 2, 3)} == {
        number: {"red": names["black"], "black": names["red"]} for number, names in first.items()
    }
    boards[1].end("black")  # P11 wins both
    boards[2].end("red")  # P22 won the first, P12 the second
    boards[3].end(None)
    for number in (1, 2, 3):
        boards[number].confirm("red", "black")
    evening.run(1)
    assert evening.standings() == [PairingState.ENTERED] * 3
    told = {event.board: format_result(event.result) for _, event in results(book)}
    assert told == {1: "1-0 1-0", 2: "1-0 0-1", 3: "1-0 ½-½"}
    tournament = book.tournament()
    assert tournament.waiting == ()
    matches = tournament.teams
    assert matches is not None
    scores = [match_score(tournament, tournament.rounds[0], each)[:2] for each in matches.matches.rounds[0].pairings]
    assert scores == [(Points(3), Points(1)), (Points(7, 2), Points(1, 2))]
    assert hall.send_round("open", "Anna").requests == {}
