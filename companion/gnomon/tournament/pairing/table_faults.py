"""Refuse a seating of tables of three and four in which somebody is missing, sits twice, or meets whom they must not.

Reads the entrants itself and trusts no engine.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from gnomon.refusals import Statement, statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.rounds import Table
from gnomon.tournament.state.settings import MOST_SEATS, System

FEWEST_AT_A_TABLE: Final = 2  # where nobody else is left, two play as well


def check_tables(tournament: Tournament, in_round: int, tables: Sequence[Table]) -> None:
    """Raise TournamentError with everything that is wrong with the tables of a round."""
    told = (
        *_people(tournament, in_round, tables),
        *_boards(tables),
        *_meetings(tournament, tables),
    )
    if tournament.settings.system is not System.TABLES:
        told = (statement("tournament.broken.no_tables"),)
    if told:
        raise TournamentError(statement("tournament.pairing.broken", round=in_round, faults=list(told)))


def _people(tournament: Tournament, in_round: int, tables: Sequence[Table]) -> Iterator[Statement]:
    places = Counter(number for table in tables for number in table.seats)
    for number, count in places.items():
        if number not in tournament.entrants:
            yield statement("tournament.broken.stranger", entrant=number)
        elif not tournament.plays(number, in_round):
            yield statement("tournament.broken.absent", who=tournament.label_of(number))
        if count > 1:
            yield statement("tournament.broken.places", entrant=number, count=count)
    for number in tournament.players(in_round):
        if number not in places:
            yield statement("tournament.broken.left_out", who=tournament.label_of(number))
    if not places:
        yield statement("tournament.broken.nobody")


def _boards(tables: Sequence[Table]) -> Iterator[Statement]:
    boards = Counter(table.board for table in tables)
    for board, count in boards.items():
        if count > 1:
            yield statement("tournament.broken.board_again", board=board, count=count)
        if board < 1:
            yield statement("tournament.broken.no_board", board=board)
    for table in tables:
        if not FEWEST_AT_A_TABLE <= len(table.seats) <= MOST_SEATS:
            yield statement("tournament.broken.table_size", board=table.board, count=len(table.seats))


def _meetings(tournament: Tournament, tables: Sequence[Table]) -> Iterator[Statement]:
    for table in tables:
        for one, other in combinations(sorted(tournament.entrants.keys() & set(table.seats)), 2):
            if not tournament.may_meet(one, other):
                names = tournament.label_of(one), tournament.label_of(other)
                yield statement("tournament.broken.apart", one=names[0], other=names[1])
