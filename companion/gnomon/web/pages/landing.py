"""The only place that welcomes: where a visitor finds what there is to do."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web.house import House
from gnomon.web.rendering import page


def routes(house: House) -> Sequence[BaseRoute]:
    """The first page."""

    async def show(request: Request) -> Response:
        return page(request, "landing.html", simulated=house.simulated)

    return (Route("/", show),)
