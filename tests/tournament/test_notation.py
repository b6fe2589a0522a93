"""Test points and pairings as people write them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.tournament.errors import TournamentError
from gnomon.tournament.state.notation import (
    boards_text,
    changed_by_hand,
    marks,
    pairing_text,
    parse_pairing,
    parse_points,
    parse_tables,
    points_text,
    swap,
    two_places,
    value_text,
)
from gnomon.tournament.state.results import Points, parse_result
from gnomon.tournament.state.rounds import Pairing, Table, at_boards

NUMBERS = st.integers(0, 9_999)
PAIRINGS = st.builds(Pairing, NUMBERS, NUMBERS, st.none() | NUMBERS)
THREE = at_boards([(1, 4), (5, 2), (3, None)])


@given(st.fractions(0, 99, max_denominator=12))
def test_points_are_read_as_they_are_written(points: Points) -> None:
    text = points_text(points)
    assert " " in text or parse_points(text) == points
    assert value_text(points) == text or float(value_text(points)) == pytest.approx(float(points), abs=0.00501)


@pytest.mark.parametrize(
    ("points", "text"),
    [("0", "0"), ("1/2", "½"), ("5/2", "2½"), ("7/3", "2⅓"), ("3/4", "¾"), ("7/5", "1 2/5"), ("2/5", "2/5")],
)
def test_points_are_written_as_people_do(points: str, text: str) -> None:
    assert points_text(Points(points)) == text


@pytest.mark.parametrize(
    ("text", "points"), [("1", "1"), ("½", "1/2"), ("1½", "3/2"), ("0.5", "1/2"), ("2,5", "5/2"), (" 1/3 ", "1/3")]
)
def test_points_are_read_in_all_the_ways_in_which_people_write_them(text: str, points: str) -> None:
    assert parse_points(text) == Points(points)


@pytest.mark.parametrize("text", ["", "many", "1/0", "x½", "1 2/5"])
def test_what_is_no_number_of_points_is_refused(text: str) -> None:
    with pytest.raises(TournamentError, match="is not a number of points"):
        parse_points(text)


def test_an_average_is_told_to_two_places() -> None:
    assert value_text(Points(16_511, 9)) == "1834.56"
    assert value_text(Points(3, 2)) == "1½"


@given(PAIRINGS)
def test_a_pairing_is_read_as_it_is_written(pairing: Pairing) -> None:
    assert parse_pairing(pairing_text(pairing)) == pairing


@pytest.mark.parametrize("text", ["", "3", "4-8", "3:4", "3:4-", "3:4-8-9", "a:4-8", "3:٤-8"])
def test_what_is_no_pairing_is_refused(text: str) -> None:
    with pytest.raises(TournamentError, match="is not a pairing: write BOARD:FIRST-SECOND"):
        parse_pairing(text)


def test_boards_that_are_not_named_stay_as_they_are() -> None:
    changed = changed_by_hand(THREE, [Pairing(2, 2, 5), Pairing(4, 6, 7)])
    assert list(map(pairing_text, changed)) == ["1:1-4", "2:2-5", "3:3-bye", "4:6-7"]


def test_two_who_are_swapped_take_each_others_place() -> None:
    assert list(map(pairing_text, swap(THREE, 1, 3))) == ["1:3-4", "2:5-2", "3:1-bye"]
    assert list(map(pairing_text, swap(THREE, 4, 5))) == ["1:1-5", "2:4-2", "3:3-bye"]
    assert swap(swap(THREE, 2, 1), 1, 2) == THREE


@pytest.mark.parametrize(("one", "other"), [(1, 9), (9, 1), (1, 1)])
def test_who_has_no_place_cannot_be_swapped(one: int, other: int) -> None:
    with pytest.raises(TournamentError, match=re.escape(f"{one} and {other} cannot be swapped")):
        swap(THREE, one, other)


def test_games_are_marked_as_a_table_of_all_against_all_shows_them() -> None:
    assert marks(parse_result("1-0 ½-½ 0-1 0-0 +/- -/+ -/-")) == "1½00+--"


@pytest.mark.parametrize(
    ("boards", "text"),
    [([], ""), ([3], "3"), ([4, 3], "3, 4"), ([2, 3, 4], "2–4"), ([9, 2, 4, 5, 6, 7], "2, 4–7, 9")],
)
def test_many_boards_are_told_shortly(boards: list[int], text: str) -> None:
    assert boards_text(boards) == text


def test_tables_are_read_in_their_order() -> None:
    assert parse_tables(["2:5-6-7", "1:4-1-3-2"]) == (Table(1, (4, 1, 3, 2)), Table(2, (5, 6, 7)))


@pytest.mark.parametrize("text", ["", "1", "1:", "1:2", "1:2-", "1:2-x", "1:2-bye", "1:2--3"])
def test_what_is_no_table_is_said(text: str) -> None:
    with pytest.raises(TournamentError, match=re.escape(f"{text!r} is not a table")):
        parse_tables([text])


@pytest.mark.parametrize(("value", "text"), [(0.25, "0.25"), (-1.0, "−1.00"), (-0.001, "0.00"), (2 / 3, "0.67")])
def test_a_number_to_two_places_has_a_true_minus_sign(value: float, text: str) -> None:
    assert two_places(value) == text
