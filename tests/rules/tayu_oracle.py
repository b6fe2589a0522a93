"""Tayu once more, as slowly and plainly as the rules are written: what the fast rules are compared with.

The board is a dictionary from squares to the outflows of the cell that lies there; a tile is turned by turning
vectors. Nothing here is imported from the rules under test. Numbers in comments are the rules'.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

Vector = tuple[int, int]  # to the east, to the north
Edge = tuple[Vector, Vector]  # a square, and the way out of it

WITHOUT_RING = "012 013 014 015 016 017 023 024 025 026 027 056 123 125 126 127"
WITH_RING = "034 035 036 037 057 067 135 136 137 167 236 237"
RINGS = WITH_RING.split()
KINDS = sorted(WITHOUT_RING.split() + RINGS)
NORTH, EAST, SOUTH, WEST = (0, 1), (1, 0), (0, -1), (-1, 0)
AS_DRAWN: list[Edge] = [
    *(((x, 0), NORTH) for x in (0, 1, 2)),
    ((2, 0), EAST),
    *(((x, 0), SOUTH) for x in (2, 1, 0)),
    ((0, 0), WEST),
]
QUARTER_TURNS = {"E": 0, "S": 1, "W": 2, "N": 3}


def clockwise(vector: Vector, quarter_turns: int) -> Vector:
    for _ in range(quarter_turns):
        vector = (vector[1], -vector[0])
    return vector


def plus(one: Vector, other: Vector) -> Vector:
    return one[0] + other[0], one[1] + other[1]


def name(square: Vector) -> str:
    return f"{chr(ord('a') + square[0])}{square[1] + 1}"


@cache
def edges(kind: str, square: Vector, direction: str) -> tuple[list[Vector], list[Edge], list[Edge]]:
    """The squares under a tile, its eight edges, and those of them that are outflows."""
    turns = QUARTER_TURNS[direction]
    every = [(plus(square, clockwise(cell, turns)), clockwise(way, turns)) for cell, way in AS_DRAWN]
    return list(dict(every)), every, [every[int(position)] for position in kind]


class OracleBoard(NamedTuple):
    """What the players agreed to play on: the double squares of the north, east, south and west side from 0."""

    size: int
    doubles: list[list[int]]
    copies: int


class OracleGame:
    """A game in progress."""

    def __init__(self, players: int, draw: str, target: int | None, board: OracleBoard) -> None:
        self.players, self.draw = players, draw
        self.size, self.doubles, copies = board
        self.target = target
        self.auction = players == 3 and target is None
        self.bids: list[int] = []
        self.order = ["north-south", "east-west"] if players == 2 else [f"p{n + 1}" for n in range(players)]
        self.saboteur = "p3" if players == 3 and not self.auction else None
        self.bag = Counter(dict.fromkeys(KINDS, copies))
        self.stacks = {"left": 14 * copies, "right": 14 * copies}
        self.picked: str | None = None
        self.tile: str | None = None
        self.cells: dict[Vector, set[Vector]] = {}
        self.laid: list[str] = []
        self.over: tuple[str | None, str] | None = None

    @property
    def turn(self) -> str:
        if self.over:
            return "over"
        if self.auction:
            return f"p{len(self.bids) % 3 + 1}"
        if self.tile is None and (self.draw == "bag" or self.picked):
            return "nature"
        return self.order[len(self.laid) % len(self.order)]

    def moves(self) -> set[str]:
        """The texts of all legal moves; of the bids, some."""
        if self.over:
            return set()
        if self.auction:
            last = self.bids[-1] if self.bids else None
            return {"bid:24"} if last is None else {f"bid:{bid}" for bid in (last, last - 1) if bid >= 0}
        if self.tile is not None:
            return self.placements(self.tile)
        if self.turn == "nature":
            return {f"draw:{kind}" for kind in self.kinds(self.picked)}
        picks = ("ring", "plain") if self.draw == "backs" else ("left", "right")
        return {f"pick:{pick}" for pick in picks if self.kinds(pick) and self.stacks.get(pick, 1)}

    def kinds(self, picked: str | None) -> list[str]:
        left = [kind for kind in KINDS if self.bag[kind]]
        return [kind for kind in left if picked not in ("ring", "plain") or (kind in RINGS) == (picked == "ring")]

    def placements(self, kind: str) -> set[str]:
        return {
            f"{kind}@{name((x, y))}/{direction}"
            for x in range(self.size)
            for y in range(self.size)
            for direction in QUARTER_TURNS
            if self.fits(kind, (x, y), direction)
        }

    def fits(self, kind: str, square: Vector, direction: str) -> bool:
        cells, every, outflows = edges(kind, square, direction)
        if any(cell in self.cells or min(cell) < 0 or max(cell) >= self.size for cell in cells):
            return False
        if not self.cells:
            half = self.size / 2
            return any(abs(x + 0.5 - half) < 1 and abs(y + 0.5 - half) < 1 for x, y in cells)  # 3
        joined = False
        for cell, way in every:  # 4
            there = self.cells.get(plus(cell, way))
            if there is None:
                continue
            theirs, mine = (-way[0], -way[1]) in there, (cell, way) in outflows
            if theirs != mine:
                return False
            joined = joined or mine
        return joined

    def play(self, text: str) -> None:
        word, _, rest = text.partition(":")
        if word == "bid":
            self.bid(int(rest))
        elif word == "pick":
            self.picked = rest
        elif word == "draw":
            self.tile = rest
            self.bag[rest] -= 1
            if self.draw == "stacks":
                assert self.picked
                self.stacks[self.picked] -= 1
            self.picked = None
            if not self.placements(rest):
                self.finish()  # 6
        else:
            self.lay(text)

    def bid(self, number: int) -> None:
        self.bids.append(number)
        if self.bids[-2:-1] == [number]:  # 10
            self.saboteur = f"p{self.bids.index(number) % 3 + 1}"
            self.target, self.auction = number, False
            self.order = [player for player in self.order if player != self.saboteur] + [self.saboteur]

    def lay(self, text: str) -> None:
        kind, rest = text.split("@")
        square, direction = rest.split("/")
        where = (ord(square[0]) - ord("a"), int(square[1:]) - 1)
        cells, _, outflows = edges(kind, where, direction)
        for cell in cells:
            self.cells[cell] = {way for outflow, way in outflows if outflow == cell}
        self.laid.append(text)
        self.tile = None
        if not any(self.bag.values()):
            self.finish()  # 6

    def sides(self) -> list[int]:
        """The points of north, east, south and west (7)."""
        last = self.size - 1
        points = [0, 0, 0, 0]
        for (x, y), ways in self.cells.items():
            rims = [(NORTH, y == last, x), (EAST, x == last, y), (SOUTH, y == 0, x), (WEST, x == 0, y)]
            for side, (way, at_rim, place) in enumerate(rims):
                if at_rim and way in ways:
                    points[side] += 2 if place in self.doubles[side] else 1
        return points

    def score(self) -> dict[str, int]:
        north, east, south, west = self.sides()
        products = [north * south, east * west]
        if self.players == 2:
            return dict(zip(self.order, products, strict=True))
        if self.players == 4:
            return {player: products[n % 2] for n, player in enumerate(self.order)}
        scores = dict.fromkeys(["p1", "p2", "p3"], 0)
        if not self.auction:
            scores |= dict(zip(self.order[:2], products, strict=True))
        return scores

    def finish(self) -> None:
        scores = [self.score()[player] for player in self.order[:2]]
        if self.saboteur and max(scores) < (self.target or 0):
            self.over = (self.saboteur, "target_missed")  # 9
        elif scores[0] == scores[1]:
            self.over = (None, "equal_scores")
        else:
            self.over = (self.order[scores[0] < scores[1]], "higher_score")
