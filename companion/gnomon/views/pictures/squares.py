"""Compute the positions of squares on a board of squares, and draw the coordinates around its edge."""

from dataclasses import dataclass

from gnomon.boards.squares import SquareBoard
from gnomon.views.pictures.drawing import Point, Shape
from gnomon.views.pictures.figures import box
from gnomon.views.pictures.frame import centred_text
from gnomon.views.pictures.palette import Colour


@dataclass(frozen=True, slots=True)
class SquaresLayout:
    """A board of squares on the sheet: the corner at the upper left, and the side of a square."""

    board: SquareBoard
    left: float
    top: float
    side: float

    @property
    def width(self) -> float:
        """From the left edge of the board to its right edge."""
        return self.board.columns * self.side

    @property
    def height(self) -> float:
        """From the upper edge of the board to its lower edge."""
        return self.board.rows * self.side

    def place(self, square: int) -> tuple[int, int]:
        """Column and row of a square, counted from 0 at the left and at the bottom."""
        row, column = divmod(square, self.board.stride)
        return column, row

    def centre(self, square: int) -> Point:
        """The middle of a square."""
        column, row = self.place(square)
        return self.left + (column + 0.5) * self.side, self.top + (self.board.rows - row - 0.5) * self.side

    def corner(self, square: int) -> Point:
        """The upper left corner of a square."""
        x, y = self.centre(square)
        return x - self.side / 2, y - self.side / 2

    def outline(self, square: int, inset: float, corner: float, line: float) -> Shape:
        """A frame inside a square to mark it; its measures are parts of the side."""
        (x, y), side = self.centre(square), self.side
        half = (0.5 - inset) * side
        return box(x - half, y - half, 2 * half, 2 * half, corner * side, stroke=Colour.ACCENT, line=line * side)

    def coordinates(self, away: float, size: float) -> tuple[Shape, ...]:
        """The letters of the columns below, the numbers of the rows on the left, as players write them."""
        names = self.board.names
        letters = [
            centred_text((self.centre(square)[0], self.top + self.height + away), names[square][0], size, Colour.MUTED)
            for square in range(self.board.columns)
        ]
        numbers = [
            centred_text((self.left - away, self.centre(row * self.board.stride)[1]), str(row + 1), size, Colour.MUTED)
            for row in range(self.board.rows)
        ]
        return (*letters, *numbers)
