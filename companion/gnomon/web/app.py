"""Build the web application of a board: routes of all pages and of the API, and the middleware.

Each module of `gnomon.web.pages` brings its own addresses.
"""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from gnomon.web import api
from gnomon.web._templates import STATIC
from gnomon.web.access import Gate, refuse_open_actions, signed_in
from gnomon.web.api.operation import Operation
from gnomon.web.app_context import AppContext
from gnomon.web.middleware import error_pages
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.limits import Limits
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.pages import (
    analysis,
    app_manifest,
    arbiter_desk,
    archive,
    board,
    clock,
    first_page,
    guess,
    guide,
    lessons,
    new_game,
    overlay,
    people,
    players,
    puzzles,
    replay,
    sign_in,
    spoken,
    watch,
)

PAGES = (
    first_page,
    guide,
    lessons,
    board,
    new_game,
    clock,
    watch,
    overlay,
    archive,
    replay,
    guess,
    analysis,
    puzzles,
    arbiter_desk,
    app_manifest,
    people,
    players,
    sign_in,
    spoken,
)
"""Modules with a function `routes(house)`."""


def application(house: AppContext, *more: BaseRoute, operations: Sequence[Operation] = ()) -> Starlette:
    """The pages of a house, with further routes, and operations of the API (as on a board in software).

    Raises OpenActionError for a page that would let anybody change something.
    """
    own = [*(route for module in PAGES for route in module.routes(house)), *api.routes(house, operations), *more]
    refuse_open_actions(own)
    app = Starlette(
        exception_handlers=error_pages.handlers(),
        routes=[*own, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(Guard, hosts=house.hosts),
            *(
                []
                if house.allowance is None
                else [Middleware(Limits, house.allowance, house.wait, who=signed_in(house.door))]
            ),
            Middleware(Bodies),
            Middleware(Gate, door=house.door),
        ],
    )
    app.state.bench = house.simulated
    return app
