"""One cause is one finding: each fault is planted in a simulated board, and the doctor says just that.

Not among them is what nothing shows at rest: dead emitters, a dead sensor of an empty board, exchanged registers of an
empty board, inputs that are bridged. `gnomond walk` finds these (tests/walk).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final, NamedTuple

import pytest

from gnomon.games.tamsk.sensing.inputs import RING_INPUTS, start_inputs
from gnomon.timekeeping.instants import Instant
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Chain, Expanders, OnI2c, Output
from gnomon_pi.drivers.assembly import Drivers
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.expander_wiring import SolderedExpanders
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.tools.doctor._at_rest import watch_at_rest
from gnomon_pi.tools.doctor.finding import Finding, Severity
from tests.doctor.machines import said

SCANS: Final = 60


class Bench:
    """A simulated board in virtual time, and what is to happen to it."""

    def __init__(self, variant: str = "", name: str = "tamsk") -> None:
        self.watch = VirtualWatch()
        self.described = load_bundled(name, variant=variant)
        self.board = SimulatedBoard(self.described, now=self.watch.now, later=self.watch.later)
        self.drivers: Drivers = self.board.drivers
        self.meanwhile: Callable[[int], None] = lambda _number: None

    @property
    def chain(self) -> RegisterChain:
        assert self.board.chain is not None
        return self.board.chain

    @property
    def expanders(self) -> SolderedExpanders:
        assert self.board.expanders is not None
        return self.board.expanders

    def set_out(self, level: int = 1) -> "Bench":
        for name in start_inputs(level):
            self.board.set_input(name, True)
        return self

    def describe(self, description: BoardDescription) -> None:
        """The drivers are told of another board than the one that is soldered."""
        self.described = description
        self.drivers = self.board.drivers_for(description)

    def look(self) -> list[Finding]:
        """What is worse than a note."""
        numbers = count()

        def wait(instant: Instant) -> None:
            self.watch.go_to(instant)
            self.meanwhile(next(numbers))

        found = watch_at_rest(self.drivers, self.described, self.watch, wait, SCANS)
        return [finding for finding in found if finding.mark > Severity.NOTE]


def chain_of(description: BoardDescription) -> Chain:
    assert isinstance(description.sensors, Chain)
    return description.sensors


def with_chain(bench: Bench, **changes: Any) -> None:
    """The description has something else of the chain."""
    sensors = replace(chain_of(bench.described), **changes)
    bench.describe(replace(bench.described, sensors=sensors))


def backwards(byte: int) -> int:
    return int(f"{byte:08b}"[::-1], 2)


def exchanged(first: int, second: int) -> Callable[[list[int]], list[int]]:
    def order(registers: list[int]) -> list[int]:
        registers[first], registers[second] = registers[second], registers[first]
        return registers

    return order


# What is planted


def inserted(bench: Bench, at: int, number: int = 1) -> None:
    bench.chain.resolder(lambda soldered: soldered[:at] + [0xFF] * number + soldered[at:])


def left_out(bench: Bench, at: int) -> None:
    bench.chain.resolder(lambda soldered: soldered[:at] + soldered[at + 1 :])


def wired_backwards(bench: Bench, *registers: int) -> None:
    bench.chain.resolder(
        lambda soldered: [backwards(byte) if at in registers else byte for at, byte in enumerate(soldered)]
    )


def slips_now_and_then(bench: Bench) -> None:
    bench.meanwhile = lambda number: bench.chain.slip(1 if number % 10 == 0 else 0)


def chatters(bench: Bench, name: str) -> None:
    bench.meanwhile = lambda number: bench.board.set_input(name, number % 2 == 0)


def lamp(bench: Bench) -> None:
    for name in RING_INPUTS:
        bench.board.chain.dazzle(name) if bench.board.chain else bench.expanders.dazzle(name)


def magnets_reversed(bench: Bench) -> None:
    for name in start_inputs(1):
        place, _, kind = name.rpartition(".")
        bench.board.set_input(f"{place}.{ {'north': 'south'}.get(kind, kind) }", True)


def display_elsewhere(bench: Bench) -> None:
    display = bench.described.display
    assert display is not None
    bench.describe(replace(bench.described, display=replace(display, wires=OnI2c(1, 0x3D))))


def pin_taken(bench: Bench) -> None:
    bench.board._factory.reserve_pins(bench, bench.described.buttons[0].pin)


def latch_taken(bench: Bench) -> None:
    bench.board._factory.reserve_pins(bench, chain_of(bench.described).latch)


def addresses_exchanged(bench: Bench) -> None:
    sensors = bench.described.sensors
    assert isinstance(sensors, Expanders)
    first, second, *others = sensors.chips
    bench.describe(replace(bench.described, sensors=replace(sensors, chips=(second, first, *others))))


def put(bench: Bench, *names: str) -> None:
    for name in names:
        bench.board.set_input(name, True)


def plugs_turned_round(bench: Bench) -> None:
    put(bench, *(f"{place}.{pole}" for place in ("C3", "C4", "D5", "E4", "E3", "D3") for pole in ("north", "south")))


def bus_off(bench: Bench) -> None:
    for chip in range(5):
        bench.expanders.switch_off(chip)


def scans_late(bench: Bench) -> None:
    bench.meanwhile = lambda _number: bench.watch.go_to(Instant(bench.watch.now() + 7_000))


class Fault(NamedTuple):
    """A fault: on which board, what is planted, and the one finding, by its code and what it names."""

    name: str
    plant: Callable[[Bench], object]
    code: str
    names: str
    variant: str = ""
    is_set_out: bool = False


NONE: Final = "doctor.scans.none"
FAULTS: Final[Sequence[Fault]] = (
    # The list of those that were measured to mislead
    Fault("active the wrong way round", lambda b: with_chain(b, active_low=False), "doctor.sensors.active", '"high"'),
    Fault(
        "a ring sensor shorted to ground",
        lambda b: b.board.break_input("D4.ring3", True),
        "doctor.light.single",
        "D4.ring3 (register 17, pin A)",
    ),
    Fault("one register more", lambda b: inserted(b, 5), NONE, "has 20 registers instead of 19"),
    Fault("one register fewer", lambda b: left_out(b, 5), NONE, "has 18 registers instead of 19"),
    Fault("the latch stuck low", lambda b: b.chain.hold_latch(False), NONE, "their latch stays low"),
    Fault("the latch not connected", lambda b: b.chain.hold_latch(True), NONE, "its latch is never low"),
    Fault(
        "broken in front of register 7, zeros",
        lambda b: b.board.break_sensors(7, reads=0),
        NONE,
        "zeros from register 7 on",
    ),
    Fault(
        "broken in front of register 7, ones",
        lambda b: b.board.break_sensors(7, reads=1),
        NONE,
        "a data wire is broken",
    ),
    Fault(
        "broken in front of register 7, ones, set out",
        lambda b: b.board.break_sensors(7, reads=1),
        NONE,
        "ones from register 6 on",
        is_set_out=True,
    ),
    Fault(
        "all registers backwards",
        lambda b: wired_backwards(b, *range(19)),
        NONE,
        "its inputs are wired from H to A",
        is_set_out=True,
    ),
    Fault("INT not connected", lambda b: b.expanders.cut_interrupt(), "health.interrupt.open", "GPIO 4", "expanders"),
    Fault(
        "registers exchanged",
        lambda b: b.chain.resolder(exchanged(0, 3)),
        "doctor.position.swapped.register",
        "Registers 0 and 3",
        is_set_out=True,
    ),
    Fault("the canary inverted", lambda b: b.chain.corrupt_canary(0xB1 ^ 0xFF), NONE, "ground and 3.3 V are exchanged"),
    Fault(
        "a stuck switch",
        lambda b: b.board.break_input("D4.north", True),
        "doctor.position.but",
        "D4.north (register 4, pin E) is on",
    ),
    Fault(
        "a dead switch",
        lambda b: b.board.break_input("A1.north", False),
        "doctor.position.but",
        "A1.north (register 0, pin A) is off",
        is_set_out=True,
    ),
    Fault("a lamp over the board", lamp, "health.light.more", "63 more"),
    Fault("a button shorted", lambda b: b.board.set_input("button.red", True), "doctor.buttons.down", "button.red"),
    Fault("the display dead", lambda b: b.board.break_display(), "health.display.silent", "0x3C of I2C bus 1"),
    Fault("the bus of the lights dead", lambda b: b.board.break_lights(), "health.lights", "The lights"),
    Fault(
        "the clock slips now and then",
        slips_now_and_then,
        "doctor.scans.failed",
        "6 of 60 scans failed: The sensors came out of step by 1 bits, too late",
    ),
    Fault("a floating input", lambda b: chatters(b, "D1.north"), "doctor.chatter", "D1.north (register 3, pin G)"),
    Fault("both poles at once", lambda b: put(b, "D4.north", "D4.south"), "doctor.sensors.poles", "D4"),
    Fault("the magnets reversed", magnets_reversed, "doctor.position.turned", "set out for level 1 or 2"),
    Fault("the display at another address", display_elsewhere, "health.display.silent", "0x3D of I2C bus 1"),
    Fault("an expander silent", lambda b: b.board.break_sensors(3), NONE, "Expander 0x23 on I2C bus 4", "expanders"),
    # Twenty more
    Fault("two registers more", lambda b: inserted(b, 0, 2), NONE, "has 21 registers instead of 19"),
    Fault("an input of the canary open", lambda b: b.chain.corrupt_canary(0xB3), NONE, "0xB3 instead of 0xB1"),
    Fault("the canary not wired", lambda b: b.chain.corrupt_canary(0xFF), NONE, "0xFF instead of 0xB1"),
    Fault("the canary described otherwise", lambda b: with_chain(b, canary=0xA5), NONE, "0xB1 instead of 0xA5"),
    Fault("the canary backwards", lambda b: wired_backwards(b, 18), NONE, "its inputs are wired from H to A"),
    Fault("the clock not connected", lambda b: b.chain.stop_clock(), NONE, "their clock does not arrive"),
    Fault("the data at ground", lambda b: b.chain.hold_data(False), NONE, "its data wire is broken or grounded"),
    Fault("the data at 3.3 V", lambda b: b.chain.hold_data(True), NONE, "a data wire is broken"),
    Fault("every scan a bit late", lambda b: b.chain.slip(1), NONE, "1 bits, too late"),
    Fault("every scan two bits early", lambda b: b.chain.slip(-2), NONE, "2 bits, too early"),
    Fault("the SPI fails", lambda b: b.chain.cut_off(), NONE, "The sensors do not answer"),
    Fault("the pin of the latch taken", latch_taken, NONE, "The latch of the sensors on GPIO 25"),
    Fault(
        "one register backwards",
        lambda b: wired_backwards(b, 0),
        "doctor.position.reversed",
        "register 0",
        is_set_out=True,
    ),
    Fault("a ring above nothing", lambda b: b.board.set_input("C3.ring2", True), "doctor.sensors.gap", "C3"),
    Fault("a post that reflects", lambda b: b.board.set_input("A1.ring1", True), "doctor.position.but", "A1.ring1"),
    Fault("a hexagon's plugs turned round", plugs_turned_round, "doctor.sensors.many", "C3"),
    Fault(
        "a button that bounces at rest",
        lambda b: chatters(b, "button.arbiter"),
        "doctor.buttons.stirred.other",
        "button.arbiter",
    ),
    Fault("the pin of a button taken", pin_taken, "health.button.unheard", "button.red on GPIO 5"),
    Fault(
        "emitters of which nobody knows the level",
        lambda b: with_chain(b, emitters=Output(17, None)),
        "health.emitters.unread",
        "GPIO 17",
    ),
    Fault("scans that come late", scans_late, "doctor.scan_time.late", "60 of 60"),
    Fault(
        "INT of one chip not connected",
        lambda b: b.expanders.cut_interrupt_of(2),
        "health.interrupt.chips",
        "0x22 on I2C bus 4",
        "expanders",
    ),
    Fault(
        "INT of three chips not connected",
        lambda b: b.expanders.cut_interrupt_of(0, 5, 9),
        "health.interrupt.chips",
        "0x20 on I2C bus 4, 0x20 on I2C bus 6, 0x24 on I2C bus 6",
        "expanders",
    ),
    Fault("INT at ground", lambda b: b.expanders.ground_interrupt(), "health.interrupt.low", "GPIO 4", "expanders"),
    Fault("a bus of expanders without power", bus_off, NONE, "None of the 5 expanders on I2C bus 4", "expanders"),
    Fault(
        "addresses of expanders exchanged",
        addresses_exchanged,
        "doctor.position.swapped.chip",
        "Chips 0 and 1",
        "expanders",
        is_set_out=True,
    ),
    Fault("a lamp over expanders", lamp, "health.light.more", "63 more", "expanders"),
    Fault(
        "an expander's ring sensor shorted",
        lambda b: b.board.break_input("D4.ring3", True),
        "doctor.light.single",
        "D4.ring3 (chip 9, pin GPB3)",
        "expanders",
    ),
)


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """The board of a fault, set out where it says so."""
    fault: Fault = request.param
    bench = Bench(fault.variant)
    if fault.is_set_out:
        bench.set_out()
    yield bench
    bench.board.close()


@pytest.mark.parametrize("is_set_out", [False, True])
@pytest.mark.parametrize("variant", ["", "expanders", "single-pole", "no-lights"])
def test_without_a_fault_nothing_is_found(variant: str, is_set_out: bool) -> None:
    bench = Bench(variant)
    if is_set_out and variant != "single-pole":
        bench.set_out()
    assert bench.look() == []
    bench.board.close()


@pytest.mark.parametrize(
    ("bench", "fault"), [(each, each) for each in FAULTS], ids=[each.name for each in FAULTS], indirect=["bench"]
)
def test_one_cause_is_one_finding(bench: Bench, fault: Fault) -> None:
    fault.plant(bench)
    found = bench.look()
    assert [each.found.key for each in found] == [fault.code], said(found)
    assert fault.names in found[0].sentence()
    assert found[0].advice() or found[0].found.key.startswith(
        ("health.interrupt", "health.emitters", "doctor.scan_time")
    )
