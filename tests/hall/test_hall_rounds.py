"""A whole hall in virtual time: the rounds that are sent to its boards, and the results that follow."""

import importlib
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.hall.board_alarms import Alarm, Dispute, Trouble
from gnomon.hall.hall import HallError
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment, PlanError
from gnomon.hall.rounds.dispatch import asked_already
from gnomon.hall.rounds.event_log import StaleError
from gnomon.hall.rounds.result_entry import proposals_from
from gnomon.hall.rounds.results import PairingState
from gnomon.hall.store.requests import Seating
from gnomon.records.journal.entries import Entry, GameStart, Record
from gnomon.records.journal.event_codec import body_of
from gnomon.referee.events import ResultDeclared, TurnEntered
from gnomon.timekeeping.instants import Instant
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import (
    EntrantRegistered,
    EntrantWithdrew,
    Event,
    ResultEntered,
    RoundPublished,
    TournamentOpened,
)
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state.results import GameResult, format_result, parse_result
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.settings import TournamentSettings as Announced
from tests.conftest import examples
from tests.hall.boards import FaultyBus, ModelBoard
from tests.hall.evenings import NAMES, Evening, results
from tests.hall.servers import PostgreSql

# Rounds and results


def test_a_round_is_sent_played_confirmed_and_entered(evening: Evening) -> None:
    boards = [evening.board("t01"), evening.board("t02")]
    book = evening.tournament()
    sent = evening.hall.send_round("open", "Anna")
    assert (sorted(sent.requests), list(sent.left)) == ([1, 2], [])
    evening.run(1)
    assert boards[1].names == {1: {"red": "Cleo", "black": "Dan"}}
    asked = [(one.board, one.is_proven, one.seating) for one in evening.hall.asked_for("open")]
    assert asked[0] == ("t02", True, Seating("open", 1, 2, 1, 3, 4, "red"))
    assert evening.standings() == [PairingState.PLAYING, PairingState.PLAYING]
    boards[0].end("black")
    boards[1].end(None)
    boards[0].confirm("red")
    evening.run(1)
    assert (evening.standings(), results(book)) == ([PairingState.PROPOSED, PairingState.PROPOSED], [])
    boards[0].confirm("black")
    boards[1].confirm("red", "black")
    evening.run(1)
    assert evening.standings() == [PairingState.ENTERED, PairingState.ENTERED]
    assert results(book) == [
        ("board t01, confirmed by both", ResultEntered(1, 1, parse_result("0-1"))),
        ("board t02, confirmed by both", ResultEntered(1, 2, parse_result("½-½"))),
    ]
    assert book.read()[-1].why == "blocked: t02, game 1, record 2"


def test_what_each_rule_of_acceptance_lets_in(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament(accept=Accept.BY_HAND)
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    board.end("red")
    board.confirm("red", "black")
    evening.run(1)
    assert results(book) == []
    evening.hall.set_plan("open", evening.hall.plan("open").assign(2, None))
    evening.run()
    assert results(book) == []
    told = evening.hall.accept("open", 1, 1, "Anna")
    assert (told.who, told.event) == (
        "Anna, from board t01, confirmed by both",
        ResultEntered(1, 1, parse_result("1-0")),
    )
    with pytest.raises(HallError, match="open, round 1, board 2: the boards report no result"):
        evening.hall.accept("open", 1, 2, "Anna")
    with pytest.raises(HallError, match="has no board 9"):
        evening.hall.accept("open", 1, 9, "Anna")


def test_a_result_is_accepted_at_once_where_the_hall_says_so(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament()
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    board.end("red")
    evening.run(1)
    assert results(book) == []
    evening.hall.set_plan("open", BoardAssignment("tamsk", accept=Accept.AT_ONCE, boards={1: "t01"}))
    evening.run()
    assert results(book) == [("board t01", ResultEntered(1, 1, parse_result("1-0")))]


def test_a_result_that_differs_is_shown_and_never_entered(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament()
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    by_hand = ResultEntered(1, 1, parse_result("0-1"))
    evening.hall.tell("open", by_hand, "Anna", after=len(book.read()))
    board.end("red")
    board.confirm("red", "black")
    evening.run(1)
    assert [event for _, event in results(book)] == [by_hand]
    assert [(alarm.board, alarm.trouble, alarm.dispute) for alarm in evening.hall.alarms()] == [
        ("t01", "differs", Dispute("open", "Evening", 1, 1))
    ]
    evening.hall.settle("open", 1, 1, "Anna", "the slip was signed")
    evening.run()
    assert (evening.standings()[0], evening.hall.alarms()) == (PairingState.SETTLED, [])
    with pytest.raises(HallError, match="the boards and the results agree"):
        evening.hall.settle("open", 1, 2, "Anna")
    told = evening.hall.accept("open", 1, 1, "Anna", "the slip was read wrongly")
    assert (told.why, evening.standings()[0]) == ("the slip was read wrongly", PairingState.ENTERED)


def test_a_game_that_goes_on_after_its_end_takes_its_result_back_while_it_is_not_entered(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament()
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    board.end("red")
    board.confirm("red")
    evening.run(1)
    assert evening.standings()[0] is PairingState.PROPOSED
    board.ended.clear()
    board.confirm("black")
    evening.run(1)
    assert (evening.standings()[0], results(book)) == (PairingState.PLAYING, [])
    board.end("black")
    board.confirm("red")
    evening.run(1)
    assert results(book) == []
    board.confirm("black")
    evening.run(1)
    assert results(book) == [("board t01, confirmed by both", ResultEntered(1, 1, parse_result("0-1")))]


def test_a_game_that_was_given_up_has_no_result_and_may_be_begun_again(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament(accept=Accept.AT_ONCE)
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    board.tell_state("running")
    evening.run()
    again = evening.hall.send_round("open", "Anna", boards=[1])
    assert [left.why.message for left in again.left] == ["the game of board 1 is being played at t01"]
    evening.hall.send_round("open", "Anna", boards=[1], abandon=True)
    evening.run(1)
    assert board.games == 2
    board.end("red", game=1)
    evening.run(1)
    assert (evening.standings()[0], results(book)) == (PairingState.PLAYING, [])
    board.end("black", game=2)
    evening.run(1)
    assert results(book) == [("board t01", ResultEntered(1, 1, parse_result("0-1")))]


def test_a_game_whose_end_says_nothing_is_an_alarm_until_a_director_decides(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament(accept=Accept.AT_ONCE)
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    assert evening.hall.alarms() == []
    board.end("green")
    evening.run(1)
    dispute = Dispute("open", "Evening", 1, 1)
    assert evening.standings()[0] is PairingState.UNCLEAR
    assert evening.hall.alarms() == [Alarm("t01", Trouble.UNCLEAR, dispute=dispute)]
    evening.restart()
    assert evening.hall.disputes("open") == [dispute]
    evening.hall.tell("open", ResultEntered(1, 1, parse_result("1-0")), "Anna", after=len(book.read()))
    evening.run(1)
    assert evening.hall.disputes("open") == []


def test_two_games_a_round_change_sides_and_are_entered_together(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament(games=2, accept=Accept.AT_ONCE)
    for winner in ("red", "red"):
        sent = evening.hall.send_round("open", "Anna", boards=[1])
        assert list(sent.requests) == [1]
        evening.run(1)
        assert results(book) == []
        board.end(winner)
        board.tell_state("over")
        evening.run(1)
    assert board.names == {1: {"red": "Ada", "black": "Ben"}, 2: {"black": "Ada", "red": "Ben"}}
    assert results(book) == [("board t01", ResultEntered(1, 1, (GameResult.FIRST_WON, GameResult.SECOND_WON)))]
    assert [left.why.message for left in evening.hall.send_round("open", "Anna", boards=[1]).left] == [
        "board 1 has its result"
    ]


@pytest.mark.parametrize("read", ["hall.proposals_from", "store.requests.asked_for"])
def test_a_board_that_begins_while_the_round_is_sent_is_asked_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    board = evening.board("t01")
    evening.tournament(boards={1: "t01"})
    evening.hall.send_round("open", "Anna")
    module, _, name = read.rpartition(".")
    reading_it = getattr(importlib.import_module(f"gnomon.hall.{module}"), name)

    def late(*arguments: object) -> object:
        answer = reading_it(*arguments)
        evening.run(1)
        return answer

    monkeypatch.setattr(f"gnomon.hall.{read}", late)
    evening.hall.send_round("open", "Anna")
    evening.run(1)
    assert (board.games, len(board.answers)) == (1, 1)


def test_two_who_send_a_round_at_the_same_moment_ask_a_board_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = evening.board("t01")
    evening.tournament(boards={1: "t01"})
    with monkeypatch.context() as patched:

        def at_the_same_moment(*arguments: Any) -> object:
            patched.undo()
            assert evening.hall.send_round("open", "Ben").requests == {1: "r1"}
            return proposals_from(*arguments)

        patched.setattr("gnomon.hall.hall.proposals_from", at_the_same_moment)
        sent = evening.hall.send_round("open", "Anna")
    assert (sent.requests, sent.left[0].why) == ({}, asked_already("t01"))
    evening.run(1)
    assert board.games == 1


def test_a_draw_in_a_knockout_is_left_to_the_director(evening: Evening) -> None:
    board = evening.board("t01")
    book = evening.tournament(system=System.KNOCKOUT, accept=Accept.AT_ONCE)
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    board.end(None)
    evening.run(1)
    assert (results(book), evening.standings()[0], evening.hall.health()) == ([], PairingState.PROPOSED, ())
    with pytest.raises(TournamentError, match="has no winner"):
        evening.hall.accept("open", 1, 1, "Anna")


def test_what_cannot_be_begun_is_left_to_people_with_the_reason(evening: Evening) -> None:
    board = evening.board("t01")
    evening.tournament(boards={1: "t01"})
    sent = evening.hall.send_round("open", "Anna")
    assert [(left.board, left.why.message) for left in sent.left] == [
        (2, "board 2 has no device: they play without one and report the result")
    ]
    again = evening.hall.send_round("open", "Anna", boards=[1])
    assert [left.why.message for left in again.left] == [
        "a request has gone to t01 already: wait for its answer, or abandon what it has begun"
    ]
    evening.run(1)
    board.say_hello(online=False)
    evening.hall.set_plan("open", evening.hall.plan("open").assign(2, "t02"))
    evening.run(1)
    offline = evening.hall.send_round("open", "Anna", boards=[2])
    assert [left.why.message for left in offline.left] == [
        "board t02 is not connected: check that it is switched on and joined to the hall, then try again"
    ]
    evening.board("t02").tell_state("running")
    evening.run()
    busy = evening.hall.send_round("open", "Anna", boards=[2])
    assert [left.why.message for left in busy.left] == [
        "the game at t02 is unfinished: end it there, or say who abandons it"
    ]


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (BoardAssignment(), "choose the game of the tournament"),
        (BoardAssignment("chess"), "there is no game 'chess'"),
        (BoardAssignment("twenty-squares", {"players": 4, "board": "double"}), "is played by 4, but a pairing has two"),
    ],
)
def test_a_plan_that_no_board_can_play_is_refused(evening: Evening, plan: BoardAssignment, why: str) -> None:
    evening.tournament()
    evening.hall.set_plan("open", plan)
    with pytest.raises(PlanError, match=why):
        evening.hall.send_round("open", "Anna")


def test_a_tournament_is_opened_once_and_there_after_a_restart(evening: Evening) -> None:
    evening.tournament()
    with pytest.raises(HallError, match="there is a tournament open already"):
        evening.tournament()
    with pytest.raises(HallError, match="cannot be the short name of a tournament"):
        evening.hall.open_tournament("Club evening", Announced("Evening", System.SWISS, 2, tie_breaks=("BH",)), "Anna")
    evening.restart()
    (kept,) = evening.hall.tournaments()
    assert (kept.id, kept.plan.boards, evening.hall.plan("none")) == ("open", {1: "t01", 2: "t02"}, BoardAssignment())


def test_a_tournament_that_another_program_opened_is_there_without_a_plan(evening: Evening) -> None:
    evening.tournament()
    evening.hall.book("blitz").append(
        TournamentOpened(Announced("Blitz", System.SWISS, 2, tie_breaks=("BH",))), "Ben", after=0
    )
    assert [(kept.id, kept.plan.game) for kept in evening.hall.tournaments()] == [("open", "tamsk"), ("blitz", "")]


def test_what_another_program_tells_the_book_is_seen(evening: Evening) -> None:
    book = evening.tournament()
    evening.run(6)
    listener = evening.hall.listen(lambda: None)
    other = evening.open()
    other.book("open").append(ResultEntered(1, 2, parse_result("1-0")), "Ben", after=len(book.read()))
    other.close()
    evening.run(6)
    assert listener.take().tournaments == {"open"}


def test_a_round_is_paired_and_published_through_the_hall(evening: Evening) -> None:
    announced = Announced("Evening", System.ROUND_ROBIN, 3, tie_breaks=("SB",))
    book = evening.hall.open_tournament("robin", announced, "Anna")
    for number, name in enumerate(NAMES, start=1):
        book.append(EntrantRegistered(number, name), "Anna", after=number)
    told = evening.hall.publish("robin", pair(book.tournament()), "Anna", after=5)
    assert isinstance(told.event, RoundPublished)
    with pytest.raises(StaleError, match="look again"):
        evening.hall.publish("robin", (), "Ben", after=5)


def test_a_result_is_entered_though_others_tell_the_book_something_at_that_moment(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = evening.board("t01")
    book = evening.tournament(accept=Accept.AT_ONCE)
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    append, others = book.append, iter((4, 3))

    def after_another(event: Event, who: str, why: str = "", *, after: int) -> LoggedEvent:
        if (number := next(others, None)) is not None:
            append(EntrantWithdrew(number, 2), "Ben", after=after)
        return append(event, who, why, after=after)

    monkeypatch.setattr(book, "append", after_another)
    board.end("red")
    evening.run(1)
    assert [event for _, event in results(book)] == [ResultEntered(1, 1, parse_result("1-0"))]
    assert evening.hall.health() == ()


def test_who_has_won_as_high_or_low_is_known_by_the_negotiation(evening: Evening) -> None:
    book = evening.tournament(accept=Accept.AT_ONCE, game="tau", boards={1: "t01"})
    board = evening.board("t01")
    board.start = GameStart("table", {}, "silent", Instant(0), "", "", "", "tau")
    evening.hall.send_round("open", "Anna")
    evening.run(1)
    assert board.names == {1: {"p1": "Ada", "p2": "Ben"}}
    for number, turn in enumerate(("bid:0", "pass")):
        kind, body = body_of(TurnEntered(Instant(number), turn, "page"))
        board.write(Record(0, Entry(1, kind, Instant(number), body, "", "")))
    kind, body = body_of(ResultDeclared(Instant(9), "low", "agreed", "page"))
    board.write(Record(0, Entry(1, kind, Instant(9), body, "", "")))
    board.end("low")
    evening.run(1)
    assert results(book) == [("board t01", ResultEntered(1, 1, parse_result("0-1")))]


@pytest.mark.parametrize(("second", "score"), [("pie", "1-0"), ("c1c2", "0-1")])
def test_who_takes_the_pie_has_won_as_the_other_colour(evening: Evening, second: str, score: str) -> None:
    book = evening.tournament(accept=Accept.AT_ONCE, game="tabik", boards={1: "t01"})
    board = evening.board("t01")
    board.start = GameStart("table", {}, "silent", Instant(0), "", "", "", "tabik")
    evening.hall.send_round("open", "Anna")
    evening.run(1)
    assert board.names == {1: {"black": "Ada", "white": "Ben"}}
    for number, turn in enumerate(("a1b1", second)):
        kind, body = body_of(TurnEntered(Instant(number), turn, "page"))
        board.write(Record(0, Entry(1, kind, Instant(number), body, "", "")))
    kind, body = body_of(ResultDeclared(Instant(9), "white", "agreed", "page"))
    board.write(Record(0, Entry(1, kind, Instant(9), body, "", "")))
    board.end("white")
    evening.run(1)
    assert results(book) == [("board t01", ResultEntered(1, 1, parse_result(score)))]


def test_two_hubs_at_one_postgresql_do_no_harm(postgresql: PostgreSql) -> None:
    evening = Evening(postgresql.new_database())
    other = evening.open()
    board = evening.board("t01")
    book = evening.tournament()
    evening.hall.send_round("open", "Anna", boards=[1])
    for _ in range(2):
        evening.run(1)
        other.thread.step()
        board.end("red")
        board.confirm("red", "black")
    for _ in range(3):
        other.thread.step()
        evening.run(1)
    assert [event for _, event in results(book)] == [ResultEntered(1, 1, parse_result("1-0"))]
    for hall in (evening.hall, other):
        assert list(hall.archive("t01").read(1)) == board.journal
        assert (hall.place("t01").lag, hall.place("t01").conflicts, hall.health()) == (0, 0, ())
        hall.close()


# Losses, doubles and deaths


@settings(max_examples=examples(8))
@given(seed=st.integers(0, 2**32))
def test_nothing_is_lost_doubled_or_entered_twice_no_matter_who_dies(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    evening = Evening(tmp_path_factory.mktemp("evening"))
    book = evening.tournament()
    buses = [FaultyBus(evening.broker.connect(), chance) for _ in range(2)]
    for name, bus in zip(("t01", "t02"), buses, strict=True):
        evening.boards[name] = ModelBoard(name, bus, evening.clock)
        evening.boards[name].tell_state("empty")
    evening.run()
    evening.hall.send_round("open", "Anna")
    evening.run(2)
    evening.faulty = FaultyBus(evening.broker.connect(), chance)
    evening.kill()
    for bus in (*buses, evening.faulty):
        bus.lose = bus.double = 0.25
    for board, winner in zip(evening.boards.values(), ("red", None), strict=True):
        board.end(winner)
        board.confirm("red", "black")
    for _ in range(12):
        for board in evening.boards.values():
            for _ in range(chance.choice((0, 1, 60))):
                board.begin()
            if chance.random() < 0.2:
                board.restart(f"s{chance.random()}")
        evening.faulty.kill = chance.choice((0, 0.3))
        evening.run(1)
    for bus in (*buses, evening.faulty):
        bus.lose = bus.double = bus.kill = 0
    evening.run(30)
    assert evening.kills > 0
    for board in evening.boards.values():
        archive = evening.hall.archive(board.name)
        told = [record for game in archive.games() for record in archive.read(game.id)]
        assert sorted(told, key=lambda record: record.seq) == board.journal
        assert board.outbox.waiting == evening.hall.place(board.name).lag == 0
    assert sorted((event.board, format_result(event.result)) for _, event in results(book)) == [(1, "1-0"), (2, "½-½")]
    evening.hall.close()


def test_a_book_that_cannot_be_read_keeps_no_other_tournament_waiting(evening: Evening) -> None:
    evening.hall.open_tournament("broken", Announced("Broken", System.SWISS, 2, tie_breaks=("BH",)), "Anna")
    book = evening.tournament(accept=Accept.AT_ONCE)
    with evening.hall._database.write_transaction() as session:
        session.run("UPDATE hall_tournament_events SET told = '{}' WHERE tournament = 'broken'")
    evening.restart()
    board = evening.board("t01")
    evening.hall.send_round("open", "Anna", boards=[1])
    evening.run(1)
    listener = evening.hall.listen(lambda: None)
    board.end("red")
    evening.run(1)
    assert [event for _, event in results(book)] == [ResultEntered(1, 1, parse_result("1-0"))]
    assert "open" in listener.take().tournaments
    (why,) = evening.hall.health()
    assert why.message.startswith("broken: ")
    with evening.hall._database.write_transaction() as session:
        session.run("DELETE FROM hall_tournament_events WHERE tournament = 'broken'")
    evening.run(6)
    assert evening.hall.health() == ()
