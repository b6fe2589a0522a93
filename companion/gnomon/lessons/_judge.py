"""Play a lesson to one of its steps, and judge an answer: right, legal but not asked for, or refused by a rule."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from gnomon.lessons._lesson import TIME, Goal, Lesson, LessonError, LessonStep
from gnomon.refusals import NOTHING, Statement, statement, statement_of
from gnomon.rules.protocol import Rules, RulesError
from gnomon.timekeeping.instants import Instant, parse_seconds


class Grade(Enum):
    """What an answer is."""

    RIGHT = "right"
    OTHER = "other"
    REFUSED = "refused"


class StepStart(NamedTuple):
    """A position, and what was played since the step before: of each turn its player and its canonical text."""

    position: Any
    turns: Sequence[tuple[str, str]] = ()

    @property
    def last_move(self) -> str:
        """What was played last."""
        return self.turns[-1][1] if self.turns else ""


class JudgedAnswer(NamedTuple):
    """An answer, judged: its canonical text, who gave it, and the position after it; why it is refused, if it is."""

    grade: Grade
    text: str
    player: str
    position: Any
    why: Statement = NOTHING


def is_last(lesson: Lesson, number: int) -> bool:
    """Whether the lesson is over after this step."""
    return number + 1 >= len(lesson.steps)


def step_start(lesson: Lesson, number: int) -> StepStart:
    """The position in which a step asks, from 0; the steps before it were answered by their solutions."""
    steps = lesson.steps[: number + 1]
    way = tuple((step.afresh, tuple(step.play), step.solution) for step in steps)
    return _play_to(lesson.rules, way)  # type: ignore[arg-type]  # the rules of every game can be compared


def way_to(lesson: Lesson, number: int) -> tuple[str, ...]:
    """The turns that lead from the start of a game to where a step asks, from 0, in canonical text.

    What is no turn, such as a lift, is left to the hands.
    """
    rules, steps = lesson.rules, lesson.steps[: number + 1]
    begin = max((each for each, step in enumerate(steps) if step.afresh), default=0)
    turns: list[tuple[str, str]] = []
    position, now = rules.start(), Instant(0)
    for each, step in enumerate(steps[begin:], begin):
        for text in (*step.play, *([step.solution] if each < number else [])):
            if text.startswith(TIME):
                now = _parse_time(text, now)
                position = rules.elapse(position, now)
            else:
                is_turn = rules.is_turn(rules.parse(position, text))
                position = _play(rules, position, text, turns if is_turn else [])
    return tuple(text for _, text in turns)


def is_turn(lesson: Lesson, number: int) -> bool:
    """Whether the solution of a step is a turn."""
    return lesson.rules.is_turn(lesson.rules.parse(step_start(lesson, number).position, lesson.steps[number].solution))


def judge(lesson: Lesson, number: int, text: str) -> JudgedAnswer:
    """What an answer to a step is."""
    rules, position, step = lesson.rules, step_start(lesson, number).position, lesson.steps[number]
    player = rules.turn(position)
    try:
        move = rules.parse(position, text.strip())
        canonical, after = rules.text(position, move), rules.play(position, move)
    except RulesError as error:
        return JudgedAnswer(Grade.REFUSED, text, player, position, statement_of(error))
    grade = Grade.RIGHT if _meets(rules, step, canonical, after) else Grade.OTHER
    return JudgedAnswer(grade, canonical, player, after)


def check(file: str, lesson: Lesson) -> None:
    """Play a lesson through. Raises LessonError with one sentence for a turn or a solution that does not fit."""
    for number, step in enumerate(lesson.steps, start=1):
        try:
            answer = judge(lesson, number - 1, step.solution)
        except RulesError as error:
            why = statement_of(error)
            raise LessonError(statement("told.lesson.step", file=file, step=step.name, why=why)) from error
        if answer.grade is Grade.REFUSED:
            raise LessonError(statement("told.lesson.step", file=file, step=step.name, why=answer.why))
        if answer.grade is Grade.OTHER:
            raise LessonError(statement("told.lesson.goal", file=file, step=step.name, text=step.solution))


@lru_cache(maxsize=64)
def _play_to(rules: Rules[Any, Any], steps: tuple[tuple[bool, tuple[str, ...], str], ...]) -> StepStart:
    position = rules.start()
    now = Instant(0)
    turns: list[tuple[str, str]] = []
    for number, (afresh, play, solution) in enumerate(steps, start=1):
        turns = []
        if afresh:
            position, now = rules.start(), Instant(0)
        for text in play:
            if text.startswith(TIME):
                now = _parse_time(text, now)
                position = rules.elapse(position, now)
            else:
                position = _play(rules, position, text, turns)
        if number < len(steps):
            position = _play(rules, position, solution, [])
    return StepStart(position, tuple(turns))


def _play(rules: Rules[Any, Any], position: object, text: str, turns: list[tuple[str, str]]) -> Any:  # noqa: ANN401 - whatever the rules say a position is
    """The position after a turn, which is added to the others. Raises RulesError."""
    move = rules.parse(position, text)
    turns.append((rules.turn(position), rules.text(position, move)))
    return rules.play(position, move)


def _parse_time(text: str, now: Instant) -> Instant:
    """The game time that is meant. Raises RulesError for none, and for one that is over."""
    try:
        time = Instant(parse_seconds(text.removeprefix(TIME)))
    except ValueError as error:
        raise RulesError(statement("told.lesson.time", text=text)) from error
    if time < now:
        raise RulesError(statement("told.lesson.backwards", text=text))
    return time


def _meets(rules: Rules[Any, Any], step: LessonStep, text: str, after: object) -> bool:
    """Whether an answer does what the step asks for."""
    goal = replace(step.goal, ruled="", lifted="")  # which no rules can tell
    if goal == Goal():
        return text == step.solution
    outcome = rules.outcome(after)
    return (
        (not goal.moves or text in goal.moves)
        and (not goal.pattern or re.fullmatch(goal.pattern, text) is not None)
        and (not goal.turn or rules.turn(after) == goal.turn)
        and (not goal.winner or (outcome is not None and outcome.winner == goal.winner))
        and (not goal.reason or (outcome is not None and outcome.reason == goal.reason))
        and _has(rules.score(after), goal.score)
        and _has(rules.state(after), goal.state)
    )


def _has(whole: object, part: object) -> bool:
    """Whether all of a part is in the whole: of tables the keys that are given, of anything else its value."""
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(key in whole and _has(whole[key], each) for key, each in part.items())
    return list(whole) == part if isinstance(whole, tuple) else whole == part
