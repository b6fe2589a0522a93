"""Wire the chips of the inputs, and at each place the sensors (Hall switches or reflective eyes) with their plug."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon_pi.config.description import (
    BITS_PER_REGISTER,
    PINS_OF_A_REGISTER,
    Chain,
    Expanders,
    Output,
    Sensors,
)
from gnomon_pi.tools.wiring._catalogue import (
    ARTICLES,
    C10U,
    C470U,
    EYE,
    HALL_ANY,
    HALL_POLE,
    HC14,
    HC125,
    HC165,
    MCP23017,
    R10K,
    R47K,
    R100,
    R180,
    plug,
)
from gnomon_pi.tools.wiring._circuits import Buses, tie_off_buffers, wire_buffer, wire_switch
from gnomon_pi.tools.wiring._netlist import GND, IR, V3, V5, NetlistDraft, WiringError

BUFFER: Final = "UB"
CLOCK, LATCH, DATA = "CLK", "LATCH", "DATA"
INTERRUPT: Final = "INT"
_CHIPS_A_CAPACITOR: Final = 8
_FIRST_ADDRESS, _LAST_ADDRESS = 0x20, 0x27
# A pin of a description is the letter of a register (data sheets call it D0 or A), or the name of an expander's pin.
_REGISTER_PINS: Final = {name.rpartition("/")[2]: pin for pin, name in ARTICLES[HC165].pins.items() if name[0] == "D"}
_EXPANDER_PINS: Final = {name: pin for pin, name in ARTICLES[MCP23017].pins.items()}
_POLES: Final = ("north", "south")
_GATES: Final = (("1", "2"), ("3", "4"), ("5", "6"), ("9", "8"), ("11", "10"), ("13", "12"))
"""In and out of the six inverters of a 74HC14."""


# Input chips


def chip(number: int) -> str:
    """The reference of a register or an expander, which has the number that the daemon's messages give it."""
    return f"U{number}"


def input_pin(sensors: Sensors, name: str) -> tuple[str, str]:
    """The pin of the chip on which an input ends. Raises ValueError when the board does not have it."""
    place = sensors.place(name)
    pins = _REGISTER_PINS if isinstance(sensors, Chain) else _EXPANDER_PINS
    return chip(place.chip), pins[place.pin]


def wire_chain(draft: NetlistDraft, chain: Chain, buses: Buses) -> None:
    """The registers from the Pi to the canary, with the buffer of their clock and latch."""
    draft.header(V3, "17")
    draft.header(GND, "20", "25")
    for number in range(chain.registers):
        last = number == chain.registers - 1
        draft.add_chip(chip(number), HC165, "the canary" if last else f"register {number}", V3)
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


def wire_expanders(draft: NetlistDraft, expanders: Expanders, buses: Buses) -> None:
    """The expanders with their addresses and their common interrupt. Raises WiringError when one cannot be strapped."""
    draft.header(V3, "17")
    draft.header(GND, "20", "25")
    for number, wires in enumerate(expanders.chips):
        here = draft.add(chip(number), MCP23017, f"expander {number}, I2C{wires.bus}, 0x{wires.address:02X}")
        if not _FIRST_ADDRESS <= wires.address <= _LAST_ADDRESS:
            raise WiringError(statement("wiring.no_address", part=here, address=f"0x{wires.address:02X}"))
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


def _wire_lines(draft: NetlistDraft, chain: Chain, buses: Buses) -> None:
    draft.add_chip(BUFFER, HC125, "drives the clock and the latch of the chain", V3)
    draft.gpio(f"{LATCH}.pi", chain.latch)
    for number, (net, entry) in enumerate(((CLOCK, buses.clock(chain.spi_port)), (LATCH, f"{LATCH}.pi"))):
        wire_buffer(draft, BUFFER, number, GND, entry, f"{net}.out")
        draft.across(f"R{net}", R100, f"in series with {net}, beside {BUFFER}", f"{net}.out", net)
    tie_off_buffers(draft, BUFFER, 2, V3)
    draft.join(DATA, (chip(0), "9"))
    draft.across(f"R{DATA}", R100, f"in series with {DATA}, beside {chip(0)}", DATA, buses.data_in(chain.spi_port))


def _strap(draft: NetlistDraft, chain: Chain) -> None:
    """Wire the canary to its byte, and spare inputs to the level at which they are off: none may float."""
    canary = chain.registers - 1
    used = set(chain.bits)
    for bit in range(chain.registers * BITS_PER_REGISTER):
        register, pin = divmod(bit, BITS_PER_REGISTER)
        if bit in used:
            continue
        high = chain.canary >> pin & 1 if register == canary else chain.active_low
        draft.join(V3 if high else GND, (chip(register), _REGISTER_PINS[PINS_OF_A_REGISTER[pin]]))


def _wire_bulk(draft: NetlistDraft, chips: int) -> None:
    for number in range(0, chips, _CHIPS_A_CAPACITOR):
        last = min(number + _CHIPS_A_CAPACITOR, chips) - 1
        draft.across(f"C{chip(number)}", C10U, f"feeds {chip(number)} to {chip(last)}", V3, GND)


# Places


class Plug(NamedTuple):
    """A plug between the chips and what stands at one place or, where each place has one input, at those of a chip."""

    reference: str
    inputs: tuple[str, ...]
    lit: bool

    @property
    def rails(self) -> tuple[str, ...]:
        """What the first pins of the plug are."""
        return (V3, GND, V5, IR) if self.lit else (V3, GND)


def plugs(sensors: Sensors) -> tuple[Plug, ...]:
    """The plugs of a board, in the order of their inputs."""
    by_place = _group_names({name: name.rpartition(".")[0] for name in sensors.inputs})
    if all(len(names) == 1 for names in by_place.values()):
        ordered = sorted(sensors.inputs, key=lambda name: sensors.bits[sensors.inputs.index(name)])
        groups = _group_names({name: chip(sensors.place(name).chip) for name in ordered})
    else:
        groups = by_place
    strobed = {name for name, flag in zip(sensors.inputs, sensors.strobed, strict=True) if flag}
    return tuple(Plug(f"{group}.J", names, not strobed.isdisjoint(names)) for group, names in groups.items())


def wire_places(draft: NetlistDraft, sensors: Sensors) -> None:
    """Every sensor, its plug and its wire to a chip. Raises WiringError when strobed inputs have no emitters' pin."""
    strobed = dict(zip(sensors.inputs, sensors.strobed, strict=True))
    if sensors.emitters is not None:
        _wire_emitters(draft, sensors.emitters)
    elif any(strobed.values()):
        raise WiringError(statement("wiring.no_emitters", input=next(name for name in strobed if strobed[name])))
    inverters = _Inverters(draft)
    for each in plugs(sensors):
        draft.add(each.reference, plug(len(each.rails) + len(each.inputs)), f"to {_towards(each, sensors)}")
        for pin, rail in enumerate(each.rails, start=1):
            draft.join(rail, (each.reference, str(pin)))
        for pin, name in enumerate(each.inputs, start=len(each.rails) + 1):
            if strobed[name]:
                _wire_eye(draft, name, sensors)
                raw = name
            else:
                # These switches pull down. Where a one is wanted, an inverter turns it round.
                raw = name if sensors.active_low else f"{name}.low"
                _wire_hall(draft, name, raw)
            draft.join(raw, (each.reference, str(pin)))
            if raw != name:
                inverters.turn_round(raw, name)
            draft.join(name, input_pin(sensors, name))
    inverters.tie_off()


def _group_names(group_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for name, group in group_of.items():
        groups[group] = (*groups.get(group, ()), name)
    return groups


def _towards(each: Plug, sensors: Sensors) -> str:
    chips = dict.fromkeys(chip(sensors.place(name).chip) for name in each.inputs)
    return " and ".join(chips)


def _wire_hall(draft: NetlistDraft, name: str, net: str) -> None:
    pole = name.rpartition(".")[2]
    if pole in _POLES:
        how = "its marked side up" if pole == "south" else "turned over, its marked side down"
        draft.add(name, HALL_POLE, f"sees {pole}: {how}")
    else:
        draft.add(name, HALL_ANY, "sees a magnet")
    draft.feed(name, V3)
    draft.join(net, (name, "3"))
    draft.decouple(name, V3)


def _wire_eye(draft: NetlistDraft, name: str, sensors: Sensors) -> None:
    draft.add(name, EYE, "sees a ring" if ".ring" in name else "sees by its own light")
    draft.across(f"{name}.RA", R180, f"emitter of {name}", V5, f"{name}.light")
    draft.join(f"{name}.light", (name, "1"))
    draft.join(IR, (name, "2"))
    dark, lit, out, other = (V3, GND, "3", "4") if sensors.active_low else (GND, V3, "4", "3")
    if isinstance(sensors, Chain) or not sensors.active_low:  # An expander pulls up by itself, and never down.
        draft.across(f"{name}.RL", R47K, f"load of {name}", dark, name)
    draft.join(name, (name, out))
    draft.join(lit, (name, other))


def _wire_emitters(draft: NetlistDraft, emitters: Output) -> None:
    wire_switch(draft, "EMIT", IR, emitters, "the emitters")
    draft.across("CIR", C470U, "feeds the flash of the emitters", V5, GND)


class _Inverters:
    """As many 74HC14 as are needed."""

    def __init__(self, draft: NetlistDraft) -> None:
        self._draft = draft
        self._used = 0

    def turn_round(self, entry: str, out: str) -> None:
        """Wire the next inverter between two nets."""
        number, gate = divmod(self._used, len(_GATES))
        reference = f"UI{number}"
        if gate == 0:
            self._draft.add_chip(reference, HC14, "turns what the Hall switches say round", V3)
        for net, pin in zip((entry, out), _GATES[gate], strict=True):
            self._draft.join(net, (reference, pin))
        self._used += 1

    def tie_off(self) -> None:
        """Hold the inputs of inverters that nobody needs."""
        number, gate = divmod(self._used, len(_GATES))
        if gate:
            for entry, _ in _GATES[gate:]:
                self._draft.join(GND, (f"UI{number}", entry))
