"""Assign board numbers to pairings from files and engines, neither of which gives any."""

from collections.abc import Iterable, Mapping, Sequence

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.formats.trf._columns import RoundColumn
from gnomon.tournament.formats.trf.sheet import TrfError
from gnomon.tournament.pairing.berger import round_robin
from gnomon.tournament.pairing.double_elimination import double_elimination
from gnomon.tournament.pairing.knockout import knockout
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.rounds import Pairing, at_boards
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.given_points import lent_points, starting_points

Pairs = Sequence[tuple[int, int | None]]


def seat(tournament: Tournament, column: RoundColumn, scores: Mapping[int, Points]) -> tuple[Pairing, ...]:
    """The pairings of a tournament's next round at their boards: by points, by the table, or by the bracket.

    `scores` are what everybody has made in the rounds before.

    Raises TrfError for a knockout whose pairs do not follow the bracket of the seeds.
    """
    pairs: Pairs = [*column.games, *((one, None) for one in column.idle)]
    match tournament.settings.system:
        case System.ROUND_ROBIN:
            return _by_table(tournament, pairs)
        case System.KNOCKOUT:
            return _by_bracket(tournament, column)
        case _:
            return by_points(tournament, pairs, scores)


def by_points(tournament: Tournament, pairs: Pairs, scores: Mapping[int, Points]) -> tuple[Pairing, ...]:
    """The pairs of the next round of a Swiss at their boards, from the highest score down, the bye last."""
    lent = lent_points(tournament, tournament.next_round)
    points = {
        number: starting_points(tournament, number) + lent.get(number, NOTHING) + scores[number]
        for number in tournament.entrants
    }
    ranked = sorted(tournament.seeds, key=lambda number: -points[number])
    rank = {number: place for place, number in enumerate(ranked)}

    def order(pair: tuple[int, int | None]) -> tuple[bool, list[Points], list[int]]:
        places = sorted(rank[one] for one in pair if one is not None)
        return pair[1] is None, [-points[ranked[place]] for place in places], places

    return at_boards(sorted(pairs, key=order))


def _by_table(tournament: Tournament, pairs: Pairs) -> tuple[Pairing, ...]:
    try:
        table = [frozenset(pairing.entrants) for pairing in round_robin(tournament)]
    except NoPairingError:
        table = []
    boards: dict[frozenset[int | None], int] = {frozenset(pair): board for board, pair in enumerate(table)}
    return at_boards(sorted(pairs, key=lambda pair: boards.get(frozenset(pair), len(table))))


def bracket_round(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round of a knockout by its bracket. Raises NoPairingError when it has its winner."""
    return double_elimination(tournament) if tournament.settings.lives > 1 else knockout(tournament)


def _by_bracket(tournament: Tournament, column: RoundColumn) -> tuple[Pairing, ...]:
    pairings = follow_bracket(tournament, column.games)
    alone = {pairing.first for pairing in pairings if pairing.second is None}
    if alone != column.there - {one for pair in column.games for one in pair}:
        raise TrfError(statement("tournament.trf.bracket", round=tournament.next_round))
    return pairings


def follow_bracket(tournament: Tournament, pairs: Iterable[tuple[int, int]]) -> tuple[Pairing, ...]:
    """The pairs of the next round of a knockout at their boards, and who goes on alone.

    Raises TrfError for pairs that do not follow the bracket of the seeds, or that come after its end.
    """
    try:
        expected = bracket_round(tournament)
    except NoPairingError as error:
        raise TrfError(error.statement) from error
    sides = {frozenset(pair): pair for pair in pairs}
    if {frozenset(pairing.entrants) for pairing in expected if pairing.second is not None} != set(sides):
        raise TrfError(statement("tournament.trf.bracket", round=tournament.next_round))
    return tuple(
        pairing._replace(first=sides[pair][0], second=sides[pair][1])
        if (pair := frozenset(pairing.entrants)) in sides
        else pairing
        for pairing in expected
    )
