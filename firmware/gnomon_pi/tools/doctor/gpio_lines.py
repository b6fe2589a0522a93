"""List the used GPIO lines of the header, by ioctl on the GPIO chip or from debugfs."""

import os
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from typing import Final, NamedTuple

# linux/gpio.h, second version of the interface: struct gpiochip_info, struct gpio_v2_line_info.
_CHIP_INFO: Final = struct.Struct("32s32sI")
_LINE_INFO: Final = struct.Struct("32s32sIIQ160s16x")
_GET_CHIP_INFO: Final = 0x8044B401
_GET_LINE_INFO: Final = 0xC100B405
_USED: Final = 1

_HEADER: Final = range(28)
_HEADER_CHIPS: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
_DEBUG_CHIP: Final = re.compile(r"gpiochip\d+: (?:GPIOs )?(\d+)")
_DEBUG_LINE: Final = re.compile(r"\s*gpio-(\d+)\s+\((?:[^|]*\|)([^)]*)\)")

Ioctl = Callable[[int, int, bytearray], int]


class UsedLine(NamedTuple):
    """A pin of the header that somebody holds; `consumer` is what that program or driver calls itself."""

    pin: int
    consumer: str


def used_lines(devices: Sequence[Path], ask: Ioctl = ioctl) -> Sequence[UsedLine] | None:
    """The used pins of the header; None when no device is the header's or none may be asked."""
    for device in devices:
        with suppress(OSError):
            number = os.open(device, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                if _label(number, ask).startswith(_HEADER_CHIPS):
                    return list(_used(number, ask))
            finally:
                os.close(number)
    return None


def debug_lines(text: str) -> Sequence[UsedLine] | None:
    """The used pins of the header as `/sys/kernel/debug/gpio` tells them; None when it does not speak of them."""
    base: int | None = None
    found: list[UsedLine] | None = None
    for row in text.splitlines():
        if chip := _DEBUG_CHIP.match(row):
            base = int(chip[1]) if any(label in row for label in _HEADER_CHIPS) else None
            found = [] if base is not None and found is None else found
        elif base is not None and found is not None and (line := _DEBUG_LINE.match(row)):
            pin, consumer = int(line[1]) - base, line[2].strip()
            if pin in _HEADER and consumer:
                found.append(UsedLine(pin, consumer))
    return found


def _label(number: int, ask: Ioctl) -> str:
    answer = bytearray(_CHIP_INFO.size)
    ask(number, _GET_CHIP_INFO, answer)
    _, label, _ = _CHIP_INFO.unpack(answer)
    return _text(label)


def _used(number: int, ask: Ioctl) -> Iterator[UsedLine]:
    for pin in _HEADER:
        answer = bytearray(_LINE_INFO.pack(b"", b"", pin, 0, 0, b""))
        ask(number, _GET_LINE_INFO, answer)
        _, consumer, _, _, flags, _ = _LINE_INFO.unpack(answer)
        if flags & _USED:
            yield UsedLine(pin, _text(consumer) or "the kernel")


def _text(field: bytes) -> str:
    return field.split(b"\0")[0].decode("utf-8", "replace")
