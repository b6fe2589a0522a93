"""Draw the pictures of safe mode on the display, in turns: reason, advice and page address."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from gnomon.views import fonts, panes

TURN: Final = 5.0  # seconds for which each picture is shown

_ROWS: Final = (panes.HEIGHT - fonts.PITCH - 2) // fonts.PITCH
_TOP: Final = fonts.PITCH + 3


def pictures(why: str, advice: Sequence[str]) -> Sequence[Image.Image]:
    """Every picture in its order: the reason in as many as it needs, then each piece of advice in one."""
    lines = fonts.wrapped(why, panes.ROOM)
    reasons = [lines[start : start + _ROWS] for start in range(0, len(lines), _ROWS)]
    steps = [fonts.shortened(text, panes.ROOM, _ROWS) for text in advice]
    count = len(reasons) + len(steps)
    return [_picture(written, f"{number} of {count}") for number, written in enumerate([*reasons, *steps], 1)]


def _picture(written: Sequence[str], right: str) -> Image.Image:
    image = Image.new("1", panes.SIZE)
    panes.headline(image, "SAFE MODE", right, None)
    panes.lines(image, written, _TOP)
    return image
