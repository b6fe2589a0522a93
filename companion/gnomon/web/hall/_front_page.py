"""Serve the front page of a hall, with the QR code of its address."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.web._pictures import answer_code
from gnomon.web._templates import STATIC, page
from gnomon.web.hall._app_context import HallContext


def routes(context: HallContext) -> Sequence[BaseRoute]:
    """The first page and its code to scan."""

    async def show(request: Request) -> Response:
        counts = context.hall.public.counts()
        return page(
            request,
            "hall_front.html",
            name=context.name,
            counts=counts,
            boards=len(context.hall.places()),
            demonstrated=context.demonstrated,
            address=context.address(),
            has_admin=context.door.has_admin,
            health=context.hall.health(),
        )

    async def code(_request: Request) -> Response:
        return answer_code(context.address())

    return (Route("/", show), Route("/qr.svg", code), Route("/help", _first), Route("/favicon.ico", _icon))


async def _first(_request: Request) -> Response:
    """In a hall the first page is the help."""
    return RedirectResponse("/", HTTPStatus.PERMANENT_REDIRECT)


async def _icon(_request: Request) -> Response:
    return FileResponse(STATIC / "icons" / "gnomon-180.png")
