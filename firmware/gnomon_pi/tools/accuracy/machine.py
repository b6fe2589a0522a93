"""Describe the machine on which a report was measured: model, processors, kernel and clock source."""

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

_MODEL: Final = Path("/proc/device-tree/model")  # of a Raspberry Pi
_PROCESSORS: Final = Path("/proc/cpuinfo")
_CLOCK: Final = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")


def described(model: Path = _MODEL, processors: Path = _PROCESSORS, clock: Path = _CLOCK) -> Mapping[str, str]:
    """The machine in a few words each, for a table; what it does not say is left out."""
    found = {
        "machine": _text(model) or _processor(processors) or platform.machine(),
        "processors": str(os.cpu_count() or ""),
        "kernel": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "clock of the kernel": _text(clock),
        "Python": platform.python_version(),
        "Gnomon": version("gnomon"),
        "load in the last minute": f"{os.getloadavg()[0]:.1f}",
    }
    return {name: said for name, said in found.items() if said}


def _processor(processors: Path) -> str:
    lines = _text(processors).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
