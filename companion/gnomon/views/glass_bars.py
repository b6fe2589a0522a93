"""Draw the six sand glasses of TAMSK on the display as bars: red on the left, black on the right.

The drawing needs no colour: the side stands on a tag beside its rows (light background for the player on turn), red
sand is solid and black sand is checked. A word replaces the bar of a stopped glass, of one not yet turned (rule 11),
and of one that the players watch themselves, since only they can tell how long it still runs. The name of a glass in
the air and the last `LAST_SECONDS` have a light background.
"""

from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from gnomon.games.tamsk.rules import BLACK, BOARD, PLAYERS, RED, Position
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Instant
from gnomon.views import fonts, moments

LAST_SECONDS: Final = 15
ROWS: Final = 3
ROW: Final = 8  # pixels from row to row

_COLUMN = 64
_TAG = 7
_NAME = 9
_BAR = 21
_BAR_ROOM = 21
_BAR_HEIGHT = 5


class Present(NamedTuple):
    """What the glasses themselves do not say: the game time, who is on turn, the spaces whose glass is in the air."""

    instant: Instant
    on_turn: int
    in_the_air: tuple[int, ...]


def draw(image: Image.Image, top: int, position: Position, present: Present) -> None:
    """Draw the glasses of the position, their first row at `top`."""
    instant, on_turn, in_the_air = present
    for player in (RED, BLACK):
        _draw_tag(image, (player * _COLUMN, top), player, on_turn=on_turn == player)
    for index, (space, glass) in enumerate(zip(position.glasses, position.sands, strict=True)):
        player, row = divmod(index, ROWS)
        name = BOARD.names[space]
        at = (player * _COLUMN, top + row * ROW)
        if space in in_the_air:
            image.paste(1, (at[0] + _NAME - 1, at[1] - 1, at[0] + _NAME + fonts.width(name) + 1, at[1] + ROW - 1))
        fonts.write(image, (at[0] + _NAME, at[1]), name, ink=0 if space in in_the_air else 1)
        if glass.by_eye and glass.is_running(instant):
            fonts.write(image, (at[0] + _BAR + 4, at[1]), "runs")
        elif glass.is_running(instant):
            _draw_sand(image, at, glass, instant, checked=player == BLACK)
        else:
            word = "stopped" if moments.has_stopped(position, index, instant) else "unturned"
            fonts.write(image, (at[0] + _COLUMN - 4 - fonts.width(word), at[1]), word)


def _draw_tag(image: Image.Image, at: tuple[int, int], player: int, *, on_turn: bool) -> None:
    left, top = at
    bottom = top + ROWS * ROW - 1
    image.paste(1, (left, top, left + _TAG, bottom))
    if not on_turn:
        image.paste(0, (left + 1, top + 1, left + _TAG - 1, bottom - 1))
    fonts.write(image, (left + 2, top + ROW), PLAYERS[player][0].upper(), ink=0 if on_turn else 1)


def _draw_sand(image: Image.Image, at: tuple[int, int], glass: SandGlass, instant: Instant, *, checked: bool) -> None:
    """The bar, as long as the whole seconds that are shown, and at the end of the row the time as on pages."""
    left, top = at
    seconds = moments.whole_seconds(glass.remaining(instant))
    full = moments.whole_seconds(max(glass.durations))
    length = max(1, -(-seconds * _BAR_ROOM // full))
    image.paste(1, (left + _BAR, top + 1), _bar(length, checked=checked))
    digits = moments.shown_time(seconds)
    start = left + _COLUMN - 4 - fonts.width(digits)
    last = seconds <= LAST_SECONDS
    if last:
        image.paste(1, (start - 1, top - 1, left + _COLUMN - 3, top + ROW - 1))
    fonts.write(image, (start, top), digits, ink=0 if last else 1)


@lru_cache(maxsize=64)
def _bar(length: int, *, checked: bool) -> Image.Image:
    """A bar as a mask; to be read only."""
    mask = Image.new("1", (length, _BAR_HEIGHT), 1)
    if checked:
        for row in range(_BAR_HEIGHT):
            for column in range(row % 2, length, 2):
                mask.putpixel((column, row), 0)
    return mask
