"""How many tie-breaks come out as in gacrux, the program of FIDE's technical commission, and how long they take.

Swiss tournaments and round robins are played by chance, with forfeits, byes of every kind and people who leave, written
as report files, and ranked by both. Without gacrux only the time is measured: processor time of the process.
"""

import importlib.util
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from gnomon.tournament.standings import field_of
from gnomon.tournament.tiebreaks.values import name_of, values_of
from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.bench.pairing import ROUNDS, disturbed, gathered, told
from tests.tournament._evening import published
from tests.tournament._gacrux import ROUND_ROBIN, SWISS, differences, round_robin, swiss

EVENTS: Final = 100
SIZES: Final = (200, 1000)
TIMED: Final = ("BH", "BHC1", "SB", "AOB", "TPR", "PTP", "APRO", "APPO", "SOSOS")
MICROSECONDS: Final = 1_000_000


def compare(events: int, seed: int) -> None:
    """Say how many values of how many tie-breaks differ."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        for what, play, codes, how in (
            ("Swiss", swiss, SWISS, "-s"),
            ("round robins", round_robin, ROUND_ROBIN, "-p"),
        ):
            values, unlike = 0, 0
            for number in range(events):
                progress(f"{what} {number + 1} of {events}")
                tournament = play(seed + number)
                values += len(tournament.entrants) * len(codes)
                unlike += len(differences(tournament, file, codes, how))
            progress("")
            say(f"{what}: values that differ", f"{unlike} of {values:,} in {events}, by {len(codes)} tie-breaks")


def measure(size: int, rounds: int, seed: int) -> None:
    """Say how long each tie-break takes for everybody."""
    chance = random.Random(seed)
    tournament = gathered(size, chance)
    for _ in range(rounds):
        tournament = told(published(disturbed(tournament, chance)), chance)
    field = field_of(tournament)
    for name in TIMED:
        took = []
        for _ in range(3):
            before = time.process_time()
            values_of(field, name_of(name), field.told)
            took.append((time.process_time() - before) * MICROSECONDS)
        say(f"{size} entrants, {rounds} rounds: {name}", Spread.of(took))


def main() -> None:
    """Compare, where gacrux is installed, and measure."""
    options = parser(__doc__).parse_args()
    say_machine()
    if importlib.util.find_spec("gacrux"):
        compare(1 if options.quick else EVENTS, options.seed)
    for size in (16,) if options.quick else SIZES:
        measure(size, 3 if options.quick or size > SIZES[0] else ROUNDS, options.seed)


if __name__ == "__main__":
    main()
