"""Run a machine in QEMU and read what it says on its console."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.near_real.records import DONE, Found, parse_found

NICE: Final = ("nice", "-n", "10")
# Time in the machine passes by what it has executed, a nanosecond an instruction, and leaps where it sleeps: what else
# keeps this computer busy changes nothing in it, and it is about as fast as a Raspberry Pi 3.
BY_INSTRUCTIONS: Final = ("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1")
PC: Final = ("qemu-system-x86_64", "-cpu", "max", "-m", "1500", *BY_INSTRUCTIONS)
VIRT: Final = ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-m", "1500", *BY_INSTRUCTIONS)
# Its four cores, each in a thread: this machine has no clock that follows the instructions.
RASPI3B: Final = ("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi")
PLAIN: Final = ("-nographic", "-nodefaults", "-serial", "stdio")


class Ran(NamedTuple):
    """What a machine found, whether it came to its end by itself, and how long that took."""

    found: Sequence[Found]
    is_complete: bool
    seconds: float


def run(words: Sequence[str], log: Path, seconds: float) -> Ran:
    """Run a machine until it switches itself off, at most so long; its console is written to a file."""
    found: list[Found] = []
    is_complete = False
    began = time.monotonic()
    with log.open("w", encoding="utf-8") as kept:
        for line in _lines([*NICE, *words], seconds):
            kept.write(line)
            kept.flush()
            if each := parse_found(line):
                found.append(each)
                print(f"  {'ok    ' if each.is_right else 'WRONG '} {each.what}: {each.seen[:200]}", flush=True)
            is_complete |= DONE in line
    return Ran(found, is_complete, time.monotonic() - began)


def _lines(words: Sequence[str], seconds: float) -> Iterator[str]:
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        end = threading.Timer(seconds, process.kill)
        end.start()
        try:
            assert process.stdout is not None
            yield from process.stdout
        finally:
            end.cancel()
            process.kill()


def say(text: str) -> None:
    """Tell who waits."""
    sys.stdout.write(f"… {text}\n")
    sys.stdout.flush()
