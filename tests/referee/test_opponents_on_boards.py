"""An engine that plays on a board that senses: where its tile or its glass has to stand, and what it does off turn."""

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import QuestionAnswered, RingsSet, TurnEntered, TurnsVoided
from gnomon.referee.games import begin, foresee, let_rest
from gnomon.referee.judgement import BY_HAND, Action, Phase, Repair
from gnomon.referee.opponents import (
    counts_at,
    engine_that_acts,
    hands_left,
    player_off_turn,
    steps_due,
    texts_off_turn,
    turns_to_take_back,
)
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import IllegalRuled, TimerTurned
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND
from tests.referee.scripted_board import instant
from tests.referee.test_opponents import ANN, ENGINE, Evening

# On the board of Tayu


@pytest.mark.parametrize("text", ["013@h9/E", "013@j9/W"])
def test_the_tile_lies_as_it_was_announced_whichever_way_round_it_may_lie(text: str) -> None:
    evening = Evening("tayu", opponent_plays="north-south")
    evening.enter(1, "draw:013")
    evening.announce(2, text)
    assert evening.steps[0][0] is Action.LAY_TILE
    assert set(evening.steps[0][1].split()) == {"h9", "i9", "j9"}
    evening.edges(3, "h9.tile", "i9.tile", "j9.tile")
    evening.until(6)
    assert evening.texts == ["draw:013", text]


def test_a_tile_that_lies_elsewhere_is_said_and_put_right() -> None:
    evening = Evening("tayu", opponent_plays="north-south")
    evening.enter(1, "draw:013")
    evening.announce(2, "013@h9/E")
    evening.edges(3, "i8.tile", "i9.tile", "i10.tile")
    evening.until(6)
    question = evening.game.question
    assert question is not None
    evening.tell(QuestionAnswered(instant(7), question.asked.choices[0], ANN))
    told = evening.rulings[-1]
    assert isinstance(told, IllegalRuled)
    assert told.code == "not_announced"
    assert evening.texts == ["draw:013", "013@h9/E"]
    assert evening.game.judgement.code == BY_HAND
    assert told.put_right == evening.game.judgement.repairs
    assert told.put_right == (Repair(Action.TAKE_TILE, "i10 i8"), Repair(Action.PUT_TILE, "h9 i9 j9"))


# On the board of TAMSK


def test_what_has_been_made_is_not_announced_any_more_though_it_is_no_evidence_yet() -> None:
    evening = Evening("tamsk", level=2)
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(5, "A1-B2")
    evening.move(6, "A1", "B2")
    ruled = evening.game
    shown = foresee(let_rest(ruled, instant(7.53)))
    assert (len(ruled.plies), len(shown.plies)) == (1, 2)
    assert (ruled.announced is None, shown.announced) == (False, None)
    assert shown.turn == "red"


def test_a_turn_that_hands_did_not_make_as_announced_is_replaced_by_the_announced_one() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2")
    assert evening.steps == [(Action.TAKE_GLASS, "D1"), (Action.PUT_GLASS, "D2"), (Action.PUT_RING, "D2")]
    evening.edges(2, "A4.north", on=False)
    evening.until(3)
    assert evening.steps == [
        (Action.PUT_GLASS, "A4"),
        (Action.TAKE_GLASS, "D1"),
        (Action.PUT_GLASS, "D2"),
        (Action.PUT_RING, "D2"),
    ]
    evening.edges(3.5, "B4.south")
    evening.edges(4, "B4.ring1")
    evening.until(6)
    assert evening.texts == ["D1-D2"]
    assert [ruling.kind for ruling in evening.rulings] == ["turn", "illegal"]
    told = evening.rulings[-1]
    assert isinstance(told, IllegalRuled)
    assert (told.code, told.text) == ("not_announced", "A4-B4")
    assert {(each.action, each.space) for each in told.put_right} == {
        (Action.TAKE_RING, "B4"),
        (Action.TAKE_GLASS, "B4"),
        (Action.TAKE_GLASS, "D1"),
        (Action.PUT_GLASS, "A4"),
        (Action.PUT_GLASS, "D2"),
        (Action.PUT_RING, "D2"),
    }
    assert evening.game.judgement.phase is Phase.WRONG


def test_a_glass_that_was_lifted_by_mistake_goes_back_first_and_as_it_stood() -> None:
    evening = Evening("tamsk", level="2")
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    made = [(Action.TAKE_GLASS, "A1"), (Action.PUT_TURNED, "B2"), (Action.PUT_RING, "B2")]
    assert evening.steps == made
    evening.edges(5, "G1.north", on=False)
    evening.until(6)
    assert evening.steps == [(Action.PUT_GLASS, "G1"), *made]
    evening.edges(6.5, "G1.north")
    evening.until(8)
    assert evening.steps == made


def test_a_turn_without_a_ring_is_whole_once_it_stands_as_announced() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2=")
    evening.move(2, "D1", "D2", ring=0)
    evening.until(6)
    assert evening.texts == ["D1-D2="]


def test_a_ring_that_the_other_player_drops_late_changes_nothing() -> None:
    evening = Evening("tamsk", level="1")
    evening.move(1, "D1", "D2", ring=0)
    evening.press(4, "red")
    evening.until(6)
    assert evening.texts == ["D1-D2="]
    evening.announce(7, "A1-B2")
    evening.edges(8, "D2.ring1")
    evening.until(10)
    assert (Action.TAKE_RING, "D2") not in evening.steps
    evening.move(11, "A1", "B2")
    evening.until(15)
    assert evening.texts == ["D1-D2=", "+D2,A1-B2"]
    assert evening.rulings[-1].kind == "turn"


def test_a_correction_of_the_position_withdraws_what_was_announced() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.announce(1, "D1-D2")
    evening.tell(RingsSet(instant(2), "D4", 1, "red", ANN))
    assert not evening.announced


def test_what_hands_do_before_anything_is_announced_is_put_back() -> None:
    evening = Evening("tamsk", level="1", opponent_plays="red")
    evening.move(1, "D1", "D2")
    evening.until(5)
    assert evening.texts == []
    assert [each.action for each in evening.game.judgement.repairs] == [
        *(Action.TAKE_RING, Action.TAKE_GLASS, Action.PUT_GLASS),
    ]


def test_a_turn_that_time_has_forbidden_is_withdrawn() -> None:
    evening = Evening("tamsk", level="2")
    turns = [("D1", "D2"), ("A1", "B2"), ("G4", "G3"), ("G1", "F1"), ("A4", "B4"), ("D7", "D6"), ("D2", "D3")]
    for number, (origin, target) in enumerate(turns):
        at = 5 if number < 2 else 60 + 8 * number
        if number % 2:
            evening.announce(
                at + 3,
                next(text for text in evening.game.texts() if text[:5] == f"{origin}-{target}" and text[5:] != "="),
            )
        evening.move(at + 4 * (number % 2), origin, target)
        evening.until(at + 7)
    assert len(evening.texts) == len(turns)
    evening.announce(120, "B2-B3")
    assert counts_at(evening.game) == instant(125)
    assert hands_left(evening.game, instant(123)) == 2 * SECOND
    assert evening.steps
    known = evening.game
    evening.until(191)
    assert known.announced is not None
    assert not evening.announced
    assert steps_due(replace(evening.game, announced=known.announced)) == ()


def test_a_turn_that_the_rules_leave_no_choice_about_needs_no_announcement() -> None:
    evening = Evening("tamsk", level="3")
    evening.move(1, "D1", "D2")
    evening.until(5)
    evening.edges(6, "timer15.north", on=False)
    evening.edges(6.5, "timer15.south")
    evening.until(30)
    assert evening.texts == ["D1-D2", "lost"]
    assert TamskGame.of(evening.game) is not None


def test_ones_own_turn_is_the_last_that_a_person_made() -> None:
    evening = Evening("twenty-squares", opponent_plays="p1")
    assert turns_to_take_back(evening.game) == 0
    evening.enter(1, "throw:5")
    evening.announce(2, "convert")
    evening.enter(3, "convert")
    assert turns_to_take_back(evening.game) == 0
    alone = begin("tabik", {"size": "4"})
    alone, _ = step(alone, TurnEntered(instant(1), "a1b1", ANN))
    assert turns_to_take_back(alone) == 1


_UNTIL_BLACK_CANNOT_MOVE = (
    "G4-F4 D7-C6= D1-D2 G1-F2 A4-B5x F2-G1= F4-F5= +F5,A1-A2= +A2,D2-D1x G1-F2= +F2,F5-F4= F2-F1= +F1,B5-C5 "
    "A2-B2 C5-C4= B2-C3 F4-G4x C3-B3= +B3,G4-G3= C6-D6 G3-F3= +F3,D6-D5= +D5,F3-E3 B3-B4 C4-C3= B4-C4 E3-E4= "
    "C4-C5x E4-F4= +F4,D5-D6= F4-E5= +E5,F1-E1x E5-D5= E1-D2x C3-D3= +D3,D2-C1= +C1,D3-C3 C1-B1x D5-E4= "
    "+E4,C5-D5 E4-E3 D6-D7x C3-D3 D5-C4= D3-C2 C4-B4x E3-E4 B4-A3x E4-F3= +F3,D7-E6x F3-G3= E6-E5x C2-C3= "
    "+C3,B1-A1x C3-D4= A3-B3x D4-D3= +D3,E5-D5x D3-D4= D5-C4= D4-E4x C4-D4 G3-G2= B3-C4 E4-E3x A1-B2= +B2,G2-G1x "
    "B2-C2= E3-E2="
)
"""Of a game at random: then Black has no glass to move, and passes (rule 6)."""


def test_a_turn_that_the_rules_forced_is_taken_back_with_the_one_before_it() -> None:
    game = begin("tamsk", {"level": "1"})
    for number, text in enumerate(_UNTIL_BLACK_CANNOT_MOVE.split(), 1):
        game, _ = step(game, TurnEntered(instant(number), text, ANN))
    assert [ply.text for ply in game.plies][-2:] == ["E3-E2=", "pass"]
    count = turns_to_take_back(game)
    assert count == 2
    game, _ = step(game, TurnsVoided(instant(100), count, give_back=True, who=ANN))
    assert len(game.plies) == len(_UNTIL_BLACK_CANNOT_MOVE.split()) - 1


# While a person is on turn


def beside_a_person(**settings: object) -> Evening:
    """An engine that plays Black at level 3 has made its first turn, and Red is on turn."""
    evening = Evening("tamsk", level="3", **settings)
    evening.move(1, "D1", "D2")
    evening.until(4)
    evening.announce(4, "A1-B2")
    evening.move(5, "A1", "B2")
    evening.until(9)
    assert (evening.texts, evening.game.turn) == (["D1-D2", "A1-B2"], "red")
    return evening


def turn_timer(evening: Evening, at: float, pole: str = "north") -> None:
    """Turn the 15-second glass, which stood with this pole up."""
    evening.edges(at, f"timer15.{pole}", on=False)
    evening.edges(at + 0.8, f"timer15.{'south' if pole == 'north' else 'north'}")
    evening.until(at + 2)


def timers(evening: Evening) -> list[TimerTurned]:
    return [ruling for ruling in evening.rulings if isinstance(ruling, TimerTurned)]


def test_an_engine_that_is_not_on_turn_has_the_15_second_glass_turned() -> None:
    evening = beside_a_person()
    game = evening.game
    assert (player_off_turn(game, instant(9)), texts_off_turn(game, instant(9))) == ("black", ("flip15",))
    assert engine_that_acts(game) is None
    with pytest.raises(CorrectionError, match="no engine is on turn"):
        evening.announce(10, "G4-G3")
    evening.announce(10, "flip15")
    acts = engine_that_acts(evening.game)
    assert acts is not None
    assert acts.name == "Gnomon 3"
    assert evening.steps == [(Action.FLIP_TIMER, "")]
    assert counts_at(evening.game) == instant(15)
    turn_timer(evening, 11)
    assert [ruling.by for ruling in timers(evening)] == ["black"]
    assert not evening.announced
    assert player_off_turn(evening.game, instant(14)) == "", "it runs"
    assert player_off_turn(replace(evening.game, opponent=None), instant(40)) == ""


def test_the_15_second_glass_counts_though_no_hand_has_turned_it() -> None:
    evening = beside_a_person()
    with pytest.raises(CorrectionError, match="flip15"):
        evening.tell(TurnEntered(instant(10), "flip15", ENGINE))
    evening.announce(10, "flip15")
    evening.tell(TurnEntered(instant(15), "flip15", ENGINE))
    assert [ruling.at for ruling in timers(evening)] == [instant(15)]
    assert not evening.announced
    turn_timer(evening, 18)  # late, which changes nothing
    assert len(timers(evening)) == 1
    assert evening.game.judgement.phase is Phase.AGREED
    turn_timer(evening, 22, "south")
    assert evening.game.judgement.code == "timer15_running"


def test_a_15_second_glass_that_was_owed_and_has_run_out_is_turned_as_ever() -> None:
    evening = beside_a_person()
    evening.announce(10, "flip15")
    evening.tell(TurnEntered(instant(15), "flip15", ENGINE))
    evening.move(17, "G4", "G3")
    evening.until(31)
    assert evening.game.turn == "black"
    turn_timer(evening, 32)  # against the engine
    assert [ruling.by for ruling in timers(evening)] == ["black", "red"]


def test_what_was_announced_off_turn_lapses_with_the_turn() -> None:
    evening = beside_a_person()
    evening.announce(10, "flip15")
    evening.edges(11, "G4.north", on=False)
    assert evening.announced == "flip15"
    evening.edges(12, "G3.south")
    evening.edges(12.5, "G3.ring1")
    evening.until(15)
    assert (evening.texts[-1], evening.announced) == ("G4-G3x", "")
    assert timers(evening) == []
