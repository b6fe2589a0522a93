"""Warn a player before a turn is confirmed, and drop the warning with the turn."""

from collections.abc import Mapping
from typing import Final

from gnomon.referee.errors import CorrectionError
from gnomon.referee.game import Game, GameT, Warned
from gnomon.referee.opponents import WARNINGS, is_engines_turn
from gnomon.referee.replacement import replace
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE, SettingsError
from gnomon.timekeeping.instants import Instant

_ON: Final = "on"
_OFF: Final = "off"


def are_warnings_wanted(settings: Mapping[str, object]) -> bool:
    """Whether players want to be warned of blunders. Raises SettingsError."""
    value = str(settings.get(WARNINGS, _OFF)).strip()
    if value not in {_ON, _OFF}:
        raise SettingsError(statement("told.setting.one_of", setting=WARNINGS, choices=(_ON, _OFF), value=value[:40]))
    return value == _ON


def pending_turn(game: Game) -> str | None:
    """The turn that a person is about to confirm; None where nothing waits to be confirmed."""
    if game.outcome is not None or game.paused_at is not None or game.turn == NATURE or is_engines_turn(game):
        return None
    return game.board.turn_to_confirm(game)


def warn(game: GameT, text: str, said: Statement, at: Instant) -> GameT:
    """The game whose player is warned. Raises CorrectionError if that turn does not wait to be confirmed any more."""
    if pending_turn(game) != text:
        raise CorrectionError(statement("told.warning.late", text=text))
    return replace(game, warned=Warned(text, at, said))


def forget_warning(game: GameT) -> GameT:
    """The game without a warning of a turn that is not about to be confirmed any more."""
    if game.warned is not None and pending_turn(game) != game.warned.text:
        game = replace(game, warned=None)
    return game
