"""Serve the page of safe mode: the reason, advice, and the journals to download after signing in.

It shows nothing of the other pages, but is guarded as they are: whatever is broken, this page should still come, and
strangers may not do more here than there. Journals are streamed, a few at a time.
"""

import asyncio
import shutil
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import connect_for_reading
from gnomon.refusals import Refusal, Statement, clause, error_payload, statement
from gnomon.web import forms
from gnomon.web.access import Authenticator, Gate, Role, allow, signed_in, visitor_of
from gnomon.web.access.answers import begin_session, device_of, end_session, go_to
from gnomon.web.access.reasons import AccessError, SignInReason
from gnomon.web.language import words_for
from gnomon.web.middleware.bodies import Bodies
from gnomon.web.middleware.limits import Allowance, RateLimits, asker
from gnomon.web.middleware.origin_check import Guard
from gnomon.web.template_folder import templates_in
from gnomon.words import Words
from gnomon_pi.tools.safe_mode.journal_recovery import FoundJournal

HERE: Final = Path(__file__).parent
COPIES: Final = 4
"""Journals that are being sent at a time, to all."""
COPIES_OF_ONE: Final = 2
"""And to one address."""
SPARE: Final = 16 * 1024 * 1024
"""Bytes that a copy has to leave free on the disk."""


class SafeModeStep(NamedTuple):
    """Something to do, by the key of its words, and the command for it where there is one."""

    key: str
    command: str = ""


STEPS: Final = (
    SafeModeStep("safe.step.cause"),
    SafeModeStep(
        "safe.step.doctor", "sudo systemctl stop gnomond-safe; gnomond doctor --wiring /etc/gnomon/board.toml"
    ),
    SafeModeStep("safe.step.log", "journalctl -u gnomond -n 50"),
    SafeModeStep("safe.step.file"),
    SafeModeStep("safe.step.again", "sudo systemctl reset-failed gnomond; sudo systemctl restart gnomond"),
    SafeModeStep("safe.step.rollback", "sudo ./install.sh rollback"),
)


@dataclass(frozen=True, slots=True)
class Plight:
    """What is the matter: `why` the board does not run, what else was found, and the journals.

    `copies` is a folder for copies of journals that cannot be sent as they stand; its maker empties it.
    """

    why: Statement
    remarks: Sequence[Statement]
    journals: Sequence[FoundJournal]
    version: str
    copies: Path | None = None


def application(plight: Plight, hosts: Collection[str], door: Authenticator | None = None) -> Starlette:
    """The page; `hosts` are names of this machine, and `door` knows who may do what: nobody anything without one."""
    door = door or Authenticator.without_accounts()
    page = _SafeModePage(plight, door)
    return Starlette(
        routes=[
            Route("/", page.show),
            Route("/sign-in", allow(Role.SPECTATOR, page.sign_in), methods=["POST"]),
            Route("/sign-out", allow(Role.SPECTATOR, page.sign_out), methods=["POST"]),
            Route("/state.json", page.tell),
            Route("/journals/{number}", allow(Role.ARBITER, page.copy)),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts),
            Middleware(RateLimits, Allowance(), who=signed_in(door)),
            Middleware(Bodies),
            Middleware(Gate, door=door),
        ],
    )


class _NoRoomError(Refusal, OSError):
    """A copy of a journal would fill the disk."""


class _SafeModePage:
    """What is answered at each address."""

    def __init__(self, plight: Plight, door: Authenticator) -> None:
        self._plight = plight
        self._door = door
        self._copies = _Copies(plight.copies)
        self._template = templates_in(HERE / "templates").get_template("safe.html")

    async def show(self, request: Request) -> Response:
        return self._page(request)

    async def sign_in(self, request: Request) -> Response:
        """Let somebody in by name and PIN, as on the other pages."""
        sent = await forms.read(request)
        browser = request.headers.get("user-agent", "")
        try:
            secret = await self._door.sign_in(
                sent.get("name", ""), sent.get("secret", ""), visitor_of(request), browser, device_of(request)
            )
        except AccessError as error:
            answer = self._page(request, error)
            if error.wait:
                answer.headers["Retry-After"] = str(error.wait)
            return answer
        return begin_session(request, go_to("/"), secret, await self._door.role_of_session(secret))

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        await self._door.sign_out(visitor_of(request))
        return end_session(request, go_to("/"))

    def _page(self, request: Request, error: AccessError | None = None) -> Response:
        visitor = visitor_of(request)
        say = words_for(request)
        text = self._template.render(
            say=say,
            why=clause(self._plight.why, say),
            remarks=[clause(remark, say) for remark in self._plight.remarks],
            steps=STEPS,
            journals=self._journals(request),
            version=self._plight.version,
            visitor=visitor,
            may_look=visitor.may(Role.PLAYER),
            may_save=visitor.may(Role.ARBITER),
            is_anybody_known=self._door.has_admin,
            wrong="" if error is None else _sentence(error, say),
        )
        status = (
            200 if error is None else HTTPStatus.TOO_MANY_REQUESTS if error.wait else HTTPStatus.UNPROCESSABLE_ENTITY
        )
        return HTMLResponse(text, status, headers={"Content-Language": say.language, "Vary": "Accept-Language, Cookie"})

    async def tell(self, request: Request) -> Response:
        """The same for programs: the hall sees that this board is out of play."""
        say = words_for(request)
        return JSONResponse(
            {
                "safe": True,
                "why": clause(self._plight.why, say),
                "remarks": [clause(remark, say) for remark in self._plight.remarks],
                "journals": self._journals(request),
            }
        )

    def _journals(self, request: Request) -> Sequence[Mapping[str, object]]:
        """The journals and their games, for players and those who may more.

        How late spectators see a game is not known here, so they see none.
        """
        may_look = visitor_of(request).may(Role.PLAYER)
        return [_journal(found) for found in self._plight.journals] if may_look else []

    async def copy(self, request: Request) -> Response:
        """A journal as it can be read now, with what still stands in its write-ahead log."""
        number = forms.number(request.path_params["number"])
        if number is None or not 1 <= number <= len(self._plight.journals):
            return _refuse(request, HTTPStatus.NOT_FOUND, statement("safe.copy.no_journal"))
        path = self._plight.journals[number - 1].path
        try:
            whole = await self._copies.of(path)
        except OSError as error:
            cause = (
                error.statement if isinstance(error, _NoRoomError) else Statement.plain(error.strerror or str(error))
            )
            told = statement("safe.copy.unreadable", file=str(path), cause=cause)
            return _refuse(request, HTTPStatus.SERVICE_UNAVAILABLE, told)
        return self._copies.send(request, whole, path.name)


class _Copies:
    """Journals in one file each, and how many are being sent. Nobody writes to a journal in safe mode."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._making = asyncio.Lock()
        self._made: dict[Path, Path] = {}
        self._sent: Counter[str] = Counter()

    async def of(self, path: Path) -> Path:
        """The file to send for a journal: itself, or a copy where a part of it stands in its log. Raises OSError."""
        async with self._making:
            if path not in self._made:
                self._made[path] = await run_in_threadpool(_whole, path, self._folder)
            return self._made[path]

    def send(self, request: Request, whole: Path, name: str) -> Response:
        """The answer that sends a file, or refuses where enough are being sent."""
        return _Sending(whole, name, self._sent, asker(request.client))


class _Sending(FileResponse):
    """A file, sent in small parts to a few at a time."""

    def __init__(self, path: Path, name: str, sent: Counter[str], where: str) -> None:
        super().__init__(path, media_type="application/vnd.sqlite3", filename=name)
        self._sent = sent
        self._where = where

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        if self._sent.total() >= COPIES or self._sent[self._where] >= COPIES_OF_ONE:
            answer = _refuse(Request(scope), HTTPStatus.SERVICE_UNAVAILABLE, statement("safe.copy.enough"))
            answer.headers["Retry-After"] = "5"
            await answer(scope, receive, send)
            return
        self._sent[self._where] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._sent[self._where] -= 1


def _whole(path: Path, folder: Path | None) -> Path:
    """A file with all of a journal: itself when no log stands beside it, else a copy on the disk. Raises OSError.

    Of a damaged journal it is the file as it stands.
    """
    log = path.with_name(f"{path.name}-wal")
    needed = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    if folder is None or not log.exists() or not log.stat().st_size:
        return path
    if shutil.disk_usage(folder).free < needed + SPARE:
        raise _NoRoomError(statement("safe.copy.no_room", file=path.name, log=log.name, folder=str(path.parent)))
    copy = folder / path.name
    try:
        with closing(connect_for_reading(path)) as connection, closing(sqlite3.connect(copy)) as made:
            connection.backup(made, pages=256)
    except sqlite3.Error:
        return path
    return copy


def _refuse(request: Request, status: int, why: Statement) -> Response:
    """A refusal for people and programs: one sentence, with its code."""
    return JSONResponse({"error": clause(why, words_for(request)), **error_payload(Refusal(why))}, status)


def _sentence(error: AccessError, say: Words) -> str:
    return say(error.why, **({"seconds": error.wait} if error.why is SignInReason.WAIT else {}))


def _journal(found: FoundJournal) -> Mapping[str, object]:
    return {"name": found.path.name, "games": [_game(game) for game in found.games]}


def _game(game: StoredGame) -> Mapping[str, object]:
    return {
        "number": game.id,
        "name": game.start.game,
        "began": game.start.wall,
        "state": "unfinished" if game.ended is None else "over",
    }
