"""Provide the hall that the tests of its pages look at, in a time that passes when a test lets it."""

import asyncio
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.types import ASGIApp

from gnomon.hall.demo._board import Casual, DemoBoard, DemoWorld
from gnomon.hall.demo._simulated_hall import DemoHall
from gnomon.hall.hall import Hall, HallSources
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.access import Authenticator, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.web.hall._app import application
from gnomon.web.hall._app_context import HallContext
from tests.hall.boards import Clock
from tests.hall.empty_halls import begin_hall
from tests.web.visitors import PIN, QUICK, SetClock

WALL: Final = "2026-11-20T19:00:00+00:00"
ADDRESS: Final = "http://127.0.0.1:8770"
STEP: Final = 0.5  # seconds


@dataclass
class Party:
    """A hall with its pages; its boards play themselves, ten times as fast as people."""

    where: Path
    open_to: Role = Role.SPECTATOR
    clock: Clock = field(default_factory=Clock)
    broker: MemoryBroker = field(default_factory=MemoryBroker)
    boards: dict[str, DemoBoard] = field(default_factory=dict)
    demonstration: DemoHall | None = None

    def __post_init__(self) -> None:
        world = HallSources(self.clock, lambda: datetime(2026, 11, 20, 19, tzinfo=UTC))
        self.hall = Hall.open(begin_hall(str(self.where / "hall.db")), self.broker.connect(), world)
        self.hall.thread.connect()
        self.world = DemoWorld(self.clock, lambda: WALL, random.Random(7), pace=10)
        self.door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(self.open_to), hasher=QUICK)
        self.house = HallContext(self.hall, name="Chess Club", door=self.door)
        self.app: ASGIApp = application(self.house)

    def board(self, name: str, casual: Casual | None = None) -> DemoBoard:
        """A further board that has joined the hall."""
        self.boards[name] = DemoBoard(name, self.broker.connect(), self.world, casual)
        self.boards[name].join()
        return self.boards[name]

    def demonstrate(self, count: int) -> None:
        """So many boards and their tournament."""
        self.demonstration = DemoHall(count, self.broker.connect(), self.hall, self.world)
        for board in self.demonstration.boards:
            board.join()

    def run(self, seconds: float = STEP, until: Callable[[], bool] = lambda: False) -> None:
        """Let time pass, and everybody do what is due, until something is so."""
        for _ in range(max(1, round(seconds / STEP))):
            self.clock.wait(STEP)
            if self.demonstration is not None:
                self.demonstration.step()
            for board in self.boards.values():
                board.run()
            self.deliver()
            if until():
                return

    def deliver(self) -> None:
        """Let everybody hear what was said."""
        for _ in range(3):
            self.broker.deliver()
            self.hall.thread.step()
        self.broker.deliver()

    def visitor(self, role: Role | None = None) -> "Guest":
        """A browser at the hall's pages, of somebody of that role; of nobody in particular without."""
        guest = Guest(self.app)
        if role is not None:
            asyncio.run(self.door.add_person(f"The {role}", role, PIN))
            assert guest.send("/sign-in", name=f"The {role}", secret=PIN).status_code == 303
        return guest


@dataclass
class Guest:
    """What a browser does: it keeps cookies, and sends forms with what their page gave it."""

    app: ASGIApp
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> httpx.Response:
        """A page."""
        return self.ask("GET", path, headers={"accept": "text/html", **headers})

    def send(self, path: str, **fields: str) -> httpx.Response:
        """Send a form with the token of the pages."""
        found = re.search(r'<meta name="csrf" content="(\w+)">', self.get("/sign-in").text)
        assert found is not None
        headers = {"origin": ADDRESS, "accept": "text/html"}
        return self.ask("POST", path, data={"csrf": found[1], **fields}, headers=headers)

    def ask(self, method: str, path: str, *, headers: dict[str, str], **more: Any) -> httpx.Response:
        """Ask for something."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=("192.168.1.20", 5000))
            async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as http:
                cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
                sent = {**headers, **({"cookie": cookie} if cookie else {})}
                return await http.request(method, path, headers=sent, **more)

        answer = asyncio.run(ask())
        for set_cookie in answer.headers.get_list("set-cookie"):
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer


def microseconds(seconds: float) -> Instant:
    """So many seconds as an instant."""
    return Instant(round(seconds * SECOND))
