"""The only place that enters in a tournament's book what boards have ruled, where the rule of the hall lets it.

A book takes one event after another: whoever decided on an older state is refused, and decides anew. So a result is
entered where none stands, once, and nothing that a person has told is ever overwritten.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from gnomon.hall import store_results
from gnomon.hall.books import Book, BookError, StaleError
from gnomon.hall.floor_alarms import Alarm, Trouble
from gnomon.hall.plans import Plan
from gnomon.hall.results import Proposal, Standing, proposals
from gnomon.hall.store import Noted
from gnomon.hall.store_database import Database, StoreError
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import ResultEntered
from gnomon.tournament.state import Tournament

_TRIES: Final = 20
"""Others may tell the book something meanwhile; more often than that in a row they do not."""

Books = Callable[[str], Book]


class Entering:
    """What follows from the boards' records for the tournaments of a hall. Used by the hub's thread."""

    def __init__(self, database: Database, books: Books) -> None:
        self._database = database
        self._books = books
        self._lengths: Mapping[str, int] = {}
        self._differing: dict[tuple[str, int], tuple[Alarm, ...]] = {}

    def differing(self) -> tuple[Alarm, ...]:
        """The results that boards and books tell apart. Any thread may ask."""
        return tuple(alarm for alarms in tuple(self._differing.values()) for alarm in alarms)

    def noted(self, noted: Sequence[Noted]) -> set[str]:
        """Enter what follows from new records; the tournaments that they belong to. Raises StoreError."""
        return self._judged(store_results.touched(self._database, noted))

    def everything(self) -> set[str]:
        """Enter what follows from everything that is kept. Raises StoreError."""
        self._lengths = store_results.lengths(self._database)
        return self._judged(kept.id for kept in store_results.tournaments(self._database))

    def looked(self) -> set[str]:
        """The tournaments whose books others have told something, looked at anew. Raises StoreError."""
        lengths = store_results.lengths(self._database)
        changed = {name for name, length in lengths.items() if self._lengths.get(name, 0) != length}
        self._lengths = lengths
        return self._judged(changed)

    def _judged(self, names: Iterable[str]) -> set[str]:
        judged, faults = set(), []
        plans = {kept.id: kept.plan for kept in store_results.tournaments(self._database)}
        for name in names:
            judged.add(name)
            try:
                self._judge(name, plans.get(name, Plan()))
            except (BookError, TournamentError) as error:
                faults.append(str(error))
        if faults:
            raise StoreError(faults[0])
        return judged

    def _judge(self, name: str, plan: Plan) -> None:
        book = self._books(name)
        for _ in range(_TRIES):
            after = len(book.read())
            if not after:
                return
            tournament = book.tournament()
            told = proposed(self._database, name, tournament)
            ready = [one for one in told if one.is_to_be_entered(plan.accept) and one.round == len(tournament.rounds)]
            try:
                for proposal in ready:
                    after = _entered(book, proposal, after)
            except StaleError:
                continue
            self._differ(name, told)
            return

    def _differ(self, name: str, told: Iterable[Proposal]) -> None:
        by_round: dict[tuple[str, int], tuple[Alarm, ...]] = {}
        for one in told:
            if one.standing is Standing.DIFFERS:
                detail = f"{name}, round {one.round}, board {one.board}"
                alarms = tuple(Alarm(device, Trouble.DIFFERS, detail=detail) for device in one.devices)
                by_round[name, one.round] = (*by_round.get((name, one.round), ()), *alarms)
        self._differing = {key: alarms for key, alarms in self._differing.items() if key[0] != name} | by_round


def _entered(book: Book, proposal: Proposal, after: int) -> int:
    """Enter one result; the number of the book's last event. Raises BookError, and StaleError."""
    if proposal.result is None:
        return after
    event = ResultEntered(proposal.round, proposal.board, proposal.result)
    try:
        return book.append(event, proposal.source, proposal.proof, after=after).number
    except TournamentError:
        return after  # such as a draw in a knockout: it stays a proposal, and the director decides


def proposed(database: Database, name: str, tournament: Tournament, in_round: int | None = None) -> list[Proposal]:
    """What the boards tell of a round, or of all rounds. Raises StoreError."""
    seen = store_results.settled(database, name)
    rounds = tournament.rounds if in_round is None else (tournament.round(in_round),)
    return [
        proposal
        for round_ in rounds
        for proposal in proposals(
            round_, tournament.settings.games, store_results.played(database, name, round_.number), seen
        )
    ]
