"""Route a board: find a way for each net through a grid of both sides, as Lee's algorithm does.

Nets are routed in a fixed order. One that finds no way goes through others, which then give way and are routed again
("rip up and reroute"). The same board is always routed alike. KiCad's check of the design rules proves the result.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from math import ceil, floor, hypot, inf
from typing import Final

from gnomon_pi.tools.wiring.kicad._board import EDGE, SIDES, CircuitBoard, Spot, Track, Via
from gnomon_pi.tools.wiring.kicad._copper import Piece, groups, pad_pieces, track_piece, via_piece

STEP: Final = 0.25
CLEARANCE: Final = 0.16
"""Between copper of two nets: what every maker can do is 0.15."""
_HOLES: Final = 0.26
THIN: Final = 0.2
_VIA: Final = Via("", Spot(0, 0))
_VIA_COST: Final = 9.0
_SLANT: Final = 1.4
_AGAINST: Final = 1.15
_YIELD_COST: Final = 8.0
_QUARREL_COST: Final = 8.0
"""What a cell costs more each time that two nets wanted it: so they find other ways."""
_ROUNDS: Final = 400
_FRONT, _BACK = range(2)
# Lines run along on the back and across on the front, so that they do not block each other.
_STEPS: Final = tuple(
    tuple(
        (dx, dy, (_SLANT if dx and dy else 1.0) * (_AGAINST if against else 1.0))
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
        for against in (dx if layer == _FRONT else dy,)
    )
    for layer in (_FRONT, _BACK)
)
"""From a cell of each side to those around it, and how far that is."""


class RoutingError(Exception):
    """A net finds no way: its parts stand too close."""


class _Lazy(dict[int, float]):
    """A number for each cell, found when it is first asked for: to look it up then takes no call."""

    def __init__(self, find: Callable[[int], float]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, cell: int) -> float:
        found = self[cell] = self._find(cell)
        return found


class _RoutingGrid:
    """Which nets' copper forbids a cell to the middle of a track of a width, or of a via."""

    def __init__(self, board: CircuitBoard, reach: float, *, drilled: bool) -> None:
        self.columns, self.rows = floor(board.width / STEP) + 1, floor(board.height / STEP) + 1
        self._reach = reach
        self._drilled = drilled
        self.taken: tuple[dict[int, dict[str, int]], ...] = ({}, {})
        self.solid: tuple[dict[int, frozenset[str]], ...] = ({}, {})
        self.quarrels: tuple[dict[int, float], ...] = ({}, {})
        self.closed = (bytearray(self.columns * self.rows), bytearray(self.columns * self.rows))
        margin = EDGE + reach - CLEARANCE
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = column * STEP, row * STEP
                if min(x, y, board.width - x, board.height - y) < margin:
                    self.close(column, row)
        for hole in board.holes:
            for cell in self.near(Piece("", SIDES, hole.at, hole.at, hole.diameter / 2), reach - CLEARANCE + _HOLES):
                self.close(cell % self.columns, cell // self.columns)

    def close(self, column: int, row: int) -> None:
        """Forbid a cell to all nets."""
        for closed in self.closed:
            closed[row * self.columns + column] = 1

    def harden(self) -> None:
        """What is marked so far never gives way."""
        self.solid = tuple({cell: frozenset(nets) for cell, nets in taken.items()} for taken in self.taken)

    def mark(self, piece: Piece, by: int = 1) -> None:
        """Add copper, or take it away."""
        cells = list(self.near(piece, self._reach))
        for number, side in enumerate(SIDES):
            if side not in piece.sides and not self._drilled:
                continue
            taken = self.taken[number]
            for cell in cells:
                nets = taken.setdefault(cell, {})
                nets[piece.net] = nets.get(piece.net, 0) + by
                if not nets[piece.net]:
                    del nets[piece.net]

    def near(self, piece: Piece, reach: float) -> Iterator[int]:
        """The cells that are nearer to a piece than that."""
        left, top, right, bottom = piece.bounds.with_margin(reach)
        for row in range(max(0, ceil(top / STEP)), min(self.rows - 1, floor(bottom / STEP)) + 1):
            for column in range(max(0, ceil(left / STEP)), min(self.columns - 1, floor(right / STEP)) + 1):
                if piece.distance(column * STEP, row * STEP) < reach - 1e-9:
                    yield row * self.columns + column


class _Router:
    def __init__(self, board: CircuitBoard, widths: Mapping[str, float], poured: frozenset[str]) -> None:
        self._poured = poured
        self._widths = widths
        self._pads = [piece for part in board.parts for piece in pad_pieces(part)]
        self._fixed = [*self._pads, *map(track_piece, board.tracks), *map(via_piece, board.vias)]
        sizes = sorted({THIN, *widths.values()})
        self._fields = {size: _RoutingGrid(board, CLEARANCE + size / 2, drilled=False) for size in sizes}
        self._vias = _RoutingGrid(board, CLEARANCE + _VIA.diameter / 2, drilled=True)
        self.columns, self.rows = self._vias.columns, self._vias.rows
        # A via in a pad drinks its solder, and a hole beside a hole breaks the drill.
        for piece in self._pads:
            for cell in self._vias.near(piece, 0.3):
                self._vias.close(cell % self.columns, cell // self.columns)
        for piece in self._fixed:
            self._mark(piece, 1)
        for field in self._all:
            field.harden()
        self.routes: dict[str, tuple[list[Track], list[Via]]] = {}

    @property
    def _all(self) -> tuple[_RoutingGrid, ...]:
        return (*self._fields.values(), self._vias)

    def _mark(self, piece: Piece, by: int) -> None:
        for field in self._all:
            field.mark(piece, by)

    def _route_pieces(self, net: str) -> list[Piece]:
        tracks, vias = self.routes.get(net, ([], []))
        return [*map(track_piece, tracks), *map(via_piece, vias)]

    def drop(self, net: str) -> None:
        """Take the ways of a net away."""
        for piece in self._route_pieces(net):
            self._mark(piece, -1)
        self.routes.pop(net, None)

    def route(self, net: str) -> set[str]:
        """Join all copper of a net; gives the nets that must give way. Raises RoutingError."""
        yielded: set[str] = set()
        while True:
            conductors = groups([piece for piece in (*self._fixed, *self._route_pieces(net)) if piece.net == net])
            conductors.sort(key=lambda group: min((piece.start, piece.end) for piece in group))
            if net in self._poured:
                sea = self._flood(net, conductors)
                islands = [group for group in conductors if sea.isdisjoint(self._cells(group))]
                if islands:
                    starts, goals = self._cells(islands[0]), sea
                elif any(piece.hole for group in conductors for piece in group):
                    return yielded
                else:  # One via at least, so that the back is part of the pour too.
                    starts = self._cells(conductors[0])
                    goals = {(_BACK, cell) for cell in range(self.columns * self.rows)}
            elif len(conductors) < 2:  # noqa: PLR2004 - one is no pair
                return yielded
            else:
                starts = self._cells(conductors[0])
                goals = {cell for group in conductors[1:] for cell in self._cells(group)}
            path = self._search(net, starts, goals, through=False) or self._search(net, starts, goals, through=True)
            if path is None:
                raise RoutingError(net)
            yielded |= self._lay(net, path)

    def _flood(self, net: str, conductors: list[list[Piece]]) -> set[tuple[int, int]]:
        """What a pour of the net reaches on both sides from the conductor from which it reaches most."""
        field = self._fields[self._widths.get(net, THIN)]
        holes = {cell for group in conductors for piece in group if piece.hole for _, cell in self._cells([piece])}
        best: set[tuple[int, int]] = set()
        for group in conductors:
            begin = self._cells(group)
            if not best.isdisjoint(begin):
                continue
            reached = set(begin)
            queue = list(begin)
            while queue:
                layer, cell = queue.pop()
                x = cell % self.columns
                steps = [(layer, there) for there in (cell - self.columns, cell + self.columns)]
                steps += [(layer, cell - 1)] if x else []
                steps += [(layer, cell + 1)] if x + 1 < self.columns else []
                steps += [(1 - layer, cell)] if cell in holes else []
                for step in steps:
                    inside = 0 <= step[1] < self.columns * self.rows
                    if inside and step not in reached and self._cost(field, *step, net, through=False) != inf:
                        reached.add(step)
                        queue.append(step)
            best = max(best, reached, key=len)
        return best

    def _cells(self, group: Iterable[Piece]) -> set[tuple[int, int]]:
        found = set()
        for piece in group:
            inside = list(self._vias.near(piece, 1e-6))
            for number, side in enumerate(SIDES):
                if side in piece.sides:
                    found |= {(number, cell) for cell in inside}
        return found

    def _lay(self, net: str, path: list[tuple[int, int]]) -> set[str]:
        tracks, vias = self.routes.setdefault(net, ([], []))
        width = self._widths.get(net, THIN)
        corners = [path[0]]
        new_tracks: list[Track] = []
        new_vias: list[Via] = []
        for before, here, after in zip(path, path[1:], [*path[2:], (-1, -1)], strict=False):
            if here[0] != before[0]:
                new_vias.append(Via(net, self._point(here[1])))
                corners = [here]
                continue
            straight = after[0] == here[0] and after[1] - here[1] == here[1] - before[1]
            if not straight:
                new_tracks.append(Track(net, SIDES[here[0]], self._point(corners[0][1]), self._point(here[1]), width))
                corners = [here]
        yielded = set()
        for piece in (*map(track_piece, new_tracks), *map(via_piece, new_vias)):
            self._mark(piece, 1)
        for layer, cell in path:
            yielded |= self._others(self._fields[width], layer, cell, net)
        for via in new_vias:
            cell = round(via.at.y / STEP) * self.columns + round(via.at.x / STEP)
            yielded |= self._others(self._vias, _FRONT, cell, net)
        tracks += new_tracks
        vias += new_vias
        return yielded

    def _others(self, field: _RoutingGrid, layer: int, cell: int, net: str) -> set[str]:
        solid = field.solid[layer].get(cell, frozenset())
        others = {other for other in field.taken[layer].get(cell, ()) if other != net and other not in solid}
        if others:
            field.quarrels[layer][cell] = field.quarrels[layer].get(cell, 0.0) + _QUARREL_COST
        return others

    def _point(self, cell: int) -> Spot:
        return Spot(round(cell % self.columns * STEP, 6), round(cell // self.columns * STEP, 6))

    def _costs(self, field: _RoutingGrid, net: str, *, through: bool) -> tuple[_Lazy, _Lazy]:
        """What each cell of either side costs beyond its length; infinite where the net may not go."""
        front, back = (partial(self._cost, field, layer, net=net, through=through) for layer in (_FRONT, _BACK))
        return _Lazy(front), _Lazy(back)

    def _cost(self, field: _RoutingGrid, layer: int, cell: int, net: str, *, through: bool) -> float:
        if field.closed[layer][cell]:
            return inf
        nets = field.taken[layer].get(cell)
        quarrel = field.quarrels[layer].get(cell, 0.0)
        if not nets or (len(nets) == 1 and net in nets):
            return quarrel
        if not through or field.solid[layer].get(cell, frozenset()) - {net}:
            return inf
        return _YIELD_COST + quarrel

    def _search(  # noqa: C901 - the one loop of A*, which would be slower in pieces
        self, net: str, starts: set[tuple[int, int]], goals: set[tuple[int, int]], *, through: bool
    ) -> list[tuple[int, int]] | None:
        field, columns = self._fields[self._widths.get(net, THIN)], self.columns
        on_layer, as_via = self._costs(field, net, through=through), self._costs(self._vias, net, through=through)
        rest = self._distance_to(goals)
        best: dict[tuple[int, int], float] = dict.fromkeys(starts, 0.0)
        came: dict[tuple[int, int], tuple[int, int]] = {}
        queue = [(rest[cell], 0.0, layer, cell) for layer, cell in sorted(starts)]
        queue.sort()
        while queue:
            _, cost, layer, cell = heappop(queue)
            here = (layer, cell)
            if cost > best[here]:
                continue
            if here in goals:
                path = [here]
                while path[-1] in came:
                    path.append(came[path[-1]])
                return path[::-1]
            costs = on_layer[layer]
            x, y = cell % columns, cell // columns
            for dx, dy, length in _STEPS[layer]:
                if not (0 <= x + dx < columns and 0 <= y + dy < self.rows):
                    continue
                there = cell + dy * columns + dx
                extra = costs[there]
                if extra == inf:
                    continue
                if dx and dy:
                    extra += costs[cell + dx] + costs[cell + dy * columns]
                    if extra == inf:
                        continue
                new, spot = cost + length + extra, (layer, there)
                if new < best.get(spot, inf):
                    best[spot], came[spot] = new, here
                    heappush(queue, (new + rest[there], new, layer, there))
            extra = as_via[layer][cell] + on_layer[1 - layer][cell]
            new, spot = cost + _VIA_COST + extra, (1 - layer, cell)
            if new < best.get(spot, inf):
                best[spot], came[spot] = new, here
                heappush(queue, (new + rest[cell], new, 1 - layer, cell))
        return None

    def _distance_to(self, goals: set[tuple[int, int]]) -> _Lazy:
        """How far each cell is at least from the nearest of some cells."""
        columns = self.columns
        spots = [(cell % columns, cell // columns) for _, cell in goals]
        left, right = min(x for x, _ in spots), max(x for x, _ in spots)
        top, bottom = min(y for _, y in spots), max(y for _, y in spots)

        def distance(cell: int) -> float:
            x, y = cell % columns, cell // columns
            return hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))

        return _Lazy(distance)


def route(board: CircuitBoard) -> CircuitBoard:
    """The board with all nets joined; those that are poured only as far as the pour does not reach.

    Raises RoutingError when one finds no way.
    """
    if board.routed:
        return board
    poured = frozenset(pour.net for pour in board.pours)
    router = _Router(board, board.widths, poured)
    waiting = sorted(board.nets, key=lambda net: (net in poured, _extent(board, net), net))
    for _ in range(_ROUNDS):
        if not waiting:
            # What was routed last may have cut a pour in two.
            waiting = sorted(poured & set(board.nets))
            yielded = {other for net in waiting for other in router.route(net)}
            if not yielded:
                break
            waiting = sorted(yielded)
            for other in waiting:
                router.drop(other)
        net = waiting.pop(0)
        for other in sorted(router.route(net)):
            router.drop(other)
            waiting.append(other)
    else:
        raise RoutingError(", ".join(waiting))
    tracks = [track for net in board.nets for track in router.routes.get(net, ([], []))[0]]
    vias = [via for net in board.nets for via in router.routes.get(net, ([], []))[1]]
    return replace(board, tracks=(*board.tracks, *tracks), vias=(*board.vias, *vias), routed=True)


def _extent(board: CircuitBoard, net: str) -> float:
    spots = [piece.start for part in board.parts for piece in pad_pieces(part) if piece.net == net]
    xs, ys = [spot.x for spot in spots], [spot.y for spot in spots]
    return round(max(xs) - min(xs) + max(ys) - min(ys), 3)
