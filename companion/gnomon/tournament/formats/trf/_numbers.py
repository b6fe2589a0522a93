"""Renumber entrants from 1 by seed for report files and for pairing engines."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from gnomon.tournament.state import TeamBook, Tournament
from gnomon.tournament.state.particulars import Virtual
from gnomon.tournament.state.rounds import Pairing


def by_seeds(tournament: Tournament) -> tuple[Tournament, Mapping[int, int]]:
    """The same tournament with the strongest as number 1 and no gap, and the number that each one had before."""
    had = dict(enumerate(tournament.seeds, start=1))
    now = {old: new for new, old in had.items()}

    def again(pairing: Pairing) -> Pairing:
        return pairing._replace(
            first=now[pairing.first], second=None if pairing.second is None else now[pairing.second]
        )

    def renumber(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(now[one] for one in numbers)

    numbered = replace(
        tournament,
        entrants={now[old]: one._replace(number=now[old]) for old, one in tournament.entrants.items()},
        withdrawn={now[old]: since for old, since in tournament.withdrawn.items()},
        byes={(now[old], in_round): bye for (old, in_round), bye in tournament.byes.items()},
        prohibited=frozenset(frozenset(now[one] for one in pair) for pair in tournament.prohibited),
        rounds=tuple(replace(one, pairings=tuple(map(again, one.pairings))) for one in tournament.rounds),
        lots=tuple(map(renumber, tournament.lots)),
        orders=tuple(map(renumber, tournament.orders)),
        persons={now[old]: person for old, person in tournament.persons.items()},
        heading=replace(tournament.heading, virtual=tuple(_virtual_points(tournament.heading.virtual, now))),
        teams=None if tournament.teams is None else _renumber_members(tournament.teams, now),
    )
    return numbered, had


def _renumber_members(book: TeamBook, now: Mapping[int, int]) -> TeamBook:
    """The same teams under their own numbers, with the new ones of their members."""
    rosters = {
        team: roster._replace(members=tuple(now[one] for one in roster.members))
        for team, roster in book.rosters.items()
    }
    lineups = {key: tuple(now.get(one, one) for one in players) for key, players in book.lineups.items()}
    return replace(book, rosters=rosters, lineups=lineups)


def runs(numbers: Iterable[int]) -> list[list[int]]:
    """The numbers in order, parted where one is left out."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _virtual_points(lines: Iterable[Virtual], now: Mapping[int, int]) -> Iterator[Virtual]:
    for line in lines:
        for run in runs(new for old, new in now.items() if line.one <= old <= line.other):
            yield line._replace(one=run[0], other=run[-1])
