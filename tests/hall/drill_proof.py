"""Compare what boards have written with what their hall has: every record, and every result."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from gnomon.games.tabik.rules import Tabik
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.hall.clock import wall
from gnomon.hall.messaging.messages import BATCH, Records, encode
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.backend import open_database
from gnomon.hall.store.database import Database
from gnomon.records.bundles import bundle
from gnomon.records.journal.entries import EntryKind, Excerpt, Record, StoredGame
from gnomon.records.journal.event_codec import NOTE
from gnomon.records.journal.writer import Journal
from gnomon.records.replay import film
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.event_log.reducer import fold
from gnomon.tournament.events import ResultCorrected, ResultEntered
from gnomon.tournament.standings import standings
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.rounds import Pairing
from tests.hall.drill_hub import NAME

_ALL: Final = 1 << 62
_DRAW: Final = "draw"

Meeting = tuple[int, frozenset[str]]
"""A round, and the names of the two who met in it."""


class ProofError(AssertionError):
    """Boards and hall do not tell the same; the sentence says where."""


class Proof(NamedTuple):
    """What was compared and found alike."""

    boards: int
    records: int
    games: int
    results: int

    @property
    def sentence(self) -> str:
        """For people."""
        return (
            f"{self.records} records of {self.games} games of {self.boards} boards stand in the hall byte for byte, "
            f"0 lost, 0 twice, 0 gaps; {self.results} results entered once, standings as the journals tell"
        )


@dataclass(frozen=True, slots=True)
class Written:
    """The journal of a board."""

    epoch: str
    excerpt: Excerpt

    @property
    def last(self) -> int:
        """The number of its last record."""
        return self.excerpt.records[-1].seq


def proven(where: str, folder: Path, announced: Mapping[str, int]) -> Proof:
    """See that the hall's database holds the journals of a folder, nothing more, and what follows from them.

    `announced` is how far each board has said that its journal is durable. Raises ProofError.
    """
    journals = {name: _written(folder / f"{name}.journal") for name in announced}
    for name, seq in announced.items():
        _check(journals[name].last >= seq, f"{name} has lost what it had written: record {seq}")
    database = open_database(where)
    try:
        _compare_counts(database, journals)
        for name, journal in journals.items():
            _compare_bytes(BoardArchive(database, name), name, journal)
        told = SqlBook(database, NAME, wall).read()
    finally:
        database.close()
    results = _compare_results(told, journals)
    excerpts = [journal.excerpt for journal in journals.values()]
    records, games = sum(len(each.records) for each in excerpts), sum(len(each.games) for each in excerpts)
    return Proof(len(journals), records, games, results)


# Records


def _written(path: Path) -> Written:
    with Journal.open(path) as journal:
        return Written(journal.epoch, journal.records_after(0, _ALL))


def _compare_counts(database: Database, journals: Mapping[str, Written]) -> None:
    """Every number from 1 to the last is there once, and no record, journal or board besides."""
    with database.read_transaction() as session:
        counted = session.rows(
            "SELECT board, epoch, count(*), min(seq), max(seq), count(DISTINCT seq) FROM hall_records"
            " GROUP BY board, epoch"
        )
        marks = session.rows("SELECT board, epoch, through FROM hall_epochs")
        ((conflicts,),) = session.rows("SELECT count(*) FROM hall_conflicts")
    wanted = {(name, each.epoch): (each.last, 1, each.last, each.last) for name, each in journals.items()}
    found = {(board, epoch): tuple(numbers) for board, epoch, *numbers in counted}
    _check(found == wanted, f"records in the hall, and of the journals: {set(found.items()) ^ set(wanted.items())}")
    through = {(board, epoch): last for board, epoch, last in marks}
    _check(through == {key: numbers[0] for key, numbers in wanted.items()}, "the hall does not know what it has")
    _check(conflicts == 0, f"{conflicts} records came again with other content")


def _compare_bytes(archive: BoardArchive, name: str, journal: Written) -> None:
    """What the hall would send of the board is what the board has sent."""
    games = archive.games()
    records = sorted((record for game in games for record in archive.read(game.id)), key=lambda record: record.seq)
    own = journal.excerpt
    theirs, ours = _payloads(name, journal, games, records), _payloads(name, journal, own.games, own.records)
    for number, (one, other) in enumerate(zip(theirs, ours, strict=True)):
        _check(one == other, f"{name}, records from {number * BATCH + 1} on: {one!r} is in the hall, not {other!r}")


def _payloads(name: str, journal: Written, games: Sequence[StoredGame], records: Sequence[Record]) -> Iterator[bytes]:
    for first in range(0, len(records), BATCH):
        batch = tuple(records[first : first + BATCH])
        yield encode(Records(name, journal.epoch, tuple(games), batch, journal.last))


# Results


def _compare_results(told: Sequence[LoggedEvent], journals: Mapping[str, Written]) -> int:
    """Every pairing has its result once, and standings made from the journals are the hall's; how many results."""
    entered = [one for one in told if isinstance(one.event, ResultEntered)]
    times = Counter((one.event.round, one.event.board) for one in entered if isinstance(one.event, ResultEntered))
    _check(set(times.values()) <= {1}, f"entered more than once: {[key for key, n in times.items() if n > 1]}")
    _check(not any(isinstance(one.event, ResultCorrected) for one in told), "somebody has corrected a result")
    _check(all(one.who.endswith("confirmed by both") for one in entered), "entered without being confirmed")
    theirs = fold(one.event for one in told)
    played = dict(_ended(journals))
    pairings = [(each.number, pairing) for each in theirs.rounds for pairing in each.pairings]
    _check(set(times) == {(in_round, pairing.board) for in_round, pairing in pairings}, "a pairing has no result")
    names = {number: entrant.name for number, entrant in theirs.entrants.items()}
    results = {
        (in_round, pairing.board): _result(pairing, names, played.get(_meeting(in_round, pairing, names), {}))
        for in_round, pairing in pairings
    }
    ours = fold(
        ResultEntered(one.event.round, one.event.board, (results[one.event.round, one.event.board],))
        if isinstance(one.event, ResultEntered)
        else one.event
        for one in told
    )
    differing = [
        f"round {mine.number}, board {board}: {mine.results[board]} in the journal, {other.results[board]} in the book"
        for mine, other in zip(ours.rounds, theirs.rounds, strict=True)
        for board in mine.results
        if mine.results[board] != other.results[board]
    ]
    _check(not differing, f"the book has other results than the journals: {differing}")
    _check(standings(ours) == standings(theirs), "the hall has other standings than follow from the journals")
    return len(entered)


def _meeting(in_round: int, pairing: Pairing, names: Mapping[int, str]) -> Meeting:
    return in_round, frozenset(names[number] for number in pairing.entrants)


def _result(pairing: Pairing, names: Mapping[int, str], points: Mapping[str, GameResult]) -> GameResult:
    _check(names[pairing.first] in points, f"no journal has a game for board {pairing.board}")
    return points[names[pairing.first]]


def _ended(journals: Mapping[str, Written]) -> Iterator[tuple[Meeting, Mapping[str, GameResult]]]:
    """How each game that was begun for a pairing ended, for each of the two by their names."""
    for journal in journals.values():
        games = {game.id: game for game in journal.excerpt.games}
        by_game = sorted(journal.excerpt.records, key=lambda record: (record.entry.game, record.seq))
        for number, records in groupby(by_game, key=lambda record: record.entry.game):
            told = _told_of(games[number], list(records))
            if told is not None:
                yield told


def _told_of(game: StoredGame, records: Sequence[Record]) -> tuple[Meeting, Mapping[str, GameResult]] | None:
    bodies = [(record.entry.kind, record.entry.body) for record in records]
    rounds = [body["pairing"] for kind, body in bodies if kind is EntryKind.NOTE and body.get(NOTE) == "request"]
    overs = [body for kind, body in bodies if kind is EntryKind.RULING and body.get("ruling") == "over"]
    if not rounds or not overs or overs[-1]["reason"] == "abandoned":
        return None
    (pairing,) = rounds
    assert isinstance(pairing, dict)
    winner, people = overs[-1]["winner"], _seated(game, records)
    points = {
        name: GameResult.DRAWN
        if winner == _DRAW
        else (GameResult.FIRST_WON if player == winner else GameResult.SECOND_WON)
        for player, name in people.items()
    }
    return (int(pairing["round"]), frozenset(people.values())), points


def _seated(game: StoredGame, records: Sequence[Record]) -> Mapping[str, str]:
    """Who sits where at the end: the pie exchanges the two (Tabik, rule 8)."""
    people, last = dict(game.start.players), film(bundle(game, records)).last
    assert not isinstance(last, TamskGame)
    if isinstance(last.rules, Tabik) and last.position.swapped:
        return dict(zip(people, reversed(people.values()), strict=True))
    return people


def _check(is_right: bool, what: str) -> None:
    if not is_right:
        raise ProofError(what)
