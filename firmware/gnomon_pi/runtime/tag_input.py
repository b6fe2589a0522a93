"""Map the code on a piece to the turn that it means, and enter that turn in the game."""

from collections.abc import Mapping
from typing import Final

from gnomon.referee.events import TurnEntered
from gnomon.refusals import RequestRefusedError, statement
from gnomon.rules.kinds import load
from gnomon.rules.registry import kind_of
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.runner import Runner, RunnerError

READER: Final = "reader"
"""Who enters what was read."""


class ReadingError(RequestRefusedError, ValueError):
    """Nothing can be made of a code."""


def turn_of(code: str, codes: Mapping[str, str], live_game: LiveGame | None) -> str:
    """The turn that a code means: of the piece that `codes` names, or that the code names itself.

    Where no game is played that has such pieces, the code stands for itself, and the referee says why it is refused.
    Raises ReadingError for a code that is on no piece.
    """
    tags = kind_of(live_game.game.rules.name).tags if live_game is not None else ""
    if not tags:
        return code
    turns: Mapping[str, str] = load(tags)
    turn = turns.get(codes.get(code, code))
    if turn is None:
        raise ReadingError(statement("health.code.unknown", code=code))
    return turn


class TagInput:
    """Hands what a reader reads over to the game; what cannot be made anything of is a matter of health."""

    def __init__(self, runner: Runner, health: Health, codes: Mapping[str, str]) -> None:
        self._runner = runner
        self._health = health
        self._codes = codes

    def read(self, stamp: Instant, code: str) -> None:
        """Make the turn whose code was read at a raw instant."""
        live_game = self._runner.live_game
        at = Instant(0) if live_game is None else live_game.board_time(stamp)
        try:
            self._runner.correct(TurnEntered(at, turn_of(code, self._codes, live_game), READER))
        except ReadingError as error:
            self._health.wrong(READER, error.statement, Audience.PLAYERS)
        except RunnerError as error:
            told = statement("health.code.nothing", code=code, told=error.statement)
            self._health.wrong(READER, told, Audience.PLAYERS)
        else:
            self._health.well(READER)
