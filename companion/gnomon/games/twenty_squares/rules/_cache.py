"""Memoize a function of packed counters of Tau (Twenty Squares) in a cache of bounded size."""

from collections.abc import Callable
from typing import Final, TypeVar

FoundT = TypeVar("FoundT")

_MOST_KEPT: Final = 4096  # more than come again soon, and a few hundred kilobytes


class Remembered(dict[int, FoundT]):
    """What a function finds for an integer, found when it is first asked for; when full, it begins again."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[int], FoundT]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, bits: int) -> FoundT:
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[bits] = self._find(bits)
        return found
