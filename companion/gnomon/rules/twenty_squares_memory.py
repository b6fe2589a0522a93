"""The only place that keeps what was found for a set of counters of Tau (Twenty Squares), within bounds."""

from collections.abc import Callable
from typing import Final, TypeVar

FoundT = TypeVar("FoundT")

_MOST_KEPT: Final = 4096  # more than come again soon, and a few hundred kilobytes


class Remembered(dict[int, FoundT]):
    """What a function finds for an integer, found when it is first asked for; when full, it begins anew."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[int], FoundT]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, bits: int) -> FoundT:
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[bits] = self._find(bits)
        return found
