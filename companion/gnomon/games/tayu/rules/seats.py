"""Define the seats of Tayu: who owns which sides, in which order they lay, and who becomes the saboteur.

Four players sit north, east, south and west, in this order (rule 8); of three, one is the saboteur (rules 9 and 10).
"""

from collections.abc import Mapping, Sequence
from typing import Final

from gnomon.games.tayu.rules.position import NOBODY

AXES: Final = ("north-south", "east-west")
SABOTEUR: Final = "saboteur"
PLAYERS: Final[Mapping[int, tuple[str, ...]]] = {
    2: AXES,
    3: ("p1", "p2", "p3"),
    4: ("p1", "p2", "p3", "p4"),
}
WITH_SABOTEUR: Final = 3


def order(players: int, saboteur: int) -> tuple[int, ...]:
    """The players in the order in which they lay: the saboteur last, the others as they sit (rules 9 and 10)."""
    seats = tuple(player for player in range(players) if player != saboteur)
    return seats if saboteur == NOBODY else (*seats, saboteur)


def after(players: int, saboteur: int) -> tuple[int, ...]:
    """Who follows each player."""
    laying = order(players, saboteur)
    follower = dict(zip(laying, (*laying[1:], laying[0]), strict=True))
    return tuple(follower[player] for player in range(players))


def owners(players: int, saboteur: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The players to whom north and south belong, and those to whom east and west do; nobody before an auction ends."""
    if players == WITH_SABOTEUR:
        first, second, *_ = order(players, saboteur)
        return ((), ()) if saboteur == NOBODY else ((first,), (second,))
    return tuple(range(0, players, 2)), tuple(range(1, players, 2))


def knocked_down(bids: Sequence[int]) -> int:
    """The saboteur when the last two bids are equal: the first to have named the last one, else NOBODY (rule 10)."""
    if bids[-2:-1] != bids[-1:]:
        return NOBODY
    # No bid is higher than the one before it, and two equal ones end the auction: the number was new with the last
    # but one.
    return (len(bids) - 2) % WITH_SABOTEUR
