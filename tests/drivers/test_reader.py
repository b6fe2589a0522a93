"""The reader of codes: keystrokes and lines to codes, a device that is pulled out, and the simulated scanner."""

import os
import string
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from queue import Queue
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import Reader
from gnomon_pi.drivers.reader import (
    EV_KEY,
    EVENT,
    LONGEST,
    LYING_US,
    CodeReader,
    Decode,
    Keystrokes,
    Lines,
    TagFrames,
    frame_tag,
    type_code,
)
from gnomon_pi.simulated.board import SimulatedBoard
from tests.drivers.world import World
from tests.words.statements import in_english

PATIENCE = 30.0  # seconds; a bound for a machine in trouble, never waited for
TYPEABLE = "".join(sorted(set(string.ascii_letters + string.digits + "-_=+[]{};:',.<>/?!@#$%^&*()\"")))
CODES = st.text(TYPEABLE, min_size=1, max_size=40)


def read(decode: Decode, data: bytes, cuts: list[int]) -> list[str]:
    """What comes out of a stream that is cut at these places."""
    places = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [code for start, end in pairwise(places) for code in decode(data[start:end])]


@given(st.lists(CODES, max_size=4), st.lists(st.integers(0, 10_000), max_size=5))
def test_what_was_typed_is_read_however_the_stream_is_cut(codes: list[str], cuts: list[int]) -> None:
    assert read(Keystrokes(), b"".join(map(type_code, codes)), cuts) == codes


@given(st.lists(CODES, max_size=4), st.lists(st.integers(0, 10_000), max_size=5), st.sampled_from(("\n", "\r\n", "\r")))
def test_every_line_is_a_code_however_the_stream_is_cut(codes: list[str], cuts: list[int], end: str) -> None:
    data = "".join(f"{code}{end}" for code in codes).encode()
    assert read(Lines(), data, cuts) == codes


@given(st.binary(max_size=400), st.lists(st.integers(0, 10_000), max_size=5))
def test_noise_is_never_a_failure_and_never_an_endless_code(data: bytes, cuts: list[int]) -> None:
    for decode in (Keystrokes(), Lines(), TagFrames()):
        assert all(0 < len(code) <= LONGEST for code in read(decode, data, cuts))


def test_keys_that_type_nothing_and_keys_that_repeat_say_nothing() -> None:
    keys = [(30, 1), (30, 2), (30, 2), (30, 0), (59, 1), (59, 0), (28, 1), (28, 0), (96, 1)]  # a, F1, Enter, Enter
    data = b"".join(EVENT.pack(5, 6, EV_KEY, key, value) + EVENT.pack(5, 6, 4, 4, key) for key, value in keys)
    assert list(Keystrokes()(data)) == ["a"]


def test_the_keypad_types_digits() -> None:
    keys = [(82, 1), (79, 1), (81, 1), (96, 1)]
    data = b"".join(EVENT.pack(0, 0, EV_KEY, key, value) for key, value in keys)
    assert list(Keystrokes()(data)) == ["013"]


def test_what_no_key_types_is_refused() -> None:
    with pytest.raises(KeyError):
        type_code("é")


# Tags of 125 kHz

TAG = b"\x0262E3086CED08\x03"
"""The example of Seeed's data sheet."""


def test_a_frame_is_that_of_the_data_sheet() -> None:
    assert frame_tag("62E3086CED") == TAG
    assert list(TagFrames()(TAG)) == ["62E3086CED"]
    assert list(TagFrames()(TAG.replace(b"\x03", b"\r\n\x03"))) == ["62E3086CED"]  # an ID-12LA


@given(st.lists(st.binary(min_size=5, max_size=5), max_size=4), st.lists(st.integers(0, 10_000), max_size=5))
def test_every_tag_is_read_however_the_stream_is_cut(tags: list[bytes], cuts: list[int]) -> None:
    codes = [tag.hex().upper() for tag in tags]
    assert read(TagFrames(), b"".join(map(frame_tag, codes)), cuts) == codes


@given(st.integers(1, 12), st.integers(0, 255))
def test_a_frame_with_a_wrong_byte_gives_no_other_tag(place: int, byte: int) -> None:
    damaged = TAG[:place] + bytes((byte,)) + TAG[place + 1 :]
    assert set(TagFrames()(damaged)) <= {"62E3086CED"}
    assert list(TagFrames()(damaged + TAG))[-1] == "62E3086CED"


@pytest.mark.parametrize("noise", [TAG[1:], b"\x0262E3086CED0862\x03", b"\x0262E3086C0808\x03", b"\x02\x03", b"\x03"])
def test_what_is_no_whole_frame_gives_nothing_and_harms_nothing(noise: bytes) -> None:
    assert list(TagFrames()(noise)) == []
    assert list(TagFrames()(noise + TAG)) == ["62E3086CED"]


@pytest.mark.parametrize("code", ["013", "62E3086C", "62E3086CEDFF", "tag"])
def test_what_is_no_tag_is_refused(code: str) -> None:
    with pytest.raises(KeyError):
        frame_tag(code)


def test_a_tag_that_lies_there_is_read_once_and_again_when_it_comes_back() -> None:
    times = iter((0, 100_000, LYING_US + 99_999, LYING_US + 100_000, 3 * LYING_US, 5 * LYING_US))
    heard: Queue[tuple[int, str]] = Queue()
    plugs = Plugs()
    device = Reader("em4100", "/dev/scanner", MappingProxyType({}))
    driver = CodeReader(device, now=lambda: next(times), open_device=plugs.open)
    driver.start(lambda stamp, code: heard.put((stamp, code)))
    other = frame_tag("0000000001")
    os.write(plugs.ends[0], TAG * 3 + other + TAG * 2)
    expected = [(0, "62E3086CED"), (LYING_US + 100_000, "0000000001")]
    expected += [(3 * LYING_US, "62E3086CED"), (5 * LYING_US, "62E3086CED")]
    assert [heard.get(timeout=PATIENCE) for _ in expected] == expected
    driver.close()
    plugs.pull()


# A device: a pipe


class Plugs:
    """Pipes in the place of a device: each opening takes the next one."""

    def __init__(self) -> None:
        self.ends: list[int] = []
        self.missing = False

    def open(self, device: str) -> int:
        """The reading end of a new pipe."""
        if self.missing:
            raise FileNotFoundError(2, os.strerror(2), device)
        reading, writing = os.pipe()
        self.ends.append(writing)
        return reading

    def pull(self) -> None:
        """Pull the device out."""
        os.close(self.ends.pop())


@contextmanager
def reader(kind: str, plugs: Plugs) -> Iterator[tuple[CodeReader, "Queue[tuple[int, str]]"]]:
    """A reader that has been started, and what it reports."""
    heard: Queue[tuple[int, str]] = Queue()
    driver = CodeReader(Reader(kind, "/dev/scanner", MappingProxyType({})), now=lambda: 77, open_device=plugs.open)
    driver.start(lambda stamp, code: heard.put((stamp, code)))
    try:
        yield driver, heard
    finally:
        driver.close()
        while plugs.ends:
            plugs.pull()


@pytest.mark.parametrize(
    ("kind", "data"), [("keyboard", type_code("04A1-b2") + type_code("013")), ("lines", b"04A1-b2\r\n013\n")]
)
def test_codes_are_reported_with_their_stamp(kind: str, data: bytes) -> None:
    plugs = Plugs()
    with reader(kind, plugs) as (driver, heard):
        os.write(plugs.ends[0], data)
        assert [heard.get(timeout=PATIENCE), heard.get(timeout=PATIENCE)] == [(77, "04A1-b2"), (77, "013")]
        assert driver.health() == ()


def test_a_reader_that_is_pulled_out_is_told_of_and_found_again() -> None:
    plugs = Plugs()
    with reader("lines", plugs) as (driver, heard):
        thread = driver._thread
        assert thread is not None
        plugs.pull()
        thread.join(PATIENCE)
        assert in_english(driver.health()) == ("The reader /dev/scanner was pulled out.",)
        plugs.missing = True
        driver.check()
        assert in_english(driver.health()) == ("The reader /dev/scanner cannot be opened: No such file or directory.",)
        plugs.missing = False
        driver.check()
        assert driver.health() == ()
        os.write(plugs.ends[0], b"123\n")
        assert heard.get(timeout=PATIENCE) == (77, "123")


def test_a_reader_that_was_never_plugged_in_does_not_stop_the_daemon() -> None:
    plugs = Plugs()
    plugs.missing = True
    with reader("keyboard", plugs) as (driver, _):
        assert len(driver.health()) == 1
    driver.check()  # after closing, nothing is opened any more
    assert plugs.ends == []


def test_a_reader_that_goes_on_is_not_opened_twice() -> None:
    plugs = Plugs()
    with reader("lines", plugs) as (driver, _):
        driver.check()
        assert len(plugs.ends) == 1


def test_a_real_device_is_opened_by_its_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("reader") / "device"
    path.write_bytes(b"013\n")
    heard: Queue[str] = Queue()
    driver = CodeReader(Reader("lines", str(path), MappingProxyType({})), now=lambda: 0)
    driver.start(lambda _, code: heard.put(code))
    assert heard.get(timeout=PATIENCE) == "013"
    driver.close()


def test_a_serial_port_is_read_line_by_line_without_echo() -> None:
    leader, follower = os.openpty()
    heard: Queue[str] = Queue()
    driver = CodeReader(Reader("lines", os.ttyname(follower), MappingProxyType({})), now=lambda: 0)
    driver.start(lambda _, code: heard.put(code))
    os.write(leader, b"013\r")
    assert heard.get(timeout=PATIENCE) == "013"
    driver.close()
    os.set_blocking(leader, False)
    with pytest.raises(BlockingIOError):
        os.read(leader, 1)
    os.close(leader)
    os.close(follower)


def test_a_reader_of_tags_finds_its_speed_whatever_the_port_was_left_at() -> None:
    leader, follower = os.openpty()
    told = termios.tcgetattr(follower)
    told[4] = told[5] = termios.B115200
    termios.tcsetattr(follower, termios.TCSANOW, told)
    heard: Queue[str] = Queue()
    driver = CodeReader(Reader("em4100", os.ttyname(follower), MappingProxyType({})), now=lambda: 0)
    driver.start(lambda _, code: heard.put(code))
    os.write(leader, TAG)
    assert heard.get(timeout=PATIENCE) == "62E3086CED"
    assert termios.tcgetattr(follower)[4:6] == [termios.B9600, termios.B9600]
    driver.close()
    os.close(leader)
    os.close(follower)


# Simulated


def test_the_simulated_scanner_types_into_our_own_decoder(board: SimulatedBoard, world: World) -> None:
    heard: list[tuple[int, str]] = []
    driver = board.drivers.reader
    assert driver is not None
    board.read_code("unheard")
    driver.start(lambda stamp, code: heard.append((stamp, code)))
    board.read_code("04A1-b2")
    assert heard == [(world.now, "04A1-b2")]
    assert driver.health() == ()
    board.scanner.plugged = False
    board.read_code("013")
    assert in_english(driver.health()) == ("The reader was pulled out.",)
    assert len(heard) == 1


@pytest.mark.parametrize(
    ("kind", "codes", "shown", "read"),
    [
        ("keyboard", {}, "04A1-b2", "04A1-b2"),
        ("lines", {}, "é", "é"),
        ("em4100", {}, "62E3086CED", "62E3086CED"),
        ("em4100", {"0000000001": "013"}, "013", "0000000001"),
    ],
)
def test_every_kind_of_simulated_reader_is_read_by_its_own_decoder(
    world: World, kind: str, codes: dict[str, str], shown: str, read: str
) -> None:
    description = replace(load_bundled("tayu"), reader=Reader(kind, "/dev/reader", codes))
    board = SimulatedBoard(description, now=world.clock, later=world.later)
    heard: list[str] = []
    assert board.drivers.reader is not None
    board.drivers.reader.start(lambda _, code: heard.append(code))
    board.read_code(shown)
    assert heard == [read]
    board.close()


def test_a_tile_without_a_tag_is_not_read(world: World) -> None:
    description = replace(load_bundled("tayu"), reader=Reader("em4100", "/dev/reader", {}))
    board = SimulatedBoard(description, now=world.clock, later=world.later)
    with pytest.raises(KeyError):
        board.read_code("013")
    board.close()
