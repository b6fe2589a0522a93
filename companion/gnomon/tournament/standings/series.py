"""Rank people over several events: Pentamind, grand prix and decathlon.

Somebody is the same person in two events who has the same number in a federation's list, or else the same name.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.standings._ranking import standings
from gnomon.tournament.standings.pentamind import pentamind_points
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.notation import parse_points
from gnomon.tournament.state.results import NOTHING, ONE, Points
from gnomon.tournament.teams.matches import as_shown

PENTAMIND_EVENTS: Final = 5
"""So many of somebody's events count at the Mind Sports Olympiad."""
GRAND_PRIX: Final = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""What places are worth unless others are announced."""


class SeriesScoring(StrEnum):
    """What an event is worth to somebody."""

    PENTAMIND = "pentamind"
    GRAND_PRIX = "grand-prix"
    DECATHLON = "decathlon"
    """The points that they scored in it."""


class SeriesRule(NamedTuple):
    """How a series is scored: how many events count, 0 for all, and in a grand prix what places are worth."""

    scoring: SeriesScoring
    best: int = 0
    places: tuple[Points, ...] = tuple(map(Points, GRAND_PRIX))


class SeriesEvent(NamedTuple):
    """An event of a series; of several of one kind only the best counts. `factor` is what it is multiplied by.

    `origin` tells the books of events apart, where they are known; a copy of a file has that of the file.
    """

    name: str
    tournament: Tournament
    kind: str = ""
    factor: Points = ONE
    origin: str = ""


class EventScore(NamedTuple):
    """What an event brought somebody, and whether it counts."""

    event: int
    place: int
    points: Points
    counts: bool


class SeriesStanding(NamedTuple):
    """Where somebody stands in a series, with what each of their events brought, in the order of the events."""

    place: int
    name: str
    total: Points
    scores: tuple[EventScore, ...]


def usual_rule(scoring: SeriesScoring) -> SeriesRule:
    """The rule of a scoring unless another is announced: the best five at Pentamind, else all events."""
    return SeriesRule(scoring, PENTAMIND_EVENTS if scoring is SeriesScoring.PENTAMIND else 0)


def parse_place_points(text: str) -> tuple[Points, ...]:
    """What places are worth, the first first: `10, 8, 6`. Raises TournamentError for what does not fall."""
    points = tuple(map(parse_points, text.replace(",", " ").split()))
    if not points or list(points) != sorted(points, reverse=True) or points[-1] < 0:
        raise TournamentError(statement("tournament.series.places", text=quote(text)))
    return points


def series_standings(events: Sequence[SeriesEvent], rule: SeriesRule) -> tuple[SeriesStanding, ...]:
    """Everybody who took part in an event, the best first; where teams play it is they.

    Those who are level are ranked by the best event that did not count, then the next (the rule of the Mind Sports
    Olympiad for the Pentamind), then by the best that did; those who are level even then share the place. Raises
    TournamentError for an event in which one person stands twice, that counts nothing or less, or that is named twice,
    and as `pentamind_points` does.
    """
    wrong = next((event for event in events if event.factor <= 0), None)
    if wrong is not None:
        raise TournamentError(statement("tournament.series.factor", tournament=wrong.name, factor=str(wrong.factor)))
    for one, other in combinations(events, 2):
        if one.origin and one.origin == other.origin:
            raise TournamentError(statement("tournament.series.same", tournament=other.name))
    events = [event._replace(tournament=as_shown(event.tournament)) for event in events]
    people: dict[str, str] = {}
    scores: dict[str, list[EventScore]] = {}
    for at, event in enumerate(events):
        worth, places = _worth(event, rule), {one.number: one.place for one in standings(event.tournament)}
        persons = [_person(event.tournament, number) for number in worth]
        twice = next((person for person, count in Counter(persons).items() if count > 1), None)
        if twice is not None:
            raise TournamentError(statement("tournament.series.twice", tournament=event.name, who=twice))
        for person, (number, points) in zip(persons, worth.items(), strict=True):
            people.setdefault(person, event.tournament.entrants[number].name)
            scores.setdefault(person, []).append(EventScore(at, places[number], points, counts=False))
    counted = {person: _count_best(events, mine, rule.best) for person, mine in scores.items()}
    keys = {person: _key(mine) for person, mine in counted.items()}
    ordered = sorted(counted, key=lambda person: people[person].casefold())
    ordered.sort(key=lambda person: keys[person], reverse=True)
    ahead = {key: sum(other > key for other in keys.values()) for key in set(keys.values())}
    return tuple(
        SeriesStanding(1 + ahead[keys[person]], people[person], keys[person][0], counted[person]) for person in ordered
    )


def _person(tournament: Tournament, number: int) -> str:
    listed = tournament.person(number).fide_number
    return listed or " ".join(tournament.entrants[number].name.split()).casefold()


def _worth(event: SeriesEvent, rule: SeriesRule) -> Mapping[int, Points]:
    """What an event brings each who took part."""
    ranked = standings(event.tournament)
    if rule.scoring is SeriesScoring.PENTAMIND:
        return pentamind_points(ranked, event.factor)
    if rule.scoring is SeriesScoring.DECATHLON:
        return {one.number: one.points * event.factor for one in ranked}
    level = Counter(one.place for one in ranked)
    worth = dict(enumerate(rule.places, start=1))
    return {
        one.number: sum((worth.get(one.place + more, NOTHING) for more in range(level[one.place])), NOTHING)
        / level[one.place]
        * event.factor
        for one in ranked
    }


def _count_best(events: Sequence[SeriesEvent], scores: Sequence[EventScore], best: int) -> tuple[EventScore, ...]:
    """The scores with those marked that count: the best, and of one kind only one."""
    kinds = set[str]()
    counted = set[int]()
    for score in sorted(scores, key=lambda one: (-one.points, one.event)):
        kind = events[score.event].kind
        if (kind and kind in kinds) or (best and len(counted) == best):
            continue
        kinds.add(kind)
        counted.add(score.event)
    return tuple(score._replace(counts=score.event in counted) for score in scores)


def _key(scores: Sequence[EventScore]) -> tuple[Points, tuple[Points, ...], tuple[Points, ...]]:
    mine = sorted((one.points for one in scores if one.counts), reverse=True)
    others = sorted((one.points for one in scores if not one.counts), reverse=True)
    return sum(mine, NOTHING), tuple(others), tuple(mine)
