"""Provide the hall that directors direct in the tests: its boards, its pages, and who asks for them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx
from anyio.from_thread import start_blocking_portal
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from gnomon.hall.hall import Hall, HallSources
from gnomon.hall.hub.hub import EVERYBODY, HubTerms
from gnomon.hall.messaging.hall_topics import HubBus
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.tournament.events import EntrantRegistered, ResultEntered
from gnomon.tournament.pairing.engines import pair
from gnomon.tournament.state import Tournament
from gnomon.tournament.state.results import GameResult
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon.web._templates import STATIC
from gnomon.web.access import Authenticator, Gate, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore
from gnomon.web.director import TournamentApp, largest, routes
from gnomon.web.hall._app import handlers
from gnomon.web.hall._app_context import HallContext
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.pages import people, sign_in, spoken
from tests.hall.boards import Clock, ModelBoard
from tests.hall.empty_halls import begin_hall
from tests.web.visitors import PIN, QUICK, SetClock

SITE: Final = "http://127.0.0.1:8765"
NAMES: Final = (
    "Ada Lovelace",
    "Benoît Mandelbrot",
    "Çiğdem Öztürk",
    "Dan Troyka",
    "Élisabeth-Charlotte von der Pfalz-Zweibrücken-Birkenfeld",
    "Fritz Zwicky",
    "Grace Hopper",
    "Hypatia",
    "Ivan Bratko",
)


@dataclass
class DirectorHouse:
    """A hall in one process, with the pages of its tournaments."""

    where: Path
    clock: Clock = field(default_factory=Clock)
    boards: dict[str, ModelBoard] = field(default_factory=dict)
    broker: MemoryBroker = field(default_factory=MemoryBroker)
    numbers: int = 0
    later: timedelta = timedelta()
    clients: dict[Role, "Person"] = field(default_factory=dict)
    named: str = ""
    terms: HubTerms = EVERYBODY

    def __post_init__(self) -> None:
        where = f"{self.where / 'hall.db'}" + (f"#{self.named}" if self.named else "")
        bus = self.broker.connect()
        self.hall = Hall.open(
            begin_hall(where), HubBus(bus, self.named) if self.named else bus, self.world(), self.terms
        )
        self.hall.thread.connect()
        self.door = Authenticator(AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=QUICK)
        self.office = TournamentApp(self.hall)
        self.app = application(self.office, self.door)
        # One loop for all, as in a hall: a round is paired while others ask.
        self._loop = start_blocking_portal()
        self.portal = self._loop.__enter__()

    def close(self) -> None:
        self._loop.__exit__(None, None, None)
        self.hall.close()

    def world(self) -> HallSources:
        return HallSources(self.clock, lambda: datetime(2026, 11, 20, 19, tzinfo=UTC) + self.later, self.name)

    def name(self) -> str:
        self.numbers += 1
        return f"r{self.numbers}"

    # Boards

    def board(self, name: str) -> ModelBoard:
        self.boards[name] = ModelBoard(name, self.broker.connect(), self.clock)
        self.boards[name].tell_state("empty")
        self.run()
        return self.boards[name]

    def run(self) -> None:
        """Let everybody do what is due."""
        for _ in range(4):
            for board in self.boards.values():
                board.run()
            self.broker.deliver()
            self.hall.thread.step()
            self.broker.deliver()

    # Tournaments

    def tournament(self, name: str = "open", count: int = 9, **settings: object) -> Tournament:
        """A tournament with so many entrants."""
        announced = {"system": System.SWISS, "rounds": 3, "tie_breaks": ("BHC1", "SB"), **settings}
        book = self.hall.open_tournament(name, TournamentSettings("Club Open", **announced), "Dora")  # type: ignore[arg-type]  # its own fields
        entrants = [
            EntrantRegistered(number, named(number), 2000 - number if number % 4 else None, f"Club {number % 3}")
            for number in range(1, count + 1)
        ]
        book.extend(entrants, "Dora", after=1)
        return book.tournament()

    def publish(self, name: str = "open") -> Tournament:
        """Pair the next round and publish it."""
        book = self.hall.book(name)
        self.hall.publish(name, pair(book.tournament()), "Dora", after=len(book.read()))
        return book.tournament()

    def play(self, name: str = "open", results: Sequence[GameResult] = ()) -> Tournament:
        """Enter a result at every board of the round that waits."""
        book = self.hall.book(name)
        tournament = book.tournament()
        chosen = results or (GameResult.FIRST_WON, GameResult.DRAWN, GameResult.SECOND_WON)
        events = [
            ResultEntered(len(tournament.rounds), board, (chosen[board % len(chosen)],) * tournament.settings.games)
            for board in tournament.waiting
        ]
        book.extend(events, "Dora", after=len(book.read()))
        return book.tournament()

    # People

    def anybody(self) -> "Person":
        """Somebody who has not signed in."""
        return Person(self, httpx.Cookies())

    def person(self, role: Role, name: str = "") -> "Person":
        """Somebody of a role, who has signed in."""
        if not name and role in self.clients:
            return self.clients[role]
        called = name or f"The {role}"
        self.portal.call(self.door.add_person, called, role, PIN)
        person = self.anybody()
        answer = person.send("/sign-in", name=called, secret=PIN)
        assert answer.status_code == 303, answer.text
        if not name:
            self.clients[role] = person
        return person


@dataclass
class Person:
    """A browser of somebody, with its cookies and the token of its forms."""

    house: DirectorHouse
    cookies: httpx.Cookies
    csrf: str = ""

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._ask("GET", path, headers={"accept": "text/html", **headers})

    def page(self, path: str) -> str:
        """A page that is there."""
        answer = self.get(path)
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        return answer.text

    def send(self, path: str, wants: str = "text/html", **fields: str) -> httpx.Response:
        """Send a form."""
        return self._ask("POST", path, headers=self._headers(wants), data={"csrf": self._token(path), **fields})

    def upload(self, path: str, file: str, content: bytes, **fields: str) -> httpx.Response:
        """Send a form with a file."""
        data = {"csrf": self._token(path), **fields}
        return self._ask("POST", path, headers=self._headers("text/html"), data=data, files={"file": (file, content)})

    def _headers(self, accept: str) -> dict[str, str]:
        return {"accept": accept, "origin": SITE}

    def _token(self, path: str) -> str:
        if not self.csrf or path == "/sign-in":
            found = re.search(r'<meta name="csrf" content="(\w+)">', self.get("/sign-in").text)
            assert found is not None
            self.csrf = "" if path == "/sign-in" else found[1]
            return found[1]
        return self.csrf

    def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.house.app, client=("192.168.1.20", 5000))
            async with httpx.AsyncClient(transport=transport, base_url=SITE, cookies=self.cookies) as http:
                answer = await http.request(method, path, **more)
                self.cookies = httpx.Cookies(http.cookies)
                return answer

        return self.house.portal.call(ask)


def named(number: int) -> str:
    """The name of an entrant: of the first few of all kinds, then plain ones."""
    return NAMES[number - 1] if number <= len(NAMES) else f"Player {number:03}"


def application(office: TournamentApp, door: Authenticator) -> Starlette:
    """The pages of tournaments as a hall serves them."""
    house = HallContext(office.hall, door=door)
    app = Starlette(
        exception_handlers=handlers(),
        routes=[
            *routes(office),
            *sign_in.routes(house),
            *people.routes(house),
            *spoken.routes(house),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard), Middleware(Bodies, larger=largest), Middleware(Gate, door=door)],
    )
    app.state.hall = "Chess Club"
    return app
