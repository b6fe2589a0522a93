import re

import pytest

from gnomon.games.tamsk.rules import Position, Tamsk
from gnomon.records.bundles import read_bundle
from gnomon.records.formats.sheet_play import IllegalTurnError, play_to_end, steps
from gnomon.records.formats.sheets import Sheet, SheetLine, read_sheet, sheet_text
from gnomon.records.formats.traces import Happening, Trace, TraceHeader, WatchedUntil
from gnomon.records.sheet_traces import sheet_trace
from gnomon.records.transcripts import transcript
from gnomon.referee.events import (
    DeadlineReached,
    Event,
    ResultDeclared,
    RingsSet,
    SandSet,
    StopDeclared,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import Duration, Instant
from tests.conftest import random_games
from tests.records.played_games import played_game
from tests.records.random_sheets import CASES, random_sheet, timed_sheet
from tests.referee.scripted_board import ScriptedBoard, instant

BESIDE = ("flip15", "lift:", "back:", "sand:", "rings:", "turn:")


def turns(sheet: Sheet) -> list[str]:
    """The texts of a sheet without what is beside the turns."""
    return [line.text for line in sheet.lines if not line.text.startswith(BESIDE)]


@pytest.mark.untraced
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", random_games(20))
@pytest.mark.parametrize("clumsy", [False, True])
def test_the_sheet_of_a_game_gives_its_positions_by_the_rules_alone(level: int, seed: int, clumsy: bool) -> None:
    played = played_game(level, seed, clumsy=clumsy)
    sheet = read_sheet(sheet_text(transcript(played.bundle.trace)).encode())
    assert turns(sheet) == [ply.text for ply in played.game.plies]
    last = list(steps(sheet))[-1].position
    rules, position = played.game.rules, played.game.position
    end = Instant(max(last.now, position.now))
    assert rules.elapse(last, end) == rules.elapse(position, end)
    outcome = played.game.outcome
    assert play_to_end(sheet).result == sheet.result == (None if outcome is None else Outcome(*outcome))


def test_the_sheet_says_who_played_and_when() -> None:
    sheet = transcript(played_game(2, 0).bundle.trace)
    assert sheet.players == {"red": "Ada", "black": "Charles"}
    assert sheet.headers == {"Date": "2026-01-01"}
    assert sheet.settings == {"level": "2"}
    assert transcript(Trace(TraceHeader("tamsk", {"level": 1}), iter(()))) == Sheet("tamsk", {"level": "1"})


# What is put right by hand


class Listener(ScriptedBoard):
    """A scripted board that remembers what happens, for a trace of it."""

    def __init__(self, level: int) -> None:
        super().__init__(level=level)
        self.heard: list[Happening] = []

    def tell(self, event: Event) -> None:
        """Remember what happened."""
        assert not isinstance(event, DeadlineReached)
        self.heard.append(event)

    def sheet(self, until: int = 60) -> Sheet:
        """The sheet of all that happened, which must be legal."""
        header = TraceHeader("tamsk", {"level": self.game.rules.settings.level})
        sheet = transcript(Trace(header, iter([*self.heard, WatchedUntil(instant(until))])))
        assert len(list(steps(sheet))) == len(sheet.lines)
        return sheet


def test_a_turn_that_was_taken_back_is_not_in_the_sheet() -> None:
    board = Listener(1)
    board.turn(5, "D1", "D2")
    board.turn(10, "A1", "A2")
    board.correct(TurnsVoided(instant(20), 1, give_back=False, who="arbiter"))
    board.correct(TurnEntered(instant(25), "A1-B1=", "arbiter", "misheard"))
    assert board.sheet().lines == (
        SheetLine("D1-D2", "red", instant(6.3), instant(5), instant(5.8)),
        SheetLine("A1-B1=", "black", instant(25), comment=("entered by arbiter: misheard",)),
    )


def test_time_that_was_given_back_does_not_count() -> None:
    board = Listener(2)
    board.correct(TurnEntered(instant(5), "D1-D2", "arbiter"))
    board.correct(TurnEntered(instant(10), "A1-A2", "arbiter"))
    board.correct(TurnsVoided(instant(30), 1, give_back=True, who="arbiter"))
    board.correct(TurnEntered(instant(33), "A1-B1x", "arbiter"))
    assert [(line.text, line.at) for line in board.sheet().lines] == [("D1-D2", instant(5)), ("A1-B1x", instant(13))]


def test_pauses_do_not_count() -> None:
    board = Listener(1)
    board.press(2, "arbiter")
    board.press(12, "arbiter")
    board.turn(15, "D1", "D2")
    assert board.sheet().lines == (SheetLine("D1-D2", "red", instant(6.3), instant(5), instant(5.8)),)


def test_what_an_arbiter_set_is_in_the_sheet_with_who_and_why() -> None:
    board = Listener(2)
    board.correct(TurnEntered(instant(5), "D1-D2", "arbiter"))
    board.correct(SandSet(instant(10), "D2", Duration(90_500_000), "arbiter", "it leaked"))
    board.correct(RingsSet(instant(11), "D4", 2, "black", "arbiter"))
    board.correct(TurnSet(instant(12), "red", "arbiter"))
    sheet = board.sheet()
    assert sheet.lines[1:] == (
        SheetLine("sand:D2=90.5", "arbiter", instant(10), comment=("set by arbiter: it leaked",)),
        SheetLine("rings:D4=2,black", "arbiter", instant(11), comment=("set by arbiter",)),
        SheetLine("turn:red", "arbiter", instant(12), comment=("set by arbiter",)),
    )
    position = list(steps(sheet))[-1].position
    assert isinstance(position, Position)
    assert int(position.sands[0].remaining(instant(12))) == 88_500_000


def test_a_declared_result_is_the_result() -> None:
    board = Listener(1)
    board.turn(5, "D1", "D2")
    board.correct(ResultDeclared(instant(9), "black", "resignation", "arbiter"))
    assert board.sheet().result == Outcome("black", "resignation")


# Lifts that came to nothing


def test_a_timer_turned_during_a_lift_that_came_to_nothing_has_that_lift_before_it() -> None:
    board = Listener(3)
    pole = board.lift(2, "D1")
    board.turn_timer(4)
    board.place(6, "D1", pole)
    board.turn(8, "D1", "D2")
    assert [(line.text, line.player, line.at) for line in board.sheet().lines] == [
        ("lift:D1", "red", instant(2)),
        ("flip15", "black", instant(4)),
        ("back:D1", "red", instant(4)),
        ("D1-D2", "red", instant(9.3)),
    ]


def test_a_game_may_be_left_with_a_glass_in_the_air() -> None:
    board = Listener(3)
    board.lift(2, "D1")
    board.turn_timer(4)
    assert [line.text for line in board.sheet(until=10).lines] == ["lift:D1", "flip15"]


def test_a_timer_turned_in_a_turn_that_was_taken_back_stays_turned() -> None:
    board = Listener(3)
    pole = board.lift(2, "D1")
    board.turn_timer(4)
    board.place(6, "D2", {"north": "south", "south": "north"}[pole])
    board.ring(7, "D2")
    whole = board.sheet(until=8)
    assert [(line.text, line.lifted) for line in whole.lines] == [("flip15", None), ("D1-D2", instant(2))]
    board.correct(TurnsVoided(instant(9), 1, give_back=True, who="arbiter"))
    assert [line.text for line in board.sheet(until=10).lines] == ["lift:D1", "flip15", "back:D1"]


# Back to a trace


@pytest.mark.untraced
@pytest.mark.parametrize(("level", "seed"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 3), (3, 1), (3, 2), (3, 6)])
def test_steady_hands_play_a_sheet_of_a_game_again(level: int, seed: int) -> None:
    sheet = transcript(played_game(level, seed).bundle.trace)
    again = transcript(sheet_trace(sheet).trace)
    assert turns(again) == turns(sheet)
    assert again.players == sheet.players
    assert again.result == sheet.result
    if level > 1:
        assert again.lines == sheet.lines
    # Through the text of the trace, too.
    assert list(sheet_trace(sheet).lines()) == list(sheet_trace(again).lines()) or level == 1


def test_a_sheet_without_times_is_played_at_an_easy_pace() -> None:
    sheet = read_sheet(b"Sheet: 1\nGame: tamsk\nD1-D2\nG1-F1x\nD2-D3=\n+D3,A1-A2x")
    again = transcript(sheet_trace(sheet).trace)
    assert [(line.text, line.at) for line in again.lines] == [
        ("D1-D2", instant(3)),
        ("G1-F1x", instant(6)),
        ("D2-D3=", instant(9)),
        ("+D3,A1-A2x", instant(12)),
    ]


@pytest.mark.parametrize(("game", "settings"), CASES)
def test_every_game_goes_from_sheet_to_trace_and_back(game: str, settings: dict[str, object]) -> None:
    sheet = random_sheet(game, settings, 5) if game != "tamsk" else timed_sheet(Tamsk.from_settings(settings), 5)[0]
    again = transcript(sheet_trace(sheet).trace)
    assert [(line.text, line.at) for line in again.lines] == [(line.text, line.at) for line in sheet.lines]
    assert (again.game, again.result) == (sheet.game, sheet.result if game != "tamsk" else again.result)
    assert read_bundle([line.encode() for line in sheet_trace(sheet).lines()]).trace.header.game == game


def test_why_a_turn_was_entered_at_a_table_is_its_comment() -> None:
    sheet = Sheet("tabik", lines=(SheetLine("a1b1", "black", instant(5), comment=("corner",)),))
    assert transcript(sheet_trace(sheet).trace).lines == sheet.lines


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (
            Sheet("tamsk", {"level": "2"}, lines=(SheetLine("D1-D2", at=instant(5)),)),
            "turn 1, D1-D2: with sand the sheet",
        ),
        (
            Sheet("tamsk", {"level": "3"}, lines=(SheetLine("lift:D1", at=instant(5)),)),
            "turn 1, lift:D1: hands at a steady pace play whole turns, no lifts and no corrections",
        ),
        (
            Sheet(
                "tamsk",
                lines=tuple(SheetLine(text, at=instant(5)) for text in ("D1-D2=", "A1-A2x", "D2-D1=", "A2-A1=")),
            ),
            "turn 1, D1-D2=: steady hands at a board do not bring it about at these instants",
        ),
    ],
)
def test_what_hands_cannot_play_is_refused_with_one_sentence(sheet: Sheet, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        sheet_trace(sheet)


def test_an_illegal_sheet_is_not_played() -> None:
    with pytest.raises(IllegalTurnError):
        sheet_trace(Sheet("tamsk", lines=(SheetLine("D1-D3"),)))


# Where the players watch the sand


def test_a_game_decided_by_the_players_eyes_has_a_sheet_that_gives_its_positions() -> None:
    happenings: list[Happening] = []

    class Recorded(ScriptedBoard):
        def tell(self, event: Event) -> None:
            if not isinstance(event, DeadlineReached):
                happenings.append(event)
            super().tell(event)

    board = Recorded(level=3, time="sand")
    opening = (("D1", "D2"), ("A1", "A2"), ("A4", "A3"), ("G1", "G2"), ("G4", "G3"), ("D7", "D6"))
    for number, (origin, target) in enumerate(opening):
        board.turn(10 * number + 10, origin, target)
    board.turn_timer(70)
    board.lift(84, "D2")
    board.press(85, "black")  # the 15-second glass is empty
    board.place(87, "D3", "north")
    board.ring(88, "D3")
    board.turn(95, "A2", "B3")
    board.press(97, "black")  # and no second ring
    board.press(200, "black")  # the glass that should run out first
    board.press(202, "red")
    board.correct(StopDeclared(instant(210), "G3", "page"))
    board.until(220)
    settings = {"level": 3, "time": "sand"}
    sheet = transcript(Trace(TraceHeader("tamsk", settings), iter((*happenings, WatchedUntil(instant(220))))))
    beside = [(line.player, line.text) for line in sheet.lines if line.text.startswith("stop")]
    assert beside == [("black", "stop15"), ("black", "stop:B3"), ("arbiter", "stop:G3")]
    written = read_sheet(sheet_text(sheet).encode())
    last = list(steps(written))[-1].position
    rules, position = board.game.rules, board.game.position
    end = Instant(max(last.now, position.now))
    assert rules.elapse(last, end) == rules.elapse(position, end)
