"""Connect a board's simulated inputs to emulated MCP23017 expanders and their shared interrupt wire."""

from collections.abc import Iterator
from typing import Final, Protocol

from gnomon_pi.config.description import BITS_PER_EXPANDER, Expanders
from gnomon_pi.simulated.chips._inputs import SolderedInputs
from gnomon_pi.simulated.chips._mcp23017 import InterruptLevel, Mcp23017

_PINS: Final = (1 << BITS_PER_EXPANDER) - 1


class Tell(Protocol):
    """Told when a wire is pulled to ground or let go."""

    def __call__(self, *, closed: bool) -> None:
        """It is pulled to ground, or not."""
        ...


class SolderedExpanders(SolderedInputs):
    """MCP23017 expanders and what is soldered to them.

    What is read depends on the settings of the chips, too. Switches that are active low have open collectors: they need
    the chip's pull-up.
    """

    def __init__(self, sensors: Expanders) -> None:
        self._sensors = sensors
        super().__init__(sensors)
        self._used = sum(self._bits.values())
        self._tell: Tell = _nobody
        self._driven = self._levels = 0  # a bit a pin, of all chips
        self._shine = self._is_low = False
        self.is_cut = self._grounded = False
        self._cut_off: frozenset[int] = frozenset()  # the chips whose pin INTA is not soldered
        self.chips = tuple(Mcp23017(self._lock) for _ in sensors.chips)
        for chip in self.chips:
            chip.told = self._look_at_line
        self._show()

    def wire_interrupt(self, tell: Tell) -> None:
        """Solder the pins INTA to one wire, which is pulled up: `tell` is told whether they pull it to ground."""
        with self._lock:
            self._tell = tell
            tell(closed=self._is_low)

    def addressed_chips(self) -> Iterator[tuple[int, int, Mcp23017]]:
        """The number of the bus of each chip, its address there, and the chip."""
        for (bus, address), chip in zip(self._sensors.chips, self.chips, strict=True):
            yield bus, address, chip

    # What is soldered to them

    def on_emitters(self, level: float) -> None:
        """The emitters' pin changed."""
        emitters = self._sensors.emitters
        self._change(shine=emitters is not None and bool(level) != bool(emitters.active_low))

    # Faults

    def lose(self, chip: int) -> None:
        """A chip does not answer any more; its settings stand, and its pin INTA goes on."""
        self.chips[chip].reachable = False

    def switch_off(self, chip: int) -> None:
        """A chip has no power."""
        self.chips[chip].switch_off()

    def brown_out(self, chip: int) -> None:
        """A chip loses its power for a moment, and with it every setting."""
        self.chips[chip].switch_off()
        self.chips[chip].switch_on()

    def cut_interrupt(self) -> None:
        """The wire of the interrupts is broken: it stays high."""
        self.is_cut = True
        self._look_at_line()

    def cut_interrupt_of(self, *chips: int) -> None:
        """The pins INTA of some chips are not connected to the wire."""
        self._cut_off = frozenset(chips)
        self._look_at_line()

    def ground_interrupt(self) -> None:
        """The wire of the interrupts touches ground: it stays low."""
        self._grounded = True
        self._look_at_line()

    def mend(self) -> None:
        """Take every fault away."""
        for chip in self.chips:
            chip.reachable, chip.forgets = True, False
            chip.switch_on()
        self.is_cut = self._grounded = False
        self._cut_off = frozenset()
        self._change(stuck_on=0, stuck_off=0, dazzled=0)
        self._look_at_line()

    def _show(self) -> None:
        seen = self._present if self._shine else self._present & ~self._strobed
        active = (seen | self._dazzled | self._stuck_on) & ~self._stuck_off
        driven, levels = (active, 0) if self._sensors.active_low else (self._used, active)
        changed = (driven ^ self._driven) | (levels ^ self._levels)
        self._driven, self._levels = driven, levels
        while changed:
            number = ((changed & -changed).bit_length() - 1) // BITS_PER_EXPANDER
            shift = number * BITS_PER_EXPANDER
            changed &= ~(_PINS << shift)
            self.chips[number].drive(driven >> shift & _PINS, levels >> shift & _PINS)

    def _look_at_line(self) -> None:
        with self._lock:
            lines = {chip.line for number, chip in enumerate(self.chips) if number not in self._cut_off}
            # A chip that has lost its settings drives the wire high, and the open drains of the others lose.
            is_low = self._grounded or (
                not self.is_cut and InterruptLevel.LOW in lines and InterruptLevel.HIGH not in lines
            )
            if is_low != self._is_low:
                self._is_low = is_low
                self._tell(closed=is_low)


def _nobody(*, closed: bool) -> None:
    """No wire is soldered to the pins INTA."""
