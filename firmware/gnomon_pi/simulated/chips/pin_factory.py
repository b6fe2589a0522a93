"""Emulate the Raspberry Pi's pins and SPI as a gpiozero pin factory."""

from collections.abc import Callable
from typing import Final

from gpiozero.exc import DeviceClosed, SPIBadArgs
from gpiozero.pins import SPI

from gnomon_pi.drivers.software_pins import Heed, SoftwareFactory
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain

_SPI0_PINS: Final = (11, 10, 9, 8)


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


class SimulatedFactory(SoftwareFactory):
    """A pin factory whose pins and SPI0 end in emulated chips; `ticks` tells the seconds that stamp the edges."""

    def __init__(self, *, chain: RegisterChain | None, ticks: Callable[[], float]) -> None:
        super().__init__(ticks=ticks)
        self._chain = chain

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
