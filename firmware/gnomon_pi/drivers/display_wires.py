"""Send commands and data to a display, over I2C or over SPI with a data/command pin."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

from gpiozero import OutputDevice
from luma.core.interface.serial import i2c

from gnomon_pi.config.description import SpiDisplay
from gnomon_pi.drivers.libraries import Closable, I2cBus, Pin, PinFactory, SpiWriter, failures

_NO_OPERATION: Final = 0xE3
# The reset has to last 3 µs (SSD1306, SSD1309) or 10 µs (SH1106). So many bytes take 25 µs at 10 MHz, which is the
# fastest that these chips know: the bus measures the time, and the chip that is held in reset does not hear them.
_RESETTING: Final = bytes((_NO_OPERATION,)) * 32


class DisplayWires(Protocol):
    """What luma takes for its bus, and a reset."""

    def command(self, *command: int) -> None:
        """Send a command with its arguments. Raises what `failures` names."""
        ...

    def data(self, data: Sequence[int]) -> None:
        """Send bytes of a picture. Raises what `failures` names."""
        ...

    def reset(self) -> None:
        """Pull the reset line, where there is one. Raises what `failures` names."""
        ...

    def close(self) -> None:
        """Let pins and bus go."""
        ...


class OverI2c:
    """A display on an I2C bus, in blocks of at most 32 bytes: another device waits for 0.8 ms at 400 kHz, no longer."""

    def __init__(self, bus: I2cBus, address: int) -> None:
        self._bus = bus
        self._wires = i2c(bus=bus, address=address)

    def command(self, *command: int) -> None:
        """Send a command with its arguments. Raises OSError and luma's errors."""
        self._wires.command(*command)

    def data(self, data: Sequence[int]) -> None:
        """Send bytes of a picture. Raises OSError."""
        self._wires.data(data)

    def reset(self) -> None:
        """Nothing: these modules reset themselves at power-up."""

    def close(self) -> None:
        """Let the bus go."""
        self._bus.close()


class OverSpi:
    """A display on SPI. Nobody acknowledges there: one that is gone is found by eyes only, or comes back by itself."""

    def __init__(self, spi: SpiWriter, wires: SpiDisplay, *, pin_factory: PinFactory) -> None:
        self._spi = spi
        self._described = wires
        self._pin_factory = pin_factory
        # Pins know their device by a weak reference only.
        self._held: list[Closable] = []
        self._data_command: Pin | None = None
        self._reset: Pin | None = None

    def command(self, *command: int) -> None:
        """Send a command with its arguments. Raises OSError and the errors of the pins."""
        self._write(bytes(command), is_data=False)

    def data(self, data: Sequence[int]) -> None:
        """Send bytes of a picture. Raises OSError and the errors of the pins."""
        self._write(bytes(data), is_data=True)

    def reset(self) -> None:
        """Pull the reset line, where there is one. Raises OSError and the errors of the pins."""
        self._connect()
        if self._reset is not None:
            self._reset.state = False
            self._spi.writebytes2(_RESETTING)
            self._reset.state = True

    def close(self) -> None:
        """Let pins and bus go."""
        self._let_go()
        self._spi.close()

    def _write(self, data: bytes, *, is_data: bool) -> None:
        self._connect().state = is_data
        self._spi.writebytes2(data)

    def _connect(self) -> Pin:
        """The pin for data or command; the pins are taken at the first use, and after a failure tried again."""
        if self._data_command is None:
            try:
                if self._described.reset is not None:
                    self._reset = self._output(self._described.reset, high=True)
                self._data_command = self._output(self._described.data_command, high=False)
            except BaseException:
                self._let_go()
                raise
        return self._data_command

    def _output(self, number: int, *, high: bool) -> Pin:
        device = OutputDevice(number, initial_value=high, pin_factory=self._pin_factory)
        self._held.append(device)
        pin: Pin = device.pin
        return pin

    def _let_go(self) -> None:
        self._data_command = self._reset = None
        while self._held:
            with suppress(*failures()):  # What cannot be reached cannot be let go.
                self._held.pop().close()
