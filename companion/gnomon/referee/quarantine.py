"""Believe inputs again that were not believed: when they have moved, been quiet, and show what the game says."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from gnomon.referee.game import Game
from gnomon.referee.judgement import Phase
from gnomon.referee.table_game import TableGame
from gnomon.timekeeping.instants import Duration, Instant

GameT = TypeVar("GameT", Game, TableGame)


def believed_again(game: GameT, now: Instant, quiet: Duration, is_expected: Callable[[str], bool]) -> GameT:
    """The game in which inputs that have been quiet for so long are believed again, if they show what it says.

    `is_expected`: whether an input would be 1 on a board that shows the position. The others are asked again when they
    have been quiet for as long once more.
    """
    on = game.debouncer.on
    quiet_since = now - quiet
    rested = [name for name, last in game.quiet.items() if last <= quiet_since]
    # In the middle of a turn nobody knows what they should show, and players are asked instead.
    may_be = game.judgement.phase is Phase.AGREED and game.paused_at is None
    agreed = {name for name in rested if may_be and is_expected(name) == (name in on)}
    later = {name: now if last <= quiet_since else last for name, last in game.quiet.items() if name not in agreed}
    return replace(
        game,
        shown=game.shown - agreed | (on & agreed),
        quarantined=tuple(name for name in game.quarantined if name not in agreed),
        quiet=later,
    )
