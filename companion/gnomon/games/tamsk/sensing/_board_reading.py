"""Read the TAMSK board from its inputs: which sockets hold a glass, which pole is up, and how many rings lie."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, CAPACITY
from gnomon.games.tamsk.sensing.inputs import GLASS, TIMER

NORTH: Final = 0
SOUTH: Final = 1
BOTH: Final = 2
"""No glass shows both poles: one of the two inputs lies."""

UNSEEN: Final = 3
"""A glass stands on a sensor that sees one pole: which way up, it cannot tell."""

_POLE: Final = {"north": NORTH, "south": SOUTH, GLASS: UNSEEN}


class Heights(NamedTuple):
    """How many rings a stack may hold by its sensors: fewest and most, alike unless a sensor is not believed."""

    fewest: int
    most: int


_BARE: Final = Heights(0, 0)


class BoardReading(NamedTuple):
    """What the inputs show, without any belief about the game.

    Spaces are indices of the board. A glass is seen as the pole under it; `blind` are the sockets whose glass sensor
    is quarantined. A stack that is no thermometer code stands in `odd` and counts as high as its lowest gap.
    """

    glasses: Mapping[int, int]
    blind: frozenset[int]
    rings: Mapping[int, Heights]
    odd: frozenset[int]
    timer: int | None

    def heights(self, space: int) -> Heights:
        """The rings seen on a space."""
        return self.rings.get(space, _BARE)


# One board is looked at several times while it is judged.
@lru_cache(maxsize=4)
def look(on: frozenset[str], quarantined: frozenset[str], timer_trusted: int | None = None) -> BoardReading:
    """Read the board from the inputs that are 1, leaving out the quarantined ones.

    `timer_trusted` is how the 15-second glass stands, by what is trusted, where its stand sees one pole.
    """
    glasses: dict[int, int] = {}
    levels: dict[int, int] = {}
    timer = None
    for name in on - quarantined:
        place, _, what = name.partition(".")
        if place == TIMER:
            pole = timer_trusted if what == GLASS else _POLE[what]
            timer = pole if timer is None else BOTH
        elif what in _POLE:
            space = BOARD.index[place]
            glasses[space] = BOTH if space in glasses else _POLE[what]
        elif place != "button":
            space = BOARD.index[place]
            levels[space] = levels.get(space, 0) | 1 << int(what[4:]) - 1
    dead: dict[int, int] = {}
    blind = set()
    for name in quarantined:
        place, _, what = name.partition(".")
        if what in _POLE and place != TIMER:
            blind.add(BOARD.index[place])
        elif what.startswith("ring"):
            dead[BOARD.index[place]] = dead.get(BOARD.index[place], 0) | 1 << int(what[4:]) - 1
    rings = {space: _heights(levels.get(space, 0), dead.get(space, 0), CAPACITY[space]) for space in levels | dead}
    return BoardReading(
        {space: pole for space, pole in glasses.items() if space not in blind},
        frozenset(blind),
        rings,
        frozenset(space for space, bits in levels.items() if _is_odd(bits, dead.get(space, 0))),
        timer,
    )


@cache
def _is_odd(bits: int, dead: int) -> bool:
    """Whether a believed sensor reads 0 below one that reads 1."""
    return bool(~(bits | dead) & (1 << bits.bit_length()) - 1)


@cache
def _heights(bits: int, dead: int, capacity: int) -> Heights:
    fewest = 0
    while fewest < capacity and (bits | dead) >> fewest & 1:
        fewest += 1
    most = fewest
    while fewest and not bits >> fewest - 1 & 1:
        fewest -= 1
    return Heights(fewest, most)
