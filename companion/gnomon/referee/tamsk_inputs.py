"""The only place that names the inputs of the TAMSK board and says which of them are on as a game begins."""

from collections.abc import Sequence
from typing import Final

from gnomon.rules.tamsk import BOARD, CAPACITY, START

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


def start_inputs(level: int) -> frozenset[str]:
    """The inputs that are 1 before the first turn: every glass shows its north pole."""
    on = {f"{BOARD.names[space]}.north" for space in START}
    if level == 3:  # noqa: PLR2004 - the level of the rules at which the 15-second glass is used
        on.add(f"{TIMER}.north")
    return frozenset(on)
