"""The options of `gnomond` for a hall: what they refuse, and a daemon that comes and goes at a real broker."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random

import click
from click.testing import CliRunner

from gnomon.hall.enrolment import NONE, Enrolment, keep
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.messages import Status, Topic
from gnomon.hall.messaging.mqtt_bus import MqttBus, Patience
from gnomon_pi.cli.daemon import main
from gnomon_pi.hall_link.options import HallOptions, hall_options, in_the_hall
from gnomon_pi.runtime.service import Service
from tests.daemon.test_service import LEVEL_1, run
from tests.hall.servers import HOST, Mosquitto


def refused(*arguments: str) -> tuple[int, str]:
    """The exit code and the last line with which `gnomond` does not start."""
    result = CliRunner().invoke(main, ["--simulated", "--no-page", *arguments])
    assert "Traceback" not in result.output
    return result.exit_code, result.stderr.splitlines()[-1]


def enrolled(folder: Path, port: int) -> Path:
    path = folder / "hall.toml"
    keep(path, Enrolment(HOST, port, "t07", "any", NONE))
    return path


def test_a_file_that_is_no_enrolment_is_refused_in_one_sentence(tmp_path: Path) -> None:
    journal = f"--journal={tmp_path / 'journal'}"
    code, said = refused(journal, f"--hall={tmp_path / 'nowhere'}")
    assert (code, said) == (1, f"gnomond: {tmp_path / 'nowhere'}: cannot be read: No such file or directory")
    (tmp_path / "hall.toml").write_text("[hall]\nhost = 1\n")
    code, said = refused(journal, f"--hall={tmp_path / 'hall.toml'}")
    assert (code, said) == (1, f"gnomond: {tmp_path / 'hall.toml'}: [hall] has no text host")


def test_a_service_is_in_a_hall_as_soon_as_there_is_an_enrolment(tmp_path: Path) -> None:
    taken: list[HallOptions | None] = []

    def take(*, hall: HallOptions | None) -> None:
        taken.append(hall)

    command = click.command()(hall_options(take))
    file = tmp_path / "hall.toml"
    for words in (["--hall-if", str(file)], ["--hall-if", str(file), "--home-assistant"]):
        assert CliRunner().invoke(command, words).exit_code == 0
    assert taken == [None, None]
    enrolled(tmp_path, 1883)
    CliRunner().invoke(command, ["--hall-if", str(file), "--home-assistant"])
    CliRunner().invoke(command, ["--hall-if", str(file), "--hall", "other.toml"])
    assert taken[2:] == [HallOptions(file, home_assistant=True), HallOptions(Path("other.toml"))]


def test_home_assistant_is_at_the_halls_broker() -> None:
    code, said = refused("--home-assistant")
    assert (code, said) == (2, "Error: --home-assistant needs --hall: the board is described at the hall's broker.")


def test_without_a_hall_nothing_of_it_is_loaded() -> None:
    said = "import sys, gnomon_pi.cli.daemon; print(*sys.modules, sep='\\n')"
    loaded = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True).stdout.split()
    assert "gnomon_pi.hall_link.options" in loaded
    assert not [name for name in loaded if name.startswith(("paho", "gnomon.hall"))]


def test_a_board_comes_to_a_real_broker_is_seen_and_says_goodbye(tmp_path: Path, mosquitto: Mosquitto) -> None:
    said: list[str] = []
    seen: list[Status] = []

    async def act(service: Service) -> None:
        loop, came = asyncio.get_running_loop(), asyncio.Event()

        def take(message: Message) -> None:
            seen.append(decoder.status(message.topic, message.payload))
            loop.call_soon_threadsafe(came.set)

        haste = Patience(keepalive=5, first=0.02, longest=0.05, looks=0.1, connecting=2)
        hub = MqttBus(Enrolment(HOST, mosquitto.port, "hub", "any", NONE), chance=Random(1), patience=haste)
        hub.subscribe(Topic.STATUS.of_all, take)
        try:
            hall = HallOptions(enrolled(tmp_path, mosquitto.port))
            with in_the_hall(hall, service, service._parts.journal, service._parts.watch, said.append):
                await asyncio.wait_for(came.wait(), 30)
                assert (seen[0].board, seen[0].online, seen[0].kind) == ("t07", True, "tamsk")
                came.clear()
            await asyncio.wait_for(came.wait(), 30)
        finally:
            hub.close()
            hub.join(30)

    run(tmp_path, LEVEL_1, act)
    assert (seen[-1].online, seen[-1].goodbye) == (False, True)
    assert said == [f"The board is t07 in the hall at {HOST}:{mosquitto.port}"]
