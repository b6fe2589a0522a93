"""Serve the admin's page: people and devices, roles and PINs, sessions, codes and tokens."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.access import Authenticator, Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.access.authenticator import TOKEN_DAYS
from gnomon.web.access.browsers import browser_name
from gnomon.web.access.codes import Code
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.app_context import Doored
from gnomon.web.pages.sign_in import said_of, status_of

PATH: Final = "/people"
GIVEN: Final = (Role.PLAYER, Role.ARBITER, Role.DIRECTOR, Role.ADMIN)
"""The roles that are given; to look on nobody needs one."""


def routes(context: Doored) -> Sequence[BaseRoute]:
    """The page and its forms, for admins alone."""
    office = _PeoplePages(context.door)
    actions: Mapping[str, _Do] = {
        "add": office.add,
        "role": office.change_role,
        "secret": office.change_secret,
        "remove": office.remove,
        "code": office.make_code,
        "session/end": office.end_session,
        "token": office.make_token,
        "token/revoke": office.revoke_token,
    }
    return (
        Route(PATH, allow(Role.ADMIN, office.show)),
        *(
            Route(f"{PATH}/{name}", allow(Role.ADMIN, office.endpoint(name, do)), methods=["POST"])
            for name, do in actions.items()
        ),
    )


class _Made(NamedTuple):
    """What is shown once and never again."""

    code: Code | None = None
    token: str = ""
    label: str = ""


_Sent = Mapping[str, str]
_Do = Callable[[Request, _Sent], Awaitable[_Made | None]]


class _PeoplePages:
    """What is answered at each address."""

    def __init__(self, door: Authenticator) -> None:
        self._door = door

    async def show(self, request: Request) -> Response:
        return self._page(request)

    def endpoint(self, name: str, do: _Do) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that does what a form asks for and shows the page again, or says what is wrong with the form."""

        async def endpoint(request: Request) -> Response:
            sent = await forms.read(request)
            try:
                made = await do(request, sent)
            except AccessError as error:
                return self._page(request, f"{name}-{sent.get('person', '')}", error, sent)
            return go_to(PATH) if made is None else self._page(request, made=made)

        return endpoint

    async def add(self, _request: Request, sent: _Sent) -> None:
        await self._door.add_person(sent.get("name", ""), _role(sent), sent.get("secret", ""))

    async def change_role(self, _request: Request, sent: _Sent) -> None:
        await self._door.change_role(self._person(sent), _role(sent))

    async def change_secret(self, request: Request, sent: _Sent) -> None:
        number, visitor = self._person(sent), visitor_of(request)
        keep = visitor if number == visitor.person else None
        await self._door.change_secret(number, sent.get("secret", ""), keep)

    async def remove(self, _request: Request, sent: _Sent) -> None:
        await self._door.remove(self._person(sent))

    async def make_code(self, _request: Request, sent: _Sent) -> _Made:
        return _Made(self._door.make_code(_role(sent)))

    async def end_session(self, _request: Request, sent: _Sent) -> None:
        await self._door.revoke_session(sent.get("session", ""))

    async def make_token(self, request: Request, sent: _Sent) -> _Made:
        days = sent.get("days", "")
        count = int(days) if days in map(str, TOKEN_DAYS) else 0
        label = sent.get("label", "")
        return _Made(token=await self._door.make_token(visitor_of(request), label, _role(sent), count), label=label)

    async def revoke_token(self, _request: Request, sent: _Sent) -> None:
        await self._door.revoke_token(sent.get("token", ""))

    def _person(self, sent: _Sent) -> int:
        """The number of a person who is here. Raises AccessError."""
        number = forms.number(sent.get("person", ""))
        found = None if number is None else self._door.store.person(number)
        if found is None:
            raise AccessError(SignInReason.GONE)
        return found.id

    def _page(
        self,
        request: Request,
        form: str = "",
        error: AccessError | None = None,
        sent: _Sent | None = None,
        made: _Made | None = None,
    ) -> Response:
        store = self._door.store
        people, present = store.people(), store.session(visitor_of(request).session)
        return page(
            request,
            "people.html",
            status_of(error),
            form=form,
            wrong=said_of(request, error),
            sent=sent or {},
            made=made or _Made(),
            roles=GIVEN,
            days=TOKEN_DAYS,
            people=people,
            names={person.id: person.name for person in people},
            sessions=store.sessions(),
            present="" if present is None else present[0].id,
            tokens=store.tokens(),
            day=_day,
            browser=browser_name,
        )


def _role(sent: _Sent) -> Role:
    """The role that was chosen. Raises AccessError."""
    if sent.get("role") not in GIVEN:
        raise AccessError(SignInReason.ROLE)
    return Role(sent["role"])


def _day(seconds: float) -> str:
    """The date and time of day where the board is."""
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
