"""Emulate the SSD1306 and SSD1309 display controllers, from command and data bytes to visible pixels."""

import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import ClassVar, Final

from PIL import Image

WIDTH: Final = 128
HEIGHT: Final = 64
PAGES: Final = HEIGHT // 8

COMMANDS: Final = 0x00
DATA: Final = 0x40

# How many bytes follow a command: SSD1306 data sheet, revision 1.1, tables 9-1 and 9-2.
_LONE: Final = (0x2E, 0x2F, 0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8, 0xE3)
_FIELDS: Final = (*range(0x20), *range(0x40, 0x80), *range(0xB0, 0xB8))  # the argument is in the command
_ARGUMENTS: Final = {
    **dict.fromkeys((*_LONE, *_FIELDS), 0),
    **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
    **dict.fromkeys((0x21, 0x22, 0xA3), 2),
    **dict.fromkeys((0x29, 0x2A), 5),
    **dict.fromkeys((0x26, 0x27), 6),
}
# SSD1309 data sheet, revision 1.1, tables 9-1 and 9-2: no charge pump, but a lock and fading.
_ARGUMENTS_1309: Final = {
    **{command: count for command, count in _ARGUMENTS.items() if command != 0x8D},
    **dict.fromkeys((0x23, 0xFD), 1),
}
_LOCKED: Final = 0x16  # after 0xFD; 0x12 unlocks


class Addressing(IntEnum):
    """How the place of the next byte moves on."""

    HORIZONTAL = 0
    VERTICAL = 1
    PAGE = 2


class Oled:
    """What the chips have in common, on a module wired as those modules are: upright with 0xA1 and 0xC8.

    Raises ValueError for bytes that are no command of the chip: a driver never sends such.
    """

    NAME: ClassVar[str]
    COLUMNS: ClassVar[int] = WIDTH  # of the memory
    ARGUMENTS: ClassVar[Mapping[int, int]]
    CONTRAST: ClassVar[int] = 0x7F  # after a reset
    PUMPING: ClassVar[bool] = False  # after a reset

    def __init__(self) -> None:
        self.reachable = True
        self.refuses_every = 0  # the nth transaction is not acknowledged; 0 for none
        self._transactions = 0
        self.lose_power()

    def lose_power(self) -> None:
        """The power goes away and comes back: no picture, and the settings of the data sheet's reset."""
        self.memory = bytearray(self.COLUMNS * PAGES)
        self.reset()

    def reset(self) -> None:
        """The settings of the data sheet's reset; the picture stays in the memory."""
        self.on = False
        self.charge_pump = self.PUMPING
        self.contrast = self.CONTRAST
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._mirrored = self._flipped = True
        self._inverse = self._all_on = False
        self._rows = HEIGHT
        self._pending: list[int] = []

    def receive(self, control: int, data: Sequence[int]) -> None:
        """One I2C transaction: the control byte and what follows. Raises OSError when the chip does not answer."""
        self._transactions += 1
        refused = self.refuses_every and self._transactions % self.refuses_every == 0
        if refused or not self.reachable:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        if control == DATA:
            self._write(bytes(data))
        elif control == COMMANDS:
            self._command(data)
        else:
            message = f"0x{control:02X} is no control byte of the {self.NAME}"
            raise ValueError(message)

    def image(self) -> Image.Image:
        """What a person sees: black without its high voltage or while it is switched off."""
        if not (self.on and self.charge_pump):
            return Image.new("1", (WIDTH, HEIGHT))
        if self._all_on:
            return Image.new("1", (WIDTH, HEIGHT), 1)
        columns = bytearray(WIDTH * PAGES)
        left = (self.COLUMNS - WIDTH) // 2  # the glass is on the middle of the chip's outputs
        for page in range(PAGES):
            start = page * self.COLUMNS + left
            columns[page::PAGES] = self.memory[start : start + WIDTH]
        picture = Image.frombytes("1", (HEIGHT, WIDTH), bytes(columns), "raw", "1;R").transpose(
            Image.Transpose.TRANSPOSE
        )
        picture = self._as_wired(picture)
        return picture.point(lambda pixel: 255 - pixel) if self._inverse else picture

    def _as_wired(self, picture: Image.Image) -> Image.Image:
        """The memory as the lines of the glass show it."""
        first = (self._start_line + self._offset) % HEIGHT
        if first:
            rolled = Image.new("1", (WIDTH, HEIGHT))
            rolled.paste(picture, (0, -first))
            rolled.paste(picture, (0, HEIGHT - first))
            picture = rolled
        if self._rows < HEIGHT:
            picture.paste(0, (0, self._rows, WIDTH, HEIGHT))
        return picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM) if self._flipped else picture

    def _write(self, data: bytes) -> None:
        """Put data at the present place, which moves on with every byte."""
        raise NotImplementedError

    def _put(self, part: bytes) -> None:
        """Put bytes of one page; the remap of the columns applies to data as it comes in, not to what is there."""
        row = self._page * self.COLUMNS
        if self._mirrored:
            end = row + self.COLUMNS - self._column
            self.memory[end - len(part) : end] = part[::-1]
        else:
            self.memory[row + self._column : row + self._column + len(part)] = part

    def _command(self, data: Iterable[int]) -> None:
        """Take commands; the arguments of one may come in the next transaction."""
        for byte in data:
            self._pending.append(byte)
            command, *arguments = self._pending
            if command not in self.ARGUMENTS:
                message = f"0x{command:02X} is no command of the {self.NAME}"
                raise ValueError(message)
            if len(arguments) == self.ARGUMENTS[command]:
                self._pending = []
                self._obey(command, arguments)

    def _obey(self, command: int, arguments: Sequence[int]) -> None:  # noqa: C901 - the chips' table
        match command, *arguments:
            case 0x81, level:
                self.contrast = level
            case 0xA8, ratio:
                self._rows = ratio + 1
            case 0xD3, offset:
                self._offset = offset
            case ((0xA0 | 0xA1), *_):
                self._mirrored = command == 0xA0
            case ((0xC0 | 0xC8), *_):
                self._flipped = command == 0xC0
            case ((0xA4 | 0xA5), *_):
                self._all_on = bool(command & 1)
            case ((0xA6 | 0xA7), *_):
                self._inverse = bool(command & 1)
            case ((0xAE | 0xAF), *_):
                self.on = bool(command & 1)
            case _ if command < 0x10:
                self._column = self._column & 0xF0 | command
            case _ if command < 0x20:
                self._column = self._column & 0x0F | (command & 0x0F) << 4
            case _ if 0x40 <= command < 0x80:
                self._start_line = command & 0x3F
            case _ if 0xB0 <= command < 0xB8:
                self._page = command & 0x07


class Ssd1306(Oled):
    """The chip on most small modules of 128 x 64 pixels: its only source of 7 volts is the charge pump."""

    NAME = "SSD1306"
    ARGUMENTS = _ARGUMENTS

    def reset(self) -> None:
        """The settings of the data sheet's reset."""
        super().reset()
        self.addressing = Addressing.PAGE
        self._columns = (0, WIDTH - 1)
        self._pages = (0, PAGES - 1)

    def _write(self, data: bytes) -> None:
        while data:
            first, last = (0, WIDTH - 1) if self.addressing is Addressing.PAGE else self._columns
            count = 1 if self.addressing is Addressing.VERTICAL else last - self._column + 1
            part, data = data[:count], data[count:]
            self._put(part)
            self._move_on(len(part), first, last)

    def _move_on(self, count: int, first: int, last: int) -> None:
        if self.addressing is Addressing.VERTICAL:
            self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1
            if self._page == self._pages[0]:
                self._column = first if self._column == last else self._column + 1
            return
        self._column += count
        if self._column > last:
            self._column = first
            if self.addressing is Addressing.HORIZONTAL:
                self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1

    def _obey(self, command: int, arguments: Sequence[int]) -> None:
        match command, *arguments:
            case 0x20, mode:
                self.addressing = Addressing(mode)
            case 0x21, first, last:
                self._columns, self._column = (first, last), first
            case 0x22, first, last:
                self._pages, self._page = (first, last), first
            case 0x8D, pump:
                self.charge_pump = bool(pump & 0x04)
            case _:
                super()._obey(command, arguments)


class Ssd1309(Ssd1306):
    """The chip on larger modules, which bring its high voltage with them; it can be locked against commands."""

    NAME = "SSD1309"
    ARGUMENTS = _ARGUMENTS_1309
    PUMPING = True

    def reset(self) -> None:
        """The settings of the data sheet's reset."""
        super().reset()
        self.locked = False

    def _obey(self, command: int, arguments: Sequence[int]) -> None:
        if command == 0xFD:
            self.locked = arguments[0] == _LOCKED
        elif not self.locked:
            super()._obey(command, arguments)


class SpiModule:
    """A display on SPI: one pin says whether bytes are commands or data, another resets it, and nobody acknowledges.

    `connected` is whether the bus itself works: where it does not, writing raises OSError.
    """

    def __init__(self, chip: Oled) -> None:
        self.chip = chip
        self.connected = True
        self._is_data = False
        self._in_reset = False

    def on_data_command(self, level: float) -> None:
        """The pin D/C changed: high is data."""
        self._is_data = bool(level)

    def on_reset(self, level: float) -> None:
        """The pin RES changed: low holds the chip in reset."""
        self._in_reset = not level
        if self._in_reset:
            self.chip.reset()

    def writebytes2(self, data: bytes) -> None:
        """Receive bytes, as `spidev.SpiDev.writebytes2` sends them. Raises OSError while the bus is broken."""
        if not self.connected:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if self.chip.reachable and not self._in_reset:
            self.chip.receive(DATA if self._is_data else COMMANDS, data)

    def close(self) -> None:
        """Nothing holds a simulated bus."""
