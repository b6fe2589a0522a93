"""Provide what spectators look at: a clock moved by hand, a board, and recorded games."""

import asyncio
import heapq
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, cast

from starlette.types import ASGIApp, Message, Scope

from gnomon.records.bundles import BEGAN, Bundle
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.imports import import_trace
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.writer import Journal
from gnomon.records.sheet_traces import sheet_trace
from gnomon.referee.events import ResultDeclared
from gnomon.referee.game import Game
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.live.delayed_feed import DelayedFeed
from gnomon.web.live.interfaces import LiveBoard
from tests.web.visitors import QUICK, SetClock

DELAY: Final = 60.0
SHEETS: Final = (
    (
        "Sheet: 1\nGame: tabik\nSettings: size=4\nPlayer black: Ada\nPlayer white: Bo\nResult: black resigned\n\n"
        "1. black a1b1 3\n2. white c1c2 7.5\n3. black d4c4 9\n"
    ),
    (
        "Sheet: 1\nGame: tamsk\nSettings: level=2\nPlayer red: Ömer\nPlayer black: Кира\nResult: red resigned\n\n"
        "1. red D1-D2 4 lift=2 down=3\n2. black A1-B2 9 lift=7 down=8\n"
        "3. red G4-G3 15 lift=13 down=14\n4. black D7-D6 21 lift=19 down=20\n"
        "5. red A4-A3 30 lift=28 down=29\n6. black G1-F1 41 lift=39 down=40\n"
    ),
)


class HandClock:
    """A monotonic clock that is moved by hand; tasks that wait on it are woken in order."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def now(self) -> float:
        return self.seconds

    async def wait(self, seconds: float) -> None:
        done = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (self.seconds + seconds, next(self._numbers), done))
        await done

    async def go_to(self, seconds: float) -> None:
        """Let time pass; everybody has done what there was to do when it stands still."""
        await settle()
        while self._waiting and self._waiting[0][0] <= seconds:
            self.seconds, _, done = heapq.heappop(self._waiting)
            if not done.done():
                done.set_result(None)
            await settle()
        self.seconds = seconds
        await settle()


async def settle() -> None:
    """Let every task and the one thread come to where they wait."""
    for _ in range(3):
        for _ in range(5):
            await asyncio.sleep(0)
        await asyncio.to_thread(int)


@dataclass
class Stage:
    """A board on which whatever a test puts is played."""

    clock: HandClock
    present: Game | None = None
    origin: float = 0.0  # of board time, on the clock
    wrong: tuple[str, ...] = ()
    games: Sequence[str] = ("tamsk", "tabik")
    buttons: Sequence[str] = ("button.red", "button.black")
    is_demonstrated: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def now(self) -> Instant:
        return Instant(0 if self.present is None else round((self.clock.seconds - self.origin) * 1_000_000))

    def game(self) -> Game | None:
        return self.present

    def health(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong))

    @property
    def replay(self) -> int:
        return 0 if self.game() is None else 12

    def notices(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong))

    def put(self, game: Game | None, origin: float = 0.0, wrong: tuple[str, ...] = ()) -> None:
        self.present, self.origin, self.wrong = game, origin, wrong
        self._changed.set()
        self._changed = asyncio.Event()

    async def changes(self) -> AsyncIterator[None]:
        while True:
            changed = self._changed
            yield
            await changed.wait()


@dataclass
class Shelfful:
    """Recorded games as far as they have been written."""

    games_: Sequence[StoredGame]
    records: Sequence[Record]
    durable_seq: int = 0
    failing: Exception | None = None
    lost: Collection[int] = ()

    @classmethod
    def of(cls, journal: Journal) -> "Shelfful":
        """Everything that is in a journal, of which nothing has been written yet."""
        games = journal.games()
        return cls(games, [record for game in games for record in journal.read(game.id)])

    def games(self) -> Sequence[StoredGame]:
        if self.failing is not None:
            raise self.failing
        return [found for game in self.games_ if (found := self._so_far(game)) is not None]

    def last_game(self) -> StoredGame | None:
        games = self.games()
        return games[-1] if games else None

    def read(self, game: int) -> Sequence[Record]:
        if self.failing is not None:
            raise self.failing
        return [each for each in self.records if each.entry.game == game and each.seq <= self.durable_seq]

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        most = self.durable_seq if last is None else min(last, self.durable_seq)
        return {
            each.entry.game: each.entry.body
            for each in self.records
            if each.entry.body.get("ruling") == "over" and each.entry.game >= first and each.seq <= most
        }

    def cut_off(self) -> Collection[int]:
        return self.lost

    def last_of(self, game: int) -> int:
        """The number of the last entry of a game."""
        return max(each.seq for each in self.records if each.entry.game == game)

    def _so_far(self, game: StoredGame) -> StoredGame | None:
        written = [each.seq <= self.durable_seq for each in self.records if each.entry.game == game.id]
        if not any(written):
            return None
        return game if all(written) else StoredGame(game.id, game.start, None)


def fill(journal: Journal, sheets: Sequence[str] = SHEETS, *, day: str = "2026-11-20") -> None:
    """Write games into a journal; those with a result are declared to have ended so."""
    for hour, text in enumerate(sheets):
        sheet = read_sheet(text.encode())
        made = sheet_trace(sheet)
        happenings, until = made.happenings, made.until
        if sheet.result is not None:
            until = Instant(until + SECOND)
            happenings = (*happenings, ResultDeclared(until, *sheet.result, "the arbiter"))
        extras = {**made.header.extras, BEGAN: f"{day}T{hour % 24:02d}:30:00+00:00"}
        written = Bundle(replace(made.header, extras=extras), happenings, until)
        import_trace(written.trace, journal)
    while journal.queued:
        journal.wait_durable(journal.durable_seq + 1, 0.01)


class World:
    """A house with spectators behind it, from clock 0 on; to be made inside the loop."""

    def __init__(self, archive: Shelfful, delay: float = DELAY, open_to: Role = Role.SPECTATOR) -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        self.clock = HandClock()
        self.stage = Stage(self.clock)
        self.archive = archive
        live = cast(LiveBoard, self.stage)
        self.past = DelayedFeed(live, archive, delay, self.clock.wait, self.clock.now) if delay else None
        door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(open_to), hasher=QUICK)
        self.house = AppContext(live, archive, ("testserver",), door=door, past=self.past, wait=self.clock.wait)
        self.app: ASGIApp = application(self.house)
        self.following = None if self.past is None else asyncio.create_task(self.past.follow())

    @property
    def visitor(self) -> Visitor:
        """Somebody who has not signed in."""
        return Visitor(Role.SPECTATOR)

    async def ask(self, path: str, **headers: str) -> "Answer":
        """Ask once, as a browser that nobody has signed in at."""
        reader = Reader(self, path, headers, stays=False)
        await asyncio.wait({reader.task})
        if not reader.task.cancelled():
            reader.task.result()
        return reader.answer

    def close(self) -> None:
        if self.following is not None:
            self.following.cancel()


class Evening:
    """A world without delay that lasts for many visits, in a loop of its own."""

    def __init__(self, archive: Shelfful) -> None:
        self._runner = asyncio.Runner()
        self._world = self._runner.run(_world(archive))

    def get(self, path: str) -> "Answer":
        """What a spectator gets there."""
        return self._runner.run(self._world.ask(path))

    def close(self) -> None:
        self._runner.close()


async def _world(archive: Shelfful) -> World:
    return World(archive, delay=0)


@dataclass
class Answer:
    """What came back, and when each piece of it came."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: list[tuple[float, bytes]] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return b"".join(piece for _, piece in self.pieces)

    @property
    def text(self) -> str:
        return self.body.decode()

    def told(self) -> "Answer":
        """Without what is drawn by lot for every visitor: the token of the forms."""
        found = re.search(rb'<meta name="csrf" content="(\w+)">', self.body)
        lots = found[1] if found else b"nothing is drawn"
        headers = {name: value for name, value in self.headers.items() if name != "set-cookie"}
        return Answer(self.status, headers, [(at, piece.replace(lots, b"csrf")) for at, piece in self.pieces])


class Reader:
    """Somebody who asks, and reads for as long as there is something or until told to go."""

    def __init__(
        self, world: World, path: str, headers: Mapping[str, str] | None = None, *, stays: bool = True
    ) -> None:
        """A reader that does not stay reads what a stream sends at once."""
        self.answer = Answer()
        self._world = world
        self._stays = stays
        self._gone = asyncio.Event()
        bare, _, query = path.partition("?")
        sent = {"host": "testserver", "accept": "text/html", **(headers or {})}
        scope: Scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": bare, "raw_path": bare.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": ("192.168.1.20", 5000), "server": ("testserver", 80),
        }  # fmt: skip
        self.task = asyncio.create_task(cast(Any, world.app(scope, self._receive, self._send)))

    def go(self) -> None:
        self._gone.set()

    async def _receive(self) -> Message:
        if not self._gone.is_set():
            await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.answer.status = message["status"]
            self.answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        elif message.get("body"):
            self.answer.pieces.append((self._world.clock.seconds, message["body"]))
            if not self._stays and message["body"].startswith(b"event:"):
                self.task.cancel()  # as a connection that is cut
