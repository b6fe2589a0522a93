"""Count what every player of a team scored and at which board, for the prizes of boards."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points, from_chair
from gnomon.tournament.state.round_history import worth
from gnomon.tournament.teams.matches import book_of


class BoardScore(NamedTuple):
    """What somebody scored: at the board at which they sat most often, the higher of two."""

    place: int
    board: int
    number: int
    points: Points
    games: int


class _BoardResult(NamedTuple):
    number: int
    board: int
    points: Points


def board_scores(tournament: Tournament) -> tuple[BoardScore, ...]:
    """Everybody who has played, board by board, the best first: by points, and with fewer games before more.

    Those who share both share the place. Forfeits bring points to teams, and to nobody here: nobody played.
    """
    seats = tuple(_seats(tournament))
    told: list[BoardScore] = []
    for number in dict.fromkeys(seat.number for seat in seats):
        own = [seat for seat in seats if seat.number == number]
        often = Counter(seat.board for seat in own)
        board = min(often, key=lambda one: (-often[one], one))
        points = sum((seat.points for seat in own), NOTHING)
        told.append(BoardScore(0, board, number, points, len(own)))
    told.sort(key=lambda one: (one.board, -one.points, one.games, one.number))
    return tuple(
        one._replace(place=1 + sum(_is_ahead(other, one) for other in told if other.board == one.board)) for one in told
    )


def _is_ahead(one: BoardScore, other: BoardScore) -> bool:
    return (-one.points, one.games) < (-other.points, other.games)


def _seats(tournament: Tournament) -> Iterator[_BoardResult]:
    play, scoring = book_of(tournament).play, tournament.settings.scoring
    for round_ in tournament.rounds:
        for pairing in round_.pairings:
            for number in pairing.entrants:
                for game in from_chair(round_.results.get(pairing.board, ()), first=number == pairing.first):
                    if game.played:
                        yield _BoardResult(number, play.place_of(pairing.board)[1], worth(scoring, game))
