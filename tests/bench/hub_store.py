"""How many records a hall writes down, by its database, and what the hub adds: reading, acknowledging, remembering.

Batches are those of boards at play. "many boards" sends one record of each of two hundred boards in a transaction, as a
hall at play does; "few boards" fifty of each of four, as boards do that catch up. On SQLite each transaction waits for
the disk; the PostgreSQL of the tests, on the same machine, does not.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gnomon.hall.hall import Hall, HallSources
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import Records, Topic, encode
from gnomon.hall.store import backend
from gnomon.hall.store.records import RecordStore, WriteBatch
from tests.bench._figures import parser, progress, say, say_machine
from tests.hall.boards import Clock
from tests.hall.servers import PostgreSql
from tests.hall.told import span

PROGRAMS: Final = "/usr/lib/postgresql"
SHAPES: Final = {"many boards": (200, 1), "few boards": (4, 50)}
TRANSACTIONS: Final = 150
QUICK: Final = 3
BOARDS: Final = 20
"""That send fifty records each at the same time, through bus and hub."""


def main() -> None:
    """Print what was measured."""
    arguments = parser(__doc__).parse_args()
    transactions = QUICK if arguments.quick else TRANSACTIONS
    say_machine()
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            measure("SQLite", str(Path(folder) / f"{shape}.db"), shape, transactions)
        through_the_hub("SQLite", str(Path(folder) / "hall.db"), transactions)
    initdb = found()
    if initdb is None:
        say("PostgreSQL", "not on this machine (Debian: sudo apt-get install postgresql)")
        return
    postgresql = PostgreSql(initdb)
    try:
        for shape in SHAPES:
            measure("PostgreSQL", postgresql.new_database(), shape, transactions)
        through_the_hub("PostgreSQL", postgresql.new_database(), transactions)
    finally:
        postgresql.remove()


def measure(name: str, where: str, shape: str, transactions: int) -> None:
    """Write down new records, and then the same once more."""
    boards, each = SHAPES[shape]
    piles = [WriteBatch(records=tuple(batches(boards, each, number))) for number in range(transactions)]
    database = backend.open_database(where)
    store = RecordStore(database)
    for what in ("new", "again"):
        progress(f"{name}, {shape}, {what}")
        begun, added = time.perf_counter(), 0
        for pile in piles:
            added += store.save(pile).added
        took = time.perf_counter() - begun
        rows = boards * each * transactions
        rate, pause = round(rows / took), took / transactions * 1000
        say(f"{name}, {shape}, {what}", f"{rate:7} records/s  {pause:6.2f} ms a transaction  {added} added")
    database.close()


def through_the_hub(name: str, where: str, transactions: int) -> None:
    """Let boards send over the bus of one process until everything is acknowledged."""
    broker = MemoryBroker()
    hall = Hall.open(where, broker.connect(), HallSources(Clock()))
    hall.thread.connect()
    boards = broker.connect()
    moments = [[encode(told) for told in batches(BOARDS, 50, number)] for number in range(transactions)]
    begun = time.perf_counter()
    for moment in moments:
        for board, payload in enumerate(moment):
            boards.publish(Topic.RECORDS.of(f"t{board}"), payload)
        broker.deliver()
        hall.thread.step()
    took = time.perf_counter() - begun
    kept = sum(place.through for place in hall.places())
    say(f"{name}, from bus to acknowledgement", f"{round(kept / took):7} records/s  {kept} records")
    hall.close()


def batches(boards: int, each: int, number: int) -> Iterator[Records]:
    """The batches of one moment, each of another board."""
    return (span(f"t{board}", number * each + 1, (number + 1) * each) for board in range(boards))


def found() -> str | None:
    """PostgreSQL's `initdb`, which stands beside the other programs and on nobody's path."""
    beside = sorted(Path(PROGRAMS).glob("*/bin/initdb"), reverse=True)
    return shutil.which("initdb") or (str(beside[0]) if beside else None)


if __name__ == "__main__":
    main()
