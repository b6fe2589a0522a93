"""Talk to one MCP23017 expander, and say which expanders are lost.

Sections and tables are those of Microchip's data sheet DS20001952.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from gnomon.refusals import Statement, statement, together
from gnomon_pi.config.description import BITS_PER_EXPANDER, OUTPUTS_OF_AN_EXPANDER, Expanders, OnI2c
from gnomon_pi.drivers.libraries import I2cBus

# The addresses of port A with IOCON.BANK = 0 (table 3-3); port B's follow each, and a block read goes through both.
_IODIR: Final = 0x00
_INTF: Final = 0x0E  # followed by INTCAP and GPIO
_GPIO: Final = 0x12
_OLAT: Final = 0x14
_IOCON_OF_BANK_1: Final = 0x05

_IOCON: Final = 0x0A
_MIRROR_AND_ACTIVE_HIGH: Final = 0x42
_MIRROR_AND_OPEN_DRAIN: Final = 0x44  # both ports at either INT pin, and INT pins that may share a wire (3.5.6)
_PINS: Final = (1 << BITS_PER_EXPANDER) - 1
_PORTS: Final = (0x00FF, 0xFF00)
_OUTPUTS: Final = sum(1 << pin for pin in OUTPUTS_OF_AN_EXPANDER)

_SILENT: Final = "health.expander.silent"


class LostSettingsError(OSError):
    """A chip answers, but not with the settings that it was given."""


class View(NamedTuple):
    """What a chip shows: its active pins, and which of the strobed ones are active in the emitters' light and without.

    A strobed pin counts as active when it is so in that light and not without it.
    """

    active: int
    lit: int
    dazzled: int


_NOTHING: Final = View(0, 0, 0)


@dataclass(slots=True, eq=False)
class ExpanderChip:
    """One chip: what it is told, what it said last, and whether it is there. Masks of pins have GPA0 as lowest bit."""

    wires: OnI2c
    pins: tuple[tuple[int, int], ...]  # the pin of each input, as a mask, and the number of the input
    strobed: int  # the pins read with the emitters off and on
    active_low: bool
    has_interrupt: bool
    settings: bytes = b""  # IODIRA to GPPUB
    used: int = 0
    mask: int = 0  # its inputs
    shown: View = _NOTHING
    told: int = 0  # the pins of whose change the interrupt told, if they changed
    must_compare: bool = True  # the strobed pins, with and without the emitters' light
    read_at: int | None = None  # microseconds, as the two below
    read_in: int = 0  # the number of the scan
    trouble: Statement | None = None  # why it cannot be read
    checked_at: int | None = None  # when its settings stood
    reset_at: int | None = None  # when it was found without its settings
    names: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, sensors: Expanders, number: int) -> Self:
        """The chip of that number, counted from 0."""
        placed = [
            (1 << bit % BITS_PER_EXPANDER, each)
            for each, bit in enumerate(sensors.bits)
            if bit // BITS_PER_EXPANDER == number
        ]
        chip = cls(
            wires=sensors.chips[number],
            pins=tuple(placed),
            strobed=sum(pin for pin, each in placed if sensors.strobed[each]),
            active_low=sensors.active_low,
            has_interrupt=sensors.interrupt is not None,
            used=sum(pin for pin, _ in placed),
            mask=sum(1 << each for _, each in placed),
            names=tuple(sensors.inputs[each] for _, each in placed),
        )
        chip.settings = chip._settings()
        return chip

    @property
    def address(self) -> str:
        """Its address on the bus, as people write it."""
        return f"0x{self.wires.address:02X}"

    def __str__(self) -> str:
        return f"Expander {self.address} on I2C bus {self.wires.bus}"

    def inputs(self, pins: int = _PINS) -> tuple[int, ...]:
        """The numbers of its inputs, or of those at some pins."""
        return tuple(number for pin, number in self.pins if pin & pins)

    # On the bus

    def begin(self, bus: I2cBus) -> None:
        """Give the chip its settings, whatever it was told before. Raises OSError, LostSettingsError."""
        # Another program may have left it with BANK = 1, where IOCON stands here; else it is GPINTENB, set below.
        self._write(bus, _IOCON_OF_BANK_1, bytes(1))
        self._write(bus, _OLAT, bytes(2))  # before its pins become outputs
        self._write(bus, _IODIR, self.settings)
        self.must_compare = True
        self.check(bus)

    def check(self, bus: I2cBus) -> None:
        """See that the settings stand. Raises OSError, LostSettingsError."""
        if bytes(bus.read_i2c_block_data(self.wires.address, _IODIR, len(self.settings))) != self.settings:
            message = f"{self} does not keep its settings"
            raise LostSettingsError(message)

    def rest_low(self, bus: I2cBus) -> None:
        """Drive the pin INT low, as one that is high at an interrupt rests (INTPOL; table 3-6). Raises OSError."""
        self._write(bus, _IOCON, bytes((_MIRROR_AND_ACTIVE_HIGH,)))

    def rest_open(self, bus: I2cBus) -> None:
        """Let the pin INT go, as the settings have it. Raises OSError."""
        self._write(bus, _IOCON, bytes((_MIRROR_AND_OPEN_DRAIN,)))

    def port(self, bus: I2cBus) -> int:
        """The active pins: both ports in one transaction, which clears the interrupt too. Raises OSError."""
        return self._active(*bus.read_i2c_block_data(self.wires.address, _GPIO, 2))

    def told_port(self, bus: I2cBus) -> int:
        """The active pins as of `port`, noting in `told` for which of them the interrupt speaks. Raises OSError."""
        flags_a, flags_b, low, high, *seen = bus.read_i2c_block_data(self.wires.address, _INTF, 6)
        flags = flags_a | flags_b << 8
        # A port that has raised its interrupt flags nothing more (3.6.5): what INTCAP has as it was came after that.
        raised = sum(port for port in _PORTS if flags & port)
        later = raised & ~(self._active(low, high) ^ self.shown.active)
        self.told = (flags | later) & self.used & ~self.strobed
        return self._active(*seen)

    def _active(self, low: int, high: int) -> int:
        return ((low | high << 8) ^ (_PINS if self.active_low else 0)) & self.used

    def _write(self, bus: I2cBus, register: int, data: bytes) -> None:
        bus.write_i2c_block_data(self.wires.address, register, list(data))

    def _settings(self) -> bytes:
        """IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON and GPPU, each for both ports.

        Interrupts come from changes (INTCON 0) of the inputs that show something without the emitters. A pin with
        nothing on it is pulled up, so that it does not float.
        """
        inputs = _PINS & ~_OUTPUTS
        heard = self.used & ~self.strobed if self.has_interrupt else 0
        pulled = inputs if self.active_low else inputs & ~self.used
        iocon = _MIRROR_AND_OPEN_DRAIN | _MIRROR_AND_OPEN_DRAIN << 8
        return b"".join(each.to_bytes(2, "little") for each in (inputs, 0, heard, 0, 0, iocon, pulled))

    # What it said

    def wants_darkness(self, port: int) -> bool:
        """Whether what is seen in the emitters' light must be compared with what is seen without it."""
        is_new = self.must_compare or port & self.strobed != self.shown.lit or bool(self.shown.dazzled)
        return bool(self.strobed) and is_new

    def view(self, port: int, dark: int | None) -> View:
        """What the chip shows, by its active pins in the emitters' light and, if it was read there, in the dark."""
        lit = port & self.strobed
        dazzled = self.shown.dazzled if dark is None else dark & self.strobed
        latest = port if dark is None else dark
        return View(latest & ~self.strobed | lit & ~dazzled, lit, dazzled)

    def decode(self) -> int:
        """One bit an input, at its number in the order of all."""
        return sum(1 << number for pin, number in self.pins if self.shown.active & pin)

    def dazzled_names(self) -> list[str]:
        """The inputs on which foreign light falls."""
        return [name for name, (pin, _) in zip(self.names, self.pins, strict=True) if self.shown.dazzled & pin]


# What is said of chips that are lost


def lost_chips(chips: Sequence[ExpanderChip]) -> list[Statement]:
    """What is wrong with each lost chip, or with a bus on which none of several answers, and what is not seen."""
    reasons: dict[str, Statement] = {}
    names: dict[str, list[str]] = {}
    for chip in chips:
        why = trouble_of(chip, chips)
        if why is not None:
            reasons[why.message] = why
            names.setdefault(why.message, []).extend(chip.names)
    return [together((why, *_unseen(names[said]))) for said, why in reasons.items()]


def _unseen(names: Sequence[str]) -> Iterator[Statement]:
    if len(names) == 1:
        yield statement("health.expander.unseen.one", input=names[0])
    elif names:
        yield statement("health.expander.unseen.many", input=names[0], number=len(names) - 1)


def all_lost(chips: Sequence[ExpanderChip]) -> Statement:
    """What to look at when no chip is left."""
    reasons = {why.message: why for chip in chips if (why := trouble_of(chip, chips)) is not None}
    return together(reasons.values())


def trouble_of(chip: ExpanderChip, chips: Sequence[ExpanderChip]) -> Statement | None:
    """Why a chip cannot be read: it alone, or all of several on its bus."""
    number = chip.wires.bus
    neighbours = [each for each in chips if each.wires.bus == number]
    silent = [each for each in neighbours if each.trouble is not None and each.trouble.key == _SILENT]
    if len(neighbours) > 1 and len(silent) == len(neighbours):
        return statement("health.expander.none", number=len(neighbours), bus=number)
    return chip.trouble
