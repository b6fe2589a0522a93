"""Count what goes over emulated buses, and how long wires would take for it.

I2C takes nine clock pulses a byte, one for each start and one for the stop; SPI takes eight a byte. What a kernel adds
for each transaction is not in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import sleep
from typing import Any, Final, Protocol

from gnomon_pi.drivers.libraries import SpiWriter
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain
from gnomon_pi.simulated.chips.i2c_bus import Chip, SimulatedI2C
from gnomon_pi.simulated.chips.pin_factory import SimulatedFactory, SimulatedSPI
from tests.bench._figures import LABEL, say

I2C_HZ: Final = (100_000, 400_000, 1_000_000)
SPI_HZ: Final = (1_000_000, 4_000_000, 8_000_000)
BYTE: Final = 9  # clocks on I2C: eight bits and the acknowledgement
SPI_BYTE: Final = 8
NAMED: Final = 3 * BYTE + 2  # clocks until a register is read: address, its number, address again, two starts
_MEGA: Final = 1_000_000


class Passes(Protocol):
    """What happens while clock pulses go over a bus; `ends` with the last of a transaction."""

    def __call__(self, clocks: int, *, ends: bool) -> None:
        """Let so many pulses go by."""
        ...


def at_once(clocks: int, *, ends: bool) -> None:
    """Let them take no time."""


def slowly(rate: int) -> Passes:
    """Keep the user of a bus waiting as long as its pulses take at a rate in Hz; for one bus."""
    owed = 0

    def wait(clocks: int, *, ends: bool) -> None:
        nonlocal owed
        owed += clocks
        if ends:
            sleep(owed / rate)
            owed = 0

    return wait


@dataclass(slots=True)
class Traffic:
    """What has gone over buses; the bytes on I2C have the addresses with them."""

    transactions: int = 0
    bytes: int = 0
    clocks: int = 0

    def note(self, sent: int, clocks: int) -> None:
        """Add one transaction of so many bytes."""
        self.transactions += 1
        self.bytes += sent
        self.clocks += clocks

    def taken(self) -> "Traffic":
        """What has been noted, which begins again."""
        taken = replace(self)
        self.transactions = self.bytes = self.clocks = 0
        return taken


class CountedI2c(SimulatedI2C):
    """An I2C bus that counts."""

    def __init__(self, chips: Mapping[int, Chip], traffic: Traffic, passes: Passes = at_once) -> None:
        super().__init__(chips)
        self._traffic = traffic
        self._passes = passes
        self._passed = 0

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Address, register and data."""
        self._note(2 + len(data), starts=1)
        self._pass((2 + len(data)) * BYTE + 2, ends=True)
        super().write_i2c_block_data(i2c_addr, register, data)

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Address, register, address again after a second start, and data."""
        self._note(3 + length, starts=2)
        self._passed = 0
        self._pass(NAMED, ends=False)
        answer = super().read_i2c_block_data(i2c_addr, register, length)
        # The chip may have let the bytes of a port go by one at a time.
        self._pass(NAMED + length * BYTE + 1 - self._passed, ends=True)
        return answer

    def i2c_rdwr(self, *messages: Any) -> None:
        """Each message after a start and its address."""
        sent = sum(1 + len(message) for message in messages)
        self._note(sent, starts=len(messages))
        self._pass(sent * BYTE + len(messages) + 1, ends=True)
        super().i2c_rdwr(*messages)

    def pass_byte(self) -> None:
        """Let a byte that is being read go by, as a chip does that samples each of its ports by itself."""
        self._pass(BYTE, ends=False)

    def _note(self, sent: int, *, starts: int) -> None:
        self._traffic.note(sent, sent * BYTE + starts + 1)

    def _pass(self, clocks: int, *, ends: bool) -> None:
        self._passed += clocks
        self._passes(clocks, ends=ends)


class CountedWriter:
    """An SPI that is only written to, and counts."""

    def __init__(self, spi: SpiWriter, traffic: Traffic) -> None:
        self._spi = spi
        self._traffic = traffic

    def writebytes2(self, data: bytes) -> None:
        """Write any number of bytes."""
        self._traffic.note(len(data), len(data) * SPI_BYTE)
        self._spi.writebytes2(data)

    def close(self) -> None:
        """Let it go."""
        self._spi.close()


class CountedFactory(SimulatedFactory):
    """A pin factory whose SPI of the sensors counts."""

    def __init__(self, chain: RegisterChain | None, traffic: Traffic, passes: Passes) -> None:
        super().__init__(chain=chain, ticks=lambda: 0.0)
        self._traffic = traffic
        self._passes = passes

    def spi(self, *, port: int = 0, device: int = 0) -> SimulatedSPI:
        """The SPI of the sensors. Raises SPIBadArgs for another one."""
        spi = super().spi(port=port, device=device)
        transfer: Callable[[list[int]], list[int]] = spi.transfer

        def counted(data: list[int]) -> list[int]:
            clocks = len(data) * SPI_BYTE
            self._traffic.note(len(data), clocks)
            self._passes(clocks, ends=True)
            return transfer(data)

        spi.transfer = counted  # type: ignore[method-assign]  # the class is chosen in the factory above
        return spi


def say_heading(what: str, rates: Sequence[int]) -> None:
    """Print what the columns of `say_sent` are."""
    times = " ".join(f"{named(rate):>11}" for rate in rates)
    print(f"{what:{LABEL}} {'trans':>5} {'bytes':>6} {'clocks':>7} {times}", flush=True)


def say_sent(label: str, sent: Traffic, rates: Sequence[int]) -> None:
    """Print what was sent, and how long it takes at each rate."""
    times = " ".join(f"{sent.clocks / rate * 1_000:8.3f} ms" for rate in rates)
    say(label, f"{sent.transactions:5} {sent.bytes:6} {sent.clocks:7} {times}")


def named(rate: int) -> str:
    """A rate in Hz as people write it."""
    return f"{rate / _MEGA:g} MHz" if rate >= _MEGA else f"{rate // 1_000} kHz"
