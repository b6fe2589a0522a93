"""Serve puzzles that were made from recorded games, each with the board's picture and a check of answers."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.analysis import report
from gnomon.analysis.puzzles import Puzzle, load_puzzles
from gnomon.refusals import sentence, statement
from gnomon.rules.protocol import RulesError
from gnomon.views import phrases
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.show import show
from gnomon.web import forms
from gnomon.web._http_errors import refusal
from gnomon.web._templates import page
from gnomon.web.app_context import AppContext
from gnomon.web.games import exports
from gnomon.web.language import words_for
from gnomon.words import Words

PATH: Final = "/puzzles"
_MOST: Final = 500
_LARGEST: Final = 4 << 20  # bytes of a file: some thousands of puzzles
_NONE: Final = statement("puzzles.refused.none")
_LONGEST: Final = 60  # letters of an answer


def routes(house: AppContext) -> Sequence[BaseRoute]:
    """The list, each puzzle, and its picture."""
    room = _PuzzlePages(house)
    return (
        Route(PATH, room.list),
        Route(f"{PATH}/{{name}}", room.show),
        Route(f"{PATH}/{{name}}/position.svg", room.position),
    )


def read_folder(folder: Path) -> Mapping[str, Puzzle]:
    """The puzzles in the files of a folder by what they are called; a file that holds none is left out."""
    found: dict[str, Puzzle] = {}
    for path, size, _ in _files(folder):
        if size > _LARGEST:
            continue
        with suppress(OSError, ValueError, RecursionError):  # the last for lists in lists in lists
            for puzzle in load_puzzles(json.loads(path.read_bytes())):
                if len(found) < _MOST:
                    found[puzzle.number] = puzzle
    return found


def _files(folder: Path) -> Sequence[tuple[Path, int, int]]:
    """The files that may hold puzzles, with sizes and times: no links that lead nowhere, and no pipes."""
    found = []
    for path in sorted(folder.glob("*.json")):
        with suppress(OSError):
            status = path.stat()
            if S_ISREG(status.st_mode):
                found.append((path, status.st_size, status.st_mtime_ns))
    return found


class _PuzzlePages:
    """What is answered at each address."""

    def __init__(self, house: AppContext) -> None:
        self._house = house

    async def list(self, request: Request) -> Response:
        words = words_for(request)
        rows = [
            {"name": name, "heading": _heading(puzzle, words), "question": _question(puzzle, words)}
            for name, puzzle in (await self._puzzles()).items()
        ]
        return page(request, "puzzles.html", rows=rows)

    async def show(self, request: Request) -> Response:
        puzzles = await self._puzzles()
        name = request.path_params["name"]
        if name not in puzzles:
            return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
        words = words_for(request)
        values = await self._house.shelf.ask(lambda: _values(request, puzzles[name], words))
        names = list(puzzles)
        after = names[(names.index(name) + 1) % len(names)]
        return page(request, "puzzle.html", name=name, after=after if after != name else "", **values)

    async def position(self, request: Request) -> Response:
        puzzle = (await self._puzzles()).get(request.path_params["name"])
        if puzzle is None:
            return refusal(request, HTTPStatus.NOT_FOUND, _NONE)
        words, step = words_for(request), _step(request, puzzle)
        drawing = await self._house.shelf.ask(lambda: _draw(puzzle, step, words))
        return Response(to_svg(drawing, LIGHT, dark=DARK), media_type=exports.FORMATS["svg"].media)

    async def _puzzles(self) -> Mapping[str, Puzzle]:
        folder, shelf = self._house.puzzles, self._house.shelf
        if folder is None:
            return {}
        now = await shelf.ask(lambda: _files(folder))
        return await shelf.ask_once(("puzzles", *now), lambda: read_folder(folder))


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
