"""Emulate the PN532 tag reader, down to the bytes of its frames on the I2C bus."""

import errno
import os
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from gnomon_pi.drivers.pn532 import (
    ACK,
    ERROR,
    FROM_CHIP,
    GONE,
    NACK,
    TO_CHIP,
    FrameError,
    TagReader,
    decode_frame,
    encode_frame,
)

_NOT_READY: Final = 0x00
_READY: Final = 0x01
_FOREVER: Final = 0xFF  # attempts to find a tag, as after power-up
_NTAG: Final = bytes((0x00, 0x44, 0x00))  # SENS_RES and SEL_RES
_UID_SIZES: Final = (4, 7, 10)  # ISO 14443-3, section 6.5.4
_STEPS: Final = 400  # more than any reading takes
_CARD: Final = bytes((0x00, 0x04, 0x20))  # with an answer to select


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of type A; a card of ISO 14443-4, as telephones imitate it, has an answer to select."""

    uid: bytes
    select: bytes = b""

    def target_data(self, number: int) -> bytes:
        """As InListPassiveTarget lists it."""
        kind = _CARD if self.select else _NTAG
        answer = bytes((1 + len(self.select), *self.select)) if self.select else b""
        return bytes((number, *kind, len(self.uid), *self.uid)) + answer


class Pn532:
    """The chip with its antenna: `tags` are what lies on it."""

    def __init__(self) -> None:
        self.tags: list[Tag] = []
        self.listings = 0  # how often tags have been looked for
        self.ic = 0x32
        self.mend()
        self.lose_power()

    def lose_power(self) -> None:
        """The power goes away and comes back: nothing is set up."""
        self._answers: deque[bytes] = deque()
        self._last = b""
        self._is_set_up = False
        self._attempts = _FOREVER
        self._asked = 0

    # Faults

    def mend(self) -> None:
        """Take every fault away."""
        self.reachable = True
        self.is_deaf = False  # it acknowledges no command
        self.is_stuck = False  # it never has an answer
        self.busy = 1  # how often it is asked in vain before it is ready
        self.damaged = 0  # so many of the next answers arrive with a wrong bit
        self.confused = False  # it understands no command

    # The bus

    def receive(self, control: int, data: Sequence[int]) -> None:
        """Take the bytes of one transaction. Raises OSError when the chip does not answer."""
        self._answer_to_address()
        written = bytes((control, *data))
        if written == ACK:
            self._answers.clear()
        elif written == NACK:
            self._answers = deque((self._last,))
        elif not self.is_deaf:
            try:
                command = decode_frame(TO_CHIP, written)
            except FrameError:
                return  # What is damaged is not acknowledged.
            self._answers = deque((ACK, command))
        self._asked = 0

    def send(self, count: int) -> bytes:
        """So many bytes: whether it is ready, and then its answer. Raises OSError when the chip does not answer."""
        self._answer_to_address()
        if not self._is_ready():
            return bytes((_NOT_READY,)) * count
        if count == 1:
            return bytes((_READY,))
        self._asked = 0
        answer = self._answers.popleft()
        if answer not in (ACK, self._last):
            answer = self._last = self._obey(answer)
        if self.damaged and answer != ACK:
            self.damaged -= 1
            answer = answer[:6] + bytes((answer[6] ^ 0x10,)) + answer[7:]
        return (bytes((_READY,)) + answer + bytes(count))[:count]

    def _answer_to_address(self) -> None:
        if not self.reachable:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def _is_ready(self) -> bool:
        if not self._answers or self.is_stuck:
            return False
        looking = self._answers[0][:1] == b"\x4a" and self._is_set_up
        if looking and self._attempts == _FOREVER and not self.tags:
            return False
        self._asked += 1
        return self._asked > self.busy

    def _obey(self, command: bytes) -> bytes:
        match (-1, *command) if self.confused else tuple(command):
            case (0x02,):
                answer = bytes((self.ic, 0x01, 0x06, 0x07))
            case 0x14, 0x01, *_:
                self._is_set_up, answer = True, b""
            case 0x32, 0x05, _, _, attempts:
                self._attempts, answer = attempts, b""
            case 0x4A, most, 0x00 if self._is_set_up:
                self.listings += 1
                found = self.tags[:most]
                answer = bytes((len(found),)) + b"".join(tag.target_data(1 + n) for n, tag in enumerate(found))
            case _:
                return ERROR
        return encode_frame(FROM_CHIP, bytes((command[0] + 1, *answer)))


def uid_of(code: str, codes: Mapping[str, str]) -> bytes:
    """The UID of the tag that is read as a code, or as a code that `codes` give that meaning. Raises KeyError."""
    for each in (code, *(known for known, kind in codes.items() if kind == code)):
        with suppress(ValueError):
            uid = bytes.fromhex(each)
            if len(uid) in _UID_SIZES:
                return uid
    raise KeyError(code)


def lay_on(reader: TagReader, chip: Pn532, uid: bytes) -> None:
    """Lay a tag on the reader until it has been read, and take it away until that has been seen.

    A reader that cannot read takes its steps in vain.
    """
    for tags, looks in ([Tag(uid)], 1), ([], GONE):
        chip.tags = list(tags)
        enough = chip.listings + looks + 1  # one may be on its way
        for _ in range(_STEPS):
            if chip.listings >= enough:
                break
            reader.step()
