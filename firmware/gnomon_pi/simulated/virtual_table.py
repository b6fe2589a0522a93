"""Play whole table games in virtual time with simulated hands, and Tayu on its sensed board."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import assert_never

from gnomon.referee.events import InputChanged, TurnEntered
from gnomon.referee.rulings import Ruling
from gnomon.referee.tamsk_game import TamskGame
from gnomon.timekeeping.instants import Instant, after
from gnomon_pi.config.description import TABLE
from gnomon_pi.runtime.journal_writer import EventStore
from gnomon_pi.simulated.players.input_actions import CodeRead, Deed
from gnomon_pi.simulated.players.table_hands import Handled, Manner, Meant, play_at_a_table
from gnomon_pi.simulated.virtual import WATCHED_ON, Notebook, VirtualDaemon, VirtualWatch, virtual_board


@dataclass(frozen=True, slots=True)
class PlayedAtATable:
    """A game that was played in virtual time: what the hands meant, and the daemon as it is after it."""

    score: Sequence[Meant]
    daemon: VirtualDaemon

    @property
    def rulings(self) -> Sequence[Ruling]:
        """Everything that was shown to have been ruled, in order."""
        return self.daemon.rulings


def play_virtual_at_a_table(  # noqa: PLR0913 - each is a choice of its own, and all but three have a default
    game: str,
    settings: Mapping[str, object],
    seed: int,
    *,
    board: str = TABLE,
    size: int | None = None,
    manner: Manner | None = None,
    store: EventStore | None = None,
    with_display: bool = False,
) -> PlayedAtATable:
    """Play a game by hands on a simulated board; the same seed gives the same journal. Raises RunnerError."""
    watch = VirtualWatch()
    there = virtual_board(watch, board, size)
    daemon = VirtualDaemon(watch, Notebook() if store is None else store, there, with_display=with_display)
    daemon.new_game(settings, game=game)
    handled = hands_at(daemon, seed, manner)
    do_all(daemon, handled.deeds)
    daemon.pass_to(after(daemon.watch.now(), WATCHED_ON))
    return PlayedAtATable(handled.score, daemon)


def hands_at(daemon: VirtualDaemon, seed: int, manner: Manner | None = None) -> Handled:
    """What hands do from the present position to the end of the game. Raises ValueError when no such game goes on."""
    sitting = daemon.runner.sitting
    if sitting is None or isinstance(sitting.game, TamskGame):
        message = "no game at a table goes on"
        raise ValueError(message)
    return play_at_a_table(sitting.game, Random(seed), daemon.runner.now(), manner)


def do_all(daemon: VirtualDaemon, deeds: Iterable[Deed]) -> None:
    """Do what hands do, each deed at its board time. Raises RunnerError for a turn that cannot be entered."""
    for deed in deeds:
        origin = daemon.runner.sitting.origin if daemon.runner.sitting is not None else 0
        daemon.pass_to(Instant(origin + deed.at))
        match deed:
            case InputChanged():
                daemon.touch(deed.input, value=deed.value)
            case TurnEntered():
                daemon.runner.correct(deed)
            case CodeRead():
                daemon.board.read_code(deed.code)
            case _:
                assert_never(deed)
