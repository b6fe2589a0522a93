"""Define the positions and moves of Tau (Twenty Squares)."""

from typing import Final, Literal, NamedTuple

PLAYERS: Final = ("p1", "p2", "p3", "p4")
HAND: Final = 0  # the step before the first
NOWHERE: Final = -1
NO_THROW: Final = -1


class Move(NamedTuple):
    """What nature or a player does.

    "throw": the dice show `number`. "move": the counter on step `start` of the mover's own route goes `number` steps
    on; step 0 is their hand, and the step after the last is off the board. "convert": a 1 or 5 becomes an entry throw
    (rule 4). "forfeit": the throw cannot be used (rule 6).
    """

    kind: Literal["throw", "move", "convert", "forfeit"]
    number: int = 0
    start: int = NOWHERE


# What `Position.choices` are where no counter may go.
NOTHING: Final = 0  # the game is over, and `player` has won it
FORFEIT_DUE: Final = -1
THROW_DUE: Final = -2
CONVERSION: Final = 1  # bit 0

CONVERT: Final = Move("convert")
FORFEIT: Final = Move("forfeit")


class Position(NamedTuple):
    """Where every counter is, and what is due.

    `player` is to throw while `throw` is -1, else to answer that throw; `entering` says that it is the second throw
    of rule 4. `places` and `piles` hold all counters, as `Packing` packs them. `choices` are the steps where the
    player's counters may go, as bits, and bit 0 if they may convert; or one of the values above.
    """

    player: int
    throw: int
    entering: bool
    choices: int
    places: int
    piles: int = 0
