"""The reader of tags: its frames, a chip that is emulated down to their bytes, and whatever goes wrong between them."""

import dataclasses
from queue import Queue
from threading import Thread
from types import MappingProxyType
from typing import Any, Final

import pytest
from smbus2 import i2c_msg

from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, OnI2c, Reader
from gnomon_pi.drivers.pn532 import (
    ACK,
    FROM_CHIP,
    GONE,
    PACE,
    RETRY,
    STEP,
    TO_CHIP,
    FrameError,
    TagReader,
    decode_frame,
    encode_frame,
    uids,
)
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.i2c_bus import SimulatedI2C
from gnomon_pi.simulated.chips.pn532 import Pn532, Tag, uid_of
from tests.drivers.world import World
from tests.words.statements import in_english

PATIENCE: Final = 30.0  # seconds; a bound for a machine in trouble, never waited for
WIRES: Final = OnI2c(1, 0x24)
NTAG: Final = Tag(bytes.fromhex("04A1B2C3D4E5F6"))
OTHER: Final = Tag(bytes.fromhex("04112233445566"))
PHONE: Final = Tag(bytes.fromhex("08C0FFEE"), select=bytes((0x78, 0x80, 0x70, 0x02)))
ENOUGH: Final = 60  # steps in which everything has been looked at


class Bus(SimulatedI2C):
    """A bus that counts what goes over it."""

    def __init__(self, chip: Pn532) -> None:
        super().__init__({0x24: chip})
        self.longest = 0
        self.closed = False

    def i2c_rdwr(self, *messages: Any) -> None:
        self.longest = max(self.longest, sum(1 + len(message) for message in messages))
        super().i2c_rdwr(*messages)

    def close(self) -> None:
        self.closed = True


class Table:
    """A reader of tags, its chip, and what it reported."""

    def __init__(self) -> None:
        self.chip = Pn532()
        self.bus = Bus(self.chip)
        self.heard: list[str] = []
        self.reader = TagReader(WIRES, bus=self.bus, now=lambda: 77, paced=False)
        self.reader.start(self.hear)

    def hear(self, stamp: int, code: str) -> None:
        assert stamp == 77
        self.heard.append(code)

    def look(self, steps: int = ENOUGH) -> list[float]:
        return [self.reader.step() for _ in range(steps)]

    def lay(self, *tags: Tag) -> None:
        self.chip.tags = list(tags)
        self.look()


@pytest.fixture
def table() -> Table:
    """A reader on which nothing lies."""
    return Table()


# Tags


def test_a_tag_is_reported_once_each_time_that_it_is_laid_on(table: Table) -> None:
    table.lay(NTAG)
    table.look()
    assert table.heard == ["04A1B2C3D4E5F6"]
    table.lay()
    table.lay(NTAG)
    assert table.heard == ["04A1B2C3D4E5F6"] * 2
    assert table.reader.health() == ()


def test_a_tag_that_takes_the_place_of_another_is_reported_at_once(table: Table) -> None:
    table.lay(NTAG)
    table.lay(OTHER)
    table.lay(PHONE)
    assert table.heard == ["04A1B2C3D4E5F6", "04112233445566", "08C0FFEE"]


def test_a_tag_that_is_missed_for_a_moment_has_not_been_laid_on_anew(table: Table) -> None:
    table.lay(NTAG)
    looked = table.chip.listings
    table.chip.tags = []
    while table.chip.listings < looked + GONE - 1:
        table.look(1)
    table.lay(NTAG)
    assert table.heard == ["04A1B2C3D4E5F6"]


def test_a_tag_that_is_taken_away_while_it_is_read_is_not_reported(table: Table) -> None:
    table.look()
    while table.reader.step() != PACE:
        pass
    table.chip.tags = [NTAG]
    table.look(2)  # it is asked for, and acknowledged
    table.chip.tags = []
    table.look()
    assert table.heard == []
    assert table.reader.health() == ()


def test_of_two_tags_neither_is_reported_and_people_are_told(table: Table) -> None:
    table.lay(NTAG, OTHER)
    assert table.heard == []
    assert in_english(table.reader.health()) == ("Two tags lie on the reader: leave one.",)
    table.lay(OTHER)
    assert table.heard == ["04112233445566"]
    assert table.reader.health() == ()


def test_two_cards_with_long_answers_are_read_whole(table: Table) -> None:
    table.lay(dataclasses.replace(PHONE, select=bytes(30)), PHONE)
    assert in_english(table.reader.health()) == ("Two tags lie on the reader: leave one.",)


def test_nothing_holds_the_bus_for_longer_than_a_block_of_the_display(table: Table) -> None:
    table.lay(NTAG, OTHER)
    table.lay(OTHER)
    assert table.bus.longest <= 37  # bytes, the address included: 3.3 ms at 100 kHz


def test_the_bus_is_free_most_of_the_time(table: Table) -> None:
    table.look()
    waits = table.look(200)
    assert set(waits) == {STEP, PACE}
    assert sum(waits) / len(waits) > 2 * STEP


# Faults


def test_a_chip_that_is_not_there_is_told_of_and_found_when_it_is(table: Table) -> None:
    table.chip.reachable = False
    assert RETRY in table.look()
    (said,) = in_english(table.reader.health())
    assert said == (
        "The tag reader at 0x24 does not answer: [Errno 121] Remote I/O error; "
        "look at its wires, and whether its switches choose I2C."
    )
    table.chip.mend()
    table.lay(NTAG)
    assert table.reader.health() == ()
    assert table.heard == ["04A1B2C3D4E5F6"]


def test_a_chip_that_lost_its_power_is_set_up_anew_and_a_tag_that_stayed_is_not_reported_twice(table: Table) -> None:
    table.lay(NTAG)
    table.chip.lose_power()
    table.look(200)
    assert table.reader.health() == ()
    table.lay(NTAG)
    assert table.heard == ["04A1B2C3D4E5F6"]


@pytest.mark.parametrize("damaged", [1, 2])
def test_a_damaged_answer_is_asked_for_again(table: Table, damaged: int) -> None:
    table.look()
    table.chip.damaged = damaged
    table.lay(NTAG)
    assert table.heard == ["04A1B2C3D4E5F6"]
    assert table.reader.health() == ()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("is_deaf", "it is not ready in time"),
        ("is_stuck", "it is not ready in time"),
        ("confused", "it does not understand a command"),
        ("damaged", "the checksum of its answer is wrong"),
    ],
)
def test_whatever_is_wrong_is_said_and_is_over_when_it_is_mended(table: Table, fault: str, said: str) -> None:
    table.look()
    setattr(table.chip, fault, 10**6)
    while RETRY not in table.look():
        pass
    assert said in in_english(table.reader.health())[0]
    table.chip.mend()
    table.look(ENOUGH)
    table.lay(NTAG)
    assert table.reader.health() == ()
    assert table.heard == ["04A1B2C3D4E5F6"]


def test_another_chip_at_that_address_is_said() -> None:
    table = Table()
    table.chip.ic = 0x07
    table.look()
    assert "it is no PN532, for it calls itself 07 01 06 07" in in_english(table.reader.health())[0]


class Echo:
    """A chip that is ready, and says the same to everything."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)

    def receive(self, _control: int, _data: object) -> None:
        """Nothing."""

    def send(self, count: int) -> bytes:
        if count == 1:
            return b"\x01"
        return (b"\x01" + self.answers.pop(0) + bytes(count))[:count] if self.answers else bytes(count)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ((bytes(6),), "it does not acknowledge a command"),
        ((ACK, encode_frame(FROM_CHIP, b"\x15")), "it answers 0x15 to the command 0x02"),
        ((ACK, encode_frame(FROM_CHIP, b"\x03")), "it is no PN532, for it calls itself nothing"),
        ((ACK, bytes(30), bytes(30), bytes(30)), "its answer begins with 00 00 00 00 00"),
    ],
)
def test_answers_that_no_pn532_gives_are_told_apart(answers: tuple[bytes, ...], said: str) -> None:
    reader = TagReader(WIRES, bus=SimulatedI2C({0x24: Echo(*answers)}), now=lambda: 0, paced=False)
    reader.start(lambda _stamp, _code: None)
    for _ in range(ENOUGH):
        reader.step()
        if reader.health():
            break
    assert said in in_english(reader.health())[0]


# The emulated chip


def said_by(chip: Pn532, command: bytes) -> bytes:
    """What the chip says to a command, by hand."""
    chip.busy = 0
    first, *rest = command
    chip.receive(first, rest)
    assert chip.send(7)[1:] == ACK
    return chip.send(40)[1:]


def test_the_chip_wants_to_be_set_up_and_knows_no_other_command() -> None:
    chip = Pn532()
    for command in (b"\x4a\x01\x00", b"\x60"):
        with pytest.raises(FrameError, match="does not understand"):
            decode_frame(FROM_CHIP, said_by(chip, encode_frame(TO_CHIP, command)))


def test_without_a_limit_the_chip_looks_for_a_tag_until_there_is_one() -> None:
    chip = Pn532()
    said_by(chip, encode_frame(TO_CHIP, b"\x14\x01\x00\x00"))
    first, *rest = encode_frame(TO_CHIP, b"\x4a\x01\x00")
    chip.receive(first, rest)
    assert chip.send(7)[1:] == ACK
    assert not any(chip.send(1)[0] for _ in range(100))
    chip.tags = [NTAG]
    assert list(uids(decode_frame(FROM_CHIP, chip.send(40)[1:])[1:])) == [NTAG.uid]


def test_a_damaged_command_is_not_acknowledged() -> None:
    chip = Pn532()
    first, *rest = encode_frame(TO_CHIP, b"\x02")
    rest[-2] ^= 1
    chip.receive(first, rest)
    assert not any(chip.send(7) for _ in range(10) if any(chip.send(7)))


def test_a_chip_without_registers_is_read_over_the_bus_as_smbus2_does() -> None:
    chip = Pn532()
    bus = SimulatedI2C({0x24: chip})
    bus.i2c_rdwr(i2c_msg.write(0x24, encode_frame(TO_CHIP, b"\x02")))
    chip.busy = 0
    message = i2c_msg.read(0x24, 7)
    bus.i2c_rdwr(message)
    assert bytes(message) == b"\x01" + ACK
    for address in (0x25, 0x3C):
        with pytest.raises(OSError, match=r"\[Errno 121\]"):
            bus.i2c_rdwr(i2c_msg.read(address, 1))


# Threads and boards


def test_a_thread_of_its_own_reads_and_ends() -> None:
    heard: Queue[str] = Queue()
    chip = Pn532()
    bus = Bus(chip)
    reader = TagReader(WIRES, bus=bus, now=lambda: 0, pace=0.0)
    chip.tags = [NTAG]
    reader.start(lambda _, code: heard.put(code))
    assert heard.get(timeout=PATIENCE) == "04A1B2C3D4E5F6"
    thread = reader._thread
    assert thread is not None
    reader.check()
    assert reader._thread is thread
    reader.close()
    assert not thread.is_alive()
    assert bus.closed
    reader.check()  # after closing, nothing is begun any more
    assert reader._thread is None


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # it is what this is about
def test_a_thread_that_ended_is_begun_anew_by_the_next_check() -> None:
    heard: Queue[str] = Queue()
    chip = Pn532()
    reader = TagReader(WIRES, bus=Bus(chip), now=lambda: 0, pace=0.0)
    chip.tags = [NTAG]
    ended: Queue[Thread | None] = Queue()

    def report(_stamp: int, code: str) -> None:
        heard.put(code)
        if code == "04A1B2C3D4E5F6":
            ended.put(reader._thread)
            message = "the loop is closed"
            raise RuntimeError(message)

    reader.start(report)
    thread = ended.get(timeout=PATIENCE)
    assert thread is not None
    thread.join(PATIENCE)
    chip.tags = [OTHER]
    reader.check()
    assert [heard.get(timeout=PATIENCE) for _ in range(2)] == ["04A1B2C3D4E5F6", "04112233445566"]
    reader.close()


@pytest.fixture
def described() -> BoardDescription:
    """A table with a reader of tags, on the bus of its display."""
    codes = MappingProxyType({"04A1B2C3D4E5F6": "013", "4006381333931": "123"})
    return dataclasses.replace(load_bundled("table"), reader=Reader("pn532", "", codes, WIRES))


def test_the_simulated_board_reads_tags_as_a_wired_one_does(described: BoardDescription, world: World) -> None:
    board = SimulatedBoard(described, now=world.clock, later=world.later)
    heard: list[tuple[int, str]] = []
    assert board.drivers.reader is not None
    board.drivers.reader.start(lambda stamp, code: heard.append((stamp, code)))
    for code in ("013", "013", "04112233445566"):
        board.read_code(code)
    assert heard == [(world.now, "04A1B2C3D4E5F6")] * 2 + [(world.now, "04112233445566")]
    with pytest.raises(KeyError):
        board.read_code("123")  # its code is that of no tag
    board.tags.reachable = False
    board.read_code("013")
    assert len(heard) == 3
    assert len(board.drivers.reader.health()) == 1
    board.mend()
    board.read_code("04112233445566")
    assert len(heard) == 4
    board.close()


def test_a_code_is_a_uid_of_four_seven_or_ten_bytes() -> None:
    assert uid_of("04a1b2c3", {}) == bytes.fromhex("04A1B2C3")
    for code in ("04A1B2", "tile", "", "04A1B2C3D4"):
        with pytest.raises(KeyError):
            uid_of(code, {})
