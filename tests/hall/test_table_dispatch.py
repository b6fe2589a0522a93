"""Tables of three and four are begun at boards of the hall, with the names of all who sit there."""

import pytest

from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.table_dispatch import table_seats
from gnomon.tournament.events import EntrantRegistered, PlacesEntered, TablesSeated
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.settings import TournamentSettings as Announced
from tests.hall.evenings import Evening

PLAN = BoardAssignment("tayu", boards={1: "t01", 2: "t02"})


def seated(evening: Evening, plan: BoardAssignment = PLAN) -> None:
    """Seven players at a table of four and one of three."""
    book = evening.hall.open_tournament("tayu", Announced("Tayu", System.TABLES, 2), "Anna", plan)
    book.extend([EntrantRegistered(number, f"P{number}") for number in range(1, 8)], "Anna", after=1)
    tables = (Table(1, (1, 2, 3, 4)), Table(2, (5, 6, 7)))
    book.append(TablesSeated(1, tables), "Anna", after=8)


def test_each_table_is_begun_with_the_names_of_its_seats(evening: Evening) -> None:
    boards = [evening.board("t01"), evening.board("t02")]
    seated(evening)
    sent = evening.hall.send_round("tayu", "Anna")
    assert (sorted(sent.requests), list(sent.left)) == ([1, 2], [])
    evening.run(1)
    assert boards[0].names == {1: {"p1": "P1", "p2": "P2", "p3": "P3", "p4": "P4"}}
    assert boards[1].names == {1: {"p1": "P5", "p2": "P6", "p3": "P7"}}


def test_what_is_left_to_people_is_said(evening: Evening) -> None:
    evening.board("t01")
    seated(evening, BoardAssignment("tayu", boards={1: "t01"}))
    book = evening.hall.book("tayu")
    assert [(one.board, one.why.message) for one in evening.hall.send_round("tayu", "Anna").left] == [
        (2, "board 2 has no device: they play without one and report the result"),
    ]
    again = evening.hall.send_round("tayu", "Anna", boards=[1]).left
    assert [one.board for one in again] == [1]
    book.append(PlacesEntered(1, 1, (1, 2, 3, 4)), "Anna", after=9)
    assert [one.board for one in evening.hall.send_round("tayu", "Anna", boards=[1], abandon=True).left] == [1]


def test_a_game_for_two_is_not_begun_at_a_table(evening: Evening) -> None:
    evening.board("t01")
    seated(evening, BoardAssignment("tabik", boards={1: "t01"}))
    left = evening.hall.send_round("tayu", "Anna", boards=[1]).left
    assert [one.why.message for one in left] == ["board 1: tabik is not played by 4"]


def test_a_plan_without_a_game_sends_nothing(evening: Evening) -> None:
    evening.board("t01")
    seated(evening, BoardAssignment())
    with pytest.raises(PlanError):
        evening.hall.send_round("tayu", "Anna")


def test_a_game_says_its_seats() -> None:
    assert table_seats(PLAN, 3) == ("p1", "p2", "p3")
    assert table_seats(BoardAssignment("tabik"), 3) == ()
