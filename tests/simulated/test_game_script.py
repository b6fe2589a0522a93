from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, LOST, Position, Tamsk
from gnomon.rules.protocol import GameOverError, IllegalMoveError, NotationError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon_pi.simulated.players.game_script import Score, TimedTurn, random_score
from gnomon_pi.simulated.players.player_timing import FINGER, Habits, RandomSpan
from tests.timed_scores import time_script

SEEDS = st.integers(0, 1 << 32)
SETTINGS = st.fixed_dictionaries(
    {
        "level": st.sampled_from((1, 2, 3)),
        "ring": st.sampled_from(("optional", "auto")),
        "late": st.sampled_from(("two_rings", "skip_turn")),
        "stall": st.sampled_from((0, 5, 64)),
    }
).map(Tamsk.from_settings)

UNDER_PRESSURE = Habits(turns_timer15=0.8, loses_turn=0.2, comes_late=0.4, cuts_it_fine=0.5)
HABITS = st.sampled_from(
    (
        Habits(),
        UNDER_PRESSURE,
        Habits(leaves_end_open=0.9, drops_ring=0.4, plays_forgotten=0.9),
        Habits(think=RandomSpan(0, 500 * MILLISECOND), react=RandomSpan(100 * MILLISECOND, 200 * MILLISECOND)),
        Habits(carry=RandomSpan(250 * MILLISECOND, 40 * SECOND, 3.0)),
    )
)


def replayed(rules: Tamsk, score: Score) -> Position:
    """The position after a score, every touch at its instant; raises what the rules refuse."""
    position = rules.start()
    for turn in score:
        position = after_turn(rules, position, turn)
    return position


def after_turn(rules: Tamsk, position: Position, turn: TimedTurn) -> Position:
    timer15 = turn.timer15
    if turn.lifted is not None:
        if timer15 is not None and timer15 < turn.lifted:
            position, timer15 = rules.turn_timer15(rules.elapse(position, timer15)), None
        position = rules.lift(rules.elapse(position, turn.lifted), BOARD.index[turn.origin])
    if timer15 is not None:
        position = rules.turn_timer15(rules.elapse(position, timer15))
    # `lost` can be played from the microsecond after the one at which the 15-second glass is empty (rule 17).
    emptied = turn.text == LOST.kind and position.timer15_binds
    position = rules.elapse(position, Instant(turn.at + emptied))
    assert rules.turn(position) == turn.player
    move = rules.parse(position, turn.text)
    assert rules.text(position, move) == turn.text
    return rules.play(position, move, turn.placed if position.sands else None)


def touches(turn: TimedTurn) -> list[Instant]:
    """The touches of a turn in the order in which they must come."""
    drops = [drop.at for drop in (turn.free,) if drop is not None]
    own = [turn.lifted, turn.placed, turn.ring, *drops, turn.button]
    return [touch for touch in own if touch is not None]


@pytest.mark.untraced
@given(SETTINGS, SEEDS, HABITS)
def test_a_random_game_is_legal_to_its_end(rules: Tamsk, seed: int, habits: Habits) -> None:
    score = random_score(rules, Random(seed), habits, turns=300)
    position = replayed(rules, score)
    later = rules.elapse(position, Instant(position.now + 600 * SECOND))
    assert rules.outcome(later) is not None or len(score) == 300


@pytest.mark.untraced
@given(SETTINGS, SEEDS, HABITS)
def test_hands_are_never_faster_than_hands(rules: Tamsk, seed: int, habits: Habits) -> None:
    score = random_score(rules, Random(seed), habits, turns=60)
    ended = Instant(0)
    for turn in score:
        made = touches(turn)
        assert made == sorted(made)
        assert turn.at >= ended
        if turn.lifted is not None and turn.placed is not None:
            assert turn.lifted >= ended
            assert turn.placed - turn.lifted >= 2 * FINGER
            assert turn.forgotten is None or ended <= turn.forgotten.at <= turn.placed - FINGER
        ended = turn.at


@given(SETTINGS, SEEDS, HABITS)
def test_an_open_turn_is_ended_by_the_lift_of_the_next(rules: Tamsk, seed: int, habits: Habits) -> None:
    score = random_score(rules, Random(seed), habits, turns=60)
    for turn, reply in pairwise(score):
        if turn.is_open:
            assert turn.at == reply.lifted
            assert reply.forgotten is None or reply.forgotten.at > turn.at
    assert not (score and score[-1].is_open)


@pytest.mark.untraced
@given(SETTINGS, SEEDS)
def test_the_same_chance_gives_the_same_score(rules: Tamsk, seed: int) -> None:
    assert random_score(rules, Random(seed)) == random_score(rules, Random(seed))


@pytest.mark.untraced
@given(SEEDS, st.integers(0, 40), st.integers(1, 10))
def test_a_score_can_go_on_from_the_middle_of_a_game(seed: int, begun: int, more: int) -> None:
    rules = Tamsk.from_settings({"level": 3})
    random = Random(seed)
    position = replayed(rules, random_score(rules, random, turns=begun))
    score = random_score(rules, random, position=position, turns=more)
    assert all(turn.at >= position.now - 1 for turn in score)  # a loss is due 1 µs before it is played
    for turn in score:
        position = after_turn(rules, position, turn)


def of_many(level: int, **settings: str) -> list[TimedTurn]:
    rules = Tamsk.from_settings({"level": level, **settings})
    return [turn for seed in range(30) for turn in random_score(rules, Random(seed), UNDER_PRESSURE)]


def test_random_games_at_level_1_forget_rings_and_pass() -> None:
    turns = of_many(1)
    assert any(turn.text == "pass" for turn in turns)
    assert any(turn.forgotten is not None for turn in turns)
    assert any(turn.is_open for turn in turns)
    assert not any(turn.timer15 is not None or turn.penalty for turn in turns)


@pytest.mark.untraced
def test_random_games_at_level_3_know_every_kind_of_turn() -> None:
    turns = of_many(3)
    assert any(turn.text == "lost" for turn in turns)
    assert any(turn.free is not None and turn.lifted is not None for turn in turns)
    assert any(turn.free is not None and turn.lifted is None for turn in turns)
    assert any(turn.penalty and turn.text == "pass" and turn.button is not None for turn in turns)
    assert any(turn.timer15 is not None and turn.lifted is not None and turn.timer15 > turn.lifted for turn in turns)


def test_a_late_player_who_must_sit_out_loses_a_turn() -> None:
    turns = of_many(3, late="skip_turn")
    assert any(turn.text == "lost" and turn.timer15 is None for turn in turns)
    assert not any(turn.penalty for turn in turns)


def test_glasses_are_lifted_in_their_last_microsecond() -> None:
    rules = Tamsk.from_settings({"level": 2})
    dying = 0
    for seed in range(10):
        position = rules.start()
        for turn in random_score(rules, Random(seed), UNDER_PRESSURE):
            if turn.lifted is not None:
                glass = position.glass_on(BOARD.index[turn.origin])
                dying += position.sands[glass].runs_out_at() == turn.lifted + 1
            position = after_turn(rules, position, turn)
    assert dying > 10


def texts(score: Score) -> list[str]:
    return [turn.text for turn in score]


@pytest.mark.untraced
@given(SEEDS, st.integers(0, 60))
def test_a_written_score_of_level_1_gets_its_instants(seed: int, turns: int) -> None:
    rules = Tamsk.from_settings({"level": 1})
    written = texts(random_score(rules, Random(seed), turns=turns))
    score = time_script(rules, written, Random(seed + 1))
    assert texts(score) == written
    replayed(rules, score)


@pytest.mark.parametrize(
    ("level", "written"),
    [
        (2, "D1-D2 A1-B2= +B2,G4-G3x"),
        (3, "D1-D2 A1-B2,+D2 lost G1-F1x"),
        (3, "lost D7-D6= lost A1-A2x"),
        (3, "D1-D2= +D2,A1-B2=,+C3 A4-B4"),
    ],
)
def test_a_written_score_gets_the_pressure_that_it_needs(level: int, written: str) -> None:
    rules = Tamsk.from_settings({"level": level})
    for seed in range(20):
        score = time_script(rules, written.split(), Random(seed), Habits(think=RandomSpan(0, SECOND)))
        assert texts(score) == written.split()
        replayed(rules, score)


@pytest.mark.parametrize("written", ["D1-D2 A1-B2 pass", "D1-D2 D1-D2", "D1-D2 A1-B2,+C3"])
def test_a_written_score_that_no_timing_makes_legal_is_refused(written: str) -> None:
    with pytest.raises(IllegalMoveError):
        time_script(Tamsk.from_settings({"level": 1}), written.split(), Random(1))


def test_a_written_score_that_is_no_score_is_refused() -> None:
    with pytest.raises(NotationError):
        time_script(Tamsk.from_settings({"level": 1}), ["d1-d2"], Random(1))


def test_a_written_score_that_goes_on_after_the_end_is_refused() -> None:
    rules = Tamsk.from_settings({"level": 1})
    whole = texts(random_score(rules, Random(1)))
    with pytest.raises(GameOverError, match="before D1-D2"):
        time_script(rules, [*whole, "D1-D2"], Random(1))
