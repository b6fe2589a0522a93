"""What holds in every TAMSK position that play can reach, at every level and under every setting."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.rules import BOARD, CAPACITY, FLIP15, LOST, PASS, Move, Position, Tamsk
from gnomon.games.tamsk.rules.position import FREE_RINGS, LIFTS, enterable_spaces
from gnomon.rules.protocol import IllegalMoveError, RulesError
from gnomon.timekeeping.instants import SECOND, Instant

SPACES = range(len(BOARD.names))

every_rules = st.builds(
    lambda level, ring, late: Tamsk.from_settings({"level": level, "ring": ring, "late": late}),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["optional", "auto"]),
    st.sampled_from(["two_rings", "skip_turn"]),
)
# A choice among the legal moves, or a wait of so many microseconds.
steps = st.lists(st.tuples(st.integers(0, 2**16), st.none() | st.integers(0, 20 * SECOND)), max_size=90)


def positions(rules: Tamsk, choices: list[tuple[int, int | None]]) -> Iterator[Position]:
    """The positions of the game that these choices make, until it is over."""
    position = rules.start()
    yield position
    for choice, wait in choices:
        moves = rules.legal_moves(position)
        if not moves:
            return
        if wait is None:
            position = rules.play(position, moves[choice % len(moves)])
        else:
            position = rules.elapse(position, Instant(position.now + wait))
        yield position


def last(rules: Tamsk, choices: list[tuple[int, int | None]]) -> Position:
    """The last of them."""
    return list(positions(rules, choices))[-1]


def with_a_glass_in_the_air(rules: Tamsk, position: Position) -> Iterator[Position]:
    """The position with each glass of the player on turn lifted that may be."""
    for space in position.glasses:
        with suppress(RulesError):
            yield rules.lift(position, space)


def move_space(position: Position) -> Iterator[Move]:
    """Every move that could be written down, but for the places of extra rings, of which a few stand for all."""
    yield from chain((PASS, LOST, FLIP15), LIFTS, FREE_RINGS)
    extra = sorted({-1, position.forgotten, 18, *position.glasses[:2]})
    for origin, ring in product(SPACES, (True, False)):
        # Neighbours, the space itself, and one that is far away.
        for target in (*BOARD.neighbours[origin], origin, (origin + 18) % 37):
            for forgotten, free in product(extra, extra) if origin in position.glasses else [(-1, -1)]:
                yield Move(origin, target, ring, forgotten, free)


@given(every_rules, steps)
def test_there_are_always_64_rings_and_none_too_many_on_a_space(
    rules: Tamsk, choices: list[tuple[int, int | None]]
) -> None:
    for position in positions(rules, choices):
        on_board = [position.rings_on(space) for space in SPACES]
        assert sum(on_board) + sum(position.rings_left) == 64
        assert all(count <= capacity for count, capacity in zip(on_board, CAPACITY, strict=True))
        assert min(position.rings_left) >= 0


@given(every_rules, steps)
def test_six_glasses_stand_on_six_spaces_and_every_other_space_with_room_can_be_entered(
    rules: Tamsk, choices: list[tuple[int, int | None]]
) -> None:
    for position in positions(rules, choices):
        assert len(set(position.glasses)) == 6
        assert position.enterable == enterable_spaces(position.glasses, position.rings)
        for space in SPACES:
            glass = position.glass_on(space)
            assert (glass == -1) is (space not in position.glasses)
            assert position.owner_of(space) == (-1 if glass == -1 else glass // 3)


@pytest.mark.untraced
@given(every_rules, steps)
def test_a_move_is_legal_exactly_if_it_is_listed(rules: Tamsk, choices: list[tuple[int, int | None]]) -> None:
    position = last(rules, choices)
    listed = set(rules.legal_moves(position))
    assert len(listed) == len(rules.legal_moves(position))
    for move in move_space(position):
        illegality = rules.why_not(position, move)
        assert (illegality is None) is (move in listed)
        if illegality is not None:
            assert illegality.code.replace("_", "").replace("15", "").isalpha()
            assert illegality.message
    for move in listed:
        assert rules.why_not(position, move) is None


@pytest.mark.untraced
@given(every_rules, steps)
def test_a_turn_is_forced_exactly_if_no_other_is_legal(rules: Tamsk, choices: list[tuple[int, int | None]]) -> None:
    for position in positions(rules, choices):
        for each in (position, *with_a_glass_in_the_air(rules, position)):
            turns = [move for move in rules.legal_moves(each) if move != FLIP15]
            assert rules.forced_turn(each) == (turns[0] if turns in ([PASS], [LOST]) else None)


@given(every_rules, steps, st.integers(0, 2**16))
def test_playing_agrees_with_the_list_and_the_text(
    rules: Tamsk, choices: list[tuple[int, int | None]], chosen: int
) -> None:
    position = last(rules, choices)
    listed = rules.legal_moves(position)
    unlisted = [move for move in move_space(position) if move not in set(listed)]
    if listed:
        move = listed[chosen % len(listed)]
        text = rules.text(position, move)
        assert rules.parse(position, text) == move
        assert rules.parse(position, text.replace("x", "")) == move
        assert ("x" in text) is (move.ring and position.rings_on(move.target) + 1 == CAPACITY[move.target])
        rules.play(position, move)
        refused = unlisted[chosen % len(unlisted)]
        with pytest.raises(IllegalMoveError):
            rules.play(position, refused)


@given(every_rules, steps, st.integers(0, 40 * SECOND), st.integers(0, 40 * SECOND))
def test_waiting_twice_is_waiting_once_and_hashes_alike(
    rules: Tamsk, choices: list[tuple[int, int | None]], first: int, second: int
) -> None:
    position = last(rules, choices)
    then = Instant(position.now + first + second)
    stepped = rules.elapse(rules.elapse(position, Instant(position.now + first)), then)
    assert stepped == rules.elapse(position, then)
    assert hash(stepped) == hash(rules.elapse(position, then))


@given(every_rules, steps)
def test_nothing_but_the_clock_changes_before_the_deadline(rules: Tamsk, choices: list[tuple[int, int | None]]) -> None:
    position = last(rules, choices)
    deadline = rules.deadline(position)
    if deadline is not None:
        assert deadline > position.now
        before = rules.elapse(position, Instant(deadline - 1))
        assert before == position._replace(now=before.now)
        assert rules.legal_moves(before) == rules.legal_moves(position)


@pytest.mark.untraced
@given(every_rules, st.integers(0, 2**32))
def test_every_game_ends_and_the_fewest_rings_left_win(rules: Tamsk, seed: int) -> None:
    position = rules.start()
    for number in range(2000):
        moves = rules.legal_moves(position)
        if not moves:
            break
        turns = [move for move in moves if rules.is_turn(move)]
        position = rules.play(position, turns[(seed >> number % 24) * (number + 1) % len(turns)])
        position = rules.elapse(position, Instant(position.now + seed % SECOND))
    outcome = rules.outcome(position)
    assert outcome is not None
    red, black = position.rings_left
    if red != black:
        assert outcome.winner == ("red" if red < black else "black")


@given(every_rules, steps)
def test_a_lift_and_its_putting_back_leave_the_position_as_it_was(
    rules: Tamsk, choices: list[tuple[int, int | None]]
) -> None:
    position = last(rules, choices)
    for space in SPACES:
        moves = [move for move in rules.legal_moves(position) if move.origin == space and move.kind == "turn"]
        if position.lifted >= 0 or not moves:
            with pytest.raises(RulesError):
                rules.lift(position, space)
            continue
        lifted = rules.lift(position, space)
        assert set(rules.legal_moves(lifted)) == set(moves)
        assert rules.put_back(lifted) == position
