"""Analyse recorded games and solve positions for the pages: in a process of its own, one at a time, while nobody plays.

What has been found is kept in a folder, in files that can be made again. The name of each ends with a hash of what is
in it: a file that was damaged is made again, and not shown. A process that still runs when a game begins is stopped
until that is over.
"""

import hashlib
import json
import os
import signal
import subprocess
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from select import select
from threading import Lock, Thread
from time import sleep
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, Self

from gnomon.engines.plugins import own_command
from gnomon.hall.clock import monotonic_now
from gnomon.rules.kinds import load
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.server.workers import BusyError

if TYPE_CHECKING:
    from gnomon.records.formats.sheets import Sheet

FOLDER: Final = "analyses"
"""The folder beside journals, with a folder for what was found in the games of each."""
SOLUTIONS: Final = "solutions"
"""The folder beside journals for positions that were solved."""
_LOOK: Final = 0.5  # seconds between two looks whether somebody plays
_MOST_WAITING: Final = 8
_MOST_KEPT: Final = 500  # files: an analysis has some 100 KB
_MEMORY: Final = 512  # MiB of addresses
_LAST_WORDS: Final = 400
_LONGEST_LINE: Final = 1 << 16
_LONGEST_SEARCH: Final = 7200  # seconds; a solved position takes some on a desktop computer, and minutes on a Pi
_REMEMBERED: Final = 4  # analyses that are kept as they were read
_PATIENCE: Final = 1800.0  # seconds without a word of a process that is not stopped; a turn takes some of them


class AnalysisProgress(NamedTuple):
    """How far an analysis has come: turns that are done, of how many, 0 before it has begun.

    `waits` for the end of the game at the board, or of another analysis. `found` is what was told of each turn.
    """

    done: int = 0
    turns: int = 0
    waits: bool = True
    found: tuple[str, ...] = ()

    @property
    def percent(self) -> int:
        """The share that is done."""
        return 100 * self.done // self.turns if self.turns else 0


@dataclass(slots=True)
class _AnalysisJob:
    sheet: bytes
    done: int = 0
    turns: int = 0
    waits: bool = True
    found: tuple[str, ...] = ()


def key_of(number: int, sheet: bytes) -> str:
    """What is made of a game is called so: of another text of it, another thing is made."""
    return f"{number}-{hashlib.sha256(sheet).hexdigest()[:16]}"


def key_of_game(number: int, sheet: "Sheet") -> str:
    """What an analysis of a game is called: it is of the turns, no matter who made them.

    The fingerprint in the headers changes with every note after the end, as when a daemon starts with that game.
    """
    from gnomon.records.formats.sheets import sheet_text  # noqa: PLC0415 - with what a board at rest does not need

    return key_of(number, sheet_text(replace(sheet, players={}, headers={})).encode())


@dataclass
class Analyses:
    """The analyses of a board or a hall, in a folder of its own.

    `is_busy` says whether somebody plays now; a thread asks it.

    `command` gets a sheet, prints JSON, and tells on standard error how far it has come: 7/40, with or without what
    was found; `codec` reads the JSON. The latest files are `kept`, so many of them. `older` is a folder that is read
    besides and left as it is: several houses once shared one.
    """

    folder: Path
    is_busy: Callable[[], bool]
    command: tuple[str, ...] = own_command("analyse", "--json", "-")
    codec: str = "gnomon.analysis.codec:load_analysis"
    patience: float = _PATIENCE
    kept: int = _MOST_KEPT
    older: Path | None = None
    _lock: Lock = field(default_factory=Lock)
    _jobs: OrderedDict[str, _AnalysisJob] = field(default_factory=OrderedDict)
    _failed: dict[str, str] = field(default_factory=dict)
    _ended: OrderedDict[str, Instant] = field(default_factory=OrderedDict)
    _read: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    _works: bool = False

    @classmethod
    def beside(cls, journal: Path, is_busy: Callable[[], bool]) -> Self:
        """Those of the games in a journal: another one in the same folder has its own, by a daemon of its own."""
        folder = journal.with_name(FOLDER)
        return cls(folder / journal.stem, is_busy, older=folder)

    @classmethod
    def of_positions(cls, journal: Path, is_busy: Callable[[], bool]) -> Self:
        """Solutions of positions instead; those of all journals in a folder are the same."""
        command = own_command("engine", "solve", "-", "--json", "--seconds", str(_LONGEST_SEARCH))
        codec = "gnomon.engines.solutions:load_solution"
        return cls(journal.with_name(SOLUTIONS), is_busy, command, codec)

    @property
    def is_at_work(self) -> bool:
        """Whether something that was asked for has not been made yet."""
        with self._lock:
            return bool(self._jobs)

    def find(self, key: str) -> Any:  # noqa: ANN401 - what the codec reads
        """The analysis of that key, or None. It reads a file."""
        load_analysis = load(self.codec)  # every board has a folder for analyses, and few have one in it
        with self._lock:
            known = self._read.get(key)
        if known is not None:
            return known
        read = None
        for path in (*self.folder.glob(f"{key}-*.json"), *(self.older.glob(f"{key}-*.json") if self.older else ())):
            try:
                text = path.read_bytes()
                if path.name == self._path(key, text).name:
                    read = load_analysis(json.loads(text))
                    break
            except (OSError, ValueError):
                pass
            if path.parent == self.folder:
                with suppress(OSError):
                    path.unlink()  # it can be made again
        if read is None:
            return None
        with self._lock:
            self._read[key] = read
            while len(self._read) > _REMEMBERED:
                self._read.popitem(last=False)
        return read

    def progress(self, key: str) -> AnalysisProgress | None:
        """How far an analysis has come that was asked for; None for any other."""
        with self._lock:
            job = self._jobs.get(key)
            return None if job is None else AnalysisProgress(job.done, job.turns, job.waits, job.found)

    def failure(self, key: str) -> str:
        """Why the last analysis of that key came to nothing; empty where none did."""
        with self._lock:
            return self._failed.get(key, "")

    def age(self, key: str) -> float:
        """For how many seconds an analysis has been there; one from before this program: for ever."""
        with self._lock:
            ended = self._ended.get(key)
        return inf if ended is None else (monotonic_now() - ended) / SECOND

    def ask(self, key: str, sheet: bytes) -> None:
        """Have a game analysed. Raises BusyError."""
        with self._lock:
            if key in self._jobs:
                return
            if len(self._jobs) >= _MOST_WAITING:
                raise BusyError
            self._failed.pop(key, None)
            self._jobs[key] = _AnalysisJob(sheet)
            if not self._works:
                self._works = True
                Thread(target=self._work, name="analyses", daemon=True).start()

    # In the thread

    def _work(self) -> None:
        """Make every analysis that was asked for, one after the other."""
        for part in self.folder.glob("*.part"):  # of a program that ended meanwhile
            part.unlink(missing_ok=True)
        while (asked := self._next()) is not None:
            key, job = asked
            why = ""
            try:
                why = self._make(key, job)
            except Exception as error:  # noqa: BLE001 - whatever it is, who asked is told, and the next one begins
                why = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
            with self._lock:
                if why:
                    self._failed[key] = why
                self._ended[key] = monotonic_now()
                while len(self._ended) > _MOST_KEPT:
                    self._ended.popitem(last=False)
                del self._jobs[key]

    def _next(self) -> tuple[str, _AnalysisJob] | None:
        with self._lock:
            if not self._jobs:
                self._works = False
                return None
            return next(iter(self._jobs.items()))

    def _make(self, key: str, job: _AnalysisJob) -> str:
        """Make one analysis; answers why there is none."""
        from gnomon.engines.process import lower_priority  # noqa: PLC0415 - few have a game analysed at a board

        while self.is_busy():
            sleep(_LOOK)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o750)
        part = self.folder / f"{key}.part"
        with part.open("wb") as output:
            # In a group of its own, which is woken and ended by the system if this program ends while it is stopped.
            process = subprocess.Popen(  # noqa: S603 - our own command, with nothing of the game in it
                self.command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.PIPE, process_group=0
            )
            with process:
                lower_priority(process.pid, _MEMORY)
                said = self._follow(process, job)
        if process.returncode:
            part.unlink()
            return said or f"{process.returncode}"
        part.replace(self._path(key, part.read_bytes()))
        self._discard_old()
        return ""

    def _follow(self, process: "subprocess.Popen[bytes]", job: _AnalysisJob) -> str:
        """Wait for a process, and stop it while somebody plays; answers the end of what it has said."""
        assert process.stdin is not None  # noqa: S101 - it was asked for
        assert process.stderr is not None  # noqa: S101 - as above
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(job.sheet)
        said, line, is_stopped, silence = b"", b"", False, 0.0
        job.waits = False
        while True:
            busy = self.is_busy()
            if busy is not is_stopped:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGSTOP if busy else signal.SIGCONT)
                is_stopped = job.waits = busy
            read = _read(process.stderr)
            if read == b"":
                break
            silence = 0.0 if read or is_stopped else silence + _LOOK
            if silence > self.patience:
                process.kill()  # so that nobody waits for ever for the next one
            said = (said + (read or b""))[-_LAST_WORDS:]
            *lines, line = (line + (read or b"")).split(b"\n")
            line = line[-_LONGEST_LINE:]
            for each in lines:
                _take_progress(each, job)
        last = said.decode("utf-8", "replace").strip().splitlines()
        return last[-1].removeprefix("Error: ") if last else ""

    def _path(self, key: str, text: bytes) -> Path:
        return self.folder / f"{key}-{hashlib.sha256(text).hexdigest()[:16]}.json"

    def _discard_old(self) -> None:
        """Keep the files that were made last."""
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[: -self.kept]:
            path.unlink(missing_ok=True)


def _read(pipe: IO[bytes]) -> bytes | None:
    """What has come, nothing at the end, and None if nothing comes for a while."""
    if not select([pipe], [], [], _LOOK)[0]:
        return None
    return os.read(pipe.fileno(), 1 << 12)


def _take_progress(line: bytes, job: _AnalysisJob) -> None:
    """Read a line of the form 7/40, with what was found after it or without."""
    done, slash, rest = line.partition(b"/")
    turns, _, found = rest.partition(b" ")
    if slash and done.isdigit() and turns.isdigit():
        job.done, job.turns = int(done), int(turns)
        job.found += tuple(found.decode("utf-8", "replace").split())
