"""Report raw button edges, with the kernel's timestamps where the pin library provides them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final

from gpiozero import InputDevice

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import Button
from gnomon_pi.drivers.libraries import Pin, PinFactory, advice, failures
from gnomon_pi.drivers.protocols import DriverError

Report = Callable[[int, str, bool], None]

# Two clocks are read one after the other; when the thread was interrupted between them, they are read again.
_PROMPT_US: Final = 100
_ATTEMPTS: Final = 3


class Buttons:
    """A button driver: every edge of every button, pressed is True, with no debouncing of any kind.

    gpiozero's `bounce_time` is not used: it means something else with every pin library, loses releases with one
    and shifts the stamps with another. `now` tells microseconds of CLOCK_MONOTONIC_RAW.
    """

    def __init__(self, buttons: Sequence[Button], *, pin_factory: PinFactory, now: Callable[[], int]) -> None:
        self._buttons = tuple(buttons)
        self._pin_factory = pin_factory
        self._now = now
        # Pins know their device by a weak reference only.
        self._listeners: list[_Listener] = []

    def start(self, report: Report) -> None:
        """From now on call `report(stamp, input, value)` at every raw edge, from any thread. Raises DriverError."""
        self.close()
        for button in self._buttons:
            try:
                self._listeners.append(_Listener(button, self._pin_factory, self._stamp, report))
            except failures() as error:
                self.close()
                raise DriverError(
                    statement("health.button.unheard", input=button.name, pin=button.pin, detail=advice(error))
                ) from error

    def check(self) -> None:
        """Report the edges that the kernel lost; to be called about once a second. Raises DriverError."""
        for listener in self._listeners:
            try:
                listener.check()
            except failures() as error:
                raise DriverError(statement("health.button", input=listener.name, detail=advice(error))) from error

    def health(self) -> tuple[Statement, ...]:
        """The buttons whose edges could not be handed over."""
        return tuple(
            statement("health.button.lost", input=listener.name, detail=listener.trouble)
            for listener in self._listeners
            if listener.trouble
        )

    def close(self) -> None:
        """Let the pins go."""
        while self._listeners:
            self._listeners.pop().close()

    def _stamp(self, ticks: float | None) -> int:
        """The instant of an edge; `ticks` is the kernel's, of CLOCK_MONOTONIC, or None for now.

        The kernel's clock may be slewed by up to 8 %, but only the age of the edge is measured by it, and that is
        far below a millisecond.
        """
        now = self._now()
        if ticks is None:
            return now
        stamp = now
        for _ in range(_ATTEMPTS):
            before, kernel, now = now, self._pin_factory.ticks(), self._now()
            age = self._pin_factory.ticks_diff(kernel, ticks)
            stamp = (before + now) // 2 - round(age * 1_000_000)
            if now - before <= _PROMPT_US:
                break
        return stamp


class _Listener:
    """One button while it is heard."""

    def __init__(
        self, button: Button, pin_factory: PinFactory, stamp: Callable[[float | None], int], report: Report
    ) -> None:
        self.name = button.name
        self.trouble = ""
        self._stamp = stamp
        self._report = report
        self._lock = Lock()  # `check` and the edges come from different threads
        self._pressed = False
        self._disagreed = False
        self._device = InputDevice(button.pin, pull_up=True, pin_factory=pin_factory)
        self._pin: Pin = self._device.pin
        try:
            self._pin.bounce = None
            self._pin.edges = "both"
            self._pin.when_changed = self._on_change
        except BaseException:
            self._device.close()
            raise

    def check(self) -> None:
        """Report an edge that was lost: the level disagrees with the last edge, now and at the check before.

        Once is not enough: the edge itself may be on its way, and it carries the better stamp.
        """
        pressed = not self._pin.state
        with self._lock:
            disagreed, self._disagreed = self._disagreed, pressed != self._pressed
        if disagreed and self._disagreed:
            self._on_change(None, not pressed)

    def close(self) -> None:
        # What cannot be reached cannot be let go; but a pin whose edges do not end is let go nevertheless.
        with suppress(*failures()):
            self._pin.when_changed = None
        with suppress(*failures()):
            self._device.close()

    def _on_change(self, ticks: float | None, state: float) -> None:
        # lgpio hears all pins with one thread, which ends with the first exception: every later edge of every
        # button would be lost. So nothing may leave here.
        try:
            pressed = not state
            with self._lock:
                self._disagreed = False
                if pressed == self._pressed:
                    return
                self._pressed = pressed
            self._report(self._stamp(ticks), self.name, pressed)
        except Exception as error:  # noqa: BLE001 - see above; it is told by `health`
            self.trouble = f"{type(error).__name__}: {error}"
