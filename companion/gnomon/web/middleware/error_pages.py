"""Answer errors with a page in the reader's language or with JSON, and a hint on what to do next.

A browser's own request gets a page in its language; a program gets one sentence as JSON, in its language too, with a
code. A board and a hall have different wording.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from gnomon.refusals import Statement, error_payload, sentence, statement, statement_of
from gnomon.web._http_errors import HttpError, is_for_people, refusal
from gnomon.web._templates import page
from gnomon.web.language import words_for
from gnomon.web.middleware.origin_check import HEADERS

TOLD: Final = frozenset({401, 403, 404, 405, 421, 429, 500, 503})
"""For these there is a page of its own; others say why if they know, or are told as what they are nearest to."""
OF_A_HALL: Final = frozenset({500, 503})
"""Of these a hall says what to do in other words than a board."""
_REASONS: Final[Mapping[int, Statement]] = {
    HTTPStatus.NOT_FOUND: statement("refusal.address.not_found"),
    HTTPStatus.METHOD_NOT_ALLOWED: statement("refusal.address.method_not_allowed"),
    HTTPStatus.TOO_MANY_REQUESTS: statement("refusal.requests.too_often"),
    HTTPStatus.SERVICE_UNAVAILABLE: statement("refusal.requests.too_much"),
}
"""What a program is told where nobody has said more."""
_IMPOSSIBLE: Final = "landing.mistake.impossible"
AGAIN: Final = 5
"""Seconds after which a page asks again whether the database is there again."""


def handlers() -> Mapping[int | type[Exception], ExceptionHandler]:
    """What answers errors, for an application."""
    return {HTTPException: _refuse, HTTPStatus.INTERNAL_SERVER_ERROR: _fail}


def answer(request: Request, status: int, why: Statement | None = None) -> Response:
    """A page, or one sentence as JSON: what was said, or else with a code why that status is usual."""
    if is_for_people(request):
        words = words_for(request)
        if status not in TOLD and status < HTTPStatus.INTERNAL_SERVER_ERROR and why is not None and why.key:
            return _page(request, status, status, _IMPOSSIBLE, sentence(why, words))
        kind = _kind(status)
        do = f"landing.mistake.{kind}.do"
        if kind in OF_A_HALL and _is_hall(request):
            do = f"landing.mistake.hall.{kind}.do"
        return _page(request, status, kind, f"landing.mistake.{kind}", words(do))
    return refusal(request, status, why or _reason(request, status))


async def database_away(request: Request, error: Exception) -> Response:
    """What is said where a hall's database cannot be used; a page that was only asked for asks again by itself."""
    headers = {"Cache-Control": "no-store", "Retry-After": str(AGAIN)}
    status = HTTPStatus.SERVICE_UNAVAILABLE
    words = words_for(request)
    why = sentence(statement_of(error), words)
    if not is_for_people(request):
        return JSONResponse({"error": why, **error_payload(error)}, status, headers=headers)
    is_sent = request.method == "POST"
    do = "landing.mistake.database.sent" if is_sent else "landing.mistake.database.do"
    made = _page(request, status, int(status), "landing.mistake.database", words(do), why)
    made.headers.update(headers if is_sent else {**headers, "Refresh": str(AGAIN)})
    return made


def _page(  # noqa: PLR0913, PLR0917 - what an error is, and what is said of it
    request: Request, status: int, kind: int, title: str, told: str, why: str = ""
) -> Response:
    return page(request, "mistake.html", status, kind=kind, title=title, told=told, why=why)


def _reason(request: Request, status: int) -> Statement:
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return statement("refusal.machine.failed", unit="gnomon-hall" if _is_hall(request) else "gnomond")
    return _REASONS.get(status) or Statement.plain(HTTPStatus(status).phrase)


def _is_hall(request: Request) -> bool:
    app = request.scope.get("app")
    return app is not None and getattr(app.state, "hall", None) is not None


def _kind(status: int) -> int:
    if status in TOLD:
        return status
    return HTTPStatus.INTERNAL_SERVER_ERROR if status >= HTTPStatus.INTERNAL_SERVER_ERROR else int(HTTPStatus.NOT_FOUND)


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - Starlette hands over what was asked for
    phrase = HTTPStatus(error.status_code).phrase
    own = None if error.detail == phrase else Statement.plain(error.detail)
    made = answer(request, error.status_code, error.why if isinstance(error, HttpError) else own)
    made.headers.update(error.headers or {})
    made.headers["Cache-Control"] = "no-store"
    return made


async def _fail(request: Request, _error: Exception) -> Response:
    """What is said of a fault of ours; it is made outside of everything else, so the headers are given here."""
    made = answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)
    made.headers.update({**HEADERS, "Cache-Control": "no-store"})
    return made
