"""Provide pins in software, for boards without wires and as the ground of the simulator's chips."""

import operator
from collections.abc import Callable
from threading import RLock
from typing import Final

from gpiozero.exc import PinSetInput
from gpiozero.pins.mock import MockFactory, MockPWMPin

_RASPBERRY_PI_4B: Final = "c03112"

Heed = Callable[[float, float | None], None]
"""What a chip does when its pin changes: the level, and the frequency of its pulses or None."""


class SoftwarePin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that tells a chip of its changes instead of remembering them all.

    gpiozero's mock pin keeps every change for ever, and two thirds of its time go into that.
    """

    def __init__(self, factory: "SoftwareFactory", info: object) -> None:
        self.heed: Heed | None = None
        self._grounded = False
        self._state: float = False
        super().__init__(factory, info)

    def ground(self, *, closed: bool) -> None:
        """Close or open a switch between the pin and ground; open, the pin follows its pull."""
        self._grounded = closed
        if self._function == "input":
            if closed:
                self.drive_low()
            elif self._pull == "up":
                self.drive_high()

    def clear_states(self) -> None:
        """Start the clock of the changes; there is no list of them."""
        self.states: tuple[()] = ()
        self._last_change = self.factory.ticks()

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        self._state = value
        self._last_change = self.factory.ticks()
        # A pin that is let go drives nothing: a resistor holds the chip where it was left.
        if self.heed is not None and self._function != "input":
            self.heed(value, self._frequency)
        return True

    def _set_state(self, value: float) -> None:
        if self._function == "input":
            message = f"cannot set state of pin {self!r}"
            raise PinSetInput(message)
        if self._state != value:
            self._state = value
            if self.heed is not None:
                self.heed(value, self._frequency)

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._grounded:
            self.drive_low()

    def _set_frequency(self, value: float | None) -> None:
        if value is None and self._frequency is None:
            return  # A mock pin without pulses would fall to low here, when it is closed.
        super()._set_frequency(value)
        if self.heed is not None:
            self.heed(self._state, value)


class SoftwareFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A pin factory whose pins are in software; `ticks` tells the seconds that stamp the edges."""

    def __init__(self, *, ticks: Callable[[], float]) -> None:
        super().__init__(revision=_RASPBERRY_PI_4B, pin_class=SoftwarePin)
        # The collector of garbage may close a device while gpiozero holds this lock (see `real_pins`).
        self._res_lock = RLock()
        # gpiozero's own methods are static and read a clock.
        self.ticks = ticks
        self.ticks_diff = operator.sub
