"""Draw Tayu on the display: light tiles with dark channels, and double squares with thick rims."""

from typing import Final

from PIL import Image

from gnomon.games.tayu.rules import KINDS, Channels, Move, Position, Tayu
from gnomon.games.tayu.rules.channels import Point
from gnomon.games.tayu.rules.position import NOTHING
from gnomon.views import fonts
from gnomon.views.pictures.frame import player_name
from gnomon.views.pictures.miniatures import BOARD, LEFT, SIZE, MiniatureText
from gnomon.words import Words

_WITH_CHANNELS: Final = 3  # pixels of a square in which a channel has room
_IN_HAND: Final = 9  # pixels of a square of the tile in hand
_SHORT: Final = {"north-south": "N-S", "east-west": "E-W"}
_DUE: Final = {"bid": "bids", "pick": "picks", "draw": "draws", "lay": "lays"}


def draw(rules: Tayu, position: Position, image: Image.Image, _language: Words) -> MiniatureText:
    """Draw the board in the left half and the tile in hand in the right one, and say the rest."""
    size = rules.settings.size
    side = min(_WITH_CHANNELS, (BOARD - 4) // size)
    edge = (BOARD - size * side) // 2
    _draw_rim(rules, image, side, edge)
    for move in position.laid:
        for name in rules.squares_of(move):
            row, column = divmod(rules.board.squares.index[name], rules.board.squares.stride)
            left, top = edge + column * side, edge + (size - 1 - row) * side
            image.paste(1, (left, top, left + side, top + side))
    if side == _WITH_CHANNELS:
        for move in position.laid:
            _draw_channels(image, rules.channels(move), (edge, edge + size * side), side)
    if position.tile != NOTHING:
        _draw_hand(rules, position.tile, image)
    return _words(rules, position)


def _draw_rim(rules: Tayu, image: Image.Image, side: int, edge: int) -> None:
    """A line around the board, thick at the double squares."""
    size = rules.settings.size
    low, high = edge - 2, edge + size * side + 1
    for line in (low, high):
        image.paste(1, (low, line, high + 1, line + 1))
        image.paste(1, (line, low, line + 1, high + 1))
    for where, names in rules.double_squares.items():
        for name in names:
            row, column = divmod(rules.board.squares.index[name], rules.board.squares.stride)
            along = edge + (column if where in "ns" else size - 1 - row) * side
            across = low - 1 if where in "nw" else high - 1
            thick = max(0, across), max(0, across) + 3
            box = (along, *thick, along + side)
            image.paste(
                1, (along, thick[0], along + side, thick[1]) if where in "ns" else (box[1], box[0], box[2], box[3])
            )


def _draw_channels(image: Image.Image, water: Channels, corner: tuple[int, int], side: int) -> None:
    """Dark lines a third of a square wide, from `corner`, the lower left one of the board."""
    first, last = water.spine
    for start, end in ((first, last), *((flow.bend, flow.mouth) for flow in water.outflows)):
        _darken(image, start, end, corner, side)


def _darken(image: Image.Image, start: Point, end: Point, corner: tuple[int, int], side: int) -> None:
    half = side // _WITH_CHANNELS / 2
    left, bottom = corner
    xs, ys = sorted((start.x * side, end.x * side)), sorted((start.y * side, end.y * side))
    # A line ends with the mouth that it comes to, and is as long on the other side as it is wide.
    wide, high = (0.0, half) if xs[0] != xs[1] else (half, 0.0)
    box = (left + xs[0] - max(wide, half), bottom - ys[1] - max(high, half), left + xs[1] + half, bottom - ys[0] + half)
    image.paste(0, (round(box[0]), round(box[1]), round(box[2]), round(box[3])))


def _draw_hand(rules: Tayu, tile: int, image: Image.Image) -> None:
    """The tile in hand, as it is drawn in the rules, in the lower right corner."""
    left, bottom = LEFT + 2, SIZE[1]
    image.paste(1, (left, bottom - _IN_HAND, left + 3 * _IN_HAND, bottom))
    part = image.crop((left, bottom - _IN_HAND, left + 3 * _IN_HAND, bottom))
    water = rules.channels(Move("lay", tile, rules.board.squares.index["a1"], 0))
    _draw_channels(part, water, (0, _IN_HAND), _IN_HAND)
    image.paste(part, (left, bottom - _IN_HAND))
    fonts.write(image, (left + 3 * _IN_HAND + 4, bottom - fonts.LINE), KINDS[tile])


def _words(rules: Tayu, position: Position) -> MiniatureText:
    points, outcome = rules.sides(position), rules.outcome(position)
    mover = rules.players[position.mover]
    headline = f"{_SHORT.get(mover, mover)} {_DUE[position.due]}"
    if outcome is not None:
        winner = outcome.winner or ""
        nobody = "No result" if outcome.is_void else "A draw"
        headline = f"{_SHORT.get(winner, player_name(winner))} wins" if winner else nobody
    lines = [f"{one.upper()} {points[one]} x {other.upper()} {points[other]}" for one, other in ("ns", "ew")]
    products = [points["n"] * points["s"], points["e"] * points["w"]]
    target = rules.target(position)
    last = f"target {target}" if target is not None else ""
    return MiniatureText(headline, [lines[0], f"= {products[0]}", lines[1], f"= {products[1]}", last])
