"""Serve the page on which people sign in, pair a device, sign out and change their PIN."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web import forms
from gnomon.web._templates import page
from gnomon.web.access import Authenticator, Role, allow, visitor_of
from gnomon.web.access.answers import begin_session, device_of, end_session, go_to, keep_device, local
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.app_context import Doored
from gnomon.web.language import words_for

PATH = "/sign-in"


def routes(context: Doored) -> Sequence[BaseRoute]:
    """The page and its forms; everybody may try."""
    desk = _SignInPages(context.door)
    return (
        Route(PATH, desk.show),
        Route(PATH, allow(Role.SPECTATOR, desk.sign_in), methods=["POST"]),
        Route(f"{PATH}/code", allow(Role.SPECTATOR, desk.show_code), methods=["POST"]),
        Route(f"{PATH}/pair", allow(Role.SPECTATOR, desk.pair), methods=["POST"]),
        Route(f"{PATH}/secret", allow(Role.SPECTATOR, desk.change_secret), methods=["POST"]),
        Route("/sign-out", allow(Role.SPECTATOR, desk.sign_out), methods=["POST"]),
    )


class _SignInPages:
    """What is answered at each address."""

    def __init__(self, door: Authenticator) -> None:
        self._door = door

    async def show(self, request: Request) -> Response:
        asked = request.query_params
        said = {"code": _where_shown(request), "secret": "access.changed"}.get(asked.get("done", ""), "")
        return self._page(request, "", back=local(asked.get("back", "/")), said=said)

    async def sign_in(self, request: Request) -> Response:
        sent = await forms.read(request)
        name, visitor = sent.get("name", ""), visitor_of(request)
        try:
            secret = await self._door.sign_in(
                name, sent.get("secret", ""), visitor, _browser(request), device_of(request)
            )
        except AccessError as error:
            return self._page(request, "sign_in", error, sent)
        return await self._came_in(request, secret, sent)

    async def pair(self, request: Request) -> Response:
        sent = await forms.read(request)
        code, name, chosen = (sent.get(each, "") for each in ("code", "name", "secret"))
        try:
            secret = await self._door.pair(code, name, chosen, visitor_of(request), _browser(request))
        except AccessError as error:
            return self._page(request, "pair", error, sent)
        return await self._came_in(request, secret, sent)

    async def show_code(self, _request: Request) -> Response:
        self._door.show_code()
        return go_to(f"{PATH}?done=code#pair")

    async def change_secret(self, request: Request) -> Response:
        sent, visitor = await forms.read(request), visitor_of(request)
        try:
            await self._door.check_secret(visitor, sent.get("now", ""))
            await self._door.change_secret(visitor.person or 0, _twice(sent), visitor)
        except AccessError as error:
            return self._page(request, "change", error, sent)
        return go_to(f"{PATH}?done=secret")

    async def sign_out(self, request: Request) -> Response:
        await self._door.sign_out(visitor_of(request))
        return end_session(request, go_to("/"))

    async def _came_in(self, request: Request, secret: str, sent: Mapping[str, str]) -> Response:
        role = await self._door.role_of_session(secret)
        device = await self._door.remember(secret, device_of(request))
        answer = keep_device(request, go_to(local(sent.get("back", "/"))), device)
        return begin_session(request, answer, secret, role)

    def _page(  # noqa: PLR0913 - what the page says
        self,
        request: Request,
        form: str,
        error: AccessError | None = None,
        sent: Mapping[str, str] | None = None,
        *,
        back: str = "",
        said: str = "",
    ) -> Response:
        """The page, with what was wrong in one of its forms."""
        sent, visitor = sent or {}, visitor_of(request)
        answer = page(
            request,
            "sign_in.html",
            status_of(error),
            form=form,
            wrong=said_of(request, error),
            sent=sent,
            back=back or local(sent.get("back", "/")),
            said=said,
            has_admin=self._door.has_admin,
            open_to=self._door.open_to,
            is_plain=request.url.scheme != "https" and not _is_here(visitor.address),
            is_device=self._door.is_device(visitor),
        )
        if error is not None and error.wait:
            answer.headers["Retry-After"] = str(error.wait)
        return answer


def _where_shown(request: Request) -> str:
    """The key of the sentence that says where a code has been shown: on a board's display, or in a terminal."""
    state = request.app.state
    if getattr(state, "hall", None) is not None:
        return "hall.pair.shown"
    return "access.pair.shown" if getattr(state, "bench", None) is None else "access.pair.simulated.shown"


def _twice(sent: Mapping[str, str]) -> str:
    """The new secret, if it was typed twice alike. Raises AccessError."""
    if sent.get("secret") != sent.get("again"):
        raise AccessError(SignInReason.SECRET_DIFFERENT, "again")
    return sent.get("secret", "")


def status_of(error: AccessError | None) -> int:
    """What the answer says to programs."""
    if error is None:
        return 200
    return HTTPStatus.TOO_MANY_REQUESTS if error.wait else HTTPStatus.UNPROCESSABLE_ENTITY


def said_of(request: Request, error: AccessError | None) -> Mapping[str, str]:
    """What is wrong, by the field of the form; empty when nothing is, and under `form` what concerns all of it."""
    if error is None:
        return {}
    say = words_for(request)
    values = {"seconds": error.wait} if error.why is SignInReason.WAIT else {}
    return {error.field or "form": say(error.why, **values)}


def _browser(request: Request) -> str:
    return request.headers.get("user-agent", "")


def _is_here(address: str) -> bool:
    """Whether nobody is on the way between browser and board."""
    return address.startswith("127.") or address == "::1"
