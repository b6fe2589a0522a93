"""Rank entrants and teams by points and then by the announced tie-breaks."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import LotDrawn, OrderDecided
from gnomon.tournament.pairing.double_elimination import elimination_progress, losses
from gnomon.tournament.pairing.knockout import knockout_progress
from gnomon.tournament.scoring.arena import arena_points
from gnomon.tournament.scoring.keizer import keizer_points
from gnomon.tournament.scoring.ladder import rungs
from gnomon.tournament.scoring.multiplayer import table_breaks, table_scores
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.settings import System
from gnomon.tournament.strength.given_points import starting_points
from gnomon.tournament.teams.matches import as_people, as_shown, source_of
from gnomon.tournament.teams.tiebreaks import TeamFields, team_values
from gnomon.tournament.tiebreaks.direct_encounter import GROUP_TIE_BREAKS, LAST
from gnomon.tournament.tiebreaks.fields import Field
from gnomon.tournament.tiebreaks.rule_sets import rule_set
from gnomon.tournament.tiebreaks.values import values_of

Rank = TypeVar("Rank", Points, tuple[int, int])


_SCORES: Final[Mapping[System, Callable[[Tournament], Mapping[int, Points]]]] = {
    System.KEIZER: keizer_points,
    System.ARENA: arena_points,
    System.LADDER: rungs,
    System.TABLES: table_scores,
}
"""What is scored otherwise than game by game."""


class Standing(NamedTuple):
    """Where an entrant stands: those that nothing tells apart share a place, and the next is left out.

    `points` are what was scored, with what McMahon gave to begin with; `values` those of the tie-breaks, in order.
    """

    place: int
    number: int
    points: Points
    values: tuple[Points, ...]


class TeamStanding(NamedTuple):
    """Where a team stands: the points of its best, and who they are."""

    place: int
    team: str
    points: Points
    counted: tuple[int, ...]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everybody who took part, the best first, as of the results so far. Raises TournamentError for an unknown name.

    In a knockout who got further stands higher, whatever the points: a bye on the way is neither better nor worse. A
    lot, and last of all the director's order, part those whom the tie-breaks leave level, though they were not among
    those announced.
    """
    totals = totals_of(tournament)
    groups, values = _rank_until(tournament, totals)
    ranked: list[Standing] = []
    for group in groups:
        place = len(ranked) + 1
        ranked += [Standing(place, number, totals[number], tuple(values[number])) for number in group]
    return tuple(ranked)


def check_order(tournament: Tournament, told: LotDrawn | OrderDecided) -> None:
    """Raise TournamentError where a lot or an order names some of those who are level, but not all of them.

    Whom it leaves out would stand last among them without anybody having said so. It is a check of what somebody is
    about to tell, not of what a log has: what was level then may not be now, and earlier versions took such lots. In a
    knockout of teams a lot is about a match, not a place.
    """
    if tournament.teams is not None and tournament.settings.system is System.KNOCKOUT:
        return
    shown, named = as_shown(tournament), set(told.numbers)
    groups, _ = _rank_until(shown, totals_of(shown), until="LOT" if isinstance(told, LotDrawn) else "MAN")
    for group in groups:
        if len(named) > 1 and named & set(group) and not named >= set(group):
            who = [shown.label_of(number) for number in group]
            raise TournamentError(statement("tournament.order.incomplete", who=who))


def _rank_until(
    tournament: Tournament, totals: Mapping[int, Points], until: str = ""
) -> tuple[list[list[int]], Mapping[int, Sequence[Points]]]:
    """Those who are level in groups, the best first, and the values of the announced tie-breaks.

    `until` names a tie-break at which to stop: the groups are those who are level when its turn comes.
    """
    field = field_of(tournament)
    groups = [[number for number in tournament.seeds if tournament.took_part(number)]]
    if tournament.settings.system is System.KNOCKOUT:
        groups = _split(groups, _progress(tournament))
    elif tournament.settings.system is System.TABLES:
        groups = _split(groups, totals)
        for parted in table_breaks(tournament):
            groups = _split(groups, parted)
    else:
        groups = _split(groups, totals)
    values: dict[int, list[Points]] = {number: [] for number in tournament.seeds}
    source = source_of(tournament)
    teams = None if source is None else TeamFields.of(source, field_of)
    for name in tournament.settings.tie_breaks:
        if name == until:
            return groups, values
        computed = _values(field, name, groups) if teams is None else team_values(teams, name, groups)
        for number, value in computed.items():
            values[number].append(value)
        groups = _split(groups, computed)
    for name in LAST:
        if name == until:
            break
        groups = _split(groups, _values(field, name, groups))
    return groups, values


def totals_of(tournament: Tournament) -> Mapping[int, Points]:
    """The points of everybody by the system's own score, with those that they began with."""
    score = _SCORES.get(tournament.settings.system)
    if score is not None:
        return score(tournament)
    field = field_of(tournament)
    return {number: field.total(number) for number in tournament.entrants}


def moved_places(before: Tournament, after: Tournament) -> tuple[tuple[int, int, int], ...]:
    """Those whose place in the standings has changed: their number, their place before and after, by the place after.

    Where teams play, these are teams. An entrant who is ranked only before or only after has not moved.
    """
    was = {one.number: one.place for one in standings(as_shown(before))}
    ranked = standings(as_shown(after))
    return tuple(
        (one.number, was[one.number], one.place) for one in ranked if was.get(one.number, one.place) != one.place
    )


def _progress(tournament: Tournament) -> Mapping[int, tuple[int, int]]:
    if tournament.settings.lives == 1:
        return {number: knockout_progress(tournament, number) for number in tournament.entrants}
    lost = losses(tournament)
    return {number: elimination_progress(tournament, number, lost) for number in tournament.entrants}


def team_standings(tournament: Tournament, best: int) -> tuple[TeamStanding, ...]:
    """The teams by the points of their best so many members, those with fewer by what they have."""
    ranked = standings(as_people(tournament))
    members: dict[str, list[Standing]] = {}
    for one in ranked:
        team = tournament.entrants[one.number].team
        if team:
            members.setdefault(team, []).append(one)
    told = [
        TeamStanding(0, team, sum((one.points for one in of[:best]), NOTHING), tuple(one.number for one in of[:best]))
        for team, of in members.items()
    ]
    return tuple(
        team._replace(place=1 + sum(other.points > team.points for other in told))
        for team in sorted(told, key=lambda team: -team.points)
    )


def field_of(tournament: Tournament) -> Field:
    """What the tie-breaks look at. Raises TournamentError for an unknown rule set."""
    settings = tournament.settings
    return Field(
        histories(tournament),
        {number: starting_points(tournament, number) for number in tournament.entrants},
        settings.scoring,
        settings.units,
        rule_set(settings.rule_set),
        {number: one.rating for number, one in tournament.entrants.items() if one.rating is not None},
        settings.unrated,
        settings.rounds,
        settings.system is System.ROUND_ROBIN,
        tournament.seeds,
        tournament.lots,
        tournament.orders,
        rounding=settings.rounding,
    )


def _values(field: Field, name: str, groups: Sequence[Sequence[int]]) -> Mapping[int, Points]:
    if name in GROUP_TIE_BREAKS:
        among = GROUP_TIE_BREAKS[name]
        return {one: value for group in groups for one, value in among(field, group, groups).items()}
    return values_of(field, name, [one for group in groups for one in group])


def _split(groups: Sequence[Sequence[int]], values: Mapping[int, Rank]) -> list[list[int]]:
    """The groups parted by their values, the highest first; those with equal ones stay together."""
    return [
        list(equal)
        for group in groups
        for _, equal in groupby(sorted(group, key=lambda one: values[one], reverse=True), key=lambda one: values[one])
    ]
