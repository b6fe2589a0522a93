"""Count and print the figures of benches: medians and rare worst cases, and on what machine.

A bench prints and never judges: how long something takes depends on the machine, and a build must not fail by it.
"""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Final, NamedTuple

CPU_INFO: Final = Path("/proc/cpuinfo")
LABEL: Final = 46  # columns for what is measured
MILLISECOND: Final = 1_000.0  # µs


class Spread(NamedTuple):
    """Measured values in microseconds: how many, and what half, 99 % and 99.9 % of them do not exceed."""

    number: int
    median: float
    p99: float
    p999: float
    worst: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """The spread of the values, by nearest rank; without any it is not a number."""
        ordered = sorted(values) or [nan]

        def rank(permille: int) -> float:
            return ordered[-(-len(ordered) * permille // 1000) - 1]

        return cls(len(values), rank(500), rank(990), rank(999), ordered[-1])

    def __str__(self) -> str:
        """One line for people; p99.9 only where there are values enough to say it."""
        unit, name = (MILLISECOND, "ms") if self.median >= MILLISECOND else (1.0, "µs")
        rarest = f"  p99.9 {self.p999 / unit:8.2f} {name}" if self.number >= 1000 else ""
        return (
            f"median {self.median / unit:8.2f} {name}  p99 {self.p99 / unit:8.2f} {name}{rarest}"
            f"  worst {self.worst / unit:8.2f} {name}  n {self.number}"
        )


def say(label: str, figure: object) -> None:
    """Print one figure at once."""
    print(f"{label:{LABEL}} {figure}", flush=True)


def progress(text: str) -> None:
    """Tell people at a terminal how far a long bench has come; a file keeps only the figures."""
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def say_machine() -> None:
    """Print what it was measured on, and how busy that was: another load, other figures."""
    model = next(
        (line.partition(":")[2].strip() for line in _lines(CPU_INFO) if line.startswith("model name")),
        platform.machine(),
    )
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    say("machine", f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load}")


def parser(what: str) -> argparse.ArgumentParser:
    """The options that every bench knows."""
    options = argparse.ArgumentParser(description=what)
    options.add_argument("--quick", action="store_true", help="a short run that only shows that the bench works")
    options.add_argument("--seed", type=int, default=1, help="of all chance in it")
    return options


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
