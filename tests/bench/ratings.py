"""How ratings come out against published examples, and how long look-ups and histories take.

The examples are Glickman's of Glicko-2, Elo's of Portisch, those of FIDE's exercises in tie-breaking, and the table of
expected scores against gacrux, where it is installed. Processor time of the process.
"""

import importlib
import importlib.util
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from gnomon.people._glicko2 import RatedResult, Rating, rate
from gnomon.tournament.events import EntrantRegistered
from gnomon.tournament.ratings.history import rating_histories
from gnomon.tournament.ratings.rating_list import look_up, read_rating_list
from gnomon.tournament.ratings.report import away_from_zero, rating_report
from gnomon.tournament.state.particulars import Heading
from gnomon.tournament.strength.elo import expected_score
from gnomon.tournament.tiebreaks.values import values_of
from tests.bench._figures import parser, say, say_machine
from tests.bench.pairing import gathered, told
from tests.tournament._cross_tables import TEC_RATINGS, TEC_SWISS, field
from tests.tournament._evening import published
from tests.tournament.test_ratings import COMBINED, at_tables, line
from tests.tournament.test_tie_breaks import SOLUTIONS

LISTED: Final = 200_000
SOUGHT: Final = 200
EVENTS: Final = 20
ENTRANTS: Final = 100
ROUNDS: Final = 7


def examples() -> None:
    """Say what published examples come to here."""
    met = [RatedResult(Rating(1400, 30), 1), RatedResult(Rating(1550, 100), 0), RatedResult(Rating(1700, 300), 0)]
    after = rate(Rating(1500, 200), met)
    say("Glickman: 1464.06, 151.52, 0.05999", f"{after.value:.2f}, {after.deviation:.2f}, {after.volatility:.5f}")
    say("Elo, Portisch against Hort: 0.55", f"{expected_score(2635, 2600) / 100:.2f}")
    change = away_from_zero(10 * (Fraction("10.5") - Fraction("9.66")))
    say("Elo, Portisch, 10½ of 15 for 9.66: 2643", f"{2635 + change}")
    report = rating_report(
        at_tables([1200, 1100, 1000, 1300], [((1, 2, 3, 4), "1 2 3 4")]), None, dict.fromkeys(range(1, 5), 48)
    )
    say("multi_elo, a table of four: 1220, 1112, 1004, 1264", ", ".join(str(one.after) for one in report))
    table = field(TEC_SWISS)._replace(ratings=TEC_RATINGS)
    for name in ("ARO", "TPR", "PTP", "APRO"):
        asked = {number: text for number, text in enumerate(SOLUTIONS[name].split(), start=1) if text != "-"}
        ours = values_of(table, name, asked)
        same = sum(ours[number] == Fraction(text) for number, text in asked.items())
        say(f"FIDE's exercises, {name}", f"{same} of {len(asked)}")
    if importlib.util.find_spec("gacrux"):
        theirs = importlib.import_module("gacrux.rating").ComputeExpectedScore
        others = range(1000, 3001)
        same = sum(expected_score(2000, other) == 100 * theirs(2000, other) for other in others)
        say("expected scores as in gacrux", f"{same:,} of {len(others):,}")


def lines_of(number: int) -> Iterator[str]:
    """A list in FIDE's columns."""
    rest = f"{'2100':<6}{'9':<4}{'20':<3}{'2050':<6}{'0':<4}{'40':<3}{'0':<6}{'0':<4}{'0':<3}"
    yield COMBINED
    yield from (line(str(10_000_000 + one), f"Family {one % 5000}, Given {one}", rest) for one in range(number))


def look_ups(number: int) -> None:
    """Say how long it takes to look some entrants up in a list."""
    rows = list(lines_of(number))
    entries = [EntrantRegistered(one, f"Given {one} Family {one % 5000}") for one in range(1, SOUGHT + 1)]
    before = time.process_time()
    found = look_up(read_rating_list(iter(rows)), entries)
    spent = time.process_time() - before
    say(f"{SOUGHT} entrants in a list of {number:,}", f"{spent:.2f} s, not found {len(found.missing)}")


def histories(events: int, entrants: int, seed: int) -> None:
    """Say how long it takes to follow everybody over some events."""
    played = []
    for number in range(events):
        chance = random.Random(seed + number)
        tournament = gathered(entrants, chance)
        for _ in range(ROUNDS):
            tournament = told(published(tournament), chance)
        played.append(replace(tournament, heading=Heading(starts=f"2026/{number % 12 + 1:02}/{number // 12 + 1:02}")))
    before = time.process_time()
    found = rating_histories(played)
    spent = (time.process_time() - before) * 1000
    again = rating_histories(played[::-1])
    games = int(sum(one.games for one in found.values()))
    say(f"{events} events of {entrants}, {games:,} ratings of games", f"{spent:.0f} ms")
    say("the same from the events in another order", "yes" if repr(again) == repr(found) else "no")


def main() -> None:
    """Compare and measure."""
    options = parser(__doc__).parse_args()
    say_machine()
    examples()
    look_ups(1000 if options.quick else LISTED)
    histories(*((2, 12) if options.quick else (EVENTS, ENTRANTS)), options.seed)


if __name__ == "__main__":
    main()
