"""Read and change the file of decisions about people, which stands beside the journals: `players.json`.

A reader looks at the file again whenever it was written, so that a daemon sees what a command has decided. The file
has a hash of what it says: with one bit flipped, a name that was forgotten would not be known again and be shown.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from gnomon.people.register import Register, RegisterError
from gnomon.refusals import statement
from gnomon.whole_files import SECRET, write_whole

NAME: Final = "players.json"
_SALT: Final = 16  # bytes
_SUM: Final = "sum"
"""The key of the hash. A file without it is believed: nobody loses it by one damaged byte and something else too."""


class PeopleFile:
    """The decisions in a file, none where there is no file yet. May be used by several threads and processes."""

    def __init__(self, path: Path | None) -> None:
        """`path` None: nothing is decided, and nothing can be."""
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._register = Register()

    @classmethod
    def beside(cls, journal: Path) -> "PeopleFile":
        """The file for a journal, a bundle, or a folder of them."""
        return cls((journal if journal.is_dir() else journal.parent) / NAME)

    @property
    def can_change(self) -> bool:
        """Whether decisions can be kept."""
        return self._path is not None

    def register(self) -> Register:
        """What is decided now. Raises RegisterError for a file that cannot be read."""
        if self._path is None:
            return self._register
        try:
            seen = self._path.stat()
            mark = seen.st_ino, seen.st_mtime_ns, seen.st_size
            if mark != self._seen:
                self._register, self._seen = _read(self._path), mark
        except FileNotFoundError:
            self._register, self._seen = Register(), None
        except OSError as error:
            raise RegisterError(statement("people.register_unread", detail=str(error.strerror))) from error
        return self._register

    def change(self, decide: Callable[[Register], Register]) -> Register:
        """Decide something, and keep it. Raises RegisterError for what cannot be decided, read or written."""
        if self._path is None:
            raise RegisterError(statement("people.register_nowhere"))
        try:
            with self._path.with_name(f"{self._path.name}-lock").open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if (owner := _owner(self._path)) is not None:
                    os.fchown(lock.fileno(), *owner)
                before = self.register()
                salted = before if before.salt else replace(before, salt=secrets.token_hex(_SALT))
                after = decide(salted)
                _write(self._path, after)
        except OSError as error:
            raise RegisterError(statement("people.register_unwritten", detail=str(error.strerror))) from error
        return after


def _read(path: Path) -> Register:
    try:
        value = json.loads(path.read_text("utf-8"))
        if isinstance(value, dict) and _SUM in value and value.pop(_SUM) != _sum(value):
            message = "it is not as it was written"
            raise ValueError(message)  # noqa: TRY301 - as for what is no JSON
    except (ValueError, RecursionError) as error:
        raise RegisterError(statement("people.register_unread", detail=str(error))) from error
    return Register.load(value)


def _sum(value: Mapping[str, object]) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _write(path: Path, register: Register) -> None:
    """Write the file as a whole, so that a reader never sees half of it."""
    said = register.dump()
    text = json.dumps({**said, _SUM: _sum(said)}, ensure_ascii=False, indent=1)
    write_whole(path, f"{text}\n", SECRET, _owner(path))


def _owner(path: Path) -> tuple[int, int] | None:
    """For whom root writes, the owner of the folder: a daemon that could not read the file would show no game."""
    folder = path.parent.stat()
    return (folder.st_uid, folder.st_gid) if os.geteuid() == 0 else None
