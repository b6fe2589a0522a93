"""Play games on the simulated board, for the journals that they leave."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import Bundle, bundle
from gnomon.records.journal.entries import Record, StoredGame
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.player_timing import Habits
from tests.player_mistakes import CAREFUL, Clumsiness, PlayerMistake
from tests.virtual_daemon import Notebook, play_virtual

HURRIED = Habits(turns_timer15=0.8, loses_turn=0.2, comes_late=0.4, cuts_it_fine=0.5)
CLUMSY = Clumsiness(frozenset(PlayerMistake), 0.2)


class PlayedGame(NamedTuple):
    """A game as the daemon left it: the game of the referee, and what the journal holds of it."""

    game: TamskGame
    stored: StoredGame
    records: Sequence[Record]

    @property
    def bundle(self) -> Bundle:
        """The game as a trace."""
        return bundle(self.stored, self.records, {"red": "Ada", "black": "Charles"})


@cache
def played_game(level: int, seed: int, *, clumsy: bool = False) -> PlayedGame:
    """A random game by hands under time pressure, with mistakes and noise on request."""
    notebook = Notebook()
    played = play_virtual(
        {"level": level},
        seed,
        habits=HURRIED,
        mistakes=CLUMSY if clumsy else CAREFUL,
        noise=Noise(glitches=0.2) if clumsy else None,
        store=notebook,
    )
    live_game = played.daemon.runner.live_game
    assert live_game is not None
    assert isinstance(live_game.game, TamskGame)
    return PlayedGame(live_game.game, notebook.games[0], notebook.read(1))
