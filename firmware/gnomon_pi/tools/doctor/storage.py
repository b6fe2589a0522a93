"""Check the disk under the journal (space, file system, wear) and the journal itself."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.records import store
from gnomon.records.entries import StoredGame
from gnomon.records.inspection import DamagedJournalError, inspect
from gnomon_pi.tools.doctor.finding import Finding, fault, note, ok, quantity, warning
from gnomon_pi.tools.doctor.machine import Machine, exists, number

_MEBIBYTE: Final = 1024 * 1024
_LITTLE: Final = 500 * _MEBIBYTE
_TOO_LITTLE: Final = 50 * _MEBIBYTE
_FEW_INODES: Final = 1_000
_FLEETING: Final = ("overlay", "overlayfs", "tmpfs", "ramfs", "squashfs", "aufs")
_FAR: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
_WITHOUT_LOG: Final = ("vfat", "exfat", "msdos")
_ELSEWHERE: Final = "Keep the journal on a partition that is written to: --journal /data/…"
_WORN_TENTHS: Final = 9  # of its life, in the tenths of eMMC's own report (JEDEC JESD84-B51, DEVICE_LIFE_TIME_EST)
_LONG_LOG: Final = 64 * _MEBIBYTE
_TOLD: Final = 10  # games in a summary


class Mount(NamedTuple):
    """A row of /proc/mounts."""

    device: str
    point: str
    kind: str
    options: tuple[str, ...]

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written there."""
        return "ro" in self.options


def mount_of(machine: Machine, path: Path) -> Mount | None:
    """The file system on which a path stands; None when the kernel does not say."""
    mounts = [row.split()[:4] for row in machine.text("/proc/mounts").splitlines()]
    # The last one mounted on a point hides those before it.
    points = {_unescape(row[1]): row for row in mounts if len(row) == 4}  # noqa: PLR2004 - device, point, kind, options
    for folder in (path, *path.parents):
        if row := points.get(str(folder)):
            return Mount(_unescape(row[0]), str(folder), row[2], tuple(row[3].split(",")))
    return None


def check_file_system(machine: Machine, journal: Path) -> Iterator[Finding]:
    """Whether what is written to the journal stays written."""
    mount, root = mount_of(machine, journal), mount_of(machine, Path("/"))
    if mount is None:
        yield note("file system", "The kernel does not say on which file system the journal stands.")
        return
    found = f"The journal stands on {mount.kind}, mounted at {mount.point}"
    if mount.kind in _FLEETING:
        advice = f"{_ELSEWHERE}, or turn the overlay off with raspi-config."
        yield warning("file system", f"{found}: it is lost when the power goes.", advice)
    elif mount.is_read_only:
        yield fault("file system", f"{found}, which may only be read.", f"{_ELSEWHERE}, or mount it rw.")
    elif mount.kind in _FAR:
        yield fault("file system", f"{found}, on another machine: SQLite's log cannot be kept there.", f"{_ELSEWHERE}.")
    elif mount.kind in _WITHOUT_LOG:
        yield warning("file system", f"{found}, which a power cut can damage.", f"{_ELSEWHERE} on ext4.")
    else:
        fixed = "; the system's own partition may only be read" if root is not None and root.is_read_only else ""
        yield ok("file system", f"{found}{fixed}.")


def check_space(machine: Machine, journal: Path) -> Iterator[Finding]:
    """Whether there is room where the journal is, and whether the user may write there."""
    folder = next((each for each in journal.parents if exists(each)), Path("/"))
    try:
        space = machine.space(folder)
    except OSError as error:
        yield note("space", f"The system does not say how much room there is: {error.strerror}.")
        return
    free = f"{space.free // _MEBIBYTE} of {space.size // _MEBIBYTE} MB are free where the journal is"
    if space.free < _TOO_LITTLE:
        yield fault(
            "space",
            f"Only {free}.",
            "Delete what is not needed: sudo apt-get clean, sudo journalctl --vacuum-size=50M.",
        )
    elif space.inodes is not None and space.inodes < _FEW_INODES:
        found = f"{free}, and room for {space.inodes} more files only."
        yield warning("space", found, "Delete small files that are not needed (sudo du --inodes -x / finds them).")
    elif space.free < _LITTLE:
        yield warning("space", f"Only {free}.", "Delete what is not needed before a tournament.")
    else:
        yield ok("space", f"{free}.")
    target = journal if exists(journal) else folder
    if not machine.may(target, "write") or not machine.may(folder, "write"):
        found = (
            f"The user who asks may not write {'the journal' if target is journal else 'where the journal is to be'}."
        )
        if machine.account.is_root or not exists(journal):
            yield fault("journal's place", found, "Give the folder to the user that runs gnomond: sudo chown.")
        else:
            yield note("journal's place", f"{found[:-1]}; it may be the service's.")


def check_wear(machine: Machine) -> Iterator[Finding]:
    """What the disk says of its own errors and age, as far as it says anything."""
    counts = {path.split("/")[4]: number(machine.text(path)) for path in machine.names("/sys/fs/ext4/*/errors_count")}
    bad = {device: count for device, count in counts.items() if count}
    for device, count in bad.items():
        found = f"The file system on {device} has met {quantity(count, 'error')} since it was last checked."
        advice = "Copy the journal away, let fsck look (sudo touch /forcefsck), and think of a new card."
        yield warning("disk errors", found, advice)
    for path in machine.names("/sys/block/mmcblk*/device/life_time"):
        used = max((int(each, 16) for each in re.findall(r"0x([0-9a-fA-F]{1,2})", machine.text(path))), default=0)
        if used >= _WORN_TENTHS:
            advice = "Copy the journal away and change it."
            yield warning(
                "disk wear", f"The memory on {path.split('/')[3]} has used up {used - 1}0 % of its life.", advice
            )
        elif used:
            yield ok("disk wear", f"The memory on {path.split('/')[3]} has used up at most {used}0 % of its life.")
    made = [machine.text(path) for path in machine.names("/sys/block/mmcblk*/device/date")]
    if made and not bad:
        yield ok("disk", f"The card was made in {' and '.join(made)}; its file system has met no errors.")


def _unescape(text: str) -> str:
    # Blanks in /proc/mounts are octal (man 5 fstab).
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


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
        message = f"the journal {path} is of an older Gnomon; gnomond brings it up to date when it starts"
        raise OlderJournalError(message)
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
        yield note("journal", f"There is none at {path} yet: the first game makes it.")
        return
    except OSError as error:
        advice = "Look as the service's user: sudo -u gnomon gnomond doctor."
        yield note("journal", f"{path} is not to be looked at: {error.strerror}.", advice)
        return
    try:
        held = contents(path)
    except OlderJournalError as error:
        yield note("journal", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    except store.JournalError as error:
        yield fault(
            "journal",
            f"{str(error)[:1].upper()}{str(error)[1:]}.",
            "gnomond keeps it aside as it is when it starts, and goes on with what stands before the damage.",
        )
        return
    size = f"{held.size / _MEBIBYTE:.1f} MB"
    yield ok(
        "journal", f"Whole: {quantity(len(held.games), 'game')}, {quantity(held.entries, 'entry', 'entries')}, {size}."
    )
    if held.log > _LONG_LOG:
        advice = "Stop gnomond and start it once more: that takes the log into the journal."
        yield warning("journal", f"Its log has grown to {held.log // _MEBIBYTE} MB.", advice)
    if held.games:
        yield _last_game(held.games[-1])


def _last_game(game: StoredGame) -> Finding:
    name = f"{game.start.game} began {game.start.wall}"
    if game.ended is not None:
        return ok("last game", f"{name} and has ended.")
    return note("last game", f"{name} and has not ended: gnomond goes on with it.")
