"""Compute tie-breaks within a group of tied entrants: direct encounter, games among them, lots.

Each value depends on the other members of the group, so it can only be compared within one group.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import Turn
from gnomon.tournament.tiebreaks.fields import Field, game_points

Group = Sequence[int]
Values = Mapping[int, Points]
GroupTieBreak = Callable[[Field, Group, Sequence[Group]], Values]
Worth = Callable[[Turn], Points]


def direct_encounter(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """Who did best against the others who are level: C.07, article 6, applied again to those who stay so."""
    return ahead(_by_encounters(field, list(group), _points, field.win))


def direct_encounter_with_forfeits(field: Field, group: Group, groups: Sequence[Group]) -> Values:
    """The same, with forfeits as games against the opponent who was paired: the variant P of FIDE's list (DE/P)."""
    return direct_encounter(field._replace(scheduled=True), group, groups)


def extended_direct_encounter(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """Direct encounter by points, then by the points of the games, in turn until neither parts anybody: C.07, 13.3.

    The two differ where a match counts as one result.
    """
    games = max((len(turn.games) for one in group for turn in field.told[one]), default=1)
    return ahead(_by_both_encounters(field, list(group), Points(max(1, games))))


def head_to_head(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """The one who beat all the others is first, the one who lost to all is last; nothing else counts, and only once."""
    won = {one: sum(_beat(field, one, other) for other in group if other != one) for one in group}
    lost = {one: sum(_beat(field, other, one) for other in group if other != one) for one in group}
    others = len(group) - 1
    places = {one: (won[one] == others) - (lost[one] == others) if others else 0 for one in group}
    return ahead(split(group, places))


def games_among(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """The points of the games, not of the matches, against the others who are level."""
    return ahead(split(group, {one: _games_against(field, one, group) for one in group}))


def next_ranks(field: Field, group: Group, groups: Sequence[Group]) -> Values:
    """The points of the games against those who stand highest and are not level, then against the next, and so on."""
    others = [rank for rank in groups if set(rank) != set(group)]
    made = {one: tuple(_games_against(field, one, rank) for rank in others) for one in group}
    return ahead(split(group, made))


def lot(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """The latest lot drawn among them."""
    return _latest_order(field.lots, group)


def decision_order(field: Field, group: Group, _groups: Sequence[Group]) -> Values:
    """The order that the director decided, with a reason."""
    return _latest_order(field.orders, group)


GROUP_TIE_BREAKS: Final[Mapping[str, GroupTieBreak]] = {
    "DE": direct_encounter,
    "DEP": direct_encounter_with_forfeits,
    "EDE": extended_direct_encounter,
    "HH": head_to_head,
    "GAT": games_among,
    "NR": next_ranks,
    "LOT": lot,
    "MAN": decision_order,
}
LAST: Final = ("LOT", "MAN")  # what parts those whom all that was announced leaves level


def _by_encounters(field: Field, group: list[int], worth: Worth, win: Points) -> list[list[int]]:
    level = set(group)
    made = {one: _made_against(field, one, level, worth) for one in group}
    missing = {one: len(level) - 1 - len(_opponents(field, one) & level) for one in group}
    if any(missing.values()):
        # 6.3: with games missing, only who stays alone at the top whatever these would bring is placed.
        leader = max(group, key=lambda one: made[one])
        rest = [one for one in group if one != leader]
        if any(made[one] + missing[one] * win >= made[leader] for one in rest):
            return [group]
        return [[leader], *_by_encounters(field, rest, worth, win)]
    parted = split(group, made)
    if len(parted) == 1:
        return parted
    return [part for equal in parted for part in _by_encounters(field, equal, worth, win)]


def _by_both_encounters(field: Field, group: list[int], games: Points) -> list[list[int]]:
    parted = _by_encounters(field, group, _points, field.win)
    if len(parted) == 1:
        parted = _by_encounters(field, group, game_points, games)
    if len(parted) == 1:
        return parted
    return [part for equal in parted for part in _by_both_encounters(field, equal, games)]


def _opponents(field: Field, number: int) -> set[int]:
    return {opponent for turn in field.told[number] if (opponent := field.opponent_in(turn)) is not None}


def _points(turn: Turn) -> Points:
    return turn.points


def _made_against(field: Field, number: int, others: set[int], worth: Worth) -> Points:
    """What was made against some others; of two who met more than once, the average: 6.1.2."""
    met: dict[int, list[Points]] = {}
    for turn in field.told[number]:
        opponent = field.opponent_in(turn)
        if opponent is not None and opponent in others:
            met.setdefault(opponent, []).append(worth(turn))
    return sum((sum(made, NOTHING) / len(made) for made in met.values()), NOTHING)


def _games_against(field: Field, number: int, others: Group) -> Points:
    among = set(others)
    return sum((game_points(turn) for turn in field.told[number] if turn.opponent in among), NOTHING)


def _beat(field: Field, one: int, other: int) -> bool:
    return _games_against(field, one, (other,)) > _games_against(field, other, (one,))


def _latest_order(orders: Sequence[tuple[int, ...]], group: Group) -> Values:
    """What the latest order that names two of a group makes of it; whom it does not name come after those it does."""
    order = next((one for one in reversed(orders) if len(set(one) & set(group)) > 1), ())
    return ahead(split(group, {one: -order.index(one) if one in order else -len(order) for one in group}))


def split(group: Group, places: Mapping[int, Any]) -> list[list[int]]:
    """Those who are level parted by what they have, the most first; any values that can be compared do."""
    parted: dict[Any, list[int]] = {}
    for one in group:
        parted.setdefault(places[one], []).append(one)
    return [parted[place] for place in sorted(parted, reverse=True)]


def ahead(parted: Sequence[Sequence[int]]) -> Values:
    """How many of a group come after each."""
    values: dict[int, Points] = {}
    behind = sum(map(len, parted))
    for equal in parted:
        behind -= len(equal)
        values |= dict.fromkeys(equal, Points(behind))
    return values
