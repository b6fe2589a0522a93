"""Which of two presses came first, from the raw edges and their uncertainty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.records.journal.entries import Entry, EntryKind, Record
from gnomon.timekeeping.instants import MILLISECOND, Instant
from gnomon.web.arbiter.firsts import SHOWN, First, first_of, last_touches, touch_text
from gnomon.words import words


def raw(at: int, name: str, value: int = 1, uncertainty: int = 0) -> Record:
    body = {"input": name, "value": value, "uncertainty_us": uncertainty}
    return Record(1, Entry(1, EntryKind.RAW, Instant(at), body, "boot", "2026-11-20T10:00:00"))


def test_the_earlier_press_is_first_where_the_board_can_tell() -> None:
    touches = last_touches([raw(1000, "button.red"), raw(3500, "button.black", uncertainty=1000)])
    assert first_of(touches) == First("red", "black", 2.5, 1.0)


def test_presses_closer_than_their_uncertainty_cannot_be_told_apart() -> None:
    touches = last_touches([raw(1000, "button.black"), raw(3500, "button.red", uncertainty=2500)])
    assert first_of(touches) == First("", "red", 2.5, 2.5)


def test_one_press_and_the_arbiters_are_no_race() -> None:
    assert first_of(last_touches([raw(1, "button.red"), raw(2, "button.arbiter"), raw(3, "D1.north", 0)])) is None


def test_a_bouncing_contact_is_one_touch_stamped_with_its_first_edge() -> None:
    bounces = [raw(1000 + number * MILLISECOND, "button.red", (number + 1) % 2) for number in range(9)]
    assert [(touch.at, touch.seconds) for touch in last_touches(bounces)] == [(1000, "0.001")]


@given(st.lists(st.integers(0, 10**7), max_size=40))
def test_what_was_touched_last_comes_first_and_only_so_many_are_told(stamps: list[int]) -> None:
    records = [raw(at, f"D{number % 7 + 1}.north", number % 2) for number, at in enumerate(sorted(stamps))]
    found = [touch.at for touch in last_touches(records)]
    assert found == sorted(found, reverse=True)
    assert len(found) <= SHOWN


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("B2.south", 1, "Glass set down on B2"),
        ("A1.glass", 0, "Glass lifted off A1"),
        ("D6.ring1", 1, "Ring on D6"),
        ("timer15.north", 0, "15-second glass lifted"),
        ("h9.tile", 1, "Tile laid on h9"),
        ("button.red", 1, "The red button pressed"),
    ],
)
def test_a_touch_is_told_as_what_a_hand_did(name: str, value: int, told: str) -> None:
    [touch] = last_touches([raw(1000, name, value)])
    assert touch_text(touch, words()) == told
