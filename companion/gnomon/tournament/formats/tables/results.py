"""Export pairings, results and standings as CSV."""

from collections.abc import Iterator
from fractions import Fraction

from gnomon.tournament.formats.tables.csv import text_of
from gnomon.tournament.scoring.multiplayer import place_points
from gnomon.tournament.standings import standings
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points, format_result
from gnomon.tournament.state.rounds import Round
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.stones import handicaps
from gnomon.tournament.teams.matches import as_shown

PAIRINGS = ("round", "board", "first number", "first", "second number", "second", "result")
SEATS = ("round", "table", "seat", "number", "name", "place", "points")
"""The columns of a tournament of tables of three and four: a row for each seat."""


def write_pairings(tournament: Tournament, in_round: int, separator: str = ",") -> str:
    """The pairings of a round, with the results told so far. Raises TournamentError when it is not published."""
    return text_of(_columns(tournament), _rows(tournament, tournament.round(in_round)), separator)


def write_results(tournament: Tournament, separator: str = ",") -> str:
    """The pairings of all published rounds with their results."""
    rows = (row for round_ in tournament.rounds for row in _rows(tournament, round_))
    return text_of(_columns(tournament), rows, separator)


def write_standings(tournament: Tournament, separator: str = ",") -> str:
    """Who stands where, with points and tie-breaks. Raises TournamentError for an unknown tie-break."""
    tournament = as_shown(tournament)
    entrants = tournament.entrants
    return text_of(
        ("place", "number", "name", "rating", "team", "points", *tournament.settings.tie_breaks),
        (
            (
                one.place,
                one.number,
                entrants[one.number].name,
                entrants[one.number].rating,
                entrants[one.number].team,
                decimal(one.points),
                *map(decimal, one.values),
            )
            for one in standings(tournament)
        ),
        separator,
    )


def decimal(points: Points) -> str:
    """Points as programs read them: `2.5`, exactly where decimals can say it, else to six places."""
    whole = Fraction(points)
    return str(whole.numerator) if whole.denominator == 1 else f"{float(whole):.6f}".rstrip("0")


def _alone(tournament: Tournament) -> str:
    """What stands in the place of a second who is not there: the whole team has the bye, and a board stays empty."""
    return "bye" if tournament.teams is None else "nobody"


def _columns(tournament: Tournament) -> tuple[str, ...]:
    if tournament.settings.system is System.TABLES:
        return SEATS
    return (*PAIRINGS, *(("stones",) if tournament.settings.gives_stones else ()))


def _rows(tournament: Tournament, round_: Round) -> list[tuple[object, ...]]:
    if tournament.settings.system is System.TABLES:
        return list(_seats(tournament, round_))
    stones = handicaps(tournament, round_.number, round_.pairings)
    return [
        (
            round_.number,
            pairing.board,
            pairing.first,
            tournament.entrants[pairing.first].name,
            pairing.second,
            _alone(tournament) if pairing.second is None else tournament.entrants[pairing.second].name,
            format_result(round_.results.get(pairing.board, ())),
            *((stones.get(pairing.board, 0),) if tournament.settings.gives_stones else ()),
        )
        for pairing in sorted(round_.pairings)
    ]


def _seats(tournament: Tournament, round_: Round) -> Iterator[tuple[object, ...]]:
    """The seats of all tables of a round, with the places and what they are worth once they are told."""
    for table in round_.tables:
        places = round_.places.get(table.board)
        points = [""] * len(table.seats)
        if places is not None:
            points = list(map(decimal, place_points(tournament.settings, places)))
        for seat, number in enumerate(table.seats):
            name, place = tournament.entrants[number].name, "" if places is None else places[seat]
            yield round_.number, table.board, seat + 1, number, name, place, points[seat]
