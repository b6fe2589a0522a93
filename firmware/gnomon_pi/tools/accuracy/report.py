"""Write the accuracy report as Markdown: each figure, how it was measured, and its limits."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Final

from gnomon.records.files import stored_game
from gnomon.records.journal.entries import EntryKind, Record
from gnomon.records.journal.event_codec import BEGUN, NOTE
from gnomon.timekeeping.instants import MINUTE, SECOND, Duration
from gnomon_pi.runtime.system.clock import Discipline
from gnomon_pi.tools.accuracy._idle import IdleFigures, Rate, Spread

_HEADING = "| | number | median | 90 % within | 99 % within | worst |\n| --- | --- | --- | --- | --- | --- |"


_BY_TIME: Final = frozenset({"stopped", "lost"})
_BY_HANDS: Final = frozenset({"turn", "illegal", "timer15"})
_LONGEST: Final = 10 * SECOND  # beyond that the wall clock was set, or the referee waited for people
_MODEL: Final = Path("/proc/device-tree/model")  # of a Raspberry Pi
_PROCESSORS: Final = Path("/proc/cpuinfo")
_CLOCK: Final = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")


@dataclass(frozen=True, slots=True)
class Answers:
    """How long after the fact a ruling was shown, in microseconds."""

    touches: tuple[int, ...]
    expiries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that a report tells. `journal` says that the answers are those of a real game."""

    date: str
    board: str
    simulated: bool
    machine: Mapping[str, str]
    rate: Rate | str
    discipline: Discipline | None
    rest: IdleFigures
    answers: Answers
    journal: bool


def report(findings: Findings) -> str:
    """The report as Markdown."""
    return "\n".join(_lines(findings)) + "\n"


def _lines(findings: Findings) -> Iterator[str]:
    yield "# Accuracy"
    yield ""
    on = "the simulated board" if findings.simulated else "the wired board"
    yield f"Measured on {findings.date} with {on} `{findings.board}`."
    yield ""
    yield "| | |\n| --- | --- |"
    for name, said in findings.machine.items():
        yield f"| {name} | {said} |"
    yield from _clock(findings)
    yield from _scans(findings.rest)
    yield from _at_rest(findings)
    yield from _answers(findings)


def _clock(findings: Findings) -> Iterator[str]:
    yield "\n## The clock that measures\n"
    if isinstance(findings.rate, str):
        yield findings.rate
        yield "So this report does not say how long a second of this machine is; a crystal is off by 20 to 100 ppm."
    else:
        ppm, uncertainty, seconds = findings.rate
        faster = "fast" if ppm > 0 else "slow"
        yield f"CLOCK_MONOTONIC_RAW is **{abs(ppm):.1f} ppm {faster}, ± {uncertainty:.1f} ppm**, over {seconds:.0f} s."
        yield f"In 180 s that is {abs(ppm) * 0.18:.1f} ms, and the uncertainty {uncertainty * 0.18:.1f} ms."
        yield ""
        yield "It was compared with the wall clock while a time server kept that."
        yield "The uncertainty is the most by which the kernel thinks the wall clock may be wrong, at both ends."
        yield "It shrinks with the time that is watched; the rate itself drifts with temperature, about 1 ppm a degree."
    if findings.discipline is not None and findings.discipline.is_synchronised:
        by = findings.discipline.correction_ppm
        yield f"The kernel runs the wall clock {by:+.1f} ppm against the processor's own, on the time server's advice."


def _scans(rest: IdleFigures) -> Iterator[str]:
    yield "\n## Scans\n"
    yield _HEADING
    yield _row("a scan came after its beat", rest.late)
    yield ""
    yield f"{rest.scans} scans were made at 100 Hz, {rest.missed} beats passed without one, {rest.failed} scans failed."
    yield "A change between two scans is stamped with the second; the time since the first is granted to the player."
    yield "Measured by a program that does nothing else; the daemon's own lateness under load is told by its health."


def _at_rest(findings: Findings) -> Iterator[str]:
    rest = findings.rest
    yield "\n## With nobody touching\n"
    total = sum(rest.edges.values())
    minutes = rest.watched / MINUTE
    many = f"**{total} edges**" if total else "**No edge**"
    yield f"{many} in {_length(rest.watched)}; {len(rest.first)} inputs were on at the beginning."
    if total:
        yield ""
        yield "| input | edges |\n| --- | --- |"
        for name, count in sorted(rest.edges.items(), key=lambda item: (-item[1], item[0])):
            yield f"| `{name}` | {count} |"
    else:
        # None in n says with 95 % confidence: at most three in n (the rule of three).
        yield f"That says with 95 % confidence: fewer than {_plain(3 / minutes)} a minute."
    yield ""
    yield "These are raw edges, before debouncing: the referee ignores single ones of up to 5 ms."
    if findings.simulated:
        yield "The simulated board makes none by itself, so this only says that drivers and scans add none."


def _length(watched: Duration) -> str:
    """A length of time in its own unit, so that a short one does not read as none."""
    return f"{_plain(watched / SECOND)} seconds" if watched < MINUTE else f"{watched / MINUTE:.1f} minutes"


def _plain(number: float) -> str:
    """A number with two digits that count, and never as a power of ten."""
    return f"{Decimal(f'{number:.2g}'):f}"


def _answers(findings: Findings) -> Iterator[str]:
    yield "\n## From the fact to the ruling\n"
    yield _HEADING
    touches, expiries = Spread.of(findings.answers.touches), Spread.of(findings.answers.expiries)
    if findings.journal:
        yield _row("first raw edge to ruling", touches)
        yield _row("time over to ruling", expiries)
        yield ""
        yield "Read from the journal of the last game: the stamp of each ruling against the wall clock at its decision."
        yield "The wall clock is a label there, in whole milliseconds, and a time server may have slewed it."
        yield "What waits for people is in it: bounce, a ring that may still fall, patience with an unclear board."
    else:
        yield _row("press of a button to ruling shown", touches)
        yield _row("glass empty to ruling shown", expiries)
        yield ""
        yield "Measured with the whole daemon in real time, its journal on this machine's disk, and chips in software."
        yield "21 ms of calm after the press and 100 ms of settling after an expiry are waited on purpose."
        yield "Buses of real sensors, lights and display are not in it, nor is bounce."
    yield "However late a ruling is shown, it rests on stamps: the lateness decides nothing."


def _row(what: str, spread: Spread | None) -> str:
    cells = spread.cells() if spread is not None else ("none", "", "", "", "")
    return f"| {what} | {' | '.join(cells)} |"


def answers_in(path: Path) -> Answers:
    """What the last game of a journal tells; the daemon may be running. Raises JournalError."""
    _, records = stored_game(path, None)
    return answers_of(records)


def answers_of(records: Sequence[Record]) -> Answers:
    """How late each ruling was decided, by hands and by time, up to where the daemon was started again."""
    touches: list[int] = []
    expiries: list[int] = []
    began: datetime | None = None
    for entry in (record.entry for record in records):
        if entry.kind is EntryKind.NOTE and entry.body.get(NOTE) == BEGUN:
            began = datetime.fromisoformat(entry.wall)
        elif entry.kind is EntryKind.NOTE and entry.body.get(NOTE) == "resumed":
            break
        elif entry.kind is EntryKind.RULING and began is not None:
            late = (datetime.fromisoformat(entry.wall) - began) // timedelta(microseconds=1) - entry.at
            if 0 <= late <= _LONGEST:
                ruling = entry.body.get("ruling")
                (touches if ruling in _BY_HANDS else expiries if ruling in _BY_TIME else []).append(late)
    return Answers(tuple(touches), tuple(expiries))


def machine_facts(model: Path = _MODEL, processors: Path = _PROCESSORS, clock: Path = _CLOCK) -> Mapping[str, str]:
    """The machine in a few words each, for a table; what it does not say is left out."""
    found = {
        "machine": _text_of(model) or _processor(processors) or platform.machine(),
        "processors": str(os.cpu_count() or ""),
        "kernel": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "clock of the kernel": _text_of(clock),
        "Python": platform.python_version(),
        "Gnomon": version("gnomon"),
        "load in the last minute": f"{os.getloadavg()[0]:.1f}",
    }
    return {name: said for name, said in found.items() if said}


def _processor(processors: Path) -> str:
    lines = _text_of(processors).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
