"""Define the inputs of the TAMSK board: their names, what the sensors tell, and which are 1 at the start."""

from functools import cache
from typing import Final

from gnomon.games.tamsk.rules import BOARD, CAPACITY, START
from gnomon.referee.evidence import BY_POLES, Sensing

POLES: Final = ("north", "south")
GLASS: Final = "glass"
_GLASS_KINDS: Final = frozenset({*POLES, GLASS})
SINGLE: Final = (GLASS,)
"""What a place has whose sensor sees one pole only: that a glass is there, and not which way up."""
TIMER: Final = "timer15"
BUTTON_RED: Final = "button.red"
BUTTON_BLACK: Final = "button.black"
BUTTON_ARBITER: Final = "button.arbiter"
BUTTONS: Final = (BUTTON_RED, BUTTON_BLACK, BUTTON_ARBITER)
BUTTON_OF: Final = {BUTTON_RED: 0, BUTTON_BLACK: 1}
"""The players by their buttons."""
BUTTON_NOT_TURNED: Final = "button.not_turned"
"""Where a sensor sees one pole only, turning is trusted, and this button says that a glass was not turned."""

SPACES: Final = len(BOARD.names)
GLASS_INPUTS: Final = tuple(f"{name}.{pole}" for name in BOARD.names for pole in POLES)
RING_INPUTS: Final = tuple(
    f"{name}.ring{height}"
    for name, capacity in zip(BOARD.names, CAPACITY, strict=True)
    for height in range(1, capacity + 1)
)
TIMER_INPUTS: Final = tuple(f"{TIMER}.{pole}" for pole in POLES)
INPUTS: Final = GLASS_INPUTS + RING_INPUTS + TIMER_INPUTS + BUTTONS


@cache
def inputs_with(*, sockets: tuple[str, ...] = POLES, timer: tuple[str, ...] = POLES) -> tuple[str, ...]:
    """The inputs of a board whose sockets, and the stand of the 15-second glass, have `POLES` or `SINGLE`."""
    glasses = tuple(f"{name}.{kind}" for name in BOARD.names for kind in sockets)
    stand = tuple(f"{TIMER}.{kind}" for kind in timer)
    trusted = (BUTTON_NOT_TURNED,) if GLASS in {*sockets, *timer} else ()
    return glasses + RING_INPUTS + stand + BUTTONS + trusted


SINGLE_PLACES: Final = ("glasses", TIMER)
"""By what names a trace, the journal and `Sensing.single` say where one pole is seen."""


def trusts_sockets(sensing: Sensing) -> bool:
    """Whether it cannot be seen which way up one of the six glasses stands."""
    return SINGLE_PLACES[0] in sensing.single


def trusts_timer(sensing: Sensing) -> bool:
    """Whether it cannot be seen which way up the 15-second glass stands."""
    return SINGLE_PLACES[1] in sensing.single


def place_of(name: str) -> str:
    """The place to which an input belongs: a space, the stand of the 15-second glass, or the buttons."""
    return name.partition(".")[0]


def is_socket(name: str) -> bool:
    """Whether an input shows a glass on a space."""
    place, _, kind = name.partition(".")
    return kind in _GLASS_KINDS and place in BOARD.index


def kinds_of(sensing: Sensing) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each socket has, and what the stand of the 15-second glass has: `POLES` or `SINGLE`."""
    return SINGLE if trusts_sockets(sensing) else POLES, SINGLE if trusts_timer(sensing) else POLES


def inputs_of(sensing: Sensing) -> frozenset[str]:
    """Every input of the board."""
    return _inputs_of(*kinds_of(sensing))


@cache
def _inputs_of(sockets: tuple[str, ...], timer: tuple[str, ...]) -> frozenset[str]:
    return frozenset(inputs_with(sockets=sockets, timer=timer))


def start_inputs(level: int, sensing: Sensing = BY_POLES) -> frozenset[str]:
    """The inputs that are 1 before the first turn: every glass shows its north pole, where poles are seen."""
    sockets, stand = kinds_of(sensing)
    on = {f"{BOARD.names[space]}.{sockets[0]}" for space in START}
    if level == 3:  # noqa: PLR2004 - the level of the rules at which the 15-second glass is used
        on.add(f"{TIMER}.{stand[0]}")
    return frozenset(on)
