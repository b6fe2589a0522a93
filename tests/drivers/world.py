"""Provide a driver's world: time that a test moves, and the edges that were heard."""

from collections.abc import Callable

from gnomon_pi.config.description import BoardDescription, Chain
from gnomon_pi.drivers._hc165 import ShiftRegisters
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.chips.hc165_and_lights import RegisterChain

Edge = tuple[int, str, bool]


class World:
    """Virtual time in microseconds, what is to be called later, and the edges that were reported."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.edges: list[Edge] = []
        self._later: list[tuple[int, int, Callable[[], None]]] = []

    def clock(self) -> int:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        self._later.append((self.now + round(seconds * 1_000_000), len(self._later), call))

    def hear(self, stamp: int, name: str, value: bool) -> None:
        self.edges.append((stamp, name, value))

    def wait(self, microseconds: int) -> None:
        """Let time pass, with everything that falls due in it."""
        end = self.now + microseconds
        while due := min((entry for entry in self._later if entry[0] <= end), default=None):
            self._later.remove(due)
            self.now = due[0]
            due[2]()
        self.now = end


def sensors_of(description: BoardDescription) -> Chain:
    """The chain of sensors that a board has by its description."""
    assert isinstance(description.sensors, Chain)
    return description.sensors


def scans_of(board: SimulatedBoard) -> ShiftRegisters:
    """The driver of a board's chain."""
    assert isinstance(board.drivers.sensors, ShiftRegisters)
    return board.drivers.sensors


def chain_of(board: SimulatedBoard) -> RegisterChain:
    """The emulated chain of a board."""
    assert board.chain is not None
    return board.chain
