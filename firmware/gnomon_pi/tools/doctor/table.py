"""Format findings as a terminal table or as JSON."""

import json
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import click

from gnomon_pi.tools.doctor.finding import Finding, Mark, exit_code

WIDTH: Final = 80
_NARROWEST, _WIDEST = 50, 110
_MARK: Final = 9  # the longest mark and two blanks
_SUBJECT: Final = 15
_COLOURS: Final[Mapping[Mark, str]] = {Mark.OK: "green", Mark.WARNING: "yellow", Mark.FAULT: "red"}
_PLURALS: Final = {
    Mark.FAULT: ("fault", "faults"),
    Mark.WARNING: ("warning", "warnings"),
    Mark.NOTE: ("note", "notes"),
    Mark.OK: ("ok", "ok"),
}


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
        mark = click.style(mark, fg=colour, bold=finding.mark is Mark.FAULT or None)
    indent = " " * (_MARK + _SUBJECT)
    found = textwrap.wrap(finding.found, width - len(indent), break_on_hyphens=False) or [""]
    advice = textwrap.wrap(
        finding.advice, width - len(indent), initial_indent="-> ", subsequent_indent="   ", break_on_hyphens=False
    )
    first, *rest = found
    return "\n".join(
        (f"{mark}{finding.subject:<{_SUBJECT - 1}} {first}", *(indent + line for line in (*rest, *advice)))
    )
