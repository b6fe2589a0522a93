"""Word the task of an exercise at the board: a step of a lesson, or the one good turn of a puzzle."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gnomon.referee.exercises import LESSON, done_at, is_taken_back, steps_done
from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon.views import fonts
from gnomon.words import ENGLISH, Words

if TYPE_CHECKING:
    from gnomon.lessons import Lesson  # which most daemons never load

Json = Mapping[str, object]

PAGE_TIME: Final = Duration(4 * SECOND)
"""So long each part of a text stands on the display that has no room for all of it."""


def exercise_payload(game: Game, words: Words = ENGLISH) -> Json | None:
    """What pages are told of the exercise; None for a game that is none."""
    exercise = game.exercise
    if exercise is None:
        return None
    lesson = _lesson(game)
    all_steps = len(lesson.steps) if lesson is not None else 1
    return {
        "kind": exercise.kind,
        "name": exercise.name,
        "title": title(game, words),
        "step": min(exercise.first + steps_done(game) + 1, all_steps),
        "steps": all_steps,
        "state": state(game),
        "text": text(game, words),
        "timed": lesson is not None and lesson.is_timed,
    }


def state(game: Game) -> str:
    """How it stands: `finished`, `done` with a step, `wrong` was the last turn, `setting out`, or `asked`."""
    if _is_finished(game):
        return "finished"
    if done_at(game) is not None:
        return "done"
    if is_taken_back(game):
        return "wrong"
    return "setting out" if game.judgement.phase is Phase.WRONG else "asked"


def title(game: Game, words: Words = ENGLISH) -> str:
    """What is practised: the title of the lesson, or that it is a puzzle."""
    lesson = _lesson(game)
    return words("exercise.puzzle") if lesson is None else lesson.title(words)


def headline(game: Game, words: Words = ENGLISH) -> str:
    """The same in a few letters: which step of how many."""
    lesson, exercise = _lesson(game), game.exercise
    if lesson is None or exercise is None:
        return words("exercise.puzzle")
    step = min(exercise.first + steps_done(game) + 1, len(lesson.steps))
    return words("exercise.oled.step", number=step, all=len(lesson.steps))


def text(game: Game, words: Words = ENGLISH) -> str:
    """What is to be done, or what is said of what was done."""
    now = state(game)
    lesson, exercise = _lesson(game), game.exercise
    if lesson is None or exercise is None:
        return words({"done": "exercise.solved", "finished": "exercise.solved"}.get(now, "exercise.find"))
    number = exercise.first + steps_done(game)
    if now not in {"done", "finished"}:
        return lesson.board_request(number, words)
    said = (words("learn.right"), lesson.praise(number - 1, words))
    return " ".join((*said, words("learn.over")) if now == "finished" else said)


def is_told(game: Game) -> bool:
    """Whether a display tells what an exercise asks for: nothing is picked, in doubt or to be put right."""
    if game.exercise is None or game.paused_at is not None or game.chooser is not None or game.judgement.reason:
        return False
    if game.judgement.phase is Phase.IN_HAND:  # where time decides, somebody may be asked to wait with it in the air
        lesson = _lesson(game)
        return lesson is not None and lesson.is_timed
    return game.judgement.phase is Phase.AGREED


def part_of_text(game: Game, now: Instant, room: int, rows: int, words: Words = ENGLISH) -> Sequence[str]:
    """The lines of the text whose turn it is on a display with so many rows."""
    lines = _lines(game, room, words)
    parts = max(1, -(-len(lines) // rows))
    each = -(-len(lines) // parts)  # so that no part is a last word alone
    first = now // PAGE_TIME % parts * each
    return lines[first : first + each]


def changes_at(game: Game, now: Instant) -> Instant | None:
    """When the next part of the text has its turn; None where no exercise is at the board."""
    return None if game.exercise is None else Instant((now // PAGE_TIME + 1) * PAGE_TIME)


def _lines(game: Game, room: int, words: Words) -> Sequence[str]:
    said = [words("exercise.taken_back")] if is_taken_back(game) else []
    return [line for paragraph in (*said, text(game, words)) for line in fonts.wrap(paragraph, room)]


def _is_finished(game: Game) -> bool:
    lesson, exercise = _lesson(game), game.exercise
    if exercise is None:
        return False
    left = 1 if lesson is None else len(lesson.steps) - exercise.first
    return steps_done(game) >= left


def _lesson(game: Game) -> "Lesson | None":
    """The lesson that is done; None for a puzzle, and for a lesson that is not here any more."""
    if game.exercise is None or game.exercise.kind != LESSON:
        return None
    from gnomon.lessons import LessonError, find_lesson  # noqa: PLC0415 - most daemons never load it

    try:
        return find_lesson(game.rules.name, game.exercise.name)
    except LessonError:
        return None
