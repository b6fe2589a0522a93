"""The simulated board as a whole: everything a hand can do and an eye can see, through the real drivers."""

import dataclasses
import random

import pytest
from gpiozero.exc import DeviceClosed, PinSetInput
from PIL import Image

from gnomon.games.tamsk.sensing.inputs import BUTTONS, INPUTS
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from tests.drivers.world import World, scans_of, sensors_of


def test_every_input_of_the_game_can_be_set_and_is_told_back(board: SimulatedBoard) -> None:
    assert board.inputs() == dict.fromkeys(board.inputs(), False)
    assert set(board.inputs()) == set(INPUTS)
    for name in INPUTS:
        board.set_input(name, True)
        assert board.inputs()[name] is True
        board.set_input(name, False)
        assert board.inputs()[name] is False


def test_an_input_that_the_board_does_not_have_is_refused(board: SimulatedBoard) -> None:
    with pytest.raises(KeyError, match="D8"):
        board.set_input("D8.north", True)
    with pytest.raises(KeyError, match="D8"):
        board.break_input("D8.north", True)


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(3))
def test_what_hands_do_is_what_the_drivers_tell(board: SimulatedBoard, world: World, seed: int) -> None:
    """A thousand changes at random: the scans and the edges, put together, are always the truth."""
    chance = random.Random(seed)
    board.drivers.buttons.start(world.hear)
    sampled = sensors_of(board.description).inputs
    for _ in range(1_000):
        world.wait(chance.randrange(1, 30_000))
        board.set_input(chance.choice(INPUTS), chance.random() < 0.5)
        levels = scans_of(board).scan()
        told = {name: bool(levels >> bit & 1) for bit, name in enumerate(sampled)}
        pressed = dict.fromkeys(BUTTONS, False) | {name: value for _, name, value in world.edges}
        assert told | pressed == board.inputs()


def test_everything_a_board_shows_is_seen_and_heard(board: SimulatedBoard, world: World) -> None:
    drivers = board.drivers
    assert drivers.display is not None
    assert drivers.lights is not None
    assert drivers.sound is not None
    picture = Image.new("1", (128, 64))
    picture.putpixel((3, 60), 1)
    drivers.display.show(picture)
    drivers.lights.show([(1, 2, 3)] * 37)
    drivers.sound.play([(440.0, 0.1)])
    assert board.display_image().tobytes() == picture.tobytes()
    assert board.lights() == ((1, 2, 3),) * 37
    assert board.sounds() == ((world.now, 440.0),)
    board.close()
    assert board.display_image().getbbox() is None
    assert set(board.lights()) == {(0, 0, 0)}
    assert board.sounds()[-1].frequency == 0.0


def test_a_board_without_display_lights_and_buzzer_is_a_board(description: BoardDescription, world: World) -> None:
    bare = dataclasses.replace(description, display=None, lights=None, buzzer=None)
    board = SimulatedBoard(bare, now=world.clock, later=world.later)
    assert board.drivers[2:5] == (None, None, None)
    assert board.lights() == ()
    assert board.sounds() == ()
    board.set_input("D1.north", True)
    assert scans_of(board).scan() == 1 << sensors_of(bare).inputs.index("D1.north")
    board.close()


def test_two_boards_do_not_know_each_other(description: BoardDescription, board: SimulatedBoard, world: World) -> None:
    other = SimulatedBoard(description, now=world.clock, later=world.later)
    board.set_input("D1.north", True)
    scans_of(board).scan()
    assert scans_of(other).scan() == 0
    other.close()


def test_an_output_pin_cannot_be_written_while_it_is_an_input(description: BoardDescription) -> None:
    factory = SimulatedFactory(chain=RegisterChain(sensors_of(description)), ticks=lambda: 0.0)
    pin = factory.pin(22)
    with pytest.raises(PinSetInput, match="cannot set state of pin GPIO22"):
        pin.state = 1


def test_a_closed_spi_says_so(description: BoardDescription) -> None:
    factory = SimulatedFactory(chain=RegisterChain(sensors_of(description)), ticks=lambda: 0.0)
    spi = factory.spi()
    assert (spi.closed, spi.clock_mode, spi.rate) == (False, 0, 500_000)
    spi.close()
    assert spi.closed
    with pytest.raises(DeviceClosed, match="SimulatedSPI is closed"):
        spi.transfer([0])


def test_a_switch_that_is_closed_holds_its_pin_low_whatever_the_pull(description: BoardDescription) -> None:
    factory = SimulatedFactory(chain=RegisterChain(sensors_of(description)), ticks=lambda: 0.0)
    pin = factory.pin(22)
    factory.ground(22, closed=True)
    pin.pull = "up"
    assert not pin.state
    factory.ground(22, closed=False)
    assert pin.state
    pin.pull = "floating"
    factory.ground(22, closed=True)
    factory.ground(22, closed=False)
    assert not pin.state
