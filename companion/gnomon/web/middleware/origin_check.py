"""Reject requests with foreign hosts or origins, and add the security headers to every response.

A page from elsewhere in the same browser must neither command the board nor read from it, not even when its host name
has been made to point here (DNS rebinding).
"""

from collections.abc import Collection, Mapping
from http import HTTPStatus
from ipaddress import ip_address
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gnomon.refusals import statement
from gnomon.web._http_errors import refusal

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
OWN_SITE: Final = frozenset({"same-origin", "none"})

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": (
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=(), "
        "accelerometer=(), gyroscope=(), magnetometer=(), display-capture=(), publickey-credentials-get=(), "
        "fullscreen=(self), screen-wake-lock=(self)"
    ),
    # The pages' files change with the program: a browser asks each time whether they have.
    "Cache-Control": "no-cache",
}
FRAMELESS: Final = "frame-ancestors 'none'"
TLS_ONLY: Final = "max-age=2592000"
"""Thirty days (HSTS, RFC 6797): a board that gives its certificate up is not out of reach for longer."""


class Guard:
    """Middleware: refuses foreign hosts and foreign pages with one sentence, and adds the headers."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str] = (), headers: Mapping[str, str] = MappingProxyType(HEADERS)
    ) -> None:
        """`hosts` are names of this machine beside `localhost` and plain addresses."""
        self._app = app
        self._headers = headers
        self._hosts = frozenset(name.lower() for name in ("localhost", *hosts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if FRAMELESS in headers["Content-Security-Policy"]:  # for browsers from before that
                    headers["X-Frame-Options"] = "DENY"
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = TLS_ONLY
            await send(message)

        await (self._refuse(Request(scope)) or self._app)(scope, receive, send_guarded)

    def _refuse(self, request: Request) -> JSONResponse | None:
        headers, scheme = request.headers, request.scope["scheme"]
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        if not self._is_ours(host):
            return refusal(request, HTTPStatus.MISDIRECTED_REQUEST, statement("refusal.address.foreign"))
        if request.method in SAFE_METHODS:
            return None
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "none") not in OWN_SITE or (origin and not _is_own(origin, scheme, host)):
            return refusal(request, HTTPStatus.FORBIDDEN, statement("refusal.address.other_page"))
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether the Host header names this machine; an address cannot be rebound, a foreign name can."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _is_own(origin: str, scheme: str, host: str) -> bool:
    """Whether a page is of this very origin: a plain page may not command one that is served over TLS."""
    return origin.lower() == f"{scheme}://{host}".lower()
