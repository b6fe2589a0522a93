"""Value iteration for the game of twenty squares, one sweep over a class of positions at a time.

`core.c` is the same in C. Every sum is taken in the same order there, so both find the same values to the last bit.
"""

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from math import comb
from typing import Any, Final, NamedTuple

from gnomon.games.twenty_squares.engine._numbering import COUNTS, HAND, SHARED, SIDE, Layer, Layout

SCALE: Final = 0xFFFFFFFF
"""What a value of 1 is in a layer that is solved."""

_ENTRY_THROWS: Final = (1, 5)  # rule 4


class Sweep(NamedTuple):
    """One class of a layer, and where what it leads to stands.

    `bases` say where each class begins in the layer, in that of the other player, and in that of the other player once
    the mover has one more counter home.
    """

    layout: Layout
    layer: Layer
    both: tuple[int, int]
    bases: Sequence[Sequence[int]]
    own: "array[float]"
    opposite: "array[float]"
    earlier: Any  # 32-bit numbers; None where the mover has won then


Row = Callable[[int], Sequence[float]]
"""The values of an answer for the mover, by the number of the mover's side row after it."""


def sweep(task: Sweep) -> float:
    """Improve the values of a class by what they lead to, and give the greatest change."""
    layout, (a, b), (k, j), bases = task.layout, task.layer, task.both, task.bases
    width, sides = layout.width, layout.sides
    loose = a - k
    rows, columns = sides[loose], sides[b - j]
    others = layout.shared_masks[j][: comb(width - k, j)]  # the rows on fewer squares come first
    start, size, change = bases[0][k * COUNTS + j], rows * columns, 0.0
    for m in reversed(range(len(layout.shared_masks[k]))):
        mine = layout.shared_masks[k][m]
        free = [1 << place for place in range(width) if not mine >> place & 1]
        for n in reversed(range(len(others))):
            theirs = sum(bit for place, bit in enumerate(free) if others[n] >> place & 1)
            block = start + (m * len(others) + n) * size
            answers = _answers(task, mine, theirs)
            for row in reversed(range(rows)):
                worth = _row(layout, answers, mine, row, loose)
                at = block + row * columns
                after = array("d", worth)
                change = max(change, *map(abs, map(float.__sub__, after, task.own[at : at + columns])))
                task.own[at : at + columns] = after
    return change


def store(values: Sequence[float], solved: MutableSequence[int]) -> None:
    """Write the values of a solved layer in 32 bits."""
    solved[:] = array("I", [int(value * SCALE + 0.5) for value in values])


class Core(NamedTuple):
    """What does the work: the two functions above, or the same compiled."""

    sweep: Callable[[Sweep], float] = sweep
    store: Callable[[Any, Any], None] = store


class _Answers(NamedTuple):
    """What can be answered from each step to each throw, and what a forfeit is worth; None where it is barred."""

    by_step: Sequence[Sequence[Row | None]]
    lost: Row


def _answers(task: Sweep, mine: int, theirs: int) -> _Answers:
    layout, (k, j) = task.layout, task.both
    loose = task.layer[0] - k
    by_step: list[list[Row | None]] = []
    for step, (kind, bit) in enumerate(zip(layout.kinds, layout.bits, strict=True)):
        there = mine >> bit & 1 if kind == SHARED else loose
        by_step.append(
            [_answer(task, mine, theirs, step, step + throw) if there and throw else None for throw in layout.throws]
        )
    place = (
        task.bases[1][j * COUNTS + k]
        + layout.arrangement(theirs, mine) * layout.sides[loose] * layout.sides[task.layer[1] - j]
    )
    return _Answers(by_step, _opposite(task.opposite, place, layout.sides[loose], layout.sides[task.layer[1] - j]))


def _answer(task: Sweep, mine: int, theirs: int, step: int, end: int) -> Row | None:
    """What it is worth that a counter goes from a step to another; None where it may not."""
    layout, (a, b) = task.layout, task.layer
    if end > layout.last + 1:
        return None
    off = end > layout.last
    rosette = not off and layout.rosettes[end]
    columns = layout.sides[b - theirs.bit_count()]
    if not off and layout.kinds[end] == SHARED:
        square = 1 << layout.bits[end]
        if mine & square or (theirs & square and rosette):
            return None
        theirs &= ~square
        mine |= square
    if layout.kinds[step] == SHARED:
        mine -= 1 << layout.bits[step]
    if off and a == 1:
        return lambda _: (1.0,) * columns
    k, j = mine.bit_count(), theirs.bit_count()
    stride = layout.sides[a - off - k]
    size = stride * layout.sides[b - j]
    if rosette:
        place = task.bases[0][k * COUNTS + j] + layout.arrangement(mine, theirs) * size
        return lambda side: task.own[place + side * columns : place + (side + 1) * columns]
    values, base = (task.earlier, task.bases[2]) if off else (task.opposite, task.bases[1])
    place = base[j * COUNTS + k] + layout.arrangement(theirs, mine) * size
    return (_earlier if off else _opposite)(values, place, stride, columns)


def _opposite(values: "array[float]", place: int, stride: int, columns: int) -> Row:
    """What is left of 1 by what positions are worth to the other player."""
    beyond = columns * stride
    return lambda side: [1.0 - worth for worth in values[place + side : place + beyond : stride]]


def _earlier(values: Any, place: int, stride: int, columns: int) -> Row:  # noqa: ANN401 - an array, or a view of a file
    """The same in a layer that is solved."""
    beyond = columns * stride
    return lambda side: [1.0 - worth / SCALE for worth in values[place + side : place + beyond : stride].tolist()]


class _Movers(NamedTuple):
    """What may answer a throw: counters on these steps, where the mover's side row is `side`, or a second throw."""

    steps: Sequence[int]
    side: int
    second: Sequence[float] | None = None


def _row(layout: Layout, answers: _Answers, mine: int, row: int, loose: int) -> Sequence[float]:
    """What positions with one side row of the mover are worth before a throw, by the side row of the other."""
    side = layout.side_masks[row]
    hand = loose - side.bit_count()
    steps = [
        step
        for step, (kind, bit) in enumerate(zip(layout.kinds, layout.bits, strict=True))
        if (mine if kind == SHARED else side) >> bit & 1 and kind != HAND
    ]
    entry: Sequence[float] | None = None
    if not layout.gate and hand:
        steps.insert(0, HAND)
    elif hand:  # the second throw of rule 4
        entering = _Movers([HAND], side)
        entry = _mean(layout, [_best(layout, answers, number, entering) for number in range(len(layout.throws))])
    best = []
    for number, throw in enumerate(layout.throws):
        second = entry if throw in _ENTRY_THROWS else None
        movers = _Movers([] if layout.automatic and second is not None else steps, side, second)
        best.append(_best(layout, answers, number, movers))
    return _mean(layout, best)


def _best(layout: Layout, answers: _Answers, number: int, movers: _Movers) -> Sequence[float]:
    """What the best answer to a throw is worth."""
    found = [] if movers.second is None else [movers.second]
    for step in movers.steps:
        worth = answers.by_step[step][number]
        if worth is None:
            continue
        end, side = step + layout.throws[number], movers.side
        if end <= layout.last and layout.kinds[end] == SIDE:
            square = 1 << layout.bits[end]
            if side & square:
                continue
            side += square
        if layout.kinds[step] == SIDE:
            side -= 1 << layout.bits[step]
        found.append(worth(layout.side_ranks[side]))
    if not found:
        return answers.lost(layout.side_ranks[movers.side])
    return found[0] if len(found) == 1 else list(map(max, *found))


def _mean(layout: Layout, values: Sequence[Sequence[float]]) -> Sequence[float]:
    """The mean over all throws, the first throw first: the order of a sum decides its last bit."""
    total = sum(layout.weights)
    sums = [layout.weights[0] * value for value in values[0]]
    for weight, more in zip(layout.weights[1:], values[1:], strict=True):
        sums = [value + weight * each for value, each in zip(sums, more, strict=True)]
    return [value / total for value in sums]
