"""The demonstration: begun over any game without losing one, never still for long, stopped, slower and faster."""

import asyncio
from collections.abc import Awaitable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Adjourned
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import SECOND
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._demonstration import BoardDemonstration
from gnomon_pi.simulated.autoplay import HURRIED, PACES, AutoplayPace
from gnomon_pi.simulated.players.player_timing import RandomSpan
from tests.daemon.halves import tamsk
from tests.daemon.test_opponent import present, until
from tests.daemon.test_service import SimulatedService, run

FINISHED: Final = 0.5  # seconds after which hands have finished what they had just begun


class Here:
    """The way into the daemon's loop for a caller that is already in it."""

    def __call__(self, work: Coroutine[Any, Any, Any]) -> Awaitable[Any]:
        return asyncio.create_task(work)


def state_of_board(service: SimulatedService) -> object:
    """Everything that lies on the board."""
    playground = service.remote.playground
    return playground.surface if playground.table is None else playground.table


def hands_of(service: SimulatedService) -> tuple[int, ...]:
    """The glasses in hands."""
    table = service.remote.playground.table
    return () if table is None else table.in_hand


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
    assert any("who': 'Gnomon" in each for each in said[-2:])


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


@pytest.mark.parametrize("board", ["tamsk", "tayu", "table"])
def test_in_a_pause_no_hand_moves_and_time_stands_still(tmp_path: Path, board: str) -> None:
    async def show(service: SimulatedService) -> None:
        shown, controller = demonstration(service), service.controller
        await shown.start()
        await until(service, lambda game: bool(game.plies))
        await shown.pause()
        await shown.pause()  # it rests already
        await asyncio.sleep(FINISHED)
        paused = present(service)
        stands = paused.paused_at, state_of_board(service), paused.game_time(controller.now())
        assert stands[0] is not None
        await asyncio.sleep(10 * HURRIED.look)
        later = present(service)
        assert (later.paused_at, state_of_board(service), later.game_time(controller.now())) == stands
        assert (len(later.plies), shown.is_on) == (len(paused.plies), True)
        await shown.go_on()
        await shown.go_on()
        told = await until(service, lambda game: len(game.plies) > len(paused.plies) + 1)
        assert not [ruling for ruling in told.rulings if ruling.kind == "illegal"]
        await shown.stop()

    run(tmp_path, Orders(), show, board)


def test_a_glass_in_the_hand_stays_there_in_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    soon = RandomSpan(0, 1)
    while_carrying = RandomSpan(SECOND // 2, SECOND // 2 + 1)
    monkeypatch.setitem(PACES, "fast", AutoplayPace(replace(HURRIED.habits, carry=while_carrying, think=soon)))

    async def show(service: SimulatedService) -> None:
        service.remote.set_pace("fast")
        await service.remote.let_it_play(3, GameSetup(settings={"level": 1, "opponent": "none"}))
        ruled_or_lifted = asyncio.Event()
        service.runner.on_change(ruled_or_lifted.set)
        while not hands_of(service):
            ruled_or_lifted.clear()
            await ruled_or_lifted.wait()
        await service.remote.pause()
        held = hands_of(service)
        await asyncio.sleep(1)
        assert (hands_of(service), held) == (held, held)
        assert held
        await service.remote.go_on()
        told = await until(service, lambda game: len(game.plies) > 1)
        assert not [ruling for ruling in told.rulings if ruling.kind == "illegal"]

    run(tmp_path, Orders(), show)


def test_hands_let_go_of_a_game_that_is_put_away_in_a_pause(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        shown, controller = demonstration(service), service.controller
        await shown.start()
        await until(service, lambda game: bool(game.plies))
        await shown.pause()
        await controller.correct(Adjourned(controller.now(), "arbiter"))
        await service.remote.playground.hands_gone()
        assert not controller.is_demonstrated
        for act in (service.remote.pause, service.remote.go_on):
            with pytest.raises(ControllerError, match="No hands are playing"):
                await act()

    run(tmp_path, Orders(), show)


@pytest.mark.parametrize(
    ("board", "asked", "wanted", "who"),
    [
        ("tamsk", {}, {"level": 2, "opponent": "3", "opponent_plays": "all"}, {"Gnomon 3"}),
        ("tamsk", {"level": 3}, {"level": 3, "opponent": "3", "opponent_plays": "all"}, {"Gnomon 3"}),
        ("tamsk", {"opponent": "none"}, {"level": 2, "opponent": "none"}, set()),
        ("tayu", {"opponent": "2"}, {"opponent": "2"}, {"Gnomon 2"}),
    ],
)
def test_engines_play_unless_somebody_says_who_does(
    tmp_path: Path, board: str, asked: dict[str, object], wanted: dict[str, object], who: set[str]
) -> None:
    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3, GameSetup(settings=asked))
        told = await until(service, lambda game: bool(game.plies))
        assert {person.name for person in told.people} == who

    run(tmp_path, Orders(), show, board)
    with Journal.open(tmp_path / "journal") as journal:
        stored = journal.last_game()
    assert stored is not None
    assert stored.start.settings == wanted


def test_a_clock_alone_has_no_engine(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3, GameSetup("clock", {"clock": "5"}))
        assert present(service).opponent is None

    run(tmp_path, Orders(), show, "table", "clock")


def test_an_exhibition_from_before_a_restart_is_gone_on_with(tmp_path: Path) -> None:
    async def begin(service: SimulatedService) -> None:
        await demonstration(service).start()
        await until(service, lambda game: bool(game.plies))

    async def go_on(service: SimulatedService) -> None:
        before = len(present(service).plies)
        assert before
        await demonstration(service).start()
        await until(service, lambda game: len(game.plies) > before)

    run(tmp_path, Orders(), begin)
    run(tmp_path, Orders(), go_on)
    with Journal.open(tmp_path / "journal") as journal:
        assert len(journal.games()) == 1


def test_hands_show_a_game_of_two_engines_that_was_chosen(tmp_path: Path) -> None:
    settings = {"size": 4, "opponent": "1", "opponent_plays": "all", "second_opponent": "2"}

    async def look(service: SimulatedService) -> None:
        game = await until(service, lambda game: len(game.plies) >= 3)
        assert dict(game.people) == {"black": "Gnomon 1", "white": "Gnomon 2"}

    run(tmp_path, Orders(GameSetup("tabik", settings)), look, "table", play=7)
    with Journal.open(tmp_path / "journal") as journal:
        events = [each.entry.body.get("event") for each in journal.read(1)]
    assert events.count("move_announced") >= 3
