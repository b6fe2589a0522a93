"""Define the positions and moves of TAMSK, its board, and the capacities of its spaces."""

from functools import lru_cache
from typing import Final, NamedTuple

from gnomon.boards.hexes import HexBoard
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Instant

RED: Final = 0
BLACK: Final = 1
PLAYERS: Final = ("red", "black")

BOARD: Final = HexBoard.of_side(4)
CENTRE: Final = BOARD.index["D4"]

# The tubes grow from one ring at the edge to four in the centre.
CAPACITY: Final = tuple(4 - BOARD.distance(space, CENTRE) for space in range(len(BOARD.names)))

# Glasses 0 to 2 are red, 3 to 5 black; red begins.
START: Final = tuple(BOARD.index[name] for name in ("D1", "A4", "G4", "A1", "G1", "D7"))
GLASSES: Final = ((0, 1, 2), (3, 4, 5))
GLASS_MASKS: Final = (0b000111, 0b111000)

RINGS: Final = sum(CAPACITY)
RINGS_EACH: Final = RINGS // 2

SHIFT: Final = tuple(3 * space for space in range(len(BOARD.names)))  # three bits count up to four rings
ONE_RING: Final = tuple(1 << shift for shift in SHIFT)
BIT: Final = tuple(1 << space for space in range(len(BOARD.names)))
MASKS: Final = BOARD.neighbour_masks

NOWHERE: Final = -1
NEVER: Final = -1
UNTIL_SEEN: Final = 1 << 62
"""When a 15-second glass runs out that the players watch, before one of them says that it has."""


class Move(NamedTuple):
    """What a player does: a whole turn, or at level 3 the lift that starts one, or the opponent's turn of the timer.

    `kind`: "turn" (`forgotten`: where the opponent's forgotten ring was used first, rule 3; `free`: where the second
    ring went, rule 18), "pass" (rule 6), "lost" (rules 19 and 21), "free" (the second ring alone, rule 18),
    "lift" (of the glass on `origin`) or "flip15" (rule 16). Where the players watch the sand, also "stop" and "stop15":
    they have seen that the glass on `origin`, or the 15-second glass, has run out.
    """

    origin: int = NOWHERE
    target: int = NOWHERE
    ring: bool = False
    forgotten: int = NOWHERE
    free: int = NOWHERE
    kind: str = "turn"


PASS: Final = Move(kind="pass")
LOST: Final = Move(kind="lost")
FLIP15: Final = Move(kind="flip15")
LIFTS: Final = tuple(Move(origin=space, kind="lift") for space in range(len(BOARD.names)))
STOP15: Final = Move(kind="stop15")
STOPS: Final = tuple(Move(origin=space, kind="stop") for space in range(len(BOARD.names)))
FREE_RINGS: Final = tuple(Move(free=space, kind="free") for space in range(len(BOARD.names)))


class Position(NamedTuple):
    """A TAMSK position at the instant `now`: spaces are indices of BOARD, -1 is nowhere and never."""

    mover: int  # the player on turn
    glasses: tuple[int, ...]  # the space of each glass; the origin while it is in the air
    rings: int  # three bits a space
    rings_left: tuple[int, int]  # in the two holders
    enterable: int  # bit mask of the spaces that are vacant and not full (rules 1 and 4)
    forgotten: int = NOWHERE  # the space on which the mover may first drop a ring of their own (rule 3)
    penalty: bool = False  # the mover may drop a second ring (rule 18)
    moved: int = 0  # bit mask of the glasses that have been moved, at levels 2 and 3 (rule 11)
    idle: int = 0  # consecutive turns without a ring (rule 9)
    sands: tuple[SandGlass, ...] = ()  # by glass; empty at level 1
    timer15: SandGlass | None = None  # at level 3
    bound_until: int = NEVER  # when the timer that binds this turn first ran or runs out (rules 18 and 19)
    lifted: int = NOWHERE  # the space of the mover's glass that is in the air
    lifted_at: int = NEVER
    sits_out: int = 0  # bit mask of the players whose next turn is lost (rule 21)
    now: Instant = Instant(0)
    ending: Outcome | None = None

    @property
    def timer15_binds(self) -> bool:
        """Whether the 15-second glass was turned during this turn (rules 16 to 20)."""
        return self.bound_until >= 0

    def rings_on(self, space: int) -> int:
        """How many rings lie on a space."""
        return self.rings >> SHIFT[space] & 7

    def is_full(self, space: int) -> bool:
        """Whether a space holds as many rings as its tube has room for (rule 4)."""
        return self.rings >> SHIFT[space] & 7 == CAPACITY[space]

    def glass_on(self, space: int) -> int:
        """The glass (0 to 5) that stands on a space or was lifted from it, or -1."""
        return self.glasses.index(space) if space in self.glasses else NOWHERE

    def owner_of(self, space: int) -> int:
        """The player (RED or BLACK) whose glass stands on a space or was lifted from it, or -1."""
        return self.glasses.index(space) // 3 if space in self.glasses else NOWHERE


# Between two rings the stacks of one position are compared with the board over and over.
@lru_cache(maxsize=4)
def heights_of(rings: int) -> tuple[int, ...]:
    """How many rings lie on each space, of three bits a space."""
    return tuple(rings >> shift & 7 for shift in SHIFT)


def enterable_spaces(glasses: tuple[int, ...], rings: int) -> int:
    """The bit mask of the spaces without a glass that are not full."""
    return sum(
        BIT[space]
        for space, capacity in enumerate(CAPACITY)
        if rings >> SHIFT[space] & 7 != capacity and space not in glasses
    )


def room(rings: int) -> tuple[int, ...]:
    """Every space that is not full, whether a glass stands there or not."""
    return tuple(space for space, capacity in enumerate(CAPACITY) if rings >> SHIFT[space] & 7 != capacity)
