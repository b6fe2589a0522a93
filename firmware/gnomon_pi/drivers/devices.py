"""Open the pins, buses and devices of a real Raspberry Pi for the drivers.

The device libraries are imported only when a board description asks for them, so that everything else runs on any
machine.
"""

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from importlib import import_module
from threading import RLock
from typing import Any, Final, cast

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import BoardDescription, LightsWiring, OnSpi, Reader, SpiDisplay
from gnomon_pi.drivers.assembly import Drivers, assemble, buses_of
from gnomon_pi.drivers.libraries import I2cBus, Later, PinFactory, SpiWriter, advice, bus_advice, failures
from gnomon_pi.drivers.protocols import DriverError, ReaderDriver

_IN_SOFTWARE: Final = "mock"
_USUAL_I2C: Final = 1  # on the header's pins 3 and 5; every other bus is an overlay of its own
_PACKAGES: Final = {
    "lgpio": "python3-lgpio",
    "rpigpio": "python3-rpi-lgpio",
    "smbus2": "python3-smbus2",
    "spidev": "python3-spidev",
}
# gpiozero's own search for a factory falls back silently; here the one that is configured works or the daemon stops.
FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
}
_BUSY: Final = "GPIO busy"
_ATTEMPTS: Final = 20
_PAUSE: Final = 0.005  # seconds; lgpio's thread looks up every 0.5 ms
VARIABLE: Final = "LG_WD"
_RUNTIME: Final = "RUNTIME_DIRECTORY"  # systemd's, of the service


def open_devices(description: BoardDescription, *, now: Callable[[], int], later: Later) -> Drivers:
    """The drivers of the board that is wired to this machine.

    Raises DriverError with one sentence when a library, a bus or a right is missing. A device that is only broken
    is found when it is used: a dark display must not stop a game.
    """
    pin_factory = _pin_factory(description.pins, now)
    display, lights, reader = description.display, description.lights, description.reader
    return assemble(
        description,
        pin_factory=pin_factory,
        i2c={number: _i2c(number, users) for number, users in buses_of(description).items()},
        strip=None if lights is None else _spi(_on_spi(lights), "the lights"),
        panel=_spi(display.wires.spi, "the display") if display and isinstance(display.wires, SpiDisplay) else None,
        reader=None if reader is None or reader.wires is not None else _code_reader(reader, now),
        now=now,
        later=later,
    )


def _code_reader(reader: Reader, now: Callable[[], int]) -> ReaderDriver:
    from gnomon_pi.drivers.reader import CodeReader

    return CodeReader(reader, now=now)


def _pin_factory(name: str, now: Callable[[], int]) -> PinFactory:
    if name == _IN_SOFTWARE:
        from gnomon_pi.drivers.software_pins import SoftwareFactory

        return cast("PinFactory", SoftwareFactory(ticks=lambda: now() / 1_000_000))
    try:
        return real_pins(name)
    except ImportError as error:
        raise DriverError(_missing_library(name, error)) from error
    # RPi.GPIO answers with RuntimeError already when it is imported on another machine.
    except failures(RuntimeError) as error:
        raise DriverError(statement("start.pins", library=name, detail=advice(error))) from error


def _missing_library(library: str, error: ImportError) -> Statement:
    return statement("start.library", library=library, detail=str(error), package=_PACKAGES[library])


def _i2c(number: int, users: Sequence[str]) -> I2cBus:
    try:
        return cast("I2cBus", import_module("smbus2").SMBus(number))
    except ImportError as error:
        raise DriverError(_missing_library("smbus2", error)) from error
    except OSError as error:
        setting = "dtparam=i2c_arm=on" if number == _USUAL_I2C else f"dtoverlay=i2c{number} (or i2c-gpio)"
        raise DriverError(
            statement("start.i2c", bus=number, users=users, detail=bus_advice(error, setting, "i2c"))
        ) from error


def _spi(wires: OnSpi, user: str) -> SpiWriter:
    overlay = "dtparam=spi=on" if wires.port == 0 else f"dtoverlay=spi{wires.port}-1cs"
    try:
        spi = import_module("spidev").SpiDev()
        spi.open(wires.port, wires.device)
        spi.max_speed_hz = wires.clock_hz
    except ImportError as error:
        raise DriverError(_missing_library("spidev", error)) from error
    except OSError as error:
        raise DriverError(
            statement("start.spi", port=wires.port, user=user, detail=bus_advice(error, overlay, "spi"))
        ) from error
    return cast("SpiWriter", spi)


def _on_spi(lights: LightsWiring) -> OnSpi:
    return OnSpi(lights.spi_port, lights.spi_device, lights.clock_hz)


# The pins of a Raspberry Pi


def real_pins(name: str) -> PinFactory:
    """The factory of that name. Raises ImportError, and what `failures` names with RuntimeError."""
    module, factory = FACTORIES[name]
    with pin_folder():  # rpi-lgpio is lgpio too
        pins = getattr(import_module(module), factory)()
    # While gpiozero holds its lock to reserve a pin, the collector of garbage may close a device that was left
    # half-made, and that asks for the same lock in the same thread: with a plain lock everything stands still.
    pins._res_lock = RLock()  # noqa: SLF001 - there is no other way to it
    if name == "lgpio":
        pins.pin_class = _steady(pins.pin_class)
    return cast("PinFactory", pins)


def _steady(pin_class: Any) -> type[Any]:  # noqa: ANN401 - gpiozero has no types
    """Pins of lgpio that become outputs at their first level, and that wait until the kernel lets them go.

    gpiozero makes them outputs at low and raises them then: what a low level switches on would sound for a moment.
    lgpio frees a pin whose edges it hears while its own thread may still wait on it (lgGpioFree waits for 2 ms), and
    until that thread looks up, the kernel refuses the pin: "GPIO busy".
    """
    lgpio = import_module("lgpio")

    def insist(call: Callable[[], None]) -> None:
        """Call until the pin is free. Raises lgpio's error when it never is, and for everything else."""
        for _ in range(_ATTEMPTS):
            try:
                return call()
            except lgpio.error as error:
                if _BUSY not in str(error):
                    raise
                time.sleep(_PAUSE)
        return call()

    class SteadyPin(pin_class):  # type: ignore[misc]  # gpiozero has no types
        """An output without a wrong level before the right one, and an input that is closed in earnest."""

        def _disable_event_detect(self) -> None:
            insist(super()._disable_event_detect)

        def close(self) -> None:
            """Reset it. One that stays busy is left: gpiozero would close it again and again, and fail each time."""
            with suppress(lgpio.error):
                insist(super().close)

        def output_with_state(self, state: float) -> None:
            """Make it an output at a level."""
            lgpio.gpio_claim_output(self.factory._handle, self._number, int(bool(state)))  # noqa: SLF001 - gpiozero shows its handle nowhere else

    return SteadyPin


@contextmanager
def pin_folder() -> Iterator[None]:
    """Import lgpio in here. Raises OSError when no folder can be made.

    lgpio makes a pipe `.lgd-nfy0` in the folder that LG_WD names, or else in the present one: in `/` a service may
    not, and two programs in one folder share a pipe and lose edges to each other. It also moves the whole process
    into LG_WD, which would change what every relative path means, so that is taken back.
    """
    parent = os.environ.get(VARIABLE) or os.environ.get(_RUNTIME, "").split(":")[0] or None
    folder = tempfile.mkdtemp(prefix="gnomond-pins-", dir=parent)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = folder
    try:
        with chdir(folder):
            yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
