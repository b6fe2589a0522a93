"""Warn about unencrypted connections to broker or database, and choose the broker's listening addresses."""

from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qs, urlsplit

from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.refusals import Statement, statement

_LOCAL: Final = "localhost"
_ENCRYPTED: Final = frozenset({"require", "verify-ca", "verify-full"})
"""Of libpq's `sslmode`; every other one goes on without encryption where the server has none."""


def is_this_machine(host: str) -> bool:
    """Whether a name or address means this machine and can mean no other; a path of a socket does too."""
    if host == _LOCAL or host.startswith("/"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def listening_addresses(hosts: Sequence[str]) -> tuple[str, ...]:
    """Where to listen to be reached under these names, none for everywhere.

    Where all are addresses, only those are listened at; a client that uses a name may come by any address that the name
    has, now or later.
    """
    addresses = []
    for host in hosts:
        if host != _LOCAL:
            try:
                ip_address(host)
            except ValueError:
                return ()
        addresses.append("127.0.0.1" if host == _LOCAL else host)
    return tuple(dict.fromkeys(addresses))


def mqtt_warning(enrolment: Enrolment) -> Statement | None:
    """What is wrong with how a broker is reached; None where nothing is."""
    if enrolment.authority != NONE or is_this_machine(enrolment.host):
        return None
    return statement("hall.exposed.broker", broker=enrolment.broker)


def database_warning(address: str, environment: Mapping[str, str]) -> Statement | None:
    """What is wrong with how a database `postgresql://…` is reached; None where nothing is.

    `environment` says what the address does not: PGHOST and PGSSLMODE.
    """
    try:
        parts = urlsplit(address)
        asked = parse_qs(parts.query)
        host = asked.get("host", [parts.hostname or environment.get("PGHOST", "/")])[0]
    except ValueError:
        return None  # the database itself says what is wrong with it
    mode = asked.get("sslmode", [environment.get("PGSSLMODE", "prefer")])[0]
    if is_this_machine(host) or mode in _ENCRYPTED:
        return None
    return statement("hall.exposed.database", host=host)
