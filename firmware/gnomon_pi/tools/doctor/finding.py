"""Define the result of a check (its mark, subject, finding and advice), and format results as table or JSON."""

import json
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import click

from gnomon_pi.config.description import BoardDescription
from gnomon_pi.tools.doctor.machine import Machine

Findings = Iterable["Finding"]
Check = Callable[[Machine], Findings]
BoardCheck = Callable[[Machine, BoardDescription], Findings]
WIDTH: Final = 80  # of a terminal
_NARROWEST, _WIDEST = 50, 110
_MARK: Final = 9  # the longest mark and two blanks
_SUBJECT: Final = 15


class Severity(IntEnum):
    """How bad a finding is, mildest first."""

    OK = 0
    NOTE = 1
    WARNING = 2
    FAULT = 3

    @property
    def word(self) -> str:
        """As it is written in the table and in JSON; a fault is loud."""
        return "FAULT" if self is Severity.FAULT else self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table; `advice` is what to do, for everything worse than a note."""

    mark: Severity
    subject: str
    found: str
    advice: str = ""


def ok(subject: str, found: str) -> Finding:
    """All is well."""
    return Finding(Severity.OK, subject, found)


def note(subject: str, found: str, advice: str = "") -> Finding:
    """Worth knowing, and nothing that has to be done."""
    return Finding(Severity.NOTE, subject, found, advice)


def warning(subject: str, found: str, advice: str) -> Finding:
    """Games can be played, and something may go wrong."""
    return Finding(Severity.WARNING, subject, found, advice)


def fault(subject: str, found: str, advice: str) -> Finding:
    """The board cannot be played on as it is."""
    return Finding(Severity.FAULT, subject, found, advice)


def quantity(number: int, one: str, many: str = "") -> str:
    """A number of things: `1 game`, `2 games`, `3 entries`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def exit_code(findings: Findings) -> int:
    """0 when nothing is worse than a note, 1 for warnings, 2 for faults."""
    worst = max((finding.mark for finding in findings), default=Severity.OK)
    return {Severity.WARNING: 1, Severity.FAULT: 2}.get(worst, 0)


_COLOURS: Final[Mapping[Severity, str]] = {Severity.OK: "green", Severity.WARNING: "yellow", Severity.FAULT: "red"}
_PLURALS: Final = {
    Severity.FAULT: ("fault", "faults"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.NOTE: ("note", "notes"),
    Severity.OK: ("ok", "ok"),
}


# Tables


def table(findings: Sequence[Finding], width: int = WIDTH) -> str:
    """One line a finding, wrapped; below it what to do; styled for a terminal."""
    width = min(max(width, _NARROWEST), _WIDEST)
    return "\n".join([*(_row(finding, width) for finding in findings), "", summary(findings)])


def summary(findings: Sequence[Finding]) -> str:
    """How many of each mark, worst first."""
    counts = Counter(finding.mark for finding in findings)
    said = (f"{counts[mark]} {words[counts[mark] != 1]}" for mark, words in _PLURALS.items() if counts[mark])
    return f"{', '.join(said) or 'nothing was looked at'}."


def as_json(findings: Sequence[Finding], version: str) -> str:
    """The findings as one JSON object."""
    found = [
        {"mark": each.mark.word, "subject": each.subject, "found": each.found, "advice": each.advice}
        for each in findings
    ]
    document = {"gnomon": version, "exit": exit_code(findings), "findings": found}
    return json.dumps(document, indent=2, ensure_ascii=False)


def _row(finding: Finding, width: int) -> str:
    mark = f"{finding.mark.word:<{_MARK}}"
    if colour := _COLOURS.get(finding.mark):
        mark = click.style(mark, fg=colour, bold=finding.mark is Severity.FAULT or None)
    indent = " " * (_MARK + _SUBJECT)
    found = textwrap.wrap(finding.found, width - len(indent), break_on_hyphens=False) or [""]
    advice = textwrap.wrap(
        finding.advice, width - len(indent), initial_indent="-> ", subsequent_indent="   ", break_on_hyphens=False
    )
    first, *rest = found
    return "\n".join(
        (f"{mark}{finding.subject:<{_SUBJECT - 1}} {first}", *(indent + line for line in (*rest, *advice)))
    )
