"""Run a machine in QEMU and read what it says on its console."""

import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.near_real.records import CUT, DONE, Found, parse_found

NICE: Final = ("nice", "-n", "10")
# Time in the machine passes by what it has executed, a nanosecond an instruction, and leaps where it sleeps: what else
# keeps this computer busy changes nothing in it, and it is about as fast as a Raspberry Pi 3. A machine that waits for
# a disk sleeps, too, and must not leap meanwhile.
LEAPING: Final = ("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1")
WAITING: Final = ("-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on", "-smp", "1")
A_PC: Final = ("qemu-system-x86_64", "-cpu", "max", "-m", "1500")
PC: Final = (*A_PC, *LEAPING)
PC_WITH_DISK: Final = (*A_PC, *WAITING)
VIRT: Final = ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-m", "1500", *LEAPING)
# Its four cores, each in a thread: this machine has no clock that follows the instructions.
RASPI3B: Final = ("qemu-system-aarch64", "-M", "raspi3b", "-accel", "tcg,thread=multi")
PLAIN: Final = ("-nographic", "-nodefaults", "-serial", "stdio")


class Ran(NamedTuple):
    """What a machine found, whether every story came to its end, and how long that took, of the processor, too."""

    found: Sequence[Found]
    is_complete: bool
    seconds: float
    processor: float = 0.0


def run(words: Sequence[str], log: Path, seconds: float, stories: int = 1) -> Ran:
    """Run a machine until its stories are told, at most so long; its console is written to a file."""
    found: list[Found] = []
    ended = 0
    began, used = time.monotonic(), processor_seconds()
    with log.open("w", encoding="utf-8") as kept:
        for line in _lines([*NICE, *words], seconds):
            kept.write(line)
            kept.flush()
            if each := parse_found(line):
                found.append(each)
                print(f"  {'ok    ' if each.is_right else 'WRONG '} {each.what}: {each.seen[:200]}", flush=True)
            ended += DONE in line
            if ended == stories or CUT in line:  # not every machine can switch itself off
                break
    return Ran(found, ended == stories, time.monotonic() - began, processor_seconds() - used)


def processor_seconds() -> float:
    """The seconds of a processor that programs have used which were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
            process.wait()  # what it used is counted then


def say(text: str) -> None:
    """Tell who waits."""
    sys.stdout.write(f"… {text}\n")
    sys.stdout.flush()
