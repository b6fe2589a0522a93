"""Compute how many stones the weaker of two gets at a board, and seat them to move first."""

from collections.abc import Mapping, Sequence

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import histories, score
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import MOST_STONES, System
from gnomon.tournament.strength.given_points import starting_points
from gnomon.tournament.strength.grades import grade_of


def handicaps(tournament: Tournament, in_round: int, pairings: Sequence[Pairing]) -> Mapping[int, int]:
    """The stones at every board of a round where there are any: one stone is the first move without komi.

    In a McMahon they are the difference of the scores before the round, elsewhere that of the grades, less what the
    tournament reduces it by.
    """
    rules = tournament.settings.grades
    if rules is None or rules.handicap is None:
        return {}
    strength = _strengths(tournament, in_round)
    stones = {
        pairing.board: int(abs(strength[pairing.first] - strength[pairing.second])) - rules.handicap
        for pairing in pairings
        if pairing.second is not None
    }
    return {board: min(number, MOST_STONES) for board, number in stones.items() if number > 0}


def with_weaker_first(tournament: Tournament, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """The pairings of the next round with the weaker moving first wherever there are stones: they take black."""
    stones = handicaps(tournament, tournament.next_round, pairings)
    if not stones:
        return tuple(pairings)
    strength = _strengths(tournament, tournament.next_round)
    return tuple(
        pairing._replace(first=pairing.second, second=pairing.first)
        if pairing.board in stones and pairing.second is not None and strength[pairing.first] > strength[pairing.second]
        else pairing
        for pairing in pairings
    )


def _strengths(tournament: Tournament, in_round: int) -> Mapping[int, Points]:
    if tournament.settings.system is System.MCMAHON:
        rounding = tournament.settings.rounding
        return {
            number: rounding.round(starting_points(tournament, number) + score(turns[: in_round - 1]))
            for number, turns in histories(tournament).items()
        }
    grades = {number: grade_of(tournament, number) for number in tournament.entrants}
    weakest = min((grade for grade in grades.values() if grade is not None), default=0)
    return {number: NOTHING + (weakest if grade is None else grade) for number, grade in grades.items()}
