"""The buttons: the real driver on simulated pins."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Button
from gnomon_pi.drivers._buttons import Buttons
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.drivers.software_pins import SoftwarePin
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.drivers.world import World, sensors_of
from tests.words.statements import in_english

BUTTONS = ("button.red", "button.black", "button.arbiter")


@pytest.fixture
def heard(board: SimulatedBoard, world: World) -> World:
    """The world, with the buttons heard."""
    board.drivers.buttons.start(world.hear)
    return world


@pytest.mark.parametrize("name", BUTTONS)
def test_pressing_and_letting_go_are_two_edges_with_their_stamps(
    board: SimulatedBoard, heard: World, name: str
) -> None:
    start = heard.now
    board.set_input(name, True)
    heard.wait(80_000)
    board.set_input(name, False)
    assert heard.edges == [(start, name, True), (start + 80_000, name, False)]


@pytest.mark.untraced
@given(st.lists(st.tuples(st.integers(1, 20_000), st.sampled_from(BUTTONS), st.booleans()), max_size=40))
def test_every_edge_of_any_bouncing_is_reported_and_nothing_else(strokes: list[tuple[int, str, bool]]) -> None:
    world = World()
    board = SimulatedBoard(load_bundled("tamsk"), now=world.clock, later=world.later)
    board.drivers.buttons.start(world.hear)
    levels = dict.fromkeys(BUTTONS, False)
    expected = []
    for gap, name, value in strokes:
        world.wait(gap)
        if levels[name] != value:
            expected.append((world.now, name, value))
        levels[name] = value
        board.set_input(name, value)
    assert world.edges == expected
    assert {name: board.inputs()[name] for name in BUTTONS} == levels
    board.close()


def test_nothing_is_reported_before_the_start_and_after_the_end(board: SimulatedBoard, world: World) -> None:
    board.set_input("button.red", True)
    board.set_input("button.red", False)
    board.drivers.buttons.start(world.hear)
    board.drivers.buttons.close()
    board.set_input("button.red", True)
    assert world.edges == []


def test_an_exception_in_the_report_kills_no_later_edge_and_is_told(board: SimulatedBoard, world: World) -> None:
    def report(stamp: int, name: str, value: bool) -> None:
        world.hear(stamp, name, value)
        if name == "button.red":
            message = "queue is full"
            raise RuntimeError(message)

    board.drivers.buttons.start(report)
    board.set_input("button.red", True)
    board.set_input("button.black", True)
    board.set_input("button.red", False)
    assert [(name, value) for _, name, value in world.edges] == [
        ("button.red", True),
        ("button.black", True),
        ("button.red", False),
    ]
    assert in_english(board.drivers.buttons.health()) == (
        "An edge of button.red was lost: RuntimeError: queue is full.",
    )


# Stamps


class SlewedFactory(SimulatedFactory):
    """Stamps edges with a clock that runs 8 % fast and was started at another time, as CLOCK_MONOTONIC may."""

    def __init__(self, world: World) -> None:
        super().__init__(
            chain=RegisterChain(sensors_of(load_bundled("tamsk"))), ticks=lambda: 5_000 + world.now * 1.08 / 1_000_000
        )


def test_a_stamp_is_of_the_raw_clock_whatever_the_clock_of_the_kernel_shows(world: World) -> None:
    factory = SlewedFactory(world)
    buttons = Buttons([Button("button.red", 5)], pin_factory=factory, now=world.clock)
    world.now = 86_400_000_000
    buttons.start(world.hear)
    factory.ground(5, closed=True)
    assert world.edges == [(86_400_000_000, "button.red", True)]


def test_an_edge_is_stamped_when_it_happened_not_when_it_was_heard(world: World) -> None:
    factory = SlewedFactory(world)
    listened: list[float] = []
    buttons = Buttons([Button("button.red", 5)], pin_factory=factory, now=world.clock)
    buttons.start(world.hear)
    happened, ticks = world.now, factory.ticks()
    world.now += 3_000  # the thread of the pins was busy for 3 ms
    factory.pin(5).when_changed(ticks, 0)
    ((stamp, name, value),) = world.edges
    assert (name, value, listened) == ("button.red", True, [])
    assert stamp == pytest.approx(happened, abs=3_000 * 0.08)


def test_a_press_told_twice_because_the_release_between_was_lost_is_one_edge(
    board: SimulatedBoard, heard: World
) -> None:
    pin, ticks = board._factory.pin(5), board._factory.ticks()
    for level in (0, 0, 1, 1):
        pin.when_changed(ticks, level)
    assert [value for _, _, value in heard.edges] == [True, False]


def test_a_stamp_is_taken_again_when_the_thread_was_interrupted_between_the_clocks(world: World) -> None:
    readings = iter([0, 90_000, 90_010, 0])

    def interrupted() -> int:
        return world.now + next(readings)

    factory = SimulatedFactory(
        chain=RegisterChain(sensors_of(load_bundled("tamsk"))), ticks=lambda: world.now / 1_000_000
    )
    buttons = Buttons([Button("button.red", 5)], pin_factory=factory, now=interrupted)
    buttons.start(world.hear)
    factory.ground(5, closed=True)
    assert world.edges == [(world.now + 90_005, "button.red", True)]


# Edges that the kernel lost


def lose_edge(board: SimulatedBoard, name: str, value: bool) -> None:
    """Change the level of a button without an edge, as when the kernel's buffer of 16 is full."""
    pin = board._factory.pin(next(button.pin for button in board.description.buttons if button.name == name))
    pin._state = not value


def test_a_lost_release_is_reported_at_the_second_check(board: SimulatedBoard, heard: World) -> None:
    board.set_input("button.red", True)
    lose_edge(board, "button.red", False)
    board.drivers.buttons.check()
    assert len(heard.edges) == 1
    heard.wait(1_000_000)
    board.drivers.buttons.check()
    assert heard.edges[1:] == [(heard.now, "button.red", False)]
    board.drivers.buttons.check()
    board.drivers.buttons.check()
    assert len(heard.edges) == 2


def test_a_press_after_a_lost_release_and_its_own_release_are_still_told(board: SimulatedBoard, heard: World) -> None:
    board.set_input("button.red", True)
    lose_edge(board, "button.red", False)
    board.drivers.buttons.check()
    board.drivers.buttons.check()
    pin = board._factory.pin(5)
    pin.drive_low()
    pin.drive_high()
    assert [value for _, _, value in heard.edges] == [True, False, True, False]


def test_a_button_held_down_at_the_start_is_found(board: SimulatedBoard, world: World) -> None:
    board.set_input("button.arbiter", True)
    board.drivers.buttons.start(world.hear)
    board.drivers.buttons.check()
    board.drivers.buttons.check()
    assert world.edges == [(world.now, "button.arbiter", True)]


def test_a_check_between_level_and_edge_leaves_the_stamp_to_the_edge(board: SimulatedBoard, heard: World) -> None:
    pin = board._factory.pin(5)
    ticks = board._factory.ticks()
    stamp = heard.now
    pin._state = False
    board.drivers.buttons.check()
    heard.wait(40)
    pin.when_changed(ticks, 0)
    board.drivers.buttons.check()
    assert heard.edges == [(stamp, "button.red", True)]


# Faults


def test_a_stuck_button_stays_where_it_is_until_it_is_mended(board: SimulatedBoard, heard: World) -> None:
    board.break_input("button.red", True)
    board.set_input("button.red", True)
    board.set_input("button.red", False)
    assert [value for _, _, value in heard.edges] == [True]
    assert board.inputs()["button.red"] is False
    board.mend()
    assert [value for _, _, value in heard.edges] == [True, False]


def test_a_pin_that_is_taken_is_a_driver_error_and_leaves_no_pin_behind(
    description: BoardDescription, world: World
) -> None:
    factory = SimulatedFactory(chain=RegisterChain(sensors_of(description)), ticks=lambda: world.now / 1_000_000)
    first = Buttons(description.buttons[2:], pin_factory=factory, now=world.clock)
    first.start(world.hear)
    second = Buttons(description.buttons, pin_factory=factory, now=world.clock)
    with pytest.raises(DriverError, match=r"button\.arbiter on GPIO 26 cannot be read"):
        second.start(world.hear)
    first.close()
    second.start(world.hear)
    factory.ground(26, closed=True)
    assert world.edges == [(world.now, "button.arbiter", True)]


def test_a_pin_that_does_not_exist_is_a_driver_error(description: BoardDescription, world: World) -> None:
    factory = SimulatedFactory(chain=RegisterChain(sensors_of(description)), ticks=lambda: world.now / 1_000_000)
    wrong = dataclasses.replace(description.buttons[0], pin=99)
    with pytest.raises(DriverError, match=r"button\.red on GPIO 99 cannot be read: 99 is not a valid pin name"):
        Buttons([wrong], pin_factory=factory, now=world.clock).start(world.hear)


def test_a_pin_that_cannot_be_read_is_a_driver_error_at_the_next_check(
    board: SimulatedBoard, heard: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_pin: object) -> bool:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(SoftwarePin, "_get_state", unreadable)
    with pytest.raises(DriverError, match=r"button\.red does not answer: \[Errno 5\]"):
        board.drivers.buttons.check()
    monkeypatch.undo()
    board.drivers.buttons.check()
    assert heard.edges == []


def test_starting_again_hears_each_edge_once(board: SimulatedBoard, heard: World) -> None:
    board.drivers.buttons.start(heard.hear)
    board.set_input("button.red", True)
    assert len(heard.edges) == 1


def test_the_simulated_pins_remember_no_history(board: SimulatedBoard, heard: World) -> None:
    for value in (True, False) * 50:
        board.set_input("button.red", value)
    assert len(heard.edges) == 100
    assert board._factory.pin(5).states == ()
