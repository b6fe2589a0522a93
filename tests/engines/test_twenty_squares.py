import hashlib
import os
from array import array
from collections.abc import Iterator, Mapping
from ctypes import CDLL
from itertools import combinations_with_replacement
from random import Random

import pytest

from gnomon.engines.cores import compiled_library
from gnomon.engines.protocol import Limits, Report
from gnomon.games.twenty_squares.engine import LuckAccount, TwentySquaresEngine
from gnomon.games.twenty_squares.engine._numbering import Counters, Layout, Numbering
from gnomon.games.twenty_squares.engine._solver import SMALLEST_CHANGE, TwentySquaresSolver
from gnomon.games.twenty_squares.engine._sweep import SCALE
from gnomon.games.twenty_squares.rules import Move, Position, TwentySquares
from gnomon.refusals import sentence
from gnomon.rules.protocol import NATURE, OVER
from tests.engines.twenty_squares_oracle_values import values_by_oracle

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
STACKINGS = ("off", "capture_together", "invincible")
STACKS: tuple[Mapping[str, str], ...] = (
    {"stacking": "capture_together"},
    {"stacking": "invincible"},
    {"stacking": "capture_together", "entry": "any", "board": "jiroft"},
    {"stacking": "invincible", "dice": "cube", "entry": "auto"},
    {"stacking": "invincible", "ruleset": "aseb"},
    {"stacking": "capture_together", "board": "asha"},
)


def rules_with(counters: int, **settings: object) -> TwentySquares:
    return TwentySquares.from_settings({**settings, "counters": counters})


def numbering_of(rules: TwentySquares) -> Numbering:
    layout = Layout.of(rules)
    assert layout is not None
    return Numbering(layout, rules.settings.counters)


def solved(rules: TwentySquares, library: CDLL | None = None, smallest_change: float = SMALLEST_CHANGE) -> "array[int]":
    """The table of a game, by the pure core or by the compiled one."""
    solver = TwentySquaresSolver(numbering_of(rules), smallest_change)
    values = array("I", [0]) * solver.size
    for _ in solver.solve(memoryview(values), 0, library):
        pass
    return values


def perfect(rules: TwentySquares, library: CDLL | None = None) -> TwentySquaresEngine:
    values = solved(rules, library)
    return TwentySquaresEngine(rules, lambda number: values[number] / SCALE)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    found = compiled_library(
        TwentySquaresSolver.core, {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    )
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
    """Every position of a game before a throw: all ways to put counters on squares that no two players share."""
    layout = Layout.of(rules)
    assert layout is not None
    steps = range(layout.last + 1)
    sides = [
        chosen
        for left in range(1, rules.settings.counters + 1)
        for chosen in combinations_with_replacement(steps, left)
        if rules.settings.stacks or all(chosen.count(step) <= 1 for step in steps[1:])
    ]
    squares = [["hand", *rules.board.routes[0]], ["no hand", *rules.board.routes[1]]]

    def counters(chosen: tuple[int, ...]) -> Counters:
        return layout.counters([chosen.count(step) for step in steps])

    for mine in sides:
        taken = {squares[0][step] for step in mine}
        for theirs in sides:
            if taken.isdisjoint(squares[1][step] for step in theirs):
                yield counters(mine), counters(theirs)


@pytest.mark.parametrize(
    ("counters", "settings"),
    [
        (1, {}),
        (2, {"board": "jiroft"}),
        (1, {"board": "double"}),
        (2, {"board": "jiroft", "stacking": "invincible"}),
        (2, {"stacking": "capture_together"}),
    ],
)
def test_every_position_has_a_number_of_its_own(counters: int, settings: Mapping[str, object]) -> None:
    rules = rules_with(counters, **settings)
    numbering = numbering_of(rules)
    assert sorted(numbering.number(*both) for both in placements(rules)) == list(range(numbering.size))


@pytest.mark.parametrize("kind", ["capture_together", "invincible"])
def test_rests_are_counted_as_they_are_listed(kind: str) -> None:
    for rules in (rules_with(5, stacking=kind), rules_with(5)):
        layout = numbering_of(rules).layout
        for left in range(1, 6):
            for held in range(left + 1):
                assert layout.rest_count(left, held) == len(layout.rests(left, held))


def test_a_smaller_game_is_the_beginning_of_a_greater_one() -> None:
    one, two = solved(rules_with(1)), numbering_of(rules_with(2))
    in_hand = two.layout.counters([1] + [0] * two.layout.last)
    assert two.number(in_hand, in_hand) < len(one) < two.size


def test_teams_have_no_table() -> None:
    assert TwentySquaresEngine(rules_with(3, board="double", players=4)).solver is None


def test_each_way_to_stack_has_a_table_of_its_own() -> None:
    solvers = [TwentySquaresEngine(rules_with(2, stacking=kind)).solver for kind in STACKINGS]
    assert len({solver.key for solver in solvers if solver is not None}) == len(STACKINGS)


def test_a_table_of_an_earlier_version_is_still_found_where_nothing_stacks() -> None:
    solver = TwentySquaresEngine(rules_with(1)).solver
    assert solver is not None
    assert hashlib.sha256(solver.key.encode()).hexdigest()[:16] == "90725d1c550c8256"


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


@pytest.mark.parametrize("settings", [*KINDS[:-2], *STACKS[2:4]], ids=str)
def test_the_compiled_core_finds_the_same_numbers(settings: Mapping[str, object], library: CDLL) -> None:
    assert solved(rules_with(1, **settings), library) == solved(rules_with(1, **settings))


@pytest.mark.parametrize("settings", [{}, *STACKS], ids=str)
def test_the_compiled_core_finds_the_same_numbers_for_two_counters(
    settings: Mapping[str, object], library: CDLL
) -> None:
    # They are the same after every sweep: there is no need to wait for the last.
    rules = rules_with(2, **settings)
    assert solved(rules, library, smallest_change=0.3) == solved(rules, smallest_change=0.3)


@pytest.mark.parametrize("settings", [*KINDS[:5], *STACKS], ids=str)
def test_the_rules_themselves_find_the_values_of_the_compiled_core(
    settings: Mapping[str, object], library: CDLL
) -> None:
    rules = rules_with(2, **settings)
    values = perfect(rules, library).values
    assert values is not None
    for _, position in zip(range(300), before_throws(rules, Random(2)), strict=False):
        assert values.chance_by_throws(position) == pytest.approx(values.chance(position), abs=1e-9)


def test_stacks_of_three_counters_are_worth_what_the_rules_make_of_them(library: CDLL) -> None:
    rules = rules_with(3, stacking="invincible")
    values = perfect(rules, library).values
    assert values is not None
    for _, position in zip(range(2_000), before_throws(rules, Random(2)), strict=False):
        assert values.chance_by_throws(position) == pytest.approx(values.chance(position), abs=1e-9)


@pytest.mark.parametrize("settings", STACKS[:2], ids=str)
def test_stacks_are_worth_what_the_oracle_of_the_rules_finds(settings: Mapping[str, str], library: CDLL) -> None:
    found = values_by_oracle(1e-7, board="jiroft", counters="2", **settings)
    rules = rules_with(2, board="jiroft", **settings)
    values = perfect(rules, library).values
    assert values is not None
    assert len(found) > 8_000
    for (mine, theirs), chance in found.items():
        counters = {name: [at for at in places if at[-1] in "123"] for name, places in (("p1", mine), ("p2", theirs))}
        position = rules.set_up(counters, {"p1": mine.count("home"), "p2": theirs.count("home")})
        assert values.chance(position) == pytest.approx(chance, abs=1e-6)


# How it plays


def to_answer(rules: TwentySquares, chance: Random, number: int) -> Iterator[Position]:
    """Positions in which somebody has a choice."""
    for position in before_throws(rules, chance):
        thrown = rules.play(position, chance.choice(list(rules.legal_moves(position))))
        if len(rules.legal_moves(thrown)) > 1:
            yield thrown
            number -= 1
        if not number:
            return


def reports(engine: TwentySquaresEngine, position: Position, nodes: int | None = None) -> list[Report]:
    return list(engine.think(position, Limits(nodes=nodes), Random(1), lambda: False))


def test_with_a_table_every_answer_has_its_proven_value(library: CDLL) -> None:
    rules = rules_with(2)
    engine = perfect(rules, library)
    values = engine.values
    assert values is not None
    for position in to_answer(rules, Random(3), 20):
        (report,) = reports(engine, position)
        assert all(each.score.proven for each in report.candidates)
        assert {each.move for each in report.candidates} == set(rules.legal_moves(position))
        assert report.candidates[0].score.chance == values.chance(position)


@pytest.mark.parametrize("settings", [{}, {"stacking": "capture_together"}, {"board": "double", "players": 4}], ids=str)
def test_without_a_table_it_looks_ahead_and_says_that_nothing_is_proven(settings: Mapping[str, object]) -> None:
    rules = TwentySquares.from_settings(settings)
    engine = TwentySquaresEngine(rules)
    for position in to_answer(rules, Random(3), 3):
        found = reports(engine, position, 150)
        assert [report.depth for report in found] == list(range(1, len(found) + 1))
        for report in found:
            assert {each.move for each in report.candidates} == set(rules.legal_moves(position))
            assert not any(each.score.proven for each in report.candidates)
            chances = [each.score.chance for each in report.candidates]
            assert chances == sorted(chances, reverse=True)
            assert all(0 < chance < 1 for chance in chances)


def test_it_stops_when_it_is_told_and_still_answers() -> None:
    rules = rules_with(5)
    position = next(to_answer(rules, Random(3), 1))
    found = list(TwentySquaresEngine(rules).think(position, Limits(), Random(1), lambda: True))
    assert [report.depth for report in found] == [1]


def test_it_takes_a_counter_off_that_wins() -> None:
    rules = rules_with(1)
    position = rules.set_up({"p1": ["i2"], "p2": ["d3"]})
    position = rules.play(position, rules.parse(position, "throw:4"))
    for engine in (TwentySquaresEngine(rules), perfect(rules)):
        report = reports(engine, position)[-1]
        assert rules.text(position, report.candidates[0].move) == "i2-off"
        assert report.candidates[0].score.chance == 1


def test_there_are_eight_levels_and_the_last_makes_no_mistake() -> None:
    levels = TwentySquaresEngine(rules_with(5)).levels
    assert len(levels) == 8
    assert [level.loss for level in levels] == sorted((level.loss for level in levels), reverse=True)
    assert levels[-1].loss == 0


@pytest.mark.parametrize("position", ["start", "over"])
def test_nobody_can_answer_before_a_throw(position: str) -> None:
    rules = rules_with(1)
    at = rules.start()
    if position == "over":
        at = rules.set_up({"p1": ["i2"], "p2": ["d3"]})
        for text in ("throw:4", "i2-off"):
            at = rules.play(at, rules.parse(at, text))
    with pytest.raises(ValueError, match="nobody"):
        reports(TwentySquaresEngine(rules), at)


# Luck and skill


def played(rules: TwentySquares, chance: Random) -> list[Move]:
    position, moves = rules.start(), []
    while rules.turn(position) != OVER:
        moves.append(chance.choice(list(rules.legal_moves(position))))
        position = rules.play(position, moves[-1])
    return moves


def test_luck_and_skill_add_up_to_the_result() -> None:
    rules = rules_with(1, entry="any", board="jiroft")
    engine = perfect(rules)
    for seed in range(20):
        moves = played(rules, Random(seed))
        account = engine.account(moves)
        assert account is not None
        luck, skill = (pair[0] - pair[1] for pair in (account.luck, account.skill))
        assert account.end in {0.0, 1.0}
        assert account.start + luck + skill == pytest.approx(account.end)
        assert max(account.skill) <= 1e-12
        assert account.deserved == pytest.approx(account.end - luck)


def test_a_game_that_is_not_over_is_parted_too() -> None:
    rules = rules_with(1)
    moves = played(rules, Random(1))[:-3]
    account = perfect(rules).account(moves)
    assert account is not None
    assert 0 < account.end < 1
    sums = account.luck[0] - account.luck[1] + account.skill[0] - account.skill[1]
    assert account.start + sums == pytest.approx(account.end)


def test_without_a_table_nobody_knows_what_luck_was() -> None:
    assert TwentySquaresEngine(rules_with(1)).account([]) is None


@pytest.mark.parametrize(
    ("account", "told"),
    [
        (
            LuckAccount(0.5, 1.0, (0.1, -0.31), (-0.11, -0.04)),
            """The throws were worth +41 % to Player 1. Player 2 played better: −4 % against −11 %.
            With even luck, Player 1 would win 43 of 100 games like this one.""",
        ),
        (
            LuckAccount(0.5, 0.0, (0.0, 0.5), (0.0, 0.0)),
            """The throws were worth +50 % to Player 2. Both played alike: 0 %.
            With even luck, Player 1 would win 50 of 100 games like this one.""",
        ),
    ],
)
def test_luck_and_skill_are_told_in_sentences(account: LuckAccount, told: str) -> None:
    assert sentence(account.summary(("p1", "p2"))) == " ".join(told.split())
