"""A move is picked with four buttons among the legal ones alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.referee.chooser import Chooser

TEXTS = st.lists(
    st.from_regex(r"([a-d][0-9]{1,2}){1,3}(\+[a-d])?", fullmatch=True), min_size=1, max_size=20, unique=True
)


def test_parts_are_stepped_through_in_order_and_round_and_round() -> None:
    chooser = Chooser.among(["r10", "r2", "ca", "r1"])
    assert chooser.options == ("ca", "r")
    assert chooser.previous().preview == "r"
    assert chooser.previous().next().preview == "ca"
    rows = chooser.next().enter()
    assert rows.options == ("1", "2", "10")
    assert rows.previous().enter().complete_text == "r10"


def test_parts_without_a_choice_are_passed_over() -> None:
    chooser = Chooser.among(["a1b1", "a1a2"])
    assert (chooser.parts, chooser.options) == (("a", "1"), ("a", "b"))
    assert chooser.enter().complete_text == "a1a2"


def test_a_text_that_another_goes_on_from_can_be_chosen() -> None:
    chooser = Chooser.among(["a1", "a1+b"])
    assert chooser.options == ("", "+")
    assert chooser.enter().complete_text == "a1"
    assert chooser.next().enter().complete_text == "a1+b"


def test_back_undoes_the_last_choice_and_stands_on_it() -> None:
    chooser = Chooser.among(["a1b1", "a1a2", "b2a2"]).next().enter()
    assert chooser.complete_text == "b2a2"
    back = chooser.back()
    assert (back.parts, back.preview, back.complete_text) == ((), "b", None)
    assert back.back() == back


def test_the_only_text_is_chosen_already_and_no_button_changes_that() -> None:
    chooser = Chooser.among(["pass"])
    assert chooser.complete_text == "pass"
    assert chooser.next() == chooser.previous() == chooser.enter() == chooser.back() == chooser


@pytest.mark.untraced
@given(TEXTS, st.data())
def test_every_text_can_be_reached_and_nothing_else(texts: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(texts))
    chooser = Chooser.among(texts)
    for _ in range(1000):
        if chooser.complete_text is not None:
            break
        fits = [part for part in chooser.options if wanted.startswith("".join(chooser.parts) + part)]
        whole = max(fits, key=len)
        if not whole and wanted != "".join(chooser.parts):
            raise AssertionError(chooser)
        chooser = chooser.enter() if chooser.options[chooser.cursor] == whole else chooser.next()
    assert chooser.complete_text == wanted
