"""Draw the parts shared by all screens of the display: headline, text lines, tags and notices.

A headline has a light background, with the mark `!` at its end when something is wrong with the board itself. Notices
of the board's health alternate with the text, `NOTICE_TIME` each, so that nothing has to be cut off to fit.
"""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.views import fonts

SIZE: Final = (128, 64)
WIDTH, HEIGHT = SIZE
MARGIN: Final = 1
ROOM: Final = WIDTH - 2 * MARGIN
TEXT_LINES: Final = 3
TEXT: Final = HEIGHT - TEXT_LINES * fonts.PITCH
"""The first row of three lines of text."""
NOTICE_TIME: Final = Duration(4 * SECOND)

_MARK = 6  # the width of the mark at the end of the headline


def notice(notices: Sequence[str], now: Instant) -> str | None:
    """The notice whose turn it is: None if there is none, empty while it is the turn of the text."""
    return ("", *notices)[now // NOTICE_TIME % (1 + len(notices))] if notices else None


def notice_turns(notices: Sequence[str], now: Instant) -> Instant | None:
    """When the next notice has its turn, or None if there is none."""
    return Instant((now // NOTICE_TIME + 1) * NOTICE_TIME) if notices else None


def headline(image: Image.Image, left: str, right: str, notice: str | None, *, start: int = 0) -> None:
    """Dark letters on light ground from `start` on, and at the end the mark that the board itself has trouble."""
    edge = WIDTH if notice is None else WIDTH - _MARK
    image.paste(1, (start, 0, edge, fonts.PITCH))
    fonts.write(image, (start + 2, 1), left, ink=0)
    fonts.write(image, (edge - 2 - fonts.width(right), 1), right, ink=0)
    if notice is not None:
        fonts.write(image, (WIDTH - 3, 1), "!")


def text(
    image: Image.Image, paragraphs: Sequence[str], notice: str | None, *, left: int = 0, rows: int = TEXT_LINES
) -> None:
    """The text at the foot of the picture, or in its place a notice on light ground.

    Beside a countdown a notice that has no room waits until that is over; the mark in the headline stands meanwhile.
    """
    top = HEIGHT - rows * fonts.PITCH
    room = WIDTH - left - 2 * MARGIN
    if notice and (not left or len(fonts.wrap(notice, room - 2)) <= rows):
        image.paste(1, (left, top, WIDTH, HEIGHT))
        lines(image, fonts.shorten(notice, room - 2, rows), top + 1, left=left + 1, ink=0)
        return
    lines(image, fit(paragraphs, room, rows), top + 1, left=left)


def fit(paragraphs: Sequence[str], room: int, rows: int) -> tuple[str, ...]:
    """The paragraphs in lines, each from a new one on, or run on as one; where there is no room, the last ones wait."""
    for count in range(len(paragraphs), 0, -1):
        kept = paragraphs[:count]
        apart = tuple(line for paragraph in kept for line in fonts.wrap(paragraph, room))
        for written in (apart, fonts.wrap(" ".join(kept), room)):
            if len(written) <= rows:
                return written
    return fonts.shorten(paragraphs[0], room, rows) if paragraphs else ()


def lines(image: Image.Image, written: Sequence[str], top: int, *, left: int = 0, ink: int = 1) -> None:
    """Lines of text below each other."""
    for number, line in enumerate(written):
        fonts.write(image, (left + MARGIN, top + number * fonts.PITCH), line, ink=ink)


def tag(image: Image.Image, at: tuple[int, int], word: str) -> int:
    """A word on light ground; returns where it ends."""
    left, top = at
    right = left + fonts.width(word) + 4
    image.paste(1, (left, top, right, top + fonts.PITCH - 1))
    fonts.write(image, (left + 2, top + 1), word, ink=0)
    return right
