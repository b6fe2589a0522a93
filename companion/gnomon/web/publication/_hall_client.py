"""Ask a running hall for its pages over HTTP, as one spectator among others."""

import asyncio
import http.client
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from gnomon.refusals import statement
from gnomon.web.publication._page_client import Answer, PublicationError, page_headers, read_answer

SCHEMES: Final = ("http://", "https://")
_PATIENCE: Final = 30.0  # seconds
_TRIES: Final = 5
_LATER: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_LONGEST: Final = 10.0
"""Seconds that a hall which has much to do may ask for, again and again."""
_LARGEST: Final = 32 * 1024 * 1024
"""Bytes of one answer; the state of ten thousand boards has a sixth of it."""


class HallClient:
    """The pages of a hall at an address. One question at a time, over one connection as long as it holds."""

    def __init__(self, address: str, languages: Sequence[str]) -> None:
        parts = urlsplit(address)
        self._address = address
        self._host = parts.netloc
        self._is_secure = parts.scheme == "https"
        self._languages = languages
        self._connection: http.client.HTTPConnection | None = None

    async def ask(self, address: str, language: str, known: str) -> Answer | None:
        """The answer for an address. Raises PublicationError."""
        for further in reversed(range(_TRIES)):
            status, headers, body = await asyncio.to_thread(self._ask, address, language, known)
            if status not in _LATER or not further:
                return read_answer(address, known, status, headers, body)
            wait = headers.get("retry-after", "1")
            await asyncio.sleep(min(float(wait) if wait.isdecimal() else 1.0, _LONGEST))
        raise AssertionError

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, address: str, language: str, known: str) -> tuple[int, Mapping[str, str], bytes]:
        headers = dict(page_headers(language, self._languages, known))
        with suppress(OSError, http.client.HTTPException):  # a connection that was kept may have been cut meanwhile
            if self._connection is not None:
                return self._request(address, headers)
        self.close()
        try:
            return self._request(address, headers)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise PublicationError(
                statement("publication.failed.hall", address=self._address, text=str(error) or type(error).__name__)
            ) from error

    def _request(self, address: str, headers: Mapping[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        if self._connection is None:
            self._connection = self._connect()
        self._connection.request("GET", address, headers=dict(headers))
        answer = self._connection.getresponse()
        body = answer.read(_LARGEST)
        if not answer.isclosed():
            self.close()
            message = f"more than {_LARGEST} bytes"
            raise http.client.HTTPException(message)
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_secure:
            return http.client.HTTPSConnection(self._host, timeout=_PATIENCE, context=ssl.create_default_context())
        return http.client.HTTPConnection(self._host, timeout=_PATIENCE)
