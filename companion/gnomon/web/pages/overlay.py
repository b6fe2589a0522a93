"""Serve the transparent overlay for streaming software: names, sand, score and the last move.

Only this page may stand in a frame of another site; nothing can be entered in it.
"""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.web._templates import page
from gnomon.web.app_context import AppContext
from gnomon.web.middleware.origin_check import FRAMELESS, POLICY

PATH: Final = "/overlay"
FRAMED: Final = {
    "Content-Security-Policy": POLICY.replace(FRAMELESS, "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Cross-Origin-Opener-Policy": "unsafe-none",
}
LEAST: Final = 50  # percent
MOST: Final = 400
PLACES: Final = ("bottom", "top")
GROUNDS: Final = ("dark", "light")


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The overlay; its news are those of the spectators' page."""

    async def show(request: Request) -> Response:
        asked = request.query_params
        answer = page(
            request,
            "overlay.html",
            scale=_scale(asked.get("scale", "")),
            place=asked["place"] if asked.get("place") in PLACES else PLACES[0],
            ground=asked["ground"] if asked.get("ground") in GROUNDS else GROUNDS[0],
            delay=0 if context.past is None else round(context.past.delay),
        )
        answer.headers.update(FRAMED)
        return answer

    return (Route(PATH, show),)


def _scale(text: str) -> int:
    """The size in percent; 100 for what is no whole number."""
    return min(MOST, max(LEAST, int(text))) if text.isascii() and text.isdecimal() and len(text) < len("10000") else 100
