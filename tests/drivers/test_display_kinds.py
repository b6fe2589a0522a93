"""Every kind of display on both of its buses, on emulated chips: pictures, faults, and how the glass is spared."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, DisplayWiring, OnI2c, OnSpi, SpiDisplay
from gnomon_pi.drivers._display import DIMMED, REFRESH_US, STEPS, OverSpi, shift
from gnomon_pi.drivers._display import Display as Driver
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory
from gnomon_pi.simulated.chips.sh1106 import Sh1106
from gnomon_pi.simulated.chips.ssd1306 import HEIGHT, WIDTH, SpiModule, Ssd1309
from tests.conftest import examples
from tests.drivers.world import World

SECOND: Final = 1_000_000
KINDS: Final = ("ssd1306", "ssd1309", "sh1106")
SPI: Final = OnSpi(0, 1, 4_000_000)
WIRES: Final[Mapping[str, OnI2c | SpiDisplay]] = {
    "I2C": OnI2c(1, 0x3C),
    "SPI": SpiDisplay(SPI, data_command=24, reset=None),
    "SPI with reset": SpiDisplay(SPI, data_command=24, reset=22),
}
SIZE: Final = (WIDTH, HEIGHT)
BLACK: Final = Image.new("1", SIZE)
PICTURES: Final = st.binary(min_size=1024, max_size=1024).map(lambda data: Image.frombytes("1", SIZE, data))

Make = Callable[..., SimulatedBoard]


def described(
    kind: str = "ssd1306", wires: str = "I2C", *, upside_down: bool = False, dim_after: int = 0, shift_every: int = 0
) -> BoardDescription:
    display = DisplayWiring(kind, WIRES[wires], dim_after, shift_every, is_upside_down=upside_down)
    return dataclasses.replace(load_bundled("table"), display=display)


@pytest.fixture
def make(world: World) -> Iterator[Make]:
    """Makes boards with a display that is described."""
    made: list[SimulatedBoard] = []

    def make(kind: str = "ssd1306", wires: str = "I2C", *, dim_after: int = 0, shift_every: int = 0) -> SimulatedBoard:
        description = described(kind, wires, dim_after=dim_after, shift_every=shift_every)
        made.append(SimulatedBoard(description, now=world.clock, later=world.later))
        return made[-1]

    yield make
    for board in made:
        board.close()


def driver_of(board: SimulatedBoard) -> Driver:
    assert board.drivers.display is not None
    return board.drivers.display


def drawn(left: int, top: int, width: int, height: int) -> Image.Image:
    picture = Image.new("1", SIZE)
    ImageDraw.Draw(picture).rectangle((left, top, left + width - 1, top + height - 1), fill=1)
    return picture


def shows(board: SimulatedBoard, picture: Image.Image) -> bool:
    return board.display_image().tobytes() == picture.tobytes()


# The same on every kind and bus


@pytest.mark.untraced
@pytest.mark.parametrize("wires", WIRES)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(8))
@given(pictures=st.lists(PICTURES, min_size=1, max_size=3), upside_down=st.booleans())
def test_any_pictures_are_seen_pixel_by_pixel(
    kind: str, wires: str, pictures: list[Image.Image], *, upside_down: bool
) -> None:
    world = World()
    board = SimulatedBoard(described(kind, wires, upside_down=upside_down), now=world.clock, later=world.later)
    for picture in pictures:
        driver_of(board).show(picture)
        assert shows(board, picture.transpose(Image.Transpose.ROTATE_180) if upside_down else picture)
    board.close()
    assert shows(board, BLACK)


@pytest.mark.parametrize("wires", WIRES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_display_that_lost_its_power_is_whole_again_within_the_refresh(
    make: Make, world: World, kind: str, wires: str
) -> None:
    board, picture = make(kind, wires), drawn(3, 3, 50, 30)
    driver_of(board).show(picture)
    board.brown_out_display()
    assert shows(board, BLACK)
    world.wait(REFRESH_US)
    driver_of(board).show(picture)
    assert shows(board, picture)


@pytest.mark.parametrize("wires", WIRES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_dead_bus_is_a_driver_error_and_the_display_is_whole_when_it_works_again(
    make: Make, kind: str, wires: str
) -> None:
    board, picture = make(kind, wires), drawn(7, 7, 9, 9)
    driver_of(board).show(BLACK)
    board.break_display()
    with pytest.raises(DriverError, match="The display does not answer"):
        driver_of(board).show(picture)
    board.brown_out_display()
    board.mend()
    driver_of(board).show(picture)
    assert shows(board, picture)


class Recorded(SpiModule):
    """An SPI on which everything is written down, with the pin that was high or low at the time."""

    def __init__(self, chip: Ssd1309 | Sh1106) -> None:
        super().__init__(chip)
        self.sent: list[tuple[str, bytes]] = []

    def writebytes2(self, data: bytes) -> None:
        what = "reset" if self._in_reset else "data" if self._is_data else "command"
        self.sent.append((what, bytes(data)))
        super().writebytes2(data)


def on_spi(module: Recorded, kind: str) -> Driver:
    factory = SimulatedFactory(chain=None, ticks=lambda: 0.0)
    factory.attach(24, lambda level, _: module.on_data_command(level))
    factory.attach(22, lambda level, _: module.on_reset(level))
    wires = SpiDisplay(SPI, data_command=24, reset=22)
    return Driver(DisplayWiring(kind, wires, 0, 0), wires=OverSpi(module, wires, pin_factory=factory), now=lambda: 0)


def test_the_reset_line_is_pulled_before_the_first_command_for_as_long_as_the_chips_ask() -> None:
    module = Recorded(Ssd1309())
    on_spi(module, "ssd1309").show(BLACK)
    assert module.sent[0][0] == "reset"
    # 10 µs are asked for, by the SH1106, which like the others takes at most 10 MHz.
    assert len(module.sent[0][1]) * 8 / 10 >= 10
    assert module.sent[1] == ("command", b"\xae")
    assert module.sent[-1] == ("command", b"\xaf")


def test_a_changed_part_of_the_sh1106_is_addressed_by_page_and_column_beside_the_hidden_ones() -> None:
    module = Recorded(Sh1106())
    driver = on_spi(module, "sh1106")
    driver.show(BLACK)
    module.sent.clear()
    driver.show(drawn(14, 8, 5, 8))
    assert module.sent == [("command", bytes((0xB1, 0x00, 0x11))), ("data", b"\xff" * 5)]


def test_a_pin_of_the_display_that_is_taken_is_named_and_tried_again() -> None:
    factory, module = MockFactory(), SpiModule(Ssd1309())
    wires = SpiDisplay(SPI, data_command=24, reset=None)
    drivers = [
        Driver(DisplayWiring("ssd1309", wires), wires=OverSpi(module, wires, pin_factory=factory), now=lambda: 0)
        for _ in range(2)
    ]
    drivers[0].show(BLACK)
    with pytest.raises(DriverError, match="The display does not answer: pin GPIO24 is already in use"):
        drivers[1].show(BLACK)
    drivers[0].close()
    drivers[1].show(BLACK)
    drivers[1].close()


# Dimming


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_that_stays_is_dimmed_and_shines_at_once_with_the_next(make: Make, world: World, kind: str) -> None:
    board = make(kind, dim_after=300)
    driver_of(board).show(BLACK)
    bright = board.oled.contrast
    for seconds, contrast in ((299, bright), (1, DIMMED), (10_000, DIMMED)):
        world.wait(seconds * SECOND)
        driver_of(board).show(BLACK)
        assert board.oled.contrast == contrast
    driver_of(board).show(drawn(0, 0, 1, 1))
    assert board.oled.contrast == bright > 10 * DIMMED


def test_a_touch_lightens_a_dimmed_display_and_puts_the_next_dimming_off(make: Make, world: World) -> None:
    board = make(dim_after=300)
    driver_of(board).show(BLACK)
    bright = board.oled.contrast
    world.wait(300 * SECOND)
    driver_of(board).show(BLACK)
    assert board.oled.contrast == DIMMED
    driver_of(board).brighten()
    assert board.oled.contrast == bright
    for seconds, contrast in ((299, bright), (1, DIMMED)):
        world.wait(seconds * SECOND)
        driver_of(board).show(BLACK)
        assert board.oled.contrast == contrast


def test_a_touch_of_a_bright_display_sends_nothing_and_of_a_dead_one_is_a_driver_error(
    make: Make, world: World
) -> None:
    board = make(dim_after=300)
    driver_of(board).show(BLACK)
    board.break_display()
    driver_of(board).brighten()
    board.mend()
    world.wait(300 * SECOND)
    driver_of(board).show(BLACK)
    board.break_display()
    with pytest.raises(DriverError):
        driver_of(board).brighten()


def test_a_dimmed_display_that_lost_its_power_comes_back_dimmed(make: Make, world: World) -> None:
    board = make(dim_after=10)
    driver_of(board).show(BLACK)
    world.wait(20 * SECOND)
    driver_of(board).show(BLACK)
    board.brown_out_display()
    world.wait(30 * SECOND)
    driver_of(board).show(BLACK)
    assert board.oled.on
    assert board.oled.contrast == DIMMED


def test_without_dimming_a_display_shines_for_ever(make: Make, world: World) -> None:
    board = make(dim_after=0)
    driver_of(board).show(BLACK)
    bright = board.oled.contrast
    world.wait(10**6 * SECOND)
    driver_of(board).show(BLACK)
    assert board.oled.contrast == bright


# Moving


def test_a_picture_goes_round_a_square_of_four_pixels(make: Make, world: World) -> None:
    board, picture = make(shift_every=60), drawn(40, 20, 10, 10)
    seen = []
    for _ in range(5):
        driver_of(board).show(picture)
        seen.append(board.display_image().getbbox())
        world.wait(60 * SECOND)
    assert seen == [(40, 20, 50, 30), (41, 20, 51, 30), (41, 21, 51, 31), (40, 21, 50, 31), (40, 20, 50, 30)]


def test_without_moving_a_picture_stays(make: Make, world: World) -> None:
    board, picture = make(shift_every=0), drawn(40, 20, 10, 10)
    for _ in range(5):
        driver_of(board).show(picture)
        assert shows(board, picture)
        world.wait(60 * SECOND)


@pytest.mark.parametrize("lit", [(127, 20, 1, 10), (0, 63, 10, 1), (127, 63, 1, 1)])
def test_a_stroke_at_the_edge_stays_where_it_is(lit: tuple[int, int, int, int]) -> None:
    left, top, width, height = lit
    right = (1, 0) if left == 127 else (0, 1)
    assert shift(drawn(left, top, width, height), *right).tobytes() == drawn(left, top, width, height).tobytes()


def test_light_ground_that_ends_at_the_edge_becomes_narrower_and_nothing_else() -> None:
    assert shift(drawn(0, 0, 128, 9), 1, 0).getbbox() == (1, 0, 128, 9)
    assert shift(drawn(0, 40, 128, 24), 0, 1).getbbox() == (0, 41, 128, 64)


def lit(picture: Image.Image) -> set[tuple[int, int]]:
    return {(x, y) for x in range(WIDTH) for y in range(HEIGHT) if picture.getpixel((x, y))}


@pytest.mark.untraced
@settings(max_examples=examples(20))
@given(
    st.lists(st.tuples(st.integers(60, 127), st.integers(40, 63), st.integers(1, 60), st.integers(1, 30)), max_size=3)
)
def test_a_picture_moves_whole_or_not_at_all(boxes: list[tuple[int, int, int, int]]) -> None:
    """What falls off the edge is still seen in the line beside it."""
    picture = Image.new("1", SIZE)
    for box in boxes:
        picture.paste(1, (box[0], box[1], box[0] + box[2], box[1] + box[3]))
    before = lit(picture)
    right, down = lit(shift(picture, 1, 0)), lit(shift(picture, 0, 1))
    may_right = all((126, y) in before for x, y in before if x == 127)
    may_down = all((x, 62) in before for x, y in before if y == 63)
    assert right == ({(x + 1, y) for x, y in before if x < 127} if may_right else before)
    assert down == ({(x, y + 1) for x, y in before if y < 63} if may_down else before)


def test_no_step_is_further_than_a_pixel_from_the_one_before() -> None:
    steps = (*STEPS, STEPS[0])
    assert {abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise(steps)} == {1}
