"""The only place that makes the page of safe mode: why the board does not run, what to do, and the games so far.

It uses nothing of the other pages but their guard: whatever is broken, this page should still come.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gnomon.records.entries import StoredGame
from gnomon.records.store import connect_for_reading
from gnomon.web import forms
from gnomon.web.guard import Guard, refused
from gnomon_pi.safe.salvage import Found

HERE: Final = Path(__file__).parent
NOT_FOUND: Final = 404
UNAVAILABLE: Final = 503


class Step(NamedTuple):
    """Something to do, and the command for it where there is one."""

    words: str
    command: str = ""


STEPS: Final = (
    Step("Look at the reason above; a loose cable and a wrong line in board.toml are the usual ones."),
    Step(
        "Let the board examine itself:",
        "sudo systemctl stop gnomond-safe; gnomond doctor --wiring /etc/gnomon/board.toml",
    ),
    Step("Read what the daemon said:", "journalctl -u gnomond -n 50"),
    Step("Delete the file gnomon-safe on the boot partition, if somebody put one there."),
    Step("Try again:", "sudo systemctl reset-failed gnomond; sudo systemctl restart gnomond"),
    Step("After an update, go back to the version before:", "sudo ./install.sh rollback"),
)


@dataclass(frozen=True, slots=True)
class Plight:
    """What is the matter: `why` the board does not run, what else was found, and the journals."""

    why: str
    remarks: Sequence[str]
    journals: Sequence[Found]
    version: str


def application(plight: Plight, hosts: Collection[str]) -> Starlette:
    """The page; `hosts` are names of this machine."""
    page = _Page(plight)
    return Starlette(
        routes=[
            Route("/", page.show),
            Route("/state.json", page.tell),
            Route("/journals/{number}", page.copy),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
    )


class _Page:
    """What is answered at each address."""

    def __init__(self, plight: Plight) -> None:
        self._plight = plight
        environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._text = environment.get_template("safe.html").render(
            why=plight.why,
            remarks=plight.remarks,
            steps=STEPS,
            journals=[_journal(found) for found in plight.journals],
            version=plight.version,
        )

    async def show(self, _request: Request) -> Response:
        return HTMLResponse(self._text)

    async def tell(self, _request: Request) -> Response:
        """The same for programs: the hall sees that this board is out of play."""
        journals = [_journal(found) for found in self._plight.journals]
        return JSONResponse(
            {"safe": True, "why": self._plight.why, "remarks": list(self._plight.remarks), "journals": journals}
        )

    async def copy(self, request: Request) -> Response:
        """A journal as it can be read now, with what still stands in its write-ahead log."""
        number = forms.number(request.path_params["number"])
        if number is None or not 1 <= number <= len(self._plight.journals):
            return refused(NOT_FOUND, "There is no such journal.")
        path = self._plight.journals[number - 1].path
        try:
            data = await run_in_threadpool(_copy, path)
        except (OSError, sqlite3.Error) as error:
            return refused(UNAVAILABLE, f"{path} cannot be read: {error}.")
        disposition = {"Content-Disposition": f'attachment; filename="{path.name}"'}
        return Response(data, media_type="application/vnd.sqlite3", headers=disposition)


def _copy(path: Path) -> bytes:
    """The bytes of a journal: a whole copy by SQLite, or of a damaged one the file as it stands. Raises OSError."""
    try:
        with closing(connect_for_reading(path)) as connection, closing(sqlite3.connect(":memory:")) as memory:
            connection.backup(memory)
            return memory.serialize()
    except sqlite3.Error:
        return path.read_bytes()


def _journal(found: Found) -> Mapping[str, object]:
    return {"name": found.path.name, "games": [_game(game) for game in found.games]}


def _game(game: StoredGame) -> Mapping[str, object]:
    return {
        "number": game.id,
        "name": game.start.game,
        "began": game.start.wall,
        "state": "unfinished" if game.ended is None else "over",
    }
