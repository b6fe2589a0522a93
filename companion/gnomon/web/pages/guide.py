"""Serve the help page, the guide to connecting a real board, the rules and the builder's guides."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web._compression import text_response
from gnomon.web._pictures import example
from gnomon.web._templates import page
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for
from gnomon.web.pages._documents import ENGLISH, GUIDES, Document, NoDocumentError, document, rules_pages

LIGHTS: Final = ("movable", "target", "full", "running_out", "last", "wrong", "put", "take", "timer")
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


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Help, the way to a real board, and the documents."""

    async def help_page(request: Request) -> Response:
        return page(request, "help.html", lights=LIGHTS, games=rules_pages(), simulated=context.simulated)

    async def connect(request: Request) -> Response:
        return page(request, "connect.html", steps=STEPS, guides=STEP_GUIDES, more=GUIDES)

    return (Route("/help", help_page), Route("/connect", connect), *documents())


def documents() -> Sequence[BaseRoute]:
    """The rules and the guides, which are the same everywhere."""
    return (
        Route("/rules/{name}", _rules),
        Route("/rules/{name}/{moment}.svg", _example_picture),
        Route("/guides/{name}", _guide),
    )


async def _guide(request: Request) -> Response:
    found = _find(request.path_params["name"])
    return page(request, "document.html", title=found.title, body=found.body)


async def _rules(request: Request) -> Response:
    """The rules of a game: what it is about and an example turn, then the document, in the reader's language."""
    from gnomon.lessons import lessons_of  # noqa: PLC0415 - few read rules at a board, and every board has this page

    game, words = request.path_params["name"], words_for(request)
    found = _find(f"rules/{game}", words.language)
    about = f"rules.about.{game}"
    is_told = about in words.entries
    return page(
        request,
        "rules.html",
        title=found.title,
        body=found.sections if is_told else found.body,
        written=found.language,
        game=game,
        games=rules_pages(),
        about=words(about) if is_told else "",
        example=example(game, words),
        explained=words(f"rules.example.{game}") if f"rules.example.{game}" in words.entries else "",
        lessons=lessons_of(game),
    )


async def _example_picture(request: Request) -> Response:
    """The board before or after the example turn."""
    game, moment = request.path_params["name"], request.path_params["moment"]
    shown = example(game, words_for(request)) if game in rules_pages() else None
    if shown is None or moment not in {"before", "after"}:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return text_response(request, shown.before if moment == "before" else shown.after, "image/svg+xml")


def _find(name: str, language: str = ENGLISH) -> Document:
    try:
        return document(name, language)
    except NoDocumentError as error:
        raise HTTPException(HTTPStatus.NOT_FOUND) from error
