"""What the process of a board costs: what its imports take, how large they make it, and what its scan thread uses.

A fresh Python imports what the daemon does, in four stages: the core (rules, referee, records, views), the drivers with
the libraries below them, the rest of the daemon of a wired board, and the pages. Times are the
processor's, which other programs hardly lengthen, from compiled files in memory; the resident set is read after each
stage. As many run under `-X importtime`, which makes it slower, to say which package takes what share. What a
running daemon takes measures `idle_daemon`.

The scans have a thread as in the daemon, 100 a second, with the real drivers over emulated chips; the kernel books the
processor time of that thread. The beat alone has a driver that does nothing. What a kernel takes to move bytes is not
in it, nor is the bus, which leaves the processor alone.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median
from threading import Event, Thread
from time import monotonic_ns, sleep, thread_time_ns
from typing import Final, NamedTuple

from gnomon.timekeeping.instants import Instant
from gnomon_pi.cli._assembly import SWITCH
from gnomon_pi.drivers.protocols import SensorDriver
from gnomon_pi.runtime.health import Health
from gnomon_pi.runtime.scanner import PERIOD, Scanner, keep_scanning
from gnomon_pi.runtime.system.clock import MachineWatch
from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.bench._soldered import SolderedSensors
from tests.bench.bus_time import chain, expanders
from tests.bench.input_to_stamp import NotedBeat

STAGES: Final[Mapping[str, Sequence[str]]] = {
    "interpreter": (),
    "core": (
        "gnomon.referee.games",
        "gnomon.referee.step",
        "gnomon.rules.registry",
        "gnomon.records.journal.writer",
        "gnomon.views.display.oled",
        "gnomon.games.tamsk.show._lights",
        "gnomon.views.summary",
    ),
    "drivers": ("gnomon_pi.drivers.devices",),
    "daemon": ("gnomon_pi.cli.daemon",),
    "pages": ("gnomon_pi.pages.server",),
}
STARTS: Final = 11
SECONDS: Final = 10.0
LARGEST: Final = 12  # packages that are named
MEGABYTE: Final = 1024.0  # kilobytes
PROBE: Final = """
import sys, time
from importlib import import_module
for stage in sys.argv[1:]:
    begun = time.process_time()
    for name in stage.split():
        import_module(name)
    taken = time.process_time() - begun
    with open("/proc/self/status") as status:
        resident = next(line.split()[1] for line in status if line.startswith("VmRSS"))
    print(round(taken * 1_000_000), resident, len(sys.modules))
"""
TAKEN: Final = re.compile(r"^import time: +(\d+) \| +\d+ \| *([\w.]+)$", re.MULTILINE)
OURS: Final = ("gnomon", "gnomon_pi")


class Stage(NamedTuple):
    """What a process has imported: microseconds for this stage, and kilobytes and modules up to its end."""

    taken: float
    resident: int
    modules: int


# Imports


def imported() -> Mapping[str, Stage]:
    """Import stage after stage in a fresh process."""
    printed = run(PROBE, *(" ".join(names) for names in STAGES.values())).stdout.split("\n")
    figures = [[int(each) for each in line.split()] for line in printed if line]
    return {stage: Stage(*each) for stage, each in zip(STAGES, figures, strict=True)}


def by_package() -> Mapping[str, tuple[float, int]]:
    """What share of the imports the modules of each package take by themselves, and how many there are.

    Our own packages are told apart by their parts, and what Python brings with it is one.
    """
    names = [name for modules in STAGES.values() for name in modules]
    taken: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for microseconds, name in TAKEN.findall(run("; ".join(f"import {each}" for each in names), trace=True).stderr):
        package = package_of(name)
        taken[package] += int(microseconds)
        modules[package] += 1
    return {package: (each / taken.total(), modules[package]) for package, each in taken.items()}


def package_of(module: str) -> str:
    """The package to which the time of a module is booked."""
    first, *more = module.split(".")
    if first in OURS and more:
        return f"{first}.{more[0]}"
    return "Python's own" if first in sys.stdlib_module_names else first


def run(program: str, *arguments: str, trace: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a fresh Python. Raises CalledProcessError when it fails."""
    options = ("-X", "importtime") if trace else ()
    return subprocess.run(
        [sys.executable, *options, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if trace else None,
        text=True,
        check=True,
    )


def say_imports(starts: int) -> None:
    """Print what the stages take, and what the largest packages do."""
    found: list[Mapping[str, Stage]] = []
    for number in range(starts):
        found.append(imported())
        progress(f"start {number + 1} of {starts}")
    progress("")
    for stage in STAGES:
        every = [stages[stage] for stages in found]
        resident = median(each.resident for each in every) / MEGABYTE
        taken = median(each.taken for each in every) / 1000
        say(f"after {stage}", f"{resident:6.1f} MB  {every[0].modules:5} modules  {taken:7.1f} ms for it")
    for label, left_out in (("all imports", ""), ("all imports without the pages", "pages")):
        whole = [sum(each.taken for stage, each in stages.items() if stage != left_out) for stages in found]
        say(label, f"best {min(whole) / 1000:8.2f} ms  {Spread.of(whole)}")
    say_packages(starts)


def say_packages(starts: int) -> None:
    """Print which packages take how much of the imports: the medians of so many processes."""
    found = [by_package() for _ in range(starts)]
    shares = {package: median(each[package][0] for each in found) for package in found[0]}
    ordered = sorted(shares, key=lambda package: -shares[package])
    for package in ordered[:LARGEST]:
        say(f"  {package}", f"{shares[package]:6.1%}  {found[0][package][1]:4} modules")
    rest = ordered[LARGEST:]
    say(f"  {len(rest)} others", f"{sum(shares[package] for package in rest):6.1%}")


# Scans


class NoSensors:
    """A driver that does nothing: what is left is the beat."""

    def scan(self) -> int:
        """No input is active."""
        return 0

    def unread(self, _number: int) -> int:
        """Nothing has been missed."""
        return 0

    def close(self) -> None:
        """Nothing is held."""


class Used(NamedTuple):
    """What a scan thread used: its share of a core, the processor's time, and how late its scans began (µs)."""

    share: float
    each: float  # scan, µs
    behind: Sequence[float]

    def __str__(self) -> str:
        """One line for people."""
        late = median(self.behind)
        return (
            f"{self.share:6.2%} of a core  {self.each:6.1f} µs a scan  begins {late:4.0f} µs late  n {len(self.behind)}"
        )


def scanned(driver: SensorDriver, inputs: Sequence[str], seconds: float) -> Used:
    """Let a thread scan at 100 Hz for so many seconds, with nothing moving."""
    watch, stop = MachineWatch.of_this_boot(), Event()
    scanner = Scanner(driver, inputs, Health())
    scanner.scan(watch.now())  # sets the chips up, and reports every input
    beat = NotedBeat(Instant(watch.now() + PERIOD), PERIOD)
    used = 0

    def scan() -> None:
        nonlocal used
        begun = thread_time_ns()
        keep_scanning(scanner, beat, watch, lambda _edges: None, stop)
        used = thread_time_ns() - begun

    thread, begun = Thread(target=scan), monotonic_ns()
    thread.start()
    try:
        sleep(seconds)
    finally:
        stop.set()
        thread.join()
    return Used(used / (monotonic_ns() - begun), used / len(beat.behind) / 1000, beat.behind)


def say_scans(seconds: float) -> None:
    """Print what the scan thread uses, for each way to wire sensors."""
    sys.setswitchinterval(SWITCH)
    clock = MachineWatch.of_this_boot()
    say("scan thread: the beat alone", scanned(NoSensors(), (), seconds))
    for label, sensors in (
        ("TAMSK, 19 registers", chain("tamsk")),
        ("Tayu, 38 registers", chain("tayu")),
        ("ten expanders, interrupts", expanders()),
        ("ten expanders, polled", replace(expanders(), interrupt=None)),
    ):
        progress(label)
        used = scanned(SolderedSensors(sensors, clock.now).driver, sensors.inputs, seconds)
        progress("")
        say(f"scan thread: {label}", used)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--starts", type=int, default=STARTS, help="fresh processes")
    options.add_argument("--seconds", type=float, default=SECONDS, help="for each kind of scans")
    given = options.parse_args()
    say_machine()
    say_imports(1 if given.quick else given.starts)
    say_scans(0.1 if given.quick else given.seconds)


if __name__ == "__main__":
    main()
