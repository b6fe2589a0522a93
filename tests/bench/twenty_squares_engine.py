"""What the engine of the game of twenty squares knows and how well it plays, measured by its own tables.

`values` solves games of few counters and prints the first player's chance; `bellman` looks up random positions of a
game and finds each value again by the rules; `speed` is how long an answer takes, and how much memory the process has;
`matches` plays perfect play against others, with what their answers lose in chances of winning; `luck` lets
neighbouring levels play, and compares how results scatter with how they do without luck.
Run it with `python -m tests.bench.twenty_squares_engine values|bellman|speed|matches|luck`; it makes the tables that
it needs, in `--tables`.
"""

import argparse
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from gnomon.engines.cores import compiled_library
from gnomon.engines.levels import choose
from gnomon.engines.protocol import Level, Limits
from gnomon.engines.tables import ValueTable, find_table, make_table, tables_folder
from gnomon.games.twenty_squares.engine import TwentySquaresEngine
from gnomon.games.twenty_squares.rules import Move, Position, TwentySquares
from gnomon.rules.protocol import NATURE, OVER

RULESETS: Mapping[str, Mapping[str, str]] = {
    "sticks": {},
    "sticks, auto": {"entry": "auto"},
    "sticks, any": {"entry": "any"},
    "cube": {"dice": "cube"},
    "cube, auto": {"dice": "cube", "entry": "auto"},
    "cube, any": {"dice": "cube", "entry": "any"},
    "aseb": {"ruleset": "aseb"},
    "stacks": {"stacking": "capture_together"},
    "stacks, cube": {"stacking": "capture_together", "dice": "cube"},
    "stacks, any": {"stacking": "capture_together", "entry": "any"},
    "stacks, aseb": {"stacking": "capture_together", "ruleset": "aseb"},
    "invincible stacks": {"stacking": "invincible"},
    "invincible stacks, cube": {"stacking": "invincible", "dice": "cube"},
    "invincible stacks, any": {"stacking": "invincible", "entry": "any"},
    "invincible stacks, aseb": {"stacking": "invincible", "ruleset": "aseb"},
    "Jiroft": {"board": "jiroft"},
    "Jiroft, auto": {"board": "jiroft", "entry": "auto"},
    "Jiroft, any": {"board": "jiroft", "entry": "any"},
    "Jiroft, cube": {"board": "jiroft", "dice": "cube"},
    "Jiroft, aseb": {"board": "jiroft", "ruleset": "aseb"},
}
Player = Callable[[Position], Move]


def rules_with(ruleset: str, counters: int) -> TwentySquares:
    """The rules of a ruleset by its name here."""
    return TwentySquares.from_settings({**RULESETS[ruleset], "counters": counters})


def table_of(rules: TwentySquares, folder: Path) -> tuple[ValueTable, float]:
    """The table of a game, and the processor time that it took to make."""
    solver = TwentySquaresEngine(rules).solver
    assert solver is not None
    began, table = time.process_time(), find_table(solver, folder)
    if table is None:
        for _ in make_table(solver, folder, compiled_library(solver.core, os.environ)):
            pass
        table = find_table(solver, folder)
    assert table is not None
    return table, time.process_time() - began


def throw(rules: TwentySquares, position: Position, chance: Random) -> Move:
    """A throw by its odds."""
    moves = list(rules.legal_moves(position))
    return chance.choices(moves, [float(rules.weight(position, move)) for move in moves])[0]


def player_of(engine: TwentySquaresEngine, level: Level, chance: Random) -> Player:
    """Somebody who answers as a level of an engine does."""

    def answer(position: Position) -> Move:
        *_, report = engine.think(position, level.limits, chance, lambda: False)
        move: Move = choose(report.candidates, level.loss, chance).move
        return move

    return answer


def played(rules: TwentySquares, seats: Sequence[Player], chance: Random) -> tuple[Sequence[Move], int]:
    """The moves of a game, throws included, and the seat that wins it."""
    position, moves = rules.start(), []
    while (turn := rules.turn(position)) != OVER:
        move = throw(rules, position, chance) if turn == NATURE else seats[position.player](position)
        moves.append(move)
        position = rules.play(position, move)
    return moves, position.player


def random_positions(rules: TwentySquares, chance: Random) -> Iterator[Position]:
    """Positions before a first throw, from random games without end."""
    while True:
        position = rules.start()
        while rules.turn(position) != OVER:
            if rules.turn(position) == NATURE:
                if not position.entering:
                    yield position
                position = rules.play(position, throw(rules, position, chance))
            else:
                position = rules.play(position, chance.choice(list(rules.legal_moves(position))))


def show_values(folder: Path, most: int) -> None:
    """The first player's chance in every ruleset."""
    for name in RULESETS:
        for counters in range(1, most + 1):
            rules = rules_with(name, counters)
            table, seconds = table_of(rules, folder)
            values = TwentySquaresEngine(rules, table.exact).values
            assert values is not None
            print(f"{name}: {counters}: {values.chance(rules.start()):.9f}, {seconds:.1f} s", flush=True)


def show_bellman(folder: Path, counters: int, number: int) -> None:
    """How far the 16-bit values are from what the rules make of them, at random positions."""
    for name in RULESETS:
        rules = rules_with(name, counters)
        table, _ = table_of(rules, folder)
        values = TwentySquaresEngine(rules, table.__getitem__).values
        exact = TwentySquaresEngine(rules, table.exact).values
        assert values is not None
        assert exact is not None
        errors, exact_errors = [], []
        for _, position in zip(range(number), random_positions(rules, Random(1)), strict=False):
            errors.append(abs(values.chance_by_throws(position) - values.chance(position)))
            exact_errors.append(abs(exact.chance_by_throws(position) - exact.chance(position)))
        steps = max(errors) * 65535
        print(f"{name}: {counters}: {number} positions, {steps:.3f} / 65535; {max(exact_errors):.1e}", flush=True)


def show_speed(folder: Path, counters: int) -> None:
    """How long it takes to weigh all answers, and what the process has in memory before and after five thousand."""
    rules = rules_with("sticks", counters)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    table, _ = table_of(rules, folder)
    engine, chance, took = TwentySquaresEngine(rules, table.__getitem__), Random(1), []
    for _, position in zip(range(5_000), random_positions(rules, chance), strict=False):
        answering = rules.play(position, throw(rules, position, chance))
        began = time.thread_time()
        list(engine.think(answering, Limits(), chance, lambda: False))
        if len(rules.legal_moves(answering)) > 1:
            took.append(time.thread_time() - began)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    median, most = statistics.median(took) * 1000, max(took) * 1000
    print(f"{len(took)} answers with a choice: median {median:.2f} ms, most {most:.2f} ms")
    print(f"{before} KB before the table was opened, {after} KB after 5000 throws")


def show_matches(folder: Path, counters: int, games: int) -> None:
    """Perfect play against others: how often it wins, and what others' answers lose."""
    rules = rules_with("sticks", counters)
    table, _ = table_of(rules, folder)
    perfect, plain, chance = TwentySquaresEngine(rules, table.__getitem__), TwentySquaresEngine(rules), Random(1)

    def by(engine: TwentySquaresEngine, level: Level) -> Player:
        return player_of(engine, level, chance)

    others: dict[str, Player] = {"random": lambda position: chance.choice(list(rules.legal_moves(position)))}
    others |= {f"estimate, {depth} deep": by(plain, Level(Limits(depth=depth))) for depth in (1, 2)}
    others |= {f"level {number}, table": by(perfect, level) for number, level in enumerate(perfect.levels, 1)}
    others |= {f"level {number}, no table": by(plain, level) for number, level in enumerate(plain.levels[:-1], 1)}
    best = by(perfect, Level(Limits()))
    for name, other in others.items():
        won, lost = 0, []
        for number in range(games):
            seats = (best, other) if number % 2 else (other, best)
            moves, winner = played(rules, seats, chance)
            account = perfect.account(moves)
            assert account is not None
            won += seats[winner] is best
            lost.append(-account.skill[seats.index(other)])
        mean, error = statistics.mean(lost), statistics.stdev(lost) / games**0.5
        print(f"{name}: perfect play wins {won} of {games}; {mean:.3f} ± {1.96 * error:.3f} lost a game", flush=True)


def show_luck(folder: Path, counters: int, games: int) -> None:
    """How results of neighbouring levels scatter, as they are and without luck."""
    rules = rules_with("sticks", counters)
    table, _ = table_of(rules, folder)
    engine, chance = TwentySquaresEngine(rules, table.__getitem__), Random(1)
    for number, (lower, upper) in enumerate(pairwise(engine.levels), 1):
        players = [player_of(engine, level, chance) for level in (upper, lower)]
        points, deserved = [], []
        for game in range(games):
            first = game % 2
            moves, winner = played(rules, (players[first], players[1 - first]), chance)
            account = engine.account(moves)
            assert account is not None
            points.append(float(winner == first))
            deserved.append(account.deserved if first == 0 else 1 - account.deserved)
        plain, even = statistics.variance(points), statistics.variance(deserved)
        means = f"{statistics.mean(points):.3f} of the points, {statistics.mean(deserved):.3f} with even luck"
        scatter = f"variance {plain:.4f} and {even:.4f}: {plain / even:.1f} times"
        print(f"level {number + 1} against {number}: {means}; {scatter}", flush=True)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["values", "bellman", "speed", "matches", "luck"])
    parser.add_argument("--tables", type=Path, default=tables_folder(os.environ))
    parser.add_argument("--counters", type=int, default=5)
    parser.add_argument("--number", type=int, default=10_000, help="positions, or games of a match")
    wanted = parser.parse_args()
    if wanted.what == "values":
        show_values(wanted.tables, wanted.counters)
    elif wanted.what == "bellman":
        show_bellman(wanted.tables, wanted.counters, wanted.number)
    elif wanted.what == "speed":
        show_speed(wanted.tables, wanted.counters)
    elif wanted.what == "luck":
        show_luck(wanted.tables, wanted.counters, wanted.number)
    else:
        show_matches(wanted.tables, wanted.counters, wanted.number)


if __name__ == "__main__":
    main()
