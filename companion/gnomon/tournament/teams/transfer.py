"""Enter teams of other tournaments with all their players, as stages and groups do."""

from collections.abc import Iterator, Sequence

from gnomon.tournament.events import EntrantRegistered, Event, PersonTold, TeamTold
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import book_of


def team_entries(teams: Sequence[tuple[Tournament, int]]) -> Iterator[Event]:
    """The events by which teams, each of a tournament, enter one that nobody has entered yet, in this order.

    Players get new numbers, team by team in the order of the rosters; who has withdrawn stays behind.
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
