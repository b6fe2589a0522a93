"""Inspect a journal before anything is written to it: its version, its hash chain, and what is missing.

Nothing here writes. A journal is compared with its own chain, and with the last state that a witness recorded.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import chain as joined
from pathlib import Path
from typing import Final

from gnomon.records.journal import _witness as witness
from gnomon.records.journal import chain, store
from gnomon.records.journal._page_sums import PageSums
from gnomon.records.journal._witness import WitnessedEntry
from gnomon.records.journal.chain import NOTHING, Damage, Head
from gnomon.records.journal.store import JournalError
from gnomon.refusals import statement

_FORMATS: Final = (b"\1\1", b"\2\2")  # of a database that is about to be made, and of one that writes ahead
_PASSING: Final = ("BUSY", "LOCKED", "FULL", "CANTOPEN", "NOMEM", "READONLY", "PERM", "PROTOCOL", "IOERR")
"""What SQLite says of the machine rather than of the file; but a page that the disk cannot read is damage."""
_UNREADABLE: Final = ("SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ")
_ENOUGH: Final = 80  # characters: SQLite quotes what it cannot read
_SCHEMA: Final = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
# Every entry of the index, in one number that changes with any of them; the multiplier is Knuth's (6.4).
_IN_TABLE: Final = "SELECT count(*), sum((seq * 2654435761 + game * 40503) % 4294967296) FROM entries NOT INDEXED"
_IN_INDEX: Final = (
    "SELECT count(*), sum((seq * 2654435761 + game * 40503) % 4294967296) FROM entries INDEXED BY entries_of_a_game"
)


@dataclass(frozen=True, slots=True)
class Inspected:
    """What was found: the version, up to where the journal is what was written, its games' digests, and what is wrong.

    `version` 0 is a journal that is about to be made. `pages` are those of a journal that is, byte for byte, what it
    was when its last entry was written.
    """

    version: int = 0
    head: Head = NOTHING
    games: dict[int, bytes] = field(default_factory=dict)
    damage: Damage | None = None
    pages: PageSums | None = None

    @property
    def is_complete(self) -> bool:
        """Whether no entry is lost that anyone knows of."""
        return self.damage is None or self.damage.code in {"index", "ended", "hall", "pages"}


class DamagedJournalError(JournalError):
    """A journal is not what was written; what stands before `found.damage` can be gone on with (`rescue`)."""

    def __init__(self, path: Path, found: Inspected) -> None:
        damage = found.damage or Damage("unread")
        super().__init__(statement("told.journal.damaged", file=str(path), told=damage.statement))
        self.found = found
        self.damage = damage


def inspect(path: Path, witnesses: Sequence[Path] = (), *, follows_all: bool = False) -> Inspected:
    """Look at a journal as it stands, with its log; `witnesses` are looked at besides the one beside it.

    The chain is followed where the pages are not those that a witness knows, or else with `follows_all`.
    Raises JournalError for what is no journal, or cannot be read just now.
    """
    seen = [each for each in map(witness.read, (witness.path_beside(path), *witnesses)) if each is not None]
    last = max(seen, key=lambda each: each.seq, default=None)
    try:
        if path.is_dir():
            return Inspected(damage=Damage("unread", detail=statement("told.damage.of.folder")))
        if not path.exists() or not path.stat().st_size:
            return _of_nothing(last)
        with path.open("rb") as file:
            formats = file.read(20)[18:]
        with closing(store.connect_for_reading(path)) as connection:
            connection.execute("BEGIN")  # one moment of it, while a daemon writes on
            found = (None if follows_all else _as_written(connection, path, last)) or _inspect(connection, path, last)
    except PermissionError as error:
        return Inspected(damage=Damage("unread", detail=f"{error.strerror}"))
    except OSError as error:
        raise JournalError(store.explain(path, error)) from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name not in _UNREADABLE and name.removeprefix("SQLITE_").startswith(_PASSING):
            raise JournalError(store.explain(path, error)) from error
        return Inspected(damage=Damage("unread", detail=" ".join(str(error).split())[:_ENOUGH]))
    except UnicodeDecodeError:  # what SQLite cannot make sense of, it quotes
        return Inspected(damage=Damage("unread", detail=statement("told.damage.of.schema")))
    if found.damage is None and formats not in _FORMATS:
        return Inspected(
            found.version, found.head, found.games, Damage("pages", detail=statement("told.damage.of.format"))
        )
    return found


def _of_nothing(last: WitnessedEntry | None) -> Inspected:
    return Inspected(damage=Damage("missing", 1, last.seq) if last is not None and last.seq else None)


def _as_written(connection: sqlite3.Connection, path: Path, last: WitnessedEntry | None) -> Inspected | None:
    """What a journal is whose pages are those that a witness knows; of any other it has to be found out."""
    if last is None or not last.pages or last.version != len(store.MIGRATIONS):
        return None
    pages = PageSums.read(path)
    if pages is None or pages.total != last.pages:
        return None
    if store.link_of(connection, last.seq) != last.link:  # SQLite sees less: the head of a frame is damaged
        return None
    return Inspected(last.version, Head(last.seq, last.link), chain.read_games(connection, last.version), pages=pages)


def _inspect(connection: sqlite3.Connection, path: Path, last: WitnessedEntry | None) -> Inspected:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = tuple(connection.execute(_SCHEMA))
    if not tables and not version:
        return _of_nothing(last)
    names = {name for _, name, _ in tables}
    is_ours = last is not None or {"games", "entries"} <= names
    if application != store.APPLICATION and not is_ours:
        raise JournalError(statement("told.journal.strange", file=str(path)))
    if (
        application == store.APPLICATION
        and version > len(store.MIGRATIONS)
        and (last is None or last.version == version)
    ):
        raise JournalError(
            statement("told.journal.newer", file=str(path), version=version, known=len(store.MIGRATIONS))
        )
    like = next((each for each in range(len(store.MIGRATIONS), 0, -1) if tables == _tables_of(each)), 0)
    if not like:
        like = chain.FIRST_VERSION if "marks" in names else min(max(version, 1), chain.FIRST_VERSION - 1)
        walked = chain.walk(connection, like)
        strange = Damage("pages", detail=statement("told.damage.of.tables"))
        return Inspected(like, walked.head, walked.games, walked.damage or strange)
    walked = chain.walk(connection, like, 0 if last is None else last.seq)
    damage = (
        walked.damage
        or _find_loss(walked, last)
        or _beside(connection, like, walked)
        or _header(application, version, like)
    )
    return Inspected(like, walked.head, walked.games, damage)


def _find_loss(walked: chain.Walked, last: WitnessedEntry | None) -> Damage | None:
    """What a witness saw that is not there."""
    if last is None or not last.seq:
        return None
    if last.seq > walked.head.seq:
        return Damage("missing", walked.head.seq + 1, last.seq)
    return Damage("other", last.seq) if walked.passed != last.link else None


def _header(application: int, version: int, like: int) -> Damage | None:
    if (application, version) == (store.APPLICATION, like):
        return None
    return Damage("pages", detail=statement("told.damage.of.version"))


def _beside(connection: sqlite3.Connection, version: int, walked: chain.Walked) -> Damage | None:
    """What is wrong beside the entries: pages, the index, which games have ended, what a hall has."""
    try:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            return Damage("pages", detail=" ".join(found.split()))
        if connection.execute(_IN_TABLE).fetchone() != connection.execute(_IN_INDEX).fetchone():
            return Damage("index", detail=statement("told.damage.of.index"))
        if version < chain.FIRST_VERSION:
            return None
        if any(game.ended != walked.ended.get(game.id) for game in store.games(connection)):
            return Damage("ended", detail=statement("told.damage.of.ended"))
        rows = connection.execute("SELECT epoch, acknowledged, seal FROM identity").fetchall()
        # A text that became bytes, as one flipped bit makes it, is sealed otherwise.
        if len(rows) != 1 or chain.seal(*rows[0][:2]) != rows[0][2]:
            return Damage("hall", detail=statement("told.damage.of.hall"))
    except sqlite3.Error as error:
        return Damage("pages", detail=str(error))
    except (JournalError, TypeError, ValueError) as error:
        return Damage("pages", detail=str(error))
    return None


@cache
def _made_by(migrations: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, str, str], ...]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for statement in joined.from_iterable(migrations):
            connection.execute(statement)
        return tuple(connection.execute(_SCHEMA))


def _tables_of(version: int) -> tuple[tuple[str, str, str], ...]:
    """The tables that journals of a version have."""
    return _made_by(store.MIGRATIONS[:version])
