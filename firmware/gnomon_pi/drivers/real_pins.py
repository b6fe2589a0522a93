"""Open gpiozero's pin factories on a real Pi, with fixes for their locking and output glitches."""

from importlib import import_module
from threading import RLock
from typing import Any, Final, cast

from gnomon_pi.drivers.libraries import PinFactory
from gnomon_pi.drivers.pin_folder import pin_folder

# gpiozero's own search for a factory falls back silently; here the one that is configured works or the daemon stops.
FACTORIES: Final = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
}


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
    """Pins of lgpio that become outputs at their first level.

    gpiozero makes them outputs at low and raises them then: what a low level switches on would sound for a moment.
    """
    lgpio = import_module("lgpio")

    class SteadyPin(pin_class):  # type: ignore[misc]  # gpiozero has no types
        """An output without a wrong level before the right one."""

        def output_with_state(self, state: float) -> None:
            """Make it an output at a level."""
            lgpio.gpio_claim_output(self.factory._handle, self._number, int(bool(state)))  # noqa: SLF001 - gpiozero shows its handle nowhere else

    return SteadyPin
