"""TAU once more, as slowly and plainly as the rules are written: what the fast rules are compared with.

A grid is a set of (row, column) squares, groups are found by walking. Nothing here is imported from the rules under
test. Numbers in comments are the rules'.
"""

from __future__ import annotations

from functools import cache

Square = tuple[int, int]
Line = tuple[str, int]


def line_name(line: Line) -> str:
    """`r1` from the top, `ca` from the left."""
    kind, index = line
    return f"r{index + 1}" if kind == "row" else f"c{chr(ord('a') + index)}"


def squares_of(line: Line, squares: frozenset[Square]) -> set[Square]:
    kind, index = line
    return {square for square in squares if square[0 if kind == "row" else 1] == index}


def legal_lines(rows: int, columns: int, squares: frozenset[Square]) -> list[Line]:
    """The lines that cross a square that is left, and leave one (4)."""
    every = [("row", index) for index in range(rows)] + [("column", index) for index in range(columns)]
    return [line for line in every if 0 < len(squares_of(line, squares)) < len(squares)]


def score(squares: frozenset[Square]) -> int:
    """The product of the sizes of all groups (5)."""
    result, left = 1, set(squares)
    while left:
        size, waiting = 0, [left.pop()]
        while waiting:
            row, column = waiting.pop()
            size += 1
            around = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & left
            left -= around
            waiting += around
        result *= size
    return result


def grid(rows: int, columns: int) -> frozenset[Square]:
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def turns(rows: int, columns: int) -> int:
    return (rows + columns + 2) // 3  # 3


def perfect_score(rows: int, columns: int) -> int:
    """The score when both play perfectly, by trying every line from every set of squares."""

    @cache
    def value(squares: frozenset[Square], left: int, high: bool) -> int:
        if not left:
            return score(squares)
        after = [
            value(squares - squares_of(line, squares), left - 1, not high)
            for line in legal_lines(rows, columns, squares)
        ]
        return max(after) if high else min(after)

    return value(grid(rows, columns), turns(rows, columns), True)


class OracleGame:
    """A game in progress, with its negotiation if no limit is given."""

    def __init__(self, rows: int, columns: int, limit: int | None) -> None:
        self.rows, self.columns = rows, columns
        self.squares = grid(rows, columns)
        self.drawn: list[Line] = []
        self.numbers: list[int] = []
        self.limit = limit
        self.player = "p1" if limit is None else "high"
        self.over: tuple[str, str] | None = None
        self.high: str | None = "p1" if limit is not None else None

    def moves(self) -> set[str]:
        """The texts of all legal moves; of the numbers, only the lowest."""
        if self.over:
            return set()
        if self.limit is None:
            return {f"bid:{self.numbers[-1] + 1}", "pass"} if self.numbers else {"bid:0"}
        return {line_name(line) for line in legal_lines(self.rows, self.columns, self.squares)}

    def play(self, text: str) -> None:
        if text == "pass":
            self.limit = self.numbers[-1]  # 2
            self.high = "p2" if self.player == "p1" else "p1"
            self.player = "high"
        elif text.startswith("bid:"):
            self.numbers.append(int(text[4:]))
            self.player = "p2" if self.player == "p1" else "p1"
        else:
            lines = {line_name(line): line for line in legal_lines(self.rows, self.columns, self.squares)}
            self.draw(lines[text])

    def draw(self, line: Line) -> None:
        assert self.limit is not None
        self.squares -= squares_of(line, self.squares)
        self.drawn.append(line)
        self.player = "low" if self.player == "high" else "high"
        if len(self.drawn) == turns(self.rows, self.columns):
            above = score(self.squares) > self.limit  # 6
            self.over = ("high", "above_limit") if above else ("low", "within_limit")

    def names(self, kind: str) -> list[str]:
        return [line_name(line) for line in sorted(self.drawn) if line[0] == kind]
