"""The options of `gnomond` for a hall: what they refuse, and a daemon that comes and goes at a real broker."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from click.testing import CliRunner

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Message, Will
from gnomon.hall.messaging.enrolment import NONE, Enrolment, keep
from gnomon.hall.messaging.hall_topics import BoardBus, with_hall
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


def enrolled(folder: Path, port: int, hall: str = "") -> Path:
    path = folder / "hall.toml"
    keep(path, Enrolment(HOST, port, "t07", "any", NONE, hall=hall))
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


@pytest.mark.parametrize("named", ["", "north"])
def test_a_board_comes_to_a_real_broker_is_seen_and_says_goodbye(
    tmp_path: Path, mosquitto: Mosquitto, named: str
) -> None:
    said: list[str] = []
    seen: list[Status] = []
    raw: list[Message] = []

    async def act(service: Service) -> None:
        loop, came = asyncio.get_running_loop(), asyncio.Event()

        def take(message: Message) -> None:
            seen.append(decoder.status(message.topic, message.payload))
            loop.call_soon_threadsafe(came.set)

        haste = Patience(keepalive=5, first=0.02, longest=0.05, looks=0.1, connecting=2)
        hub = MqttBus(Enrolment(HOST, mosquitto.port, "hub", "any", NONE), chance=Random(1), patience=haste)
        BoardBus(hub, named).subscribe(Topic.STATUS.of_all, take)
        hub.subscribe(with_hall(Topic.STATUS.of_all, named), raw.append)
        try:
            hall = HallOptions(enrolled(tmp_path, mosquitto.port, named))
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
    assert {message.topic for message in raw} == {with_hall("gnomon/1/t07/status", named)}
    assert said == [f"The board is t07 in the hall at {HOST}:{mosquitto.port}"]


@pytest.mark.parametrize("named", ["", "north"])
def test_the_will_of_a_board_is_published_where_its_hall_hears_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    wills: list[Will] = []
    connect = MqttBus.__init__

    def note(bus: MqttBus, enrolment: Enrolment, **more: Any) -> None:
        wills.append(more["will"])
        connect(bus, enrolment, **more)

    monkeypatch.setattr(MqttBus, "__init__", note)

    async def act(service: Service) -> None:
        hall = HallOptions(enrolled(tmp_path, 9, named))
        with in_the_hall(hall, service, service._parts.journal, service._parts.watch, print):
            await asyncio.sleep(0)

    run(tmp_path, LEVEL_1, act)
    assert [will.topic for will in wills] == [with_hall("gnomon/1/t07/status", named)]
