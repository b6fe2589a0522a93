"""How fast the rules of every game play random games, side by side with python-chess on the same machine.

A ply is: list the legal moves, choose one, play it, through the public interface with all its checks. They are
different games, so the ratio says what the rules cost, not which library is better. Throws and draws are plies too.
Also: one legality verdict with its reason, all placements of a Tayu tile, memory of a position, perfect play of TAU.
Run it with `python -m tests.bench.rules_against_chess`; it prints medians of interleaved rounds.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import chess

from gnomon.games.tau.rules import Tau
from gnomon.games.tau.rules.solver import PerfectPlay
from gnomon.games.tayu.rules import KINDS, Tayu
from gnomon.rules.protocol import Rules
from gnomon.rules.registry import rules_of

LONGEST_GAME = 400  # plies; chess played at random hardly ends by itself
GAMES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "tamsk level 1": ("tamsk", {}),
    "tamsk level 1, ring=auto": ("tamsk", {"ring": "auto"}),
    "tamsk level 2": ("tamsk", {"level": "2"}),
    "tamsk level 3": ("tamsk", {"level": "3"}),
    "tabik 8x8": ("tabik", {}),
    "tabik 10x10": ("tabik", {"size": "10"}),
    "tau 10x10": ("tau", {"limit": "70"}),
    "tayu 17x17": ("tayu", {}),
    "twenty squares": ("twenty-squares", {}),
    "twenty squares, aseb": ("twenty-squares", {"ruleset": "aseb"}),
}
AnyRules = Rules[Any, Any]


def random_plies(rules: AnyRules, plies: int, chance: random.Random) -> float:
    """Seconds for so many plies of random games."""
    begun = time.perf_counter()
    position = rules.start()
    for _ in range(plies):
        moves = rules.legal_moves(position)
        if not moves:
            position = rules.start()
            moves = rules.legal_moves(position)
        position = rules.play(position, chance.choice(moves))
    return time.perf_counter() - begun


def chess_plies(plies: int, chance: random.Random) -> float:
    """Seconds for so many plies of random chess."""
    begun = time.perf_counter()
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves or len(board.move_stack) >= LONGEST_GAME:
            board = chess.Board()
            moves = list(board.legal_moves)
        board.push(chance.choice(moves))
    return time.perf_counter() - begun


def midgame(rules: AnyRules, chance: random.Random) -> tuple[list[Any], list[Any]]:
    """Positions of one random game, and every move that was legal in any of them."""
    positions: list[Any] = []
    moves: set[Any] = set()
    position = rules.start()
    while legal := rules.legal_moves(position):
        positions.append(position)
        moves.update(legal)
        position = rules.play(position, chance.choice(legal))
    middle = positions[len(positions) // 3 : -len(positions) // 3 or None]
    return middle or positions, sorted(moves, key=repr)


def verdict(rules: Any, chance: random.Random) -> float:  # noqa: ANN401 - why_not is not in the protocol
    """Median microseconds of one verdict, legal or not, in the middle of a game."""
    positions, moves = midgame(rules, chance)
    questions = [(chance.choice(positions), chance.choice(moves)) for _ in range(2_000)]
    times = []
    for position, move in questions:
        begun = time.perf_counter()
        rules.why_not(position, move)
        times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e6


def size_of(value: object) -> int:
    """Bytes of a position and all it holds, shared small numbers included."""
    inside = value if isinstance(value, tuple | frozenset) else ()
    return sys.getsizeof(value) + sum(size_of(part) for part in inside)


def placements(chance: random.Random) -> float:
    """Median microseconds for all placements of a tile in the middle of a game of Tayu."""
    rules = Tayu.from_settings({})
    positions, _ = midgame(rules, chance)
    times = []
    for position in positions:
        for tile in range(len(KINDS)):
            begun = time.perf_counter()
            rules.placements(position, tile)
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1e6


def solved(size: int) -> tuple[int, float]:
    """The value of TAU on a square grid, and seconds to find it."""
    rules = Tau.from_settings({"rows": size, "columns": size, "limit": 1})
    begun = time.perf_counter()
    position = rules.start()
    return PerfectPlay(position).value(position), time.perf_counter() - begun


def main() -> None:
    """Measure in interleaved rounds, and print medians and ratios."""
    parser = argparse.ArgumentParser(description="Random plies per second: every game against python-chess.")
    parser.add_argument("--quick", action="store_true", help="a short run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plies", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rounds, plies = (1, 500) if arguments.quick else (arguments.rounds, arguments.plies)
    chance = random.Random(arguments.seed)
    games = {name: rules_of(game, settings) for name, (game, settings) in GAMES.items()}
    measured: dict[str, Callable[[], float]] = {"python-chess": lambda: chess_plies(plies, chance)}
    for name, rules in games.items():
        measured[name] = lambda rules=rules: random_plies(rules, plies, chance)  # type: ignore[misc]  # mypy cannot tell the type of a default
    speeds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(rounds):
        for name, measure in measured.items():
            speeds[name].append(plies / measure())
    medians = {name: statistics.median(each) for name, each in speeds.items()}
    unit = next(iter(medians.values()))
    print(f"{'':26} {'plies/s':>9} {'x chess':>7} {'verdict':>9} {'position':>9}")
    for name, median in medians.items():
        more = ""
        if name in games:
            rules = games[name]
            positions, _ = midgame(rules, chance)
            more = f" {verdict(rules, chance):6.1f} µs {size_of(positions[-1]):7} B"
        print(f"{name:26} {median:9,.0f} {median / unit:7.1f}{more}")
    print(f"all placements of a Tayu tile in mid-game: {placements(chance):.1f} µs (median)")
    for size in (10, 12) if arguments.quick else (10, 15, 20):
        value, seconds = solved(size)
        print(f"perfect play of TAU {size}x{size}: V = {value} in {seconds:.3f} s")


if __name__ == "__main__":
    main()
