"""Play out games of Tayu fast: lay each tile where it promises most, and estimate the points of each side.

Only what everybody knows is used: which tiles are left, and never which one comes next. Tiles are drawn in the order
that chance gives.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from math import exp, inf
from typing import Final, NamedTuple

from gnomon.boards.bitsets import places_of
from gnomon.engines.protocol import Chance
from gnomon.engines.tree_search import NATURE, Result
from gnomon.games.tayu.rules import BACKS, DIRECTIONS, KINDS, SIDES, Move, Position, Tayu, demands_of
from gnomon.games.tayu.rules.position import BITS, NOBODY, NOTHING
from gnomon.games.tayu.rules.seats import after, owners
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
_LOOK: Final = 6  # tiles that a playout lays
_FIELD: Final = 24  # bits of a side's share of a number that holds one of each side: north lowest, then clockwise
_MASK: Final = (1 << _FIELD) - 1
_CENT: Final = 100  # what is worth 1 point, in the units of such numbers
_SHARES: Final = 128  # steps in which what is expected fades
_UNIT: Final = 1 / (_CENT * _SHARES) ** 2
_COVERED: Final = 1 << len(SIDES)  # of a square that a tile covers; below it, the channels that flow into the square
_STATES: Final = 2 * _COVERED  # of a square

_DRAWS: Final = tuple(Move("draw", tile) for tile in range(len(KINDS)))


class Table(NamedTuple):
    """The tiles that lie on the board, as sets of squares."""

    occupied: int
    outflows: Four


class _Fit(NamedTuple):
    """What a tile needs in one direction and covers there, from its lowest square on.

    Sets are numbered as `demands_of` gives them.
    """

    step: int
    low: tuple[int, int, int]  # those in which the lowest square must not be
    middle: tuple[int, int]
    high: tuple[int, int, int]
    wanted: tuple[tuple[int, int], ...]  # of each outflow the set, and how far it is from the lowest square
    cells: int
    outflows: Four
    reach: int  # from the lowest square up to the one under the first cell
    effects: dict[int, "_Effect"]  # by the lowest square, as they are needed


class _Effect(NamedTuple):
    """What changes where a tile is laid."""

    covered: tuple[int, int, int]
    reached: tuple[tuple[int, int], ...]  # each square that one of its channels flows into, and the state this adds
    points: int


class _Outlook(NamedTuple):
    """What the sides may expect of a table: the state of each square, what that is worth in all, and the points."""

    squares: list[int]
    worth: int
    points: int

    def after(self, effect: _Effect, worths: Sequence[int]) -> tuple[int, int]:
        """The worth and the points after one more tile."""
        (one, two, three), ((first, into_first), (second, into_second), (third, into_third)), points = effect
        squares = self.squares
        first, second, third = squares[first], squares[second], squares[third]
        return (
            self.worth
            - worths[squares[one]]
            - worths[squares[two]]
            - worths[squares[three]]
            - worths[first]
            + worths[first | into_first]
            - worths[second]
            + worths[second | into_second]
            - worths[third]
            + worths[third | into_third],
            self.points + points,
        )


class Play:
    """Fast play under one choice of settings. It is a `gnomon.engines.tree_search.Playable` of positions."""

    def __init__(self, rules: Tayu) -> None:
        self._rules = rules
        self._board = board = rules.board
        self._stride = board.squares.stride
        index = board.squares.index
        doubles = [sum(1 << index[name] for name in rules.double_squares[side]) for side in SIDES]
        self._scoring = tuple(zip(board.rims, doubles, strict=True))
        self._nowhere = board.size * self._stride  # what lies beyond the edge
        self._bare_squares = tuple(_STATES * square for square in range(self._nowhere + 1))
        self._worths = tuple(
            self._worth(square, flows) for square in range(self._nowhere + 1) for flows in range(_STATES)
        )
        self._fits = tuple(
            tuple(self._fit(tile, direction) for direction in range(len(DIRECTIONS))) for tile in range(len(KINDS))
        )
        self._bare_side = round(_BARE * _CENT) * board.size
        self._tiles_in_all = len(KINDS) * rules.settings.copies
        self._most = min(self._tiles_in_all, _FULL * board.size**2 / CELLS)
        self._opening = tuple(divmod(spot, board.lane) for spot in places_of(board.opening))
        self._shares = [self._share(self._most - laid) for laid in range(self._tiles_in_all + 1)]
        self._outlook = lru_cache(maxsize=64)(self._look)

    # What a search asks

    def mover(self, state: Position) -> int:
        """The player on turn, or NATURE where a tile is drawn."""
        return NATURE if state.due == "draw" else state.mover

    def moves(self, _state: Position) -> Sequence[Move]:
        """Nothing: the tree ends with the tile that is drawn.

        Below it each reply would be tried a few times only, and the average would be that of a player who takes any.
        """
        return ()

    def play(self, state: Position, move: Move) -> Position:
        """The position after a move."""
        return self._rules.play(state, move)

    def draw(self, state: Position, chance: Chance) -> Move:
        """One of the tiles that are left, each as likely."""
        bag = _bag(state.left, state.kinds & BACKS[state.pick])
        return _DRAWS[bag[int(chance.random() * len(bag))]]

    def playout(self, state: Position, chance: Chance) -> Result:
        """How the game turns out if some tiles are laid where they promise most, and the rest brings what it may."""
        if state.ending is not None:
            return self.result(state)
        table = Table(state.occupied, state.outflows)
        laid = table.occupied.bit_count() // CELLS
        table, outlook = self._rest(table, islice(self._tiles(state, chance), _LOOK), state, chance)
        covered = table.occupied.bit_count() // CELLS
        if covered < laid + _LOOK or covered == self._tiles_in_all:
            return self._result(state, self._points(table))
        products, lead = self._forecast(outlook.worth, outlook.points, covered)
        chances = [self._judge(products, lead, state, player) for player in range(self._rules.settings.players)]
        return chances, self._ahead(state, products)

    # What else an engine asks

    def result(self, state: Position) -> Result:
        """What every player would get if the game ended now, and by how much each is ahead."""
        return self._result(state, self._points(Table(state.occupied, state.outflows)))

    def promises(self, state: Position) -> Mapping[Move, float]:
        """What each way to lay the tile in hand seems to be worth to its player, without a look ahead."""
        outlook = self._outlook(Table(state.occupied, state.outflows))
        laid = state.occupied.bit_count() // CELLS + 1
        promises = {}
        for move in self._rules.legal_moves(state):
            fit = self._fits[move.tile][move.direction]
            worth, points = outlook.after(self._effect(fit, move.square - fit.reach), self._worths)
            promises[move] = self._judge(*self._forecast(worth, points, laid), state, state.mover)
        return promises

    def products(self, state: Position, chance: Chance, stopped: Callable[[], bool]) -> Products | None:
        """The products of a game from a position where nothing was laid, if three do what they expect most of.

        None if it is stopped on the way.
        """
        with_roles = state._replace(mover=0, saboteur=2, target=self._rules.settings.target)
        tiles = takewhile(lambda _: not stopped(), self._tiles(state, chance))
        table, _ = self._rest(Table(0, (0, 0, 0, 0)), tiles, with_roles, chance)
        north, east, south, west = self._points(table)
        return None if stopped() else (north * south, east * west)

    # Inside, points

    def _points(self, table: Table) -> Four:
        """The points of the sides (rule 7)."""
        north, east, south, west = (
            (flows & rim).bit_count() + (flows & double).bit_count()
            for flows, (rim, double) in zip(table.outflows, self._scoring, strict=True)
        )
        return north, east, south, west

    def _forecast(self, worth: int, points: int, laid: int) -> tuple[Products, float]:
        """The products to expect at the end, after so many tiles, and the lead that makes the chance e to 1 then."""
        share = self._shares[laid]
        in_all = points * (_CENT * _SHARES) + worth * share
        bare = self._bare_side * share
        north = max(0, (in_all & _MASK) + bare)
        east = max(0, (in_all >> _FIELD & _MASK) + bare)
        south = max(0, (in_all >> 2 * _FIELD & _MASK) + bare)
        west = max(0, (in_all >> 3 * _FIELD) + bare)
        return (north * south * _UNIT, east * west * _UNIT), share * (_LEAD / _SHARES)

    def _share(self, left: float) -> int:
        """How much of what can be expected still comes so many tiles before the end, in `_SHARES`."""
        return round(_SHARES * (1.0 if left >= _FADE else _LAST + (1 - _LAST) * max(left, 0) / _FADE))

    def _look(self, table: Table) -> _Outlook:
        """What the sides may expect of a table."""
        occupied, outflows = table
        squares = list(self._bare_squares)
        for square in places_of(occupied):
            squares[square] |= _COVERED
        for side, (flows, step) in enumerate(zip(outflows, self._board.neighbours, strict=True)):
            into = flows << step if step > 0 else flows >> -step
            for square in places_of(into & self._board.squares.full & ~occupied):
                squares[square] |= 1 << side
        worths = self._worths
        points = sum(number << _FIELD * side for side, number in enumerate(self._points(table)))
        return _Outlook(squares, sum(worths[square] for square in squares), points)

    def _worth(self, square: int, flows: int) -> int:
        """What a square is worth to each side into which these channels flow; nothing once it is covered."""
        board = self._board
        row, column = divmod(square, self._stride)
        if flows >= _COVERED or not board.squares.full >> square & 1:
            return 0
        last = board.size - 1
        worth = 0
        for side, distance in enumerate((last - row, last - column, row, column)):
            towards, across = (
                flows >> side & 1,
                flows >> (side + 1) % len(SIDES) & 1 | flows >> (side + 3) % len(SIDES) & 1,
            )
            channel = _TOWARDS if towards else _ACROSS if across else ()
            points = sum(worths[distance] for worths in (channel, _ROOM) if distance < len(worths))
            worth += round(points * _CENT) << _FIELD * side
        return worth

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

    def _rest(self, table: Table, tiles: Iterator[int], state: Position, chance: Chance) -> tuple[Table, _Outlook]:
        """The table after some tiles, if all lay them where they expect most; only the first is laid at random."""
        stride, worths = self._stride, self._worths
        on_east, on_north = self._board.eastward, self._board.northward
        mover, saboteur = state.mover, state.saboteur
        followers = after(self._rules.settings.players, saboteur)
        outlook = self._outlook(table)
        outlook = outlook._replace(squares=list(outlook.squares))
        for tile in tiles:
            occupied, outflows = table
            fits = self._fits[tile]
            best: tuple[_Fit, int] | None = None
            if not occupied:
                direction, square = self._opening[int(chance.random() * len(self._opening))]
                best = fits[direction], square - fits[direction].reach
            else:
                demands = demands_of(stride, occupied, outflows)
                rooms = (
                    on_east & ~(occupied | occupied >> 1 | occupied >> 2),
                    on_north & ~(occupied | occupied >> stride | occupied >> 2 * stride),
                )
                laid = occupied.bit_count() // CELLS + 1
                most = -inf
                for fit in fits:
                    for lowest in places_of(_spots(fit, demands, rooms)):
                        effect = fit.effects.get(lowest) or self._effect(fit, lowest)
                        (one, other), lead = self._forecast(*outlook.after(effect, worths), laid)
                        if saboteur == NOBODY:
                            hope = other - one if mover % 2 else one - other
                        else:
                            hope = self._judge((one, other), lead, state, mover)
                        if hope > most:
                            most, best = hope, (fit, lowest)
            if best is None:
                break
            table = _lay(table, *best)
            outlook = self._update(outlook, *best)
            mover = followers[mover]
        return table, outlook

    def _update(self, outlook: _Outlook, fit: _Fit, lowest: int) -> _Outlook:
        """The outlook after one more tile; the states of the squares are changed where they are."""
        effect = self._effect(fit, lowest)
        worth, points = outlook.after(effect, self._worths)
        squares = outlook.squares
        for square in effect.covered:
            squares[square] |= _COVERED
        for square, channel in effect.reached:
            squares[square] |= channel
        return _Outlook(squares, worth, points)

    def _effect(self, fit: _Fit, lowest: int) -> _Effect:
        """What changes where a tile is laid."""
        found = fit.effects.get(lowest)
        if found is None:
            full = self._board.squares.full
            reached = []
            points = 0
            for side, (flows, step) in enumerate(zip(fit.outflows, self._board.neighbours, strict=True)):
                rim, double = self._scoring[side]
                for square in places_of(flows << lowest):
                    points += (rim >> square & 1) + (double >> square & 1) << _FIELD * side
                    next_square = square + step
                    inside = next_square >= 0 and full >> next_square & 1
                    reached.append((next_square if inside else self._nowhere, 1 << side))
            found = _Effect((lowest, lowest + fit.step, lowest + 2 * fit.step), tuple(reached), points)
            fit.effects[lowest] = found
        return found

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
        return _Fit(step, (a, b, c), (d, e), (f, g, h), tuple(wanted), shape.cells, shape.outflows, shape.reach, {})


def _lay(table: Table, fit: _Fit, lowest: int) -> Table:
    """The table with one more tile."""
    north, east, south, west = table.outflows
    to_north, to_east, to_south, to_west = fit.outflows
    return Table(
        table.occupied | fit.cells << lowest,
        (north | to_north << lowest, east | to_east << lowest, south | to_south << lowest, west | to_west << lowest),
    )


def _spots(fit: _Fit, demands: Sequence[int], rooms: tuple[int, int]) -> int:
    """The squares that can be the lowest under a tile in one direction."""
    step, (a, b, c), (d, e), (f, g, h), ((i, to), (j, also_to), (k, and_to)), *_ = fit
    return (
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


@lru_cache(maxsize=4096)
def _bag(left: int, kinds: int) -> bytes:
    """The tiles that are left of some kinds, one by one; `left` counts them as a position does."""
    bag: list[int] = []
    for tile in places_of(kinds):
        bag += (tile,) * (left >> BITS * tile & (1 << BITS) - 1)
    return bytes(bag)


def _chance(lead: float) -> float:
    return 1 / (1 + exp(-lead))
