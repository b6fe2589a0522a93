"""Define the driver protocols, one small interface for each kind of device.

Offline is a state, not an exception that escapes: a driver raises DriverError and may be asked again later.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from PIL.Image import Image

from gnomon.refusals import Refusal, Statement, statement


class DriverError(Refusal):
    """A device did not answer, or answered what it cannot mean; why names the device and what to do."""


class SensorDriver(Protocol):
    """Reads every sampled input of the board at once."""

    def scan(self) -> int:
        """One bit an input, in the order of the board description. Raises DriverError."""
        ...

    def unread(self, number: int) -> int:
        """For how many microseconds before the last scan nobody had looked at input `number`.

        0 when the scan before it, if it succeeded, would have seen a change.
        """
        ...

    def close(self) -> None:
        """Let the pins and buses go."""
        ...


class DiagnosticDriver(SensorDriver, Protocol):
    """A sensor driver that can be asked for more than scans."""

    def health(self) -> tuple[Statement, ...]:
        """What is wrong although scans succeed, in whole sentences; empty when all is well."""
        ...

    def diagnose(self) -> tuple[Statement, ...]:
        """What a closer look finds, with the board at rest; for somebody who looks for a fault. Raises DriverError."""
        ...


class ButtonDriver(Protocol):
    """Reports raw edges of the buttons, each with its stamp in microseconds of CLOCK_MONOTONIC_RAW."""

    def start(self, report: Callable[[int, str, bool], None]) -> None:
        """From now on call `report(stamp, input, value)` at every raw edge, from any thread. Raises DriverError."""
        ...

    def check(self) -> None:
        """Report the edges that the kernel lost; to be called about once a second. Raises DriverError."""
        ...

    def close(self) -> None:
        """Let the pins go."""
        ...


class LightsDriver(Protocol):
    """Shows a colour on each light of the strip."""

    def show(self, colours: Sequence[tuple[int, int, int]]) -> None:
        """Send red, green, blue (0..255) for every light. Raises DriverError."""
        ...

    def close(self) -> None:
        """Darken the strip and let the bus go."""
        ...


class DisplayDriver(Protocol):
    """Shows a one-bit picture of 128 x 64 pixels."""

    def show(self, image: Image) -> None:
        """Send what has changed since the last picture. Raises DriverError."""
        ...

    def brighten(self) -> None:
        """Somebody is there: let it shine where it was dimmed. Raises DriverError."""
        ...

    def close(self) -> None:
        """Blank the display and let the bus go."""
        ...


class SoundDriver(Protocol):
    """Plays short notes without blocking."""

    def play(self, notes: Sequence[tuple[float, float]]) -> None:
        """Play (frequency in Hz, length in seconds) one after the other; frequency 0 is a rest."""
        ...

    def close(self) -> None:
        """Fall silent and let the pin go."""
        ...


class ReaderDriver(Protocol):
    """Reads the code on a tile: a bar code, a tag, whatever its device reads."""

    def start(self, report: Callable[[int, str], None]) -> None:
        """From now on call `report(stamp, code)` for every code that was read, from any thread.

        The stamp is in microseconds of CLOCK_MONOTONIC_RAW. A reader that is not there is a matter of `health`.
        """
        ...

    def check(self) -> None:
        """Look for a reader that was unplugged; to be called about once a second."""
        ...

    def health(self) -> tuple[Statement, ...]:
        """What is wrong, in whole sentences; empty when all is well."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


def too_much_light(names: Sequence[str]) -> Statement:
    """That light falls on some inputs, of which there is at least one, although the emitters are off."""
    if len(names) == 1:
        return statement("health.light", input=names[0])
    return statement("health.light.more", input=names[0], number=len(names) - 1)
