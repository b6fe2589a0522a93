"""Results of boards are entered in every round that is open, not in the last alone."""

from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.tournament.events import EntrantRegistered, RoundPublished
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.settings import TournamentSettings as Announced
from tests.hall.evenings import Evening


def test_a_board_that_ends_after_another_pairing_was_published_is_entered(evening: Evening) -> None:
    board = evening.board("t01")
    evening.board("t02")
    plan = BoardAssignment("tamsk", accept=Accept.AT_ONCE, boards={1: "t01", 2: "t02"})
    book = evening.hall.open_tournament("open", Announced("Open", System.ARENA, 9, tie_breaks=()), "Anna", plan)
    entrants = [EntrantRegistered(number, f"P{number}") for number in range(1, 5)]
    book.extend([*entrants, RoundPublished(1, (Pairing(1, 1, 2),))], "Anna", after=1)
    evening.hall.send_round("open", "Anna")
    evening.run(1)
    evening.hall.tell("open", RoundPublished(2, (Pairing(2, 3, 4),)), "Anna", after=len(book.read()))
    board.end("red")
    evening.run(1)
    rounds = book.tournament().rounds
    assert rounds[0].results == {1: parse_result("1-0")}
    assert rounds[1].waiting == (2,)
