"""Draw Hex on the display: a point for each space, solid white stones and hollow black ones."""

from typing import Final

from PIL import Image

from gnomon.views.pictures.frame import player_name
from gnomon.views.pictures.miniatures import MiniatureText, stamp
from gnomon.words import Words
from hex7.rules import SPACES, Hex, Position

_PITCH: Final = 6  # pixels between two spaces of a row
_STONES: Final = ((".##.", "#..#", "#..#", ".##."), (".##.", "####", "####", ".##."))


def draw(rules: Hex, position: Position, image: Image.Image, words: Words) -> MiniatureText:
    """Draw the board in the left half, and say whose turn it is or who has won."""
    for number, space in enumerate(SPACES):
        row, column = divmod(number, 7)
        left, top = 1 + column * _PITCH + row * _PITCH // 2, 4 + row * 8
        for stones, drawn in zip(position.stones, _STONES, strict=True):
            if space in stones:
                stamp(image, (left, top), drawn)
        if space not in position.stones[0] | position.stones[1]:
            image.putpixel((left + 1, top + 1), 1)
    outcome = rules.outcome(position)
    if outcome is None:
        return MiniatureText(words("picture.status.moves", player=player_name(rules.turn(position), words)), ())
    return MiniatureText(words("picture.status.wins", player=player_name(str(outcome.winner), words)), ())
