"""Define the result of a check: its mark, its subject, what was found, and advice."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.machine import Machine


class Mark(IntEnum):
    """How bad a finding is, mildest first."""

    OK = 0
    NOTE = 1
    WARNING = 2
    FAULT = 3

    @property
    def word(self) -> str:
        """As it is written in the table and in JSON; a fault is loud."""
        return "FAULT" if self is Mark.FAULT else self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `advice` is what to do, for everything worse than a note."""

    mark: Mark
    subject: str
    found: str
    advice: str = ""


Findings = Iterable[Finding]
Check = Callable[[Machine], Findings]
BoardCheck = Callable[[Machine, BoardDescription], Findings]


def ok(subject: str, found: str) -> Finding:
    """All is well."""
    return Finding(Mark.OK, subject, found)


def note(subject: str, found: str, advice: str = "") -> Finding:
    """Worth knowing, and nothing that has to be done."""
    return Finding(Mark.NOTE, subject, found, advice)


def warning(subject: str, found: str, advice: str) -> Finding:
    """Games can be played, and something may go wrong."""
    return Finding(Mark.WARNING, subject, found, advice)


def fault(subject: str, found: str, advice: str) -> Finding:
    """The board cannot be played on as it is."""
    return Finding(Mark.FAULT, subject, found, advice)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things: `1 game`, `2 games`, `3 entries`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def exit_code(findings: Findings) -> int:
    """0 when nothing is worse than a note, 1 for warnings, 2 for faults."""
    worst = max((finding.mark for finding in findings), default=Mark.OK)
    return {Mark.WARNING: 1, Mark.FAULT: 2}.get(worst, 0)
