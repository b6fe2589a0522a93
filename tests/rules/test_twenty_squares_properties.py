import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.twenty_squares.rules import CONVERT, Move, Position, TwentySquares
from gnomon.games.twenty_squares.rules._cache import Remembered
from gnomon.rules.perft import perft
from gnomon.timekeeping.instants import Instant
from tests.rules.twenty_squares_drawn import LATE, rules_of, thrown

TAU = rules_of()
ASEB = rules_of(ruleset="aseb")


# What stays the same


@st.composite
def positions(draw: st.DrawFn) -> tuple[TwentySquares, Position]:
    """Some position of some game."""
    board = draw(st.sampled_from(["tau", "double", "jiroft", "asha"]))
    settings: dict[str, object] = {"board": board, "stacking": draw(st.sampled_from(["off", "capture_together"]))}
    if board == "double":
        settings["players"] = draw(st.sampled_from([2, 4]))
    if board != "asha":
        settings["ruleset"] = draw(st.sampled_from(["tau", "aseb"]))
    rules = rules_of(counters=draw(st.integers(1, 7)), **settings)
    position = rules.start()
    chance = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 200))):
        moves = rules.legal_moves(position)
        if not moves:
            break
        position = rules.play(position, chance.choice(moves))
    return rules, position


def census(rules: TwentySquares, position: Position) -> dict[str, tuple[int, list[str], int]]:
    """For each player: counters in hand, on the board, at home."""
    state = rules.state(position)
    return {name: (state["hand"][name], state["counters"][name], state["home"][name]) for name in rules.players}  # type: ignore[index]  # read as JSON is


@pytest.mark.untraced
@given(positions())
def test_no_counter_is_ever_lost(case: tuple[TwentySquares, Position]) -> None:
    rules, position = case
    for hand, board, home in census(rules, position).values():
        assert hand + len(board) + home == rules.settings.counters


@pytest.mark.untraced
@given(positions())
def test_a_move_takes_one_own_counter_on_and_sends_enemies_back_from_where_it_lands(
    case: tuple[TwentySquares, Position],
) -> None:
    rules, position = case
    name = rules.players[position.player]
    before = census(rules, position)
    for move in rules.legal_moves(position):
        after = census(rules, rules.play(position, move))
        if move.kind != "move":
            assert after == before
            continue
        left, landed = rules.text(position, move).split("-")
        assert after[name][0] == before[name][0] - (left == "in")
        assert after[name][2] == before[name][2] + (landed == "off")
        for other in set(rules.players) - {name}:
            gone = [square for square in before[other][1] if square not in after[other][1]]
            assert set(gone) <= {landed}
            assert not gone or (landed not in rules.board.rosettes and other not in rules.team(name))
            assert after[other][0] == before[other][0] + len(gone)


@pytest.mark.untraced
@given(positions())
def test_the_turn_stays_after_a_rosette_and_a_conversion_and_passes_after_all_else(
    case: tuple[TwentySquares, Position],
) -> None:
    rules, position = case
    for move in rules.legal_moves(position):
        after = rules.play(position, move)
        landed = rules.text(position, move).rpartition("-")[2]
        stays = move.kind in ("throw", "convert") or landed in rules.board.rosettes
        assert rules.outcome(after) is not None or (after.player == position.player) is stays


@pytest.mark.untraced
@given(positions())
def test_a_position_with_a_throw_due_is_set_up_again_from_what_is_seen(case: tuple[TwentySquares, Position]) -> None:
    rules, position = case
    if rules.turn(position) != "nature" or position.entering:
        return
    seen = census(rules, position)
    counters = {name: board for name, (_, board, _) in seen.items()}
    home = {name: borne_off for name, (_, _, borne_off) in seen.items()}
    assert rules.set_up(counters, home, rules.players[position.player]) == position


@pytest.mark.untraced
@given(positions(), st.sampled_from(["convert", "forfeit", "move", "throw"]), st.integers(-1, 30), st.integers(-1, 30))
def test_a_move_is_listed_exactly_when_nothing_speaks_against_it(
    case: tuple[TwentySquares, Position], kind: str, number: int, start: int
) -> None:
    rules, position = case
    move = Move(kind, number, start)  # type: ignore[arg-type]  # a move that no type allows
    why = rules.why_not(position, move)
    assert (why is None) is (move in rules.legal_moves(position))
    assert why is None or (why.code.isidentifier() and why.message and not why.message.endswith("."))


@pytest.mark.untraced
@given(positions())
def test_a_position_is_small(case: tuple[TwentySquares, Position]) -> None:
    _, position = case
    assert sys.getsizeof(position) + sys.getsizeof(position.places) + sys.getsizeof(position.piles) < 256


@pytest.mark.parametrize("settings", [{}, {"dice": "cube"}, {"dice": "cowries"}, {"ruleset": "aseb"}])
def test_the_odds_of_all_throws_are_one(settings: dict[str, object]) -> None:
    assert sum(rules_of(**settings).odds.values()) == 1


# And the rest of the protocol


def test_throws_and_forfeits_count_as_turns() -> None:
    # Five throws; three are forfeited and two converted; then five throws each.
    assert [perft(TAU, TAU.start(), turns) for turns in range(4)] == [1, 5, 5, 25]
    assert TAU.is_turn(Move("throw", 1))
    assert TAU.is_turn(CONVERT)


def test_the_state_tells_who_throws_and_what_was_thrown() -> None:
    assert TAU.state(thrown(TAU, LATE, 3)) == {
        "hand": {"p1": 4, "p2": 3},
        "home": {"p1": 0, "p2": 0},
        "counters": {"p1": ["i2"], "p2": ["c2", "h2"]},
        "throw": 3,
        "player": "p1",
    }


def test_the_counters_of_a_player_are_those_in_hand_and_the_steps_of_the_others() -> None:
    position = thrown(TAU, LATE, 3)
    assert [(hand, list(steps)) for hand, steps in (TAU.counters_of(position, player) for player in (0, 1))] == [
        (4, [13]),
        (3, [7, 12]),
    ]


def test_time_does_not_play() -> None:
    start = TAU.start()
    assert TAU.deadline(start) is None
    assert TAU.elapse(start, Instant(10**9)) is start


def test_rules_are_equal_when_their_settings_are() -> None:
    assert rules_of(counters="5") == TAU
    assert hash(rules_of(counters="5")) == hash(TAU)
    assert ASEB != TAU
    assert TAU != "twenty-squares"
    assert repr(TAU) == f"TwentySquares({TAU.settings!r})"


@pytest.mark.parametrize("board", ["tau", "double", "jiroft", "asha"])
def test_every_board_says_that_its_rules_are_a_conjecture(board: str) -> None:
    assert "conjectural" in str(rules_of(board=board).conjecture)


def test_what_was_found_is_kept_within_bounds_and_found_again() -> None:
    remembered = Remembered(lambda bits: [bits])
    first = remembered[7]
    assert remembered[7] is first
    for bits in range(10_000):
        assert remembered[bits] == [bits]
    assert len(remembered) < 5_000
    assert remembered[7] == first
