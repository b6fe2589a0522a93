"""Serve the page of one hall board: its live state for everybody, and the requests that staff send to it.

Nothing is done from here: the board is sent a request, valid for some seconds, and its own record proves that it was
done. So the outcome stands beside each request.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.hall.hall import HallError
from gnomon.hall.rounds.board_assignment import PlanError
from gnomon.hall.rounds.event_log import BookAwayError, BookError
from gnomon.hall.store.database import StoreError
from gnomon.records.replay import Frame
from gnomon.referee.game import Game
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Instant
from gnomon.tournament.errors import TournamentError
from gnomon.views.phrases import elapsed_text
from gnomon.views.pictures import DARK, LIGHT, to_svg
from gnomon.web import forms
from gnomon.web._compression import text_response
from gnomon.web._http_errors import HttpError
from gnomon.web._pictures import SHARED, SVG, answer_picture, for_the_page
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.arbiter import orders
from gnomon.web.games import replays
from gnomon.web.games.exports import draw_frame
from gnomon.web.hall import _board_requests as board_requests
from gnomon.web.hall._app_context import HallContext
from gnomon.web.hall._live import HallBoard
from gnomon.web.hall._tiles import tile
from gnomon.web.language import words_for
from gnomon.web.live.streams import board_payload, event
from gnomon.words import Words

PATH: Final = "/boards/{name}"

Sent = Mapping[str, str]
Do = Callable[[HallBoard, Request, Sent], Awaitable[None]]


def routes(context: HallContext) -> Sequence[BaseRoute]:
    """The page of a board, its stream and pictures, and what may be asked of it."""
    desk = _OneBoardPages(context)
    return (
        Route(PATH, desk.show),
        Route(f"{PATH}/events", desk.stream),
        Route(f"{PATH}/pictures/{{picture}}.svg", desk.picture),
        Route(f"{PATH}/position.svg", desk.position),
        Route(f"{PATH}/miniature.svg", desk.miniature),
        Route(f"{PATH}/ask", allow(Role.ARBITER, desk.endpoint(desk.ask)), methods=["POST"]),
        Route(f"{PATH}/notice", allow(Role.ARBITER, desk.endpoint(desk.notice)), methods=["POST"]),
        Route(f"{PATH}/pairing", allow(Role.DIRECTOR, desk.endpoint(desk.begin_pairing)), methods=["POST"]),
        Route(f"{PATH}/new-game", allow(Role.DIRECTOR, desk.endpoint(desk.new_game)), methods=["POST"]),
        *SHARED,
    )


class _OneBoardPages:
    """What is answered at each address."""

    def __init__(self, context: HallContext) -> None:
        self._context = context
        self._boards: dict[tuple[str, bool], HallBoard] = {}

    async def show(self, request: Request) -> Response:
        """The whole page."""
        return await self._page(request, self._board(request))

    async def stream(self, request: Request) -> Response:
        """The board's news; for arbiters also what became of what was asked."""
        board, readers = self._board(request), self._context.readers
        events = readers.feed(board, words_for(request), visitor_of(request).role).events()
        if visitor_of(request).may(Role.ARBITER):
            events = self._with_wishes(board, events, words_for(request))
        return readers.answer(request, events)

    async def picture(self, request: Request) -> Response:
        """The picture of the position by its name, as long as it is shown."""
        board = self._board(request)
        await board.look()
        return answer_picture(request, board_payload(board, words_for(request)))

    async def position(self, request: Request) -> Response:
        """The picture of the position now, as a file of its own."""
        return await self._draw(request, self._board(request))

    async def miniature(self, request: Request) -> Response:
        """The same as spectators may see it, no matter who asks: a wall gives nothing away."""
        return await self._draw(request, self._board(request, is_wall=True))

    async def _draw(self, request: Request, board: HallBoard) -> Response:
        await board.look()
        game = board.game()
        if game is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        frame, words = Frame(game, board.now()), words_for(request)
        svg = await asyncio.to_thread(lambda: to_svg(draw_frame(frame, words), LIGHT, dark=DARK))
        return text_response(request, svg, SVG, {"Cache-Control": "no-store"})

    def endpoint(self, do: Do) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that asks something of a board and shows its page, or says what is wrong with the form."""

        async def endpoint(request: Request) -> Response:
            board, sent, say = self._board(request), await forms.read(request), words_for(request)
            await board.look()
            try:
                await do(board, request, sent)
            except orders.OrderError as error:
                return await self._page(request, board, say(error.key), sent, HTTPStatus.UNPROCESSABLE_ENTITY)
            except BookAwayError:
                raise
            except (HallError, PlanError, TournamentError, BookError) as error:
                return await self._page(request, board, sentence(statement_of(error), say), sent, HTTPStatus.CONFLICT)
            return go_to(f"/boards/{board.name}#asked")

        return endpoint

    async def ask(self, board: HallBoard, request: Request, sent: Sent) -> None:
        """Ask for an event by hand. Raises OrderError and HallError."""
        game, who = board.game(), visitor_of(request).called
        if game is None:
            key = "arbiter.wrong.no_game"
            raise orders.OrderError(key)
        wanted = orders.correction(sent, who, game)
        await asyncio.to_thread(self._context.hall.correct, board.name, wanted, who)

    async def notice(self, board: HallBoard, request: Request, sent: Sent) -> None:
        """Ask for a text to be shown. Raises OrderError and HallError."""
        text = board_requests.notice(sent)
        await asyncio.to_thread(self._context.hall.notice, board.name, text, visitor_of(request).called)

    async def begin_pairing(self, board: HallBoard, request: Request, sent: Sent) -> None:
        """Ask for the game of a pairing to be begun. Raises HallError, PlanError, TournamentError and StoreError."""
        await asyncio.to_thread(
            board_requests.send_pairing, self._context.hall, board.name, sent, visitor_of(request).called
        )

    async def new_game(self, board: HallBoard, request: Request, sent: Sent) -> None:
        """Ask for a game that belongs to no tournament. Raises OrderError and HallError."""
        action = board_requests.new_game(sent, board.games, visitor_of(request).called)
        await asyncio.to_thread(self._context.hall.request, board.name, action, visitor_of(request).called)

    # Private

    def _board(self, request: Request, *, is_wall: bool = False) -> HallBoard:
        """The board that an address names, as the visitor may see it, or as a wall does.

        Raises HttpError where there is none.
        """
        name, hall = request.path_params["name"], self._context.hall
        if not hall.place(name).version:  # nothing was ever put there
            raise HttpError(HTTPStatus.NOT_FOUND, statement("hall.refused.no_board", board=name[:40]))
        is_desk = visitor_of(request).may(Role.ARBITER) and not is_wall
        key = name, is_desk
        if key not in self._boards:
            self._boards[key] = HallBoard(hall, name, self._context.shelf, hall if is_desk else hall.public)
        return self._boards[key]

    async def _with_wishes(
        self, board: HallBoard, events: AsyncGenerator[bytes, None], words: Words
    ) -> AsyncGenerator[bytes, None]:
        known: object = None
        async with aclosing(events) as each:
            async for text in each:
                news = b""
                with suppress(StoreError):  # the health of the hall says so
                    asked = await asyncio.to_thread(board_requests.asked_of, self._context.hall, board.name, words)
                    news = b"" if asked == known else event("asked", {"asked": asked})
                    known = asked
                yield text + news

    async def _page(
        self, request: Request, board: HallBoard, wrong: str = "", sent: Sent | None = None, status: int = 200
    ) -> Response:
        hall, visitor = self._context.hall, visitor_of(request)
        await board.look()
        now, game = board_payload(board, words_for(request), visitor.role), board.game()
        look = await asyncio.to_thread(_look, board, hall.now(), words_for(request))
        is_desk, is_office = visitor.may(Role.ARBITER), visitor.may(Role.DIRECTOR)
        return page(
            request,
            "hall_board.html",
            status,
            board=board,
            place=board.place,
            told=now,
            look=look,
            wrong=wrong,
            sent=sent or {},
            players=[] if game is None else _players(game, words_for(request)),
            is_paused=game is not None and game.paused_at is not None,
            is_over=game is None or game.outcome is not None,
            asked=await asyncio.to_thread(board_requests.asked_of, hall, board.name, words_for(request))
            if is_desk
            else [],
            pairings=await asyncio.to_thread(board_requests.pairings_of, hall, board.name) if is_office else [],
        )


class Seat(NamedTuple):
    """Who sits at a board now: `left` is the time in milliseconds as `text` says it, which runs or not."""

    name: str
    turn: bool
    score: object
    left: int
    text: str
    runs: bool


class Look(NamedTuple):
    """A board at a moment: its picture for a page, the same in words, and who sits there."""

    svg: str = ""
    alt: str = ""
    seats: Sequence[Seat] = ()


def _look(board: HallBoard, now: Instant, words: Words) -> Look:
    game = board.game()
    if game is None:
        return Look()
    drawing = draw_frame(Frame(game, board.now()), words)
    told, names = tile(board.place, now).payload()["players"], dict(_players(game, words))
    seats = [_seat(each, names) for each in told] if isinstance(told, Sequence) else []
    svg = for_the_page(to_svg(drawing, LIGHT, dark=DARK))
    return Look(svg, f"{drawing.title}. {drawing.description}", seats)


def _seat(told: Mapping[str, Any], names: Mapping[str, str]) -> Seat:
    left, name = told.get("left"), names.get(told["player"], told["name"])
    # A time that is left is rounded up: none is left when it says so.
    text = "" if left is None else elapsed_text(-(-left * MILLISECOND // SECOND) * SECOND)
    return Seat(name, bool(told.get("turn")), told.get("score"), left or 0, text, bool(told.get("runs")))


def _players(game: Game, words: Words) -> list[tuple[str, str]]:
    """Who plays: in the words of the rules, and for people."""
    return [(player, replays.player_label(game, player, words)) for player in game.rules.players if player != NATURE]
