"""The only place that says who of two should move first, from the sides they have had (FIDE C.04.1 and C.04.3)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

NONE: Final = 0
MILD: Final = 1  # even so far: the other side than last time
STRONG: Final = 2  # one more of one side
ABSOLUTE: Final = 3  # two more of one side, or the same twice running
MOST_MORE: Final = 2


class Preference(NamedTuple):
    """The side an entrant should have next, True for the first, and how strongly; with what they had so far."""

    first: bool
    strength: int
    sides: tuple[bool, ...] = ()

    @classmethod
    def of(cls, sides: Sequence[bool]) -> "Preference":
        """What follows from the sides had so far, True for having moved first."""
        had = tuple(sides)
        if not had:
            return cls(first=True, strength=NONE)
        more = _more_firsts(had)
        if had[-2:] in {(True, True), (False, False)}:
            return cls(not had[-1], ABSOLUTE, had)
        if more == 0:
            return cls(not had[-1], MILD, had)
        return cls(more < 0, ABSOLUTE if abs(more) >= MOST_MORE else STRONG, had)

    def may_be(self, *, first: bool) -> bool:
        """Whether a side is neither the third running nor leaves one side three ahead of the other."""
        return self.sides[-2:] != (first, first) and abs(_more_firsts((*self.sides, first))) <= MOST_MORE


def compatible(one: Preference, other: Preference) -> bool:
    """Whether two can meet with a side for each that they may have."""
    return any(one.may_be(first=first) and other.may_be(first=not first) for first in (True, False))


def disappointment(one: Preference, other: Preference) -> int:
    """How strong a preference remains unmet when two meet: that of the milder, if both should have the same side."""
    return min(one.strength, other.strength) if one.first == other.first else NONE


def moves_first(higher: Preference, lower: Preference, *, lot: bool) -> bool:
    """Whether the higher ranked of two moves first; `lot` decides between two who have not played.

    The stronger preference is met, then what they had when last their sides differed is turned round, then the higher
    ranked gets the wish. Of two who are compatible neither gets a side that they may not have: only an absolute
    preference rules one out, and two of those for the same side are never compatible.
    """
    if higher.strength == lower.strength == NONE:
        return lot
    if higher.strength != lower.strength:
        return higher.first if higher.strength > lower.strength else not lower.first
    if higher.first != lower.first:
        return higher.first
    # C.04.3 E.3: the most recent of their rounds in which one moved first and the other second.
    backwards = zip(reversed(higher.sides), reversed(lower.sides), strict=False)
    differed = next((mine for mine, theirs in backwards if mine != theirs), not higher.first)
    return not differed


def _more_firsts(sides: Sequence[bool]) -> int:
    return 2 * sum(sides) - len(sides)
