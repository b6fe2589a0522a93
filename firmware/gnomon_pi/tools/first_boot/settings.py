"""Read and write the settings of a machine that runs the image: a TOML file on its boot partition.

A person may write the file before the first start, or the page of the first start writes it. `read` is what both go
through.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from gnomon.refusals import statement
from gnomon.words import LANGUAGES
from gnomon_pi.config.checked_toml import MistakeError, TomlTable, parse_toml, text_of
from gnomon_pi.config.parser import parse_board

NAME: Final = "gnomon.toml"
"""The file's name on the boot partition."""
MOST_LETTERS: Final = 32
"""Of a machine's name; a network's name has as many bytes (IEEE 802.11, 9.4.2.2)."""
PASSPHRASE: Final = (8, 63)
"""Characters that a passphrase may have (IEEE 802.11, J.4)."""

_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")  # a label (RFC 1123, 2.1)
_SSH_KEY: Final = re.compile(r"(?:ssh|sk-ssh|ecdsa|sk-ecdsa)-[a-zA-Z0-9@.-]+ [A-Za-z0-9+/]+={0,2}(?: [ -~]*)?")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_PRINTABLE: Final = re.compile(r"[ -~]*")


@dataclass(frozen=True, slots=True)
class Wifi:
    """A wireless network to join; without a passphrase it is an open one. The country says which channels are legal."""

    country: str
    network: str
    passphrase: str = ""


@dataclass(frozen=True, slots=True)
class MachineSettings:
    """What a machine has to know; `board` is the name of a bundled description, such as tamsk-expanders.

    `ssh_key` is the line of a public key whose owner may log in; without one nobody can, but at the machine itself.
    `makes_puzzles`: of finished games, while nobody plays.
    """

    name: str
    time_zone: str
    board: str
    is_simulated: bool = False
    language: str = "en"
    wifi: Wifi | None = None
    ssh_key: str = ""
    makes_puzzles: bool = True


@cache
def bundled_boards() -> tuple[str, ...]:
    """The names of the descriptions that come with the program and that a game can be played on."""
    folder = resources.files("gnomon_pi") / "boards"
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(name for name in names if not parse_board(board_text(name), name).only)


def board_text(name: str) -> str:
    """What a bundled description says."""
    return (resources.files("gnomon_pi") / "boards" / f"{name}.toml").read_text(encoding="utf-8")


@cache
def time_zones() -> tuple[str, ...]:
    """The time zones that this machine knows, by their names in the IANA database."""
    return tuple(sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC"))


def read(path: Path) -> MachineSettings:
    """The settings in a file. Raises FileNotFoundError, and MistakeError that names the first line that is wrong."""
    return parse(text_of(path), path.name)


def parse(text: str, file: str) -> MachineSettings:
    """The settings that a TOML text gives; `file` is its name in messages. Raises MistakeError."""
    top = parse_toml(text, file)
    settings = MachineSettings(
        _name(top),
        _time_zone(top),
        top.word("board", bundled_boards()),
        top.flag("simulated"),
        top.word("language", tuple(LANGUAGES), "en"),
        top.part("wifi", _wifi),
        _ssh_key(top) if top.has("ssh_key") else "",
        top.flag("puzzles", usual=True),
    )
    top.nothing_else()
    if top.mistakes:
        raise MistakeError(min(top.mistakes, key=lambda mistake: mistake.line).statement)
    return settings


def dump(settings: MachineSettings) -> str:
    """The text that `parse` reads as these settings."""
    lines = [
        "# The settings of this machine, read at every start. Delete this file to be asked for them again.",
        f"name = {_toml_text(settings.name)}",
        f"time_zone = {_toml_text(settings.time_zone)}",
        f"board = {_toml_text(settings.board)}",
        f"simulated = {'true' if settings.is_simulated else 'false'}",
        f"language = {_toml_text(settings.language)}",
    ]
    if not settings.makes_puzzles:
        lines.append("puzzles = false")
    if settings.ssh_key:
        lines.append(f"ssh_key = {_toml_text(settings.ssh_key)}")
    if settings.wifi is not None:
        lines += [
            "",
            "[wifi]",
            f"country = {_toml_text(settings.wifi.country)}",
            f"network = {_toml_text(settings.wifi.network)}",
        ]
        if settings.wifi.passphrase:
            lines.append(f"passphrase = {_toml_text(settings.wifi.passphrase)}")
    return "\n".join((*lines, ""))


def _wifi(table: TomlTable) -> Wifi:
    country, network = table.text("country"), table.text("network")
    wifi = Wifi(country, network, table.text("passphrase") if table.has("passphrase") else "")
    if not table.is_faulty("country") and not _COUNTRY.fullmatch(country):
        table.note(statement("first_boot.wrong.country"), "country")
    if len(wifi.network.encode()) > MOST_LETTERS or not wifi.network.isprintable():
        table.note(statement("first_boot.wrong.network", most=MOST_LETTERS), "network")
    least, most = PASSPHRASE
    if wifi.passphrase and not (least <= len(wifi.passphrase) <= most and _PRINTABLE.fullmatch(wifi.passphrase)):
        table.note(statement("first_boot.wrong.passphrase", least=least, most=most), "passphrase")
    table.nothing_else()
    return wifi


def _name(table: TomlTable) -> str:
    name = table.text("name")
    if not table.is_faulty("name") and not _HOST.fullmatch(name):
        table.note(statement("first_boot.wrong.name", most=MOST_LETTERS), "name")
    return name


def _ssh_key(table: TomlTable) -> str:
    key = table.text("ssh_key")
    if not table.is_faulty("ssh_key") and not _SSH_KEY.fullmatch(key):
        table.note(statement("first_boot.wrong.ssh_key"), "ssh_key")
    return key


def _time_zone(table: TomlTable) -> str:
    zone = table.text("time_zone")
    if not table.is_faulty("time_zone") and zone not in time_zones():
        table.note(statement("first_boot.wrong.time_zone"), "time_zone")
    return zone


def _toml_text(text: str) -> str:
    """The text as a basic string of TOML: JSON's escapes are all among TOML's."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
