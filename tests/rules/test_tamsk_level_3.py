import pytest

from gnomon.games.tamsk.rules import BOARD, FLIP15, LOST, PASS, PLAYERS, START, Position, Tamsk
from gnomon.rules.protocol import IllegalMoveError, Outcome
from gnomon.timekeeping.instants import SECOND, Instant
from tests.rules.drawn import after_the_opening, play, position_of
from tests.rules.playing import code_of, legal

LEVEL_3 = Tamsk.from_settings({"level": 3})
SKIPPING = Tamsk.from_settings({"level": 3, "late": "skip_turn"})
AUTO = Tamsk.from_settings({"level": 3, "ring": "auto"})

# The black glasses on A1, D1 and G1 have only full spaces and a red glass around them.
WALLED_IN = """
                .
            .       .
        .       .       .
    .       .       .       .
        .       .       .
    .       .       .       .
        .       r       .
    1       .       .       1
        2       r       2
    b       .       .       b
        1       2       1
            1       r
                b
"""


def turns(rules: Tamsk, position: Position) -> list[str]:
    return [rules.text(position, move) for move in rules.legal_moves(position) if rules.is_turn(move)]


def walled_in(rules: Tamsk, rings_left: tuple[int, int] = (20, 20)) -> Position:
    """Black to move and unable to, with all six glasses running for a long time."""
    position = position_of(WALLED_IN, mover="black", left=rings_left)
    spaces = (BOARD.names[space] for space in position.glasses)
    return after_the_opening(rules, position, **dict.fromkeys(spaces, 170.0))


def test_a_lift_starts_a_turn_and_then_only_its_own_turns_can_be_played() -> None:
    start = LEVEL_3.start()
    assert {"lift:D1", "lift:A4", "lift:G4", "flip15"} <= set(legal(LEVEL_3, start))
    lifted = play(LEVEL_3, start, "@2", "lift:D1")
    assert (lifted.lifted, lifted.lifted_at) == (BOARD.index["D1"], 2 * SECOND)
    assert legal(LEVEL_3, lifted) == ["D1-C1=", "D1-C1x", "D1-D2", "D1-D2=", "D1-E1=", "D1-E1x"]
    assert code_of(LEVEL_3, lifted, "lift:A4") == "in_the_air"
    assert code_of(LEVEL_3, lifted, "flip15") == "in_the_air"


def test_the_opponent_turns_the_timer_when_it_is_empty_even_with_a_glass_in_the_air() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "@2", "lift:D1")
    turned = LEVEL_3.turn_timer15(position)
    assert turned.timer15_binds
    assert turned.bound_until == 17 * SECOND
    assert LEVEL_3.state(turned)["timer15"] == 15
    with pytest.raises(IllegalMoveError) as caught:
        LEVEL_3.turn_timer15(LEVEL_3.elapse(turned, Instant(17 * SECOND - 1)))
    assert caught.value.code == "timer15_running"


@pytest.mark.parametrize(("late", "penalty"), [(-1, False), (0, False), (1, True)])
def test_a_turn_complete_after_the_timer_has_emptied_is_late_and_costs_a_second_ring(late: int, penalty: bool) -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "@10", "lift:D1")
    position = LEVEL_3.elapse(position, Instant(15 * SECOND + late))
    position = play(LEVEL_3, position, "D1-D2")
    assert position.penalty is penalty
    assert ("A1-B2,+D2" in legal(LEVEL_3, position)) is penalty


@pytest.mark.parametrize(("late", "lost"), [(-1, False), (0, False), (1, True)])
def test_a_turn_not_started_when_the_timer_has_emptied_is_lost(late: int, lost: bool) -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15")
    position = LEVEL_3.elapse(position, Instant(15 * SECOND + late))
    assert LEVEL_3.lost_is_due(position) is lost
    assert (legal(LEVEL_3, position) == ["lost"]) is lost
    if lost:
        assert code_of(LEVEL_3, position, "D1-D2") == "turn_lost"
        assert code_of(LEVEL_3, position, "lift:D1") == "turn_lost"
        assert code_of(LEVEL_3, position, "pass") == "turn_lost"
        assert code_of(LEVEL_3, position, "flip15") == "no_move"
        position = play(LEVEL_3, position, "lost")
        assert (LEVEL_3.turn(position), position.penalty, position.timer15_binds) == ("black", False, False)


def test_a_turn_is_forced_on_a_player_who_can_only_lose_it_or_pass() -> None:
    start = LEVEL_3.start()
    late = LEVEL_3.elapse(play(LEVEL_3, start, "flip15"), Instant(15 * SECOND + 1))
    assert LEVEL_3.forced_turn(late) == LOST
    over = start._replace(ending=Outcome("red", "fewest_rings"))
    for free in (start, play(LEVEL_3, start, "lift:D1"), over):
        assert LEVEL_3.forced_turn(free) is None
    around = start._replace(enterable=0)
    for stuck in (around, around._replace(lifted=START[0])):
        assert LEVEL_3.forced_turn(stuck) == PASS


def test_a_lost_turn_moves_none_of_the_first_three_glasses_and_forfeits_the_forgotten_ring() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "D1-D2=", "flip15", "@16", "lost")
    assert position.forgotten == -1
    assert position.moved == 0b000001
    position = play(LEVEL_3, position, "A4-A3", "A1-A2", "G4-G3")
    assert {text[:2] for text in turns(LEVEL_3, position)} == {"G1", "D7"}


def test_the_deadlines_are_the_empty_timer_and_the_instant_after_it() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "@2", "flip15")
    assert LEVEL_3.deadline(position) == 17 * SECOND
    assert LEVEL_3.deadline(play(LEVEL_3, position, "@17")) == 17 * SECOND + 1
    assert LEVEL_3.deadline(play(LEVEL_3, position, "@18")) is None
    assert LEVEL_3.deadline(play(LEVEL_3, position, "lift:D1", "@17")) is None


def test_sand_left_over_binds_nobody_but_the_timer_cannot_be_turned_again_until_empty() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "@5", "D1-D2")
    assert not position.timer15_binds
    assert code_of(LEVEL_3, position, "flip15") == "timer15_running"
    position = play(LEVEL_3, position, "@100")
    assert not LEVEL_3.lost_is_due(position)
    assert "flip15" in legal(LEVEL_3, position)


def test_a_timer_turned_again_in_an_overdue_turn_does_not_undo_the_lateness() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "lift:D1", "@16")
    position = play(LEVEL_3, LEVEL_3.turn_timer15(position), "@17", "D1-D2")
    assert position.penalty


def test_the_second_ring_may_fall_on_any_space_with_room_glass_or_not() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "lift:D1", "@16", "D1-D2")
    texts = set(turns(LEVEL_3, position))
    assert {"A1-B2,+B2", "A1-B2,+D2", "A1-B2,+A1", "A1-B2=,+C3"} <= texts
    assert "A1-B2=,+B2" not in texts
    assert code_of(LEVEL_3, position, "A1-B2=,+B2") == "first_ring"
    assert code_of(LEVEL_3, position, "A1-A2,+A2") == "full"
    after = play(LEVEL_3, position, "A1-B2,+B2")
    assert after.rings_on(BOARD.index["B2"]) == 2
    assert after.rings_left == (31, 30)
    assert not after.penalty
    assert after.enterable >> BOARD.index["A1"] & 1
    assert not play(LEVEL_3, position, "A1-B2,+A1").enterable >> BOARD.index["A1"] & 1


def test_the_second_ring_is_optional_lapses_and_comes_from_the_own_holder() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "lift:D1", "@16", "D1-D2", "A1-B2")
    assert not any(",+" in text for text in turns(LEVEL_3, position))
    short = play(LEVEL_3, LEVEL_3.start(), "flip15", "lift:D1", "@16", "D1-D2")._replace(rings_left=(31, 1))
    assert "A1-B2=,+C3" in turns(LEVEL_3, short)
    assert code_of(LEVEL_3, short, "A1-B2,+C3") == "no_ring"


def test_the_full_form_of_a_turn_has_three_rings() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "lift:D1", "@16", "D1-D2=")
    after = play(LEVEL_3, position, "+D2,A1-B2,+C3")
    assert after.rings_left == (32, 29)
    assert play(LEVEL_3, position, "+D2,A1-B2,+D2").rings_on(BOARD.index["D2"]) == 2


def test_with_the_ring_set_to_auto_the_second_ring_is_still_optional() -> None:
    position = play(AUTO, AUTO.start(), "flip15", "lift:D1", "@16", "D1-D2")
    assert {"A1-B2", "A1-B2,+C3"} <= set(turns(AUTO, position))


def test_who_cannot_move_may_still_drop_the_free_ring() -> None:
    position = walled_in(LEVEL_3)._replace(penalty=True, idle=5)
    assert LEVEL_3.cannot_move(position)
    texts = legal(LEVEL_3, position)
    assert "pass" in texts
    assert {"+D7", "+D4", "+E1"} <= set(texts)
    assert all(text == "pass" or text.startswith("+") for text in texts)
    assert code_of(LEVEL_3, position, "+D2") == "full"
    assert code_of(LEVEL_3, position, "flip15") == "no_move"
    after = play(LEVEL_3, position, "+E1")
    assert after.rings_left == (20, 19)
    assert (after.mover, after.idle, after.penalty) == (0, 0, False)
    passed = play(LEVEL_3, position, "pass")
    assert (passed.rings_left, passed.idle) == ((20, 20), 6)


def test_without_a_second_ring_or_a_ring_at_all_there_is_no_free_ring() -> None:
    position = walled_in(LEVEL_3)
    assert code_of(LEVEL_3, position, "+D7") == "two_rings"
    poor = walled_in(LEVEL_3, rings_left=(20, 0))._replace(penalty=True)
    assert legal(LEVEL_3, poor) == ["pass"]
    assert code_of(LEVEL_3, poor, "+D7") == "no_ring"


def test_the_game_is_not_over_while_a_free_ring_is_due() -> None:
    position = walled_in(LEVEL_3)._replace(penalty=True)
    position = play(LEVEL_3, position, "@170")  # now no glass runs
    assert LEVEL_3.outcome(position) is None
    assert LEVEL_3.outcome(play(LEVEL_3, position, "+D7")) == Outcome("black", "fewest_rings")
    assert LEVEL_3.outcome(play(LEVEL_3, position, "pass")) == Outcome(None, "draw")


def test_the_timer_is_not_turned_against_a_player_who_has_no_move() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        LEVEL_3.turn_timer15(walled_in(LEVEL_3))
    assert caught.value.code == "no_move"


def test_who_had_no_move_when_the_timer_emptied_passes_and_who_had_one_has_lost_his_turn() -> None:
    for seconds, text in ((15.0, "pass"), (15.000001, "lost")):
        position = after_the_opening(LEVEL_3, LEVEL_3.start(), D1=seconds, A4=10, A1=100)
        assert legal(LEVEL_3, play(LEVEL_3, position, "flip15", "@20")) == [text]


def test_in_one_edition_the_late_player_sits_out_his_next_turn() -> None:
    position = play(SKIPPING, SKIPPING.start(), "flip15", "lift:D1", "@16", "D1-D2")
    assert not position.penalty
    position = play(SKIPPING, position, "A1-A2=")
    assert legal(SKIPPING, position) == ["lost"]
    assert SKIPPING.lost_is_due(position)
    assert code_of(SKIPPING, position, "lift:A4") == "turn_lost"
    assert code_of(SKIPPING, position, "flip15") == "no_move"
    position = play(SKIPPING, position, "lost", "G1-F1")
    assert PLAYERS[position.mover] == "red"
    assert {text[:2] for text in turns(SKIPPING, position)} == {"A4", "G4"}


def test_a_lift_and_a_turned_timer_are_no_turns() -> None:
    moves = LEVEL_3.legal_moves(LEVEL_3.start())
    assert sum(map(LEVEL_3.is_turn, moves)) == 18
    assert len(moves) == 18 + 3 + 1
    assert not LEVEL_3.is_turn(FLIP15)


def test_a_turn_may_be_played_at_once_without_a_lift() -> None:
    position = play(LEVEL_3, LEVEL_3.start(), "flip15", "@15", "D1-D2")
    assert not position.penalty


def test_who_is_not_on_turn_may_turn_the_glass_also_while_another_is_in_the_air() -> None:
    position = LEVEL_3.start()
    assert LEVEL_3.off_turn(position) == (FLIP15,)
    assert LEVEL_3.off_turn(play(LEVEL_3, position, "lift:D1")) == (FLIP15,)
    assert LEVEL_3.off_turn(play(LEVEL_3, position, "flip15")) == ()
    level_2 = Tamsk.from_settings({"level": 2})
    assert level_2.off_turn(level_2.start()) == ()
