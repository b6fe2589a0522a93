"""Compute side preferences for Swiss pairing and decide who moves first (FIDE C.04.1 and C.04.3)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

NONE: Final = 0
MILD: Final = 1  # even so far: the other side than last time
STRONG: Final = 2  # one more of one side
ABSOLUTE: Final = 3  # two more of one side, or the same twice running
MOST_MORE: Final = 2


class Preference(NamedTuple):
    """The side an entrant should have next, True for the first, and how strongly; with what they had so far.

    A side may be had unless it is the third running or leaves one side three ahead of the other.
    """

    first: bool
    strength: int
    sides: tuple[bool, ...] = ()
    may_first: bool = True
    may_second: bool = True

    @classmethod
    def of(cls, sides: Sequence[bool]) -> "Preference":
        """What follows from the sides had so far, True for having moved first."""
        had = tuple(sides)
        if not had:
            return cls(first=True, strength=NONE)
        more = _more_firsts(had)
        twice = had[-2:] in {(True, True), (False, False)}
        first = not had[-1] if twice or more == 0 else more < 0
        absolute = twice or abs(more) >= MOST_MORE
        strength = ABSOLUTE if absolute else STRONG if more else MILD
        wish = cls(first, strength, had)
        may_first, may_second = (
            not wish.thrice_running(first=side) and not wish.too_often(first=side) for side in (True, False)
        )
        return wish._replace(may_first=may_first, may_second=may_second)

    def thrice_running(self, *, first: bool) -> bool:
        """Whether a side would be the third of its kind one after another."""
        return self.sides[-2:] == (first, first)

    def too_often(self, *, first: bool) -> bool:
        """Whether a side would be had three times more than the other; one that makes it less uneven never is."""
        more = _more_firsts((*self.sides, first))
        return (more if first else -more) > MOST_MORE


def compatible(one: Preference, other: Preference) -> bool:
    """Whether two can meet with a side for each that they may have."""
    return (one.may_first and other.may_second) or (one.may_second and other.may_first)


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
