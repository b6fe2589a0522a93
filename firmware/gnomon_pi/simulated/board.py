"""The only place that puts the emulated chips together as the described board, under the real drivers."""

from collections.abc import Callable
from typing import Final

from PIL.Image import Image

from gnomon_pi.description import BoardDescription, Chain, OnI2c
from gnomon_pi.drivers.assembly import assemble
from gnomon_pi.drivers.libraries import Later
from gnomon_pi.simulated.bus import SimulatedI2C
from gnomon_pi.simulated.chips import Colour, Heard, LightStrip, Piezo, RegisterChain
from gnomon_pi.simulated.factory import SimulatedFactory
from gnomon_pi.simulated.oled import Ssd1306
from gnomon_pi.simulated.scanner import SimulatedScanner

_SECOND_US: Final = 1_000_000
_ACTIVE_BUZZER_HZ: Final = 2_300.0  # what those small black cans sound like


class SimulatedBoard:
    """A whole board in software: hands set its inputs, eyes and ears read its outputs, the daemon uses `drivers`.

    `now` tells microseconds, of the machine's clock or of virtual time; `later` calls a function after so many
    seconds of it. Inputs may be set from any thread.
    """

    def __init__(self, description: BoardDescription, *, now: Callable[[], int], later: Later) -> None:
        self.description = description
        self.chain = RegisterChain(description.sensors) if isinstance(description.sensors, Chain) else None
        self.scanner = SimulatedScanner(now)
        self.oled = Ssd1306()
        self.strip = LightStrip(description.lights.count if description.lights else 0)
        self.piezo = Piezo(own_tone=_ACTIVE_BUZZER_HZ)
        self._pins = {button.name: button.pin for button in description.buttons}
        self._pressed = dict.fromkeys(self._pins, False)
        self._stuck: dict[str, bool] = {}
        self._now = now
        self._factory = SimulatedFactory(chain=self.chain, ticks=lambda: now() / _SECOND_US)
        self._solder()
        self.drivers = assemble(
            description,
            pin_factory=self._factory,
            i2c=self._i2c(),
            strip=self.strip if description.lights else None,
            reader=self.scanner,
            now=now,
            later=later,
        )

    # Hands

    def set_input(self, name: str, value: bool) -> None:  # noqa: FBT001 - the value is what it is about
        """Make an input 0 or 1, as a magnet, a ring or a finger does. Raises KeyError when there is none."""
        if name in self._pins:
            self._pressed[name] = bool(value)
            if name not in self._stuck:
                self._factory.ground(self._pins[name], closed=bool(value))
        else:
            self._soldered(name).set_input(name, value=bool(value))

    def inputs(self) -> dict[str, bool]:
        """What is there, whatever a faulty input reads."""
        return {name: self._soldered(name).input(name) for name in self.description.inputs} | self._pressed

    def read_code(self, code: str) -> None:
        """Hold a tile with a code under the reader. Raises KeyError for a character that no keyboard types."""
        self.scanner.type(code)

    # Eyes and ears

    def lights(self) -> tuple[Colour, ...]:
        """Red, green, blue of every light."""
        return self.strip.colours

    def display_image(self) -> Image:
        """The pixels of the display as a person sees them."""
        return self.oled.image()

    def sounds(self) -> tuple[Heard, ...]:
        """What the buzzer was heard to begin, oldest first."""
        return self.piezo.heard

    # Faults

    def break_input(self, name: str, value: bool) -> None:  # noqa: FBT001 - the value is what it is about
        """An input shows the same whatever is done to it. Raises KeyError when there is none."""
        if name in self._pins:
            self._stuck[name] = bool(value)
            self._factory.ground(self._pins[name], closed=bool(value))
        else:
            self._soldered(name).stick(name, value=bool(value))

    def break_sensors(self, register: int = 0, reads: int = 0) -> None:
        """The chain is broken in front of a register, counted from 0 at the Pi: 0 or 1 is read from there on."""
        if self.chain is not None:
            self.chain.break_wire(register, reads=reads)

    def break_display(self) -> None:
        """The display does not answer any more."""
        self.oled.reachable = False

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
        self.oled.reachable = self.strip.reachable = self.strip.powered = True
        self.oled.refuses_every = 0
        stuck, self._stuck = self._stuck, {}
        for name in stuck:
            self._factory.ground(self._pins[name], closed=self._pressed[name])

    def close(self) -> None:
        """Close the drivers, as the daemon does when it stops."""
        self.drivers.close()
        self._factory.close()

    def _i2c(self) -> SimulatedI2C | None:
        display = self.description.display
        if display is None or not isinstance(display.wires, OnI2c):
            return None
        return SimulatedI2C({display.wires.address: self.oled})

    def _soldered(self, name: str) -> RegisterChain:
        """The chain on which an input is. Raises KeyError when there is none."""
        if self.chain is None:
            raise KeyError(name)
        return self.chain

    def _solder(self) -> None:
        chain, sensors, buzzer = self.chain, self.description.sensors, self.description.buzzer
        if chain is not None and isinstance(sensors, Chain):
            self._factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
            if sensors.emitters is not None:
                self._factory.attach(sensors.emitters.pin, lambda level, _: chain.on_emitters(level))
        if buzzer is not None:
            self._factory.attach(buzzer.pin, lambda level, frequency: self.piezo.on_pin(self._now(), level, frequency))
