"""The tests of recorders: many share the records of a hall, and a hub that keeps none knows what they have."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.hall.hub.hub import CONFLICT, CROWD, FOREIGN, LET_GO, MALFORMED, OVERSIZED, UNKNOWN, Hub, HubTerms
from gnomon.hall.hub.recorder import GROUP, Recorder
from gnomon.hall.hub.thread import HubThread
from gnomon.hall.messaging import decoder, messages
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.messages import Ack, Records, State, Status, Topic, encode
from gnomon.hall.rounds.results import PairingState
from gnomon.hall.store.backend import open_database
from gnomon.hall.store.records import Conflict, Key, RecordStore, Saved
from gnomon.timekeeping.instants import SECOND, Instant, after
from tests.hall.boards import ModelBoard
from tests.hall.evenings import Evening
from tests.hall.told import record, span

T0 = Instant(1000 * SECOND)
T1 = Key("t01", "e1")
HERE = Status("t01", online=True, epoch="e1", session="s1")
RECORDERS = HubTerms(has_recorders=True)


def came(to: Recorder | Hub, topic: Topic, told: Status | Records | Ack | State, board: str = "t01") -> None:
    to.take(Message(topic.of(getattr(told, "board", board)), encode(told)), T0)


def keep(recorder: Recorder, marks: dict[Key, int], *conflicts: Conflict) -> list[Ack]:
    sends = recorder.commit(recorder.pile("now", T0), Saved(marks, conflicts=conflicts, added=sum(marks.values())), T0)
    assert all(send.retain for send in sends)
    return [decoder.ack(send.topic, send.payload) for send in sends]


# One recorder


def test_a_recorder_shares_the_records_and_hears_of_every_board() -> None:
    assert Recorder.patterns == ("gnomon/1/+/status", f"$share/{GROUP}/gnomon/1/+/records")
    assert Hub({}, RECORDERS).patterns == tuple(
        f"gnomon/1/+/{kind}" for kind in ("status", "state", "live", "answer", "ack")
    )
    assert "gnomon/1/+/records" in Hub({}).patterns


def test_a_recorder_acknowledges_what_the_database_says_and_nothing_before() -> None:
    recorder = Recorder(now=T0)
    came(recorder, Topic.RECORDS, span("t01", 5, 6))
    assert recorder.due(T0) == []
    assert keep(recorder, {T1: 4}) == [Ack("e1", 4)], "another recorder has what lies before"
    assert (recorder.pile("now", T0).is_empty, recorder.kept, recorder.take_changed()) == (True, 4, frozenset())


def test_a_card_whose_journal_is_not_the_one_that_is_kept_is_told_so() -> None:
    recorder = Recorder(now=T0)
    came(recorder, Topic.RECORDS, span("t01", 1, 3))
    assert keep(recorder, {T1: 5}, Conflict(T1, 1)) == [Ack("e1", 5)], "nobody knows whose they are"
    came(recorder, Topic.STATUS, HERE)
    came(recorder, Topic.RECORDS, span("t01", 1, 3))
    assert keep(recorder, {T1: 5}, Conflict(T1, 1)) == [Ack("e1", 5, other="s1")]
    came(recorder, Topic.RECORDS, span("t01", 4, 9))
    assert (recorder.pile("now", T0).records, recorder.refused[CONFLICT]) == ((), 3)
    came(recorder, Topic.STATUS, replace(HERE, session="s2"))
    came(recorder, Topic.STATUS, replace(HERE, online=False))
    came(recorder, Topic.RECORDS, span("t01", 4, 9))
    assert len(recorder.pile("now", T0).records) == 1


def test_what_a_recorder_cannot_take_is_counted_and_written_down_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gnomon.hall.hub._record_queue.HELD", 4)
    monkeypatch.setattr("gnomon.hall.hub._record_queue.JOURNALS", 1)
    monkeypatch.setattr(messages, "LARGEST", 5000)
    recorder = Recorder(HubTerms(lambda board: board != "t99", most=1), T0)
    for topic, payload in (
        ("gnomon/1/t01/nonsense", b"{}"),
        ("gnomon/1/t99/records", b"{}"),
        ("gnomon/1/t01/records", b"x" * 5001),
        ("gnomon/1/t01/records", b"{}"),
        ("gnomon/1/t01/status", b""),
    ):
        recorder.take(Message(topic, payload), T0)
    came(recorder, Topic.STATUS, HERE)
    came(recorder, Topic.STATUS, replace(HERE, board="t02"))
    came(recorder, Topic.RECORDS, span("t01", 1, 3))
    came(recorder, Topic.RECORDS, span("t01", 1, 1, epoch="e2"))
    came(recorder, Topic.RECORDS, span("t01", 4, 6))
    recorder.count_dropped("crowded", 2)
    once = (FOREIGN, UNKNOWN, OVERSIZED, MALFORMED, LET_GO)
    assert recorder.refused == {**dict.fromkeys(once, 1), CROWD: 2, "crowded": 2}
    assert recorder.pile("now", T0).refused == {}
    later = recorder.deadline()
    pile = recorder.pile("now", later)
    assert pile.refused == recorder.refused
    recorder.commit(pile, Saved({}), later)
    assert recorder.pile("now", after(later, 60 * SECOND)).refused == {}
    recorder.forget("t01")
    recorder.on_connect()


# A hub beside recorders


def test_a_hub_with_recorders_asks_the_database_before_it_greets() -> None:
    hub = Hub({T1: 7}, RECORDERS, now=T0)
    came(hub, Topic.STATUS, HERE)
    assert hub.due(T0) == [], "what it remembers may be old"
    pile = hub.pile("now", T0)
    assert pile.asked == (T1,)
    (ack,) = hub.commit(pile, Saved({T1: 9}), T0)
    assert decoder.ack(ack.topic, ack.payload) == Ack("e1", 9)
    assert (hub.floor.place("t01").through, hub.pile("now", T0).is_empty) == (9, True)


def test_a_board_that_changed_its_card_meanwhile_is_greeted_for_the_new_one() -> None:
    hub = Hub({}, RECORDERS, now=T0)
    came(hub, Topic.STATUS, HERE)
    pile = hub.pile("now", T0)
    came(hub, Topic.STATUS, replace(HERE, epoch="e2", session="s2"))
    hub.commit(pile, Saved({T1: 9}), T0)
    assert hub.pile("now", T0).asked == (Key("t01", "e2"),)


def test_a_hub_with_recorders_hears_how_far_they_are() -> None:
    hub = Hub({}, RECORDERS, now=T0)
    came(hub, Topic.STATUS, HERE)
    came(hub, Topic.STATE, State("t01", "e1", "s1", "boot", Instant(7), 12, {"phase": "running"}))
    assert hub.floor.place("t01").lag == 12
    came(hub, Topic.ACK, Ack("e1", 12))
    assert (hub.floor.place("t01").lag, hub.take_recorded(), hub.take_recorded()) == (0, True, False)
    came(hub, Topic.ACK, Ack("e1", 5))
    assert (hub.mark(T1), hub.take_recorded()) == (12, False), "said before, and came late"
    came(hub, Topic.ACK, Ack("e1", 5), board="t77")
    assert "t77" not in hub.floor.places, "nobody brings a board back that was forgotten"


def test_what_recorders_say_is_nothing_to_a_hub_that_keeps_the_records_itself() -> None:
    hub = Hub({}, now=T0)
    came(hub, Topic.ACK, Ack("e1", 12))
    assert (hub.mark(T1), hub.take_recorded()) == (0, False)


# A whole evening


class Recorders:
    """Recorders of one evening, each with connections of its own to bus and database."""

    def __init__(self, evening: Evening, count: int) -> None:
        self._evening = evening
        self._threads = [self._new() for _ in range(count)]

    def step(self) -> None:
        for thread in self._threads:
            thread.step()
            self._evening.broker.deliver()

    def kill(self, number: int) -> None:
        """One is killed with what it has taken and not written, and is there again."""
        self._threads[number]._bus.close()
        self._threads[number] = self._new()

    def _new(self) -> HubThread:
        store = RecordStore(open_database(self._evening.where))
        thread = HubThread(
            Recorder(), store, self._evening.connect(), clock=self._evening.clock, label=lambda: "", judge=None
        )
        thread.connect()
        return thread


@pytest.fixture
def shared_evening(tmp_path: Path) -> Iterator[Evening]:
    """An evening whose hall leaves the records to recorders."""
    evening = Evening(tmp_path)
    evening.hall.close()
    evening.hall = evening.open(RECORDERS)
    yield evening
    evening.hall.close()


def play(evening: Evening, recorders: Recorders, seconds: int) -> None:
    for _ in range(seconds):
        evening.run(1)
        recorders.step()
        evening.broker.deliver()


def journal_of(evening: Evening, board: ModelBoard) -> list[int]:
    archive = evening.hall.archive(board.name)
    return sorted(each.seq for game in archive.games() for each in archive.read(game.id))


def test_boards_are_recorded_in_order_though_their_records_are_shared_at_random(shared_evening: Evening) -> None:
    evening = shared_evening
    recorders, boards = Recorders(evening, 3), [evening.board(f"t{number:02}") for number in range(1, 5)]
    for turn in range(6):
        for board in boards:
            board.write(*(record(0) for _ in range(120)))
        play(evening, recorders, 1)
        recorders.kill(turn % 3)
    play(evening, recorders, 20)
    for board in boards:
        assert board.outbox.mark == len(board.journal) == 720
        assert journal_of(evening, board) == list(range(1, 721))
        assert evening.hall.place(board.name).through == 720


def test_results_that_recorders_have_kept_are_entered_by_the_hub(shared_evening: Evening) -> None:
    evening = shared_evening
    recorders, (one, two) = Recorders(evening, 2), [evening.board(name) for name in ("t01", "t02")]
    evening.tournament(accept="at once")
    evening.hall.send_round("open", "Anna")
    play(evening, recorders, 3)
    assert (one.games, two.games) == (1, 1)
    one.end("red")
    two.end("black")
    play(evening, recorders, 4)
    assert evening.standings() == [PairingState.ENTERED, PairingState.ENTERED]


def test_whichever_recorders_a_copied_card_reaches_nothing_of_it_is_added_to_the_journal(
    shared_evening: Evening,
) -> None:
    evening = shared_evening
    recorders, board = Recorders(evening, 3), evening.board("t01")
    board.write(*(record(0) for _ in range(300)))
    play(evening, recorders, 10)
    board.bus.close()
    assert board.outbox.mark == 300
    # The card was copied after 200 records, and both were played on.
    journal = [*board.journal[:200], *(replace(record(0, {"input": "copy"}), seq=n) for n in range(201, 601))]
    copy = ModelBoard("t01", evening.broker.connect(), evening.clock, session="s2", journal=journal)
    evening.boards["t01"] = copy
    copy.tell_state()
    play(evening, recorders, 20)
    assert evening.hall.archive("t01").read(1) == board.journal
    ((topic, payload),) = evening.broker.retained_messages("gnomon/1/t01/ack").items()
    told = decoder.ack(topic, payload)
    assert (told.through, told.other) == (300, "s2"), "it is to take another epoch"
