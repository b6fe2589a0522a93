"""Draw TAU on the display, with each group as a box that shows its size."""

from typing import Final

from PIL import Image

from gnomon.boards.bitsets import places_of
from gnomon.games.tau.rules import Position, Tau
from gnomon.games.tau.rules.position import NO_BID
from gnomon.games.tau.show._picture import LineRun, runs_of
from gnomon.rules.bids import digits
from gnomon.views import fonts
from gnomon.views.pictures.frame import group_digits
from gnomon.views.pictures.miniatures import BOARD, ROOM, MiniatureText, draw_box
from gnomon.words import Words

_SMALLEST: Final = 3  # pixels of a square that still has an outline
_LARGEST: Final = 12


def draw(rules: Tau, position: Position, image: Image.Image, _language: Words) -> MiniatureText:
    """Draw the grid in the left half, and say the rest."""
    settings = rules.settings
    side = min(_LARGEST, BOARD // max(settings.rows, settings.columns))
    if side < _SMALLEST:
        _draw_fine(rules, position, image)
    else:
        left, top = (BOARD - settings.columns * side) // 2, (BOARD - settings.rows * side) // 2
        for down in runs_of(position.rows):
            for across in runs_of(position.columns):
                box = (*_span(across, left, side), *_span(down, top, side))
                _draw_group(image, (box[0], box[2], box[1], box[3]), down.length * across.length)
    return _words(rules, position)


def _span(run: LineRun, start: int, side: int) -> tuple[int, int]:
    return start + run.first * side, start + (run.first + run.length) * side - 1


def _draw_group(image: Image.Image, box: tuple[int, int, int, int], size: int) -> None:
    left, top, right, bottom = box
    draw_box(image, box)
    text = str(size)
    across, down = right - left - 4 - fonts.width(text), bottom - top - 2 - fonts.LINE
    if across >= 0 and down >= 0:
        fonts.write(image, (left + 2 + across // 2, top + 2 + down // 2), text)


def _draw_fine(rules: Tau, position: Position, image: Image.Image) -> None:
    """A grid with more squares than pixels have room for: light where anything is left."""
    across = {column * BOARD // rules.settings.columns for column in places_of(position.columns)}
    down = {row * BOARD // rules.settings.rows for row in places_of(position.rows)}
    for x in across:
        for y in down:
            image.putpixel((x, y), 1)


def _words(rules: Tau, position: Position) -> MiniatureText:
    outcome = rules.outcome(position)
    turn = rules.turn(position).upper()
    headline = f"{outcome.winner.upper()} wins" if outcome and outcome.winner else f"{turn} draws"
    if position.high is None:
        headline = f"{turn} bids"
    bid = "-" if position.bid == NO_BID else _fit(position.bid)
    left = f"{position.turns_left} left" if outcome is None else "the end"
    return MiniatureText(headline, ["Product", _fit(rules.score(position)["product"]), "Limit", bid, "", left])


def _fit(value: int) -> str:
    """A number in full where it has room, else its first digit and how many follow."""
    text = digits(value)
    for written in (group_digits(text), text):
        if fonts.width(written) <= ROOM:
            return written
    return f"{text[0]}.{text[1:3]}e{len(text) - 1}"
