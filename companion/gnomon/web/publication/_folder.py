"""Keep a site in a folder that changes whole or not at all.

The folder that a web server serves is a symbolic link. Each set of files stands in a folder of its own, in which files
that have not changed are the same files (hard links); the link is replaced by one rename (man 2 rename), so a reader
finds the old set or the new one, and a power cut leaves one of them.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.web.publication._links import BOARDS, INDEX
from gnomon.web.publication._page_client import PublicationError
from gnomon.web.publication._page_set import PageSet, mark_of
from gnomon.whole_files import READABLE, write_whole

SETS: Final = ".sets"
"""What the name of the folder beside ends with, in which the sets of files stand."""
_MANIFEST: Final = "site.json"
_LOCK: Final = "lock"
_BOARDS: Final = BOARDS.strip("/")
_KEPT: Final = 2
"""Sets that stay: a server may be reading a file of the one before."""


class Written(NamedTuple):
    """What became of a site: how many files it has, how many of them are new or changed, and the bytes of all.

    The files of boards are among them, but for `changed` and `removed` where they were not looked at.
    """

    files: int
    changed: int
    size: int
    removed: int = 0


class Manifest(NamedTuple):
    """What is kept of a site: which set is shown, the marks of its files, and `subjects` and `members` of a PageSet."""

    set: str = ""
    files: Mapping[str, str] = {}
    subjects: Mapping[str, str] = {}
    members: Mapping[str, Sequence[str]] = {}


UNKNOWN: Final = Manifest()


@dataclass(frozen=True, slots=True)
class Site:
    """A published site in a folder."""

    folder: Path

    @property
    def sets(self) -> Path:
        """Where its sets of files are."""
        return self.folder.with_name(f".{self.folder.name}{SETS}")

    def manifest(self) -> Manifest:
        """What is known of it; nothing of one that is not there, or not as it was left."""
        here = self._current()
        try:
            told = Manifest(**json.loads((self.sets / _MANIFEST).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return UNKNOWN
        return told if here is not None and told.set == here.name else UNKNOWN

    def check(self) -> None:
        """Raise PublicationError where the folder holds something else, which nobody wants to lose."""
        if self.folder.is_symlink() or not self.folder.exists():
            return
        if not self.folder.is_dir() or any(self.folder.iterdir()):
            raise PublicationError(statement("publication.failed.taken", folder=str(self.folder)))

    def write(self, pages: PageSet) -> Written:
        """Let the folder hold a set of files. Raises PublicationError; then it holds what it held."""
        try:
            self.sets.mkdir(parents=True, exist_ok=True)
            with self._hold():
                return self._write(pages)
        except OSError as error:
            raise PublicationError(
                statement("publication.failed.folder", folder=str(self.folder), text=str(error.strerror))
            ) from error

    def write_live(self, files: Mapping[str, bytes], *, is_all: bool = False) -> int:
        """Let files of boards change one by one, each whole; how many did. `is_all`: there are no others.

        Raises PublicationError.
        """
        changed = 0
        try:
            for name in sorted(files, key=lambda name: name.endswith(".html")):
                file = self.live / name
                if file.is_file() and file.read_bytes() == files[name]:
                    continue
                file.parent.mkdir(parents=True, exist_ok=True)
                new = file.with_name(f".{file.name}.new")
                new.write_bytes(files[name])
                new.replace(file)
                changed += 1
            if is_all:
                for file in [each for each in self.live.rglob("*") if each.is_file()]:
                    if file.relative_to(self.live).as_posix() not in files:
                        file.unlink()
        except OSError as error:
            raise PublicationError(
                statement("publication.failed.folder", folder=str(self.folder), text=str(error.strerror))
            ) from error
        return changed

    @property
    def live(self) -> Path:
        """Where the files of boards are, of all sets."""
        return self.sets / "live"

    def files(self) -> Mapping[str, Path]:
        """Every file that it shows, by name, those of boards among them."""
        here = self._current()
        if here is None:
            return {}
        return {name: here / name for name in self.manifest().files} | self._board_files()

    @property
    def has_boards(self) -> bool:
        """Whether boards are among what it shows."""
        return bool(self._board_folders())

    # Private

    def _write(self, pages: PageSet) -> Written:
        known, here = self.manifest().files, self._current()
        marks = {name: known[name] for name in pages.kept}
        sizes: dict[str, int] = {}
        for name, body in pages.made.items():
            marks[name], sizes[name] = mark_of(body), len(body)
        changed = [name for name, mark in marks.items() if known.get(name) != mark]
        kept = [here / name for name in marks.keys() - {*changed}] if here is not None else []
        boards = self._board_files().values()
        size = sum(sizes[name] for name in changed) + sum(file.stat().st_size for file in (*kept, *boards))
        written = Written(len(marks) + len(boards), len(changed), size, len(known.keys() - marks))
        if not changed and not written.removed and here is not None:
            self._keep(pages, marks, here.name)
            return written
        number = 1 + max((int(each.name) for each in self._all()), default=0)
        new = self.sets / f"{number:06}"
        try:
            for name, mark in marks.items():
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                if known.get(name) == mark and here is not None:
                    os.link(here / name, new / name)
                else:
                    (new / name).write_bytes(pages.made[name])
            for folder in self._board_folders():
                link = new / folder
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(os.path.relpath(self.live / folder, link.parent))
            os.sync()  # all of it is on the disk before anybody is led there
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        self._switch(new)
        self._keep(pages, marks, new.name)
        for old in sorted(self._all())[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
        return written

    def _board_files(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder in self._board_folders():
            inside = (each for each in (self.live / folder).rglob("*") if each.is_file() and each.name[0] != ".")
            found |= {each.relative_to(self.live).as_posix(): each for each in inside}
        return found

    def _board_folders(self) -> list[Path]:
        """Where the boards are, in each language."""
        found = [self.live / _BOARDS, *(each / _BOARDS for each in self.live.glob("*") if each.name != _BOARDS)]
        return [each.relative_to(self.live) for each in found if (each / INDEX).is_file()]

    def _keep(self, pages: PageSet, marks: Mapping[str, str], name: str) -> None:
        kept = Manifest(name, marks, pages.subjects, pages.members)
        write_whole(self.sets / _MANIFEST, json.dumps(kept._asdict(), separators=(",", ":")), READABLE)

    def _switch(self, new: Path) -> None:
        link = self.sets / "next"
        link.unlink(missing_ok=True)
        link.symlink_to(Path(self.sets.name, new.name))
        if self.folder.is_dir() and not self.folder.is_symlink():
            self.folder.rmdir()  # it is empty: see `check`
        link.replace(self.folder)

    def _current(self) -> Path | None:
        """The set that is shown."""
        if not self.folder.is_symlink():
            return None
        here = self.folder.parent / self.folder.readlink()
        return here if here.parent == self.sets and here.is_dir() else None

    def _all(self) -> list[Path]:
        return [each for each in self.sets.iterdir() if each.name.isdecimal()]

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Let nobody else write to this site meanwhile. Raises PublicationError where somebody does."""
        with (self.sets / _LOCK).open("w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise PublicationError(statement("publication.failed.busy", folder=str(self.folder))) from error
            yield
