"""Store the requests sent to boards, their outcomes, and the game started for each pairing.

A request is proven by the board's own record that names it: the game of that record is then linked to the pairing for
which the request was made.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Self

from gnomon.hall.messaging.hall_names import join_hall, split_hall
from gnomon.hall.messaging.messages import Answer, Fate, Json, Request
from gnomon.hall.store.database import Database, Row, Transaction
from gnomon.refusals import NOTHING, Statement
from gnomon.timekeeping.instants import Instant

WAITING: Final = ""
UNSET: Final = Instant(-1)
"""Until when a request is meant that no hub has sent yet: only one that hears the board knows its clock."""
UNANSWERED: Final = "unanswered"
"""Neither an answer nor a proof came in time; a proof may still come."""
UNDER_WAY: Final = "waiting"
"""Sent or about to be, and nothing came back yet."""
OUTCOMES: Final = (UNDER_WAY, *(fate.value for fate in Fate), UNANSWERED)

_ADD: Final = (
    "INSERT INTO hall_requests (hall, id, board, session, until_us, actor, action, wall, fate, why, proof, pairing,"
    " tournament_hall, tournament, number)"
    " SELECT :hall, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(max(last), 0) + 1 FROM"
    # In order within the hall, and within the tournament, whose boards may stand in other halls, too.
    " (SELECT max(number) AS last FROM hall_requests WHERE hall = :hall"
    " UNION ALL SELECT max(number) FROM hall_requests WHERE tournament_hall = ? AND tournament = ?) AS before"
    " WHERE 1 = 1 ON CONFLICT DO NOTHING"
)
_ASKED: Final = (
    "SELECT id, hall, board, session, until_us, actor, action, wall, fate, why, proof, tournament_hall, pairing"
    " FROM hall_requests WHERE"
)
_STATED: Final = '{"key": '
"""How a statement begins that is stored as JSON."""
_NEWEST: Final = "ORDER BY number DESC LIMIT 200"


_OF_PAIRS: Final = 7  # fields of a seating of two


class Seating(NamedTuple):
    """Whom a game is begun for: game `number` of the round at a board of the tournament, entrant `first` as `player`.

    `board` is the number of the pairing, `first` and `second` are entrants in the order of the pairing. At a table of
    three or four they are the first two of the seats, and `others` the rest.
    """

    tournament: str
    round: int
    board: int
    number: int
    first: int
    second: int
    player: str
    others: tuple[int, ...] = ()

    @classmethod
    def load(cls, text: str) -> Self:
        """The seating that was written as JSON."""
        fields = json.loads(text)
        return cls(*fields[:_OF_PAIRS], *map(tuple, fields[_OF_PAIRS:]))


class BoardRequest(NamedTuple):
    """A request as it is sent to a board, and the pairing that it is made for."""

    board: str
    request: Request
    wall: str
    seating: Seating | None = None


class RequestOutcome(NamedTuple):
    """What became of a request of a board; `fate` is that of its answer, or UNANSWERED."""

    board: str
    id: str
    fate: str
    why: Statement = NOTHING
    proof: int = 0

    @classmethod
    def from_answer(cls, board: str, answer: Answer) -> "RequestOutcome":
        """What a board has answered."""
        return cls(board, answer.id, answer.fate.value, answer.why, answer.proof)


class StoredRequest(NamedTuple):
    """A request as it is kept: `fate` is empty while it waits, `proof` the record that proves it, 0 without one."""

    id: str
    board: str
    actor: str
    action: Json
    wall: str
    fate: str
    why: Statement
    proof: int
    seating: Seating | None

    @property
    def is_proven(self) -> bool:
        """Whether the board's own record says that it was done."""
        return self.proof > 0

    @property
    def outcome(self) -> str:
        """What is known to have become of it, one of OUTCOMES: a record of the board proves more than no answer."""
        if self.fate in (WAITING, UNANSWERED) and self.is_proven:
            return Fate.DONE.value
        return self.fate or UNDER_WAY


class GameLink(NamedTuple):
    """A game of a journal, and whom it was begun for."""

    board: str
    epoch: str
    game: int
    seating: Seating


class RequestSharing(NamedTuple):
    """What a hub takes up of what other hubs of the hall were asked.

    `known` are the requests that it has already; `until` says of a board that it serves and hears its session and until
    when a request is meant, by the board's clock, None of any other.
    """

    known: frozenset[str]
    until: Callable[[str], tuple[str, Instant] | None]


class TakenUp(NamedTuple):
    """A request of another hub; `is_unsent` where nobody has sent it before."""

    wish: BoardRequest
    is_unsent: bool


# Within the transaction that keeps the records


def note_wishes(session: Transaction, wishes: Iterable[BoardRequest]) -> None:
    """Write down what is to be asked, before it is sent."""
    for wish in wishes:
        request, seating = wish.request, wish.seating
        board, hall = split_hall(wish.board, session.hall)
        book, book_hall = split_hall("" if seating is None else seating.tournament, session.hall)
        pairing = "" if seating is None else json.dumps(seating._replace(tournament=book))
        session.within(hall).run(
            _ADD,
            (
                *(request.id, board, request.session, request.until, request.actor),
                *(json.dumps(request.action), wish.wall, WAITING, "", 0, pairing, book_hall, book),
                *(book_hall, book),
            ),
        )


def note_fates(session: Transaction, fates: Iterable[RequestOutcome]) -> frozenset[str]:
    """Write down what boards have answered; the first answer stands, and any answer is more than none.

    Return the tournaments for which the boards were asked.
    """
    books: set[str] = set()
    # In the same order everywhere, so that no two programs wait for each other.
    for fated in sorted(fates, key=lambda fated: fated.id):
        board, hall = split_hall(fated.board, session.hall)
        session.within(hall).run(
            "UPDATE hall_requests SET fate = ?, why = ? WHERE hall = :hall AND id = ? AND board = ? AND fate IN (?, ?)",
            (fated.fate, _dump_why(fated.why), fated.id, board, WAITING, UNANSWERED),
        )
        rows = session.within(hall).rows(
            "SELECT tournament, tournament_hall FROM hall_requests WHERE hall = :hall AND id = ? AND board = ?",
            (fated.id, board),
        )
        books.update(join_hall(book, book_hall, session.hall) for book, book_hall in rows if book)
    return frozenset(books)


def prove(session: Transaction, notes: Sequence[tuple[str, str, int]]) -> None:
    """Take records that name requests (board, epoch, number) as their proof, and link their games to the pairings."""
    for board, epoch, seq in notes:
        ((game, text),) = session.rows(
            "SELECT game, body FROM hall_records WHERE hall = :hall AND board = ? AND epoch = ? AND seq = ?",
            (board, epoch, seq),
        )
        request = json.loads(text).get("id")
        if not isinstance(request, str) or not request.isascii() or "\0" in request:
            continue  # none of ours; a database takes neither NUL nor half characters
        asked = session.rows(
            "SELECT tournament_hall, pairing FROM hall_requests"
            " WHERE hall = :hall AND id = ? AND board = ? AND proof = 0",
            (request, board),
        )
        for book_hall, pairing in asked:
            session.run(
                "UPDATE hall_requests SET proof = ? WHERE hall = :hall AND board = ? AND id = ?", (seq, board, request)
            )
            if pairing:
                seating = _parse_seating(pairing, book_hall, session.hall)
                _link(session, GameLink(board, epoch, game, seating), request)


def _link(session: Transaction, link: GameLink, request: str) -> None:
    seating = link.seating
    book, book_hall = split_hall(seating.tournament, session.hall)
    session.run(
        "INSERT INTO hall_links (hall, board, epoch, game, tournament_hall, tournament, round, number, first, second,"
        " player, request) VALUES (:hall, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (hall, board, epoch, game) DO NOTHING",
        (
            *(link.board, link.epoch, link.game, book_hall, book, seating.round),
            *(seating.number, seating.first, seating.second, seating.player, request),
        ),
    )


def take_up(session: Transaction, sharing: RequestSharing) -> tuple[TakenUp, ...]:
    """Take what nobody has sent for boards that are served here, and what is under way there.

    One hub alone takes what was not sent; one that is under way may be sent again by any, since its hub may be gone.
    """
    taken: list[TakenUp] = []
    unsent = f"{_ASKED} hall = :hall AND fate = ? AND until_us = ? ORDER BY number LIMIT 100"
    for row in session.free_rows(unsent, (WAITING, UNSET)):
        wish = _board_request(row, session.hall)
        if (found := sharing.until(wish.board)) is None:
            continue
        seat, until = found
        session.run(
            "UPDATE hall_requests SET session = ?, until_us = ? WHERE hall = :hall AND board = ? AND id = ?",
            (seat, until, wish.board, wish.request.id),
        )
        request = replace(wish.request, session=seat, until=until)
        taken.append(TakenUp(wish._replace(request=request), is_unsent=True))
    under_way = f"{_ASKED} hall = :hall AND fate = ? AND proof = 0 AND until_us <> ? ORDER BY number DESC LIMIT 500"
    for row in session.rows(under_way, (WAITING, UNSET)):
        wish = _board_request(row, session.hall)
        found = None if wish.request.id in sharing.known else sharing.until(wish.board)
        is_taken = any(each.wish.request.id == wish.request.id for each in taken)
        if found is not None and found[0] == wish.request.session and not is_taken:
            taken.append(TakenUp(wish, is_unsent=False))
    return tuple(taken)


# Reading


def open_requests(database: Database) -> Sequence[BoardRequest]:
    """The requests that neither an answer nor a proof has come for. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(f"{_ASKED} hall = :hall AND fate = ? AND proof = 0 ORDER BY number", (WAITING,))
    return [_board_request(row, database.hall) for row in rows]


def asked_of(database: Database, board: str) -> Sequence[StoredRequest]:
    """What was asked of a board last, the newest first. Raises StoreError."""
    plain, hall = split_hall(board, database.hall)
    with database.within(hall).read_transaction() as session:
        rows = session.rows(f"{_ASKED} hall = :hall AND board = ? {_NEWEST}", (plain,))
    return [_stored_request(row, database.hall) for row in rows]


def find_request(database: Database, request: str) -> StoredRequest | None:
    """One request by its id, or None. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(f"{_ASKED} id = ? AND (hall = :hall OR tournament_hall = :hall)", (request,))
    return _stored_request(rows[0], database.hall) if rows else None


def asked_for(database: Database, tournament: str) -> Sequence[StoredRequest]:
    """What was asked of boards for a tournament, the newest first. Raises StoreError."""
    with database.read_transaction() as session:
        rows = session.rows(
            f"{_ASKED} tournament_hall = :hall AND tournament = ? ORDER BY number DESC, hall", (tournament,)
        )
    return [_stored_request(row, database.hall) for row in rows]


def _board_request(row: Row, own: str) -> BoardRequest:
    identity, hall, board, seat, until, actor, action, wall, _, _, _, book_hall, pairing = row
    request = Request(identity, seat, Instant(until), actor, json.loads(action))
    seating = _parse_seating(pairing, book_hall, own) if pairing else None
    return BoardRequest(join_hall(board, hall, own), request, wall, seating)


def _stored_request(row: Row, own: str) -> StoredRequest:
    identity, hall, board, _, _, actor, action, wall, fate, why, proof, book_hall, pairing = row
    told: Mapping[str, object] = json.loads(action)
    seating = _parse_seating(pairing, book_hall, own) if pairing else None
    board = join_hall(board, hall, own)
    return StoredRequest(identity, board, actor, told, wall, fate, _load_why(why), proof, seating)


def _dump_why(why: Statement) -> str:
    """A reason as it is stored: a statement as JSON, a sentence without a key as it stands."""
    return json.dumps(why.dump()) if why.key else str(why)


def _load_why(text: str) -> Statement:
    """A reason that was stored, perhaps by a version that knew sentences alone."""
    if not text.startswith(_STATED):
        return Statement.plain(text)
    try:
        return Statement.load(json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return Statement.plain(text)


def _parse_seating(pairing: str, book_hall: str, own: str) -> Seating:
    """Whom a game is begun for: the tournament bears the name of its hall where that is another one."""
    seating = Seating.load(pairing)
    return seating._replace(tournament=join_hall(seating.tournament, book_hall, own))
