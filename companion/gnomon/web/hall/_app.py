"""Build the web application of a hall from the routes of its pages."""

from collections.abc import Mapping
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ExceptionHandler

from gnomon.hall.rounds.event_log import BookAwayError
from gnomon.hall.store.database import StoreError
from gnomon.records.journal.store import JournalError
from gnomon.web import director
from gnomon.web._templates import STATIC
from gnomon.web.access import Gate, refuse_open_actions, signed_in
from gnomon.web.access.store import AccountsAwayError
from gnomon.web.hall import _all_boards as all_boards
from gnomon.web.hall import _front_page as front_page
from gnomon.web.hall import _one_board as one_board
from gnomon.web.hall import _snapshot as snapshot
from gnomon.web.hall._app_context import HallContext
from gnomon.web.hall._stream import HallNews
from gnomon.web.middleware import error_pages
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.limits import RateLimits
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.pages import guide, lessons, people, sign_in, spoken

AWAY: Final = (StoreError, BookAwayError, JournalError, AccountsAwayError)
"""What is raised where the hall's database cannot be used: by itself, for a book, for a board's records, for people."""


def application(context: HallContext) -> Starlette:
    """The pages of a hall. Raises OpenActionError for a page that would let anybody change something."""
    news = HallNews(context.hall, context.wait, context.hall.public)
    desk_news = HallNews(context.hall, context.wait)
    office = director.TournamentApp(
        context.hall,
        context.readers,
        context.shelf,
        address=context.address,
        door=context.door,
        luck=director.LuckFile(None if context.data is None else context.data / director.LUCK),
        is_alone=context.is_alone,
    )
    own = [
        *front_page.routes(context),
        *all_boards.routes(context, news, desk_news),
        *one_board.routes(context),
        *snapshot.routes(context),
        *director.routes(office),
        *people.routes(context),
        *sign_in.routes(context),
        *spoken.routes(context),
        *guide.documents(),
        *lessons.routes(context),
    ]
    refuse_open_actions(own)
    app = Starlette(
        exception_handlers=handlers(),
        routes=[*own, Mount("/static", StaticFiles(directory=STATIC))],
        middleware=[
            Middleware(Guard, hosts=context.hosts),
            *(
                []
                if context.allowance is None
                else [Middleware(RateLimits, context.allowance, context.wait, who=signed_in(context.door))]
            ),
            Middleware(Bodies, larger=director.largest),
            Middleware(Gate, door=context.door),
        ],
    )
    app.state.hall = context.name
    app.state.hears_boards = True
    return app


def handlers() -> Mapping[int | type[Exception], ExceptionHandler]:
    """What answers errors on the pages of a hall."""
    return {**error_pages.handlers(), **dict.fromkeys(AWAY, error_pages.database_away)}
