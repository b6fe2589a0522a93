"""Check the disk under the journal (space, file system, wear) and the journal itself."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.records.journal import store
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.inspection import DamagedJournalError, inspect
from gnomon.refusals import Statement, statement
from gnomon_pi.runtime.system.mounts import mount_of
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, exists, number

_MEBIBYTE: Final = 1024 * 1024
_LITTLE: Final = 500 * _MEBIBYTE
_TOO_LITTLE: Final = 50 * _MEBIBYTE
_FEW_INODES: Final = 1_000
_FLEETING: Final = ("overlay", "overlayfs", "tmpfs", "ramfs", "squashfs", "aufs")
_FAR: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
_WITHOUT_LOG: Final = ("vfat", "exfat", "msdos")
_WORN_TENTHS: Final = 9  # of its life, in the tenths of eMMC's own report (JEDEC JESD84-B51, DEVICE_LIFE_TIME_EST)
_LONG_LOG: Final = 64 * _MEBIBYTE
_TOLD: Final = 10  # games in a summary


def check_file_system(machine: Machine, journal: Path) -> Iterator[Finding]:
    """Whether what is written to the journal stays written."""
    mounts = machine.text("/proc/mounts")
    mount, root = mount_of(journal, mounts), mount_of(Path("/"), mounts)
    if mount is None:
        yield note("file system", statement("doctor.file_system.unknown"))
        return
    kind, point = mount.kind, mount.point
    if kind in _FLEETING:
        yield warning("file system", statement("doctor.file_system.fleeting", kind=kind, point=point))
    elif mount.is_read_only:
        yield fault("file system", statement("doctor.file_system.read_only", kind=kind, point=point))
    elif kind in _FAR:
        yield fault("file system", statement("doctor.file_system.far", kind=kind, point=point))
    elif kind in _WITHOUT_LOG:
        yield warning("file system", statement("doctor.file_system.without_log", kind=kind, point=point))
    elif root is not None and root.is_read_only:
        yield ok("file system", statement("doctor.file_system.fixed", kind=kind, point=point))
    else:
        yield ok("file system", statement("doctor.file_system", kind=kind, point=point))


def check_space(machine: Machine, journal: Path) -> Iterator[Finding]:
    """Whether there is room where the journal is, and whether the user may write there."""
    folder = next((each for each in journal.parents if exists(each)), Path("/"))
    try:
        space = machine.space(folder)
    except OSError as error:
        yield note("space", statement("doctor.space.unknown", detail=error.strerror))
        return
    free, size = space.free // _MEBIBYTE, space.size // _MEBIBYTE
    if space.free < _TOO_LITTLE:
        yield fault("space", statement("doctor.space.none", free=free, size=size))
    elif space.inodes is not None and space.inodes < _FEW_INODES:
        yield warning("space", statement("doctor.space.inodes", free=free, size=size, number=space.inodes))
    elif space.free < _LITTLE:
        yield warning("space", statement("doctor.space.little", free=free, size=size))
    else:
        yield ok("space", statement("doctor.space", free=free, size=size))
    target = journal if exists(journal) else folder
    if not machine.may(target, "write") or not machine.may(folder, "write"):
        if not machine.account.is_root and exists(journal):
            yield note("journal's place", statement("doctor.place.service"))
        else:
            key = "doctor.place.journal" if target is journal else "doctor.place.folder"
            yield fault("journal's place", Statement(key), statement("doctor.place.do"))


def check_wear(machine: Machine) -> Iterator[Finding]:
    """What the disk says of its own errors and age, as far as it says anything."""
    counts = {path.split("/")[4]: number(machine.text(path)) for path in machine.names("/sys/fs/ext4/*/errors_count")}
    bad = {device: count for device, count in counts.items() if count}
    for device, count in bad.items():
        key = "doctor.disk.errors.one" if count == 1 else "doctor.disk.errors.other"
        yield warning("disk errors", Statement(key, {"device": device, "number": count}))
    for path in machine.names("/sys/block/mmcblk*/device/life_time"):
        used = max((int(each, 16) for each in re.findall(r"0x([0-9a-fA-F]{1,2})", machine.text(path))), default=0)
        if used >= _WORN_TENTHS:
            worn = statement("doctor.disk.worn", device=path.split("/")[3], percent=10 * (used - 1))
            yield warning("disk wear", worn)
        elif used:
            yield ok("disk wear", statement("doctor.disk.wear", device=path.split("/")[3], percent=10 * used))
    made = [machine.text(path) for path in machine.names("/sys/block/mmcblk*/device/date")]
    if made and not bad:
        yield ok("disk", statement("doctor.disk", dates=made))


# The journal


class OlderJournalError(store.JournalError):
    """The journal was written by an older Gnomon; the daemon brings it up to date."""


class Contents(NamedTuple):
    """What a journal holds, as far as a bug report needs it: nobody's name."""

    size: int
    log: int  # bytes of the write-ahead log
    version: int
    entries: int
    games: tuple[StoredGame, ...]

    def summary(self) -> dict[str, object]:
        """The journal in numbers, with its last games; settings are left out, for they may hold names."""
        return {
            "bytes": self.size,
            "log_bytes": self.log,
            "version": self.version,
            "entries": self.entries,
            "games": len(self.games),
            "last_games": [
                {
                    "game": game.start.game,
                    "board": game.start.board,
                    "temperament": game.start.temperament,
                    "began": game.start.wall,
                    "version": game.start.version,
                    "ended": game.ended is not None,
                }
                for game in self.games[-_TOLD:]
            ],
        }


def contents(path: Path) -> Contents:
    """Read a journal without changing it. Raises JournalError with one sentence."""
    log = path.with_name(path.name + "-wal")
    found = inspect(path)
    if found.damage is not None:
        raise DamagedJournalError(path, found)
    if found.version < len(store.MIGRATIONS):
        raise OlderJournalError(statement("told.journal.older", file=path))
    try:
        with closing(store.connect_for_reading(path)) as connection:
            games = tuple(store.games(connection))
        size = path.stat().st_size
        return Contents(size, log.stat().st_size if log.exists() else 0, found.version, found.head.seq, games)
    except (sqlite3.Error, OSError) as error:
        raise store.JournalError(store.explain(path, error)) from error


def check_journal(path: Path) -> Iterator[Finding]:
    """Whether the journal is whole, how large it is, and whether a game goes on."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        yield note("journal", statement("doctor.journal.none", file=path))
        return
    except OSError as error:
        yield note("journal", statement("doctor.journal.closed", file=path, detail=error.strerror))
        return
    try:
        held = contents(path)
    except OlderJournalError as error:
        yield note("journal", error.statement)
        return
    except store.JournalError as error:
        yield fault("journal", error.statement, statement("doctor.journal.aside"))
        return
    games = statement("doctor.games.one" if len(held.games) == 1 else "doctor.games.other", number=len(held.games))
    entries = statement("doctor.entries.one" if held.entries == 1 else "doctor.entries.other", number=held.entries)
    size = f"{held.size / _MEBIBYTE:.1f}"
    yield ok("journal", statement("doctor.journal", games=games, entries=entries, size=size))
    if held.log > _LONG_LOG:
        yield warning("journal", statement("doctor.journal.log", size=held.log // _MEBIBYTE))
    if held.games:
        yield _last_game(held.games[-1])


def _last_game(game: StoredGame) -> Finding:
    name, date = game.start.game, game.start.wall
    if game.ended is not None:
        return ok("last game", statement("doctor.last_game.ended", game=name, date=date))
    return note("last game", statement("doctor.last_game.on", game=name, date=date))
