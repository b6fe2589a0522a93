"""The only place that makes sounds: notes one after the other, without a thread and without waiting."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

import gpiozero
from gpiozero.tones import Tone

from gnomon_pi import description as wired
from gnomon_pi.drivers.libraries import Later, PinFactory, failures
from gnomon_pi.drivers.protocols import DriverError

LOWEST_HZ: Final = 220.0
HIGHEST_HZ: Final = 3520.0

Note = tuple[float, float]


class Buzzer:
    """A sound driver; a new tune takes the place of one that is still playing.

    A passive piezo plays a frequency outside 220 to 3520 Hz as the nearest it can; an active one has one tone.
    `later` calls a function after so many seconds, in the thread that plays.
    """

    def __init__(self, buzzer: wired.Buzzer, *, pin_factory: PinFactory, later: Later) -> None:
        self._make: Callable[[], _Voice] = lambda: (_Active if buzzer.active else _Passive)(buzzer.pin, pin_factory)
        self._later = later
        self._voice: _Voice | None = None
        self._tune = 0
        self._trouble = ""

    def play(self, notes: Sequence[Note]) -> None:
        """Play (frequency in Hz, length in seconds) one after the other; frequency 0 is a rest. Raises DriverError."""
        self._tune += 1
        self._trouble = ""
        self._next(self._tune, tuple(notes))
        if self._trouble:
            raise DriverError(self._trouble)

    def health(self) -> tuple[str, ...]:
        """What stopped the last tune."""
        return (self._trouble,) if self._trouble else ()

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
            self._trouble = f"The buzzer does not answer: {error}"
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
    """A piezo that sounds as it is driven."""

    def __init__(self, pin: int, pin_factory: PinFactory) -> None:
        # The usual range of TonalBuzzer ends at 880 Hz, where a small piezo is hardly heard.
        self._device = gpiozero.TonalBuzzer(pin, mid_tone=Tone("A5"), octaves=2, pin_factory=pin_factory)

    def sound(self, frequency: float) -> None:
        self._device.play(Tone.from_frequency(min(max(frequency, LOWEST_HZ), HIGHEST_HZ)))

    def hush(self) -> None:
        self._device.stop()

    def close(self) -> None:
        self._device.close()


class _Active:
    """A buzzer with an oscillator of its own."""

    def __init__(self, pin: int, pin_factory: PinFactory) -> None:
        self._device = gpiozero.Buzzer(pin, pin_factory=pin_factory)

    def sound(self, frequency: float) -> None:
        del frequency
        self._device.on()

    def hush(self) -> None:
        self._device.off()

    def close(self) -> None:
        self._device.close()
