"""The word to systemd's watchdog: it goes out while loop, scans and lgpio's thread live, and stops with each of them.

The daemon is the real one on the simulated board, and what it says is read from the socket that it says it to.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi import config
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.board import SimulatedBoard

FED = b"WATCHDOG=1"
OFTEN = 0.005  # seconds between two looks at the daemon, in place of one
SILENCE = 20 * OFTEN


class JumpingWatch:
    """The machine's clocks, with time that has passed unseen."""

    def __init__(self) -> None:
        self._machine = MachineWatch.of_this_boot()
        self.boot = self._machine.boot
        self.asleep = self._machine.asleep
        self.wall = self._machine.wall
        self.passed = 0

    def now(self) -> Instant:
        """Later by what has passed."""
        return Instant(self._machine.now() + self.passed)


class HeldScan:
    """A scan that does not return while it is held."""

    def __init__(self, scan: Callable[[], int]) -> None:
        self._scan = scan
        self.hangs, self.free = Event(), Event()
        self.free.set()

    def __call__(self) -> int:
        """As on the board, in the end."""
        if not self.free.is_set():
            self.hangs.set()
            self.free.wait(30)
        return self._scan()


@dataclass
class Running:
    """A daemon that runs, and what it can be hurt by."""

    watch: JumpingWatch
    scan: HeldScan
    manager: socket.socket

    async def fed(self) -> None:
        """Wait for the next word."""
        loop = asyncio.get_running_loop()
        self.drain()
        assert await asyncio.wait_for(loop.sock_recv(self.manager, 100), 30) == FED

    def drain(self) -> None:
        """Forget what was said before."""
        for _ in iter(self.waiting, 0):
            pass

    async def silent(self) -> None:
        """Wait until nothing is said any more: a look that began before may still say so."""
        async with asyncio.timeout(30):
            while True:
                self.drain()
                await asyncio.sleep(SILENCE)
                if not self.waiting():
                    return

    def waiting(self) -> int:
        """One more word, by its length; 0 when there is none."""
        try:
            return len(self.manager.recv(100))
        except BlockingIOError:
            return 0


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of Type=notify."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def run(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch, act: Callable[[Running], Awaitable[None]]
) -> None:
    """Run the daemon until the act has ended."""
    monkeypatch.setattr("gnomon_pi.runtime.service.PERIOD", OFTEN)

    async def live() -> None:
        watch, stop, ready = JumpingWatch(), asyncio.Event(), asyncio.Event()
        board = SimulatedBoard(config.load_bundled("tamsk"), now=watch.now, later=asyncio.get_running_loop().call_later)
        assert board.drivers.sensors is not None
        scan = HeldScan(board.drivers.sensors.scan)
        monkeypatch.setattr(board.drivers.sensors, "scan", scan)
        with Journal.open(tmp_path / "journal") as journal:
            parts = Parts(watch, journal, board.drivers, board.description)
            service = Service(parts, Orders(notify_socket=str(tmp_path / "notify")))
            running = asyncio.create_task(service.run(stop, ready.set))
            try:
                await ready.wait()
                await act(Running(watch, scan, manager))
            finally:
                scan.free.set()
                stop.set()
                await running
                board.close()

    asyncio.run(live())


def test_it_is_fed_while_everything_lives(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(running: Running) -> None:
        await running.fed()
        await running.fed()

    run(tmp_path, manager, monkeypatch, act)


def test_it_is_not_fed_while_a_scan_hangs_and_is_again_after_it(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(running: Running) -> None:
        await running.fed()
        running.scan.free.clear()
        await asyncio.to_thread(running.scan.hangs.wait, 30)
        running.watch.passed = 2 * SECOND
        await running.silent()
        running.scan.free.set()
        await running.fed()

    run(tmp_path, manager, monkeypatch, act)


def test_it_is_not_fed_while_the_loop_hangs_and_is_again_after_it(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def act(running: Running) -> None:
        await running.fed()
        running.drain()
        Event().wait(SILENCE)  # blocks this thread, which is the loop's
        assert running.waiting() == 0
        await running.fed()

    run(tmp_path, manager, monkeypatch, act)


def test_it_is_not_fed_once_the_thread_that_hears_the_pins_has_died(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = Event()
    thread = Thread(target=end.wait, args=(30,), name="the thread of lgpio", daemon=True)
    thread.start()
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(_notify_thread=thread, error=OSError))

    async def act(running: Running) -> None:
        await running.fed()
        end.set()
        thread.join()
        await running.silent()

    run(tmp_path, manager, monkeypatch, act)
