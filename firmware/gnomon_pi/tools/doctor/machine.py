"""Define the interface by which checks read a machine: files, commands, rights and library versions.

The checks take a Machine as an argument, so that a test can give them a folder that looks like one.
"""

import os
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path
from typing import Final, NamedTuple

from gnomon_pi.runtime.system.clock import Watch

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
LONGEST: Final = 1_000_000  # bytes that are read of a file
BOOT_FOLDERS: Final = ("boot/firmware", "boot")
"""Where the boot partition is mounted: since Bookworm, and before."""


# The lines of the header


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
                    return list(_used_lines(number, ask))
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


def _used_lines(number: int, ask: Ioctl) -> Iterator[UsedLine]:
    for pin in _HEADER:
        answer = bytearray(_LINE_INFO.pack(b"", b"", pin, 0, 0, b""))
        ask(number, _GET_LINE_INFO, answer)
        _, consumer, _, _, flags, _ = _LINE_INFO.unpack(answer)
        if flags & _USED:
            yield UsedLine(pin, _text(consumer) or "the kernel")


def _text(field: bytes) -> str:
    return field.split(b"\0")[0].decode("utf-8", "replace")


# The machine


class Space(NamedTuple):
    """What is left where a file stands; `inodes` is None on file systems that count none."""

    free: int  # bytes that the user may take
    size: int
    inodes: int | None = None


def exists(path: Path) -> bool:
    """Whether a file is there as far as this user may know: Path.exists raises PermissionError."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def number(text: str) -> int | None:
    """The whole number that a file tells; None for anything else, and for one that no file means."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


@dataclass(frozen=True, slots=True)
class UserAccount:
    """The user who asks; `groups` are names."""

    groups: frozenset[str]
    is_root: bool = False


@dataclass(frozen=True)
class Machine:
    """What the checks may ask; `root` is `/`, or a folder that looks like it.

    `command` runs a program and gives what it writes, None when it fails, is missing or takes too long; `may` says
    whether the user may "read" or "write" a path; `space` raises OSError; `lines` are the pins of the header that the
    kernel says are used, None when it does not say; `versions` are those of the installed distributions by their
    normalised names, and `sqlite`.
    """

    root: Path
    watch: Watch
    command: Callable[[Sequence[str]], str | None]
    may: Callable[[Path, str], bool]
    space: Callable[[Path], Space]
    lines: Callable[[], Sequence[UsedLine] | None]
    versions: Mapping[str, str]
    account: UserAccount
    python: str
    bits: int
    environment: Mapping[str, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        """Where an absolute path of the machine is to be found."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str:
        """What a file says, without blanks and zero bytes at its ends; empty when it cannot be read."""
        return self.data(name).decode("utf-8", "replace").strip(" \t\r\n\0")

    def data(self, name: str) -> bytes:
        """The first bytes of a file; empty when it cannot be read."""
        with suppress(OSError, ValueError), self.path(name).open("rb") as file:
            return file.read(LONGEST)
        return b""

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return exists(self.path(name))

    def names(self, pattern: str) -> Sequence[str]:
        """The absolute paths that match a pattern, in order."""
        with suppress(OSError, ValueError):
            return sorted(f"/{path.relative_to(self.root)}" for path in self.root.glob(pattern.lstrip("/")))
        return ()

    def boot_file(self, name: str) -> str:
        """The path of a file on the boot partition; empty when it is not there."""
        return next((f"/{folder}/{name}" for folder in BOOT_FOLDERS if self.has(f"{folder}/{name}")), "")
