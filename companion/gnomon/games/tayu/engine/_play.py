"""Play Tayu fast: games that are played out at random, and what open channels promise before that.

Only what everybody knows is used: which tiles are left, and never which one comes next. Tiles are drawn in the order
that chance gives.
"""

from collections.abc import Callable, Iterator, Sequence
from math import exp
from typing import Final, NamedTuple

from gnomon.boards.bitsets import places_of
from gnomon.engines.protocol import Chance
from gnomon.engines.tree_search import NATURE, Result
from gnomon.games.tayu.rules import DIRECTIONS, KINDS, SIDES, Move, Position, Tayu
from gnomon.games.tayu.rules.position import NOBODY, NOTHING
from gnomon.games.tayu.rules.seats import owners

Four = tuple[int, int, int, int]
Products = tuple[float, float]  # of north and south, and of east and west

NEARNESS: Final = 0.55  # an open channel one square further from the rim is worth so much as often
_BANDS: Final = 10  # rows from the rim in which a channel still counts
_LEAD: Final = 12.0  # points of the product that make the chance e to 1


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
            _bands(rim, step, min(board.size, _BANDS)) for rim, step in zip(board.rims, board.neighbours, strict=True)
        )
        self._fits = tuple(
            tuple(self._fit(tile, direction) for direction in range(len(DIRECTIONS))) for tile in range(len(KINDS))
        )
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
        draws = self._rules.legal_moves(state)
        left = chance.random() * sum(state.copies_left(draw.tile) for draw in draws)
        for draw in draws:
            left -= state.copies_left(draw.tile)
            if left < 0:
                return draw
        return draws[-1]

    def playout(self, state: Position, chance: Chance) -> Result:
        """How the game turns out if the rest is played at random."""
        if state.ending is not None:
            return self.result(state)
        table = Table(state.occupied, state.outflows)
        table = self._rest(table, self._tiles(state, chance), chance)
        return self._result(state, self._points(table))

    # What else an engine asks

    def result(self, state: Position) -> Result:
        """What every player would get if the game ended now, and by how much each is ahead."""
        return self._result(state, self._points(Table(state.occupied, state.outflows)))

    def promise(self, state: Position, player: int) -> float:
        """What open channels say of the chance of a player, without a look ahead."""
        return self._judge(self._potentials(Table(state.occupied, state.outflows)), state, player)

    def products(self, state: Position, chance: Chance, stopped: Callable[[], bool]) -> Products | None:
        """The products of a game from a position where nothing was laid, if three do what open channels advise.

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
                promise = self._judge(self._potentials(after), with_roles, mover)
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

    def _potentials(self, table: Table) -> Products:
        """The products with every open channel as a part of a point, the nearer the rim the more."""
        occupied, (to_north, to_east, to_south, to_west) = table
        stride = self._stride
        mouths = to_south >> stride | to_west >> 1 | to_north << stride | to_east << 1
        mouths &= self._board.squares.full & ~occupied
        north, east, south, west = self._points(table)
        of_north, of_east, of_south, of_west = (
            sum([weight * (mouths & band).bit_count() for band, weight in bands]) for bands in self._bands
        )
        return (north + of_north) * (south + of_south), (east + of_east) * (west + of_west)

    def _judge(self, products: Products, state: Position, player: int) -> float:
        """What products say of a player's chance."""
        saboteur = state.saboteur
        if saboteur == NOBODY:
            lead = products[player % 2] - products[1 - player % 2]
            return _chance(lead)
        missed = _chance(state.target - max(products))
        if player == saboteur:
            return missed
        own = player in owners(self._rules.settings.players, saboteur)[1]
        return (1 - missed) * _chance(products[own] - products[1 - own])

    def _result(self, state: Position, points: Four) -> Result:
        """What every player gets for the points of the sides (rules 7 to 9), and by how much each is ahead."""
        north, east, south, west = points
        products = north * south, east * west
        lead = products[0] - products[1]
        first = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        players, saboteur = self._rules.settings.players, state.saboteur
        if saboteur == NOBODY:
            teams = players // 2 or 1
            return (first, 1 - first) * teams, (lead, -lead) * teams
        short = state.target - max(products)
        results, ahead = [0.0] * players, [0.0] * players
        (one,), (other,) = owners(players, saboteur)
        results[saboteur], ahead[saboteur] = float(short > 0), short
        if short <= 0:
            results[one], results[other] = first, 1 - first
        ahead[one], ahead[other] = lead, -lead
        return results, ahead

    # Inside, tiles

    def _tiles(self, state: Position, chance: Chance) -> Iterator[int]:
        """The tile in hand, and then those that are left, in the order of chance."""
        if state.tile != NOTHING:
            yield state.tile
        bag: list[int] = []
        for tile in range(len(KINDS)):
            bag += (tile,) * state.copies_left(tile)
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


def _bands(rim: int, outwards: int, number: int) -> tuple[tuple[int, float], ...]:
    """The squares at each distance from a rim, and what a channel that opens there is worth."""
    bands = []
    for distance in range(number):
        inwards = -outwards * distance
        bands.append((rim << inwards if inwards >= 0 else rim >> -inwards, NEARNESS**distance))
    return tuple(bands)


def _chance(lead: float) -> float:
    return 1 / (1 + exp(-lead / _LEAD))
