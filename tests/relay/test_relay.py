"""Two whole daemons play over a real relay, in real time."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event

import pytest
from click.testing import CliRunner

from gnomon.cli import main
from gnomon.distance.codes import LETTERS, room_of, topic_of
from gnomon.hall.broker import _authority
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.hall.relay import Relay, RelayDoors, RelayError, tls_of
from gnomon.records.files import JournalFile, stored_games
from gnomon.referee.events import ResultDeclared
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Instant
from gnomon.views.opponents import invitation_of
from gnomon.words import ENGLISH
from gnomon_pi.relay_link.options import RelayOptionError
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Service
from tests.hall.servers import Mosquitto
from tests.relay.services import begun, game_at, gone, play_on, reached, service_at, texts_of
from tests.relay.web_front import web_front

HOST = "127.0.0.1"
PROGRAM = Path(sys.executable).with_name("gnomon")


@pytest.fixture
def relay() -> Iterator[Relay]:
    opened = Relay(HOST, 0)
    yield opened
    opened.close()


def address(relay: Relay) -> str:
    return f"mqtt://{HOST}:{relay.port}"


async def invite(service: Service, **settings: str) -> str:
    """Begin a game with another board; the code by which it joins."""
    await service.controller.new_game(GameSetup("tabik", {"size": 3, "opponent": "another-board", **settings}))
    opponent = game_at(service).opponent
    assert opponent is not None
    await reached(service, "distance.invites")
    return opponent.code


async def join(service: Service, code: str, name: str = "") -> None:
    settings = {"opponent": "another-board", "opponent_code": code}
    await service.controller.new_game(GameSetup("tabik", settings, players={"black": name}))


def test_a_board_joins_by_its_code_and_both_play_to_the_end(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
        ):
            code = await invite(one, clock="5+3")
            assert invitation_of(game_at(one), ENGLISH) is not None
            await join(two, f"{code[:3].lower()}-{code[3:]}", "Bo")
            await gone(one, "distance.invites")
            await play_on(one, two)
            assert dict(game_at(one).people) == dict(game_at(two).people) == {"white": "Bo"}
            assert invitation_of(game_at(one), ENGLISH) is None
            assert texts_of(one) == texts_of(two)
            assert [ply.when for ply in game_at(one).plies] == [ply.when for ply in game_at(two).plies]
            assert game_at(one).outcome == game_at(two).outcome
            assert one.health.all() == two.health.all() == ()
        assert [dict(stored_games(tmp_path / each)[0].players) for each in ("one", "two")] == 2 * [{"white": "Bo"}], (
            "the lists of games of both boards name the guest"
        )

    asyncio.run(play())


def choose(service: Service, *labels: str) -> None:
    """Choose one row after the other in the menu of a board."""
    desk = service._menu
    assert desk is not None
    desk.menu.ask_for_a_game(service._parts.watch.now())
    for label in labels:
        menu = desk.menu._menus[-1]
        desk.menu._choose(next(row.wanted for row in menu.rows if row.label.startswith(label)))


def group_of(letter: str) -> str:
    """The first letter of the row in which the menu offers a letter."""
    return LETTERS[LETTERS.index(letter) // 4 * 4]


def test_a_board_invites_and_another_joins_by_its_menu(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
        ):
            choose(one, "Another", "Invite", "Tabik", "No", "Black", "None")
            await reached(one, "distance.invites")
            opponent = game_at(one).opponent
            assert opponent is not None
            letters = [row for letter in opponent.code for row in (group_of(letter), letter)]
            choose(two, "Another", "Join", *letters)
            await gone(one, "distance.invites")
            await begun(two)
            await play_on(one, two, turns=4)
            assert texts_of(one)[:4] == texts_of(two)[:4]

    asyncio.run(play())


def test_two_daemons_throw_together_and_both_records_have_both_shares(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
        ):
            await one.controller.new_game(GameSetup("twenty-squares", {"opponent": "another-board"}))
            opponent = game_at(one).opponent
            assert opponent is not None
            await join(two, opponent.code)
            await play_on(one, two, turns=12)
            with pytest.raises(ControllerError, match="The other board throws and draws for its own side"):
                await next(each for each in (one, two) if game_at(each).is_elsewhere).controller.throw()
            assert one.health.all() == two.health.all() == ()

    asyncio.run(play())
    found, keys = [], []
    for name in ("one", "two"):
        journal = JournalFile(tmp_path / name)
        bodies = [each.entry.body for each in journal.read(1)]
        found.append([str(each["why"]) for each in bodies if "links" in str(each.get("why", ""))])
        keys.append((tmp_path / f"{name}.relay.key").read_text(encoding="ascii"))
        assert keys[-1] not in str(bodies)
    assert keys[0] != keys[1], "two boards in one folder have a key each"
    assert found[0][:4] == found[1][:4]
    assert len(found[0]) >= 4
    for name in ("one", "two"):
        checked = CliRunner().invoke(main, ["journal", "throws", str(tmp_path / name)])
        assert checked.exit_code == 0, checked.output
        assert checked.output.count("both boards threw together") >= 4
        assert "alone" not in checked.output


def test_nobody_throws_before_the_other_board_has_given_its_share(
    tmp_path: Path, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon_pi.relay_link._desk.SHARE", 0.1)

    async def play() -> None:
        async with service_at(tmp_path / "one", address(relay)) as one:
            await one.controller.new_game(GameSetup("twenty-squares", {"opponent": "another-board"}))
            await reached(one, "distance.invites")
            with pytest.raises(ControllerError, match="The other board has not sent its share of the throw"):
                await one.controller.throw()
            assert game_at(one).plies == ()

    asyncio.run(play())


async def meet(tmp_path: Path, address: str, authority: Path | None = None) -> None:
    """Let two daemons join and play some turns over the relay at an address."""
    async with (
        service_at(tmp_path / "one", address, authority=authority) as one,
        service_at(tmp_path / "two", address, authority=authority) as two,
    ):
        await join(two, await invite(one))
        await play_on(one, two, turns=4)
        assert texts_of(one)[:4] == texts_of(two)[:4]


def test_a_relay_speaks_tls_and_proves_itself(tmp_path: Path) -> None:
    by = _authority.authority("Club")
    issued = _authority.server([HOST], by)
    (tmp_path / "ca.pem").write_text(by.certificate, encoding="utf-8")
    (tmp_path / "relay.pem").write_text(issued.certificate + issued.key, encoding="utf-8")
    relay = Relay(HOST, 0, tls_of(tmp_path / "relay.pem", None))
    try:
        asyncio.run(meet(tmp_path, f"mqtts://{HOST}:{relay.port}", tmp_path / "ca.pem"))
    finally:
        relay.close()


@pytest.mark.parametrize("is_secure", [False, True])
def test_a_relay_serves_websocket_beside_bare_connections(tmp_path: Path, *, is_secure: bool) -> None:
    by = _authority.authority("Club")
    issued = _authority.server([HOST], by)
    (tmp_path / "ca.pem").write_text(by.certificate, encoding="utf-8")
    (tmp_path / "relay.pem").write_text(issued.certificate + issued.key, encoding="utf-8")
    web = f"{'wss' if is_secure else 'ws'}://{HOST}:0"
    command: list[str | Path] = [PROGRAM, "relay", "--host", HOST, "--port", "0", "--websocket", web]
    command += ["--tls-certificate", tmp_path / "relay.pem"]

    async def play(bare: str, web: str) -> None:
        async with (
            service_at(tmp_path / "one", web, authority=tmp_path / "ca.pem") as one,
            service_at(tmp_path / "two", f"{web}/mqtt", authority=tmp_path / "ca.pem") as two,
            service_at(tmp_path / "three", bare, authority=tmp_path / "ca.pem") as three,
        ):
            await join(two, await invite(one))
            await play_on(one, two)
            assert texts_of(one) == texts_of(two)
            await join(three, await invite(one))
            await play_on(one, three, turns=4)
            assert texts_of(one)[:4] == texts_of(three)[:4]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        assert relay.stderr is not None
        try:
            said = [relay.stdout.readline() for _ in range(2)]
            (bare,), (at,) = (re.findall(r"The relay listens at (\S+);", line) for line in said)
            assert re.fullmatch(rf"{web[:-1]}[1-9][0-9]*", at)
            asyncio.run(play(bare, at))
        finally:
            relay.terminate()
        assert relay.stderr.read() == ""


@pytest.mark.parametrize("is_secure", [False, True])
def test_boards_reach_a_relay_behind_a_program_that_speaks_websocket(
    tmp_path: Path, relay: Relay, *, is_secure: bool
) -> None:
    by = _authority.authority("Club")
    issued = _authority.server([HOST], by)
    (tmp_path / "ca.pem").write_text(by.certificate, encoding="utf-8")
    (tmp_path / "front.pem").write_text(issued.certificate + issued.key, encoding="utf-8")

    async def play() -> None:
        tls = tls_of(tmp_path / "front.pem", None) if is_secure else None
        async with web_front(relay.port, tls) as (port, paths):
            address = f"wss://{HOST}:{port}/relay" if is_secure else f"ws://{HOST}:{port}"
            async with (
                service_at(tmp_path / "one", address, authority=tmp_path / "ca.pem") as one,
                service_at(tmp_path / "two", address, authority=tmp_path / "ca.pem") as two,
            ):
                await join(two, await invite(one))
                await play_on(one, two)
                assert texts_of(one) == texts_of(two)
            assert set(paths) == {"/relay" if is_secure else "/mqtt"}

    asyncio.run(play())


@pytest.mark.parametrize(
    "address",
    [
        "relay.example.org",
        "http://relay.example.org",
        "mqtt://relay.example.org/path",
        "mqtt://relay.example.org:99999",
        "wss://",
        "wss://me@relay.example.org",
        "wss://relay.example.org/a b",
        "wss://relay.example.org/mqtt?a=b",
    ],
)
def test_an_address_that_is_no_relay_is_refused_with_one_sentence(tmp_path: Path, address: str) -> None:
    async def ask() -> None:
        with pytest.raises(RelayOptionError, match="is no relay; write mqtts://HOST:PORT"):
            async with service_at(tmp_path / "one", address):
                pass

    asyncio.run(ask())


def test_a_mosquitto_that_lets_everybody_in_is_a_relay_too(tmp_path: Path, mosquitto: Mosquitto) -> None:
    asyncio.run(meet(tmp_path, f"mqtt://{HOST}:{mosquitto.port}"))


def test_a_daemon_that_was_ended_goes_on_in_the_same_room(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with service_at(tmp_path / "one", address(relay)) as one:
            async with service_at(tmp_path / "two", address(relay)) as two:
                await join(two, await invite(one))
                await play_on(one, two, turns=3)
            if not game_at(one).is_elsewhere:
                await one.controller.enter(game_at(one).texts()[0])
            async with service_at(tmp_path / "two", address(relay)) as two:
                await play_on(one, two)
                assert texts_of(one) == texts_of(two)

    asyncio.run(play())


def test_a_relay_that_was_ended_and_started_again_loses_nothing(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
        ):
            await join(two, await invite(one))
            await play_on(one, two, turns=2)
            await asyncio.to_thread(relay.close)
            again = Relay(HOST, relay.port)
            try:
                await play_on(one, two)
            finally:
                await asyncio.to_thread(again.close)
            assert texts_of(one) == texts_of(two)

    asyncio.run(play())


def test_a_code_that_nobody_has_given_is_refused_with_one_sentence(
    tmp_path: Path, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon_pi.relay_link._desk.PATIENCE", 1.0)

    async def ask() -> None:
        async with service_at(tmp_path / "one", address(relay)) as one:
            with pytest.raises(ControllerError, match="No board has answered that invites with the code ABC-DEF"):
                await join(one, "ABCDEF")
            with pytest.raises(ControllerError, match="a code has six letters"):
                await join(one, "O1")

    asyncio.run(ask())


def test_a_third_board_is_told_that_the_code_is_taken(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
            service_at(tmp_path / "three", address(relay)) as three,
        ):
            code = await invite(one)
            await join(two, code)
            await play_on(one, two, turns=2)
            with pytest.raises(ControllerError, match="Another board has already joined with the code"):
                await join(three, code)
            await play_on(one, two)
            assert texts_of(one) == texts_of(two)

    asyncio.run(play())


def test_a_game_that_cannot_be_played_apart_is_refused_with_one_sentence(tmp_path: Path, relay: Relay) -> None:
    async def ask() -> None:
        async with service_at(tmp_path / "one", address(relay)) as one:
            setup = GameSetup("clock", {"clock": "5", "opponent": "another-board"})
            with pytest.raises(ControllerError, match="plays with the clock alone"):
                await one.controller.new_game(setup)

    asyncio.run(ask())


def test_a_board_that_cannot_play_the_game_says_so_at_both_and_another_may_join(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay), "tamsk") as one,
            service_at(tmp_path / "two", address(relay)) as two,
            service_at(tmp_path / "three", address(relay), "tamsk") as three,
        ):
            await one.controller.new_game(GameSetup("tamsk", {"level": 1, "opponent": "another-board"}))
            await reached(one, "distance.invites")
            opponent = game_at(one).opponent
            assert opponent is not None
            with pytest.raises(ControllerError, match="TAMSK is played on its own board"):
                await join(two, opponent.code)
            await reached(one, "distance.refused")
            assert two.runner.live_game is None
            await join(three, opponent.code)
            assert game_at(three).rules.name == "tamsk"
            await gone(one, "distance.refused")
            await gone(one, "distance.invites")
            assert one.health.all() == ()

    asyncio.run(play())


def test_resigning_at_one_board_ends_the_game_at_both(tmp_path: Path, relay: Relay) -> None:
    async def play() -> None:
        async with (
            service_at(tmp_path / "one", address(relay)) as one,
            service_at(tmp_path / "two", address(relay)) as two,
        ):
            await join(two, await invite(one))
            await play_on(one, two, turns=2)
            with pytest.raises(ControllerError, match="Only the other board can resign for its side"):
                await one.controller.correct(ResultDeclared(Instant(0), "black", "resigned", "Ann"))
            await one.controller.correct(ResultDeclared(Instant(0), "white", "resigned", "Ann"))
            await play_on(one, two)
            assert game_at(two).outcome == game_at(one).outcome

    asyncio.run(play())


def test_only_the_two_sides_of_a_room_read_and_write_there() -> None:
    doors, room = RelayDoors(), room_of("ABCDEF")
    host, guest = room.user("host"), room.user("guest")
    assert doors.lets_in(host, room.password("host"))
    assert not doors.lets_in(host, "another")
    assert not doors.lets_in("somebody", "secret")
    assert not doors.lets_in(guest, "")
    assert doors.may_write(host, topic_of(room.name, "host"))
    assert not doors.may_write(host, topic_of(room.name, "guest"))
    assert doors.may_read(host, topic_of(room.name, "guest"))
    assert not doors.may_read(host, topic_of("0" * 32, "guest"))
    assert not doors.may_read("somebody", "gnomon/relay/1/#")
    assert not doors.have_changed()


def test_who_asks_for_every_room_hears_nothing(relay: Relay) -> None:
    room, heard, came = room_of("ABCDEF"), [], Event()

    def connect(user: str, password: str, seed: int) -> MqttBus:
        return MqttBus(Enrolment(HOST, relay.port, user, password, NONE), chance=Random(seed))

    stranger = connect(f"{'f' * 32}-host", "secret", 1)
    host, guest = (connect(room.user(role), room.password(role), 2) for role in ("host", "guest"))
    stranger.subscribe("gnomon/relay/1/#", lambda message: heard.append(message.topic))
    guest.subscribe(topic_of(room.name, "host"), lambda _: came.set())
    for _ in range(200):
        host.publish(topic_of(room.name, "host"), b"a report", sure=False)
        if came.wait(0.05):
            break
    for each in (stranger, host, guest):
        each.close()
        each.join(5)
    assert came.is_set()
    assert heard == []


def test_a_port_that_is_taken_is_said(relay: Relay) -> None:
    with pytest.raises(RelayError, match=f"cannot listen at port {relay.port}"):
        Relay(HOST, relay.port)


def test_a_certificate_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(RelayError, match="is no certificate"):
        tls_of(tmp_path / "none.pem", None)
