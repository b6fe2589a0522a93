"""Find a minimum-cost perfect matching, with costs compared in order of importance.

No other module imports networkx.
"""

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

Costs = tuple[int, ...]
Edge = tuple[int, int]
Edges = Iterable[tuple[Edge, Costs]]  # one that can be gone through again
Searched = Callable[[int], None]  # told how often somebody's meetings were looked through, now and then

WHOLE: Final = 100  # to be matched over every edge there is: a tenth of a second on a desktop
# What a matching costs grows with the edges; in larger fields these few lose next to nothing (docs/figures.md,
# Pairing). Classes go by what a pairing is judged by first: the bye's group, how far apart the scores are, the sides.
WEIGHTY: Final = 3  # costs that make a class of edges
FEWEST: Final = 6  # edges of a class that each one keeps at first
CLASSES: Final = 6  # that each one keeps at first: an odd group must lose somebody to the next
STEP: Final = 3
TOLD_EACH: Final = 1_000  # searches between two words about them

_Class = list[tuple[Costs, Edge]]


def best_matching(size: int, edges: Edges, searched: Searched | None = None) -> tuple[Edge, ...] | None:
    """Pairs of 0 … size - 1, of the least costs, with everybody in one of them; None when there are none.

    The first cost decides, the second among equals, and so on. Up to `WHOLE` to be matched no other way costs less;
    beyond, each one's cheapest edges are tried first, and all of them before it is said that there is no way.
    """
    kept, classes = (size, size**2) if size <= WHOLE else (FEWEST, CLASSES)
    while True:
        chosen, all_of_them = _cheapest(edges, kept, classes)
        pairs = _matching(size, chosen, searched)
        if 2 * len(pairs) == size:
            return pairs
        if all_of_them:
            return None
        kept, classes = kept * STEP, classes * STEP


def _cheapest(edges: Edges, kept: int, classes: int) -> tuple[Mapping[Edge, Costs], bool]:
    """The edges that are among the cheapest of their class for one of their ends, and that class among its first.

    Says as well whether they are all.
    """
    taken: dict[int, dict[Costs, _Class]] = {}
    count = 0
    for edge, costs in edges:
        count += 1
        weighty, entry = costs[:WEIGHTY], (costs, edge)
        for end in edge:
            mine = taken.setdefault(end, {})
            of_class = mine.get(weighty)
            if of_class is None:
                mine[weighty] = [entry]
                if len(mine) > classes:
                    del mine[max(mine)]
            elif len(of_class) < kept:
                insort(of_class, entry)
            elif entry < of_class[-1]:
                of_class.pop()
                insort(of_class, entry)
    entries = sorted({entry for mine in taken.values() for of_class in mine.values() for entry in of_class})
    return {edge: costs for costs, edge in entries}, len(entries) == count


def _matching(size: int, edges: Mapping[Edge, Costs], searched: Searched | None) -> tuple[Edge, ...]:
    import networkx as nx  # noqa: PLC0415 - only pairing needs the tenth of a second that this takes

    rows: dict[int, dict[int, Mapping[str, int]]] = {node: {} for node in range(size)}
    for (one, other), cost in _reduce_costs(size, edges).items():
        rows[one][other] = rows[other][one] = {"weight": -cost}

    class Rows(nx.Graph):  # type: ignore[misc]  # networkx tells no types
        """A graph that hands out rows of our own: the matching asks for them millions of times."""

        looked = 0

        def __getitem__(self, node: int) -> Mapping[int, Mapping[str, int]]:
            """The row of a node, without the view of it that the library would make each time."""
            return rows[node]

        def neighbors(self, node: int) -> Iterator[int]:
            """Who can meet somebody; every so often it is told how many have been looked at."""
            self.looked += 1
            if searched is not None and self.looked % TOLD_EACH == 0:
                searched(self.looked)
            return iter(rows[node])

    graph = Rows(rows)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def _reduce_costs(size: int, edges: Mapping[Edge, Costs]) -> Mapping[Edge, int]:
    """One integer for the costs of an edge, less what its two ends cost at least.

    No sum of later costs outweighs one unit of an earlier one. What is taken off everybody's edges alike changes no
    matching of all, and leaves each an edge of nearly nothing, so that the search begins close to its end.
    """
    single = {edge: 2 * cost for edge, cost in _single(size, edges).items()}
    rows: dict[int, list[Edge]] = {}
    for edge in edges:
        for end in edge:
            rows.setdefault(end, []).append(edge)
    least = {end: min(single[edge] for edge in row) // 2 for end, row in rows.items()}
    for end, row in rows.items():
        least[end] += min(single[edge] - least[edge[0]] - least[edge[1]] for edge in row)
    return {(one, other): cost - least[one] - least[other] for (one, other), cost in single.items()}


def _single(size: int, edges: Mapping[Edge, Costs]) -> Mapping[Edge, int]:
    worst = [max(column) for column in zip(*edges.values(), strict=True)]
    single = {}
    for edge, costs in edges.items():
        total = 0
        for cost, most in zip(costs, worst, strict=True):
            total = total * (most * (size // 2) + 1) + cost
        single[edge] = total
    return single
