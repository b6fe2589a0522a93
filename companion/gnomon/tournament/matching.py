"""The only module that imports networkx: the best way to pair everybody, by costs in order of importance."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

Costs = tuple[int, ...]
Edges = Mapping[tuple[int, int], Costs]

WEIGHTY: Final = 2  # costs that make a class of edges: in Swiss the bye's group, and how far apart the scores are
FEWEST: Final = 16  # edges of a class each one keeps at first: what a matching costs grows with their number
CLASSES: Final = 3  # that each one keeps at first: an odd group must lose somebody to the next
STEP: Final = 3


def best_matching(size: int, edges: Edges) -> tuple[tuple[int, int], ...] | None:
    """Pairs of 0 … size - 1, of the least costs, with everybody in one of them; None when there are none.

    The first cost decides, the second among equals, and so on. Each one's cheapest edges are tried first, and all of
    them before it is said that there is no way.
    """
    ordered = sorted(edges, key=lambda edge: (edges[edge], edge))
    kept, classes = FEWEST, CLASSES
    while True:
        chosen = _cheapest(ordered, edges, kept, classes)
        pairs = _matching(size, {edge: edges[edge] for edge in chosen})
        if 2 * len(pairs) == size:
            return pairs
        if len(chosen) == len(edges):
            return None
        kept, classes = kept * STEP, classes * STEP


def _cheapest(ordered: Sequence[tuple[int, int]], edges: Edges, kept: int, classes: int) -> list[tuple[int, int]]:
    """The edges that are among the cheapest of their class for one of their ends, and that class among its first."""
    taken: defaultdict[int, dict[Costs, int]] = defaultdict(dict)
    chosen = []
    for edge in ordered:
        weighty = edges[edge][:WEIGHTY]
        wanted = False
        for end in edge:
            mine = taken[end]
            if mine.get(weighty, 0) < kept and (weighty in mine or len(mine) < classes):
                mine[weighty] = mine.get(weighty, 0) + 1
                wanted = True
        if wanted:
            chosen.append(edge)
    return chosen


def _matching(size: int, edges: Edges) -> tuple[tuple[int, int], ...]:
    # Only a hall has networkx, and only pairing needs the tenth of a second its import takes.
    import networkx as nx  # noqa: PLC0415 - of the extra `hall`

    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    weights = _weights(size, edges)
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in weights.items())
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def _weights(size: int, edges: Edges) -> Mapping[tuple[int, int], int]:
    """One integer for the costs of an edge: no sum of later costs outweighs one unit of an earlier one."""
    worst = [max(column) for column in zip(*edges.values(), strict=True)]
    weights = {}
    for edge, costs in edges.items():
        total = 0
        for cost, most in zip(costs, worst, strict=True):
            total = total * (most * (size // 2) + 1) + cost
        weights[edge] = -total
    return weights
