"""Keep a damaged journal aside, and continue with what it holds from before the damage.

Nothing is deleted. The sound part is written into a new file first; then the damaged file is renamed, with its log
and its witness; then the new one takes its place. If this is interrupted at any moment, the next start completes it.
"""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from itertools import chain as joined
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from gnomon.records.journal import _writes as writes
from gnomon.records.journal import chain, store
from gnomon.records.journal._durable_file import take_lock
from gnomon.records.journal._witness import path_beside
from gnomon.records.journal.chain import Damage
from gnomon.records.journal.entries import FIRST_GAME
from gnomon.records.journal.folders import free_name, keep_aside
from gnomon.records.journal.inspection import DamagedJournalError, Inspected, inspect
from gnomon.records.journal.store import JournalError
from gnomon.records.journal.writer import Journal
from gnomon.refusals import Statement, statement
from gnomon.whole_files import sync

_NEW: Final = "-new"  # while it is written
_RESCUED: Final = "-rescued"  # complete, and not yet in its place
_RECOVERED: Final = "-recovered"  # what was found in the pages of a file that SQLite cannot read as a whole


class Rescue(NamedTuple):
    """What was wrong with a journal, where the damaged file is, and up to which entry it is gone on with.

    `aside` is None where there was none any more; `is_complete` is whether no entry was lost.
    """

    path: Path
    damage: Damage
    aside: Path | None
    last: int
    is_complete: bool

    @property
    def statement(self) -> Statement:
        """What people are told."""
        file, damage = str(self.path), self.damage.statement
        if self.aside is None:
            return statement("health.damage.before.gone" if self.last else "health.damage.gone", file=file, told=damage)
        if not self.last:
            return statement("health.damage.new", file=file, told=damage, aside=self.aside.name)
        kept = "health.damage.whole" if self.is_complete else "health.damage.before"
        return Statement(kept, {"file": file, "told": damage, "aside": self.aside.name})


def open_or_rescue(path: Path, now: datetime, witnesses: tuple[Path, ...] = ()) -> tuple[Journal, Rescue | None]:
    """Open a journal; a damaged one is kept aside, named by `now`, and what stands before the damage is opened.

    Raises JournalError when it is no journal, or the disk lets nobody write.
    """
    try:
        with take_lock(path):
            _go_on_with_rescue(path, now)
        return Journal.open(path, witnesses=witnesses), None
    except DamagedJournalError as error:
        with take_lock(path):
            rescued = _rescue(path, error.found, now, witnesses)
    except OSError as error:
        raise JournalError(store.explain(path, error)) from error
    return Journal.open(path, witnesses=witnesses), rescued


def _rescue(path: Path, as_it_stands: Inspected, now: datetime, witnesses: tuple[Path, ...]) -> Rescue:
    """Raises JournalError."""
    from gnomon.records.journal._raw_rows import recover  # noqa: PLC0415 - most journals are never damaged

    new, recovered = path.with_name(path.name + _NEW), path.with_name(path.name + _RECOVERED)
    try:
        _remove(new, recovered)
        found = as_it_stands
        if not found.is_complete and recover(path, recovered) > found.head.seq:
            found = inspect(recovered, (path_beside(path), *witnesses))
        last = _copy(path if found is as_it_stands else recovered, new, found) if found.head.seq else 0
        recovered.unlink(missing_ok=True)
        if last and inspect(new).damage is not None:
            last = 0  # not even the copy is whole: it is all kept aside, and a new one is begun
            new.unlink()
        if last:
            new.rename(path.with_name(path.name + _RESCUED))
            sync(path.parent)
        aside = keep_aside(path, now) if path.exists() or _log(path).exists() else None
        for witness in witnesses:
            if witness.exists():
                witness.rename(free_name(witness, now))
        if aside is None:
            path.with_name(path.name + "-witness").unlink(missing_ok=True)
        if last:
            path.with_name(path.name + _RESCUED).rename(path)
            sync(path.parent)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            _remove(new, recovered)  # a disk that is full needs the room
        damaged = DamagedJournalError(path, as_it_stands)
        why = statement("told.journal.both", first=damaged.statement, second=store.explain(path, error))
        raise JournalError(why) from error
    return Rescue(
        path,
        found.damage or _scattered_damage(as_it_stands),
        aside if aside is not None and aside.exists() else None,
        last,
        found.is_complete and last == found.head.seq,
    )


def _remove(*paths: Path) -> None:
    """Remove what was half written, now or before a power cut. Raises OSError."""
    for path, end in product(paths, ("", "-journal", "-wal", "-shm")):
        path.with_name(path.name + end).unlink(missing_ok=True)


def _scattered_damage(found: Inspected) -> Damage:
    """What is said where every entry was found, though SQLite cannot read all of them, or reads another one."""
    damage = found.damage or Damage("unread")
    if damage.code == "altered" and not damage.detail:
        return damage
    return Damage("pages", detail=damage.detail or statement("told.damage.of.place"))


def _go_on_with_rescue(path: Path, now: datetime) -> None:
    """Finish what a power cut broke off between the damaged file's new name and the loss of its old one."""
    rescued = path.with_name(path.name + _RESCUED)
    if not rescued.exists():
        return
    if path.exists() and path.stat().st_nlink == 1:
        rescued.unlink()  # nothing was put aside yet: it is looked at again
        return
    if path.exists() or _log(path).exists():
        keep_aside(path, now)
    rescued.rename(path)
    sync(path.parent)


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _copy(path: Path, new: Path, found: Inspected) -> int:
    """Write what stands before the damage into a new journal, every entry with its link, and give the last one.

    What is lost was perhaps told to a hall already: the new journal has an epoch of its own then, and is told again.
    """
    with (
        closing(store.connect_for_reading(path)) as source,
        closing(sqlite3.connect(new, isolation_level=None)) as target,
    ):
        target.execute("PRAGMA synchronous = FULL")
        target.execute("BEGIN")
        for statement in joined.from_iterable(store.MIGRATIONS):
            target.execute(statement)
        ended: dict[int, int | None] = {}
        for row in _games(source, found):
            writes.write(target, writes.insert_game(row[:-1]))
            ended[row[0]] = row[-1]
        has_marks, known = found.version >= chain.FIRST_VERSION, dict(ended)
        ended, head = dict.fromkeys(known), chain.NOTHING
        for row in _entries(source, found):
            ends = row[8] if has_marks else (1 if known[row[1]] == row[3] else None)
            write = writes.insert_entry(row[1:8], head, found.games[row[1]], ends=None if ends is None else bool(ends))
            writes.write(target, write)
            head = write.head
            if ends is not None:
                ended[row[1]] = row[3] if ends else None
        for game, at in ended.items():
            target.execute("UPDATE games SET ended_us = ? WHERE id = ?", (at, game))
        writes.write(target, writes.set_identity(*_identity(source, found)))
        target.execute(f"PRAGMA application_id = {store.APPLICATION}")
        target.execute(f"PRAGMA user_version = {len(store.MIGRATIONS)}")
        target.execute("COMMIT")
    return head.seq


def _games(source: sqlite3.Connection, found: Inspected) -> Iterator[tuple[Any, ...]]:
    """The rows of the games that are whole, with when they ended, as far as SQLite can read them."""
    game, players = ("game" if found.version > 1 else f"'{FIRST_GAME}'", "players" if found.version > 2 else "'{}'")  # noqa: PLR2004 - the migrations' numbers
    # Which games have ended is told by their entries, once there are marks for it.
    ended = "NULL" if found.version >= chain.FIRST_VERSION else "ended_us"
    columns = f"id, board, settings, temperament, started_us, boot, wall, version, {game}, {players}, {ended}"
    with suppress(sqlite3.Error):
        for row in source.execute(f"SELECT {columns} FROM games ORDER BY id"):  # noqa: S608 - no words from outside
            if row[0] in found.games:
                yield row


def _entries(source: sqlite3.Connection, found: Inspected) -> Iterator[tuple[Any, ...]]:
    ends = "ends" if found.version >= chain.FIRST_VERSION else "NULL"
    columns = f"seq, game, kind, at_us, cause, body, boot, wall, {ends}"
    # The limit is not left to the index of the numbers: SQLite stops before what it cannot read.
    yield from source.execute(f"SELECT {columns} FROM entries ORDER BY seq LIMIT ?", (found.head.seq,))  # noqa: S608 - as above


def _identity(source: sqlite3.Connection, found: Inspected) -> tuple[str, int]:
    if found.is_complete:
        with suppress(sqlite3.Error, TypeError, ValueError):
            epoch, acknowledged, seal = source.execute("SELECT epoch, acknowledged, seal FROM identity").fetchone()
            if chain.seal(epoch, acknowledged) == seal:
                return epoch, acknowledged
    return secrets.token_hex(8), 0
