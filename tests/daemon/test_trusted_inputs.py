"""An input that is believed again shows what the board shows, whatever it did while it was not believed."""

from typing import NamedTuple

import pytest

from gnomon.referee.events import InputTrusted
from gnomon.referee.setup import GameSetup
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from tests.daemon.halves import let_pass, live_game, restarted
from tests.virtual_daemon import Notebook, VirtualDaemon, virtual_board


class Wired(NamedTuple):
    """A board, how it is wired, and what is played on it."""

    board: str
    variant: str
    game: str
    settings: dict[str, object]

    def begun(self) -> VirtualDaemon:
        """A daemon whose game has just begun."""
        watch = VirtualWatch()
        daemon = VirtualDaemon(watch, Notebook(), virtual_board(watch, self.board, variant=self.variant))
        daemon.new_game(GameSetup(self.game, self.settings))
        let_pass(daemon, 1)
        return daemon


BOARDS = {
    "tamsk": Wired("tamsk", "", "tamsk", {"level": 3}),
    "tamsk-expanders": Wired("tamsk", "expanders", "tamsk", {"level": 1}),
    "tayu": Wired("tayu", "", "tayu", {}),
    "table-clock": Wired("table", "clock", "tabik", {"clock": "5+3"}),
}


AT_ONCE = 40


def inputs(daemon: VirtualDaemon) -> list[str]:
    """The inputs of which the game hears."""
    return sorted(name for name in daemon.board.inputs() if name in daemon.host.sampled or name in daemon.host.buttons)


def picture(daemon: VirtualDaemon) -> dict[str, bool]:
    """What the referee takes the board to show."""
    shown = live_game(daemon.runner).game.shown
    return {name: name in shown for name in inputs(daemon)}


def board(daemon: VirtualDaemon) -> dict[str, bool]:
    """What the board shows."""
    levels = daemon.board.inputs()
    return {name: bool(levels[name]) for name in inputs(daemon)}


def quarantined(daemon: VirtualDaemon) -> tuple[str, ...]:
    """The inputs that are not believed."""
    return live_game(daemon.runner).game.quarantined


def shaken(daemon: VirtualDaemon) -> None:
    """Let every input chatter until none is believed, so many at a time, and come back to where it was."""
    before = board(daemon)
    names = sorted(before, key=lambda name: (name in daemon.host.sampled, name))
    for first in range(0, len(names), AT_ONCE):
        some = names[first : first + AT_ONCE]
        level = False
        while left := [name for name in some if name not in quarantined(daemon)]:
            level = not level
            for name in left:
                daemon.touch(name, value=level != before[name])
            let_pass(daemon, 0.03)
        for name in some:
            daemon.touch(name, value=before[name])
    let_pass(daemon, 0.5)


def away(daemon: VirtualDaemon) -> VirtualDaemon:
    """The next daemon after one that was killed; what changes meanwhile, it sees at its start."""
    following = restarted(daemon)
    let_pass(following, 1)
    return following


@pytest.mark.parametrize("is_killed", [False, True], ids=["", "while the daemon is away"])
@pytest.mark.parametrize("wired", BOARDS.values(), ids=BOARDS)
def test_an_input_that_is_trusted_again_shows_what_the_board_shows(wired: Wired, is_killed: bool) -> None:
    daemon = wired.begun()
    assert picture(daemon) == board(daemon)
    before = board(daemon)
    names = list(before)
    shaken(daemon)
    assert len(quarantined(daemon)) > len(names) // 2  # some may be believed again by themselves
    for name in names:
        if is_killed:
            daemon.board.set_input(name, not before[name])
        else:
            daemon.touch(name, value=not before[name])
    daemon = away(daemon) if is_killed else daemon
    let_pass(daemon, 4)  # the chatter is forgotten by then
    for name in names:
        if name in quarantined(daemon):  # it may be believed again by itself
            daemon.runner.correct(InputTrusted(daemon.runner.now(), name, "arbiter"))
        assert (name in live_game(daemon.runner).game.shown) is not before[name], name
    assert quarantined(daemon) == ()
    assert picture(daemon) == board(daemon)
    for name in names:
        daemon.touch(name, value=before[name])
    let_pass(daemon, 2)
    believed = set(names).difference(quarantined(daemon))
    assert {name: picture(daemon)[name] for name in believed} == {name: board(daemon)[name] for name in believed}
