"""Serve the replay of a recorded game, turn by turn, with its files to download."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.records.replay import Replay
from gnomon.refusals import Statement, clause, statement, statement_of
from gnomon.rules.registry import BARE_CLOCK
from gnomon.views.pictures.png import PictureError
from gnomon.web import forms
from gnomon.web._http_errors import refusal
from gnomon.web._templates import page
from gnomon.web.access import visitor_of
from gnomon.web.app_context import AppContext
from gnomon.web.games import exports, replays
from gnomon.web.language import words_for
from gnomon.web.pages.archive import PATH, FollowError, Library, why_not_shown
from gnomon.web.server.workers import BusyError
from gnomon.words import Words

NO_SUCH_GAME: Final = statement("replay.refused.no_such_game")
LATER: Final = "30"  # seconds

Answer = Callable[[Request, StoredGame, Replay], Awaitable[Response]]


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page of each game, what its program asks for, and its files."""
    room = _ReplayPages(context)
    return (
        Route(f"{PATH}/{{number}}", room.show),
        Route(f"{PATH}/{{number}}/frames.json", room.of_a_game(room.frames)),
        Route(f"{PATH}/{{number}}/position.svg", room.of_a_game(room.position)),
        Route(f"{PATH}/{{number}}/position.json", room.of_a_game(room.state)),
        Route(f"{PATH}/{{number}}/files/gif", room.of_a_game(room.animation)),
        Route(f"{PATH}/{{number}}/files/{{format}}", room.of_a_game(room.file)),
    )


def can_analyse(context: AppContext, film: Replay) -> bool:
    """Whether there is a page of the analysis of a game: it is over, and there are rules for it."""
    return context.analyses is not None and film.last.outcome is not None and film.last.rules.name != BARE_CLOCK


class _ReplayPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._library = Library(context)
        self._studio = exports.Studio()

    async def show(self, request: Request) -> Response:
        words, number = words_for(request), _number(request)
        try:
            stored = None if number is None else await self._library.game(number, visitor_of(request))
            if stored is None:
                return page(request, "replay_missing.html", HTTPStatus.NOT_FOUND, number=number, why="")
            film, _ = await self._library.film(stored, visitor_of(request))
            is_cut_off = await self._library.is_cut_off(stored, visitor_of(request))
        except (JournalError, FollowError) as error:
            status, _ = why_not_shown(number, error)
            return page(request, "replay_missing.html", status, number=number, why=clause(statement_of(error), words))
        values = await self._context.shelf.ask(partial(_values, request, stored, film, words))
        return page(
            request, "replay.html", **values, is_cut_off=is_cut_off, can_analyse=can_analyse(self._context, film)
        )

    def of_a_game(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint about a game that is there and can be followed; else it says so in one sentence."""

        async def endpoint(request: Request) -> Response:
            visitor, number = visitor_of(request), _number(request)
            try:
                stored = None if number is None else await self._library.game(number, visitor)
                if stored is None:
                    why = NO_SUCH_GAME if number is None else statement("replay.refused.no_game", number=number)
                    return refusal(request, HTTPStatus.NOT_FOUND, why)
                film, _ = await self._library.film(stored, visitor)
            except (JournalError, FollowError) as error:
                return refusal(request, *why_not_shown(number, error))
            return await answer(request, stored, film)

        return endpoint

    async def frames(self, request: Request, _stored: StoredGame, film: Replay) -> Response:
        return JSONResponse(await self._context.shelf.ask(lambda: replays.frames_payload(film, words_for(request))))

    async def position(self, request: Request, _stored: StoredGame, film: Replay) -> Response:
        number, words = _frame(request, film), words_for(request)
        svg = await self._context.shelf.ask(lambda: exports.for_a_page(film, number, words))
        return Response(svg, media_type=exports.FORMATS["svg"].media)

    async def state(self, request: Request, _stored: StoredGame, film: Replay) -> Response:
        return JSONResponse(replays.state(film.frames[_frame(request, film)]))

    async def file(self, request: Request, _stored: StoredGame, film: Replay) -> Response:
        kind = request.path_params["format"]
        made = exports.FORMATS.get(kind)
        if made is None:
            known = statement("replay.refused.format", formats=[*exports.FORMATS, "gif"])
            return refusal(request, HTTPStatus.NOT_FOUND, known)
        number, words = _frame(request, film), words_for(request)
        try:
            content = await self._context.shelf.ask(lambda: made.make(film, number, words))
        except ValueError as error:
            why = statement("replay.refused.unwritten", why=statement_of(error))
            return refusal(request, HTTPStatus.CONFLICT, why)
        of_a_position = number if kind in exports.OF_A_POSITION else None
        return _download(content, made.media, exports.file_name(film, made.ending, of_a_position))

    async def animation(self, request: Request, stored: StoredGame, film: Replay) -> Response:
        words = words_for(request)
        try:
            content = await self._studio.animate((stored.id, film.bundle.until, len(film.frames)), film, words)
        except PictureError as error:
            why = statement("replay.refused.unpainted", why=statement_of(error))
            return refusal(request, HTTPStatus.CONFLICT, why)
        except BusyError:
            return _later(request, statement("replay.refused.busy"))
        except exports.TooSlowError:
            return _later(request, statement("replay.refused.slow"))
        return _download(content, exports.GIF, exports.file_name(film, "gif"))


def _later(request: Request, why: Statement) -> Response:
    answer = refusal(request, HTTPStatus.SERVICE_UNAVAILABLE, why)
    answer.headers["Retry-After"] = LATER
    return answer


def _download(content: bytes, media: str, name: str) -> Response:
    return Response(content, headers={"Content-Type": media, "Content-Disposition": exports.disposition(name)})


def _number(request: Request) -> int | None:
    """The number in the address; None for what is no number, or has more digits than any game's."""
    text: str = request.path_params["number"]
    return forms.number(text)


def _frame(request: Request, film: Replay) -> int:
    """Which frame is wished: the last without `ply`, for more than there are, and for what is no number."""
    wished, last = request.query_params.get("ply", ""), len(film.frames) - 1
    number = forms.number(wished)
    return last if number is None else min(number, last)


def _values(request: Request, stored: StoredGame, film: Replay, words: Words) -> Mapping[str, Any]:
    return {
        **replays.page_values(stored, film, _frame(request, film), words),
        "game_page": f"{PATH}/{stored.id}",
        "up": (PATH, words("watching.games")),
        "label": f"#{stored.id}",
        "formats": (*exports.FORMATS, "gif"),
        "of_a_position": exports.OF_A_POSITION,
        "is_whole": False,
    }
