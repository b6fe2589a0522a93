"""Test how traces are read and written."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import INPUTS
from gnomon.records.formats.traces import (
    TraceError,
    TraceHeader,
    WatchedUntil,
    event_record,
    read_event,
    read_trace,
    ruling_record,
    trace_lines,
)
from gnomon.referee import rulings as ruled
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    ClockCorrected,
    ClockPressed,
    Correction,
    CorrectionUndone,
    DrawAnswered,
    DrawOffered,
    GlassPlaced,
    InputChanged,
    InputTrusted,
    MoveAnnounced,
    NoteTaken,
    OpponentLeft,
    Paused,
    PenaltySet,
    PlayerHelped,
    PlayerNamed,
    PlayerWarned,
    PositionRestored,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    StopDeclared,
    TimeGiven,
    TimeTaken,
    TurnArrived,
    TurnEntered,
    TurnInserted,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.judgement import Action, Repair, Temperament
from gnomon.refusals import sentence, statement
from gnomon.timekeeping.instants import Duration, Instant
from gnomon.words import words

HEADER = b'{"trace": 1, "board": "tamsk", "settings": {"level": 2}}\n'
CHANGE = b'{"at_us": 1250000, "input": "D1.north", "value": 0}\n'
END = b'{"at_us": 2000000, "end": true}\n'

instants = st.integers(0, 10**12).map(Instant)
people = st.text(max_size=10)
counts = st.integers(0, 100)
durations = st.integers(0, 10**9).map(Duration)
CORRECTIONS: Mapping[type[Correction], st.SearchStrategy[Correction]] = {
    TurnEntered: st.builds(TurnEntered, instants, people, people, people),
    TurnsVoided: st.builds(TurnsVoided, instants, counts, st.booleans(), people, people),
    SandSet: st.builds(SandSet, instants, people, durations, people, people),
    RingsSet: st.builds(RingsSet, instants, people, counts, people, people, people),
    TurnSet: st.builds(TurnSet, instants, people, people, people),
    Paused: st.builds(Paused, instants, people, people),
    Resumed: st.builds(Resumed, instants, people, people),
    ResultDeclared: st.builds(ResultDeclared, instants, st.none() | people, people, people, people),
    QuestionAnswered: st.builds(QuestionAnswered, instants, people, people, people),
    InputTrusted: st.builds(InputTrusted, instants, st.sampled_from(INPUTS), people, people),
    StopDeclared: st.builds(StopDeclared, instants, people, people, people),
    GlassPlaced: st.builds(GlassPlaced, instants, people, people, st.booleans(), people, people),
    TimeGiven: st.builds(TimeGiven, instants, people, durations, people, people),
    TimeTaken: st.builds(TimeTaken, instants, people, durations, people, people),
    PenaltySet: st.builds(PenaltySet, instants, st.booleans(), people, people),
    TurnInserted: st.builds(TurnInserted, instants, counts, people, people, people),
    PositionRestored: st.builds(PositionRestored, instants, counts, st.booleans(), people, people),
    Claimed: st.builds(Claimed, instants, people, people, st.booleans(), people, people),
    NoteTaken: st.builds(NoteTaken, instants, people, durations, people, people),
    Adjourned: st.builds(Adjourned, instants, people, people),
    ClockPressed: st.builds(ClockPressed, instants, people, people, people),
    ClockCorrected: st.builds(
        ClockCorrected,
        *(instants, people, people, people),
        *(st.none() | durations, st.none() | counts, st.none() | counts, st.none() | counts),
    ),
    MoveAnnounced: st.builds(MoveAnnounced, instants, people, people, people),
    PlayerWarned: st.builds(PlayerWarned, instants, people, people, people),
    PlayerHelped: st.builds(PlayerHelped, instants, people, st.booleans(), people, people),
    DrawOffered: st.builds(DrawOffered, instants, people, people, people),
    DrawAnswered: st.builds(DrawAnswered, instants, people, st.booleans(), people, people),
    TurnArrived: st.builds(TurnArrived, instants, people, durations, people, people),
    PlayerNamed: st.builds(PlayerNamed, instants, people, people, people, people),
    OpponentLeft: st.builds(OpponentLeft, instants, people, people),
    CorrectionUndone: st.builds(CorrectionUndone, instants, people, people),
}
corrections = st.one_of(*CORRECTIONS.values())
changes = st.builds(InputChanged, instants, st.sampled_from(INPUTS), st.booleans(), durations)


def entries(*lines: bytes) -> list[Any]:
    return list(read_trace(lines).entries)


def test_the_first_line_describes_the_trace() -> None:
    header = read_trace([HEADER]).header
    assert header == TraceHeader("tamsk", {"level": 2})
    assert (header.uncertainty, header.temperament) == (0, Temperament.ASSISTANT)


def test_what_else_the_first_line_says_is_kept() -> None:
    line = b'{"trace": 1, "board": "tamsk", "settings": {}, "place": ["hall", 3], "temperament": "silent"}'
    header = read_trace([line]).header
    assert header.extras == {"place": ["hall", 3], "temperament": "silent"}
    assert header.temperament is Temperament.SILENT


def test_each_further_line_is_a_raw_change_and_the_last_says_until_when_the_board_was_watched() -> None:
    assert entries(HEADER, CHANGE, END) == [
        InputChanged(Instant(1_250_000), "D1.north", value=False),
        WatchedUntil(Instant(2_000_000)),
    ]


def test_a_trace_needs_no_last_line() -> None:
    assert entries(HEADER) == []


def test_two_changes_may_have_one_stamp() -> None:
    assert len(entries(HEADER, CHANGE, CHANGE)) == 2


def test_an_event_by_hand_needs_no_reason() -> None:
    assert entries(HEADER, b'{"at_us": 5, "event": "turn_set", "player": "red", "who": "arbiter"}') == [
        TurnSet(Instant(5), "red", "arbiter")
    ]


def test_every_change_carries_the_uncertainty_of_the_first_line_unless_its_own_says_otherwise() -> None:
    header = b'{"trace": 1, "board": "tamsk", "settings": {}, "uncertainty_us": 10000}'
    precise = b'{"at_us": 1250001, "input": "button.red", "value": 1, "uncertainty_us": 0}'
    assert [change.uncertainty for change in entries(header, CHANGE, precise)] == [10_000, 0]


@given(corrections)
def test_every_event_by_hand_reads_back_as_it_was_written(event: Correction) -> None:
    record = json.loads(json.dumps(event_record(event)))
    assert read_event(record, frozenset(INPUTS)) == event


def test_every_kind_of_event_by_hand_is_tried_here() -> None:
    assert set(CORRECTIONS) == set(get_args(Correction))


@given(st.lists(changes | corrections, max_size=6), durations, st.none() | st.integers(0, 10**6))
def test_a_trace_reads_back_as_it_was_written(
    happenings: list[InputChanged | Correction], uncertainty: Duration, watched: int | None
) -> None:
    happenings.sort(key=lambda happening: happening.at)
    last = happenings[-1].at if happenings else 0
    until = None if watched is None else Instant(last + watched)
    header = TraceHeader("tamsk", {"level": 3, "timer": "late"}, {"uncertainty_us": uncertainty, "who": "Jürgen"})
    trace = read_trace([line.encode() for line in trace_lines(header, happenings, until)])
    assert trace.header == header
    assert list(trace.entries) == [*happenings, *([] if until is None else [WatchedUntil(until)])]


def test_a_trace_whose_time_goes_back_is_not_written() -> None:
    changes = [InputChanged(Instant(at), "D1.north", value=True) for at in (5, 4)]
    with pytest.raises(ValueError, match="time goes back from 5 to 4 µs"):
        list(trace_lines(TraceHeader("tamsk", {}), changes))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "this is not JSON"),
        (b"trace", "this is not JSON"),
        (b"[]", "not an object"),
        (b"7", "not an object"),
        (b"{}", 'has no "trace"'),
        (b'{"trace": 1, "settings": {}}', 'has no "board"'),
        (b'{"trace": 1, "board": "tamsk"}', 'has no "settings"'),
        (b'{"trace": 2, "board": "tamsk", "settings": {}}', "trace format 2; only 1"),
        (b'{"trace": true, "board": "tamsk", "settings": {}}', "trace format true; only 1"),
        (b'{"trace": 1, "board": "chess", "settings": {}}', 'no board "chess"'),
        (b'{"trace": 1, "board": ["tamsk"], "settings": {}}', "no board"),
        (b'{"trace": 1, "board": "tamsk", "settings": [1]}', "the settings are an object"),
        (b'{"trace": 1, "board": "tamsk", "settings": {}, "uncertainty_us": -1}', '"uncertainty_us" is a whole'),
        (b'{"trace": 1, "board": "tamsk", "settings": {}, "temperament": "loud"}', 'no temperament "loud"'),
        (CHANGE, 'has no "trace"'),
    ],
)
def test_a_first_line_that_does_not_describe_a_trace_is_refused(line: bytes, sentence: str) -> None:
    with pytest.raises(TraceError, match=sentence) as refusal:
        read_trace([line])
    assert refusal.value.line == 1


def test_an_empty_file_is_no_trace() -> None:
    with pytest.raises(TraceError, match="line 1: "):
        read_trace([])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"\n", "this is not JSON"),
        (b'{"at_us": 1', "this is not JSON: .* at column"),
        (b'{"at_us": 9, "input": "D1.n\xff", "value": 0}', "not UTF-8: byte 28 of the line is 0xff"),
        (b'{"at_us": 9, "at_us": 9, "end": true}', "a key appears twice"),
        (b'{"at_us": NaN, "end": true}', "NaN is not a JSON number"),
        (b'{"at_us": ' + b"9" * 5000 + b', "end": true}', "line 3: a number has 5000 digits, and 100 are the most"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"D1.north"', "not an object"),
        (b'{"input": "D1.north", "value": 0}', 'has no "at_us"'),
        (b'{"at_us": 2000000, "value": 0}', 'has no "input"'),
        (b'{"at_us": 2000000, "input": "D1.north"}', 'has no "value"'),
        (b'{"at_us": 2000000, "input": "D1.north", "value": 0, "way": "up"}', '"way" does not belong'),
        (b'{"at_us": 1249999, "input": "D1.north", "value": 0}', "time goes back from 1250000 to 1249999"),
        (b'{"at_us": -1, "input": "D1.north", "value": 0}', '"at_us" is a whole number'),
        (b'{"at_us": 2000000.0, "input": "D1.north", "value": 0}', '"at_us" is a whole number'),
        (b'{"at_us": true, "input": "D1.north", "value": 0}', '"at_us" is a whole number'),
        (b'{"at_us": "2000000", "input": "D1.north", "value": 0}', '"at_us" is a whole number'),
        (b'{"at_us": 2000000, "input": "D9.north", "value": 0}', 'no input "D9.north"'),
        (b'{"at_us": 2000000, "input": "D1.ring2", "value": 0}', 'no input "D1.ring2"'),
        (b'{"at_us": 2000000, "input": 3, "value": 0}', "no input 3"),
        (b'{"at_us": 2000000, "input": "D1.north", "value": 2}', "0 or 1, not 2"),
        (b'{"at_us": 2000000, "input": "D1.north", "value": true}', "0 or 1, not true"),
        (b'{"at_us": 2000000, "input": "D1.north", "value": 1.0}', "0 or 1, not 1.0"),
        (b'{"at_us": 2000000, "input": "D1.north", "value": 0, "uncertainty_us": 0.5}', '"uncertainty_us" is a whole'),
        (b'{"at_us": 2000000, "end": false}', '"end" is true where it appears'),
        (b'{"at_us": 2000000, "end": 1}', '"end" is true where it appears'),
        (b'{"end": true}', 'has no "at_us"'),
        (b'{"at_us": 2000000, "event": "game_abandoned", "who": "me"}', "is not an event by hand"),
        (b'{"at_us": 2000000, "event": 4}', "is not an event by hand"),
        (b'{"at_us": 2000000, "event": "paused"}', 'has no "who"'),
        (b'{"event": "paused", "who": "me"}', 'has no "at_us"'),
        (b'{"at_us": 2000000, "event": "paused", "who": 7}', "who is text, not 7"),
        (b'{"at_us": 2000000, "event": "paused", "who": "me", "when": 3}', '"when" does not belong'),
        (
            b'{"at_us": 2000000, "event": "turns_voided", "count": false, "give_back": true, "who": ""}',
            "count is a whole number, 0 or more",
        ),
        (
            b'{"at_us": 2000000, "event": "turns_voided", "count": 1, "give_back": 1, "who": ""}',
            "give_back is true or false",
        ),
        (
            b'{"at_us": 2000000, "event": "sand_set", "space": "D1", "remaining": -1, "who": ""}',
            '"remaining" is a whole number of microseconds',
        ),
        (
            b'{"at_us": 2000000, "event": "result_declared", "winner": 1, "reason": "", "who": ""}',
            "winner is text or null",
        ),
        (b'{"at_us": 2000000, "event": "input_trusted", "input": "D9.north", "who": ""}', 'no input "D9.north"'),
    ],
)
def test_a_malformed_line_is_named_after_everything_before_it_was_read(line: bytes, sentence: str) -> None:
    trace = read_trace([HEADER, CHANGE, line, END])
    assert next(trace.entries) == InputChanged(Instant(1_250_000), "D1.north", value=False)
    with pytest.raises(TraceError, match=sentence) as refusal:
        next(trace.entries)
    assert refusal.value.line == 3
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("more", [CHANGE, END, b"\n", b"nonsense"])
def test_nothing_may_follow_the_end(more: bytes) -> None:
    with pytest.raises(TraceError, match="line 3: nothing may follow"):
        entries(HEADER, END, more)


@given(st.lists(st.binary(max_size=40), max_size=4))
def test_no_bytes_raise_anything_but_a_malformed_line(lines: list[bytes]) -> None:
    with pytest.raises(TraceError):
        entries(HEADER, *lines, b"x")


def test_lines_are_not_read_before_they_are_asked_for() -> None:
    taken: list[bytes] = []

    def lines() -> Iterable[bytes]:
        for line in (HEADER, CHANGE, END):
            taken.append(line)
            yield line

    trace = read_trace(lines())
    assert taken == [HEADER]
    next(trace.entries)
    assert taken == [HEADER, CHANGE]


RULINGS: Mapping[str, tuple[ruled.Ruling, dict[str, object]]] = {
    "turn": (ruled.TurnRuled(Instant(1), "red", "D1-D2x"), {"player": "red", "text": "D1-D2x"}),
    "illegal": (
        ruled.IllegalRuled(Instant(1), "red", None, "two_rings", (Repair(Action.TAKE_RING, "D2"),)),
        {"player": "red", "text": None, "code": "two_rings", "put_right": ["take a ring off D2"]},
    ),
    "righted": (ruled.Righted(Instant(1)), {}),
    "stopped": (ruled.GlassStopped(Instant(1), "red", "D2"), {"player": "red", "space": "D2"}),
    "timer15": (ruled.TimerTurned(Instant(1), "black", Instant(15)), {"by": "black", "until_us": 15}),
    "penalty": (ruled.PenaltyRuled(Instant(1), "black"), {"player": "black"}),
    "lost": (ruled.TurnLost(Instant(1), "red"), {"player": "red"}),
    "fault": (ruled.FaultRuled(Instant(1), "D2.ring1", "stuck"), {"input": "D2.ring1", "kind": "stuck"}),
    "ask": (
        ruled.QuestionAsked(Instant(1), "which?", ("this", "that")),
        {"question": "which?", "choices": ["this", "that"]},
    ),
    "paused": (ruled.GamePaused(Instant(1)), {}),
    "resumed": (ruled.GameResumed(Instant(1)), {}),
    "over": (
        ruled.GameOver(Instant(1), None, "blocked", {"red": 5, "black": 5}),
        {"winner": "draw", "reason": "blocked", "score": {"red": 5, "black": 5}},
    ),
    "corrected": (
        ruled.Corrected(Instant(1), statement("corrected.sand", space="D1", seconds=9), "arbiter", "spilt"),
        {"what": "sand of D1 set to 9 s", "who": "arbiter", "why": "spilt"},
    ),
    "declared": (
        ruled.SandDeclared(Instant(1), "D2", "red", "black"),
        {"space": "D2", "by": "red", "agreed": "black"},
    ),
    "clock": (ruled.ClockStarted(Instant(1), "red"), {"player": "red"}),
    "flag": (ruled.FlagFell(Instant(1), "black"), {"player": "black"}),
}


def test_every_kind_of_ruling_is_tried_below() -> None:
    assert {type(ruling) for ruling, _ in RULINGS.values()} == set(get_args(ruled.Ruling))


@pytest.mark.parametrize("kind", RULINGS)
def test_a_ruling_has_exactly_the_keys_of_the_interface(kind: str) -> None:
    ruling, keys = RULINGS[kind]
    record = ruling_record(ruling)
    assert record == {"at_us": 1, "ruling": kind, **keys}
    assert json.loads(json.dumps(record)) == record


def test_what_is_malformed_is_said_in_the_reader_s_language() -> None:
    with pytest.raises(TraceError) as caught:
        read_trace([b"{"])
    told = {language: sentence(caught.value.statement, words(language)) for language in ("de", "fr")}
    assert told["de"].startswith("Zeile 1: das ist kein JSON: ")
    assert "ce n’est pas du JSON" in told["fr"]
