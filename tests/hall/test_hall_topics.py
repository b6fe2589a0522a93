"""The tests of halls by name: boards of both protocols in one hall, and several halls on one bus."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gnomon.hall.messaging import hall_topics
from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.hall_topics import BoardBus, HubBus, checked_hall, with_hall
from gnomon.hall.messaging.memory_bus import MemoryBroker, MemoryBus
from gnomon.hall.messaging.messages import Ack, MessageError, Request, Status, Topic, encode
from gnomon.hall.rounds.results import PairingState
from gnomon.timekeeping.instants import Instant
from tests.hall.boards import ModelBoard
from tests.hall.evenings import Evening
from tests.hall.test_recorder import RECORDERS, Recorders, journal_of, play
from tests.hall.told import record

HERE = Status("t01", online=True, epoch="e1", session="s1")


class NamedEvening(Evening):
    """An evening in a hall with a name, perhaps beside others on one broker."""

    def __init__(self, where: Path | str, hall: str = "north", broker: MemoryBroker | None = None) -> None:
        self.named = hall
        self.shared = broker or MemoryBroker()
        super().__init__(where)

    def connect(self) -> Bus:
        self.broker = self.shared
        return HubBus(self.broker.connect(), self.named)

    def named_board(self, name: str, session: str = "s1") -> ModelBoard:
        """A board that speaks protocol 2; `board` makes one of protocol 1."""
        self.boards[name] = ModelBoard(name, BoardBus(self.broker.connect(), self.named), self.clock, session=session)
        self.boards[name].tell_state("empty")
        self.run()
        return self.boards[name]


@pytest.fixture
def north(tmp_path: Path) -> Iterator[NamedEvening]:
    evening = NamedEvening(tmp_path)
    yield evening
    evening.hall.close()


@pytest.mark.parametrize(
    ("topic", "hall", "named"),
    [
        ("gnomon/1/t01/state", "north", "gnomon/2/north/t01/state"),
        ("gnomon/1/+/state", "north", "gnomon/2/north/+/state"),
        ("gnomon/1/#", "north", "gnomon/2/north/#"),
        ("$share/group/gnomon/1/+/records", "north", "$share/group/gnomon/2/north/+/records"),
        ("gnomon/1/t01/state", "", "gnomon/1/t01/state"),
        ("homeassistant/status", "north", "homeassistant/status"),
        ("$SYS/#", "north", "$SYS/#"),
        ("gnomon/10/t01/state", "north", "gnomon/10/t01/state"),
    ],
)
def test_topics_of_boards_name_the_hall_and_others_do_not(topic: str, hall: str, named: str) -> None:
    assert with_hall(topic, hall) == named


@pytest.mark.parametrize("name", ["", "North", "no rth", "a/b", "+", "#", "-a", "a" * 33])
def test_a_hall_is_called_like_a_board(name: str) -> None:
    with pytest.raises(MessageError, match="cannot be the name of a hall"):
        checked_hall(name)
    assert checked_hall("club-7") == "club-7"


# One hall, boards of both protocols


def test_boards_of_both_protocols_play_one_round(north: NamedEvening) -> None:
    new, old = north.named_board("t01"), north.board("t02")
    north.tournament(accept="at once")
    north.hall.send_round("open", "Anna")
    north.run(3)
    assert (new.games, old.games) == (1, 1), "requests reach both"
    assert [len(board.answers) for board in (new, old)] == [1, 1]
    new.end("red")
    old.end("black")
    north.run(4)
    assert north.standings() == [PairingState.ENTERED, PairingState.ENTERED]
    for board in (new, old):
        assert board.outbox.mark == len(board.journal) > 0
        assert north.hall.archive(board.name).read(1) == board.journal
    kinds = {"status", "state", "ack"}
    retained = {topic for topic in north.broker.retained_messages("#") if topic.rpartition("/")[2] in kinds}
    assert retained == {f"gnomon/2/north/t01/{kind}" for kind in kinds} | {f"gnomon/1/t02/{kind}" for kind in kinds}


def test_a_hub_that_comes_later_hears_both_by_what_is_retained(north: NamedEvening) -> None:
    north.named_board("t01")
    north.board("t02")
    north.restart()
    assert north.hall.place("t01").is_online
    assert north.hall.place("t02").is_online
    for board in north.boards.values():
        board.tell_state("empty")
    north.run()
    north.tournament()
    north.hall.send_round("open", "Anna")
    north.run(3)
    assert [north.boards[name].games for name in ("t01", "t02")] == [1, 1]


@pytest.mark.parametrize("hall", ["north", ""])
def test_the_hub_hears_the_will_of_either(north: NamedEvening, hall: str) -> None:
    gone = encode(Status("t01", online=False, epoch="e1", session="s1"))
    line = north.broker.connect(Will(with_hall(Topic.STATUS.of("t01"), hall), gone, 0))
    ModelBoard("t01", BoardBus(line, hall), north.clock)
    north.run()
    assert north.hall.place("t01").is_online
    line.lose()
    north.run()
    assert not north.hall.place("t01").is_online


def test_recorders_share_the_records_of_both(tmp_path: Path) -> None:
    evening = NamedEvening(tmp_path)
    evening.hall.close()
    evening.hall = evening.open(RECORDERS)
    recorders = Recorders(evening, 3)
    boards = [evening.named_board("t01"), evening.board("t02")]
    for turn in range(3):
        for board in boards:
            board.write(*(record(0) for _ in range(120)))
        play(evening, recorders, 1)
        recorders.kill(turn)
    play(evening, recorders, 20)
    for board in boards:
        assert board.outbox.mark == len(board.journal) == 360
        assert journal_of(evening, board) == list(range(1, 361))
        assert evening.hall.place(board.name).through == 360
    evening.hall.close()


def test_what_a_board_left_behind_in_protocol_1_does_not_speak_for_it(north: NamedEvening) -> None:
    former = north.board("t01")
    former.write(record(0))
    north.run(2)
    former.bus.close()
    board = north.named_board("t01", session="s2")
    board.write(*(record(0) for _ in range(3)))
    north.run(2)
    for _ in range(2):
        assert north.hall.place("t01").status == Status("t01", online=True, epoch="e1", session="s2", kind="tamsk")
        assert board.outbox.mark == 3
        north.restart()
    board.bus.close()
    north.hall.forget("t01")
    north.run()
    assert not north.broker.retained_messages("gnomon/#")


# Several halls on one broker


def test_halls_on_one_broker_do_not_hear_each_other(tmp_path: Path) -> None:
    broker = MemoryBroker()
    (tmp_path / "south").mkdir()
    north, south = NamedEvening(tmp_path, broker=broker), NamedEvening(tmp_path / "south", "south", broker)
    one, other = north.named_board("t01"), south.named_board("t01")
    south.named_board("t02")
    one.write(*(record(0, {"input": "north"}) for _ in range(5)))
    other.write(*(record(0, {"input": "south"}) for _ in range(9)))
    for _ in range(3):
        north.run(1)
        south.run(1)
    for evening, board in ((north, one), (south, other)):
        assert evening.hall.archive("t01").read(1) == board.journal
        assert board.outbox.mark == len(board.journal)
        assert not evening.hall.refusal_counts()
    assert not north.hall.place("t02").is_online
    north.hall.close()
    south.hall.close()


# The bus of a hub, by itself


class OverheardHub:
    """A board on a raw connection, and what a hub heard and sent."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.raw: MemoryBus = self.broker.connect()
        self.hub = HubBus(self.broker.connect(), "north")
        self.heard: list[Message] = []
        self.sent: list[str] = []

    def says(self, topic: str, *, retain: bool = False) -> None:
        self.raw.publish(topic, encode(HERE), retain=retain)
        self.broker.deliver()

    def listen(self) -> None:
        for topic in (Topic.STATUS, Topic.ACK):
            self.hub.subscribe(topic.of_all, self.heard.append)
        self.broker.deliver()

    def answers(self) -> list[str]:
        self.broker.connect().subscribe("gnomon/#", lambda message: self.sent.append(message.topic))
        self.broker.deliver()
        self.sent.clear()
        self.hub.publish(Topic.REQUEST.of("t01"), encode(Request("r1", "s1", Instant(7), "Anna", {"do": "notice"})))
        self.broker.deliver()
        return self.sent


BOTH = ["gnomon/2/north/t01/request", "gnomon/1/t01/request"]


def test_a_board_that_nobody_has_heard_is_told_both_ways() -> None:
    assert OverheardHub().answers() == BOTH


def test_a_board_that_goes_back_to_protocol_1_is_answered_so() -> None:
    told = OverheardHub()
    told.listen()
    told.says("gnomon/2/north/t01/status", retain=True)
    told.says("gnomon/1/t01/status")
    assert told.answers() == BOTH[1:]
    assert [message.topic for message in told.heard] == ["gnomon/1/t01/status"] * 2
    told.listen()  # as after a connection: what is retained comes again
    assert len(told.heard) == 2


@pytest.mark.parametrize("first", [BOTH, BOTH[::-1]])
def test_of_two_retained_messages_the_one_that_names_the_hall_counts(first: list[str]) -> None:
    told = OverheardHub()
    for topic in first:
        told.says(topic.replace("request", "status"), retain=True)
    told.listen()
    assert told.answers() == BOTH[:1]


def test_what_a_hall_says_does_not_tell_how_a_board_speaks() -> None:
    told = OverheardHub()
    told.listen()
    told.raw.publish("gnomon/1/t01/ack", encode(Ack("e1", 7)))
    told.broker.deliver()
    assert len(told.heard) == 1
    assert told.answers() == BOTH


def test_a_flood_of_names_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_topics, "MOST", 1)
    told = OverheardHub()
    told.listen()
    told.says("gnomon/1/t02/status")
    told.says("gnomon/1/t01/status")
    assert told.answers() == BOTH
    assert len(told.heard) == 2


def test_what_is_no_topic_of_a_board_passes(north: NamedEvening) -> None:
    heard: list[Message] = []
    bus = north.connect()
    bus.subscribe("$SYS/#", heard.append)
    bus.subscribe("gnomon/1/#", heard.append)
    north.broker.connect().publish("$SYS/broker", b"7")
    north.broker.connect().publish("gnomon/2/north/nonsense", b"8")
    bus.publish("$SYS/other", b"9")
    north.broker.deliver()
    assert heard == [
        Message("$SYS/broker", b"7"),
        Message("gnomon/1/nonsense", b"8"),
        Message("$SYS/other", b"9"),
    ]
    assert bus.hindrance is None
    line: list[bool] = []
    bus.on_connection(line.append)
    assert line == [True]
    bus.close()
