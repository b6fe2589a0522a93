"""Compute the points of Keizer's system: a win brings the value of the opponent, and values follow the ranking.

After J. H. Keizer; the shares are those of the clubs that publish theirs (docs/tournament-rules.md, Keizer).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import History, RoundKind, Turn, histories

BYE_SHARE: Final = Points(2, 3)
"""Of one's own value, for the round in which one is left over."""
ABSENT_SHARE: Final = Points(1, 3)
"""Of one's own value, for a round in which one is not there."""
_GIVEN: Final = frozenset({RoundKind.FORFEIT_WIN, RoundKind.PAIRING_BYE, RoundKind.FULL_BYE})
_AWAY: Final = frozenset({RoundKind.ZERO_BYE, RoundKind.HALF_BYE})


def keizer_points(tournament: Tournament) -> Mapping[int, Points]:
    """The points of everybody: their own value, and what each round brought by the values of now.

    The ranking gives the values and the values the ranking, so it is computed until the ranking stays, or one that was
    there before comes back.
    """
    return {number: sum(steps, NOTHING) for number, steps in keizer_steps(tournament).items()}


def keizer_steps(tournament: Tournament) -> Mapping[int, tuple[Points, ...]]:
    """Everybody's own value and what each round brought them, by the values of now, without those who took no part."""
    told = histories(tournament)
    values = _settled_values(tournament, told)
    return {
        number: (values[number], *(_round_worth(tournament, number, turn, values) for turn in told[number]))
        if number in values
        else (NOTHING,) * (len(tournament.rounds) + 1)
        for number in tournament.entrants
    }


def _settled_values(tournament: Tournament, told: Mapping[int, History]) -> Mapping[int, Points]:
    """The values by the ranking that they themselves lead to."""
    numbers = [number for number in tournament.seeds if tournament.took_part(number)]
    seen = set[tuple[int, ...]]()
    order = tuple(numbers)
    while True:
        seen.add(order)
        values = keizer_values(order)
        points = {number: _points_of(tournament, number, told[number], values) for number in order}
        ranked = tuple(sorted(order, key=lambda number: -points[number]))
        if ranked in seen:
            return values
        order = ranked


def keizer_values(order: Sequence[int]) -> Mapping[int, Points]:
    """The value of each place: one and a half times as many as there are players for the first, then one less each."""
    top = -(-3 * len(order) // 2)
    return {number: Points(top - place) for place, number in enumerate(order)}


def _points_of(tournament: Tournament, number: int, history: History, values: Mapping[int, Points]) -> Points:
    own = values[number]
    return own + sum((_round_worth(tournament, number, turn, values) for turn in history), NOTHING)


def _round_worth(tournament: Tournament, number: int, turn: Turn, values: Mapping[int, Points]) -> Points:
    if turn.played and turn.opponent is not None:
        scoring = tournament.settings.scoring
        share = turn.points / (scoring.win * tournament.settings.units)
        return share * values.get(turn.opponent, NOTHING)
    if turn.kind in _GIVEN:
        return BYE_SHARE * values[number]
    if turn.kind in _AWAY and not tournament.has_left(number, turn.round):
        return ABSENT_SHARE * values[number]
    return NOTHING
