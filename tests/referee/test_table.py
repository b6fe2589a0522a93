"""Games at a table without sensors: moves entered, picked with four buttons, refused with the rule, corrected."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    Correction,
    DeadlineReached,
    InputChanged,
    InputTrusted,
    Paused,
    QuestionAnswered,
    ResultDeclared,
    Resumed,
    RingsSet,
    SandSet,
    TurnSet,
    TurnsVoided,
)
from gnomon.referee.games import begin, foresee
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling
from gnomon.referee.table import TABLE_BUTTONS
from gnomon.timekeeping.instants import Duration, Instant
from tests.conftest import examples
from tests.referee.clocked_table import ClockedTable
from tests.referee.scripted_board import instant, kinds, short

ANN = "Ann"


class ScriptedTable(ClockedTable):
    """Hands that enter moves and press buttons, second by second; no deadline is handed over."""

    hands_over = False

    def in_short(self, ruling: Ruling) -> str:
        return short(ruling)


def test_without_sensors_a_game_is_shown_as_it_is() -> None:
    game = ScriptedTable("tabik", size="4").game
    assert foresee(game) is game
    assert foresee(new_game(Tamsk.from_settings({"level": 1}))) == new_game(Tamsk.from_settings({"level": 1}))


def test_moves_are_entered_by_hand_and_ruled_on() -> None:
    table = ScriptedTable("tabik", size="4")
    table.enter(3, "a1b1")
    table.enter(5, "c1c2")
    assert table.until(6) == ["3 turn black a1b1", "5 turn white c1c2"]
    assert [ply.text for ply in table.game.plies] == ["a1b1", "c1c2"]


def test_an_illegal_move_is_refused_with_its_rule_and_nothing_changes() -> None:
    table = ScriptedTable("tabik", size="4")
    table.enter(3, "a1b1")
    before = table.game.position
    table.enter(5, "a1a2")
    assert kinds(table.until(6))[1].startswith("illegal white a1a2")
    assert table.game.position == before
    assert str(table.game.judgement.reason).startswith("rule 4")
    table.enter(7, "c1c2")
    assert table.game.judgement.reason is None


def test_what_is_no_move_at_all_is_an_error_of_the_one_who_entered_it() -> None:
    table = ScriptedTable("tabik", size="4")
    with pytest.raises(CorrectionError, match="zz9"):
        table.enter(3, "zz9")
    assert table.rulings == []


def test_a_throw_is_natures_and_is_entered_like_a_move() -> None:
    table = ScriptedTable("twenty-squares")
    assert table.game.is_natures
    table.enter(1, "throw:5")
    table.enter(2, "convert")
    table.enter(3, "throw:4")
    assert kinds(table.until(4)) == ["turn nature throw:5", "turn p1 convert", "turn nature throw:4"]


def test_a_move_is_picked_with_four_buttons() -> None:
    table = ScriptedTable("tau", limit="70")
    table.press(1, "next")
    table.until(2)
    assert table.game.chooser is not None
    assert table.game.chooser.preview == "ca"
    table.press(2, "previous", "enter", "previous", "enter")
    assert table.until(9) == ["2.9 turn high r10"]
    assert table.game.chooser is None


def test_back_goes_up_and_out() -> None:
    table = ScriptedTable("tau", limit="70")
    table.press(1, "back", "previous", "enter", "back")
    table.until(3)
    assert table.game.chooser is not None
    assert table.game.chooser.preview == "r"
    table.press(4, "back")
    assert table.until(9) == []
    assert table.game.chooser is None


def test_the_first_press_only_shows_the_cursor() -> None:
    table = ScriptedTable("tau", limit="70")
    table.press(1, "enter")
    assert table.until(3) == []
    table.press(4, "enter")
    assert table.until(9) == ["4 turn high ca"]


def test_the_only_move_is_entered_by_a_second_press() -> None:
    table = ScriptedTable("twenty-squares")
    table.enter(1, "throw:2")
    table.press(2, "enter", "next", "enter")
    assert kinds(table.until(9)) == ["turn nature throw:2", "turn p1 forfeit"]


def test_numbers_that_may_be_bid_can_be_stepped_through() -> None:
    table = ScriptedTable("tau")
    table.press(1, "enter", *["next"] * 99)
    table.until(60)
    assert table.game.chooser is not None
    table.press(61, "enter")
    assert kinds(table.until(70))[-1].startswith("turn p1 bid:")
    assert "pass" in table.game.texts()


def test_in_an_auction_the_numbers_go_down() -> None:
    table = ScriptedTable("tayu", players="3", auction="yes")
    table.enter(1, "bid:24")
    numbers = [int(text.removeprefix("bid:")) for text in table.game.texts() if text.startswith("bid:")]
    assert sorted(numbers) == list(range(25))


def test_a_finger_may_step_fast() -> None:
    table = ScriptedTable("tabik")
    for press in range(20):
        table.tell(InputChanged(instant(1 + 0.13 * press), "button.next", value=True))
        table.tell(InputChanged(instant(1.06 + 0.13 * press), "button.next", value=False))
    assert table.until(5) == []


def test_the_arbiters_button_pauses_and_nothing_is_entered_then() -> None:
    table = ScriptedTable("tabik")
    table.press(1, "arbiter")
    table.press(2, "next")
    with pytest.raises(CorrectionError, match="paused"):
        table.enter(3, "a1b1")
    assert table.game.game_time(instant(9)) == instant(1)
    table.press(10, "arbiter")
    table.enter(11, "a1b1")
    assert kinds(table.until(12)) == ["paused", "resumed", "turn black a1b1"]
    assert table.game.plies[0].when == instant(2)


def test_the_end_is_announced_and_nothing_is_taken_after_it() -> None:
    table = ScriptedTable("tabik", size="2", pie="no")
    while (texts := table.game.texts()) and table.game.outcome is None:
        table.enter(1, texts[0])
    assert kinds(table.until(2))[-1].startswith("over")
    assert table.game.turn == "over"
    table.press(3, "enter", "arbiter")
    over = table.until(5)
    assert over[-1].split(" ", 1)[1].startswith("over")
    with pytest.raises(CorrectionError, match="over"):
        table.enter(9, "a1b1")


def test_turns_are_voided_with_the_time_given_back_or_not() -> None:
    table = ScriptedTable("tabik")
    table.enter(5, "a1b1")
    table.enter(9, "c1c2")
    table.tell(TurnsVoided(instant(20), 1, give_back=True, who=ANN, why="misread"))
    assert [ply.text for ply in table.game.plies] == ["a1b1"]
    assert table.game.game_time(instant(20)) == instant(9)
    table.tell(TurnsVoided(instant(21), 1, give_back=False, who=ANN))
    assert table.game.game_time(instant(21)) == instant(10)
    assert kinds(table.until(22))[2:] == [
        "corrected last turn voided, time given back",
        "corrected last turn voided, time not given back",
    ]


def test_time_is_given_back_in_a_pause() -> None:
    table = ScriptedTable("tabik")
    table.enter(5, "a1b1")
    table.tell(Paused(instant(8), ANN))
    table.tell(TurnsVoided(instant(20), 1, give_back=True, who=ANN))
    table.tell(Resumed(instant(30), ANN))
    assert table.game.game_time(instant(31)) == instant(6)


@pytest.mark.parametrize("winner", ["white", None])
def test_a_result_is_declared_by_hand(winner: str | None) -> None:
    table = ScriptedTable("tabik")
    table.tell(ResultDeclared(instant(4), winner, "agreed", ANN))
    assert table.game.outcome == (winner, "agreed")
    assert kinds(table.until(5))[0] == f"corrected result declared: {'White' if winner else 'draw'}, by agreement"


def test_a_chattering_button_is_quarantined_and_trusted_again() -> None:
    table = ScriptedTable("tabik")
    for edge in range(100):
        table.tell(InputChanged(instant(1 + edge * 0.004), "button.next", value=edge % 2 == 0))
    assert table.until(3) == ["1 fault button.next chatter"]
    table.tell(InputChanged(instant(4), "button.next", value=True))
    table.tell(InputTrusted(instant(5), "button.next", ANN))
    assert table.game.quarantined == ()


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (Resumed(instant(1), ANN), "not paused"),
        (TurnsVoided(instant(1), 1, give_back=True, who=ANN), "0 turns"),
        (ResultDeclared(instant(1), "green", "x", ANN), "green"),
        (InputTrusted(instant(1), "button.next", ANN), "not quarantined"),
        (QuestionAnswered(instant(1), "yes", ANN), "no question is open"),
        (SandSet(instant(1), "a1", Duration(1), ANN), "nothing that this correction"),
        (RingsSet(instant(1), "a1", 1, "black", ANN), "nothing that this correction"),
        (TurnSet(instant(1), "black", ANN), "nothing that this correction"),
    ],
)
def test_what_cannot_be_corrected_is_refused_with_one_sentence(event: Correction, reason: str) -> None:
    table = ScriptedTable("tabik")
    before = table.game
    with pytest.raises(CorrectionError, match=reason):
        table.tell(event)
    assert table.game is before


def test_a_game_that_is_paused_cannot_be_paused() -> None:
    table = ScriptedTable("tabik")
    table.tell(Paused(instant(1), ANN))
    with pytest.raises(CorrectionError, match="already"):
        table.tell(Paused(instant(2), ANN))


def test_an_input_that_the_table_does_not_have_is_named() -> None:
    with pytest.raises(ValueError, match=r"button\.red"):
        ScriptedTable("tabik").tell(InputChanged(instant(1), "button.red", value=True))


def test_the_silent_referee_rules_without_a_sound() -> None:
    table = ScriptedTable("tabik", temperament=Temperament.SILENT)
    table.enter(3, "a1b1")
    table.enter(5, "a1a2")
    assert (len(table.until(6)), table.tunes) == (2, [])


@settings(max_examples=examples(60))
@given(
    st.sampled_from(["tabik", "tau", "twenty-squares"]),
    st.lists(st.tuples(st.integers(0, 3_000_000), st.sampled_from(TABLE_BUTTONS)), max_size=60),
)
def test_any_buttons_give_legal_moves_alone(name: str, presses: list[tuple[int, str]]) -> None:
    table = ScriptedTable(name)
    at = 0
    on: set[str] = set()
    for gap, button in presses:
        at += gap
        on ^= {button}
        table.tell(InputChanged(Instant(at), button, value=button in on))
    table.tell(DeadlineReached(Instant(at + 1_000_000)))
    assert not any(ruling.kind == "illegal" for ruling in table.rulings)
    position = table.game.rules.start()
    for ply in table.game.plies:
        assert table.game.rules.turn(position) == ply.player
        position = table.game.rules.play(position, table.game.rules.parse(position, ply.text))
    assert position == table.game.position == table.game.position_at(Instant(at))


def test_a_board_says_whether_it_senses_pieces() -> None:
    assert begin("tamsk", {}).board.is_sensed
    assert begin("tayu", {}, board="tayu").board.is_sensed
    assert not begin("tayu", {}).board.is_sensed
