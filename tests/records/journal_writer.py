"""A program that writes into a journal until it is killed, and prints the number of each entry that is acknowledged.

Usage: journal_writer.py PATH LIFE BURSTS [SYNCHRONOUS [CHECKPOINT_PAGES]]. Every entry says which life wrote it.
"""

import os
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

from gnomon.records.journal import store
from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.records.journal.writer import Journal, JournalError
from gnomon.timekeeping.instants import Instant


def main(path: str, life: str, bursts: str, synchronous: str = "FULL", checkpoint: str = "1000") -> None:
    def connect(path: Path) -> sqlite3.Connection:
        connection = store.connect(path, synchronous)
        connection.execute(f"PRAGMA wal_autocheckpoint = {int(checkpoint)}")
        return connection

    chance = Random(int(life))
    journal = None
    while journal is None:  # as a service manager starts the daemon again
        with suppress(JournalError):
            journal = Journal.open(Path(path), connect=connect, retry_after=0)
    journal.on_durable(lambda seq: os.write(1, b"%d\n" % seq))
    last = journal.last_game()
    game = journal.begin(GameStart("tamsk", {}, "silent", Instant(0), "boot", "wall", "0")) if last is None else last.id
    for _ in range(int(bursts)):
        bodies = [{"life": int(life), "padding": "x" * chance.randrange(600)} for _ in range(chance.randrange(1, 7))]
        numbers = [journal.append(Entry(game, EntryKind.RAW, Instant(0), body, "boot", "wall")) for body in bodies]
        journal.wait_durable(numbers[-1])
    os.write(1, b"done\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
