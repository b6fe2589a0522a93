"""The only place of the pages that say that something went wrong: what it is, and what to do now.

A browser's own request gets a page in its language; a program gets one sentence as JSON.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from gnomon.web.guard import HEADERS
from gnomon.web.rendering import page

TOLD: Final = frozenset({401, 403, 404, 405, 421, 429, 500, 503})
"""For these there is a page of its own; others are told as what they are nearest to."""
FAILED: Final = 500
SENTENCES: Final[Mapping[int, str]] = {
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take that method.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something failed on this machine: look into the journal of gnomond.",
}


def handlers() -> Mapping[int | type[Exception], ExceptionHandler]:
    """What answers errors, for an application."""
    return {HTTPException: _refused, FAILED: _failed}


def is_for_people(request: Request) -> bool:
    """Whether a browser asks for a page, and not one of our programs for an answer."""
    return "text/html" in request.headers.get("accept", "")


def answer(request: Request, status: int, sentence: str = "") -> Response:
    """A page, or one sentence as JSON."""
    if is_for_people(request):
        return page(request, "mistake.html", status, kind=_kind(status))
    return JSONResponse({"error": sentence or SENTENCES.get(status, HTTPStatus(status).phrase)}, status)


def _kind(status: int) -> int:
    if status in TOLD:
        return status
    return FAILED if status >= FAILED else int(HTTPStatus.NOT_FOUND)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - Starlette hands over what was asked for
    phrase = HTTPStatus(error.status_code).phrase
    made = answer(request, error.status_code, "" if error.detail == phrase else error.detail)
    made.headers.update(error.headers or {})
    made.headers["Cache-Control"] = "no-store"
    return made


async def _failed(request: Request, _error: Exception) -> Response:
    """What is said of a fault of ours; it is made outside of everything else, so the headers are given here."""
    made = answer(request, FAILED)
    made.headers.update({**HEADERS, "Cache-Control": "no-store"})
    return made
