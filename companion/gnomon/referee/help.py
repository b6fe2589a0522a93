"""Help a player during a turn: name the piece of a good move, or judge whether the piece in hand belongs to one.

A piece is in hand when it has been lifted, or when the first part of a turn has been picked with the buttons.
"""

from collections.abc import Mapping
from typing import Final

from gnomon.referee.errors import CorrectionError
from gnomon.referee.game import Game, GameT, Held, Helped
from gnomon.referee.opponents import HELP, is_engines_turn
from gnomon.referee.replacement import replace
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE, SettingsError
from gnomon.timekeeping.instants import Instant

BRAIN: Final = "brain"
"""Gnomon says with what to play, and the player finds where."""
HAND: Final = "hand"
"""The player takes something up, and Gnomon says whether a good turn is made with it."""
_OFF: Final = "off"
HELPS: Final = (BRAIN, HAND)


def parse_help(settings: Mapping[str, object]) -> str:
    """How players want to be helped: `brain`, `hand`, or not at all. Raises SettingsError."""
    value = str(settings.get(HELP, _OFF)).strip()
    if value not in {_OFF, *HELPS}:
        raise SettingsError(statement("told.setting.one_of", setting=HELP, choices=(_OFF, *HELPS), value=value[:40]))
    return "" if value == _OFF else value


def held_by_person(game: Game) -> Held | None:
    """What a person on turn has in hand; None where nothing is."""
    return game.board.in_hand(game) if _may_be_helped(game) else None


def help_player(game: GameT, held: str, said: Statement, at: Instant, *, fits: bool) -> GameT:
    """The game whose player is helped. Raises CorrectionError if that does not belong to what is on the board now."""
    helped = Helped(held, fits, at, said, len(game.plies))
    if not _is_due(game, helped):
        raise CorrectionError(statement("told.help.late"))
    return replace(game, helped=helped)


def forget_help(game: GameT) -> GameT:
    """The game without help for what is past."""
    if game.helped is not None and not _is_due(game, game.helped):
        game = replace(game, helped=None)
    return game


def _may_be_helped(game: Game) -> bool:
    return game.outcome is None and game.paused_at is None and game.turn != NATURE and not is_engines_turn(game)


def _is_due(game: Game, helped: Helped) -> bool:
    if not _may_be_helped(game) or len(game.plies) != helped.plies:
        return False
    held = game.board.in_hand(game)
    return not helped.held or (held is not None and held.name == helped.held)
