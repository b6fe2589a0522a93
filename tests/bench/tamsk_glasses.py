"""Whether the engine of TAMSK loses glasses that it could have saved.

The engine plays both sides at level 2, where a turn takes a hand half to one and a half times its expected duration.
When a glass runs out, we go back to its player's last chance: the last turn that could have moved the glass in time,
even by the slowest hand, or, where the player turned it while it was nearly full, that turn. A search of many more
nodes compares the best turn that saves the glass with the turn that was played; where it finds the saving turn clearly
better, a search of four times as many nodes has to confirm that, because the values of single searches jump. Last, that
search compares it with all turns: if another one is better still, to let the glass run out was right, and the turn that
was played wrong for another reason. What remains is asked once more of four times as many nodes: it says how much of
the rest is the judge's own error.
Run it with `python -m tests.bench.tamsk_glasses`.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine
from gnomon.games.tamsk.rules import BOARD, PLAYERS, Move, Position, Tamsk
from gnomon.timekeeping.instants import Duration, Instant, after
from tests.bench._figures import say, say_machine
from tests.bench.tamsk_matches import OPENING, never, opened, turns

SLOWEST: Final = 1.5
"""The slowest hand, as a multiple of what the engine expects."""
CLEARLY: Final = 0.05
"""By how much more chance of winning a turn that saves the glass is clearly better."""
NAMES: Final = (
    "ran out",
    "savable",
    "waited too long",
    "clearly better to save",
    "confirmed",
    "best of all",
    "best of all still",
)


class Turn(NamedTuple):
    """A turn, with the position before it, and for how long the engine waited on purpose."""

    before: Position
    move: Move
    wait: Duration


class Lost(NamedTuple):
    """A glass that ran out, the last turn in which it could have been saved, and the turns that would have saved it."""

    glass: int
    turn: Turn
    saving: Sequence[Move]


def play(rules: Tamsk, limits: Limits, chance: random.Random) -> Iterator[Lost | None]:
    """Play one game, and name every glass that runs out after its player's first turn of it; None: beyond saving."""
    engine = TamskEngine(rules)
    position = opened(rules, chance, OPENING)
    made: tuple[list[Turn], list[Turn]] = ([], [])
    while position.ending is None:
        best = list(engine.think(position, limits, chance, never))[-1].candidates[0]
        before, mover, move = position, position.mover, best.move
        made[mover].append(Turn(position, move, best.wait))
        taken = best.wait + round(limits.hands[mover] * (0.5 + chance.random())) if move.kind == "turn" else 0
        position = rules.elapse(position, after(position.now, taken))
        in_time = position.ending is None and position.mover == mover and rules.why_not(position, move) is None
        if in_time:
            position = rules.play(position, move)
        for glass in range(len(position.glasses)):
            ran, runs = before.sands[glass].is_running(before.now), position.sands[glass].is_running(position.now)
            if ran and not runs:
                # A glass that ran out in the hand was not turned.
                was_turned = in_time or glass // 3 != mover
                yield last_chance(rules, made[glass // 3], glass, limits.hands[0], was_turned=was_turned)


def last_chance(rules: Tamsk, made: Sequence[Turn], glass: int, hand: Duration, *, was_turned: bool) -> Lost | None:
    """The last of a player's turns in which the glass could have been saved; None where there was none."""
    for number, turn in enumerate(reversed(made)):
        before = turn.before
        moves = [move for move in turns(rules, before) if move.kind == "turn"]
        mine = [move for move in moves if move.origin == before.glasses[glass]]
        if turn.move in mine and (number or was_turned):
            others = [move for move in moves if move not in mine]
            # A player who turns a glass that is more than half full takes sand from it.
            is_shortened = before.sands[glass].remaining(turn_instant(turn, hand)) > 90_000_000
            return Lost(glass, turn, others) if others and is_shortened else None
        sand = before.sands[glass]
        if mine and sand.is_running(before.now) and sand.remaining(before.now) > hand * SLOWEST:
            return Lost(glass, turn, mine)
    return None


def turn_instant(turn: Turn, hand: Duration) -> Instant:
    """When a turn is expected to be made."""
    return after(turn.before.now, turn.wait + hand)


def gain(rules: Tamsk, lost: Lost, limits: Limits, others: Sequence[Move]) -> float:
    """How much more chance of winning the best turn that saves the glass has than the best of the other turns."""
    exactly = limits._replace(moves=(*lost.saving, *others), spread=1.0, reserve=0)
    report = list(TamskEngine(rules).think(lost.turn.before, exactly, random.Random(1), never))[-1]
    chances: dict[bool, float] = {}
    for candidate in report.candidates:
        kept = candidate.move in lost.saving
        chances[kept] = max(chances.get(kept, 0.0), candidate.score.chance)
    return chances[True] - chances[False]


def stays(rules: Tamsk, lost: Lost, limits: Limits, played: Sequence[Move], rest: Sequence[Move]) -> bool:
    """Whether saving the glass is clearly better than the turn that was played, and as good as any other."""
    return gain(rules, lost, limits, played) >= CLEARLY and gain(rules, lost, limits, rest) >= 0


def main() -> None:
    """Say how many glasses ran out, how many could have been saved, and how many should have been."""
    parser = argparse.ArgumentParser(description="Glasses that the engine of TAMSK loses.")
    parser.add_argument("--quick", action="store_true", help="two games at each pace")
    parser.add_argument("--games", type=int, default=334, help="games at each of three paces")
    parser.add_argument("--first", type=int, default=0, help="number of the first game: many are played in parts")
    parser.add_argument("--nodes", type=int, default=4_000, help="nodes a move in the games")
    parser.add_argument("--deep", type=int, default=100_000, help="nodes of the first search that compares")
    parser.add_argument("--reserve", type=int, help="nodes more where a glass may run out (45 times --nodes)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the glasses that should have been saved")
    arguments = parser.parse_args()
    games, nodes, deep = (2, 200, 400) if arguments.quick else (arguments.games, arguments.nodes, arguments.deep)
    reserve = 45 * nodes if arguments.reserve is None else arguments.reserve
    rules = Tamsk.from_settings({"level": 2, "ring": "auto"})
    say_machine()
    for pace in (3, 8, 15):
        hand = Duration(pace * 1_000_000)
        limits = Limits(nodes, hands=(hand, hand), spread=0.0, reserve=reserve)
        found: Counter[str] = Counter()
        for game in range(arguments.first, arguments.first + games):
            for lost in play(rules, limits, random.Random(arguments.seed * 100_003 + game)):
                found["ran out"] += 1
                if lost is None:
                    continue
                found["savable"] += 1
                if lost.turn.move in lost.saving:
                    found["waited too long"] += 1
                    continue
                played = [lost.turn.move]
                better = gain(rules, lost, limits._replace(nodes=deep), played)
                found["clearly better to save"] += better >= CLEARLY
                if better < CLEARLY:
                    continue
                better = gain(rules, lost, limits._replace(nodes=4 * deep), played)
                found["confirmed"] += better >= CLEARLY
                if better < CLEARLY:
                    continue
                rest = [move for move in turns(rules, lost.turn.before) if move not in lost.saving]
                is_best = gain(rules, lost, limits._replace(nodes=4 * deep), rest) >= 0
                found["best of all"] += is_best
                stays_best = is_best and stays(rules, lost, limits._replace(nodes=16 * deep), played, rest)
                found["best of all still"] += stays_best
                if arguments.list:
                    before, glass = lost.turn.before, lost.turn.before.glasses[lost.glass]
                    texts = [rules.text(before, each) for each in (lost.turn.move, lost.saving[0])]
                    when = f"game {game}, {before.now / 1e6:.0f} s, {PLAYERS[lost.glass // 3]}"
                    told = f"{BOARD.names[glass]} ran out; {texts[0]}, where {texts[1]} is better by {better:.2f}"
                    print(f"  {when}: {told}{', and best of all' * is_best}{' still' * stays_best}", flush=True)
        say(f"{pace} s a turn, {games} games", ", ".join(f"{name} {found[name]}" for name in NAMES))


if __name__ == "__main__":
    main()
