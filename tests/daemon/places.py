"""Say which games are played at which boards, and how the tests look at them."""

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.events import TurnEntered
from gnomon.referee.game import Game
from gnomon.referee.rulings import Ruling, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon_pi import config
from gnomon_pi.simulated._surface import Surface
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.player_timing import TableHabits
from gnomon_pi.simulated.players.table_hands import PlayingManner
from tests.daemon.halves import let_pass, live_game, notebook
from tests.virtual_daemon import VirtualDaemon, VirtualTableGame, play_virtual_at_a_table

Settings = dict[str, object]


class Place(NamedTuple):
    """A game, how it is set, and the board on which it is played."""

    game: str
    settings: Settings
    board: str = "table"
    size: int | None = None

    def begun(self) -> VirtualDaemon:
        """A daemon whose game has just begun."""
        daemon = VirtualDaemon.of_new_board(self.board, self.size)
        daemon.new_game(GameSetup(self.game, self.settings))
        return daemon

    def played(self, seed: int, manner: PlayingManner | None = None) -> VirtualTableGame:
        """A whole game by hands."""
        return play_virtual_at_a_table(self.game, self.settings, seed, board=self.board, size=self.size, manner=manner)


PLACES = {
    "tabik": Place("tabik", {}),
    "tabik with pie": Place("tabik", {"size": 6, "pie": "yes"}),
    "tau with bidding": Place("tau", {}),
    "tau": Place("tau", {"rows": 5, "columns": 7, "limit": "60"}),
    "twenty squares": Place("twenty-squares", {}),
    "twenty squares with a cube": Place("twenty-squares", {"dice": "cube", "counters": 7}),
    "tayu by hand": Place("tayu", {"size": 11}),
    "tayu with an auction": Place("tayu", {"players": 3, "auction": "yes"}),
    "tayu beside the tamsk board": Place("tayu", {"size": 9}, "tamsk"),
    "tayu, sensed": Place("tayu", {}, "tayu"),
    "tayu by backs, sensed": Place("tayu", {"draw": "backs", "players": 4}, "tayu"),
    "kosmos, sensed": Place("tayu", {"edition": "kosmos", "draw": "stacks"}, "tayu", 19),
    "a small game on a large board": Place("tayu", {"size": 9}, "tayu"),
    "tabik beside the tayu board": Place("tabik", {"size": 5}, "tayu"),
}
EVERYWHERE = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
SENSED = PLACES["tayu, sensed"]
SQUARES = Surface.of(config.load_bundled("tayu")).squares
ENTERING = PlayingManner(TableHabits(picks=0.0))
PICKING = PlayingManner(TableHabits(picks=1.0, reads=0.0), noise=Noise(bounces=1.0))


def manner_at(place: Place) -> PlayingManner:
    """A board of TAMSK has no buttons with which to pick a move."""
    return ENTERING if place.board == "tamsk" else PlayingManner()


def turns(rulings: Sequence[Ruling]) -> list[tuple[str, str]]:
    return [(ruling.player, ruling.text) for ruling in rulings if isinstance(ruling, TurnRuled)]


def meant(played: VirtualTableGame) -> list[tuple[str, str]]:
    return [(move.player, move.text) for move in played.score]


def at_a_table(daemon: VirtualDaemon) -> Game:
    game = live_game(daemon.runner).game
    assert not isinstance(game, TamskGame)
    return game


def journal(daemon: VirtualDaemon) -> str:
    return "\n".join(map(repr, [notebook(daemon).games, *notebook(daemon).records]))


def entered(daemon: VirtualDaemon, text: str, who: str = "page") -> list[str]:
    """What entering a turn now leads to."""
    receipt = daemon.runner.correct(TurnEntered(daemon.runner.now(), text, who))
    let_pass(daemon, 0.5)
    return [ruling.kind for ruling in receipt.rulings]
