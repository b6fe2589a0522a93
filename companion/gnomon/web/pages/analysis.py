"""Serve the analysis of a finished game: chance of winning, costly turns with the better line, accuracy and luck."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.analysis import Analysis, report
from gnomon.analysis.chart import chart
from gnomon.analysis.codec import dump_analysis
from gnomon.analysis.commented_sgf import commented_sgf
from gnomon.records.formats.sheets import Sheet, sheet_text
from gnomon.records.formats.turns import played_turns
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.records.replay import Replay
from gnomon.records.transcripts import transcript
from gnomon.refusals import Statement, statement, statement_of
from gnomon.rules.protocol import PlayedTurn
from gnomon.rules.registry import kind_of, rules_of
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.show import show_of
from gnomon.web import forms
from gnomon.web._http_errors import refusal
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.games import exports
from gnomon.web.games.analyses import Analyses, AnalysisProgress, key_of_game
from gnomon.web.language import words_for
from gnomon.web.pages import puzzles
from gnomon.web.pages.archive import PATH, FollowError, Library, why_not_shown
from gnomon.web.pages.replay import can_analyse
from gnomon.web.server.workers import BusyError
from gnomon.words import Words

WHO_MAY_ANALYSE: Final = Role.PLAYER
"""It takes the machine's time, and nobody who only looks on shall have it."""
_NONE: Final = statement("analysis.refused.none")
_NO_TURN: Final = statement("analysis.refused.turn")


@dataclass(frozen=True, slots=True)
class _AnalysedGame:
    """A game that is there, as its analysis needs it."""

    stored: StoredGame
    film: Replay
    sheet: Sheet
    text: bytes
    key: str


Answer = Callable[[Request, Analyses, _AnalysedGame], Awaitable[Response]]


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page, what its program asks for, the pictures of better lines, and its files."""
    room = _AnalysisPages(context)
    own = f"{PATH}/{{number}}/analysis"
    return (
        Route(own, room.of_a_game(room.show)),
        Route(own, allow(WHO_MAY_ANALYSE, room.of_a_game(room.begin)), methods=["POST"]),
        Route(f"{own}/progress.json", room.of_a_game(room.progress)),
        Route(f"{own}/position.svg", room.of_a_game(room.position)),
        Route(f"{own}/game.sgf", room.of_a_game(room.sgf)),
        Route(f"{own}/analysis.json", room.of_a_game(room.json)),
    )


class _AnalysisPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._library = Library(context)

    def of_a_game(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint about a finished game that can be followed; else it says so in one sentence."""

        async def endpoint(request: Request) -> Response:
            visitor, number = visitor_of(request), forms.number(request.path_params["number"])
            analyses = self._context.analyses
            try:
                stored = None if number is None else await self._library.game(number, visitor)
                if stored is None or analyses is None:
                    return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
                film, key = await self._library.film(stored, visitor)
            except (JournalError, FollowError) as error:
                return refusal(request, *why_not_shown(number, error))
            if not can_analyse(self._context, film):
                return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
            seen = await self._context.shelf.ask_once(("analysis", key), lambda: _see(stored, film))
            return await answer(request, analyses, seen)

        return endpoint

    async def show(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        words = words_for(request)
        found = await self._find(request, analyses, seen)
        values: dict[str, Any] = {
            "stored": seen.stored,
            "game": seen.sheet.game,
            "variant": show_of(seen.film.last).variant(seen.stored.start.settings, words),
            "may": visitor_of(request).may(WHO_MAY_ANALYSE),
            "progress": None,
            "failure": "",
            "analysis": None,
        }
        if found is None:
            progress = self._progress(request, analyses, seen)
            failure = "" if self._is_late(request, analyses, seen) else analyses.failure(seen.key)
            values |= {"progress": progress, "failure": failure}
        else:
            values |= await self._context.shelf.ask(lambda: _values(request, seen, found, words))
            values["puzzles"] = await puzzles.questions_of(self._context, visitor_of(request), seen.stored, words)
        return page(request, "analysis.html", **values)

    async def begin(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        found = await self._context.shelf.ask(lambda: analyses.find(seen.key))
        if found is None:
            try:
                analyses.ask(seen.key, seen.text)
            except BusyError:
                return refusal(request, HTTPStatus.SERVICE_UNAVAILABLE, statement("analysis.refused.busy"))
        return go_to(f"{PATH}/{seen.stored.id}/analysis")

    async def progress(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        words, progress = words_for(request), self._progress(request, analyses, seen)
        if progress is None:
            return JSONResponse({"runs": False})
        told = progress_text(progress.done, progress.turns, words, waits=progress.waits)
        return JSONResponse({"runs": True, "done": progress.done, "turns": progress.turns, "text": told})

    async def position(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        async def draw(found: Analysis) -> Response:
            words = words_for(request)
            turn, step = _choice_of(request, found)
            if not turn:
                return refusal(request, HTTPStatus.NOT_FOUND, _NO_TURN)
            drawing = await self._context.shelf.ask(lambda: _draw(seen, found, turn, step, words))
            return Response(to_svg(drawing, LIGHT, dark=DARK), media_type=exports.FORMATS["svg"].media)

        return await self._with_analysis(request, analyses, seen, draw)

    async def sgf(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        async def write(found: Analysis) -> Response:
            words = words_for(request)
            try:
                text = await self._context.shelf.ask(lambda: commented_sgf(seen.sheet, found, words))
            except ValueError as error:
                why: Statement = statement("replay.refused.unwritten", why=statement_of(error))
                return refusal(request, HTTPStatus.CONFLICT, why)
            return _download(text, exports.FORMATS["sgf"].media, seen.film, "sgf")

        return await self._with_analysis(request, analyses, seen, write)

    async def json(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Response:
        async def write(found: Analysis) -> Response:
            return JSONResponse(dump_analysis(found))

        return await self._with_analysis(request, analyses, seen, write)

    async def _with_analysis(
        self,
        request: Request,
        analyses: Analyses,
        seen: _AnalysedGame,
        answer: Callable[[Analysis], Awaitable[Response]],
    ) -> Response:
        found = await self._find(request, analyses, seen)
        return refusal(request, HTTPStatus.NOT_FOUND, _NONE) if found is None else await answer(found)

    async def _find(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> Analysis | None:
        """The analysis, as soon as this visitor may know of it."""
        if self._is_late(request, analyses, seen):
            return None
        return await self._context.shelf.ask(lambda: analyses.find(seen.key))

    def _progress(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> AnalysisProgress | None:
        """How far the analysis has come; it stands still while somebody plays, which late spectators must not see."""
        if self._context.past is not None and not visitor_of(request).may(Role.PLAYER):
            return None
        return analyses.progress(seen.key)

    def _is_late(self, request: Request, analyses: Analyses, seen: _AnalysedGame) -> bool:
        """Whether an analysis is later than what this visitor may see: it is made while nobody plays."""
        past = self._context.past
        return past is not None and not visitor_of(request).may(Role.PLAYER) and analyses.age(seen.key) < past.delay


def progress_text(done: int, turns: int, words: Words, *, waits: bool) -> str:
    """How far an analysis has come."""
    if waits:
        return words("analysis.waits")
    return words("analysis.runs", number=done, all=turns) if turns else words("analysis.begins")


def _see(stored: StoredGame, film: Replay) -> _AnalysedGame:
    sheet = transcript(film.bundle.trace)
    return _AnalysedGame(stored, film, sheet, sheet_text(sheet).encode(), key_of_game(stored.id, sheet))


def _choice_of(request: Request, analysis: Analysis) -> tuple[int, int]:
    """The turn, from 1, of which the board is shown, and after how many moves of the better line; 0 for no turn."""
    costly = [turn.number for turn in analysis.costly]
    turn = forms.number(request.query_params.get("turn", "")) or (costly[0] if costly else 0)
    if not 1 <= turn <= len(analysis.turns):
        return 0, 0
    step = forms.number(request.query_params.get("step", "")) or 0
    return turn, min(step, len(analysis.turns[turn - 1].line))


def _values(request: Request, seen: _AnalysedGame, analysis: Analysis, words: Words) -> dict[str, Any]:
    """What the page shows of an analysis."""
    own = f"{PATH}/{seen.stored.id}/analysis"
    turn, step = _choice_of(request, analysis)
    titles, rows = report.columns(analysis, words)
    board = None
    if turn:
        chosen, drawing = analysis.turns[turn - 1], _draw(seen, analysis, turn, step, words)
        board = {
            "turn": turn,
            "step": step,
            "last": len(chosen.line),
            "seen": f"{drawing.title}. {drawing.description}",
            "moves": [report.shorten(text) for text in chosen.line],
            "played": report.shorten(chosen.text),
            "sentence": report.costly_sentence(analysis, chosen, words) if chosen.is_costly else "",
            "who": report.short_label(analysis, chosen, words),
        }
    return {
        "analysis": analysis,
        "result": report.result_text(analysis, words),
        "chart": Markup(chart(analysis, words, f"{own}?turn=")),  # noqa: S704 - it escapes what it is given
        "chance": report.chance_heading(analysis, words),
        "effort": report.effort_text(analysis, words),
        "accuracies": [report.accuracy_sentence(analysis, person, words) for person in range(len(analysis.seats))],
        "luck": report.luck_sentences(analysis, words),
        "found": report.found_sentence(analysis, words),
        "spent": report.spent_sentences(analysis, words),
        "costly": [(each.number, report.costly_sentence(analysis, each, words)) for each in analysis.costly],
        "has_band": any(forecast.is_band for _, forecast in analysis.points),
        "titles": titles,
        "rows": rows,
        "board": board,
        "is_written": bool(kind_of(seen.sheet.game).sgf),
    }


def _draw(seen: _AnalysedGame, analysis: Analysis, turn: int, step: int, words: Words) -> Drawing:
    """The position before a turn, and after so many moves of the better line."""
    rules = rules_of(seen.sheet.game, seen.sheet.settings)
    played = _turn(seen.sheet, turn)
    position, last = played.before, ""
    for text in analysis.turns[turn - 1].line[:step]:
        position, last = rules.play(position, rules.parse(position, text)), text
    caption = words("analysis.board.line" if step else "analysis.board.before", number=turn)
    return picture(rules, position, last_move=last, caption=caption, words=words)


def _turn(sheet: Sheet, number: int) -> PlayedTurn:
    return next(turn for turn in played_turns(sheet) if turn.number == number)


def _download(text: str, media: str, film: Replay, ending: str) -> Response:
    disposition = exports.disposition(exports.file_name(film, ending))
    return Response(text.encode(), headers={"Content-Type": media, "Content-Disposition": disposition})
