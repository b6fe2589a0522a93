"""Explore single faults for so many cases or hours, and print the cheapest that mislead the referee (make explore)."""

import argparse
import gc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from gnomon.records.formats.traces import TraceHeader, trace_lines
from gnomon.timekeeping.instants import SECOND, Instant
from tests.bench._figures import progress, say, say_machine
from tests.faults.explorer import GAMES, Case, Findings, Search, game_of
from tests.faults.faults import disturbed
from tests.faults.known_games import SCAN
from tests.faults.storage import explore_storage, lines

CASES: Final = 1_000_000
EACH: Final = 2_500
"""Cases in one game before the next is taken."""


def batches(search: Search, jobs: int) -> Iterator[Findings]:
    """What was found in one game after another, without end."""
    # Games refer to no younger ones, so what is forgotten is freed at once: to look for circles costs a sixth.
    with ProcessPoolExecutor(jobs, initializer=gc.disable) as pool:
        for first in count(0, jobs):
            yield from pool.map(search.findings, range(first, first + jobs))


def keep(folder: Path, case: Case, name: str, seed: int, most: int) -> Path:
    """Write what the board showed as a trace, from the beginning of the game to a while after the fault."""
    game = game_of(name, seed, case.number, most)
    until = Instant((case.fault.first if case.fault.is_for_good else case.fault.last) + 40 * SECOND)
    shown = [edge for _, edge in disturbed(game, case.fault, 0) if edge.at <= until]
    extras: dict[str, object] = {"uncertainty_us": SCAN} if game.is_scanned else {}
    hands = [[turn.player, turn.text] for turn in game.meant if turn.at <= until]
    extras |= {"hands": hands, "fault": str(case.fault)}
    header = TraceHeader(name, game.settings, extras)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{case.fault.name}-{case.judged.kind}-{case.fault.first}.jsonl".replace(" ", "-")
    path.write_text("".join(trace_lines(header, shown, until)), encoding="utf-8")
    return path


def main() -> None:
    """Explore, and print."""
    options = argparse.ArgumentParser(prog="make explore", description=__doc__)
    options.add_argument("--game", choices=GAMES, help="faults of this game alone, else of each in its share")
    options.add_argument("--cases", type=int, default=CASES)
    options.add_argument("--hours", type=float, help="explore for so long instead")
    options.add_argument("--jobs", type=int, default=1, help="processes")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--each", type=int, default=EACH, help="cases in each game")
    options.add_argument("--lasting", type=int, help="more in each game of the kinds that last, else a fifth")
    options.add_argument("--turns", type=int, default=0, help="try only the beginnings of games, so many turns long")
    options.add_argument("--storage", type=int, help="faults of the journal's files, else one for 50 cases")
    options.add_argument("--traces", type=Path, help="a folder that keeps the cheapest cases")
    given = options.parse_args()
    say_machine()
    names = list(GAMES) if given.game is None else [given.game]
    tried = 0
    for name in names:
        found, seconds = tried_in(name, given, len(names))
        tell(name, found, given.seed, given.turns, seconds)
        for case in found.cheapest.values() if given.traces is not None else ():
            say("kept", keep(given.traces, case, name, given.seed, given.turns))
        tried += found.cases
    with TemporaryDirectory() as folder:
        wanted = tried // 50 if given.storage is None else given.storage
        losses = explore_storage(Path(folder), wanted, Random(f"storage {given.seed}"))
    say("faults of the storage", f"{losses.total.total():,}")
    for line in lines(losses):
        say("", line)


def tried_in(name: str, given: argparse.Namespace, shares: int) -> tuple[Findings, float]:
    """What was found in one of so many games, in its share of the cases or hours, and how many seconds it took."""
    began = monotonic()
    found = Findings()
    lasting = given.each // 5 if given.lasting is None else given.lasting
    search = Search(name, given.seed, given.each, given.turns, lasting)
    for news in batches(search, given.jobs):
        found.join(news)
        hours = (monotonic() - began) / 3600
        progress(f"{name}: {found.cases:,} cases, {hours:.2f} h, wrong {found.wrong.total()}")
        share = given.cases / shares if given.hours is None else given.hours / shares
        if (found.cases if given.hours is None else hours) >= share:
            break
    progress("")
    return found, monotonic() - began


def tell(name: str, found: Findings, seed: int, most: int, seconds: float) -> None:
    """Print the figures, and the cheapest fault of each kind that led to a wrong ruling."""
    say(f"{name}: cases", f"{found.cases:,} in {seconds:,.0f} s: {1000 * seconds / max(1, found.cases):.2f} ms each")
    for what, number in sorted(found.total.items()):
        say(f"  {what}", f"{number:,}")
    say("cases in which an innocent input was blamed", f"{found.innocent:,}")
    say("cases after which an input stays distrusted", f"{found.distrusted:,}")
    for (fault, kind), case in sorted(found.cheapest.items(), key=lambda item: item[1].cost):
        judged = case.judged
        say(
            f"WRONG {found.wrong[fault, kind]:,} × {fault}: {kind}",
            f"game {case.number} ({game_of(name, seed, case.number, most).name}): {case.fault}",
        )
        say("", f"{judged.got or 'nothing'} for {judged.wanted or 'nothing'}")


if __name__ == "__main__":
    main()
