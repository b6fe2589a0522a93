"""Pictures of the boards of all games as SVG, PNG and display bitmaps: pure functions of a position.

PNG is in `gnomon.views.pictures.png`: it brings Pillow's fonts with it, and a page shows none.
"""

from collections.abc import Collection
from typing import Any

from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.pictures.frame import Annotations
from gnomon.views.pictures.miniatures import miniature
from gnomon.views.pictures.palette import DARK, LIGHT, Colour, Theme
from gnomon.views.pictures.svg import to_svg
from gnomon.views.show import show
from gnomon.words import ENGLISH, Words

__all__ = ["DARK", "LIGHT", "Colour", "Drawing", "Theme", "miniature", "picture", "to_svg"]


def picture(  # noqa: PLR0913  # what is seen, and all that is told beside it
    rules: Rules[Any, Any],
    position: object,
    *,
    last_move: str = "",
    highlights: Collection[str] = (),
    caption: str = "",
    words: Words = ENGLISH,
    result: str = "",
) -> Drawing:
    """A position as a drawing, with the move that led to it in canonical text, highlighted places, and a caption.

    `result` says how the game ended, instead of whose turn it is. Highlights are places as players write them (`D4`,
    `a1`, `r3`, `cb`); others are ignored. Raises NotationError for a move that is none.
    """
    asked = Annotations(last_move, highlights, caption, words, result)
    drawing: Drawing = load(show(rules.name).picture)(rules, position, asked)
    return drawing
