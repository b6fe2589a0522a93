import os
from array import array
from collections.abc import Iterator, Mapping
from ctypes import CDLL
from itertools import combinations
from random import Random

import pytest

from gnomon.engines.cores import compiled_library
from gnomon.games.twenty_squares.engine import TwentySquaresEngine
from gnomon.games.twenty_squares.engine._numbering import Counters, Layout, Numbering
from gnomon.games.twenty_squares.engine._solver import SMALLEST_CHANGE, Solver
from gnomon.games.twenty_squares.engine._sweep import SCALE
from gnomon.games.twenty_squares.rules import Position, TwentySquares
from gnomon.rules.protocol import NATURE, OVER

SOLVED: Mapping[str, tuple[Mapping[str, object], float]] = {
    "sticks": ({}, 0.5342026945),
    "cube": ({"dice": "cube"}, 0.5312707186),
    "aseb": ({"ruleset": "aseb"}, 0.5257020691),
}
"""What the rules page says of one counter for each player."""
KINDS: tuple[Mapping[str, object], ...] = (
    {},
    {"dice": "cube", "entry": "auto"},
    {"entry": "any"},
    {"ruleset": "aseb"},
    {"board": "jiroft"},
    {"board": "asha"},
    {"board": "double"},
    {"board": "double", "route": "short"},
)


def rules_with(counters: int, **settings: object) -> TwentySquares:
    return TwentySquares.from_settings({**settings, "counters": counters})


def numbering_of(rules: TwentySquares) -> Numbering:
    layout = Layout.of(rules)
    assert layout is not None
    return Numbering(layout, rules.settings.counters)


def solved(rules: TwentySquares, library: CDLL | None = None, smallest_change: float = SMALLEST_CHANGE) -> "array[int]":
    """The table of a game, by the pure core or by the compiled one."""
    solver = Solver(numbering_of(rules), smallest_change)
    values = array("I", [0]) * solver.size
    for _ in solver.solve(memoryview(values), 0, library):
        pass
    return values


def perfect(rules: TwentySquares, library: CDLL | None = None) -> TwentySquaresEngine:
    values = solved(rules, library)
    return TwentySquaresEngine(rules, lambda number: values[number] / SCALE)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    found = compiled_library(Solver.core, {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))})
    if found is None:
        pytest.skip("there is no C compiler here")
    return found


def before_throws(rules: TwentySquares, chance: Random) -> Iterator[Position]:
    """Positions before a first throw, from random games without end."""
    while True:
        position = rules.start()
        while rules.turn(position) != OVER:
            if rules.turn(position) == NATURE and not position.entering:
                yield position
            position = rules.play(position, chance.choice(list(rules.legal_moves(position))))


# How positions are numbered


def test_five_counters_have_as_many_positions_as_others_have_counted() -> None:
    assert numbering_of(rules_with(5)).size == 41_243_781
    assert numbering_of(rules_with(7)).size == 500_929_993


def placements(rules: TwentySquares) -> Iterator[tuple[Counters, Counters]]:
    """Every position of a game before a throw: all ways to put counters on squares that no two share."""
    layout = Layout.of(rules)
    assert layout is not None
    steps = range(1, layout.last + 1)
    counters = rules.settings.counters
    sides = [
        (left, chosen)
        for left in range(1, counters + 1)
        for on_board in range(left + 1)
        for chosen in combinations(steps, on_board)
    ]
    squares = [[rules.board.square(player, step) for step in steps] for player in (0, 1)]

    def packed(left: int, chosen: tuple[int, ...]) -> Counters:
        bits = {kind: sum(1 << layout.bits[step] for step in chosen if layout.kinds[step] == kind) for kind in (1, 2)}
        return Counters(left, bits[1], bits[2])

    for mine in sides:
        taken = {squares[0][step - 1] for step in mine[1]}
        for theirs in sides:
            if taken.isdisjoint(squares[1][step - 1] for step in theirs[1]):
                yield packed(*mine), packed(*theirs)


@pytest.mark.parametrize(("counters", "settings"), [(1, {}), (2, {"board": "jiroft"}), (1, {"board": "double"})])
def test_every_position_has_a_number_of_its_own(counters: int, settings: Mapping[str, object]) -> None:
    rules = rules_with(counters, **settings)
    numbering = numbering_of(rules)
    assert sorted(numbering.number(*both) for both in placements(rules)) == list(range(numbering.size))


def test_a_smaller_game_is_the_beginning_of_a_greater_one() -> None:
    one, two = solved(rules_with(1)), numbering_of(rules_with(2))
    assert two.number(Counters(1, 0, 0), Counters(1, 0, 0)) < len(one) < two.size


@pytest.mark.parametrize("settings", [{"stacking": "invincible"}, {"board": "double", "players": 4}])
def test_stacks_and_teams_have_no_table(settings: Mapping[str, object]) -> None:
    assert TwentySquaresEngine(TwentySquares.from_settings(settings)).solver is None


# What positions are worth


@pytest.mark.parametrize(("settings", "chance"), SOLVED.values(), ids=SOLVED)
def test_the_first_player_wins_as_the_rules_page_says(settings: Mapping[str, object], chance: float) -> None:
    rules = rules_with(1, **settings)
    values = perfect(rules).values
    assert values is not None
    assert values.chance(rules.start()) == pytest.approx(chance, abs=1e-9)


@pytest.mark.parametrize("settings", KINDS[:-1], ids=str)
def test_the_rules_themselves_find_the_same_values(settings: Mapping[str, object]) -> None:
    rules = rules_with(1, **settings)
    values = perfect(rules).values
    assert values is not None
    for _, position in zip(range(100), before_throws(rules, Random(1)), strict=False):
        assert values.chance_by_throws(position) == pytest.approx(values.chance(position), abs=1e-9)


@pytest.mark.parametrize("settings", KINDS[:-2], ids=str)
def test_the_compiled_core_finds_the_same_numbers(settings: Mapping[str, object], library: CDLL) -> None:
    assert solved(rules_with(1, **settings), library) == solved(rules_with(1, **settings))


def test_the_compiled_core_finds_the_same_numbers_for_two_counters(library: CDLL) -> None:
    # They are the same after every sweep: there is no need to wait for the last.
    rules = rules_with(2)
    assert solved(rules, library, smallest_change=0.1) == solved(rules, smallest_change=0.1)


@pytest.mark.parametrize("settings", KINDS[:5], ids=str)
def test_the_rules_themselves_find_the_values_of_the_compiled_core(
    settings: Mapping[str, object], library: CDLL
) -> None:
    rules = rules_with(2, **settings)
    values = perfect(rules, library).values
    assert values is not None
    for _, position in zip(range(300), before_throws(rules, Random(2)), strict=False):
        assert values.chance_by_throws(position) == pytest.approx(values.chance(position), abs=1e-9)
