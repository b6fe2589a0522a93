"""Build the netlist of a board from its description: supply, sensors and devices.

Fuses are those of IEC 60127.
"""

from typing import Final

from gnomon_pi.config.description import (
    BoardDescription,
    Button,
    BuzzerWiring,
    Chain,
    DisplayWiring,
    Expanders,
    LightsWiring,
    OnI2c,
    Output,
    SpiDisplay,
)
from gnomon_pi.config.power import FIVE, budget, total_current
from gnomon_pi.tools.wiring import _catalogue as catalogue
from gnomon_pi.tools.wiring._catalogue import (
    AHCT125,
    C100N,
    C1000U,
    R10K,
    R100,
    R330,
)
from gnomon_pi.tools.wiring._circuits import Buses, tie_off_buffers, wire_buffer, wire_switch
from gnomon_pi.tools.wiring._netlist import FED, GND, PI, V3, V5, Netlist, NetlistDraft
from gnomon_pi.tools.wiring._places import wire_chain, wire_expanders, wire_places

FEED = "J5V"
FUSE = "FUSE"
# The row of IEC 60127.
_FUSES: Final = (1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0)
_MARGIN: Final = 1.25
SHIFTER: Final = "UL"
STRIP: Final = "STRIP"
DISPLAY: Final = "DISP"
READER: Final = "NFC"
BUZZER: Final = "BZ"
SAND_PLUG: Final = "JSAND"
SAND_EYE: Final = "QSAND"
SAND_LAMP: Final = "DSAND"


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


# Devices


def wire_lights(draft: NetlistDraft, lights: LightsWiring, buses: Buses) -> None:
    """The strip behind its level shifter, which listens to its chip select where the bus has other devices."""
    draft.header(GND, "39")
    draft.add_chip(SHIFTER, AHCT125, "lifts data and clock of the lights from 3.3 V to 5 V", V5)
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
