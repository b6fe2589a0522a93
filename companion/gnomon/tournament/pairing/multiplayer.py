"""Seat a round at tables of three and four: few repeated meetings, near scores, and seats in turn.

The search is a descent from the ranking: two players change tables as long as that makes the round better. It is the
same for the same entrants, and it is not certain to be the best.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations, product
from math import lcm

from gnomon.refusals import statement
from gnomon.tournament.errors import NoPairingError
from gnomon.tournament.scoring.multiplayer import FEWEST, MOST, table_scores
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import Points
from gnomon.tournament.state.rounds import Table

_Weights = Mapping[int, Mapping[int, int]]


def seat_tables(tournament: Tournament) -> tuple[Table, ...]:
    """The next round's tables, the highest scores first; raises NoPairingError when fewer than two are there.

    As few tables as hold everybody, and as even as can be. In this order: nobody meets whom they are kept apart from,
    as few meetings as possible are repeated, and the scores at a table are near. The first round spreads the seeds.
    """
    scores = table_scores(tournament)
    players = sorted(tournament.players(tournament.next_round), key=lambda number: -scores[number])
    if len(players) < FEWEST:
        raise NoPairingError(statement("tournament.pairing.nobody", round=tournament.next_round))
    sizes = table_sizes(len(players), tournament.settings.table_size)
    drawn = _by_seeds(players, sizes) if not tournament.rounds else _in_order(players, sizes)
    best = _descend(drawn, _weigh(tournament, players, scores))
    best.sort(key=lambda table: (-max(scores[number] for number in table), -sum(scores[number] for number in table)))
    return tuple(Table(board, seats_of(tournament, table)) for board, table in enumerate(best, start=1))


def table_sizes(players: int, most: int) -> tuple[int, ...]:
    """How many sit at each table, the larger first."""
    tables = -(-players // most)
    return tuple(players // tables + (at < players % tables) for at in range(tables))


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    """How often two have sat at one table."""
    pairs: Counter[frozenset[int]] = Counter()
    for round_ in tournament.rounds:
        for table in round_.tables:
            pairs.update(map(frozenset, combinations(table.seats, 2)))
    return pairs


def seats_of(tournament: Tournament, table: Sequence[int]) -> tuple[int, ...]:
    """The players of a table in the order of its seats, so that everybody has had each seat as evenly as can be."""
    had: Counter[tuple[int, int]] = Counter()
    for round_ in tournament.rounds:
        for past in round_.tables:
            had.update((number, seat) for seat, number in enumerate(past.seats))
    ordered = sorted(table, key=tournament.seeds.index)
    return min(permutations(ordered), key=lambda seats: sum(had[number, at] ** 2 for at, number in enumerate(seats)))


def _in_order(players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    left = list(players)
    return [[left.pop(0) for _ in range(size)] for size in sizes]


def _by_seeds(players: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The seeds to and fro: 1 2 3, then 6 5 4."""
    drawn: list[list[int]] = [[] for _ in sizes]
    left = list(players)
    for row in range(max(sizes)):
        tables = [table for table, size in zip(drawn, sizes, strict=True) if row < size]
        for table in tables if row % 2 == 0 else reversed(tables):
            table.append(left.pop(0))
    return drawn


def _descend(drawn: list[list[int]], weights: _Weights) -> list[list[int]]:
    """The tables after every change of two players that makes them better."""
    better = True
    while better:  # it ends: each change makes the round better, and there are only so many ways to seat it
        better = False
        for at, other in combinations(range(len(drawn)), 2):
            for one, two in product(range(len(drawn[at])), range(len(drawn[other]))):
                if _gain(drawn[at], one, drawn[other], two, weights) > 0:
                    drawn[at][one], drawn[other][two] = drawn[other][two], drawn[at][one]
                    better = True
    return drawn


def _gain(here: Sequence[int], one: int, there: Sequence[int], two: int, weights: _Weights) -> int:
    """How much better the round becomes when two at different tables change places."""
    mine, theirs = weights[here[one]], weights[there[two]]
    stay_here = [number for at, number in enumerate(here) if at != one]
    stay_there = [number for at, number in enumerate(there) if at != two]
    return sum(mine[number] - theirs[number] for number in stay_here) + sum(
        theirs[number] - mine[number] for number in stay_there
    )


def _weigh(tournament: Tournament, players: Sequence[int], scores: Mapping[int, Points]) -> _Weights:
    """What it costs that two sit together: kept apart outweighs all repeated meetings, and those all differences."""
    met, first = meetings(tournament), not tournament.rounds
    unit = lcm(*(scores[number].denominator for number in players))
    points = {number: 0 if first else int(scores[number] * unit) for number in players}
    pairs = len(players) * MOST  # at least as many as there are at all tables
    far = pairs * (max(points.values()) - min(points.values())) ** 2 + 1
    again = pairs * far * (len(tournament.rounds) + 1) ** 2 + 1
    weights: dict[int, dict[int, int]] = {number: {} for number in players}
    for one, other in combinations(players, 2):
        times = met[frozenset((one, other))]
        cost = (points[one] - points[other]) ** 2 + times * (times + 2) * far
        cost += 0 if tournament.may_meet(one, other) else again
        weights[one][other] = weights[other][one] = cost
    return weights
