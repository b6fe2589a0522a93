"""Open what a hall needs according to its command line: message bus, database, accounts.

An unreachable broker is waited for, since boards play on without it; an unreachable database prevents the start,
since nothing could be acknowledged.
"""

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from errno import EADDRNOTAVAIL
from pathlib import Path
from random import Random, SystemRandom
from threading import Event, Thread
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from gnomon.hall import enrolment
from gnomon.hall.enrolment import Enrolment, EnrolmentError
from gnomon.hall.exposure import database_warning, is_this_machine, mqtt_warning
from gnomon.hall.hall import Hall
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.hall.store.backend import POSTGRESQL
from gnomon.hall.store.database import StoreError
from gnomon.refusals import NOTHING, Refusal, Statement, clause, statement
from gnomon.words import ENGLISH, Words

DATABASE: Final = "hall.db"
"""In the folder of data, where no other database is named."""
SCHEMES: Final[Mapping[str, tuple[int, str]]] = {"mqtts": (8883, enrolment.SYSTEM), "mqtt": (1883, enrolment.NONE)}
LONGEST_PAUSE: Final = 2.0
"""Seconds between two attempts to reach a broker that is away: a hall is one, and all its boards wait for it."""
_SECRETS: Final = ("mqtt", "database")
_JOIN: Final = 2.0

Say = Callable[[str], None]


class OpeningError(Refusal):
    """The hall cannot be opened, and why."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a hall is opened with.

    `mqtt` is an address or a file, `database` an address or a file, empty for what is usual; `broker` is the folder of
    a club evening's broker. `credentials` is a file with the secret ones of them.
    """

    data: Path
    mqtt: str = ""
    database: str = ""
    broker: Path | None = None
    credentials: Path | None = None
    demo: int = 0


class Opened(NamedTuple):
    """A hall at work, and the bus of this process where boards of this program can be put."""

    hall: Hall
    here: MemoryBus | None
    carried: Statement


@contextmanager
def open_hall(wanted: Wanted, say: Say, words: Words = ENGLISH) -> Iterator[Opened]:
    """A hall that is at work until the block ends; `say` is told what hinders, as `words` do. Raises OpeningError."""
    wanted = _with_credentials(wanted)
    with ExitStack() as stack:
        bus, here, carried = _bus(wanted, stack, say, words)
        try:
            wanted.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            hall = Hall.open(wanted.database or str(wanted.data / DATABASE), bus)
        except OSError as error:
            raise OpeningError(
                statement("hall.opening.folder", folder=str(wanted.data), text=str(error.strerror))
            ) from error
        except StoreError as error:
            raise OpeningError(error) from error
        stack.callback(hall.close)
        if wanted.database.startswith(POSTGRESQL) and (warning := database_warning(wanted.database, os.environ)):
            say(clause(warning, words))
        hall.start()
        yield Opened(hall, here, carried)


def read_address(text: str) -> Enrolment:
    """The enrolment that `mqtts://user:password@host:port`, or a file, says. Raises OpeningError."""
    try:
        parts = urlsplit(text)
        if parts.scheme not in SCHEMES:
            return enrolment.read(Path(text))
        port, authority = SCHEMES[parts.scheme]
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if not (parts.hostname and user and password):
            raise OpeningError(statement("hall.opening.address", scheme=parts.scheme))
        return Enrolment(parts.hostname, parts.port or port, user, password, authority)
    except EnrolmentError as error:
        raise OpeningError(error) from error
    except ValueError as error:  # a port that is none
        raise OpeningError(statement("hall.opening.unreadable", text=str(error))) from error


def _with_credentials(wanted: Wanted) -> Wanted:
    """What is wanted, with what stands in the file of secrets. Raises OpeningError."""
    if wanted.credentials is None:
        return wanted
    try:
        told = tomllib.loads(wanted.credentials.read_text(encoding="utf-8"))
    except OSError as error:
        raise OpeningError(
            statement("hall.folder.not_read", file=str(wanted.credentials), text=str(error.strerror))
        ) from error
    except ValueError as error:
        raise OpeningError(
            statement("hall.enrolment.no_toml", where=str(wanted.credentials), text=str(error))
        ) from error
    strange = [key for key, value in told.items() if key not in _SECRETS or not isinstance(value, str)]
    if strange:
        raise OpeningError(
            statement("hall.opening.secret", file=str(wanted.credentials), field=strange[0], known=[*_SECRETS])
        )
    mqtt, database = (str(told.get(key, "")) for key in _SECRETS)
    return replace(wanted, mqtt=wanted.mqtt or mqtt, database=wanted.database or database)


def _bus(wanted: Wanted, stack: ExitStack, say: Say, words: Words) -> tuple[Bus, MemoryBus | None, Statement]:
    """How boards and hall speak, the connection for boards of this program, and in words. Raises OpeningError."""
    ways = [bool(wanted.mqtt), wanted.broker is not None, bool(wanted.demo)]
    if sum(ways) > 1:
        raise OpeningError(statement("hall.opening.ways"))
    if wanted.mqtt:
        who = read_address(wanted.mqtt)
        if "://" not in wanted.mqtt and (warning := _warning_of_folder(Path(wanted.mqtt).parent)):
            say(clause(warning, words))
        return _over_mqtt(who, stack, say, words)
    if wanted.broker is not None:
        return _with_boards_of(wanted.broker, stack)
    broker = MemoryBroker()
    stop = Event()
    carrier = Thread(target=broker.run, args=(stop,), name="bus", daemon=True)
    carrier.start()

    def end() -> None:
        stop.set()
        broker.wake()
        carrier.join(_JOIN)

    stack.callback(end)
    return broker.connect(), broker.connect(), NOTHING


def _over_mqtt(who: Enrolment, stack: ExitStack, say: Say, words: Words) -> tuple[Bus, None, Statement]:
    try:
        from gnomon.hall.messaging.mqtt_bus import MqttBus, Patience  # noqa: PLC0415 - paho is of the extra `hall`
    except ImportError as error:
        raise OpeningError(statement("hall.opening.paho")) from error
    try:
        often = Patience(longest=LONGEST_PAUSE)
        bus = MqttBus(who, chance=Random(SystemRandom().random()), say=say, patience=often)  # noqa: S311 - it spreads attempts
    except EnrolmentError as error:
        raise OpeningError(error) from error
    stack.callback(bus.close)
    if warning := mqtt_warning(who):
        say(clause(warning, words))
    return bus, None, statement("cli.hall.over", broker=who.broker)


def _warning_of_folder(folder: Path) -> Statement | None:
    """What has to be done in a broker's folder after an update of Gnomon; None where it is none."""
    from gnomon.hall.broker.folder import BrokerFolder  # noqa: PLC0415 - a hall without a folder needs none

    return BrokerFolder(folder).upgrade_warning()


def _with_boards_of(folder: Path, stack: ExitStack) -> tuple[Bus, None, Statement]:
    from gnomon.hall.broker.folder import BrokerFolder, FolderError  # noqa: PLC0415 - a hall without a folder needs none
    from gnomon.hall.local_hall import LocalHall  # noqa: PLC0415 - as above

    here = BrokerFolder(folder)
    try:
        hosts = here.settings().hosts
        evening = LocalHall(here)
    except FolderError as error:
        raise OpeningError(error) from error
    except OSError as error:
        raise OpeningError(_not_listening(folder, error)) from error
    stack.callback(evening.close)
    alone = all(map(is_this_machine, hosts))
    heard = statement("cli.hall.heard.alone" if alone else "cli.hall.heard", host=hosts[0], port=evening.port)
    return evening.hub, None, heard


def _not_listening(folder: Path, error: OSError) -> Statement:
    if error.errno == EADDRNOTAVAIL:
        return statement("hall.opening.other_address", folder=str(folder))
    return statement("hall.opening.port", folder=str(folder), text=str(error.strerror))
