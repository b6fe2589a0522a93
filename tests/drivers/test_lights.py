"""The strip of lights: the real encoder, and the emulated SK9822 that decodes its bytes."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import bundled_text, parse_board
from gnomon_pi.config import description as wired
from gnomon_pi.drivers._lights import Lights
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import LightStrip
from tests.drivers.world import World

Colour = tuple[int, int, int]
COLOUR = st.tuples(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
OFF = (0, 0, 0)


def strip_of(count: int, brightness: int = 8) -> wired.LightsWiring:
    return wired.LightsWiring(spi_port=1, spi_device=0, clock_hz=4_000_000, count=count, brightness=brightness)


class Wire:
    """Notes the frames that were written."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.closed = False

    def writebytes2(self, data: bytes) -> None:
        self.frames.append(data)

    def close(self) -> None:
        self.closed = True


def test_the_bytes_of_three_lights_are_those_of_the_data_sheet() -> None:
    wire = Wire()
    Lights(strip_of(3, brightness=8), transport=wire).show([(1, 2, 3), (255, 0, 128), (0, 0, 0)])
    assert wire.frames == [
        bytes.fromhex(
            "00000000"  # start
            "E8 03 02 01"  # 111 and brightness 8, blue, green, red
            "E8 80 00 FF"
            "E8 00 00 00"
            "00000000"  # the SK9822 takes the colours over
            "00"  # half a clock pulse a light
        )
    ]


def test_the_frame_of_the_whole_board_has_159_bytes() -> None:
    wire = Wire()
    Lights(strip_of(37), transport=wire).show([OFF] * 37)
    assert [len(frame) for frame in wire.frames] == [159]


@pytest.mark.untraced
@given(st.integers(1, 200).flatmap(lambda count: st.lists(COLOUR, min_size=count, max_size=count)), st.integers(1, 31))
def test_any_strip_shows_what_it_is_sent_at_the_capped_brightness(colours: list[Colour], brightness: int) -> None:
    strip = LightStrip(len(colours))
    Lights(strip_of(len(colours), brightness), transport=strip).show(colours)
    assert strip.colours == tuple(colours)
    assert set(strip.brightness) == {brightness}


@pytest.mark.untraced
@given(st.integers(1, 200).flatmap(lambda count: st.lists(COLOUR, min_size=count, max_size=count)), st.data())
def test_a_frame_cut_short_does_not_change_every_light(colours: list[Colour], data: st.DataObject) -> None:
    """The zeros at its end are needed: without them the last light keeps its colour."""
    wire = Wire()
    Lights(strip_of(len(colours)), transport=wire).show([(red, green, blue | 1) for red, green, blue in colours])
    strip = LightStrip(len(colours))
    # The clock pulses come in bytes: the last byte may be more than the last light needs.
    strip.writebytes2(wire.frames[0][: data.draw(st.integers(0, len(wire.frames[0]) - 2))])
    assert strip.colours[-1] == OFF


def test_the_lights_of_the_simulated_board_are_seen(board: SimulatedBoard) -> None:
    assert board.drivers.lights is not None
    colours = tuple((number, 2 * number, 3 * number) for number in range(37))
    board.drivers.lights.show(colours)
    assert board.lights() == colours
    assert set(board.strip.brightness) == {8}


@pytest.mark.parametrize("colours", [[], [OFF] * 36, [OFF] * 38, [(0, 0)] * 37, [(0, 0, 256)] * 37, [(0, 0, -1)] * 37])
def test_colours_that_do_not_fit_the_strip_are_the_callers_mistake(
    board: SimulatedBoard, colours: list[Colour]
) -> None:
    assert board.drivers.lights is not None
    with pytest.raises(ValueError, match=r"\w"):
        board.drivers.lights.show(colours)
    assert board.lights() == (OFF,) * 37


@pytest.mark.untraced
@given(
    st.integers(1, 60).flatmap(lambda count: st.tuples(st.just(count), st.sets(st.integers(0, count - 1), min_size=1)))
)
def test_skipped_and_spare_lights_stay_dark_and_the_others_show_what_they_are_sent(
    strip_and_places: tuple[int, set[int]],
) -> None:
    count, places = strip_and_places
    wiring = dataclasses.replace(strip_of(count), places=tuple(sorted(places)))
    strip = LightStrip(count)
    lights = Lights(wiring, transport=strip)
    lights.show([(1 + number, 2, 3) for number in range(len(places))])
    shown = dict(zip(sorted(places), range(len(places)), strict=True))
    assert strip.colours == tuple((1 + shown[at], 2, 3) if at in shown else OFF for at in range(count))
    with pytest.raises(ValueError, match=f"shows {len(places)} lights"):
        lights.show([OFF] * (len(places) + 1))


def test_a_board_with_spare_and_dead_lights_shows_a_game_under_its_spaces(world: World) -> None:
    text = bundled_text("tamsk")[1].replace("count = 37", "count = 42\nskipped = [0, 20]")
    board = SimulatedBoard(parse_board(text, "spare.toml"), now=world.clock, later=world.later)
    assert board.drivers.lights is not None
    colours = tuple((number + 1, 2, 3) for number in range(37))
    board.drivers.lights.show(colours)
    assert board.lights() == colours
    assert board.strip.colours == (OFF, *colours[:19], OFF, *colours[19:], OFF, OFF, OFF)
    board.close()


def test_a_broken_bus_is_a_driver_error_and_the_next_frame_after_it_is_shown(board: SimulatedBoard) -> None:
    assert board.drivers.lights is not None
    board.break_lights()
    with pytest.raises(DriverError, match="The lights do not answer"):
        board.drivers.lights.show([(9, 9, 9)] * 37)
    assert board.lights() == (OFF,) * 37
    board.mend()
    board.drivers.lights.show([(9, 9, 9)] * 37)
    assert board.lights() == ((9, 9, 9),) * 37


def test_lights_without_power_are_dark_and_the_bus_does_not_notice(board: SimulatedBoard) -> None:
    assert board.drivers.lights is not None
    board.strip.powered = False
    board.drivers.lights.show([(9, 9, 9)] * 37)
    assert board.lights() == (OFF,) * 37
    assert set(board.strip.brightness) == {0}


def test_closing_darkens_the_strip_and_lets_the_bus_go(board: SimulatedBoard) -> None:
    wire = Wire()
    lights = Lights(strip_of(3), transport=wire)
    lights.show([(9, 9, 9)] * 3)
    lights.close()
    assert wire.closed
    strip = LightStrip(3)
    for frame in wire.frames:
        strip.writebytes2(frame)
    assert strip.colours == (OFF,) * 3
    assert board.lights() == (OFF,) * 37


def test_a_broken_strip_can_be_closed(board: SimulatedBoard) -> None:
    assert board.drivers.lights is not None
    board.break_lights()
    board.drivers.lights.close()
    assert board.lights() == (OFF,) * 37


def test_bytes_that_are_no_frame_change_nothing() -> None:
    strip = LightStrip(2)
    strip.writebytes2(bytes.fromhex("01000000 E8030201 E8030201 0000000000"))
    strip.writebytes2(bytes.fromhex("00000000 E8030201 E8030201 0000000100"))
    assert strip.colours == (OFF, OFF)
