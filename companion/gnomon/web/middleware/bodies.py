"""Read request bodies in middleware, within bounds of size and time."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gnomon.refusals import Statement, statement
from gnomon.web._http_errors import refusal

LARGEST: Final = 64 * 1024  # bytes; the longest form of ours has not two thousand
PATIENCE: Final = 20.0  # seconds for a whole body
DISCARDED: Final = 8 * 1024 * 1024
"""Bytes of a body too large that are let go by, so that a browser that sends a file shows why it was refused."""
DISCARDED_WITHIN: Final = 5.0  # seconds


class _GoneError(Exception):
    """The client has gone before the body was whole."""


class Bodies:
    """Middleware: reads a body whole before anybody acts on it, and refuses one that is too large or too slow."""

    def __init__(
        self,
        app: ASGIApp,
        largest: int = LARGEST,
        patience: float = PATIENCE,
        larger: Callable[[str], int] = lambda _path: 0,
    ) -> None:
        """`largest` in bytes, `patience` in seconds; `larger` says how much a path takes that is for files."""
        self._app = app
        self._largest = largest
        self._larger = larger
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        largest = max(self._largest, self._larger(scope.get("path", "")))
        try:
            body = await self._read(headers, receive, largest)
        except TimeoutError:
            why = statement("refusal.requests.body_late", seconds=self._patience)
            await _refuse(scope, HTTPStatus.REQUEST_TIMEOUT, why)(scope, receive, send)
            return
        except _GoneError:  # half a form must not be acted upon, and nobody is there to be told
            return
        if body is None:
            await self._discard(receive)
            why = statement("refusal.requests.body_large", number=largest)
            await _refuse(scope, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)(scope, receive, send)
            return
        first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return first.pop() if first else await receive()

        await self._app(scope, replay, send)

    async def _discard(self, receive: Receive) -> None:
        """Let the rest go by, within bounds: a client that is still sending does not read why it was refused."""
        left = DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(min(self._patience, DISCARDED_WITHIN)):
                while left > 0:
                    message = await receive()
                    if message["type"] != "http.request" or not message.get("more_body", False):
                        return
                    left -= max(1, len(message.get("body", b"")))

    async def _read(self, headers: Headers, receive: Receive, largest: int) -> bytes | None:
        """The body, or None when it is too large. Raises TimeoutError, and _GoneError for one that broke off."""
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > largest:
            return None
        body = bytearray()
        async with asyncio.timeout(self._patience):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise _GoneError
                body += message.get("body", b"")
                if len(body) > largest:
                    return None
                if not message.get("more_body", False):
                    return bytes(body)


def _refuse(scope: Scope, status: int, why: Statement) -> JSONResponse:
    answer = refusal(Request(scope), status, why)
    # What has not been read stays in the connection: it must not be taken for the next request.
    answer.headers["Connection"] = "close"
    return answer
