"""Play tunes on a passive piezo or an active buzzer, without a thread and without blocking."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

import gpiozero

from gnomon.refusals import Statement, statement
from gnomon_pi.config import description as wired
from gnomon_pi.drivers.libraries import Later, Pin, PinFactory, advice, failures
from gnomon_pi.drivers.protocols import DriverError

LOWEST_HZ: Final = 220.0
HIGHEST_HZ: Final = 3520.0
_HALF: Final = 0.5  # of each pulse

Note = tuple[float, float]


class Buzzer:
    """A sound driver; a new tune takes the place of one that is still playing.

    A passive piezo plays a frequency outside 220 to 3520 Hz as the nearest it can; an active one has one tone.
    `later` calls a function after so many seconds, in the thread that plays. The pin is held at the level of silence
    from the beginning; while nobody knows which level that is, it stays an input.
    """

    def __init__(self, buzzer: wired.BuzzerWiring, *, pin_factory: PinFactory, later: Later) -> None:
        self._pin = buzzer.pin
        self._is_known = buzzer.active_low is not None
        kind = _Active if buzzer.active else _Passive
        self._make: Callable[[], _Voice] = lambda: kind(buzzer.pin, pin_factory, active_low=bool(buzzer.active_low))
        self._later = later
        self._voice: _Voice | None = None
        self._tune = 0
        self._trouble: Statement | None = None
        if self._is_known:
            self._next(self._tune, ())
        else:
            self._trouble = statement("health.buzzer.level", pin=buzzer.pin)

    def play(self, notes: Sequence[Note]) -> None:
        """Play (frequency in Hz, length in seconds) one after the other; frequency 0 is a rest. Raises DriverError.

        Nothing is played while the level of silence is unknown, which `health` tells.
        """
        if not self._is_known:
            return
        self._tune += 1
        self._trouble = None
        self._next(self._tune, tuple(notes))
        if self._trouble is not None:
            raise DriverError(self._trouble)

    def health(self) -> tuple[Statement, ...]:
        """What stopped the last tune, or stops them all."""
        return () if self._trouble is None else (self._trouble,)

    def close(self) -> None:
        """Fall silent and let the pin go."""
        self._tune += 1
        self._drop()

    def _next(self, tune: int, notes: tuple[Note, ...]) -> None:
        """Play the first note and see to it that the others follow; a failure ends the tune."""
        if tune != self._tune:
            return  # A newer tune has begun, or the buzzer is closed.
        try:
            voice = self._voice = self._voice or self._make()
            if not notes:
                voice.hush()
                return
            (frequency, length), *rest = notes
            if frequency > 0:
                voice.sound(frequency)
            else:
                voice.hush()
        except failures() as error:
            self._drop()
            self._trouble = statement("health.buzzer", pin=self._pin, detail=advice(error))
            return
        self._later(length, lambda: self._next(tune, tuple(rest)))

    def _drop(self) -> None:
        voice, self._voice = self._voice, None
        if voice is not None:
            with suppress(*failures()):  # What cannot be reached cannot be let go.
                voice.close()


class _Voice(Protocol):
    def sound(self, frequency: float) -> None: ...
    def hush(self) -> None: ...
    def close(self) -> None: ...


class _Passive:
    """A piezo that sounds as it is driven.

    gpiozero's TonalBuzzer rests at low, and would leave current in a piezo that is switched on by a low level.
    """

    def __init__(self, pin: int, pin_factory: PinFactory, *, active_low: bool) -> None:
        self._silence = active_low
        self._device = gpiozero.OutputDevice(
            pin, active_high=not active_low, initial_value=False, pin_factory=pin_factory
        )
        self._pin: Pin = self._device.pin

    def sound(self, frequency: float) -> None:
        self._pin.frequency = min(max(frequency, LOWEST_HZ), HIGHEST_HZ)
        self._pin.state = _HALF

    def hush(self) -> None:
        if self._pin.frequency is not None:
            self._pin.frequency = None
        self._pin.state = self._silence

    def close(self) -> None:
        try:
            self.hush()
        finally:
            self._device.close()


class _Active:
    """A buzzer with an oscillator of its own."""

    def __init__(self, pin: int, pin_factory: PinFactory, *, active_low: bool) -> None:
        self._device = gpiozero.OutputDevice(
            pin, active_high=not active_low, initial_value=False, pin_factory=pin_factory
        )

    def sound(self, frequency: float) -> None:
        del frequency
        self._device.on()

    def hush(self) -> None:
        self._device.off()

    def close(self) -> None:
        try:
            self.hush()
        finally:
            self._device.close()
