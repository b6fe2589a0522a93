"""What the journal costs: an entry that is waited for, entries in a row, and opening a journal of a hundred games.

Processor time is told where nothing is waited for: it is what a slower machine takes more of.
"""

import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import Instant
from tests.bench._figures import parser, say, say_machine

ENTRIES: Final = 80_000
QUICK: Final = 800
OF_A_GAME: Final = 800
"""Entries of a game of TAMSK at level 2."""
WAITED: Final = 300
OPENED: Final = 5  # times


def main() -> None:
    """Print what was measured."""
    options = parser(__doc__)
    options.add_argument("--folder", help="on the disk that is measured")
    arguments = options.parse_args()
    entries = QUICK if arguments.quick else ENTRIES
    say_machine()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as place:
        path = Path(place, "journal")
        with Journal.open(path) as journal:
            each = _fill(journal, entries)
            waits = [_wait(journal) for _ in range(WAITED)]
        opened = min(_open(path) for _ in range(OPENED))
    say("entries in a row", f"{each * 1_000_000:.1f} µs of processor time each")
    say("entry and disk", f"median {median(waits) * 1000:.2f} ms, p95 {quantiles(waits, n=20)[-1] * 1000:.2f} ms")
    say("opening", f"{opened * 1000:.0f} ms of processor time for {entries} entries")


def _fill(journal: Journal, entries: int) -> float:
    began = time.process_time()
    last = 0
    for number in range(entries):
        if number % OF_A_GAME == 0:
            journal.begin(GameStart("tamsk", {"level": 2}, "assistant", Instant(0), "boot", "2026-11-22", "1"))
        body = {"input": f"D2.ring{1 + number % 4}", "value": number % 2, "uncertainty_us": 10_000}
        labels = ("3b241101-e2bb-4255-8caf-4136c566a962", "2026-11-22T10:00:00.000+00:00")
        last = journal.append(Entry(1 + number // OF_A_GAME, EntryKind.RAW, Instant(number), body, *labels))
    journal.wait_durable(last)
    return (time.process_time() - began) / entries


def _wait(journal: Journal) -> float:
    began = time.perf_counter()
    journal.wait_durable(
        journal.append(Entry(1, EntryKind.RAW, Instant(0), {"input": "D1.north", "value": 0}, "boot", ""))
    )
    return time.perf_counter() - began


def _open(path: Path) -> float:
    began = time.process_time()
    journal = Journal.open(path)
    taken = time.process_time() - began
    journal.close()
    return taken


if __name__ == "__main__":
    main()
