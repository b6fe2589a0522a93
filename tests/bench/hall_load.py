"""What a hall of many boards takes: from a board to the wall, in processor and memory, and after a restart.

A real Mosquitto, `gnomon hall` with its pages on a real PostgreSQL, and boards in two processes of their own, all on
this machine. Every board tells its state each second and makes a move each ten, which is two records; with
`--state-seconds` and `--move-seconds` it takes its time, and with `--recorders` so many processes keep the records.

- board to hub: from the making of a state to the hub's change callback, where a page would take it;
- board to wall: from a move to the bytes of the wall's stream, which speaks twice a second at most;
- record to word: from a record's writing to the hall's acknowledgement at the board, durable in the database;
- hub and broker killed (SIGKILL) and started again after some seconds: until every board has been acknowledged all
  that it had written when they were there again.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple

import psycopg

from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.hall.drill import program
from tests.hall.servers import HOST, Mosquitto, PostgreSql, bridge_to
from tests.ports import held_port, port_of

SIZES: Final = (10, 100, 1000)
SECONDS: Final = 60
WARM: Final = 5
"""Seconds that are not counted."""
AWAY: Final = 5
"""Seconds for which what was killed is away."""
PATIENCE: Final = 180.0
PROCESSES: Final = 2
MOST: Final = 100_000
"""Boards that the hall admits."""
BROKER: Final = (
    "listener {port} 127.0.0.1",
    "allow_anonymous true",
    "max_queued_messages 0",
    "max_queued_bytes 100000000",
    "set_tcp_nodelay true",
    "sys_interval 10",
)
"""As `gnomon hall broker` writes it, without certificates and passwords."""
_LAST: Final = re.compile(rb'"last":"a1-b(\d+)"')
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MIB: Final = 2**20


class Used(NamedTuple):
    """What processes have used: seconds of a core, and bytes resident."""

    cpu: float
    resident: int


class Talker:
    """A process that is told lines and answers with lines of JSON."""

    def __init__(self, module: str, *arguments: object, errors: Path) -> None:
        self._command = [sys.executable, "-m", module, *map(str, arguments)]
        self._errors = errors
        self._said: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.process = self._started()

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def tell(self, line: str) -> None:
        """Tell it something."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self, key: str) -> dict[str, Any]:
        """The next line that says something of that kind. Raises RuntimeError when there is none for too long."""
        deadline = time.monotonic() + PATIENCE
        while (left := deadline - time.monotonic()) > 0 and self.process.poll() is None:
            try:
                said = self._said.get(timeout=min(left, 1))
            except Empty:
                continue
            if key in said:
                return said
        message = f"{self._command[2]} does not say {key}: {self._errors.read_text(encoding='utf-8')[-2000:]}"
        raise RuntimeError(message)

    def again(self) -> None:
        """Start it once more after it was killed."""
        self.process = self._started()

    def kill(self) -> None:
        """End it with no time for anything."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for end in (self.process.stdin, self.process.stdout):
            assert end is not None
            end.close()

    def _started(self) -> "subprocess.Popen[str]":
        with self._errors.open("a", encoding="utf-8") as errors:
            process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        Thread(target=self._listen, args=(process,), daemon=True).start()
        return process

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                self._said.put(json.loads(line))
        except ValueError:
            return  # it was killed, and what it said closed


class Wall:
    """A reader of the wall's stream, which notes how old each move is when its bytes come."""

    def __init__(self, port: int) -> None:
        self.ages: list[int] = []
        self.bytes = self.events = 0
        self._socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self._socket.sendall(b"GET /wall/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        Thread(target=self._read, daemon=True).start()

    def reset(self) -> None:
        """Forget what was counted."""
        self.ages, self.bytes, self.events = [], 0, 0

    def close(self) -> None:
        """Read no more."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _read(self) -> None:
        rest, seen = b"", set[bytes]()
        while True:
            try:
                heard = self._socket.recv(1 << 20)
            except OSError:
                return
            if not heard:
                return
            moment = time.monotonic_ns() // 1000
            self.bytes += len(heard)
            self.events += heard.count(b"event: boards")
            whole = rest + heard
            for found in _LAST.finditer(whole):
                if found[1] not in seen:
                    seen.add(found[1])
                    self.ages.append(moment - int(found[1]))
            rest = whole[-64:]


class Size(NamedTuple):
    """How many boards and recorders there are, and after how many seconds boards tell their state and move."""

    boards: int
    recorders: int = 0
    state_seconds: int = 1
    move_seconds: int = 10
    brokers: int = 1


class Load:
    """One hall with so many boards."""

    def __init__(self, size: Size, folder: Path, stack: ExitStack) -> None:
        self.boards = size.boards
        self.brokers = self._brokers(size.brokers, folder, stack)
        self.broker = self.brokers[0]
        self.database = PostgreSql(program("initdb"))
        stack.callback(self.database.remove)
        self._url = self.database.new_database()
        self._page = port_of(stack.enter_context(closing(held_port())))
        data = folder / "data"
        place = (self.broker.port, self._url, data, self._page, MOST, size.recorders)
        self.hub = Talker("tests.bench._load_hub", *place, errors=folder / "hub.err")
        stack.callback(self.hub.kill)
        self.hub.answer("ready")
        self.recorders = [
            Talker(
                "tests.hall.drill_recorder",
                *(f"recorder-{number}", "--database", self._url, "--port", self.broker.port, "--most", MOST),
                errors=folder / f"recorder-{number}.err",
            )
            for number in range(1, size.recorders + 1)
        ]
        for recorder in self.recorders:
            stack.callback(recorder.kill)
            recorder.answer("ready")
        pace = (size.state_seconds, size.move_seconds)
        shares = [
            (self.boards * part // PROCESSES + 1, self.boards * (part + 1) // PROCESSES) for part in range(PROCESSES)
        ]
        ports = [self.brokers[part % size.brokers].port for part in range(PROCESSES)]
        self.parts = [
            Talker("tests.bench._load_boards", port, first, last, *pace, errors=folder / f"{first}.err")
            for port, (first, last) in zip(ports, shares, strict=True)
            if last >= first
        ]
        for part in self.parts:
            stack.callback(part.kill)
        for part in self.parts:
            part.answer("up")

    # What is measured

    def at_play(self, seconds: int, warm: int) -> None:
        """Let them play for `warm` seconds and then for `seconds`, and say what the latter took."""
        wall = Wall(self._page)
        self._wait(warm, "warming up")
        self._all("reset")
        self.hub.tell("ages")
        self.hub.answer("ages")
        wall.reset()
        before, rows = self._used(), self._rows()
        begun = time.monotonic()
        self._wait(seconds, "playing")
        took = time.monotonic() - begun
        after, more = self._used(), self._rows() - rows
        self.hub.tell("ages")
        ages = Spread(*self.hub.answer("ages")["ages"])
        wall.close()
        self._all("tell")
        told = [part.answer("states") for part in self.parts]
        acks = [Spread(*each["acks"]) for each in told]
        self._say("states a second", f"{sum(each['states'] for each in told) / took:.0f}, {more / took:.0f} rows")
        self._say("board to hub", _milliseconds(ages))
        self._say("board to wall", _milliseconds(Spread.of(wall.ages)))
        self._say("record to word", _milliseconds(max(acks, key=lambda spread: spread.p99)))
        self._say("wall's stream", f"{wall.events / took:.1f} events a second, {wall.bytes / took / 1000:.0f} kB/s")
        self._say("boards came late", f"{max(each['late_ms'] for each in told)} ms at most")
        for name, used in after.items():
            cpu = (used.cpu - before[name].cpu) / took * 100
            self._say(name, f"{cpu:.1f} % of a core, {used.resident / _MIB:.1f} MB resident")

    def after_a_restart(self) -> None:
        """Kill hub and broker one after the other, and say how long it takes until all is well."""
        self.hub.kill()
        self._wait(AWAY, "without the hub")
        begun = time.monotonic()
        self.hub.again()
        self.hub.answer("ready")
        ready = time.monotonic() - begun
        self._say("hub killed", f"there after {ready:.1f} s, all acknowledged {self._recovered():.1f} s later")
        self._wait(AWAY, "calming down")
        self.broker.kill()
        self._wait(AWAY, "without the broker")
        self.broker.start()
        self._say("broker killed", f"all acknowledged {self._recovered():.1f} s after it was there again")

    # Private

    @staticmethod
    def _brokers(count: int, folder: Path, stack: ExitStack) -> list[Mosquitto]:
        """The brokers, each of which has a folder of its own."""
        brokers: list[Mosquitto] = []
        for number in range(count):
            place = folder / f"broker-{number}"
            place.mkdir()
            lines = (*BROKER, *(bridge_to(brokers[0].port)[len(BROKER[:2]) :] if brokers else ()))
            brokers.append(Mosquitto(program("mosquitto"), place, lines))
            stack.callback(brokers[-1].stop)
        return brokers

    def _recovered(self) -> float:
        """Seconds until everybody has been acknowledged what is written now."""
        self._all("until")
        return max(float(part.answer("recovered")["recovered"]) for part in self.parts)

    def _all(self, order: str) -> None:
        for part in self.parts:
            part.tell(order)

    def _used(self) -> dict[str, Used]:
        postmaster = int((self.database._data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        return {
            "hub with its pages": _of([self.hub.pid]),
            "broker": _of([self.broker.pid]),
            **({"brokers bridged to it": _of([each.pid for each in self.brokers[1:]])} if self.brokers[1:] else {}),
            "database": _of([postmaster, *_children(postmaster)]),
            **({"recorders": _of([each.pid for each in self.recorders])} if self.recorders else {}),
            "the boards themselves": _of([part.pid for part in self.parts]),
        }

    def _rows(self) -> int:
        with psycopg.connect(self._url) as connection:
            row = connection.execute("SELECT count(*) FROM hall_records").fetchone()
        assert row is not None
        return int(row[0])

    def _wait(self, seconds: int, what: str) -> None:
        for left in range(seconds, 0, -1):
            progress(f"{self.boards} boards, {what}: {left} s")
            time.sleep(1)

    def _say(self, what: str, figure: object) -> None:
        progress("")
        say(f"{self.boards} boards: {what}", figure)


def _milliseconds(spread: Spread) -> str:
    """A spread in milliseconds, however short it is."""
    median, p99, worst = (each / 1000 for each in (spread.median, spread.p99, spread.worst))
    return f"median {median:8.2f} ms  p99 {p99:8.2f} ms  worst {worst:8.2f} ms  n {spread.number}"


def _of(processes: Sequence[int]) -> Used:
    """What some processes have used together."""
    cpu, resident = 0.0, 0
    for process in processes:
        try:
            stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            status = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
        except OSError:
            continue  # a helper of the database that has ended
        cpu += (int(stat[11]) + int(stat[12])) / _TICKS
        # What processes of the database share is counted once, by parts.
        resident += int(next(line.split()[1] for line in status.splitlines() if line.startswith("Pss:"))) * 1024
    return Used(cpu, resident)


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


def measure(size: Size, seconds: int, *, restarts: bool, warm: int = WARM) -> None:
    """Print what so many boards take."""
    with tempfile.TemporaryDirectory(prefix="gnomon-load-") as name, ExitStack() as stack:
        load = Load(size, Path(name), stack)
        load.at_play(seconds, warm)
        if restarts:
            load.after_a_restart()


def main() -> None:
    """Print what was measured."""
    options = parser(__doc__)
    options.add_argument("--boards", type=int, nargs="+", default=SIZES, help="how many boards, one run after another")
    options.add_argument("--seconds", type=int, default=SECONDS, help="how long each run counts")
    options.add_argument("--recorders", type=int, default=0, help="processes that keep the records")
    options.add_argument("--warm-seconds", type=int, default=WARM, help="how long each run goes on before it counts")
    options.add_argument("--state-seconds", type=int, default=1, help="between two states of a board")
    options.add_argument("--move-seconds", type=int, default=10, help="between two moves at a board")
    options.add_argument("--brokers", type=int, default=1, help="how many brokers boards are spread over")
    options.add_argument("--no-restarts", action="store_true", help="kill nothing")
    arguments = options.parse_args()
    # Stopping the bench stops its servers, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the bench was stopped"))
    say_machine()
    if shutil.which("mosquitto", path="/usr/sbin:" + os.environ["PATH"]) is None or not _has_postgresql():
        say("hall_load", "needs Mosquitto and PostgreSQL (Debian: sudo apt-get install mosquitto postgresql)")
        return
    if arguments.quick:
        measure(Size(10), 3, restarts=False, warm=2)
        measure(Size(10, recorders=1, state_seconds=2, move_seconds=2), 2, restarts=False, warm=2)
        return
    for boards in arguments.boards:
        size = Size(boards, arguments.recorders, arguments.state_seconds, arguments.move_seconds, arguments.brokers)
        measure(size, arguments.seconds, restarts=not arguments.no_restarts, warm=arguments.warm_seconds)
        say_machine()


def _has_postgresql() -> bool:
    return any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


if __name__ == "__main__":
    main()
