"""Build a board's drivers from its description, on real or emulated buses and pins."""

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, assert_never

from gnomon_pi.config import description as wired
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, OnI2c, Sensors, SpiDisplay
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers._display import Display, DisplayWires, OverI2c, OverSpi
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers._lights import Lights
from gnomon_pi.drivers._shared_bus import SharedBus
from gnomon_pi.drivers.buzzer import Buzzer
from gnomon_pi.drivers.libraries import I2cBus, Later, PinFactory, SpiWriter
from gnomon_pi.drivers.protocols import ReaderDriver

if TYPE_CHECKING:
    from gnomon_pi.drivers._expander_bank import (
        ExpanderBank,  # as TagReader, only where a board is described to have some
    )


class Drivers(NamedTuple):
    """Everything through which the daemon senses and shows; what a board lacks is None."""

    sensors: "ShiftRegisters | ExpanderBank | None"
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
    i2c: Mapping[int, I2cBus],
    strip: SpiWriter | None,
    reader: ReaderDriver | None,
    now: Callable[[], int],
    later: Later,
    panel: SpiWriter | None = None,
    paced: bool = True,
) -> Drivers:
    """The drivers of a board; nothing is sent yet.

    `i2c` are the I2C buses by their numbers, those of `buses_of`; `strip` is the bus of the lights, `panel` that of a
    display on SPI, and `reader` what reads codes from a device of Linux: None when there are none. `now` tells
    microseconds of CLOCK_MONOTONIC_RAW; `later` plays the notes; `paced` gives a reader of tags a thread of its own,
    and eyes the time to settle; without it someone has to take the reader's steps, and nothing is waited for.
    """
    display, lights, sound = None, None, None
    shared = {number: SharedBus(bus) for number, bus in i2c.items()}
    if description.display is not None and (wires := _display_wires(description.display, shared, panel, pin_factory)):
        display = Display(description.display, wires=wires, now=now)
    if description.reader is not None and description.reader.wires is not None:
        from gnomon_pi.drivers.pn532 import TagReader

        on = description.reader.wires
        reader = TagReader(on, bus=shared[on.bus].user(), now=now, paced=paced)
    if description.lights is not None and strip is not None:
        lights = Lights(description.lights, transport=strip)
    if description.buzzer is not None:
        sound = Buzzer(description.buzzer, pin_factory=pin_factory, later=later)
    return Drivers(
        sensors=_sensors(description.sensors, pin_factory, shared, now, time.sleep if paced else _do_not_wait),
        buttons=Buttons(description.buttons, pin_factory=pin_factory, now=now),
        display=display,
        lights=lights,
        sound=sound,
        reader=reader,
    )


def buses_of(description: BoardDescription) -> Mapping[int, tuple[str, ...]]:
    """The I2C buses that a board's drivers use, by their numbers, and what hangs on each."""
    users: list[tuple[int, str]] = []
    if description.display is not None and isinstance(description.display.wires, OnI2c):
        users.append((description.display.wires.bus, "the display"))
    if description.reader is not None and description.reader.wires is not None:
        users.append((description.reader.wires.bus, "the reader"))
    if isinstance(description.sensors, Expanders):
        users += [(chip.bus, "the expanders") for chip in description.sensors.chips]
    return {number: tuple(dict.fromkeys(what for bus, what in users if bus == number)) for number, _ in sorted(users)}


def _display_wires(
    display: wired.DisplayWiring, buses: Mapping[int, SharedBus], panel: SpiWriter | None, pin_factory: PinFactory
) -> DisplayWires | None:
    match display.wires:
        case OnI2c() as where:
            return OverI2c(buses[where.bus].user(), where)
        case SpiDisplay():
            return None if panel is None else OverSpi(panel, display.wires, pin_factory=pin_factory)
        case _:
            assert_never(display.wires)


def _do_not_wait(_seconds: float) -> None:
    """Nothing has to settle on emulated chips."""


def _sensors(
    sensors: Sensors | None,
    pin_factory: PinFactory,
    buses: Mapping[int, SharedBus],
    now: Callable[[], int],
    pause: Callable[[float], None],
) -> "ShiftRegisters | ExpanderBank | None":
    match sensors:
        case None:
            return None
        case Chain():
            return ShiftRegisters(sensors, pin_factory=pin_factory, pause=pause)
        case Expanders():
            from gnomon_pi.drivers._expander_bank import ExpanderBank

            wires = {number: buses[number].user() for number in sorted({chip.bus for chip in sensors.chips})}
            return ExpanderBank(sensors, pin_factory=pin_factory, buses=wires, now=now, pause=pause)
        case _:
            assert_never(sensors)
