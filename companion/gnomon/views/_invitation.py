"""Draw the display of a board that waits for a game: the address of its page as QR code and text."""

from typing import Final
from urllib.parse import urlsplit

from PIL import Image

from gnomon.views import fonts, panes, qr
from gnomon.words import ENGLISH, Words

PIXELS: Final = 2  # a module's side: one pixel of 0.17 mm is too small for a telephone
LEAST_QUIET: Final = 3
"""Modules of light that must be left around a code; the standard's four where there is room."""
_LEFT: Final = panes.HEIGHT + 3  # of the words, beside the code
_TOP: Final = fonts.PITCH + 4  # the first row of words under the headline
_GAP: Final = 3


def picture(address: str, notice: str | None, words: Words = ENGLISH) -> Image.Image | None:
    """The code and the address in words; None for an address whose code would be too fine to be read."""
    modules = qr.code(address)
    side = PIXELS * len(modules)
    if side + 2 * PIXELS * LEAST_QUIET > panes.HEIGHT:
        return None
    image = Image.new("1", panes.SIZE)
    image.paste(1, (0, 0, panes.HEIGHT, panes.HEIGHT))
    edge = (panes.HEIGHT - side) // 2
    for top, row in enumerate(modules):
        for left, is_dark in enumerate(row):
            if is_dark:
                at = (edge + PIXELS * left, edge + PIXELS * top)
                image.paste(0, (*at, at[0] + PIXELS, at[1] + PIXELS))
    panes.headline(image, words("oled.none"), "", notice, start=_LEFT)
    _write(image, (words("oled.scan"),), _TOP)
    _write(image, _spelt(address), _TOP + fonts.PITCH + _GAP)
    if notice:
        room = panes.WIDTH - _LEFT - 2 * panes.MARGIN
        top = panes.HEIGHT - 2 * fonts.PITCH
        image.paste(1, (_LEFT, top - 1, panes.WIDTH, panes.HEIGHT))
        panes.lines(image, fonts.shorten(notice, room, 2), top, left=_LEFT, ink=0)
    return image


def _write(image: Image.Image, lines: tuple[str, ...], top: int) -> None:
    panes.lines(image, lines, top, left=_LEFT)


def _spelt(address: str) -> tuple[str, ...]:
    """The address in lines that fit beside the code, broken where it may be: before a dot or a colon."""
    parts = urlsplit(address)
    whole = f"{'https://' if parts.scheme == 'https' else ''}{parts.netloc}"
    pieces = whole.replace("//", "// ").replace(".", " .").replace(":", " :").replace(" ://", "://").split()
    room, lines = panes.WIDTH - _LEFT - 2 * panes.MARGIN, [""]
    for piece in pieces:
        if fonts.width(lines[-1] + piece) <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
    return tuple(line for line in lines if line)
