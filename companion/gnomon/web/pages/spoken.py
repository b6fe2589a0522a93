"""Serve the words of a language as JSON with an ETag, and let the reader choose the language."""

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.refusals import statement
from gnomon.web._compression import pack, packed_response
from gnomon.web._http_errors import refusal
from gnomon.web.access.answers import go_to, local
from gnomon.web.language import LANGUAGE_COOKIE
from gnomon.words import LANGUAGES, complete

YEAR = 365 * 24 * 3600
_OF_COMMANDS = frozenset({"command", "option", "usage"})
"""Subjects of which no page speaks, as of the help of commands."""


def routes(_context: object) -> Sequence[BaseRoute]:
    """The words as JSON, and the choice of a language."""
    return (Route("/words/{language}.json", _words), Route("/language/{language}", _choose))


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return refusal(request, HTTPStatus.NOT_FOUND, statement("told.language", language=language))
    packed, mark = _load(language)
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": mark})
    return packed_response(request, packed, "application/json", {"ETag": mark})


@cache
def _load(language: str) -> tuple[bytes, str]:
    """The words of a language as every page asks for them, packed, and the mark by which a browser knows them again."""
    entries = {key: entry for key, entry in complete(language).items() if key.partition(".")[0] not in _OF_COMMANDS}
    text = bytes(JSONResponse(entries).body)
    return pack(text.decode()), f'W/"{blake2b(text, digest_size=9).hexdigest()}"'


async def _choose(request: Request) -> Response:
    language, back = request.path_params["language"], request.query_params.get("back", "/")
    if language not in LANGUAGES:
        return refusal(request, HTTPStatus.NOT_FOUND, statement("told.language", language=language))
    answer = go_to(local(back))
    answer.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, httponly=True, samesite="strict")
    return answer
