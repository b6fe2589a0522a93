"""Pair neighbours in a ranking: the rounds of Keizer's system, of an arena and of a ladder.

Unlike a Swiss, two may meet again; what is kept is that they do not do so soon.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.pairing._matching import Costs, Edge, best_matching
from gnomon.tournament.pairing._preferences import Preference, moves_first
from gnomon.tournament.scoring.arena import free_boards, free_players
from gnomon.tournament.scoring.keizer import keizer_points
from gnomon.tournament.scoring.ladder import ladder_order
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.round_history import RoundKind, histories, sides
from gnomon.tournament.state.rounds import Pairing, at_boards

SOON: Final = 3
"""Rounds within which two do not meet again, where that can be."""
_PAIR: Final = 2


def keizer(tournament: Tournament) -> tuple[Pairing, ...]:
    """The next round: the first against the second, the third against the fourth, and so on of those who are there.

    Raises NoPairingError when nobody is, or everybody is kept apart.
    """
    points = keizer_points(tournament)
    there = sorted(tournament.players(tournament.next_round), key=lambda number: -points[number])
    pairs = _match_up(tournament, there)
    met = sorted((pair for pair in pairs if len(pair) == _PAIR), key=lambda pair: min(map(there.index, pair)))
    idle = [(pair[0], None) for pair in pairs if len(pair) < _PAIR]
    return at_boards([*_seats(tournament, met), *idle])


def arena(tournament: Tournament) -> tuple[Pairing, ...]:
    """Games for those who are free now, at free boards; one who is left over waits for the next.

    Raises NoPairingError when fewer than two are free.
    """
    there = free_players(tournament)
    pairs = [pair for pair in _match_up(tournament, there) if len(pair) == _PAIR]
    if not pairs:
        raise NoPairingError(statement("tournament.pairing.nobody_free", round=tournament.next_round))
    pairs.sort(key=lambda pair: min(map(there.index, pair)))
    boards = free_boards(tournament, len(pairs))
    return tuple(Pairing(board, *pair) for board, pair in zip(boards, _seats(tournament, pairs), strict=True))


def ladder(tournament: Tournament) -> tuple[Pairing, ...]:
    """Everybody who is free against the next who is: in odd rounds 1-2, 3-4 and so on, in even rounds 2-3, 4-5.

    Where a challenge does not reach so far, or two are kept apart, it is the other way round if more can play then.
    Challenges are published by hand. Raises NoPairingError when fewer than two are free who may meet.
    """
    free, order = set(free_players(tournament)), ladder_order(tournament)
    rung = {number: at for at, number in enumerate(order)}
    neighbours = [*enumerate(pairwise(number for number in order if number in free))]

    def meetings(from_top: int) -> list[tuple[int, int]]:
        return [
            (one, other)
            for at, (one, other) in neighbours
            if at % _PAIR == from_top
            and rung[other] - rung[one] <= tournament.settings.reach
            and tournament.may_meet(one, other)
        ]

    usual = (tournament.next_round - 1) % _PAIR
    allowed, whole = meetings(usual), (len(neighbours) + 1 - usual) // _PAIR
    if len(allowed) < max(1, whole):
        allowed = max(allowed, meetings(1 - usual), key=len)
    if not allowed:
        raise NoPairingError(statement("tournament.pairing.nobody_free", round=tournament.next_round))
    boards = free_boards(tournament, len(allowed))
    return tuple(Pairing(board, *pair) for board, pair in zip(boards, _seats(tournament, allowed), strict=True))


def _match_up(tournament: Tournament, there: Sequence[int]) -> list[tuple[int, ...]]:
    """Who meets whom, and who is left over. Raises NoPairingError where no way is allowed."""
    if not there:
        raise NoPairingError(statement("tournament.pairing.nobody", round=tournament.next_round))
    size = len(there) + len(there) % _PAIR
    found = best_matching(size, _Edges(tournament, there))
    if found is None:
        cause = statement("tournament.rule.prohibition")
        raise NoPairingError(statement("tournament.pairing.impossible", round=tournament.next_round, cause=cause))
    return [tuple(there[at] for at in pair if at < len(there)) for pair in found]


class _Edges:
    """Every meeting that is allowed, with its costs: met soon before or left over before, then far in the ranking."""

    def __init__(self, tournament: Tournament, there: Sequence[int]) -> None:
        self._tournament = tournament
        self._there = there
        self._met = _last_meetings(tournament)
        told = histories(tournament)
        self._byes = Counter({one: sum(turn.kind is RoundKind.PAIRING_BYE for turn in told[one]) for one in there})

    def __iter__(self) -> Iterator[tuple[Edge, Costs]]:
        """The edges by places in the ranking."""
        there = self._there
        for at, one in enumerate(there):
            for to, other in enumerate(there[at + 1 :], start=at + 1):
                if self._tournament.may_meet(one, other):
                    yield (at, to), (self._soon(one, other), (to - at - 1) ** 2)
            if len(there) % _PAIR:
                yield (at, len(there)), (SOON * self._byes[one], (len(there) - 1 - at) ** 2)

    def _soon(self, one: int, other: int) -> int:
        """How much too soon two would meet again: most for a game in the round before, nothing after some rounds."""
        last = self._met.get(frozenset((one, other)))
        return 0 if last is None else max(0, SOON + 1 - (self._tournament.next_round - last))


def _last_meetings(tournament: Tournament) -> Mapping[frozenset[int], int]:
    return {
        frozenset(pairing.entrants): round_.number
        for round_ in tournament.rounds
        for pairing in round_.pairings
        if pairing.second is not None
    }


def _seats(tournament: Tournament, pairs: Iterable[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Who moves first of two: the one who is more due; if neither has played, the lot decides, turned every round."""
    told = histories(tournament)
    lot = tournament.settings.leader_first == (tournament.next_round % _PAIR == 1)
    seated = []
    for one, other in pairs:
        mine, theirs = (Preference.of(sides(told[number])) for number in (one, other))
        seated.append((one, other) if moves_first(mine, theirs, lot=lot) else (other, one))
    return seated
