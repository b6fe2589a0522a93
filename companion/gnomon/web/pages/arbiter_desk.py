"""Serve the arbiter's desk: corrections, incidents, past games and decisions for one game, on one screen."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.records.bundles import bundle
from gnomon.records.journal.chain import fingerprint
from gnomon.records.journal.entries import Record, StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.referee.events import Correction
from gnomon.referee.game import Game
from gnomon.referee.undo import newest
from gnomon.refusals import clause, sentence, statement_of
from gnomon.rules.protocol import NATURE, RulesError
from gnomon.timekeeping.instants import SECOND
from gnomon.views.phrases import name
from gnomon.views.show import show_of
from gnomon.views.summary import summary
from gnomon.views.table_summary import MOVES_TOLD
from gnomon.web import forms
from gnomon.web._http_errors import is_program
from gnomon.web._pictures import page_picture
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.app_context import AppContext
from gnomon.web.arbiter import orders
from gnomon.web.arbiter.before_after import chance_awaited, clock, preview, sentence_of
from gnomon.web.arbiter.firsts import first_of, last_touches, touch_text, upheld_claimant
from gnomon.web.arbiter.incidents import IncidentKind, incidents, time_noted
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import RefusedError
from gnomon.words import Words

PATH: Final = "/desk"
TRACE: Final = "application/x-ndjson"
AT_ONCE: Final = ("pause", "resume")
"""What is done without asking again: a person who stops a game is in a hurry, and each undoes the other."""

Sent = Mapping[str, str]


class JournalledGames(NamedTuple):
    """What the journal holds: the game at the board with its records, and games that were put away."""

    present: StoredGame | None = None
    records: Sequence[Record] = ()
    away: Sequence[StoredGame] = ()
    others: Sequence[StoredGame] = ()  # the newest games, for their bundles


OTHERS: Final = 12
_UNTOLD: Final[Mapping[str, object]] = dict.fromkeys(
    (
        "people",
        "outcome",
        "question",
        "choices",
        "answers",
        "repairs",
        "plies",
        "quarantined",
        "timer15",
        "clock",
        "paused",
        "phase",
        "phase_sentence",
    )
)
"""What summaries leave out where there is nothing to say."""


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The desk, what it asks about and does, and the bundles."""
    desk = _DeskPages(context)
    return (
        Route(PATH, allow(Role.ARBITER, desk.show)),
        Route(f"{PATH}/ask", allow(Role.ARBITER, desk.ask), methods=["POST"]),
        Route(f"{PATH}/do", allow(Role.ARBITER, desk.do), methods=["POST"]),
        Route(f"{PATH}/take-up", allow(Role.ARBITER, desk.take_up), methods=["POST"]),
        Route(f"{PATH}/bundle/{{game}}.jsonl", allow(Role.ARBITER, desk.bundle)),
    )


class _DeskPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def show(self, request: Request) -> Response:
        """The whole page; after an upheld claim it may come with a winner, for the form of the result."""
        winner = request.query_params.get("winner", "")
        return await self._page(
            request, sent={"do": "result", "winner": winner, "reason": "arbiter"} if winner else None
        )

    async def ask(self, request: Request) -> Response:
        """What a correction would change: as JSON for the page's program, as a page for a plain form."""
        sent = await forms.read(request)
        say, game = words_for(request), self._context.board.game()
        try:
            wanted = self._parse_correction(request, sent, game)
            seen = preview(_there(game), wanted, self._context.board.now(), say)
        except orders.OrderError as error:
            return await self._wrong(request, sent, HTTPStatus.UNPROCESSABLE_ENTITY, say(error.key))
        except RulesError as error:
            return await self._wrong(request, sent, HTTPStatus.CONFLICT, sentence(statement_of(error), say))
        told = {
            "changes": [each._asdict() for each in seen.changes],
            "rulings": list(seen.rulings),
            "repairs": list(seen.repairs),
            "seen": _mark(game),
        }
        if is_program(request):
            return JSONResponse(told, headers={"Cache-Control": "no-store"})
        return await self._page(request, asked=told, sent={**sent, "seen": _mark(game)})

    async def do(self, request: Request) -> Response:
        """Make a correction; one that was looked at before the game went on is looked at again."""
        sent = await forms.read(request)
        say, game = words_for(request), self._context.board.game()
        if sent.get("do") not in AT_ONCE and sent.get("seen") != _mark(game):
            return await self._wrong(request, sent, HTTPStatus.CONFLICT, say("arbiter.wrong.gone_on"))
        try:
            await self._context.board.correct(self._parse_correction(request, sent, game))
        except orders.OrderError as error:
            return await self._wrong(request, sent, HTTPStatus.UNPROCESSABLE_ENTITY, say(error.key))
        except (RefusedError, RulesError) as error:
            return await self._wrong(request, sent, HTTPStatus.CONFLICT, sentence(statement_of(error), say))
        return JSONResponse({"done": True}) if is_program(request) else RedirectResponse(PATH, HTTPStatus.SEE_OTHER)

    async def take_up(self, request: Request) -> Response:
        """Bring a game that was put away back to the board."""
        sent = await forms.read(request)
        say, number = words_for(request), sent.get("game", "")
        found = await self._find_game(forms.number(number))
        if found is None:
            return await self._wrong(request, sent, HTTPStatus.NOT_FOUND, say("arbiter.wrong.game"))
        try:
            await self._context.board.take_up(*found)
        except RefusedError as error:
            return await self._wrong(request, sent, HTTPStatus.CONFLICT, sentence(statement_of(error), say))
        return JSONResponse({"done": True}) if is_program(request) else RedirectResponse(PATH, HTTPStatus.SEE_OTHER)

    async def bundle(self, request: Request) -> Response:
        """The dispute bundle of a game: one trace with everything, for `gnomon replay` on any machine."""
        found = await self._find_game(forms.number(request.path_params["game"]))
        if found is None:
            return JSONResponse({"error": words_for(request)("arbiter.wrong.game")}, HTTPStatus.NOT_FOUND)
        stored, records = found
        text = await self._context.shelf.ask(lambda: "".join(bundle(stored, records).lines()))
        attached = f'attachment; filename="gnomon-{stored.start.game}-{stored.id}.jsonl"'
        return Response(text, media_type=TRACE, headers={"Content-Disposition": attached, "Cache-Control": "no-store"})

    def _parse_correction(self, request: Request, sent: Sent, game: Game | None) -> Correction:
        visitor = visitor_of(request)
        return orders.correction(sent, visitor.name or visitor.role.value, _there(game))

    async def _find_game(self, number: int | None) -> tuple[StoredGame, Sequence[Record]] | None:
        """A game of the journal by its number, with its records."""
        archive = self._context.archive

        def find() -> tuple[StoredGame, Sequence[Record]] | None:
            stored = next((game for game in archive.games() if game.id == number), None)
            return None if stored is None else (stored, archive.read(stored.id))

        return await self._context.shelf.ask(find)

    async def _past(self) -> JournalledGames:
        archive = self._context.archive

        def find() -> JournalledGames:
            present = archive.last_game()
            others = archive.games()[::-1]
            away = [game for game in others if game.ended is None and game != present]
            return JournalledGames(present, () if present is None else archive.read(present.id), away, others[:OTHERS])

        try:
            return await self._context.shelf.ask(find)
        except JournalError:  # the health says so
            return JournalledGames()

    async def _wrong(self, request: Request, sent: Sent, status: int, sentence: str) -> Response:
        if is_program(request):
            return JSONResponse({"error": sentence_of(sentence)}, status, headers={"Cache-Control": "no-store"})
        return await self._page(request, wrong=sentence_of(sentence), sent=sent, status=status)

    async def _page(
        self,
        request: Request,
        *,
        asked: Mapping[str, Any] | None = None,
        sent: Sent | None = None,
        wrong: str = "",
        status: int = 200,
    ) -> Response:
        say, board, past = words_for(request), self._context.board, await self._past()
        game, now = board.game(), board.now()
        kind, told = request.query_params.get("show", ""), summary(game, now, board.health(), say)
        return page(
            request,
            "desk.html",
            status,
            **_of_game(game, past, told, say),
            told={**_UNTOLD, **told},
            drawn=page_picture(told),
            game=game,
            is_demonstrated=board.is_demonstrated,
            asked=asked,
            sent=sent or {},
            wrong=wrong,
            groups=list(IncidentKind),
            reasons=orders.REASONS,
            kind=kind if kind in list(IncidentKind) else "",
            mark=_mark(game),
            present=past.present,
            away=[(each, _label(each, say)) for each in past.away],
            others=[(each, _label(each, say)) for each in past.others],
            fingerprint=fingerprint(past.records[-1].link) if past.records else "",
            entry=past.records[-1].seq if past.records else 0,
            clock=clock,
            minutes=lambda time: clock(time / SECOND),
            name=lambda player: name(player, say),
            chance_awaited=chance_awaited,
            touched=lambda change: touch_text(change, say),
        )


def _of_game(game: Game | None, past: JournalledGames, told: Mapping[str, Any], say: Words) -> dict[str, object]:
    """What the page shows of a game, and what can be chosen in its forms."""
    if game is None:
        return {"incidents": (), "busy": 0, "forms": ()}
    made, touches = newest(game), last_touches(past.records)
    return {
        "incidents": incidents(game, past.records, say),
        "touches": touches,
        "first": first_of(touches),
        "claimant": upheld_claimant(past.records) if game.outcome is None else "",
        "busy": time_noted(past.records),
        "undo": "" if made is None else clause(made.what, say),
        "legal": _legal(game),
        "forms": show_of(game).forms(game, told, say),
        "players": [player for player in game.rules.players if player != NATURE],
    }


def _legal(game: Game) -> Sequence[str]:
    """The next turns that can be entered, in canonical text."""
    if game.outcome is not None:
        return ()
    return list(game.texts())[:MOVES_TOLD]


def _label(stored: StoredGame, say: Words) -> str:
    """A stored game for people: its name, its players, and when it began."""
    start = stored.start
    people = " – ".join(stored.players.values())
    title = say.name_of(f"game.{start.game}", start.game)  # perhaps one that is not installed any more
    return " · ".join(filter(None, (title, people, start.wall[:16].replace("T", " "))))


def _there(game: Game | None) -> Game:
    """The game. Raises OrderError when there is none."""
    if game is None:
        key = "arbiter.wrong.no_game"
        raise orders.OrderError(key)
    return game


def _mark(game: Game | None) -> str:
    """What tells a game from the same game later on, when something was made or ruled."""
    return "" if game is None else f"{len(game.plies)}.{len(game.rulings)}"
