"""Serve the web app manifest, the service worker and the offline shell.

A service worker keeps one thing only: the shell, which reports that the board cannot be reached. Nothing of a game is
kept, because a browser could show it as if it were current. Browsers run a service worker over TLS or on the machine
itself only; on a plain network the pages show by themselves that they are not live.
"""

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.web._templates import STATIC, page
from gnomon.web.app_context import AppContext
from gnomon.web.language import words_for

SIZES: Final = (192, 512)
START: Final = "/board"


def routes(_context: AppContext) -> Sequence[BaseRoute]:
    """The manifest, the service worker at the root of what it works for, and its shell."""
    return (
        Route("/app.webmanifest", _manifest),
        Route("/service-worker.js", _worker),
        Route("/not-live", _shell),
        Route("/favicon.ico", _icon),
    )


async def _manifest(request: Request) -> Response:
    say = words_for(request)
    icons = [
        {"src": f"/static/icons/gnomon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in SIZES
        for purpose in ("any", "maskable")
    ]
    manifest = {
        "id": "/",
        "name": "Gnomon",
        "short_name": "Gnomon",
        "description": say("players.app.what"),
        "lang": say.language,
        "start_url": START,
        "scope": "/",
        "display": "standalone",
        "background_color": "#f2ece0",
        "theme_color": "#f2ece0",
        "icons": [{"src": "/static/icons/gnomon.svg", "sizes": "any", "type": "image/svg+xml"}, *icons],
        "shortcuts": [
            {"name": say("players.clock.title"), "url": "/clock"},
            {"name": say("players.new.title"), "url": "/board/new"},
        ],
    }
    return JSONResponse(manifest, media_type="application/manifest+json")


async def _worker(_request: Request) -> Response:
    return FileResponse(STATIC / "service_worker.js", media_type="text/javascript")


async def _icon(_request: Request) -> Response:
    """What browsers ask for by themselves, whatever the page says of its icon."""
    return FileResponse(STATIC / "icons" / "gnomon-180.png")


async def _shell(request: Request) -> Response:
    return page(request, "not_live.html")
