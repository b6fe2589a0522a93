"""What sensors, lights and tags cost their buses: bytes and bus time of each scan, frame and look, counted; and waits.

The first tables count what the real drivers send over emulated chips; what displays cost counts `display_time`. The
last one measures scans by the clock while a display on the same bus is sent one whole picture after the other; there
the emulated bus keeps its users waiting as long as its bytes take.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, replace
from functools import partial
from itertools import cycle
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import Final

from PIL import Image

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import Chain, Expanders, OnI2c
from gnomon_pi.drivers._display import Display, OverI2c
from gnomon_pi.drivers._expander_bank import FOLLOWED, SAFETY_US
from gnomon_pi.drivers._lights import Lights
from gnomon_pi.drivers._shared_bus import BusUser, SharedBus
from gnomon_pi.drivers.libraries import I2cBus
from gnomon_pi.drivers.pn532 import PACE, TagReader
from gnomon_pi.simulated.chips.hc165_and_lights import LightStrip
from gnomon_pi.simulated.chips.pn532 import Pn532, Tag
from gnomon_pi.simulated.chips.ssd1306 import Ssd1309
from tests.bench._counted import (
    I2C_HZ,
    SPI_HZ,
    CountedI2c,
    CountedWriter,
    Passes,
    Traffic,
    at_once,
    say_heading,
    say_sent,
    slowly,
)
from tests.bench._figures import LABEL, Spread, parser, progress, say, say_machine
from tests.bench._soldered import Share, SolderedSensors

RATE: Final = 400_000
CHAIN_HZ: Final = (500_000, 1_000_000, 2_000_000)
PERIOD_US: Final = 10_000
SCANS: Final = 300
PICTURE: Final = OnI2c(1, 0x3C)
READER: Final = OnI2c(1, 0x24)
UID: Final = bytes.fromhex("04A1B2C3D4E5F6")
LIGHTS: Final = 37


def chain(board: str) -> Chain:
    """The shift registers of a bundled board."""
    sensors = load_bundled(board).sensors
    assert isinstance(sensors, Chain)
    return sensors


def expanders() -> Expanders:
    """Those of the bundled board."""
    sensors = load_bundled("tamsk", variant="expanders").sensors
    assert isinstance(sensors, Expanders)
    return sensors


class Bench:
    """The expanders of the TAMSK board and a display, with time that the bench moves."""

    def __init__(
        self, sensors: Expanders, share: Share = SharedBus, passes: Callable[[], Passes] = lambda: at_once
    ) -> None:
        self.now = 0
        self.board = SolderedSensors(sensors, lambda: self.now, passes=passes, beside={PICTURE: Ssd1309()}, share=share)

    def scan(self) -> Traffic:
        """One scan, and what it sent."""
        self.now += PERIOD_US
        self.board.traffic.taken()
        self.board.driver.scan()
        return self.board.traffic.taken()

    def settle(self) -> None:
        """Scan until nothing follows a change any more, up to the scan after a safety scan."""
        for _ in range(FOLLOWED + 1):
            self.scan()
        self.now += SAFETY_US
        for _ in range(2):
            self.scan()


# What is counted


def scan_of_chain(sensors: Chain) -> Traffic:
    """What every scan of shift registers sends."""
    board = SolderedSensors(sensors, lambda: 0)
    board.driver.scan()
    board.traffic.taken()  # with the byte that brings the clock to its rest level
    board.driver.scan()
    return board.traffic.taken()


def scans_of_expanders(sensors: Expanders) -> Iterator[tuple[str, Traffic]]:
    """What the kinds of scans send."""
    how = "expanders, polled" if sensors.interrupt is None else "expanders, interrupts"
    bench = Bench(sensors)
    bench.scan()
    bench.settle()
    yield f"{how}: nothing moves", bench.scan()
    for what, name in (("a glass", "A1.north"), ("a ring", "D4.ring1")):
        bench.settle()
        bench.board.chips.set_input(name, value=True)
        yield f"{how}: {what} moved", bench.scan()
    yield f"{how}: each of {FOLLOWED} after it", bench.scan()
    bench.settle()
    bench.now += SAFETY_US
    yield f"{how}: once in {SAFETY_US // 1000} ms", bench.scan()


def looks_for_tags() -> Iterator[tuple[str, Traffic]]:
    """What a look for a tag sends, and each question whether the chip is ready yet."""
    chip, traffic = Pn532(), Traffic()
    reader = TagReader(READER, bus=CountedI2c({READER.address: chip}, traffic), now=lambda: 0, paced=False)

    def look() -> Traffic:
        traffic.taken()
        while reader.step() != PACE:
            pass
        return traffic.taken()

    yield "pn532: set up, and the first look", look()
    empty = look()
    yield "pn532: a look at nothing", empty
    chip.tags = [Tag(UID)]
    yield "pn532: a look at a tag", look()
    chip.tags, chip.busy = [], chip.busy + 1
    # A look asks twice: whether the command was taken, and whether the answer is there.
    in_vain = ((more - less) // 2 for more, less in zip(astuple(look()), astuple(empty), strict=True))
    yield "pn532: each question asked in vain", Traffic(*in_vain)


def frame_of_lights() -> Traffic:
    """What a frame of the strip sends."""
    described = load_bundled("tamsk").lights
    assert described is not None
    traffic = Traffic()
    Lights(described, transport=CountedWriter(LightStrip(LIGHTS), traffic)).show([(1, 2, 3)] * described.count)
    return traffic


def say_counts() -> None:
    """The tables of what is counted."""
    say_heading("shift registers, every scan", CHAIN_HZ)
    for board in ("tamsk", "tayu"):
        registers = chain(board)
        times = "once" if registers.emitters is None else "twice"
        say_sent(f"{board}: {registers.registers} registers, read {times}", scan_of_chain(registers), CHAIN_HZ)
    say_heading("lights", SPI_HZ)
    say_sent(f"sk9822: a frame of {LIGHTS} lights", frame_of_lights(), SPI_HZ)
    say_heading("on I2C", I2C_HZ)
    sensors = expanders()
    for variant in (sensors, replace(sensors, interrupt=None)):
        for label, sent in scans_of_expanders(variant):
            say_sent(label, sent, I2C_HZ)
    for label, sent in looks_for_tags():
        say_sent(label, sent, I2C_HZ)


# What is measured


class PlainlyShared(SharedBus):
    """A bus behind a plain lock, to be compared with."""

    def __init__(self, bus: I2cBus) -> None:
        super().__init__(bus)
        self._wire = bus
        self._lock = Lock()

    @contextmanager
    def turn(self, _user: BusUser) -> Iterator[I2cBus]:
        """The bus alone, whenever the lock is had."""
        with self._lock:
            yield self._wire


def pictures(board: SolderedSensors, *, whole: bool = False) -> Callable[[], None]:
    """Sends a whole new picture at each call, in one turn if `whole`."""
    user = board.buses[PICTURE.bus].user()
    images = cycle([Image.effect_noise((128, 64), 90 + turn).convert("1") for turn in range(2)])
    display = load_bundled("tamsk").display
    assert display is not None
    # In a turn of its own it must not ask for others.
    wires = OverI2c(board.wires[PICTURE.bus] if whole else user, PICTURE)
    screen = Display(display, wires=wires, now=lambda: 0)

    def send() -> None:
        with ExitStack() as stack:
            if whole:
                stack.enter_context(user.turn())
            screen.show(next(images))

    return send


def waits(share: Share, scans: int, *, whole: bool, is_busy: bool = True) -> Spread:
    """How long scans take while another thread sends pictures on the same bus."""
    sensors = expanders()
    beside = sensors.chips[0].bus
    chips = tuple(OnI2c(PICTURE.bus if bus == beside else bus, address) for bus, address in sensors.chips)
    bench = Bench(replace(sensors, chips=chips, interrupt=None), share, partial(slowly, RATE))
    bench.scan()
    send = pictures(bench.board, whole=whole)
    stop = Event()

    def draw() -> None:
        while not stop.is_set():
            send()

    artist = Thread(target=draw)
    if is_busy:
        artist.start()
    taken = []
    for number in range(scans):
        progress(f"scan {number + 1} of {scans}")
        sleep(PERIOD_US / 1_000_000)
        begun = perf_counter()
        bench.scan()
        taken.append((perf_counter() - begun) * 1_000_000)
    stop.set()
    if is_busy:
        artist.join()
    progress("")
    return Spread.of(taken)


def main() -> None:
    """Count, measure and print."""
    options = parser(__doc__)
    options.add_argument("--scans", type=int, default=SCANS, help="of each kind that is measured")
    given = options.parse_args()
    scans = 5 if given.quick else given.scans
    say_machine()
    say_counts()
    print(f"{'':{LABEL}} a scan of ten expanders, five of them beside a display, at {RATE // 1000} kHz")
    say("alone", waits(SharedBus, scans, whole=False, is_busy=False))
    say("a turn after each transaction", waits(SharedBus, scans, whole=False))
    say("a plain lock at each transaction", waits(PlainlyShared, scans, whole=False))
    say("a lock for each picture", waits(PlainlyShared, scans, whole=True))


if __name__ == "__main__":
    main()
