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
    packed = _kept(text) if _may_be_packed(request) else None
    return _response(text if packed is None else packed, media, headers, is_packed=packed is not None)


def packed_response(request: Request, packed: bytes, media: str, headers: Mapping[str, str] | None = None) -> Response:
    """A text that is kept packed as an answer, unpacked where the request does not say that it may be packed."""
    if _may_be_packed(request):
        return _response(packed, media, headers, is_packed=True)
    import gzip  # noqa: PLC0415 - as below

    return _response(gzip.decompress(packed), media, headers, is_packed=False)


def pack(text: str) -> bytes:
    """A text, packed."""
    import gzip  # noqa: PLC0415 - for the first text that a page asks for

    return gzip.compress(text.encode(), LEVEL, mtime=0)


_kept = lru_cache(maxsize=KEPT)(pack)


def _may_be_packed(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _response(content: str | bytes, media: str, headers: Mapping[str, str] | None, *, is_packed: bool) -> Response:
    own = {"Vary": "Accept-Encoding", **(headers or {}), **({"Content-Encoding": "gzip"} if is_packed else {})}
    return Response(content, media_type=media, headers=own)
