"""Pack a bug report as a zip file: findings, configuration, logs and journal statistics, redacted."""

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

import click

from gnomon.records.store import JournalError
from gnomon_pi.tools.doctor import games
from gnomon_pi.tools.doctor.boot_config import plain_lines
from gnomon_pi.tools.doctor.finding import Finding
from gnomon_pi.tools.doctor.kernel_log import kernel_lines
from gnomon_pi.tools.doctor.libraries import told_versions
from gnomon_pi.tools.doctor.machine import Machine, exists
from gnomon_pi.tools.doctor.redaction import Known, known_of, redacted
from gnomon_pi.tools.doctor.service import UNIT
from gnomon_pi.tools.doctor.table import as_json, table

_OLDEST: Final = (1980, 1, 1, 0, 0, 0)  # of a date in a zip
_LATEST_YEAR: Final = 2107
_LOG_LINES: Final = 200
_COMMENT: Final = re.compile(r"""^((?:[^"'#]|"[^"]*"|'[^']*')*)#.*$""")  # a # between quotes begins none

_Json: TypeAlias = "str | int | float | bool | list[_Json] | dict[str, _Json] | None"

_READ_ME: Final = """\
A report of `gnomond doctor --bundle`. Names, addresses, numbers of devices and secrets were taken out by rule
(they read <host>, <user>, <home>, <ip>, <mac>, <id>, <email>, <device>, <secret>); look through it all the same.

table.txt        what was found, as it was shown
report.json      the same for programs
versions.json    the libraries
config.txt       the lines of config.txt that say something
description.toml the description of the board
kernel.txt       the kernel's log of this start about buses, pins, card and supply
health.txt       the last lines that gnomond wrote, its health among them
journal.json     the journal in numbers
"""


def files(
    machine: Machine, findings: Sequence[Finding], *, version: str, description: str, journal: Path
) -> Mapping[str, str]:
    """The files of a bundle by their names, redacted; `description` is the board's description as it is written."""
    known = known_of(machine)
    told = [
        Finding(each.mark, each.subject, redacted(each.found, known), redacted(each.advice, known)) for each in findings
    ]
    config = machine.boot_file("config.txt")
    kernel = kernel_lines(machine)
    health = machine.command(["journalctl", "-u", UNIT, "-n", str(_LOG_LINES), "-o", "cat", "--no-pager", "-q"])
    texts = {
        "config.txt": "\n".join(plain_lines(machine.text(config))) if config else "there is none",
        "description.toml": "\n".join(_without_comments(description)),
        "kernel.txt": "it may not be read" if kernel is None else "\n".join(kernel),
        "health.txt": health or "there is no log of a service",
    }
    return {
        "README.txt": _READ_ME,
        "table.txt": click.unstyle(table(told)) + "\n",
        "report.json": as_json(told, version) + "\n",
        "versions.json": json.dumps(told_versions(machine), indent=2) + "\n",
        "journal.json": _json(_journal(journal), known),
        **{name: redacted(text, known) + "\n" for name, text in texts.items()},
    }


def write(path: Path, contents: Mapping[str, str], wall: datetime) -> None:
    """Write a new zip. Raises OSError, FileExistsError among them."""
    date = wall.timetuple()[:6] if _OLDEST[0] <= wall.year <= _LATEST_YEAR else _OLDEST
    with path.open("xb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in contents.items():
            entry = zipfile.ZipInfo(f"gnomon-report/{name}", date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text)


def _journal(path: Path) -> dict[str, object]:
    if not exists(path):
        return {"journal": "there is none"}
    try:
        return games.contents(path).summary()
    except JournalError as error:
        return {"journal": str(error)}


def _json(value: Mapping[str, object], known: Known) -> str:
    return json.dumps(_redacted(dict(value), known), indent=2, ensure_ascii=False) + "\n"


def _redacted(value: object, known: Known) -> _Json:
    """The same with every text redacted."""
    if isinstance(value, dict):
        return {str(key): _redacted(each, known) for key, each in value.items()}
    if isinstance(value, list):
        return [_redacted(each, known) for each in value]
    return value if isinstance(value, bool | int | float) or value is None else redacted(str(value), known)


def _without_comments(description: str) -> list[str]:
    """The lines of a description that say something: people write in comments whatever they like."""
    lines = (_COMMENT.sub(r"\1", row).rstrip() for row in description.splitlines())
    return [line for line in lines if line]
