"""The only place that gives the pages' programs their words, and lets a reader choose the language."""

import gzip
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.views.catalogue import LANGUAGES, words
from gnomon.web.house import House
from gnomon.web.rendering import LANGUAGE_COOKIE

YEAR = 365 * 24 * 3600
JSON = "application/json"
NOT_FOUND = 404
NOT_MODIFIED = 304
SEE_OTHER = 303


class _Told(NamedTuple):
    """The words of a language as they are sent: plain, packed, and the mark by which a browser knows them again."""

    plain: bytes
    packed: bytes
    mark: str


def routes(house: House) -> Sequence[BaseRoute]:  # noqa: ARG001  # words are the same in every house
    """The words as JSON, and the choice of a language."""
    return (Route("/words/{language}.json", _words), Route("/language/{language}", _choose))


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return JSONResponse({"error": f"There are no words in {language!r}."}, NOT_FOUND)
    told = _told(language)
    headers = {"ETag": told.mark, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == told.mark:
        return Response(status_code=NOT_MODIFIED, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(told.packed, media_type=JSON, headers={**headers, "Content-Encoding": "gzip"})
    return Response(told.plain, media_type=JSON, headers=headers)


@cache
def _told(language: str) -> _Told:
    """Every page asks for them, and they are heavier than a page: packed once, a quarter of it is sent."""
    plain = bytes(JSONResponse(words(language).entries).body)
    return _Told(plain, gzip.compress(plain, mtime=0), f'W/"{blake2b(plain, digest_size=9).hexdigest()}"')


async def _choose(request: Request) -> Response:
    language, back = request.path_params["language"], request.query_params.get("back", "/")
    if language not in LANGUAGES:
        return JSONResponse({"error": f"There are no words in {language!r}."}, NOT_FOUND)
    # Only to a path of this site: `//elsewhere` and `/\\elsewhere` are other sites to a browser.
    answer = RedirectResponse(back if back[:1] == "/" and back[1:2] not in ("/", "\\") else "/", SEE_OTHER)
    answer.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, httponly=True, samesite="strict")
    return answer
