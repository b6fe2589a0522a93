"""Traces of boards whose sensors see one pole: the first line says so, and the inputs are those of that board."""

import json
from pathlib import Path

import pytest

from gnomon.games.tamsk.sensing.inputs import SINGLE_PLACES
from gnomon.records.formats.trace_rulings import rulings
from gnomon.records.formats.traces import SINGLE_POLE, TraceError, read_trace, ruling_record
from gnomon.records.imports import import_trace
from gnomon.records.journal.entries import Entry, EntryKind, Record
from gnomon.records.journal.event_codec import encode_start, event_of, sensing_in
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import InputTrusted
from gnomon.referee.evidence import AT_ONCE, BY_POLES, Sensing
from gnomon.referee.games import begin
from gnomon.timekeeping.instants import Instant

TURN = [
    b'{"at_us": 1000000, "input": "D1.glass", "value": 0}',
    b'{"at_us": 2000000, "input": "D2.glass", "value": 1}',
    b'{"at_us": 3000000, "input": "button.not_turned", "value": 1}',
    b'{"at_us": 3100000, "input": "button.not_turned", "value": 0}',
    b'{"at_us": 4000000, "input": "D2.glass", "value": 0}',
    b'{"at_us": 5000000, "input": "D2.glass", "value": 1}',
    b'{"at_us": 6000000, "input": "D2.ring1", "value": 1}',
    b'{"at_us": 9000000, "end": true}',
]


def header(**more: object) -> bytes:
    return json.dumps({"trace": 1, "board": "tamsk", "settings": {"level": 2}, **more}).encode()


def test_such_a_trace_is_ruled_upon() -> None:
    trace = read_trace([header(single_pole=["glasses", "timer15"]), *TURN])
    assert trace.header.sensing == Sensing(SINGLE_PLACES)
    assert [(record["at_us"], record["ruling"]) for record in map(ruling_record, rulings(trace))] == [
        (3_000_000, "illegal"),
        (5_000_000, "righted"),
        (6_000_000, "turn"),
    ]


@pytest.mark.parametrize("single", [None, [], ["timer15"]])
def test_an_input_that_the_first_line_does_not_speak_of_is_refused(single: list[str] | None) -> None:
    first = header() if single is None else header(single_pole=single)
    with pytest.raises(TraceError, match=r'line 2: this board has no input "D1\.glass"'):
        list(read_trace([first, *TURN]).entries)


@pytest.mark.parametrize("single", ["glasses", 1, ["D1"], [["glasses"]], {"glasses": 1}])
def test_what_sees_one_pole_is_a_list_of_known_places(single: object) -> None:
    said = 'line 1: single_pole lists places where only one pole is seen: "glasses" (tamsk), "timer15" (tamsk); not '
    with pytest.raises(TraceError) as refused:
        read_trace([header(single_pole=single)])
    assert str(refused.value) == said + json.dumps(single)


def test_at_a_table_nothing_sees_a_pole() -> None:
    first = {"trace": 1, "board": "table", "game": "tabik", "settings": {}, SINGLE_POLE: ["glasses"]}
    with pytest.raises(TraceError, match=r"\(tamsk\)"):
        read_trace([json.dumps(first).encode()])
    assert begin("tabik", {}).sensing == BY_POLES


@pytest.mark.parametrize(
    "sensing", [BY_POLES, Sensing(SINGLE_PLACES[:1]), Sensing(SINGLE_PLACES[1:]), Sensing(SINGLE_PLACES)]
)
def test_the_journal_says_it_as_a_game_begins(sensing: Sensing) -> None:
    body = encode_start(Instant(7), sensing)
    assert (SINGLE_POLE in body) is bool(sensing.single)
    assert sensing_in([Record(1, Entry(1, EntryKind.NOTE, Instant(0), body, "boot", "then"))]) == sensing
    assert sensing_in([]) == BY_POLES._replace(evidence=AT_ONCE)


def test_an_input_of_such_a_board_may_be_trusted_again() -> None:
    body = {"event": "input_trusted", "at_us": 5, "input": "D1.glass", "who": "arbiter"}
    record = Record(3, Entry(1, EntryKind.EVENT, Instant(5), body, "boot", "then"))
    assert event_of(record, "tamsk", Sensing(SINGLE_PLACES)) == InputTrusted(Instant(5), "D1.glass", "arbiter")
    with pytest.raises(ValueError, match=r'this board has no input "D1\.glass"'):
        event_of(record, "tamsk")


def test_such_a_trace_is_imported(path: Path) -> None:
    with Journal.open(path) as journal:
        number = import_trace(read_trace([header(single_pole=["glasses"]), *TURN]), journal)
        journal.wait_durable(1, 10)
        assert sensing_in(journal.read(number)) == Sensing(SINGLE_PLACES[:1])
