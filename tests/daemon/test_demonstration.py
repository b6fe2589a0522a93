"""The demonstration: begun over any game without losing one, never still for long, stopped, slower and faster."""

import asyncio
from collections.abc import Awaitable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from gnomon.records.journal import Journal
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import SECOND
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._demonstration import BoardDemonstration
from gnomon_pi.simulated.autoplay import PACES
from tests.daemon.halves import tamsk
from tests.daemon.test_opponent import until
from tests.daemon.test_service import SimulatedService, run


class Here:
    """The way into the daemon's loop for whoever is in it."""

    def __call__(self, work: Coroutine[Any, Any, Any]) -> Awaitable[Any]:
        return asyncio.create_task(work)


def demonstration(service: SimulatedService) -> BoardDemonstration:
    return BoardDemonstration(service.remote, Here())  # type: ignore[arg-type]  # the loop is the same


@pytest.mark.parametrize("pace", ["usual", "fast"])
def test_hands_never_stand_still_for_long(pace: str) -> None:
    habits = PACES[pace].habits
    assert habits.think.high + habits.carry.high <= 8 * SECOND
    assert habits.loses_turn == 0.0
    assert PACES[pace].table.think.high <= 5 * SECOND


def test_somebody_s_game_is_put_away_and_the_shown_one_is_gone_on_with(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        shown, controller = demonstration(service), service.controller
        first = controller.snapshot().number
        await shown.start()
        assert shown.is_on
        second = controller.snapshot().number
        assert second > first
        assert tamsk(controller.game()).rules.settings.level == 2
        await shown.set_pace("fast")
        with pytest.raises(ControllerError, match="no pace"):
            await shown.set_pace("headlong")
        await shown.stop()
        await service.remote.playground.hands_gone()
        await shown.stop()  # there is nothing more to stop
        assert (shown.is_on, shown.pace) == (False, "fast")
        assert tamsk(controller.game()).adjourned
        assert tamsk(controller.game()).paused_at is not None
        await shown.start()
        await shown.start()  # it plays already
        assert controller.snapshot().number == second
        assert tamsk(controller.game()).paused_at is None

    run(tmp_path, Orders(GameSetup(settings={"level": 1})), show)
    with Journal.open(tmp_path / "journal") as journal:
        first, second = journal.games()
        said = [str(record.entry.body) for record in journal.read(first.id)]
    assert (first.ended, second.ended) == (None, None)
    assert any("the demonstration" in each for each in said[-2:])


@pytest.mark.parametrize("is_paired", [True, False])
def test_a_tournament_s_game_is_never_put_away_for_it(tmp_path: Path, *, is_paired: bool) -> None:
    async def show(service: SimulatedService) -> None:
        controller = service.controller
        if is_paired:
            controller.know_pairing(controller.snapshot().number)
        number = controller.snapshot().number
        with pytest.raises(ControllerError) as refused:
            await demonstration(service).start()
        assert refused.value.statement.key == "told.demo.tournament"
        assert controller.snapshot().number == number
        assert not tamsk(controller.game()).adjourned
        assert not controller.is_demonstrated

    run(tmp_path, Orders(GameSetup(settings={"level": 1}), is_tournament=not is_paired), show)


def test_after_it_was_stopped_a_new_game_begins_without_anybody_giving_one_up(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        shown, controller = demonstration(service), service.controller
        await shown.start()
        await shown.stop()
        await service.remote.playground.hands_gone()
        await controller.new_game(GameSetup(settings={"level": 3}))
        assert tamsk(controller.game()).rules.settings.level == 3

    run(tmp_path, Orders(), show)


@pytest.mark.parametrize("board", ["tamsk", "tayu", "table"])
def test_engines_play_and_hands_make_their_turns(tmp_path: Path, board: str) -> None:
    async def show(service: SimulatedService) -> None:
        shown = demonstration(service)
        await shown.start()
        told = await until(service, lambda game: len([ply for ply in game.plies if ply.player != NATURE]) > 2)
        assert {person.name for person in told.people} == {"Gnomon 3"}
        assert not [ruling for ruling in told.rulings if ruling.kind in {"illegal", "corrected"}]
        assert service.health.sentences() == ()
        await shown.stop()

    run(tmp_path, Orders(), show, board)
    with Journal.open(tmp_path / "journal") as journal:
        events = [record.entry.body for record in journal.read(1)]
    announced = [body["text"] for body in events if body.get("event") == "move_announced"]
    assert len(announced) > 2


def test_hands_show_a_game_of_two_engines_that_was_chosen(tmp_path: Path) -> None:
    settings = {"size": 4, "opponent": "1", "opponent_plays": "all", "second_opponent": "2"}

    async def look(service: SimulatedService) -> None:
        game = await until(service, lambda game: len(game.plies) >= 3)
        assert dict(game.people) == {"black": "Gnomon 1", "white": "Gnomon 2"}

    run(tmp_path, Orders(GameSetup("tabik", settings)), look, "table", play=7)
    with Journal.open(tmp_path / "journal") as journal:
        events = [each.entry.body.get("event") for each in journal.read(1)]
    assert events.count("move_announced") >= 3
