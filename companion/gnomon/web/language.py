"""Choose the language in which a request is answered."""

from collections.abc import Iterator
from typing import Final

from starlette.requests import Request

from gnomon.words import LANGUAGES, Words, words

LANGUAGE_COOKIE: Final = "gnomon_language"


def words_for(request: Request) -> Words:
    """The words for a request: by `?language=`, then its cookie, then what the browser accepts, then English."""
    for code in _accepted_languages(request):
        if code in LANGUAGES:
            return words(code)
    return words()


def _accepted_languages(request: Request) -> Iterator[str]:
    yield request.query_params.get("language", "")
    yield request.cookies.get(LANGUAGE_COOKIE, "")
    for wish in request.headers.get("accept-language", "").split(","):
        yield wish.partition(";")[0].strip().partition("-")[0].lower()
