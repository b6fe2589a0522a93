import errno
import socket
import sys
from pathlib import Path

import psycopg
import pytest

from tests.hall.servers import HOST, Mosquitto, PostgreSql, ServerError

DEAF_AT_FIRST = f"""#!{sys.executable}
import signal, sys

told = []
signal.signal(signal.SIGTERM, lambda *_: told.append(True))
print("mosquitto version 2 running", file=sys.stderr, flush=True)
while len(told) < 2:
    signal.pause()
"""
"""A broker that forgets a signal which comes as soon as it has said that it runs, as Mosquitto may."""


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


def test_a_broker_that_forgets_a_signal_is_told_again(tmp_path: Path) -> None:
    program = tmp_path / "mosquitto"
    program.write_text(DEAF_AT_FIRST)
    program.chmod(0o755)
    broker = Mosquitto(str(program), tmp_path)
    broker.stop()
    assert broker.log[0].endswith(" running")


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
