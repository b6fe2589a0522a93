"""The only place of the page that shows nothing but time: to be read across a room, by both players of one phone."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web.house import House
from gnomon.web.rendering import page


def routes(house: House) -> Sequence[BaseRoute]:  # noqa: ARG001  # it reads the board's stream
    """The clock page."""

    async def show(request: Request) -> Response:
        return page(request, "clock.html")

    return (Route("/clock", show),)
