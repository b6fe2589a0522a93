"""Add the input chips to the netlist: a 74HC165 chain with its buffers, or MCP23017 expanders."""

from typing import Final

from gnomon_pi.config.description import (
    BITS_PER_REGISTER,
    PINS_OF_A_REGISTER,
    Chain,
    Expanders,
    Sensors,
)
from gnomon_pi.tools.wiring.buses import Buses
from gnomon_pi.tools.wiring.catalogue import ARTICLES, C10U, HC125, HC165, MCP23017, R10K, R100
from gnomon_pi.tools.wiring.netlist import GND, V3, Draft, WiringError

BUFFER: Final = "UB"
CLOCK, LATCH, DATA = "CLK", "LATCH", "DATA"
INTERRUPT: Final = "INT"
_CHIPS_A_CAPACITOR: Final = 8
_FIRST_ADDRESS, _LAST_ADDRESS = 0x20, 0x27

# A pin of a description is the letter of a register (data sheets call it D0 or A), or the name of an expander's pin.
_REGISTER_PINS: Final = {name.rpartition("/")[2]: pin for pin, name in ARTICLES[HC165].pins.items() if name[0] == "D"}
_EXPANDER_PINS: Final = {name: pin for pin, name in ARTICLES[MCP23017].pins.items()}
_BUFFERS: Final = (("1", "2", "3"), ("4", "5", "6"), ("10", "9", "8"), ("13", "12", "11"))
"""Enable (low), in and out of the four buffers of a 125."""


def chip(number: int) -> str:
    """The reference of a register or an expander, which has the number that the daemon's messages give it."""
    return f"U{number}"


def input_pin(sensors: Sensors, name: str) -> tuple[str, str]:
    """The pin of the chip on which an input ends. Raises ValueError when the board does not have it."""
    place = sensors.place(name)
    pins = _REGISTER_PINS if isinstance(sensors, Chain) else _EXPANDER_PINS
    return chip(place.chip), pins[place.pin]


def wire_chain(draft: Draft, chain: Chain, buses: Buses) -> None:
    """The registers from the Pi to the canary, with the buffer of their clock and latch."""
    draft.header(V3, "17")
    draft.header(GND, "20", "25")
    for number in range(chain.registers):
        last = number == chain.registers - 1
        draft.add(chip(number), HC165, "the canary" if last else f"register {number}")
        draft.feed(chip(number), V3)
        draft.decouple(chip(number), V3)
    _wire_bulk(draft, chain.registers)
    _wire_lines(draft, chain, buses)
    for number in range(chain.registers):
        here = chip(number)
        draft.join(CLOCK, (here, "2"))
        draft.join(LATCH, (here, "1"))
        draft.join(GND, (here, "15"))
        if number + 1 < chain.registers:
            draft.join(f"Q{number + 1}", (chip(number + 1), "9"), (here, "10"))
    draft.join(GND, (chip(chain.registers - 1), "10"))
    _strap(draft, chain)


def wire_expanders(draft: Draft, expanders: Expanders, buses: Buses) -> None:
    """The expanders with their addresses and their common interrupt. Raises WiringError when one cannot be strapped."""
    draft.header(V3, "17")
    draft.header(GND, "20", "25")
    for number, wires in enumerate(expanders.chips):
        here = draft.add(chip(number), MCP23017, f"expander {number}, I2C{wires.bus}, 0x{wires.address:02X}")
        if not _FIRST_ADDRESS <= wires.address <= _LAST_ADDRESS:
            message = f"{here}, an MCP23017, cannot have the address 0x{wires.address:02X}, only 0x20 to 0x27"
            raise WiringError(message)
        draft.feed(here, V3)
        draft.decouple(here, V3)
        nets = buses.i2c(wires, here)
        draft.join(nets.scl, (here, "12"))
        draft.join(nets.sda, (here, "13"))
        draft.join(V3, (here, "18"))
        for bit, pin in enumerate(("15", "16", "17")):
            draft.join(V3 if wires.address >> bit & 1 else GND, (here, pin))
    _wire_bulk(draft, len(expanders.chips))
    if expanders.interrupt is not None:
        draft.gpio(INTERRUPT, expanders.interrupt)
        draft.across("RINT", R10K, "pull-up of INT, which any expander pulls down", V3, INTERRUPT)
        draft.join(INTERRUPT, *((chip(number), "20") for number in range(len(expanders.chips))))


def tie_off_buffers(draft: Draft, reference: str, used: int, power: str) -> None:
    """Switch the buffers of a 125 off that nobody needs, and hold their inputs."""
    for enable, entry, _ in _BUFFERS[used:]:
        draft.join(power, (reference, enable))
        draft.join(GND, (reference, entry))


def wire_buffer(draft: Draft, reference: str, number: int, *nets: str) -> None:
    """Wire a buffer of a 125: its enable, which is on when low, its input and its output."""
    for net, pin in zip(nets, _BUFFERS[number], strict=True):
        draft.join(net, (reference, pin))


def _wire_lines(draft: Draft, chain: Chain, buses: Buses) -> None:
    draft.add(BUFFER, HC125, "drives the clock and the latch of the chain")
    draft.feed(BUFFER, V3)
    draft.decouple(BUFFER, V3)
    draft.gpio(f"{LATCH}.pi", chain.latch)
    for number, (net, entry) in enumerate(((CLOCK, buses.clock(chain.spi_port)), (LATCH, f"{LATCH}.pi"))):
        wire_buffer(draft, BUFFER, number, GND, entry, f"{net}.out")
        draft.across(f"R{net}", R100, f"in series with {net}, beside {BUFFER}", f"{net}.out", net)
    tie_off_buffers(draft, BUFFER, 2, V3)
    draft.join(DATA, (chip(0), "9"))
    draft.across(f"R{DATA}", R100, f"in series with {DATA}, beside {chip(0)}", DATA, buses.data_in(chain.spi_port))


def _strap(draft: Draft, chain: Chain) -> None:
    """Wire the canary to its byte, and spare inputs to the level at which they are off: none may float."""
    canary = chain.registers - 1
    used = set(chain.bits)
    for bit in range(chain.registers * BITS_PER_REGISTER):
        register, pin = divmod(bit, BITS_PER_REGISTER)
        if bit in used:
            continue
        high = chain.canary >> pin & 1 if register == canary else chain.active_low
        draft.join(V3 if high else GND, (chip(register), _REGISTER_PINS[PINS_OF_A_REGISTER[pin]]))


def _wire_bulk(draft: Draft, chips: int) -> None:
    for number in range(0, chips, _CHIPS_A_CAPACITOR):
        last = min(number + _CHIPS_A_CAPACITOR, chips) - 1
        draft.across(f"C{chip(number)}", C10U, f"feeds {chip(number)} to {chip(last)}", V3, GND)
