"""Compress text responses with gzip for clients that accept it, with a cache of compressed texts."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

LEVEL: Final = 5  # of 9: more takes twice as long for a twentieth less
KEPT: Final = 8
"""Texts that are kept packed: what many ask for is packed once. Nothing secret is among them, so that their length
may tell what it likes (the attack called BREACH needs a secret beside what a stranger chose)."""


def text_response(request: Request, text: str, media: str, headers: Mapping[str, str] | None = None) -> Response:
    """A text as an answer, packed where the request says that it may be."""
    own = {"Vary": "Accept-Encoding", **(headers or {})}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(_compress(text), media_type=media, headers={**own, "Content-Encoding": "gzip"})
    return Response(text, media_type=media, headers=own)


@lru_cache(maxsize=KEPT)
def _compress(text: str) -> bytes:
    import gzip  # noqa: PLC0415 - for the first text that a page asks for

    return gzip.compress(text.encode(), LEVEL, mtime=0)
