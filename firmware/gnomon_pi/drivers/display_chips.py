"""Drive SSD1306, SSD1309 and SH1106 display controllers: their initialization, addressing and contrast."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from luma.core.device import device
from luma.oled.device import sh1106, ssd1306, ssd1309
from PIL.Image import Image, Transpose

from gnomon_pi.drivers.display_wires import DisplayWires

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


class Silent:
    """Wires on which nothing goes: luma's constructors send settings of their own."""

    def command(self, *command: int) -> None:
        """Nothing."""

    def data(self, data: Sequence[int]) -> None:
        """Nothing."""

    def cleanup(self) -> None:
        """Nothing: the driver closes the bus, and luma calls this when the process ends."""


class Controller:
    """One of the chips behind its wires: what it shows is sent page by page, and only what has changed."""

    def __init__(self, kind: str, rotate: int, wires: DisplayWires) -> None:
        """Raises KeyError for another kind than ssd1306, ssd1309 and sh1106."""
        luma, self._settings, self._bright = _KINDS[kind]
        self._has_windows = luma is not _Sh1106
        self._wires = wires
        self._shown: list[bytes] | None = None
        self._device: Any = luma(Silent(), width=WIDTH, height=HEIGHT, rotate=rotate)
        self._device.persist = True  # not to be blanked by luma as the process ends: `switch` does that
        # Tables of 8192 entries for luma's own `display`; luma keeps every device until the process ends.
        for table in ("_mask", "_offsets"):
            self._device.__dict__.pop(table, None)

    def begin(self, *, dark: bool) -> None:
        """Send the settings anew, and expect a picture; `dark` resets it and keeps it dark until `switch`.

        A refresh leaves it on, so that it does not flicker.
        """
        self._shown = None
        if dark:
            self._wires.reset()
            self.switch(on=False)
        self._wires.command(*self._settings)

    def switch(self, *, on: bool) -> None:
        """Let the glass show the memory, or nothing."""
        const = self._device._const  # noqa: SLF001 - where luma keeps the names of commands
        self._wires.command(const.DISPLAYON if on else const.DISPLAYOFF)

    def lighten(self, *, dim: bool) -> None:
        """Shine with full or with little light."""
        const = self._device._const  # noqa: SLF001 - luma's constants have no other door
        self._wires.command(const.SETCONTRAST, DIMMED if dim else self._bright)

    def display(self, image: Image) -> None:
        """Send the parts of a one-bit picture that differ from what is shown."""
        columns = self._device.preprocess(image).transpose(Transpose.TRANSPOSE).tobytes("raw", "1;R")
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
        const = self._device._const  # noqa: SLF001 - luma's constants have no other door
        if self._has_windows:
            self._wires.command(const.COLUMNADDR, column, column + len(part) - 1, const.PAGEADDR, page, page)
        else:
            place = column + _SH1106_LEFT
            self._wires.command(0xB0 | page, const.SETLOWCOLUMN | place & 0x0F, const.SETHIGHCOLUMN | place >> 4)
        self._wires.data(part)


class _Undrawn:
    """What luma's own drawing is replaced by: it asks Pillow for pixels in a way that Pillow 14 has no more."""

    def display(self, image: Image) -> None:
        del image


class _Ssd1306(_Undrawn, ssd1306):  # type: ignore[misc]  # luma has no types
    pass


class _Ssd1309(_Undrawn, ssd1309):  # type: ignore[misc]  # luma has no types
    pass


class _Sh1106(_Undrawn, sh1106):  # type: ignore[misc]  # luma has no types
    pass


_KINDS: Final[Mapping[str, tuple[type[device], tuple[int, ...], int]]] = {
    "ssd1306": (_Ssd1306, _SSD1306, 0xCF),
    "ssd1309": (_Ssd1309, _SSD1309, 0xCF),
    "sh1106": (_Sh1106, _SH1106, 0x80),
}


def _changed(old: bytes, new: bytes) -> tuple[int, int]:
    """The first and the last place at which two different lines differ."""
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    first = ((difference & -difference).bit_length() - 1) // 8
    return first, (difference.bit_length() - 1) // 8
