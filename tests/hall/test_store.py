"""The tests of what the hall writes down of its boards, on SQLite and on PostgreSQL."""

import json
import random
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gnomon.hall.board_alarms import alarms_of
from gnomon.hall.hub.hub import Hub
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.messages import Answer, Fate, Records, Request, Status, Topic, encode
from gnomon.hall.store import backend, requests
from gnomon.hall.store.archive import BoardArchive, epochs
from gnomon.hall.store.database import Database, StoreError
from gnomon.hall.store.records import Conflict, Key, Noted, RecordStore, WriteBatch
from gnomon.hall.store.requests import BoardRequest, RequestOutcome, Seating
from gnomon.records.journal.entries import EntryKind, StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.refusals import NOTHING, Statement, sentence, statement
from gnomon.timekeeping.instants import Instant
from gnomon.words import words
from tests.conftest import examples
from tests.hall.hall_databases import Reopen
from tests.hall.test_messages import batches
from tests.hall.told import START, batch, confirmed, over, record, requested, span

T1 = Key("t01", "e1")
NUMBERS = count()
FIELDS = ("board", "epoch", "session", "boot", "now", "through", "card", "online", "id", "fate", "proof", "records")


def pile(*batches: Records) -> WriteBatch:
    return WriteBatch(records=batches)


def test_what_is_saved_is_read_back_as_a_journal_has_it(database: Database) -> None:
    told = batch("t01", record(1), over(2, "red"), record(3, game=2), last=3, ended={1: 2000})
    saved = RecordStore(database).save(pile(told))
    assert (saved.marks, saved.added, saved.conflicts) == ({T1: 3}, 3, ())
    archive = BoardArchive(database, "t01")
    assert [*archive.read(1), *archive.read(2)] == list(told.records)
    assert archive.games() == [StoredGame(1, START, Instant(2000)), StoredGame(2, START, None)]
    assert archive.last_game() == StoredGame(2, START, None)
    assert archive.endings() == {1: told.records[1].entry.body}
    assert (archive.endings(first=2), archive.endings(last=1)) == ({}, {})


def test_a_game_has_the_name_of_who_came_from_another_board(database: Database) -> None:
    body = {"event": "player_named", "player": "black", "name": "Bo", "who": "the other board"}
    told = batch("t01", record(1), record(2, body, 1, EntryKind.EVENT), record(3, body, 2, EntryKind.EVENT), last=3)
    distant = replace(told.games[0], start=replace(START, settings={"opponent": "another-board"}))
    RecordStore(database).save(pile(replace(told, games=(distant, *told.games[1:]))))
    assert [dict(game.guests) for game in BoardArchive(database, "t01").games()] == [{"black": "Bo"}, {}]
    assert [dict(game.guests) for game in BoardArchive(database, "t01", last=1).games()] == [{}]


def test_a_board_that_never_told_anything_has_no_games(database: Database) -> None:
    archive = BoardArchive(database, "t99")
    assert (archive.games(), archive.last_game(), archive.read(1), archive.endings()) == ([], None, [], {})
    assert epochs(database, "t99") == []


def test_what_comes_again_is_there_once(database: Database) -> None:
    store = RecordStore(database)
    assert store.save(pile(span("t01", 1, 3), span("t01", 1, 3))).added == 3
    again = store.save(pile(span("t01", 2, 5)))
    assert (again.marks, again.added, again.conflicts) == ({T1: 5}, 2, ())
    assert [each.seq for each in BoardArchive(database, "t01").read(1)] == [1, 2, 3, 4, 5]


def test_the_mark_waits_at_a_gap_and_leaps_when_it_is_closed(database: Database) -> None:
    store = RecordStore(database)
    assert store.save(pile(span("t01", 1, 2), span("t01", 4, 6))).marks == {T1: 2}
    assert [each.seq for each in BoardArchive(database, "t01").read(1)] == [1, 2]
    assert store.save(pile(span("t01", 8, 8))).marks == {T1: 2}
    assert store.save(pile(span("t01", 3, 3))).marks == {T1: 6}
    assert RecordStore(database).save(pile(span("t01", 7, 7))).marks == {T1: 8}
    assert store.marks() == {T1: 8}


def test_a_hub_that_lags_behind_another_takes_no_mark_back(reopen: Reopen) -> None:
    lagging, other = RecordStore(reopen()), RecordStore(reopen())
    lagging.save(pile(span("t01", 1, 2)))
    assert other.save(pile(span("t01", 3, 5))).marks == {T1: 5}
    lagging.save(pile(span("t01", 2, 2)))
    assert lagging.marks() == other.marks() == {T1: 5}


def test_a_record_that_says_something_else_under_the_same_number_is_kept_out(database: Database) -> None:
    store = RecordStore(database)
    store.save(pile(span("t01", 1, 2)))
    other = batch("t01", record(2, {"input": "forged"}), record(3))
    saved = store.save(pile(other))
    assert (saved.conflicts, saved.marks) == ((Conflict(T1, 2),), {T1: 2}), "nor is anything added after it"
    assert BoardArchive(database, "t01").read(1) == [record(1), record(2)]
    assert store.save(pile(span("t01", 2, 3))).marks == {T1: 3}
    twice = store.save(pile(batch("t01", record(4)), batch("t01", record(4, {"input": "forged"}))))
    assert (twice.conflicts, twice.marks) == ((Conflict(T1, 4),), {T1: 4})
    assert BoardArchive(database, "t01").read(1)[-1] == record(4)


def test_the_same_record_with_its_keys_in_another_order_is_the_same(database: Database) -> None:
    store = RecordStore(database)
    store.save(pile(batch("t01", record(1, {"a": 1, "b": [2]}))))
    assert store.save(pile(batch("t01", record(1, {"b": [2], "a": 1})))).conflicts == ()


def test_a_new_card_in_a_board_begins_a_new_journal(database: Database) -> None:
    store = RecordStore(database)
    store.save(pile(span("t01", 1, 3, epoch="old")))
    store.save(pile(batch("t01", record(1, {"input": "new"}), epoch="new")))
    assert epochs(database, "t01") == ["old", "new"]
    assert len(BoardArchive(database, "t01").read(1)) == 1
    assert len(BoardArchive(database, "t01", "old").read(1)) == 3


def test_how_a_game_ended_is_told_by_the_newest_word_and_not_before_its_records(database: Database) -> None:
    store, archive = RecordStore(database), BoardArchive(database, "t01")
    store.save(pile(batch("t01", record(1), last=3, ended={1: 3000})))
    assert archive.games()[0].ended is None
    store.save(pile(batch("t01", record(2), record(3), last=3, ended={1: 3000})))
    assert archive.games()[0].ended == 3000
    store.save(pile(batch("t01", record(4), last=5)))
    store.save(pile(batch("t01", record(5), last=5)))
    assert archive.games()[0].ended is None
    store.save(pile(batch("t01", record(3), last=4, ended={1: 3000})))
    assert archive.games()[0].ended is None


def test_what_counts_is_told_once_it_is_below_the_mark(database: Database) -> None:
    store = RecordStore(database)
    assert store.save(pile(batch("t01", over(2, "red"), confirmed(3, "red")))).noted == ()
    noted = store.save(pile(batch("t01", record(1)))).noted
    assert noted == (Noted(T1, 2, 1, "over"), Noted(T1, 3, 1, "confirmed"))


def test_what_is_not_to_be_written_leaves_nothing_behind(database: Database, reopen: Reopen) -> None:
    store = RecordStore(database)
    store.save(pile(span("t01", 1, 2)))
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.save(pile(span("t01", 3, 3), batch("t01", record(4, {"bad": float("nan")}))))
    assert RecordStore(reopen()).marks() == {T1: 2}
    assert store.save(pile(span("t01", 3, 3))).marks == {T1: 3}


def test_texts_and_numbers_of_every_kind_survive(database: Database) -> None:
    odd = record(1, {"said": "Jürgen\n\0 \N{HOURGLASS} \ud800", "large": 2**70, "half": 0.5, "none": None})
    told = batch("t01", replace(odd, entry=replace(odd.entry, at=Instant(2**63 - 1), wall="Ænna ⌛")))
    RecordStore(database).save(pile(told))
    assert BoardArchive(database, "t01").read(1) == list(told.records)


def test_boards_and_what_was_refused_are_kept(database: Database, reopen: Reopen) -> None:
    store = RecordStore(database)
    status = Status("t01", online=True, epoch="e", session="s", kind="tamsk", label="Table 1", games=("tamsk",))
    store.save(WriteBatch(boards=(status, replace(status, label="Table one")), refused={"malformed": 2}))
    store.save(WriteBatch(refused={"malformed": 1, "oversized": 1}))
    assert RecordStore(reopen()).refusal_counts() == {"malformed": 3, "oversized": 1}


def test_that_a_game_has_ended_counts_when_everything_up_to_that_word_is_there(reopen: Reopen) -> None:
    store = RecordStore(reopen())
    assert store.save(pile(batch("t01", over(1, "red"), last=3, ended={1: 1000}))).noted == (Noted(T1, 1, 1, "over"),)
    assert store.save(pile(span("t01", 2, 2))).noted == ()
    again = RecordStore(reopen())
    assert again.save(pile(batch("t01", record(3, game=2)))).noted == (Noted(T1, 3, 1, "ended"),)
    assert again.save(pile(batch("t01", record(4, game=2)))).noted == ()


# Requests

WISH = BoardRequest(
    "t01",
    Request("r1", "s1", Instant(99), "Anna", {"do": "new_game", "game": "tamsk"}),
    "2026-11-20T10:00:00",
    Seating("open", 1, 3, 1, 7, 8, "red"),
)


def test_a_request_waits_is_answered_and_is_proven(database: Database) -> None:
    store = RecordStore(database)
    store.save(WriteBatch(wishes=(WISH,)))
    assert requests.open_requests(database) == [WISH]
    (asked,) = requests.asked_of(database, "t01")
    assert (asked.fate, asked.is_proven, asked.seating, asked.actor) == ("", False, WISH.seating, "Anna")
    store.save(WriteBatch(fates=(RequestOutcome("t01", "r1", requests.UNANSWERED),)))
    store.save(WriteBatch(fates=(RequestOutcome.from_answer("t01", Answer("r1", Fate.DONE, proof=2)),)))
    store.save(
        WriteBatch(fates=(RequestOutcome.from_answer("t01", Answer("r1", Fate.REFUSED, Statement.plain("late"))),))
    )
    store.save(pile(batch("t01", record(1), requested(2, "r1", game=4))))
    answered = requests.find_request(database, "r1")
    assert answered is not None
    assert (answered.fate, answered.proof) == ("done", 2)
    assert requests.asked_for(database, "open") == [answered]
    assert requests.open_requests(database) == []


@pytest.mark.parametrize(
    "why", [statement("hall.answer.unknown", do="dance", known=["correct"]), Statement.plain("no"), NOTHING]
)
def test_why_a_board_refuses_is_kept_as_it_is_stated(database: Database, why: Statement) -> None:
    store = RecordStore(database)
    store.save(WriteBatch(wishes=(WISH,)))
    sent = decoder.answer(Topic.ANSWER.of("t01"), encode(Answer("r1", Fate.REFUSED, why)))
    store.save(WriteBatch(fates=(RequestOutcome.from_answer("t01", sent),)))
    kept = requests.find_request(database, "r1")
    assert kept is not None
    assert kept.why == sent.why == why
    assert sentence(kept.why, words("de")) == sentence(why, words("de"))


@pytest.mark.parametrize("told", [batch("t02", requested(1, "r1")), batch("t01", requested(1, "r2"))])
def test_another_boards_record_proves_nothing(database: Database, told: Records) -> None:
    store = RecordStore(database)
    store.save(WriteBatch(wishes=(WISH,)))
    store.save(replace(pile(told), fates=(RequestOutcome("t02", "r1", "done"),)))
    assert requests.open_requests(database) == [WISH]


# Any order, any loss, any death


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_whatever_order_and_however_often_each_record_is_kept_once(database: Database, seed: int) -> None:
    chance = random.Random(seed)
    boards = [Key(f"t{number}", f"e{seed}") for number in range(3)]
    parts = [(key, first) for key in boards for first in range(1, 41, 4)]
    messages = [part for part in parts for _ in range(chance.choice((1, 1, 2, 3)))]
    chance.shuffle(messages)
    store, marks = RecordStore(database), dict.fromkeys(boards, 0)
    while messages:
        taken = [messages.pop() for _ in range(min(len(messages), chance.randint(1, 6)))]
        piled = pile(*(span(key.board, first, first + 3, key.epoch) for key, first in taken))
        if chance.random() < 0.3:  # killed after the commit: what it returned was never seen, and all comes again
            store.save(piled)
            store = RecordStore(database)
            messages += taken
            continue
        if chance.random() < 0.2:  # killed before the commit
            store = RecordStore(database)
            messages += taken
            continue
        saved = store.save(piled)
        assert all(mark >= marks[key] for key, mark in saved.marks.items())
        marks |= saved.marks
    assert marks == dict.fromkeys(boards, 40)
    for key in boards:
        assert [each.seq for each in BoardArchive(database, *key).read(1)] == list(range(1, 41))


def test_programs_that_write_the_same_journals_at_once_keep_each_record_once_and_know_how_far(reopen: Reopen) -> None:
    chance = random.Random(1)
    boards = [Key(f"t{number}", "e1") for number in range(6)]
    parts = [(key, first) for key in boards for first in range(1, 61, 4)] * 2
    chance.shuffle(parts)
    shares = [parts[number::4] for number in range(4)]
    stores, failed = [RecordStore(reopen()) for _ in shares], list[BaseException]()

    def ends(key: Key, first: int) -> Records:
        return batch(key.board, *(over(number, "red") for number in range(first, first + 4)))

    def write(store: RecordStore, share: list[tuple[Key, int]]) -> None:
        try:
            for begin in range(0, len(share), 5):
                taken = share[begin : begin + 5]
                store.save(pile(*(ends(key, first) for key, first in taken)))
        except BaseException as error:  # noqa: BLE001 - it is looked at below
            failed.append(error)

    threads = [Thread(target=write, args=each) for each in zip(stores, shares, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert stores[0].marks() == dict.fromkeys(boards, 60), "the last one to write has seen all that others wrote"
    noted = stores[0].unjudged_entries(1000)
    assert sorted(noted) == [Noted(key, seq, 1, "over") for key in boards for seq in range(1, 61)]
    stores[0].note_judged(noted[:7])
    assert stores[1].unjudged_entries(1000) == noted[7:]


def test_how_far_journals_are_kept_is_said_to_who_asks(reopen: Reopen) -> None:
    store, other = RecordStore(reopen()), RecordStore(reopen())
    other.save(pile(span("t01", 1, 4)))
    asked = WriteBatch(asked=(T1, Key("t02", "e9")))
    assert not asked.is_empty
    assert store.save(asked).marks == {T1: 4, Key("t02", "e9"): 0}
    assert store.marks() == {T1: 4}, "to ask begins no journal"


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the database .*nowhere/hall\.db cannot be used: it cannot be opened"):
        backend.open_database(f"{tmp_path}/nowhere/hall.db")


def test_the_archive_of_a_lost_database_says_so(reopen_alone: Reopen) -> None:
    database = reopen_alone()
    archive = BoardArchive(database, "t01")
    with database.write_transaction() as session:
        session.run("DROP TABLE hall_epochs")
    with pytest.raises(JournalError, match="cannot be used"):
        archive.read(1)


# Whatever comes


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=batches())
def test_whatever_can_be_read_can_be_kept(database: Database, told: Records) -> None:
    told = replace(told, epoch=f"{next(NUMBERS)} {told.epoch}")
    hub = Hub({}, now=Instant(0))
    for _ in range(2):
        hub.take(Message(Topic.RECORDS.of("t7"), encode(told)), Instant(0))
    saved = RecordStore(database).save(hub.pile("", Instant(0)))
    assert (hub.refused, saved.added, saved.conflicts) == ({}, len(told.records), ())
    with database.read_transaction() as session:
        rows = session.rows("SELECT seq FROM hall_records WHERE hall = :hall AND epoch = ? ORDER BY seq", (told.epoch,))
    assert [seq for (seq,) in rows] == [each.seq for each in told.records]


@settings(max_examples=examples(60))
@given(
    topic=st.sampled_from(Topic),
    payload=st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(FIELDS), inner),
    ).map(lambda body: json.dumps(body).encode()),
)
def test_whatever_comes_ends_nothing(topic: Topic, payload: bytes) -> None:
    hub = Hub({}, now=Instant(0))
    hub.take(Message(topic.of("t7"), payload), Instant(0))
    now = Instant(10**8)
    assert all(send.topic.startswith("gnomon/1/t7/") for send in hub.due(now))
    for place in hub.floor.places.values():
        assert {alarm.board for alarm in alarms_of(place, now)} <= {"t7"}
