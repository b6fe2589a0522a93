"""Spectators see nothing of a board sooner than it allows, whatever they ask the hall for; officials see all of it."""

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from gnomon.hall.demo._board import Casual, DemoBoard
from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.messages import Topic, encode
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.web.access import Role
from gnomon.web.hall import _stream as telling
from gnomon.web.hall._live import HallBoard
from gnomon.web.hall._stream import HallNews
from gnomon.web.server.workers import Shelf
from tests.hall.boards import Clock
from tests.web_hall.party import STEP, Guest, Party
from tests.web_hall.test_hall_news import told, until

DELAY = 30
TABIK = Casual("tabik", {"size": 8, "clock": "3+2"}, ("Ada", "Ben"))


@dataclass
class HeldBack:
    """The bus of a board with a delay: what it tells of its state goes to the hall at once, and to everybody later."""

    bus: Bus
    clock: Clock
    held: deque[tuple[Instant, str, bytes]] = field(default_factory=deque)

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        self.bus.subscribe(pattern, take)

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        if topic.endswith(Topic.STATUS):
            status = decoder.status(topic, payload)
            payload = encode(replace(status, delay=Duration(DELAY * SECOND)))
        elif topic.endswith(Topic.STATE):
            payload = encode(replace(decoder.state(topic, payload), delay=Duration(DELAY * SECOND)))
            self.held.append((Instant(self.clock() + DELAY * SECOND), topic, payload))
            topic = topic.replace(Topic.STATE, Topic.LIVE)
        return self.bus.publish(topic, payload, retain=retain, sure=sure, expires=expires)

    def flush(self) -> None:
        """Tell everybody what they may see by now."""
        while self.held and self.held[0][0] <= self.clock():
            _, topic, payload = self.held.popleft()
            self.bus.publish(topic, payload, retain=True, sure=False)

    @property
    def hindrance(self) -> Statement | None:
        return None

    def on_connection(self, call: Callable[[bool], None]) -> None:
        self.bus.on_connection(call)

    def close(self) -> None:
        self.bus.close()


@dataclass
class Evening:
    """A hall with one board that holds back what happens at it."""

    party: Party
    bus: HeldBack
    board: DemoBoard

    @classmethod
    def begun(cls, where: Path, seconds: float) -> "Evening":
        where.mkdir()
        party = Party(where)
        bus = HeldBack(party.broker.connect(), party.clock)
        board = DemoBoard("t01", bus, party.world, TABIK)
        board.join()
        evening = cls(party, bus, board)
        evening.play(seconds)
        return evening

    def play(self, seconds: float) -> None:
        """Let time pass with a game going on."""
        self.party.boards["t01"] = self.board
        self._pass(seconds)

    def wait(self, seconds: float) -> None:
        """Let time pass in which nothing happens at the board."""
        self.party.boards.clear()
        self._pass(seconds)

    def _pass(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.bus.flush()
            self.party.run()

    def seen(self, role: Role | None = None) -> dict[str, tuple[int, str]]:
        """What somebody sees at every address of the hall, by the address."""
        guest = self.party.visitor(role)
        return {path: _page(guest, path) for path in _addresses(self.party)}

    def plies(self, role: Role | None = None) -> int:
        """How many turns somebody sees on the page of the board."""
        is_desk = role is not None
        board = HallBoard(self.party.hall, "t01", Shelf(), self.party.hall if is_desk else self.party.hall.public)
        asyncio.run(board.look())
        game = board.game()
        return -1 if game is None else len(game.plies)

    def close(self) -> None:
        self.party.hall.close()


def _addresses(party: Party) -> Iterator[str]:
    """Every address that answers at once; streams never end."""
    assert isinstance(party.app, Starlette)
    for route in party.app.routes:
        if isinstance(route, Route) and "GET" in (route.methods or ()) and not route.path.endswith("events"):
            yield re.sub(r"{[^}]*}", "t01", route.path)


def _page(guest: Guest, path: str) -> tuple[int, str]:
    answer = guest.get(path)
    return answer.status_code, re.sub(r'(csrf"( \w+="\w+")? (content|value)=)"\w+"', "", answer.text)


@pytest.fixture
def evenings(tmp_path: Path) -> Iterator[tuple[Evening, Evening]]:
    """Two evenings on which the same has happened for so long that spectators see some of it."""
    one, other = (Evening.begun(tmp_path / name, 50) for name in ("one", "other"))
    yield one, other
    one.close()
    other.close()


@pytest.mark.long
def test_whatever_spectators_ask_for_is_the_same_whatever_has_happened_since(
    evenings: tuple[Evening, Evening],
) -> None:
    one, other = evenings
    assert one.seen() == other.seen()
    before = one.plies()
    one.play(DELAY - 5)
    other.wait(DELAY - 5)
    seen = one.seen()
    assert len(seen) > 20
    assert "Ada" in seen["/hall.json"][1]
    assert "Tabik" in seen["/boards/t01"][1]
    assert {path for path, page in other.seen().items() if page != seen[path]} == set()
    assert before < one.plies() == other.plies() < one.plies(Role.ARBITER) != other.plies(Role.ARBITER)
    official = one.seen(Role.ARBITER)
    assert {path for path in ("/boards", "/boards/t01") if official[path] != seen[path]} == {"/boards", "/boards/t01"}
    live = one.plies(Role.ARBITER)
    one.wait(DELAY)
    assert live - 1 <= one.plies() <= live, "all but a turn that it has told of no state after"


def test_a_hall_that_knows_of_no_delay_yet_shows_spectators_no_game(evenings: tuple[Evening, Evening]) -> None:
    one, _ = evenings
    assert one.plies() > 0
    one.party.hall.thread.forget("t01")
    one.party.hall.thread.step()
    assert one.plies() == -1


def test_what_a_board_has_told_that_has_gone_is_shown_when_it_is_old_enough(evenings: tuple[Evening, Evening]) -> None:
    one, _ = evenings
    live = one.plies(Role.ARBITER)
    one.board.leave()
    one.bus.held.clear()
    one.wait(DELAY - 5)
    assert one.plies() < live
    one.wait(10)
    assert one.plies() == live


def test_when_something_happens_that_is_not_shown_yet_cannot_be_seen_in_the_stream(
    evenings: tuple[Evening, Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = evenings
    monkeypatch.setattr(telling, "BEAT", 3600.0)

    async def read() -> None:
        news = HallNews(one.party.hall, _at_once, one.party.hall.public)
        stream = news.events()
        await until(stream, "boards")
        sent = news.number
        await asyncio.to_thread(one.bus.held.clear)  # nothing more becomes visible
        await asyncio.to_thread(one.play, 2)
        for _ in range(20):
            await asyncio.sleep(0)
        assert news.number == sent
        one.party.hall.forget("t01")
        one.party.hall.thread.step()
        assert told(await anext(stream))[0][1]["gone"] == ["t01"]
        await stream.aclose()

    asyncio.run(read())


async def _at_once(_seconds: float) -> None:
    await asyncio.sleep(0)


def test_a_miniature_on_the_wall_is_as_late_as_the_wall_no_matter_who_asks(tmp_path: Path) -> None:
    one, other = (Evening.begun(tmp_path / name, 50) for name in ("one", "other"))
    one.play(20)
    other.wait(20)
    path = "/boards/t01/miniature.svg"
    late = other.party.visitor().get(path)
    assert late.status_code == 200
    assert one.party.visitor().get(path).content == late.content
    assert one.party.visitor(Role.DIRECTOR).get(path).content == late.content
    arbiter = one.party.visitor(Role.ARBITER)
    assert arbiter.get("/boards/t01/position.svg").content != late.content
    lists = [visitor.get("/boards?pictures=yes").text for visitor in (one.party.visitor(), arbiter)]
    assert [f'src="{path}"' in text for text in lists] == [True, False]
    assert ['src="/boards/t01/position.svg"' in text for text in lists] == [False, True]
    one.close()
    other.close()
