"""Drive a strip of SK9822 or APA102 lights over SPI."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from gnomon.refusals import statement
from gnomon_pi.config import description as wired
from gnomon_pi.drivers.libraries import SpiWriter, failures
from gnomon_pi.drivers.protocols import DriverError

Colour = tuple[int, int, int]

_START: Final = 4  # bytes of zeros
_LIGHT: Final = 4  # bytes: three ones and five bits of brightness, blue, green, red
_MARK: Final = 0xE0
_DARK: Final[Colour] = (0, 0, 0)


class Lights:
    """A lights driver; the current of each light is capped by the five bits of global brightness."""

    def __init__(self, lights: wired.LightsWiring, *, transport: SpiWriter) -> None:
        self._shown = tuple(lights.shown)
        self._transport = transport
        self._blank = blank_frame(lights.count, lights.brightness)
        self._end = _START + _LIGHT * lights.count
        self._is_whole = self._shown == tuple(range(lights.count))

    def show(self, colours: Sequence[Colour]) -> None:
        """Send red, green, blue (0..255) for every light that shows something; those that are skipped stay dark.

        Raises DriverError, ValueError for other colours.
        """
        if len(colours) != len(self._shown):
            message = f"the strip shows {len(self._shown)} lights, not {len(colours)}"
            raise ValueError(message)
        if not self._is_whole:
            strip = [_DARK] * ((self._end - _START) // _LIGHT)
            for number, colour in zip(self._shown, colours, strict=True):
                strip[number] = colour
            colours = strip
        red, green, blue = zip(*colours, strict=True)
        frame = bytearray(self._blank)
        frame[_START + 1 : self._end : _LIGHT] = bytes(blue)
        frame[_START + 2 : self._end : _LIGHT] = bytes(green)
        frame[_START + 3 : self._end : _LIGHT] = bytes(red)
        self._send(bytes(frame))

    def close(self) -> None:
        """Darken the strip and let the bus go."""
        with suppress(DriverError):  # It is dark already, or out of reach.
            self._send(self._blank)
        with suppress(*failures()):
            self._transport.close()

    def _send(self, frame: bytes) -> None:
        try:
            self._transport.writebytes2(frame)
        except failures() as error:
            raise DriverError(statement("health.lights", detail=str(error))) from error


def blank_frame(count: int, brightness: int) -> bytes:
    """The bytes for a dark strip.

    After the lights come 32 zeros, which make the SK9822 take the new colours over, and then half a clock pulse
    for each light, because each one passes the data on half a pulse late.
    """
    return bytes(_START) + bytes((_MARK | brightness, 0, 0, 0)) * count + bytes(4 + (count + 15) // 16)
