"""Keep a tournament's event log in a JSON Lines file whose lines are sealed by a SHA-256 hash chain.

A seal is the SHA-256 of the previous seal and of the line itself, so that a line that was changed, removed or
inserted is found wherever it is; a file rewritten as a whole can only be detected by a seal that was noted elsewhere.
A line is written and flushed to the disk before it is reported as kept. What a power cut leaves of a line is never
taken for an event, nor dropped silently: `mend` sets it aside.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.hall.clock import Wall, timestamp
from gnomon.hall.rounds.event_log import (
    Book,
    BookError,
    Leaf,
    Telling,
)
from gnomon.refusals import statement, statement_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import CodecError, LoggedEvent, told_of, told_text
from gnomon.tournament.events import Event
from gnomon.whole_files import sync

SUFFIX: Final = ".gnomon-tournament"
_BEGINNING: Final = b'{"schema":'
_SEAL: Final = b',"seal":"'
_END: Final = b'"}\n'
_LENGTH: Final = sha256().digest_size * 2


class TornError(BookError):
    """The machine stopped while the last line was written: nobody was told that it stands."""


class SealError(BookError):
    """A line is not as it was written, or not where."""


class _ReadState(NamedTuple):
    """A file as far as it has been read: which file it was, how many bytes, and the seal of the last line."""

    leaf: Leaf = Leaf()
    file: tuple[int, int] | None = None
    size: int = 0
    seal: str = ""


_UNREAD: Final = _ReadState()


@dataclass(slots=True)
class FileBook(Book):
    """A tournament in one file, which appears with its first event; programs and threads may use it at once."""

    path: Path
    wall: Wall
    _page: _ReadState = _UNREAD

    @property
    def seal(self) -> str:
        """The seal of the last line that was read, empty before the first: a fingerprint of everything so far."""
        return self._page.seal

    def extend(self, events: Sequence[Event], who: str, why: str = "", *, after: int) -> Sequence[LoggedEvent]:
        """Keep several events, or none where one is refused; a power cut may keep the first of them only."""
        # A refusal must not leave an empty file where there was none.
        if not self.path.exists():
            self._told_more(Leaf(), events, who, why, after)
        with self._open_locked(os.O_RDWR | os.O_APPEND | os.O_CREAT, fcntl.LOCK_EX) as file:
            page = self._page = self._read_on(file)
            leaf = self._told_more(page.leaf, events, who, why, after)
            more = leaf.told[after:]
            lines, seal = _seal(more, page.seal)
            self._append(file, lines, page.size)
            self._page = _ReadState(leaf, page.file, page.size + len(lines), seal)
        return more

    def mend(self) -> Path | None:
        """Put the torn end of the file aside, in a file beside it whose path is told; None where nothing is torn.

        Raises BookError.
        """
        with self._open_locked(os.O_RDWR, fcntl.LOCK_EX) as file:
            data = _content(file, 0)
            self._check_beginning(data)
            torn = data[data.rfind(b"\n") + 1 :]
            if not torn:
                return None
            aside = _free(self.path)
            aside.write_bytes(torn)
            sync(aside)
            os.ftruncate(file, len(data) - len(torn))
            os.fsync(file)
            self._page = _UNREAD
        return aside

    def _told_more(self, leaf: Leaf, events: Sequence[Event], who: str, why: str, after: int) -> Leaf:
        return leaf.told_more(events, Telling(self.path.name, timestamp(self.wall()), who, why), after)

    def _read(self) -> Leaf:
        if not self.path.exists():
            self._page = _UNREAD
        else:
            with self._open_locked(os.O_RDONLY, fcntl.LOCK_SH) as file:
                self._page = self._read_on(file)
        return self._page.leaf

    @contextmanager
    def _open_locked(self, flags: int, lock: int) -> Iterator[int]:
        """The file, locked against others for as long. Raises BookError for what the system refuses."""
        try:
            file = os.open(self.path, flags | os.O_CLOEXEC, 0o644)
            try:
                fcntl.flock(file, lock)
                yield file
            finally:
                os.close(file)
        except OSError as error:
            raise BookError(
                statement(
                    "hall.book.not_read" if flags == os.O_RDONLY else "hall.book.not_written",
                    file=str(self.path),
                    text=str(error.strerror),
                )
            ) from error

    def _read_on(self, file: int) -> _ReadState:
        """What the file holds, of which only what is new is read."""
        status = os.fstat(file)
        known = self._page
        if known.file != (status.st_dev, status.st_ino) or status.st_size < known.size:
            known = _ReadState(file=(status.st_dev, status.st_ino))
        data = _content(file, known.size)
        if not known.size:
            self._check_beginning(data)
        if data and not data.endswith(b"\n"):
            number = known.leaf.last + data.count(b"\n") + 1
            raise TornError(statement("hall.book.torn", file=self.path.name, line=number))
        told, seal = self._verify_seals(data, known)
        try:
            return _ReadState(known.leaf.read_on(told), known.file, known.size + len(data), seal)
        except TournamentError as error:
            raise BookError(statement("hall.book.wrong", file=self.path.name, cause=error.statement)) from error

    def _check_beginning(self, data: bytes) -> None:
        """Raise BookError for the file of something else: it begins otherwise, and has no seal."""
        if data[: len(_BEGINNING)] != _BEGINNING[: len(data)] and _SEAL not in data:
            raise BookError(statement("hall.book.foreign", file=self.path.name))

    def _verify_seals(self, data: bytes, known: _ReadState) -> tuple[list[LoggedEvent], str]:
        told: list[LoggedEvent] = []
        seal = known.seal
        for number, line in enumerate(data.splitlines(keepends=True), start=known.leaf.last + 1):
            body, found = _split_seal(line)
            seal = _seal_of(seal, body)
            if found != seal:
                raise SealError(statement("hall.book.unsealed", file=self.path.name, line=number))
            try:
                each = told_of(body.decode())
            except (CodecError, UnicodeDecodeError) as error:
                raise BookError(
                    statement("hall.book.line", file=self.path.name, line=number, cause=statement_of(error))
                ) from error
            if each.number != number:
                raise BookError(
                    statement(
                        "hall.book.out_of_order", file=self.path.name, line=number, number=each.number, next=number
                    )
                )
            told.append(each)
        return told, seal

    def _append(self, file: int, lines: bytes, size: int) -> None:
        """Write lines at the end and wait until the disk has them; what cannot be written whole is taken back."""
        try:
            written = 0
            while written < len(lines):
                written += os.write(file, lines[written:])
            os.fsync(file)
        except OSError:
            os.ftruncate(file, size)
            raise
        if size == 0:
            sync(self.path.parent)


def _seal(told: Sequence[LoggedEvent], seal: str) -> tuple[bytes, str]:
    lines = []
    for each in told:
        body = told_text(each).encode()
        seal = _seal_of(seal, body)
        lines.append(body[:-1] + _SEAL + seal.encode() + _END)
    return b"".join(lines), seal


def _split_seal(line: bytes) -> tuple[bytes, str]:
    """A line as it was before it was sealed, and its seal, empty when it has none."""
    start = len(line) - len(_SEAL) - _LENGTH - len(_END)
    if start < 0 or not line.endswith(_END) or line[start : start + len(_SEAL)] != _SEAL:
        return line, ""
    return line[:start] + b"}", line[start + len(_SEAL) : -len(_END)].decode("ascii", "replace")


def _seal_of(before: str, body: bytes) -> str:
    return sha256(before.encode() + b"\n" + body).hexdigest()


def _content(file: int, start: int) -> bytes:
    size = os.fstat(file).st_size
    return os.pread(file, size - start, start)


def _free(path: Path) -> Path:
    """A path beside it that nothing has yet."""
    number = 1
    while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    return aside
