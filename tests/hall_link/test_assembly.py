"""The running daemon in its hall, in real time on a simulated board: what the hall wants of it is done once, or not."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from gnomon.hall.home_assistant import BIRTH
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.messaging.messages import Answer, Fate, Request, Status, Topic, encode
from gnomon.records.journal.entries import EntryKind, Record
from gnomon.records.journal.writer import Journal
from gnomon.refusals import sentence
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.hall_link._assembly import HomeAssistantEntry, LinkOptions, join_hall
from gnomon_pi.hall_link._commands import HallCommands
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.service import Orders, Service
from tests.daemon.test_service import LEVEL_1, run
from tests.hall.faults import FaultyBus
from tests.words.statements import in_english

BOARD = "t07"
NEW_GAME: Mapping[str, object] = {
    "do": "new_game",
    "game": "tamsk",
    "settings": {"level": 2},
    "temperament": "silent",
    "players": {"red": "Ada", "black": "Bo"},
    "pairing": {"tournament": "club", "round": 2, "board": 7},
}


@pytest.fixture
def broker() -> Iterator[MemoryBroker]:
    """A broker whose messages are handed over by a thread of its own."""
    made, stop = MemoryBroker(), Event()
    thread = Thread(target=made.run, args=(stop,))
    thread.start()
    yield made
    stop.set()
    made.wake()
    thread.join(30)


class Director:
    """Somebody in the hall who wants things of the board."""

    def __init__(self, broker: MemoryBroker, me: Status, now: Callable[[], Instant]) -> None:
        self._me, self._now = me, now
        self._loop = asyncio.get_running_loop()
        self._came: asyncio.Queue[Answer] = asyncio.Queue()
        self._bus = broker.connect()
        self._bus.subscribe(Topic.ANSWER.of(BOARD), self._take)

    async def wants(
        self, identity: str, action: Mapping[str, object], *, session: str = "", late: bool = False
    ) -> Answer:
        """What the board answers to a wish."""
        until = Instant(self._now() + (-1 if late else 15) * SECOND)
        request = Request(identity, session or self._me.session, until, "Anna", action)
        self._bus.publish(Topic.REQUEST.of(BOARD), encode(request))
        answer = await asyncio.wait_for(self._came.get(), 30)
        assert answer.id == identity
        return answer

    def close(self) -> None:
        self._bus.close()

    def _take(self, message: Message) -> None:
        answer = decoder.answer(message.topic, message.payload)
        self._loop.call_soon_threadsafe(self._came.put_nowait, answer)


Scene = Callable[[Director, BoardController], Awaitable[None]]


def over(broker: MemoryBroker) -> Callable[[Will], AbstractContextManager[Bus]]:
    @contextmanager
    def open_bus(will: Will) -> Iterator[Bus]:
        bus = broker.connect(will)
        yield bus
        bus.close()

    return open_bus


def in_the_hall(
    tmp_path: Path, broker: MemoryBroker, scene: Scene, orders: Orders = LEVEL_1, *, home_assistant: bool = False
) -> list[Record]:
    """Run the daemon in the hall with a director there; gives what the journal then holds."""

    async def act(service: Service) -> None:
        journal, watch = service._parts.journal, service._parts.watch
        manner = LinkOptions(BOARD, home_assistant=home_assistant)
        with (
            join_hall(manner, service, journal, watch, over(broker)) as me,
            closing(Director(broker, me, watch.now)) as director,
        ):
            await scene(director, service.controller)

    run(tmp_path, orders, act)
    with Journal.open(tmp_path / "journal") as journal:
        return list(journal.records_after(0, 1000).records)


def the(records: list[Record], key: str, value: str) -> Record:
    """The one record that says it."""
    (found,) = (record for record in records if record.entry.body.get(key) == value)
    return found


def test_a_game_is_started_with_names_for_its_pairing_and_once_only(tmp_path: Path, broker: MemoryBroker) -> None:
    answers: list[Answer] = []

    async def scene(director: Director, controller: BoardController) -> None:
        answers.extend([await director.wants("w1", NEW_GAME), await director.wants("w1", NEW_GAME)])
        game = controller.game()
        assert game is not None
        assert dict(game.people) == {"red": "Ada", "black": "Bo"}

    records = in_the_hall(tmp_path, broker, scene, Orders())
    remark = the(records, "note", "request")
    assert answers == [Answer("w1", Fate.DONE, proof=remark.seq)] * 2
    assert remark.entry.body == {
        "note": "request",
        "id": "w1",
        "actor": "Anna",
        "do": "new_game",
        "pairing": {"tournament": "club", "round": 2, "board": 7},
    }
    assert {record.entry.game for record in records} == {1}


def test_a_correction_names_who_wanted_it_as_its_cause(tmp_path: Path, broker: MemoryBroker) -> None:
    async def scene(director: Director, controller: BoardController) -> None:
        answer = await director.wants("w1", {"do": "correct", "event": {"event": "paused", "why": "a claim"}})
        assert answer.fate is Fate.DONE
        game = controller.game()
        assert game is not None
        assert game.paused_at is not None
        again = await director.wants("w2", {"do": "correct", "event": {"event": "paused"}})
        assert (again.fate, again.proof) == (Fate.REFUSED, 0)

    records = in_the_hall(tmp_path, broker, scene)
    remark = the(records, "note", "request")
    (event,) = (record for record in records if record.entry.kind is EntryKind.EVENT)
    assert event.entry.cause == remark.seq
    assert (event.entry.body["event"], event.entry.body["why"]) == ("paused", "a claim")


def test_a_wish_that_came_too_late_or_is_for_another_start_of_the_daemon_is_not_done(
    tmp_path: Path, broker: MemoryBroker
) -> None:
    async def scene(director: Director, controller: BoardController) -> None:
        late = await director.wants("w1", NEW_GAME, late=True)
        assert (late.fate, sentence(late.why)) == (
            Fate.EXPIRED,
            "The request reached the board too late: look at the board, then send it again.",
        )
        other = await director.wants("w2", NEW_GAME, session="before")
        assert sentence(other.why) == "The board has restarted since then: look at it, then send the request again."
        assert controller.game() is None

    assert in_the_hall(tmp_path, broker, scene, Orders()) == []


def test_what_was_done_is_known_again_after_a_restart(tmp_path: Path, broker: MemoryBroker) -> None:
    answers: list[Answer] = []

    async def scene(director: Director, _: BoardController) -> None:
        answers.append(await director.wants("w1", NEW_GAME, session="" if not answers else "before"))

    first = in_the_hall(tmp_path, broker, scene, Orders())
    following = in_the_hall(tmp_path, broker, scene, Orders())
    assert answers[0] == answers[1]
    assert answers[0].fate is Fate.DONE
    assert the(following, "note", "request") == the(first, "note", "request")


def test_a_game_of_a_pairing_is_a_tournaments_also_after_a_restart_and_no_other_is(
    tmp_path: Path, broker: MemoryBroker
) -> None:
    known: list[bool] = []

    async def begin(director: Director, controller: BoardController) -> None:
        known.append(controller.is_tournament)
        await director.wants("w1", NEW_GAME)
        known.append(controller.is_tournament)

    async def go_on(director: Director, controller: BoardController) -> None:
        shown = asyncio.Event()
        controller.on_change(shown.set)
        if controller.game() is None:  # it is shown with the first look
            await asyncio.wait_for(shown.wait(), 30)
        known.append(controller.is_tournament)
        friendly = {**NEW_GAME, "pairing": {}, "abandoned_by": "Anna"}
        assert (await director.wants("w2", friendly)).fate is Fate.DONE
        known.append(controller.is_tournament)

    in_the_hall(tmp_path, broker, begin, Orders())
    in_the_hall(tmp_path, broker, go_on, Orders())
    assert known == [False, True, True, False]


REFUSED: tuple[tuple[Mapping[str, object], str], ...] = (
    ({}, "The request has no text do."),
    ({"do": "dance"}, "A board cannot 'dance': it knows correct, new_game, notice."),
    ({"do": "correct", "event": []}, "The request has no object event."),
    ({"do": "correct", "event": {"event": "rained"}}, 'The event cannot be read: "rained" is not an event by hand.'),
    ({"do": "correct"}, "The event cannot be read: it has no name."),
    ({"do": "correct", "event": {"event": "resumed"}}, "The game is not paused"),
    ({"do": "notice", "text": "\u200b"}, "A notice needs a text."),
    ({"do": "new_game"}, "The current game is not finished: say who abandons it."),
    ({"do": "new_game", "settings": {"level": [1]}}, "The setting level is neither a text nor a whole number."),
    ({"do": "new_game", "temperament": "cross"}, "There is no temperament 'cross'"),
    ({"do": "new_game", "pairing": {"round": 1}}, "A pairing is a tournament, a round and a board."),
    ({"do": "new_game", "game": "chess", "abandoned_by": "Anna"}, "There is no game 'chess'"),
    ({"do": "new_game", "players": {"redd": "Ada"}, "abandoned_by": "Anna"}, "has no player redd; its players are"),
)


def test_what_cannot_be_done_is_refused_with_a_reason_and_leaves_no_remark(
    tmp_path: Path, broker: MemoryBroker
) -> None:
    async def scene(director: Director, _: BoardController) -> None:
        for number, (action, why) in enumerate(REFUSED):
            answer = await director.wants(f"w{number}", action)
            assert (answer.fate, answer.proof) == (Fate.REFUSED, 0)
            assert why in sentence(answer.why)
        assert "1 to 80 characters" in sentence((await director.wants("", NEW_GAME)).why)

    records = in_the_hall(tmp_path, broker, scene)
    assert not [record for record in records if record.entry.body.get("note") == "request"]


def test_in_a_game_for_a_pairing_no_engine_plays_and_none_advises_also_after_a_restart(
    tmp_path: Path, broker: MemoryBroker
) -> None:
    async def begin(director: Director, controller: BoardController) -> None:
        for settings in ({"level": 2, "opponent": 3}, {"level": 2, "opponent": 3, "opponent_plays": "all"}):
            answer = await director.wants(f"w{len(settings)}", {**NEW_GAME, "settings": settings})
            assert answer.fate is Fate.REFUSED
            assert sentence(answer.why) == "In a tournament nobody plays against an engine."
        assert controller.game() is None
        assert (await director.wants("w1", NEW_GAME)).fate is Fate.DONE
        await refuse_advice(controller)

    async def go_on(_: Director, controller: BoardController) -> None:
        await refuse_advice(controller)

    async def refuse_advice(controller: BoardController) -> None:
        with pytest.raises(ControllerError, match="This is a tournament"):
            await controller.advise()

    in_the_hall(tmp_path, broker, begin, Orders())
    records = in_the_hall(tmp_path, broker, go_on, Orders())
    assert not [record for record in records if record.entry.body.get("note") == "hint"]


def test_a_notice_before_the_first_game_is_shown_without_a_remark(tmp_path: Path, broker: MemoryBroker) -> None:
    async def scene(director: Director, controller: BoardController) -> None:
        assert await director.wants("w1", {"do": "notice", "text": "Welcome."}) == Answer("w1", Fate.DONE)
        assert "From the hall: Welcome." in in_english(controller.health())

    assert in_the_hall(tmp_path, broker, scene, Orders()) == []


def test_a_mistake_of_the_boards_own_is_an_answer_and_stops_no_game(
    tmp_path: Path, broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def burn(*_: object) -> int:
        message = "smoke"
        raise RuntimeError(message)

    async def scene(director: Director, controller: BoardController) -> None:
        monkeypatch.setattr(controller, "remark", burn)
        answer = await director.wants("w1", {"do": "notice", "text": "Hello."})
        assert (answer.fate, sentence(answer.why)) == (
            Fate.REFUSED,
            "The board's program failed: RuntimeError: smoke.",
        )

    in_the_hall(tmp_path, broker, scene)


def test_a_fault_of_the_link_is_said_stops_no_game_and_may_pass(
    tmp_path: Path, broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon_pi.hall_link._assembly.AFTER_A_FAULT", 0.01)

    def burn(*_: object) -> None:
        message = "smoke"
        raise RuntimeError(message)

    async def act(service: Service) -> None:
        said, well = asyncio.Event(), asyncio.Event()

        def look() -> None:
            (said if service.health["hall"] else well).set()

        service.runner.on_change(look)
        with (
            monkeypatch.context() as patched,
            join_hall(LinkOptions(BOARD), service, service._parts.journal, service._parts.watch, over(broker)),
        ):
            patched.setattr("gnomon_pi.hall_link._link.pack", burn)
            await service.controller.remark({"note": "something to tell"})
            await asyncio.wait_for(said.wait(), 30)
            assert service.health["hall"] == "Nothing can be sent to the hall: RuntimeError: smoke."
            assert await service.controller.remark({"note": "it goes on"}) > 0
            well.clear()
            patched.undo()
            await asyncio.wait_for(well.wait(), 30)

    run(tmp_path, LEVEL_1, act)


def test_a_notice_is_shown_at_the_board_and_remarked_upon(tmp_path: Path, broker: MemoryBroker) -> None:
    async def scene(director: Director, controller: BoardController) -> None:
        answer = await director.wants("w1", {"do": "notice", "text": "Round 2\nbegins."})
        assert (answer.fate, answer.proof) == (Fate.DONE, 2)
        assert "From the hall: Round 2 begins." in in_english(controller.health())

    records = in_the_hall(tmp_path, broker, scene)
    assert the(records, "note", "request").entry.body["text"] == "Round 2 begins."


def test_answers_that_nobody_asks_for_any_more_are_forgotten(tmp_path: Path, broker: MemoryBroker) -> None:
    async def scene(director: Director, controller: BoardController) -> None:
        errands = HallCommands(controller, lambda: Instant(0), "session", print)
        for number in range(600):
            request = Request(f"w{number}", "another", Instant(1), "Anna", NEW_GAME)
            assert (await errands.do(request)).fate is Fate.EXPIRED
        assert (len(errands._answers), next(iter(errands._answers))) == (500, "w100")
        assert (await director.wants("w1", {"do": "notice", "text": "Hello."})).fate is Fate.DONE

    in_the_hall(tmp_path, broker, scene)


def test_home_assistant_is_told_of_the_board_whenever_it_is_there_again(tmp_path: Path, broker: MemoryBroker) -> None:
    told: list[Message] = []
    enough = Event()

    def take(message: Message) -> None:
        told.append(message)
        if len(told) == 16:
            enough.set()

    async def scene(_: Director, __: BoardController) -> None:
        broker.connect().publish(BIRTH, b"offline")
        broker.connect().publish(BIRTH, b"online")
        await asyncio.to_thread(enough.wait, 30)

    broker.connect().subscribe("homeassistant/+/t07/+/config", take)
    in_the_hall(tmp_path, broker, scene, home_assistant=True)
    assert len(told) == 16
    assert len(broker.retained_messages("homeassistant/#")) == 8


def test_a_broker_that_minds_is_not_told_again_and_what_to_do_is_said() -> None:
    said: list[str] = []
    bus, now = FaultyBus(MemoryBroker(), Random(1)), [Instant(0)]
    told: list[Message] = []
    bus._broker.connect().subscribe("homeassistant/#", told.append)
    me = Status(BOARD, online=True, epoch="e", session="s")
    HomeAssistantEntry(me, bus, lambda: now[0], said.append)
    now[0] = Instant(60 * SECOND)
    bus.cut()
    bus.mend()
    assert said == []
    bus.cut()
    bus.mend()
    bus._broker.deliver()
    assert len(told) == 16
    assert said == ["t07 is not described to Home Assistant: let it by `gnomon hall enrol --home-assistant t07`"]
