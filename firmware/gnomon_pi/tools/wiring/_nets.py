"""Build the netlist of a board from its description: buses, supply, input chips, places and devices.

Places have Hall switches or reflective eyes and their plugs; fuses are those of IEC 60127.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from gnomon.refusals import statement
from gnomon_pi.config.description import (
    BITS_PER_REGISTER,
    PINS_OF_A_REGISTER,
    BoardDescription,
    Button,
    BuzzerWiring,
    Chain,
    DisplayWiring,
    Expanders,
    LightsWiring,
    OnI2c,
    OnSpi,
    Output,
    Sensors,
    SpiDisplay,
)
from gnomon_pi.config.power import FIVE, budget, total_current
from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._catalogue import (
    AHCT125,
    ARTICLES,
    C10U,
    C100N,
    C470U,
    C1000U,
    EYE,
    HALL_ANY,
    HALL_POLE,
    HC14,
    HC125,
    HC165,
    I2C_1,
    MCP23017,
    MOSFET,
    R2K2,
    R10K,
    R47K,
    R100,
    R180,
    R330,
    SPI,
    plug,
)
from gnomon_pi.tools.wiring._netlist import FED, GND, IR, PI, V3, V5, Netlist, NetlistDraft, WiringError

FEED = "J5V"
FUSE = "FUSE"
# The row of IEC 60127.
_FUSES: Final = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0)
_MARGIN: Final = 1.25
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
_POLES: Final = ("north", "south")
_GATES: Final = (("1", "2"), ("3", "4"), ("5", "6"), ("9", "8"), ("11", "10"), ("13", "12"))
"""In and out of the six inverters of a 74HC14."""
SHIFTER: Final = "UL"
STRIP: Final = "STRIP"
DISPLAY: Final = "DISP"
READER: Final = "NFC"
BUZZER: Final = "BZ"
SAND_PLUG: Final = "JSAND"
SAND_EYE: Final = "QSAND"
SAND_LAMP: Final = "DSAND"


# Buses


class I2cNets(NamedTuple):
    """The nets of an I2C bus."""

    sda: str
    scl: str


class Buses:
    """The buses of one board, wired to the Pi as they are asked for."""

    def __init__(self, draft: NetlistDraft, description: BoardDescription) -> None:
        self._draft = draft
        self._pins = {1: I2C_1} | {bus.number: (bus.sda, bus.scl) for bus in description.buses}
        self._pulled_up: set[int] = set()
        self._on_spi = Counter(spi.port for spi in on_spi(description))
        self._addresses: dict[OnI2c, str] = {}

    def i2c(self, wires: OnI2c, reference: str) -> I2cNets:
        """The nets of a bus, for a device of that reference.

        Raises WiringError when the pins of the bus are not known or another device has the address.
        """
        if wires.bus not in self._pins:
            raise WiringError(statement("wiring.no_pins", bus=wires.bus, part=reference))
        if (other := self._addresses.setdefault(wires, reference)) != reference:
            address = f"0x{wires.address:02X}"
            raise WiringError(
                statement("wiring.same_address", part=reference, other=other, address=address, bus=wires.bus)
            )
        nets = I2cNets(f"SDA{wires.bus}", f"SCL{wires.bus}")
        pins = self._pins[wires.bus]
        for net, pin in zip(nets, pins, strict=True):
            self._draft.gpio(net, pin)
            if pin not in I2C_1 and wires.bus not in self._pulled_up:
                self._draft.across(f"R{net}", R2K2, f"pull-up of {net}", V3, net)
        self._pulled_up.add(wires.bus)
        return nets

    def clock(self, port: int) -> str:
        """The net of the clock of an SPI."""
        return self._line(port, "SCLK", SPI[port].sclk)

    def data_out(self, port: int) -> str:
        """The net of the data that the Pi sends."""
        return self._line(port, "MOSI", SPI[port].mosi)

    def data_in(self, port: int) -> str:
        """The net of the data that the Pi receives."""
        return self._line(port, "MISO", SPI[port].miso)

    def select(self, port: int, device: int) -> str:
        """The net of a chip select, low while the device is meant."""
        return self._line(port, f"CE{device}_", SPI[port].selects[device])

    def is_shared(self, port: int) -> bool:
        """Whether more than one device hangs on an SPI."""
        return self._on_spi[port] > 1

    def _line(self, port: int, name: str, gpio: int) -> str:
        net = f"{name}SPI{port}" if name.endswith("_") else f"{name}{port}"
        self._draft.gpio(net, gpio)
        return net


def on_spi(description: BoardDescription) -> list[OnSpi]:
    """What hangs on SPI."""
    devices = []
    sensors, lights, display = description.sensors, description.lights, description.display
    if isinstance(sensors, Chain):
        devices.append(OnSpi(sensors.spi_port, sensors.spi_device, sensors.clock_hz))
    if lights is not None:
        devices.append(OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz))
    if display is not None and isinstance(display.wires, SpiDisplay):
        devices.append(display.wires.spi)
    return devices


# The whole board


def netlist(description: BoardDescription) -> Netlist:
    """Every part and wire of a board. Raises WiringError when it cannot be wired."""
    draft = NetlistDraft()
    draft.add(PI, catalogue.PI, f"runs {description.board}")
    buses = Buses(draft, description)
    if has_own_feed(description):
        _wire_feed(draft, description)
    match description.sensors:
        case Chain() as chain:
            wire_chain(draft, chain, buses)
        case Expanders() as expanders:
            wire_expanders(draft, expanders, buses)
        case None:
            pass
    if description.sensors is not None:
        wire_places(draft, description.sensors)
    _wire_devices(draft, description, buses)
    return draft.finish()


def _wire_feed(draft: NetlistDraft, description: BoardDescription) -> None:
    draft.add(FEED, catalogue.FEED, "5 V from the supply of the board; the Pi has its own")
    draft.add(FUSE, catalogue.FUSE, f"{fuse(description)}, in the 5 V of the board")
    draft.join(FED, (FEED, "+"), (FUSE, "1"))
    draft.join(V5, (FUSE, "2"))
    draft.join(GND, (FEED, "-"))
    draft.header(GND, "39")  # One wire for the return of lights and emitters, as short and thick as it can be.


def _wire_devices(draft: NetlistDraft, description: BoardDescription, buses: Buses) -> None:
    if description.lights is not None:
        wire_lights(draft, description.lights, buses)
    if description.display is not None:
        wire_display(draft, description.display, buses)
    if description.reader is not None and description.reader.wires is not None:
        wire_reader(draft, description.reader.wires, buses)
    if description.buzzer is not None:
        wire_buzzer(draft, description.buzzer, own_feed=has_own_feed(description))
    for button in description.buttons:
        wire_button(draft, button)
    if description.sand_light is not None:
        wire_sand_light(draft, description.sand_light)


# Supply


def has_own_feed(description: BoardDescription) -> bool:
    """Whether the board has a 5 V supply of its own, for what is too much for the Pi's pins."""
    strobed = description.sensors is not None and any(description.sensors.strobed)
    return description.lights is not None or strobed


def fuse(description: BoardDescription) -> str:
    """The fuse that carries all that draws from 5 V, with a quarter to spare, such as `4 A`."""
    amperes = total_current(budget(description), FIVE) * _MARGIN / 1000
    return f"{next((size for size in _FUSES if size >= amperes), _FUSES[-1]):g} A"


# Switches


def wire_switch(draft: NetlistDraft, name: str, load: str, output: Output, purpose: str) -> None:
    """Pull the net `load` to ground while the output is on; until the Pi has started it is off.

    An output that is on when low has a second transistor in front. One of which nobody has found out yet is wired as
    on when high, as most are.
    """
    draft.add(f"Q{name}", MOSFET, f"switches {purpose}")
    draft.join(GND, (f"Q{name}", "2"))
    draft.join(load, (f"Q{name}", "3"))
    gate = f"{name}.gate"
    if not output.active_low:
        _wire_gate(draft, name, output.pin, off=GND)
        return
    draft.join(gate, (f"Q{name}", "1"))
    draft.across(f"R{name}.up", R10K, f"switches Q{name} on", V3, gate)
    turned = f"{name}.low"
    draft.add(f"Q{turned}", MOSFET, f"turns the pin of {purpose} round")
    draft.join(GND, (f"Q{turned}", "2"))
    draft.join(gate, (f"Q{turned}", "3"))
    _wire_gate(draft, turned, output.pin, off=V3)


def _wire_gate(draft: NetlistDraft, name: str, pin: int, off: str) -> None:
    draft.gpio(name, pin)
    draft.across(f"R{name}", R100, f"in series with the gate of Q{name}", name, f"{name}.gate")
    draft.join(f"{name}.gate", (f"Q{name}", "1"))
    draft.across(f"R{name}.off", R10K, f"keeps Q{name} in its place while the Pi starts", off, f"{name}.gate")


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


def tie_off_buffers(draft: NetlistDraft, reference: str, used: int, power: str) -> None:
    """Switch the buffers of a 125 off that nobody needs, and hold their inputs."""
    for enable, entry, _ in _BUFFERS[used:]:
        draft.join(power, (reference, enable))
        draft.join(GND, (reference, entry))


def wire_buffer(draft: NetlistDraft, reference: str, number: int, *nets: str) -> None:
    """Wire a buffer of a 125: its enable, which is on when low, its input and its output."""
    for net, pin in zip(nets, _BUFFERS[number], strict=True):
        draft.join(net, (reference, pin))


def _wire_lines(draft: NetlistDraft, chain: Chain, buses: Buses) -> None:
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
            self._draft.add(reference, HC14, "turns what the Hall switches say round")
            self._draft.feed(reference, V3)
            self._draft.decouple(reference, V3)
        for net, pin in zip((entry, out), _GATES[gate], strict=True):
            self._draft.join(net, (reference, pin))
        self._used += 1

    def tie_off(self) -> None:
        """Hold the inputs of inverters that nobody needs."""
        number, gate = divmod(self._used, len(_GATES))
        if gate:
            for entry, _ in _GATES[gate:]:
                self._draft.join(GND, (f"UI{number}", entry))


# Devices


def wire_lights(draft: NetlistDraft, lights: LightsWiring, buses: Buses) -> None:
    """The strip behind its level shifter, which listens to its chip select where the bus has other devices."""
    draft.header(GND, "39")
    draft.add(SHIFTER, AHCT125, "lifts data and clock of the lights from 3.3 V to 5 V")
    draft.feed(SHIFTER, V5)
    draft.decouple(SHIFTER, V5)
    draft.add(STRIP, catalogue.STRIP, f"{lights.count} lights")
    draft.feed(STRIP, V5)
    shared = buses.is_shared(lights.spi_port)
    enable = buses.select(lights.spi_port, lights.spi_device) if shared else GND
    lines = (("DI", buses.data_out(lights.spi_port)), ("CI", buses.clock(lights.spi_port)))
    for number, (pad, entry) in enumerate(lines):
        wire_buffer(draft, SHIFTER, number, enable, entry, f"{pad}.out")
        draft.across(f"R{pad}", R100, f"in series with {pad}, beside {SHIFTER}", f"{pad}.out", pad)
        draft.join(pad, (STRIP, pad))
        if shared:
            draft.across(f"R{pad}.off", R10K, f"holds {pad} while others use the bus", pad, GND)
    tie_off_buffers(draft, SHIFTER, len(lines), V5)
    draft.across(f"C{STRIP}", C1000U, f"at the feed of {STRIP}", V5, GND)


def wire_display(draft: NetlistDraft, display: DisplayWiring, buses: Buses) -> None:
    """The module of the display, on I2C or on SPI."""
    draft.header(V3, "1")
    draft.header(GND, "6")
    if isinstance(display.wires, SpiDisplay):
        _wire_spi_display(draft, display.kind, display.wires, buses)
        return
    draft.add(DISPLAY, catalogue.OLED_I2C, f"{display.kind.upper()}, 0x{display.wires.address:02X}")
    _wire_i2c_module(draft, DISPLAY, display.wires, buses)


def wire_reader(draft: NetlistDraft, wires: OnI2c, buses: Buses) -> None:
    """The reader of tags."""
    draft.header(V3, "1")
    draft.header(GND, "9")
    draft.add(READER, catalogue.PN532, f"reads the tags under the tiles, 0x{wires.address:02X}")
    _wire_i2c_module(draft, READER, wires, buses)


def wire_buzzer(draft: NetlistDraft, buzzer: BuzzerWiring, *, own_feed: bool) -> None:
    """A passive piezo on its pin, or an active buzzer behind a transistor, at the Pi's 5 V if there are no others."""
    draft.header(GND, "34")
    if not buzzer.active:
        draft.add(BUZZER, catalogue.PIEZO, "plays the notes")
        draft.gpio("TONE", buzzer.pin)
        draft.across("RTONE", R100, "in series with the piezo", "TONE", "TONE.out")
        draft.join("TONE.out", (BUZZER, "1"))
        draft.join(V3 if buzzer.active_low else GND, (BUZZER, "2"))
        if buzzer.active_low:
            draft.header(V3, "1")
        return
    if not own_feed:
        draft.header(V5, "2")
    draft.add(BUZZER, catalogue.BUZZER, "sounds")
    draft.join(V5, (BUZZER, "+"))
    draft.join("BZ.low", (BUZZER, "-"))
    draft.add("DBZ", catalogue.DIODE, "across the buzzer, its ring at 5 V")
    draft.join(V5, ("DBZ", "K"))
    draft.join("BZ.low", ("DBZ", "A"))
    wire_switch(draft, "TONE", "BZ.low", Output(buzzer.pin, buzzer.active_low), "the buzzer")


def wire_button(draft: NetlistDraft, button: Button) -> None:
    """A button that closes its pin to ground; the pull-up is the Pi's own."""
    draft.header(GND, "30")
    name = button.name.removeprefix("button.")
    key = draft.add(f"S.{name}", catalogue.BUTTON, name)
    draft.gpio(button.name, button.pin)
    draft.across(f"{key}.R", R330, f"in series with {key}", button.name, f"{button.name}.key")
    draft.join(f"{button.name}.key", (key, "1"))
    draft.join(GND, (key, "2"))


def wire_sand_light(draft: NetlistDraft, sensor: Button) -> None:
    """The light barrier at the neck of a glass that is being measured, on a plug: games do not need it."""
    draft.header(V3, "1")
    draft.header(GND, "14")
    draft.add(SAND_PLUG, catalogue.plug(3), "to the neck of the glass that is measured; pull it for games")
    for pin, rail in enumerate((V3, GND), start=1):
        draft.join(rail, (SAND_PLUG, str(pin)))
    draft.gpio(sensor.name, sensor.pin)
    draft.join(sensor.name, (SAND_PLUG, "3"))
    draft.across("RSAND.up", R10K, f"pull-up of {sensor.name}", V3, sensor.name)
    draft.add(SAND_EYE, catalogue.IR_EYE, "on one side of the neck, sees through it when the sand has run")
    draft.feed(SAND_EYE, V3)
    draft.join(sensor.name, (SAND_EYE, "C"))
    draft.across("RSAND", R100, f"emitter of {SAND_LAMP}", V3, "SAND.lamp")
    draft.add(SAND_LAMP, catalogue.IR_LIGHT, "on the other side of the neck, lights the eye")
    draft.join("SAND.lamp", (SAND_LAMP, "A"))
    draft.join(GND, (SAND_LAMP, "K"))


def _wire_i2c_module(draft: NetlistDraft, reference: str, wires: OnI2c, buses: Buses) -> None:
    draft.feed(reference, V3)
    nets = buses.i2c(wires, reference)
    draft.join(nets.sda, (reference, "SDA"))
    draft.join(nets.scl, (reference, "SCL"))


def _wire_spi_display(draft: NetlistDraft, kind: str, wires: SpiDisplay, buses: Buses) -> None:
    port, device = wires.spi.port, wires.spi.device
    draft.add(DISPLAY, catalogue.OLED_SPI, f"{kind.upper()}, SPI{port}, CE{device}")
    draft.feed(DISPLAY, V3)
    draft.join(buses.clock(port), (DISPLAY, "D0"))
    draft.join(buses.data_out(port), (DISPLAY, "D1"))
    draft.join(buses.select(port, device), (DISPLAY, "CS"))
    draft.gpio("DISP.DC", wires.data_command)
    draft.join("DISP.DC", (DISPLAY, "DC"))
    draft.join("DISP.RES", (DISPLAY, "RES"))
    if wires.reset is not None:
        draft.gpio("DISP.RES", wires.reset)
        return
    # Without a pin of its own the display is reset by the rise of its supply: 10 kΩ × 100 nF are 1 ms.
    draft.across("RRES", R10K, "lifts RES after the supply has come up", V3, "DISP.RES")
    draft.across("CRES", C100N, "holds RES down while the supply comes up", "DISP.RES", GND)
