"""Feed a tournament from the standings of others: who goes on, seeded how, and with which points.

Pools before a knockout, a top cut, groups of one event, and promotion between divisions are all this: a stage is a
tournament of its own, and its entrants come from places in the standings of the stages before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from string import ascii_uppercase
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import (
    EntrantRegistered,
    EntrantsSeeded,
    Event,
    PersonTold,
    TeamPlayTold,
    TeamsSeeded,
    TeamTold,
    TournamentOpened,
)
from gnomon.tournament.settings.scope import within_scope
from gnomon.tournament.standings import Standing, standings
from gnomon.tournament.state import Entrant, Tournament
from gnomon.tournament.state.results import NOTHING, Points
from gnomon.tournament.state.round_history import histories
from gnomon.tournament.state.seeds import StageSeed
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.tournament.state.team_play import USUAL_BREAKS
from gnomon.tournament.strength.given_points import strength_points
from gnomon.tournament.teams.matches import as_shown, book_of
from gnomon.tournament.teams.tiebreaks import USUAL
from gnomon.tournament.tiebreaks.rule_sets import rule_set, usual_tie_breaks

MOST_GROUPS: Final = 26
_PLACES: Final = re.compile(r"([0-9]{1,4})(?:-([0-9]{0,4}))?")


class Seeding(StrEnum):
    """In which order those who go on are seeded."""

    PLACES = "places"
    """First all winners, then all seconds; two of one stage do not meet first in a bracket, where that can be."""
    LISTED = "listed"
    """As they are listed: everybody of the first stage, then of the next."""
    RATING = "rating"


class Carry(StrEnum):
    """With which points one begins."""

    NOTHING = "nothing"
    POINTS = "points"
    MEETINGS = "meetings"
    """The points of games against others of the same stage who go on as well."""


class StageFeed(NamedTuple):
    """A stage that others come from, and the places that go on; without a last place all from the first on.

    `origin` tells the books of stages apart, where they are known; a copy of a file has that of the file.
    """

    name: str
    tournament: Tournament
    first: int
    last: int | None
    origin: str = ""


class StageRule(NamedTuple):
    """How the next stage is filled; `rest` is how many more of the next places go on, the best of all stages."""

    seeding: Seeding = Seeding.PLACES
    carry: Carry = Carry.NOTHING
    rest: int = 0


class Qualifier(NamedTuple):
    """Somebody who goes on: from where, in which place, and with which points."""

    stage: str
    place: int
    number: int
    entrant: Entrant
    carried: Points = NOTHING


class Group(NamedTuple):
    """A group of an event: its members by their numbers there, the strongest first, and its own settings."""

    numbers: tuple[int, ...]
    settings: TournamentSettings


class _Candidate(NamedTuple):
    feed: int
    place: int  # among those of the stage who can go on
    standing: Standing
    share: Points  # points for each round of the stage


def parse_places(text: str) -> tuple[int, int | None]:
    """Places such as 2, 1-2 or 3-. Raises TournamentError for anything else."""
    found = _PLACES.fullmatch(text.strip())
    if found is None or int(found[1]) < 1 or (found[2] and int(found[2]) < int(found[1])):
        raise TournamentError(statement("tournament.stage.places", text=quote(text)))
    first = int(found[1])
    return first, first if found[2] is None else int(found[2]) if found[2] else None


def qualifiers(feeds: Sequence[StageFeed], rule: StageRule, system: System | None = None) -> tuple[Qualifier, ...]:
    """Who goes on, in the order in which they are seeded.

    `system` is that of the stage that they enter. An entrant who has withdrawn does not go on, and the next
    moves up. Raises TournamentError for a stage that is still being played, for places that some who are level share,
    where nobody goes on, and where somebody does twice.
    """
    feeds = [feed._replace(tournament=as_shown(feed.tournament)) for feed in feeds]
    ranked = [_candidates(at, feed) for at, feed in enumerate(feeds)]
    chosen = [
        one
        for feed, candidates in zip(feeds, ranked, strict=True)
        for one in candidates
        if feed.first <= one.place and (feed.last is None or one.place <= feed.last)
    ]
    chosen += _best_of_the_rest(feeds, ranked, rule.rest)
    if not chosen:
        raise TournamentError(statement("tournament.stage.nobody"))
    _check_once(feeds, chosen)
    ordered = _seeded_order(feeds, chosen, rule.seeding)
    numbers = [{one.standing.number for one in chosen if one.feed == at} for at in range(len(feeds))]
    return tuple(
        Qualifier(
            feeds[one.feed].name,
            one.place,
            one.standing.number,
            feeds[one.feed].tournament.entrants[one.standing.number],
            _points_along(feeds[one.feed].tournament, one.standing, numbers[one.feed], rule.carry, system),
        )
        for one in ordered
    )


def stage_events(
    tournament: Tournament, feeds: Sequence[StageFeed], rule: StageRule
) -> tuple[tuple[Qualifier, ...], list[Event]]:
    """Who goes on, and the events by which they enter a tournament that nobody has entered yet, seeds included.

    Raises TournamentError as `qualifiers` does, and where somebody has entered already.
    """
    if tournament.entrants:
        raise TournamentError(statement("tournament.stage.entered", tournament=tournament.settings.name))
    _check_alike(tournament, feeds)
    going_on = qualifiers(feeds, rule, tournament.settings.system)
    sources = {feed.name: feed.tournament for feed in feeds}
    by_rating = rule.seeding is Seeding.RATING
    seeds = tuple(
        StageSeed(number, 0 if by_rating else number, one.carried, f"{one.stage} {one.place}")
        for number, one in enumerate(going_on, start=1)
    )
    if tournament.teams is not None:
        teams = [(sources[one.stage], one.number) for one in going_on]
        return going_on, [*team_entries(teams), TeamsSeeded(seeds)]
    entries: list[Event] = []
    persons: list[Event] = []
    for number, one in enumerate(going_on, start=1):
        entries.append(EntrantRegistered(number, one.entrant.name, one.entrant.rating, one.entrant.team))
        known = sources[one.stage].persons.get(one.number)
        persons += [] if known is None else [PersonTold(number, known)]
    return going_on, [*entries, *persons, EntrantsSeeded(seeds)]


def draw_groups(tournament: Tournament, groups: int) -> tuple[tuple[int, ...], ...]:
    """The entrants, or teams, in so many groups, strong and weak evenly: the seeds go to and fro, 1 2 3, then 3 2 1.

    Members of a team are kept apart where a neighbour of the same row can change places with one of them. Raises
    TournamentError for fewer than two groups, and groups of fewer than two.
    """
    tournament = as_shown(tournament)
    numbers = [number for number in tournament.seeds if not tournament.has_left(number, tournament.next_round)]
    if not 2 <= groups <= MOST_GROUPS or len(numbers) < 2 * groups:  # noqa: PLR2004 - two make a group, and a split
        raise TournamentError(
            statement("tournament.stage.groups", groups=groups, entrants=len(numbers), most=MOST_GROUPS)
        )
    drawn: list[list[int]] = [[] for _ in range(groups)]
    for row in range(0, len(numbers), groups):
        members = numbers[row : row + groups]
        open_groups = list(range(groups))
        if row // groups % 2:
            open_groups.reverse()
        for number in members:
            team = tournament.entrants[number].team
            free = [at for at in open_groups if not team or team not in _teams(tournament, drawn[at])]
            at = (free or open_groups)[0]
            open_groups.remove(at)
            drawn[at].append(number)
    return tuple(map(tuple, drawn))


def group_events(tournament: Tournament, group: Group) -> list[Event]:
    """The events that open a group and enter its members, who get numbers in the order of their seeds."""
    events: list[Event] = [TournamentOpened(group.settings)]
    if tournament.teams is not None:
        play = replace(tournament.teams.play, scheveningen=False)
        if group.settings.system is not System.KNOCKOUT:
            play = replace(play, cup_breaks=USUAL_BREAKS)
        return [*events, TeamPlayTold(play), *team_entries([(tournament, number) for number in group.numbers])]
    for number, source in enumerate(group.numbers, start=1):
        one = tournament.entrants[source]
        events.append(EntrantRegistered(number, one.name, one.rating, one.team))
    known = [(number, tournament.persons.get(source)) for number, source in enumerate(group.numbers, start=1)]
    return [*events, *(PersonTold(number, person) for number, person in known if person is not None)]


def groups_of(tournament: Tournament, count: int, system: System, rounds: int | None = None) -> tuple[Group, ...]:
    """The entrants in so many groups, each a tournament of its own by a system, called after its event.

    A round robin has as many rounds as it takes. Raises TournamentError as `draw_groups` does, and for another system
    without a number of rounds.
    """
    if rounds is None and system is not System.ROUND_ROBIN:
        raise TournamentError(statement("tournament.stage.group_rounds", system=system.value))
    drawn = draw_groups(tournament, count)
    return tuple(
        Group(numbers, _group_settings(tournament, letter, system, rounds or len(numbers) - 1 + len(numbers) % 2))
        for letter, numbers in zip(ascii_uppercase, drawn, strict=False)
    )


def _group_settings(tournament: Tournament, letter: str, system: System, rounds: int) -> TournamentSettings:
    """The settings of a group: as those of its event, with what is usual for its system."""
    settings = tournament.settings
    return replace(
        within_scope(settings, system),
        name=f"{settings.name} {letter}",
        rounds=rounds,
        tie_breaks=USUAL.get(system, ())
        if tournament.teams is not None
        else usual_tie_breaks(system, rule_set(settings.rule_set)),
        accelerated=False,
        third_place=False,
        lives=1,
        check_in=False,
    )


def _teams(tournament: Tournament, numbers: Sequence[int]) -> set[str]:
    return {tournament.entrants[number].team for number in numbers}


def _check_alike(tournament: Tournament, feeds: Sequence[StageFeed]) -> None:
    """Raise TournamentError where players would go on without their teams, or teams among players."""
    for feed in feeds:
        if (feed.tournament.teams is None) != (tournament.teams is None):
            raise TournamentError(statement("tournament.stage.teams", tournament=feed.name))


def _check_once(feeds: Sequence[StageFeed], chosen: Sequence[_Candidate]) -> None:
    """Raise TournamentError where a stage that is named twice sends somebody on twice."""
    seen: set[tuple[str, int]] = set()
    for one in chosen:
        feed, number = feeds[one.feed], one.standing.number
        if (feed.origin, number) in seen:
            who = feed.tournament.label_of(number)
            raise TournamentError(statement("tournament.stage.twice", who=who, tournament=feed.name))
        if feed.origin:
            seen.add((feed.origin, number))


def _candidates(at: int, feed: StageFeed) -> list[_Candidate]:
    """Who of a stage can go on, in their places. Raises TournamentError for one that is not over."""
    tournament = feed.tournament
    if tournament.open_rounds or not tournament.rounds:
        raise TournamentError(statement("tournament.stage.unfinished", tournament=feed.name))
    ranked = standings(tournament)
    staying = [one for one in ranked if one.number not in tournament.withdrawn]
    rounds = len(tournament.rounds)
    found = [_Candidate(at, place, one, one.points / rounds) for place, one in enumerate(staying, start=1)]
    for edge in (feed.first - 1, feed.last or 0):
        if 0 < edge < len(found) and found[edge - 1].standing.place == found[edge].standing.place:
            shared = found[edge].standing.place
            names = [tournament.label_of(one.number) for one in ranked if one.place == shared]
            raise TournamentError(statement("tournament.stage.level", tournament=feed.name, place=edge, who=names))
    return found


def _best_of_the_rest(
    feeds: Sequence[StageFeed], ranked: Sequence[Sequence[_Candidate]], rest: int
) -> list[_Candidate]:
    """The best of those in the first place of each stage that does not go on by itself. Raises TournamentError."""
    waiting = [
        one
        for feed, candidates in zip(feeds, ranked, strict=True)
        for one in candidates
        if feed.last is not None and one.place == feed.last + 1
    ]
    waiting.sort(key=lambda one: -one.share)
    if rest > len(waiting):
        raise TournamentError(statement("tournament.stage.rest", rest=rest, there=len(waiting)))
    if 0 < rest < len(waiting) and waiting[rest - 1].share == waiting[rest].share:
        level = [one for one in waiting if one.share == waiting[rest].share]
        names = [feeds[one.feed].tournament.label_of(one.standing.number) for one in level]
        raise TournamentError(statement("tournament.stage.rest_level", who=names))
    return waiting[:rest]


def _seeded_order(feeds: Sequence[StageFeed], chosen: list[_Candidate], seeding: Seeding) -> list[_Candidate]:
    def strength(one: _Candidate) -> tuple[bool, int, int]:
        rating = feeds[one.feed].tournament.entrants[one.standing.number].rating
        return rating is None, -(rating or 0), one.feed

    if seeding is Seeding.RATING:
        return sorted(chosen, key=strength)
    if seeding is Seeding.LISTED:
        return sorted(chosen, key=lambda one: (one.feed, one.place))
    return _cross(sorted(chosen, key=lambda one: (one.place, -one.share, *strength(one))))


def _cross(ordered: list[_Candidate]) -> list[_Candidate]:
    """The order with neighbours of equal places exchanged where two of one stage would meet first in a bracket."""
    size = 1 << (len(ordered) - 1).bit_length()
    crossed = list(ordered)
    for at in range(len(crossed)):
        mate = size - 1 - at
        if at >= mate or mate >= len(crossed) or crossed[at].feed != crossed[mate].feed:
            continue
        level = [one for one in range(len(crossed)) if crossed[one].place == crossed[mate].place and one != mate]
        for other in sorted(level, key=lambda one: (abs(one - mate), one)):
            changed = list(crossed)
            changed[mate], changed[other] = changed[other], changed[mate]
            if _clashes(changed, size) < _clashes(crossed, size):
                crossed = changed
                break
    return crossed


def _clashes(ordered: Sequence[_Candidate], size: int) -> int:
    """How many meet somebody of their own stage in the first round of a bracket."""
    mates = ((one, size - 1 - one) for one in range(size // 2) if size - 1 - one < len(ordered))
    return sum(ordered[one].feed == ordered[mate].feed for one, mate in mates)


def _points_along(
    tournament: Tournament, one: Standing, going_on: set[int], carry: Carry, system: System | None
) -> Points:
    if carry is Carry.NOTHING:
        return NOTHING
    if carry is Carry.POINTS:
        # A McMahon gives points for strength itself, so those of the stage before would count twice.
        given = strength_points(tournament, one.number) if system is System.MCMAHON else NOTHING
        return one.points - given
    return sum((turn.points for turn in histories(tournament)[one.number] if turn.opponent in going_on), NOTHING)


def team_entries(teams: Sequence[tuple[Tournament, int]]) -> Iterator[Event]:
    """The events by which teams, each of a tournament, enter one that nobody has entered yet, in this order.

    Players get new numbers, team by team in the order of the rosters; those who have withdrawn stay behind.
    """
    number = 0
    for team, (source, was) in enumerate(teams, start=1):
        roster, name = book_of(source).rosters[was], book_of(source).matches.entrants[was].name
        members = []
        for one in (source.entrants[member] for member in roster.members if member not in source.withdrawn):
            number += 1
            members.append(number)
            yield EntrantRegistered(number, one.name, one.rating)
            if one.number in source.persons:
                yield PersonTold(number, source.persons[one.number])
        yield TeamTold(team, name, tuple(members), roster.captain)
