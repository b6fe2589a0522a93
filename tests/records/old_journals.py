"""Write a journal as it was before its entries had links."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from gnomon.records.journal import store


def old(path: Path, entries: int = 250) -> None:
    """Write a journal as the fourth version did: one game, which has ended."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statements in store.MIGRATIONS[:4]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {store.APPLICATION}")
        connection.execute("PRAGMA user_version = 4")
        connection.execute(
            "INSERT INTO games (board, settings, temperament, started_us, boot, wall, version, ended_us)"
            " VALUES ('tamsk', '{}', 'assistant', 0, 'b', 'w', '1', ?)",
            (entries - 1,),
        )
        connection.execute("BEGIN")
        for number in range(entries):
            values = (1, "raw", number, json.dumps({"number": number}), "b", "w")
            connection.execute("INSERT INTO entries (game, kind, at_us, body, boot, wall) VALUES (?,?,?,?,?,?)", values)
        connection.execute("COMMIT")
