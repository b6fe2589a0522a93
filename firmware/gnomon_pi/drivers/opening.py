"""The only place that opens the devices of a real Raspberry Pi.

The libraries are imported here and only when a board description asks for them, so that everything else runs on
any machine.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from gnomon_pi.description import BoardDescription, Lights, OnI2c
from gnomon_pi.drivers.assembly import Drivers, assemble
from gnomon_pi.drivers.libraries import I2cBus, Later, PinFactory, SpiWriter, failures
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.drivers.reader import CodeReader

# gpiozero's own search for a factory falls back silently; here the one that is configured works or the daemon stops.
_FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
}
_MISSING: Final = "The library {library} is missing ({error}): install the extra gnomon[pi]."


def open_devices(description: BoardDescription, *, now: Callable[[], int], later: Later) -> Drivers:
    """The drivers of the board that is wired to this machine.

    Raises DriverError with one sentence when a library, a bus or a right is missing. A device that is only broken
    is found when it is used: a dark display must not stop a game.
    """
    pin_factory = _pin_factory(description.pins)
    display, lights, reader = description.display, description.lights, description.reader
    return assemble(
        description,
        pin_factory=pin_factory,
        i2c=_i2c(display.wires.bus) if display is not None and isinstance(display.wires, OnI2c) else None,
        strip=None if lights is None else _spi(lights),
        reader=None if reader is None else CodeReader(reader, now=now),
        now=now,
        later=later,
    )


def _pin_factory(name: str) -> PinFactory:
    module, factory = _FACTORIES[name]
    try:
        return cast("PinFactory", getattr(import_module(module), factory)())
    except ImportError as error:
        raise DriverError(_MISSING.format(library=name, error=error)) from error
    # RPi.GPIO answers with RuntimeError already when it is imported on another machine.
    except failures(RuntimeError) as error:
        message = f"The pins cannot be opened: {error}; is this a Raspberry Pi, and is the user in the group gpio?"
        raise DriverError(message) from error


def _i2c(number: int) -> I2cBus:
    try:
        return cast("I2cBus", import_module("smbus2").SMBus(number))
    except ImportError as error:
        raise DriverError(_MISSING.format(library="smbus2", error=error)) from error
    except OSError as error:
        message = f"I2C bus {number} of the display cannot be opened: {error}; is dtparam=i2c_arm=on set?"
        raise DriverError(message) from error


def _spi(lights: Lights) -> SpiWriter:
    overlay = "dtparam=spi=on" if lights.spi_port == 0 else f"dtoverlay=spi{lights.spi_port}-1cs"
    try:
        spi = import_module("spidev").SpiDev()
        spi.open(lights.spi_port, lights.spi_device)
        spi.max_speed_hz = lights.clock_hz
    except ImportError as error:
        raise DriverError(_MISSING.format(library="spidev", error=error)) from error
    except OSError as error:
        message = f"SPI{lights.spi_port} of the lights cannot be opened: {error}; is {overlay} set?"
        raise DriverError(message) from error
    return cast("SpiWriter", spi)
