"""The tests of `gnomon hall record`: a recorder at work on a real broker, until it is told to stop."""

import os
import signal
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
from click.testing import CliRunner

from gnomon.cli.hall_commands.hall import hall
from gnomon.hall import record_service
from gnomon.hall.connections import HallConnectionError
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.hub.thread import HubThread
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.hall.store.archive import BoardArchive
from gnomon.hall.store.backend import open_database
from tests.hall.boards import Clock, ModelBoard
from tests.hall.bus_contract import WITHIN
from tests.hall.servers import HOST, Mosquitto
from tests.hall.test_mqtt_bus import HASTE
from tests.hall.told import record


def play(port: int, kept: Event) -> None:
    """Be a board until its records are acknowledged, and then tell this process to stop."""
    bus = MqttBus(Enrolment(HOST, port, "t01", "any", NONE), chance=Random(1), patience=HASTE)
    board = ModelBoard("t01", bus, Clock())
    board.write(*(record(0) for _ in range(3)))
    for _ in range(int(WITHIN / 0.2)):
        board.run()
        if board.outbox.mark == len(board.journal):
            kept.set()
            break
        Event().wait(0.2)
        board.clock.wait(6)
    bus.close()
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_recorder_keeps_what_comes_until_it_is_told_to_stop(mosquitto: Mosquitto, tmp_path: Path) -> None:
    where, said, kept = str(tmp_path / "hall.db"), list[str](), Event()
    before = signal.getsignal(signal.SIGTERM)
    board = Thread(target=play, args=(mosquitto.port, kept))
    board.start()
    record_service.run(f"mqtt://recorder-1:any@{HOST}:{mosquitto.port}", where, HubTerms(), said.append)
    board.join(WITHIN)
    assert kept.is_set()
    assert said[-1] == "3 records kept"
    assert signal.getsignal(signal.SIGTERM) == before
    database = open_database(where)
    assert [each.seq for each in BoardArchive(database, "t01").read(1)] == [1, 2, 3]
    database.close()


def test_a_recorder_that_has_failed_ends_its_process(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HubThread, "is_alive", False)
    where = f"mqtt://recorder-1:any@{HOST}:{mosquitto.port}"
    with pytest.raises(HallConnectionError):
        record_service.run(where, str(tmp_path / "hall.db"), HubTerms(), lambda _: None)


def test_a_recorder_is_told_where_boards_and_database_are(tmp_path: Path) -> None:
    def told(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(hall, ["record", *words])
        return result.exit_code, result.output

    assert told()[0] == 2
    assert "--mqtt and --database" in told("--mqtt", "mqtt://r:x@127.0.0.1:9")[1]
    secret = tmp_path / "secret.toml"
    secret.write_text(
        'mqtt = "mqtt://recorder-1:x@127.0.0.1:9"\ndatabase = "postgresql://gnomon:s3cret@127.0.0.1:9/x"\n'
    )
    code, output = told("--credentials", str(secret))
    assert (code, "s3cret" in output, "127.0.0.1:9/x" in output) == (1, False, True)
    assert told("--credentials", str(tmp_path / "nowhere"))[0] == 1
    for text in (f"mqtt = {'[' * 5_000}", f"{'a.' * 30_000}a = 1"):
        secret.write_text(text, "utf-8")
        code, output = told("--credentials", str(secret))
        assert code == 1
        assert "is not TOML" in output
