"""Start a real Mosquitto and a real PostgreSQL at ports of their own, for the tests."""

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Final
from weakref import finalize

import psycopg
import pytest

from tests.conftest import FindProgram
from tests.ports import held_port, port_of

HOST: Final = "127.0.0.1"
_STOP_WITHIN: Final = 20
"""Seconds for a server that was asked to stop."""
_LINES_KEPT: Final = 2000
_ANYBODY: Final = ("listener {port} 127.0.0.1", "allow_anonymous true")
# Debian's package brings the user; PostgreSQL refuses to run as root.
_POSTGRES: Final = "postgres"


class ServerError(Exception):
    """A server did not start; the message is what it said."""


def bridge_to(port: int) -> tuple[str, ...]:
    """The configuration of a broker for everybody that passes all messages of halls to another one and back."""
    return (
        *_ANYBODY,
        "connection other",
        f"address {HOST}:{port}",
        "bridge_protocol_version mqttv50",
        "restart_timeout 1",
        "topic gnomon/# both 1",
    )


class Mosquitto:
    """A broker with a configuration of its own, which can be killed and come back at the same port."""

    def __init__(self, program: str, folder: Path, lines: Sequence[str] = _ANYBODY) -> None:
        """`lines` is the configuration, `{port}` in it the port. Raises ServerError when it does not start."""
        self._program, self._folder = program, folder
        self._process: subprocess.Popen[str] | None = None
        self._reader: Thread | None = None
        self.log: deque[str] = deque(maxlen=_LINES_KEPT)
        """What the broker said, the oldest first."""
        held = held_port(HOST)
        finalize(self, held.close)
        self.port = port_of(held)
        self._write(lines)
        self.start()

    @property
    def pid(self) -> int:
        """The process's number. Raises ServerError when it does not run."""
        if self._process is None:
            message = "the broker does not run"
            raise ServerError(message)
        return self._process.pid

    def start(self) -> None:
        """Start, and wait until it listens. Raises ServerError with what it said when it does not."""
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._folder / "mosquitto.conf")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.log.append(line.rstrip())
            if line.rstrip().endswith(" running"):
                break
        else:
            self.stop()
            message = "mosquitto did not start: " + "; ".join(list(self.log)[-5:])
            raise ServerError(message)
        self._reader = Thread(target=self.log.extend, args=(map(str.rstrip, self._process.stderr),), daemon=True)
        self._reader.start()

    def kill(self) -> None:
        """End it as a power cut would, with no time for anything."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to stop, and wait for it."""
        self._end(signal.SIGTERM)

    def freeze(self) -> None:
        """Let it hang, with its connections open, until `thaw`."""
        os.kill(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on after `freeze`."""
        os.kill(self.pid, signal.SIGCONT)

    def reload(self) -> None:
        """Have it read its passwords and its access list again."""
        os.kill(self.pid, signal.SIGHUP)

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        if how is signal.SIGTERM:
            self._process.send_signal(signal.SIGCONT)
            self._ask_to_stop(self._process)
        self._process.wait(_STOP_WITHIN)
        if self._reader is not None:
            self._reader.join(_STOP_WITHIN)
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._process = self._reader = None

    def _ask_to_stop(self, process: subprocess.Popen[str]) -> None:
        """Repeat the signal every second: Mosquitto forgets one that comes just after it has said that it runs.

        It says so before it sets the flag that its handler of the signal clears.
        """
        for _ in range(_STOP_WITHIN):
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
                return
            process.send_signal(signal.SIGTERM)

    def _write(self, lines: Sequence[str]) -> None:
        # Started by root it would become the user `mosquitto`, who may not look into the tests' folders.
        settings = (*lines, f"user {getpass.getuser()}", "log_dest stderr", "log_type all")
        text = "\n".join(settings).replace("{port}", str(self.port))
        (self._folder / "mosquitto.conf").write_text(f"{text}\n", encoding="utf-8")


class PostgreSql:
    """A database server with one empty database a test, which can be killed and come back at the same port."""

    def __init__(self, initdb: str) -> None:
        """`initdb` is the program of that name, beside which the others stand. Raises ServerError."""
        self._programs = Path(initdb).parent
        self._folder = Path(tempfile.mkdtemp(prefix="gnomon-postgresql-"))
        self._as_whom: tuple[str, ...] = ()
        if os.geteuid() == 0:
            user = pwd.getpwnam(_POSTGRES)
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as_whom = ("runuser", "-u", _POSTGRES, "--")
        self._data = self._folder / "data"
        self._numbers = count(1)
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", _POSTGRES, "-N", "-E", "UTF8", "--locale=C")
        held = held_port(HOST)
        finalize(self, held.close)
        self.port = port_of(held)
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers. Raises ServerError with what it said when it does not."""
        # Nothing here outlives the machine: no waiting for the disk.
        settings = {
            "port": self.port,
            "listen_addresses": HOST,
            "unix_socket_directories": self._folder,
            "fsync": "off",
            "full_page_writes": "off",
            "shared_buffers": "16MB",
            "max_connections": 60,
        }
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        log = self._folder / "log"
        try:
            self._run("pg_ctl", "-D", str(self._data), "-l", str(log), "-o", options, "-w", "start")
        except ServerError as error:
            message = f"{error}; {log.read_text(encoding='utf-8')[-1000:]}"
            raise ServerError(message) from error

    def url(self, database: str = _POSTGRES) -> str:
        """How a client names a database of this server."""
        return f"postgresql://{_POSTGRES}@{HOST}:{self.port}/{database}"

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"gnomon{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def kill(self) -> None:
        """End it at once, with every connection, as a crash would: the next start reads its log again."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        """Stop it, and leave nothing behind."""
        if (self._data / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self._folder)

    def _run(self, program: str, *words: str) -> None:
        # A server that inherited a pipe would hold it open: the output goes to a file.
        with tempfile.TemporaryFile("w+") as output:
            command = [*self._as_whom, str(self._programs / program), *words]
            ended = subprocess.run(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False
            )
            if ended.returncode != 0:
                output.seek(0)
                message = f"{program} failed: {output.read().strip()[-500:]}"
                raise ServerError(message)


class PgBouncer:
    """A pool of connections before a server, which gives each transaction another session, by turns.

    https://www.pgbouncer.org/config.html
    """

    def __init__(self, program: str, server: PostgreSql) -> None:
        """Raises ServerError when it does not answer."""
        self._server = server
        self._folder = Path(tempfile.mkdtemp(prefix="gnomon-pgbouncer-"))
        held = held_port(HOST)
        finalize(self, held.close)
        self.port = port_of(held)
        settings = {
            "listen_addr": HOST,
            "listen_port": self.port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": 4,
            "server_round_robin": 1,
            "max_client_conn": 200,
        }
        where = self._folder / "pgbouncer.ini"
        lines = [
            "[databases]",
            f"* = host={HOST} port={server.port} user={_POSTGRES}",
            "[pgbouncer]",
            *(f"{name} = {value}" for name, value in settings.items()),
        ]
        where.write_text("\n".join(lines) + "\n", encoding="utf-8")
        as_whom: tuple[str, ...] = ()
        if os.geteuid() == 0:  # it refuses to run as root
            self._folder.chmod(0o755)
            as_whom = ("runuser", "-u", _POSTGRES, "--")
        self._process = subprocess.Popen(
            [*as_whom, program, "-q", str(where)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._wait()

    def url(self, of_server: str) -> str:
        """How a client reaches a database of the server through the pool."""
        return of_server.replace(f":{self._server.port}/", f":{self.port}/")

    def remove(self) -> None:
        """Stop it, and leave nothing behind."""
        self._process.terminate()
        self._process.wait(_STOP_WITHIN)
        shutil.rmtree(self._folder)

    def _wait(self) -> None:
        for _ in range(_STOP_WITHIN * 10):
            try:
                psycopg.connect(self.url(self._server.url()), connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.1)
            else:
                return
        self.remove()
        message = "pgbouncer does not answer"
        raise ServerError(message)


@pytest.fixture(scope="session")
def mosquitto_program(find_program: FindProgram) -> str:
    """The path of Mosquitto."""
    return find_program("mosquitto", package="mosquitto")


@pytest.fixture(scope="session")
def mosquitto(mosquitto_program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A broker for everybody, without passwords: a test that kills it restarts it, and clears what it has retained."""
    broker = Mosquitto(mosquitto_program, tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def postgresql(find_program: FindProgram) -> Iterator[PostgreSql]:
    """A database server: take `new_database()`; a test that kills the server starts it again."""
    server = PostgreSql(find_program("initdb", package="postgresql"))
    yield server
    server.remove()


@pytest.fixture(scope="session")
def pgbouncer(find_program: FindProgram, postgresql: PostgreSql) -> Iterator[PgBouncer]:
    """A pool before the database server."""
    pool = PgBouncer(find_program("pgbouncer", package="pgbouncer"), postgresql)
    yield pool
    pool.remove()
