"""A disk whose power is cut: a life of the journal's writer on it, and what is found when the power returns."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import gnomon

HERE = Path(__file__).parent
WRITER = HERE.parent / "records" / "journal_writer.py"
SECTOR = 512  # bytes that a disk writes wholly or not at all


@dataclass(frozen=True, slots=True)
class Cut:
    """What a life of the writer left behind: the entries it acknowledged, and the two sides of the disk."""

    acknowledged: tuple[int, ...]
    written: Path
    synced: Path

    @property
    def promised(self) -> set[int]:
        """Every entry that has to be found: an acknowledgement speaks for all before it, too."""
        return set(range(1, max(self.acknowledged, default=0) + 1))

    def disk(self, target: Path, chance: Random | None) -> Path:
        """The folder as it is found when power returns.

        Without chance nothing that was not synchronised has reached the disk; with it, any sector and any name may
        have, in any order.
        """
        target.mkdir()
        old, new = self._synced_names(), self._written_names()
        for name in sorted(old.keys() | new.keys()):
            inode = old.get(name) if chance is None else chance.choice([old.get(name), new.get(name)])
            if inode is not None:
                (target / name).write_bytes(self._content(inode, new.get(name) == inode, name, chance))
        return target

    def _content(self, inode: int, still_there: bool, name: str, chance: Random | None) -> bytes:
        data = self.synced / "data" / str(inode)
        old = data.read_bytes() if data.exists() else b""
        if chance is None or not still_there:
            return old
        new = (self.written / name).read_bytes()
        length = chance.choice([len(old), len(new)])
        sectors = [
            chance.choice([old, new])[start : start + SECTOR].ljust(SECTOR, b"\0") for start in range(0, length, SECTOR)
        ]
        return b"".join(sectors)[:length]

    def _synced_names(self) -> Mapping[str, int]:
        lines = [line.split(" ", 1) for line in (self.synced / "names").read_text().splitlines()]
        return {name: int(inode) for inode, name in lines if not name.endswith("-shm")}

    def _written_names(self) -> Mapping[str, int]:
        return {file.name: file.stat().st_ino for file in self.written.iterdir() if not file.name.endswith("-shm")}


class Power:
    """Runs the writer of the journal on a disk, kills it, and cuts the disk's power."""

    def __init__(self, shim: Path, folder: Path) -> None:
        self.shim = shim
        self.folder = folder
        self.lives = 0

    def cut(self, disk: Path, at: int, *writer: str, sync_fails_at: int = 0) -> Cut:
        """Let the writer write until its operation number `at` on the disk, and cut the power in its midst."""
        return self._life(disk, self._new_side(), *writer, CUT_AT=at, SYNC_FAILS_AT=sync_fails_at)

    def cut_later(self, disk: Path, at: int, *writer: str, sync_fails_at: int) -> Cut:
        """Kill the writer when a synchronisation has failed, let another go on, and cut its power as above."""
        killed = self._life(disk, self._new_side(), *writer, SYNC_FAILS_AT=sync_fails_at, KILLED_THEN=1)
        return self._life(disk, killed.synced, *writer, CUT_AT=at, STAYED=1)

    def _new_side(self) -> Path:
        side = self.folder / f"synced{self.lives}"
        (side / "data").mkdir(parents=True)
        return side

    def _life(self, disk: Path, synced: Path, *writer: str, **orders: int) -> Cut:
        self.lives += 1
        world = {
            **os.environ,
            **{f"POWER_{name}": str(value) for name, value in orders.items()},
            "PYTHONPATH": str(Path(gnomon.__file__).parents[1]),
            "LD_PRELOAD": str(self.shim),
            "POWER_DISK": str(disk),
            "POWER_SYNCED": str(synced),
        }
        # Without site packages the interpreter starts twice as fast.
        command = [sys.executable, "-S", str(WRITER), str(disk / "journal.db"), str(self.lives), "1000000", *writer]
        told = subprocess.run(command, env=world, capture_output=True, check=False)
        assert (told.returncode, told.stderr) == (-signal.SIGKILL, b"")
        return Cut(tuple(int(line) for line in told.stdout.splitlines()), disk, synced)
