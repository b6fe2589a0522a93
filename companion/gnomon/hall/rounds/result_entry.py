"""Enter results that boards have ruled into the tournament's event log, where the hall's plan permits it.

A book takes one event after another: an event decided on an older state is refused and decided again. So a result is
entered once, only where none stands, and nothing that a person has entered is ever overwritten.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gnomon.hall.board_alarms import Alarm, Dispute, Trouble
from gnomon.hall.rounds import player_claims, result_rows
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.rounds.dispatch import plan_of_round
from gnomon.hall.rounds.event_log import Book, BookError, StaleError
from gnomon.hall.rounds.results import PairingState, Proposal, proposals
from gnomon.hall.rounds.table_results import TableProposal, table_proposals, tables_taken_back
from gnomon.hall.store.database import Database
from gnomon.hall.store.records import Noted
from gnomon.refusals import Statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.event_log.codec import LoggedEvent
from gnomon.tournament.events import PlacesEntered, ResultCorrected, ResultEntered, ResultWithdrawn
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Round

_TRIES: Final = 20
"""Others may tell the book something meanwhile; more often than that in a row they do not."""

_RESULTS: Final = (ResultEntered, ResultCorrected, PlacesEntered)
_CURRENT: Final = 0  # instead of the number of the round being played

Books = Callable[[str], Book]


class Scope(NamedTuple):
    """What is looked at: a tournament, one round of it or all, and the meetings of some entrants or of all."""

    tournament: str
    round: int | None = None
    entrants: frozenset[int] = frozenset()


class Entering:
    """What follows from the boards' records for the tournaments of a hall. Used by the hub's thread."""

    def __init__(self, database: Database, books: Books) -> None:
        self._database = database
        self._books = books
        self._lengths: Mapping[str, int] = {}
        self._claims: Mapping[str, tuple[int, str]] = {}
        self._differing: dict[tuple[str, int, int], tuple[Alarm, ...]] = {}
        self._faults: Mapping[str, Statement] = {}

    def faults(self) -> tuple[Statement, ...]:
        """Why the results of some tournaments cannot be entered now. Any thread may ask."""
        return tuple({why.message: why for why in self._faults.values()}.values())

    def conflicts(self) -> tuple[Alarm, ...]:
        """The results that a director has to decide: told in different ways, or by nobody. Any thread may ask."""
        return tuple(alarm for alarms in tuple(self._differing.values()) for alarm in alarms)

    def process(self, noted: Sequence[Noted]) -> set[str]:
        """Enter what follows from new records; the tournaments that they belong to. Raises StoreError."""
        meetings: dict[tuple[str, int], set[int]] = {}
        for name, in_round, first, second in result_rows.pairings_touched(self._database, noted):
            meetings.setdefault((name, in_round), set()).update((first, second))
        return self.again(Scope(*key, frozenset(entrants)) for key, entrants in meetings.items())

    def process_all(self) -> set[str]:
        """Enter what follows from everything that is kept. Raises StoreError."""
        self._lengths, self._claims = result_rows.last_events(self._database), player_claims.last_claims(self._database)
        return self.again(Scope(kept.id) for kept in result_rows.tournaments(self._database))

    def process_changed(self) -> set[str]:
        """The tournaments of which books or players have told something, and the faulty ones, looked at again.

        Raises StoreError.
        """
        before, self._lengths = self._lengths, result_rows.last_events(self._database)
        said, self._claims = self._claims, player_claims.last_claims(self._database)
        changed = [name for name, length in self._lengths.items() if before.get(name, 0) != length]
        scopes = {scope for name in changed for scope in self._told_since(name, before.get(name, 0))}
        scopes |= {Scope(name, _CURRENT) for name, last in self._claims.items() if said.get(name) != last}
        return self.again(scopes | {Scope(name) for name in self._faults})

    def again(self, scopes: Iterable[Scope]) -> set[str]:
        """Look at something again, and enter what follows; the tournaments of it. Raises StoreError.

        A tournament whose book cannot be read holds up no other.
        """
        judged: set[str] = set()
        plans = {kept.id: kept.plan for kept in result_rows.tournaments(self._database)}
        for scope in scopes:
            judged.add(scope.tournament)
            try:
                self._judge(scope, plans.get(scope.tournament, BoardAssignment()))
            except (BookError, TournamentError) as error:
                self._faults = {**self._faults, scope.tournament: error.statement}
            else:
                if scope.round is None:
                    self._faults = {name: why for name, why in self._faults.items() if name != scope.tournament}
        return judged

    def _told_since(self, name: str, last: int) -> set[Scope]:
        """The rounds that the events after the last one which was seen are about; everything where none can be read."""
        try:
            told = self._books(name).read()[last:]
        except BookError:
            return {Scope(name)}
        rounds = (each.event.round for each in told if isinstance(each.event, _RESULTS))
        return {Scope(name, in_round) for in_round in rounds} | {Scope(name, _CURRENT)}

    def _judge(self, scope: Scope, plan: BoardAssignment) -> None:
        book = self._books(scope.tournament)
        for _ in range(_TRIES):
            after = len(book.read())
            if not after:
                return
            tournament, events = book.tournament(), book.read()
            told = proposals_from(self._database, tournament, scope, events)
            tables = tables_from(self._database, tournament, plan, scope, events)
            taken_back = tables_taken_back(events)
            open_rounds = {round_.number for round_ in tournament.open_rounds}
            ready = [one for one in told if one.is_to_be_entered(plan.accept) and one.round in open_rounds]
            try:
                for proposal in ready:
                    after = _enter(book, proposal, after)
                for table in tables:
                    by_people = table.is_said_by_all or (table.round, table.board) not in taken_back
                    if table.is_to_be_entered(plan.accept) and by_people:
                        after = _enter_places(book, table, after)
            except StaleError:
                continue
            self._differ(scope, tournament, told, tables)
            return

    def _differ(
        self, scope: Scope, tournament: Tournament, told: Iterable[Proposal], tables: Iterable[TableProposal]
    ) -> None:
        name = scope.tournament
        looked_at = _boards_of(scope, tournament)
        differing = {
            place: alarms
            for place, alarms in self._differing.items()
            if place[0] != name or (place[1:] not in looked_at and place[1] <= len(tournament.rounds))
        }
        pairs = [(one.round, one.board, one.devices, _trouble_of(one), False) for one in told]
        pairs += [(one.round, one.board, one.devices, _trouble_at(one), True) for one in tables]
        for in_round, board, devices, trouble, is_table in pairs:
            if trouble is not None:
                dispute = Dispute(name, tournament.settings.name, in_round, board, is_table)
                differing[name, in_round, board] = tuple(
                    Alarm(device, trouble, dispute=dispute) for device in devices or ("",)
                )
        self._differing = differing


def _boards_of(scope: Scope, tournament: Tournament) -> frozenset[tuple[int, int]]:
    """The rounds and boards that are looked at."""
    looked_at: set[tuple[int, int]] = set()
    for round_ in _rounds(tournament, scope.round):
        seats = [(pairing.board, pairing.entrants) for pairing in round_.pairings]
        seats += [(table.board, table.seats) for table in round_.tables]
        looked_at |= {
            (round_.number, board) for board, those in seats if not scope.entrants or scope.entrants & {*those}
        }
    return frozenset(looked_at)


_TROUBLES: Final = {
    PairingState.DIFFERS: Trouble.DIFFERS,
    PairingState.DISPUTED: Trouble.DISPUTED,
    PairingState.UNCLEAR: Trouble.UNCLEAR,
}


def _trouble_of(told: Proposal) -> Trouble | None:
    return _TROUBLES.get(told.standing)


def _trouble_at(table: TableProposal) -> Trouble | None:
    if table.differs:
        return Trouble.DIFFERS
    if table.is_disputed:
        return Trouble.DISPUTED
    return Trouble.UNCLEAR if table.is_unclear else None


def _enter(book: Book, proposal: Proposal, after: int) -> int:
    """Enter one result; the number of the book's last event. Raises BookError, and StaleError."""
    if proposal.result is None:
        return after
    event = ResultEntered(proposal.round, proposal.board, proposal.result)
    try:
        return book.append(event, proposal.source, proposal.proof, after=after).number
    except TournamentError:
        return after  # such as a draw in a knockout: it stays a proposal, and the director decides


def _enter_places(book: Book, told: TableProposal, after: int) -> int:
    """Enter how one table ended; the number of the book's last event. Raises BookError, and StaleError."""
    event = PlacesEntered(told.round, told.board, told.places)
    try:
        return book.append(event, told.source, told.proof, after=after).number
    except TournamentError:
        return after  # it stays a proposal, and the director decides


def tables_from(
    database: Database,
    tournament: Tournament,
    plan: BoardAssignment,
    scope: Scope,
    events: Sequence[LoggedEvent] = (),
) -> list[TableProposal]:
    """What boards and players tell of tables of three and four; `events` and errors are as of `proposals_from`."""
    told: list[TableProposal] = []
    taken_back = tables_taken_back(events)
    seen = result_rows.settled_rulings(database, scope.tournament)
    for round_ in _rounds(tournament, scope.round):
        if round_.tables:
            tables = [one for one in round_.tables if not scope.entrants or scope.entrants & {*one.seats}]
            played = result_rows.pairing_games(database, scope.tournament, round_.number, scope.entrants)
            until = replace(tournament, rounds=tournament.rounds[: round_.number])
            boards = {number: table.board for table in tables for number in table.seats}
            said = [
                one
                for one in player_claims.table_claims(database, scope.tournament, round_.number)
                if one.told >= taken_back.get((round_.number, boards.get(one.entrant, 0)), 0)
            ]
            of = replace(round_, tables=tuple(tables))
            told += table_proposals(plan_of_round(plan, until), of, played, seen, said)
    return told


def proposals_from(
    database: Database, tournament: Tournament, scope: Scope, events: Sequence[LoggedEvent] = ()
) -> list[Proposal]:
    """What boards and players tell. Raises StoreError, and TournamentError for a round that is not published.

    `events` are those of the book: what players said before a result was withdrawn does not count any more.
    """
    withdrawn = {
        (each.event.round, each.event.board): each.number for each in events if isinstance(each.event, ResultWithdrawn)
    }
    seen = result_rows.settled_rulings(database, scope.tournament)
    told: list[Proposal] = []
    for round_ in _rounds(tournament, scope.round):
        meetings = [each for each in round_.pairings if not scope.entrants or scope.entrants & {*each.entrants}]
        played = result_rows.pairing_games(database, scope.tournament, round_.number, scope.entrants)
        boards = {frozenset(each.entrants): each.board for each in meetings}
        said = [
            one
            for one in player_claims.claims(database, scope.tournament, round_.number)
            if one.told >= withdrawn.get((round_.number, boards.get(frozenset(one.two), 0)), 0)
        ]
        told += proposals(replace(round_, pairings=tuple(meetings)), tournament.settings.games, played, seen, said)
    return told


def _rounds(tournament: Tournament, in_round: int | None) -> Sequence[Round]:
    if in_round is None:
        return tournament.rounds
    if in_round == _CURRENT:
        earlier = (round_ for round_ in tournament.open_rounds if round_.number < len(tournament.rounds))
        return (*earlier, *tournament.rounds[-1:])
    return (tournament.round(in_round),)
