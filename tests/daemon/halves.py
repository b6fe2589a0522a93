"""Play a part of a game for the daemon's tests: edges made by hands, and daemons that share a board."""

from collections.abc import Mapping, Sequence
from random import Random

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.journal.entries import EntryKind, Record
from gnomon.referee.events import InputChanged
from gnomon.referee.game import Game
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.views.summary import summary
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.runner import Runner
from gnomon_pi.simulated.players._noise import Noise
from gnomon_pi.simulated.players.game_script import random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import Habits
from tests.virtual_daemon import Notebook, VirtualDaemon

UNHURRIED = Habits(cuts_it_fine=0.0)


def edges_of_a_game(level: int, seed: int, turns: int, noise: Noise | None = None) -> Sequence[InputChanged]:
    """The raw edges of the first turns of a random game, with bounce and glitches unless `noise` says otherwise."""
    random = Random(seed)
    rules = Tamsk.from_settings({"level": level})
    score = random_score(rules, random, UNHURRIED, turns=turns)
    return tuple(edges(play(score, random, level=level, habits=UNHURRIED, noise=noise)))


def begun(level: int, *, with_display: bool = False) -> VirtualDaemon:
    """A daemon whose game has just begun."""
    daemon = VirtualDaemon.of_new_board(with_display=with_display)
    daemon.new_game(GameSetup(settings={"level": level}))
    return daemon


def restarted(daemon: VirtualDaemon) -> VirtualDaemon:
    """The next daemon on the same board, watch and store; what was not durable is lost."""
    notebook(daemon).lose()
    following = VirtualDaemon(daemon.watch, daemon.store, daemon.board)
    following.recover()
    return following


def notebook(daemon: VirtualDaemon) -> Notebook:
    """The daemon's journal in memory."""
    assert isinstance(daemon.store, Notebook)
    return daemon.store


def summarized(runner: Runner) -> Mapping[str, object]:
    """What the pages are told of the game that is shown."""
    return summary(runner.shown, runner.time_since(runner.shown_origin), runner.notices())


def live_game(runner: Runner) -> LiveGame:
    """The present game."""
    assert runner.live_game is not None
    return runner.live_game


def tamsk(game: Game | None) -> TamskGame:
    """The same game, which is one of TAMSK."""
    assert isinstance(game, TamskGame)
    return game


def let_pass(daemon: VirtualDaemon, seconds: float) -> None:
    """Let so many seconds pass."""
    daemon.pass_to(Instant(daemon.watch.now() + round(seconds * SECOND)))


def entries(daemon: VirtualDaemon, kind: EntryKind) -> list[Record]:
    """What the journal holds of one kind."""
    return [record for record in notebook(daemon).records if record.entry.kind is kind]


def sand(daemon: VirtualDaemon) -> list[int]:
    """Microseconds of sand in each glass, as everyone may see it now."""
    game, now = daemon.runner.shown, daemon.runner.now()
    assert game is not None
    when = game.game_time(now)
    return [glass.remaining(when) for glass in game.position_at(now).sands]
