"""Define rounds and pairings: who sits at which board and the results entered so far."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.results import Result


class Pairing(NamedTuple):
    """Who moves first and who second at a board, by their numbers; without a second it is a bye."""

    board: int
    first: int
    second: int | None = None

    @property
    def entrants(self) -> tuple[int, ...]:
        """The one or two who sit there."""
        return (self.first,) if self.second is None else (self.first, self.second)


class Table(NamedTuple):
    """Who sits at a table of three or four, in the order in which they move."""

    board: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A published round: its pairings and the results told so far, by board.

    `paired_by` is the code of the rules by which an engine of federations paired it, and `override` the reason for
    which it may break a rule, or nothing. A round at tables of three and four has `tables` and `places` instead of
    pairings and results; a place for each seat.
    """

    number: int
    pairings: tuple[Pairing, ...]
    results: Mapping[int, Result] = field(default_factory=dict)
    paired_by: str = ""
    override: str = ""
    tables: tuple[Table, ...] = ()
    places: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def table(self, board: int) -> Table:
        """Who sits at a table. Raises TournamentError when the round has no such table."""
        found = next((table for table in self.tables if table.board == board), None)
        if found is None:
            raise TournamentError(statement("tournament.board.no_table", round=self.number, board=board))
        return found

    def table_of(self, entrant: int) -> Table | None:
        """The table at which an entrant sits, or None."""
        return next((table for table in self.tables if entrant in table.seats), None)

    def has(self, entrant: int) -> bool:
        """Whether an entrant has a place in the round."""
        return self.of(entrant) is not None or self.table_of(entrant) is not None

    def at(self, board: int) -> Pairing:
        """Who sits at a board. Raises TournamentError when the round has no such board or nobody plays there."""
        found = next((pairing for pairing in self.pairings if pairing.board == board), None)
        if found is None:
            raise TournamentError(statement("tournament.board.none", round=self.number, board=board))
        if found.second is None:
            bye = statement("tournament.board.bye", round=self.number, board=board, entrant=found.first)
            raise TournamentError(bye)
        return found

    def of(self, entrant: int) -> Pairing | None:
        """Where an entrant sits, or None."""
        return next((pairing for pairing in self.pairings if entrant in pairing.entrants), None)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The boards without a result, in order."""
        tables = (table.board for table in self.tables if table.board not in self.places)
        return tuple(
            sorted((*(p.board for p in self.pairings if p.second is not None and p.board not in self.results), *tables))
        )

    def with_result(self, board: int, result: Result) -> Self:
        """The round with the result of a board, in place of one that stood there."""
        return replace(self, results={**self.results, board: result})

    def untold(self, board: int) -> Self:
        """The round without the result of a board."""
        return replace(self, results={one: result for one, result in self.results.items() if one != board})

    def with_pairings(self, pairings: tuple[Pairing, ...], override: str = "") -> Self:
        """The round with other pairings, set by hand; results go with the two who made them to their board.

        Raises TournamentError when two whose result is told would be parted or change sides.
        """
        boards = {(p.first, p.second): p.board for p in pairings}
        results = {}
        for board, result in self.results.items():
            was = self.at(board)
            if (was.first, was.second) not in boards:
                raise TournamentError(
                    statement(
                        "tournament.round.parted", round=self.number, one=was.first, other=was.second, board=board
                    )
                )
            results[boards[was.first, was.second]] = result
        return replace(self, pairings=pairings, results=results, paired_by="", override=override)


def at_boards(pairs: Iterable[tuple[int, int | None]]) -> tuple[Pairing, ...]:
    """Pairings at the boards 1, 2, 3 … in the order given."""
    return tuple(Pairing(board, *pair) for board, pair in enumerate(pairs, start=1))
