"""Parse the setting of an exercise, and tell how far it has come: a lesson or a puzzle on the real board.

`exercise` stands among a game's settings but does not belong to its rules: `lesson:NAME:STEP`, with the step from 1, or
`puzzle:NAME`. The referee knows no lesson. The daemon sets the position out, judges the turns and takes wrong ones
back, by corrections that are recorded like all others; so a game tells by itself how far its exercise has come.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from gnomon.referee.game import Exercise, Game
from gnomon.referee.opponents import OPPONENT, WHO
from gnomon.referee.rulings import Corrected, Ruling, TurnRuled
from gnomon.refusals import statement
from gnomon.rules.protocol import Rules, SettingsError
from gnomon.timekeeping.instants import Instant

EXERCISE: Final = "exercise"
LESSON: Final = "lesson"
PUZZLE: Final = "puzzle"

_DONE: Final = "✓ "
"""How the note on a step that is done begins."""
_ASKED: Final = "→ "
"""How the note on a step begins that is asked where nothing has to be set out."""
_PATTERN: Final = re.compile(r"(lesson):([a-z][a-z0-9-]{0,60}):([1-9][0-9]{0,2})|(puzzle):([0-9a-f]{4,64})")
_VOIDED: Final = "corrected.voided."


def split_exercise(settings: Mapping[str, object]) -> tuple[dict[str, object], str]:
    """The settings without that of an exercise, and that one; empty where there is none."""
    others = {name: value for name, value in settings.items() if name != EXERCISE}
    return others, str(settings.get(EXERCISE, "")).strip()


def is_exercise(settings: Mapping[str, object]) -> bool:
    """Whether a game with these settings is a lesson or a puzzle on the board."""
    return split_exercise(settings)[1].partition(":")[0] in {LESSON, PUZZLE}


def exercise_of(value: str, others: Mapping[str, object], rules: Rules[object, object]) -> Exercise | None:
    """The exercise of a game with those other settings; None for a game that is none. Raises SettingsError."""
    if not value:
        return None
    found = _PATTERN.fullmatch(value)
    if found is None:
        raise SettingsError(statement("told.exercise.setting", value=value[:40]))
    if others.get(OPPONENT, "none") != "none" or rules.ends_by_press:
        raise SettingsError(statement("told.exercise.alone"))
    if found[1]:
        return Exercise(LESSON, found[2], int(found[3]) - 1)
    return Exercise(PUZZLE, found[5])


def setting_of(exercise: Exercise) -> str:
    """The exercise as the setting that `exercise_of` reads."""
    kind, name, first = exercise
    return f"{kind}:{name}:{first + 1}" if kind == LESSON else f"{kind}:{name}"


def note_done(name: str) -> str:
    """The text of the note that a step is done."""
    return f"{_DONE}{name}"


def note_asked(name: str) -> str:
    """The text of the note that a step is asked: without it the praise of the one before would stand for ever."""
    return f"{_ASKED}{name}"


def steps_done(game: Game) -> int:
    """How many steps have been done in this game."""
    return sum(_is_done(each) for each in _course(game))


def done_at(game: Game) -> Instant | None:
    """Board time at which the last step was done, if nothing has been set out since; None otherwise."""
    last = next(_course(game, backwards=True), None)
    return last.at if last is not None and _is_done(last) else None


def rulings_since_step(game: Game) -> tuple[Ruling, ...]:
    """What was ruled since the last turn, or since a step was done or taken back: neither is among it."""
    entered = (at for at, each in enumerate(game.rulings, 1) if _is_of_the_course(each) and not _notes(each, _ASKED))
    return game.rulings[max(entered, default=0) :]


def is_taken_back(game: Game) -> bool:
    """Whether the last turn was taken back because something else was asked for."""
    latest = _course(game, backwards=True)
    last = next(latest, None)
    if not _is_voided(last):
        return False
    before = next((each for each in latest if not _is_voided(each)), None)
    return isinstance(before, TurnRuled)


def _course(game: Game, *, backwards: bool = False) -> Iterator[Corrected | TurnRuled]:
    """The turns of a game, and what was entered for its exercise."""
    for ruling in reversed(game.rulings) if backwards else game.rulings:
        if _is_of_the_course(ruling):
            yield ruling


def _is_of_the_course(ruling: Ruling) -> TypeGuard[Corrected | TurnRuled]:
    return isinstance(ruling, TurnRuled) or (isinstance(ruling, Corrected) and ruling.who == WHO)


def _is_done(ruling: Corrected | TurnRuled) -> bool:
    return _notes(ruling, _DONE)


def _notes(ruling: Corrected | TurnRuled, mark: str) -> bool:
    if not isinstance(ruling, Corrected) or ruling.what.key != "corrected.note":
        return False
    return str(ruling.what.values.get("note", "")).startswith(mark)


def _is_voided(ruling: Corrected | TurnRuled | None) -> bool:
    return isinstance(ruling, Corrected) and ruling.what.key.startswith(_VOIDED)
