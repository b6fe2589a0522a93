"""What an arbiter does to a match clock: sets it, gives and takes, hands over, takes back, undoes, decides on flags."""

import pytest

from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    Adjourned,
    Claimed,
    ClockCorrected,
    Correction,
    CorrectionUndone,
    Paused,
    PositionRestored,
    ResultDeclared,
    Resumed,
    SandSet,
    TimeGiven,
    TimeTaken,
    TurnEntered,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.rulings import Corrected
from gnomon.timekeeping.instants import SECOND, Duration
from tests.referee.clocked_table import ANN, ClockedTable
from tests.referee.scripted_board import instant


def played(name: str = "tabik", /, *, clock: str = "5", **settings: object) -> ClockedTable:
    """Black used 10 s and 30 s, White 20 s; White thinks since 60."""
    table = ClockedTable(name, clock=clock, **settings)
    table.press(0, "right")
    for at, text in ((10, "a1b1"), (30, "h8g8"), (60, "c1c2")):
        table.enter(at, text)
    return table


def bare(clock: str = "5", **settings: object) -> ClockedTable:
    """Left thinks since 0."""
    table = ClockedTable(clock=clock, **settings)
    table.press(0, "right")
    table.until(1)
    return table


def refuse(table: ClockedTable, event: Correction, words: str) -> None:
    before = table.game
    with pytest.raises(CorrectionError, match=words):
        table.tell(event)
    assert table.game.clock == before.clock


def test_time_and_moves_are_set_for_one_player() -> None:
    table = played(clock="40/5 then 5")
    wanted = ClockCorrected(instant(70), "black", ANN, "wrong control", time=Duration(90 * SECOND), moves=12)
    table.tell(wanted)
    assert table.left(70) == (90, 270)
    account = table.match.clock.accounts[0]
    assert (account.moves, account.to_go) == (12, 28)
    (note,) = (ruling for ruling in table.rulings if isinstance(ruling, Corrected))
    assert note.what.message == "clock of Black set: time=90 moves=12"


def test_period_and_spells_are_set_too() -> None:
    table = bare("5 then byo-yomi 5x30")
    table.tell(ClockCorrected(instant(2), "right", ANN, time=Duration(20 * SECOND), period=1, spells=2))
    assert (table.match.clock.accounts[1].period, table.match.clock.accounts[1].spells) == (1, 2)
    assert "time=20 period=1 spells=2" in str(table.rulings[-1])


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ClockCorrected(instant(70), "black", ANN, time=Duration(0)), "some time must be left"),
        (ClockCorrected(instant(70), "black", ANN), "changes nothing"),
        (ClockCorrected(instant(70), "red", ANN, moves=1), "'Red' has no side of the clock: the players are black, w"),
        (TimeGiven(instant(70), "black", Duration(0), ANN), "say how many seconds"),
        (TimeTaken(instant(70), "white", Duration(600 * SECOND), ANN), "some time must be left"),
        (TurnSet(instant(70), "white", ANN), "White is already to move"),
        (Claimed(instant(70), "white", "flag", True, ANN), "there is no fallen flag that White could claim"),
    ],
)
def test_what_cannot_be_is_refused_and_the_clock_stays(event: Correction, words: str) -> None:
    refuse(played(), event, words)


def test_a_game_without_a_clock_has_none_to_set() -> None:
    table = ClockedTable("tabik")
    refuse(table, ClockCorrected(instant(1), "black", ANN, moves=1), "this game has no match clock")
    refuse(table, TimeGiven(instant(1), "black", Duration(1), ANN), "has nothing that this correction could set")


@pytest.mark.parametrize("whose", ["black", "clock.black"])
def test_time_is_given_and_taken(whose: str) -> None:
    table = played()
    table.tell(TimeGiven(instant(65), whose, Duration(120 * SECOND), ANN, "phone"))
    assert table.left(65) == (380, 275)
    table.tell(TimeTaken(instant(66), "white", Duration(60 * SECOND), ANN))
    assert table.left(66) == (380, 214)


def test_the_other_side_is_given_the_move_without_a_turn() -> None:
    table = bare()
    table.tell(TurnSet(instant(10), "right", ANN))
    assert (table.game.turn, table.left(20)) == ("right", (290, 290))
    assert table.game.plies == ()
    table.press(20, "right")
    assert table.until(21)[-1] == "20 turn right press"


def test_an_arbiter_starts_the_clock_of_either_player() -> None:
    table = ClockedTable(clock="5")
    table.tell(TurnSet(instant(10), "right", ANN))
    assert (table.game.turn, table.left(20)) == ("right", (300, 290))
    known = ClockedTable("tabik", clock="5")
    known.tell(TurnSet(instant(10), "black", ANN))
    assert known.left(20) == (290, 300)


# Taking back


def test_with_its_time_a_turn_that_is_taken_back_takes_the_clock_back() -> None:
    table = played(clock="5+3")
    table.tell(TurnsVoided(instant(100), 1, True, ANN))
    assert table.left(100) == (266, 286)
    assert (table.runs(100), table.match.clock.accounts[0].moves) == (0, 1)
    table.enter(110, "c1c2")
    assert table.left(110) == (259, 286)


def test_without_its_time_what_both_show_stays_and_the_turn_does_not_count() -> None:
    table = played(clock="40/5 then 5")
    table.tell(TurnsVoided(instant(100), 1, False, ANN))
    assert table.left(100) == (260, 240)
    assert table.runs(100) == 0
    first, second = table.match.clock.accounts
    assert (first.moves, first.to_go, second.moves, second.to_go) == (1, 39, 1, 39)
    table.enter(110, "c1c3")
    assert table.left(110) == (250, 240)


def test_two_turns_back_the_same_player_thinks_on() -> None:
    table = played()
    table.tell(TurnsVoided(instant(100), 2, False, ANN))
    assert (table.left(100), table.runs(100), table.game.turn) == ((260, 240), 1, "white")


def test_time_that_a_control_gave_stays_given_when_its_last_move_is_taken_back() -> None:
    table = played(clock="2/5")
    assert table.left(60) == (560, 280)
    table.tell(TurnsVoided(instant(70), 1, False, ANN))
    account = table.match.clock.accounts[0]
    assert (table.left(70)[0], account.moves, account.to_go) == (560, 1, 2)


def test_back_before_the_first_turn_the_clock_stands_with_its_time_and_goes_on_without() -> None:
    table = ClockedTable("tabik", clock="5")
    table.enter(10, "a1b1")
    table.tell(TurnsVoided(instant(20), 1, True, ANN))
    assert (table.match.has_started, table.left(50)) == (False, (300, 300))
    table.enter(60, "a1b1")
    table.tell(TurnsVoided(instant(70), 1, False, ANN))
    assert table.left(75) == (295, 290)


def test_a_turn_entered_after_its_press_is_taken_back_to_the_press() -> None:
    table = ClockedTable("tabik", clock="5")
    table.press(0, "right")
    table.press(10, "left")
    table.enter(25, "a1b1")
    table.tell(TurnsVoided(instant(40), 1, True, ANN))
    assert table.left(40) == (290, 300)
    assert table.left(45) == (285, 300)


def test_in_a_pause_turns_are_taken_back_and_the_clock_goes_on_with_the_game() -> None:
    table = played()
    table.tell(Paused(instant(70), ANN), PositionRestored(instant(80), 1, True, ANN), Resumed(instant(90), ANN))
    assert table.left(95) == (290, 275)


# Undoing


def test_a_correction_of_the_clock_is_undone_as_if_it_had_never_been() -> None:
    table = played()
    table.tell(TimeGiven(instant(65), "white", Duration(60 * SECOND), ANN), CorrectionUndone(instant(70), ANN))
    assert table.left(70) == (260, 270)
    refuse(table, CorrectionUndone(instant(71), ANN), "no correction to undo")


def test_after_a_press_nothing_older_is_undone() -> None:
    table = bare()
    table.tell(TimeGiven(instant(5), "left", Duration(60 * SECOND), ANN))
    table.press(10, "left")
    table.until(11)
    refuse(table, CorrectionUndone(instant(12), ANN), "play has gone on since")


@pytest.mark.parametrize("give_back", [True, False])
def test_taking_back_is_undone_with_all_the_time(give_back: bool) -> None:
    table = played()
    table.tell(TurnsVoided(instant(70), 2, give_back, ANN), CorrectionUndone(instant(80), ANN))
    assert (table.left(80), table.runs(80)) == ((260, 260), 1)


def test_a_declared_result_stops_the_clock_and_undone_it_has_run_on() -> None:
    table = played()
    table.tell(ResultDeclared(instant(70), None, "agreed", ANN))
    assert table.left(200) == (260, 270)
    table.tell(CorrectionUndone(instant(80), ANN))
    assert table.left(80) == (260, 260)


def test_a_declared_result_is_voided_with_its_last_turn() -> None:
    table = played()
    table.tell(ResultDeclared(instant(70), None, "agreed", ANN), TurnsVoided(instant(80), 1, False, ANN))
    assert (table.outcome(), table.left(90)) == (None, (250, 270))


def test_a_result_declared_before_the_clock_was_started_leaves_it_standing() -> None:
    table = ClockedTable(clock="5")
    table.tell(ResultDeclared(instant(5), "left", "absent", ANN))
    assert (table.match.has_started, table.left(10)) == (False, (300, 300))


# Flags


def test_time_that_is_set_lifts_a_flag_and_the_game_goes_on() -> None:
    table = bare("0:10")
    table.until(11)
    assert table.outcome() is not None
    table.tell(ClockCorrected(instant(20), "left", ANN, "the clock was set wrongly", time=Duration(60 * SECOND)))
    assert table.outcome() is None
    assert table.left(30) == (50, 10)
    assert table.until(90)[-2:] == ["80 flag left", "80 over right flag"]


def test_other_corrections_leave_the_flag_down() -> None:
    table = bare("0:10")
    table.until(11)
    table.tell(ClockCorrected(instant(20), "right", ANN, moves=3))
    assert table.outcome() is not None
    assert table.match.flag == 0


def test_a_flag_that_is_shown_is_claimed_and_upheld() -> None:
    table = bare("0:10", flag="shown")
    table.until(11)
    table.tell(Claimed(instant(12), "right", "flag", False, ANN))
    assert table.outcome() is None
    refuse(table, Claimed(instant(13), "left", "flag", True, ANN), "there is no fallen flag that Left")
    table.tell(Claimed(instant(14), "right", "flag", True, ANN))
    assert table.outcome() == ("right", "flag")
    refuse(table, Claimed(instant(15), "right", "flag", True, ANN), "the game is over")


def test_any_other_claim_is_only_written_down() -> None:
    table = played()
    table.tell(Claimed(instant(70), "white", "repetition", True, ANN))
    assert table.outcome() is None


def test_taken_back_without_time_a_flag_stays_down_and_the_arbiter_decides() -> None:
    table = played(clock="0:45")
    assert table.until(200)[-1] == "85 over black flag"
    table.tell(TurnsVoided(instant(210), 1, False, ANN))
    assert (table.outcome(), table.match.flag) == (None, 1)
    assert table.until(300)[-1].startswith("210 corrected")


def test_taken_back_with_time_a_flag_stands_again() -> None:
    table = played(clock="0:45")
    table.until(200)
    table.tell(TurnsVoided(instant(210), 1, True, ANN))
    assert (table.outcome(), table.match.flag, table.left(210)) == (None, None, (5, 25))
    assert table.until(300)[-2:] == ["215 flag black", "215 over white flag"]


def test_what_time_has_decided_is_ruled_before_a_correction() -> None:
    table = bare("0:10")
    table.tell(TimeGiven(instant(10.05), "right", Duration(SECOND), ANN))
    assert [ruling.kind for ruling in table.rulings] == ["clock", "flag", "over", "corrected"]


def test_a_warning_is_given_again_to_who_was_given_time() -> None:
    table = bare("0:30", warning="10")
    table.until(25)
    table.tell(TimeGiven(instant(26), "left", Duration(60 * SECOND), ANN))
    table.until(85)
    assert [tune.value for tune in table.tunes].count("low time") == 2


def test_a_game_is_put_away_with_its_time_and_taken_up() -> None:
    table = played()
    table.tell(Adjourned(instant(70), ANN), Resumed(instant(10_000), ANN))
    assert table.left(10_005) == (260, 265)


def test_a_turn_is_entered_beside_a_clock_that_was_handed_over() -> None:
    table = played()
    table.tell(TurnSet(instant(70), "black", ANN), TurnEntered(instant(80), "d1d2", ANN))
    assert table.left(80) == (250, 270)
    assert table.runs(80) == 0


def test_a_table_with_a_clock_has_no_sand_to_set() -> None:
    with pytest.raises(CorrectionError, match="has nothing that this correction could set"):
        played().tell(SandSet(instant(70), "d4", Duration(0), ANN))
