"""How a table of three or four ended is taken from the ruling at its board, as the hall's plan permits."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from gnomon.hall.hall import HallError
from gnomon.hall.hub.board_alarms import Dispute
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.records.entries import EntryKind
from gnomon.tournament.events import PlacesEntered
from tests.hall.boards import ModelBoard
from tests.hall.evenings import Evening
from tests.hall.test_table_dispatch import PLAN, seated
from tests.hall.told import START, record

FOUR = ("p1", "p2", "p3", "p4")
TEAMS = {"p1": 12, "p2": 20, "p3": 12, "p4": 20}


def begun(evening: Evening, accept: Accept = Accept.CONFIRMED) -> ModelBoard:
    """A table of four at board t01, of which the game is being played."""
    board = evening.board("t01")
    board.start = replace(START, game="tayu", settings={"players": 4})
    seated(evening, replace(PLAN, boards={1: "t01"}, accept=accept))
    evening.hall.send_round("tayu", "Anna", boards=[1])
    evening.run(1)
    return board


def rule(evening: Evening, board: ModelBoard, winner: str, reason: str, score: Mapping[str, object]) -> None:
    body = {"at_us": 1, "ruling": "over", "winner": winner, "reason": reason, "score": score}
    board.write(record(0, body, board.games, EntryKind.RULING))
    board.ended[board.games] = len(board.journal)
    evening.run(2)


def places(evening: Evening) -> Mapping[int, tuple[int, ...]]:
    return evening.hall.book("tayu").tournament().rounds[0].places


def entries(evening: Evening) -> list[tuple[str, str]]:
    told = evening.hall.book("tayu").read()
    return [(each.who, each.why) for each in told if isinstance(each.event, PlacesEntered)]


def test_places_are_entered_once_everybody_has_confirmed(evening: Evening) -> None:
    board = begun(evening)
    rule(evening, board, "p2", "higher_score", TEAMS)
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert (told.order, told.differs, places(evening)) == ("2=4 1=3", False, {})
    board.confirm("p1", "p2", "p3")
    evening.run(2)
    assert places(evening) == {}
    board.confirm("p4")
    evening.run(2)
    assert places(evening) == {1: (3, 1, 3, 1)}
    ((who, why),) = entries(evening)
    assert who == "board t01, confirmed by all"
    assert why.startswith("higher_score: t01, game 1, record ")
    evening.restart()
    assert len(entries(evening)) == 1


def test_a_hall_may_enter_places_at_once_or_never(evening: Evening) -> None:
    board = begun(evening, Accept.AT_ONCE)
    rule(evening, board, "draw", "equal_scores", dict.fromkeys(FOUR, 6))
    assert places(evening) == {1: (1, 1, 1, 1)}
    assert entries(evening)[0][0] == "board t01"


def test_nothing_is_entered_that_people_enter(evening: Evening) -> None:
    board = begun(evening, Accept.BY_HAND)
    rule(evening, board, "p2", "higher_score", TEAMS)
    board.confirm(*FOUR)
    evening.run(2)
    assert places(evening) == {}
    book = evening.hall.book("tayu")
    book.append(PlacesEntered(1, 1, (1, 2, 3, 4)), "Anna", after=len(book.read()))
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert (told.differs, told.entered) == (True, (1, 2, 3, 4))


def test_places_that_differ_are_an_alarm_until_the_director_decides(evening: Evening) -> None:
    board = begun(evening, Accept.BY_HAND)
    rule(evening, board, "p2", "higher_score", TEAMS)
    hall, book = evening.hall, evening.hall.book("tayu")

    def enter(*places: int) -> None:
        hall.tell("tayu", PlacesEntered(1, 1, places, "as the slip says"), "Anna", after=len(book.read()))
        evening.run(1)

    enter(1, 2, 3, 4)
    title = book.tournament().settings.name
    assert [(alarm.board, alarm.trouble, alarm.dispute) for alarm in hall.alarms()] == [
        ("t01", "differs", Dispute("tayu", title, 1, 1, is_table=True))
    ]
    enter(3, 1, 3, 1)
    assert hall.alarms() == []
    with pytest.raises(HallError, match="agree"):
        hall.settle_table("tayu", 1, 1, "Anna")
    enter(1, 2, 3, 4)
    hall.settle_table("tayu", 1, 1, "Anna", "the board had lost a tile")
    evening.run(1)
    assert (hall.alarms(), hall.table_proposals("tayu", 1)[0].differs) == ([], False)
    rule(evening, board, "p1", "higher_score", {**TEAMS, "p1": 30, "p3": 30})
    assert len(hall.alarms()) == 1, "it rules anew, and otherwise"


def test_places_that_somebody_took_back_are_left_to_people(evening: Evening) -> None:
    board = begun(evening, Accept.AT_ONCE)
    rule(evening, board, "p2", "higher_score", TEAMS)
    book = evening.hall.book("tayu")
    book.append(PlacesEntered(1, 1, (), "they play on"), "Anna", after=len(book.read()))
    evening.restart()
    evening.run(2)
    assert places(evening) == {}
    assert evening.hall.table_proposals("tayu", 1)[0].order == "2=4 1=3"


@pytest.mark.parametrize(
    ("winner", "reason", "score"),
    [
        ("p2", "resigned", TEAMS),
        ("p2", "flag", TEAMS),
        ("draw", "abandoned", TEAMS),
        ("p2", "higher_score", {}),
        ("p2", "higher_score", {"p1": 1, "p2": "many"}),
    ],
)
def test_what_the_rules_did_not_decide_is_left_to_people(
    evening: Evening, winner: str, reason: str, score: dict[str, object]
) -> None:
    board = begun(evening, Accept.AT_ONCE)
    rule(evening, board, winner, reason, score)
    assert [one.order for one in evening.hall.table_proposals("tayu", 1)] == [""]
    assert places(evening) == {}


def test_a_round_without_boards_tells_nothing(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    assert evening.hall.table_proposals("tayu", 1) == []
