"""A game that is put away waits in the journal, another is played meanwhile, and it is taken up as it stood."""

import asyncio

import pytest

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.records.bundles import bundle, difference
from gnomon.referee.events import Adjourned, ResultDeclared, Resumed, TurnEntered
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.runtime.controller import BoardController, ControllerError
from gnomon_pi.runtime.runner import RunnerError
from tests.virtual_daemon import Notebook, VirtualDaemon

ANN = "Ann"


def store_of(daemon: VirtualDaemon) -> Notebook:
    assert isinstance(daemon.store, Notebook)
    return daemon.store


def put_away() -> VirtualDaemon:
    """A game of level 2 with one turn, put away after ten seconds, and a second one that has been decided."""
    daemon = VirtualDaemon.of_new_board()
    daemon.new_game(GameSetup(settings={"level": 2}))
    daemon.pass_to(Instant(daemon.watch.now() + 5 * SECOND))
    daemon.runner.correct(TurnEntered(daemon.runner.now(), "D1-D2", ANN))
    daemon.pass_to(Instant(daemon.watch.now() + 5 * SECOND))
    daemon.runner.correct(Adjourned(daemon.runner.now(), ANN, "evening"))
    daemon.new_game(GameSetup(settings={"level": 1}))
    daemon.runner.correct(ResultDeclared(daemon.runner.now(), "red", "agreed", ANN))
    daemon.pass_to(Instant(daemon.watch.now() + 60 * SECOND))
    return daemon


def take_up(daemon: VirtualDaemon, number: int = 1) -> TamskGame:
    store = store_of(daemon)
    daemon.runner.resume(daemon.runner.bring_back(store.games[number - 1], store.read(number)))
    daemon.pass_to(Instant(daemon.watch.now() + SECOND))
    game = daemon.runner.shown
    assert isinstance(game, TamskGame)
    return game


def test_a_game_is_taken_up_with_the_sand_that_it_was_put_away_with() -> None:
    daemon = put_away()
    game = take_up(daemon)
    assert (game.rules.settings.level, [ply.text for ply in game.plies]) == (2, ["D1-D2"])
    assert game.adjourned
    assert game.position_at(daemon.runner.now()).sands[0].remaining(game.game_time(daemon.runner.now())) == 175 * SECOND
    daemon.runner.correct(Resumed(daemon.runner.now(), ANN))
    daemon.pass_to(Instant(daemon.watch.now() + 20 * SECOND))
    after = daemon.runner.shown
    assert isinstance(after, TamskGame)
    assert not after.adjourned
    now = after.game_time(daemon.runner.now())
    assert after.position_at(daemon.runner.now()).sands[0].remaining(now) == pytest.approx(
        155 * SECOND, abs=SECOND // 10
    )


def test_a_daemon_that_is_killed_goes_on_with_the_game_that_was_taken_up() -> None:
    daemon = put_away()
    take_up(daemon)
    again = VirtualDaemon(daemon.watch, daemon.store, daemon.board)
    again.recover()
    live_game = again.runner.live_game
    assert live_game is not None
    assert [ply.text for ply in live_game.game.plies] == ["D1-D2"]
    assert live_game.game.adjourned


def test_what_was_ruled_in_a_game_that_was_put_away_is_ruled_by_its_bundle_too() -> None:
    daemon = put_away()
    take_up(daemon)
    daemon.runner.correct(Resumed(daemon.runner.now(), ANN))
    daemon.runner.correct(TurnEntered(daemon.runner.now(), "A1-B2", ANN))
    store = store_of(daemon)
    for number in (1, 2):
        assert difference(bundle(store.games[number - 1], store.read(number)).trace) is None


def test_a_game_is_taken_up_only_when_the_board_is_free_for_it() -> None:
    daemon = put_away()
    store = store_of(daemon)
    with pytest.raises(RunnerError, match="Game 2 is already at the board"):
        daemon.runner.bring_back(store.games[1], store.read(2))
    take_up(daemon)
    with pytest.raises(RunnerError, match="Game 2 is over"):
        daemon.runner.bring_back(store.games[1], store.read(2))
    daemon.runner.correct(Resumed(daemon.runner.now(), ANN))
    with pytest.raises(RunnerError, match="not finished"):
        daemon.runner.bring_back(store.games[1], store.read(2))


def test_a_game_that_cannot_be_brought_back_stays_where_it_is() -> None:
    daemon = put_away()
    store = store_of(daemon)
    with pytest.raises(ControllerError, match="cannot be restored"):
        asyncio.run(BoardController(daemon.runner).take_up(store.games[0], [*store.read(1)[2:], *store.read(1)[2:]]))
    assert daemon.runner.may_begin
