"""Provide visitors of the pages: an application whose clock stands until told, and browsers."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

import httpx
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from gnomon.records.journal.entries import Archive
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.access import Authenticator, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.codes import Code
from gnomon.web.access.password_hashes import argon2
from gnomon.web.access.store import AccountStore
from gnomon.web.app import application
from gnomon.web.app_context import Advisor, AppContext, Doubter, HandJudge, ThreatNoter
from gnomon.web.games.analyses import Analyses
from gnomon.web.live.interfaces import LiveBoard

ADDRESS: Final = "http://127.0.0.1:8765"
PIN: Final = "271828"
QUICK: Final = argon2(memory=8, passes=1)
"""As slow as argon2 can be made quick: the tests hash often."""


@dataclass
class SetClock:
    """A clock that is set by hand."""

    seconds: float = 0.0
    boot: str = "this boot"
    ahead: float = 0.0  # seconds by which the wall clock is

    def now(self) -> Instant:
        return Instant(round(self.seconds * SECOND))

    def wall(self) -> datetime:
        return datetime(2026, 11, 20, tzinfo=UTC) + timedelta(seconds=self.seconds + self.ahead)


class NoBoard:
    """A board on which nothing can be played; a test that asks more of it has to bring one."""

    games: Sequence[str] = ()


@dataclass
class Reception:
    """A house with its door, what the board was given to show, and the visitors who ask there."""

    clock: SetClock = field(default_factory=SetClock)
    shown: list[Code | None] = field(default_factory=list)
    open_to: Role = Role.SPECTATOR
    more: tuple[BaseRoute, ...] = ()
    board: LiveBoard | None = None
    archive: Archive | None = None
    advisor: Advisor | None = None
    doubter: Doubter | None = None
    hand_judge: HandJudge | None = None
    threat_noter: ThreatNoter | None = None
    is_tournament: bool = False
    analyses: Analyses | None = None
    solutions: Analyses | None = None
    puzzles: Path | None = None

    def __post_init__(self) -> None:
        self.door = Authenticator(
            AccountStore.in_memory(), self.clock, AccessTerms(self.open_to, self.shown.append), hasher=QUICK
        )
        board = cast(LiveBoard, NoBoard()) if self.board is None else self.board
        archive = cast(Archive, self.archive)
        house = AppContext(
            board,
            archive,
            ("gnomon.local",),
            door=self.door,
            advisor=self.advisor,
            doubter=self.doubter,
            hand_judge=self.hand_judge,
            threat_noter=self.threat_noter,
            is_tournament=lambda: self.is_tournament,
            analyses=self.analyses,
            solutions=self.solutions,
            puzzles=self.puzzles,
        )
        self.app: ASGIApp = application(house, *self.more)

    def browser(self, address: str = ADDRESS, client: str = "192.168.1.20") -> "Browser":
        """A browser that nobody has signed in at."""
        return Browser(self, address, client)

    def person(self, name: str, role: Role, secret: str = PIN) -> None:
        """Let somebody be known."""
        asyncio.run(self.door.add_person(name, role, secret))

    def signed_in(self, role: Role, name: str = "") -> "Browser":
        """The browser of somebody of that role, who is made known first."""
        self.person(name or f"The {role}", role)
        browser = self.browser()
        assert browser.sign_in(name or f"The {role}").status_code == 303
        return browser

    def token(self, role: Role) -> str:
        """A token of that role."""
        admin = self.signed_in(Role.ADMIN, f"Who made {role}")
        answer = admin.send("/people/token", label="a program", role=role, days="1")
        found = re.search(r"gnomon_[\w-]{43}", answer.text)
        assert found is not None, answer.text
        return found[0]


@dataclass
class Browser:
    """What a browser does: it keeps cookies, and sends forms with what their page gave it."""

    reception: Reception
    address: str
    client: str
    cookies: dict[str, str] = field(default_factory=dict)
    agent: str = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers={"accept": "text/html", **headers})

    def csrf(self, path: str = "/sign-in") -> str:
        """The token in the forms of a page."""
        found = re.search(r'<meta name="csrf" content="(\w+)">', self.get(path).text)
        assert found is not None
        return found[1]

    def send(self, path: str, **fields: str) -> httpx.Response:
        """Send a form of the page."""
        csrf = fields.pop("csrf", None)
        data = {"csrf": self.csrf() if csrf is None else csrf, **fields}
        return self.ask("POST", path, data=data, headers={"origin": self.address, "accept": "text/html"})

    def sign_in(self, name: str, secret: str = PIN, **more: str) -> httpx.Response:
        return self.send("/sign-in", name=name, secret=secret, **more)

    def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.reception.app, client=(self.client, 5000))
            async with httpx.AsyncClient(transport=transport, base_url=self.address) as http:
                sent = {"user-agent": self.agent, **({"cookie": self._cookie()} if self.cookies else {})}
                return await http.request(method, path, headers={**sent, **(headers or {})}, **more)

        answer = asyncio.run(ask())
        for set_cookie in answer.headers.get_list("set-cookie"):
            name, _, value = set_cookie.partition(";")[0].partition("=")
            if "Max-Age=0" in set_cookie:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())
