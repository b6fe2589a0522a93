"""Count the points of the four sides of a Tayu board, and decide the winner (rules 7 to 9)."""

from gnomon.games.tayu.rules._board import TayuGeometry
from gnomon.games.tayu.rules.position import NOBODY, Position
from gnomon.games.tayu.rules.seats import PLAYERS, owners
from gnomon.games.tayu.rules.settings import Doubles
from gnomon.rules.protocol import Outcome

Four = tuple[int, int, int, int]


def double_squares(board: TayuGeometry, doubles: Doubles) -> Four:
    """The double squares of the north, east, south and west side, as sets of squares."""
    stride, last = board.squares.stride, board.size - 1
    north, east, south, west = doubles
    return (
        sum(1 << last * stride + column for column in north),
        sum(1 << row * stride + last for row in east),
        sum(1 << column for column in south),
        sum(1 << row * stride for row in west),
    )


def sides(board: TayuGeometry, doubles: Four, outflows: Four) -> Four:
    """The points of the north, east, south and west side: each outflow that faces its edge, twice at a double."""
    north, east, south, west = (
        (flows & rim).bit_count() + (flows & double).bit_count()
        for flows, rim, double in zip(outflows, board.rims, doubles, strict=True)
    )
    return north, east, south, west


def products(points: Four) -> tuple[int, int]:
    """The scores of whoever owns north and south, and of whoever owns east and west (rule 7)."""
    north, east, south, west = points
    return north * south, east * west


def outcome_of(players: int, position: Position, scores: tuple[int, int]) -> Outcome:
    """How a game ends with these scores; a team goes by the name of its first player (rule 8)."""
    names, saboteur = PLAYERS[players], position.saboteur
    if saboteur != NOBODY and max(scores) < position.target:
        return Outcome(names[saboteur], "target_missed")
    north_south, east_west = scores
    if north_south == east_west:
        return Outcome(None, "equal_scores")
    (first, *_), (second, *_) = owners(players, saboteur)
    return Outcome(names[first if north_south > east_west else second], "higher_score")
