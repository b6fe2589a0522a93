"""A desk of paper: it writes down what is asked of it, keeps a real table, and refuses when told to."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

import httpx
from PIL import Image
from starlette.types import ASGIApp

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.records.journal.entries import Archive
from gnomon.referee.events import Correction
from gnomon.referee.game import Game
from gnomon.referee.judgement import Judgement
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Instant
from gnomon.views.summary import summary
from gnomon.web.access import Authenticator, Role
from gnomon.web.app import application
from gnomon.web.app_context import AppContext
from gnomon.web.live.interfaces import LiveBoard
from gnomon.web.live.streams import Readers
from gnomon.words import ENGLISH, Words
from gnomon_pi.pages.server import Ways
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.simulated._table import TableAct, TamskTable, Verb
from gnomon_pi.simulated.autoplay import Playground
from gnomon_pi.simulated.bench._operations import operations
from gnomon_pi.simulated.remote_control import RemoteControl


class PaperBoard:
    """Dark lights, and a display with one lit pixel in its first corner."""

    def lights(self) -> tuple[tuple[int, int, int], ...]:
        return ((255, 128, 0), *((0, 0, 0),) * 36)

    def display_image(self) -> Image.Image:
        image = Image.new("1", (128, 64))
        image.putpixel((0, 0), 1)
        return image


@dataclass
class PaperDesk:
    games: tuple[str, ...] = ("tamsk", "tabik", "tau", "tayu", "twenty-squares")
    buttons: tuple[str, ...] = ("button.red", "button.black", "button.arbiter")
    tiles: frozenset[str] | None = None
    table: TamskTable | None = field(default_factory=lambda: TamskTable.set_out(3))
    board: PaperBoard = field(default_factory=PaperBoard)
    present: Game | None = field(default_factory=lambda: new_game(Tamsk.from_settings({"level": 3})))
    is_playing: bool = False
    replay: int = 0
    is_demonstrated: bool = False
    refusal: str = ""
    asked: list[object] = field(default_factory=list)

    @property
    def controller(self) -> BoardController:
        return cast(BoardController, self)

    def as_remote(self) -> RemoteControl:
        return cast(RemoteControl, self)

    @property
    def playground(self) -> Playground:
        return cast(Playground, self)

    @property
    def ways(self) -> Ways:
        return Ways(_here, Readers().answer)

    def game(self) -> Game | None:
        return self.present

    def summary(self, words: Words = ENGLISH) -> Mapping[str, object]:
        return summary(self.present, Instant(0), words=words)

    def now(self) -> Instant:
        return Instant(0)

    def health(self) -> tuple[()]:
        return ()

    notices = health

    async def correct(self, correction: Correction) -> tuple[()]:
        self._write_down(correction)
        return ()

    async def new_game(self, setup: GameSetup, abandoned_by: str = "") -> None:
        assert not setup.players, "the bench asks nobody for a name"
        self._write_down((setup.settings, setup.temperament, abandoned_by, *([setup.game] if setup.game else [])))

    async def enter(self, text: str, who: str, why: str = "", after: int | None = None) -> tuple[()]:
        del after
        self._write_down(("enter", text, who, *([why] if why else [])))
        return ()

    async def throw(self, after: int | None = None) -> tuple[()]:
        del after
        self._write_down("throw")
        return ()

    async def read(self, code: str) -> tuple[()]:
        self._write_down(("read", code))
        return ()

    def act(self, act: TableAct) -> None:
        self._write_down(act)
        assert self.table is not None
        self.table = self.table.after(act)

    def press(self, button: str) -> None:
        if self.table is None:
            self._write_down(("press", button))
        else:
            self.act(TableAct(Verb.PRESS, button))

    def release(self, button: str) -> None:
        if self.table is None:
            self._write_down(("release", button))
        else:
            self.act(TableAct(Verb.RELEASE, button))

    def lay(self, squares: Sequence[str]) -> None:
        self._write_down(("lay", *squares))
        self.tiles = (self.tiles or frozenset()) | set(squares)

    def lift(self, squares: Sequence[str]) -> None:
        self._write_down(("lift", *squares))
        self.tiles = (self.tiles or frozenset()) - set(squares)

    async def let_it_play(self, seed: int, setup: GameSetup) -> None:
        more: list[object] = [setup.game] if setup.game else []
        self._write_down(("play", seed, *more, *([setup.settings] if setup.settings else [])))

    async def pause(self) -> None:
        self._write_down("pause")

    async def go_on(self) -> None:
        self._write_down("go on")

    def set_pace(self, name: str) -> None:
        self._write_down(("pace", name))

    def stop_playing(self) -> None:
        self._write_down("stop")

    def _write_down(self, what: object) -> None:
        if self.refusal:
            raise ControllerError(self.refusal)
        self.asked.append(what)


def judged(game: Game | None, judgement: Judgement) -> Game:
    """The game with another opinion of the board."""
    assert game is not None
    return replace(game, judgement=judgement)


async def _here(work: Coroutine[Any, Any, object]) -> object:
    return await work


async def no_wait(_seconds: float) -> None:
    """Let no time pass, and everybody else have a turn."""
    await asyncio.sleep(0)


def house(controller: PaperDesk, hosts: Sequence[str] = ()) -> ASGIApp:
    """The pages of a board in software, as its daemon serves them to those who sit at it."""
    context = AppContext(
        cast(LiveBoard, controller),
        cast(Archive, None),
        hosts,
        "/bench/",
        door=Authenticator.without_accounts(Role.ARBITER),
    )
    return application(context, operations=partial(operations, controller.as_remote(), controller.ways, wait=no_wait))


@dataclass
class Visitor:
    """A browser that visits the bench of a desk, at the address at which it is served."""

    controller: PaperDesk
    hosts: tuple[str, ...] = ()
    address: str = "http://127.0.0.1:8765"

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx.Response:
        return asyncio.run(self._ask("GET", path, {}, headers=headers))

    def post(
        self, path: str, json: object = None, content: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Send an action with the token that the page has; a path without a slash at its front is that of a control."""
        own = {"json": json} if content is None else {"content": content}
        return asyncio.run(self._ask("POST", path, own, headers=headers))

    async def _ask(
        self, method: str, path: str, body: Mapping[str, object], headers: Mapping[str, str] | None
    ) -> httpx.Response:
        address = path if path.startswith("/") else f"/api/v1/{path}"
        transport = httpx.ASGITransport(house(self.controller, self.hosts))
        async with httpx.AsyncClient(transport=transport, base_url=self.address) as client:
            given = dict(headers or {})
            if method == "POST":
                page = (await client.get("/bench/")).text
                given.setdefault("x-csrf-token", page.partition('name="csrf" content="')[2].partition('"')[0])
            return await client.request(method, address, headers=given, **body)  # type: ignore[arg-type]  # options handed on
