"""A hall that is lied to: a whole board, the hall, and a broker with certificates and passwords between them."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event, Thread

from gnomon.hall.broker._access import HUB
from gnomon.hall.hall import Hall as TheHall
from gnomon.hall.hub.hub import HubTerms
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.messages import Answer, Fate, Request, Status, Topic, encode
from gnomon.hall.messaging.mqtt_bus import MqttBus
from gnomon.records.journal.entries import Record
from gnomon.records.journal.writer import Journal
from gnomon.timekeeping.instants import SECOND, Instant
from tests.hall.boards import Clock, ModelBoard
from tests.hall.bus_contract import WITHIN, Inbox
from tests.hall.drill_boards import HASTE, Board
from tests.hall.test_broker_security import Connect, Hall, connect, hall, listening, said, there
from tests.hall.test_mqtt_bus import Said

__all__ = ["connect", "hall", "said"]

BOARD = "board17"
OTHER = "board99"
NEW_GAME = {"do": "new_game", "game": "tabik", "settings": {"size": 4}, "players": {"black": "Ada", "white": "Bo"}}


class Waiting:
    """Waits until something is true of a hall."""

    def __init__(self, the_hall: TheHall) -> None:
        self._changed = Event()
        self._listener = the_hall.listen(self._changed.set)

    def until(self, is_true: Callable[[], bool]) -> None:
        while not is_true():
            assert self._changed.wait(WITHIN)
            self._changed.clear()
            self._listener.take()


@contextmanager
def open_hall(hall: Hall, where: Path) -> Iterator[tuple[TheHall, Waiting, Bus]]:
    """A hall that listens to the broker, somebody who waits for it, and the hall's own connection."""
    bus = there(MqttBus(hall.enrolment(HUB), chance=Random(1), patience=HASTE))
    made = TheHall.open(str(where), bus, terms=HubTerms({BOARD, OTHER}.__contains__))
    made.start()
    listening(bus)  # what a board says once, and nobody hears, would be waited for in vain
    try:
        yield made, Waiting(made), bus
    finally:
        made.close()
        bus.close()


@contextmanager
def at_the_board(hall: Hall, folder: Path) -> Iterator[None]:
    """A whole daemon on a simulated table, in the hall, in a thread of its own."""
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
    failures: list[BaseException] = []
    begun = Event()

    async def live() -> None:
        stop = asyncio.Event()
        loops.append((asyncio.get_running_loop(), stop))
        board = Board(hall.enrolment(BOARD), folder, 1)
        begun.set()
        await board.run(stop)

    def run() -> None:
        try:
            asyncio.run(live())
        except BaseException as error:  # noqa: BLE001 - it is raised where the board was started
            failures.append(error)
            begun.set()

    thread = Thread(target=run)
    thread.start()
    assert begun.wait(WITHIN)
    try:
        yield
    finally:
        for loop, stop in loops:
            loop.call_soon_threadsafe(stop.set)
        thread.join(WITHIN)
        assert not thread.is_alive()
        assert failures == []


def written(folder: Path) -> list[Record]:
    """What stands in the board's journal."""
    with Journal.open(folder / f"{BOARD}.journal") as journal:
        return list(journal.records_after(0, 1000).records)


class Thief:
    """Somebody on the hall's side of the broker who keeps what was asked of the board, and asks it again."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.requests, self._answers = Inbox(), Inbox()
        bus.subscribe(Topic.REQUEST.of(BOARD), self.requests)
        bus.subscribe(Topic.ANSWER.of(BOARD), self._answers)

    def kept(self) -> Request:
        """What was asked first."""
        self.requests.wait_for_any()
        message = self.requests.messages[0]
        return decoder.request(message.topic, message.payload)

    def asks(self, request: Request) -> Answer:
        """What the board answers to it."""
        before = len(self._answers.messages)
        assert self._bus.publish(Topic.REQUEST.of(BOARD), encode(request))
        mine: list[Answer] = []

        def has_come() -> bool:
            answers = (decoder.answer(*message[:2]) for message in self._answers.messages[before:])
            mine[:] = [answer for answer in answers if answer.id == request.id]
            return bool(mine)

        with self._answers.grew:
            assert self._answers.grew.wait_for(has_come, WITHIN)
        return mine[-1]

    def says(self, kind: Topic, payload: bytes) -> None:
        """Send the board anything at all."""
        assert self._bus.publish(kind.of(BOARD), payload)


def test_what_was_asked_once_is_done_once_no_matter_who_asks_it_again_and_when(hall: Hall, tmp_path: Path) -> None:
    with open_hall(hall, tmp_path / "hall.sqlite") as (the_hall, waiting, bus):
        thief = Thief(bus)
        with at_the_board(hall, tmp_path):
            waiting.until(lambda: the_hall.place(BOARD).age(the_hall.now()) is not None)
            request = the_hall.request(BOARD, NEW_GAME, "Anna")
            waiting.until(lambda: (asked := the_hall.request_status(request)) is not None and asked.is_proven)
            kept = thief.kept()
            first = thief.asks(kept)
            assert (first.id, first.fate) == (request, Fate.DONE)
            late = replace(kept, id="late", until=Instant(kept.until - 15 * SECOND))
            assert thief.asks(late).fate is Fate.EXPIRED
            for payload in (b"{", b"[]", b" " * 40_000, encode(replace(kept, id="x" * 1000))):
                thief.says(Topic.REQUEST, payload)
            thief.says(Topic.ACK, b'{"epoch":"other","through":99}')
            thief.says(Topic.ASK, b'{"epoch":1}')
            assert thief.asks(kept) == first
        with at_the_board(hall, tmp_path):
            waiting.until(lambda: the_hall.place(BOARD).session not in ("", kept.session))
            assert thief.asks(kept) == first
            stranger = thief.asks(replace(kept, id="never done", until=Instant(kept.until + 10**12)))
            assert (stranger.fate, stranger.why.code) == (Fate.EXPIRED, "restarted")
    notes = [record.entry.body for record in written(tmp_path) if record.entry.body.get("note") == "request"]
    assert [note["id"] for note in notes] == [request]
    assert {record.entry.game for record in written(tmp_path)} == {1}


def test_a_board_that_speaks_for_another_is_not_heard_and_the_other_is(
    hall: Hall, connect: Connect, said: Said, tmp_path: Path
) -> None:
    with open_hall(hall, tmp_path / "hall.sqlite") as (the_hall, waiting, _):
        board = ModelBoard(BOARD, there(connect(hall.enrolment(BOARD))), Clock())
        board.begin()
        board.run()
        board.tell_state("running")
        # What a board of another test said before it may still be retained.
        waiting.until(lambda: the_hall.place(BOARD).through == 1 and the_hall.place(BOARD).card == {"phase": "running"})
        kept = the_hall.place(BOARD)
        lie = replace(Status(BOARD, online=False, epoch="e1", session="s1"), goodbye=True)
        for topic in (Topic.STATUS, Topic.STATE, Topic.RECORDS, Topic.ANSWER):
            bus = there(connect(hall.enrolment(OTHER)))
            assert bus.publish(topic.of(BOARD), encode(lie))
            said.wait_for(f"the broker does not let {OTHER} write {topic.of(BOARD)}: Not authorized")
            bus.close()
        liar = ModelBoard(OTHER, there(connect(hall.enrolment(OTHER))), Clock())
        assert liar.bus.publish(Topic.STATUS.of(OTHER), encode(lie))  # under its own name, about the other
        liar.begin()
        liar.run()
        waiting.until(lambda: the_hall.place(OTHER).through == 1)
        assert the_hall.place(BOARD) == kept
        assert (the_hall.place(OTHER).refused, the_hall.refusal_counts()) == (1, {"malformed": 1})
        assert list(the_hall.archive(BOARD).read(1)) == board.journal
