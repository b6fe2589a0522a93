"""Chain the entries of a journal by hash, and find the first entry that is not as written.

The link of an entry is the BLAKE2b hash (RFC 7693, 32 bytes) of the link before it, of the digest of its game's row,
and of its own columns. So it covers everything before it: one link is enough to detect any alteration up to there.
What changes later (how far a hall has read, which game is open) is not in the chain: the end of a game is recorded by
the entry that ended it.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple

from gnomon.records._objects import read_object
from gnomon.records.journal.entries import FIRST_GAME
from gnomon.refusals import Statement, statement

LENGTH: Final = 32  # bytes of a link
START: Final = bytes(LENGTH)
"""The link before the first entry."""

FIRST_VERSION: Final = 5
"""Journals of earlier versions have no links."""
SPACING: Final = 100
"""Entries from one mark to the next in what was written before there were links."""

_KINDS: Final = frozenset({"raw", "event", "ruling", "note"})
_GAMES: Final = "id, board, settings, temperament, started_us, boot, wall, version"
_ENTRIES: Final = "seq, game, kind, at_us, cause, body, boot, wall"

Value = str | int | bytes | None
Row = tuple[int, int, str, int, int | None, str, str, str, int | None, bytes | None, int]


class Head(NamedTuple):
    """How far a chain reaches: the number of its last entry, and the link of that."""

    seq: int
    link: bytes


NOTHING: Final = Head(0, START)
"""How far the chain of an empty journal reaches."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with a journal: a code, and the entries that it is about.

    `altered` (entry `first`, or one from there to `last`, is not what was written), `missing` (entries `first` to
    `last` are not there, or all from `first` on where `last` is 0), `other` (this is another journal than the one
    that was written here, at the latest from `first` on), `index`, `ended`, `hall` and `pages` (every entry is there,
    but not what stands beside them), `unread` (nothing of it can be read). A `detail` of text is SQLite's own.
    """

    code: str
    first: int = 0
    last: int = 0
    detail: str | Statement = ""

    @property
    def statement(self) -> Statement:
        """The same as the end of a sentence."""
        match self.code:
            case "altered" if self.last > self.first:
                return statement("told.damage.among", first=self.first, last=self.last)
            case "altered":
                return statement("told.damage.altered", entry=self.first)
            case "missing" if self.last > self.first:
                return statement("told.damage.gone", first=self.first, last=self.last)
            case "missing" if self.last:
                return statement("told.damage.missing", entry=self.first)
            case "missing":
                return statement("told.damage.end", entry=self.first)
            case "other":
                return statement("told.damage.other", entry=self.first)
            case "unread":
                return statement("told.damage.unread", detail=self.detail)
            case _:
                return statement("told.damage.beside", detail=self.detail)


@dataclass(slots=True)
class Walked:
    """How far a journal is what was written: up to `head`, and the digests of its games.

    `ended` has what the chain says of each game that has ended: when. `passed` is the link of the entry that was
    asked for, empty where there is none.
    """

    head: Head = NOTHING
    games: dict[int, bytes] = field(default_factory=dict)
    ended: dict[int, int | None] = field(default_factory=dict)
    passed: bytes = b""
    damage: Damage | None = None


def digest(game: Sequence[Value]) -> bytes:
    """What stands for the row of a game in the links of its entries."""
    return blake2b(_join(game), digest_size=LENGTH).digest()


def link(before: bytes, game: bytes, entry: Sequence[Value]) -> bytes:
    """The link of an entry: after which one, of which game (by its digest), and its columns."""
    return blake2b(before + game + _join(entry), digest_size=LENGTH).digest()


def walk(connection: sqlite3.Connection, version: int, asked: int = 0) -> Walked:
    """Follow the chain of a journal of some version from its first entry, up to the first that is not as written.

    Never raises: what SQLite cannot read is damage. `asked` is an entry whose link is wanted.
    """
    walked = Walked(games=read_games(connection, version))
    _follow(connection, version, walked, asked)
    return walked


def read_games(connection: sqlite3.Connection, version: int) -> dict[int, bytes]:
    """The digests of the games as far as they can be read; an entry of one that cannot is where the chain ends."""
    game, players = ("game" if version > 1 else f"'{FIRST_GAME}'", "players" if version > 2 else "'{}'")  # noqa: PLR2004 - the migrations' numbers
    games: dict[int, bytes] = {}
    with suppress(sqlite3.Error, TypeError, ValueError):
        rows = connection.execute(f"SELECT {_GAMES}, {game}, {players} FROM games ORDER BY id")  # noqa: S608 - no words from outside
        games.update((row[0], digest(row)) for row in rows if _is_game(row))
    return games


def lay_marks(connection: sqlite3.Connection) -> None:
    """Chain what was written before there were links: a mark now and then, and no old row is touched.

    Raises sqlite3.Error.
    """
    for mark in list(_new_marks(connection, read_games(connection, FIRST_VERSION))):
        connection.execute("INSERT INTO marks (seq, link) VALUES (?, ?)", mark)


def seal(epoch: str, acknowledged: int) -> bytes:
    """The hash by which it is seen whether what a hall has acknowledged is what was written."""
    return blake2b(_join((epoch, acknowledged)), digest_size=LENGTH).digest()


def fingerprint(link: bytes) -> str:
    """The first 64 bits of a link, for people: to be printed, read out and compared; empty without one."""
    digits = link.hex()[:16].upper()
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def _new_marks(connection: sqlite3.Connection, games: Mapping[int, bytes]) -> Iterator[Head]:
    head, last = NOTHING, 0
    for row in connection.execute(_entries(FIRST_VERSION)):
        head = Head(row[0], _link(head.link, games[row[1]], row))
        if head.seq - last >= SPACING:
            last = head.seq
            yield head
    if head.seq > last:
        yield head


def _is_game(row: Sequence[Value]) -> bool:
    """Whether a row can be read as a game, no matter who made its links."""
    texts = (*row[1:4], *row[5:])
    try:
        for text in (row[2], row[-1]):
            read_object(str(text))
    except (ValueError, RecursionError):
        return False
    return isinstance(row[4], int) and all(isinstance(text, str) for text in texts)


def _entries(version: int) -> str:
    more = "ends, link" if version >= FIRST_VERSION else "NULL, NULL"
    # What is in the chain is JSON, unless somebody made links for what is none.
    return f"SELECT {_ENTRIES}, {more}, json_valid(body) FROM entries ORDER BY seq"  # noqa: S608 - no words from outside


def _follow(connection: sqlite3.Connection, version: int, walked: Walked, asked: int) -> None:
    seq, unlinked, before, games, is_linked = 0, 0, START, walked.games, version >= FIRST_VERSION
    try:
        marks = dict(connection.execute("SELECT seq, link FROM marks")) if is_linked else {}
        unlinked = max(marks, default=0)
        for row in connection.execute(_entries(version)):
            number = row[0]
            if number != seq + 1:
                walked.damage = Damage("missing", seq + 1, number - 1) if number > seq else Damage("altered", seq + 1)
                break
            before = _link(before, games[row[1]], row)
            if is_linked and (row[9] is not None if number <= unlinked else row[9] != before):
                walked.damage = Damage("altered", number)
                break
            seq = number
            if number <= unlinked and marks.get(number, before) != before:
                walked.damage = Damage("altered", walked.head.seq + 1, number)
                break
            if row[8] is not None:
                walked.ended[row[1]] = row[3] if row[8] else None
            if number > unlinked or number in marks or not is_linked:
                walked.head = Head(number, before)
            if number == asked:
                walked.passed = before
    except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
        detail = str(error) if isinstance(error, sqlite3.Error) else ""
        walked.damage = Damage("altered", seq + 1, detail=detail)
    if walked.damage is None and seq < unlinked:
        walked.damage = Damage("missing", seq + 1, unlinked)


def _link(before: bytes, game: bytes, row: Row) -> bytes:
    """As `link`, of a row as SQLite gives it, and three times as fast. Raises TypeError and ValueError."""
    seq, number, kind, at, cause, body, boot, wall, ends, _, is_json = row
    if not is_json or body[:1] != "{" or not body.isascii() or kind not in _KINDS:
        message = "no object in JSON"
        raise ValueError(message)
    caused, ended = "" if cause is None else cause, "" if ends is None else ends
    said = f"{seq}\0{number}\0{kind}\0{at}\0{caused}\0{body}\0{boot}\0{wall}\0{ended}\0"
    return blake2b(before + game + said.encode(), digest_size=LENGTH).digest()


def _join(values: Sequence[object]) -> bytes:
    # A text holds no NUL; one that SQLite gives as bytes was altered, and says b'...' here.
    return "".join("\0" if value is None else f"{value}\0" for value in values).encode()
