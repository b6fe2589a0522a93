"""Authorize requests: middleware that identifies the visitor, and the role check before each endpoint.

The middleware `Gate` finds the visitor of each request; `allow` puts the check before an endpoint; and
`refuse_open_actions` makes sure, before the first request, that no route that changes anything lacks the check.
"""

from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gnomon.refusals import Statement, statement
from gnomon.web import forms
from gnomon.web._http_errors import HttpError, is_for_people, refusal
from gnomon.web._later_pages import LaterPages
from gnomon.web.access import cookies
from gnomon.web.access._identity import BadTokenError
from gnomon.web.access._roles import Proof, Role, Visitor
from gnomon.web.access.authenticator import Authenticator
from gnomon.web.access.store import AccountsAwayError

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
CSRF_HEADER: Final = "x-csrf-token"
CSRF_FIELD: Final = "csrf"
SIGN_IN: Final = "/sign-in"
OUT_OF_DATE: Final = statement("access.refused.out_of_date")
NO_TOKEN: Final = statement("access.refused.no_token")
"""Of a program, which has no page that it could load again."""

PUBLISHED: Final = "gnomon-published"
"""The header of a request for a page of a site of files: the languages of the site, the first one at its top.

Everybody reads such a site, so such a request is a spectator's, even where all others at that machine may do more.
"""

CONNECTION: Final = "gnomon.connection"
"""Under which a request's `state` holds the Connection over which it came, where it is one of ours."""

_VISITOR: Final = "gnomon.visitor"
_ROLE: Final = "gnomon_role"

Endpoint = Callable[[Request], Awaitable[Response]]


class Connection(Protocol):
    """What can be told of a connection."""

    def know(self) -> None:
        """Somebody who has signed in asks over it."""
        ...

    @property
    def close(self) -> Callable[[], object]:
        """End it at once, whatever is being answered."""
        ...


class OpenActionError(RuntimeError):
    """A route would let anybody change something; the message names it."""


class Gate:
    """Middleware: finds out who asks, and gives a browser what its forms are bound to."""

    def __init__(self, app: ASGIApp, door: Authenticator) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, secure = Headers(scope=scope), scope["scheme"] == "https"
        address = (scope.get("client") or ("",))[0]
        try:
            visitor = await self._door.visitor(headers, address, secure=secure)
        except BadTokenError:
            answer = refusal(Request(scope), HTTPStatus.UNAUTHORIZED, statement("access.refused.token"))
            answer.headers["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            await answer(scope, receive, send)
            return
        except AccountsAwayError as error:
            await refusal(Request(scope), HTTPStatus.SERVICE_UNAVAILABLE, error.statement)(scope, receive, send)
            return
        if PUBLISHED in headers:
            visitor = Visitor(Role.SPECTATOR, address=visitor.address)
        visit = "" if visitor.csrf or visitor.proof is Proof.TOKEN else self._door.visit()
        connection: Connection | None = scope.get("state", {}).get(CONNECTION)
        if visitor.is_signed_in and connection is not None:
            connection.know()
        scope[_VISITOR] = visitor if not visit else _bind(visitor, visit)

        async def send_known(message: Message) -> None:
            if message["type"] == "http.response.start":
                _finish(MutableHeaders(scope=message), visitor, visit, secure=secure)
            await send(message)

        await self._app(scope, receive, send_known)


def _bind(visitor: Visitor, visit: str) -> Visitor:
    return Visitor(visitor.role, address=visitor.address, csrf=cookies.csrf(visit))


def _finish(headers: MutableHeaders, visitor: Visitor, visit: str, *, secure: bool) -> None:
    """What a page for people brings along: the cookie of its forms, and no copy of what only one person may see."""
    if visit and headers.get("content-type", "").startswith("text/html"):
        headers.append("Set-Cookie", cookies.format_cookie(cookies.VISIT, visit, secure=secure))
    if visitor.is_signed_in:
        headers["Cache-Control"] = "no-store"


def signed_in(door: Authenticator) -> Callable[[Scope], int | None]:
    """What answers the number of the person who sent a request, None for somebody who has not signed in."""

    def who(scope: Scope) -> int | None:
        return door.who(Headers(scope=scope), secure=scope.get("scheme") == "https")

    return who


def visitor_of(request: Request) -> Visitor:
    """The sender of a request; one who may only look on, where nobody has asked yet (as when a page has failed)."""
    visitor: Visitor = request.scope.get(_VISITOR, Visitor(Role.SPECTATOR))
    return visitor


def allow(role: Role, endpoint: Endpoint) -> Endpoint:
    """The endpoint for those who may do what `role` may; an action needs the token of its form besides.

    A program that comes with a token of its own needs none: no browser sends that by itself.
    """

    async def guard(request: Request) -> Response:
        visitor = visitor_of(request)
        if not visitor.may(role):
            return _refuse(request, visitor, role)
        if request.method not in SAFE_METHODS and not await _is_meant(request, visitor):
            of_page = CSRF_HEADER in request.headers or forms.is_form(request)
            return _no(request, HTTPStatus.FORBIDDEN, OUT_OF_DATE if of_page else NO_TOKEN)
        return await endpoint(request)

    guard.__dict__[_ROLE] = role
    return guard


def role_of(endpoint: object) -> Role | None:
    """The role that an endpoint needs, or None when it is not guarded."""
    return getattr(endpoint, "__dict__", {}).get(_ROLE)


async def _is_meant(request: Request, visitor: Visitor) -> bool:
    """Whether the visitor's own page sent this, and not another one in the same browser."""
    if visitor.proof is Proof.TOKEN:
        return True
    sent = request.headers.get(CSRF_HEADER)
    if sent is None:
        sent = (await forms.read(request)).get(CSRF_FIELD, "") if forms.is_form(request) else ""
    return cookies.is_same(visitor.csrf, sent)


def _refuse(request: Request, visitor: Visitor, role: Role) -> Response:
    if visitor.is_signed_in:
        why = statement("access.refused.role", role=role.value, name=visitor.name, held=visitor.role.value)
        return _no(request, HTTPStatus.FORBIDDEN, why)
    if request.method in SAFE_METHODS and is_for_people(request):
        back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"{SIGN_IN}?{urlencode({'back': back})}", HTTPStatus.SEE_OTHER)
    answer = _no(request, HTTPStatus.UNAUTHORIZED, statement("access.refused.sign_in", role=role.value))
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def _no(request: Request, status: int, why: Statement) -> Response:
    """A refusal; for a browser's own request it is an error with a page. Raises HttpError for that."""
    if is_for_people(request):
        raise HttpError(status, why)
    return refusal(request, status, why)


def actions(routes: Iterable[BaseRoute], under: str = "") -> Iterable[tuple[str, Route]]:
    """Every route that changes something, with its whole path; pages that are imported later are imported for this."""
    for route in routes:
        if isinstance(route, Mount):
            yield from actions(route.routes, under + route.path)
        elif isinstance(route, Route) and (route.methods is None or route.methods - SAFE_METHODS):
            yield under + route.path, route
        elif isinstance(route, LaterPages):
            yield from actions(route.routes, under)


def refuse_open_actions(routes: Iterable[BaseRoute]) -> None:
    """Raise OpenActionError for a route that changes something and is not guarded by `allow`."""
    for path, route in actions(routes):
        if role_of(route.endpoint) is None:
            message = f"{path}: who may do this? Write Route(path, allow(Role.…, endpoint), methods=[…])."
            raise OpenActionError(message)
