"""A whole hall in virtual time: its boards, what they write, and what is asked of them."""

import pytest

from gnomon.hall.hall import HallError
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.referee.events import ResultDeclared
from gnomon.timekeeping.instants import Instant
from tests.hall.evenings import Evening

# Boards and their games


def test_what_a_board_writes_is_read_in_the_hall(evening: Evening) -> None:
    board = evening.board("t01")
    game = board.begin()
    board.end("red")
    evening.run()
    archive = evening.hall.archive("t01")
    assert list(archive.read(game)) == board.journal
    assert archive.endings()[game]["winner"] == "red"
    assert evening.hall.place("t01").lag == 0
    assert board.outbox.waiting == 0
    assert evening.hall.epochs("t01") == ["e1"]


def test_a_board_that_was_there_before_the_hall_was_restarted_has_its_place(evening: Evening) -> None:
    board = evening.board("t01")
    board.begin()
    evening.run()
    evening.restart()
    assert [place.board for place in evening.hall.wall()] == ["t01"]
    assert evening.hall.place("t01").through == 1
    evening.broker = MemoryBroker()
    evening.boards.clear()
    evening.restart()
    assert evening.hall.counts() == {"unheard": 1}


def test_a_board_that_does_not_come_any_more_is_forgotten_and_its_games_are_not(evening: Evening) -> None:
    board = evening.board("t01")
    board.begin()
    evening.run()
    board.say_hello(online=False)
    evening.run()
    evening.boards.popitem()
    board.bus.close()
    evening.hall.forget("t01")
    evening.restart()
    assert (evening.hall.places(), evening.broker.retained_messages("#")) == ((), {})
    assert len(evening.hall.archive("t01").games()) == 1


def test_only_enrolled_boards_are_heard_where_boards_are_enrolled(evening: Evening) -> None:
    evening.hall.close()
    evening.hall = evening.open(HubTerms(lambda board: board == "t01"))
    evening.board("t01")
    evening.board("t99")
    assert [place.board for place in evening.hall.places()] == ["t01"]
    assert evening.hall.refusal_counts()["unknown"] > 0


def test_pages_are_told_what_has_changed(evening: Evening) -> None:
    woken: list[str] = []
    listener = evening.hall.listen(lambda: woken.append("!"))
    board = evening.board("t01")
    board.begin()
    evening.run()
    assert (woken, [sorted(listener.take().boards) for _ in range(2)]) == (["!"], [["t01"], []])
    seen, places = evening.hall.changed_since(0)
    assert [place.board for place in places] == ["t01"]
    listener.close()
    evening.board("t02")
    assert (woken, sorted(listener.take().boards)) == (["!"], [])
    assert [place.board for place in evening.hall.changed_since(seen)[1]] == ["t02"]


# Requests


def test_a_request_is_answered_and_proven_by_the_boards_own_record(evening: Evening) -> None:
    board = evening.board("t01")
    board.begin()
    request = evening.hall.notice("t01", "Round 2 begins", "Anna")
    evening.run(1)
    asked = evening.hall.request_status(request)
    assert asked is not None
    assert (asked.fate, asked.is_proven, asked.actor) == ("done", True, "Anna")
    assert board.journal[asked.proof - 1].entry.body["id"] == request
    assert [one.id for one in evening.hall.asked_of("t01")] == [request]


def test_a_correction_goes_to_the_board_as_it_stands_in_a_trace(evening: Evening) -> None:
    board = evening.board("t01")
    board.refuses = "there is no game"
    request = evening.hall.correct("t01", ResultDeclared(Instant(0), "red", "time", "Anna"), "Anna")
    evening.run(1)
    asked = evening.hall.request_status(request)
    assert asked is not None
    assert (asked.fate, str(asked.why)) == ("refused", "there is no game")
    assert asked.action["event"] == {
        "at_us": 0,
        "event": "result_declared",
        "winner": "red",
        "reason": "time",
        "who": "Anna",
        **dict(asked.action["event"]),  # type: ignore[call-overload]  # a mapping
    }


def test_a_request_that_nobody_answers_is_told_so(evening: Evening) -> None:
    evening.board("t01")
    evening.boards.clear()
    evening.broker.remove(evening.hall.thread._bus)  # type: ignore[arg-type]  # the hub hears no more
    request = evening.hall.notice("t01", "Hello", "Anna")
    evening.run(20)
    asked = evening.hall.request_status(request)
    assert asked is not None
    assert asked.fate == "unanswered"


def test_nothing_is_asked_of_a_board_that_is_not_there(evening: Evening) -> None:
    with pytest.raises(HallError, match="t07 is not connected"):
        evening.hall.notice("t07", "Hello", "Anna")
