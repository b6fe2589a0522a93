"""Whole games on the board with expanders, in virtual time: the same hands, the same rulings as on the chain."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from gnomon.games.tamsk.rules import Tamsk
from gnomon.records.journal.entries import EntryKind
from gnomon.referee.rulings import Ruling, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Instant
from gnomon_pi.config import load_bundled
from gnomon_pi.config.description import BoardDescription, Expanders
from gnomon_pi.simulated._virtual_watch import VirtualWatch
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.players.game_script import random_score
from gnomon_pi.simulated.players.hands import edges, play
from gnomon_pi.simulated.players.player_timing import Habits
from tests.daemon.halves import entries, let_pass
from tests.daemon.test_runner import take_a_turn
from tests.virtual_daemon import WATCHED_ON, Notebook, VirtualDaemon

EXPANDERS = load_bundled("tamsk", variant="expanders")


def daemon_on(description: BoardDescription) -> VirtualDaemon:
    watch = VirtualWatch()
    return VirtualDaemon(watch, Notebook(), SimulatedBoard(description, now=watch.now, later=watch.later))


def played(description: BoardDescription, level: int, seed: int, habits: Habits | None = None) -> Sequence[Ruling]:
    """The rulings of a game by hands that bounce, hesitate and cut it fine."""
    random = Random(seed)
    score = random_score(Tamsk.from_settings({"level": level}), random, habits)
    daemon = daemon_on(description)
    daemon.new_game(GameSetup(settings={"level": level}))
    daemon.play(edges(play(score, random, level=level, habits=habits)))
    daemon.pass_to(Instant(max(daemon.watch.now(), score[-1].at) + WATCHED_ON))
    daemon.wait_for_the_end()
    assert daemon.health.sentences() == ()
    return daemon.rulings


@pytest.mark.untraced
@pytest.mark.parametrize(("level", "seed"), [(1, 3), (2, 5), (3, 5)])
def test_a_game_on_expanders_is_ruled_as_on_the_chain(level: int, seed: int) -> None:
    rulings = played(EXPANDERS, level, seed)
    assert rulings == played(load_bundled("tamsk"), level, seed)
    assert len([ruling for ruling in rulings if isinstance(ruling, TurnRuled)]) > 20


@pytest.mark.untraced
def test_so_it_is_without_an_interrupt_line() -> None:
    assert isinstance(EXPANDERS.sensors, Expanders)
    polled = replace(EXPANDERS, sensors=replace(EXPANDERS.sensors, interrupt=None))
    assert played(polled, 3, 8) == played(load_bundled("tamsk"), 3, 8)


def texts(daemon: VirtualDaemon) -> list[str]:
    return [ruling.text for ruling in daemon.rulings if isinstance(ruling, TurnRuled)]


def test_a_lost_chip_lifts_no_glass_and_what_it_missed_is_ruled_when_it_is_back() -> None:
    daemon = daemon_on(EXPANDERS)
    daemon.new_game(GameSetup(settings={"level": 1}))
    let_pass(daemon, 1)
    sensors = daemon.board.drivers.sensors
    assert sensors is not None
    for chip in range(9):
        daemon.board.break_sensors(chip)
    daemon.look()
    let_pass(daemon, 1)
    blind_from = daemon.watch.now()
    take_a_turn(daemon)
    let_pass(daemon, 2)
    assert entries(daemon, EntryKind.RAW) == []
    assert len(sensors.health()) == 5  # bus 4, and four of the five chips of bus 6
    daemon.board.mend()
    daemon.look()
    let_pass(daemon, 1)
    daemon.look()
    let_pass(daemon, 1)
    assert texts(daemon) == ["D1-D2"]
    assert sensors.health() == ()
    uncertainties = {record.entry.at: record.entry.body["uncertainty_us"] for record in entries(daemon, EntryKind.RAW)}
    for at, uncertainty in uncertainties.items():
        assert isinstance(uncertainty, int)
        assert at - uncertainty <= blind_from  # all that time is granted


def test_a_brown_out_of_every_chip_changes_nothing_on_the_board() -> None:
    daemon = daemon_on(EXPANDERS)
    daemon.new_game(GameSetup(settings={"level": 1}))
    let_pass(daemon, 1)
    for chip in range(10):
        daemon.board.brown_out_sensors(chip)
    for _ in range(30):
        daemon.look()
        let_pass(daemon, 0.25)
    assert entries(daemon, EntryKind.RAW) == []
    take_a_turn(daemon)
    let_pass(daemon, 2)
    assert texts(daemon) == ["D1-D2"]


def test_a_stuck_input_of_an_expander_reads_the_same_until_it_is_mended() -> None:
    daemon = daemon_on(EXPANDERS)
    board, sensors = daemon.board, daemon.board.drivers.sensors
    assert sensors is not None
    bit = 1 << board.description.inputs.index("D1.north")
    for stuck in (True, False):
        board.break_input("D1.north", stuck)
        board.set_input("D1.north", not stuck)
        assert bool(sensors.scan() & bit) is stuck
        assert board.inputs()["D1.north"] is not stuck
    board.mend()
    board.set_input("D1.north", True)
    assert sensors.scan() & bit
    with pytest.raises(KeyError, match="D8"):
        board.set_input("D8.north", True)
    board.close()
