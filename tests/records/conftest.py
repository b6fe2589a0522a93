"""What the tests of the journal share: games and entries to write."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gnomon.records.journal.entries import Entry, EntryKind, GameStart
from gnomon.timekeeping.instants import Instant


@pytest.fixture
def start() -> GameStart:
    return GameStart("tamsk", {"level": 2}, "assistant", Instant(1_000), "boot-1", "2026-11-20 10:00", "0.1.0")


@pytest.fixture
def note() -> Callable[..., Entry]:
    """Makes an entry of game 1 whose body is its argument."""

    def make(
        number: object = 0, game: int = 1, at: int = 0, kind: EntryKind = EntryKind.NOTE, cause: int | None = None
    ) -> Entry:
        return Entry(game, kind, Instant(at), {"number": number}, "boot-1", "2026-11-20 10:00", cause)

    return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"
