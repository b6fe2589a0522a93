"""Check the journal's integrity and size, and report the game in progress."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.records import store
from gnomon.records.entries import StoredGame
from gnomon.records.inspection import DamagedJournalError, inspect
from gnomon_pi.tools.doctor.finding import Finding, counted, fault, note, ok, warning

_MEBIBYTE: Final = 1024 * 1024
_LONG_LOG: Final = 64 * _MEBIBYTE
_TOLD: Final = 10  # games in a summary


class OlderJournalError(store.JournalError):
    """The journal was written by an older Gnomon; the daemon brings it up to date."""


class Contents(NamedTuple):
    """What a journal holds, as far as a bug report needs it: nobody's name."""

    size: int
    log: int  # bytes of the write-ahead log
    version: int
    entries: int
    games: tuple[StoredGame, ...]

    def summary(self) -> dict[str, object]:
        """The journal in numbers, with its last games; settings are left out, for they may hold names."""
        return {
            "bytes": self.size,
            "log_bytes": self.log,
            "version": self.version,
            "entries": self.entries,
            "games": len(self.games),
            "last_games": [
                {
                    "game": game.start.game,
                    "board": game.start.board,
                    "temperament": game.start.temperament,
                    "began": game.start.wall,
                    "version": game.start.version,
                    "ended": game.ended is not None,
                }
                for game in self.games[-_TOLD:]
            ],
        }


def contents(path: Path) -> Contents:
    """Read a journal without changing it. Raises JournalError with one sentence."""
    log = path.with_name(path.name + "-wal")
    found = inspect(path)
    if found.damage is not None:
        raise DamagedJournalError(path, found)
    if found.version < len(store.MIGRATIONS):
        message = f"the journal {path} is of an older Gnomon; gnomond brings it up to date when it starts"
        raise OlderJournalError(message)
    try:
        with closing(store.connect_for_reading(path)) as connection:
            games = tuple(store.games(connection))
        size = path.stat().st_size
        return Contents(size, log.stat().st_size if log.exists() else 0, found.version, found.head.seq, games)
    except (sqlite3.Error, OSError) as error:
        raise store.JournalError(store.explain(path, error)) from error


def check_journal(path: Path) -> Iterator[Finding]:
    """Whether the journal is whole, how large it is, and whether a game goes on."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        yield note("journal", f"There is none at {path} yet: the first game makes it.")
        return
    except OSError as error:
        advice = "Look as the service's user: sudo -u gnomon gnomond doctor."
        yield note("journal", f"{path} is not to be looked at: {error.strerror}.", advice)
        return
    try:
        held = contents(path)
    except OlderJournalError as error:
        yield note("journal", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        return
    except store.JournalError as error:
        yield fault(
            "journal",
            f"{str(error)[:1].upper()}{str(error)[1:]}.",
            "gnomond keeps it aside as it is when it starts, and goes on with what stands before the damage.",
        )
        return
    size = f"{held.size / _MEBIBYTE:.1f} MB"
    yield ok(
        "journal", f"Whole: {counted(len(held.games), 'game')}, {counted(held.entries, 'entry', 'entries')}, {size}."
    )
    if held.log > _LONG_LOG:
        advice = "Stop gnomond and start it once more: that takes the log into the journal."
        yield warning("journal", f"Its log has grown to {held.log // _MEBIBYTE} MB.", advice)
    if held.games:
        yield _last_game(held.games[-1])


def _last_game(game: StoredGame) -> Finding:
    name = f"{game.start.game} began {game.start.wall}"
    if game.ended is not None:
        return ok("last game", f"{name} and has ended.")
    return note("last game", f"{name} and has not ended: gnomond goes on with it.")
