"""Serve the front page of a hall, with the QR code of its address."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.web._pictures import answer_code
from gnomon.web._templates import STATIC, page
from gnomon.web.hall._app_context import HallHouse


def routes(house: HallHouse) -> Sequence[BaseRoute]:
    """The first page and its code to scan."""

    async def show(request: Request) -> Response:
        counts = house.hall.public.counts()
        return page(
            request,
            "hall_front.html",
            name=house.name,
            counts=counts,
            boards=len(house.hall.places()),
            demonstrated=house.demonstrated,
            address=house.address(),
            has_admin=house.door.has_admin,
            health=house.hall.health(),
        )

    async def code(_request: Request) -> Response:
        return answer_code(house.address())

    return (Route("/", show), Route("/qr.svg", code), Route("/help", _first), Route("/favicon.ico", _icon))


async def _first(_request: Request) -> Response:
    """In a hall the first page is the help."""
    return RedirectResponse("/", HTTPStatus.PERMANENT_REDIRECT)


async def _icon(_request: Request) -> Response:
    return FileResponse(STATIC / "icons" / "gnomon-180.png")
