"""How many times faster than real time the whole daemon runs on the simulated board.

Included: hands' raw edges with bounce, emulated chips, drivers, scans, debouncing, referee, journal in memory, lights.
The display is measured apart: it is drawn at its own rate, up to ten pictures a second.
"""

from random import Random
from statistics import median
from time import process_time

from gnomon.rules.tamsk import Tamsk
from gnomon.timekeeping.instants import SECOND
from gnomon_pi.simulated.habits import Habits
from gnomon_pi.simulated.hands import edges, play
from gnomon_pi.simulated.scores import random_score
from gnomon_pi.simulated.virtual import VirtualDaemon

ROUNDS = 9
UNHURRIED = Habits(cuts_it_fine=0.0)


def measured(level: int, seed: int, *, with_display: bool) -> tuple[float, float]:
    """Virtual seconds of one game, and seconds of a core."""
    random = Random(seed)
    rules = Tamsk.from_settings({"level": level})
    score = random_score(rules, random, UNHURRIED)
    happenings = tuple(edges(play(score, random, level=level, habits=UNHURRIED)))
    daemon = VirtualDaemon.of_new_board(with_display=with_display)
    started = process_time()
    daemon.new_game({"level": level})
    daemon.play(happenings)
    daemon.wait_for_the_end()
    return daemon.watch.now() / SECOND, process_time() - started


def main() -> None:
    """Print the median factor and the time of a game at each level."""
    for level in (1, 2, 3):
        for with_display in (False, True):
            games = [measured(level, seed, with_display=with_display) for seed in range(ROUNDS)]
            factor = median(virtual / real for virtual, real in games)
            real = median(real for _, real in games)
            seen = "with display" if with_display else "without display"
            print(f"level {level}, {seen}: {factor:,.0f} times real time, {real * 1000:.0f} ms a game")


if __name__ == "__main__":
    main()
