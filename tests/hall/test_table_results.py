"""How a table of three or four ended is taken from the ruling at its board and from phones, as the plan permits."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from gnomon.hall.board_alarms import Alarm, Dispute, Trouble
from gnomon.hall.hall import HallError
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.player_codes import Player
from gnomon.records.journal.entries import EntryKind
from gnomon.tournament.events import EntrantRegistered, PlacesEntered, RoundRevoked, TablesChanged, TablesSeated
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.settings import TournamentSettings as Announced
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
    assert len(hall.alarms()) == 1, "it rules again, and otherwise"


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
    assert evening.hall.alarms() == []
    rule(evening, board, winner, reason, score)
    assert [one.order for one in evening.hall.table_proposals("tayu", 1)] == [""]
    assert places(evening) == {}
    assert [(one.board, one.trouble) for one in evening.hall.alarms()] == [("t01", Trouble.UNCLEAR)]
    assert [(one.round, one.board, one.is_table) for one in evening.hall.disputes("tayu")] == [(1, 1, True)]
    say(evening, *range(1, 5))
    assert (places(evening), evening.hall.alarms()) == ({1: (3, 1, 3, 1)}, [])


def test_a_round_without_boards_tells_nothing(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    assert evening.hall.table_proposals("tayu", 1) == []


def say(evening: Evening, *entrants: int, ranks: tuple[int, ...] = (2, 1, 2, 1), in_round: int = 1) -> None:
    """Let some of the table of four say how it ended, in the order of its seats."""
    for entrant in entrants:
        evening.hall.claim_places(Player("tayu", entrant), in_round, dict(enumerate(ranks, start=1)))
    evening.run(1)


def test_what_everybody_at_a_table_says_is_entered_and_no_less(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    say(evening, 1, 2, 4)
    assert places(evening) == {}
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert (told.order, told.is_confirmed, [one.entrants for one in told.reports]) == ("", False, [(1, 2, 4)])
    say(evening, 3)
    assert places(evening) == {1: (3, 1, 3, 1)}, "two who share a place leave out the next"
    ((who, why),) = entries(evening)
    assert (who, why.count("2=4 1=3"), why.partition(";")[0]) == ("all players", 4, "said by player 1: 2=4 1=3")
    with pytest.raises(HallError, match="table 1 are entered already"):
        say(evening, 3)


def test_who_says_otherwise_leaves_it_to_the_director_until_they_say_the_same(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu", accept=Accept.AT_ONCE))
    say(evening, 1, 2, 3)
    say(evening, 4, ranks=(2, 2, 2, 1))
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert (places(evening), told.is_disputed, told.order) == ({}, True, "")
    assert [(one.order, one.entrants) for one in told.reports] == [("4 1=2=3", (4,)), ("2=4 1=3", (1, 2, 3))]
    say(evening, 4)
    assert places(evening) == {1: (3, 1, 3, 1)}


def test_a_table_that_disagrees_is_an_alarm_until_it_is_decided(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    hall, book = evening.hall, evening.hall.book("tayu")
    dispute = Dispute("tayu", book.tournament().settings.name, 1, 1, is_table=True)
    say(evening, 1, 2)
    assert hall.alarms() == [], "who is silent may still agree"
    say(evening, 3, ranks=(1, 2, 3, 4))
    assert hall.alarms() == [Alarm("", Trouble.DISPUTED, dispute=dispute)]
    assert hall.disputes("tayu") == [dispute]
    assert hall.disputes("another") == []
    evening.restart()
    assert evening.hall.disputes("tayu") == [dispute]
    evening.hall.tell("tayu", PlacesEntered(1, 1, (1, 2, 3, 4)), "Anna", after=len(book.read()))
    evening.run(1)
    assert evening.hall.alarms() == []


def test_the_alarm_of_a_disputed_table_names_the_board_at_which_it_was_played(evening: Evening) -> None:
    board = begun(evening)
    say(evening, 1, ranks=(1, 2, 3, 4))
    rule(evening, board, "p2", "higher_score", TEAMS)
    assert [(one.board, one.trouble) for one in evening.hall.alarms()] == [("t01", "disputed")]
    say(evening, 1)
    assert evening.hall.alarms() == []


def test_a_dispute_goes_with_the_round_that_is_revoked(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    say(evening, 1)
    say(evening, 2, ranks=(1, 2, 3, 4))
    assert len(evening.hall.alarms()) == 1
    book = evening.hall.book("tayu")
    evening.hall.tell("tayu", RoundRevoked(1, "Eva came late"), "Anna", after=len(book.read()))
    evening.run(1)
    assert evening.hall.alarms() == []


def test_a_hub_notices_a_dispute_that_pages_of_another_process_have_taken_down(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    pages = evening.open()
    for entrant, ranks in ((1, (2, 1, 2, 1)), (2, (1, 2, 3, 4))):
        pages.claim_places(Player("tayu", entrant), 1, dict(enumerate(ranks, start=1)))
    evening.run(6)
    assert len(evening.hall.disputes("tayu")) == 1
    pages.close()


def test_nobody_speaks_for_a_table_at_which_they_do_not_sit(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    for entrant, in_round in ((5, 1), (8, 1), (1, 2), (1, 0)):
        with pytest.raises(HallError, match="no game of yours"):
            say(evening, entrant, in_round=in_round)
    with pytest.raises(HallError, match="no game of yours"):
        say(evening, 1, ranks=(1, 2, 3))
    assert evening.hall.table_proposals("tayu", 1) == []


def test_board_and_phones_confirm_together(evening: Evening) -> None:
    board = begun(evening)
    rule(evening, board, "p2", "higher_score", TEAMS)
    board.confirm("p1", "p3")
    evening.run(2)
    say(evening, 2)
    assert places(evening) == {}
    say(evening, 4)
    assert places(evening) == {1: (3, 1, 3, 1)}
    assert entries(evening)[0][0] == "board t01, confirmed by all"


def test_a_phone_that_contradicts_the_board_leaves_the_table_to_the_director(evening: Evening) -> None:
    board = begun(evening, Accept.AT_ONCE)
    say(evening, 1, ranks=(1, 2, 3, 4))
    rule(evening, board, "p2", "higher_score", TEAMS)
    assert places(evening) == {}
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert [(one.device, one.entrants, one.order) for one in told.reports] == [
        ("t01", (), "2=4 1=3"),
        ("", (1,), "1 2 3 4"),
    ]
    say(evening, 1)
    assert places(evening) == {1: (3, 1, 3, 1)}


def test_where_the_rules_did_not_decide_the_players_do(evening: Evening) -> None:
    board = begun(evening)
    rule(evening, board, "p2", "resigned", TEAMS)
    board.confirm(*FOUR)
    evening.run(2)
    assert places(evening) == {}
    say(evening, 1, 2, 3, 4, ranks=(1, 2, 3, 4))
    assert places(evening) == {1: (1, 2, 3, 4)}
    ((who, why),) = entries(evening)
    assert (who, why.partition(":")[0]) == ("all players", "resigned")


def test_what_players_said_before_places_were_taken_back_counts_no_more(evening: Evening) -> None:
    board = begun(evening, Accept.AT_ONCE)
    rule(evening, board, "p2", "higher_score", TEAMS)
    evening.restart()
    book = evening.hall.book("tayu")
    book.append(PlacesEntered(1, 1, (), "they play on"), "Anna", after=len(book.read()))
    evening.run(2)
    say(evening, 1, 2, 3)
    assert places(evening) == {}
    say(evening, 4)
    assert places(evening) == {1: (3, 1, 3, 1)}
    book.append(PlacesEntered(1, 1, (), "once more"), "Anna", after=len(book.read()))
    evening.run(2)
    (told,) = evening.hall.table_proposals("tayu", 1)
    assert (places(evening), told.said) == ({}, ())


def test_what_players_said_of_another_table_counts_at_none(evening: Evening) -> None:
    seated(evening, BoardAssignment("tayu"))
    say(evening, 1, 2, 3)
    book = evening.hall.book("tayu")
    book.append(RoundRevoked(1, "Eva came late"), "Anna", after=len(book.read()))
    tables = (Table(1, (1, 2, 3, 5)), Table(2, (4, 6, 7)))
    book.append(TablesSeated(1, tables), "Anna", after=len(book.read()))
    assert evening.hall.table_proposals("tayu", 1) == []


def test_a_table_of_an_earlier_round_that_waits_is_entered_as_well(evening: Evening) -> None:
    announced = Announced("Tayu", System.TABLES, 2, open_rounds=2)
    book = evening.hall.open_tournament("tayu", announced, "Anna", BoardAssignment("tayu"))
    book.extend([EntrantRegistered(number, f"P{number}") for number in range(1, 5)], "Anna", after=1)
    for in_round in (1, 2):
        book.append(TablesSeated(in_round, (Table(1, (1, 2, 3, 4)),)), "Anna", after=len(book.read()))
    say(evening, 1, 2, 3, 4, ranks=(1, 2, 3, 4))
    assert places(evening) == {1: (1, 2, 3, 4)}


def test_a_ruling_is_of_those_who_sat_there_when_the_game_was_begun(evening: Evening) -> None:
    board = begun(evening, Accept.AT_ONCE)
    book = evening.hall.book("tayu")
    swapped = (Table(1, (1, 2, 5, 4)), Table(2, (3, 6, 7)))
    book.append(TablesChanged(1, swapped, "3 and 4 are married"), "Anna", after=len(book.read()))
    rule(evening, board, "p2", "higher_score", TEAMS)
    assert (places(evening), evening.hall.table_proposals("tayu", 1)) == ({}, [])
    sent = evening.hall.send_round("tayu", "Anna", boards=[1])
    evening.run(1)
    assert (list(sent.requests), board.names[2]["p3"]) == ([1], "P5")
    rule(evening, board, "p2", "higher_score", TEAMS)
    assert places(evening) == {1: (3, 1, 3, 1)}
