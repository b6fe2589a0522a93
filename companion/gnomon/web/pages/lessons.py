"""Serve the lessons: the list by game, and each step with the board on which it is answered.

A page of a step depends on its address alone. How far somebody has come is kept in the browser.
"""

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from gnomon.lessons import (
    Grade,
    JudgedAnswer,
    Lesson,
    LessonError,
    StepStart,
    faults,
    find_lesson,
    is_last,
    judge,
    lessons_of,
    step_start,
    taught_games,
)
from gnomon.refusals import sentence, statement_of
from gnomon.rules.protocol import NATURE, SettingsError
from gnomon.rules.registry import kind_of
from gnomon.views.phrases import name
from gnomon.views.places import places_to_touch
from gnomon.views.show import show
from gnomon.views.table_summary import picture_svg
from gnomon.web import forms
from gnomon.web._http_errors import refusal
from gnomon.web._pictures import for_the_page
from gnomon.web._templates import page
from gnomon.web.access import Role, allow, visitor_of
from gnomon.web.access.answers import go_to
from gnomon.web.app_context import AppContext
from gnomon.web.games import exercises
from gnomon.web.language import words_for
from gnomon.web.live.interfaces import RefusedError
from gnomon.web.pages._documents import rules_pages
from gnomon.words import Words

PATH: Final = "/learn"
BOARD: Final = "/board"
LONGEST: Final = 4000  # letters in an answer
MOVES_TOLD: Final = 400
MOVES_SAID: Final = 60  # in a list of buttons
_BID: Final = "bid:"
_STEPS: Final = "steps"  # a way of touching whose buttons bear the text of a turn


def routes(context: object) -> Sequence[BaseRoute]:
    """The list of lessons, each of them, and on the pages of a board what sets one out there."""
    pages = _LessonPages(context if isinstance(context, AppContext) else None)
    return (
        Route(PATH, pages.list),
        Route(f"{PATH}/{{game}}/{{lesson}}", pages.show),
        *(
            []
            if pages.context is None
            else [Route(f"{PATH}/{{game}}/{{lesson}}/board", allow(Role.PLAYER, pages.set_out), methods=["POST"])]
        ),
    )


class _LessonPages:
    """What is answered at the addresses of one lesson."""

    def __init__(self, context: AppContext | None) -> None:
        self.context = context

    async def list(self, request: Request) -> Response:
        lessons = [(game, lessons_of(game)) for game in taught_games()]
        solves = self.context is not None and self.context.solutions is not None
        solved = [game for game, _ in lessons if solves and kind_of(game).solved]
        return page(request, "learn.html", taught=lessons, faults=faults(), rules=rules_pages(), solved=solved)

    async def show(self, request: Request) -> Response:
        return await _show(request, has_board=_has_board(self.context, _lesson_of(request)))

    async def set_out(self, request: Request) -> Response:
        """Begin the lesson on the board, at the step that was shown."""
        lesson, sent = _lesson_of(request), await forms.read(request)
        if self.context is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        number = _number(sent.get("step", ""), len(lesson.steps))
        try:
            await exercises.set_out(
                self.context.board,
                exercises.lesson_setup(lesson, number),
                visitor_of(request).name or Role.PLAYER.value,
            )
        except RefusedError as error:
            return refusal(request, HTTPStatus.CONFLICT, statement_of(error))
        return go_to(BOARD)


def _has_board(context: AppContext | None, lesson: Lesson) -> bool:
    """Whether a lesson can be done on the board of these pages."""
    if context is None or context.is_tournament() or lesson.game not in context.board.games:
        return False
    return lesson.is_for_the_board()


def _lesson_of(request: Request) -> Lesson:
    """The lesson of an address. Raises HTTPException."""
    try:
        return find_lesson(request.path_params["game"], request.path_params["lesson"])
    except (SettingsError, LessonError) as error:
        raise HTTPException(HTTPStatus.NOT_FOUND) from error


async def _show(request: Request, *, has_board: bool) -> Response:
    """A step of a lesson, with the answer that was given, if one was."""
    lesson = _lesson_of(request)
    asked, words = request.query_params, words_for(request)
    number = _number(asked.get("step", ""), len(lesson.steps))
    text = asked.get("answer", "").strip() or _bid_of(asked.get("number", ""))
    answer = judge(lesson, number, text) if 0 < len(text) <= LONGEST else None
    here = step_start(lesson, number)
    is_right = answer is not None and answer.grade is Grade.RIGHT
    hints = _hints(lesson, number, words)
    given = _number(asked.get("hint", ""), len(hints)) + 1 if "hint" in asked else 0
    drawn = _picture(lesson, here, answer if is_right else None, words)
    others = lessons_of(lesson.game)
    following = next((each for each in others[others.index(lesson) + 1 :]), None)
    return page(
        request,
        "lesson.html",
        has_board=has_board,
        lesson=lesson,
        number=number,
        answer=answer,
        is_right=is_right,
        said="" if answer is None else _verdict(lesson, number, answer, words),
        solution=lesson.steps[number].solution if "solution" in asked else "",
        hint=hints[min(given, len(hints)) - 1] if given and hints else "",
        next_hint=min(given, len(hints)) + 1 if given < len(hints) else 0,
        is_last=is_last(lesson, number),
        following=following,
        has_rules=lesson.game in rules_pages(),
        task=_task(lesson, number, here, words),
        picture=for_the_page(drawn),
    )


def _number(text: str, steps: int) -> int:
    """The number of a step, from 0; the first where none is meant."""
    number = forms.number(text) or 0
    return number - 1 if 1 <= number <= steps else 0


def _bid_of(number: str) -> str:
    """The turn that names a number."""
    return f"{_BID}{number.strip()}" if number.strip() else ""


def _hints(lesson: Lesson, number: int, words: Words) -> Sequence[str]:
    """Where the solution begins, and where it goes on; none where it names no place."""
    names = sorted(places_to_touch(lesson.rules), key=len, reverse=True)
    named = re.findall("|".join(map(re.escape, names)), lesson.steps[number].solution) if names else []
    if not named:
        return ()
    first, *others = named
    said = [words("learn.hint.one", place=first)]
    return [*said, words("learn.hint.more", place=first, others=", ".join(others))] if others else said


def _verdict(lesson: Lesson, number: int, answer: JudgedAnswer, words: Words) -> str:
    """What is said of an answer, after whether it is right."""
    if answer.grade is Grade.RIGHT:
        return lesson.praise(number, words)
    return sentence(answer.why, words) if answer.grade is Grade.REFUSED else ""


def _task(lesson: Lesson, number: int, here: StepStart, words: Words) -> Mapping[str, object]:
    """What stands beside the picture: what was played, and what can be chosen."""
    rules, shown, position = lesson.rules, show(lesson.game), here.position
    player = rules.turn(position)
    texts = [rules.text(position, move) for move in rules.legal_moves(position)[:MOVES_TOLD]]
    chances = list(shown.chances(rules, position, words)) if player == NATURE else []
    touch = shown.lesson_touch or shown.touch
    game = {
        "game": lesson.game,
        "touch": touch,
        "moves": texts,
        "moves_in_all": len(rules.legal_moves(position)),
        "said": {text: shown.turn(player, text, words) for text in texts} if touch == _STEPS else {},
        "state": rules.state(position),
        "actor": rules.actor(position),
        "players": [{"player": each, "name": name(each, words), "partners": []} for each in rules.players],
        "tile": shown.in_hand(rules, position),
        "is_natures": player == NATURE,
        "due": "bid" if any(text.startswith(_BID) for text in texts) else "move",
        "outcome": None,
        "paused": False,
        "phase": "agreed",
        "places": places_to_touch(rules),
        "edges": shown.edges,
    }
    return {
        "game": json.dumps(game),
        "request": lesson.request(number, words),
        "gesture": lesson.gesture(number, words),
        "played": [shown.turn(player, text, words) for player, text in here.turns],
        "chances": chances,
        "bids": game["due"] == "bid",
        "loose": [(text, shown.turn(player, text, words)) for text in texts if _is_loose(text, game)],
        "turns": [] if chances else [(text, shown.turn(player, text, words)) for text in texts[:MOVES_SAID]],
    }


def _is_loose(text: str, game: Mapping[str, Any]) -> bool:
    """Whether a turn names no place, so that no touch of places makes it."""
    return game["touch"] == _STEPS and not any(place in text for place in game["places"])


def _picture(lesson: Lesson, here: StepStart, right: JudgedAnswer | None, words: Words) -> str:
    """The board as it stands when the step is asked, or after a right answer."""
    rules = lesson.rules
    if right is not None:
        return picture_svg(rules, right.position, "" if right.player == NATURE else right.text, words=words)
    last = next((text for player, text in reversed(here.turns) if player != NATURE), "")
    return picture_svg(rules, here.position, last, words=words)
