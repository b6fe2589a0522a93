"""Draw a position of any game, by the function that its game names."""

from collections.abc import Collection
from typing import Any

from gnomon.rules.kinds import load
from gnomon.rules.protocol import Rules
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.pictures.frame import Annotations
from gnomon.views.show import show
from gnomon.words import ENGLISH, Words


def picture(  # noqa: PLR0913  # what is seen, and all that is told beside it
    rules: Rules[Any, Any],
    position: Any,  # noqa: ANN401  # whatever the rules say a position is
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
