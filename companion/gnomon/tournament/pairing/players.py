"""Collect what Swiss pairing needs of each player: score group, rank, sides, byes and past opponents."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from typing import Final

from gnomon.tournament.pairing._preferences import Preference
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import History, RoundKind, histories, score, sides
from gnomon.tournament.strength.given_points import lent_points, starting_points

# What leaves no bye to hope for (C.04.1.d): a round won without playing.
HAD_ONE: Final = frozenset({RoundKind.PAIRING_BYE, RoundKind.FULL_BYE, RoundKind.FORFEIT_WIN})
SAT_DOWN: Final = frozenset({RoundKind.PLAYED, RoundKind.PENDING})


@dataclass(frozen=True, slots=True)
class Player:
    """What pairing wants to know of one: their place, their group of equal scores, and what they have had."""

    number: int
    rank: int  # among all who play, 0 for the best
    score: int  # in the smallest unit of points that occurs
    group: int  # 0 for the lowest score
    place: int  # in the group, the best first
    mates: int  # how many are in the group
    preference: Preference
    balanced: bool  # whether it matters who moves first
    met: frozenset[int]
    kept_from: frozenset[int]  # whom a prohibition or their team keeps from them
    had_bye: bool
    floated: int  # in the last round: 1 down, -1 up


def players(tournament: Tournament) -> tuple[Player, ...]:
    """Everybody who is to be paired in the next round, the highest score first and among equals the stronger seed."""
    told, coming = histories(tournament), tournament.next_round
    scores = _scores(tournament, told, coming)
    unit = lcm(*(points.denominator for points in scores.values()))
    ranked = sorted(tournament.players(coming), key=lambda number: -scores[number])
    members: dict[Points, list[int]] = {}
    for number in ranked:
        members.setdefault(scores[number], []).append(number)
    groups = {points: group for group, points in enumerate(sorted(members))}
    places = {number: place for mates in members.values() for place, number in enumerate(mates)}
    before, apart = _scores(tournament, told, coming - 1), _apart(tournament)
    return tuple(
        Player(
            number,
            rank,
            int(scores[number] * unit),
            groups[scores[number]],
            places[number],
            len(members[scores[number]]),
            Preference.of(sides(told[number])),
            tournament.settings.balances,
            frozenset(turn.opponent for turn in told[number] if turn.opponent is not None and turn.kind in SAT_DOWN),
            apart.get(number, frozenset()),
            any(turn.kind in HAD_ONE for turn in told[number]),
            _float_of(told[number], before, number),
        )
        for rank, number in enumerate(ranked)
    )


def _scores(tournament: Tournament, told: Mapping[int, History], in_round: int) -> Mapping[int, Points]:
    """What everybody was, or is to be, paired with in a round: with the points that nobody scored."""
    lent, rounding = lent_points(tournament, in_round), tournament.settings.rounding
    return {
        number: rounding.round(starting_points(tournament, number) + score(turns[: max(0, in_round - 1)]))
        + lent.get(number, NOTHING)
        for number, turns in told.items()
    }


def _apart(tournament: Tournament) -> Mapping[int, frozenset[int]]:
    """Whom a prohibition or their team keeps from each."""
    apart: dict[int, set[int]] = {}
    for pair in tournament.prohibited:
        one, other = pair
        apart.setdefault(one, set()).add(other)
        apart.setdefault(other, set()).add(one)
    if not tournament.settings.team_mates_meet:
        teams: dict[str, set[int]] = {}
        for number, entrant in tournament.entrants.items():
            if entrant.team:
                teams.setdefault(entrant.team, set()).add(number)
        for mates in teams.values():
            for number in mates:
                apart.setdefault(number, set()).update(mates - {number})
    return {number: frozenset(others) for number, others in apart.items()}


def _float_of(turns: History, before: Mapping[int, Points], number: int) -> int:
    """Whether the opponent of the last round had fewer points before it (1), or more (-1); a round won idle is down."""
    if not turns:
        return 0
    last = turns[-1]
    if last.opponent is None:
        return int(last.kind in HAD_ONE)
    mine, theirs = before[number], before[last.opponent]
    return (mine > theirs) - (mine < theirs)
