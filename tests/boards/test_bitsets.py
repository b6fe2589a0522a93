import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.boards.bitsets import BitGroups, places_of

THINGS = [(f"{number}", f"-{number}") if number % 3 else () for number in range(21)]


@given(st.integers(0, (1 << 21) - 1))
def test_a_set_chooses_the_things_of_its_bits_in_order(bits: int) -> None:
    chooser = BitGroups(THINGS)
    wanted = tuple(thing for place in places_of(bits) for thing in THINGS[place])
    assert chooser.members(bits) == wanted
    assert chooser.members(bits) == wanted  # from the table this time


@given(st.sets(st.integers(0, 200)))
def test_the_places_of_a_set_are_those_of_its_bits_from_the_lowest(places: set[int]) -> None:
    assert list(places_of(sum(1 << place for place in places))) == sorted(places)


def test_a_bit_far_beyond_the_things_is_refused() -> None:
    with pytest.raises(OverflowError):
        BitGroups(THINGS).members(1 << 24)
