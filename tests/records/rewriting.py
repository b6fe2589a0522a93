"""Alter a journal so that its links hold."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gnomon.records.journal import chain


def rewrite(path: Path, *statements: str) -> None:
    """Alter a journal as SQLite does, and make every link again: anyone who can write to it can do that."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.text_factory = lambda text: text.decode(errors="replace")
        games = {
            row[0]: chain.digest(row)
            for row in connection.execute(
                "SELECT id, board, settings, temperament, started_us, boot, wall, version, game, players FROM games"
            )
        }
        before = chain.START
        for row in connection.execute("SELECT * FROM entries ORDER BY seq").fetchall():
            seq, game, kind, at, cause, body, boot, wall, ends, _ = row
            before = chain.link(before, games.get(game, b""), (seq, game, kind, at, cause, body, boot, wall, ends))
            connection.execute("UPDATE entries SET link = ? WHERE seq = ?", (before, seq))
