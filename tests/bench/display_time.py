"""What the display costs: bytes and bus time of each update, counted on the emulated bus, and processor time.

The pictures are those of a real game in virtual time: a game of TAMSK at level 2 that is played by hands, and a
minute of it in which only the sand runs. I2C takes nine clock pulses a byte, the address of each transaction is one
more byte, and its start and stop two pulses; SPI takes eight pulses a byte. The kernel's own time is not in it; in
the time of the processor is that of the emulated chip.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.description import Display, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.drivers.display import Display as Driver
from gnomon_pi.drivers.display_wires import DisplayWires, OverI2c, OverSpi
from gnomon_pi.simulated.bus import SimulatedI2C
from gnomon_pi.simulated.factory import SimulatedFactory
from gnomon_pi.simulated.oled import Oled, SpiModule, Ssd1306, Ssd1309
from gnomon_pi.simulated.sh1106 import Sh1106
from tests.bench._figures import Spread, parser, say, say_machine
from tests.daemon.halves import begun, edges_of_a_game

KINDS: Final[Mapping[str, type[Oled]]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
I2C_HZ: Final = {"100 kHz": 100_000, "400 kHz": 400_000, "1 MHz": 1_000_000}
SPI_HZ: Final = {"1 MHz": 1_000_000, "4 MHz": 4_000_000, "8 MHz": 8_000_000}
ADDRESS: Final = 0x3C
ON_SPI: Final = SpiDisplay(OnSpi(0, 1, 8_000_000), data_command=24, reset=22)
TURNS: Final = 12
MINUTE: Final = 60 * SECOND


class Sent(NamedTuple):
    """What an update put on the bus."""

    transactions: int
    sent: int  # bytes, with the addresses on I2C
    processor: float  # µs


class CountedI2c(SimulatedI2C):
    """An I2C bus that counts."""

    def __init__(self, chip: Oled) -> None:
        super().__init__({ADDRESS: chip})
        self.transactions = self.sent = 0

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Write a block."""
        self.transactions += 1
        self.sent += 2 + len(data)
        super().write_i2c_block_data(i2c_addr, register, data)


class CountedSpi(SpiModule):
    """An SPI that counts."""

    def __init__(self, chip: Oled) -> None:
        super().__init__(chip)
        self.transactions = self.sent = 0

    def writebytes2(self, data: bytes) -> None:
        """Write any number of bytes."""
        self.transactions += 1
        self.sent += len(data)
        super().writebytes2(data)


def pictures(turns: int) -> Mapping[str, Sequence[Image.Image]]:
    """The pictures of a minute in which only the sand runs, and those of a game that is played."""
    daemon = begun(2, with_display=True)
    taken: list[Image.Image] = []
    display: Any = daemon.board.drivers.display
    display.show = lambda image: taken.append(image.copy())
    daemon.play(edges_of_a_game(2, 1, turns))
    played, taken[:] = list(taken), []
    daemon.pass_to(Instant(daemon.watch.now() + MINUTE))
    return {"a second of sand": list(taken), "a picture in play": played}


def wires_of(bus: CountedI2c | CountedSpi) -> DisplayWires:
    """The wires to a counted bus."""
    if isinstance(bus, CountedI2c):
        return OverI2c(bus, ADDRESS)
    factory = SimulatedFactory(chain=None, ticks=lambda: 0.0)
    factory.attach(ON_SPI.data_command, lambda level, _: bus.on_data_command(level))
    factory.attach(22, lambda level, _: bus.on_reset(level))
    return OverSpi(bus, ON_SPI, pin_factory=factory)


def shown(kind: str, bus: CountedI2c | CountedSpi, images: Sequence[Image.Image]) -> Sequence[Sent]:
    """What each picture puts on the bus, the first of them with all settings; the last is looked at."""
    described = Display(kind, ON_SPI if isinstance(bus, CountedSpi) else OnI2c(1, ADDRESS), 0, 0, 0)
    driver = Driver(described, wires=wires_of(bus), now=lambda: 0)
    updates = []
    for image in images:
        bus.transactions = bus.sent = 0
        start = time.perf_counter()
        driver.show(image)
        updates.append(Sent(bus.transactions, bus.sent, (time.perf_counter() - start) * 1_000_000))
    driver.close()
    return updates


def milliseconds(update: Sent, clock_hz: int, *, is_i2c: bool) -> str:
    """The time on the bus."""
    pulses = update.sent * 9 + update.transactions * 2 if is_i2c else update.sent * 8
    return f"{pulses / clock_hz * 1_000:8.3f}"


def report(kind: str, bus: str, what: str, update: Sent) -> None:
    """One line: bytes, and how long they take at each clock."""
    clocks = I2C_HZ if bus == "I2C" else SPI_HZ
    times = "  ".join(
        f"{milliseconds(update, clock, is_i2c=bus == 'I2C')} ms at {name}" for name, clock in clocks.items()
    )
    say(f"{kind} on {bus}: {what}", f"{update.sent:5d} bytes in {update.transactions:2d}  {times}")


def main() -> None:
    """Count and print."""
    given = parser(__doc__).parse_args()
    say_machine()
    taken = pictures(2 if given.quick else TURNS)
    for kind, chip in KINDS.items():
        processor: dict[str, list[float]] = {what: [] for what in taken}
        for name, make in (("I2C", CountedI2c), ("SPI", CountedSpi)):
            for number, (what, images) in enumerate(taken.items()):
                updates = shown(kind, make(chip()), images)
                if number == 0:
                    report(kind, name, "everything anew", updates[0])
                following = sorted((each for each in updates[1:] if each.sent), key=lambda each: each.sent)
                report(kind, name, f"{what}, median", following[len(following) // 2])
                report(kind, name, f"{what}, largest", following[-1])
                processor[what] += [each.processor for each in updates[1:]]
        for what, values in processor.items():
            say(f"{kind}: processor, {what}", Spread.of(values))


if __name__ == "__main__":
    main()
