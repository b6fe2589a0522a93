"""Serve puzzles that were made from recorded games, each with the board's picture and a check of answers.

A puzzle that the board has made is shown together with its game: nobody sees it sooner.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.analysis import report
from gnomon.analysis.puzzle_folder import KeptPuzzle, read_puzzles
from gnomon.analysis.puzzles import Puzzle
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.protocol import RulesError
from gnomon.views import phrases
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.show import show
from gnomon.web import forms
from gnomon.web._http_errors import refusal
from gnomon.web._templates import page
from gnomon.web.access import Role, Visitor, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.games import exercises, exports
from gnomon.web.games.puzzle_maker import source_of
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import RefusedError
from gnomon.words import Words

PATH: Final = "/puzzles"
BOARD: Final = "/board"
_NONE: Final = statement("puzzles.refused.none")
_LONGEST: Final = 60  # letters of an answer


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The list, each puzzle, and its picture."""
    room = _PuzzlePages(context)
    return (
        Route(PATH, room.list),
        Route(f"{PATH}/{{name}}", room.show),
        Route(f"{PATH}/{{name}}/position.svg", room.position),
        Route(f"{PATH}/{{name}}/board", allow(Role.PLAYER, room.set_out), methods=["POST"]),
    )


class ShownPuzzle(NamedTuple):
    """A puzzle, and the board's game that it was made of; None where that is not known."""

    puzzle: Puzzle
    game: StoredGame | None = None


class _PuzzlePages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def list(self, request: Request) -> Response:
        words = words_for(request)
        of_games: list[Mapping[str, str]] = []
        others: list[Mapping[str, str]] = []
        for name, (puzzle, game) in (await shown_puzzles(self._context, visitor_of(request))).items():
            told = {"name": name, "heading": _heading(puzzle, words), "question": _question(puzzle, words)}
            (others if game is None else of_games).append({**told, "source": _source(game, words)})
        parts = [part for part in (of_games, others) if part]
        return page(request, "puzzles.html", parts=parts, both=of_games, makes_puzzles=self._context.makes_puzzles)

    async def show(self, request: Request) -> Response:
        puzzles = await shown_puzzles(self._context, visitor_of(request))
        name = request.path_params["name"]
        if name not in puzzles:
            return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
        words, (puzzle, game) = words_for(request), puzzles[name]
        values = await self._context.shelf.ask(lambda: _values(request, puzzle, words))
        has_board = await self._context.shelf.ask(lambda: self._has_board(puzzle))
        names = list(puzzles)
        after = names[(names.index(name) + 1) % len(names)]
        return page(
            request,
            "puzzle.html",
            name=name,
            after=after if after != name else "",
            has_board=has_board,
            game=game,
            source=_source(game, words),
            **values,
        )

    async def position(self, request: Request) -> Response:
        puzzle = await self._puzzle(request)
        if puzzle is None:
            return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
        words, step = words_for(request), _step(request, puzzle)
        drawing = await self._context.shelf.ask(lambda: _draw(puzzle, step, words))
        return Response(to_svg(drawing, LIGHT, dark=DARK), media_type=exports.FORMATS["svg"].media)

    async def set_out(self, request: Request) -> Response:
        """Begin the puzzle on the board."""
        puzzle = await self._puzzle(request)
        if puzzle is None:
            return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
        try:
            await exercises.set_out(
                self._context.board, exercises.puzzle_setup(puzzle), visitor_of(request).name or Role.PLAYER.value
            )
        except RefusedError as error:
            return refusal(request, HTTPStatus.CONFLICT, statement_of(error))
        return go_to(BOARD)

    def _has_board(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle can be set out on the board of these pages."""
        is_here = puzzle.sheet.game in self._context.board.games and not self._context.is_tournament()
        return is_here and puzzle.way() is not None

    async def _puzzle(self, request: Request) -> Puzzle | None:
        puzzles = await shown_puzzles(self._context, visitor_of(request))
        shown = puzzles.get(request.path_params["name"])
        return None if shown is None else shown.puzzle


async def shown_puzzles(context: AppContext, visitor: Visitor) -> Mapping[str, ShownPuzzle]:
    """The puzzles that somebody may see now, by what they are called."""
    folder = context.puzzles
    kept: Mapping[str, KeptPuzzle] = {} if folder is None else await context.shelf.ask(lambda: read_puzzles(folder))
    games: Mapping[str, StoredGame] = {}
    if any(each.source for each in kept.values()):
        with suppress(JournalError):  # then those are shown that are of no game
            stored = await context.shelf.ask(context.archive_for(visitor).games)
            games = {source_of(game): game for game in stored if game.ended is not None}
    return {
        name: ShownPuzzle(each.puzzle, games.get(each.source))
        for name, each in kept.items()
        if not each.source or each.source in games
    }


async def questions_of(
    context: AppContext, visitor: Visitor, stored: StoredGame, words: Words
) -> Sequence[tuple[str, str]]:
    """The puzzles that were made of a game: what each is called, and its question."""
    shown = await shown_puzzles(context, visitor)
    return [
        (name, _question(puzzle, words))
        for name, (puzzle, game) in shown.items()
        if game is not None and game.id == stored.id
    ]


def _source(game: StoredGame | None, words: Words) -> str:
    """Which game a puzzle was made of: its number, who played, and when."""
    if game is None:
        return ""
    people = " – ".join(game.players.values())
    return " · ".join(filter(None, (words("puzzles.source", number=game.id), people, game.start.wall[:10])))


def _heading(puzzle: Puzzle, words: Words) -> str:
    game, settings = puzzle.sheet.game, puzzle.sheet.settings
    return " ".join(filter(None, (words(f"game.{game}"), show(game).variant(settings, words))))


def _question(puzzle: Puzzle, words: Words) -> str:
    key = "puzzles.question.proven" if puzzle.proven else "puzzles.question.margin"
    return words(key, player=phrases.name(puzzle.player, words))


def _step(request: Request, puzzle: Puzzle) -> int:
    return min(forms.number(request.query_params.get("step", "")) or 0, len(puzzle.line))


def _values(request: Request, puzzle: Puzzle, words: Words) -> dict[str, Any]:
    """What the page shows: the position, and what is to be said of an answer."""
    step, answer = _step(request, puzzle), request.query_params.get("answer", "").strip()[:_LONGEST]
    rules, position, _ = puzzle.scene()
    drawing = _draw(puzzle, step, words)
    told = _verdict(puzzle, answer, words) if answer else None
    return {
        "heading": _heading(puzzle, words),
        "question": _question(puzzle, words),
        "seen": f"{drawing.title}. {drawing.description}",
        "choices": sorted(rules.text(position, move) for move in rules.legal_moves(position) if rules.is_turn(move)),
        "answer": answer,
        "told": told,
        "is_solved": told is not None and told[0],
        "is_shown": request.query_params.get("solution") == "yes" or step > 0,
        "moves": [report.shorten(text) for text in puzzle.line],
        "step": step,
    }


def _verdict(puzzle: Puzzle, answer: str, words: Words) -> tuple[bool, str]:
    """Whether an answer is the only good turn, and what is said of it."""
    rules, position, _ = puzzle.scene()
    try:
        move = rules.parse(position, answer)
    except RulesError as error:
        return False, sentence(error.statement, words)
    if rules.text(position, move) == puzzle.best:
        return True, words("puzzles.right", move=report.shorten(puzzle.best))
    return False, words("puzzles.wrong", move=report.shorten(rules.text(position, move)))


def _draw(puzzle: Puzzle, step: int, words: Words) -> Drawing:
    """The position of a puzzle, and after so many moves of its solution."""
    rules, position, last = puzzle.scene()
    for text in puzzle.line[:step]:
        position, last = rules.play(position, rules.parse(position, text)), text
    return picture(rules, position, last_move=last, words=words)
