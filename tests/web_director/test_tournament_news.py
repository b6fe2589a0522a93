"""Open pages hear that a tournament has changed."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

from gnomon.hall.hall import Hall, HallSources
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.tournament.events import EntrantRegistered
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.web.director._stream import News
from gnomon.web.live.streams import RETRY
from tests.hall.boards import Clock, ModelBoard
from tests.hall.empty_halls import begin_hall


def hall_in(folder: Path) -> Hall:
    hall = Hall.open(begin_hall(str(folder / "hall.db")), MemoryBroker().connect())
    hall.open_tournament("open", TournamentSettings("Open", System.SWISS, 3), "Dora")
    return hall


async def told(events: AsyncGenerator[bytes, None]) -> dict[str, object]:
    name, _, data = (await anext(events)).decode().partition("\ndata: ")
    assert name == "event: told"
    found: dict[str, object] = json.loads(data)
    return found


def test_a_reader_hears_at_once_what_is_and_then_what_changes(tmp_path: Path) -> None:
    hall = hall_in(tmp_path)
    hall.clocks.of("open")

    async def read() -> None:
        news = News(hall, at_most_each=0)
        before = news.marks("open")
        events, other = news.events("open"), news.events("other")
        assert await anext(events) == RETRY
        assert await anext(other) == RETRY
        assert before == {"told": "0.0", "desk": "0.0"}
        first = await told(events)
        assert first["told"] == "1.0"  # a page that was made before looks again
        assert first["clock"] == {"left_ms": 3_600_000, "runs": False}
        assert (await told(other))["clock"] is None
        await asyncio.sleep(0)  # the task that follows the hall begins
        hall.tell("open", EntrantRegistered(1, "Ada"), "Dora", after=1)
        second = await told(events)
        assert (second["told"], second["desk"]) == ("1.1", "1.1")
        news.desk_changed("open")
        third = await told(events)
        assert (third["told"], third["desk"]) == ("1.1", "1.2")
        hall.clocks.put("open", hall.clocks.of("open").start(hall.now()))
        news.clock_changed("open")
        fourth = await told(events)
        assert isinstance(fourth["clock"], dict)
        assert fourth["clock"]["runs"] is True
        await events.aclose()
        await other.aclose()
        assert news._readers == 0
        assert news._following is None

    asyncio.run(read())
    hall.close()


def test_directors_hear_that_a_board_of_their_tournament_goes_and_comes_back(tmp_path: Path) -> None:
    broker, clock = MemoryBroker(), Clock()
    hall = Hall.open(begin_hall(str(tmp_path / "hall.db")), broker.connect(), HallSources(clock))
    hall.thread.connect()
    for name, device in (("open", "t01"), ("blitz", "t02")):
        hall.open_tournament(name, TournamentSettings("Open", System.SWISS, 3), "Dora")
        hall.set_plan(name, BoardAssignment("tabik", boards={1: device}))
    board = ModelBoard("t01", broker.connect(), clock)

    def deliver() -> None:
        broker.deliver()
        hall.thread.step()

    deliver()

    async def read() -> None:
        news = News(hall, at_most_each=0)
        events = news.events("open")
        assert await anext(events) == RETRY
        marks = [(await told(events))["desk"]]
        await asyncio.sleep(0)  # the task that follows the hall begins
        for is_online in (False, True):
            board.say_hello(online=is_online)
            deliver()
            marks.append((await told(events))["desk"])
        board.tell_state("paused")  # which is no news for a desk
        deliver()
        assert marks == ["1.0", "1.1", "1.2"]
        assert news.marks("open") == {"told": "1.0", "desk": "1.2"}
        assert news.marks("blitz")["desk"] == "1.0"
        await events.aclose()

    asyncio.run(read())
    hall.close()
