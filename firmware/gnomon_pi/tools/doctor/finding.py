"""Define the result of a check (its mark, subject, finding and advice), and format results as table or JSON."""

import json
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import click

from gnomon.refusals import NOTHING, Statement, clause, sentence
from gnomon.words import ENGLISH, Words
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
        """As it is written in JSON, and in an English table; a fault is loud."""
        return "FAULT" if self is Severity.FAULT else self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the table, and what to do, which is there for everything worse than a note.

    What to do is the entry of the finding with `.do`, filled in with the same values, unless it is said otherwise.
    """

    mark: Severity
    subject: str
    found: Statement
    otherwise: Statement = NOTHING

    def sentence(self, words: Words = ENGLISH) -> str:
        """What was found, as a sentence."""
        if self.found.key.startswith("told."):
            return sentence(self.found, words)
        said = clause(self.found, words)  # which may begin with a name that has a small letter
        return said if said.endswith((".", "?", "!")) else f"{said}."

    def advice(self, words: Words = ENGLISH) -> str:
        """What to do; empty where nothing has to be done."""
        key = f"{self.found.key}.do"
        do = self.found._replace(key=key) if self.otherwise is NOTHING and key in ENGLISH.entries else self.otherwise
        return "" if do is NOTHING else clause(do, words)


def ok(subject: str, found: Statement) -> Finding:
    """All is well."""
    return Finding(Severity.OK, subject, found)


def note(subject: str, found: Statement, otherwise: Statement = NOTHING) -> Finding:
    """Worth knowing, and nothing that has to be done."""
    return Finding(Severity.NOTE, subject, found, otherwise)


def warning(subject: str, found: Statement, otherwise: Statement = NOTHING) -> Finding:
    """Games can be played, and something may go wrong."""
    return Finding(Severity.WARNING, subject, found, otherwise)


def fault(subject: str, found: Statement, otherwise: Statement = NOTHING) -> Finding:
    """The board cannot be played on as it is."""
    return Finding(Severity.FAULT, subject, found, otherwise)


def exit_code(findings: Findings) -> int:
    """0 when nothing is worse than a note, 1 for warnings, 2 for faults."""
    worst = max((finding.mark for finding in findings), default=Severity.OK)
    return {Severity.WARNING: 1, Severity.FAULT: 2}.get(worst, 0)


_COLOURS: Final[Mapping[Severity, str]] = {Severity.OK: "green", Severity.WARNING: "yellow", Severity.FAULT: "red"}


# Tables


def table(findings: Sequence[Finding], width: int = WIDTH, words: Words = ENGLISH) -> str:
    """One line a finding, wrapped; below it what to do; styled for a terminal."""
    width = min(max(width, _NARROWEST), _WIDEST)
    return "\n".join([*(_row(finding, width, words) for finding in findings), "", summary(findings, words)])


def summary(findings: Sequence[Finding], words: Words = ENGLISH) -> str:
    """How many of each mark, worst first."""
    counts = Counter(finding.mark for finding in findings)
    said = [
        words.plural(f"doctor.sum.{mark.name.lower()}", counts[mark]) for mark in reversed(Severity) if counts[mark]
    ]
    return f"{', '.join(said)}." if said else words("doctor.sum.nothing")


def as_json(findings: Sequence[Finding], version: str, words: Words = ENGLISH) -> str:
    """The findings as one JSON object: each with its key and values for programs, and with its words."""
    found = [
        {
            "mark": each.mark.word,
            "subject": each.subject,
            "found": each.sentence(words),
            "advice": each.advice(words),
            "code": each.found.key,
            "values": each.found.dump()["values"],
        }
        for each in findings
    ]
    document = {"gnomon": version, "exit": exit_code(findings), "findings": found}
    return json.dumps(document, indent=2, ensure_ascii=False, default=str)


def _row(finding: Finding, width: int, words: Words) -> str:
    mark = f"{words(f'doctor.mark.{finding.mark.name.lower()}'):<{_MARK}}"
    if colour := _COLOURS.get(finding.mark):
        mark = click.style(mark, fg=colour, bold=finding.mark is Severity.FAULT or None)
    indent = " " * (_MARK + _SUBJECT)
    found = textwrap.wrap(finding.sentence(words), width - len(indent), break_on_hyphens=False) or [""]
    advice = textwrap.wrap(
        finding.advice(words),
        width - len(indent),
        initial_indent="-> ",
        subsequent_indent="   ",
        break_on_hyphens=False,
    )
    first, *rest = found
    subject = _subject(finding.subject, words)
    return "\n".join((f"{mark}{subject:<{_SUBJECT - 1}} {first}", *(indent + line for line in (*rest, *advice))))


def _subject(subject: str, words: Words) -> str:
    """The subject in a language; the name of a bus, which has no words, stands as it is."""
    key = f"doctor.subject.{re.sub(r'[^a-z0-9]+', '_', subject.lower())}"
    return words(key) if key in words.entries else subject
