"""Route the bench's HTTP requests: page, pictures, event stream and commands."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from pathlib import Path
from secrets import randbits
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gnomon.views.retelling import refused_again
from gnomon.web.access import visitor_of
from gnomon.web.origin_check import HEADERS, Guard, refused
from gnomon.web.pictures import NoPictureError, sheet
from gnomon.web.rendering import location_of, words_for
from gnomon.words import LANGUAGES, words
from gnomon_pi.pages.live_board import Crossing
from gnomon_pi.pages.server import Ways
from gnomon_pi.runtime.controller import DeskError
from gnomon_pi.simulated.bench import orders, pictures
from gnomon_pi.simulated.bench.hands import Hands, Wait
from gnomon_pi.simulated.bench.orders import WHO, Body, OrderError
from gnomon_pi.simulated.bench.stream import events
from gnomon_pi.simulated.demonstration import Demonstration
from gnomon_pi.simulated.remote_control import RemoteControl
from gnomon_pi.simulated.table import ImpossibleActError

HERE: Final = Path(__file__).parent
SEED_BITS: Final = 32

# The bench needs less than the other pages: no forms, no picture that is written into the page.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
OF_THE_BENCH: Final = {**HEADERS, "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}


@dataclass(frozen=True, slots=True)
class BenchPages:
    """What the pages of a board in software have besides: its bench, and the demonstration."""

    remote: RemoteControl

    def demonstration(self, crossing: Crossing) -> Demonstration:
        """Hands that show a game."""
        return Demonstration(self.remote, crossing)

    def bench(self, hosts: Collection[str], ways: Ways) -> Starlette:
        """The bench; `hosts` are further names of this machine."""
        return application(self.remote, ways, hosts)


def application(
    remote: RemoteControl, ways: Ways, hosts: Collection[str] = (), wait: Wait = asyncio.sleep
) -> Starlette:
    """The bench of a board in software; `hosts` are further names of this machine.

    `wait` lets seconds pass while a hand holds a button or turns a glass, and between two looks at the board.
    """
    bench = _Bench(remote, ways, wait)
    return Starlette(
        routes=[
            Route("/", bench.show),
            Route("/pictures.css", bench.colours),
            Route("/ahead", _question(bench.look_ahead)),
            Route("/events", bench.stream),
            Route("/hands", _command(bench.use_hands), methods=["POST"]),
            Route("/game", _command(bench.change_game), methods=["POST"]),
            Route("/let-it-play", _command(bench.let_it_play), methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts, headers=OF_THE_BENCH)],
    )


class _Bench:
    """What is answered at each address."""

    def __init__(self, remote: RemoteControl, ways: Ways, wait: Wait) -> None:
        self._remote = remote
        self._desk = remote.desk
        self._ways = ways
        self._wait = wait
        self._hands = Hands(remote, wait)
        self._page = _template()

    async def show(self, request: Request) -> Response:
        say = words_for(request)
        text = self._page.render(
            say=say,
            location=location_of(request),
            languages=[(code, words(code)("language")) for code in LANGUAGES],
            visitor=visitor_of(request),
            static=lambda name: f"static/{name}",
        )
        return HTMLResponse(text, headers={"Content-Language": say.language, "Vary": "Accept-Language, Cookie"})

    async def colours(self, _request: Request) -> Response:
        return Response(sheet(), media_type="text/css")

    async def look_ahead(self, request: Request) -> Response:
        """What the board would look like after a move, or why it may not be made."""
        move = request.query_params.get("move", "")
        return JSONResponse(pictures.ahead(self._desk.game(), move, words_for(request)))

    async def stream(self, request: Request) -> Response:
        told = events(self._remote, self._hands, self._wait, self._ways.summaries, words_for(request))
        return self._ways.answer(request, told)

    async def use_hands(self, order: Body) -> object:
        await self._ways.do(self._hands.do(order))
        return self._hands.table()

    async def change_game(self, order: Body) -> object:
        return await self._ways.do(self._change_game(order))

    async def _change_game(self, order: Body) -> object:
        """A turn or what was thrown, drawn or read, or a correction."""
        orders.only(order, "correct", "enter", "throw", "read")
        if "correct" in order:
            await self._desk.correct(orders.correction(orders.field(order, "correct", dict)))
        elif "enter" in order:
            await self._desk.enter(orders.field(order, "enter", str), WHO)
        elif "throw" in order:
            await self._desk.throw()
        else:
            await self._remote.read(orders.field(order, "read", str))
        return {}

    async def let_it_play(self, order: Body) -> object:
        return await self._ways.do(self._let_it_play(order))

    async def _let_it_play(self, order: Body) -> object:
        wish = orders.let_it_play(order)
        if wish.level is None:
            self._remote.stop_playing()
        else:
            seed = randbits(SEED_BITS) if wish.seed is None else wish.seed
            await self._remote.let_it_play(wish.level, seed, wish.game, wish.settings)
        return {}


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("bench.html")


def _question(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that answers with a picture, or refuses with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return await answer(request)
        except NoPictureError as error:
            return refused(HTTPStatus.CONFLICT, _say_refusal(error, request))

    return endpoint


def _command(do: Callable[[Body], Awaitable[object]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads a command, does it and answers JSON, or refuses with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await do(await orders.body(request)))
        except OrderError as error:
            return refused(error.status, str(error))
        except (DeskError, ImpossibleActError) as error:
            return refused(HTTPStatus.CONFLICT, _say_refusal(error, request))

    return endpoint


def _say_refusal(error: Exception, request: Request) -> str:
    """A refusal in the reader's language."""
    return refused_again(error, words_for(request))
