"""Read tag UIDs by a PN532 on an I2C bus, once each time a tag is laid on the reader.

Sections are those of NXP's user manual UM0701-02; frames are its section 6.2.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Final

from smbus2 import i2c_msg

from gnomon.refusals import Statement, statement
from gnomon_pi.config.description import OnI2c
from gnomon_pi.drivers.libraries import I2cTransfers, failures

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
Report = Callable[[int, str], None]

# UM0701-02, section 7: the commands, each with its arguments.
_FIRMWARE: Final = bytes((0x02,))
_NO_SECURE_MODULE: Final = bytes((0x14, 0x01, 0x00, 0x00))
# Without it the chip looks for a tag until there is one, and hears nothing else meanwhile.
_FEW_ATTEMPTS: Final = bytes((0x32, 0x05, 0xFF, 0x01, 0x02))
_LIST_TWO_OF_TYPE_A: Final = bytes((0x4A, 0x02, 0x00))

_IC: Final = 0x32
_TWO_TAGS: Final = 2 * (5 + 7)  # of seven bytes each, as NTAG and MIFARE Ultralight have them
_READY: Final = 0x01

PACE: Final = 0.15
"""Seconds between two looks for a tag."""
STEP: Final = 0.005
"""Seconds between two questions whether the chip has its answer: the bus is free for others meanwhile."""
RETRY: Final = 1.0
_ACKNOWLEDGES: Final = 10  # steps; the manual says 15 ms
_ANSWERS: Final = 100  # steps
_ATTEMPTS: Final = 3
GONE: Final = 3
"""So many looks without a tag mean that it was taken away; one alone may be a reading that failed."""


class TagReader:
    """A reader driver: a code is the UID of a tag of type A (NTAG, MIFARE) in capital hexadecimal.

    No transaction is longer than 36 bytes, 3.3 ms at 100 kHz, and nothing waits on the bus: a display and sensors may
    share it. A thread of its own takes the steps; with `paced=False` the owner of the reader does.
    """

    def __init__(
        self, wires: OnI2c, *, bus: I2cTransfers, now: Callable[[], int], pace: float = PACE, paced: bool = True
    ) -> None:
        """`now` tells microseconds; `pace` is in seconds."""
        self._address = wires.address
        self._bus = bus
        self._now = now
        self._pace = pace
        self._paced = paced
        self._lock = Lock()
        self._report: Report | None = None
        self._thread: Thread | None = None
        self._stop = Event()
        self._steps = self._poll()
        self._lying = ""
        self._missed = 0
        self._trouble: Statement | None = None
        self._remark: Statement | None = None

    def start(self, report: Report) -> None:
        """From now on call `report(stamp, code)` for every tag that is laid on."""
        self._end()
        self._report = report
        self._lying = ""
        self.check()

    def check(self) -> None:
        """Take up reading where it is not going on."""
        if self._report is None:
            return
        if not self._paced:
            self.step()
            return
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._stop, self._steps = Event(), self._poll()
                self._thread = Thread(target=self._keep_reading, args=(self._stop,), name="tags", daemon=True)
                self._thread.start()

    def step(self) -> float:
        """Do the next small thing, of two short transactions at most; answers the seconds until the one after it."""
        return next(self._steps)

    def health(self) -> tuple[Statement, ...]:
        """Why nothing can be read; empty when all is well."""
        said = self._trouble or self._remark
        return () if said is None else (said,)

    def close(self) -> None:
        """Let the bus go."""
        self._end()
        with suppress(*failures()):
            self._bus.close()

    def _end(self) -> None:
        with self._lock:
            self._report = None
            self._stop.set()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def _keep_reading(self, stop: Event) -> None:
        while not stop.wait(self.step()):
            pass

    def _poll(self) -> Iterator[float]:
        """One step after the other, for ever: the seconds to wait behind each."""
        while True:
            try:
                yield from self._conversation()
            except failures(FrameError) as error:
                self._trouble = statement("health.reader.tags", address=f"0x{self._address:02X}", detail=str(error))
            with suppress(*failures()):
                self._write(ACK)  # it ends whatever the chip is at
            yield RETRY

    def _conversation(self) -> Generator[float, None, None]:
        firmware = yield from self._ask(_FIRMWARE, 4)
        if firmware[:1] != bytes((_IC,)):
            message = f"it is no PN532, for it calls itself {firmware.hex(' ') or 'nothing'}"
            raise FrameError(message)
        yield from self._ask(_NO_SECURE_MODULE, 0)
        yield from self._ask(_FEW_ATTEMPTS, 0)
        self._trouble = None
        while True:
            listed = yield from self._ask(_LIST_TWO_OF_TYPE_A, 1 + _TWO_TAGS)
            self._see([uid.hex().upper() for uid in uids(listed)])
            yield self._pace

    def _see(self, codes: list[str]) -> None:
        """Make of what lies there what is new."""
        self._remark = statement("health.reader.two") if len(codes) > 1 else None
        if not codes:
            self._missed += 1
            if self._missed >= GONE:
                self._lying = ""
            return
        self._missed = 0
        if len(codes) == 1 and codes[0] != self._lying:
            self._lying = codes[0]
            if self._report is not None:
                self._report(self._now(), codes[0])

    def _ask(self, command: bytes, size: int) -> Generator[float, None, bytes]:
        """What the chip answers to a command, most often in `size` bytes. Raises FrameError and OSError."""
        self._write(encode_frame(TO_CHIP, command))
        yield STEP
        acknowledged = yield from self._read(len(ACK), _ACKNOWLEDGES)
        if acknowledged != ACK:
            message = "it does not acknowledge a command"
            raise FrameError(message)
        yield STEP
        answer = yield from self._answer(OVERHEAD + 2 + size)
        if answer[:1] != bytes((command[0] + 1,)):
            message = f"it answers 0x{answer[:1].hex()} to the command 0x{command[0]:02X}"
            raise FrameError(message)
        return answer[1:]

    def _answer(self, size: int) -> Generator[float, None, bytes]:
        """What the next frame carries; a damaged one, or one longer than `size`, is asked for again."""
        failure: FrameError | None = None
        for _ in range(_ATTEMPTS):
            received = yield from self._read(size, _ANSWERS)
            try:
                return decode_frame(FROM_CHIP, received)
            except LongFrameError as error:
                failure, size = error, error.size
            except DamagedFrameError as error:
                failure = error
            self._write(NACK)
            yield STEP
        raise failure or FrameError

    def _read(self, count: int, steps: int) -> Generator[float, None, bytes]:
        """Bytes of the chip, as soon as it is ready. Raises FrameError after so many steps, and OSError."""
        for _ in range(steps):
            if self._transfer(1)[0] & _READY:
                # Each reading begins with the byte that says ready.
                return self._transfer(1 + count)[1:]
            yield STEP
        message = "it is not ready in time"
        raise FrameError(message)

    def _write(self, data: bytes) -> None:
        self._bus.i2c_rdwr(i2c_msg.write(self._address, data))

    def _transfer(self, count: int) -> bytes:
        message = i2c_msg.read(self._address, count)
        self._bus.i2c_rdwr(message)
        return bytes(message)


# Frames


class FrameError(Exception):
    """The PN532 answered what it cannot mean, or not at all; the message says what, without a full stop."""


class DamagedFrameError(FrameError):
    """A frame was damaged on its way; the PN532 sends it again when it is asked to."""


class LongFrameError(FrameError):
    """A frame is longer than what was read of it."""

    def __init__(self, size: int) -> None:
        super().__init__(f"a frame of {size} bytes came")
        self.size = size


def encode_frame(sender: int, data: bytes) -> bytes:
    """The frame that carries some bytes, of which the first is a command, from `TO_CHIP` or `FROM_CHIP`."""
    body = bytes((sender, *data))
    return bytes((*_START, len(body), -len(body) % _BYTE, *body, -sum(body) % _BYTE, 0x00))


def decode_frame(sender: int, received: bytes) -> bytes:
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
