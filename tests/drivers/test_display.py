"""The display: the real driver and luma on an emulated SSD1306, compared pixel by pixel."""

import dataclasses
import errno
import os
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image, ImageDraw

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, OnI2c
from gnomon_pi.drivers._display import REFRESH_US, Display, OverI2c
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.i2c_bus import SimulatedI2C
from gnomon_pi.simulated.chips.ssd1306 import COMMANDS, DATA, HEIGHT, WIDTH, Ssd1306
from tests.drivers.world import World

BLACK = Image.new("1", (WIDTH, HEIGHT))
SIZE = (WIDTH, HEIGHT)


def drawn(*boxes: tuple[int, int, int, int]) -> Image.Image:
    picture = Image.new("1", SIZE)
    for left, top, width, height in boxes:
        ImageDraw.Draw(picture).rectangle((left, top, left + width, top + height), fill=1)
    return picture


BOXES = st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(0, 40), st.integers(0, 20)), max_size=4)
NOISE = st.binary(min_size=1024, max_size=1024).map(lambda data: Image.frombytes("1", SIZE, data))
PICTURES = BOXES.map(lambda boxes: drawn(*boxes)) | NOISE


class Bus(SimulatedI2C):
    """A bus that counts what goes over it."""

    def __init__(self, chip: Ssd1306) -> None:
        super().__init__({0x3C: chip})
        self.sent: list[tuple[int, bytes]] = []
        self.closed = False

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        self.sent.append((register, bytes(data)))
        super().write_i2c_block_data(i2c_addr, register, data)

    def close(self) -> None:
        self.closed = True

    def count(self) -> int:
        """The bytes since the last count, addresses and control bytes included."""
        total = sum(2 + len(data) for _, data in self.sent)
        self.sent.clear()
        return total


class Screen:
    """A driver, its chip and the bus between them."""

    def __init__(self, description: BoardDescription, *, upside_down: bool = False) -> None:
        assert description.display is not None
        self.world = World()
        self.chip = Ssd1306()
        self.bus = Bus(self.chip)
        display = dataclasses.replace(description.display, kind="ssd1306", is_upside_down=upside_down)
        self.driver = Display(display, wires=OverI2c(self.bus, OnI2c(1, 0x3C)), now=self.world.clock)

    def shows(self, picture: Image.Image) -> bool:
        return self.chip.image().tobytes() == picture.tobytes()


@pytest.fixture
def screen(description: BoardDescription) -> Screen:
    """A display that has been shown nothing yet."""
    return Screen(description)


def test_nothing_is_sent_before_the_first_picture(screen: Screen) -> None:
    assert screen.bus.sent == []
    assert screen.shows(BLACK)


@pytest.mark.untraced
@given(st.lists(PICTURES, min_size=1, max_size=6))
def test_any_pictures_one_after_the_other_are_seen_pixel_by_pixel(pictures: list[Image.Image]) -> None:
    screen = Screen(load_bundled("tamsk"))
    for picture in pictures:
        screen.driver.show(picture)
        assert screen.shows(picture)


@pytest.mark.untraced
@given(PICTURES)
def test_the_picture_is_the_one_that_luma_alone_would_show(picture: Image.Image) -> None:
    alone, screen = Ssd1306(), Screen(load_bundled("tamsk"))
    with pytest.MonkeyPatch.context() as patch:
        # luma reads pixels in a way that Pillow will drop; our own driver does not.
        patch.setattr(
            Image.Image, "getdata", lambda image: [image.getpixel((n % WIDTH, n // WIDTH)) for n in range(8192)]
        )
        ssd1306(i2c(bus=SimulatedI2C({0x3C: alone}))).display(picture)
    screen.driver.show(picture)
    assert screen.chip.memory == alone.memory
    assert screen.chip.contrast == alone.contrast
    assert screen.shows(alone.image())


@pytest.mark.untraced
@given(PICTURES)
def test_upside_down_is_the_same_picture_turned(picture: Image.Image) -> None:
    screen = Screen(load_bundled("tamsk"), upside_down=True)
    screen.driver.show(picture)
    assert screen.shows(picture.transpose(Image.Transpose.ROTATE_180))


@pytest.mark.untraced
@given(PICTURES)
def test_the_same_picture_again_sends_nothing(picture: Image.Image) -> None:
    screen = Screen(load_bundled("tamsk"))
    screen.driver.show(picture)
    screen.bus.count()
    screen.driver.show(picture.copy())
    assert screen.bus.sent == []


def test_a_small_change_sends_its_own_columns_of_its_own_pages(screen: Screen) -> None:
    screen.driver.show(BLACK)
    screen.bus.sent.clear()
    changed = drawn((10, 8, 4, 7))
    screen.driver.show(changed)
    assert screen.bus.sent == [(COMMANDS, bytes([0x21, 10, 14, 0x22, 1, 1])), (DATA, b"\xff" * 5)]
    assert screen.shows(changed)


def test_a_whole_picture_fits_into_the_time_between_two(screen: Screen) -> None:
    screen.driver.show(BLACK)
    screen.bus.count()
    screen.driver.show(drawn((0, 0, 128, 64)))
    # 9 clock pulses a byte at 400 kHz: below 30 ms.
    assert screen.bus.count() * 9 / 400 < 30


def test_the_first_picture_appears_with_the_display_still_dark(screen: Screen) -> None:
    """What was in its memory when it was switched on is never seen."""
    screen.driver.show(drawn((0, 0, 5, 5)))
    commands = [data for register, data in screen.bus.sent if register == COMMANDS]
    assert commands[0][0] == 0xAE
    assert screen.bus.sent[-1] == (COMMANDS, b"\xaf")


@pytest.mark.parametrize("picture", [Image.new("1", (64, 128)), Image.new("L", SIZE), Image.new("RGB", SIZE)])
def test_another_kind_of_picture_is_the_callers_mistake(screen: Screen, picture: Image.Image) -> None:
    with pytest.raises(ValueError, match="one-bit pictures of 128 x 64"):
        screen.driver.show(picture)


# Faults


def test_a_display_that_lost_its_power_is_whole_again_within_the_refresh(screen: Screen) -> None:
    picture = drawn((3, 3, 50, 30))
    screen.driver.show(picture)
    screen.chip.lose_power()
    assert screen.shows(BLACK)
    screen.world.wait(REFRESH_US - 1)
    screen.driver.show(picture)
    assert screen.shows(BLACK)
    screen.world.wait(1)
    screen.driver.show(picture)
    assert screen.shows(picture)


def test_a_refresh_never_switches_a_healthy_display_off(screen: Screen) -> None:
    screen.driver.show(BLACK)
    screen.bus.sent.clear()
    screen.world.wait(REFRESH_US)
    screen.driver.show(BLACK)
    assert screen.bus.count() > 1024
    assert all(0xAE not in data for register, data in screen.bus.sent if register == COMMANDS)


def test_a_dead_display_is_a_driver_error_each_time_and_is_whole_when_it_answers_again(board: SimulatedBoard) -> None:
    assert board.drivers.display is not None
    board.break_display()
    for _ in range(3):
        with pytest.raises(DriverError, match="The display does not answer at address 0x3C of I2C bus 1: look at"):
            board.drivers.display.show(BLACK)
    board.brown_out_display()
    board.mend()
    picture = drawn((7, 7, 9, 9))
    board.drivers.display.show(picture)
    assert board.display_image().tobytes() == picture.tobytes()


@pytest.mark.parametrize("sends", [COMMANDS, DATA])
@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EREMOTEIO, "The display does not answer at address 0x3C of I2C bus 1: look at its plug"),
        (errno.EIO, "The display does not answer at address 0x3C of I2C bus 1: look at its plug"),
        (errno.ENXIO, "The display does not answer at address 0x3C of I2C bus 1: look at its plug"),  # i2c-gpio's
        (errno.ETIMEDOUT, "I2C bus 1 hangs: look for a short circuit of SDA or SCL"),
        (errno.EBADF, r"The display does not answer: \[Errno 9\] Bad file descriptor"),
    ],
)
def test_whatever_a_bus_says_of_a_display_that_is_gone_its_place_is_named(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, sends: int, number: int, said: str
) -> None:
    send = screen.bus.write_i2c_block_data

    def refuse(address: int, register: int, data: Sequence[int]) -> None:
        if register == sends:
            raise OSError(number, os.strerror(number))
        send(address, register, data)

    monkeypatch.setattr(screen.bus, "write_i2c_block_data", refuse)
    with pytest.raises(DriverError, match=said):
        screen.driver.show(BLACK)


@pytest.mark.untraced
@given(st.integers(1, 60), st.lists(PICTURES, min_size=2, max_size=4))
def test_however_often_a_display_refuses_the_next_whole_picture_is_right(
    every: int, pictures: list[Image.Image]
) -> None:
    screen = Screen(load_bundled("tamsk"))
    screen.chip.refuses_every = every
    for picture in pictures:
        try:
            screen.driver.show(picture)
        except DriverError:
            continue
        assert screen.shows(picture)
    screen.chip.refuses_every = 0
    screen.driver.show(pictures[-1])
    assert screen.shows(pictures[-1])


def test_closing_blanks_the_display_and_lets_the_bus_go(screen: Screen) -> None:
    screen.driver.show(drawn((0, 0, 99, 40)))
    screen.driver.close()
    assert screen.shows(BLACK)
    assert screen.bus.closed
    screen.bus.sent.clear()
    screen.driver.close()
    assert screen.bus.sent == []


def test_a_dead_display_can_be_closed(screen: Screen) -> None:
    screen.chip.reachable = False
    screen.driver.close()
    assert screen.bus.closed
