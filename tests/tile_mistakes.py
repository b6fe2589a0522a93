"""Simulate mistakes with tiles on a sensed board, and their correction by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Final, assert_never

from gnomon.games.tayu.rules import Position, Tayu
from gnomon.games.tayu.rules.tiles import CELLS
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after
from gnomon_pi.simulated._chance import pick
from gnomon_pi.simulated.players.input_actions import Deed, Fingers, on_squares
from gnomon_pi.simulated.players.player_timing import RandomSpan

NUDGE: Final = Duration(100 * MILLISECOND)
APART: Final = Duration(400 * MILLISECOND)
"""Between two touches of a mistake, and after it: longer than any input takes to come to rest."""

Row = tuple[str, ...]


class TileMistake(Enum):
    """What can go wrong with tiles, each made and put right by hand; none of them changes the score of the game."""

    LIFTED = "a tile that was laid is lifted and put back"
    MOVED = "a tile that was laid is moved and put back"
    NUDGED = "one square of a tile that was laid loses it for a tenth of a second"
    ILLEGAL = "the tile is laid where it may not lie, and taken back"
    TWO_TILES = "a second tile is laid beside the one that may lie there, and taken back"
    NOT_DRAWN = "a tile is laid that was not drawn, and taken back"


@dataclass(frozen=True, slots=True)
class TileClumsiness:
    """Which mistakes are made, how often (probability for each tile), and how long each stands uncorrected."""

    kinds: frozenset[TileMistake] = frozenset()
    chance: float = 1.0
    lasts: RandomSpan = field(default=RandomSpan(500 * MILLISECOND, 2_000 * MILLISECOND))

    def __call__(
        self, rules: Tayu, position: Position, now: Instant, fingers: Fingers
    ) -> tuple[Sequence[Deed], Instant]:
        """What hands do wrong now and put right, and when all is as it was."""
        if not self.kinds or fingers.random.random() >= self.chance:
            return (), now
        return mistake_with_tiles(AtTheBoard(rules, position, now, fingers), self)


@dataclass(frozen=True, slots=True)
class AtTheBoard:
    """The moment at which a mistake may be made: nobody touches anything else."""

    rules: Tayu
    position: Position
    now: Instant
    fingers: Fingers

    @property
    def tiles(self) -> Sequence[Row]:
        """The squares of each tile that lies there."""
        return [self.rules.squares_of(move) for move in self.position.laid]

    @property
    def free_rows(self) -> Sequence[Row]:
        """Every three squares in a row on which nothing lies."""
        board, covered = self.rules.board, {square for tile in self.tiles for square in tile}
        rows = []
        for square, name in board.squares.names.items():
            for direction in (0, 3):  # east and north: each row once
                cells = board.cells(square, direction)
                names = tuple(board.squares.names.get(cell, "") for cell in cells)
                if name and all(names) and not covered.intersection(names):
                    rows.append(names)
        return rows


def mistake_with_tiles(at: AtTheBoard, clumsiness: TileClumsiness) -> tuple[Sequence[Deed], Instant]:
    """What hands do wrong and put right, and when all is as it was; nothing when no wanted mistake can be made now."""
    random = at.fingers.random
    kinds = [kind for kind in TileMistake if kind in clumsiness.kinds]
    random.shuffle(kinds)
    for kind in kinds:
        touches = _touches(kind, at, clumsiness.lasts.draw(random), random)
        if touches:
            return _finish(at, touches)
    return (), at.now


Touch = tuple[Row, bool, Duration]
"""A tile comes or goes, and how long nothing is touched after that."""


def _touches(kind: TileMistake, at: AtTheBoard, lasts: Duration, random: Random) -> Sequence[Touch]:
    match kind:
        case TileMistake.LIFTED:
            return [(tile, value, lasts) for tile in _one(at.tiles, random) for value in (False, True)]
        case TileMistake.MOVED:
            return [
                touch
                for tile in _one(at.tiles, random)
                for place in _one(at.free_rows, random)
                for touch in ((tile, False, APART), (place, True, lasts), (place, False, APART), (tile, True, APART))
            ]
        case TileMistake.NUDGED:
            squares = [(pick(random, tile),) for tile in _one(at.tiles, random)]
            return [(square, value, NUDGE) for square in squares for value in (False, True)]
        case TileMistake.ILLEGAL:
            return _there_and_back(at, lasts, random) if at.position.due == "lay" else ()
        case TileMistake.NOT_DRAWN:
            return _there_and_back(at, lasts, random) if at.position.due == "draw" else ()
        case TileMistake.TWO_TILES:
            return _two_tiles(at, lasts, random)
        case _:
            assert_never(kind)


def _there_and_back(at: AtTheBoard, lasts: Duration, random: Random) -> Sequence[Touch]:
    """A tile where none may lie now."""
    rows = [row for row in at.free_rows if not at.rules.placements_on(at.position, row)]
    return [(row, value, lasts) for row in _one(rows, random) for value in (True, False)]


def _two_tiles(at: AtTheBoard, lasts: Duration, random: Random) -> Sequence[Touch]:
    """Two tiles at once, and both are taken back: either might have been meant."""
    if at.position.due != "lay":
        return ()
    rows = at.free_rows
    first = _one(rows, random)
    second = _one([row for row in rows if first and not set(row) & set(first[0])], random)
    if not first or not second:
        return ()
    both = (*first[0], *second[0])
    return [(both, True, lasts), (both, False, lasts)]


def _one(rows: Sequence[Row], random: Random) -> Sequence[Row]:
    """One of the rows, or none when there is none."""
    return [pick(random, rows)] if rows else []


def _finish(at: AtTheBoard, touches: Sequence[Touch]) -> tuple[Sequence[Deed], Instant]:
    deeds: list[Deed] = []
    now = at.now
    for squares, value, pause in touches:
        edges = on_squares(now, squares, at.fingers, value=value)
        deeds += edges
        now = after(max(now, *(edge.at for edge in edges)), max(pause, NUDGE if len(squares) < CELLS else APART))
    return deeds, after(now, APART)
