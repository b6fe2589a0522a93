"""Run the daemon's own service in the process of a bench: real time, threads, disk."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from gnomon.engines.plugins import own_plugin
from gnomon.engines.process import EngineLines
from gnomon.records.journal.writer import Journal
from gnomon.web.access import Authenticator
from gnomon_pi import config
from gnomon_pi.cli._assembly import SWITCH, spare_what_is_loaded
from gnomon_pi.pages.server import PageServer
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.autoplay import Playground
from gnomon_pi.simulated.bench import BenchPages
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.remote_control import RemoteControl


@dataclass(frozen=True, slots=True)
class Live:
    """A daemon at work on a simulated board, put together as its command line does."""

    watch: MachineWatch
    board: SimulatedBoard
    playground: Playground
    service: Service
    remote: RemoteControl

    def serve(self, page: PageServer, door: Authenticator) -> asyncio.Task[None]:
        """Have the daemon's pages and its bench served."""
        journal = self.service._parts.journal
        return asyncio.create_task(page.serve(self.service.controller, journal, door, BenchPages(self.remote)))


@asynccontextmanager
async def live(orders: Orders) -> AsyncIterator[Live]:
    """Run a daemon with a new journal; whatever ends anything vital in it is raised at the end."""
    sys.setswitchinterval(SWITCH)
    watch = MachineWatch.of_this_boot()
    with (
        tempfile.TemporaryDirectory(prefix="gnomon-bench-") as folder,
        Journal.open(Path(folder, "journal")) as journal,
    ):
        board = SimulatedBoard(config.load_bundled("tamsk"), now=watch.now, later=asyncio.get_running_loop().call_later)
        try:
            playground = Playground(board)
            parts = Parts(watch, journal, board.drivers, board.description, playground)
            service = Service(parts, orders)
            stop, ready = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(service.run(stop, ready.set))
            begun = asyncio.create_task(ready.wait())
            await asyncio.wait([running, begun], return_when=asyncio.FIRST_COMPLETED)
            spare_what_is_loaded()
            try:
                yield Live(
                    watch, board, playground, service, RemoteControl(service.controller, service.runner, playground)
                )
            finally:
                begun.cancel()
                stop.set()
                await running
        finally:
            board.close()


@asynccontextmanager
async def thinking(engines: int) -> AsyncIterator[None]:
    """Have so many engines of TAMSK think without an end beside whatever is measured, as processes of their own."""
    started: list[EngineLines] = []
    try:
        for _ in range(engines):
            started.append(await EngineLines.start(own_plugin("tamsk")))
            for line in ("ugi", "position startpos", "go infinite"):
                started[-1].send(line)
        yield
    finally:
        for each in started:
            await each.close()


def journal_disk() -> str:
    """What kind of file system the journal of a live daemon lies on: what is durable there differs."""
    folder = Path(tempfile.gettempdir()).resolve()
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    fitting = [(place, kind) for place, kind in mounts if folder.is_relative_to(place)]
    return max(fitting, key=lambda mount: len(mount[0]))[1] if fitting else "unknown"
