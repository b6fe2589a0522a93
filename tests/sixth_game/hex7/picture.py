"""Draw the picture of a Hex position: hexagons, the edges in their colours, and stones."""

from collections.abc import Iterator
from math import sqrt
from typing import Final

from gnomon.views.pictures.drawing import Circle, Drawing, Group, Point, Polygon, Shape
from gnomon.views.pictures.figures import line, regular
from gnomon.views.pictures.frame import HEAD, MARGIN, Annotations, PictureText, centred_text, frame, player_name
from gnomon.views.pictures.palette import Colour
from gnomon.words import Words
from hex7.rules import BLACK, PLAYERS, SIZE, SPACES, WHITE, Hex, Position

RADIUS: Final = 44.0  # from the middle of a hexagon to its corners
_ACROSS: Final = sqrt(3) * RADIUS
_DOWN: Final = 1.5 * RADIUS
_LEFT: Final = MARGIN + 90
_TOP: Final = HEAD + 100
_HEIGHT: Final = 100 + (SIZE - 1) * _DOWN + 100
_UPRIGHT: Final = 30.0  # degrees: a corner of each hexagon shows upwards
_FILLS: Final = (Colour.STONE_BLACK, Colour.STONE_WHITE)


def centre(space: str) -> Point:
    """The middle of a space: each row lies half a hexagon further to the right."""
    column, row = ord(space[0]) - ord("a"), int(space[1]) - 1
    return _LEFT + (column + row / 2) * _ACROSS, _TOP + row * _DOWN


def picture(rules: Hex, position: Position, asked: Annotations) -> Drawing:
    """A position of Hex; highlights are spaces such as "d4"."""
    shapes: tuple[Shape, ...] = (
        *_edges(),
        *(_hexagon(space) for space in SPACES),
        *_coordinates(),
        *(_stone(space, player, asked.words) for player in (BLACK, WHITE) for space in sorted(position.stones[player])),
        *(_ring(space, Colour.MARK) for space in SPACES if space == asked.last_move),
        *(_ring(space, Colour.ACCENT) for space in SPACES if space in asked.highlights),
    )
    return frame(
        PictureText(asked.words("game.hex7"), _status(rules, position, asked.words), _seen(position, asked.words)),
        asked,
        _HEIGHT,
        shapes,
    )


def _edges() -> Iterator[Shape]:
    """A line along each edge, in the colour of the player who joins it with the one opposite."""
    away = 1.25 * RADIUS
    (left, top), (right, _), (low_left, bottom), (low_right, _) = (
        centre(corner) for corner in ("a1", "g1", "a7", "g7")
    )
    for y, start, end in ((top - away, left, right), (bottom + away, low_left, low_right)):
        yield line((start - 20, y), (end + 20, y), Colour.STONE_BLACK, 14)
    for x, low in ((left - 1.15 * _ACROSS, low_left), (right + 1.15 * _ACROSS, low_right)):
        shift = low - (left if x < left else right)
        yield line((x, top), (x + shift, bottom), Colour.STONE_EDGE, 14)
        yield line((x, top), (x + shift, bottom), Colour.STONE_WHITE, 10)


def _hexagon(space: str) -> Polygon:
    return Polygon(regular(centre(space), RADIUS, 6, _UPRIGHT), Colour.BOARD, Colour.BOARD_LINE, 2)


def _coordinates() -> Iterator[Shape]:
    for number in range(SIZE):
        (x, y), (left, level) = centre(f"{'abcdefg'[number]}1"), centre(f"a{number + 1}")
        yield centred_text((x, y - 1.75 * RADIUS), "abcdefg"[number], 20, Colour.MUTED)
        yield centred_text((left - 1.55 * _ACROSS, level), str(number + 1), 20, Colour.MUTED)


def _stone(space: str, player: int, words: Words) -> Group:
    stone = Circle(centre(space), 0.66 * RADIUS, _FILLS[player], Colour.STONE_EDGE, 2)
    return Group((stone,), title=words(f"picture.hex7.stone.{PLAYERS[player]}", space=space), key=space)


def _ring(space: str, colour: Colour) -> Circle:
    return Circle(centre(space), 0.8 * RADIUS, stroke=colour, width=5)


def _status(rules: Hex, position: Position, words: Words) -> str:
    outcome = rules.outcome(position)
    if outcome is not None and outcome.winner is not None:
        return words("picture.status.wins", player=player_name(outcome.winner, words))
    return words("picture.status.moves", player=player_name(rules.turn(position), words))


def _seen(position: Position, words: Words) -> str:
    """The board in words."""
    black, white = (", ".join(sorted(stones)) or words("picture.hex7.none") for stones in position.stones)
    return words("picture.hex7.seen", black=black, white=white)
