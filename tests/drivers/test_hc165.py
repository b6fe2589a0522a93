"""The chain of shift registers: the real driver on emulated chips."""

import dataclasses
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.games.tamsk.sensing.inputs import GLASS_INPUTS, RING_INPUTS, TIMER_INPUTS
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Chain, Output
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.drivers.world import World, chain_of, scans_of, sensors_of
from tests.words.statements import in_english

SENSORS = sensors_of(load_bundled("tamsk"))
CHAIN_INPUTS = GLASS_INPUTS + RING_INPUTS + TIMER_INPUTS


def active(board: SimulatedBoard) -> set[str]:
    """The names of the inputs that a scan gives as active."""
    levels = scans_of(board).scan()
    assert levels >> len(SENSORS.inputs) == 0
    return {name for bit, name in enumerate(SENSORS.inputs) if levels >> bit & 1}


def put(board: SimulatedBoard, names: Collection[str]) -> None:
    for name in CHAIN_INPUTS:
        board.set_input(name, name in names)


@pytest.mark.untraced
@pytest.mark.parametrize("name", CHAIN_INPUTS)
def test_each_input_alone_is_read_as_itself(board: SimulatedBoard, name: str) -> None:
    board.set_input(name, True)
    assert active(board) == {name}
    board.set_input(name, False)
    assert active(board) == set()


@pytest.mark.untraced
@given(st.lists(st.sets(st.sampled_from(CHAIN_INPUTS)), min_size=1, max_size=4))
def test_any_boards_one_after_the_other_are_read_as_they_are(boards: list[set[str]]) -> None:
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    for names in boards:
        put(board, names)
        assert active(board) == names
        assert active(board) == names
    board.close()


@pytest.mark.untraced
@given(st.sets(st.sampled_from(CHAIN_INPUTS)), st.permutations(range(18 * 8)))
def test_moved_inputs_are_read_as_they_are_named(names: set[str], bits: list[int]) -> None:
    sensors = dataclasses.replace(SENSORS, bits=tuple(bits[: len(SENSORS.inputs)]))
    world = World()
    board = SimulatedBoard(
        dataclasses.replace(load_bundled("tamsk"), sensors=sensors), now=world.clock, later=world.later
    )
    put(board, names)
    assert active(board) == names
    board.close()


def test_a_chain_that_is_active_high_is_read_as_it_is(world: World) -> None:
    sensors = dataclasses.replace(SENSORS, active_low=False)
    board = SimulatedBoard(
        dataclasses.replace(load_bundled("tamsk"), sensors=sensors), now=world.clock, later=world.later
    )
    put(board, {"D1.north", "D4.ring1"})
    assert active(board) == {"D1.north", "D4.ring1"}


def test_a_chain_without_emitters_needs_no_pin_for_them(world: World, description: BoardDescription) -> None:
    bare = dataclasses.replace(SENSORS, emitters=None, strobed=(False,) * len(SENSORS.inputs))
    board = SimulatedBoard(dataclasses.replace(description, sensors=bare), now=world.clock, later=world.later)
    put(board, {"D1.north"})
    assert active(board) == {"D1.north"}


# Strobed light


def test_the_eyes_are_given_their_time_with_the_emitters_on_and_before_they_are_read(
    description: BoardDescription,
) -> None:
    heard: list[str] = []

    class Listening(RegisterChain):
        def on_emitters(self, level: float) -> None:
            heard.append("on" if level else "off")
            super().on_emitters(level)

        def on_latch(self, level: float) -> None:
            if level:
                heard.append("load")
            super().on_latch(level)

        def transfer(self, count: int, clock_mode: int) -> list[int]:
            heard.append("read")
            return super().transfer(count, clock_mode)

    sensors = dataclasses.replace(sensors_of(description), settle_us=850)
    chain = Listening(sensors)
    factory = SimulatedFactory(chain=chain, ticks=lambda: 0.0)
    factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
    assert sensors.emitters is not None
    factory.attach(sensors.emitters.pin, lambda level, _: chain.on_emitters(level))
    driver = ShiftRegisters(sensors, pin_factory=factory, pause=lambda seconds: heard.append(f"{seconds * 1e6:.0f} µs"))
    driver.scan()
    heard.clear()
    driver.scan()
    assert heard == ["load", "on", "read", "850 µs", "load", "off", "read"]
    driver.close()


def test_foreign_light_hides_a_ring_and_is_told_as_health_not_as_a_failure(board: SimulatedBoard) -> None:
    put(board, {"D4.ring1", "D4.ring2", "D1.north"})
    chain_of(board).dazzle("D4.ring1")
    assert active(board) == {"D4.ring2", "D1.north"}
    assert in_english(scans_of(board).health()) == ("Too much light falls on D4.ring1: shade the board.",)


def test_foreign_light_on_an_empty_level_makes_no_ring(board: SimulatedBoard) -> None:
    for name in RING_INPUTS:
        chain_of(board).dazzle(name)
    assert active(board) == set()
    assert in_english(scans_of(board).health()) == ("Too much light falls on A1.ring1 and 63 more: shade the board.",)


def test_the_light_is_well_again_when_the_board_is_shaded(board: SimulatedBoard) -> None:
    board.set_input("D4.ring1", True)
    chain_of(board).dazzle("D4.ring1")
    assert active(board) == set()
    board.mend()
    assert active(board) == {"D4.ring1"}
    assert scans_of(board).health() == ()


def test_the_emitters_shine_only_while_a_scan_needs_them(description: BoardDescription) -> None:
    heard: list[tuple[str, float]] = []

    class Listening(RegisterChain):
        def on_emitters(self, level: float) -> None:
            heard.append(("emitters", level))
            super().on_emitters(level)

        def on_latch(self, level: float) -> None:
            heard.append(("latch", level))
            super().on_latch(level)

        def transfer(self, count: int, clock_mode: int) -> list[int]:
            heard.append(("transfer", count))
            return super().transfer(count, clock_mode)

    sensors = sensors_of(description)
    chain = Listening(sensors)
    factory = SimulatedFactory(chain=chain, ticks=lambda: 0.0)
    factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
    assert sensors.emitters is not None
    factory.attach(sensors.emitters.pin, lambda level, _: chain.on_emitters(level))
    driver = ShiftRegisters(sensors, pin_factory=factory)
    driver.scan()
    heard.clear()
    driver.scan()
    # The dark reading is loaded before the light goes on, the lit one before it goes off; the light warms up for
    # the length of a transfer.
    assert heard == [
        ("latch", 0),
        ("latch", 1),
        ("emitters", 1),
        ("transfer", 19),
        ("latch", 0),
        ("latch", 1),
        ("emitters", 0),
        ("transfer", 19),
    ]


def clocked_in_a_scan(sensors: Chain) -> list[int]:
    """How many bytes each reading of a scan is long, the second time that a chain is scanned."""
    clocked: list[int] = []

    class Counting(RegisterChain):
        def transfer(self, count: int, clock_mode: int) -> list[int]:
            clocked.append(count)
            return super().transfer(count, clock_mode)

    chain = Counting(sensors)
    factory = SimulatedFactory(chain=chain, ticks=lambda: 0.0)
    factory.attach(sensors.latch, lambda level, _: chain.on_latch(level))
    driver = ShiftRegisters(sensors, pin_factory=factory)
    driver.scan()
    clocked.clear()
    driver.scan()
    driver.close()
    return clocked


def test_without_emitters_one_reading_is_a_scan() -> None:
    assert clocked_in_a_scan(sensors_of(load_bundled("tayu"))) == [38]


@pytest.mark.parametrize(("active_low", "readings"), [(False, 2), (True, 2), (None, 1)])
def test_emitters_that_nobody_can_switch_need_no_second_reading(active_low: bool | None, readings: int) -> None:
    assert clocked_in_a_scan(dataclasses.replace(SENSORS, emitters=Output(17, active_low))) == [19] * readings


# Faults of the chain


@pytest.mark.parametrize(
    ("register", "reads", "said"),
    [
        (0, 0, "read only zeros: the chain has no power, its data wire is broken"),
        (0, 1, "read only ones: their latch stays low, their clock does not arrive"),
        (7, 0, "read only zeros from register 7 on"),
        (18, 0, "read only zeros from register 18 on"),
    ],
)
def test_a_broken_chain_is_refused_and_says_where(board: SimulatedBoard, register: int, reads: int, said: str) -> None:
    board.break_sensors(register, reads)
    with pytest.raises(DriverError, match=said):
        scans_of(board).scan()


def test_a_break_is_looked_for_no_further_than_the_bytes_tell(board: SimulatedBoard) -> None:
    """Idle inputs read as ones too, so the registers in front of the break may look broken with it."""
    put(board, {"B1.north"})  # register 1
    board.break_sensors(7, reads=1)
    with pytest.raises(DriverError, match="read only ones from register 2 on: a wire is broken there or behind it"):
        scans_of(board).scan()


@pytest.mark.parametrize(
    ("bits", "said"), [(1, "1 bits, too late"), (3, "3 bits, too late"), (-2, "2 bits, too early")]
)
def test_a_chain_out_of_step_is_refused_and_says_by_how_much(board: SimulatedBoard, bits: int, said: str) -> None:
    chain_of(board).slip(bits)
    with pytest.raises(DriverError, match=f"out of step by {said}"):
        scans_of(board).scan()


@pytest.mark.untraced
@given(st.integers(-80, 80).filter(bool), st.sets(st.sampled_from(CHAIN_INPUTS)))
def test_no_chain_out_of_step_is_believed(bits: int, names: set[str]) -> None:
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    put(board, names)
    honest = scans_of(board).scan()
    chain_of(board).slip(bits)
    try:
        believed = scans_of(board).scan()
    except DriverError:
        pass
    else:
        # By chance the bits that arrive in the canary's place may be its own, whole registers early or late.
        assert bits % 8 == 0 or believed != honest
        assert_canary_by_chance(board, bits)
    board.close()


def assert_canary_by_chance(board: SimulatedBoard, bits: int) -> None:
    chain_of(board).mend()
    chain_of(board).on_latch(0)
    chain_of(board).on_latch(1)
    reading = int.from_bytes(bytes(chain_of(board).transfer(SENSORS.registers, 2)), "big")
    assert (reading >> bits if bits > 0 else reading << -bits) & 0xFF == SENSORS.canary


@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_a_missing_canary_is_refused(board: SimulatedBoard, value: int) -> None:
    put(board, CHAIN_INPUTS)
    chain_of(board).corrupt_canary(value)
    with pytest.raises(DriverError, match="from register"):
        scans_of(board).scan()


def test_a_canary_that_is_wired_wrongly_is_named(board: SimulatedBoard) -> None:
    chain_of(board).corrupt_canary(0x5E)
    with pytest.raises(DriverError, match="last register reads 0x5E instead of 0xB1"):
        scans_of(board).scan()


@given(st.integers(0, 255).filter(lambda value: value != SENSORS.canary))
def test_any_other_canary_is_refused(value: int) -> None:
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    chain_of(board).corrupt_canary(value)
    with pytest.raises(DriverError):
        scans_of(board).scan()
    board.close()


def test_a_bus_that_fails_is_a_driver_error_and_the_next_scan_begins_anew(board: SimulatedBoard) -> None:
    put(board, {"D1.north"})
    assert active(board) == {"D1.north"}
    chain_of(board).cut_off()
    for _ in range(3):
        with pytest.raises(DriverError, match="The sensors do not answer"):
            scans_of(board).scan()
    board.mend()
    assert active(board) == {"D1.north"}


def test_a_mended_chain_shows_what_changed_meanwhile(board: SimulatedBoard) -> None:
    put(board, {"D1.north"})
    assert active(board) == {"D1.north"}
    board.break_sensors(3)
    with pytest.raises(DriverError):
        scans_of(board).scan()
    put(board, {"D2.south"})
    board.mend()
    assert active(board) == {"D2.south"}


@pytest.mark.parametrize("value", [False, True])
def test_a_stuck_input_reads_the_same_for_ever_and_the_others_do_not(board: SimulatedBoard, value: bool) -> None:
    board.break_input("D1.north", value)
    stuck = {"D1.north"} if value else set()
    assert active(board) == stuck
    put(board, {"D1.north", "D2.north"})
    assert active(board) == stuck | {"D2.north"}
    put(board, set())
    assert active(board) == stuck
    assert not board.inputs()["D1.north"]
    board.mend()
    assert active(board) == set()


def awake(description: BoardDescription) -> RegisterChain:
    """A chain whose clock rests high, as after the first transfer of a mode that asks for it."""
    chain = RegisterChain(sensors_of(description))
    chain.transfer(1, 2)
    return chain


def test_the_first_scan_after_power_up_is_in_step(board: SimulatedBoard) -> None:
    """The controller of a Pi lets its clock rest low until it has transferred something in mode 2."""
    put(board, {"A1.north", "D4.south"})
    assert active(board) == {"A1.north", "D4.south"}


def test_a_clock_that_rises_to_its_rest_level_shifts_a_chain_that_was_loaded_before(
    description: BoardDescription,
) -> None:
    chain = RegisterChain(sensors_of(description))
    chain.on_latch(0)
    chain.on_latch(1)
    first = int.from_bytes(bytes(chain.transfer(SENSORS.registers, 2)), "big")
    assert first & 0xFF == SENSORS.canary << 1 & 0xFF
    assert first >> 1 & 0xFF == SENSORS.canary
    chain.on_latch(0)
    chain.on_latch(1)
    assert chain.transfer(SENSORS.registers, 2)[-1] == SENSORS.canary
    # Another device of the port rests its clock low; while the registers load, an edge does nothing.
    chain.transfer(1, 0)
    chain.on_latch(0)
    chain.transfer(1, 2)
    chain.on_latch(1)
    assert chain.transfer(SENSORS.registers, 2)[-1] == SENSORS.canary


def test_what_was_clocked_out_is_gone_until_the_next_load(description: BoardDescription) -> None:
    """A driver that forgets to load the registers would read zeros, and be caught by the canary."""
    chain = awake(description)
    chain.on_latch(0)
    chain.on_latch(1)
    assert chain.transfer(19, 2)[-1] == SENSORS.canary
    assert chain.transfer(19, 2) == [0] * 19


def test_a_chain_is_held_as_it_was_loaded_until_the_next_load(description: BoardDescription) -> None:
    chain = RegisterChain(sensors_of(description))
    chain.on_latch(0)
    chain.on_latch(1)
    chain.set_input("A1.north", value=True)
    assert chain.transfer(1, 2) == [0xFF]
    chain.on_latch(0)
    chain.on_latch(1)
    assert chain.transfer(1, 2) == [0xFE]


def test_a_chain_that_is_kept_loading_repeats_its_first_pin(description: BoardDescription) -> None:
    chain = RegisterChain(sensors_of(description))
    chain.on_latch(0)
    assert chain.transfer(3, 2) == [0xFF] * 3
    chain.set_input("A4.south", value=True)  # pin H of register 0
    assert chain.transfer(3, 2) == [0] * 3


def test_a_part_of_the_chain_may_be_clocked_out_and_the_rest_follows(description: BoardDescription) -> None:
    chain = awake(description)
    chain.set_input("B1.north", value=True)  # pin A of register 1
    chain.on_latch(0)
    chain.on_latch(1)
    assert chain.transfer(1, 2) == [0xFF]
    assert chain.transfer(1, 2) == [0xFE]
    assert chain.transfer(18, 2) == [0xFF] * 15 + [0xFF, SENSORS.canary, 0]


def test_the_pins_are_free_again_when_the_driver_is_closed(board: SimulatedBoard) -> None:
    scans_of(board).scan()
    scans_of(board).close()
    second = ShiftRegisters(SENSORS, pin_factory=board._factory)
    second.scan()
    with pytest.raises(DriverError, match="already in use"):
        scans_of(board).scan()
    second.close()
    scans_of(board).scan()


def test_a_wrong_spi_is_a_driver_error(world: World) -> None:
    text = dataclasses.replace(SENSORS, spi_device=1)
    board = SimulatedBoard(dataclasses.replace(load_bundled("tamsk"), sensors=text), now=world.clock, later=world.later)
    with pytest.raises(DriverError, match=r"no chip is wired to SPI0\.1"):
        scans_of(board).scan()


def test_a_description_with_another_canary_is_heeded(world: World) -> None:
    sensors = dataclasses.replace(SENSORS, canary=0x3C)
    board = SimulatedBoard(
        dataclasses.replace(load_bundled("tamsk"), sensors=sensors), now=world.clock, later=world.later
    )
    assert active(board) == set()
