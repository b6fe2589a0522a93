"""How fast the rules of Tau (Twenty Squares) play random games of Aseb, side by side with royalur on the same machine.

Both play the same game: 16 steps, five counters a side, throws of nought to four, safe rosettes that throw again. A
ply is a throw and what answers it, through the public interface: throw, list the moves, choose one, play it. Ours
checks every throw and every move; royalur plays a move unchecked. What royalur does by itself, to pass on a throw that
moves nothing, is a move here, `forfeit`, and is part of that ply.
Run it with `python tests/bench/twenty_squares_against_royalur.py`; it prints the medians of interleaved rounds.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from royalur import Game

from gnomon.games.twenty_squares.rules import Move, Position, TwentySquares

QUESTIONS = 10_000  # for verdicts of each kind
WARM_UP = 20_000  # plies: what both keep for later is found before anything is measured


def our_plies(rules: TwentySquares, plies: int, chance: random.Random) -> float:
    """Seconds of processor time for so many plies of random play."""
    outcome, legal_moves, play, any_of = rules.outcome, rules.legal_moves, rules.play, chance.random
    start = rules.start()
    # One throw of each kind for each way in which it falls.
    falls = [throw for throw in legal_moves(start) for _ in range(int(16 * rules.odds[throw.number]))]
    begun = time.process_time()
    position = start
    for _ in range(plies):
        position = play(position, falls[int(16 * any_of())])
        moves = legal_moves(position)
        position = play(position, moves[int(len(moves) * any_of())])
        if outcome(position) is not None:
            position = start
    return time.process_time() - begun


def their_plies(plies: int, chance: random.Random) -> float:
    """Seconds of processor time for so many plies of random play with royalur."""
    any_of = chance.random
    begun = time.process_time()
    game = Game.create_aseb()
    for _ in range(plies):
        game.roll_dice()
        if game.is_waiting_for_move():
            moves = game.find_available_moves()
            game.make_move(moves[int(len(moves) * any_of())])
            if game.is_finished():
                game = Game.create_aseb()
    return time.process_time() - begun


def verdicts(rules: TwentySquares, questions: int, chance: random.Random) -> tuple[float, float]:
    """Seconds for a verdict of legality on a move that is legal, and for one that is refused with its reason."""
    legal: list[tuple[Position, Move]] = []
    illegal: list[tuple[Position, Move]] = []
    position = rules.start()
    while len(legal) < questions or len(illegal) < questions:
        moves = rules.legal_moves(position)
        if not moves:
            position = rules.start()
            continue
        legal.append((position, chance.choice(moves)))
        wished = Move("move", max(position.throw, 1), chance.randrange(rules.board.last))
        if wished not in moves:
            illegal.append((position, wished))
        position = rules.play(position, legal[-1][1])
    return verdict(rules, legal[:questions], legal=True), verdict(rules, illegal[:questions], legal=False)


def verdict(rules: TwentySquares, asked: Sequence[tuple[Position, Move]], *, legal: bool) -> float:
    """Seconds for one verdict. Raises AssertionError if one of them is not as expected."""
    begun = time.process_time()
    given = [rules.why_not(position, move) for position, move in asked]
    ended = time.process_time()
    assert all((why is None) is legal for why in given)
    return (ended - begun) / len(asked)


def contenders(plies: int, chance: random.Random) -> Mapping[str, Callable[[], float]]:
    """What is measured, by name; royalur first, as the unit."""

    def ours(settings: Mapping[str, str]) -> Callable[[], float]:
        rules = TwentySquares.from_settings(settings)
        our_plies(rules, WARM_UP, chance)
        return lambda: our_plies(rules, plies, chance)

    return {"royalur, Aseb": lambda: their_plies(plies // 5, chance) * 5, "ruleset=aseb": ours({"ruleset": "aseb"})}


def main() -> None:
    """Measure in interleaved rounds, and print medians and ratios."""
    parser = argparse.ArgumentParser(description="Random plies of Aseb per second: these rules against royalur's.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--plies", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    arguments = parser.parse_args()
    rounds, plies = (1, 2_000) if arguments.quick else (arguments.rounds, arguments.plies)
    chance = random.Random(arguments.seed)
    measured = contenders(plies, chance)
    speeds: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(rounds):
        for name, measure in measured.items():
            speeds[name].append(plies / measure())
    medians = {name: statistics.median(each) for name, each in speeds.items()}
    unit = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{name:20} {median:9,.0f} plies/s {median / unit:6.1f} x")
    for settings in ({}, {"board": "double", "players": "4", "stacking": "invincible"}):
        legal, refused = verdicts(TwentySquares.from_settings(settings), QUESTIONS, chance)
        named = " ".join(f"{name}={value}" for name, value in settings.items()) or "defaults"
        print(f"verdict, {named}: {legal * 1e6:.2f} us when legal, {refused * 1e6:.2f} us with a reason")


if __name__ == "__main__":
    main()
