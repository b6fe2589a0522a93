"""What may happen to a game against an engine at the worst moment: kills, spam, corrections, and engines that hang."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Adjourned, DrawOffered, Resumed, RingsSet, TurnsVoided
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Orders
from tests.daemon.test_opponent import LIAR, announced, plug_in, present, until
from tests.daemon.test_opponent_in_sand import Evening
from tests.daemon.test_service import SimulatedService, run

SLOW = Orders(GameSetup("tabik", {"size": 8, "opponent": "13"}))  # it thinks for seconds
HANGS = LIAR.replace("bestmove z9z8", "info depth 1")


async def thinks(service: SimulatedService) -> int:
    """Make a turn, and wait until the engine thinks; the number of its process."""
    await service.controller.enter("a1b1")
    for _ in range(2_000):
        process = None if service._engine is None else service._engine._process
        if process is not None and process[1]._lines is not None and process[1]._is_thinking:
            return process[1]._lines.pid
        await asyncio.sleep(0.005)
    raise AssertionError


def test_an_engine_that_is_killed_while_it_thinks_is_started_again_and_plays(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        os.kill(await thinks(service), signal.SIGKILL)
        await announced(service)
        assert present(service).opponent is not None
        assert any("started once more" in each or "again" in each for each in service.health.sentences())

    run(tmp_path, Orders(GameSetup("tabik", {"size": 8, "opponent": "12"})), play, "table")


def test_a_daemon_that_ends_while_the_engine_thinks_asks_it_again(tmp_path: Path) -> None:
    async def end(service: SimulatedService) -> None:
        await thinks(service)

    async def go_on(service: SimulatedService) -> None:
        assert len(present(service).plies) == 1
        await service.controller.correct(TurnsVoided(Instant(0), 1, give_back=True, who="Ann"))
        assert present(service).plies == ()

    run(tmp_path, SLOW, end, "table")
    run(tmp_path, Orders(), go_on, "table")


def test_a_game_that_is_adjourned_while_the_engine_thinks_is_not_answered_before_it_goes_on(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await thinks(service)
        await service.controller.correct(Adjourned(Instant(0), "Ann"))
        await asyncio.sleep(1)
        assert present(service).announced is None
        await service.controller.correct(Resumed(Instant(0), "Ann"))
        await announced(service)

    run(tmp_path, Orders(GameSetup("tabik", {"size": 8, "opponent": "12"})), play, "table")


def test_what_two_devices_confirm_and_throw_at_once_is_done_once(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        board = service.controller
        for _ in range(6):
            game = present(service)
            count = len(game.plies)
            if game.is_natures:
                ruled = await asyncio.gather(*(board.throw(count) for _ in range(3)))
            else:
                text = (await announced(service)).text if is_engines_turn(game) else game.texts()[0]
                ruled = await asyncio.gather(*(board.enter(text, after=count) for _ in range(3)))
            assert len(present(service).plies) == count + 1
            assert [bool(each) for each in ruled] == [True, False, False]

    run(tmp_path, Orders(GameSetup("twenty-squares", {"opponent": "1"})), play, "table")


def test_spam_of_hints_and_take_backs_leaves_one_answer_each_and_a_game_that_goes_on(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        board = service.controller
        answers = await asyncio.gather(*(board.advise() for _ in range(20)), return_exceptions=True)
        assert sum(isinstance(each, str) for each in answers) == 1
        assert all(isinstance(each, str | ControllerError) for each in answers)
        await board.enter("a1b1")
        backs = (board.correct(TurnsVoided(Instant(0), 1, give_back=True, who="Ann")) for _ in range(20))
        ruled = await asyncio.gather(*backs, return_exceptions=True)
        assert sum(not isinstance(each, BaseException) for each in ruled) == 1
        assert all(not isinstance(each, BaseException) or isinstance(each, ControllerError) for each in ruled)
        for _ in range(3):
            await board.enter("a1b1")
            await board.correct(TurnsVoided(Instant(0), 1, give_back=True, who="Ann"))
        await board.enter("c1d1")
        told = await announced(service)
        await board.enter(told.text)
        assert [ply.text for ply in present(service).plies] == ["c1d1", told.text]
        assert not service.health.sentences()

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4, "opponent": "2"})), play, "table")


def test_spam_of_offers_is_refused_and_one_is_answered(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        offers = (service.controller.correct(DrawOffered(Instant(0), "black", "Ann")) for _ in range(20))
        ruled = await asyncio.gather(*offers, return_exceptions=True)
        assert sum(not isinstance(each, BaseException) for each in ruled) == 1
        await until(service, lambda game: game.draw is not None and game.draw.answered is not None)
        if present(service).outcome is None:
            with pytest.raises(ControllerError, match="Make a turn before"):
                await service.controller.correct(DrawOffered(Instant(0), "black", "Ann"))

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4, "opponent": "5"})), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        events = [each.entry.body.get("event") for each in journal.read(1)]
    assert events.count("draw_answered") == 1


def test_an_offer_outlives_a_restart_and_is_answered_after_it(tmp_path: Path) -> None:
    async def offer(service: SimulatedService) -> None:
        await service.controller.correct(DrawOffered(Instant(0), "black", "Ann"))

    async def go_on(service: SimulatedService) -> None:
        await until(service, lambda game: game.draw is not None and game.draw.answered is not None)

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4, "opponent": "5"})), offer, "table")
    run(tmp_path, Orders(), go_on, "table")


def test_an_engine_that_hangs_declines_a_draw_and_people_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug_in(tmp_path, monkeypatch, HANGS)

    async def play(service: SimulatedService) -> None:
        await service.controller.correct(DrawOffered(Instant(0), "black", "Ann"))
        game = await until(service, lambda game: game.draw is not None and game.draw.answered is not None)
        assert game.outcome is None
        await service.controller.enter("a1b1")
        await until(service, lambda game: game.opponent is None)

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4, "opponent": "odd"})), play, "table")


def test_a_coach_that_is_killed_warns_nobody_and_holds_up_nothing(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        for text in ("a1b1", "c1d1", "e1f1"):
            process = None if service._coach is None else service._coach._process
            if process is not None and process[1]._lines is not None:
                os.kill(process[1]._lines.pid, signal.SIGKILL)
            await service.controller.enter(text)
            await asyncio.sleep(0.3)
        assert len(present(service).plies) == 3

    run(tmp_path, Orders(GameSetup("tabik", {"warnings": "on"})), play, "table")


# In virtual time, on the board of TAMSK


def test_what_the_engine_found_before_an_arbiters_correction_is_not_announced() -> None:
    evening = Evening.begin(1)
    before = evening.engine.asked[-1]
    evening.daemon.runner.correct(RingsSet(evening.daemon.runner.now(), "D2", 0, "red", "arbiter"))
    evening.wait(1)
    evening.player.answer(before, "A1-B2")
    assert evening.announced() == ""
    assert evening.engine.asked[-1] is not before


def test_an_offer_of_a_draw_does_not_disturb_an_engine_that_thinks() -> None:
    evening = Evening.begin(2)
    asked = len(evening.engine.asked)
    evening.daemon.runner.correct(DrawOffered(evening.daemon.runner.now(), "red", "Ann"))
    evening.wait(1)
    assert len(evening.engine.asked) == asked
    evening.answer()
    assert evening.announced() == "A1-B2"
    evening.wait(6)
    assert [ply.text for ply in evening.game.plies][-1] == "A1-B2"
    assert evening.game.draw is not None
    assert not evening.game.draw.is_open  # the engine has played on
    assert evening.game.game_time(evening.daemon.runner.now()) > 6 * SECOND


def test_an_answer_that_comes_while_the_arbiters_button_has_stopped_the_game_waits_until_it_goes_on() -> None:
    evening = Evening.begin(1)
    evening.daemon.touch("button.arbiter", value=True)
    evening.wait(0.2)
    evening.daemon.touch("button.arbiter", value=False)
    evening.wait(0.5)
    assert evening.game.paused_at is not None
    evening.answer()
    evening.wait(1)
    assert evening.game.opponent is not None
    assert evening.announced() == ""
    evening.daemon.touch("button.arbiter", value=True)
    evening.wait(0.2)
    evening.daemon.touch("button.arbiter", value=False)
    evening.wait(0.5)
    assert evening.announced() == "A1-B2"
