"""Stand in for the two pin libraries of a real Pi, below gpiozero's own factories for them.

`RPi.GPIO` is derived from fake_rpi's, which by itself forgets what is written and never calls back; `lgpio` keeps the
contract of its Python interface: kernel stamps in nanoseconds, and one thread that an exception ends.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Final

import fake_rpi

from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain

fake_rpi.toggle_print(False)

Heed = Callable[[int, float], None]


class StatefulGPIO(fake_rpi.RPi._GPIO):  # type: ignore[misc]  # fake_rpi has no types
    """fake_rpi's RPi.GPIO, with levels, pulls, edges and pulses that are as on a Pi."""

    def __init__(self) -> None:
        super().__init__()
        self.levels: dict[int, int] = {}
        self.functions: dict[int, int] = {}
        self.callbacks: dict[int, Callable[[int], None]] = {}
        self.heed: Heed = lambda _channel, _level: None
        self.refuses_edges = False
        self.busy: set[int] = set()  # pins that another program holds, as rpi-lgpio says it
        gpio = self

        class Pulses:
            """What `GPIO.PWM` gives: a frequency and a duty cycle in percent."""

            def __init__(self, channel: int, frequency: float) -> None:
                self.channel, self.frequency, self.duty = channel, frequency, 0.0

            def start(self, duty: float) -> None:
                self.ChangeDutyCycle(duty)

            def stop(self) -> None:
                gpio.heed(self.channel, 0.0)

            def ChangeDutyCycle(self, duty: float) -> None:  # noqa: N802 - RPi.GPIO's own name
                self.duty = duty
                gpio.heed(self.channel, self.frequency if duty else 0.0)

            def ChangeFrequency(self, frequency: float) -> None:  # noqa: N802 - RPi.GPIO's own name
                self.frequency = frequency
                self.ChangeDutyCycle(self.duty)

        self.PWM = Pulses

    def setup(self, channel: int, state: int, pull_up_down: int | None = None, initial: int | None = None) -> None:
        if channel in self.busy:
            message = "GPIO busy"
            raise LgpioError(message)
        self.functions[channel] = state
        if initial is not None:
            self.output(channel, initial)
        elif pull_up_down in (self.PUD_UP, self.PUD_DOWN):
            self.levels[channel] = int(pull_up_down == self.PUD_UP)

    def gpio_function(self, channel: int) -> int:
        return self.functions.get(channel, int(self.IN))

    def input(self, channel: int) -> int:
        return self.levels.get(channel, 0)

    def output(self, channel: int, level: float) -> None:
        self.levels[channel] = int(level)
        self.heed(channel, level)

    def cleanup(self, channel: int | None = None) -> None:
        for number in list(self.functions) if channel is None else [channel]:
            self.functions.pop(number, None)

    def add_event_detect(
        self, channel: int, edge: int, callback: Callable[[int], None], bouncetime: int = -666
    ) -> None:
        if self.refuses_edges:
            message = "Failed to add edge detection"
            raise RuntimeError(message)
        assert edge == self.BOTH
        assert bouncetime == -666, "the driver must not let the library debounce"
        self.callbacks[channel] = callback

    def remove_event_detect(self, channel: int) -> None:
        self.callbacks.pop(channel, None)

    def drive(self, channel: int, level: int) -> None:
        """Change the level of an input from outside."""
        if self.levels.get(channel) != level:
            self.levels[channel] = level
            if channel in self.callbacks:
                self.callbacks[channel](channel)


class SpiDev:
    """spidev's class: a bus to the chain of registers, and another to the lights."""

    chain: RegisterChain
    opened: Final[list[tuple[int, int]]] = []

    def __init__(self) -> None:
        self.mode = 0
        self.max_speed_hz = 0
        self.written: list[bytes] = []
        self.is_open = False

    def open(self, port: int, device: int) -> None:
        self.is_open = True
        self.opened.append((port, device))

    def close(self) -> None:
        self.is_open = False

    def xfer2(self, data: list[int]) -> list[int]:
        return self.chain.transfer(len(data), self.mode)

    def writebytes2(self, data: bytes) -> None:
        self.written.append(data)


class LgpioError(Exception):
    """lgpio's own error, which is no OSError, and says its text in quotation marks."""

    def __str__(self) -> str:
        return repr(self.args[0])


class Lgpio(ModuleType):
    """The module lgpio, with one GPIO chip and the chain of registers on its SPI0."""

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    error = LgpioError

    def __init__(self, chain: RegisterChain) -> None:
        super().__init__("lgpio")
        self.chain = chain
        self.levels: dict[int, int] = {}
        self.modes: dict[int, int] = {}
        self.callbacks: dict[int, Callable[[int, int, int, int], None]] = {}
        self.heed: Heed = lambda _gpio, _level: None
        self.has_chip = True
        self.has_spi = True
        self.busy: set[int] = set()  # pins that another program holds
        self.held: dict[int, int] = {}  # how often the kernel refuses a pin that this library's own thread still holds
        self.alive = True
        self.spis: dict[int, int] = {}

    # Pins

    def gpiochip_open(self, chip: int) -> int:
        if not self.has_chip:
            message = f"can not open gpiochip {chip}"
            raise LgpioError(message)
        return 7

    def gpiochip_close(self, handle: int) -> None:
        assert handle == 7

    def _claim(self, gpio: int) -> None:
        refusals = self.held.get(gpio, 0)
        if refusals:
            self.held[gpio] = refusals - 1
        if gpio in self.busy or refusals:
            message = "GPIO busy"
            raise LgpioError(message)

    def gpio_claim_input(self, _handle: int, gpio: int, flags: int = 0) -> None:
        self._claim(gpio)
        self.modes[gpio] = flags
        if flags in (self.SET_PULL_UP, self.SET_PULL_DOWN):
            self.levels[gpio] = int(flags == self.SET_PULL_UP)

    def gpio_claim_output(self, _handle: int, gpio: int, level: int = 0) -> None:
        self._claim(gpio)
        self.modes[gpio] = 1 << 1
        self.gpio_write(_handle, gpio, level)

    def gpio_claim_alert(self, _handle: int, gpio: int, edges: int, flags: int) -> None:
        assert edges == self.BOTH_EDGES
        self.modes[gpio] = flags

    def gpio_free(self, _handle: int, gpio: int) -> None:
        self.modes.pop(gpio, None)

    def gpio_get_mode(self, _handle: int, gpio: int) -> int:
        return self.modes.get(gpio, 0)

    def gpio_read(self, _handle: int, gpio: int) -> int:
        return self.levels.get(gpio, 0)

    def gpio_write(self, _handle: int, gpio: int, level: int) -> None:
        self.levels[gpio] = int(level)
        self.heed(gpio, level)

    def gpio_set_debounce_micros(self, _handle: int, _gpio: int, micros: int) -> None:
        assert micros == 0, "the driver must not let the library debounce"

    def tx_pwm(self, _handle: int, gpio: int, frequency: float, duty: float) -> None:
        self.heed(gpio, frequency if duty else 0.0)

    def callback(self, _handle: int, gpio: int, _edges: int, call: Callable[[int, int, int, int], None]) -> object:
        self.callbacks[gpio] = call
        library = self

        class Callback:
            def cancel(self) -> None:
                library.callbacks.pop(gpio, None)

        return Callback()

    def drive(self, gpio: int, level: int, stamp_ns: int) -> None:
        """An edge from outside, reported with the kernel's stamp by the one thread, if it still lives."""
        self.levels[gpio] = level
        if self.alive and gpio in self.callbacks:
            try:
                self.callbacks[gpio](0, gpio, level, stamp_ns)
            except Exception:
                self.alive = False
                raise

    # SPI

    def spi_open(self, _port: int, _device: int, _baud: int, flags: int) -> int:
        if not self.has_spi:
            message = "can not open SPI device"
            raise LgpioError(message)
        handle = len(self.spis)
        self.spis[handle] = flags
        return handle

    def spi_close(self, handle: int) -> None:
        assert handle in self.spis

    def spi_xfer(self, handle: int, data: list[int]) -> tuple[int, bytes]:
        answer = bytes(self.chain.transfer(len(data), self.spis[handle] & 3))
        return len(answer), answer
