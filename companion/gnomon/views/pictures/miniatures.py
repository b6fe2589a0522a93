"""Lay out the small pictures for the display: 64 x 64 pixels of board, with words beside it."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.views import fonts
from gnomon.views.show import show
from gnomon.words import ENGLISH, Words

SIZE: Final = (128, 64)
BOARD: Final = 64  # pixels along each side of the board's part
LEFT: Final = BOARD + 3  # where the words begin
ROOM: Final = SIZE[0] - LEFT - 1

_LINES: Final = 6  # below the headline


class MiniatureText(NamedTuple):
    """What stands beside a small board: a headline on light ground, and at most six lines."""

    headline: str
    lines: Sequence[str]


def miniature(
    rules: Rules[Any, Any], position: object, words: Words = ENGLISH, *, is_over: bool = False
) -> Image.Image:
    """A position on 128 x 64 pixels of one bit. Raises ValueError for a game whose display is drawn otherwise.

    `is_over` says of a game that it is over where the rules do not know it: it was ended by hand.
    """
    shown = show(rules.name)
    draw = (shown.miniature_at_end if is_over else "") or shown.miniature
    if not draw:
        message = f"there is no miniature of {rules.name}"
        raise ValueError(message)
    image = Image.new("1", SIZE)
    told: MiniatureText = load(draw)(rules, position, image, words)
    image.paste(1, (LEFT - 2, 0, SIZE[0], fonts.PITCH))
    fonts.write(image, (LEFT, 1), fonts.shorten(told.headline, ROOM)[0], ink=0)
    for number, line in enumerate(told.lines[:_LINES]):
        if line:
            fonts.write(image, (LEFT, 2 + fonts.PITCH * (number + 1)), fonts.shorten(line, ROOM)[0])
    return image


def stamp(image: Image.Image, at: tuple[int, int], rows: Sequence[str]) -> None:
    """Light the pixels that are `#` in a drawing whose upper left corner is `at`."""
    for down, row in enumerate(rows):
        for across, sign in enumerate(row):
            if sign == "#":
                image.putpixel((at[0] + across, at[1] + down), 1)


def draw_box(image: Image.Image, box: tuple[int, int, int, int], inner: int = 0) -> None:
    """Light the outline of a box (left, top, right, bottom, the last two not in it), and fill it with `inner`."""
    left, top, right, bottom = box
    image.paste(1, box)
    if right - left > 2 and bottom - top > 2:  # noqa: PLR2004  # else it is all outline
        image.paste(inner, (left + 1, top + 1, right - 1, bottom - 1))
