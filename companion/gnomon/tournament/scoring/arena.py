"""Score an arena: many games in turn, pairings among free players, and a bonus for winning in a row."""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import Turn, histories
from gnomon.tournament.strength.given_points import starting_points

STREAK: Final = 2
"""Games won in a row, after which points count twice until one is not won (the arenas of Lichess)."""


def arena_points(tournament: Tournament) -> Mapping[int, Points]:
    """The points of everybody so far, with the bonus for a streak where the tournament has it."""
    told = histories(tournament)
    return {number: starting_points(tournament, number) + _score(tournament, told[number]) for number in told}


def free_players(tournament: Tournament) -> tuple[int, ...]:
    """Who is there and plays no game at the moment, the highest score first."""
    busy = {
        number
        for round_ in tournament.rounds
        for pairing in round_.pairings
        if pairing.board in round_.waiting
        for number in pairing.entrants
    }
    scores = arena_points(tournament)
    there = (number for number in tournament.players(tournament.next_round) if number not in busy)
    return tuple(sorted(there, key=lambda number: -scores[number]))


def free_boards(tournament: Tournament, wanted: int) -> tuple[int, ...]:
    """So many boards at which nobody plays, the lowest numbers first."""
    taken = {board for round_ in tournament.rounds for board in round_.waiting}
    return tuple(board for board in range(1, len(taken) + wanted + 1) if board not in taken)[:wanted]


def _score(tournament: Tournament, history: Sequence[Turn]) -> Points:
    total, run = NOTHING, 0
    win = tournament.settings.scoring.win * tournament.settings.units
    for turn in history:
        doubled = tournament.settings.streak and run >= STREAK
        total += turn.points * (2 if doubled else 1)
        if turn.opponent is not None and turn.games:
            run = run + 1 if turn.points == win else 0
    return total
