"""Find the lessons of a game: those in its own folder, and those of folders that a club adds.

A folder of lessons has one file each, `first.toml`, and may have a folder `words` with the words of its lessons. One
that cannot be used is left out, and the others stay; `faults` says what is wrong.
"""

from functools import cache
from importlib.resources import files
from typing import Final

from gnomon.lessons._judge import check
from gnomon.lessons._lesson import Lesson, LessonError, parse_lesson
from gnomon.refusals import Statement, statement
from gnomon.rules.registry import GAMES, folder_of, games, kind_of
from gnomon.words import ENGLISH, Folder, add_part
from gnomon.words import unregister as unregister_words

_FOLDER: Final = "lessons"
_WORDS: Final = "words"
_ENDING: Final = ".toml"
_added: Final[list[Folder]] = []


def register(folder: Folder) -> None:
    """Add a folder of lessons. Raises WordsError when a file of its words cannot be used."""
    if folder in _added:
        return
    if (folder / _WORDS).is_dir():
        add_part(folder / _WORDS)
    _added.append(folder)
    _read_folder.cache_clear()


def unregister(folder: Folder) -> None:
    """Leave out a folder that was added."""
    _added.remove(folder)
    if (folder / _WORDS).is_dir():
        unregister_words(folder / _WORDS)
    _read_folder.cache_clear()


def lessons_of(game: str) -> tuple[Lesson, ...]:
    """The lessons of a game, in the order of their names; its own first. Raises SettingsError for an unknown game."""
    kind_of(game)
    found: dict[str, Lesson] = {}
    for folder in (_folder_of(game), *_added):
        for lesson in _read_folder(folder)[0]:  # type: ignore[arg-type]  # a path, which can be compared
            if lesson.game == game:
                found.setdefault(lesson.name, lesson)
    return tuple(found.values())


def find_lesson(game: str, name: str) -> Lesson:
    """A lesson by its name. Raises SettingsError for an unknown game, and LessonError for an unknown lesson."""
    lessons = lessons_of(game)
    found = next((lesson for lesson in lessons if lesson.name == name), None)
    if found is None:
        raise LessonError(
            statement("told.lesson.no_lesson", name=name, game=game, lessons=[each.name for each in lessons])
        )
    return found


def taught_games() -> tuple[str, ...]:
    """The games for which there are lessons."""
    return tuple(game for game in games() if lessons_of(game))


def faults() -> tuple[Statement, ...]:
    """What is wrong with the lessons that cannot be used, each in one sentence."""
    wrong: list[Statement] = []
    known: set[str] = set()
    for folder in (*map(_folder_of, games()), *_added):
        lessons, faults_here = _read_folder(folder)  # type: ignore[arg-type]  # as above
        wrong += faults_here
        for lesson in lessons:
            if lesson.key in known:
                wrong.append(statement("told.lesson.doubled", file=f"{lesson.name}{_ENDING}", game=lesson.game))
            known.add(lesson.key)
    return tuple(wrong)


def faults_of(game: str) -> tuple[Statement, ...]:
    """What is wrong with a game's own lessons."""
    return _read_folder(_folder_of(game))[1]  # type: ignore[arg-type]  # as above


def _folder_of(game: str) -> Folder:
    """The folder of a game's own lessons, whether it exists or not."""
    beside = folder_of(game)
    if beside is None:
        beside = files(GAMES[game].partition(":")[0])
    return beside / _FOLDER


@cache
def _read_folder(folder: Folder) -> tuple[tuple[Lesson, ...], tuple[Statement, ...]]:
    """The lessons of a folder that can be used, and what is wrong with the others."""
    lessons: list[Lesson] = []
    wrong: list[Statement] = []
    named = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else ()
    for file in named:
        if not file.name.endswith(_ENDING):
            continue
        try:
            lessons.append(_read_lesson(file))
        except LessonError as error:
            wrong.append(error.statement)
    return tuple(lessons), tuple(wrong)


def _read_lesson(file: Folder) -> Lesson:
    """A lesson that can be used from beginning to end. Raises LessonError."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise LessonError(statement("told.lesson.unreadable", file=file.name, text=str(error))) from error
    lesson = parse_lesson(file.name, text)
    for key in lesson.entries():
        if key not in ENGLISH.entries:
            raise LessonError(statement("told.lesson.words", file=file.name, key=key))
    check(file.name, lesson)
    return lesson
