"""Open what every process of a hall needs: its connection to the broker, by an address, a file and credentials."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from typing import Final
from urllib.parse import unquote, urlsplit

from gnomon.bounded_toml import parse_toml
from gnomon.hall.exposure import mqtt_warning
from gnomon.hall.messaging import enrolment
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.enrolment import Enrolment, EnrolmentError
from gnomon.hall.messaging.hall_topics import BoardBus, HubBus, checked_hall
from gnomon.hall.messaging.messages import MessageError
from gnomon.hall.store.backend import split_address
from gnomon.hall.store.database import StoreError
from gnomon.refusals import Refusal, Statement, clause, statement
from gnomon.words import ENGLISH, Words

SCHEMES: Final[Mapping[str, tuple[int, str]]] = {"mqtts": (8883, enrolment.SYSTEM), "mqtt": (1883, enrolment.NONE)}
LONGEST_PAUSE: Final = 2.0
"""Seconds between two attempts to reach a broker that is away: a hall is one, and all its boards wait for it."""
_SECRETS: Final = ("mqtt", "database")

Say = Callable[[str], None]


class HallConnectionError(Refusal):
    """The hall cannot be opened, and why."""


def read_address(text: str) -> Enrolment:
    """The enrolment that `mqtts://user:password@host:port/hall`, or a file, says. Raises HallConnectionError.

    Without a hall, boards of protocol 1 are meant.
    """
    try:
        parts = urlsplit(text)
        if parts.scheme not in SCHEMES:
            return enrolment.read(Path(text))
        port, authority = SCHEMES[parts.scheme]
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if not (parts.hostname and user and password):
            raise HallConnectionError(statement("hall.opening.address", scheme=parts.scheme))
        hall = parts.path.strip("/")
        if hall:
            checked_hall(hall)
        return Enrolment(parts.hostname, parts.port or port, user, password, authority, hall=hall)
    except (EnrolmentError, MessageError) as error:
        raise HallConnectionError(error) from error
    except ValueError as error:  # a port that is none
        raise HallConnectionError(statement("hall.opening.unreadable", text=str(error))) from error


def read_credentials(path: Path) -> tuple[str, str]:
    """The broker and the database that a file of secrets names, empty for none. Raises HallConnectionError."""
    try:
        told = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HallConnectionError(
            statement("hall.folder.not_read", file=str(path), text=str(error.strerror))
        ) from error
    except ValueError as error:
        raise HallConnectionError(statement("hall.enrolment.no_toml", where=str(path), text=str(error))) from error
    strange = [key for key, value in told.items() if key not in _SECRETS or not isinstance(value, str)]
    if strange:
        raise HallConnectionError(statement("hall.opening.secret", file=str(path), field=strange[0], known=[*_SECRETS]))
    mqtt, database = (str(told.get(key, "")) for key in _SECRETS)
    return mqtt, database


def check_halls(mqtt: str, database: str, *, others: bool = False) -> None:
    """See that boards and database belong to one hall. Raises HallConnectionError.

    With `others`, boards of other halls are used, too: then the hall has a name on the bus and in the database.
    """
    try:
        kept = split_address(database).hall
    except StoreError as error:
        raise HallConnectionError(error) from error
    heard = read_address(mqtt).hall if mqtt else ""
    if kept and heard and kept != heard:
        raise HallConnectionError(statement("hall.opening.halls", heard=heard, kept=kept))
    if others and not (kept and heard):
        raise HallConnectionError(statement("hall.opening.other_halls"))


def over_mqtt(where: str, stack: ExitStack, say: Say, words: Words = ENGLISH) -> tuple[Bus, Statement]:
    """The bus of an address, or of a file like `hub.toml`, and in words. Raises HallConnectionError."""
    who = read_address(where)
    if "://" not in where and (warning := _warning_of_folder(Path(where).parent)):
        say(clause(warning, words))
    try:
        from gnomon.hall.messaging.mqtt_bus import MqttBus, Patience  # noqa: PLC0415 - paho is of the extra `hall`
    except ImportError as error:
        raise HallConnectionError(statement("hall.opening.paho")) from error
    try:
        often = Patience(longest=LONGEST_PAUSE)
        bus = MqttBus(who, chance=Random(SystemRandom().random()), say=say, patience=often)  # noqa: S311 - it spreads attempts
    except EnrolmentError as error:
        raise HallConnectionError(error) from error
    stack.callback(bus.close)
    if warning := mqtt_warning(who):
        say(clause(warning, words))
    return _bus_of_hall(bus, who), statement("cli.hall.over", broker=who.broker)


def _bus_of_hall(bus: Bus, who: Enrolment) -> Bus:
    """The bus with the topics of a hall, if it has a name."""
    if not who.hall:
        return bus
    return HubBus(bus, who.hall) if who.understands_former else BoardBus(bus, who.hall)


def _warning_of_folder(folder: Path) -> Statement | None:
    """What has to be done in a broker's folder after an update of Gnomon; None where it is none."""
    from gnomon.hall.broker.folder import BrokerFolder  # noqa: PLC0415 - a hall without a folder needs none

    return BrokerFolder(folder).upgrade_warning()
