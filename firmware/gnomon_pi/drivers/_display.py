"""Drive a display: send what has changed in each picture over I2C or SPI, refresh it, and protect it from burn-in.

An OLED fades where it shines. So a picture that stays is dimmed, and every picture moves by a pixel now and then.
"""

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from gpiozero import OutputDevice
from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import i2c
from luma.oled.const import ssd1306 as commands  # those of the other two have the same numbers
from PIL.Image import Image, Transpose
from PIL.ImageChops import offset

from gnomon.refusals import statement
from gnomon_pi.config import description as wired
from gnomon_pi.config.description import OnI2c, SpiDisplay
from gnomon_pi.drivers.libraries import Closable, I2cBus, Pin, PinFactory, SpiWriter, advice, failures
from gnomon_pi.drivers.protocols import DriverError

# What buses say when nobody acknowledges (the Pi's own, one in software, older drivers), and when a line is held down.
_UNANSWERED: Final = (errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.ETIMEDOUT)
_NO_OPERATION: Final = 0xE3
# The reset has to last 3 µs (SSD1306, SSD1309) or 10 µs (SH1106). So many bytes take 25 µs at 10 MHz, which is the
# fastest that these chips know: the bus measures the time, and the chip that is held in reset does not hear them.
_RESETTING: Final = bytes((_NO_OPERATION,)) * 32
WIDTH: Final = 128
HEIGHT: Final = 64
_PAGES: Final = HEIGHT // 8

_SSD1306: Final = (
    *(0xD5, 0x80),  # clock
    *(0xA8, HEIGHT - 1),
    *(0xD3, 0x00, 0x40),  # no offset, first line 0
    *(0x8D, 0x14),  # charge pump on
    *(0x20, 0x00),  # horizontal addressing
    *(0xA1, 0xC8),  # as the modules are wired
    *(0xDA, 0x12),  # alternating rows
    *(0xD9, 0xF1, 0xDB, 0x40),  # precharge and VCOMH, for the charge pump
    *(0xA4, 0xA6),  # from memory, lit is lit
)
# The module feeds it 12 V, and the command for the charge pump does not exist (SSD1309 data sheet, table 9-1).
_SSD1309: Final = (
    *(0xFD, 0x12),  # unlock
    *(0xD5, 0xA0),  # 100 frames a second
    *(0xA8, HEIGHT - 1),
    *(0xD3, 0x00, 0x40),
    *(0x20, 0x00),
    *(0xA1, 0xC8),
    *(0xDA, 0x12),
    *(0xD9, 0x25, 0xDB, 0x34),
    *(0xA4, 0xA6),
)
# luma sends it the SSD1306's addressing mode and charge pump, which the SH1106 does not have: the argument of the one
# would be a column. Its own converter is 0xAD (SH1106 data sheet, version 2.3, commands 10 and 11).
_SH1106: Final = (
    *(0xD5, 0x80),
    *(0xA8, HEIGHT - 1),
    *(0xD3, 0x00, 0x40),
    *(0xAD, 0x8B),  # converter on
    *(0xA1, 0xC8),
    *(0xDA, 0x12),
    *(0xD9, 0x22, 0xDB, 0x35),
    *(0xA4, 0xA6),
)
_SH1106_LEFT: Final = 2
"""The column of the first pixel: the glass is on the middle of 132 outputs."""

DIMMED: Final = 0x08
"""The contrast of a picture that nobody looks at, of 255: it can be read in a dim room."""
# A display that lost its power for a moment has lost its picture and its settings, and does not say so. The daemon
# shows it an unchanged picture every 30 s, and some milliseconds sooner or later: with a limit of 30 s as well, every
# other time would be too soon.
REFRESH_US: Final = 29_000_000
_SECOND_US: Final = 1_000_000
STEPS: Final = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where the pictures stand, one after the other: pixels to the right and down."""


# Wires


class DisplayWires(Protocol):
    """A bus with a display on it, and its reset."""

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


class UnansweredError(OSError):
    """The display cannot be had over its bus; the reason says at which address of which bus, or that the bus hangs."""

    def __init__(self, where: OnI2c, number: int = errno.ENXIO) -> None:
        super().__init__(number, os.strerror(number))
        if number == errno.ETIMEDOUT:
            self.reason = statement("health.bus", bus=where.bus)
        else:
            self.reason = statement("health.display.silent", address=f"0x{where.address:02X}", bus=where.bus)


class OverI2c:
    """A display on an I2C bus, in blocks of at most 32 bytes: another device waits for 0.8 ms at 400 kHz, no longer."""

    def __init__(self, bus: I2cBus, where: OnI2c) -> None:
        self._bus = bus
        self._where = where
        self._wires = i2c(bus=bus, address=where.address)

    def command(self, *command: int) -> None:
        """Send a command with its arguments. Raises UnansweredError and other errors of the system."""
        self._send(self._wires.command, *command)

    def data(self, data: Sequence[int]) -> None:
        """Send bytes of a picture. Raises UnansweredError and other errors of the system."""
        self._send(self._wires.data, data)

    def reset(self) -> None:
        """Nothing: these modules reset themselves at power-up."""

    def close(self) -> None:
        """Let the bus go."""
        self._bus.close()

    def _send(self, send: Callable[..., None], *what: object) -> None:
        # luma names the address for two of these errors and in commands only.
        try:
            send(*what)
        except DeviceNotFoundError as error:
            raise UnansweredError(self._where) from error
        except OSError as error:
            if error.errno in _UNANSWERED:
                raise UnansweredError(self._where, error.errno) from error
            raise


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


# Chips


class Controller:
    """One of the chips behind its wires: what it shows is sent page by page, and only what has changed."""

    def __init__(self, kind: str, wires: DisplayWires, *, is_upside_down: bool) -> None:
        """Raises KeyError for another kind than ssd1306, ssd1309 and sh1106."""
        self._settings, self._bright = _KINDS[kind]
        self._has_windows = kind != "sh1106"
        self._is_upside_down = is_upside_down
        self._wires = wires
        self._shown: list[bytes] | None = None

    def begin(self, *, dark: bool) -> None:
        """Send the settings again, and expect a picture; `dark` resets it and keeps it dark until `switch`.

        A refresh leaves it on, so that it does not flicker.
        """
        self._shown = None
        if dark:
            self._wires.reset()
            self.switch(on=False)
        self._wires.command(*self._settings)

    def switch(self, *, on: bool) -> None:
        """Let the glass show the memory, or nothing."""
        self._wires.command(commands.DISPLAYON if on else commands.DISPLAYOFF)

    def lighten(self, *, dim: bool) -> None:
        """Shine with full or with little light."""
        self._wires.command(commands.SETCONTRAST, DIMMED if dim else self._bright)

    def display(self, image: Image) -> None:
        """Send the parts of a one-bit picture that differ from what is shown."""
        upright = image.transpose(Transpose.ROTATE_180) if self._is_upside_down else image
        columns = upright.transpose(Transpose.TRANSPOSE).tobytes("raw", "1;R")
        pages = [columns[page::_PAGES] for page in range(_PAGES)]
        before, self._shown = self._shown, None  # Unknown while it is being sent.
        for page, new in enumerate(pages):
            if before is None:
                self._send(page, 0, new)
            elif new != before[page]:
                first, last = _changed_span(before[page], new)
                self._send(page, first, new[first : last + 1])
        self._shown = pages

    def _send(self, page: int, column: int, part: bytes) -> None:
        if self._has_windows:
            self._wires.command(commands.COLUMNADDR, column, column + len(part) - 1, commands.PAGEADDR, page, page)
        else:
            place = column + _SH1106_LEFT
            self._wires.command(0xB0 | page, commands.SETLOWCOLUMN | place & 0x0F, commands.SETHIGHCOLUMN | place >> 4)
        self._wires.data(part)


_KINDS: Final[Mapping[str, tuple[tuple[int, ...], int]]] = {
    "ssd1306": (_SSD1306, 0xCF),
    "ssd1309": (_SSD1309, 0xCF),
    "sh1106": (_SH1106, 0x80),
}
"""Of each kind the settings, and the contrast with which it shines."""


def _changed_span(old: bytes, new: bytes) -> tuple[int, int]:
    """The first and the last place at which two different lines differ."""
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    first = ((difference & -difference).bit_length() - 1) // 8
    return first, (difference.bit_length() - 1) // 8


# The display


class Display:
    """A display driver. A whole picture takes 25 ms on I2C at 400 kHz, a changed second some 0.3 ms.

    `now` tells microseconds; a picture that has not changed costs nothing but a refresh every 30 s, so show it
    every few seconds: that is also when it is dimmed and moved.
    """

    def __init__(self, display: wired.DisplayWiring, *, wires: DisplayWires, now: Callable[[], int]) -> None:
        self._wires: DisplayWires | None = wires
        self._now = now
        self._controller = Controller(display.kind, wires, is_upside_down=display.is_upside_down)
        self._dim_after = display.dim_after * _SECOND_US
        self._shift_every = display.shift_every * _SECOND_US
        self._refreshed_at: int | None = None
        self._picture = b""
        self._changed_at = self._began_at = now()
        self._is_dim = False

    def show(self, image: Image) -> None:
        """Send what has changed since the last picture. Raises DriverError; the next call then sends everything."""
        if image.mode != "1" or image.size != (WIDTH, HEIGHT):
            message = f"the display shows one-bit pictures of {WIDTH} x {HEIGHT}, not {image.mode} {image.size}"
            raise ValueError(message)
        now, picture = self._now(), image.tobytes()
        if picture != self._picture:
            self._picture, self._changed_at = picture, now
        self._send(image, now)

    def brighten(self) -> None:
        """Somebody is there: shine, and begin again to wait for dimming. Raises DriverError."""
        now = self._now()
        self._changed_at = now
        if self._is_dim:
            self._send(None, now)

    def close(self) -> None:
        """Blank the display and let its wires go."""
        wires, self._wires = self._wires, None
        if wires is None:
            return
        with suppress(*failures()):  # It is dark already, or out of reach.
            self._controller.switch(on=False)
        with suppress(*failures()):
            wires.close()

    def _send(self, image: Image | None, now: int) -> None:
        """Bring light and picture up to date."""
        begun = self._refreshed_at
        try:
            if image is not None and (begun is None or now - begun >= REFRESH_US):
                self._controller.begin(dark=begun is None)
                self._refreshed_at = None
                self._lighten(now)
                self._controller.display(self._place(image, now))
                self._controller.switch(on=True)
                self._refreshed_at = now
                return
            if self._is_dim is not self._should_be_dim(now):
                self._lighten(now)
            if image is not None:
                self._controller.display(self._place(image, now))
        except UnansweredError as error:
            self._refreshed_at = None
            raise DriverError(error.reason) from error
        except failures() as error:
            self._refreshed_at = None
            raise DriverError(statement("health.display", detail=advice(error))) from error

    def _lighten(self, now: int) -> None:
        dim = self._should_be_dim(now)
        self._controller.lighten(dim=dim)
        self._is_dim = dim

    def _should_be_dim(self, now: int) -> bool:
        return 0 < self._dim_after <= now - self._changed_at

    def _place(self, image: Image, now: int) -> Image:
        if not self._shift_every:
            return image
        return shift(image, *STEPS[(now - self._began_at) // self._shift_every % len(STEPS)])


def shift(image: Image, right: int, down: int) -> Image:
    """A picture that stands `right` and `down` pixels (0 or 1) further, where that loses nothing.

    The outermost line falls off the edge, so it must be dark, or only make the line beside it broader, as the end of
    a headline's ground does; otherwise the picture stays where it is that way.
    """
    if right and _may_go(image, (WIDTH - 1, 0, WIDTH, HEIGHT), (WIDTH - 2, 0, WIDTH - 1, HEIGHT)):
        image = offset(image, 1, 0)
        image.paste(0, (0, 0, 1, HEIGHT))
    if down and _may_go(image, (0, HEIGHT - 1, WIDTH, HEIGHT), (0, HEIGHT - 2, WIDTH, HEIGHT - 1)):
        image = offset(image, 0, 1)
        image.paste(0, (0, 0, WIDTH, 1))
    return image


def _may_go(image: Image, outermost: tuple[int, int, int, int], beside: tuple[int, int, int, int]) -> bool:
    going, staying = (int.from_bytes(image.crop(box).tobytes(), "big") for box in (outermost, beside))
    return not going & ~staying
