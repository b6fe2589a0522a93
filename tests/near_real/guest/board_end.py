"""Stand at the other end of the kernel's wires: the project's emulated chips answer what the relay hands over."""

import errno
import os
import struct
import time
from collections.abc import Mapping
from threading import Thread
from typing import Final

from gnomon_pi.config.description import BoardDescription, Chain, Expanders, SpiDisplay
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.i2c_bus import Chip, ReadableChip, SendingChip

RELAY: Final = "/dev/board_relay"
_REQUEST: Final = struct.Struct("=IBBHII")
_ANSWER: Final = struct.Struct("=IiI")
_MESSAGE: Final = struct.Struct("=HHH")
_PIN, _I2C, _SPI = 1, 2, 3
_LET_GO: Final = 255
_READ: Final = 0x0001  # linux/i2c.h: I2C_M_RD
_LONGEST: Final = 1 << 17


class BoardEnd:
    """A board whose chips answer through the kernel. Its own drivers are never used.

    `unanswered` is what a bus says when nobody acknowledges: EREMOTEIO with the controller of a Raspberry Pi, ENXIO
    where pins are driven in software. `relay` is the open file of the relay, unless it is the kernel's.
    """

    def __init__(
        self, description: BoardDescription, *, unanswered: int = errno.EREMOTEIO, relay: int | None = None
    ) -> None:
        self.board = SimulatedBoard(description, now=lambda: time.monotonic_ns() // 1000, later=lambda *_: None)
        self.description = description
        self.unanswered = unanswered
        self.unplugged: set[tuple[int, int]] = set()
        self.transfers = {"pins": 0, "I2C": 0, "SPI": 0}
        self.modes: dict[str, tuple[int, int]] = {}  # SPI mode and clock, by port and chip select
        self.complaints: list[str] = []
        self._pins = {button.name: button.pin for button in description.buttons}
        self._chips: Mapping[int, Mapping[int, Chip]] = {
            number: bus._chips for number, bus in self.board._i2c().items()
        }
        self._file = os.open(RELAY, os.O_RDWR) if relay is None else relay
        sensors = description.sensors
        if self.board.expanders is not None and isinstance(sensors, Expanders) and sensors.interrupt is not None:
            interrupt = sensors.interrupt
            self.board.expanders.wire_interrupt(lambda *, closed: self.drive(interrupt, level=0 if closed else None))
        for button in self._pins:
            self.set_input(button, value=False)
        Thread(target=self._answer_all, name="board", daemon=True).start()

    # Hands

    def set_input(self, name: str, *, value: bool) -> int:
        """Make an input 0 or 1; the instant at which it was done, in nanoseconds of CLOCK_MONOTONIC."""
        at = time.monotonic_ns()
        if name in self._pins:
            self.drive(self._pins[name], level=0 if value else None)
        else:
            self.board.set_input(name, value)
        return at

    def drive(self, pin: int, *, level: int | None) -> None:
        """Drive a pin from outside, or let it go."""
        os.write(self._file, _ANSWER.pack(0, 0, 2) + bytes((pin, _LET_GO if level is None else level)))

    # What the kernel hands over

    def _answer_all(self) -> None:
        while data := os.read(self._file, _LONGEST):
            number, kind, bus, arg, speed, length = _REQUEST.unpack_from(data)
            body = data[_REQUEST.size : _REQUEST.size + length]
            if kind == _PIN:
                self._take_pin(arg, is_output=bool(body[0]), level=body[1])
                continue
            status, answer = 0, b""
            try:
                answer = self._take_i2c(bus, arg, body) if kind == _I2C else self._take_spi(bus, arg, speed, body)
            except OSError as error:
                status = -(error.errno or errno.EIO)
            except Exception as error:  # noqa: BLE001 - whatever a chip refuses is what a check wants to hear
                self.complaints.append(repr(error))
                status = -errno.EIO
            os.write(self._file, _ANSWER.pack(number, status, len(answer)) + answer)

    def _take_pin(self, pin: int, *, is_output: bool, level: int) -> None:
        self.transfers["pins"] += 1
        heed = self.board._factory.pin(pin).heed
        if is_output and heed is not None:
            heed(level, None)

    def _take_i2c(self, bus: int, count: int, body: bytes) -> bytes:
        self.transfers["I2C"] += 1
        at, answer, register = 0, b"", 0
        for _ in range(count):
            address, flags, length = _MESSAGE.unpack_from(body, at)
            at += _MESSAGE.size
            chip = self._chips.get(bus, {}).get(address)
            if chip is None or (bus, address) in self.unplugged:
                raise OSError(self.unanswered, os.strerror(self.unanswered))
            if flags & _READ:
                if isinstance(chip, ReadableChip):
                    answer += bytes(chip.answer(register, length))
                elif isinstance(chip, SendingChip):
                    answer += chip.send(length)
                else:
                    answer += bytes(length)
                continue
            written = body[at : at + length]
            at += length
            if written:
                register = written[0]
            if len(written) > 1:
                chip.receive(register, list(written[1:]))
        return answer

    def _take_spi(self, where: int, mode: int, speed: int, body: bytes) -> bytes:
        self.transfers["SPI"] += 1
        port, select = where >> 4, where & 0xF
        self.modes[f"{port}.{select}"] = mode & 3, speed
        board, sensors = self.board, self.description.sensors
        lights, display = self.description.lights, self.description.display
        if isinstance(sensors, Chain) and (port, select) == (sensors.spi_port, sensors.spi_device):
            assert board.chain is not None
            return bytes(board.chain.transfer(len(body), mode & 3))
        if lights is not None and (port, select) == (lights.spi_port, lights.spi_device):
            board.strip.writebytes2(body)
        elif display is not None and isinstance(display.wires, SpiDisplay) and display.wires.spi[:2] == (port, select):
            board._panel.writebytes2(body)
        return bytes(len(body))
