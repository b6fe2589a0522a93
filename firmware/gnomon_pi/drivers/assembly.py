"""The only place that builds a board's drivers from its description, on real wires or emulated ones."""

from collections.abc import Callable
from typing import NamedTuple

from gnomon_pi.description import BoardDescription, Chain
from gnomon_pi.drivers.buttons import Buttons
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.display import Display
from gnomon_pi.drivers.hc165 import ShiftRegisters
from gnomon_pi.drivers.libraries import I2cBus, Later, PinFactory, SpiWriter
from gnomon_pi.drivers.lights import Lights
from gnomon_pi.drivers.protocols import ReaderDriver


class Drivers(NamedTuple):
    """Everything through which the daemon senses and shows; what a board lacks is None."""

    sensors: ShiftRegisters | None
    buttons: Buttons
    display: Display | None
    lights: Lights | None
    sound: Buzzer | None
    reader: ReaderDriver | None = None

    def close(self) -> None:
        """Darken, silence and let everything go."""
        for driver in self:
            if driver is not None:
                driver.close()


def assemble(  # noqa: PLR0913 - each wire is an argument
    description: BoardDescription,
    *,
    pin_factory: PinFactory,
    i2c: I2cBus | None,
    strip: SpiWriter | None,
    reader: ReaderDriver | None,
    now: Callable[[], int],
    later: Later,
) -> Drivers:
    """The drivers of a board; nothing is sent yet.

    `i2c` and `strip` are the buses of the display and of the lights, and `reader` what reads codes: None when there
    are none; `now` tells microseconds of CLOCK_MONOTONIC_RAW; `later` plays the notes.
    """
    sensors, display, lights, sound = description.sensors, None, None, None
    if description.display is not None and i2c is not None:
        display = Display(description.display, bus=i2c, now=now)
    if description.lights is not None and strip is not None:
        lights = Lights(description.lights, transport=strip)
    if description.buzzer is not None:
        sound = Buzzer(description.buzzer, pin_factory=pin_factory, later=later)
    return Drivers(
        sensors=ShiftRegisters(sensors, pin_factory=pin_factory) if isinstance(sensors, Chain) else None,
        buttons=Buttons(description.buttons, pin_factory=pin_factory, now=now),
        display=display,
        lights=lights,
        sound=sound,
        reader=reader,
    )
