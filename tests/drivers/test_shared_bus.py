"""An I2C bus that several drivers share: whose turn it is, and who closes it."""

from collections.abc import Sequence
from threading import Thread

import pytest

from gnomon_pi.drivers._shared_bus import SharedBus


class Wire:
    """A bus that notes what is done on it."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        self.done.append(f"write {i2c_addr} {register} {list(data)}")

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        self.done.append(f"read {i2c_addr} {register} {length}")
        return [7] * length

    def i2c_rdwr(self, *messages: object) -> None:
        self.done.append(f"transfer {len(messages)}")

    def close(self) -> None:
        self.done.append("close")


def test_a_user_uses_the_bus_as_if_it_had_it_alone() -> None:
    wire = Wire()
    user = SharedBus(wire).user()
    user.write_i2c_block_data(0x20, 1, [2, 3])
    assert user.read_i2c_block_data(0x21, 4, 2) == [7, 7]
    user.i2c_rdwr(1, 2)
    with user.turn() as mine:
        mine.write_i2c_block_data(0x22, 5, [])
    assert wire.done == ["write 32 1 [2, 3]", "read 33 4 2", "transfer 2", "write 34 5 []"]


def test_the_last_user_closes_the_bus_however_often_each_lets_it_go() -> None:
    wire = Wire()
    shared = SharedBus(wire)
    first, second = shared.user(), shared.user()
    first.close()
    first.close()
    assert wire.done == []
    second.write_i2c_block_data(1, 2, [])
    with pytest.raises(OSError, match="Bad file descriptor"):
        first.write_i2c_block_data(1, 2, [])
    second.close()
    second.close()
    assert wire.done == ["write 1 2 []", "close"]


def test_a_turn_that_fails_lets_the_bus_go() -> None:
    user = SharedBus(Wire()).user()
    message = "nobody is there"
    for _ in range(2):
        with pytest.raises(OSError, match=message), user.turn():
            raise OSError(message)


def test_who_waits_has_the_bus_after_the_transaction_that_is_under_way() -> None:
    """A picture is a row of transactions, and a plain lock would give the bus to the same thread again and again."""
    wire = Wire()
    shared = SharedBus(wire)
    display, sensors = shared.user(), shared.user()
    scan = Thread(target=lambda: sensors.read_i2c_block_data(0x20, 0x12, 2))
    with display.turn() as mine:
        mine.write_i2c_block_data(0x3C, 0x40, [1])
        scan.start()
        while not shared._next.locked():  # until the other thread waits for its turn
            pass
    for byte in (2, 3):
        display.write_i2c_block_data(0x3C, 0x40, [byte])
    scan.join()
    assert wire.done == ["write 60 64 [1]", "read 32 18 2", "write 60 64 [2]", "write 60 64 [3]"]
