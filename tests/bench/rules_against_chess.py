"""How fast the rules of TAMSK play random games, side by side with python-chess on the same machine.

A ply is: list the legal moves, choose one, play it, through the public interface with all its checks. The two are
different games, so the ratio says what the rules cost, not which library is better.
Run it with `python tests/bench/rules_against_chess.py`; it prints the median of interleaved rounds.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping

import chess

from gnomon.rules.tamsk import Tamsk

LONGEST_GAME = 400  # plies; chess played at random hardly ends by itself


def tamsk_plies(rules: Tamsk, plies: int, chance: random.Random) -> float:
    """Seconds for so many plies of random TAMSK."""
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


def contenders(plies: int, chance: random.Random) -> Mapping[str, Callable[[], float]]:
    """What is measured, by name; chess first, as the unit."""

    def tamsk(settings: Mapping[str, str]) -> Callable[[], float]:
        rules = Tamsk.from_settings(settings)
        return lambda: tamsk_plies(rules, plies, chance)

    return {
        "python-chess": lambda: chess_plies(plies, chance),
        "tamsk level 1": tamsk({}),
        "tamsk level 1, ring=auto": tamsk({"ring": "auto"}),
        "tamsk level 2": tamsk({"level": "2"}),
        "tamsk level 3": tamsk({"level": "3"}),
    }


def main() -> None:
    """Measure in interleaved rounds, and print medians and ratios."""
    parser = argparse.ArgumentParser(description="Random plies per second: TAMSK against python-chess.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plies", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    measured = contenders(arguments.plies, random.Random(arguments.seed))
    speeds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(arguments.rounds):
        for name, measure in measured.items():
            speeds[name].append(arguments.plies / measure())
    medians = {name: statistics.median(rounds) for name, rounds in speeds.items()}
    unit = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{name:26} {median:9,.0f} plies/s {median / unit:6.1f} x")


if __name__ == "__main__":
    main()
