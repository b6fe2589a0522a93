"""The only place that knows the addresses of the bench: its page, its stream of events and its three commands."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from pathlib import Path
from secrets import randbits
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gnomon_pi.bench import orders
from gnomon_pi.bench.guard import Guard, refused
from gnomon_pi.bench.hands import Hands, Wait
from gnomon_pi.bench.orders import WHO, Body, OrderError
from gnomon_pi.bench.stream import events
from gnomon_pi.desk import Desk, DeskError
from gnomon_pi.simulated.table import ImpossibleActError

HERE: Final = Path(__file__).parent
CONFLICT: Final = 409
SEED_BITS: Final = 32


def application(desk: Desk, hosts: Collection[str] = (), wait: Wait = asyncio.sleep) -> Starlette:
    """The bench of a desk, to be served in the daemon's loop; `hosts` are further names of this machine.

    `wait` lets seconds pass while a hand holds a button or turns a glass, and between two looks at the board.
    """
    hands = Hands(desk, wait)
    page = _page()

    async def show(_request: Request) -> Response:
        return HTMLResponse(page)

    async def stream(_request: Request) -> Response:
        return StreamingResponse(
            events(desk, hands, wait), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    async def use_hands(order: Body) -> object:
        await hands.do(order)
        return hands.table()

    async def change_game(order: Body) -> object:
        orders.only(order, "new", "correct")
        if "correct" in order:
            await desk.correct(orders.correction(orders.field(order, "correct", dict)))
            return {}
        wish = orders.new_game(orders.field(order, "new", dict))
        await desk.new_game(wish.settings, wish.temperament, WHO if wish.abandon else "")
        return {}

    async def let_it_play(order: Body) -> object:
        wish = orders.let_it_play(order)
        if wish.level is None:
            desk.stop_playing()
        else:
            await desk.let_it_play(wish.level, randbits(SEED_BITS) if wish.seed is None else wish.seed)
        return {}

    return Starlette(
        routes=[
            Route("/", show),
            Route("/events", stream),
            Route("/hands", _command(use_hands), methods=["POST"]),
            Route("/game", _command(change_game), methods=["POST"]),
            Route("/let-it-play", _command(let_it_play), methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
    )


def _page() -> str:
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("bench.html").render(static=lambda name: f"static/{name}")


def _command(do: Callable[[Body], Awaitable[object]]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that reads a command, does it and answers JSON, or refuses with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return JSONResponse(await do(await orders.body(request)))
        except OrderError as error:
            return refused(error.status, str(error))
        except (DeskError, ImpossibleActError) as error:
            return refused(CONFLICT, str(error))

    return endpoint
