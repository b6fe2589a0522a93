"""Define the inputs of the TAMSK board: their names, what the sensors tell, and which are 1 at the start."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Final, NamedTuple, Self

from gnomon.games.tamsk.rules import BOARD, CAPACITY, START
from gnomon.referee.evidence import STANDING, Evidence

POLES: Final = ("north", "south")
GLASS: Final = "glass"
SINGLE: Final = (GLASS,)
"""What a place has whose sensor sees one pole only: that a glass is there, and not which way up."""
TIMER: Final = "timer15"
BUTTON_RED: Final = "button.red"
BUTTON_BLACK: Final = "button.black"
BUTTON_ARBITER: Final = "button.arbiter"
BUTTONS: Final = (BUTTON_RED, BUTTON_BLACK, BUTTON_ARBITER)
BUTTON_NOT_TURNED: Final = "button.not_turned"
"""Where a sensor sees one pole only, turning is trusted, and this button says that a glass was not turned."""

GLASS_INPUTS: Final = tuple(f"{name}.{pole}" for name in BOARD.names for pole in POLES)
RING_INPUTS: Final = tuple(
    f"{name}.ring{height}"
    for name, capacity in zip(BOARD.names, CAPACITY, strict=True)
    for height in range(1, capacity + 1)
)
TIMER_INPUTS: Final = tuple(f"{TIMER}.{pole}" for pole in POLES)
INPUTS: Final = GLASS_INPUTS + RING_INPUTS + TIMER_INPUTS + BUTTONS


def inputs_with(*, sockets: Sequence[str] = POLES, timer: Sequence[str] = POLES) -> tuple[str, ...]:
    """The inputs of a board whose sockets, and the stand of the 15-second glass, have `POLES` or `SINGLE`."""
    glasses = tuple(f"{name}.{kind}" for name in BOARD.names for kind in sockets)
    stand = tuple(f"{TIMER}.{kind}" for kind in timer)
    trusted = (BUTTON_NOT_TURNED,) if GLASS in {*sockets, *timer} else ()
    return glasses + RING_INPUTS + stand + BUTTONS + trusted


class Sensing(NamedTuple):
    """What the sensors of a board tell of a glass: `POLES`, so which way up it stands, or `SINGLE`, that it is there.

    The sockets are all alike; the stand of the 15-second glass may be otherwise. `registers` are the inputs that share
    a chip: what they do together has one cause. `evidence` is what the referee asks before it rules.
    """

    sockets: tuple[str, ...] = POLES
    timer: tuple[str, ...] = POLES
    registers: tuple[frozenset[str], ...] = ()
    evidence: Evidence = STANDING

    @classmethod
    def of_inputs(cls, inputs: Collection[str]) -> Self:
        """What the inputs of a board tell."""
        socket = f"{BOARD.names[0]}.{GLASS}" in inputs
        stand = f"{TIMER}.{GLASS}" in inputs
        return cls(SINGLE if socket else POLES, SINGLE if stand else POLES)

    @classmethod
    def with_single(cls, places: Collection[str]) -> Self:
        """The sensing with one pole at those of `SINGLE_PLACES` that are named."""
        sockets, timer = (SINGLE if place in places else POLES for place in SINGLE_PLACES)
        return cls(sockets, timer)

    @property
    def single(self) -> tuple[str, ...]:
        """Those of `SINGLE_PLACES` at which one pole is seen."""
        return tuple(place for place, kinds in zip(SINGLE_PLACES, self[:2], strict=True) if kinds == SINGLE)

    @property
    def inputs(self) -> frozenset[str]:
        """Every input of the board."""
        return _inputs_of(self.sockets, self.timer)

    @property
    def trusts_sockets(self) -> bool:
        """Whether it cannot be seen which way up one of the six glasses stands."""
        return self.sockets == SINGLE

    @property
    def trusts_timer(self) -> bool:
        """Whether it cannot be seen which way up the 15-second glass stands."""
        return self.timer == SINGLE


SINGLE_PLACES: Final = ("glasses", TIMER)
"""By what names a trace and the journal say where one pole is seen."""

TWO_POLES: Final = Sensing()


@cache
def _inputs_of(sockets: tuple[str, ...], timer: tuple[str, ...]) -> frozenset[str]:
    return frozenset(inputs_with(sockets=sockets, timer=timer))


def start_inputs(level: int, sensing: Sensing = TWO_POLES) -> frozenset[str]:
    """The inputs that are 1 before the first turn: every glass shows its north pole, where poles are seen."""
    on = {f"{BOARD.names[space]}.{sensing.sockets[0]}" for space in START}
    if level == 3:  # noqa: PLR2004 - the level of the rules at which the 15-second glass is used
        on.add(f"{TIMER}.{sensing.timer[0]}")
    return frozenset(on)
