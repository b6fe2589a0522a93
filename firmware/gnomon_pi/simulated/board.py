"""Assemble the emulated chips into the described board, with the real drivers on top."""

from collections.abc import Callable, Mapping
from typing import Final

from PIL.Image import Image

from gnomon_pi.config.description import BoardDescription, BuzzerWiring, Chain, Expanders, OnI2c, Reader, SpiDisplay
from gnomon_pi.drivers.assembly import Drivers, assemble
from gnomon_pi.drivers.libraries import Later
from gnomon_pi.drivers.pn532 import TagReader
from gnomon_pi.simulated.chips.code_scanner import SimulatedScanner
from gnomon_pi.simulated.chips.expander_wiring import SolderedExpanders
from gnomon_pi.simulated.chips.hc165_and_lights import Colour, Heard, LightStrip, Piezo, RegisterChain
from gnomon_pi.simulated.chips.i2c_bus import Chip, SimulatedI2C
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from gnomon_pi.simulated.chips.pn532 import Pn532, lay_on, uid_of
from gnomon_pi.simulated.chips.sh1106 import Sh1106
from gnomon_pi.simulated.chips.ssd1306 import Oled, SpiModule, Ssd1306, Ssd1309

_SECOND_US: Final = 1_000_000
_DISPLAYS: Final[Mapping[str, type[Oled]]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
_ACTIVE_BUZZER_HZ: Final = 2_300.0  # what those small black cans sound like


class SimulatedBoard:
    """A whole board in software: hands set its inputs, eyes and ears read its outputs, the daemon uses `drivers`.

    `now` tells microseconds, of the machine's clock or of virtual time; `later` calls a function after so many
    seconds of it. Inputs may be set from any thread.
    """

    def __init__(self, description: BoardDescription, *, now: Callable[[], int], later: Later) -> None:
        self.description = description
        sensors = description.sensors
        self.chain = RegisterChain(sensors) if isinstance(sensors, Chain) else None
        self.expanders = SolderedExpanders(sensors) if isinstance(sensors, Expanders) else None
        self.scanner = _scanner(description.reader, now)
        self.oled = _DISPLAYS[description.display.kind]() if description.display else Ssd1306()
        self._panel = SpiModule(self.oled)
        self.tags = Pn532()
        self.strip = LightStrip(description.lights.count if description.lights else 0)
        self.piezo = _piezo(description.buzzer)
        self._pins = {button.name: button.pin for button in description.buttons}
        self._pressed = dict.fromkeys(self._pins, False)
        self._stuck: dict[str, bool] = {}
        self._now = now
        self._factory = SimulatedFactory(chain=self.chain, ticks=lambda: now() / _SECOND_US)
        self._solder()
        self._later = later
        self.drivers = self.drivers_for(description)

    def drivers_for(self, description: BoardDescription) -> Drivers:
        """Drivers on the same chips for another description, as of one who does not know how they are wired."""
        return assemble(
            description,
            pin_factory=self._factory,
            i2c=self._i2c(),
            strip=self.strip if self.description.lights else None,
            reader=self.scanner,
            now=self._now,
            later=self._later,
            panel=self._panel,
            paced=False,
        )

    # Hands

    def set_input(self, name: str, value: bool) -> None:  # noqa: FBT001 - the value is what it is about
        """Make an input 0 or 1, as a magnet, a ring or a finger does. Raises KeyError when there is none."""
        if name in self._pins:
            self._pressed[name] = bool(value)
            if name not in self._stuck:
                self._factory.ground(self._pins[name], closed=bool(value))
        else:
            self._chips_of(name).set_input(name, value=bool(value))

    def inputs(self) -> dict[str, bool]:
        """What is there, whatever a faulty input reads."""
        return {name: self._chips_of(name).input(name) for name in self.description.inputs} | self._pressed

    def read_code(self, code: str) -> None:
        """Hold a tile with a code under the reader, or its tag above it.

        Raises KeyError for a character that no keyboard types, and for a code that no tag has.
        """
        if isinstance(self.drivers.reader, TagReader):
            lay_on(self.drivers.reader, self.tags, uid_of(code, self._codes()))
        else:
            self.scanner.read(code)

    # Eyes and ears

    def lights(self) -> tuple[Colour, ...]:
        """Red, green, blue of every light that shows something."""
        wiring, colours = self.description.lights, self.strip.colours
        return colours if wiring is None or not wiring.places else tuple(colours[number] for number in wiring.places)

    def display_image(self) -> Image:
        """The pixels of the display as a person sees them."""
        return self.oled.image()

    def sounds(self) -> tuple[Heard, ...]:
        """What the buzzer was heard to begin, oldest first."""
        return self.piezo.sounds

    # Faults

    def break_input(self, name: str, value: bool) -> None:  # noqa: FBT001 - the value is what it is about
        """An input shows the same whatever is done to it. Raises KeyError when there is none."""
        if name in self._pins:
            self._stuck[name] = bool(value)
            self._factory.ground(self._pins[name], closed=bool(value))
        else:
            self._chips_of(name).stick(name, value=bool(value))

    def break_sensors(self, register: int = 0, reads: int = 0) -> None:
        """The chain is broken in front of a register, counted from 0 at the Pi: 0 or 1 is read from there on.

        Of expanders, the one of that number does not answer any more.
        """
        if self.chain is not None:
            self.chain.break_wire(register, reads=reads)
        if self.expanders is not None:
            self.expanders.lose(register)

    def brown_out_sensors(self, chip: int = 0) -> None:
        """An expander loses its power for a moment, and with it its settings; shift registers have none."""
        if self.expanders is not None:
            self.expanders.brown_out(chip)

    def break_display(self) -> None:
        """The display does not answer any more."""
        self.oled.reachable = self._panel.connected = False

    def brown_out_display(self) -> None:
        """The display loses its power for a moment, and with it picture and settings."""
        self.oled.lose_power()

    def break_lights(self) -> None:
        """The bus of the lights fails."""
        self.strip.reachable = False

    def mend(self) -> None:
        """Take every fault away; the inputs show again what is there."""
        if self.chain is not None:
            self.chain.mend()
        if self.expanders is not None:
            self.expanders.mend()
        self.oled.reachable = self.strip.reachable = self.strip.powered = True
        self.oled.refuses_every = 0
        self._panel.connected = True
        self.tags.mend()
        stuck, self._stuck = self._stuck, {}
        for name in stuck:
            self._factory.ground(self._pins[name], closed=self._pressed[name])

    def close(self) -> None:
        """Close the drivers, as the daemon does when it stops."""
        self.drivers.close()
        self._factory.close()

    def _i2c(self) -> Mapping[int, SimulatedI2C]:
        """The I2C buses, with the chips on each."""
        chips: dict[int, dict[int, Chip]] = {}
        display, reader = self.description.display, self.description.reader
        if display is not None and isinstance(display.wires, OnI2c):
            chips.setdefault(display.wires.bus, {})[display.wires.address] = self.oled
        if reader is not None and reader.wires is not None:
            chips.setdefault(reader.wires.bus, {})[reader.wires.address] = self.tags
        if self.expanders is not None:
            for bus, address, chip in self.expanders.addressed_chips():
                chips.setdefault(bus, {})[address] = chip
        return {number: SimulatedI2C(there) for number, there in chips.items()}

    def _codes(self) -> Mapping[str, str]:
        return {} if self.description.reader is None else self.description.reader.codes

    def _chips_of(self, name: str) -> RegisterChain | SolderedExpanders:
        """The chips on which an input is. Raises KeyError when there are none."""
        soldered = self.chain or self.expanders
        if soldered is None:
            raise KeyError(name)
        return soldered

    def _solder(self) -> None:
        chain, expanders, sensors = self.chain, self.expanders, self.description.sensors
        buzzer = self.description.buzzer
        display = self.description.display
        if chain is not None and isinstance(sensors, Chain):
            self._factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
            if sensors.emitters is not None:
                dark = bool(sensors.emitters.active_low)
                self._factory.attach(sensors.emitters.pin, lambda level, _: chain.on_emitters(bool(level) is not dark))
        if expanders is not None and isinstance(sensors, Expanders):
            if sensors.interrupt is not None:
                expanders.wire_interrupt(self._factory.pin(sensors.interrupt).ground)
            if sensors.emitters is not None:
                self._factory.attach(sensors.emitters.pin, lambda level, _: expanders.on_emitters(level))
        if display is not None and isinstance(display.wires, SpiDisplay):
            self._factory.attach(display.wires.data_command, lambda level, _: self._panel.on_data_command(level))
            if display.wires.reset is not None:
                self._factory.attach(display.wires.reset, lambda level, _: self._panel.on_reset(level))
        if buzzer is not None:
            self._factory.attach(buzzer.pin, lambda level, frequency: self.piezo.on_pin(self._now(), level, frequency))


def _piezo(buzzer: BuzzerWiring | None) -> Piezo:
    if buzzer is None:
        return Piezo(own_tone=0.0)
    return Piezo(own_tone=_ACTIVE_BUZZER_HZ if buzzer.active else 0.0, active_low=bool(buzzer.active_low))


def _scanner(reader: Reader | None, now: Callable[[], int]) -> SimulatedScanner:
    """The reader of codes; where none is described, or one on a bus, a keyboard that nobody listens to."""
    return SimulatedScanner(now) if reader is None or reader.wires else SimulatedScanner(now, reader.kind, reader.codes)
