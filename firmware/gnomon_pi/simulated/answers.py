"""Measure how fast the daemon answers to injected edges and to expiring sand glasses.

The whole service runs in real time in this process, on the simulated board: scans at 100 Hz in their thread, the
loop, and a journal on this machine's disk that makes every entry durable before anything is shown.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import BOARD, START
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import SandSet
from gnomon.referee.rulings import Corrected, GlassStopped, Ruling, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi import config
from gnomon_pi.config.description import TAMSK
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.autoplay import Playground
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.tools.accuracy import Answers

SHORTENED: Final = (20 * MILLISECOND, 150 * MILLISECOND)  # to what the sand of a glass is set, so that it runs out soon
PATIENCE: Final = 10.0  # seconds after which something is wrong
_TO_AND_FRO: Final = (("D1", "D2"), ("A1", "A2"), ("D2", "D1"), ("A2", "A1"))
_BETWEEN: Final = (0.05, 0.12)  # seconds, so that touches come at any moment of the scans
_SPACES: Final = tuple(BOARD.names[space] for space in START)


@dataclass
class _Ear:
    """Waits for rulings, and notes when each is shown."""

    service: Service
    watch: MachineWatch
    heard: "asyncio.Queue[tuple[int, Ruling]]" = field(default_factory=asyncio.Queue)

    def hear(self, ruling: Ruling) -> None:
        """A ruling is shown now."""
        self.heard.put_nowait((self.watch.now(), ruling))

    async def next(self, kind: type[Ruling]) -> tuple[int, Ruling]:
        """The next ruling of a kind. Raises TimeoutError."""
        async with asyncio.timeout(PATIENCE):
            while True:
                at, ruling = await self.heard.get()
                if isinstance(ruling, kind):
                    return at, ruling


def measure(touches: int, expiries: int, random: Random) -> Answers:
    """Time so many turns that end by button, and so many glasses that run out. Raises TimeoutError, DriverError."""
    return asyncio.run(_measure(touches, expiries, random))


async def _measure(touches: int, expiries: int, random: Random) -> Answers:
    async with _service({"level": 1, "stall": 0}) as (service, board, watch):
        answered = await _turns(service, board, watch, touches, random)
    async with _service({"level": 2}) as (service, _, watch):
        ended = await _stops(service, watch, expiries, random)
    return Answers(tuple(answered), tuple(ended))


async def _turns(
    service: Service, board: SimulatedBoard, watch: MachineWatch, number: int, random: Random
) -> list[int]:
    """From the raw edge of the press that ends a turn to the ruling that everybody sees."""
    ear = _Ear(service, watch)
    service.runner.on_ruling(ear.hear)
    took = []
    for turn in range(number):
        origin, target = _TO_AND_FRO[turn % len(_TO_AND_FRO)]
        button = f"button.{('red', 'black')[turn % 2]}"
        board.set_input(f"{origin}.north", False)  # noqa: FBT003 - the value is what it is about
        await asyncio.sleep(random.uniform(*_BETWEEN))
        board.set_input(f"{target}.north", True)  # noqa: FBT003 - a level
        await asyncio.sleep(random.uniform(*_BETWEEN))
        pressed = watch.now()
        board.set_input(button, True)  # noqa: FBT003 - a level
        shown, _ = await ear.next(TurnRuled)
        took.append(shown - pressed)
        board.set_input(button, False)  # noqa: FBT003 - a level
        await asyncio.sleep(random.uniform(*_BETWEEN))
    return took


async def _stops(service: Service, watch: MachineWatch, number: int, random: Random) -> list[int]:
    """From the exact instant at which a glass is empty to the ruling that everybody sees."""
    ear = _Ear(service, watch)
    service.runner.on_ruling(ear.hear)
    late = []
    for stop in range(number):
        left = Duration(random.randint(*SHORTENED))
        space = _SPACES[stop % len(_SPACES)]
        rulings = await service.controller.correct(SandSet(Instant(0), space, left, "accuracy"))
        at = next(ruling.at for ruling in rulings if isinstance(ruling, Corrected))
        shown, _ = await ear.next(GlassStopped)
        live_game = service.runner.live_game
        late.append(shown - (at + left) - (0 if live_game is None else live_game.origin))
    return late


@asynccontextmanager
async def _service(settings: dict[str, object]) -> AsyncIterator[tuple[Service, SimulatedBoard, MachineWatch]]:
    """The running daemon, without a page."""
    watch = MachineWatch.of_this_boot()
    with tempfile.TemporaryDirectory(prefix="gnomon-") as folder, Journal.open(Path(folder, "journal")) as journal:
        board = SimulatedBoard(config.load_bundled(TAMSK), now=watch.now, later=asyncio.get_running_loop().call_later)
        try:
            parts = Parts(watch, journal, board.drivers, board.description, Playground(board))
            service = Service(parts, Orders(GameSetup(settings=settings)))
            stop, ready = asyncio.Event(), asyncio.Event()
            running = asyncio.create_task(service.run(stop, ready.set))
            begun = asyncio.create_task(ready.wait())
            await asyncio.wait([running, begun], return_when=asyncio.FIRST_COMPLETED)
            try:
                yield service, board, watch
            finally:
                begun.cancel()
                stop.set()
                await running
        finally:
            board.close()
