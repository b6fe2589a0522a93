"""Value iteration for the game of twenty squares, one sweep over a class of positions at a time.

`core.c` is the same in C. Every sum is taken in the same order there, so both find the same values to the last bit.
"""

from array import array
from collections.abc import Callable, MutableSequence, Sequence
from functools import cache
from math import comb
from typing import Any, Final, NamedTuple

from gnomon.games.twenty_squares.engine._moves import NONE, MoveTable
from gnomon.games.twenty_squares.engine._numbering import COUNTS, HAND, SHARED, Layer, Layout

SCALE: Final = 0xFFFFFFFF
"""What a value of 1 is in a layer that is solved."""

_ENTRY_THROWS: Final = (1, 5)  # rule 4


class Sweep(NamedTuple):
    """One class of a layer, and where what it leads to stands.

    `movers` and `others` are the moves of both players. `bases` say where each class begins in the layer, in that of
    the other player, and in that of the other player once the mover has one more counter home.
    """

    layout: Layout
    layer: Layer
    both: tuple[int, int]
    movers: MoveTable
    others: MoveTable
    bases: Sequence[Sequence[int]]
    own: "array[float]"
    opposite: "array[float]"
    earlier: Any  # 32-bit numbers; None where the mover has won then


Row = Callable[[int], Sequence[float]]
"""The values of an answer for the mover, by the number of the mover's rest after it.

They are in the order of the other player's rests; -1 is where an answer is barred.
"""

_BARRED: Final = -1.0


def sweep(task: Sweep) -> float:
    """Improve the values of a class by what they lead to, and give the greatest change."""
    layout, (a, b), (k, j) = task.layout, task.layer, task.both
    width, record, records = layout.width, task.movers.record, task.movers.moves[k]
    rows, columns = layout.rest_count(a, k), layout.rest_count(b, j)
    others = layout.shared_masks[j][: comb(width - k, j)]  # the rows on fewer squares come first
    start, size, change = task.bases[0][k * COUNTS + j], rows * columns, 0.0
    for m in reversed(range(len(layout.shared_masks[k]))):
        mine = layout.shared_masks[k][m]
        free = [1 << place for place in range(width) if not mine >> place & 1]
        for n in reversed(range(len(others))):
            theirs = sum(bit for place, bit in enumerate(free) if others[n] >> place & 1)
            block = start + (m * len(others) + n) * size
            answers = _answers(task, mine, theirs)
            for row in reversed(range(rows)):
                begin = (m * rows + row) * record
                worth = _row(layout, answers, row, records[begin : begin + record])
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
    """What an answer is worth, and a forfeit.

    Answers go by the code of a step in the table of moves and the number of the throw, and are None where an enemy on a
    rosette bars the way.
    """

    find: Callable[[int, int], Row | None]
    lost: Row


def _answers(task: Sweep, mine: int, theirs: int) -> _Answers:
    (a, b), (k, j), layout = task.layer, task.both, task.layout
    rows, columns = layout.rest_count(a, k), layout.rest_count(b, j)
    place = task.bases[1][j * COUNTS + k] + layout.arrangement(theirs, mine) * rows * columns
    return _Answers(
        cache(lambda code, number: _answer(task, mine, theirs, code, number)),
        _opposite(task.opposite, range(place, place + rows * columns, rows)),
    )


def _answer(task: Sweep, mine: int, theirs: int, code: int, number: int) -> Row | None:
    """What it is worth that a counter goes on by a throw; None where it may not."""
    layout, (a, b), (step, empties) = task.layout, task.layer, divmod(code, 2)
    end = step + layout.throws[number]
    off = end > layout.last
    rosette = not off and layout.rosettes[end]
    captures: Sequence[int] | None = None
    if not off and layout.kinds[end] == SHARED:
        square = 1 << layout.bits[end]
        if theirs & square:
            if rosette:
                return None
            held, before = theirs.bit_count(), (theirs & square - 1).bit_count()
            columns = layout.rest_count(b, held)
            captures = task.others.captures[held][before * columns : (before + 1) * columns]
            theirs -= square
        mine |= square
    if layout.kinds[step] == SHARED and empties:
        mine -= 1 << layout.bits[step]
    k, j = mine.bit_count(), theirs.bit_count()
    columns = layout.rest_count(b, j)
    if off and a == 1:
        return lambda _: (1.0,) * columns
    stride = layout.rest_count(a - off, k)
    size = stride * columns
    if rosette:
        place = task.bases[0][k * COUNTS + j] + layout.arrangement(mine, theirs) * size
        return lambda at: task.own[place + at * columns : place + (at + 1) * columns]
    values, base = (task.earlier, task.bases[2]) if off else (task.opposite, task.bases[1])
    place = base[j * COUNTS + k] + layout.arrangement(theirs, mine) * size
    places = range(place, place + size, stride)
    if captures is not None:
        return _capture(values, places, captures)
    return (_earlier if off else _opposite)(values, places)


def _opposite(values: "array[float]", places: range) -> Row:
    """What is left of 1 by what positions are worth to the other player."""
    start, stop, step = places.start, places.stop, places.step
    return lambda at: [1.0 - worth for worth in values[start + at : stop : step]]


def _capture(values: "array[float]", places: range, captures: Sequence[int]) -> Row:
    """The same where counters of the other player go back to the hand."""
    return lambda at: [_BARRED if after == NONE else 1.0 - values[places[after] + at] for after in captures]


def _earlier(values: Any, places: range) -> Row:  # noqa: ANN401 - an array, or a view of a file
    """The same as `_opposite` in a layer that is solved."""
    start, stop, step = places.start, places.stop, places.step
    return lambda at: [1.0 - worth / SCALE for worth in values[start + at : stop : step].tolist()]


class _Movers(NamedTuple):
    """What may answer a throw: counters on these steps of a record, or a second throw."""

    steps: Sequence[int]
    second: Sequence[float] | None = None


def _row(layout: Layout, answers: _Answers, row: int, record: Sequence[int]) -> Sequence[float]:
    """What positions are worth before a throw with one rest of the mover, by the rest of the other."""
    throws = len(layout.throws)
    steps = [at for at in range(0, len(record), 1 + throws) if record[at] != NONE]
    in_hand = record[0] // 2 == HAND
    entry: Sequence[float] | None = None
    if layout.gate and in_hand:  # the second throw of rule 4
        entering = _Movers(steps[:1])
        entry = _mean(layout, [_best(answers, number, record, entering, row) for number in range(throws)])
        steps = steps[1:]
    best = []
    for number, throw in enumerate(layout.throws):
        second = entry if throw in _ENTRY_THROWS else None
        movers = _Movers([] if layout.automatic and second is not None else steps, second)
        best.append(_best(answers, number, record, movers, row))
    return _mean(layout, best)


def _best(answers: _Answers, number: int, record: Sequence[int], movers: _Movers, row: int) -> Sequence[float]:
    """What the best answer to a throw is worth."""
    found = [] if movers.second is None else [movers.second]
    for step in movers.steps:
        after = record[step + 1 + number]
        worth = None if after == NONE else answers.find(record[step], number)
        if worth is not None:
            found.append(worth(after))
    if not found:
        return answers.lost(row)
    best = found[0] if len(found) == 1 else list(map(max, *found))
    if _BARRED in best:
        return [lost if worth == _BARRED else worth for worth, lost in zip(best, answers.lost(row), strict=True)]
    return best


def _mean(layout: Layout, values: Sequence[Sequence[float]]) -> Sequence[float]:
    """The mean over all throws, the first throw first: the order of a sum decides its last bit."""
    total = sum(layout.weights)
    sums = [layout.weights[0] * value for value in values[0]]
    for weight, more in zip(layout.weights[1:], values[1:], strict=True):
        sums = [value + weight * each for value, each in zip(sums, more, strict=True)]
    return [value / total for value in sums]
