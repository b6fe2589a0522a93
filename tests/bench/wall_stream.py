"""What the walls of a hall cost: bytes on the wire, time of the processor, and how old news are when a wall has them.

A hall in this process with its pages as they are served; boards that say once a second what goes on, and make a move
every ten seconds each; and walls, in a process of their own, that read the stream as browsers do. A board that moves
says so by a number, so that what a wall is told can be dated. The boards' own share of the processor is taken off.
"""

import asyncio
import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from gnomon.hall.hall import Hall
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import State, Status, Topic, encode
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.hall._app import application
from gnomon.web.hall._app_context import HallContext
from gnomon.web.live.streams import Readers
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import Listener
from tests.bench._figures import Spread, parser, say, say_machine

MOVES: Final = 10  # seconds between two moves of a board
TICK: Final = 0.05  # seconds between two crowds of boards that speak
GREAT: Final = 10_000
WARM: Final = 2.0  # seconds before anything counts
KIB: Final = 1024
_READ: Final = re.compile(rb'"last":"(\d+)"')


class Boards(threading.Thread):
    """Boards that speak, each in its turn, until they are told to stop."""

    def __init__(self, bus: Bus, count: int, chance: Random) -> None:
        super().__init__(daemon=True)
        self._bus = bus
        self._count = count
        self._left = [chance.randrange(60, 1500) * SECOND for _ in range(count)]
        self._moved = [chance.random() * MOVES for _ in range(count)]
        self._ends = threading.Event()
        self.spent = 0.0

    def join_the_hall(self) -> None:
        """Say that they are there."""
        for number in range(self._count):
            here = Status(f"b{number}", online=True, epoch="e", session="s", boot="b", kind="tamsk")
            self._bus.publish(Topic.STATUS.of(f"b{number}"), encode(here), retain=True)

    def run(self) -> None:
        """Speak once a second each."""
        begun, told, lasts = time.monotonic(), 0, ["0"] * self._count
        while not self._ends.wait(TICK):
            now = time.monotonic()
            while told < (now - begun) * self._count:
                number, told = told % self._count, told + 1
                if now - begun >= self._moved[number]:
                    self._moved[number] += MOVES
                    lasts[number] = str(time.monotonic_ns() // 1000)
                self._speak(number, now - begun, lasts[number])
            self.spent = time.thread_time()

    def _speak(self, number: int, passed: float, last: str) -> None:
        at = Instant(round(passed * SECOND))
        left = max(0, self._left[number] - at)
        times = {"red": left, "black": self._left[number]}
        seats = [
            {"player": player, "name": f"Somebody {number}", "on_turn": player == "red", "score": 12,
             "remaining_us": time_left, "running": player == "red"}
            for player, time_left in times.items()
        ]  # fmt: skip
        card = {"game": "tamsk", "number": 1, "phase": "running", "plies": 9, "turn": "red", "last": last,
                "players": seats, "urgent_us": left, "timer15_us": None, "outcome": None, "health": []}  # fmt: skip
        state = State(f"b{number}", "e", "s", "b", at, 0, card)
        self._bus.publish(Topic.STATE.of(f"b{number}"), encode(state), retain=True, sure=False)

    def end(self) -> None:
        """Speak no more."""
        self._ends.set()
        self.join()


async def read(port: int, walls: int, seconds: float) -> dict[str, object]:
    """Read the stream of so many walls for a while: what came, and how old it was."""
    ages: list[float] = []
    counted = [0] * walls
    known: set[int] = set()  # a board that is told of again has not moved again
    events = 0
    since = time.monotonic() + WARM

    async def wall(number: int) -> None:
        nonlocal events
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        writer.write(b"GET /wall/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        await writer.drain()
        seen = time.monotonic_ns() // 1000
        while time.monotonic() < since + seconds:
            piece = await reader.read(2**16)
            if time.monotonic() < since:
                seen = time.monotonic_ns() // 1000
                continue
            counted[number] += len(piece)
            if number == 0:
                events += piece.count(b"event: boards")
                now = time.monotonic_ns() // 1000
                fresh = {stamp for stamp in map(int, _READ.findall(piece)) if stamp > seen} - known
                known.update(fresh)
                ages.extend(now - stamp for stamp in fresh)
        writer.close()

    await asyncio.gather(*(wall(number) for number in range(walls)))
    return {"bytes": sum(counted), "events": events, "ages": ages}


async def serve(hall: Hall, walls: int, seconds: float) -> tuple[dict[str, object], float]:
    """Serve the walls, which read in a process of their own; what they say, and the processor's time meanwhile."""
    bounds = Bounds(at_most=GREAT, at_most_of_one=GREAT, opened_at_once=1e9)
    listener = Listener("127.0.0.1", 0, bounds=bounds)
    pages = application(HallContext(hall, readers=Readers(GREAT, GREAT)))
    serving = asyncio.create_task(listener.listen(pages))
    words = [sys.executable, "-m", "tests.bench.wall_stream", "--read", str(listener.port), str(walls), str(seconds)]
    reader = await asyncio.create_subprocess_exec(*words, stdout=subprocess.PIPE)
    await asyncio.sleep(WARM)
    before = time.process_time()
    said, _ = await reader.communicate()
    spent = time.process_time() - before
    listener.stop()
    await serving
    told: dict[str, object] = json.loads(said)
    return told, spent


def measure(boards: int, walls: int, seconds: float, seed: int) -> None:
    """One size: serve, read, and print."""
    broker, stop = MemoryBroker(), threading.Event()
    carrier = threading.Thread(target=broker.run, args=(stop,), daemon=True)
    with TemporaryDirectory(prefix="gnomon-walls-") as folder:
        hall = Hall.open(str(Path(folder) / "hall.db"), broker.connect())
        hall.start()
        carrier.start()
        crowd = Boards(broker.connect(), boards, Random(seed))
        crowd.join_the_hall()
        crowd.start()
        begun = time.monotonic()
        told, spent = asyncio.run(serve(hall, walls, seconds))
        share = crowd.spent / (time.monotonic() - begun) * seconds
        crowd.end()
        stop.set()
        broker.wake()
        hall.close()
    what = f"{boards} boards, {walls} walls"
    sizes, ages = told["bytes"], told["ages"]
    assert isinstance(sizes, int)
    assert isinstance(ages, Sequence)
    each = sizes / walls / seconds / KIB
    say(f"{what}: to each wall", f"{each:.1f} KiB/s in {told['events']} events of {seconds:g} s")
    say(f"{what}: on the wire", f"{sizes / seconds / KIB / KIB:.2f} MiB/s")
    say(f"{what}: hall and pages", f"{(spent - share) / seconds:.0%} of a core, {_resident():.0f} MB resident")
    say(f"{what}: board to wall", Spread.of(ages))


def _resident() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIB


def main() -> None:
    """Measure the sizes, or read for one of them."""
    options = parser("What the walls of a hall cost.")
    options.add_argument("--boards", type=int, default=1000)
    options.add_argument("--walls", type=int, nargs="+", default=[1, 10, 100])
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--read", nargs=3, help="be the walls: PORT WALLS SECONDS")
    given = options.parse_args()
    if given.read:
        port, walls, seconds = given.read
        print(json.dumps(asyncio.run(read(int(port), int(walls), float(seconds)))))
        return
    say_machine()
    for walls in [3] if given.quick else given.walls:
        measure(40 if given.quick else given.boards, walls, 2 if given.quick else given.seconds, given.seed)


if __name__ == "__main__":
    main()
