"""Make what boards tell in the tests: games, records and batches of them."""

from collections.abc import Mapping

from gnomon.hall.messaging.messages import Records
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.timekeeping.instants import Instant

START = GameStart(
    "tamsk", {"level": 2}, "silent", Instant(5), "boot", "2026-11-20T10:00:00", "0.1", players={"red": "Ada"}
)


def record(
    seq: int,
    body: Mapping[str, object] | None = None,
    game: int = 1,
    kind: EntryKind = EntryKind.RAW,
    cause: int | None = None,
) -> Record:
    """A record whose content hangs on its number."""
    said = {"input": "reed.d4.up", "value": seq % 2} if body is None else body
    return Record(seq, Entry(game, kind, Instant(seq * 1000), said, "boot", "2026-11-20T10:00:01", cause))


def batch(
    board: str, *records: Record, epoch: str = "e1", last: int | None = None, ended: Mapping[int, int] | None = None
) -> Records:
    """Records as a board sends them; `ended` are the stamps with which games have ended."""
    stamps = ended or {}
    games = tuple(
        StoredGame(game, START, Instant(stamps[game]) if game in stamps else None)
        for game in sorted({each.entry.game for each in records})
    )
    through = max((each.seq for each in records), default=0)
    return Records(board, epoch, games, records, through if last is None else last)


def span(board: str, first: int, last: int, epoch: str = "e1") -> Records:
    """Records `first` to `last` of a board's first game."""
    return batch(board, *(record(seq) for seq in range(first, last + 1)), epoch=epoch)


def over(seq: int, winner: str | None, game: int = 1) -> Record:
    """The ruling that a game is over."""
    body = {"at_us": seq * 1000, "ruling": "over", "winner": winner or "draw", "reason": "blocked", "score": {}}
    return record(seq, body, game, EntryKind.RULING)


def confirmed(seq: int, player: str, game: int = 1) -> Record:
    """A player's word that the result is right."""
    return record(seq, {"note": "confirmed", "player": player}, game, EntryKind.NOTE)


def requested(seq: int, request: str, game: int = 1) -> Record:
    """The note that a request was carried out."""
    return record(seq, {"note": "request", "id": request, "actor": "Anna", "do": "new_game"}, game, EntryKind.NOTE)
