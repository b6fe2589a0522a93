"""From when on the estimate of TAMSK's engine says who will win, and how long the analysis of a game takes.

The engine plays itself at level 1 with few nodes, after eight random turns. Each forecast is compared with the result:
a mean square error (Brier) of that of "50 %" for every position means that the forecasts say nothing. Run it with
`python -m tests.bench.tamsk_forecasts`.
"""

import argparse
import random
import time
from collections import defaultdict
from typing import Final, NamedTuple

from gnomon.analysis import Effort, analyse
from gnomon.engines.protocol import Limits
from gnomon.games.tamsk.engine import TamskEngine
from gnomon.games.tamsk.rules import Tamsk
from gnomon.records.formats.sheets import Sheet, SheetLine
from gnomon.rules.protocol import OVER
from tests.bench._figures import say, say_machine

OPENING: Final = 8  # random turns
RINGS: Final = 64
STEP: Final = 10  # rings
_LIKELY: Final = 0.7


class Forecast(NamedTuple):
    """What was thought of red's chance when so many rings had fallen, and what came of it."""

    fallen: int
    chance: float
    result: float


def never() -> bool:
    """Nobody stops a search here."""
    return False


def play(rules: Tamsk, nodes: int, chance: random.Random) -> tuple[list[Forecast], Sheet]:
    """One game, with the forecast before each turn that was no proof."""
    engine, position = TamskEngine(rules), rules.start()
    seen: list[tuple[int, float]] = []
    lines: list[SheetLine] = []
    while rules.turn(position) != OVER:
        *_, report = engine.think(position, Limits(nodes, spread=0.0), chance, never)
        move, score, *_ = report.candidates[0]
        if len(lines) < OPENING:
            move = chance.choice([each for each in rules.legal_moves(position) if rules.is_turn(each)])
        elif not score.proven:
            red = score.chance if position.mover == 0 else 1 - score.chance
            seen.append((RINGS - sum(position.rings_left), red))
        lines.append(SheetLine(rules.text(position, move)))
        position = rules.play(position, move)
    end = rules.outcome(position)
    assert end is not None
    result = 0.5 if end.winner is None else float(end.winner == "red")
    return [Forecast(*each, result) for each in seen], Sheet(rules.name, {"ring": "auto"}, lines=tuple(lines))


def told(forecasts: list[Forecast]) -> str:
    """How good some forecasts were."""
    error = sum((each.chance - each.result) ** 2 for each in forecasts) / len(forecasts)
    nothing = sum((0.5 - each.result) ** 2 for each in forecasts) / len(forecasts)
    likely = [each.result for each in forecasts if each.chance >= _LIKELY]
    share = f"{sum(likely) / len(likely):.0%}" if likely else "–"
    errors = f"error {error:.3f}, of 50 % {nothing:.3f}"
    return f"{errors}; from 70 % up: {len(likely)}, of which won {share}  n {len(forecasts)}"


def main() -> None:
    """Play, and say how good the forecasts were, by how many rings had fallen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="show that it works; the figures mean nothing then")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    say_machine()
    rules, chance = Tamsk.from_settings({"ring": "auto"}), random.Random(arguments.seed)
    by_rings: defaultdict[int, list[Forecast]] = defaultdict(list)
    sheet = Sheet(rules.name)
    for _ in range(3 if arguments.quick else arguments.games):
        forecasts, sheet = play(rules, arguments.nodes, chance)
        for each in forecasts:
            by_rings[each.fallen // STEP].append(each)
    for tens, forecasts in sorted(by_rings.items()):
        say(f"{tens * STEP} to {tens * STEP + STEP - 1} rings fallen", told(forecasts))
    began = time.process_time()
    analyse(sheet, TamskEngine(rules), Effort(nodes=200 if arguments.quick else None), lambda _done, _of: None)
    say(f"analysis of a game of {len(sheet.lines)} turns", f"{time.process_time() - began:.1f} s")


if __name__ == "__main__":
    main()
