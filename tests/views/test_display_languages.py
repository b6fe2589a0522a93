"""Every screen of the display in every language: in its words, whole, and within its 128 x 64 pixels."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

import pytest
from PIL import Image

from gnomon.views import fonts
from gnomon.views.display import large_oled, oled, pairing_code
from gnomon.views.fonts import ELLIPSIS
from gnomon.words import ENGLISH, LANGUAGES, Words, words
from tests.views.clock_scenes import scenes as clock_scenes
from tests.views.table_scenes import scenes as table_scenes
from tests.views.tables import scenes

SCENES: Final = {
    f"{kind}-{name}": (scene[0], scene[1], scene[2])
    for kind, every in (("tamsk", scenes()), ("table", table_scenes()), ("clock", clock_scenes()))
    for name, scene in every.items()
}
TOO_LONG: Final = {"large table-counters-over-four"}
"""The names of two who have won have no room in large letters; the page has them."""
OTHERS: Final = [words(language) for language in LANGUAGES if language != ENGLISH.language]
EACH_OTHER = pytest.mark.parametrize("other", OTHERS, ids=lambda other: other.language)


class Line(NamedTuple):
    """One line of text on the display: its box, without the descenders, and what it says."""

    left: int
    top: int
    right: int
    bottom: int
    text: str

    def touches(self, line: "Line") -> bool:
        """Whether letters stand on letters."""
        across = self.right > line.left and line.right > self.left
        return across and self.bottom > line.top and line.bottom > self.top


def drawn(draw: Callable[[], object]) -> list[Line]:
    """Every line of text of a picture."""
    found: list[Line] = []
    write = fonts.write

    def note(image: Image.Image, at: tuple[int, int], text: str, *, ink: int = 1, scale: int = 1) -> None:
        # What is drawn on a board alone is cut to it.
        if image.size == (128, 64) and text:
            left, top = at
            right, bottom = left + fonts.width(text, scale), top + (fonts.LINE - 1) * scale
            found.append(Line(left, top, right, bottom, text))
        write(image, at, text, ink=ink, scale=scale)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fonts, "write", note)
        draw()
    return found


def screens(spoken: Words) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every screen in a language, in small letters and in large ones."""
    for name, (game, now, health) in SCENES.items():
        yield name, partial(oled.screen, game, now, health, "", spoken)
        yield f"large {name}", partial(large_oled.screen, game, now, health, "", spoken)
    yield "invitation", partial(oled.invitation, "http://gnomon.local:8765/", "", spoken)
    for is_admin in (True, False):
        yield f"code {is_admin}", partial(pairing_code.picture, "123 456", spoken, for_admin=is_admin)


@EACH_OTHER
def test_no_line_leaves_the_display_or_stands_on_another(other: Words) -> None:
    wrong = []
    for (name, draw), (_, english) in zip(screens(other), screens(ENGLISH), strict=True):
        lines = drawn(draw)
        wrong += [(name, line.text, "") for line in lines if line.left < 0 or line.right > 128 or line.bottom > 64]
        touching = [(one.text, two.text) for one in lines for two in lines if one < two and one.touches(two)]
        known = drawn(english)
        if not any(one.touches(two) for one in known for two in known if one is not two):  # a miniature lies under some
            wrong += [(name, *pair) for pair in touching]
    assert wrong == []


@EACH_OTHER
def test_nothing_is_left_out_that_english_says(other: Words) -> None:
    cut = []
    for (name, draw), (_, english) in zip(screens(other), screens(ENGLISH), strict=True):
        has_room = not any(ELLIPSIS in line.text for line in drawn(english))
        cut += [name for line in drawn(draw) if ELLIPSIS in line.text and has_room]
    assert [name for name in cut if name not in TOO_LONG] == []


@EACH_OTHER
def test_every_screen_is_in_its_language(other: Words) -> None:
    alike = []
    for (name, draw), (_, english) in zip(screens(other), screens(ENGLISH), strict=True):
        said, known = ([line.text for line in drawn(each)] for each in (draw, english))
        if said == known and not name.endswith("notice") and any(letter.islower() for text in said for letter in text):
            alike.append(name)
    assert alike == []
