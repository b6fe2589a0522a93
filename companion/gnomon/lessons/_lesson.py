"""Define a lesson and its steps, and read one from TOML.

What a step asks, and what is said once it is done, are words; the file has codes only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

from gnomon.bounded_toml import TomlBoundsError, TOMLDecodeError, parse_toml
from gnomon.refusals import Refusal, Statement, statement, statement_of
from gnomon.rules.protocol import Rules, RulesError
from gnomon.rules.registry import rules_of
from gnomon.words import ENGLISH, Words

TIME: Final = "at "
"""How a line of a step begins that lets game time pass."""
NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""Names of lessons and steps: parts of addresses, and of the keys of words."""


class LessonError(Refusal, ValueError):
    """A lesson cannot be used, or there is none of that name."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What counts as done. All that is given must hold; a step without a goal wants its own solution.

    `moves` are canonical texts of which one was played, and `pattern` is a regular expression for the whole of it.
    `turn` is who is to act afterwards. `winner` and `reason` say how the game has ended. `score` and `state` are parts
    of what the rules say of the position afterwards.

    On a board, besides: `ruled` is the kind of a ruling that the referee has given since the step was asked, and
    `lifted` the place whose piece is in the air.
    """

    moves: Sequence[str] = ()
    pattern: str = ""
    turn: str = ""
    winner: str = ""
    reason: str = ""
    score: Mapping[str, Any] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)
    ruled: str = ""
    lifted: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One thing to do: what is played before it, an answer that is right, and what else is right.

    `play` are canonical texts, and `at SECONDS` where game time passes. They continue after the solution of the step
    before, or at the start of the game where the step begins `afresh`.
    """

    name: str
    solution: str
    play: Sequence[str] = ()
    afresh: bool = False
    goal: Goal = field(default_factory=Goal)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A few steps under one choice of settings, and the keys of their words."""

    game: str
    name: str
    rules: Rules[Any, Any]
    steps: Sequence[LessonStep]
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def key(self) -> str:
        """The entry with its title, and the beginning of those of its steps."""
        return f"lesson.{self.game}.{self.name}"

    def title(self, words: Words) -> str:
        """What it is called."""
        return words(self.key)

    def request(self, number: int, words: Words) -> str:
        """What a step asks for; steps are numbered from 0."""
        return words(f"{self.key}.{self.steps[number].name}")

    @property
    def is_timed(self) -> bool:
        """Whether game time passes in it."""
        return any(text.startswith(TIME) for step in self.steps for text in step.play)

    def is_for_the_board(self) -> bool:
        """Whether it can be done on a board: for each step before which time passes there are words for a board.

        Time passes there by itself, while people read, too.
        """
        timed = [number for number, step in enumerate(self.steps) if any(text.startswith(TIME) for text in step.play)]
        return all(self._board_key(number) in ENGLISH.entries for number in timed)

    def board_request(self, number: int, words: Words) -> str:
        """What a step asks for on a board."""
        key = self._board_key(number)
        return words(key) if key in words.entries else self.request(number, words)

    def _board_key(self, number: int) -> str:
        return f"{self.key}.{self.steps[number].name}.board"

    def gesture(self, number: int, words: Words) -> str:
        """How the answer is given by touching a picture; empty where nothing is said of it."""
        key = f"{self.key}.{self.steps[number].name}.touch"
        return words(key) if key in words.entries else ""

    def praise(self, number: int, words: Words) -> str:
        """What is said when it is done."""
        return words(f"{self.key}.{self.steps[number].name}.done")

    def entries(self) -> Sequence[str]:
        """The keys of all words that it needs."""
        steps = [f"{self.key}.{step.name}" for step in self.steps]
        return [self.key, *steps, *(f"{step}.done" for step in steps)]


_KINDS: Final[Mapping[str, type]] = {
    "game": str, "settings": dict, "steps": list, "name": str, "solution": str, "play": list, "afresh": bool,
    "goal": dict, "moves": list, "pattern": str, "turn": str, "winner": str, "reason": str, "score": dict,
    "state": dict, "ruled": str, "lifted": str,
}  # fmt: skip
"""What each field of a file is."""


def parse_lesson(file: str, text: str) -> Lesson:
    """A lesson from its file's name and text. Raises LessonError with one sentence that names the file."""
    try:
        told = parse_toml(text)
    except TOMLDecodeError as error:
        raise LessonError(statement("told.lesson.unreadable", file=file, text=str(error))) from error
    except TomlBoundsError as error:
        why = statement("told.lesson.bounds")
        raise LessonError(statement("told.lesson.unreadable", file=file, text=why)) from error
    _check_fields(file, told, ("game", "steps"), ("settings",))
    name = file.removesuffix(".toml")
    if not NAME.fullmatch(name):
        raise LessonError(statement("told.lesson.name", file=file, name=name))
    if not told["steps"]:
        raise LessonError(statement("told.lesson.field", file=file, field="steps"))
    try:
        rules = rules_of(told["game"], told.get("settings", {}))
    except RulesError as error:
        raise LessonError(statement("told.lesson.failed", file=file, why=statement_of(error))) from error
    told_steps: list[object] = told["steps"]
    steps = tuple(_parse_step(file, each) for each in told_steps)
    if len({step.name for step in steps}) < len(steps):
        raise LessonError(statement("told.lesson.same_name", file=file))
    return Lesson(told["game"], name, rules, steps, told.get("settings", {}))


def _parse_step(file: str, told: object) -> LessonStep:
    if not isinstance(told, dict):
        raise LessonError(_wrong(file, "steps"))
    _check_fields(file, told, ("name", "solution"), ("play", "afresh", "goal"))
    if not NAME.fullmatch(told["name"]):
        raise LessonError(statement("told.lesson.name", file=file, name=told["name"]))
    goal = told.get("goal", {})
    _check_fields(file, goal, (), tuple(each.name for each in fields(Goal)))
    try:
        re.compile(goal.get("pattern", ""))
    except re.error as error:
        raise LessonError(_wrong(file, "pattern")) from error
    return LessonStep(
        told["name"], told["solution"], tuple(told.get("play", ())), bool(told.get("afresh")), Goal(**goal)
    )


def _check_fields(file: str, told: Mapping[str, Any], needed: Sequence[str], others: Sequence[str]) -> None:
    for name in needed:
        if name not in told:
            raise LessonError(_wrong(file, name))
    for name, value in told.items():
        if name not in {*needed, *others}:
            raise LessonError(statement("told.lesson.unknown", file=file, field=name))
        fits = isinstance(value, _KINDS[name])
        if not fits or (name in {"play", "moves"} and any(not isinstance(each, str) for each in value)):
            raise LessonError(_wrong(file, name))


def _wrong(file: str, name: str) -> Statement:
    return statement("told.lesson.field", file=file, field=name)
