"""The only place that names the inputs of the TAMSK board and says which of them are on as a game begins."""

from typing import Final

from gnomon.rules.tamsk import BOARD, CAPACITY, START

POLES: Final = ("north", "south")
TIMER: Final = "timer15"
BUTTON_RED: Final = "button.red"
BUTTON_BLACK: Final = "button.black"
BUTTON_ARBITER: Final = "button.arbiter"
BUTTONS: Final = (BUTTON_RED, BUTTON_BLACK, BUTTON_ARBITER)

GLASS_INPUTS: Final = tuple(f"{name}.{pole}" for name in BOARD.names for pole in POLES)
RING_INPUTS: Final = tuple(
    f"{name}.ring{height}"
    for name, capacity in zip(BOARD.names, CAPACITY, strict=True)
    for height in range(1, capacity + 1)
)
TIMER_INPUTS: Final = tuple(f"{TIMER}.{pole}" for pole in POLES)
INPUTS: Final = GLASS_INPUTS + RING_INPUTS + TIMER_INPUTS + BUTTONS


def start_inputs(level: int) -> frozenset[str]:
    """The inputs that are 1 before the first turn: every glass shows its north pole."""
    on = {f"{BOARD.names[space]}.north" for space in START}
    if level == 3:  # noqa: PLR2004 - the level of the rules at which the 15-second glass is used
        on.add(f"{TIMER}.north")
    return frozenset(on)
