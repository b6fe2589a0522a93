"""Serve guess-the-move: a recorded game turn by turn, with points for each guess and a result at the end.

The address holds everything: which turn it is, and the points so far. Nothing is written, and a link leads back.
"""

import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from gnomon.coaching import (
    FULL,
    REASONS,
    Guess,
    coach_of,
    guess_points,
    guessable,
    piece_verdict,
    summary,
    winning_seat,
)
from gnomon.engines.protocol import Score
from gnomon.records.formats.sheets import sheet_text
from gnomon.records.formats.turns import PlayedGame, play
from gnomon.records.journal.entries import StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.records.transcripts import transcript
from gnomon.refusals import sentence, statement, statement_of
from gnomon.rules.protocol import PlayedTurn, RulesError
from gnomon.rules.registry import BARE_CLOCK
from gnomon.views.phrases import name, shorten_numbers
from gnomon.views.pictures import DARK, LIGHT, Drawing, picture, to_svg
from gnomon.views.places import places
from gnomon.views.show import show
from gnomon.web import forms
from gnomon.web._http_errors import HttpError
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.app_context import AppContext
from gnomon.web.games.move_values import MoveValues, UnvaluedError
from gnomon.web.language import words_for
from gnomon.web.pages.archive import PATH as GAMES
from gnomon.web.pages.archive import FollowError, Library, why_not_shown
from gnomon.web.server.workers import Shelf
from gnomon.words import Words

PATH: Final = "/guess"
WHO_MAY_GUESS: Final = Role.PLAYER
"""It takes the machine's time, and nobody who only looks on shall have it."""
_UNJUDGED: Final = "x"
_BETWEEN: Final = "."
_WHOLE: Final = 100


class _Game(NamedTuple):
    """A finished game, its sheet, and the turns that are guessed."""

    stored: StoredGame
    sheet: bytes
    played: PlayedGame
    turns: tuple[PlayedTurn, ...]


class _GuessPlace(NamedTuple):
    """Where a visitor is: the place of a turn among those that are guessed, and the guesses before it."""

    place: int
    guesses: tuple[Guess, ...]
    brain: bool

    def address(self, stored: int, place: int, guesses: Sequence[Guess]) -> str:
        """The address of another place."""
        return f"{PATH}/{stored}?turn={place + 1}&points={_points(guesses)}{'&brain=1' if self.brain else ''}"


def _points(guesses: Sequence[Guess]) -> str:
    """The points of guesses as they stand in an address."""
    return _BETWEEN.join(_UNJUDGED if each.points is None else str(each.points) for each in guesses)


class _Note(NamedTuple):
    """What is said beside a question: why a move was refused, whether the piece of the chosen move is right."""

    why: str = ""
    hand: str = ""
    move: str = ""


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """The page of each game, its pictures, and the way to the list of games."""
    room = _GuessPages(context)
    return (
        Route(PATH, _to_the_list),
        Route(f"{PATH}/{{number:number}}", allow(WHO_MAY_GUESS, room.show)),
        Route(f"{PATH}/{{number:number}}/position.svg", allow(WHO_MAY_GUESS, room.position)),
    )


async def _to_the_list(_request: Request) -> Response:
    return RedirectResponse(GAMES, HTTPStatus.SEE_OTHER)


class _GuessPages:
    """What is answered at each address."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._library = Library(context)
        self._games = Shelf()
        self._values = Shelf()  # one search at a time, and those of a game that is guessed again are remembered
        self._engine = MoveValues()

    async def show(self, request: Request) -> Response:
        game, words = await self._game(request), words_for(request)
        state = _state(request, game)
        if state.place >= len(game.turns):
            return page(request, "guess.html", **{**_common(game, words), **_end(game, state, words)})
        turn, text, why = game.turns[state.place], request.query_params.get("move", "").strip(), ""
        if text:
            try:
                rules = game.played.rules
                guess = rules.text(turn.before, rules.parse(turn.before, text))
            except RulesError as error:
                why = sentence(error.statement, words)
            else:
                if request.query_params.get("hand") == "1":
                    values = await self._find_values(game, turn)
                    told = _question(
                        game, state, words, _Note(hand=_hand(game, turn, guess, values, words), move=guess)
                    )
                    return page(request, "guess.html", **{**_common(game, words), **told})
                values = {} if guess == turn.text else await self._find_values(game, turn, guess)
                told = _answer(game, state, guess, values, words)
                return page(request, "guess.html", **{**_common(game, words), **told})
        return page(request, "guess.html", **{**_common(game, words), **_question(game, state, words, _Note(why))})

    async def position(self, request: Request) -> Response:
        game, words = await self._game(request), words_for(request)
        state = _state(request, game)
        after = request.query_params.get("after", "") == "1"
        drawing = await self._context.shelf.ask(lambda: _draw(game, state.place, words, after=after))
        return Response(to_svg(drawing, LIGHT, dark=DARK), media_type="image/svg+xml")

    async def _game(self, request: Request) -> _Game:
        """The game of an address. Raises HttpError where there is none that can be guessed."""
        number, visitor = request.path_params["number"], visitor_of(request)
        try:
            stored = await self._library.game(number, visitor)
            if stored is None:
                why = statement("replay.refused.no_game", number=number)
                raise HttpError(HTTPStatus.NOT_FOUND, why)
            film, key = await self._library.film(stored, visitor)
        except (JournalError, FollowError) as error:
            raise HttpError(*why_not_shown(number, error)) from error
        outcome = film.last.outcome
        if outcome is None or film.last.rules.name == BARE_CLOCK:
            raise HttpError(HTTPStatus.CONFLICT, statement("coach.refused.turns"))

        def read() -> _Game:
            sheet = transcript(film.bundle.trace)
            played = play(sheet)
            seat = winning_seat(played.rules, played.last, outcome.winner)
            return _Game(stored, sheet_text(sheet).encode(), played, tuple(guessable(played.rules, played.turns, seat)))

        try:
            game: _Game = await self._games.ask_once(key, read)
        except ValueError as error:
            why = statement("replay.refused.unfollowed", number=number, why=statement_of(error))
            raise HttpError(HTTPStatus.CONFLICT, why) from error
        if not game.turns:
            raise HttpError(HTTPStatus.CONFLICT, statement("coach.refused.turns"))
        return game

    async def _find_values(self, game: _Game, turn: PlayedTurn, guess: str = "") -> Mapping[str, Score]:
        """What moves are worth; if a guess is not among them, or the move that was played, of these two alone."""
        key, ply = (game.stored.id, game.sheet, turn.number), turn.number - 1
        both = (turn.text, guess)
        try:
            values = await self._values.ask_once(key, lambda: self._engine.find(game.sheet, ply))
            if not guess or values.keys() >= set(both):
                return values
            return await self._values.ask_once((*key, guess), lambda: self._engine.find(game.sheet, ply, both))
        except UnvaluedError:
            return {}


def _state(request: Request, game: _Game) -> _GuessPlace:
    asked = request.query_params
    place = (forms.number(asked.get("turn", "")) or 1) - 1
    told = [each for each in asked.get("points", "").split(_BETWEEN) if each][: len(game.turns)]
    guesses = [
        Guess(turn.number, "", None if (points := forms.number(text)) is None else min(points, FULL))
        for turn, text in zip(game.turns, told, strict=False)
    ]
    return _GuessPlace(min(place, len(game.turns)), tuple(guesses), asked.get("brain") == "1")


def _common(game: _Game, words: Words) -> Mapping[str, Any]:
    played, start = game.played, game.stored.start
    return {
        "stored": game.stored.id,
        "game": played.rules.name,
        "variant": show(played.rules.name).variant(start.settings, words),
        "people": [f"{person} ({name(seat, words)})" for seat, person in game.stored.players.items()],
        "count": len(game.turns),
        "answer": None,
        "end": None,
        "question": None,
    }


def _draw(game: _Game, place: int, words: Words, *, after: bool) -> Drawing:
    """The board before a turn that is guessed, or after it; at the end, the last position."""
    played = game.played
    ply = len(played.turns) if place >= len(game.turns) else game.turns[place].number - 1 + after
    last = played.turns[ply - 1].text if ply else ""
    return picture(played.rules, played.position(ply), last_move=last, words=words)


def _stage(game: _Game, state: _GuessPlace, words: Words, *, after: bool) -> Mapping[str, Any]:
    drawing = _draw(game, state.place, words, after=after)
    query = f"turn={state.place + 1}&after={int(after)}&language={words.language}"
    return {
        "seen": f"{drawing.title}. {drawing.description}",
        "picture": f"{PATH}/{game.stored.id}/position.svg?{query}",
        "drawing": drawing,
    }


def _progress(game: _Game, state: _GuessPlace, guesses: Sequence[Guess], words: Words) -> str:
    points = sum(each.points or 0 for each in guesses)
    return words("coach.page.progress", number=state.place + 1, all=len(game.turns), points=points)


def _hand(game: _Game, turn: PlayedTurn, text: str, values: Mapping[str, Score], words: Words) -> str:
    """Whether the piece of a move is part of a good turn."""
    rules, position = game.played.rules, turn.before
    scores = {rules.parse(position, each): score for each, score in values.items()}
    return sentence(piece_verdict(coach_of(rules), position, scores, rules.parse(position, text)), words)


def _question(game: _Game, state: _GuessPlace, words: Words, note: _Note) -> Mapping[str, Any]:
    turn, rules = game.turns[state.place], game.played.rules
    shown = _stage(game, state, words, after=False)
    drawing: Drawing = shown["drawing"]
    areas = places(rules)
    found = re.compile("|".join(map(re.escape, sorted(areas, key=len, reverse=True)))) if areas else None
    choices = [
        {"text": text, "places": " ".join(found.findall(text)) if found else ""}
        for text in sorted(rules.entries(turn.before))
    ]
    before = game.played.turns[turn.number - 2].text if turn.number > 1 else ""
    piece = ""
    if state.brain:
        piece = sentence(coach_of(rules).piece(turn.before, rules.parse(turn.before, turn.text)), words)
    return {
        **shown,
        "question": {
            "title": words("coach.guess.turn", number=turn.number, player=name(turn.player, words)),
            "before": words("coach.guess.last", move=shorten_numbers(before)) if before else "",
            "choices": choices,
            "areas": {place: [area.x, area.y, area.width, area.height] for place, area in areas.items()},
            "box": [*drawing.corner, drawing.width, drawing.height],
            "note": note,
            "piece": piece,
            "brain": state._replace(brain=True).address(game.stored.id, state.place, state.guesses),
            "points": _points(state.guesses),
        },
        "progress": _progress(game, state, state.guesses, words),
        "state": state,
    }


def _answer(
    game: _Game, state: _GuessPlace, guess: str, values: Mapping[str, Score], words: Words
) -> Mapping[str, Any]:
    turn, rules = game.turns[state.place], game.played.rules
    played, guessed = values.get(turn.text), values.get(guess)
    points: int | None = FULL if guess == turn.text else None
    if points is None and played is not None and guessed is not None:
        points = guess_points(played, guessed)
    guesses = (*state.guesses, Guess(turn.number, guess, points))
    coach, told = coach_of(rules), []
    if guess != turn.text and played is not None and guessed is not None and coach.predicts(turn.before):
        told.append(
            words("coach.page.values", number=round(_WHOLE * guessed.chance), other=round(_WHOLE * played.chance))
        )
    move = rules.parse(turn.before, turn.text)
    told += [sentence(each, words) for each in tuple(coach.reasons(turn.before, move))[:REASONS]]
    text = shorten_numbers(turn.text)
    if points is None:
        said = words("coach.guess.unjudged", move=text)
    else:
        said = words.plural("coach.guess.same" if guess == turn.text else "coach.guess.played", points, move=text)
    is_last = state.place + 1 == len(game.turns)
    return {
        **_stage(game, state, words, after=True),
        "answer": {
            "said": said,
            "guess": words("coach.page.guessed", move=shorten_numbers(guess)),
            "told": told,
            "next": state.address(game.stored.id, state.place + 1, guesses),
            "label": words("coach.page.result" if is_last else "coach.page.next"),
        },
        "progress": _progress(game, state, guesses, words),
    }


def _end(game: _Game, state: _GuessPlace, words: Words) -> Mapping[str, Any]:
    return {
        **_stage(game, state, words, after=False),
        "end": {"said": sentence(summary(state.guesses), words)},
        "progress": "",
    }
