"""Store tables with the value of every position of a solved game: computed once, then mapped into memory.

A table is two files. `NAME.table` has the upper 16 bits of each value and is all that is needed to play; it is mapped,
so that only what is looked at is in memory. `NAME.digits` has the lower 16 bits, for values to nine digits. The name
has a hash of the rules, and the head of each file has the rules themselves: a table of other rules is refused.

While a table is made, `NAME.part` keeps what is solved for good, so that a program that was killed goes on from there.
A finished file gets its name when it is complete, or never.
"""

import ctypes
import fcntl
import hashlib
import json
import mmap
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from typing import Final, NamedTuple, Protocol, Self, TypeVar

from gnomon.refusals import Refusal, statement

_FORMAT: Final = 1
_HEAD: Final = 4096  # a page, so that what follows can be mapped as numbers
_SCALE: Final = 1 << 32
_UPPER: Final = 1 << 16
_CHUNK: Final = 1 << 20  # values at a time
_PER_VALUE: Final = 8  # bytes on the disk, while a table is made: the part, and both files
_KEPT: Final = 16  # values whose pages stay mapped: 1 MB at most
_NAME: Final = re.compile(r"(?P<stem>.+)-(?P<size>[0-9]+)\.table")


EngineT = TypeVar("EngineT")


class TableError(Refusal, OSError):
    """A table cannot be read or made; one sentence says why."""


class Stage(Protocol):
    """How far a solver has come: the values that are final, the first of all, and how many there are."""

    @property
    def solved(self) -> int:
        """The values that are final."""
        ...

    @property
    def size(self) -> int:
        """All values."""
        ...


class Solver(Protocol):
    """What finds the value of every position of a game, each between 0 and 1, in 32 bits.

    `name` begins the names of files, and `key` is one line that says everything on which the values depend but their
    number: the values of a game are the first of every greater game with the same key. `core` is a C file that does
    the work faster, with the same results, as "package:file".
    """

    @property
    def name(self) -> str:
        """How the names of its files begin."""
        ...

    @property
    def key(self) -> str:
        """On what the values depend."""
        ...

    @property
    def size(self) -> int:
        """How many values there are."""
        ...

    @property
    def core(self) -> str:
        """Where the C file is."""
        ...

    def solve(self, values: memoryview, done: int, library: ctypes.CDLL | None) -> Iterator[Stage]:
        """Write all values into 32-bit numbers, the first `done` of which are there, and report now and then."""
        ...


def tables_folder(environment: Mapping[str, str]) -> Path:
    """Where tables lie unless somebody says otherwise: they can be made again, so it is a cache."""
    cache = environment.get("XDG_CACHE_HOME") or ""
    return (Path(cache) if Path(cache).is_absolute() else Path.home() / ".cache") / "gnomon" / "tables"


class ValueTable:
    """The values of a game, by number."""

    def __init__(self, upper: "_Half", lower: "_Half | None") -> None:
        self._upper = upper
        self._lower = lower

    def __getitem__(self, number: int) -> float:
        """The value of a position, as exact as 16 bits are."""
        return (self._upper[number] + 0.5) / _UPPER

    @property
    def has_digits(self) -> bool:
        """Whether `exact` is more than `[]`."""
        return self._lower is not None

    def exact(self, number: int) -> float:
        """The value of a position, as exact as 32 bits are, where the second file is there."""
        if self._lower is None:
            return self[number]
        return (self._upper[number] * _UPPER + self._lower[number]) / (_SCALE - 1)


class Progress(NamedTuple):
    """How many values of a table are final, of how many."""

    solved: int
    size: int


def find_table(solver: Solver, folder: Path) -> ValueTable | None:
    """The table of a game, or that of a greater game under the same rules; None if there is none.

    Raises TableError for a file of that name that is damaged, or of other rules.
    """
    stem = _stem(solver)
    sizes = sorted(
        int(match["size"])
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (match := _NAME.fullmatch(path.name)) and match["stem"] == stem and int(match["size"]) >= solver.size
    )
    if not sizes:
        return None
    path = folder / f"{stem}-{sizes[0]}.table"
    upper, lower = _open(solver, path, sizes[0]), path.with_suffix(".digits")
    return ValueTable(upper, _open(solver, lower, sizes[0]) if lower.exists() else None)


def with_table(engine: EngineT, folder: Path) -> EngineT:
    """The engine of a game with its table, if the game has one and it has been made; else the engine as it is.

    Raises TableError as `find_table` does.
    """
    solver: Solver | None = getattr(engine, "solver", None)
    table = None if solver is None else find_table(solver, folder)
    if table is None:
        return engine
    equipped: EngineT = engine.with_values(table.__getitem__)  # type: ignore[attr-defined]  # what has a solver has it
    return equipped


def make_table(solver: Solver, folder: Path, library: ctypes.CDLL | None) -> Iterator[Progress]:
    """Make the table of a game, or go on where a process was killed, and report now and then.

    `library` is the compiled core, where there is one. Raises TableError if another process is making the table, or if
    there is no room for it.
    """
    path = folder / f"{_stem(solver)}-{solver.size}.table"
    folder.mkdir(parents=True, exist_ok=True)
    with _UnfinishedTable.open(solver, path.with_suffix(".part")) as part:
        for stage in solver.solve(part.values, part.solved, library):
            part.finish(stage.solved)
            yield Progress(stage.solved, stage.size)
        # The file that says that there is a table comes last.
        for kind, half in ((".digits", _low_half()), (".table", 1 - _low_half())):
            _write(solver, path.with_suffix(kind), part.values, half)
        part.remove()


class _UnfinishedTable:
    """The values of a table that is being made, in a file that this process alone writes."""

    def __init__(self, solver: Solver, path: Path, pages: mmap.mmap) -> None:
        self._path = path
        self._pages = pages
        self._head = _head(solver)
        self.values = memoryview(pages)[_HEAD:].cast("I")
        #: How many values are final: the first of all.
        self.solved = 0
        with suppress(TableError):
            head = _read_head(bytes(pages[:_HEAD]), path)
            solved = head.pop("solved", 0)
            if head == self._head and isinstance(solved, int):
                self.solved = solved

    @classmethod
    @contextmanager
    def open(cls, solver: Solver, path: Path) -> Iterator[Self]:
        """The part of a table, begun or gone on with."""
        length = _HEAD + 4 * solver.size
        with path.open("ab+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise TableError(statement("engine.table.busy", file=path)) from error
            needed = _PER_VALUE * solver.size - (4 * solver.size if file.tell() == length else 0)
            if disk_usage(path.parent).free < needed:
                raise TableError(statement("engine.table.room", folder=path.parent, megabytes=needed // 1_000_000 + 1))
            if file.tell() != length:
                file.truncate(0)
                file.truncate(length)
            # The mapping ends with its last user, which may be a solver that was stopped in the middle.
            yield cls(solver, path, mmap.mmap(file.fileno(), length))

    def finish(self, solved: int) -> None:
        """Take the first values for final. They are on the disk before the head says so."""
        if solved > self.solved:
            self._pages.flush()
            self.solved = solved
            self._pages[:_HEAD] = _dump_head({**self._head, "solved": solved})
            self._pages.flush(0, _HEAD)

    def remove(self) -> None:
        """Forget the part of a table that is complete."""
        self._path.unlink()


def _stem(solver: Solver) -> str:
    return f"{solver.name}-{hashlib.sha256(solver.key.encode()).hexdigest()[:16]}"


def _low_half() -> int:
    """Which half of a 32-bit number has its lower bits on this machine."""
    return 0 if sys.byteorder == "little" else 1


def _head(solver: Solver) -> dict[str, object]:
    return {"format": _FORMAT, "key": solver.key, "size": solver.size, "order": sys.byteorder}


def _dump_head(head: Mapping[str, object]) -> bytes:
    return (json.dumps(head).encode() + b"\n").ljust(_HEAD, b"\0")


def _read_head(head: bytes, path: Path) -> dict[str, object]:
    try:
        read = json.loads(head.rstrip(b"\0"))
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise TableError(statement("engine.table.damaged", file=path))
    return read


def _write(solver: Solver, path: Path, values: memoryview, half: int) -> None:
    """Write one half of each value to a file that is there once it is complete."""
    halves = values.cast("B").cast("H")
    made = path.with_name(f"{path.name}.{os.getpid()}")
    with ExitStack() as undo:
        undo.callback(made.unlink, missing_ok=True)
        with made.open("wb") as file:
            file.write(_dump_head(_head(solver)))
            for start in range(0, solver.size, _CHUNK):
                file.write(halves[2 * start + half : 2 * (start + _CHUNK) : 2].tobytes())
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
        undo.pop_all()


def _open(solver: Solver, path: Path, size: int) -> "_Half":
    """The 16-bit numbers of a file."""
    with path.open("rb") as file:
        head = _read_head(file.read(_HEAD), path)
        if head != {**_head(solver), "size": size}:
            raise TableError(statement("engine.table.other", file=path))
        if os.fstat(file.fileno()).st_size != _HEAD + 2 * size:
            raise TableError(statement("engine.table.damaged", file=path))
        return _Half(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


class _Half:
    """16-bit numbers in a mapped file, of which a few pages are in memory."""

    def __init__(self, pages: mmap.mmap) -> None:
        # Values that belong together lie far apart: what the system would read ahead is never looked at.
        pages.madvise(mmap.MADV_RANDOM)
        self._pages = pages
        self._numbers = memoryview(pages)[_HEAD:].cast("H")
        self._looked_up = 0

    def __getitem__(self, number: int) -> int:
        self._looked_up += 1
        if self._looked_up % _KEPT == 0:
            # A page brings up to fifteen neighbours with it. They stay in the cache of the system, which has room.
            self._pages.madvise(mmap.MADV_DONTNEED)
        value: int = self._numbers[number]
        return value
