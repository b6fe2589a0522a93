import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.messages import (
    BATCH,
    LARGEST,
    SMALL,
    Ack,
    Answer,
    Ask,
    Fate,
    MessageError,
    Pace,
    Records,
    Request,
    State,
    Status,
    Topic,
    checked_name,
    encode,
    parse_topic,
)
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import Duration, Instant
from tests.conftest import examples

Read = Callable[[str, bytes], object]

numbers = st.integers(0, 2**53 - 1)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
whys = texts.map(Statement.plain) | st.builds(
    partial(statement, "hall.answer.unknown"), do=texts, known=st.lists(texts, max_size=3)
)
objects = st.dictionaries(texts, st.one_of(texts, st.integers(), st.none(), st.booleans()), max_size=3)
instants = numbers.map(Instant)
starts = st.builds(
    GameStart, texts, objects, texts, instants, texts, texts, texts, texts, st.dictionaries(texts, texts, max_size=2)
)


@st.composite
def batches(draw: st.DrawFn) -> Records:
    first, count = draw(st.integers(1, 2**40)), draw(st.integers(0, 4))
    entries = st.builds(
        Entry, st.just(7), st.sampled_from(EntryKind), instants, objects, texts, texts, st.none() | st.integers(1, 9)
    )
    records = tuple(Record(first + number, draw(entries)) for number in range(count))
    return Records(
        "t7", draw(texts), (StoredGame(7, draw(starts), draw(st.none() | instants)),), records, draw(numbers)
    )


delays = numbers.map(Duration)
states = st.builds(State, st.just("t7"), texts, texts, texts, instants, numbers, objects, delays, delays)
MESSAGES: dict[Topic, tuple[Read, st.SearchStrategy[object]]] = {
    Topic.STATUS: (
        decoder.status,
        st.builds(
            Status,
            *(st.just("t7"), st.booleans(), *[texts] * 6, st.lists(texts, max_size=2).map(tuple), st.booleans()),
            delays,
        ),
    ),
    Topic.STATE: (decoder.state, states),
    Topic.LIVE: (decoder.state, states),
    Topic.RECORDS: (decoder.records, batches()),
    Topic.ANSWER: (decoder.answer, st.builds(Answer, texts, st.sampled_from(Fate), whys, numbers)),
    Topic.ACK: (decoder.ack, st.builds(Ack, texts, numbers)),
    Topic.ASK: (decoder.ask, st.builds(Ask, texts, numbers, numbers)),
    Topic.PACE: (decoder.pace, st.builds(Pace, delays, delays)),
    Topic.REQUEST: (decoder.request, st.builds(Request, texts, texts, instants, texts, objects)),
}


@pytest.mark.parametrize("topic", Topic)
@settings(max_examples=examples(25))
@given(data=st.data())
def test_what_is_written_is_read(topic: Topic, data: st.DataObject) -> None:
    read, messages = MESSAGES[topic]
    message = data.draw(messages)
    assert read(topic.of("t7"), encode(message)) == message  # type: ignore[arg-type]  # the message of its topic


@pytest.mark.parametrize("topic", Topic)
@settings(max_examples=examples(15))
@given(body=st.recursive(st.none() | texts | numbers, lambda inner: st.lists(inner) | st.dictionaries(texts, inner)))
def test_what_is_no_message_gets_a_sentence_that_names_the_topic(topic: Topic, body: object) -> None:
    read, _ = MESSAGES[topic]
    with pytest.raises(MessageError, match=r"^gnomon/1/t7/"):
        read(topic.of("t7"), json.dumps(body).encode())


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        (b"x" * (SMALL + 1), "has 16385 bytes, and 16384 are the most"),
        (b"[" * 10_000, "is no JSON"),
        (b'{"board":' + b"[" * 50 + b"]" * 50 + b"}", "too deep"),
        (b'{"board":"t7","now":NaN}', "NaN is no number"),
        (b'{"board":"t7","card":{"x":-1e999}}', "-1e999 is no number"),
        (b"\xff\xfe{", "is no JSON"),
        (b'{"now":' + b"9" * 5000 + b"}", "is no JSON"),
        (b'{"board":"t8"}', "has no text epoch|names another board than its topic"),
    ],
)
def test_payloads_of_an_attacker_are_refused(payload: bytes, fault: str) -> None:
    with pytest.raises(MessageError, match=fault):
        decoder.state(Topic.STATE.of("t7"), payload)


def test_a_board_speaks_for_itself_alone() -> None:
    payload = encode(Status("t8", online=True, epoch="e", session="s"))
    with pytest.raises(MessageError, match="names another board than its topic"):
        decoder.status(Topic.STATUS.of("t7"), payload)


def record(number: int, game: int = 1) -> Record:
    return Record(number, Entry(game, EntryKind.EVENT, Instant(0), {}, "", ""))


START = StoredGame(1, GameStart("tamsk", {}, "", Instant(0), "", "", ""), None)


def test_records_as_long_as_they_may_be_and_no_longer() -> None:
    with pytest.raises(MessageError, match="has 262145 bytes, and 262144 are the most"):
        decoder.records(Topic.RECORDS.of("t7"), b"x" * (LARGEST + 1))


def test_a_batch_tells_of_no_more_games_than_it_may_have_records() -> None:
    payload = encode(Records("t7", "e", (START,) * (BATCH + 1), (), 60))
    with pytest.raises(MessageError, match="tells of more than 50 games"):
        decoder.records(Topic.RECORDS.of("t7"), payload)


@pytest.mark.parametrize(("epoch", "through"), [("e" * 81, 1), ("e", 2**53), ("e", 10**4000), ("e", 1.0), ("e", True)])
def test_a_name_or_a_number_that_no_database_takes_is_refused(epoch: str, through: object) -> None:
    payload = json.dumps({"epoch": epoch, "through": through}).encode()
    with pytest.raises(MessageError, match=r"has no text epoch of at most 80 letters|has no whole number through from"):
        decoder.ack(Topic.ACK.of("t7"), payload)


@pytest.mark.parametrize(
    ("records", "fault"),
    [
        ([record(1), record(3)], "has a gap"),
        ([record(1, game=2)], "of a game that it does not tell of"),
        ([record(number) for number in range(1, BATCH + 2)], "holds more than 50 records"),
    ],
)
def test_records_come_without_a_gap_few_at_a_time_and_with_their_games(records: list[Record], fault: str) -> None:
    payload = encode(Records("t7", "e", (START,), tuple(records), 60))
    with pytest.raises(MessageError, match=fault):
        decoder.records(Topic.RECORDS.of("t7"), payload)


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_database_takes_is_refused(text: str) -> None:
    payload = json.dumps({"epoch": text, "through": 1}).encode()
    with pytest.raises(MessageError, match="has no text epoch"):
        decoder.ack(Topic.ACK.of("t7"), payload)


@pytest.mark.parametrize("name", ["", "T7", "t_7", "-t", "t/7", "t" * 33, "+", "#"])
def test_what_is_no_name_of_a_board_is_refused(name: str) -> None:
    with pytest.raises(MessageError, match="cannot be the name of a board"):
        checked_name(name)


@pytest.mark.parametrize("topic", ["gnomon/2/t7/state", "gnomon/1/t7", "gnomon/1/t7/else", "x/gnomon/1/t7/state", ""])
def test_a_topic_of_another_version_or_kind_is_refused(topic: str) -> None:
    with pytest.raises(MessageError, match="is none of gnomon/1/BOARD"):
        parse_topic(topic)


def test_a_topic_names_its_board_and_its_kind() -> None:
    assert [parse_topic(topic.of("t-7")) for topic in Topic] == [("t-7", topic) for topic in Topic]
    assert Topic.STATE.of_all == "gnomon/1/+/state"
