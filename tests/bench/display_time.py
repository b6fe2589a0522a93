"""What the display costs: bytes and bus time of each update, counted on the emulated bus, and processor time.

The pictures are those of a real game in virtual time: a game of TAMSK at level 2 that is played by hands, and a
minute of it in which only the sand runs. In the time of the processor is that of the emulated chip.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from PIL import Image

from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.config.description import DisplayWiring, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.drivers._display import Display as Driver
from gnomon_pi.drivers._display import DisplayWires, OverI2c, OverSpi
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from gnomon_pi.simulated.chips.sh1106 import Sh1106
from gnomon_pi.simulated.chips.ssd1306 import Oled, SpiModule, Ssd1306, Ssd1309
from tests.bench._counted import I2C_HZ, SPI_HZ, CountedI2c, CountedWriter, Traffic, say_heading, say_sent
from tests.bench._figures import Spread, parser, say, say_machine
from tests.daemon.halves import begun, edges_of_a_game

KINDS: Final[Mapping[str, type[Oled]]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
I2C: Final = "I2C"
RATES: Final = {I2C: I2C_HZ, "SPI": SPI_HZ}
ADDRESS: Final = 0x3C
RESET: Final = 22
ON_SPI: Final = SpiDisplay(OnSpi(0, 1, 8_000_000), data_command=24, reset=RESET)
TURNS: Final = 12
MINUTE: Final = 60 * SECOND


class Update(NamedTuple):
    """What a picture put on the bus, and the microseconds that it took the processor."""

    sent: Traffic
    processor: float


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


def wires_of(bus: str, chip: Oled, traffic: Traffic) -> DisplayWires:
    """The wires to a chip on a counted bus."""
    if bus == I2C:
        return OverI2c(CountedI2c({ADDRESS: chip}, traffic), OnI2c(1, ADDRESS))
    module = SpiModule(chip)
    factory = SimulatedFactory(chain=None, ticks=lambda: 0.0)
    factory.attach(ON_SPI.data_command, lambda level, _: module.on_data_command(level))
    factory.attach(RESET, lambda level, _: module.on_reset(level))
    return OverSpi(CountedWriter(module, traffic), ON_SPI, pin_factory=factory)


def shown(kind: str, bus: str, images: Sequence[Image.Image]) -> Sequence[Update]:
    """What each picture puts on the bus, the first of them with all settings."""
    traffic = Traffic()
    described = DisplayWiring(kind, OnI2c(1, ADDRESS) if bus == I2C else ON_SPI, 0, 0)
    driver = Driver(described, wires=wires_of(bus, KINDS[kind](), traffic), now=lambda: 0)
    updates = []
    for image in images:
        start = time.perf_counter()
        driver.show(image)
        updates.append(Update(traffic.taken(), (time.perf_counter() - start) * 1_000_000))
    driver.close()
    return updates


def main() -> None:
    """Count and print."""
    given = parser(__doc__).parse_args()
    say_machine()
    taken = pictures(2 if given.quick else TURNS)
    processor: dict[tuple[str, str], list[float]] = {}
    for bus, rates in RATES.items():
        say_heading(f"on {bus}", rates)
        for kind in KINDS:
            for number, (what, images) in enumerate(taken.items()):
                first, *others = shown(kind, bus, images)
                if number == 0:
                    say_sent(f"{kind} on {bus}: everything again", first.sent, rates)
                changing = sorted((each.sent for each in others if each.sent.bytes), key=lambda sent: sent.bytes)
                say_sent(f"{kind} on {bus}: {what}, median", changing[len(changing) // 2], rates)
                say_sent(f"{kind} on {bus}: {what}, largest", changing[-1], rates)
                processor.setdefault((kind, what), []).extend(each.processor for each in others)
    for (kind, what), values in processor.items():
        say(f"{kind}: processor, {what}", Spread.of(values))


if __name__ == "__main__":
    main()
