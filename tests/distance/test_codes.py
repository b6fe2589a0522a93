"""Codes of invitations: how they are made and read, and the rooms that follow from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.distance.codes import LETTERS, CodeError, new_code, parse_code, room_of, spell_code, topic_of


@given(st.lists(st.integers(0, len(LETTERS) - 1), min_size=6, max_size=6))
def test_a_code_reads_back_as_people_write_it(picks: list[int]) -> None:
    left = iter(picks)
    code = new_code(lambda _: next(left))
    assert parse_code(f" {spell_code(code).lower()} ") == code


@pytest.mark.parametrize("text", ["", "ABCDE", "ABCDEFG", "ABCDEO", "ABC1EF", "ÄBCDEF"])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(CodeError, match="a code has six letters"):
        parse_code(text)


def test_a_room_follows_from_a_code_and_tells_neither_code_nor_key() -> None:
    room = room_of("KWXPTR")
    assert room == room_of("KWXPTR") != room_of("KWXPTS")
    assert len(room.name) == len(room.key) == 32
    assert room.user("host") == f"{room.name}-host"
    assert room.password("host") != room.password("guest")
    assert topic_of(room.name, "host") == f"gnomon/relay/1/{room.name}/host"
