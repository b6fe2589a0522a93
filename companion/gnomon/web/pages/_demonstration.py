"""Serve the controls of the demonstration: start, pause and stop it, set its pace, and lead back to the page."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.refusals import sentence, statement_of
from gnomon.web import forms
from gnomon.web.access import allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import PACES, WHO_MAY_DEMONSTRATE, AppContext, Demonstration
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import LiveBoard, RefusedError

PATH: Final = "/demonstration"
WATCH: Final = "/watch"
BOARD: Final = "/board"
_PLACE: Final = "at"

Act = Callable[[Demonstration, str], Coroutine[Any, Any, None]]


class RefusedPage(Protocol):
    """A page that says why something was refused."""

    async def __call__(self, request: Request, wrong: str, status: int, /) -> Response:
        """The page with a sentence."""
        ...


class DemonstrationView(NamedTuple):
    """What a page shows of the demonstration; `at` names the page to which its controls lead back."""

    is_on: bool
    is_paused: bool
    may_control: bool
    pace: str
    at: str
    paces: Sequence[str] = PACES


def shown_of(context: AppContext, request: Request, board: LiveBoard, at: str = "") -> DemonstrationView:
    """What a page of a board shows of it."""
    shown, game = context.demonstration, board.game()
    return DemonstrationView(
        board.is_demonstrated,
        game is not None and game.paused_at is not None,
        shown is not None and visitor_of(request).may(WHO_MAY_DEMONSTRATE),
        "" if shown is None else shown.pace,
        at,
    )


def routes(context: AppContext, refused: RefusedPage) -> Sequence[BaseRoute]:
    """What is sent by the controls."""
    acts: Mapping[str, Act] = {
        "": lambda shown, _pace: shown.start(),
        "/pause": lambda shown, _pace: shown.pause(),
        "/resume": lambda shown, _pace: shown.go_on(),
        "/stop": lambda shown, _pace: shown.stop(),
        "/pace": lambda shown, pace: shown.set_pace(pace),
    }

    def endpoint(act: Act) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        async def control(request: Request) -> Response:
            if context.demonstration is None:
                raise HTTPException(HTTPStatus.NOT_FOUND)
            sent = await forms.read(request)
            try:
                await act(context.demonstration, sent.get("pace", ""))
            except RefusedError as error:
                return await refused(request, sentence(statement_of(error), words_for(request)), HTTPStatus.CONFLICT)
            return go_to(_page_of(context, sent.get(_PLACE, "")))

        return control

    return tuple(
        Route(f"{PATH}{path}", allow(WHO_MAY_DEMONSTRATE, endpoint(act)), methods=["POST"])
        for path, act in acts.items()
    )


def _page_of(context: AppContext, at: str) -> str:
    """Where somebody goes on: back to the board or the bench, or else to the spectators' page."""
    if at == "bench" and context.simulated is not None:
        return context.simulated
    # Where spectators are kept behind, their page shows nothing of it yet.
    return BOARD if at == "board" or context.past is not None else WATCH
