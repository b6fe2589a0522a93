"""Solve the game of twenty squares: compute the value of every position for the player who is to throw.

Counters that are home never come back, so layers are solved one after another, each with its mirror image, where the
other player is to throw. Within a layer the values are improved in place, the most advanced positions first, until no
value changes: captures lead back, and there is no order in which a single sweep would do.
"""

import ctypes
import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Final, NamedTuple

from gnomon.games.twenty_squares.engine._compiled import compiled_core
from gnomon.games.twenty_squares.engine._moves import MoveTable
from gnomon.games.twenty_squares.engine._numbering import Layer, Layout, Numbering, layers_of
from gnomon.games.twenty_squares.engine._sweep import Core, Sweep

SMALLEST_CHANGE: Final = 1e-12
_ORDER: Final = 1  # the number of the way in which positions are numbered


class SolverProgress(NamedTuple):
    """How far it has come: positions solved for good, all positions, and sweeps and back-ups since it began."""

    solved: int
    size: int
    sweeps: int
    backups: int


class TwentySquaresSolver:
    """What finds the values of all positions, as a `gnomon.engines.tables.Solver`."""

    name: Final = "twenty-squares"
    core: Final = "gnomon.games.twenty_squares.engine:core.c"

    def __init__(self, numbering: Numbering, smallest_change: float = SMALLEST_CHANGE) -> None:
        self._numbering = numbering
        self._smallest_change = smallest_change

    @property
    def key(self) -> str:
        """The board with its throws, and in which order positions have their numbers.

        Where nothing stacks, it is silent about that: tables of an earlier version have the same values.
        """
        layout = asdict(self._numbering.layout)
        if not layout["stacks"]:
            del layout["stacks"], layout["walls"]
        return json.dumps({"order": _ORDER, **layout})

    @property
    def size(self) -> int:
        """How many positions there are."""
        return self._numbering.size

    def solve(self, values: memoryview, done: int, library: ctypes.CDLL | None) -> Iterator[SolverProgress]:
        """Write the value of every position, and report after each class of each sweep; what is solved is final."""
        numbering, core = self._numbering, Core() if library is None else compiled_core(library)
        moves = {left: MoveTable(numbering.layout, left) for left in range(1, numbering.counters + 1)}
        sweeps = backups = 0
        for pair in _pairs(numbering.counters):
            begin, end = numbering.starts[pair[0]], numbering.starts[pair[-1]] + numbering.sizes[pair[-1]]
            if end <= done:
                continue
            work = {layer: array("d", [0.5]) * numbering.sizes[layer] for layer in pair}
            tasks = list(_tasks(numbering, moves, pair, work, values))
            change = 1.0
            while change > self._smallest_change:
                change = 0.0
                for task in tasks:
                    change = max(change, core.sweep(task))
                    backups += numbering.layout.class_size(task.layer, task.both)
                    yield SolverProgress(begin, numbering.size, sweeps, backups)
                sweeps += 1
            for layer in pair:
                start = numbering.starts[layer]
                core.store(work[layer], values[start : start + numbering.sizes[layer]])
            yield SolverProgress(end, numbering.size, sweeps, backups)


def _pairs(counters: int) -> Iterator[tuple[Layer, ...]]:
    """The layers that lead to each other, in the order of a table."""
    for mine, theirs in layers_of(counters):
        if mine >= theirs:
            yield ((mine, theirs),) if mine == theirs else ((mine, theirs), (theirs, mine))


def _tasks(
    numbering: Numbering,
    moves: Mapping[int, MoveTable],
    pair: tuple[Layer, ...],
    work: dict[Layer, "array[float]"],
    values: memoryview,
) -> Iterator[Sweep]:
    """The classes of both layers in the order of a sweep: the most advanced first, each beside its mirror image."""
    layout: Layout = numbering.layout
    for k, j in reversed(layout.classes(pair[0])):
        for layer in pair:
            mirror, after = layer[::-1], (layer[1], layer[0] - 1)
            earlier, earlier_bases = None, numbering.bases[mirror]
            if after in numbering.starts:
                start = numbering.starts[after]
                earlier, earlier_bases = values[start : start + numbering.sizes[after]], numbering.bases[after]
            bases = (numbering.bases[layer], numbering.bases[mirror], earlier_bases)
            both = (k, j) if layer == pair[0] else (j, k)
            movers, others = moves[layer[0]], moves[layer[1]]
            yield Sweep(layout, layer, both, movers, others, bases, work[layer], work[mirror], earlier)
