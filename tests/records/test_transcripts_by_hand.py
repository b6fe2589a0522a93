"""The sheet of a game that an arbiter put right gives the same positions by the rules alone."""

import pytest

from gnomon.records.formats.sheet_play import steps
from gnomon.records.formats.sheets import Sheet, read_sheet, sheet_text
from gnomon.records.formats.traces import Happening, Trace, TraceHeader, WatchedUntil
from gnomon.records.transcripts import transcript
from gnomon.referee.events import (
    Claimed,
    Correction,
    CorrectionUndone,
    GlassPlaced,
    NoteTaken,
    PenaltySet,
    PositionRestored,
    RingsSet,
    SandSet,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnInserted,
    TurnSet,
    TurnsVoided,
)
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.referee.scripted_board import ScriptedBoard, instant

ANN = "Ann"
TEN = Duration(10 * SECOND)
START = (TurnEntered(instant(5), "D1-D2", ANN), TurnEntered(instant(10), "A1-B2", ANN))


def played(events: tuple[Correction, ...], level: int = 3) -> tuple[ScriptedBoard, Sheet]:
    """The board on which it happened, and its sheet as it is read again."""
    board, heard = ScriptedBoard(level=level), list[Happening]()
    for event in (*START, *events):
        board.correct(event)
        heard.append(event)
    board.until(60)
    header = TraceHeader("tamsk", {"level": level})
    return board, read_sheet(sheet_text(transcript(Trace(header, iter([*heard, WatchedUntil(instant(60))])))).encode())


@pytest.mark.parametrize(
    ("events", "texts"),
    [
        ((GlassPlaced(instant(20), "D2", "E3", turned=True, who=ANN),), ["glass:D2=E3,turned"]),
        ((GlassPlaced(instant(20), "D2", "E3", turned=False, who=ANN),), ["glass:D2=E3"]),
        ((PenaltySet(instant(20), due=True, who=ANN),), ["second:yes"]),
        ((PenaltySet(instant(20), due=False, who=ANN),), ["second:no"]),
        ((TimeTaken(instant(20), "red", TEN, ANN),), ["sand:D2=155"]),
        ((TimeGiven(instant(20), "timer15", TEN, ANN),), ["sand:timer15=10"]),
        ((Claimed(instant(20), "black", "flag", upheld=True, who=ANN),), ["turn:black"]),
        ((Claimed(instant(20), "black", "flag", upheld=False, who=ANN),), []),
        ((NoteTaken(instant(20), "coffee", TEN, ANN),), []),
        (
            (
                SandSet(instant(20), "D2", TEN, ANN),
                RingsSet(instant(21), "D4", 2, "red", ANN),
                CorrectionUndone(instant(22), ANN),
            ),
            ["sand:D2=10"],
        ),
    ],
)
@pytest.mark.parametrize("undone", [False, True])
def test_what_is_put_right_stands_in_the_sheet_until_it_is_undone(
    events: tuple[Correction, ...], texts: list[str], undone: bool
) -> None:
    if undone and texts not in ([], ["second:no"]):
        events, texts = (*events, CorrectionUndone(instant(30), ANN)), []
    board, sheet = played(events)
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-B2", *texts]
    same_position(board, sheet)


def same_position(board: ScriptedBoard, sheet: Sheet) -> None:
    last = list(steps(sheet))[-1].position
    rules, position = board.game.rules, board.game.position
    end = Instant(max(last.now, position.now))
    assert rules.elapse(last, end) == rules.elapse(position, end)


def test_turns_that_were_taken_back_come_back_when_that_is_undone() -> None:
    board, sheet = played((TurnsVoided(instant(20), 2, give_back=True, who=ANN), CorrectionUndone(instant(30), ANN)))
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-B2"]
    same_position(board, sheet)


def test_a_position_that_was_restored_is_where_the_sheet_goes_on() -> None:
    board, sheet = played(
        (PositionRestored(instant(20), 1, give_back=True, who=ANN), TurnEntered(instant(25), "A1-A2", ANN))
    )
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-A2x"]
    same_position(board, sheet)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_turn_that_was_missed_stands_where_it_was_made(level: int) -> None:
    events = (
        TurnSet(instant(20), "black", ANN),
        TurnEntered(instant(25), "G1-F2", ANN),
        TurnInserted(instant(30), 3, "A4-B4", ANN, "the sensor slept"),
    )
    board, sheet = played(events, level)
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-B2", "A4-B4", "turn:black", "G1-F2"]
    assert sheet.lines[2].comment == ("entered by Ann: the sensor slept",)
    same_position(board, sheet)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(
    ("missed", "texts"),
    [
        (TurnInserted(instant(30), 2, "A4-B4", ANN), ["D1-D2", "turn:red", "A4-B4", "A1-B2"]),
        (TurnInserted(instant(30), 2, "G1-F2", ANN), ["D1-D2", "G1-F2", "turn:black", "A1-B2"]),
    ],
)
def test_two_turns_of_one_player_are_told_where_one_was_missed(
    level: int, missed: TurnInserted, texts: list[str]
) -> None:
    board, sheet = played((missed,), level)
    assert [line.text for line in sheet.lines] == texts
    same_position(board, sheet)
    board, sheet = played((missed, CorrectionUndone(instant(40), ANN)), level)
    assert [line.text for line in sheet.lines] == ["D1-D2", "A1-B2"]


def test_a_sheet_that_places_a_glass_where_none_stands_is_refused() -> None:
    _, sheet = played((GlassPlaced(instant(20), "D2", "E3", turned=False, who=ANN),))
    text = sheet_text(sheet).replace("glass:D2", "glass:D5")
    with pytest.raises(RulesError, match="no glass stands on D5"):
        list(steps(read_sheet(text.encode())))
