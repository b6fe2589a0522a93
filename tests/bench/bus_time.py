"""How many bytes a scan of the TAMSK board takes, how long they keep a bus, and how long a scan waits for a picture.

The first table counts: the real drivers on emulated chips, 9 clocks a byte on I2C with its start and stop, 8 on SPI,
without what the kernel adds for each transaction. The second measures scans by the clock while a display on the same
bus is sent one whole picture after the other; there the emulated bus keeps its users waiting as long as its bytes take.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import Final

from PIL import Image

from gnomon_pi.config import bundled
from gnomon_pi.description import Chain, Expanders, OnI2c
from gnomon_pi.drivers.display import Display
from gnomon_pi.drivers.display_wires import OverI2c
from gnomon_pi.drivers.libraries import I2cBus
from gnomon_pi.drivers.mcp23017 import FOLLOWED, SAFETY_US, ExpanderBank
from gnomon_pi.drivers.shared_bus import BusUser, SharedBus
from gnomon_pi.simulated.bus import Chip, SimulatedI2C
from gnomon_pi.simulated.factory import SimulatedFactory
from gnomon_pi.simulated.oled import Ssd1306
from gnomon_pi.simulated.soldered_expanders import SolderedExpanders
from tests.bench._figures import LABEL, Spread, parser, progress, say, say_machine

CLOCKS_A_BYTE: Final = 9  # eight bits and the acknowledgement
RATES: Final = (100_000, 400_000, 1_000_000)  # Hz
RATE: Final = 400_000
PERIOD_US: Final = 10_000
SCANS: Final = 300
PICTURE_BUS: Final = 1
PICTURE_ADDRESS: Final = 0x3C
CHAIN_BITS: Final = 8  # clocks a byte on SPI


@dataclass(slots=True)
class Traffic:
    """What has gone over buses."""

    transactions: int = 0
    bytes: int = 0
    clocks: int = 0

    def note(self, count: int, starts: int) -> int:
        """So many bytes with their addresses, in one transaction; the answer is its clocks."""
        clocks = count * CLOCKS_A_BYTE + starts + 1
        self.transactions += 1
        self.bytes += count
        self.clocks += clocks
        return clocks

    def taken(self) -> "Traffic":
        """What has been noted, which begins anew."""
        taken = Traffic(self.transactions, self.bytes, self.clocks)
        self.transactions = self.bytes = self.clocks = 0
        return taken


class CountingBus(SimulatedI2C):
    """A bus that counts its clocks and, at a rate, takes their time."""

    def __init__(self, chips: Mapping[int, Chip], traffic: Traffic, rate: int | None = None) -> None:
        super().__init__(chips)
        self._traffic = traffic
        self._rate = rate

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Address, register and data."""
        self._take(self._traffic.note(2 + len(data), starts=1))
        super().write_i2c_block_data(i2c_addr, register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Address, register, address again after a second start, and data."""
        self._take(self._traffic.note(3 + length, starts=2))
        return super().read_i2c_block_data(i2c_addr, register, length)

    def _take(self, clocks: int) -> None:
        if self._rate is not None:
            sleep(clocks / self._rate)


def expanders() -> Expanders:
    """Those of the bundled board."""
    sensors = bundled("tamsk", variant="expanders").sensors
    assert isinstance(sensors, Expanders)
    return sensors


class Bench:
    """The expanders of the TAMSK board under their real driver, with time that the bench moves."""

    def __init__(self, sensors: Expanders, share: Callable[[I2cBus], SharedBus], rate: int | None = None) -> None:
        self.now = 0
        self.traffic = Traffic()
        self.soldered = SolderedExpanders(sensors)
        self.oled = Ssd1306()
        factory = SimulatedFactory(chain=None, ticks=lambda: 0.0)
        if sensors.interrupt is not None:
            self.soldered.wire_interrupt(factory.pin(sensors.interrupt).ground)
        if sensors.emitters is not None:
            factory.attach(sensors.emitters.pin, lambda level, _: self.soldered.on_emitters(level))
        chips: dict[int, dict[int, Chip]] = {PICTURE_BUS: {PICTURE_ADDRESS: self.oled}}
        for bus, address, chip in self.soldered.wired():
            chips.setdefault(bus, {})[address] = chip
        self.wires = {number: CountingBus(there, self.traffic, rate) for number, there in chips.items()}
        self.buses = {number: share(wire) for number, wire in self.wires.items()}
        self.bank = ExpanderBank(
            sensors,
            pin_factory=factory,
            buses={number: self.buses[number].user() for number in {chip.bus for chip in sensors.chips}},
            now=lambda: self.now,
        )

    def scan(self) -> Traffic:
        """One scan, and what it sent."""
        self.now += PERIOD_US
        self.traffic.taken()
        self.bank.scan()
        return self.traffic.taken()

    def settle(self) -> None:
        """Scan until nothing follows a change any more, right after a safety scan."""
        for _ in range(FOLLOWED + 1):
            self.scan()
        self.now += SAFETY_US
        self.scan()


# What is counted


def counted(sensors: Expanders) -> Iterator[tuple[str, Traffic]]:
    """What the kinds of scans send."""
    how = "expanders, polled" if sensors.interrupt is None else "expanders, interrupts"
    bench = Bench(sensors, SharedBus)
    bench.scan()
    bench.settle()
    yield f"{how}: nothing moves", bench.scan()
    for what, name in (("a glass", "A1.north"), ("a ring", "D4.ring1")):
        bench.settle()
        bench.soldered.set_input(name, value=True)
        yield f"{how}: {what} moved", bench.scan()
    yield f"{how}: each of {FOLLOWED} after it", bench.scan()
    bench.settle()
    bench.now += SAFETY_US
    yield f"{how}: once in {SAFETY_US // 1000} ms", bench.scan()


def say_chain() -> None:
    """The bytes of the shift registers, which are read with the emitters off and on."""
    chain = bundled("tamsk").sensors
    assert isinstance(chain, Chain)
    count = chain.registers * (2 if chain.emitters is not None else 1)
    taken = count * CHAIN_BITS / chain.clock_hz * 1_000_000
    say(
        f"shift registers at {chain.clock_hz / 1_000_000:g} MHz: every scan",
        f"{2:5} {count:6} {count * CHAIN_BITS:7} {taken:10.0f} µs  {taken / PERIOD_US:6.1%} of {PERIOD_US // 1000} ms",
    )


def say_counts() -> None:
    """The table of what is counted."""
    times = " ".join(f"{rate // 1000:6} kHz" for rate in RATES)
    say("", f"trans  bytes  clocks  {times}")
    say_chain()
    sensors = expanders()
    for variant in (sensors, replace(sensors, interrupt=None)):
        for label, sent in counted(variant):
            taken = " ".join(f"{sent.clocks / rate * 1000:7.2f} ms" for rate in RATES)
            say(label, f"{sent.transactions:5} {sent.bytes:6} {sent.clocks:7}  {taken}")
    picture = Bench(sensors, SharedBus)
    send = pictures(picture)
    send()
    picture.traffic.taken()
    send()
    sent = picture.traffic.taken()
    taken = " ".join(f"{sent.clocks / rate * 1000:7.2f} ms" for rate in RATES)
    say("a whole picture", f"{sent.transactions:5} {sent.bytes:6} {sent.clocks:7}  {taken}")


# What is measured


class PlainlyShared(SharedBus):
    """A bus behind a plain lock, to be compared with."""

    def __init__(self, bus: I2cBus) -> None:
        super().__init__(bus)
        self._wire = bus
        self._lock = Lock()

    @contextmanager
    def turn(self, user: BusUser) -> Iterator[I2cBus]:  # noqa: ARG002 - everybody is trusted here
        """The bus alone, whenever the lock is had."""
        with self._lock:
            yield self._wire


def pictures(bench: Bench, *, whole: bool = False) -> Callable[[], None]:
    """Sends a whole new picture at each call, in one turn if `whole`."""
    user = bench.buses[PICTURE_BUS].user()
    images = cycle([Image.effect_noise((128, 64), 90 + turn).convert("1") for turn in range(2)])
    display = bundled("tamsk").display
    assert display is not None
    # In a turn of its own it must not ask for others.
    wires = OverI2c(bench.wires[PICTURE_BUS] if whole else user, PICTURE_ADDRESS)
    screen = Display(display, wires=wires, now=lambda: 0)

    def send() -> None:
        with ExitStack() as stack:
            if whole:
                stack.enter_context(user.turn())
            screen.show(next(images))

    return send


def waits(share: Callable[[I2cBus], SharedBus], scans: int, *, whole: bool, is_busy: bool = True) -> Spread:
    """How long scans take while another thread sends pictures on the same bus."""
    sensors = expanders()
    beside = sensors.chips[0].bus
    chips = tuple(OnI2c(PICTURE_BUS if bus == beside else bus, address) for bus, address in sensors.chips)
    bench = Bench(replace(sensors, chips=chips, interrupt=None), share, RATE)
    bench.scan()
    send = pictures(bench, whole=whole)
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
