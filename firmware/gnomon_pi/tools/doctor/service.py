"""Check the systemd service of the daemon: installed, running, watchdog, restarts and safe mode."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from gnomon_pi.tools.doctor.finding import Finding, counted, note, ok, warning
from gnomon_pi.tools.doctor.machine import Machine, number

UNIT: Final = "gnomond.service"
_SAFE_UNIT: Final = "gnomond-safe.service"
_SAFE_FLAG: Final = "gnomon-safe"  # a file on the boot partition that asks for the safe mode
_PROPERTIES: Final = "LoadState,UnitFileState,ActiveState,SubState,Result,NRestarts,WatchdogUSec"
_MANY_RESTARTS: Final = 3


def unit(machine: Machine, name: str = UNIT) -> Mapping[str, str]:
    """What systemd says of a unit; empty where there is no systemd."""
    told = machine.command(["systemctl", "show", name, f"--property={_PROPERTIES}"]) or ""
    return dict(row.split("=", 1) for row in told.splitlines() if "=" in row)


def holder(machine: Machine, journal: Path) -> str:
    """Who has the board: a sentence's beginning such as `gnomond.service`; empty when nobody is found.

    The lock beside the journal is only looked for among the kernel's locks: to try it would keep a daemon that is
    just starting from taking it.
    """
    if unit(machine).get("ActiveState") in ("active", "activating", "reloading"):
        return UNIT
    with suppress(OSError):
        inode = journal.with_name(journal.name + "-lock").stat().st_ino
        pattern = rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+[0-9a-f]+:[0-9a-f]+:{inode}\s"
        if found := re.search(pattern, machine.text("/proc/locks")):
            return f"gnomond, process {found[1]}"
    return ""


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the service is installed, runs, is watched over, and how often it was started again."""
    told = unit(machine)
    if told.get("LoadState", "not-found") != "loaded":
        yield note("service", f"There is no {UNIT}: gnomond is started by hand.")
        return
    state = f"{told.get('ActiveState', 'unknown')} ({told.get('SubState', 'unknown')})"
    start = told.get("UnitFileState") or "unknown"
    if told.get("ActiveState") == "failed":
        found = f"{UNIT} has failed ({told.get('Result', 'unknown')})."
        yield warning("service", found, f"Read why: journalctl -u {UNIT} -e.")
    elif start not in ("enabled", "enabled-runtime", "static", "linked", "alias"):
        found = f"{UNIT} is {state}, and {start}: it is not started with the machine."
        yield note("service", found, f"sudo systemctl enable {UNIT}")
    else:
        yield ok("service", f"{UNIT} is {state}, and {start}.")
    restarts = number(told.get("NRestarts", "")) or 0
    if restarts > 0:
        found = f"systemd had to start it again {counted(restarts, 'time')}."
        many = restarts >= _MANY_RESTARTS
        yield warning("restarts", found, f"Read why: journalctl -u {UNIT} -e.") if many else note("restarts", found)
    if told.get("WatchdogUSec", "0") in ("0", "infinity", ""):
        advice = f"Put WatchdogSec=10 under [Service] (sudo systemctl edit {UNIT})."
        yield warning("watchdog", "systemd does not watch over the daemon: if it hangs, it stays so.", advice)


def check_safe_mode(machine: Machine) -> Iterator[Finding]:
    """Whether the daemon was told to start without the board, or had to."""
    if flag := machine.boot_file(_SAFE_FLAG):
        yield warning("safe mode", f"{flag} keeps gnomond from using the board.", f"Delete it: sudo rm {flag}.")
    elif unit(machine, _SAFE_UNIT).get("ActiveState") == "active":
        advice = f"Mend what is told here, then sudo systemctl restart {UNIT}."
        yield warning("safe mode", f"{_SAFE_UNIT} runs because gnomond failed again and again.", advice)
