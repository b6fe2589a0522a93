"""`gnomon hall`: one command runs a club evening; what hinders is one sentence, and it stops when it is told to."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from getpass import getuser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from gnomon.cli import main
from gnomon.hall.broker.folder import BrokerFolder, BrokerSettings
from gnomon.hall.connections import HallConnectionError, read_address
from gnomon.hall.messaging.enrolment import NONE, SYSTEM, Enrolment, format_enrolment
from gnomon.web.hall._assembly import Wanted, open_hall
from gnomon.web.server.listener import Listener, Way
from tests.ports import held_port, port_of

LIMIT = 30  # seconds for a program to begin
STOP = 3  # and to end


@contextmanager
def killed(process: subprocess.Popen[str]) -> Iterator[None]:
    """A program that is ended at the latest when the test has failed: nobody waits for it for ever."""
    try:
        yield
    finally:
        process.kill()


def hall(*words: str) -> Result:
    return CliRunner().invoke(main, ["hall", *words])


def test_one_command_brings_a_hall_to_life_and_a_closed_terminal_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", "from gnomon.cli import main; main()", "hall", "--demo", "2", "--port", "0"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process, killed(process):
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        again = hall("--demo", "2", "--port", str(urlsplit(address[0]).port), "--unless-running")
        told = f"Gnomon is running already: {address[0]}. To start a second one beside it, choose another --port.\n"
        assert (again.exit_code, again.output) == (0, told)
        monkeypatch.setenv("GNOMON_BESIDE", 'make hall ARGS="--demo 12 --port 0"')
        again = hall("--demo", "2", "--port", str(urlsplit(address[0]).port), "--unless-running")
        assert again.output.endswith('To start a second one beside it: make hall ARGS="--demo 12 --port 0"\n')
        for path in ("", "wall", "hall.json"):
            with urllib.request.urlopen(f"{address[0]}{path}", timeout=LIMIT) as answer:
                assert answer.status == 200
        with urllib.request.urlopen(f"{address[0]}wall/events", timeout=LIMIT) as stream:
            assert stream.readline() == b"retry: 1000\n"  # a stream that is open must not hold it up
            process.send_signal(signal.SIGHUP)
            assert process.wait(STOP) == 0
        told_more = process.stdout.read()
    assert "forgets everything when it stops" in told_more
    assert list(tmp_path.iterdir()) == [], "a demonstration leaves nothing behind"


def test_a_demonstration_is_kept_where_it_is_wished(tmp_path: Path) -> None:
    program = [sys.executable, "-c", "from gnomon.cli import main; main()", "hall"]
    for _ in range(2):  # the second time with what the first has left
        command = [*program, "--demo", "1", "--port", "0", "--data", str(tmp_path / "data")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, killed(process):
            assert process.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert address is not None
            with urllib.request.urlopen(f"{address[0]}hall.json", timeout=LIMIT) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGHUP)
            assert process.wait(STOP) == 0
            assert "forgets" not in process.stdout.read()
    assert (tmp_path / "data/hall.db").is_file()


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        result = hall("--data", str(tmp_path), "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: The page cannot be served at .* choose another --port\.\n", result.output)


def test_a_database_that_cannot_be_reached_is_one_sentence_without_its_password(tmp_path: Path) -> None:
    words = ("--data", str(tmp_path), "--port", "0", "--database")
    result = hall(*words, "postgresql://gnomon:s3cret@127.0.0.1:9/gnomon")
    assert result.exit_code == 1
    assert "postgresql://127.0.0.1:9/gnomon" in result.output
    assert "s3cret" not in result.output
    assert len(result.output.splitlines()) == 1
    unwritable = hall("--data", "/proc/hall", "--port", "0")
    assert (unwritable.exit_code, "/proc/hall" in unwritable.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--demo", "2", "--broker", "x"), "one of --mqtt, --broker and --demo"),
        (("--mqtt", "nowhere.toml"), "nowhere.toml: cannot be read"),
        (("--mqtt", "mqtts://hall.local"), "say user, password and host"),
        (("--mqtt", "mqtts://hub:x@hall.local:port"), "address of the broker cannot be read"),
        (("--broker", "nowhere"), "nowhere"),
        (("--credentials", "nowhere"), "nowhere: cannot be read"),
        (("--recorders",), "a database that other processes can reach"),
        (("--boards", "a*"), "a database that other processes can reach"),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    result = hall("--data", str(tmp_path), "--port", "0", *words)
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output


def test_a_key_without_a_certificate_is_a_wrong_use() -> None:
    assert hall("--tls-key", "key.pem").exit_code == 2
    assert hall("--demo", "0").exit_code == 2


def test_the_commands_of_the_broker_are_there_as_before() -> None:
    listed = hall("--help").output
    for name in ("run", "broker", "enrol", "boards", "sheet", "code", "revoke"):
        assert re.search(rf"^  {name} ", listed, re.MULTILINE)
    assert "--demo" in hall("run", "--help").output


def test_an_address_says_who_the_hall_is_at_the_broker(tmp_path: Path) -> None:
    told = Enrolment("hall.local", 8883, "hub", "p@ss", SYSTEM)
    assert read_address("mqtts://hub:p%40ss@hall.local") == told
    assert read_address("mqtts://hub:p%40ss@hall.local/north") == replace(told, hall="north")
    assert read_address("mqtt://hub:x@10.0.0.1:1884") == Enrolment("10.0.0.1", 1884, "hub", "x", NONE)
    (tmp_path / "hub.toml").write_text(format_enrolment(told))
    assert read_address(str(tmp_path / "hub.toml")) == told


def test_secrets_stand_in_a_file_of_their_own(tmp_path: Path) -> None:
    secret = tmp_path / "secret.toml"
    secret.write_text(f'database = "{tmp_path / "other.db"}"\n')
    with open_hall(Wanted(tmp_path / "data", credentials=secret), print) as here:
        assert here.hall.health() == ()
    assert (tmp_path / "other.db").exists()
    for text, said in (("database = 3", "database is unknown there"), ("x = ''", "x is unknown"), ("=", "not TOML")):
        secret.write_text(text)
        with pytest.raises(HallConnectionError, match=said), open_hall(Wanted(tmp_path, credentials=secret), print):
            pass


def test_a_broker_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    with open_hall(Wanted(tmp_path, mqtt="mqtt://hub:x@127.0.0.1:9"), lambda _: None) as here:
        assert here.carried.message == "Boards connect through 127.0.0.1:9."
        assert here.hall.places() == ()


def test_pages_that_go_to_other_machines_unencrypted_are_said_to_do_so() -> None:
    for host, way, is_exposed in (
        ("0.0.0.0", Way(), True),
        ("0.0.0.0", Way(proxies=("127.0.0.1",)), False),
        ("127.0.0.1", Way(), False),
    ):
        with closing(Listener(host, 0, way)) as listener:
            assert listener.is_exposed == is_exposed


def test_a_broker_of_another_machine_without_encryption_is_warned_of(tmp_path: Path) -> None:
    said: list[str] = []
    with open_hall(Wanted(tmp_path, mqtt="mqtt://hub:s3cret@192.0.2.1:9"), said.append):
        (warning,) = (line for line in said if "unencrypted" in line)
    assert "192.0.2.1:9" in warning
    assert "s3cret" not in warning


def test_a_small_broker_listens_where_boards_are_told_to_come(tmp_path: Path) -> None:
    folder = BrokerFolder(tmp_path / "broker")
    with closing(held_port()) as held, closing(socket.create_server(("127.0.0.2", port_of(held)))):
        port = port_of(held)  # which somebody listens at, too, at another address
        folder.lay_out(BrokerSettings(("127.0.0.1",), port, user=getuser()))
        assert f"listener {port} 127.0.0.1\n" in (folder.path / "mosquitto.conf").read_text()
        with open_hall(Wanted(tmp_path / "data", broker=folder.path), print) as here:
            assert here.carried.message == f"Boards connect to 127.0.0.1:{port}, from this machine only."
            socket.create_connection(("127.0.0.1", port), LIMIT).close()
    folder.lay_out(BrokerSettings(("192.0.2.77",), port, user=getuser()))
    with (
        pytest.raises(HallConnectionError, match="does not have the address"),
        open_hall(Wanted(tmp_path / "data", broker=folder.path), print),
    ):
        pass
