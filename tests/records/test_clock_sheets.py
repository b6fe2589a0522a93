"""Sheets of clocked games: who began an unknown game, the move given by an arbiter, and the terms of the clock."""

import pytest

from gnomon.records.sheet_play import IllegalTurnError, UnreadableTurnError, ending, steps
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.sheets import Sheet, read_sheet
from gnomon.records.transcripts import transcript
from gnomon.timekeeping.instants import SECOND

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
def test_whoever_a_line_names_ended_the_turn(name: str) -> None:
    sheet = read(name)
    assert [step.player for step in steps(sheet)] == [line.player for line in sheet.lines]
    assert ending(sheet).result is None
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
        (b"1. left e2e4\n", UnreadableTurnError, "'e2e4' is no move here"),
        (b"1. white press\n", IllegalTurnError, "it is the turn of left, not of white"),
        (b"1. left press 5\n2. right press 4\n", IllegalTurnError, "time does not run backwards"),
    ],
)
def test_what_is_no_turn_is_named_with_its_line(line: bytes, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ending(read_sheet(HEAD + line))
