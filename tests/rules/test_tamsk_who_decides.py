"""What decides that sand has run out: nominal durations, measured ones, or the players' eyes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, FLIP15, STOP15, Move, Position, Tamsk
from gnomon.games.tamsk.rules.glasses import Durations, read_durations, write_durations
from gnomon.rules.protocol import IllegalMoveError, NotationError, Outcome, SettingsError
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from tests.rules.drawn import play

MEASURED = "red1:170.5/190,red2:180/180,red3:180/180,black1:180/180,black2:180/180,black3:180/180.000001"
WATCHED = Tamsk.from_settings({"level": 2, "time": "sand"})
WATCHED_3 = Tamsk.from_settings({"level": 3, "time": "sand"})


def at(seconds: float) -> Instant:
    return Instant(round(seconds * SECOND))


# Measured durations


def test_a_measured_glass_runs_as_long_as_the_end_does_that_is_up() -> None:
    rules = Tamsk.from_settings({"level": 2, "time": "calibrated", "durations": MEASURED})
    # Red's glass on D1 starts with its south end up: moved and turned over, its north end is up.
    position = play(rules, rules.start(), "D1-D2")
    assert position.sands[0].runs_out_at() == at(170.5)
    assert rules.deadline(position) == at(170.5)
    (other,) = {sand.turn(Instant(0)).runs_out_at() for sand in position.sands[1:5]}
    assert other == at(180)


def test_half_of_the_sand_takes_half_of_the_time_of_the_other_direction() -> None:
    rules = Tamsk.from_settings({"level": 2, "time": "calibrated", "durations": MEASURED})
    position = play(rules, rules.start(), "D1-D2")
    turned = position.sands[0].turn(at(85.25))
    assert turned.runs_out_at() == at(85.25 + 95)


def test_a_measured_15_second_glass_is_used_at_level_3() -> None:
    rules = Tamsk.from_settings({"level": 3, "time": "calibrated", "durations": f"{MEASURED},timer15:14.5/15.5"})
    position = rules.play(rules.start(), FLIP15)
    assert position.bound_until == at(14.5)


def durations() -> st.SearchStrategy[Durations]:
    one = st.integers(1, 10**9).map(Duration)
    return st.lists(st.tuples(one, one), min_size=6, max_size=7).map(tuple)


@given(durations())
def test_durations_read_back_exactly_as_they_were_written(measured: Durations) -> None:
    assert read_durations(write_durations(measured)) == measured


def test_the_text_names_the_north_end_first() -> None:
    assert write_durations(read_durations(MEASURED)) == MEASURED


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"time": "noon"}, "time must be one of electronic, calibrated, sand, not 'noon'"),
        ({"level": 2, "time": "calibrated"}, "time=calibrated needs durations, the measured ones of every glass"),
        ({"durations": MEASURED}, "durations are for time=calibrated, not for time=electronic"),
        (
            {"level": 3, "time": "calibrated", "durations": MEASURED},
            "durations lack timer15: level 3 is played with it",
        ),
        ({"durations": "red1:1/2"}, "durations lack red2: every glass needs its own"),
        ({"durations": "red1:0/2"}, "durations: a glass must run for more than 0 s"),
        (
            {"durations": "red1:1.1234567/2"},
            "durations: '1.1234567' is not a number of seconds with at most six decimal places",
        ),
        (
            {"durations": 180},
            (
                "durations are written red1:181.2/179.8,… : seconds with the north end up, then with the south end up; "
                "'180' is not"
            ),
        ),
        (
            {"durations": "red1:1/2,red1:1/2"},
            "durations name each of red1, red2, red3, black1, black2, black3 and timer15 at most once, not 'red1'",
        ),
        (
            {"durations": "green1:1/2"},
            "durations name each of red1, red2, red3, black1, black2, black3 and timer15 at most once, not 'green1'",
        ),
    ],
)
def test_wrong_settings_are_refused_with_one_sentence(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Tamsk.from_settings(settings)
    assert str(caught.value) == sentence


def test_where_no_sand_runs_any_policy_will_do() -> None:
    assert [Tamsk.from_settings({"time": time}).start().sands for time in ("calibrated", "sand")] == [(), ()]
    assert WATCHED.legal_moves(WATCHED.start())


# The players' eyes


def after_the_opening() -> Position:
    """Every glass moved once and running, red on turn, at 60 s."""
    position = WATCHED.start()
    for second, text in enumerate(("D1-D2", "A1-A2", "A4-A3", "G1-G2", "G4-G3", "D7-D6")):
        position = play(WATCHED, WATCHED.elapse(position, at(10 * second + 10)), text)
    return position


def stopped(rules: Tamsk, position: Position, *spaces: str) -> Position:
    for space in spaces:
        position = rules.play(position, rules.parse(position, f"stop:{space}"))
    return position


def test_nothing_runs_out_by_itself() -> None:
    position = after_the_opening()
    later = WATCHED.elapse(position, at(10_000))
    assert WATCHED.deadline(position) is None
    assert all(sand.is_running(later.now) for sand in later.sands)
    assert WATCHED.outcome(later) is None


def test_a_glass_that_was_seen_to_run_out_never_moves_again() -> None:
    position = stopped(WATCHED, after_the_opening(), "D2")
    with pytest.raises(IllegalMoveError, match="rule 12"):
        WATCHED.parse(position, "D2-D3")
    with pytest.raises(IllegalMoveError, match="a glass on D2 does not run"):
        WATCHED.parse(position, "stop:D2")


def test_what_is_seen_is_no_turn_and_stands_among_the_moves() -> None:
    position = after_the_opening()
    texts = {WATCHED.text(position, move) for move in WATCHED.legal_moves(position)}
    assert {"stop:D2", "stop:A2", "stop:D6"} <= texts
    assert "stop15" not in texts
    assert WATCHED.play(position, WATCHED.parse(position, "stop:A2")).mover == position.mover
    assert not WATCHED.is_turn(STOP15)


def test_whose_last_glass_was_seen_to_run_out_passes_and_the_game_ends_with_the_last_one() -> None:
    position = stopped(WATCHED, after_the_opening(), "D2", "A3", "G3")
    turns = [WATCHED.text(position, move) for move in WATCHED.legal_moves(position) if WATCHED.is_turn(move)]
    assert turns == ["pass"]
    over = stopped(WATCHED, position, "A2", "G2", "D6")
    assert WATCHED.outcome(over) == Outcome(None, "draw")
    assert WATCHED.legal_moves(over) == ()


def blocked() -> Position:
    """Nobody can move, both have as many rings left, and every glass runs."""
    position = after_the_opening()
    full = sum(4 - BOARD.distance(space, BOARD.index["D4"]) << 3 * space for space in range(37))
    return position._replace(rings=full, enterable=0, rings_left=(5, 5))


def test_with_equal_rings_the_glass_that_is_seen_to_stop_last_decides() -> None:
    lined_up = stopped(WATCHED, blocked(), "D2", "A3", "A2", "G2")
    assert WATCHED.is_lined_up(lined_up)
    assert WATCHED.outcome(lined_up) is None
    over = stopped(WATCHED, lined_up, "D6")
    assert WATCHED.outcome(over) == Outcome("red", "last_running_glass")
    assert not WATCHED.is_lined_up(over)


def test_nothing_is_lined_up_while_somebody_can_move_or_has_a_ring_to_drop() -> None:
    assert not WATCHED.is_lined_up(after_the_opening())
    assert not WATCHED.is_lined_up(blocked()._replace(penalty=True))
    assert not WATCHED.is_lined_up(blocked()._replace(lifted=BOARD.index["D2"]))
    assert not Tamsk.from_settings({"level": 2}).is_lined_up(Tamsk.from_settings({"level": 2}).start())


def test_a_glass_in_the_air_is_not_seen_to_run_out() -> None:
    position = after_the_opening()
    held = WATCHED.lift(position, BOARD.index["D2"])
    with pytest.raises(IllegalMoveError, match="does not run"):
        WATCHED.play(held, Move(origin=BOARD.index["D2"], kind="stop"))


@pytest.mark.parametrize(("lifted_first", "turn"), [(False, "lost"), (True, "D1-D2")])
def test_the_15_second_glass_binds_until_it_is_seen_to_be_empty(lifted_first: bool, turn: str) -> None:
    rules = WATCHED_3
    position = rules.play(rules.elapse(rules.start(), at(1)), FLIP15)
    assert rules.deadline(position) is None
    position = rules.elapse(position, at(100))
    assert not rules.lost_is_due(position)
    if lifted_first:
        position = rules.lift(position, BOARD.index["D1"])
    position = rules.elapse(rules.play(position, rules.parse(position, "stop15")), at(101))
    after = rules.play(position, rules.parse(position, turn))
    assert after.penalty is lifted_first
    assert rules.text(position, STOP15) == "stop15"


def test_one_microsecond_after_it_was_seen_empty_the_turn_is_lost() -> None:
    rules = WATCHED_3
    position = rules.play(rules.elapse(rules.start(), at(1)), FLIP15)
    position = rules.play(rules.elapse(position, at(20)), STOP15)
    assert rules.deadline(position) == at(20) + 1
    assert not rules.lost_is_due(position)
    assert rules.lost_is_due(rules.elapse(position, Instant(at(20) + 1)))


def test_a_15_second_glass_that_binds_nobody_is_turned_again_by_a_player_who_sees_it_empty() -> None:
    rules = WATCHED_3
    position = rules.play(rules.start(), FLIP15)
    with pytest.raises(IllegalMoveError, match="only when it is empty"):
        rules.play(position, FLIP15)
    position = play(rules, rules.elapse(position, at(3)), "D1-D2")
    assert rules.play(position, FLIP15).timer15_binds


def test_a_timer_seen_empty_when_it_bound_nobody_binds_nobody() -> None:
    rules = WATCHED_3
    position = play(rules, rules.play(rules.start(), FLIP15), "D1-D2")
    assert not rules.play(position, STOP15).timer15_binds


def test_sand_set_by_hand_in_the_timer_goes_on_to_bind_until_it_is_seen() -> None:
    rules = WATCHED_3
    position = rules.play(rules.start(), FLIP15)
    assert rules.deadline(rules.with_sand(position, "timer15", Duration(5 * SECOND))) is None
    assert not rules.with_sand(position, "timer15", Duration(0)).timer15_binds


def test_unless_the_players_watch_the_sand_nobody_says_that_it_has_run_out() -> None:
    rules = Tamsk.from_settings({"level": 3})
    with pytest.raises(NotationError):
        rules.parse(rules.start(), "stop:D1")
    with pytest.raises(IllegalMoveError, match="only with time=sand"):
        rules.play(rules.start(), STOP15)


def test_there_is_no_other_thing_to_be_seen() -> None:
    with pytest.raises(IllegalMoveError, match="no such move"):
        WATCHED.play(WATCHED.start(), Move(kind="stop"))
