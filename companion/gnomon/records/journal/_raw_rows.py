"""Recover journal rows from the raw bytes of the database file and its WAL where SQLite cannot read them.

One damaged page may hide all others: the first page names the tables, the interior pages locate the rows, and SQLite
reads nothing of a log after the first bad frame. The rows themselves stand whole in the leaf pages
(sqlite.org/fileformat2.html, 1.6 and 2.1), and their links verify their content. So every page is searched for what
looks like a row, and the chain decides which of them are as written.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain as joined
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.records.journal import chain, store
from gnomon.records.journal._page_sums import FRAME_HEADER, LOG_HEADER, PAGE
from gnomon.records.journal.chain import Value
from gnomon.records.journal.entries import FIRST_GAME

_LONGEST_LOCAL: Final = PAGE - 35  # bytes of a row that stand in its leaf, if it is no longer
_SHORTEST_LOCAL: Final = (PAGE - 12) * 32 // 255 - 23

_INTEGER: Final = rb"[\x01-\x06\x08\x09]"
_INTEGER_OR_NULL: Final = rb"[\x00-\x06\x08\x09]"
_TEXT: Final = rb"(?:[\x0d-\x7f]|[\x80-\xff]{1,2}[\x00-\x7f])"
_LINK: Final = rb"\x4c"  # 32 bytes
# The header of a row: its length, then the kind of each column; a number that is the row's key is said to be NULL.
# What was written before a column was added does not have it.
_ENTRY: Final = (
    rb"[\x09-\x12]\x00" + _INTEGER + rb"[\x13\x15\x17\x19]" + _INTEGER + _INTEGER_OR_NULL + _TEXT * 3
    + rb"(?:[\x00\x08\x09][\x00\x4c])?"
)  # fmt: skip
_GAME: Final = (
    rb"[\x0a-\x1c]\x00" + _TEXT * 3 + _INTEGER + _TEXT * 3 + _INTEGER_OR_NULL + rb"(?:" + _TEXT + _TEXT + rb"?)?"
)
_MARK: Final = rb"\x03\x00" + _LINK
_IDENTITY: Final = rb"[\x04\x05]" + _TEXT + _INTEGER_OR_NULL + _LINK
# Looked for at every byte, and where one begins another may: a lookahead takes nothing away.
_HEADERS: Final = tuple(
    re.compile(rb"(?=(" + header + rb"))", re.DOTALL) for header in (_ENTRY, _GAME, _MARK, _IDENTITY)
)

Row = tuple[Value, ...]


class _Found(NamedTuple):
    """What looks like rows of each table, by their numbers; rows of one number may differ where one is damaged."""

    entries: dict[int, list[Row]]
    games: dict[int, list[Row]]
    marks: dict[int, bytes]
    identity: list[Row]


class _Confirmed(NamedTuple):
    """The rows of each table that the chain confirms."""

    games: list[Row]
    entries: list[Row]
    marks: list[tuple[int, bytes]]


def recover(path: Path, new: Path) -> int:
    """Write what the chain confirms of a journal's rows into a new file, and give the last entry, 0 for none.

    Raises OSError and sqlite3.Error.
    """
    found = _search(path)
    confirmed = _follow(found)
    if not confirmed.entries:
        return 0
    with closing(sqlite3.connect(new, isolation_level=None)) as target:
        target.execute("PRAGMA journal_mode = OFF")  # it is read once, and gone after a power cut
        target.execute("BEGIN")
        for statement in joined.from_iterable(store.MIGRATIONS):
            target.execute(statement)
        # Which game has ended is told by its entries.
        target.executemany(
            "INSERT INTO games (id, board, settings, temperament, started_us, boot, wall, version, game, players)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            confirmed.games,
        )
        target.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", confirmed.entries)
        target.executemany("INSERT INTO marks VALUES (?, ?)", confirmed.marks)
        if found.identity:
            target.execute("UPDATE identity SET epoch = ?, acknowledged = ?, seal = ?", found.identity[-1])
        target.execute(f"PRAGMA application_id = {store.APPLICATION}")
        target.execute(f"PRAGMA user_version = {len(store.MIGRATIONS)}")
        target.execute("COMMIT")
    return len(confirmed.entries)


def _follow(found: _Found) -> _Confirmed:
    """What follows from each other, from the first entry on; one without a link is confirmed by a later one."""
    digests = {number: {chain.digest(row): row for row in rows} for number, rows in found.games.items()}
    games: dict[int, Row] = {}
    entries: list[Row] = []
    links, sure = [chain.START], 0
    while (following := _next_entry(found, digests, links)) is not None:
        row, game, link, is_confirmed = following
        links.append(link)
        entries.append(row)
        games[_number(row[1])] = game
        sure = len(entries) if is_confirmed else sure
    used = {row[1] for row in entries[:sure]}
    unlinked = [seq for seq, row in enumerate(entries[:sure], 1) if row[9] is None]
    marked = [seq for seq in unlinked if seq % chain.SPACING == 0 or seq == unlinked[-1]]
    return _Confirmed(
        [games[number] for number in sorted(games) if number in used],
        entries[:sure],
        [(seq, links[seq]) for seq in marked],
    )


def _next_entry(
    found: _Found, digests: Mapping[int, Mapping[bytes, Row]], links: Sequence[bytes]
) -> tuple[Row, Row, bytes, bool] | None:
    """The entry after the last link, its game, its own link, and whether something confirms that."""
    for row in found.entries.get(len(links), ()):
        confirmed = found.marks.get(len(links)) if row[9] is None else row[9]
        for digest, game in digests.get(_number(row[1]), {}).items():
            link = chain.link(links[-1], digest, row[:9])
            if confirmed in {None, link}:
                return row, game, link, confirmed is not None
    return None


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _search(path: Path) -> _Found:
    """Everything that looks like a row; of what was written more than once the latest comes last."""
    file, log = _pages_of_file(path), _pages_of_log(path.with_name(path.name + "-wal"))
    numbered = dict(file) | dict(log)
    found = _Found({}, {}, {}, [])
    for _, page in (*file, *log):
        for table, header in enumerate(_HEADERS):
            for match in header.finditer(page):
                row = _row(page, match.start(1), match.end(1), numbered)
                if row is not None:
                    _keep(found, table, row)
    return found


def _keep(found: _Found, table: int, row: tuple[int, Row]) -> None:
    number, values = row
    if table == 0:
        entry = (number, *values[1:8], *(values[8:] or (None, None)))
        if entry not in (known := found.entries.setdefault(number, [])):
            known.append(entry)
    elif table == 1:
        game = (number, *values[1:8], *(*values[9:], *(FIRST_GAME, "{}")[len(values) - 9 :]))
        if game not in (known := found.games.setdefault(number, [])):
            known.append(game)
    elif isinstance(values[1], bytes):
        found.marks[number] = values[1]
    elif chain.seal(str(values[0]), _number(values[1])) == values[2]:
        found.identity.append(values)


def _pages_of_file(path: Path) -> list[tuple[int, bytes]]:
    data = path.read_bytes() if path.is_file() else b""
    return [(1 + at // PAGE, data[at : at + PAGE]) for at in range(0, len(data), PAGE)]


def _pages_of_log(path: Path) -> list[tuple[int, bytes]]:
    """The pages in a log, those of earlier rounds, which SQLite writes over, too."""
    data = path.read_bytes() if path.is_file() else b""
    starts = range(LOG_HEADER, len(data), FRAME_HEADER + PAGE)
    frames = [data[at : at + FRAME_HEADER + PAGE] for at in starts]
    return [(int.from_bytes(frame[:4], "big"), frame[FRAME_HEADER:]) for frame in frames]


def _row(page: bytes, start: int, end: int, pages: dict[int, bytes]) -> tuple[int, Row] | None:
    """The number and the columns of the row whose header stands there, or None where there is none."""
    if page[start] != end - start:
        return None
    kinds = list(_varints(page[start + 1 : end]))
    length = end - start + sum(map(_length, kinds))
    content = page[start : start + length] if length <= _LONGEST_LOCAL else _with_overflow(page, start, length, pages)
    if len(content) < length:
        return None
    values, at = [], end - start
    try:
        for kind in kinds:
            values.append(_value(kind, content[at : at + _length(kind)]))
            at += _length(kind)
    except UnicodeDecodeError:
        return None
    return _number_before(page, start), tuple(values)


def _with_overflow(page: bytes, start: int, length: int, pages: dict[int, bytes]) -> bytes:
    local = _SHORTEST_LOCAL + (length - _SHORTEST_LOCAL) % (PAGE - 4)
    local = local if local <= _LONGEST_LOCAL else _SHORTEST_LOCAL
    content = page[start : start + local]
    following = page[start + local : start + local + 4]
    while len(content) < length and (more := pages.get(int.from_bytes(following, "big"))):
        content += more[4:]
        following = more[:4]
    return content[:length]


def _number_before(page: bytes, start: int) -> int:
    """The number of a row, a varint that ends where its header starts."""
    first = start - 1
    while first > max(0, start - 9) and page[first - 1] >= 0x80:  # more of it follows
        first -= 1
    # The varint before it, the row's length, ends with a byte below that: this is the whole number.
    return next(_varints(page[first:start]), 0)


def _varints(data: bytes) -> Iterator[int]:
    value = 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # the last of it
            yield value
            value = 0


def _length(kind: int) -> int:
    """Bytes of a column of some kind."""
    if kind >= 12:  # blobs and texts
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _value(kind: int, data: Sequence[int]) -> Value:
    """Raises UnicodeDecodeError."""
    if kind in {8, 9}:
        return kind - 8
    if kind < 8:  # integers of some length
        return int.from_bytes(bytes(data), "big", signed=True) if kind else None
    return bytes(data).decode() if kind % 2 else bytes(data)
