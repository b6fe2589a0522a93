"""Whether the engine of TAMSK loses glasses that it could have saved.

The engine plays both sides at level 2, where a turn takes a hand half to one and a half times its expected duration.
When a glass runs out, we go back to the last turn of its player: could that turn have moved the glass in time, even by
the slowest hand? If so, a search of many more nodes compares the best of those turns with the turn that was played.
Run it with `python -m tests.bench.tamsk_glasses`.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine
from gnomon.games.tamsk.rules import BOARD, PLAYERS, Move, Position, Tamsk
from gnomon.timekeeping.instants import Duration, after
from tests.bench._figures import say, say_machine
from tests.bench.tamsk_matches import OPENING, never, opened, turns

SLOWEST: Final = 1.5
"""The slowest hand, as a multiple of what the engine expects."""
CLEARLY: Final = 0.05
"""By how much more chance of winning a turn that saves the glass is clearly better."""


class Turn(NamedTuple):
    """A turn, with the position before it."""

    before: Position
    move: Move


class Lost(NamedTuple):
    """A glass that ran out, with the last turn of its player before that, which may have been a turn with it."""

    glass: int
    turn: Turn


def play(rules: Tamsk, limits: Limits, chance: random.Random) -> Iterator[Lost]:
    """Play one game, and name every glass that runs out after its player's first turn of it."""
    engine = TamskEngine(rules)
    position = opened(rules, chance, OPENING)
    last: list[Turn | None] = [None, None]
    while position.ending is None:
        best = list(engine.think(position, limits, chance, never))[-1].candidates[0]
        before, mover, move = position, position.mover, best.move
        last[mover] = Turn(position, move)
        taken = best.wait + round(limits.hands[mover] * (0.5 + chance.random())) if move.kind == "turn" else 0
        position = rules.elapse(position, after(position.now, taken))
        in_time = position.ending is None and position.mover == mover and rules.why_not(position, move) is None
        if in_time:
            position = rules.play(position, move)
        for glass in range(len(position.glasses)):
            turn = last[glass // 3]
            if (
                turn
                and before.sands[glass].is_running(before.now)
                and not position.sands[glass].is_running(position.now)
            ):
                yield Lost(glass, turn)


def savers(rules: Tamsk, lost: Lost, hand: Duration) -> list[Move]:
    """The turns that would have kept the glass running, if the slowest hand had carried them out at once."""
    before = lost.turn.before
    sand, space = before.sands[lost.glass], before.glasses[lost.glass]
    if not sand.is_running(before.now) or sand.remaining(before.now) <= hand * SLOWEST:
        return []
    return [move for move in turns(rules, before) if move.kind == "turn" and move.origin == space]


def gain(rules: Tamsk, lost: Lost, saving: list[Move], limits: Limits) -> float:
    """How much more chance of winning the best turn that saves the glass has than the turn that was played."""
    exactly = limits._replace(moves=(*saving, lost.turn.move), spread=1.0)
    report = list(TamskEngine(rules).think(lost.turn.before, exactly, random.Random(1), never))[-1]
    chances: dict[bool, float] = {}
    for candidate in report.candidates:
        kept = candidate.move in saving
        chances[kept] = max(chances.get(kept, 0.0), candidate.score.chance)
    return chances[True] - chances[False]


def main() -> None:
    """Say how many glasses ran out, how many could have been saved, and how many should have been."""
    parser = argparse.ArgumentParser(description="Glasses that the engine of TAMSK loses.")
    parser.add_argument("--quick", action="store_true", help="two games at each pace")
    parser.add_argument("--games", type=int, default=334, help="games at each of three paces")
    parser.add_argument("--nodes", type=int, default=4_000, help="nodes a move in the games")
    parser.add_argument("--deep", type=int, default=100_000, help="nodes of the search that compares")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the glasses that should have been saved")
    arguments = parser.parse_args()
    games, nodes, deep = (2, 200, 400) if arguments.quick else (arguments.games, arguments.nodes, arguments.deep)
    rules = Tamsk.from_settings({"level": 2, "ring": "auto"})
    say_machine()
    for pace in (3, 8, 15):
        hand = Duration(pace * 1_000_000)
        limits = Limits(nodes, hands=(hand, hand), spread=0.0)
        found: Counter[str] = Counter()
        for game in range(games):
            for lost in play(rules, limits, random.Random(arguments.seed * 100_003 + game)):
                found["ran out"] += 1
                saving = savers(rules, lost, hand)
                if not saving or lost.turn.move in saving:
                    continue
                found["savable"] += 1
                better = gain(rules, lost, saving, limits._replace(nodes=deep))
                found["clearly better to save"] += better >= CLEARLY
                if arguments.list and better >= CLEARLY:
                    before, glass = lost.turn.before, lost.turn.before.glasses[lost.glass]
                    played, saved = (rules.text(before, each) for each in (lost.turn.move, saving[0]))
                    when = f"game {game}, {before.now / 1e6:.0f} s, {PLAYERS[lost.glass // 3]}"
                    print(f"  {when}: {BOARD.names[glass]} ran out; {played}, where {saved} is better by {better:.2f}")
        say(
            f"{pace} s a turn, {games} games",
            ", ".join(f"{name} {found[name]}" for name in ("ran out", "savable", "clearly better to save")),
        )


if __name__ == "__main__":
    main()
