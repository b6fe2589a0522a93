"""Encode and decode the frames of a PN532 (NXP UM0701-02, section 6.2)."""

from collections.abc import Iterator
from typing import Final

ACK: Final = bytes((0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00))
NACK: Final = bytes((0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00))
ERROR: Final = bytes((0x00, 0x00, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0x00))
_START: Final = bytes((0x00, 0x00, 0xFF))
TO_CHIP: Final = 0xD4
FROM_CHIP: Final = 0xD5
OVERHEAD: Final = 7
"""Bytes of a frame beside what it carries: preamble, start, length twice, checksum, postamble."""

_BYTE: Final = 0x100
_ISO_14443_4: Final = 0x20  # in SEL_RES: an answer to select follows, its own length first


class FrameError(Exception):
    """The PN532 answered what it cannot mean, or not at all; the message says what, without a full stop."""


class DamagedFrameError(FrameError):
    """A frame was damaged on its way; the PN532 sends it again when it is asked to."""


class LongFrameError(FrameError):
    """A frame is longer than what was read of it."""

    def __init__(self, size: int) -> None:
        super().__init__(f"a frame of {size} bytes came")
        self.size = size


def frame(sender: int, data: bytes) -> bytes:
    """The frame that carries some bytes, of which the first is a command, from `TO_CHIP` or `FROM_CHIP`."""
    body = bytes((sender, *data))
    return bytes((*_START, len(body), -len(body) % _BYTE, *body, -sum(body) % _BYTE, 0x00))


def carried(sender: int, received: bytes) -> bytes:
    """What a frame carries; more bytes may follow it.

    Raises DamagedFrameError, LongFrameError when it goes on beyond what was received, and FrameError when the chip
    says that it did not understand.
    """
    start, size, check = received[:3], received[3:4], received[4:5]
    if start != _START or not check or (size[0] + check[0]) % _BYTE:
        message = f"its answer begins with {received[:5].hex(' ')}"
        raise DamagedFrameError(message)
    whole = size[0] + OVERHEAD
    if whole > len(received):
        raise LongFrameError(whole)
    if received[:whole] == ERROR:
        message = "it does not understand a command"
        raise FrameError(message)
    body, checksum = received[5 : whole - 2], received[whole - 2]
    if not body or body[0] != sender or (sum(body) + checksum) % _BYTE:
        message = "the checksum of its answer is wrong"
        raise DamagedFrameError(message)
    return body[1:]


def uids(listed: bytes) -> Iterator[bytes]:
    """The UIDs in the answer to InListPassiveTarget, of tags of type A. Raises FrameError when it is cut off."""
    at = 1
    for _ in range(listed[0] if listed else 0):
        if at + 5 > len(listed):
            message = "it lists a tag without its UID"
            raise FrameError(message)
        select, length = listed[at + 3], listed[at + 4]
        uid = listed[at + 5 : at + 5 + length]
        if not length or len(uid) < length:
            message = "it lists a tag without its UID"
            raise FrameError(message)
        yield uid
        at += 5 + length
        if select & _ISO_14443_4 and at < len(listed):
            at += listed[at]
