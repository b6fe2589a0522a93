"""Write the records of boards to the hall's database, each exactly once, and detect conflicting copies.

When `save` has returned, the whole transaction is durable; otherwise nothing of it is stored. After that it may be
acknowledged, and may just as well arrive again. A record that arrives again with other content is rejected and
reported.

Any number of processes may write at once. Nothing is remembered between transactions: each holds the rows of the
journals that it writes to, so that another one that writes to the same journal waits, and reads there how far they are
kept.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import Final, NamedTuple

from gnomon.hall.messaging.hall_names import join_hall
from gnomon.hall.messaging.messages import Records, Status
from gnomon.hall.store.database import Database, Insert, Row, Transaction, Value
from gnomon.hall.store.requests import (
    BoardRequest,
    RequestOutcome,
    RequestSharing,
    TakenUp,
    note_fates,
    note_wishes,
    prove,
    take_up,
)
from gnomon.records.journal.entries import EntryKind, Record, StoredGame

AT_ONCE: Final = 200
"""Records in one statement; more bring nothing, and hold others up."""
JUDGED_AT_ONCE: Final = 1000
"""What counts and is judged in one piece of work."""

OVER: Final = "over"
CORRECTED: Final = "corrected"
CONFIRMED: Final = "confirmed"
REQUEST: Final = "request"
ENDED: Final = "ended"
"""No record, but that everything is there up to the one as of which a game was told to have ended."""
NOTABLE: Final[Mapping[str, tuple[EntryKind, str]]] = {
    OVER: (EntryKind.RULING, "ruling"),
    CORRECTED: (EntryKind.RULING, "ruling"),
    CONFIRMED: (EntryKind.NOTE, "note"),
    REQUEST: (EntryKind.NOTE, "note"),
}
"""What is looked for among the records: its kind, and the key of the body that says so."""

_KEEP: Final = Insert.of(
    "hall_records",
    "board epoch seq game kind at_us cause body boot wall what",
    "seq game at_us cause",
    "ON CONFLICT (hall, board, epoch, seq) DO NOTHING",
)
_JOURNALS: Final = "SELECT board, epoch, through FROM hall_epochs WHERE hall = :hall AND (board, epoch) IN"
_HIGHEST: Final = (
    "SELECT board, epoch, (SELECT max(r.seq) FROM hall_records r"
    " WHERE r.hall = :hall AND r.board = e.board AND r.epoch = e.epoch)"
    " FROM hall_epochs e WHERE hall = :hall AND (board, epoch) IN"
)
_KEPT: Final = (
    "SELECT board, epoch, seq, game, kind, at_us, cause, body, boot, wall, what"
    " FROM hall_records WHERE hall = :hall AND (board, epoch, seq) IN"
)
_ABOVE: Final = (
    "SELECT seq, game, what FROM hall_records"
    " WHERE hall = :hall AND board = ? AND epoch = ? AND seq > ? ORDER BY seq LIMIT 5000"
)
_ENDING: Final = (
    "SELECT g.board, g.epoch, g.as_of, g.game FROM hall_epochs e JOIN hall_games g ON g.hall = e.hall"
    " AND g.board = e.board AND g.epoch = e.epoch AND g.ended_us IS NOT NULL AND g.as_of > e.through"
    " WHERE e.hall = :hall AND (e.board, e.epoch) IN"
)
_NOTED: Final = Insert.of(
    "hall_noted",
    "board epoch seq game what",
    "seq game",
    "ON CONFLICT (hall, board, epoch, seq, game, what) DO NOTHING",
)
_BOARDS: Final = Insert.of(
    "hall_boards",
    "board kind label version games",
    "",
    "ON CONFLICT (hall, board) DO UPDATE SET kind = excluded.kind, label = excluded.label,"
    " version = excluded.version, games = excluded.games",
)
_PLAYED_ELSEWHERE: Final = (
    "SELECT tournament_hall, board, epoch, game FROM hall_links"
    " WHERE hall = :hall AND tournament_hall <> :hall AND (board, epoch, game) IN"
)
_KEEP_GAMES: Final = Insert.of(
    "hall_games",
    "board epoch game kind settings temperament started_us boot wall version name players ended_us as_of",
    "game started_us ended_us as_of",
    "ON CONFLICT (hall, board, epoch, game) DO UPDATE SET ended_us = excluded.ended_us, as_of = excluded.as_of"
    " WHERE excluded.as_of > hall_games.as_of",
)
_LAST_EPOCHS: Final = "SELECT board, max(number) FROM hall_epochs WHERE hall = :hall AND board IN"
_BEGIN: Final = Insert.of(
    "hall_epochs", "board epoch number through", "number through", "ON CONFLICT (hall, board, epoch) DO NOTHING"
)
_MARK: Final = Insert.of(
    "hall_epochs",
    "board epoch number through",
    "number through",
    "ON CONFLICT (hall, board, epoch) DO UPDATE SET through = excluded.through"
    " WHERE excluded.through > hall_epochs.through",
)


class Key(NamedTuple):
    """A journal: that of a board, from when it was made until its card was changed."""

    board: str
    epoch: str


class Noted(NamedTuple):
    """A record that counts for more than its game, now that everything before it is there too."""

    key: Key
    seq: int
    game: int
    what: str


class Conflict(NamedTuple):
    """A record came with other content than the one that stands under its number."""

    key: Key
    seq: int


class Saved(NamedTuple):
    """What a transaction has brought: how far each journal that it touched is kept now, and what counts of the new.

    `answered` are the tournaments of which a request was answered, or given up.
    """

    marks: Mapping[Key, int]
    noted: tuple[Noted, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    added: int = 0
    taken: tuple[TakenUp, ...] = ()
    answered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WriteBatch:
    """Everything that goes into one transaction; `wall` is a label for people.

    `asked` are journals of which the caller wants to know how far they are kept, no matter which process has written
    them; `sharing` takes up requests of other hubs.
    """

    records: tuple[Records, ...] = ()
    boards: tuple[Status, ...] = ()
    wishes: tuple[BoardRequest, ...] = ()
    fates: tuple[RequestOutcome, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)
    wall: str = ""
    asked: tuple[Key, ...] = ()
    sharing: RequestSharing | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write, and nothing is asked."""
        written = self.records or self.boards or self.wishes or self.fates or self.refused
        return not (written or self.asked or self.sharing)


class RecordStore:
    """The records of all boards in a database, in which any number of processes write."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def marks(self) -> dict[Key, int]:
        """How far every journal is kept without a gap. Raises StoreError."""
        with self._database.read_transaction() as session:
            rows = session.rows(
                "SELECT board, epoch, through FROM hall_epochs WHERE hall = :hall ORDER BY board, number"
            )
        return {Key(board, epoch): through for board, epoch, through in rows}

    def boards(self) -> list[str]:
        """Every board that was ever there. Raises StoreError."""
        with self._database.read_transaction() as session:
            rows = session.rows("SELECT board FROM hall_boards WHERE hall = :hall ORDER BY board")
        return [board for (board,) in rows]

    def forget(self, board: str) -> None:
        """Expect a board no more; what it has written stays. Raises StoreError."""
        with self._database.write_transaction() as session:
            session.run("DELETE FROM hall_boards WHERE hall = :hall AND board = ?", (board,))

    def refusal_counts(self) -> dict[str, int]:
        """How often what has been refused since the hall was set up. Raises StoreError."""
        with self._database.read_transaction() as session:
            return dict(session.rows("SELECT what, times FROM hall_refused WHERE hall = :hall"))

    def save(self, pile: WriteBatch) -> Saved:
        """Write it all down in one transaction, durable on return. Raises StoreError: then nothing of it is there."""
        with self._database.write_transaction() as session:
            saved = _Writing(session, pile.wall).records(pile.records)
            _note_boards(session, pile.boards)
            note_wishes(session, pile.wishes)
            answered = note_fates(session, pile.fates)
            _count(session, pile.refused)
            marks = dict.fromkeys(pile.asked, 0) | _marks(session, pile.asked) | dict(saved.marks)
            taken = () if pile.sharing is None else take_up(session, pile.sharing)
        return saved._replace(marks=marks, taken=taken, answered=answered)

    def unjudged_entries(self, limit: int = JUDGED_AT_ONCE) -> tuple[Noted, ...]:
        """What counts and was not judged by anybody yet, the first first. Raises StoreError."""
        with self._database.read_transaction() as session:
            rows = session.rows(
                "SELECT board, epoch, seq, game, what FROM hall_noted WHERE hall = :hall"
                " ORDER BY board, epoch, seq LIMIT ?",
                (limit,),
            )
        return tuple(Noted(Key(board, epoch), *rest) for board, epoch, *rest in rows)

    def note_judged(self, noted: Iterable[Noted]) -> None:
        """What follows from something is done: nobody need look at it again. Raises StoreError."""
        done = sorted({(*one.key, one.seq, one.game, one.what) for one in noted})
        for first in range(0, len(done), AT_ONCE):
            part = done[first : first + AT_ONCE]
            values = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
            with self._database.write_transaction() as session:
                session.run(
                    "DELETE FROM hall_noted WHERE hall = :hall AND (board, epoch, seq, game, what)"  # noqa: S608 - placeholders alone
                    f" IN (VALUES {values})",
                    [value for one in part for value in one],
                )


class _Journal(NamedTuple):
    """How far a journal is kept without a gap, and whether nothing is known to be kept above that.

    `ending` are the games that are told to have ended, each as of a record (first) that is still on its way.
    """

    through: int
    is_clean: bool
    ending: frozenset[tuple[int, int]] = frozenset()


class _Writing:
    """One transaction."""

    def __init__(self, session: Transaction, wall: str) -> None:
        self._session = session
        self._wall = wall
        self.journals: dict[Key, _Journal] = {}

    def records(self, batches: Sequence[Records]) -> Saved:
        conflicts: list[Conflict] = []
        merged = self._merge(batches, conflicts)
        self._hold_journals(sorted(merged))
        conflicts += self._leave_out_copies(merged)
        self._keep_games(batches)
        added = 0
        rows = (_row(key, record) for key, records in merged.items() for record in records.values())
        while part := list(islice(rows, AT_ONCE)):
            new = self._session.insert(_KEEP, part)
            added += new
            if new < len(part):
                conflicts += self._conflicts(part)
        for conflict in conflicts:  # what stands there is not what was told
            self.journals[conflict.key] = self.journals[conflict.key]._replace(is_clean=False)
        noted: list[Noted] = []
        for key, records in merged.items():
            noted += self._advance(key, records)
        self._keep_marks(merged)
        self._session.insert(_NOTED, sorted({(*one.key, one.seq, one.game, one.what) for one in noted}))
        prove(self._session, [(*one.key, one.seq) for one in noted if one.what == REQUEST])
        self._note_elsewhere(noted)
        marks = {key: self.journals[key].through for key in merged}
        return Saved(marks, tuple(noted), tuple(conflicts), added)

    def _note_elsewhere(self, noted: Iterable[Noted]) -> None:
        """Note what counts for the tournaments of other halls with these, which judge it themselves."""
        own = self._session.hall
        games: dict[tuple[str, str, int], list[Noted]] = {}
        for one in noted if own else ():
            games.setdefault((*one.key, one.game), []).append(one)
        if not games:
            return
        places = ", ".join(["(?, ?, ?)"] * len(games))
        played = self._session.rows(
            f"{_PLAYED_ELSEWHERE} (VALUES {places}) ORDER BY tournament_hall",
            [value for game in games for value in game],
        )
        for hall, rows in groupby(played, key=itemgetter(0)):
            for_hall = (one for _, *game in rows for one in games[tuple(game)])
            told = sorted({(join_hall(one.key.board, own, hall), one.key.epoch, *one[1:]) for one in for_hall})
            self._session.within(hall).insert(_NOTED, told)

    def _merge(self, batches: Iterable[Records], conflicts: list[Conflict]) -> dict[Key, dict[int, Record]]:
        """The records by journal and number; of two under one number the first."""
        merged: dict[Key, dict[int, Record]] = {}
        for batch in batches:
            key = Key(batch.board, batch.epoch)
            records = merged.setdefault(key, {})
            others = [record for record in batch.records if records.setdefault(record.seq, record) != record]
            conflicts += [self._keep_out(_row(key, record)) for record in others]
        return merged

    def _leave_out_copies(self, merged: dict[Key, dict[int, Record]]) -> list[Conflict]:
        """Of a journal that says something else than the one that stands there nothing is added to it."""
        through = {key: self.journals[key].through for key in merged}
        known = (
            _row(key, record)
            for key, records in merged.items()
            for seq, record in records.items()
            if seq <= through[key]
        )
        found: list[Conflict] = []
        while part := list(islice(known, AT_ONCE)):
            found += self._conflicts(part)
        differing = {conflict.key for conflict in found}
        for key, records in merged.items():
            is_same = key not in differing
            merged[key] = {seq: record for seq, record in records.items() if is_same and seq > through[key]}
        return found

    def _hold_journals(self, keys: Sequence[Key]) -> None:
        """Keep others from writing to some journals until this is committed, and read what stands of them.

        Everybody begins what is new before they hold anything, and holds in the same order: so nobody waits in a
        circle.
        """
        known = _marks(self._session, keys)
        self._begin_journals([key for key in keys if key not in known])
        marks = _held_marks(self._session, keys)
        # Only now: a question sees what was committed when it was asked, and others may have been waited for.
        highest = {Key(*key): seq for *key, seq in _rows_of(self._session, _HIGHEST, keys)}
        ending: dict[Key, set[tuple[int, int]]] = {key: set() for key in keys}
        for board, epoch, as_of, game in _rows_of(self._session, _ENDING, keys):
            ending[Key(board, epoch)].add((as_of, game))
        for key in keys:
            is_clean = (highest[key] or 0) <= marks[key]
            self.journals[key] = _Journal(marks[key], is_clean, frozenset(ending[key]))

    def _begin_journals(self, keys: Sequence[Key]) -> None:
        """Write down journals that are new, each as the last of its board."""
        if not keys:
            return
        boards = sorted({key.board for key in keys})
        numbers: Counter[str] = Counter(
            dict(self._session.rows(f"{_LAST_EPOCHS} ({_gaps(boards)}) GROUP BY board", boards))
        )
        rows: list[tuple[Value, ...]] = []
        for key in keys:
            numbers[key.board] += 1
            rows.append((*key, numbers[key.board], 0))
        self._session.insert(_BEGIN, rows)

    def _keep_games(self, batches: Iterable[Records]) -> None:
        latest: dict[tuple[Key, int], tuple[StoredGame, int]] = {}
        for batch in batches:
            key = Key(batch.board, batch.epoch)
            for game in batch.games:
                if (key, game.id) not in latest or latest[key, game.id][1] < batch.last:
                    latest[key, game.id] = (game, batch.last)
        for (key, number), (game, as_of) in latest.items():
            if game.ended is not None and key in self.journals:
                journal = self.journals[key]
                self.journals[key] = journal._replace(ending=journal.ending | {(as_of, number)})
        if latest:
            rows = [_game_row(key, game, as_of) for (key, _), (game, as_of) in latest.items()]
            self._session.insert(_KEEP_GAMES, rows)

    def _conflicts(self, rows: Sequence[Row]) -> Iterator[Conflict]:
        """Those of the rows that stand there with other content, which are kept out."""
        told = {tuple(row[:3]): row for row in rows}
        numbers = ", ".join(["(?, ?, ?)"] * len(told))
        for row in self._session.rows(f"{_KEPT} (VALUES {numbers})", [value for key in told for value in key]):
            if not _same(row, told[row[:3]]):
                yield self._keep_out(told[row[:3]])

    def _keep_out(self, row: Row) -> Conflict:
        board, epoch, seq = row[:3]
        self._session.run(
            "INSERT INTO hall_conflicts (hall, board, epoch, seq, body, wall) VALUES (:hall, ?, ?, ?, ?, ?)"
            " ON CONFLICT (hall, board, epoch, seq) DO NOTHING",
            (board, epoch, seq, json.dumps(row[3:]), self._wall),
        )
        return Conflict(Key(board, epoch), seq)

    def _advance(self, key: Key, told: Mapping[int, Record]) -> Iterator[Noted]:
        """Move the mark of a journal up to its first gap, and say what counts of what lies below it now."""
        journal = self.journals[key]
        through, ends_in_gap = journal.through, False
        for seq, game, what in _told_above(told, through) if journal.is_clean else self._kept_above(key, through):
            if seq != through + 1:
                ends_in_gap = True
                break
            through = seq
            if what:
                yield Noted(key, seq, game, what)
        ended = {(as_of, game) for as_of, game in journal.ending if as_of <= through}
        yield from (Noted(key, as_of, game, ENDED) for as_of, game in sorted(ended))
        self.journals[key] = _Journal(through, not ends_in_gap, journal.ending - ended)

    def _kept_above(self, key: Key, through: int) -> Iterator[Row]:
        while True:
            rows = self._session.rows(_ABOVE, (*key, through))
            yield from rows
            if not rows:
                return
            through = rows[-1][0]

    def _keep_marks(self, keys: Iterable[Key]) -> None:
        moved = [key for key in keys if self.journals[key].through]
        if moved:
            self._session.insert(_MARK, [(*key, 0, self.journals[key].through) for key in moved])


def _gaps(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _of_keys(keys: Sequence[Key]) -> str:
    return f"(VALUES {', '.join(['(?, ?)'] * len(keys))})"


def _rows_of(session: Transaction, statement: str, keys: Sequence[Key]) -> list[Row]:
    """The rows that a question has for some journals."""
    return session.rows(f"{statement} {_of_keys(keys)}", [word for key in keys for word in key]) if keys else []


def _marks(session: Transaction, keys: Sequence[Key]) -> dict[Key, int]:
    """How far some journals are kept; of one that was never written to there is nothing."""
    return {Key(board, epoch): through for board, epoch, through in _rows_of(session, _JOURNALS, keys)}


def _held_marks(session: Transaction, keys: Sequence[Key]) -> dict[Key, int]:
    """The same, and nobody else moves them before the transaction has ended."""
    if not keys:
        return {}
    held = f"{_JOURNALS} {_of_keys(keys)} ORDER BY board, epoch"
    rows = session.held_rows(held, [word for key in keys for word in key])
    return {Key(board, epoch): through for board, epoch, through in rows}


def _told_above(told: Mapping[int, Record], through: int) -> Iterator[Row]:
    return ((seq, told[seq].entry.game, _what(told[seq])) for seq in sorted(told) if seq > through)


def _row(key: Key, record: Record) -> tuple[Value, ...]:
    entry = record.entry
    body = json.dumps(entry.body, allow_nan=False, separators=(",", ":"))
    written = (entry.at, entry.cause, body, entry.boot, entry.wall, _what(record))
    return (*key, record.seq, entry.game, entry.kind.value, *written)


def _same(kept: Row, told: Row) -> bool:
    """Whether two rows say the same; a body may have its keys in another order."""
    return kept == told or (kept[:7] + kept[8:] == told[:7] + told[8:] and json.loads(kept[7]) == json.loads(told[7]))


def _what(record: Record) -> str:
    body = record.entry.body
    for what, (kind, key) in NOTABLE.items():
        if record.entry.kind is kind and body.get(key) == what:
            return what
    return ""


def _game_row(key: Key, game: StoredGame, as_of: int) -> tuple[Value, ...]:
    start = game.start
    settings, players = (json.dumps(value, separators=(",", ":")) for value in (start.settings, dict(start.players)))
    labels = (start.boot, start.wall, start.version, start.game, players)
    return (*key, game.id, start.board, settings, start.temperament, start.started, *labels, game.ended, as_of)


def _note_boards(session: Transaction, boards: Sequence[Status]) -> None:
    # In the same order everywhere, so that no two programs wait for each other.
    latest = sorted({one.board: one for one in boards}.items())
    rows = [(name, one.kind, one.label, one.version, json.dumps(one.games)) for name, one in latest]
    session.insert(_BOARDS, rows)


def _count(session: Transaction, refused: Mapping[str, int]) -> None:
    for what, times in sorted(refused.items()):
        session.run(
            "INSERT INTO hall_refused (hall, what, times) VALUES (:hall, ?, ?)"
            " ON CONFLICT (hall, what) DO UPDATE SET times = hall_refused.times + excluded.times",
            (what, times),
        )
