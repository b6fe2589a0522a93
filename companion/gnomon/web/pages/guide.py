"""Serve the help page, the guide to connecting a real board, the rules and the builder's guides."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web._templates import page
from gnomon.web.app_context import AppContext
from gnomon.web.pages._documents import GUIDES, NoDocumentError, document, rules_pages

LIGHTS: Final = ("movable", "target", "full", "running_out", "last", "wrong", "put", "take")
STEPS: Final = (
    ("build", "gnomond wiring --board tamsk --out wiring"),
    ("install", "sudo ./install.sh"),
    ("doctor", "sudo systemctl stop gnomond\ngnomond doctor"),
    ("walk", "gnomond walk --wiring /etc/gnomon/board.toml --out my-board.toml"),
    ("check", "gnomond check-config my-board.toml\nsudo cp my-board.toml /etc/gnomon/board.toml"),
    ("start", "sudo systemctl start gnomond"),
)
"""How a board of wires comes to play, and what is typed for it."""
STEP_GUIDES: Final = {"install": "install", "doctor": "doctor", "walk": "walk", "check": "board-description"}


def routes(house: AppContext) -> Sequence[BaseRoute]:
    """Help, the way to a real board, and the documents."""

    async def help_page(request: Request) -> Response:
        return page(request, "help.html", lights=LIGHTS, games=rules_pages(), simulated=house.simulated)

    async def connect(request: Request) -> Response:
        return page(request, "connect.html", steps=STEPS, guides=STEP_GUIDES, more=GUIDES)

    return (Route("/help", help_page), Route("/connect", connect), *documents())


def documents() -> Sequence[BaseRoute]:
    """The rules and the guides, which are the same everywhere."""
    return (Route("/rules/{name}", _endpoint("rules/")), Route("/guides/{name}", _endpoint("")))


def _endpoint(folder: str) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint for the documents of a folder."""

    async def read(request: Request) -> Response:
        try:
            found = document(f"{folder}{request.path_params['name']}")
        except NoDocumentError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND) from error
        return page(request, "document.html", title=found.title, body=found.body, games=rules_pages() if folder else ())

    return read
