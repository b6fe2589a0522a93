"""The only place that gives the pages' programs their words, and lets a reader choose the language."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.views.catalogue import LANGUAGES, words
from gnomon.web.house import House
from gnomon.web.rendering import LANGUAGE_COOKIE

YEAR = 365 * 24 * 3600
NOT_FOUND = 404
SEE_OTHER = 303


def routes(house: House) -> Sequence[BaseRoute]:  # noqa: ARG001  # words are the same in every house
    """The words as JSON, and the choice of a language."""
    return (Route("/words/{language}.json", _words), Route("/language/{language}", _choose))


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        return JSONResponse({"error": f"There are no words in {language!r}."}, NOT_FOUND)
    return JSONResponse(words(language).entries)


async def _choose(request: Request) -> Response:
    language, back = request.path_params["language"], request.query_params.get("back", "/")
    if language not in LANGUAGES:
        return JSONResponse({"error": f"There are no words in {language!r}."}, NOT_FOUND)
    # Only to a path of this site: `//elsewhere` and `/\\elsewhere` are other sites to a browser.
    answer = RedirectResponse(back if back[:1] == "/" and back[1:2] not in ("/", "\\") else "/", SEE_OTHER)
    answer.set_cookie(LANGUAGE_COOKIE, language, max_age=YEAR, httponly=True, samesite="strict")
    return answer
