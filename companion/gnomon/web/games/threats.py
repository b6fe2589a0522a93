"""Find what the opponent threatens in the game at the board, in a low-priority process of its own."""

from collections.abc import Sequence
from typing import Any

from gnomon.records.bundles import bundle
from gnomon.records.formats.sheets import sheet_text
from gnomon.records.journal.entries import Archive
from gnomon.records.transcripts import transcript
from gnomon.referee.game import Game
from gnomon.referee.opponents import is_engines_turn
from gnomon.refusals import Statement, statement
from gnomon.web.games.move_values import MoveValues, UnvaluedError
from gnomon.web.live.interfaces import RefusedError


def check_asked(game: Game | None) -> Game:
    """The game, if a person is on turn in it and practises nothing. Raises RefusedError for any other."""
    is_persons = game is not None and game.turn in game.rules.players and not is_engines_turn(game)
    if game is None or not is_persons or game.paused_at is not None or game.exercise is not None:
        raise RefusedError(statement("told.opponent.none"))
    return game


def find_threat(archive: Archive, game: str, engine: MoveValues) -> Sequence[Statement]:
    """What the opponent of the player on turn would do, and why, in the game that was written about last. It blocks.

    Raises UnvaluedError where that cannot be told, or another game than the named one was written about.
    """
    stored = archive.last_game()
    if stored is None or stored.start.game != game:
        raise UnvaluedError
    try:
        sheet = sheet_text(transcript(bundle(stored, archive.read(stored.id)).trace))
        told: Sequence[Any] = engine.threat(sheet.encode())["said"]
        return [Statement.load({key: each[key] for key in each if key != "said"}) for each in told]
    except (ValueError, KeyError, TypeError) as error:
        raise UnvaluedError from error
