"""Serve games that are solved on a small board: each legal turn with its proven result, played through by touch.

The address holds the settings and the turns so far. Solving is asked for position by position.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.engines.solutions import Solution
from gnomon.records.formats.sheets import Sheet, SheetLine, sheet_text
from gnomon.refusals import statement
from gnomon.rules.protocol import OVER, Rules, RulesError
from gnomon.rules.registry import games, kind_of, rules_of
from gnomon.views import phrases
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.places import places
from gnomon.views.show import show
from gnomon.web import forms
from gnomon.web._http_errors import HttpError
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.games.analyses import Analyses, AnalysisProgress
from gnomon.web.language import words_for
from gnomon.web.server.workers import BusyError
from gnomon.words import Words

PATH: Final = "/solved"
WHO_MAY_SOLVE: Final = Role.PLAYER
"""It takes the machine's time, and nobody who only looks on shall have it."""
_BETWEEN: Final = "."
_MOST: Final = 60  # turns: on four by four there are 24 edges
_THIN: Final = "\u202f"  # between groups of digits, in every language
_NOWHERE: Final = statement("solve.refused.where")


class _SolvedPosition(NamedTuple):
    """A position that somebody looks at, with the turns that lead to it."""

    settings: Mapping[str, str]
    rules: Rules[Any, Any]
    position: Any
    turns: tuple[str, ...]

    def address(self, turns: Sequence[str], **other: str) -> str:
        """The page of another position, on this board or another one."""
        asked = {**self.settings, **other, "turns": _BETWEEN.join(turns)}
        return f"{self.path}?{urlencode({name: value for name, value in asked.items() if value})}"

    @property
    def path(self) -> str:
        """The address of the game."""
        return f"{PATH}/{self.rules.name}"

    @property
    def key(self) -> str:
        """What its solution is called: it does not matter in which order stones were placed."""
        told = repr((self.rules.name, sorted(self.settings.items()), self.position))
        return hashlib.sha256(told.encode()).hexdigest()[:24]

    @property
    def texts(self) -> Sequence[str]:
        """The legal turns."""
        return [self.rules.text(self.position, move) for move in self.rules.legal_moves(self.position)]

    @property
    def sheet(self) -> bytes:
        """The turns as they are written down."""
        lines = tuple(SheetLine(text) for text in self.turns)
        return sheet_text(Sheet(self.rules.name, self.settings, lines=lines)).encode()


class _KnownResults(NamedTuple):
    """What is known of a position: its solution, or how far that has come, or why there is none."""

    solution: Solution | None
    progress: AnalysisProgress | None
    failure: str

    @property
    def wins(self) -> Mapping[str, bool]:
        """Whether each turn wins, as far as it is proven."""
        if self.solution is not None:
            return self.solution.wins
        told = () if self.progress is None else self.progress.found
        return {text: won == "1" for text, _, won in (each.rpartition(":") for each in told)}


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page, what its program asks for, and the picture of a position."""
    room = _SolvedPages(context)
    return (
        Route(PATH, room.first),
        Route(f"{PATH}/{{game}}", room.show),
        Route(f"{PATH}/{{game}}", allow(WHO_MAY_SOLVE, room.begin), methods=["POST"]),
        Route(f"{PATH}/{{game}}/progress.json", room.progress),
        Route(f"{PATH}/{{game}}/position.svg", room.position),
    )


class _SolvedPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    async def first(self, _request: Request) -> Response:
        """The first game that is solved."""
        self._solutions()
        return go_to(f"{PATH}/{solved_games()[0]}")

    async def show(self, request: Request) -> Response:
        scene, solutions = _scene(request, request.query_params), self._solutions()
        known = await self._context.shelf.ask(lambda: _known_results(solutions, scene))
        values = await self._context.shelf.ask(lambda: _values(scene, known, words_for(request)))
        may = visitor_of(request).may(WHO_MAY_SOLVE)
        return page(request, "solved.html", may=may, known=known, scene=scene, **values)

    async def begin(self, request: Request) -> Response:
        """Have a position solved."""
        scene, solutions = _scene(request, await forms.texts(request)), self._solutions()
        known = await self._context.shelf.ask(lambda: _known_results(solutions, scene))
        if known.solution is None and scene.texts:
            try:
                solutions.ask(scene.key, scene.sheet)
            except BusyError as error:
                raise HttpError(HTTPStatus.SERVICE_UNAVAILABLE, statement("solve.refused.busy")) from error
        return go_to(scene.address(scene.turns))

    async def progress(self, request: Request) -> Response:
        progress = self._solutions().progress(_scene(request, request.query_params).key)
        if progress is None:
            return JSONResponse({"runs": False})
        told = _progress_text(progress, words_for(request))
        return JSONResponse({"runs": True, "done": progress.done, "text": told})

    async def position(self, request: Request) -> Response:
        scene, words = _scene(request, request.query_params), words_for(request)
        drawing = await self._context.shelf.ask(lambda: _draw(scene, words))
        return Response(to_svg(drawing, LIGHT, dark=DARK), media_type="image/svg+xml")

    def _solutions(self) -> Analyses:
        """What solves positions. Raises HttpError where nothing does."""
        if self._context.solutions is None:
            raise HttpError(HTTPStatus.NOT_FOUND, _NOWHERE)
        return self._context.solutions


def solved_games() -> Sequence[str]:
    """The games that are solved under some settings."""
    return [game for game in games() if kind_of(game).solved]


def _scene(request: Request, asked: Mapping[str, str]) -> _SolvedPosition:
    """The position that an address or a form names. Raises HttpError for one that cannot be."""
    game = request.path_params["game"]
    choices = kind_of(game).solved if game in games() else {}
    settings = {name: asked.get(name, values[0]) for name, values in choices.items()}
    texts = [text for text in asked.get("turns", "").split(_BETWEEN) if text]
    is_offered = all(settings[name] in values for name, values in choices.items())
    if not (choices and is_offered) or len(texts) > _MOST:
        raise HttpError(HTTPStatus.NOT_FOUND, _NOWHERE)
    rules = rules_of(game, settings)
    position, turns = rules.start(), []
    try:
        for text in texts:
            move = rules.parse(position, text)
            turns.append(rules.text(position, move))
            position = rules.play(position, move)
    except RulesError as error:
        raise HttpError(HTTPStatus.NOT_FOUND, _NOWHERE) from error
    return _SolvedPosition(settings, rules, position, tuple(turns))


def _known_results(solutions: Analyses, scene: _SolvedPosition) -> _KnownResults:
    found: Solution | None = solutions.find(scene.key)
    return _KnownResults(found, solutions.progress(scene.key), solutions.failure(scene.key))


def _progress_text(progress: AnalysisProgress, words: Words) -> str:
    if progress.waits:
        return words("solve.page.waits")
    if not progress.turns:
        return words("solve.page.begins")
    return words("solve.page.runs", done=progress.done, all=progress.turns)


def _draw(scene: _SolvedPosition, words: Words) -> Drawing:
    last = scene.turns[-1] if scene.turns else ""
    return picture(scene.rules, scene.position, last_move=last, words=words)


def _values(scene: _SolvedPosition, known: _KnownResults, words: Words) -> Mapping[str, Any]:
    """What the page shows of a position."""
    drawing, turns, wins = _draw(scene, words), scene.turns, known.wins
    sent = {**scene.settings, "turns": _BETWEEN.join(turns)}
    asked = urlencode({**sent, "language": words.language})
    areas = places(scene.rules)
    found = re.compile("|".join(map(re.escape, sorted(areas, key=len, reverse=True))) or "(?!)")
    results: dict[bool | None, list[tuple[str, str, str]]] = {True: [], False: [], None: []}
    for text in sorted(scene.texts):
        results[wins.get(text)].append((text, scene.address((*turns, text)), " ".join(found.findall(text))))
    game = scene.rules.name
    return {
        "heading": _heading(scene, words),
        "verdict": _verdict(scene, known, words),
        "lists": [
            (words(key), tone, results[won])
            for key, tone, won in (
                ("solve.page.win", "wins", True),
                ("solve.page.lose", "loses", False),
                ("solve.page.open", "open", None),
            )
            if results[won]
        ],
        "game": game,
        "about": words(f"solve.about.{game}"),
        "choices": [
            (words(f"setting.{game}.{name}"), scene.settings[name], _options(scene, name, words))
            for name in scene.settings
        ],
        "played": [(text, scene.address(turns[:number])) for number, text in enumerate(turns, 1)],
        "back": scene.address(turns[:-1]),
        "start": scene.address(()),
        "sent": sent,
        "progress": None if known.progress is None else _progress_text(known.progress, words),
        "progress_address": f"{scene.path}/progress.json?{asked}",
        "picture": f"{scene.path}/position.svg?{asked}",
        "seen": f"{drawing.title}. {drawing.description}",
        "drawing": drawing,
        "searched": "" if known.solution is None else f"{known.solution.positions:,}".replace(",", _THIN),
        "areas": {place: [area.x, area.y, area.width, area.height] for place, area in areas.items()},
        "box": [*drawing.corner, drawing.width, drawing.height],
    }


def _options(scene: _SolvedPosition, name: str, words: Words) -> Sequence[tuple[str, str, str]]:
    """The values of a setting: how each is called, the page of the start under it, and itself."""
    game = scene.rules.name
    is_number = any(choice.is_number for choice in show(game).choices if choice.name == name)
    return [
        (value if is_number else words(f"setting.{game}.{name}.{value}"), scene.address((), **{name: value}), value)
        for value in kind_of(game).solved[name]
    ]


def _heading(scene: _SolvedPosition, words: Words) -> str:
    """Who is to move, or how the game ended."""
    if scene.rules.turn(scene.position) != OVER:
        return words("solve.page.turn", player=phrases.name(scene.rules.turn(scene.position), words))
    outcome = scene.rules.outcome(scene.position)
    winner = "" if outcome is None or outcome.winner is None else outcome.winner
    return words("solve.page.over", player=phrases.name(winner, words))


def _verdict(scene: _SolvedPosition, known: _KnownResults, words: Words) -> str:
    """Who wins with best play, once that is proven."""
    turn = scene.rules.turn(scene.position)
    if turn == OVER:
        return ""
    if any(known.wins.values()):
        return words("solve.page.wins", player=phrases.name(turn, words))
    is_lost = known.solution is not None and known.solution.winner_is_on_turn is False
    return words("solve.page.loses", player=phrases.name(turn, words)) if is_lost else ""
