"""Make teams of the entrants who name one, as lists and report files write them beside people."""

from collections.abc import Iterator

from gnomon.tournament.events import TeamTold
from gnomon.tournament.state import Tournament
from gnomon.tournament.teams.matches import book_of


def named_teams(tournament: Tournament) -> Iterator[TeamTold]:
    """The teams that entrants name and that are not entered, with their members in the order of their numbers."""
    book = book_of(tournament)
    known = {one.name for one in book.matches.entrants.values()}
    members: dict[str, list[int]] = {}
    for number in sorted(tournament.entrants):
        name = tournament.entrants[number].team
        if name and name not in known:
            members.setdefault(name, []).append(number)
    first = max(book.rosters, default=0) + 1
    for number, (name, roster) in enumerate(members.items(), start=first):
        yield TeamTold(number, name, tuple(roster), since=tournament.next_round)
