"""Connect a board's simulated inputs to emulated MCP23017 expanders and their shared interrupt wire."""

from collections.abc import Iterator
from threading import RLock
from typing import Final, Protocol

from gnomon_pi.config.description import BITS_PER_EXPANDER, Expanders
from gnomon_pi.simulated.chips._mcp23017 import InterruptLevel, Mcp23017

_PINS: Final = (1 << BITS_PER_EXPANDER) - 1


class Tell(Protocol):
    """Told when a wire is pulled to ground or let go."""

    def __call__(self, *, closed: bool) -> None:
        """It is pulled to ground, or not."""
        ...


class SolderedExpanders:
    """MCP23017 expanders and what is soldered to them.

    `set_input` says what is there; what is read depends on the emitters, on foreign light, on the settings of the
    chips and on the faults. Switches that are active low have open collectors: they need the chip's pull-up.
    """

    def __init__(self, sensors: Expanders) -> None:
        self._sensors = sensors
        self._bits = {name: 1 << bit for name, bit in zip(sensors.inputs, sensors.bits, strict=True)}
        self._used = sum(self._bits.values())
        self._strobed = sum(1 << bit for bit, strobed in zip(sensors.bits, sensors.strobed, strict=True) if strobed)
        self._lock = RLock()  # Hands and the scan have threads of their own.
        self._tell: Tell = _nobody
        self._present = self._stuck_on = self._stuck_off = self._dazzled = 0
        self._driven = self._levels = 0  # a bit a pin, of all chips
        self._shine = self._is_low = False
        self.is_cut = self._grounded = False
        self.chips = tuple(Mcp23017(self._lock) for _ in sensors.chips)
        for chip in self.chips:
            chip.told = self._look_at_line
        self._drive()

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

    def set_input(self, name: str, *, value: bool) -> None:
        """Make an input active or not. Raises KeyError when no chip has it."""
        bit = self._bits[name]
        self._change(present=self._present | bit if value else self._present & ~bit)

    def input(self, name: str) -> bool:
        """Whether an input is active, whatever is read."""
        return bool(self._present & self._bits[name])

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

    def stick(self, name: str, *, value: bool) -> None:
        """An input shows the same for ever. Raises KeyError when no chip has it."""
        bit = self._bits[name]
        self._change(
            stuck_on=self._stuck_on | bit if value else self._stuck_on & ~bit,
            stuck_off=self._stuck_off & ~bit if value else self._stuck_off | bit,
        )

    def dazzle(self, name: str) -> None:
        """Foreign light falls on a strobed input: it is active whether the emitters shine or not."""
        self._change(dazzled=self._dazzled | self._bits[name] & self._strobed)

    def cut_interrupt(self) -> None:
        """The wire of the interrupts is broken: it stays high."""
        self.is_cut = True
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
        self._change(stuck_on=0, stuck_off=0, dazzled=0)
        self._look_at_line()

    def _change(self, **what: int) -> None:
        with self._lock:
            for name, value in what.items():
                setattr(self, f"_{name}", value)
            self._drive()

    def _drive(self) -> None:
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
            lines = {chip.line for chip in self.chips}
            # A chip that has lost its settings drives the wire high, and the open drains of the others lose.
            is_low = self._grounded or (
                not self.is_cut and InterruptLevel.LOW in lines and InterruptLevel.HIGH not in lines
            )
            if is_low != self._is_low:
                self._is_low = is_low
                self._tell(closed=is_low)


def _nobody(*, closed: bool) -> None:
    """No wire is soldered to the pins INTA."""
