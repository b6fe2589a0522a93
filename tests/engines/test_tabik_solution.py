"""Tabik solved on small boards: by the rules alone, in Python and in C, and by the values that are known."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from gnomon.engines.cores import compiled_library
from gnomon.engines.solutions import Solution, SolvedTurns, dump_solution, exact_solver, load_solution, solve
from gnomon.games.tabik import engine
from gnomon.games.tabik.engine._solution import TabikSolver
from gnomon.games.tabik.rules import PIE, Position, Tabik
from tests.engines.test_tabik_engine import after_random_turns, tabik
from tests.engines.thinking import brute_force

SEARCHES = ("python", "c")


@pytest.fixture(scope="module", params=SEARCHES)
def search(
    request: pytest.FixtureRequest, c_compiler: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Tabik], TabikSolver]]:
    """Which search: what makes a solver of its kind for some rules."""
    if request.param == "python":
        yield solver_of
        return
    cache = tmp_path_factory.mktemp("cores")
    library = compiled_library(TabikSolver.core, {**os.environ, "XDG_CACHE_HOME": str(cache)})
    assert library is not None, c_compiler
    yield lambda rules: solver_of(rules).with_library(library)


def solver_of(rules: Tabik) -> TabikSolver:
    _, engine = tabik(size=rules.settings.size, pie="yes" if rules.settings.pie else "no")
    solver = exact_solver(engine)
    assert isinstance(solver, TabikSolver)
    return solver


def solved(rules: Tabik, solver: TabikSolver, position: Position) -> Solution:
    return solve(rules, solver, position, lambda *_: None, lambda: False)


def by_rules(rules: Tabik, position: Position) -> dict[str, bool]:
    """What each legal turn is worth, by brute force."""
    wins = brute_force(rules)
    return {rules.text(position, move): not wins(rules.play(position, move)) for move in rules.legal_moves(position)}


def test_every_turn_of_small_boards_is_worth_what_brute_force_says(search: Callable[[Tabik], TabikSolver]) -> None:
    for settings in ({"size": 2, "pie": "no"}, {"size": 2, "pie": "yes"}, {"size": 3, "pie": "no"}):
        rules, _ = tabik(**settings)
        solution = solved(rules, search(rules), rules.start())
        assert solution.is_whole
        assert solution.wins == by_rules(rules, rules.start())


def test_so_is_every_turn_of_positions_on_the_way(search: Callable[[Tabik], TabikSolver]) -> None:
    chance = Random(4)
    for size, turns, times in ((3, (1, 6), 12), (4, (7, 12), 12)):
        for pie in ("no", "yes"):
            rules, _ = tabik(size=size, pie=pie)
            solver = search(rules)
            for _ in range(times):
                position = after_random_turns(rules, chance.randrange(*turns), chance)
                if rules.outcome(position) is None:
                    assert solved(rules, solver, position).wins == by_rules(rules, position)


def test_who_may_swap_sides_takes_the_better_one() -> None:
    rules, _ = tabik(size=3, pie="yes")
    start = rules.start()
    first = solved(rules, solver_of(rules), start)
    assert set(first.wins.values()) == {False}
    assert first.winner_is_on_turn is False
    reply = rules.play(start, rules.parse(start, "a1b1"))
    solution = solved(rules, solver_of(rules), reply)
    assert solution.winner_is_on_turn
    assert solution.wins["pie"] is not any(won for text, won in solution.wins.items() if text != "pie")
    assert solver_of(rules).kinds(reply)[-1] == [PIE]


def test_of_turns_that_are_alike_one_is_solved() -> None:
    rules, _ = tabik(size=4, pie="no")
    kinds = solver_of(rules).kinds(rules.start())
    assert [len(kind) for kind in kinds] == [8] * 6
    texts = [{rules.text(rules.start(), move) for move in kind} for kind in kinds]
    assert {"b1c1", "c1b1", "b4c4", "c4b4", "a2a3", "a3a2", "d2d3", "d3d2"} in texts


def test_4_by_4_is_won_by_a_pair_in_the_middle_of_a_side(search: Callable[[Tabik], TabikSolver]) -> None:
    # Known: Black wins, and of six kinds of first turns only that one does. The position is far enough for a test.
    rules, _ = tabik(size=4, pie="no")
    position = rules.start()
    for text in ("c2b2", "b1c1", "c3c4", "a3a4", "d1d2", "b3b4"):
        position = rules.play(position, rules.parse(position, text))
    solution = solved(rules, search(rules), position)
    assert solution.is_whole
    assert solution.wins == by_rules(rules, position)


def test_a_search_that_is_stopped_tells_what_it_has(search: Callable[[Tabik], TabikSolver]) -> None:
    rules, _ = tabik(size=4, pie="no")
    solution = solve(rules, search(rules), rules.start(), lambda *_: None, lambda: True)
    assert not solution.is_whole
    assert solution.wins == {}
    assert solution.winner_is_on_turn is None
    assert solution.positions > 0


def test_each_kind_of_turn_is_told_as_it_is_solved() -> None:
    rules, _ = tabik(size=2, pie="no")
    told: list[tuple[int, int, SolvedTurns]] = []
    solve(rules, solver_of(rules), rules.start(), lambda *each: told.append(each), lambda: False)
    assert [(done, number, len(turns.moves)) for done, number, turns in told] == [(1, 1, 8)]


def test_where_nobody_is_on_turn_nothing_is_solved() -> None:
    rules, _ = tabik(size=2, pie="no")
    over = after_random_turns(rules, 12, Random(1))
    with pytest.raises(ValueError, match="nobody"):
        solved(rules, solver_of(rules), over)


def test_larger_boards_and_other_games_have_no_solver() -> None:
    _, engine = tabik(size=5)
    assert exact_solver(engine) is None
    assert exact_solver(object()) is None


def test_a_solution_is_read_back_as_it_was_written() -> None:
    rules, _ = tabik(size=2, pie="no")
    solution = solved(rules, solver_of(rules), rules.start())
    assert load_solution(dump_solution(solution)) == solution
    told = dict(dump_solution(solution))
    wrongs: list[object] = [[], {}, {**told, "wins": {"a1b1": 1}}, {**told, "turn": 3}, {**told, "positions": "many"}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match="no solution"):
            load_solution(wrong)


def test_the_core_compiles_without_a_word(c_compiler: str, tmp_path: Path) -> None:

    source = Path(engine.__file__).with_name("core.c")
    command = [c_compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-o", str(tmp_path / "core.so")]
    subprocess.run([*command, str(source)], check=True)
