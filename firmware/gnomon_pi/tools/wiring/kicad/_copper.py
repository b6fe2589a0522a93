"""Measure distances between pieces of copper, and find which of them touch."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import hypot
from typing import NamedTuple

from gnomon_pi.tools.wiring.kicad._board import SIDES, Box, CircuitBoard, Placed, Point, Track, Via

_TOUCH = 1e-6


class Piece(NamedTuple):
    """Copper of a net: a rectangle, or a line with round ends, on some sides; `hole` is the radius of its drill."""

    net: str
    sides: tuple[str, ...]
    start: Point
    end: Point
    half: float
    box: Box | None = None
    hole: float = 0.0

    @property
    def bounds(self) -> Box:
        """The rectangle that it fills."""
        if self.box is not None:
            return self.box
        (x, y), (u, v) = self.start, self.end
        return Box(min(x, u), min(y, v), max(x, u), max(y, v)).with_margin(self.half)

    def distance(self, x: float, y: float) -> float:
        """How far a point is from its edge; not above zero inside."""
        if self.box is not None:
            across = max(self.box.left - x, x - self.box.right)
            along = max(self.box.top - y, y - self.box.bottom)
            return hypot(max(across, 0.0), max(along, 0.0)) if max(across, along) > 0 else max(across, along)
        return _from_line(x, y, self.start, self.end) - self.half


def _from_line(x: float, y: float, start: Point, end: Point) -> float:
    dx, dy = end.x - start.x, end.y - start.y
    length = dx * dx + dy * dy
    part = min(1.0, max(0.0, ((x - start.x) * dx + (y - start.y) * dy) / length)) if length else 0.0
    return hypot(x - start.x - part * dx, y - start.y - part * dy)


def pad_pieces(part: Placed) -> Iterator[Piece]:
    """The pads of a part. Those of leads are on both sides; a round one is a point with a radius."""
    for pad, box, net in part.pads():
        sides = SIDES if pad.drill else SIDES[:1]
        middle = Point((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        if pad.shape == "circle":
            yield Piece(net, sides, middle, middle, pad.width / 2, hole=pad.drill / 2)
        else:
            yield Piece(net, sides, middle, middle, 0.0, box, pad.drill / 2)


def track_piece(track: Track) -> Piece:
    """The copper of a track."""
    return Piece(track.net, (track.side,), track.start, track.end, track.width / 2)


def via_piece(via: Via) -> Piece:
    """The copper of a via."""
    return Piece(via.net, SIDES, via.at, via.at, via.diameter / 2, hole=via.drill / 2)


def pieces(board: CircuitBoard) -> list[Piece]:
    """All copper of a board, but for what ground fills."""
    found = [piece for part in board.parts for piece in pad_pieces(part)]
    found += map(track_piece, board.tracks)
    return [*found, *map(via_piece, board.vias)]


def touch(one: Piece, other: Piece) -> bool:
    """Whether two pieces are one conductor: an end of a line, or the middle of a pad, lies in the other."""
    if not set(one.sides) & set(other.sides):
        return False
    return any(
        second.distance(*end) <= _TOUCH for first, second in ((one, other), (other, one)) for end in _ends(first)
    ) or _cross(one, other)


def _ends(piece: Piece) -> tuple[Point, ...]:
    return (piece.start, piece.end)


def _cross(one: Piece, other: Piece) -> bool:
    if one.box is not None or other.box is not None:
        return False

    def side(a: Point, b: Point, c: Point) -> float:
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    return (
        side(one.start, one.end, other.start) * side(one.start, one.end, other.end) < 0
        and side(other.start, other.end, one.start) * side(other.start, other.end, one.end) < 0
    )


def groups(found: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces that are one conductor, together."""
    there = list(found)
    root = list(range(len(there)))

    def find(number: int) -> int:
        while root[number] != number:
            number = root[number]
        return number

    for one, other in combinations(range(len(there)), 2):
        if find(one) != find(other) and touch(there[one], there[other]):
            root[max(find(one), find(other))] = min(find(one), find(other))
    together: dict[int, list[Piece]] = {}
    for number, piece in enumerate(there):
        together.setdefault(find(number), []).append(piece)
    return list(together.values())
