"""Enter moves at a table for the tests about people."""

from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.games import tell
from gnomon.timekeeping.instants import Instant


def played(game: Game, *texts: str) -> Game:
    """The game after turns that were entered by hand, a second apart."""
    for second, text in enumerate(texts, 1):
        game, _ = tell(game, TurnEntered(Instant(second * 1_000_000), text, "test"))
    return game
