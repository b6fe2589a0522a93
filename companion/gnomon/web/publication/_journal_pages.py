"""Serve the finished games of one board's journal as pages that become files.

The daemon may go on writing the journal meanwhile. Lessons and puzzles are no games, and a game that goes on is not
shown.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import blake2b
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gnomon.records.bundles import bundle
from gnomon.records.files import JournalFile
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.hidden_names import MaskedArchive
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.store import JournalError
from gnomon.records.replay import Replay, film
from gnomon.refusals import clause, statement_of
from gnomon.rules.protocol import Outcome
from gnomon.web import forms
from gnomon.web._templates import STATIC, page
from gnomon.web.director import AS_OF, unchanged_response
from gnomon.web.games import replays
from gnomon.web.games.archive import ArchivedGame, outcome_of
from gnomon.web.games.whole_pages import FORMATS, GameAnswer, answers, frame_of
from gnomon.web.language import words_for
from gnomon.web.pages import spoken
from gnomon.web.pages.archive import PATH, is_practice, page_values
from gnomon.web.server.workers import Shelf

_UNKNOWN: Final = Outcome(None, "")
_GAME: Final = f"{PATH}/{{number}}"


def journal_pages(path: Path) -> Starlette:
    """The list of a journal's games, and the page of each with its files."""
    pages = _JournalPages(path)
    return Starlette(
        routes=[
            Route(PATH, pages.show_all),
            Route(_GAME, pages.show),
            *(Route(f"{_GAME}/{name}", pages.of_a_game(make)) for name, make in answers().items()),
            *spoken.routes(pages),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={JournalError: _refuse},
    )


class _JournalPages:
    """What is answered at each address."""

    def __init__(self, path: Path) -> None:
        self._archive = MaskedArchive(JournalFile(path), PeopleFile.beside(path))
        self._films = Shelf()
        self._finished: Mapping[int, StoredGame] = {}
        """The games that are over, as of when they were listed last: each look begins with their list."""

    async def show_all(self, request: Request) -> Response:
        stored, found = self._archive.games(), self._archive.endings()
        self._finished = {game.id: game for game in stored if game.ended is not None and not is_practice(game)}
        outcomes = {number: outcome_of(ending) if ending else None for number, ending in found.items()}
        listed = [
            ArchivedGame(game, outcome, is_cut_off=outcome is None)
            for game, outcome in ((game, outcomes.get(number, _UNKNOWN)) for number, game in self._finished.items())
        ]
        return page(request, "games.html", **page_values(request, listed[::-1]))

    async def show(self, request: Request) -> Response:
        stored = self._find(request)
        start = stored.start
        as_of = blake2b(
            repr((start.wall, start.board, stored.ended, start.players)).encode(), digest_size=12
        ).hexdigest()
        if (known := unchanged_response(request, as_of)) is not None:
            return known
        response = await self._page_of(request, stored)
        response.headers[AS_OF] = as_of
        return response

    def of_a_game(self, make: GameAnswer) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint about a game that is there and can be followed."""

        async def endpoint(request: Request) -> Response:
            try:
                replay = await self._follow(self._find(request))
            except ValueError as error:
                raise HTTPException(HTTPStatus.CONFLICT) from error
            return await self._films.ask(partial(make, request, replay, words_for(request)))

        return endpoint

    async def _page_of(self, request: Request, stored: StoredGame) -> Response:
        words = words_for(request)
        try:
            replay = await self._follow(stored)
        except ValueError as error:
            why = clause(statement_of(error), words)
            return page(request, "replay_missing.html", number=stored.id, why=why)
        values = await self._films.ask(lambda: replays.page_values(stored, replay, frame_of(request, replay), words))
        return page(
            request,
            "replay.html",
            **values,
            game_page=f"{PATH}/{stored.id}",
            up=(PATH, words("watching.games")),
            label=f"#{stored.id}",
            formats=FORMATS,
            of_a_position=(),
            is_whole=True,
            is_cut_off=False,
            can_analyse=False,
        )

    def _find(self, request: Request) -> StoredGame:
        """The game that an address names. Raises HTTPException where there is none that is over."""
        number = forms.number(request.path_params["number"])
        found = None if number is None else self._finished.get(number)
        if found is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return found

    async def _follow(self, stored: StoredGame) -> Replay:
        """The game as it was played. Raises JournalError, and ValueError for one that no referee can follow."""
        key = (stored.id, stored.ended, tuple(stored.players.items()))
        return await self._films.ask_once(key, lambda: film(bundle(stored, self._archive.read(stored.id))))


async def _refuse(_request: Request, _error: Exception) -> Response:
    return Response(status_code=HTTPStatus.SERVICE_UNAVAILABLE)
