"""Query the rulings of tournament games in the hall's database, and store plans and settled differences."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from gnomon.hall.messaging.hall_names import join_hall, split_hall
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.rounds.results import PairingGame, Ruled
from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.database import Database, Row
from gnomon.hall.store.records import CONFIRMED, OVER, Noted
from gnomon.hall.store.requests import Seating
from gnomon.records.bundles import bundle
from gnomon.records.journal.store import JournalError
from gnomon.records.replay import film
from gnomon.referee.people import clean
from gnomon.rules.protocol import SettingsError
from gnomon.rules.registry import kind_of
from gnomon.views.show import show_of

# What counts is what lies below the mark; how a game ended is told as of a record that may still be on its way.
_PLAYED: Final = (
    "SELECT l.hall, l.board, l.epoch, l.game, q.pairing, g.players, g.name,"
    " CASE WHEN g.as_of <= e.through AND g.ended_us IS NOT NULL THEN 1 ELSE 0 END, r.seq, r.what, r.body"
    " FROM hall_links l JOIN hall_requests q ON q.hall = l.hall AND q.board = l.board AND q.id = l.request"
    " JOIN hall_epochs e ON e.hall = l.hall AND e.board = l.board AND e.epoch = l.epoch"
    " JOIN hall_games g ON g.hall = l.hall AND g.board = l.board AND g.epoch = l.epoch AND g.game = l.game"
    " LEFT JOIN hall_records r ON r.hall = l.hall AND r.board = l.board AND r.epoch = l.epoch AND r.game = l.game"
    " AND r.seq <= e.through AND r.what IN (?, ?)"
    " WHERE l.tournament_hall = :hall AND l.tournament = ? AND l.round = ?"
)
_IN_ORDER: Final = "ORDER BY q.number, l.hall, l.board, e.number, l.game, r.seq"
_FEW: Final = 100
"""Entrants whose games are looked for one by one; of more all games of the round are read."""
# One that was opened by another program, or by a hall that was killed at that moment, has no plan yet.
_OPEN: Final = (
    "SELECT e.tournament, t.plan FROM hall_tournament_events e"
    " LEFT JOIN hall_tournaments t ON t.hall = e.hall AND t.id = e.tournament"
    " WHERE e.hall = :hall AND e.number = 1"
    " ORDER BY CASE WHEN t.number IS NULL THEN 1 ELSE 0 END, t.number, e.tournament"
)
_LINKED: Final = (
    "SELECT tournament_hall, tournament, round, first, second FROM hall_links"
    " WHERE hall = :hall AND board = ? AND epoch = ? AND game = ?"
)
_DRAW: Final = "draw"
_REMEMBERED: Final = 2048
"""Games that are remembered, so that they are not played again each time somebody looks at a round."""
_LONGEST: Final = 5000
"""Records of a game that is played again to know who has won it; of more the director decides, and nobody waits."""

Settled = tuple[str, str, int, int]


class KeptTournament(NamedTuple):
    """A tournament that the hall keeps, and how it is played."""

    id: str
    plan: BoardAssignment


def tournaments(database: Database) -> Sequence[KeptTournament]:
    """Every tournament, in the order in which they were opened. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(_OPEN)
    return [
        KeptTournament(name, BoardAssignment() if plan is None else BoardAssignment.of(plan)) for name, plan in rows
    ]


def last_events(database: Database) -> Mapping[str, int]:
    """The number of the last event of every tournament, no matter who has told it. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(
            "SELECT tournament, max(number) FROM hall_tournament_events WHERE hall = :hall GROUP BY tournament"
        )
    return dict(rows)


def keep_plan(database: Database, tournament: str, plan: BoardAssignment) -> None:
    """Keep how a tournament is played; a new one comes after all others. Raises StoreError."""
    with database.write_transaction() as session:
        session.run(
            "INSERT INTO hall_tournaments (hall, id, number, plan)"
            " SELECT :hall, ?, coalesce(max(number), 0) + 1, ? FROM hall_tournaments WHERE hall = :hall"
            " ON CONFLICT (hall, id) DO UPDATE SET plan = excluded.plan",
            (tournament, plan.text()),
        )


def pairings_touched(database: Database, noted: Iterable[Noted]) -> set[tuple[str, int, int, int]]:
    """For whom the games of some records were begun: tournament, round, and the two entrants. Raises StoreError."""
    games = {(*one.key, one.game) for one in noted}
    if not games:
        return set()
    with database.read_transaction() as session:
        rows = []
        for device, epoch, game in games:
            board, hall = split_hall(device, database.hall)
            rows += session.within(hall).rows(_LINKED, (board, epoch, game))
    # Of a tournament of another hall, that hall is told.
    return {tuple(meeting) for hall, *meeting in rows if hall == database.hall}


def settled_rulings(database: Database, tournament: str) -> frozenset[Settled]:
    """The rulings of which the director has seen that the book says otherwise. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(
            "SELECT s.hall, s.board, s.epoch, s.game, s.seq FROM hall_settled s JOIN hall_links l"
            " ON l.hall = s.hall AND l.board = s.board AND l.epoch = s.epoch AND l.game = s.game"
            " WHERE l.tournament_hall = :hall AND l.tournament = ?",
            (tournament,),
        )
    return frozenset((join_hall(board, hall, database.hall), *ruling) for hall, board, *ruling in rows)


def settle(database: Database, rulings: Iterable[Settled], who: str, why: str) -> None:
    """Keep that the director has seen what some rulings say. Raises StoreError."""
    with database.write_transaction() as session:
        for device, epoch, game, seq in rulings:
            board, hall = split_hall(device, database.hall)
            session.within(hall).run(
                "INSERT INTO hall_settled (hall, board, epoch, game, seq, who, why) VALUES (:hall, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (hall, board, epoch, game, seq) DO NOTHING",
                (board, epoch, game, seq, who, why),
            )


def pairing_games(
    database: Database, tournament: str, in_round: int, entrants: Collection[int] = frozenset()
) -> list[PairingGame]:
    """The games that were begun for a round, in the order in which they were asked for. Raises StoreError.

    `entrants` are those whose games are wanted, nobody for everybody's; others may be among them.
    """
    theirs = sorted(entrants) if len(entrants) <= _FEW else []
    only = f"AND l.first IN ({', '.join('?' * len(theirs))})" if theirs else ""
    with database.read_transaction() as session:
        rows = session.rows(f"{_PLAYED} {only} {_IN_ORDER}", (OVER, CONFIRMED, tournament, in_round, *theirs))
    return [_pairing_game(database, list(game)) for _, game in groupby(rows, key=lambda row: row[:4])]


def _pairing_game(database: Database, rows: Sequence[Row]) -> PairingGame:
    hall, board, epoch, game, pairing, people, name, is_over = rows[0][:8]
    device = join_hall(board, hall, database.hall)
    players = tuple(json.loads(people))
    ruled = _last_ruling(rows) if is_over else None
    if ruled is not None and ruled.winner is not None and (_swap(name) != "" or ruled.winner not in players):
        ruled = ruled._replace(winner=_seat(database, device, epoch, game, ruled.seq, ruled.winner))
    return PairingGame(device, epoch, game, Seating.load(pairing), players, ruled, name)


def _last_ruling(rows: Iterable[Row]) -> Ruled | None:
    """The last ruling, and who has confirmed it since."""
    ruled = None
    for *_, seq, what, text in rows:
        body: Mapping[str, object] = {} if text is None else json.loads(text)
        if what == OVER:
            winner = body.get("winner")
            won = winner if isinstance(winner, str) and winner != _DRAW else None
            ruled = Ruled(seq, won, clean(str(body.get("reason"))), score=_score(body.get("score")))
        elif what == CONFIRMED and ruled is not None:
            ruled = ruled._replace(confirmed=ruled.confirmed | {str(body.get("player"))})
    return ruled


def _score(told: object) -> Mapping[str, int]:
    """Everybody's score as a ruling tells it; what is no number is left out."""
    items = told.items() if isinstance(told, dict) else ()
    return {str(player): points for player, points in items if type(points) is int}


def _seat(database: Database, device: str, epoch: str, game: int, seq: int, winner: str) -> str:  # noqa: PLR0913, PLR0917 - a ruling's name, and what it says
    """As which player the winner began; empty where the game cannot be read."""
    try:
        return _seat_as_of(database, device, epoch, game, seq, winner)  # type: ignore[arg-type]  # each is itself alone
    except (JournalError, ValueError, StopIteration):
        return ""


@lru_cache(maxsize=_REMEMBERED)
def _seat_as_of(database: Database, device: str, epoch: str, game: int, _seq: int, winner: str) -> str:
    """As which player the winner began: the game itself knows, and after the ruling `_seq` nothing of it changes.

    By the rules people may take roles or change sides, as by bids and with a pie.
    Raises JournalError, and ValueError or StopIteration for a game that no referee can follow.
    """
    archive = BoardArchive(database, device, epoch)
    records = archive.read(game)
    if len(records) > _LONGEST:
        return ""
    stored = next(one for one in archive.games() if one.id == game)
    swap = _swap(stored.start.game)
    if swap and not any(record.entry.body.get("text") == swap for record in records):
        return winner
    last = film(bundle(stored, records)).last
    if show_of(last).is_swapped(last):
        players: Sequence[str] = last.rules.players
        return next(player for player in players if player != winner)
    seat: str | None = last.rules.seat(last.position, winner)
    return seat or winner


def _swap(game: str) -> str | None:
    """The turn by which the persons change sides, empty where there is none; None for a game that is not here."""
    try:
        return kind_of(game).swap
    except SettingsError:
        return None
