"""How long the daemon takes from the start of its process to the first scan of the board, and until it is ready.

`gnomond --simulated --level 2` with its page, as a service manager starts it: the clock runs from before the process is
made. A probe in the new process tells when the emulated registers are first read; READY=1 comes over the socket of
systemd's protocol. Three beginnings: warm (everything in memory), with the files it reads dropped from the page cache
(as far as the kernel lets them go), and before anything has been compiled (no .pyc at all, as right after set-up).
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import gnomon
import gnomon_pi
from tests.bench._figures import Spread, parser, progress, say, say_machine

STARTS: Final = 15
DEADLINE: Final = 60.0  # seconds for one start
PROBE: Final = """
import os, sys, time
from gnomon_pi.drivers import _hc165 as hc165
scan = hc165.ShiftRegisters.scan
def first(self):
    levels = scan(self)
    hc165.ShiftRegisters.scan = scan
    os.write(1, b"%d\\n" % time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))
    return levels
hc165.ShiftRegisters.scan = first
from gnomon_pi.cli.daemon import main
sys.argv[0] = "gnomond"
main()
"""
"""What the started process runs: the daemon's own command, and a first scan that tells when it was made."""


class Start(NamedTuple):
    """One start: microseconds from before the process was made."""

    scanned: float
    ready: float


def start(folder: Path, python: tuple[str, ...] = ()) -> Start:
    """Start a daemon, wait until it is ready, and stop it in order."""
    address = folder / "notify"
    orders = ("--simulated", "--level", "2", "--port", "0", "--journal", str(folder / "journal"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.bind(str(address))
        notices.settimeout(DEADLINE)
        begun = now()
        with subprocess.Popen(
            [sys.executable, *python, "-c", PROBE, *orders],
            env={**os.environ, "NOTIFY_SOCKET": str(address)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as daemon:
            try:
                while b"READY=1" not in notices.recv(4096):
                    pass
                ready = now() - begun
                assert daemon.stdout is not None
                scanned = next(int(line) for line in daemon.stdout if line.strip().isdigit()) / 1000 - begun
            finally:
                daemon.terminate()
    return Start(scanned, ready)


def now() -> float:
    """Microseconds of the machine's raw clock, which all processes share."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) / 1000


def drop_from_memory() -> None:
    """Let the page cache forget what Python and the daemon read as they start."""
    os.sync()
    for path in _files():
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def _files() -> Iterator[Path]:
    installed = {Path(each) for each in sys.path if each.endswith("site-packages")}
    roots = [*installed, Path(os.__file__).parent, *(Path(str(each.__file__)).parent for each in (gnomon, gnomon_pi))]
    for root in roots:
        yield from (path for path in root.rglob("*") if path.suffix in (".py", ".pyc", ".so") and path.is_file())


def starts(count: int, *, cold: bool = False, compiled: bool = True) -> Iterator[Start]:
    """So many starts, each with a journal of its own."""
    for number in range(count):
        with tempfile.TemporaryDirectory(prefix="gnomon-bench-") as name:
            folder = Path(name)
            if cold:
                drop_from_memory()
            yield start(folder, () if compiled else ("-X", f"pycache_prefix={folder / 'compiled'}"))
        progress(f"start {number + 1} of {count}")
    progress("")


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--starts", type=int, default=STARTS, help="of each kind; a third of it uncompiled")
    given = options.parse_args()
    say_machine()
    count = 1 if given.quick else given.starts
    for label, made in (
        ("warm", list(starts(count))),
        ("files dropped from memory", list(starts(count, cold=True))),
        ("never compiled", list(starts(1 if given.quick else -(-count // 3), compiled=False))),
    ):
        say(f"start to first scan, {label}", Spread.of([each.scanned for each in made]))
        say(f"start to ready, {label}", Spread.of([each.ready for each in made]))


if __name__ == "__main__":
    main()
