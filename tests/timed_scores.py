"""Give TAMSK scores that are written in canonical text their instants, as simulated hands play them."""

from collections.abc import Sequence
from random import Random

from gnomon.games.tamsk.rules import LOST, PASS, Move, Position, Tamsk
from gnomon.rules.protocol import GameOverError, IllegalMoveError
from gnomon_pi.simulated.players.game_script import Pressure, Score, ScriptWriter
from gnomon_pi.simulated.players.player_timing import Habits


def time_script(rules: Tamsk, texts: Sequence[str], random: Random, habits: Habits | None = None) -> Score:
    """Give a score in canonical text its instants, so that sand and the 15-second glass make it legal.

    Where a pass or a loss is written, time is let pass for it. Raises NotationError, IllegalMoveError or
    GameOverError when a turn is not legal at the time that it got.
    """
    habits = habits or Habits()
    score = ScriptWriter(rules, random, habits, Script(rules, texts, random, habits), rules.start()).write(len(texts))
    if len(score) < len(texts):
        message = f"the game is over before {texts[len(score)]}"
        raise GameOverError(message)
    return score


class Script:
    """Chooses what is written in canonical text."""

    def __init__(self, rules: Tamsk, texts: Sequence[str], random: Random, habits: Habits) -> None:
        self._rules = rules
        self._texts = tuple(texts)
        self._random = random
        self._habits = habits

    def pressure(self, number: int) -> Pressure:
        """A loss needs the 15-second glass, and so does a second ring in the turn that follows."""
        text = self._text(number)
        if text == LOST.kind:
            return Pressure.LOST
        reply = self._text(number + 1)
        if ",+" in reply or ("+" in reply and "-" not in reply):
            return Pressure.LATE
        if "-" in text and self._random.random() < self._habits.turns_timer15:
            return Pressure.IN_TIME
        return Pressure.NONE

    def choose(self, number: int, position: Position, moves: Sequence[Move]) -> Move:
        """The written move. Raises NotationError or IllegalMoveError."""
        text = self._text(number)
        move = self._rules.parse(position, text)
        if move not in moves:
            message = f"{text} is not due at {position.now} µs"
            raise IllegalMoveError(message)
        return move

    def waits(self, number: int) -> bool:
        """A pass that is not due yet will be when the sand has run out (rule 13)."""
        return self._text(number) == PASS.kind

    def leaves_open(self, number: int) -> bool:
        """Only a turn that is followed by a move may be left open: a lift ends it."""
        return "-" in self._text(number + 1) and self._random.random() < self._habits.leaves_end_open

    def _text(self, number: int) -> str:
        return self._texts[number] if number < len(self._texts) else ""
