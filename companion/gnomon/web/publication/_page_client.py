"""Request pages from an application within this process, without signing in.

The publisher has no role: what a stranger may not see is not published, and what a stranger sees later is published
later.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message

from gnomon.refusals import Refusal, statement
from gnomon.web.access import PUBLISHED
from gnomon.web.director import AS_OF, KNOWN
from gnomon.web.publication._links import TOURNAMENTS

_HOST: Final = "127.0.0.1"


class PublicationError(Refusal):
    """Something cannot be published; the statement says what, and nothing was changed."""


class Answer(NamedTuple):
    """A page or a file, with its media type without parameters; `as_of` changes when it does."""

    kind: str
    body: bytes
    as_of: str = ""

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.kind == "text/html"

    @property
    def text(self) -> str:
        """What it says."""
        return self.body.decode()


Ask = Callable[[str, str, str], Awaitable[Answer | None]]
"""Answers for an address, which begins with a slash, and a language, None if the caller knows it as of now.

Raises PublicationError.
"""


class Source(NamedTuple):
    """What answers for the pages of a site, and the page with which it begins."""

    ask: Ask
    home: str = TOURNAMENTS


def page_headers(language: str, languages: Sequence[str], known: str) -> Mapping[str, str]:
    """What a request says that asks for a page of a site."""
    told = {"accept": "text/html", "accept-language": language, PUBLISHED: " ".join(languages)}
    return {**told, KNOWN: known} if known else told


def read_answer(address: str, known: str, status: int, headers: Mapping[str, str], body: bytes) -> Answer | None:
    """The answer that came; None where it is known already. Raises PublicationError for anything else than a page."""
    if known and status == HTTPStatus.NOT_MODIFIED:
        return None
    if status != HTTPStatus.OK:
        raise PublicationError(statement("publication.failed.page", address=address, status=status))
    return Answer(headers.get("content-type", "").partition(";")[0], body, headers.get(AS_OF, ""))


def page_client(app: ASGIApp, languages: Sequence[str]) -> Ask:
    """What asks an application, for a site in these languages."""

    async def ask(address: str, language: str, known: str) -> Answer | None:
        headers = {"host": _HOST, **page_headers(language, languages, known)}
        return read_answer(address, known, *await _answer(app, address, headers))

    return ask


async def _answer(app: ASGIApp, address: str, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], bytes]:
    parts = urlsplit(address)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": parts.path,
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": (_HOST, 80),
        "client": (_HOST, 0),
        "state": {},
    }
    status = 0
    told: Mapping[str, str] = {}
    body = bytearray()

    requests = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        for request in requests:
            return request
        await asyncio.Event().wait()  # the client does not go away
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal status, told
        if message["type"] == "http.response.start":
            status = int(message["status"])
            told = {name.decode("ascii").lower(): value.decode() for name, value in message["headers"]}
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, send)
    return status, told, bytes(body)
