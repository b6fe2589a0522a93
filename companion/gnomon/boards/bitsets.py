"""Map the set bits of an integer to the objects that they stand for."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from operator import getitem
from typing import Final, Generic, TypeVar

ThingT = TypeVar("ThingT", bound=Hashable)

_BYTE: Final = 8


class _Byte(dict[int, tuple[ThingT, ...]]):
    """What each value of one byte of a bit set stands for, found when it is first asked for."""

    def __init__(self, things: Sequence[Iterable[ThingT]]) -> None:
        super().__init__()
        self._things = things

    def __missing__(self, byte: int) -> tuple[ThingT, ...]:
        chosen = tuple(chain.from_iterable(things for bit, things in enumerate(self._things) if byte >> bit & 1))
        self[byte] = chosen
        return chosen


class BitGroups(Generic[ThingT]):
    """What bit sets stand for, when bit n stands for the n-th group of things.

    It looks up whole bytes: several times faster than going from bit to bit.
    """

    __slots__ = ("_bytes",)

    def __init__(self, things: Sequence[Iterable[ThingT]]) -> None:
        self._bytes: tuple[_Byte[ThingT], ...] = tuple(
            _Byte(things[first : first + _BYTE]) for first in range(0, len(things), _BYTE)
        )

    def members(self, bits: int) -> tuple[ThingT, ...]:
        """Everything that the bits stand for, in order. Raises OverflowError for a bit that stands for nothing."""
        tables = self._bytes
        return tuple(chain.from_iterable(map(getitem, tables, bits.to_bytes(len(tables), "little"))))


def places_of(bits: int) -> Iterator[int]:
    """The places of the bits that are set, from the lowest."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
