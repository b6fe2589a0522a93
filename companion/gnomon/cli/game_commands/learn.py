"""Go through a lesson on the command line, by turns in the game's notation (`gnomon learn`)."""

import sys
from typing import Final, TextIO

import click

from gnomon.cli import localized
from gnomon.cli.lesson_folders import lessons_option
from gnomon.cli.words import CommandRefusedError, UnusableError, command_words, say_sentence
from gnomon.lessons import Grade, Lesson, LessonError, faults, find_lesson, judge, lessons_of, step_start, taught_games
from gnomon.refusals import statement
from gnomon.rules.protocol import SettingsError
from gnomon.views.pictures import picture
from gnomon.views.show import show

_ASKED: Final = "> "
_MOST: Final = 100  # legal turns in a list


@localized.command(help="command.learn")
@localized.argument("game", required=False)
@localized.argument("lesson", required=False)
@lessons_option
def learn(game: str | None, lesson: str | None) -> None:
    """Go through a LESSON of GAME; without a lesson, its first one; without a game, list all lessons."""
    for fault in faults():
        click.echo(say_sentence(fault), err=True)
    if game is None:
        _list_lessons()
        return
    try:
        _Course(_find(game, lesson)).run()
    except (SettingsError, LessonError) as error:
        raise UnusableError(error) from error


def _find(game: str, name: str | None) -> Lesson:
    """The lesson that is meant. Raises SettingsError or LessonError."""
    if name is not None:
        return find_lesson(game, name)
    lessons = lessons_of(game)
    if not lessons:
        raise LessonError(statement("told.lesson.none", game=game))
    return lessons[0]


def _list_lessons() -> None:
    words = command_words()
    for game in taught_games():
        for lesson in lessons_of(game):
            steps = words.plural("learn.steps", len(lesson.steps))
            title = f"{lesson.title(words)} ({steps})"
            click.echo(words("learn.heading", game=f"{game} {lesson.name}", title=title))


class _Course:
    """A lesson on its way: it asks, judges and goes on."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._words = command_words()
        self._source: TextIO = sys.stdin

    def run(self) -> None:
        """Ask every step in turn. Raises CommandRefusedError when the answers end before the lesson."""
        words, lesson = self._words, self._lesson
        click.echo(words("learn.heading", game=words(f"game.{lesson.game}"), title=lesson.title(words)))
        click.echo(words("learn.commands"))
        for number in range(len(lesson.steps)):
            self._ask(number)
            while not self._answer(number):
                pass
        click.echo(words("learn.over"))

    def _ask(self, number: int) -> None:
        words, lesson = self._words, self._lesson
        click.echo()
        click.echo(words("learn.step", number=number + 1, all=len(lesson.steps)))
        here = step_start(lesson, number)
        for player, text in here.turns:
            click.echo(f"  {text}  {show(lesson.game).turn(player, text, words)}")
        click.echo(picture(lesson.rules, here.position, words=words).description)
        click.echo(lesson.request(number, words))

    def _answer(self, number: int) -> bool:
        """Whether the next line answers the step."""
        words, lesson = self._words, self._lesson
        text = self._next_line(number)
        if text == "?":
            click.echo(words("learn.solution.is", text=lesson.steps[number].solution))
            return False
        if text == "moves":
            click.echo(" ".join(self._legal(number)))
            return False
        answer = judge(lesson, number, text)
        if answer.grade is Grade.REFUSED:
            click.echo(say_sentence(answer.why))
        elif answer.grade is Grade.OTHER:
            click.echo(f"{words('learn.other')} {lesson.request(number, words)}")
        else:
            click.echo(f"{words('learn.right')} {lesson.praise(number, words)}")
        return answer.grade is Grade.RIGHT

    def _next_line(self, number: int) -> str:
        """What is typed next. Raises CommandRefusedError when nothing more comes."""
        if self._source.isatty():
            click.echo(_ASKED, nl=False)
        for line in iter(self._source.readline, ""):
            if text := line.strip():
                if text == "quit":
                    break
                return text
        left = statement(
            "told.lesson.unfinished", name=self._lesson.name, number=number + 1, all=len(self._lesson.steps)
        )
        raise CommandRefusedError(left)

    def _legal(self, number: int) -> list[str]:
        rules, position = self._lesson.rules, step_start(self._lesson, number).position
        return [rules.text(position, move) for move in rules.legal_moves(position)[:_MOST]]
