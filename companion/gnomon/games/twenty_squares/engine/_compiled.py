"""Call the compiled core of the solver: `core.c`, which does what `_sweep.py` does."""

import ctypes
from collections.abc import Sequence
from typing import Any

from gnomon.games.twenty_squares.engine._numbering import COUNTS, Layout
from gnomon.games.twenty_squares.engine._sweep import Core, Sweep


def compiled_core(library: ctypes.CDLL) -> Core:
    """The core in a library that was made of it."""
    run, write = library.gnomon_sweep, library.gnomon_store
    run.restype, write.restype = ctypes.c_double, None
    run.argtypes = [ctypes.c_void_p] * 10
    write.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]

    def sweep(task: Sweep) -> float:
        layout = task.layout
        steps = zip(layout.kinds, layout.bits, layout.rosettes, strict=True)
        shape = [layout.last, layout.width, len(layout.throws), layout.gate, layout.automatic, layout.stacks]
        shape += [*task.layer, *task.both, *(each for step in steps for each in step), *layout.throws]
        a, b = task.layer
        k, j = task.both
        counts = [layout.rest_count(left, held) for left in (a, a - 1, b) for held in range(COUNTS)]
        change: float = run(
            _whole(shape),
            _whole(counts),
            _weights(layout),
            _whole([start for bases in task.bases for start in bases]),
            _address(task.movers.moves[k]),
            _address(task.others.captures[j]) if j else None,
            (ctypes.c_double * (3 * layout.rest_count(b, j)))(),
            _address(task.own),
            _address(task.opposite),
            None if task.earlier is None else _address(task.earlier),
        )
        return change

    def store(values: Any, solved: Any) -> None:  # noqa: ANN401 - arrays, or views of a file
        write(_address(values), _address(solved), len(values))

    return Core(sweep, store)


def _whole(numbers: Sequence[int]) -> "ctypes.Array[ctypes.c_int64]":
    return (ctypes.c_int64 * len(numbers))(*numbers)


def _weights(layout: Layout) -> "ctypes.Array[ctypes.c_double]":
    return (ctypes.c_double * len(layout.weights))(*layout.weights)


def _address(values: Any) -> int:  # noqa: ANN401 - an array, or a view of a file
    """Where a writable buffer begins in memory."""
    return ctypes.addressof(ctypes.c_char.from_buffer(values))
