import errno
import socket
from pathlib import Path

import psycopg
import pytest

from tests.hall.servers import HOST, Mosquitto, PostgreSql, ServerError


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0


def is_held(port: int) -> bool:
    """Whether no other process can take a port."""
    with socket.socket() as other:
        try:
            other.bind((HOST, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def test_a_broker_that_was_killed_comes_back_at_its_port(mosquitto: Mosquitto) -> None:
    mosquitto.kill()
    assert not listens(mosquitto.port)
    assert is_held(mosquitto.port)
    mosquitto.start()
    assert listens(mosquitto.port)


def test_a_broker_that_cannot_start_says_why(mosquitto_program: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="nonsense"):
        Mosquitto(mosquitto_program, tmp_path, ["nonsense true"])


def test_a_database_that_was_killed_still_has_what_it_said_it_had(postgresql: PostgreSql) -> None:
    url = postgresql.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS one")
    postgresql.kill()
    assert not listens(postgresql.port)
    assert is_held(postgresql.port)
    postgresql.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT one FROM kept").fetchone() == (1,)


def test_every_database_is_a_new_one(postgresql: PostgreSql) -> None:
    assert postgresql.new_database() != postgresql.new_database()
