"""Tabik once more, as slowly and plainly as the rules are written: what the fast rules are compared with.

Squares are (column, row) pairs, stones a dictionary, rods a set of pairs of squares. Nothing here is imported from the
rules under test. Numbers in comments are the rules'.
"""

from __future__ import annotations

from collections import Counter

Square = tuple[int, int]


def name(square: Square) -> str:
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


class OracleGame:
    """A game in progress."""

    def __init__(self, size: int, pie: bool) -> None:
        self.size, self.with_pie = size, pie
        self.stones: dict[Square, str] = {}
        self.rods: set[frozenset[Square]] = set()
        self.player = "black"  # 4
        self.played: list[tuple[str, str]] = []  # who, what
        self.over: tuple[str, str] | None = None
        self.squares = [(column, row) for row in range(size) for column in range(size)]

    def neighbours(self, square: Square) -> list[Square]:
        column, row = square
        around = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
        return [other for other in around if 0 <= other[0] < self.size and 0 <= other[1] < self.size]

    def regular_moves(self) -> dict[str, tuple[Square, Square]]:
        """The texts of all placements and swaps (4), with their squares."""
        moves = {}
        for one in self.squares:
            for other in self.neighbours(one):
                if one not in self.stones and other not in self.stones:
                    moves[name(one) + name(other)] = (one, other)
                elif {self.stones.get(one), self.stones.get(other)} == {"black", "white"}:
                    lower_first = (one[1], one[0]) < (other[1], other[0])
                    if lower_first and frozenset((one, other)) not in self.rods:
                        moves[f"{name(one)}~{name(other)}"] = (one, other)
        return moves

    def may_swap_sides(self) -> bool:
        turns_of_white = [what for who, what in self.played if who == "white"]
        return self.with_pie and self.player == "white" and not turns_of_white  # 8

    def moves(self) -> set[str]:
        if self.over:
            return set()
        return set(self.regular_moves()) | ({"pie"} if self.may_swap_sides() else set())

    def play(self, text: str) -> None:
        """Make a legal move."""
        self.played.append((self.player, text))
        if text == "pie":
            return  # The player who was first is White now, and moves next: the colour on turn is the same.
        one, other = self.regular_moves()[text]
        if "~" in text:
            self.stones[one], self.stones[other] = self.stones[other], self.stones[one]
        else:
            self.stones[one], self.stones[other] = "black", "white"
        self.rods.add(frozenset((one, other)))  # 5
        self.player = "white" if self.player == "black" else "black"
        if not self.regular_moves():
            self.over = self.result()  # 6

    def groups(self, colour: str) -> list[set[Square]]:
        """Connected stones of one colour, whatever rods lie between them (3)."""
        left = {square for square, stone in self.stones.items() if stone == colour}
        groups = []
        while left:
            group, waiting = set(), [left.pop()]
            while waiting:
                square = waiting.pop()
                group.add(square)
                found = [other for other in self.neighbours(square) if other in left]
                left -= set(found)
                waiting += found
            groups.append(group)
        return groups

    def score(self) -> dict[str, int]:
        """The largest size of which a colour has more groups than the other (7)."""
        sizes = {colour: Counter(map(len, self.groups(colour))) for colour in ("black", "white")}
        points = {}
        for colour, rival in (("black", "white"), ("white", "black")):
            ahead = [size for size in range(self.size**2 + 1) if sizes[colour][size] > sizes[rival][size]]
            points[colour] = max(ahead, default=0)
        return points

    def result(self) -> tuple[str, str]:
        points = self.score()
        if points["black"] == points["white"]:
            last = self.played[-1][0]
            return ("white" if last == "black" else "black", "last_move")
        return (max(points, key=lambda colour: points[colour]), "larger_groups")

    def drawing(self) -> list[str]:
        letters = {"black": "B", "white": "W"}
        return [
            "".join(letters.get(self.stones.get((column, row), ""), ".") for column in range(self.size))
            for row in reversed(range(self.size))
        ]
