"""Read and change the file of decisions about people, which stands beside the journals: `players.json`.

A reader looks at the file again whenever it was written, so that a daemon sees what a command has decided. The file
has a hash of what it says: with one bit flipped, a name that was forgotten would not be known again and be shown.

There is a copy, and every decision has a hash of its own. A damaged file is kept aside, and what can be read of it and
of the copy goes on. Whether people are public or joined may be lost that way; that they are forgotten may not: then
nothing is read.
"""

import fcntl
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Any, Final

from gnomon.people.register import Register, RegisterError
from gnomon.refusals import Statement, statement
from gnomon.whole_files import SECRET, write_whole

NAME: Final = "players.json"
_SALT: Final = 16  # bytes
_SUM: Final = "sum"
"""The key of the hash. A file without it is believed: nobody loses it by one damaged byte and something else too."""

_SUMS: Final = "sums"
"""The key of the hashes of the single decisions, by their kinds."""
_MAY_BE_LOST: Final = ("joined", "public", "engines", "owners")
_HIDES: Final = "forgotten"
_COPY: Final = ".copy"
_ASIDE: Final = ".damaged-"


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
                self._register, self._seen = self._look(self._path), mark
        except FileNotFoundError:
            self._register, self._seen = Register(), None
        except OSError as error:
            raise RegisterError(statement("people.register_unread", detail=str(error.strerror))) from error
        return self._register

    def notice(self) -> Statement | None:
        """That a damaged file was kept aside, for as long as it is there."""
        if self._path is None:
            return None
        found = next(iter(sorted(self._path.parent.glob(f"{self._path.name}{_ASIDE}*"))), None)
        return None if found is None else statement("people.register_damaged", file=found.name)

    def change(self, decide: Callable[[Register], Register]) -> Register:
        """Decide something, and keep it. Raises RegisterError for what cannot be decided, read or written."""
        if self._path is None:
            raise RegisterError(statement("people.register_nowhere"))
        try:
            self.register()  # what is damaged is mended and kept aside first
            with _write_lock(self._path):
                before = self.register()
                salted = before if before.salt else replace(before, salt=secrets.token_hex(_SALT))
                after = decide(salted)
                _write(self._path, after)
        except OSError as error:
            raise RegisterError(statement("people.register_unwritten", detail=str(error.strerror))) from error
        return after

    @staticmethod
    def _look(path: Path) -> Register:
        """What the file says, or what is left of it and its copy. Raises RegisterError where that may show a name."""
        copy = path.with_name(f"{path.name}{_COPY}")
        try:
            found = _read(path)
        except RegisterError:
            recovered = _recover(path, copy)
            if recovered is None:
                raise
            found = recovered
        else:
            if not copy.exists() or copy.read_bytes() == path.read_bytes():
                return found
        with suppress(OSError), _write_lock(path, wait=False):  # without the right to write, read all the same
            if _is_whole(path):  # and was written by hand: an older copy must never speak for it
                write_whole(copy, path.read_text(encoding="utf-8"), SECRET, _owner(path))
            else:
                os.link(path, _free_name(path))  # until the new one takes the name, the damaged one has it too
                _write(path, found)
        return found


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}{_ASIDE}{number}") for number in count(1))
    return next(each for each in names if not each.exists())


@contextmanager
def _write_lock(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Nobody else decides meanwhile. Raises OSError, also where somebody does and it is not to be waited."""
    with path.with_name(f"{path.name}-lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        if (owner := _owner(path)) is not None:
            os.fchown(lock.fileno(), *owner)
        yield


def _read(path: Path) -> Register:
    try:
        value = _parse(path)
        if isinstance(value, dict) and _SUM in value and value.pop(_SUM) != _sum(value):
            message = "it is not as it was written"
            raise ValueError(message)  # noqa: TRY301 - as for what is no JSON
    except (ValueError, RecursionError) as error:
        raise RegisterError(statement("people.register_unread", detail=str(error))) from error
    return Register.load(value)


def _parse(path: Path) -> Any:  # noqa: ANN401 - whatever stands there
    return json.loads(path.read_text("utf-8"))


def _is_whole(path: Path) -> bool:
    try:
        _read(path)
    except RegisterError:
        return False
    return True


def _recover(path: Path, copy: Path) -> Register | None:
    """What a damaged file said: as its copy has it, or as much of either as can be believed."""
    with suppress(RegisterError, OSError):
        return _read(copy)
    for each in (path, copy):
        with suppress(RegisterError, OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return _salvage(_parse(each))
    return None


def _salvage(value: Mapping[str, Any]) -> Register:
    """The decisions that are as they were written; raises one of many errors where one of those that hide is not.

    A file that somebody wrote by hand has no hashes: there a decision is believed that can be one.
    """
    sums = value[_SUMS] if _SUM in value or _SUMS in value else None
    if sums is not None and sums[_HIDES] != _hiding_sums(value):
        raise ValueError(_HIDES)
    kept = {**Register().dump(), "salt": value["salt"], _HIDES: value[_HIDES]}
    for kind in _MAY_BE_LOST:
        listed = value.get(kind)
        for each in listed if isinstance(listed, list) else ():
            if sums is not None and _sum([kind, each]) not in sums.get(kind, ()):
                continue
            with suppress(RegisterError):
                Register.load({**kept, kind: [*kept[kind], each]})
                kept[kind] = [*kept[kind], each]
    return Register.load(kept)


def _sum(value: object) -> str:
    return blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=16).hexdigest()


def _sums_of(said: Mapping[str, Any]) -> Mapping[str, list[str]]:
    return {_HIDES: _hiding_sums(said), **{kind: [_sum([kind, each]) for each in said[kind]] for kind in _MAY_BE_LOST}}


def _hiding_sums(said: Mapping[str, Any]) -> list[str]:
    return [_sum(["salt", said["salt"]]), *(_sum([_HIDES, each]) for each in said[_HIDES])]


def _write(path: Path, register: Register) -> None:
    """Write the copy and then the file: of the two the copy is never the older one."""
    said = register.dump()
    said |= {_SUMS: _sums_of(said)}
    text = json.dumps({**said, _SUM: _sum(said)}, ensure_ascii=False, indent=1) + "\n"
    for each in (path.with_name(f"{path.name}{_COPY}"), path):
        write_whole(each, text, SECRET, _owner(path))


def _owner(path: Path) -> tuple[int, int] | None:
    """For whom root writes, the owner of the folder: a daemon that could not read the file would show no game."""
    folder = path.parent.stat()
    return (folder.st_uid, folder.st_gid) if os.geteuid() == 0 else None
