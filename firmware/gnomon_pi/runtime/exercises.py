"""Set out the positions of an exercise on the board, judge the turns made there, and take wrong ones back.

`Tutor` does so by corrections, as a person would: the referee guides the board to each of them by lights and display,
and the journal has them all. How far an exercise has come, the game itself tells (`gnomon.referee.exercises`), so it
goes on after a restart.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from gnomon.referee.events import Correction, NoteTaken, ResultDeclared, TurnEntered, TurnsVoided
from gnomon.referee.exercises import LESSON, done_at, note_asked, note_done, rulings_since_step, steps_done
from gnomon.referee.game import Exercise, Game
from gnomon.referee.opponents import WHO
from gnomon.referee.rulings import TurnLost, TurnRuled
from gnomon.rules.protocol import ABANDONED, RulesError
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after
from gnomon_pi.runtime.runner import Runner, RunnerError

if TYPE_CHECKING:
    from gnomon.lessons import Lesson  # which most daemons never load

PUZZLES: Final = "puzzles"
"""The folder beside journals for what `gnomon puzzles` wrote, with a folder for what was made of the games of each."""
PRAISE: Final = Duration(5 * SECOND)
"""So long what was done stands before the next step is set out: people read what is said of it."""
_FULL_SPACE: Final = "full_space"  # a turn that loses at once, and is no turn of the record


def puzzles_of(journal: Path) -> Path:
    """The folder of the puzzles that were made of a journal's games; around it lie those of no journal."""
    return journal.with_name(PUZZLES) / journal.stem


class Task(NamedTuple):
    """A step of an exercise: the turns that lead to its position, and whether a turn that answers it is right.

    `is_turn` says whether a turn answers it. `ruled` is the kind of a ruling that the referee has to give besides, and
    `lifted` the place whose piece has to be in the air; empty where nothing of the kind is asked for.
    """

    name: str
    way: tuple[str, ...]
    is_right: Callable[[str], bool]
    is_turn: bool = True
    ruled: str = ""
    lifted: str = ""


class Tutor:
    """What is due for the exercise at the board, at each look at the game."""

    def __init__(self, runner: Runner, puzzles: Path | None = None) -> None:
        """`puzzles` is the folder of the journal's puzzles."""
        self._runner = runner
        self._puzzles = puzzles
        self._tasks: tuple[tuple[str, Exercise], tuple[Task, ...]] | None = None
        self._stirred = asyncio.Event()

    async def work(self) -> None:
        """Look after the exercise for as long as the daemon runs."""
        self._runner.on_change(self._stirred.set)
        while True:
            self._stirred.clear()
            await asyncio.to_thread(self.prepare)
            self.look()
            due = self.due()
            wait = None if due is None else max(0.01, (due - self._runner.now()) / SECOND)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._stirred.wait()

    def prepare(self) -> None:
        """Read what is practised at the board. Any thread may do so: the daemon waits for no disk."""
        game = self._game()
        if game is None or game.exercise is None:
            return
        of = game.rules.name, game.exercise
        if self._tasks is None or self._tasks[0] != of:
            self._tasks = of, tasks_of(*of, self._puzzles)

    def look(self) -> None:
        """Do what is due: set out, judge, take back, or go on to the next step."""
        while (event := self._next()) is not None:
            before = self._game()
            try:
                self._runner.correct(event)
            except RunnerError:
                return  # the disk fails, or it is no longer so: the next change is looked at again
            if _progress(before) == _progress(self._game()):
                return  # the referee has refused it

    def due(self) -> Instant | None:
        """Board time at which to look again though nothing has changed; None: never."""
        game = self._game()
        done = None if game is None else done_at(game)
        return None if game is None or done is None or _is_closed(game) else after(done, PRAISE)

    def _game(self) -> Game | None:
        live = self._runner.live_game
        return None if live is None or live.game.exercise is None else live.game

    def _next(self) -> Correction | None:
        """The correction that is due now."""
        game, now = self._game(), self._runner.now()
        if game is None or game.exercise is None or game.paused_at is not None or _is_closed(game):
            return None
        tasks, count, done = self._tasks_of(game, game.exercise), steps_done(game), done_at(game)
        if not tasks or (done is not None and now < after(done, PRAISE)):
            return None
        if count >= len(tasks):
            return None if game.outcome is not None else ResultDeclared(now, None, ABANDONED, WHO)
        due = _set_out_or_judge(tasks[count], game, now)
        if due is None and done is not None:  # the position of the next step is there already
            return NoteTaken(now, note_asked(tasks[count].name), Duration(0), WHO)
        return due

    def _tasks_of(self, game: Game, exercise: Exercise) -> tuple[Task, ...]:
        """The steps from the one with which it began; none for an exercise that is not here any more."""
        is_prepared = self._tasks is not None and self._tasks[0] == (game.rules.name, exercise)
        return self._tasks[1] if self._tasks is not None and is_prepared else ()


def _set_out_or_judge(task: Task, game: Game, now: Instant) -> Correction | None:
    """What leads to the position of a step, or what an answer to it leads to; None while nobody has answered."""
    played = tuple(ply.text for ply in game.plies)
    same = next((at for at, (made, due) in enumerate(zip(played, task.way, strict=False)) if made != due), None)
    kept = min(len(played), len(task.way)) if same is None else same
    is_there = kept == len(task.way)
    if is_there and _is_met(task, game, played[kept] if len(played) > kept else ""):
        return NoteTaken(now, note_done(task.name), Duration(0), WHO)
    if len(played) > kept:
        # Before a turn that was lost there is no time left: it would be lost again at once. So the turn before it is
        # taken back as well, and entered again; where there is none, the exercise is over.
        if _is_lost(game) and not kept:
            return ResultDeclared(now, None, ABANDONED, WHO)
        return TurnsVoided(now, len(played) - kept + _is_lost(game), give_back=True, who=WHO)
    if not is_there:
        return TurnEntered(now, task.way[kept], WHO)
    if game.declared is not None and game.declared.reason == _FULL_SPACE and played:
        return TurnsVoided(now, 1, give_back=True, who=WHO)  # it is entered again, and the game goes on
    return None


def _is_lost(game: Game) -> bool:
    """Whether the last turn was lost by time."""
    turns = (ruling for ruling in reversed(game.rulings) if isinstance(ruling, TurnRuled | TurnLost))
    return isinstance(next(turns, None), TurnLost)


def _is_met(task: Task, game: Game, answer: str) -> bool:
    """Whether a step is done; `answer` is the turn that was made, empty while there is none."""
    if task.is_turn and not (answer and task.is_right(answer)):
        return False
    ruled = {type(ruling).kind for ruling in rulings_since_step(game)}
    return (not task.ruled or task.ruled in ruled) and (not task.lifted or task.lifted in game.judgement.lifted)


def tasks_of(game: str, exercise: Exercise, puzzles: Path | None) -> tuple[Task, ...]:
    """The steps of an exercise; none where there is no such lesson or puzzle, or it cannot be done on a board."""
    if exercise.kind == LESSON:
        from gnomon.lessons import LessonError, find_lesson

        try:
            lesson = find_lesson(game, exercise.name)
        except (LessonError, RulesError):
            return ()
        if not lesson.is_for_the_board() or (lesson.is_timed and exercise.first):
            return ()  # what time has led to is set out by no hand
        return tuple(_lesson_task(lesson, number) for number in range(exercise.first, len(lesson.steps)))
    return () if puzzles is None else _puzzle_tasks(game, exercise.name, puzzles)


def _lesson_task(lesson: "Lesson", number: int) -> Task:
    from gnomon.lessons import Grade, is_turn, judge, way_to

    step = lesson.steps[number]
    return Task(
        step.name,
        way_to(lesson, number),
        lambda text: judge(lesson, number, text).grade is Grade.RIGHT,
        is_turn(lesson, number),
        step.goal.ruled,
        step.goal.lifted,
    )


def _puzzle_tasks(game: str, name: str, folder: Path) -> tuple[Task, ...]:
    from gnomon.analysis.puzzle_folder import read_puzzles

    kept = read_puzzles(folder).get(name)
    if kept is None or kept.puzzle.sheet.game != game:
        return ()
    puzzle, way = kept.puzzle, kept.puzzle.way()
    if way is None:
        return ()
    return (Task(name, way, lambda text: text == puzzle.best),)


def _progress(game: Game | None) -> object:
    """What a correction of the tutor changes."""
    return None if game is None else (game.plies, game.declared, steps_done(game))


def _is_closed(game: Game) -> bool:
    """Whether somebody has ended or put away the game: a result by hand is nothing that an exercise revises."""
    return game.adjourned or (game.declared is not None and game.declared.reason != _FULL_SPACE)
