"""Provide the application whose API is tested: a paper board under the real referee, and a real journal."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
from starlette.types import ASGIApp

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.formats.sheets import read_sheet
from gnomon.records.imports import import_trace
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.writer import Journal
from gnomon.records.sheet_traces import sheet_trace
from gnomon.referee.effects import Announce
from gnomon.referee.events import Correction, ResultDeclared, TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import new_game, tell
from gnomon.referee.rulings import Ruling
from gnomon.referee.setup import GameSetup
from gnomon.refusals import Statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.access import Authenticator, Role, Visitor
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.password_hashes import argon2
from gnomon.web.access.store import AccountStore
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.live.interfaces import RefusedError, is_free
from gnomon.web.live.streams import Readers
from gnomon.web.middleware.limits import Allowance
from gnomon_pi.runtime.system.randomness import SeededChance, throw
from tests.web.visitors import PIN, SetClock

ROOT: Final = "/api/v1"
SHEETS: Final = (
    "Sheet: 1\nGame: tabik\nSettings: size=4\nPlayer black: Ada\n\n1. black a1b1 3\n2. white c1c2 7.5\n",
    "Sheet: 1\nGame: tamsk\nSettings: level=1\n\n1. red D1-D2 4\n",
)  # fmt: skip


@dataclass
class PaperBoard:
    """A board without a machine: the real referee, told by hand at instants that the test sets."""

    present: Game | None = None
    at: Instant = Instant(0)
    wrong: tuple[str, ...] = ()
    games: Sequence[str] = ("tamsk", "tabik", "tau", "tayu", "twenty-squares")
    buttons: Sequence[str] = ("button.red", "button.black", "button.arbiter")
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    for_players: tuple[str, ...] | None = None  # of what is wrong; None: all of it
    followed: int = 0  # how many follow its changes now
    in_all: int = 0  # how many ever did

    def now(self) -> Instant:
        return self.at

    def game(self) -> Game | None:
        return self.present

    def health(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong))

    @property
    def replay(self) -> int:
        return 0 if self.game() is None else 12

    @property
    def is_demonstrated(self) -> bool:
        return False

    def notices(self) -> tuple[Statement, ...]:
        return tuple(map(Statement.plain, self.wrong if self.for_players is None else self.for_players))

    async def changes(self) -> AsyncIterator[None]:
        self.followed += 1
        self.in_all += 1
        try:
            while True:
                changed = self.changed
                yield
                await changed.wait()
        finally:
            self.followed -= 1

    def change(self) -> None:
        """Let everybody know that something has changed."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def correct(self, correction: Correction, after: int | None = None) -> tuple[Ruling, ...]:
        del after  # here nobody is ever late
        if self.present is None:
            message = "There is no game yet."
            raise RefusedError(message)
        self.at = Instant(self.at + SECOND)
        try:
            self.present, effects = tell(self.present, replace(correction, at=self.at))
        except RulesError as error:
            raise RefusedError(error) from error
        self.change()
        return tuple(effect.ruling for effect in effects if isinstance(effect, Announce))

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[Ruling, ...]:
        return await self.correct(TurnEntered(self.at, text, who, why), after)

    async def throw(self, after: int | None = None) -> tuple[Ruling, ...]:
        if (
            self.present is None
            or (self.present.clock is None and isinstance(self.present, TamskGame))
            or self.present.turn != "nature"
        ):
            message = "Nothing is to be thrown or drawn now."
            raise RefusedError(message)
        return await self.correct(throw(self.present, self.at, SeededChance(1)), after)

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        try:
            begun = new_game(replace(setup, game=setup.game or "tamsk"))
        except RulesError as error:
            raise RefusedError(error) from error
        if not is_free(self.present):
            if not abandoned_by:
                message = "The current game is not finished: say who abandons it."
                raise RefusedError(message)
            await self.correct(ResultDeclared(self.at, None, "abandoned", abandoned_by))
        self.present = begun
        self.change()

    async def take_up(self, stored: StoredGame, records: Sequence[Record]) -> None:
        message = f"Game {stored.id} with its {len(records)} entries was not put away."
        raise RefusedError(message)


def written(folder: Path) -> Journal:
    """A journal of two games, to be closed in the end."""
    journal = Journal.open(folder / "journal")
    for sheet in SHEETS:
        import_trace(sheet_trace(read_sheet(sheet.encode())).trace, journal)
    journal.wait_durable(1_000_000, 0)
    return journal


@dataclass
class ApiHouse:
    """A house with its API and who may use it."""

    archive: Journal
    board: PaperBoard = field(default_factory=PaperBoard)
    readers: Readers = field(default_factory=Readers)
    allowance: Allowance | None = None
    numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.door = Authenticator(
            AccountStore.in_memory(), SetClock(), AccessTerms(), hasher=argon2(memory=8, passes=1)
        )
        self.house = AppContext(
            self.board, self.archive, ("testserver",), door=self.door, readers=self.readers, allowance=self.allowance
        )
        self.app: ASGIApp = application(self.house)

    def token(self, role: Role) -> str:
        """A token of that role, made by an admin of its own."""

        async def make() -> str:
            person = await self.door.add_person(f"Maker {next(self.numbers)}", Role.ADMIN, PIN)
            owner = Visitor(Role.ADMIN, person.name, person.id)
            return await self.door.make_token(owner, "a program", role, 1)

        return asyncio.run(make())

    def ask(self, method: str, path: str, token: str = "", **request: Any) -> httpx.Response:
        """Ask the API once."""
        return self.page(f"{ROOT}{path}", method, token, **request)

    def page(self, path: str, method: str = "GET", token: str = "", **request: Any) -> httpx.Response:
        """Ask once."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            headers = {"authorization": f"Bearer {token}"} if token else {}
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
                return await client.request(method, path, **request)

        return asyncio.run(ask())
