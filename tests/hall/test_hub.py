"""The tests of the hub: what it takes, what it drops and counts, when it acknowledges and what it asks for."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gnomon.hall.hub import _record_queue as _waiting
from gnomon.hall.hub import hub as hubs
from gnomon.hall.hub.hub import Hub, HubError, HubTerms, Send
from gnomon.hall.hub.requests_under_way import LIFE, SEND_AGAIN
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.messages import BEAT, Ack, Answer, Ask, Fate, Pace, Records, State, Status, Topic, encode
from gnomon.hall.store.records import Conflict, Key, Noted, Saved
from gnomon.hall.store.requests import Seating
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after
from tests.hall.told import batch, record, span

T0 = Instant(1000 * SECOND)
T1 = Key("t01", "e1")
HERE = Status("t01", online=True, epoch="e1", session="s1")
STATE = State("t01", "e1", "s1", "boot", Instant(7 * SECOND), 0, {"phase": "running"})


def came(hub: Hub, topic: Topic, told: Status | State | Records | Answer, now: Instant = T0) -> None:
    hub.take(Message(topic.of(getattr(told, "board", "t01")), encode(told)), now)


def keep(hub: Hub, marks: dict[Key, int], now: Instant = T0, **more: object) -> list[Send]:
    return hub.commit(hub.pile("now", now), replace_saved(marks, **more), now)


def replace_saved(marks: dict[Key, int], **more: Any) -> Saved:
    return Saved(marks)._replace(**more)


def acks(sends: list[Send]) -> list[Ack]:
    return [decoder.ack(send.topic, send.payload) for send in sends if send.topic.endswith("/ack")]


def asks(sends: list[Send]) -> list[Ask]:
    return [decoder.ask(send.topic, send.payload) for send in sends if send.topic.endswith("/ask")]


@pytest.fixture
def hub() -> Hub:
    return Hub({}, now=T0)


# The pace of states


def test_boards_are_told_how_often_to_tell_their_state_and_more_often_while_somebody_looks() -> None:
    hub = Hub({}, HubTerms(beat=Duration(20 * SECOND)), now=T0)
    came(hub, Topic.STATUS, HERE)
    (pace,) = (send for send in hub.due(T0) if send.topic.endswith("/pace"))
    assert (decoder.pace(pace.topic, pace.payload), pace.retain) == (Pace(Duration(20 * SECOND)), True)
    assert hub.watch(["t01"], T0) == [], "nobody knows yet whether it is slow"
    came(hub, Topic.STATE, replace(STATE, beat=Duration(20 * SECOND)))
    (hurry,) = hub.watch(["t01", "t99"], T0)
    assert (decoder.pace(hurry.topic, hurry.payload), hurry.retain) == (Pace(BEAT, hubs.WATCHED), False)
    assert hub.watch(["t01"], after(T0, SECOND)) == [], "it has been told so a moment ago"
    came(hub, Topic.STATE, replace(STATE, now=Instant(8 * SECOND)), after(T0, 2 * SECOND))
    assert len(hub.watch(["t01"], after(T0, hubs.WATCHED // 2))) == 1, "it is quick because somebody looks"


def test_boards_keep_their_own_pace_where_the_hall_says_nothing(hub: Hub) -> None:
    came(hub, Topic.STATUS, HERE)
    came(hub, Topic.STATE, STATE)
    assert [send.topic for send in hub.due(T0)] == ["gnomon/1/t01/ack"]
    assert hub.watch(["t01"], T0) == []


def test_who_was_looked_at_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_WATCHED", 1)
    hub = Hub({}, now=T0)
    for name in ("t01", "t02"):
        came(hub, Topic.STATUS, replace(HERE, board=name))
        came(hub, Topic.STATE, replace(STATE, board=name, beat=Duration(20 * SECOND)))
    assert len(hub.watch(["t01"], T0)) == 1
    assert len(hub.watch(["t02"], after(T0, hubs.WATCHED))) == 1
    assert set(hub._watched) == {"t02"}


# Records


def test_nothing_is_acknowledged_before_it_is_kept(hub: Hub) -> None:
    came(hub, Topic.RECORDS, span("t01", 1, 3))
    assert hub.due(T0) == []
    assert hub.waits == 3
    sends = keep(hub, {T1: 3})
    assert acks(sends) == [Ack("e1", 3)]
    assert all(send.retain for send in sends)
    assert (hub.waits, hub.pile("now", T0).is_empty, hub.floor.place("t01").lag) == (0, True, 0)


def test_what_was_not_kept_is_there_for_the_next_attempt(hub: Hub) -> None:
    came(hub, Topic.RECORDS, span("t01", 1, 3))
    assert hub.pile("now", T0) == hub.pile("now", T0)
    assert len(hub.pile("now", T0).records) == 1


def test_a_pile_has_a_thousand_records_at_most(hub: Hub) -> None:
    for number in range(30):
        came(hub, Topic.RECORDS, span(f"t{number}", 1, 50))
    assert len(hub.pile("now", T0).records) == _waiting.AT_ONCE // 50
    keep(hub, {})
    assert len(hub.pile("now", T0).records) == 10


def test_the_boards_of_a_large_hall_are_written_down_in_parts(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    monkeypatch.setattr(hubs, "BOARDS_AT_ONCE", 2)
    for name in ("t03", "t01", "t02"):
        came(hub, Topic.STATUS, replace(HERE, board=name))
    first = hub.pile("now", T0)
    assert [status.board for status in first.boards] == ["t03", "t01"]
    hub.commit(first, Saved({}), T0)
    assert [status.board for status in hub.pile("now", T0).boards] == ["t02"]


def test_a_gap_is_asked_for_but_not_all_the_time(hub: Hub) -> None:
    came(hub, Topic.RECORDS, span("t01", 5, 6))
    assert asks(keep(hub, {T1: 2})) == [Ask("e1", 3, 4)]
    came(hub, Topic.RECORDS, span("t01", 7, 8))
    assert asks(keep(hub, {T1: 2}, after(T0, SECOND))) == []
    came(hub, Topic.RECORDS, span("t01", 9, 9))
    assert asks(keep(hub, {T1: 2}, after(T0, hubs.ASK_AGAIN))) == [Ask("e1", 3, 8)]


def test_a_board_that_is_behind_and_silent_is_asked(hub: Hub) -> None:
    came(hub, Topic.STATUS, HERE)
    hub.due(T0)
    came(hub, Topic.STATE, replace(STATE, through=9))
    assert asks(hub.due(after(T0, hubs.STUCK - 1))) == []
    assert asks(hub.due(after(T0, 2 * hubs.STUCK))) == [Ask("e1", 1, 9)]
    assert asks(hub.due(after(T0, 2 * hubs.STUCK + 3 * SECOND))) == []


def test_a_board_that_comes_is_told_what_the_hall_has() -> None:
    hub = Hub({T1: 42}, now=T0)
    came(hub, Topic.STATUS, HERE)
    assert acks(hub.due(T0)) == [Ack("e1", 42)]
    assert hub.due(T0) == []
    hub.on_connect()
    assert acks(hub.due(T0)) == [Ack("e1", 42)]
    assert hub.floor.place("t01").through == 42


def test_a_hall_that_was_started_anew_greets_those_who_were_there_before(hub: Hub) -> None:
    status = Message(Topic.STATUS.of("t01"), encode(HERE), retained=True)
    hub.take(status, T0)
    assert acks(hub.due(T0)) == [Ack("e1", 0)]
    came(hub, Topic.STATE, STATE)
    hub.take(status, T0)
    assert hub.due(T0) == []


def test_a_board_whose_journal_is_not_the_one_that_is_kept_is_told_so_and_nothing_more_is_taken(hub: Hub) -> None:
    came(hub, Topic.STATUS, HERE)
    came(hub, Topic.RECORDS, span("t01", 1, 3))
    sends = keep(hub, {T1: 5}, conflicts=(Conflict(T1, 1),))
    assert acks(sends) == [Ack("e1", 5, other="s1")]
    came(hub, Topic.RECORDS, span("t01", 4, 9))
    assert (hub.waits, hub.refused[hubs.CONFLICT]) == (0, 2)
    came(hub, Topic.STATUS, replace(HERE, session="s2"))
    came(hub, Topic.RECORDS, span("t01", 5, 9))
    assert hub.waits == 5, "another card may go on with it"
    came(hub, Topic.STATUS, replace(HERE, epoch="e2"))
    came(hub, Topic.RECORDS, span("t01", 1, 2, epoch="e2"))
    assert hub.waits == 7


def test_what_a_database_keeps_out_is_counted_at_its_board(hub: Hub) -> None:
    came(hub, Topic.RECORDS, span("t01", 1, 1))
    keep(hub, {T1: 1}, conflicts=(Conflict(T1, 1),))
    assert (hub.floor.place("t01").conflicts, hub.refused[hubs.CONFLICT]) == (1, 1)
    assert hub.pile("now", T0).is_empty
    later = after(T0, hubs.COUNT)
    assert hub.pile("now", later).refused == {hubs.CONFLICT: 1}
    keep(hub, {}, later)
    assert hub.pile("now", later).is_empty


# What is dropped


@pytest.mark.parametrize(
    ("message", "counted", "is_of_board"),
    [
        (Message("somebody/elses", b"{}"), hubs.FOREIGN, False),
        (Message("gnomon/1/t02/status", b"{}"), hubs.UNKNOWN, False),
        (Message("gnomon/1/t01/status", b"{"), hubs.MALFORMED, True),
        (Message("gnomon/1/t01/records", encode(span("t02", 1, 1))), hubs.MALFORMED, True),
        (Message("gnomon/1/t01/state", b"x" * (256 * 1024 + 1)), hubs.OVERSIZED, True),
    ],
)
def test_what_is_no_message_of_a_board_is_counted_and_dropped(
    message: Message, counted: str, is_of_board: bool
) -> None:
    hub = Hub({}, HubTerms(lambda board: board == "t01"), now=T0)
    hub.take(message, T0)
    assert hub.refused == {counted: 1}
    assert {board: place.refused for board, place in hub.floor.places.items()} == ({"t01": 1} if is_of_board else {})


def test_what_takes_a_retained_message_away_is_no_fault(hub: Hub) -> None:
    hub.take(Message("gnomon/1/t01/state", b""), T0)
    hub.take(Message("gnomon/1/t01/ack", encode(Ack("e1", 1))), T0)
    assert (hub.refused, hub.floor.places) == ({}, {})


def test_what_the_hub_holds_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub({}, HubTerms(most=2), now=T0)
    monkeypatch.setattr(_waiting, "HELD", 5)
    monkeypatch.setattr(hubs, "ANSWERS", 1)
    monkeypatch.setattr(_waiting, "JOURNALS", 2)
    came(hub, Topic.RECORDS, span("t01", 1, 4))
    came(hub, Topic.RECORDS, span("t01", 5, 8))
    came(hub, Topic.STATUS, replace(HERE, board="t02"))
    came(hub, Topic.STATUS, replace(HERE, board="t03"))
    keep(hub, {T1: 4})
    for number in range(5):
        came(hub, Topic.RECORDS, span("t01", 1, 1, epoch=f"new{number}"))
    for _ in range(2):
        came(hub, Topic.ANSWER, Answer("r1", Fate.DONE))
    assert hub.refused == {hubs.LET_GO: 2, hubs.CROWD: 5}
    assert len(hub.pile("now", T0).fates) == 1
    assert (len(hub.floor.places), hub.waits) == (2, 1)


def test_a_board_that_sends_without_waiting_takes_nobodys_room(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_waiting, "HELD_OF_ONE", 8)
    for first in range(1, 40, 4):
        came(hub, Topic.RECORDS, span("t01", first, first + 3))
    came(hub, Topic.RECORDS, span("t02", 1, 4))
    assert (hub.refused, hub.waits) == ({hubs.LET_GO: 8}, 12)
    keep(hub, {T1: 8})
    came(hub, Topic.RECORDS, span("t01", 9, 12))
    assert (hub.refused, hub.waits) == ({hubs.LET_GO: 8}, 4)


def test_a_board_that_is_forgotten_while_its_records_wait_comes_not_back_by_them(hub: Hub) -> None:
    came(hub, Topic.RECORDS, span("t01", 1, 4))
    hub.forget("t01")
    assert (keep(hub, {T1: 4}), hub.floor.places, hub.mark(T1)) == ([], {}, 4)


def test_a_batch_without_records_only_says_how_long_the_journal_is(hub: Hub) -> None:
    came(hub, Topic.RECORDS, replace(batch("t01"), last=9))
    assert (hub.pile("now", T0).is_empty, hub.floor.place("t01").lag) == (True, 9)


# Requests


def requests(sends: list[Send]) -> list[str]:
    return [decoder.request(send.topic, send.payload).id for send in sends if send.topic.endswith("/request")]


@pytest.fixture
def at_play(hub: Hub) -> Hub:
    came(hub, Topic.STATUS, HERE)
    came(hub, Topic.STATE, STATE)
    hub.due(T0)
    keep(hub, {})
    return hub


def ask(hub: Hub, identity: str = "r1", now: Instant = T0) -> None:
    hub.ask(identity, "t01", "Anna", {"do": "notice", "text": "Hello"}, now, wall="now")


def test_a_request_is_sent_once_it_is_written_down_and_counts_by_the_boards_clock(at_play: Hub) -> None:
    ask(at_play, now=after(T0, 2 * SECOND))
    (wish,) = at_play.pile("now", T0).wishes
    assert (wish.request.session, wish.request.until) == ("s1", 9 * SECOND + LIFE)
    assert requests(at_play.due(T0)) == []
    keep(at_play, {})
    (send,) = at_play.due(after(T0, 2 * SECOND))
    assert (requests([send]), send.expires, send.retain) == (["r1"], 15, False)


def test_a_request_without_an_answer_is_sent_again_and_then_given_up(at_play: Hub) -> None:
    ask(at_play)
    keep(at_play, {})
    sent = [second for second in range(30) if requests(at_play.due(after(T0, second * SECOND)))]
    assert sent == [0, 3, 6, 9, 12]
    assert [fated.fate for fated in at_play.pile("now", T0).fates] == ["unanswered"]


def test_a_request_that_is_written_down_too_late_is_not_sent_but_given_up_where_people_look(at_play: Hub) -> None:
    ask(at_play)
    late = after(T0, 2 * LIFE)
    assert requests(at_play.due(late)) == []
    assert at_play.pile("now", late).fates == ()
    assert len(at_play.pile("now", late).wishes) == 1
    keep(at_play, {}, late)
    assert requests(at_play.due(late)) == []
    assert [(fated.id, fated.fate) for fated in at_play.pile("now", late).fates] == [("r1", "unanswered")]
    assert at_play.under_way() == frozenset()


def test_the_hub_sleeps_until_it_gives_up_a_request_and_while_it_cannot_write(at_play: Hub) -> None:
    ask(at_play)
    for second in range(40):
        now = after(T0, second * SECOND)
        at_play.due(now)
        assert at_play.deadline() > now
        if second == 0:
            keep(at_play, {})
    ask(at_play, "r2")
    for second in range(40):
        now = after(T0, second * SECOND)
        at_play.due(now)
        assert at_play.deadline() > now


def test_an_answer_ends_a_request_and_another_boards_does_not(at_play: Hub) -> None:
    ask(at_play)
    keep(at_play, {})
    at_play.due(T0)
    at_play.take(Message(Topic.ANSWER.of("t02"), encode(Answer("r1", Fate.DONE))), T0)
    assert requests(at_play.due(after(T0, SEND_AGAIN))) == ["r1"]
    came(at_play, Topic.ANSWER, Answer("r1", Fate.REFUSED, Statement.plain("no")))
    assert requests(at_play.due(after(T0, 2 * SEND_AGAIN))) == []
    assert [(fated.board, fated.fate) for fated in at_play.pile("now", T0).fates] == [
        ("t02", "done"),
        ("t01", "refused"),
    ]
    keep(at_play, {})
    assert at_play.pile("now", T0).is_empty


def test_a_game_is_under_way_until_the_answer_is_written_down(at_play: Hub) -> None:
    seating = Seating("open", 1, 1, 1, 1, 2, "red")
    at_play.ask("r1", "t01", "Anna", {"do": "new_game"}, T0, wall="now", seating=seating)
    keep(at_play, {})
    at_play.due(T0)
    came(at_play, Topic.ANSWER, Answer("r1", Fate.DONE, proof=7))
    late = after(T0, 2 * LIFE)
    assert requests(at_play.due(late)) == []
    assert at_play.deadline() > late
    assert at_play.under_way() == {seating}
    assert [fated.fate for fated in at_play.pile("now", T0).fates] == ["done"]
    keep(at_play, {})
    assert at_play.under_way() == frozenset()


def test_a_request_that_was_under_way_when_the_hall_ended_is_sent_again(at_play: Hub) -> None:
    ask(at_play)
    again = Hub({}, wishes=at_play.pile("now", T0).wishes, now=T0)
    assert requests(again.due(T0)) == ["r1"]
    assert again.pile("now", T0).is_empty


@pytest.mark.parametrize(
    ("prepare", "why"),
    [
        (lambda _: None, "board t01 is not connected: check that it is switched on"),
        (lambda hub: came(hub, Topic.STATUS, HERE), "board t01 has not reported since"),
        (lambda hub: came(hub, Topic.STATUS, replace(HERE, online=False, goodbye=True)), "t01 is not connected"),
    ],
)
def test_nothing_is_asked_of_a_board_that_cannot_hear_it(hub: Hub, prepare: Callable[[Hub], None], why: str) -> None:
    prepare(hub)
    with pytest.raises(HubError, match=why):
        ask(hub)


# Who wants to know


def test_the_boards_that_have_changed_are_told_once(at_play: Hub) -> None:
    at_play.take_changed()
    came(at_play, Topic.RECORDS, span("t01", 1, 2))
    assert at_play.take_changed() == {"t01"}
    keep(at_play, {T1: 2}, noted=(Noted(T1, 2, 1, "over"),))
    assert [sorted(at_play.take_changed()) for _ in range(2)] == [["t01"], []]


def test_the_hub_is_woken_for_what_it_has_to_send(at_play: Hub) -> None:
    assert at_play.deadline() <= after(T0, 2 * SECOND)
    ask(at_play)
    keep(at_play, {})
    at_play.due(T0)
    assert at_play.deadline() <= after(T0, SEND_AGAIN)
    came(at_play, Topic.RECORDS, batch("t01", record(1)))
