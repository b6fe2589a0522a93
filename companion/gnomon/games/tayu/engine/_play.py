"""Play Tayu fast: tiles that are laid at random, and how many points each side may expect after them.

Only what everybody knows is used: which tiles are left, and never which one comes next. Tiles are drawn in the order
that chance gives.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import exp
from typing import Final, NamedTuple

from gnomon.boards.bitsets import places_of
from gnomon.engines.protocol import Chance
from gnomon.engines.tree_search import NATURE, Result
from gnomon.games.tayu.rules import BACKS, DIRECTIONS, KINDS, SIDES, Move, Position, Tayu
from gnomon.games.tayu.rules.position import BITS, NOBODY, NOTHING
from gnomon.games.tayu.rules.seats import owners
from gnomon.games.tayu.rules.tiles import CELLS

Four = tuple[int, int, int, int]
Products = tuple[float, float]  # of north and south, and of east and west

# What a side may still expect, rounded from fits by least squares to 5 500 games of the engine with itself (Goliath).
_TOWARDS: Final = (0.55, 0.33, 0.2, 0.16, 0.1)  # points of a channel that flows to the rim, by its distance
_ACROSS: Final = (0.25, 0.16, 0.16, 0.11, 0.06)  # of one that flows along the rim
_ROOM: Final = (0.24, 0.1, 0.09)  # of a free square
_BARE: Final = -0.22  # of the side of an empty board beyond its free squares, by square of the rim
_FULL: Final = 0.59  # of the squares are covered when no tile fits any more
_FADE: Final = 22  # tiles before the end: from then on less comes of all this
_LAST: Final = 0.6  # so much at the end
_LEAD: Final = 10.0  # points of the product that make the chance e to 1; at the end fewer
_LOOK: Final = 4  # tiles that a playout lays


_DRAWS: Final = tuple(Move("draw", tile) for tile in range(len(KINDS)))
_Bands = Sequence[tuple[int, float]]  # the squares at each distance from a rim, and what something there is worth


class Table(NamedTuple):
    """The tiles that lie on the board, as sets of squares."""

    occupied: int
    outflows: Four


class _Fit(NamedTuple):
    """What a tile needs in one direction and covers there, from its lowest square on.

    Sets are numbered as `_demands` gives them.
    """

    step: int
    low: tuple[int, int, int]  # those in which the lowest square must not be
    middle: tuple[int, int]
    high: tuple[int, int, int]
    wanted: tuple[tuple[int, int], ...]  # of each outflow the set, and how far it is from the lowest square
    cells: int
    outflows: Four
    reach: int  # from the lowest square up to the one under the first cell
    direction: int


class Play:
    """Fast play under one choice of settings. It is a `gnomon.engines.tree_search.Playable` of positions."""

    def __init__(self, rules: Tayu) -> None:
        self._rules = rules
        self._board = board = rules.board
        self._stride = board.squares.stride
        index = board.squares.index
        doubles = [sum(1 << index[name] for name in rules.double_squares[side]) for side in SIDES]
        self._scoring = tuple(zip(board.rims, doubles, strict=True))
        self._bands = tuple(
            tuple(_bands(rim, step, worth, board.size) for worth in (_TOWARDS, _ACROSS, _ROOM))
            for rim, step in zip(board.rims, board.neighbours, strict=True)
        )
        self._fits = tuple(
            tuple(self._fit(tile, direction) for direction in range(len(DIRECTIONS))) for tile in range(len(KINDS))
        )
        self._bare_side = _BARE * board.size
        self._tiles_in_all = len(KINDS) * rules.settings.copies
        self._most = min(self._tiles_in_all, _FULL * board.size**2 / CELLS)
        self._opening = tuple(divmod(spot, board.lane) for spot in places_of(board.opening))
        self._bare = rules.start()

    # What a search asks

    def mover(self, state: Position) -> int:
        """The player on turn, or NATURE where a tile is drawn."""
        return NATURE if state.due == "draw" else state.mover

    def moves(self, state: Position) -> Sequence[Move]:
        """Every legal move."""
        return self._rules.legal_moves(state)

    def play(self, state: Position, move: Move) -> Position:
        """The position after a move."""
        return self._rules.play(state, move)

    def draw(self, state: Position, chance: Chance) -> Move:
        """One of the tiles that are left, each as likely."""
        bag = _bag(state.left, state.kinds & BACKS[state.pick])
        return _DRAWS[bag[int(chance.random() * len(bag))]]

    def playout(self, state: Position, chance: Chance) -> Result:
        """How the game turns out if some tiles are laid at random and the rest brings what can be expected."""
        if state.ending is not None:
            return self.result(state)
        table = Table(state.occupied, state.outflows)
        laid = table.occupied.bit_count() // CELLS
        table = self._rest(table, islice(self._tiles(state, chance), _LOOK), chance)
        covered = table.occupied.bit_count() // CELLS
        if covered < laid + _LOOK or covered == self._tiles_in_all:
            return self._result(state, self._points(table))
        products, lead = self._estimate(table)
        chances = [self._judge(products, lead, state, player) for player in range(self._rules.settings.players)]
        return chances, self._ahead(state, products)

    # What else an engine asks

    def result(self, state: Position) -> Result:
        """What every player would get if the game ended now, and by how much each is ahead."""
        return self._result(state, self._points(Table(state.occupied, state.outflows)))

    def promise(self, state: Position, player: int) -> float:
        """What can be expected of a player, without a look ahead."""
        return self._judge(*self._estimate(Table(state.occupied, state.outflows)), state, player)

    def products(self, state: Position, chance: Chance, stopped: Callable[[], bool]) -> Products | None:
        """The products of a game from a position where nothing was laid, if three do what they expect most of.

        None if it is stopped on the way.
        """
        with_roles = state._replace(saboteur=2, target=self._rules.settings.target)
        table, mover = Table(0, (0, 0, 0, 0)), 0
        for tile in self._tiles(state, chance):
            if stopped():
                return None
            best: Table | None = None
            best_promise = -1.0
            for after in self._layings(table, tile):
                promise = self._judge(*self._estimate(after), with_roles, mover)
                if promise > best_promise:
                    best, best_promise = after, promise
            if best is None:
                break
            table, mover = best, (mover + 1) % 3
        north, east, south, west = self._points(table)
        return north * south, east * west

    # Inside, points

    def _points(self, table: Table) -> Four:
        """The points of the sides (rule 7)."""
        north, east, south, west = (
            (flows & rim).bit_count() + (flows & double).bit_count()
            for flows, (rim, double) in zip(table.outflows, self._scoring, strict=True)
        )
        return north, east, south, west

    def _estimate(self, table: Table) -> tuple[Products, float]:
        """The products to expect at the end, and the lead that makes the chance e to 1 then."""
        occupied, (to_north, to_east, to_south, to_west) = table
        stride = self._stride
        free = self._board.squares.full & ~occupied
        north, east, south, west = (
            to_north << stride & free,
            to_east << 1 & free,
            to_south >> stride & free,
            to_west >> 1 & free,
        )
        left = self._most - occupied.bit_count() / CELLS
        share = 1.0 if left >= _FADE else _LAST + (1 - _LAST) * max(left, 0) / _FADE
        bare = self._bare_side
        expected = []
        for points, own, others, (near_own, near_others, near_free) in zip(
            self._points(table),
            (north, east, south, west),
            ((east | west) & ~north, (north | south) & ~east, (east | west) & ~south, (north | south) & ~west),
            self._bands,
            strict=True,
        ):
            more = bare
            for band, worth in near_own:
                more += worth * (own & band).bit_count()
            for band, worth in near_others:
                more += worth * (others & band).bit_count()
            for band, worth in near_free:
                more += worth * (free & band).bit_count()
            expected.append(max(0.0, points + share * more))
        return (expected[0] * expected[2], expected[1] * expected[3]), _LEAD * share

    def _judge(self, products: Products, lead: float, state: Position, player: int) -> float:
        """What products say of a player's chance."""
        saboteur = state.saboteur
        if saboteur == NOBODY:
            return _chance((products[player % 2] - products[1 - player % 2]) / lead)
        missed = _chance((state.target - max(products)) / lead)
        if player == saboteur:
            return missed
        own = player in owners(self._rules.settings.players, saboteur)[1]
        return (1 - missed) * _chance((products[own] - products[1 - own]) / lead)

    def _result(self, state: Position, points: Four) -> Result:
        """What every player gets for the points of the sides (rules 7 to 9), and by how much each is ahead."""
        north, east, south, west = points
        products = north * south, east * west
        lead = products[0] - products[1]
        first = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        players, saboteur = self._rules.settings.players, state.saboteur
        if saboteur == NOBODY:
            return (first, 1 - first) * (players // 2 or 1), self._ahead(state, products)
        results = [0.0] * players
        (one,), (other,) = owners(players, saboteur)
        if state.target > max(products):
            results[saboteur] = 1.0
        else:
            results[one], results[other] = first, 1 - first
        return results, self._ahead(state, products)

    def _ahead(self, state: Position, products: Products) -> Sequence[float]:
        """By how much each player is ahead."""
        lead = products[0] - products[1]
        players, saboteur = self._rules.settings.players, state.saboteur
        if saboteur == NOBODY:
            return (lead, -lead) * (players // 2 or 1)
        ahead = [0.0] * players
        (one,), (other,) = owners(players, saboteur)
        ahead[saboteur], ahead[one], ahead[other] = state.target - max(products), lead, -lead
        return ahead

    # Inside, tiles

    def _tiles(self, state: Position, chance: Chance) -> Iterator[int]:
        """The tile in hand, and then those that are left, in the order of chance."""
        if state.tile != NOTHING:
            yield state.tile
        bag = bytearray(_bag(state.left, state.kinds))
        random = chance.random
        while bag:
            place = int(random() * len(bag))
            bag[place], bag[-1] = bag[-1], bag[place]
            yield bag.pop()

    def _rest(self, table: Table, tiles: Iterator[int], chance: Chance) -> Table:
        """The table at the end, if every tile is laid at random, in the first direction of some order that it fits."""
        random, stride, all_fits = chance.random, self._stride, self._fits
        on_east, on_north = self._board.eastward, self._board.northward
        occupied, (to_north, to_east, to_south, to_west) = table
        for tile in tiles:
            if not occupied:
                occupied, (to_north, to_east, to_south, to_west) = self._first_laying(tile, random())
                continue
            north, east, south, west = to_south >> stride, to_west >> 1, to_north << stride, to_east << 1
            demands = (
                north,
                east,
                south,
                west,
                occupied >> stride ^ north,
                occupied >> 1 ^ east,
                occupied << stride ^ south,
                occupied << 1 ^ west,
            )
            rooms = (
                on_east & ~(occupied | occupied >> 1 | occupied >> 2),
                on_north & ~(occupied | occupied >> stride | occupied >> 2 * stride),
            )
            drawn = random() * 4
            first = int(drawn)
            fits = all_fits[tile]
            for place in (first, first - 3, first - 2, first - 1):
                fit = fits[place]
                step, (a, b, c), (d, e), (f, g, h), ((i, to), (j, also_to), (k, and_to)), cells, flows, _, _ = fit
                spots = (
                    rooms[step != 1]
                    & (demands[i] >> to | demands[j] >> also_to | demands[k] >> and_to)
                    & ~(
                        demands[a]
                        | demands[b]
                        | demands[c]
                        | (demands[d] | demands[e]) >> step
                        | (demands[f] | demands[g] | demands[h]) >> 2 * step
                    )
                )
                if spots:
                    for _ in range(int((drawn - first) * spots.bit_count())):
                        spots &= spots - 1
                    lowest = (spots & -spots).bit_length() - 1
                    occupied |= cells << lowest
                    to_north |= flows[0] << lowest
                    to_east |= flows[1] << lowest
                    to_south |= flows[2] << lowest
                    to_west |= flows[3] << lowest
                    break
            else:
                break
        return Table(occupied, (to_north, to_east, to_south, to_west))

    def _first_laying(self, tile: int, drawn: float) -> Table:
        """The table with a first tile (rule 3)."""
        direction, square = self._opening[int(drawn * len(self._opening))]
        fit = self._fits[tile][direction]
        return _lay(Table(0, (0, 0, 0, 0)), fit, square - fit.reach)

    def _layings(self, table: Table, tile: int) -> Iterator[Table]:
        """The table after each way to lay a tile."""
        position = self._bare._replace(occupied=table.occupied, outflows=table.outflows)
        for move in self._rules.placements(position, tile):
            fit = self._fits[tile][move.direction]
            yield _lay(table, fit, move.square - fit.reach)

    def _fit(self, tile: int, direction: int) -> _Fit:
        board = self._board
        shape = board.shapes[tile][direction]
        step = abs(board.steps[direction])
        low: list[int] = []
        middle: list[int] = []
        high: list[int] = []
        wanted = []
        for forbidden, cell in zip((low, middle, high), (0, step, 2 * step), strict=True):
            for side, neighbour in enumerate(board.neighbours):
                if cell + neighbour >= 0 and shape.cells >> cell + neighbour & 1:
                    continue  # its own next square
                if shape.outflows[side] >> cell & 1:
                    wanted.append((side, cell))
                    forbidden.append(side + len(SIDES))
                else:
                    forbidden.append(side)
        (a, b, c), (d, e), (f, g, h) = low, middle, high
        return _Fit(
            step, (a, b, c), (d, e), (f, g, h), tuple(wanted), shape.cells, shape.outflows, shape.reach, direction
        )


def _lay(table: Table, fit: _Fit, lowest: int) -> Table:
    """The table with one more tile."""
    north, east, south, west = table.outflows
    to_north, to_east, to_south, to_west = fit.outflows
    return Table(
        table.occupied | fit.cells << lowest,
        (north | to_north << lowest, east | to_east << lowest, south | to_south << lowest, west | to_west << lowest),
    )


def _bands(rim: int, outwards: int, worth: Sequence[float], number: int) -> _Bands:
    """The squares at each distance from a rim, of so many, and what something there is worth to its side."""
    bands = []
    for distance, each in enumerate(worth[:number]):
        inwards = -outwards * distance
        bands.append((rim << inwards if inwards >= 0 else rim >> -inwards, each))
    return tuple(bands)


@lru_cache(maxsize=4096)
def _bag(left: int, kinds: int) -> bytes:
    """The tiles that are left of some kinds, one by one; `left` counts them as a position does."""
    bag: list[int] = []
    for tile in places_of(kinds):
        bag += (tile,) * (left >> BITS * tile & (1 << BITS) - 1)
    return bytes(bag)


def _chance(lead: float) -> float:
    return 1 / (1 + exp(-lead))
