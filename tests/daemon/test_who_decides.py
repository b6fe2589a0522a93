"""Games that measured durations or the players' eyes decide: started, written down, killed and brought back."""

import asyncio
from pathlib import Path

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import bundle, difference
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import StopDeclared
from gnomon.referee.rulings import GameOver, TurnLost, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.calibration import Measured
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi import config
from gnomon_pi.runtime.calibration import ENDS, GLASSES, keep, with_durations
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.autoplay import Playground
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.remote_control import RemoteControl
from tests.daemon.halves import UNHURRIED, live_game, notebook, restarted, tamsk
from tests.virtual_daemon import VirtualDaemon, play_virtual


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    """Every glass measured: 170 s (14 s) with its north end up, 190 s (16 s) with its south end up."""
    path = tmp_path / "calibration.toml"
    found = {}
    for glass in GLASSES:
        for up in ENDS.values():
            seconds = (14 if up else 16) if glass == "timer15" else 170 if up else 190
            mean = Duration(seconds * SECOND)
            found[glass, up] = Measured(mean, Duration(0), mean, mean, 3, "2026-11-20")
    keep(path, found)
    return path


def turned(daemon: VirtualDaemon) -> VirtualDaemon:
    """Red's first turn, at 1 s: the glass from D1 stands on D2 with its north end up."""
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    daemon.touch("D1.north", value=False)
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    daemon.touch("D2.south", value=True)
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    daemon.touch("D2.ring1", value=True)
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    return daemon


def test_a_killed_game_goes_on_by_its_measured_durations_without_their_file(calibration: Path) -> None:
    daemon = VirtualDaemon.of_new_board()
    settings = with_durations("tamsk", {"level": 2, "time": "calibrated"}, calibration)
    calibration.unlink()
    daemon.new_game(GameSetup(settings=settings))
    turned(daemon)
    following = restarted(daemon)
    game = tamsk(live_game(following.runner).game)
    began = game.position.sands[0].since
    assert game.position.sands[0].runs_out_at() == began + 170 * SECOND
    following.pass_to(Instant(following.watch.now() + 171 * SECOND))
    assert [ruling.at - began for ruling in following.rulings if ruling.kind == "stopped"] == [170 * SECOND]


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_by_hands_is_ruled_by_its_measured_durations(calibration: Path, seed: int) -> None:
    settings = with_durations("tamsk", {"level": 3, "time": "calibrated"}, calibration)
    played = play_virtual(settings, seed, habits=UNHURRIED)
    ruled = [ruling for ruling in played.rulings if isinstance(ruling, TurnRuled | TurnLost)]
    texts = [ruling.text if isinstance(ruling, TurnRuled) else "lost" for ruling in ruled]
    assert texts == [turn.text for turn in played.score]
    assert isinstance(played.rulings[-1], GameOver)


def test_the_dispute_bundle_of_such_a_game_gives_the_same_rulings(calibration: Path) -> None:
    daemon = VirtualDaemon.of_new_board()
    daemon.new_game(GameSetup(settings=with_durations("tamsk", {"level": 2, "time": "calibrated"}, calibration)))
    turned(daemon).pass_to(Instant(200 * SECOND))
    (stored,) = notebook(daemon).games
    made = bundle(stored, daemon.store.read(stored.id))
    assert difference(made.trace) is None
    assert "170/190" in str(made.header.settings["durations"])


def test_what_the_players_saw_survives_a_kill() -> None:
    daemon = VirtualDaemon.of_new_board()
    daemon.new_game(GameSetup(settings={"level": 2, "time": "sand"}))
    turned(daemon).pass_to(Instant(100 * SECOND))
    daemon.touch("button.black", value=True)
    daemon.pass_to(Instant(101 * SECOND))
    daemon.touch("button.black", value=False)
    daemon = restarted(daemon)
    assert tamsk(live_game(daemon.runner).game).question is not None
    daemon.pass_to(Instant(102 * SECOND))
    daemon.touch("button.red", value=True)
    daemon.pass_to(Instant(103 * SECOND))
    daemon.touch("button.red", value=False)
    daemon.pass_to(Instant(104 * SECOND))
    assert [ruling.kind for ruling in daemon.rulings][-2:] == ["declared", "stopped"]
    daemon = restarted(daemon)
    game = tamsk(live_game(daemon.runner).game)
    assert not game.position.sands[0].is_running(game.position.now)


# At the desk


def taken_away(path: Path) -> bytes:
    """The file is gone; gives what it held."""
    held = path.read_bytes()
    path.unlink()
    return held


def put_back(path: Path, held: bytes) -> None:
    """The file is there again."""
    path.write_bytes(held)


async def _controller(tmp_path: Path, calibration: Path) -> list[str]:
    said: list[str] = []
    watch, stop, ready = MachineWatch.of_this_boot(), asyncio.Event(), asyncio.Event()
    board = SimulatedBoard(config.load_bundled("tamsk"), now=watch.now, later=asyncio.get_running_loop().call_later)
    with Journal.open(tmp_path / "journal") as journal:
        playground = Playground(board)
        parts = Parts(watch, journal, board.drivers, board.description, playground)
        service = Service(parts, Orders(calibration=calibration))
        running = asyncio.create_task(service.run(stop, ready.set))
        await ready.wait()
        said += await _started(RemoteControl(service.controller, service.runner, playground), calibration)
        stop.set()
        await running
        stored = journal.last_game()
        said.append(str(stored.start.settings if stored else ""))
    board.close()
    return said


async def _started(remote: RemoteControl, calibration: Path) -> list[str]:
    said, controller = [], remote.controller
    kept = taken_away(calibration)
    try:
        await controller.new_game(GameSetup(settings={"level": 3, "time": "calibrated"}))
    except ControllerError as error:
        said.append(str(error))
    put_back(calibration, kept)
    await controller.new_game(GameSetup(settings={"level": 3, "time": "calibrated"}))
    game = controller.game()
    assert isinstance(game, TamskGame)
    said.append(str(game.rules.settings.durations[-1]))
    await controller.new_game(GameSetup(settings={"level": 2, "time": "sand"}), abandoned_by="a test")
    try:
        await remote.let_it_play(1)
    except ControllerError as error:
        said.append(str(error))
    try:
        await controller.correct(StopDeclared(Instant(0), "D1", "page"))
    except ControllerError as error:
        said.append(str(error))
    await controller.new_game(GameSetup(settings={"level": 3, "time": "calibrated"}), abandoned_by="a test")
    return said


def test_the_desk_takes_the_durations_from_the_file_and_says_what_is_missing(tmp_path: Path, calibration: Path) -> None:
    missing, durations, hands, refused, written = asyncio.run(_controller(tmp_path, calibration))
    assert missing.startswith("Time=calibrated needs every glass measured both ways")
    assert durations == str((16 * SECOND, 14 * SECOND))
    assert hands == "Simulated hands see no sand: only people can play with time=sand."
    assert refused == "Rule 12: a glass on D1 does not run, so it cannot be declared run out."
    assert "timer15:14/16" in written
