"""What the daemon costs while nobody touches the board: processor and memory with the sand of a level 2 game running.

Each kind of daemon is a process of its own, `gnomond --simulated`, on one journal. Over the page's own commands hands
move every glass once, so that the sand of all six runs and the display counts the seconds; then nobody touches
anything. The next daemon takes the same game up from the journal. What the kernel books for the process, user and
system, is the processor; its resident set is the memory, and the proportional one counts what other processes share.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final, NamedTuple

from gnomon.games.tamsk.rules import BOARD, Tamsk
from tests.bench._figures import parser, progress, say, say_machine

SECONDS: Final = 25.0
BREATH: Final = 1.0  # seconds after the start, or after the page was opened, that are not counted
TOUCH: Final = 0.15  # seconds between two touches
BOARD_STREAM: Final = "/board/events"
TABLE_STREAM: Final = "/api/v1/simulation/stream"
GLASSES: Final = 6
TICKS: Final = os.sysconf("SC_CLK_TCK")
DAEMON: Final = (sys.executable, "-c", "from gnomon_pi.cli.daemon import main; main()", "--simulated", "--level", "2")
ADDRESS: Final = re.compile(rb"http://127\.0\.0\.1:(\d+)/")


class Cost(NamedTuple):
    """Share of one core, and kilobytes of memory."""

    share: float
    resident: int
    proportional: int

    def __str__(self) -> str:
        """One line for people."""
        return (
            f"{100 * self.share:5.2f} % of a core   {self.resident / 1024:5.1f} MB resident "
            f"({self.proportional / 1024:.1f} MB its own and its part of what is shared)"
        )


@contextmanager
def daemon(journal: Path, *options: str) -> Iterator[tuple[int, int]]:
    """A running daemon: its process, and the port of its page, 0 without one. It is stopped in order."""
    command = [*DAEMON, "--journal", str(journal), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            served = ADDRESS.search(process.stdout.readline())
            yield process.pid, int(served[1]) if served else 0
        finally:
            process.terminate()


def move_every_glass(port: int, seed: int) -> None:
    """Play the opening by the page's hands: each of the six glasses is moved once (rule 11), and a ring dropped."""
    rules, random = Tamsk.from_settings({"level": 2}), Random(seed)
    position = rules.start()
    for _ in range(GLASSES):
        moves = rules.legal_moves(position)
        move = random.choice([each for each in moves if each.kind == "turn" and each.ring and each.forgotten < 0])
        player, target = rules.turn(position), BOARD.names[move.target]
        command(port, {"verb": "lift", "space": BOARD.names[move.origin]})
        command(port, {"verb": "place", "space": target, "turned": True})
        command(port, {"verb": "drop ring", "space": target, "player": player})
        position = rules.play(position, move)
    if running(port) != GLASSES:
        message = f"the sand of {running(port)} glasses runs, not of {GLASSES}: what would be measured is another game"
        raise RuntimeError(message)


def running(port: int) -> int:
    """How many glasses run, as an open page is told."""
    with page(port, BOARD_STREAM) as stream:
        for line in stream:
            if line.startswith(b"data: ") and b'"glasses":[{' in line:
                return sum(glass["running"] for glass in json.loads(line[6:])["glasses"])
    return 0


def command(port: int, order: dict[str, object]) -> None:
    """Let the page's hands do something, at human speed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/bench/", headers={"Accept": "text/html"})
    page = connection.getresponse()
    token = re.search(r'name="csrf" content="(\w+)"', page.read().decode())
    cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
    headers = {"Content-Type": "application/json", "Cookie": cookie, "X-CSRF-Token": token[1] if token else ""}
    connection.request("POST", "/api/v1/simulation/hands", json.dumps(order), headers)
    answer = connection.getresponse()
    if answer.status != http.client.OK:
        raise RuntimeError(answer.read().decode())
    connection.close()
    time.sleep(TOUCH)


@contextmanager
def page(port: int, stream: str) -> Iterator[http.client.HTTPResponse]:
    """One of the two streams of events of an open bench."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", stream)
    try:
        with connection.getresponse() as answer:
            yield answer
    finally:
        connection.close()


def read_on(stream: http.client.HTTPResponse) -> None:
    """Read what an open page is told, until the daemon stops."""
    with suppress(OSError, ValueError, AttributeError):  # what http.client raises when its socket goes
        while stream.readline():
            pass


def cost(process: int, seconds: float) -> Cost:
    """What a process costs over so many seconds from now."""
    time.sleep(BREATH)
    used, begun = booked(process), time.monotonic()
    time.sleep(seconds)
    share = (booked(process) - used) / (time.monotonic() - begun)
    memory = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    sizes = {name: int(size) for name, size in re.findall(r"^(Rss|Pss):\s+(\d+) kB$", memory, re.MULTILINE)}
    return Cost(share, sizes["Rss"], sizes["Pss"])


def booked(process: int) -> float:
    """Seconds of processor time of all threads of a process, user and system."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(label: str, process: int, seconds: float) -> None:
    """Measure and print one kind of daemon."""
    progress(f"{label}: {seconds:.0f} s")
    figure = cost(process, seconds)
    progress("")
    say(label, figure)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=SECONDS, help="for each kind of daemon")
    given = options.parse_args()
    seconds = 0.5 if given.quick else given.seconds
    say_machine()
    with tempfile.TemporaryDirectory(prefix="gnomon-bench-") as folder:
        journal = Path(folder) / "journal"
        with daemon(journal, "--port", "0") as (process, port):
            if not given.quick:
                measure("page served, not open, no sand yet", process, seconds)
            move_every_glass(port, given.seed)
            measure("page served, not open", process, seconds)
            with page(port, BOARD_STREAM) as board, page(port, TABLE_STREAM) as table:
                for stream in (board, table):
                    Thread(target=read_on, args=(stream,), daemon=True).start()
                measure("page open in one browser", process, seconds)
        with daemon(journal, "--no-page") as (process, _):
            measure("no page", process, seconds)


if __name__ == "__main__":
    main()
