"""Emulate the Raspberry Pi's pins and SPI as a gpiozero pin factory."""

import operator
from collections.abc import Callable
from threading import RLock
from typing import Final

from gpiozero.exc import DeviceClosed, PinSetInput, SPIBadArgs
from gpiozero.pins import SPI
from gpiozero.pins.mock import MockFactory, MockPWMPin

from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain

_RASPBERRY_PI_4B: Final = "c03112"
_SPI0_PINS: Final = (11, 10, 9, 8)

Heed = Callable[[float, float | None], None]
"""What a chip does when its pin changes: the level, and the frequency of its pulses or None."""


class SimulatedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that tells a chip of its changes instead of remembering them all.

    gpiozero's mock pin keeps every change for ever, and two thirds of its time go into that.
    """

    def __init__(self, factory: "SimulatedFactory", info: object) -> None:
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


class SimulatedSPI(SPI):  # type: ignore[misc]  # gpiozero has no types
    """A hardware SPI that answers whole transfers: clocking each bit through mock pins would cost a millisecond."""

    def __init__(self, chain: RegisterChain, pin_factory: "SimulatedFactory") -> None:
        self._chain: RegisterChain | None = None
        self._mode = 0
        self._rate = 500_000
        super().__init__(pin_factory=pin_factory)
        pin_factory.reserve_pins(self, *_SPI0_PINS)
        self._chain = chain

    def close(self) -> None:
        """Let the pins go."""
        if self._chain is not None:
            self._chain = None
            self.pin_factory.release_all(self)
        super().close()

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._chain is None

    def transfer(self, data: list[int]) -> list[int]:
        """Clock bytes out and as many in. Raises DeviceClosed, OSError while the bus is broken."""
        if self._chain is None:
            message = "SimulatedSPI is closed"
            raise DeviceClosed(message)
        return self._chain.transfer(len(data), self._mode)

    def _get_clock_mode(self) -> int:
        return self._mode

    def _set_clock_mode(self, value: int) -> None:
        self._mode = value

    def _get_rate(self) -> int:
        return self._rate

    def _set_rate(self, value: int) -> None:
        self._rate = value


class SimulatedFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A pin factory whose pins and SPI0 end in emulated chips; `ticks` tells the seconds that stamp the edges."""

    def __init__(self, *, chain: RegisterChain | None, ticks: Callable[[], float]) -> None:
        super().__init__(revision=_RASPBERRY_PI_4B, pin_class=SimulatedPin)
        self._chain = chain
        # The collector of garbage may close a device while gpiozero holds this lock (see `real_pins`).
        self._res_lock = RLock()
        # gpiozero's own methods are static and read a clock.
        self.ticks = ticks
        self.ticks_diff = operator.sub

    def attach(self, pin: int, heed: Heed) -> None:
        """Solder a chip to a pin that the Pi drives."""
        self.pin(pin).heed = heed

    def ground(self, pin: int, *, closed: bool) -> None:
        """Close or open a switch between a pin and ground."""
        self.pin(pin).ground(closed=closed)

    def spi(self, *, port: int = 0, device: int = 0) -> SimulatedSPI:
        """The SPI of the sensors. Raises SPIBadArgs for another one."""
        if self._chain is None or (port, device) != (0, 0):
            message = f"no chip is wired to SPI{port}.{device}"
            raise SPIBadArgs(message)
        return SimulatedSPI(self._chain, self)
