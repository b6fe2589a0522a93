"""Detect the kind of a game record file, and read every kind as score sheets.

Supported are score sheets, SGF, Boardspace records, traces, and games of a journal, which is read without its lock: a
daemon may be writing it.
"""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from gnomon.people.register import Register, RegisterError
from gnomon.records.bundles import bundle, read_bundle
from gnomon.records.formats.sgf import decode
from gnomon.records.formats.sgf_sheets import read_sgf
from gnomon.records.formats.sheets import Sheet, read_sheet
from gnomon.records.journal import store
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.hidden_names import hide_in_game, hide_in_records
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.reader import AnswerT, JournalReader, Question
from gnomon.records.journal.store import JournalError
from gnomon.records.transcripts import transcript
from gnomon.refusals import statement
from gnomon.rules.kinds import load
from gnomon.rules.registry import games, kind_of

_SQLITE: Final = b"SQLite format 3\x00"
# Possessive: else each `#` of a line of them may begin a comment again, and no end comes of it.
_SHEET: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:#[^\n]*+\s*+)*+Sheet\s*:")
_SGF: Final = re.compile(r"\(\s*;")


def is_journal(data: bytes) -> bool:
    """Whether a file is a database, as a journal is, by its first bytes."""
    return data.startswith(_SQLITE)


def is_journal_file(path: Path) -> bool:
    """Whether a file is a journal of ours, and no other database."""
    try:
        with closing(_open(path)):
            return True
    except (JournalError, sqlite3.Error):
        return False


def read_sheets(data: bytes) -> tuple[Sheet, ...]:
    """The games of any record but a journal. Raises ValueError with one sentence, mostly with the line."""
    if _SHEET.match(data):
        return (read_sheet(data),)
    if data.lstrip().startswith(b"{"):
        return (transcript(read_bundle(data.splitlines()).trace),)
    text = decode(data)
    for reader in (load(kind_of(game).reader) for game in games() if kind_of(game).reader):
        if reader.recognizes(text):
            return (reader.read(data),)
    return read_sgf(data) if _SGF.search(text) else (read_sheet(data),)


class JournalFile(JournalReader):
    """A journal as it is written, for questions about its games. Each raises JournalError."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.path = path

    def ask(self, question: Question[AnswerT]) -> AnswerT:
        """Answer a question. Raises JournalError."""
        try:
            with closing(_open(self.path)) as connection:
                return question(connection)
        except sqlite3.Error as error:
            raise JournalError(store.explain(self.path, error)) from error


def stored_games(path: Path) -> Sequence[StoredGame]:
    """The games of a journal, in the order of their beginning, without the names of forgotten people.

    Raises JournalError, also where nobody can tell who is forgotten.
    """
    register = _register(path)
    return [hide_in_game(game, register) for game in JournalFile(path).games()]


def cut_off(path: Path) -> frozenset[int]:
    """The games of a journal that have not ended, and of which it lost the end. Raises JournalError."""
    return JournalFile(path).cut_off()


def stored_game(path: Path, number: int | None = None) -> tuple[StoredGame, Sequence[Record]]:
    """A game of a journal, the last one unless a number is given, and its entries, as `stored_games` gives them."""
    journal, register = JournalFile(path), _register(path)
    found = [game for game in journal.games() if number in (None, game.id)]
    if not found:
        if number is None:
            raise JournalError(statement("told.journal.empty", file=str(path)))
        raise JournalError(statement("told.journal.no_game", file=str(path), number=number))
    game = found[-1]
    return hide_in_game(game, register), hide_in_records(game, journal.read(game.id), register)


def sheet_of_stored(path: Path, number: int | None = None) -> Sheet:
    """The sheet of a game of a journal. Raises JournalError, and ValueError for what no referee can follow."""
    return transcript(bundle(*stored_game(path, number)).trace)


def _register(path: Path) -> Register:
    try:
        return PeopleFile.beside(path).register()
    except RegisterError as error:
        raise JournalError(error.statement) from error


def _open(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise JournalError(statement("told.journal.none", file=str(path)))
    connection = store.connect_for_reading(path)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != store.APPLICATION:
        connection.close()
        raise JournalError(statement("told.journal.not_ours", file=str(path)))
    return connection
