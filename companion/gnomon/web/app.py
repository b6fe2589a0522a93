"""Build the web application of a board: routes of all pages and of the API, and the middleware.

Each module of `gnomon.web.pages` brings its own addresses.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from gnomon.web._later_pages import LaterPages
from gnomon.web._templates import STATIC
from gnomon.web.access import Gate, refuse_open_actions, signed_in
from gnomon.web.app_context import AppContext
from gnomon.web.middleware import error_pages
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.limits import RateLimits
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.pages import app_manifest, board, first_page, guide, sign_in, spoken

if TYPE_CHECKING:
    from gnomon.web.api.operation import Operation

PAGES: Final = (first_page, guide, board, app_manifest, sign_in, spoken)
"""Modules with a function `routes(context)`."""
LATER: Final[Mapping[str, str]] = {
    "gnomon.web.pages.analysis": "/games/{number}/analysis",
    "gnomon.web.pages.arbiter_desk": "/desk",
    "gnomon.web.pages.archive": "/games",
    "gnomon.web.pages.clock": "/clock",
    "gnomon.web.pages.guess": "/guess",
    "gnomon.web.pages.lessons": "/learn",
    "gnomon.web.pages.new_game": "/board/new",
    "gnomon.web.pages.overlay": "/overlay",
    "gnomon.web.pages.people": "/people",
    "gnomon.web.pages.players": "/players",
    "gnomon.web.pages.puzzles": "/puzzles",
    "gnomon.web.pages.replay": "/games",
    "gnomon.web.pages.solved": "/solved",
    "gnomon.web.pages.watch": "/watch",
}
"""Further such modules with the path under which all their addresses are; they are imported when one is asked for."""
_API: Final = "/api"
"""The path of the API, which is imported like them: few boards are ever asked by a program."""


def application(
    context: AppContext, *more: BaseRoute, operations: "Callable[[], Sequence[Operation]]" = tuple
) -> Starlette:
    """The pages of a board, with further routes, and what makes operations of the API (as on a board in software).

    Raises OpenActionError for a page that would let anybody change something.
    """
    own = [*(route for module in PAGES for route in module.routes(context)), *more]
    refuse_open_actions(own)
    later = [LaterPages(under, partial(_load, module, context)) for module, under in LATER.items()]
    later.append(LaterPages(_API, partial(_load_api, context, operations)))
    app = Starlette(
        exception_handlers=error_pages.handlers(),
        routes=[*own, *later, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(Guard, hosts=context.hosts),
            *(
                []
                if context.allowance is None
                else [Middleware(RateLimits, context.allowance, context.wait, who=signed_in(context.door))]
            ),
            Middleware(Bodies),
            Middleware(Gate, door=context.door),
        ],
    )
    app.state.bench = context.simulated
    return app


def _load(module: str, context: AppContext) -> Sequence[BaseRoute]:
    """The routes of a module of pages. Raises OpenActionError as `application` does."""
    routes: Sequence[BaseRoute] = import_module(module).routes(context)
    refuse_open_actions(routes)
    return routes


def _load_api(context: AppContext, operations: "Callable[[], Sequence[Operation]]") -> Sequence[BaseRoute]:
    """The routes of the API. Raises OpenActionError as `application` does."""
    from gnomon.web import api  # noqa: PLC0415 - with what it needs it takes half a megabyte

    routes = api.routes(context, operations())
    refuse_open_actions(routes)
    return routes
