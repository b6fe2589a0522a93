"""Draw the display during a walk: the place in large letters, the instruction and a small map."""

from typing import Final

from PIL import Image

from gnomon.views import fonts, panes
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.walk.maps import points
from gnomon_pi.tools.walk.wiring_inference import Walk
from gnomon_pi.tools.walk.wording import Prompt, title

_MAP: Final = (80, 13, 124, 60)  # left, top, right, bottom
_BIG: Final = 3
_TITLE: Final = 13  # the first row of the big letters
_TEXT: Final = 38  # the first row of the words
_ROWS: Final = 3
_WIDE: Final = 72  # pixels for big letters beside the map


def picture(walk: Walk, prompt: Prompt) -> Image.Image:
    """What the display shows: 128 x 64 pixels of one bit."""
    image = Image.new("1", panes.SIZE)
    done = min(walk.number + 1, len(walk.steps))
    panes.headline(image, "First walk", f"{done} of {len(walk.steps)}" if prompt.place else "", None)
    has_map = prompt.place in points(walk.board)
    room = _MAP[0] - 4 if has_map else panes.ROOM
    name = title(prompt.place) if prompt.place else ""
    if name:
        scale = next((each for each in (_BIG, 2) if fonts.width(name, each) <= min(room, panes.ROOM)), 1)
        fonts.write(image, (panes.MARGIN, _TITLE), name, scale=scale)
    top, rows = (_TEXT, _ROWS) if name else (_TITLE, _ROWS + 2)
    panes.lines(image, fonts.shortened(prompt.brief if name else prompt.sentence, room, rows), top)
    if has_map:
        _draw_map(image, walk.board, prompt.place)
    return image


def _draw_map(image: Image.Image, board: BoardDescription, place: str) -> None:
    """A pixel or four for each place, a block for the present one."""
    left, top, right, bottom = _MAP
    where = points(board)
    size = 3 if len(where) < 2 * (right - left) else 1
    for name, (x, y) in where.items():
        at = (round(left + x * (right - left - size)), round(top + y * (bottom - top - size)))
        grown = 2 if name == place else 0
        box = (at[0] - grown, at[1] - grown, at[0] + size + grown, at[1] + size + grown)
        image.paste(1, box)
        if not grown and size > 1:
            image.paste(0, (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1))
