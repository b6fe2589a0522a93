"""Say in a table what the machines found, and what they cannot judge."""

from collections.abc import Mapping
from typing import Final

from tests.near_real.machine import Ran

NOT_JUDGED: Final = """Not judged here, and left to a board on a Raspberry Pi:
  times       scans, lights and pages are as late as QEMU makes them, not as a Raspberry Pi would be
  levels      voltages, currents, rise times, long wires, foreign light
  buses       the timing of the real controllers, DMA, the wires between the pins
  boot        firmware, config.txt, overlays, the pins' functions
"""


def took(machine: Ran) -> str:
    """How long a machine ran, and how much of that was work."""
    return f"{machine.seconds:.0f} s, of a processor {machine.processor:.0f} s"


def report(ran: Mapping[str, Ran]) -> tuple[str, bool]:
    """The table, and whether everything was as it should be."""
    lines, is_right = [], True
    for name, machine in ran.items():
        wrong = [found for found in machine.found if not found.is_right]
        ended = "" if machine.is_complete else ", and it did not come to its end"
        lines.append(f"{name}: {len(machine.found)} checks, {len(wrong)} wrong, {took(machine)}{ended}")
        lines += [
            f"  {'ok   ' if found.is_right else 'WRONG'} {found.seconds:6.1f} s  {found.what}: {found.seen}"
            for found in machine.found
        ]
        is_right &= machine.is_complete and not wrong and bool(machine.found)
    return "\n".join([*lines, "", NOT_JUDGED]), is_right
