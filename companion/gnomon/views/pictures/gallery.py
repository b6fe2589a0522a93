"""Map each game to its picture, and import the module of that picture on first use."""

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import Any, Final

from gnomon.games.protocol import Rules
from gnomon.games.registry import BARE_CLOCK
from gnomon.views.pictures.drawing import Drawing
from gnomon.views.pictures.frame import Asked
from gnomon.words import ENGLISH, Words

_PICTURES: Final[Mapping[str, str]] = {
    game: f"gnomon.views.pictures.{game.replace('-', '_')}"
    for game in ("tamsk", "tayu", "tabik", "tau", "twenty-squares", BARE_CLOCK)
}


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
    asked = Asked(last_move, highlights, caption, words, result)
    drawing: Drawing = import_module(_PICTURES[rules.name]).picture(rules, position, asked)
    return drawing
