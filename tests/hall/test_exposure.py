"""What goes over a network unencrypted is said, and a broker listens where it says that it does."""

import socket

import pytest

from gnomon.hall.embedded_broker._broker import SmallBroker
from gnomon.hall.exposure import database_warning, is_this_machine, listening_addresses, mqtt_warning
from gnomon.hall.messaging.enrolment import NONE, SYSTEM, Enrolment
from gnomon.hall.messaging.memory_bus import MemoryBroker
from tests.hall.test_embedded_broker import OpenDoors


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1", "/run/postgresql"])
def test_some_names_mean_this_machine_alone(host: str) -> None:
    assert is_this_machine(host)


@pytest.mark.parametrize("host", ["hall.local", "192.0.2.7", "::", "0.0.0.0", "localhost.example.org", ""])
def test_others_may_mean_another(host: str) -> None:
    assert not is_this_machine(host)


@pytest.mark.parametrize(
    ("hosts", "addresses"),
    [
        (("127.0.0.1",), ("127.0.0.1",)),
        (("localhost", "127.0.0.1"), ("127.0.0.1",)),
        (("192.0.2.7", "2001:db8::7"), ("192.0.2.7", "2001:db8::7")),
        (("hall.local", "192.0.2.7"), ()),
    ],
)
def test_a_broker_listens_at_the_addresses_that_boards_are_told(
    hosts: tuple[str, ...], addresses: tuple[str, ...]
) -> None:
    assert listening_addresses(hosts) == addresses


def test_the_small_broker_listens_at_each_address_and_at_no_other() -> None:
    broker = SmallBroker(MemoryBroker(), OpenDoors())
    port = broker.start(0, "127.0.0.1", "127.0.0.2")
    for host in ("127.0.0.1", "127.0.0.2"):
        socket.create_connection((host, port), 5).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.3", port), 5)
    broker.close()


@pytest.mark.parametrize(
    ("host", "authority", "is_said"),
    [("hall.local", NONE, True), ("127.0.0.1", NONE, False), ("hall.local", SYSTEM, False)],
)
def test_a_broker_that_is_spoken_to_unencrypted_is_named(host: str, authority: str, is_said: bool) -> None:
    warning = str(mqtt_warning(Enrolment(host, 1883, "hub", "secret", authority)) or "")
    assert (f"{host}:1883" in warning, bool(warning), "secret" in warning) == (is_said, is_said, False)


@pytest.mark.parametrize(
    ("address", "environment", "host"),
    [
        ("postgresql://gnomon:secret@db.example/gnomon", {}, "db.example"),
        ("postgresql:///gnomon?host=192.0.2.7", {}, "192.0.2.7"),
        ("postgresql:///gnomon", {"PGHOST": "db.example"}, "db.example"),
        ("postgresql://db.example/gnomon?sslmode=prefer", {"PGSSLMODE": "require"}, "db.example"),
        ("postgresql://db.example/gnomon?sslmode=require", {}, ""),
        ("postgresql://db.example/gnomon", {"PGSSLMODE": "verify-full"}, ""),
        ("postgresql://gnomon:secret@localhost/gnomon", {}, ""),
        ("postgresql:///gnomon", {}, ""),
        ("postgresql:///gnomon?host=/run/postgresql", {}, ""),
        ("postgresql://[nonsense", {}, ""),
    ],
)
def test_a_database_that_may_be_spoken_to_unencrypted_is_named(
    address: str, environment: dict[str, str], host: str
) -> None:
    warning = str(database_warning(address, environment) or "")
    assert (host in warning, bool(warning), "secret" in warning) == (True, bool(host), False)
