"""The only place that talks to the SSD1306 display: changed parts only, and everything anew now and then."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL.Image import Image, Transpose

from gnomon_pi import description as wired
from gnomon_pi.drivers.libraries import I2cBus, failures
from gnomon_pi.drivers.protocols import DriverError

WIDTH: Final = 128
HEIGHT: Final = 64
_PAGES: Final = HEIGHT // 8

# A display that lost its power for a moment has lost its picture and its settings, and does not say so.
REFRESH_US: Final = 30_000_000


class Display:
    """A display driver. A whole picture takes 25 ms at 400 kHz, a changed second some 0.3 ms.

    `now` tells microseconds; a picture that has not changed costs nothing but a refresh every 30 s, so show it
    every few seconds.
    """

    def __init__(self, display: wired.Display, *, bus: I2cBus, now: Callable[[], int]) -> None:
        self._bus = bus
        self._now = now
        self._wire = _Wire()
        self._device = _ChangedPages(self._wire, WIDTH, HEIGHT, rotate=display.rotate)
        if not isinstance(display.wires, wired.OnI2c):
            message = "a display on SPI has no driver yet"
            raise TypeError(message)
        self._wire.open(i2c(bus=bus, address=display.wires.address))
        self._refreshed_at: int | None = None

    def show(self, image: Image) -> None:
        """Send what has changed since the last picture. Raises DriverError; the next call then sends everything."""
        if image.mode != "1" or image.size != (WIDTH, HEIGHT):
            message = f"the display shows one-bit pictures of {WIDTH} x {HEIGHT}, not {image.mode} {image.size}"
            raise ValueError(message)
        now = self._now()
        try:
            if self._refreshed_at is None or now - self._refreshed_at >= REFRESH_US:
                self._device.begin(blank=self._refreshed_at is None)
                self._device.display(image)
                self._device.show()
                self._refreshed_at = now
            else:
                self._device.display(image)
        except failures() as error:
            self._refreshed_at = None
            message = f"The display does not answer: {error}"
            raise DriverError(message) from error

    def close(self) -> None:
        """Blank the display and let the bus go."""
        with suppress(*failures()):  # It is dark already, or out of reach.
            self._device.hide()
        self._wire.close()
        with suppress(*failures()):
            self._bus.close()


class _Wire:
    """What luma takes for its bus: notes the commands that begin a display until there is a bus to send them on.

    luma sends them in the constructor, once; a display that lost its power needs them again.
    """

    def __init__(self) -> None:
        self.beginning: list[tuple[int, ...]] = []
        self._bus: i2c | None = None
        self._closed = False

    def open(self, bus: i2c) -> None:
        self._bus = bus

    def close(self) -> None:
        self._bus = None
        self._closed = True

    def command(self, *command: int) -> None:
        if self._bus is not None:
            self._bus.command(*command)
        elif not self._closed:
            self.beginning.append(command)

    def data(self, data: Sequence[int]) -> None:
        if self._bus is not None:
            self._bus.data(data)

    def cleanup(self) -> None:
        """Nothing: the driver closes the bus, and luma calls this when the process ends."""


class _ChangedPages(ssd1306):  # type: ignore[misc]  # luma has no types
    """luma's SSD1306, which sends the changed columns of the changed pages instead of all 1024 bytes."""

    def __init__(self, wire: _Wire, width: int, height: int, rotate: int) -> None:
        self._shown: list[bytes] | None = None
        self._wire = wire
        super().__init__(wire, width, height, rotate)
        # The constructor cleared the picture through `display`; only commands are worth keeping.
        self._beginning = [command for command in wire.beginning if command[0] != self._const.COLUMNADDR]
        self._beginning.remove((self._const.DISPLAYON,))
        self._shown = None
        # Tables of 8192 entries for luma's own `display`: luma keeps every device until the process ends.
        del self._mask, self._offsets

    def begin(self, *, blank: bool) -> None:
        """Send the settings anew; `blank` keeps the display dark until `show`, as after power-up.

        A refresh leaves it on, so that it does not flicker.
        """
        off = self._const.DISPLAYOFF
        self._shown = None
        for command in self._beginning:
            self.command(*(command if blank or command[0] != off else command[1:]))

    def display(self, image: Image) -> None:
        """Send the parts of a one-bit picture that differ from what is shown."""
        columns = self.preprocess(image).transpose(Transpose.TRANSPOSE).tobytes("raw", "1;R")
        pages = [columns[page::_PAGES] for page in range(_PAGES)]
        before, self._shown = self._shown, None  # Unknown while it is being sent.
        for page, new in enumerate(pages):
            if before is None:
                self._send(page, 0, new)
            elif new != before[page]:
                first, last = _changed(before[page], new)
                self._send(page, first, new[first : last + 1])
        self._shown = pages

    def _send(self, page: int, column: int, part: bytes) -> None:
        const = self._const
        self.command(const.COLUMNADDR, column, column + len(part) - 1, const.PAGEADDR, page, page)
        self.data(part)


def _changed(old: bytes, new: bytes) -> tuple[int, int]:
    """The first and the last place at which two different lines differ."""
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    first = ((difference & -difference).bit_length() - 1) // 8
    return first, (difference.bit_length() - 1) // 8
