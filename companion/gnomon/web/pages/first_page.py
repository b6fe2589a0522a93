"""Serve the first page of a board: what is being played, what a visitor can do, and the demonstration."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.referee.game import Game
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.pictures import DARK, LIGHT, picture, to_svg
from gnomon.views.results import result_of
from gnomon.views.show import show_of
from gnomon.web._compression import text_response
from gnomon.web._pictures import SVG, answer_code, sample
from gnomon.web._templates import page
from gnomon.web.access import visitor_of
from gnomon.web.app_context import WHO_MAY_DEMONSTRATE, AppContext
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import is_free
from gnomon.web.live.streams import board_payload
from gnomon.web.pages import _demonstration
from gnomon.words import Words


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The first page, its pictures, and the demonstration."""
    desk = _LandingPages(context)
    return (
        Route("/", desk.show),
        Route("/now.svg", desk.now),
        Route("/qr.svg", desk.code),
        *_demonstration.routes(context, desk.show),
    )


class _DrawnSecond(NamedTuple):
    """A picture of a game as it was in a second of board time."""

    game: Game
    second: int
    svg: str


class _LandingPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._pictures: dict[str, _DrawnSecond] = {}

    async def show(self, request: Request, wrong: str = "", status: int = 200) -> Response:
        context, visitor = self._context, visitor_of(request)
        board = context.board_for(visitor)
        now, is_on = board_payload(board, words_for(request)), not is_free(board.game())
        can_demonstrate = context.demonstration is not None and not (is_on and context.is_tournament())
        return page(
            request,
            "landing.html",
            status,
            simulated=context.simulated,
            told=now,
            is_on=is_on,
            may_demonstrate=can_demonstrate and visitor.may(WHO_MAY_DEMONSTRATE),
            is_demonstrated=board.is_demonstrated,
            may_play_engines=not context.is_tournament(),
            address=context.address(),
            has_admin=context.door.has_admin,
            games=board.games,
            wrong=wrong,
        )

    async def now(self, request: Request) -> Response:
        """The position as it stands; without a game what one looks like."""
        board = self._context.board_for(visitor_of(request))
        game, words = board.game(), words_for(request)
        svg = sample(board.games[0], words) if game is None else self._draw(game, board.now(), words)
        return text_response(request, svg, SVG, {"Cache-Control": "no-store"})

    def _draw(self, game: Game, now: Instant, words: Words) -> str:
        """The picture of a second, drawn once for all who ask in a language: it takes some milliseconds."""
        second = now // SECOND
        kept = self._pictures.get(words.language)
        if kept is not None and kept.game is game and kept.second == second:
            return kept.svg
        position = show_of(game).position(game, now)
        svg = to_svg(picture(game.rules, position, words=words, result=result_of(game, words)), LIGHT, dark=DARK)
        self._pictures[words.language] = _DrawnSecond(game, second, svg)
        return svg

    async def code(self, _request: Request) -> Response:
        """The address for phones, to be scanned."""
        return answer_code(self._context.address())
