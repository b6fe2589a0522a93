"""Pack a bug report as a zip file: findings, configuration, logs and journal statistics, redacted.

Names, addresses, device numbers and secrets are taken out, and rather too much of them: what is left is meant for
strangers.
"""

import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TypeAlias

import click

from gnomon.records.journal.store import JournalError
from gnomon.refusals import Statement
from gnomon.rules.registry import games
from gnomon_pi.tools.doctor._boot_config import plain_lines
from gnomon_pi.tools.doctor._installation import UNIT, told_versions
from gnomon_pi.tools.doctor._storage import contents
from gnomon_pi.tools.doctor._system import kernel_lines
from gnomon_pi.tools.doctor.finding import Finding, as_json, table
from gnomon_pi.tools.doctor.machine import Machine, exists, number

_SHORTEST: Final = 2  # letters of a name that is looked for
_FIRST_PERSON: Final = 1000  # user numbers below are the system's (Debian policy, 9.2.2)

# Names that tell nothing of anybody, and would tear words out of every sentence; the masks are among them.
_EVERYBODYS: Final = frozenset(
    {
        "pi",
        "root",
        "gnomon",
        "gnomond",
        "table",
        "board",
        "raspberrypi",
        "raspberry",
        "localhost",
        "user",
        "users",
        "admin",
        "nobody",
        "host",
        "mac",
        "ip",
        "id",
        "secret",
        "email",
        "device",
        "local",
        "home",
        "debian",
        "raspbian",
        "linux",
    }
)

_KEYS: Final = (
    r"[\w.-]*(?:psk|pass(?:word|wd|phrase|code)|secret|token|api[-_]?key|credential|ssid|serial|wpa[-_]?key"
    r"|wep[-_]?key|private[-_]?key|authorization|cookie|machine[-_]?id)[\w.-]*"
)
_AFTER_A_KEY: Final = re.compile(rf"(?i)(?<![\w.-])({_KEYS}[\"']?\s*[:=]\s*)(?!<secret>)\S[^\n]*")
_AFTER_A_WORD: Final = re.compile(
    r"(?i)\b(password|passphrase|psk|token|secret|bearer|basic|serial(?: number)?)(\s+(?:is\s+)?)"
    r"(?!<secret>)[^\s:=,][^\s,]*"
)
_IN_AN_ADDRESS: Final = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^/\s@]*@")
# From where a word begins only, or a long one would be looked through from each of its letters.
_EMAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MAC: Final = re.compile(r"(?i)(?<![0-9a-f])[0-9a-f]{2}([:_-])(?:[0-9a-f]{2}\1){4,6}[0-9a-f]{2}(?![0-9a-f])")
# Nobody has an address that begins with 0, and lgpio has such versions.
_IPV4: Final = re.compile(r"(?<![\d.])(?!0\.)\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)")
_IPV6: Final = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f]*:[0-9A-Fa-f]*:)[0-9A-Fa-f:.]+(?!\w)")
_UUID: Final = re.compile(r"(?i)(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])")
_PARTUUID: Final = re.compile(r"(?i)\b(PARTUUID|UUID|LABEL)=(?!<id>)[^\s,]+")
_LONG_HEX: Final = re.compile(r"(?i)(?<![0-9a-z])(?:0x)?(?=[a-f]*[0-9])[0-9a-f]{12,}(?![0-9a-z])")
_CODED: Final = re.compile(
    r"(?<![A-Za-z0-9+/=_-])(?=[A-Za-z0-9+/=_-]*\d)(?=[A-Za-z0-9+/=_-]*[a-z])(?=[A-Za-z0-9+/=_-]*[A-Z])"
    r"[A-Za-z0-9+/=_-]{16,}"
)
_JUMBLED: Final = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}(?![A-Za-z0-9])")
_HOME: Final = re.compile(r"/home/(?!<user>)[^/\s\"':,;)]+|/root(?=/)")
_BY_NAME: Final = re.compile(r"(/dev/(?:input|serial|disk|v4l)/by-[\w-]+/)(?!<device>)[^\s\"',;)]+")
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


# What names somebody


@dataclass(frozen=True, slots=True)
class Known:
    """What this machine and its people are called; longer names are taken out before those that are parts of them."""

    hosts: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    homes: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    """Serial numbers and the like."""


def collect_known(machine: Machine) -> Known:
    """The names that must not leave this machine."""
    hosts = {machine.text("/etc/hostname"), machine.text("/proc/sys/kernel/hostname")}
    for row in machine.text("/etc/hosts").splitlines():
        hosts |= set(row.partition("#")[0].split()[1:])
    users, homes = set(), set()
    for row in machine.text("/etc/passwd").splitlines():
        fields = row.split(":")
        if len(fields) > 5 and (number(fields[2]) or 0) >= _FIRST_PERSON:  # noqa: PLR2004 - man 5 passwd
            users |= {fields[0], *filter(None, fields[4].split(","))}
            homes.add(fields[5])
    for name in ("USER", "LOGNAME", "SUDO_USER"):
        users.add(machine.environment.get(name, ""))
    homes.add(machine.environment.get("HOME", ""))
    numbers = {machine.text("/proc/device-tree/serial-number"), machine.text("/etc/machine-id")}
    numbers |= set(re.findall(r"^Serial\s*:\s*(\w+)", machine.text("/proc/cpuinfo"), re.MULTILINE))
    for path in machine.names("/sys/block/mmcblk*/device/serial"):
        numbers.add(machine.text(path))
    for path in machine.names("/sys/block/mmcblk*/device/cid"):
        numbers.add(machine.text(path))
    return Known(
        _names(hosts | {host.partition(".")[0] for host in hosts}),
        _names(users),
        frozenset(home for home in homes if home.count("/") > 1),
        frozenset(number for number in numbers if len(number) > _SHORTEST),
    )


def redact(text: str, known: Known) -> str:
    """The text without names, addresses, numbers of devices and secrets; again, it changes nothing."""
    named = [(home, "<home>") for home in known.homes]
    named += [(host, "<host>") for host in known.hosts]
    named += [(user, "<user>") for user in known.users]
    named += [(number, "<id>") for number in known.numbers]
    for name, mask in sorted(named, key=lambda pair: (-len(pair[0]), pair)):
        text = re.sub(rf"(?i)(?<![A-Za-z0-9<]){re.escape(name)}(?![A-Za-z0-9>])", mask, text)
    text = _AFTER_A_KEY.sub(r"\1<secret>", text)
    text = _AFTER_A_WORD.sub(r"\1\2<secret>", text)
    text = _IN_AN_ADDRESS.sub(r"\1<secret>/", text)
    text = _EMAIL.sub("<email>", text)
    text = _HOME.sub("<home>", text)
    text = _BY_NAME.sub(r"\1<device>", text)
    text = _UUID.sub("<id>", text)
    text = _PARTUUID.sub(r"\1=<id>", text)
    text = _MAC.sub("<mac>", text)
    text = _IPV4.sub("<ip>", text)
    text = _IPV6.sub(_unless_a_time, text)
    text = _LONG_HEX.sub("<id>", text)
    text = _CODED.sub("<secret>", text)
    return _JUMBLED.sub("<secret>", text)


def _unless_a_time(found: re.Match[str]) -> str:
    """A mask in place of an address, which may end a sentence or begin a list."""
    for text in (found[0], found[0].rstrip("."), found[0].removesuffix(":")):
        with suppress(ValueError):
            if not ip_address(text).is_unspecified:
                return f"<ip>{found[0][len(text) :]}"
    return found[0]


def _names(names: Iterable[str]) -> frozenset[str]:
    everybodys = _EVERYBODYS.union(games())
    return frozenset(
        name
        for name in names
        if len(name) >= _SHORTEST and name.lower() not in everybodys and not re.fullmatch(r"[\d.:]+|ip6-.*", name)
    )


# The files


def files(
    machine: Machine, findings: Sequence[Finding], *, version: str, description: str, journal: Path
) -> Mapping[str, str]:
    """The files of a bundle by their names, redacted; `description` is the board's description as it is written."""
    known = collect_known(machine)
    told = [
        Finding(
            each.mark,
            each.subject,
            Statement.plain(redact(each.sentence(), known)),
            Statement.plain(redact(each.advice(), known)),
        )
        for each in findings
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
        **{name: redact(text, known) + "\n" for name, text in texts.items()},
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
        return contents(path).summary()
    except JournalError as error:
        return {"journal": str(error)}


def _json(value: Mapping[str, object], known: Known) -> str:
    return json.dumps(_redact_values(dict(value), known), indent=2, ensure_ascii=False) + "\n"


def _redact_values(value: object, known: Known) -> _Json:
    """The same with every text redacted."""
    if isinstance(value, dict):
        return {str(key): _redact_values(each, known) for key, each in value.items()}
    if isinstance(value, list):
        return [_redact_values(each, known) for each in value]
    return value if isinstance(value, bool | int | float) or value is None else redact(str(value), known)


def _without_comments(description: str) -> list[str]:
    """The lines of a description that say something: people write in comments whatever they like."""
    lines = (_COMMENT.sub(r"\1", row).rstrip() for row in description.splitlines())
    return [line for line in lines if line]
