"""Represent Tabik compactly for playouts: positions as rows of cells, turns as small numbers.

A cell is 0 where the square is empty, 1 with a black stone and 2 with a white one; empty cells surround the board, so
that every square has neighbours. A turn is three times the number of its edge, and one more if the black stone goes to
the higher square, two more if the stones there are swapped.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from gnomon.boards.squares import SquareBoard
from gnomon.engines.protocol import Chance
from gnomon.engines.tree_search import Result
from gnomon.games.tabik.rules import BLACK, PIE, WHITE, Move, Position

SWAP: Final = 2
KINDS: Final = 3  # of turns on an edge
PIE_TURN: Final = -1

_WON: Final = (((1.0, 0.0), (0.0, 0.0)), ((0.0, 1.0), (0.0, 0.0)))  # by person; Tabik counts no margin
_ORDERS: Final = 256  # in which playouts go through the edges
_BITS: Final = 48  # of one random number
_MULTIPLIER, _ADDEND, _MODULUS = 6364136223846793005, 1442695040888963407, 1 << 64  # of a linear congruential generator


_Edge = tuple[int, int, int]  # its number, and the lower and the higher cell
_Place = tuple[int, int]


class FastPosition(NamedTuple):
    """A position as it is played fast. Persons are numbered by who began, colours as in the rules."""

    colour: int  # on turn
    cells: bytes
    free: bytes  # by edge: 1 without a rod
    pie: bool = False  # may be chosen now
    swapped: bool = False  # the person who began has the white stones

    @property
    def person(self) -> int:
        """Who is on turn."""
        return self.colour ^ self.swapped


class Net:
    """The edges of a board, and what can be played on it. It is a `gnomon.engines.tree_search.Playable`."""

    def __init__(self, board: SquareBoard) -> None:
        self._row = row = board.columns + 1
        self._number = {
            square: row * (place // board.columns + 1) + place % board.columns + 1
            for place, square in enumerate(board.names)
        }
        self._cells = row * (board.rows + 2) + 1
        self._squares = tuple(self._number.values())
        self._board = board
        self._edges = tuple(
            (number, self._number[edge.lower], self._number[edge.higher]) for number, edge in enumerate(board.edges)
        )
        self._rods = tuple(edge.number for edge in board.edges)
        moves: list[Move] = []
        for _, lower, higher in board.edges:
            moves += (Move("place", lower, higher), Move("place", higher, lower), Move("swap", lower, higher))
        self._moves = tuple(moves)
        self._turns: Mapping[Move, int] = {move: turn for turn, move in enumerate(moves)}
        self._orders = tuple(_orders(self._edges))

    # Positions and moves of the rules

    def state(self, position: Position) -> FastPosition:
        """A position of the rules."""
        cells = bytearray(self._cells)
        for square, cell in self._number.items():
            cells[cell] = (position.black >> square & 1) + 2 * (position.white >> square & 1)
        free = bytes(not position.rods >> rod & 1 for rod in self._rods)
        return FastPosition(position.mover, bytes(cells), free, position.pie, position.swapped)

    def move(self, turn: int) -> Move:
        """A turn as a move of the rules."""
        return PIE if turn == PIE_TURN else self._moves[turn]

    def turn(self, move: Move) -> int:
        """A move of the rules as a turn."""
        return PIE_TURN if move == PIE else self._turns[move]

    # What a search asks

    def mover(self, state: FastPosition) -> int:
        """The person on turn."""
        return state.person

    def moves(self, state: FastPosition) -> Sequence[int]:
        """Every legal turn."""
        _, cells, free, pie, _ = state
        turns = [PIE_TURN] if pie else []
        for edge, lower, higher in self._edges:
            if free[edge]:
                one, other = cells[lower], cells[higher]
                if one == other:
                    if not one:
                        turns += (KINDS * edge, KINDS * edge + 1)
                elif one and other:
                    turns.append(KINDS * edge + SWAP)
        return turns

    def play(self, state: FastPosition, move: int) -> FastPosition:
        """The state after a turn; the pie is not offered again."""
        colour, cells, free, _, swapped = state
        if move == PIE_TURN:
            return FastPosition(colour, cells, free, pie=False, swapped=True)
        edge, kind = divmod(move, KINDS)
        _, lower, higher = self._edges[edge]
        stones, left = bytearray(cells), bytearray(free)
        left[edge] = 0
        if kind == SWAP:
            stones[lower], stones[higher] = stones[higher], stones[lower]
        else:
            stones[lower], stones[higher] = (2, 1) if kind else (1, 2)
        return FastPosition(1 - colour, bytes(stones), bytes(left), pie=False, swapped=swapped)

    def draw(self, state: FastPosition, _chance: Chance) -> int:
        """Never asked: there is no chance in Tabik."""
        raise AssertionError(state)

    def playout(self, state: FastPosition, chance: Chance) -> Result:
        """Who wins if the rest is played at random."""
        cells, turns = self._rest(state, chance)
        winner = self._winner(cells, last=state.colour ^ turns & 1 ^ 1)
        return _WON[winner ^ state.swapped]

    # What else an engine asks

    def turns_left(self, state: FastPosition, chance: Chance) -> int:
        """For how many turns a game goes on that is played at random."""
        _, turns = self._rest(state, chance)
        return turns

    def lead(self, state: FastPosition, person: int) -> int:
        """How large the group is by which a person is ahead now (rule 7), negative if they are behind."""
        sizes = self._sizes(state.cells)
        own, other = sizes[person ^ state.swapped], sizes[1 - person ^ state.swapped]
        if own == other:
            return 0
        # Lists of the sizes from the largest down differ first where one colour has more groups of a size.
        ahead = own > other
        larger, smaller = (own, other) if ahead else (other, own)
        place = next((place for place, size in enumerate(smaller) if size != larger[place]), len(smaller))
        return larger[place] if ahead else -larger[place]

    def openings(self) -> Sequence[Sequence[int]]:
        """The first turns, in groups of those that differ only by how one looks at the board."""
        size = self._board.columns
        places = {square: divmod(place, size) for place, square in enumerate(self._board.names)}
        kinds: dict[tuple[_Place, ...], list[int]] = {}
        for turn, move in enumerate(self._moves):
            if move.kind == "place":
                first, second = _views(places[move.first], size), _views(places[move.second], size)
                kinds.setdefault(min(zip(first, second, strict=True)), []).append(turn)
        return tuple(kinds.values())

    # Inside

    def _rest(self, state: FastPosition, chance: Chance) -> tuple[bytearray, int]:
        """The cells at the end of a game that is played at random, and how many turns that took.

        The edges are gone through in some order as long as a turn is found on any: that is several times faster than
        to list the turns before each choice, and no turn is left out.
        """
        _, cells, free, _, _ = state
        stones = bytearray(cells)
        drawn = int(chance.random() * (1 << _BITS))
        drawn, number = divmod(drawn, len(self._orders))
        edges = [edge for edge in self._orders[number] if free[edge[0]]]
        turns, before = 0, -1
        while turns != before:
            before = turns
            waiting = []
            for edge in edges:
                _, lower, higher = edge
                one, other = stones[lower], stones[higher]
                if one == other:
                    if one:
                        waiting.append(edge)
                    else:
                        if not drawn:
                            drawn = int(chance.random() * (1 << _BITS)) | 1 << _BITS
                        stones[lower], stones[higher] = (1, 2) if drawn & 1 else (2, 1)
                        drawn >>= 1
                        turns += 1
                elif one and other:
                    stones[lower], stones[higher] = other, one
                    turns += 1
                else:
                    waiting.append(edge)
            edges = waiting
        return stones, turns

    def _winner(self, cells: Sequence[int], last: int) -> int:
        """The colour that has won when no turn is left and a colour made the last one (rule 7)."""
        black, white = self._sizes(cells)
        if black == white:
            return 1 - last
        return BLACK if black > white else WHITE

    def _sizes(self, cells: Sequence[int]) -> tuple[list[int], list[int]]:
        """The sizes of the black and of the white groups, from the largest down."""
        row = self._row
        group = [0] * len(cells)  # of each cell
        sizes = [0]  # of each group; one that was joined to another has none
        heirs = [0]  # the group to which it was joined, or itself
        colours = [0]
        for cell in self._squares:
            stone = cells[cell]
            if not stone:
                continue
            mine = group[cell - 1] if cells[cell - 1] == stone else 0
            while heirs[mine] != mine:
                mine = heirs[mine]
            if cells[cell - row] == stone:
                below = group[cell - row]
                while heirs[below] != below:
                    below = heirs[below]
                if not mine:
                    mine = below
                elif below != mine:
                    heirs[below] = mine
                    sizes[mine] += sizes[below]
                    sizes[below] = 0
            if mine:
                sizes[mine] += 1
            else:
                mine = len(sizes)
                sizes.append(1)
                heirs.append(mine)
                colours.append(stone)
            group[cell] = mine
        black = [size for size, stone in zip(sizes, colours, strict=True) if size and stone == 1]
        white = [size for size, stone in zip(sizes, colours, strict=True) if size and stone != 1]
        black.sort(reverse=True)
        white.sort(reverse=True)
        return black, white


@cache
def net_of(board: SquareBoard) -> Net:
    """The net of a board."""
    return Net(board)


def _orders(edges: Sequence[_Edge]) -> Iterator[tuple[_Edge, ...]]:
    """The edges in many orders, always the same ones: no chance is at hand, and none is needed."""
    state = 1
    for _ in range(_ORDERS):
        order = list(edges)
        for place in range(len(order) - 1, 0, -1):
            state = (state * _MULTIPLIER + _ADDEND) % _MODULUS
            other = (state >> 32) * (place + 1) >> 32
            order[place], order[other] = order[other], order[place]
        yield tuple(order)


def _views(place: _Place, size: int) -> Sequence[_Place]:
    """A square as it is seen from the four sides of the board, and in the mirror."""
    row, column = place
    last = size - 1
    straight = ((row, column), (column, last - row), (last - row, last - column), (last - column, row))
    return (*straight, *((each, last - other) for each, other in straight))
