"""Refuse a request with a status and a statement, tell browsers from programs, and answer these in their language."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from gnomon.refusals import Refusal, Statement, error_payload, sentence
from gnomon.web.language import words_for


class HttpError(HTTPException):
    """A request is refused; a browser gets the page of the status, a program the statement."""

    def __init__(self, status: int, why: Statement, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(int(status), why.message, headers)
        self.why = why


def is_for_people(request: Request) -> bool:
    """Whether a browser asks for a page, and not one of our programs for an answer."""
    return "text/html" in request.headers.get("accept", "")


def is_program(request: Request) -> bool:
    """Whether a program of a page sends a form, and not the form itself."""
    return "application/json" in request.headers.get("accept", "")


def refusal(request: Request, status: int, why: Statement) -> JSONResponse:
    """What a program is told: one sentence in its language, a code with values, and nothing that anybody keeps."""
    told = {"error": sentence(why, words_for(request)), **error_payload(Refusal(why))}
    return JSONResponse(told, int(status), headers={"Cache-Control": "no-store"})
