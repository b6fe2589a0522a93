"""Define the command-line options of the relay over which two boards play."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import click

from gnomon.cli import localized
from gnomon.refusals import Refusal, statement
from gnomon.whole_files import SECRET, write_whole

if TYPE_CHECKING:
    from gnomon.hall.messaging.bus import Bus
    from gnomon.hall.messaging.enrolment import Enrolment
    from gnomon.records.journal.writer import Journal
    from gnomon_pi.relay_link._desk import RelayDesk
    from gnomon_pi.runtime.service import Service
    from gnomon_pi.runtime.system.clock import Watch

PORT: Final = 8884
LONGEST: Final = 5.0
"""Seconds between two tries to reach a relay: clocks run meanwhile."""
KEY: Final = ".relay.key"
"""What the name of the file with a board's key has behind that of its journal: no two boards have one journal."""
_KEY_BYTES: Final = 32
_SCHEMES: Final = {"mqtt": PORT, "mqtts": PORT, "ws": 80, "wss": 443}
"""With the port of each: MQTT, and MQTT over WebSocket, which passes where only the web does."""
_SECURE: Final = ("mqtts", "wss")
_WEB: Final = ("ws", "wss")
_PATH: Final = "/mqtt"
_PLAIN: Final = re.compile(r"[!-~]*").fullmatch
"""What may stand in the first line of a request."""


class RelayOptionError(Refusal):
    """The relay is none; one sentence."""


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """The relay of a board: its address, and a file with the authority that proves its certificate."""

    address: str
    authority: Path | None = None


_OPTIONS = (
    localized.option(
        "--relay",
        metavar="ADDRESS",
        help="option.gnomond.relay.relay",
    ),
    localized.option("--relay-authority", type=click.Path(path_type=Path), help="option.gnomond.relay.relay_authority"),
)


def relay_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the relay, handed over as `relay`: RelayOptions, or None for none."""

    @wraps(command)
    def collect(*arguments: Any, relay: str | None, relay_authority: Path | None, **others: Any) -> None:
        if relay_authority is not None and relay is None:
            raise localized.WrongUsageError(statement("usage.needs", option="--relay-authority", other="--relay"))
        command(*arguments, relay=None if relay is None else RelayOptions(relay, relay_authority), **others)

    for option in reversed(_OPTIONS):
        collect = option(collect)
    return collect


@contextmanager
def on_relay(
    relay: RelayOptions | None, service: "Service", journal: "Journal", watch: "Watch", say: Callable[[str], None]
) -> "Iterator[RelayDesk | None]":
    """Play with other boards for a while, or with none; called in the daemon's loop. Raises RelayOptionError."""
    if relay is None:
        yield None
        return
    from gnomon.hall.messaging.enrolment import EnrolmentError, tls_context
    from gnomon.hall.messaging.mqtt_bus import MqttBus, Patience
    from gnomon_pi.relay_link._desk import RelayDesk

    patience = Patience(first=0.5, longest=LONGEST)

    def open_bus(user: str, password: str) -> "Bus":
        chance = Random()  # noqa: S311 - by how much two boards are apart is no secret
        return MqttBus(_enrolment(relay, user, password), chance=chance, say=say, patience=patience)

    try:
        tls_context(_enrolment(relay))
    except EnrolmentError as error:
        raise RelayOptionError(error) from error
    desk = RelayDesk(service.runner, service.health, journal, open_bus, watch.now, _key_beside(journal.path))
    service.controller.other_boards = desk
    yield desk


def _key_beside(journal: Path) -> bytes:
    """The key of a board's shares in what is thrown and drawn, made where there is none. Raises RelayOptionError."""
    path = journal.with_name(journal.name + KEY)
    try:
        if not path.exists():
            write_whole(path, token_hex(_KEY_BYTES), SECRET)
        return bytes.fromhex(path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:
        raise RelayOptionError(statement("told.distance.key", file=str(path))) from error


def _enrolment(relay: RelayOptions, user: str = "", password: str = "") -> "Enrolment":
    """How to come to the relay. Raises RelayOptionError."""
    from gnomon.hall.messaging.enrolment import NONE, SYSTEM, Enrolment

    parts = urlsplit(relay.address)
    try:
        port = parts.port or _SCHEMES.get(parts.scheme, 0)
    except ValueError:
        port = 0
    is_web, path = parts.scheme in _WEB, parts.path.rstrip("/")
    if not parts.hostname or not port or parts.username or parts.query or (path and not is_web) or not _PLAIN(path):
        raise RelayOptionError(statement("told.distance.address", value=relay.address[:80]))
    make = partial(Enrolment, parts.hostname, port, user, password, web_path=(path or _PATH) if is_web else "")
    if parts.scheme not in _SECURE:
        return make(authority=NONE)
    if relay.authority is None:
        return make(authority=SYSTEM)
    try:
        return make(authority=relay.authority.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RelayOptionError(statement("told.distance.address", value=str(relay.authority))) from error
