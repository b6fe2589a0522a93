"""Sheets of clocked games: who began an unknown game, the move given by an arbiter, and the terms of the clock."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.records.formats.sgf_sheets import read_sgf, sgf_text
from gnomon.records.formats.sheet_play import IllegalTurnError, UnreadableTurnError, play_to_end, steps
from gnomon.records.formats.sheets import Sheet, SheetLine, read_sheet, sheet_text
from gnomon.records.formats.traces import Trace, TraceHeader
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.transcripts import transcript
from gnomon.referee.events import TurnEntered
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Duration, Instant, seconds

HEAD = b"Sheet: 1\nGame: clock\nClock: 40/90+30 then 30+30\nFlag: shown\n\n"
SHEETS = {
    "left begins": b"1. left press 5\n2. right press 9\n3. left press 20\n",
    "right begins": b"1. right press 5\n2. left press 9\n",
    "the move was given": b"1. left press 5\n2. left press 9\n3. right press 12\n",
    "nothing was played": b"",
}


def read(name: str) -> Sheet:
    return read_sheet(HEAD + SHEETS[name])


@pytest.mark.parametrize("name", SHEETS)
def test_the_player_whom_a_line_names_ended_the_turn(name: str) -> None:
    sheet = read(name)
    assert [step.player for step in steps(sheet)] == [line.player for line in sheet.lines]
    assert play_to_end(sheet).result is None
    assert sheet.headers["Clock"] == "40/90+30 then 30+30"


@pytest.mark.parametrize("name", SHEETS)
def test_the_trace_of_a_sheet_gives_its_turns_and_times_again(name: str) -> None:
    sheet = read(name)
    again = transcript(sheet_trace(sheet).trace)
    assert [line[:3] for line in map(told, again.lines)] == [line[:3] for line in map(told, sheet.lines)]


def told(line: object) -> tuple[object, ...]:
    return tuple(getattr(line, name) for name in ("player", "text", "at"))


def test_a_line_without_a_player_is_that_of_the_player_on_turn() -> None:
    sheet = read_sheet(HEAD + b"press 3\npress 4\n")
    assert [(step.player, step.at) for step in steps(sheet)] == [("left", 3 * SECOND), ("right", 4 * SECOND)]


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        (b"1. left e2e4\n", UnreadableTurnError, "'e2e4' is not a move here"),
        (b"1. white press\n", IllegalTurnError, "it is the turn of Left, not of White"),
        (b"1. left press 5\n2. right press 4\n", IllegalTurnError, "time does not run backwards"),
    ],
)
def test_what_is_no_turn_is_named_with_its_line(line: bytes, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        play_to_end(read_sheet(HEAD + line))


# What the clock showed


def clocked(game: str, line: str, clock: str) -> Sheet:
    """The sheet of a game with a clock in which a turn is entered every ten seconds."""
    turns = [TurnEntered(Instant(10 * number * SECOND), text, "Ann") for number, text in enumerate(line.split(), 1)]
    return transcript(Trace(TraceHeader.of("table", game, {"clock": clock}), iter(turns)))


@pytest.mark.parametrize(
    ("clock", "shown"),
    [
        ("5+3", ["306", "296", "299"]),  # the first turn starts the clock and costs nothing
        ("0:05 then byo-yomi 5x30", ["5", "30", "30"]),
        ("hourglass 3", ["180", "170", "180"]),
        ("up", [None, None, None]),
    ],
)
def test_every_turn_has_what_the_clock_of_its_player_showed(clock: str, shown: list[str | None]) -> None:
    lines = clocked("tabik", "a1b1 h8g8 c3c4", clock=clock).lines
    assert [None if line.clock is None else str(seconds(line.clock)) for line in lines] == shown


def test_a_throw_and_a_turn_that_is_not_pressed_have_no_clock() -> None:
    # A counter that lands on a rosette moves again: that turn presses nothing.
    lines = clocked("twenty-squares", "throw:1 convert throw:4 in-a1 throw:3 a1-c2", clock="5+3").lines
    assert [line.clock is None for line in lines] == [True, True, True, True, True, False]


def test_the_times_left_stand_in_sheets_and_in_sgf_and_are_read_back() -> None:
    sheet = clocked("tabik", "a1b1 h8g8 c3c4", clock="5+3")
    assert "clock=296" in sheet_text(sheet)
    assert [line.clock for line in read_sheet(sheet_text(sheet).encode()).lines] == [line.clock for line in sheet.lines]
    sgf = sgf_text(sheet)
    assert re.findall(r"([BW]L)\[([0-9.]+)\]", sgf) == [("BL", "306"), ("WL", "296"), ("BL", "299")]
    assert [line.clock for line in read_sgf(sgf.encode())[0].lines] == [line.clock for line in sheet.lines]
    four = Sheet("tayu", lines=(SheetLine("draw:013", "nature"), SheetLine("013@h9/E", "p3", clock=Duration(SECOND))))
    assert read_sgf(sgf_text(four).encode())[0].lines[1].clock == SECOND


@given(st.integers(0, 10**13))
def test_any_time_left_reads_back_to_the_microsecond(left: int) -> None:
    sheet = Sheet("tabik", lines=(SheetLine("a1b1", "black", clock=Duration(left)),))
    assert read_sheet(sheet_text(sheet).encode()).lines[0].clock == left
    assert read_sgf(sgf_text(sheet).encode())[0].lines[0].clock == left


def test_a_time_left_of_another_program_that_is_none_is_left_out() -> None:
    [sheet] = read_sgf(b"(;GM[2402]XGAME[tabik];B[a1b1]BL[-3.5];W[h8g8]BL[100])")
    assert [line.clock for line in sheet.lines] == [None, None]


def test_a_flag_is_a_win_on_time_to_other_programs_and_a_flag_to_ours() -> None:
    sgf = sgf_text(Sheet("tabik", result=Outcome("black", "flag")))
    assert "RE[B+T]" in sgf
    assert read_sgf(sgf.encode())[0].result == Outcome("black", "flag")
    assert read_sgf(b"(;GM[2402]XGAME[tabik]RE[W+T])")[0].result == Outcome("white", "time")
