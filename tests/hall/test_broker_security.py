from collections import Counter
from collections.abc import Callable, Iterator
from getpass import getuser
from pathlib import Path
from random import Random
from threading import Event
from typing import NamedTuple

import pytest
from paho.mqtt.client import Client, ConnectFlags, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from gnomon.hall.broker.folder import BrokerFolder, BrokerSettings
from gnomon.hall.hall import Hall as TheHall
from gnomon.hall.home_assistant import BIRTH, ONLINE, descriptions
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.local_hall import LocalHall
from gnomon.hall.messaging import mqtt_bus
from gnomon.hall.messaging.enrolment import NONE, Enrolment, code, parse_code, tls_context
from gnomon.hall.messaging.hall_topics import BoardBus, HubBus
from gnomon.hall.messaging.messages import LARGEST, Status, Topic, parse_topic
from gnomon.hall.messaging.mqtt_bus import MqttBus
from tests.conftest import FindProgram
from tests.hall.boards import Clock, ModelBoard
from tests.hall.bus_contract import WITHIN, Inbox, Line
from tests.hall.servers import HOST, Mosquitto
from tests.hall.test_mqtt_bus import HASTE, Said

LEFT_OUT = ("user ", "log_", "#")


class OwnBroker:
    """Our own small broker in place of Mosquitto."""

    def __init__(self, folder: BrokerFolder) -> None:
        self._evening = LocalHall(folder, HOST, 0, looks=0.05)
        self.port = self._evening.port

    def reload(self) -> None:
        """It sees by itself what has changed."""

    def stop(self) -> None:
        self._evening.close()


class Hall(NamedTuple):
    """A broker as `gnomon hall broker` sets it up, with three boards and a reader."""

    folder: BrokerFolder
    broker: Mosquitto | OwnBroker

    def enrolment(self, name: str) -> Enrolment:
        kept = self.folder.enrolment(name)
        return Enrolment(HOST, self.broker.port, kept.user, kept.password, kept.authority)


@pytest.fixture(scope="module", params=["mosquitto", "own"])
def hall(
    request: pytest.FixtureRequest, find_program: FindProgram, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hall]:
    find_program("openssl", package="openssl")
    folder = BrokerFolder(tmp_path_factory.mktemp("hall") / "broker")
    folder.lay_out(BrokerSettings(("hall.local",), user=getuser(), hubs=2, recorders=2, other_halls=("south",)))
    folder.enrol(["board17", "board99", "board55", "board60"], former=True)
    folder.enrol(["board42"], home_assistant=True, former=True)
    folder.enrol(["t01", "t02", "t01@south"])
    folder.enrol(["wall"], reader=True)
    broker = OwnBroker(folder) if request.param == "own" else mosquitto(folder, request, tmp_path_factory.mktemp("run"))
    yield Hall(folder, broker)
    broker.stop()


def mosquitto(folder: BrokerFolder, request: pytest.FixtureRequest, run: Path) -> Mosquitto:
    """Mosquitto with the configuration of a folder, at a free port."""
    written = (folder.path / "mosquitto.conf").read_text("utf-8").splitlines()
    lines = [line for line in written if not line.startswith(LEFT_OUT)]
    lines[lines.index("listener 8883")] = f"listener {{port}} {HOST}"
    return Mosquitto(request.getfixturevalue("mosquitto_program"), run, lines)


Connect = Callable[[Enrolment], MqttBus]


@pytest.fixture
def said() -> Said:
    return Said()


@pytest.fixture
def connect(said: Said) -> Iterator[Connect]:
    """Make connections, which end with the test."""
    buses: list[MqttBus] = []

    def connecting(enrolment: Enrolment) -> MqttBus:
        buses.append(MqttBus(enrolment, chance=Random(1), say=said, patience=HASTE))
        return buses[-1]

    yield connecting
    for bus in buses:
        bus.close()
    assert all(bus.join(WITHIN) for bus in buses)


def there(bus: MqttBus) -> MqttBus:
    line = Line()
    bus.on_connection(line)
    line.wait_for(True)
    return bus


def listening(bus: MqttBus, *patterns: str) -> Inbox:
    """Ask for what matches, and see that the broker knows."""
    inbox, own = Inbox(), Inbox()
    for pattern in patterns:
        bus.subscribe(pattern, inbox)
    bus.subscribe("gnomon/1/asked", own)
    assert bus.publish("gnomon/1/asked", b"asked", retain=True)
    own.wait_for_any()
    assert bus.publish("gnomon/1/asked", b"", retain=True)
    return inbox


def test_a_board_writes_under_its_own_name_and_under_no_other(hall: Hall, connect: Connect, said: Said) -> None:
    hub = there(connect(hall.enrolment("hub")))
    inbox = listening(hub, "gnomon/1/+/+")
    board = there(connect(hall.enrolment("board17")))
    for topic in (Topic.STATUS, Topic.STATE, Topic.LIVE, Topic.RECORDS, Topic.ANSWER):
        assert board.publish(topic.of("board17"), topic.value.encode())
    inbox.wait_for(b"answer")
    assert board.publish(Topic.STATE.of("board99"), b"spoofed")
    said.wait_for("the broker does not let board17 write gnomon/1/board99/state: Not authorized")
    assert there(connect(hall.enrolment("board55"))).publish(Topic.STATE.of("board55"), b"end")
    inbox.wait_for(b"end")
    assert inbox.payloads == [b"status", b"state", b"live", b"records", b"answer", b"end"]


def test_a_board_speaks_for_the_hall_to_nobody_not_even_itself(hall: Hall, connect: Connect, said: Said) -> None:
    for topic in (Topic.REQUEST, Topic.ACK, Topic.ASK):
        board = there(connect(hall.enrolment("board17")))
        assert board.publish(topic.of("board17"), b"do it")
        said.wait_for(f"the broker does not let board17 write gnomon/1/board17/{topic}: Not authorized")
        board.close()


def test_a_board_reads_what_is_for_itself_and_nothing_else(hall: Hall, connect: Connect) -> None:
    hub = there(connect(hall.enrolment("hub")))
    board, other = there(connect(hall.enrolment("board17"))), there(connect(hall.enrolment("board99")))
    spying = Inbox()
    board.subscribe("gnomon/1/#", spying)
    board.subscribe(Topic.REQUEST.of("board99"), spying)
    board.subscribe("#", spying)
    meant = Inbox()
    other.subscribe(Topic.REQUEST.of("board99"), meant)
    assert hub.publish(Topic.REQUEST.of("board99"), b"for 99", retain=True)
    meant.wait_for(b"for 99")
    assert other.publish(Topic.STATE.of("board99"), b"of 99", retain=True)
    assert hub.publish(Topic.REQUEST.of("board17"), b"for 17", retain=True)
    spying.wait_for(b"for 17")
    assert set(spying.payloads) == {b"for 17"}


def test_a_reader_sees_the_boards_as_spectators_do_and_writes_nothing(hall: Hall, connect: Connect, said: Said) -> None:
    wall, board = there(connect(hall.enrolment("wall"))), there(connect(hall.enrolment("board17")))
    inbox = Inbox()
    wall.subscribe("gnomon/1/#", inbox)
    wall.subscribe(Topic.LIVE.of("board17"), inbox)
    assert board.publish(Topic.LIVE.of("board17"), b"a secret", retain=True)
    assert board.publish(Topic.RECORDS.of("board17"), b"a fact")
    assert board.publish(Topic.STATE.of("board17"), b"shown", retain=True)
    inbox.wait_for(b"shown")
    assert not {b"a fact", b"a secret"} & set(inbox.payloads)
    assert wall.publish(Topic.REQUEST.of("board17"), b"do it")
    said.wait_for("the broker does not let hall/wall write gnomon/1/board17/request: Not authorized")


def test_a_board_describes_itself_to_home_assistant_and_no_other_does(hall: Hall, connect: Connect, said: Said) -> None:
    reader = there(connect(hall.enrolment("wall")))
    inbox = Inbox()
    board, other = there(connect(hall.enrolment("board42"))), there(connect(hall.enrolment("board17")))
    described = list(descriptions(Status("board42", online=True, epoch="e", session="s")))
    reader.subscribe("homeassistant/#", inbox)
    assert all(board.publish(topic, payload, retain=True) for topic, payload in described)
    inbox.wait_for(described[-1].payload)
    assert [message.topic for message in inbox.messages] == [one.topic for one in described]
    assert other.publish(described[0].topic, b"spoofed")
    said.wait_for(f"the broker does not let board17 write {described[0].topic}: Not authorized")
    started = Inbox()
    board.subscribe(BIRTH, started)
    assert reader.publish(BIRTH, ONLINE, retain=True)
    started.wait_for(ONLINE)


def test_a_recorder_reads_records_and_acknowledges_them_and_no_more(hall: Hall, connect: Connect, said: Said) -> None:
    board, recorder = there(connect(hall.enrolment("board17"))), there(connect(hall.enrolment("recorder-1")))
    acknowledged, heard, held = Inbox(), Inbox(), Inbox()
    board.subscribe("gnomon/1/board17/ack", acknowledged)
    for kind, inbox in (("records", heard), ("live", held), ("answer", held), ("request", held)):
        recorder.subscribe(f"gnomon/1/+/{kind}", inbox)
    assert recorder.publish("gnomon/1/board17/ack", b"1", retain=True)  # it may come before the board asks for it
    acknowledged.wait_for(b"1")
    assert recorder.publish("gnomon/1/board17/ack", b"", retain=True)
    for topic in ("gnomon/1/board17/live", "gnomon/1/board17/answer", "gnomon/1/board17/records"):
        assert board.publish(topic, topic.encode())
    heard.wait_for(b"gnomon/1/board17/records")
    assert held.messages == []
    assert recorder.publish("gnomon/1/board17/request", b"{}")
    said.wait_for("the broker does not let hall/recorder-1 write gnomon/1/board17/request: Not authorized")


def test_recorders_share_what_boards_write_and_each_message_reaches_one(
    hall: Hall, connect: Connect, said: Said
) -> None:
    board, *recorders = (there(connect(hall.enrolment(name))) for name in ("board17", "recorder-1", "recorder-2"))
    inboxes = [Inbox() for _ in recorders]
    for recorder, inbox in zip(recorders, inboxes, strict=True):
        recorder.subscribe("$share/gnomon-recorders/gnomon/1/+/records", inbox)
        recorder.subscribe("gnomon/1/+/status", inbox)
    if isinstance(hall.broker, OwnBroker):
        said.wait_for("does not let hall/recorder-1 read $share/gnomon-recorders/gnomon/1/+/records")
        return
    assert board.publish("gnomon/1/board17/status", b"there", retain=True)  # it may come before they ask for it
    for inbox in inboxes:
        inbox.wait_for(b"there")
    sent = [b"%d" % number for number in range(20)]
    for payload in sent:
        assert board.publish("gnomon/1/board17/records", payload)
    assert board.publish("gnomon/1/board17/status", b"end")
    for inbox in inboxes:
        inbox.wait_for(b"end")
    came = [payload for inbox in inboxes for payload in inbox.payloads if payload.isdigit()]
    assert sorted(came, key=int) == sent
    assert all(any(payload.isdigit() for payload in inbox.payloads) for inbox in inboxes)
    assert board.publish("gnomon/1/board17/status", b"", retain=True)


def test_a_hall_by_name_is_closed_to_boards_of_others_and_hears_both_protocols(
    hall: Hall, connect: Connect, said: Said
) -> None:
    board, hub, former = (there(connect(hall.enrolment(name))) for name in ("t01", "hub", "board17"))
    inbox, present, foreign, asked = Inbox(), Inbox(), Inbox(), Inbox()
    ours = HubBus(hub, "hall")
    hub.subscribe("gnomon/2/other/#", foreign)
    ours.subscribe(Topic.RECORDS.of_all, inbox)
    ours.subscribe(Topic.STATUS.of_all, present)
    BoardBus(board, "hall").subscribe(Topic.REQUEST.of("t01"), asked)
    assert BoardBus(board, "hall").publish(Topic.STATUS.of("t01"), b"there", retain=True)
    present.wait_for(b"there")
    for bus, name in ((BoardBus(board, "hall"), "t01"), (former, "board17")):
        assert bus.publish(Topic.RECORDS.of(name), name.encode())
        inbox.wait_for(name.encode())
    assert BoardBus(board, "hall").publish(Topic.RECORDS.of("t01"), b"again")
    inbox.wait_for(b"again")
    assert ours.publish(Topic.REQUEST.of("t01"), b"do it", retain=True)  # it may come before the board asks for it
    asked.wait_for(b"do it")
    assert ours.publish(Topic.REQUEST.of("t01"), b"", retain=True)
    assert BoardBus(board, "hall").publish(Topic.STATUS.of("t01"), b"", retain=True)
    for topic in ("gnomon/2/other/t02/records", "gnomon/2/hall/t01/records", "gnomon/1/t02/records"):
        liar = there(connect(hall.enrolment("t02")))
        assert liar.publish(topic, b"spoofed")
        said.wait_for(f"the broker does not let hall/t02 write {topic}: Not authorized")
        liar.close()
    assert foreign.messages == []
    assert {message.topic for message in inbox.messages} == {"gnomon/1/t01/records", "gnomon/1/board17/records"}
    assert b"spoofed" not in inbox.payloads


def test_two_halls_have_boards_of_one_name_and_see_how_they_stand(hall: Hall, connect: Connect, said: Said) -> None:
    own, other = there(connect(hall.enrolment("t01"))), there(connect(hall.enrolment("t01@south")))
    hub = there(connect(hall.enrolment("hub")))
    seen, kept = Inbox(), Inbox()
    ours = HubBus(hub, "hall")
    ours.subscribe(Topic.STATE.of_all, seen)
    ours.subscribe(Topic.STATE.of_hall("south"), seen)
    hub.subscribe("gnomon/2/south/+/records", kept)
    for bus, name in ((BoardBus(own, "hall"), b"here"), (BoardBus(other, "south"), b"in the south")):
        assert bus.publish(Topic.STATE.of("t01"), name, retain=True)  # it may come before the hub asks for it
        seen.wait_for(name)
    told = {message.payload: parse_topic(message.topic)[0] for message in seen.messages}
    assert (told[b"here"], told[b"in the south"]) == ("t01", "t01@south")
    assert BoardBus(other, "south").publish(Topic.RECORDS.of("t01"), b"a fact")
    assert hub.publish("gnomon/2/south/t01/request", b"do it")
    said.wait_for("the broker does not let hall/hub write gnomon/2/south/t01/request: Not authorized")
    assert kept.messages == []
    for line, named in ((own, "hall"), (other, "south")):
        assert BoardBus(line, named).publish(Topic.STATE.of("t01"), b"", retain=True)


def test_two_hubs_are_there_at_once(hall: Hall, connect: Connect) -> None:
    lines = [Line(), Line()]
    for name, line in zip(("hub", "hub-2"), lines, strict=True):
        bus = there(connect(hall.enrolment(name)))
        bus.on_connection(line)
        line.wait_for(True)
        listening(bus, "gnomon/1/+/status")
    assert [line.told for line in lines] == [[True], [True]], "neither has thrown the other out"


def test_what_is_malformed_oversized_or_foreign_is_counted_and_the_rest_is_kept(
    hall: Hall, connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = there(connect(hall.enrolment("board55")))
    board = there(connect(hall.enrolment("board60")))
    kept = TheHall.open(
        str(tmp_path / "hall.sqlite"), there(connect(hall.enrolment("hub"))), terms=HubTerms({"board60"}.__contains__)
    )
    changed = Event()
    listener = kept.listen(changed.set)
    kept.start()

    def wait_until_kept(model: ModelBoard, unknown: int = 0) -> Counter[str]:
        for _ in range(100):
            model.run()
            # What comes over two connections comes in any order.
            if (
                kept.place("board60").through == len(model.journal)
                and kept.refusal_counts().get("unknown", 0) >= unknown
            ):
                break
            # The hall may not listen yet when the first batch goes out: then it is sent again.
            changed.wait(0.1)
            changed.clear()
            listener.take()
            model.clock.wait(6)
        assert kept.place("board60").through == len(model.journal)
        return Counter(kept.refusal_counts())

    try:
        model = ModelBoard("board60", board, Clock())
        model.begin()
        before = wait_until_kept(model)
        assert stranger.publish(Topic.STATE.of("board55"), b"{}")
        for payload in (b"", b"{", b"[]", b'{"board": "board99"}', b'{"board": "board60", "now": -1}', b"\xff"):
            assert board.publish(Topic.RECORDS.of("board60"), payload)
        monkeypatch.setattr(mqtt_bus, "LARGEST", 2 * LARGEST)
        assert board.publish(Topic.RECORDS.of("board60"), bytes(LARGEST + 1))
        model.end("red")
        # Our own broker does not even take on what is too long.
        oversized = {"oversized": 1} if isinstance(hall.broker, Mosquitto) else {}
        assert wait_until_kept(model, before["unknown"] + 1) - before == {"unknown": 1, "malformed": 5} | oversized
        assert kept.place("board55").status is None
    finally:
        kept.close()


@pytest.mark.parametrize("user", ["board17", "stranger", "hub"])
def test_without_the_password_nobody_comes_in(hall: Hall, connect: Connect, said: Said, user: str) -> None:
    whole = hall.enrolment("board17")
    bus = connect(Enrolment(HOST, hall.broker.port, user, "guessed", whole.authority))
    said.wait_for(f"the broker {HOST}:{hall.broker.port} does not let {user} in: Not authorized")
    assert not bus.publish(Topic.STATE.of("board17"), b"")


def answered(hall: Hall, client_id: str, enrolment: Enrolment | None) -> str:
    """What the broker answers to a client with an identity of its own choice."""
    reasons: list[str] = []
    came = Event()

    def on_connect(
        _: Client, _data: object, _flags: ConnectFlags, reason: ReasonCode, _more: Properties | None
    ) -> None:
        reasons.append(str(reason))
        came.set()

    client = Client(CallbackAPIVersion.VERSION2, client_id, protocol=MQTTv5, reconnect_on_failure=False)
    context = tls_context(hall.enrolment("hub"))
    assert context is not None
    client.tls_set_context(context)
    client.on_connect = on_connect
    if enrolment is not None:
        client.username_pw_set(enrolment.user, enrolment.password)
    client.connect(HOST, hall.broker.port)
    client.loop_start()
    assert came.wait(WITHIN)
    client.disconnect()
    client.loop_stop()
    return reasons[0]


def test_without_a_name_nobody_comes_in(hall: Hall) -> None:
    assert answered(hall, "anybody", None) == "Not authorized"


def test_a_board_cannot_throw_another_out_by_calling_itself_so(hall: Hall, connect: Connect) -> None:
    line = Line()
    connect(hall.enrolment("board99")).on_connection(line)
    line.wait_for(True)
    assert answered(hall, "board99", hall.enrolment("board17")) == "Success"
    assert listening(there(connect(hall.enrolment("hub")))).payloads == []
    assert line.told == [True]


def test_a_packet_that_is_too_long_ends_the_connection_and_the_board_comes_back(
    hall: Hall, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = there(connect(hall.enrolment("hub")))
    inbox = listening(hub, "gnomon/1/+/records")
    line = Line()
    board = connect(hall.enrolment("board17"))
    board.on_connection(line)
    line.wait_for(True)
    assert board.publish(Topic.RECORDS.of("board17"), bytes(LARGEST))
    inbox.wait_for(bytes(LARGEST))
    monkeypatch.setattr(mqtt_bus, "LARGEST", 10 * LARGEST)
    assert board.publish(Topic.RECORDS.of("board17"), bytes(3 * LARGEST))
    line.wait_for(True, False, True)
    assert board.publish(Topic.RECORDS.of("board17"), b"after")
    inbox.wait_for(b"after")
    assert inbox.payloads == [bytes(LARGEST), b"after"]


def test_a_broker_of_another_hall_is_not_believed(hall: Hall, connect: Connect, said: Said, tmp_path: Path) -> None:
    other = BrokerFolder(tmp_path / "other")
    other.lay_out(BrokerSettings(("hall.local",), user=getuser()))
    own = hall.enrolment("board17")
    stranger = other.enrolment("hub").authority
    connect(Enrolment(own.host, own.port, own.user, own.password, stranger))
    said.wait_for(f"the broker {HOST}:{hall.broker.port} cannot prove who it is: ")


def test_without_encryption_the_broker_says_nothing(hall: Hall, connect: Connect, said: Said) -> None:
    own = hall.enrolment("board17")
    connect(Enrolment(own.host, own.port, own.user, own.password, NONE))
    said.wait_for(f"the broker {HOST}:{hall.broker.port} has ended the connection without saying why")


def test_who_is_revoked_is_thrown_out_at_once_and_who_has_a_new_password_comes_in(
    hall: Hall, connect: Connect, said: Said
) -> None:
    kept, gone = Line(), Line()
    connect(hall.enrolment("board99")).on_connection(kept)
    connect(hall.enrolment("board55")).on_connection(gone)
    kept.wait_for(True)
    gone.wait_for(True)
    hall.folder.revoke(["board55"])
    hall.broker.reload()
    gone.wait_for(True, False)
    said.wait_for("does not let board55 in: Not authorized")
    (again,) = hall.folder.enrol(["board55"], former=True)
    hall.broker.reload()
    assert there(connect(hall.enrolment("board55"))).publish(Topic.STATE.of("board55"), b"back")
    assert parse_code(code(again)) == again
    assert kept.told == [True]
