"""Map the code on a tile to the draw of its kind, and enter that draw in the game."""

from collections.abc import Mapping
from typing import Final

from gnomon.referee.events import TurnEntered
from gnomon.refusals import RequestRefusedError, statement
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.health import Audience, Health
from gnomon_pi.runtime.runner import Runner, RunnerError

READER: Final = "reader"
"""Who enters what was read."""


class ReadingError(RequestRefusedError, ValueError):
    """Nothing can be made of a code."""


def draw_of(code: str, codes: Mapping[str, str]) -> str:
    """The draw that a code means: its kind by `codes`, or the code itself where it names a kind, either way round.

    Raises ReadingError for a code that is on no tile.
    """
    from gnomon.games.tayu.rules.tiles import NAME_OF_TURNED, TILE  # the first tile is read when its game is there

    kind = codes.get(code, code)
    kind = NAME_OF_TURNED.get(kind, kind)
    if kind not in TILE:
        raise ReadingError(statement("health.code.unknown", code=code))
    return f"draw:{kind}"


class TagInput:
    """Hands what a reader reads over to the game; what cannot be made anything of is a matter of health."""

    def __init__(self, runner: Runner, health: Health, codes: Mapping[str, str]) -> None:
        self._runner = runner
        self._health = health
        self._codes = codes

    def read(self, stamp: Instant, code: str) -> None:
        """Draw the tile whose code was read at a raw instant."""
        live_game = self._runner.live_game
        at = Instant(0) if live_game is None else live_game.board_time(stamp)
        try:
            self._runner.correct(TurnEntered(at, draw_of(code, self._codes), READER))
        except ReadingError as error:
            self._health.wrong(READER, error.statement, Audience.PLAYERS)
        except RunnerError as error:
            told = statement("health.code.nothing", code=code, told=error.statement)
            self._health.wrong(READER, told, Audience.PLAYERS)
        else:
            self._health.well(READER)
