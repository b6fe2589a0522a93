"""Emulate the SH1106, whose memory is wider than the panel and has no addressing windows."""

from collections.abc import Sequence
from typing import Final

from gnomon_pi.simulated.chips.ssd1306 import Oled

# Data sheet of the SH1106, version 2.3, section "commands": how many bytes follow each.
_LONE: Final = (0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, *range(0xC0, 0xD0), 0xE0, 0xE3, 0xEE)
_FIELDS: Final = (*range(0x20), *range(0x30, 0x34), *range(0x40, 0x80), *range(0xB0, 0xB8))
_DOUBLE: Final = (0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB)
_ARGUMENTS: Final = {**dict.fromkeys((*_LONE, *_FIELDS), 0), **dict.fromkeys(_DOUBLE, 1)}


class Sh1106(Oled):
    """The chip on 1.3-inch modules: 132 columns, of which the glass shows the middle 128, written page by page."""

    NAME = "SH1106"
    COLUMNS = 132
    ARGUMENTS = _ARGUMENTS
    CONTRAST = 0x80
    PUMPING = True

    def _write(self, data: bytes) -> None:
        # The column stops behind the last one; nothing wraps into the next page.
        part = data[: self.COLUMNS - self._column]
        self._put(part)
        self._column += len(part)

    def _obey(self, command: int, arguments: Sequence[int]) -> None:
        match command, *arguments:
            case 0xAD, converter:
                self.charge_pump = bool(converter & 1)
            case _ if 0xC0 <= command < 0xD0:
                super()._obey(command & 0xC8, arguments)
            case _:
                super()._obey(command, arguments)
