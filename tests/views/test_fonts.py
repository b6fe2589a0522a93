import string
import time
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gnomon.views import fonts
from gnomon.words import LANGUAGES, words

TEXTS = st.text(alphabet=string.printable + "éßÅ中…●", max_size=120)
ROOMS = st.integers(12, 128)


def test_no_two_letters_look_alike() -> None:
    letters = sorted(set(string.printable) - set(string.whitespace))
    pictures = {letter: (fonts.text_mask(letter).size, fonts.text_mask(letter).tobytes()) for letter in letters}
    assert [pair for pair in combinations(letters, 2) if pictures[pair[0]] == pictures[pair[1]]] == []


def test_the_letters_of_ascii_are_all_drawn() -> None:
    visible = "".join(sorted(set(string.printable) - set(string.whitespace)))
    assert fonts.readable(visible) == visible


@pytest.mark.parametrize(
    ("text", "readable"), [("Zoé ŝ", "Zoé s"), ("a\tb\nc", "a b c"), ("中", "?"), ("½", "1?2"), ("D4 …", "D4 …")]
)
def test_what_was_not_drawn_is_replaced(text: str, readable: str) -> None:
    assert fonts.readable(text) == readable


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_that_the_display_is_asked_for_is_drawn(language: str) -> None:
    missing = {
        letter
        for key, entry in words(language).entries.items()
        if key.startswith(("oled.", "ruling.", "reason.", "repair.", "health.", "turn.", "ending.", "question."))
        for letter in entry
        if fonts.readable(letter) != letter
    }
    assert missing == set()


@given(TEXTS, st.integers(1, 3))
def test_a_text_is_as_wide_as_it_says(text: str, scale: int) -> None:
    picture = fonts.text_mask(text, scale)
    assert picture.size == (max(1, fonts.width(text)) * scale, fonts.LINE * scale)
    assert picture.mode == "1"


def test_text_stands_where_it_was_written() -> None:
    image = Image.new("1", (20, 12))
    fonts.write(image, (5, 2), "I")
    assert image.getbbox() == (5, 2, 8, 9)
    fonts.write(image, (5, 2), "I", ink=0)
    assert image.getbbox() is None


@given(TEXTS, ROOMS)
def test_wrapped_text_is_whole_and_fits(text: str, room: int) -> None:
    lines = fonts.wrap(text, room)
    assert all(fonts.width(line) <= room for line in lines)
    assert "".join("".join(lines).split()) == "".join(fonts.readable(text).split())


@given(TEXTS, ROOMS)
def test_wrapped_text_is_broken_between_words_if_they_fit(text: str, room: int) -> None:
    words = fonts.readable(text).split()
    if all(fonts.width(word) <= room for word in words):
        assert " ".join(fonts.wrap(text, room)) == " ".join(words)


@given(TEXTS, ROOMS)
def test_no_line_has_room_for_the_next_word(text: str, room: int) -> None:
    lines = fonts.wrap(text, room)
    for line, after in pairwise(lines):
        assert fonts.width(f"{line} {after.split()[0]}") > room


def test_a_word_of_thousands_of_letters_is_wrapped_in_time() -> None:
    """A person who pauses a game may give a reason of 4 000 letters, and the referee waits until it is drawn."""
    start = time.process_time()
    long = "W" * 20_000
    assert "".join(fonts.wrap(long, 120)) == long
    assert {len(line) for line in fonts.wrap(long, 120)[:-1]} == {120 // (fonts.width("WW") - fonts.width("W"))}
    assert fonts.shorten(long, 120, 3)[2].endswith(fonts.ELLIPSIS)
    assert time.process_time() - start < 5.0  # it took hours


@given(TEXTS, ROOMS, st.integers(1, 4))
def test_shortened_text_fits_and_says_that_it_is_short(text: str, room: int, count: int) -> None:
    whole, lines = fonts.wrap(text, room), fonts.shorten(text, room, count)
    assert len(lines) <= count
    assert all(fonts.width(line) <= room for line in lines)
    if len(whole) <= count:
        assert lines == whole
    else:
        assert lines[-1].endswith(fonts.ELLIPSIS)
        assert lines[:-1] == whole[: count - 1]


@given(st.sampled_from(string.digits), st.integers(6, 24), st.integers(13, 40), st.integers(1, 3))
def test_a_digit_stays_in_its_box(digit: str, wide: int, high: int, stroke: int) -> None:
    image = Image.new("1", (60, 60))
    fonts.write_digits(image, (10, 10), digit, size=(wide, high), stroke=stroke)
    left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    assert (left >= 10, top >= 10, right <= 10 + wide, bottom <= 10 + high) == (True, True, True, True)


def test_no_two_digits_look_alike() -> None:
    pictures = set()
    for digit in f"{string.digits} ":
        image = Image.new("1", (20, 30))
        fonts.write_digits(image, (0, 0), digit, size=(15, 25), stroke=4)
        pictures.add(image.tobytes())
    assert len(pictures) == 11


def test_a_space_that_does_not_break_keeps_what_it_joins_in_one_line() -> None:
    room = fonts.width("pourquoi")
    assert fonts.wrap("dit pourquoi :", room) == ("dit", "pourquoi", ":")
    assert fonts.wrap("dit peut :", fonts.width("dit peut")) == ("dit peut", ":")
    assert fonts.wrap("dit peut\N{NO-BREAK SPACE}:", fonts.width("dit peut")) == ("dit", "peut\N{NO-BREAK SPACE}:")
    assert fonts.width("a\N{NO-BREAK SPACE}b") == fonts.width("a b")


def test_a_number_stays_with_its_unit() -> None:
    text = "away for 3 min 20 s"
    assert fonts.wrap(text, fonts.width(text) - 1) == ("away for 3 min", "20 s")
