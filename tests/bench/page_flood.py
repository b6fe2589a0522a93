"""Whether the pages keep the referee waiting: from a touch to the light that answers it, with and without a flood.

The daemon's own service as in `edge_to_light`, and its pages: as they are served, in a thread of their own and within
their bounds; the same without bounds; and in the daemon's own loop, as it would be without that thread. A process of
its own reads 500 streams and asks for pages as fast as it is answered. What is told is the rest of the time, without
what bounce, scan and debouncing take on purpose. How much a stream costs in memory is measured besides.
"""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from starlette.routing import Mount

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.debounce import CALM
from gnomon.web.access import Authenticator
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.live.streams import Readers
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import Listener
from gnomon_pi.pages.live_board import LoopBridge, PageBoard
from gnomon_pi.pages.server import PageServer, Room
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._table import TableAct
from tests.bench._figures import MILLISECOND, Spread, parser, progress, say, say_machine
from tests.bench._live_daemon import Live, journal_disk, live
from tests.bench.edge_to_light import SETUP, Hands, Probes

STREAMS: Final = 500
ASKERS: Final = 32
OPENERS: Final = 100
VISIT: Final = 10.0  # seconds for which a visitor waits for a page
SAMPLES: Final = 40  # touches of each run
ROUNDS: Final = 5
GREAT: Final = 1000  # streams of the memory's figure
WIDE: Final = Bounds(at_most=100_000, at_most_of_one=100_000, opened_at_once=1e9)
BOUNDLESS: Final = Room(WIDE, None, 100_000, 100_000)
KIB: Final = 1024
CALMNESS: Final = 2_000  # µs that a touch may have waited for cores and still be calm

Serve = Callable[[Live], "tuple[Listener, asyncio.Task[None]]"]


def in_a_thread(room: Room) -> Serve:
    """As the daemon does it."""

    def serve(table: Live) -> tuple[Listener, asyncio.Task[None]]:
        page = PageServer("127.0.0.1", 0, room=room)
        return page, table.serve(page, Authenticator.without_accounts())

    return serve


def in_the_same_loop(table: Live) -> tuple[Listener, asyncio.Task[None]]:
    """As it would be without a thread."""
    listener = Listener("127.0.0.1", 0, bounds=WIDE)

    async def serve() -> None:
        board = await PageBoard.of(table.service.controller, LoopBridge(asyncio.get_running_loop()))
        house = AppContext(board, table.service._parts.journal, readers=Readers(100_000, 100_000))
        await listener.listen(application(house, Mount("/bench", routes=[])))

    return listener, asyncio.create_task(serve())


@asynccontextmanager
async def served(table: Live, serve: Serve) -> AsyncIterator[int]:
    """The port of the pages, which are served meanwhile."""
    listener, serving = serve(table)
    try:
        yield listener.port
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        listener.close()


@asynccontextmanager
async def flooded(port: int, streams: int, askers: int, openers: int = 0) -> AsyncIterator[dict[str, int]]:
    """What the flood was told, known at its end; no flood without streams and openers."""
    told: dict[str, int] = {}
    if not streams + openers:
        yield told
        return
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench._flood", *map(str, (port, streams, askers, openers))),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert await process.stdout.readline() == b"ready\n", "the flood has broken down"
        yield told
        process.stdin.close()
        told.update(json.loads(await process.stdout.readline()))
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


class Rest(NamedTuple):
    """What a touch took beside what is taken on purpose, and how long cores were waited for in it; µs."""

    took: float
    waited: float


class WatchedHands(Hands):
    """Hands that also note how long the daemon's threads waited for a core of the machine during each touch, in µs.

    What else runs on the machine makes them wait, and a touch that met it says nothing of the pages.
    """

    def __init__(self, table: Live, probes: Probes, loop: asyncio.AbstractEventLoop, random: Random) -> None:
        super().__init__(table, probes, loop, random)
        self.waits: list[float] = []

    def _touch(self, kind: str, act: TableAct, is_known_to: Callable[[TamskGame], bool]) -> bool:
        before = waited()
        was_answered = super()._touch(kind, act, is_known_to)
        self.waits.append(waited() - before)
        return was_answered


def waited() -> float:
    """How long in all the threads between a touch and its light have waited for a core, in µs."""
    ways = [thread.native_id for thread in threading.enumerate() if thread.name in ("MainThread", "scans", "journal")]
    stats = [Path(f"/proc/self/task/{number}/schedstat").read_text(encoding="ascii").split() for number in ways]
    return sum(int(waiting) for _, waiting, _ in stats) / 1_000


def rests(hands: WatchedHands) -> list[Rest]:
    """What each answered touch took beside bounce, scan and debouncing, and how long cores were waited for in it."""
    pairs = zip(hands.touches, hands.waits, strict=True)
    return [Rest(each.light - each.sampled - CALM, wait) for each, wait in pairs if each.light]


class Flood(NamedTuple):
    """How pages are served, and to how many that read streams, ask, and open connections without asking."""

    serve: Serve | None
    streams: int = 0
    askers: int = 0
    openers: int = 0


async def visit(port: int, took: list[float]) -> None:
    """Ask for a page again and again from an address of one's own, and note how long it takes in µs; 0 for none."""
    loop = asyncio.get_running_loop()
    while True:
        begun = loop.time()
        try:
            async with asyncio.timeout(VISIT):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.250", 0))
                writer.write(b"GET /static/base.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = await reader.read()
                writer.close()
            took.append((loop.time() - begun) * 1_000_000 if b" 200 OK" in answer[:20] else 0.0)
        except (OSError, TimeoutError):
            took.append(0.0)
        await asyncio.sleep(0.1)


async def touches(
    flood: Flood, samples: int, seed: int, visits: list[float]
) -> tuple[Sequence[Rest], Mapping[str, int]]:
    """Touch the table of a daemon whose pages are flooded, and what the flood was told each second.

    Without `serve` there are no pages, and without streams and openers no flood. `visits` gets how long a visitor from
    elsewhere waited for a page meanwhile.
    """
    serve, streams, askers, openers = flood
    async with live(Orders(SETUP)) as table:
        hands = WatchedHands(table, Probes(table), asyncio.get_running_loop(), Random(seed))
        if serve is None:
            await asyncio.to_thread(hands.play, samples)
            return rests(hands), {}
        async with served(table, serve) as port, flooded(port, streams, askers, openers) as told:
            begun = table.watch.now()
            visiting = asyncio.create_task(visit(port, visits))
            await asyncio.to_thread(hands.play, samples)
            visiting.cancel()
            lasted = (table.watch.now() - begun) / 1_000_000
        return rests(hands), {f"{what} a second": round(number / lasted) for what, number in told.items()}


def memory(streams: int) -> str:
    """How much more a daemon holds with so many streams open, for each; measured in a process that has done nothing."""
    command = [sys.executable, "-m", "tests.bench.page_flood", "--memory", str(streams)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


async def measure_memory(streams: int) -> float:
    """KiB for each of so many streams."""
    async with live(Orders(SETUP)) as table, served(table, in_a_thread(BOUNDLESS)) as port:
        async with flooded(port, 20, 0):  # what the first ones cost once and for all
            before = resident()
        async with flooded(port, streams, 0):
            return (resident() - before) / (streams - 20)


def resident() -> float:
    """What this process holds in memory now, in KiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / KIB


def runs(streams: int, askers: int, openers: int) -> Mapping[str, Flood]:
    """How pages are served, to how many of each kind."""
    return {
        "no pages": Flood(None),
        "pages, nobody there": Flood(in_a_thread(Room())),
        "ten addresses open all they can": Flood(in_a_thread(Room()), openers=openers),
        "in a thread, within bounds, flooded": Flood(in_a_thread(Room()), streams, askers),
        "in a thread, no bounds, flooded": Flood(in_a_thread(BOUNDLESS), streams, askers),
        "in the referee's loop, no bounds, flooded": Flood(in_the_same_loop, streams, askers),
    }


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--samples", type=int, default=SAMPLES, help="touches of each run")
    options.add_argument("--rounds", type=int, default=ROUNDS, help="how often all are run, one after the other")
    options.add_argument("--streams", type=int, default=STREAMS)
    options.add_argument("--only", default="", metavar="WORDS", help="measure only the runs with these words")
    options.add_argument("--memory", type=int, default=0, help="measure only what each of so many streams costs")
    given = options.parse_args()
    if given.memory:
        print(f"{asyncio.run(measure_memory(given.memory)):.1f} KiB")
        return
    samples, streams, askers, openers, rounds = (3, 10, 4, 8, 1) if given.quick else (
        given.samples, given.streams, ASKERS, OPENERS, given.rounds
    )  # fmt: skip
    say_machine()
    say("journal on", journal_disk())
    found: dict[str, list[Rest]] = {}
    told: dict[str, Counter[str]] = {}
    visits: dict[str, list[float]] = {}
    for number in range(rounds):  # what else runs on the machine meets all of them alike
        for name, run in list(runs(streams, askers, openers).items())[2 * given.quick :]:
            if given.only not in name:
                continue
            progress(f"round {number + 1} of {rounds}: {name}")
            took, flood = asyncio.run(touches(run, samples, given.seed + number, visits.setdefault(name, [])))
            found.setdefault(name, []).extend(took)
            told.setdefault(name, Counter()).update(flood)
    progress("")
    for name, times in found.items():
        say(name, Spread.of([each.took for each in times]))
        say("  nine of ten within", f"{sorted(each.took for each in times)[len(times) * 9 // 10] / MILLISECOND:.2f} ms")
        say("  where no core was waited for", Spread.of([each.took for each in times if each.waited < CALMNESS]))
        if answered := [each for each in visits[name] if each]:
            say(f"  a page asked for from elsewhere, {len(answered)} of {len(visits[name])} times", Spread.of(answered))
        if told[name]:
            say(
                "  the flood was told",
                ", ".join(f"{what} {number // rounds}" for what, number in sorted(told[name].items())),
            )
    for number in () if given.only else (40,) if given.quick else (100, GREAT):
        say(f"memory of each of {number} streams", memory(number))


if __name__ == "__main__":
    main()
