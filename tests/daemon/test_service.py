"""The running daemon in its own loop, on a simulated board, in real time: it waits for events and never sleeps."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from threading import Event

import pytest

from gnomon.records.journal.writer import Journal
from gnomon.referee.events import Paused, Resumed
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import Ruling, TurnRuled
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Instant
from gnomon_pi import config
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers._lights import Lights
from gnomon_pi.drivers.protocols import DriverError
from gnomon_pi.runtime import service as running_service
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.json_stream import Announcer
from gnomon_pi.runtime.recovery import RecoveryError
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.runtime.system.threads import BackgroundDisplay, CriticalThread
from gnomon_pi.simulated._table import ImpossibleActError, TableAct, Verb
from gnomon_pi.simulated.autoplay import HURRIED, Playground
from gnomon_pi.simulated.board import SimulatedBoard
from gnomon_pi.simulated.remote_control import RemoteControl
from tests.daemon.halves import tamsk

LEVEL_1 = Orders(GameSetup(settings={"level": 1}))


class SimulatedService(Service):
    """A service on a simulated board, and the remote control of that board."""

    def __init__(self, parts: Parts, orders: Orders, playground: Playground) -> None:
        super().__init__(parts, orders)
        self.remote = RemoteControl(self.controller, self.runner, playground)


Scenario = Callable[[SimulatedService], Awaitable[None]]


def run(  # noqa: PLR0913 - what is run, and how
    tmp_path: Path,
    orders: Orders,
    scenario: Scenario,
    name: str = "tamsk",
    variant: str = "",
    *,
    play: int | None = None,
) -> SimulatedBoard:
    """Run a service, then the scenario in its loop, then stop it in order; gives the board as it was left.

    By chance from the seed `play` hands play by themselves.
    """
    return asyncio.run(_run(tmp_path, orders, scenario, config.load_bundled(name, variant=variant), play))


async def _run(
    tmp_path: Path, orders: Orders, scenario: Scenario, described: BoardDescription, play: int | None
) -> SimulatedBoard:
    watch, stop = MachineWatch.of_this_boot(), asyncio.Event()
    board = SimulatedBoard(described, now=watch.now, later=asyncio.get_running_loop().call_later)
    with Journal.open(tmp_path / "journal") as journal:
        playground = Playground(board, HURRIED)
        parts = Parts(watch, journal, board.drivers, board.description, playground)
        service = SimulatedService(parts, orders, playground)
        ready = asyncio.Event()

        async def begin() -> None:
            if play is not None:
                await service.remote.let_it_play(play, orders.setup)

        running = asyncio.create_task(service.run(stop, ready.set, begin=begin))

        async def act() -> None:
            await ready.wait()
            await scenario(service)

        acting = asyncio.create_task(act())
        await asyncio.wait({running, acting}, return_when=asyncio.FIRST_COMPLETED)
        stop.set()
        try:
            await asyncio.wait_for(running, 30)  # if it has failed, that comes first
            await acting
        finally:
            acting.cancel()
            board.close()
    return board


def rulings_of(service: SimulatedService) -> "asyncio.Queue[Ruling]":
    """Everything that will be ruled from now on."""
    queue: asyncio.Queue[Ruling] = asyncio.Queue()
    service.runner.on_ruling(queue.put_nowait)
    return queue


async def nothing(_service: Service) -> None:
    """Stop at once."""


async def for_ever(_service: Service) -> None:
    """Never stop."""
    await asyncio.Event().wait()


def test_it_starts_the_game_that_it_was_ordered_to(tmp_path: Path) -> None:
    async def look(service: SimulatedService) -> None:
        assert tamsk(service.controller.game()).rules.settings.level == 3

    run(tmp_path, Orders(GameSetup(settings={"level": 3}, temperament=Temperament.COACH)), look)
    with Journal.open(tmp_path / "journal") as journal:
        stored = journal.last_game()
    assert stored is not None
    assert (stored.start.settings, stored.start.temperament) == ({"level": 3}, "coach")


def test_a_board_in_software_does_not_complain_of_a_busy_computer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gnomon_pi.runtime.scanner.WINDOW", 1)
    monkeypatch.setattr("gnomon_pi.runtime.scanner.TOLERATED", -1)  # every scan is said to be late

    async def move(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        service.remote.playground.act(TableAct(Verb.LIFT, "D1"))
        service.remote.playground.act(TableAct(Verb.PLACE, "D2"))
        service.remote.playground.act(TableAct(Verb.DROP_RING, "D2", "red"))
        assert (await ruled.get()).kind == "turn"
        assert service.health.sentences() == ()

    run(tmp_path, LEVEL_1, move)


def start(
    tmp_path: Path,
    orders: Orders,
    *,
    fault: Exception | None = None,
    begin: Callable[[], Awaitable[None]] | None = None,
    told_after: float | None = None,
) -> list[str]:
    """Start a service whose lights fail so, and stop it after a while; what it said of its start.

    A start that hangs fails the test by TimeoutError.
    """
    said: list[str] = []

    async def go() -> None:
        watch, stop, loop = MachineWatch.of_this_boot(), asyncio.Event(), asyncio.get_running_loop()
        board = SimulatedBoard(config.load_bundled("tamsk"), now=watch.now, later=loop.call_later)
        drivers = board.drivers if fault is None else board.drivers._replace(lights=FailingLights(fault))
        with Journal.open(tmp_path / "journal") as journal:
            service = Service(Parts(watch, journal, drivers, board.description), orders)
            if told_after is not None:
                loop.call_later(told_after, stop.set)
            ready, late = (lambda: said.append("ready")), (lambda: said.append("late"))
            async with asyncio.timeout(20):
                await service.run(stop, ready, begin=begin, late=late)
        board.close()

    asyncio.run(go())
    return said


class FailingLights(Lights):
    """Lights that fail in a way for which no driver may."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def show(self, colours: Sequence[tuple[int, int, int]]) -> None:
        del colours
        raise self._fault

    def close(self) -> None:
        """Nothing."""


@pytest.mark.parametrize("orders", [Orders(), LEVEL_1], ids=["no game", "a game"])
def test_a_start_that_cannot_succeed_ends_with_the_failure(tmp_path: Path, orders: Orders) -> None:
    """With a game it waited for ever for what had ended, and heard no signal."""
    with pytest.raises(ValueError, match="37 lights"):
        start(tmp_path, orders, fault=ValueError("the strip has 36 lights, not 37 lights"))


def test_a_start_that_takes_for_ever_is_told_of_and_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang() -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(running_service, "LATE", 0.25)
    assert start(tmp_path, Orders(), begin=hang, told_after=0.5) == ["late"]
    assert start(tmp_path, LEVEL_1, told_after=0.5) == ["ready"]


def test_it_starts_no_game_by_itself(tmp_path: Path) -> None:
    run(tmp_path, Orders(), nothing)
    with Journal.open(tmp_path / "journal") as journal:
        assert journal.last_game() is None


def test_it_goes_on_with_an_unfinished_game_instead_of_starting_another(tmp_path: Path) -> None:
    run(tmp_path, LEVEL_1, nothing)
    run(tmp_path, Orders(GameSetup(settings={"level": 2})), nothing)
    with Journal.open(tmp_path / "journal") as journal:
        assert [game.start.settings for game in journal.games()] == [{"level": 1}]


def test_a_turn_on_the_board_is_ruled_and_lights_up_and_all_is_dark_in_the_end(tmp_path: Path) -> None:
    seen: list[object] = []

    async def move(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        service.remote.playground.act(TableAct(Verb.LIFT, "D1"))
        service.remote.playground.act(TableAct(Verb.PLACE, "D2"))
        service.remote.playground.act(TableAct(Verb.DROP_RING, "D2", "red"))
        ruling = await asyncio.wait_for(ruled.get(), 30)
        assert isinstance(ruling, TurnRuled)
        assert (ruling.player, ruling.text) == ("red", "D1-D2")
        seen.append(any(any(colour) for colour in service.remote.playground.board.lights()))

    board = run(tmp_path, LEVEL_1, move)
    assert seen == [True]
    assert not any(any(colour) for colour in board.lights())


def test_an_event_by_hand_answers_with_its_rulings_once_they_are_durable(tmp_path: Path) -> None:
    async def pause(service: SimulatedService) -> None:
        rulings = await service.controller.correct(Paused(Instant(0), "arbiter", "tea"))
        assert "paused" in {ruling.kind for ruling in rulings}
        game = service.controller.game()
        assert game is not None
        assert game.paused_at is not None
        await service.controller.correct(Resumed(Instant(0), "arbiter"))

    run(tmp_path, LEVEL_1, pause)


def test_what_cannot_be_done_at_the_desk_is_said_in_a_sentence(tmp_path: Path) -> None:
    async def ask(service: SimulatedService) -> None:
        controller = service.controller
        with pytest.raises(ControllerError, match="not finished"):
            await controller.new_game(GameSetup(settings={"level": 1}))
        with pytest.raises(ControllerError):
            await controller.correct(Resumed(Instant(0), "arbiter"))
        with pytest.raises(ImpossibleActError):
            service.remote.playground.act(TableAct(Verb.LIFT, "D4"))

    run(tmp_path, LEVEL_1, ask)


def test_without_a_game_there_is_nothing_to_correct_and_wrong_settings_start_none(tmp_path: Path) -> None:
    async def ask(service: SimulatedService) -> None:
        with pytest.raises(ControllerError, match="There is no game yet"):
            await service.controller.correct(Paused(Instant(0), "arbiter"))
        with pytest.raises(ControllerError, match="speed"):
            await service.controller.new_game(GameSetup(settings={"speed": 9}))
        assert service.controller.game() is None

    run(tmp_path, Orders(), ask)


def test_an_unfinished_game_is_abandoned_only_in_somebodys_name(tmp_path: Path) -> None:
    async def begin_anew(service: SimulatedService) -> None:
        await service.controller.new_game(GameSetup(settings={"level": 2}), abandoned_by="arbiter")
        assert tamsk(service.controller.game()).rules.settings.level == 2

    run(tmp_path, LEVEL_1, begin_anew)
    with Journal.open(tmp_path / "journal") as journal:
        first, second = journal.games()
        result = [record.entry.body for record in journal.read(first.id) if "event" in record.entry.body]
    assert first.ended is not None
    assert second.ended is None
    assert (result[0]["who"], result[0]["reason"]) == ("arbiter", "abandoned")


def test_hands_play_by_themselves_and_stop_when_told(tmp_path: Path) -> None:
    async def watch_them(service: SimulatedService) -> None:
        assert service.remote.playground.is_playing
        ruled = rulings_of(service)
        assert isinstance(await asyncio.wait_for(ruled.get(), 30), TurnRuled)
        service.remote.playground.stop_playing()
        await asyncio.wait_for(service.remote.playground.hands_gone(), 30)
        assert not service.remote.playground.is_playing

    run(tmp_path, Orders(), watch_them, play=1)


def test_hands_go_on_with_a_game_that_was_brought_back(tmp_path: Path) -> None:
    async def one_turn(service: SimulatedService) -> None:
        ruled = rulings_of(service)
        while not isinstance(await asyncio.wait_for(ruled.get(), 30), TurnRuled):
            pass

    run(tmp_path, Orders(), one_turn, play=1)
    run(tmp_path, Orders(), one_turn, play=1)
    with Journal.open(tmp_path / "journal") as journal:
        assert len(journal.games()) == 1


def test_what_is_shown_is_announced_line_by_line(tmp_path: Path) -> None:
    lines: list[str] = []

    async def pause(service: SimulatedService) -> None:
        Announcer(service.runner, MachineWatch.of_this_boot(), lines.append)
        await service.controller.correct(Paused(Instant(0), "arbiter"))

    run(tmp_path, Orders(GameSetup(settings={"level": 2})), pause)
    assert any('"ruling": "paused"' in line for line in lines)
    assert any(line.startswith('{"resumed": ') for line in lines)
    assert any('"remaining_us": [0, 0, 0, 0, 0, 0]' in line for line in lines)
    assert all(line.endswith("}\n") for line in lines)


def test_an_error_in_the_scans_ends_the_daemon_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def burn(_self: object) -> int:
        message = "smoke"
        raise RuntimeError(message)

    monkeypatch.setattr("gnomon_pi.drivers._hc165.ShiftRegisters.scan", burn)
    with pytest.raises(RuntimeError, match="smoke"):
        run(tmp_path, Orders(), for_ever)


def test_an_error_in_a_callback_ends_the_daemon_with_its_reason(tmp_path: Path) -> None:
    async def break_it(service: SimulatedService) -> None:
        def fail() -> None:
            message = "broken"
            raise RuntimeError(message)

        asyncio.get_running_loop().call_soon(fail)
        await for_ever(service)

    with pytest.raises(RuntimeError, match="broken"):
        run(tmp_path, Orders(), break_it)


def test_a_game_that_cannot_be_brought_back_is_told_of_and_stays_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, LEVEL_1, nothing)

    async def look(service: SimulatedService) -> None:
        assert service.controller.game() is None
        assert "cannot be restored" in service.health["recovery"]

    with monkeypatch.context() as patched:
        patched.setattr("gnomon_pi.runtime.recovery.fold", unreadable)
        run(tmp_path, Orders(), look)
    with Journal.open(tmp_path / "journal") as journal:
        assert len(journal.games()) == 1


def unreadable(*_: object) -> None:
    """What a fold does with a game that it cannot read."""
    message = "game 1 of the journal cannot be restored: no"
    raise RecoveryError(message)


# Threads


def test_a_thread_that_fails_tells_why() -> None:
    async def fail() -> None:
        def work(_stop: Event) -> None:
            message = "gone"
            raise KeyError(message)

        await CriticalThread("test", work).wait()

    with pytest.raises(KeyError, match="gone"):
        asyncio.run(fail())


def test_a_thread_that_is_told_to_stop_ends_quietly() -> None:
    async def stop() -> None:
        def work(told: Event) -> None:
            told.wait()

        thread = CriticalThread("test", work)
        thread.stop()
        await thread.wait()
        thread.join(30)

    asyncio.run(stop())


def test_a_slow_display_gets_the_newest_picture_and_a_failure_is_told_by_the_next_one() -> None:
    shown: list[object] = []

    class Display:
        fails = False

        def show(self, image: object) -> None:
            if self.fails:
                message = "The display does not answer."
                raise DriverError(message)
            shown.append(image)

        def close(self) -> None:
            shown.append("closed")

        def brighten(self) -> None:
            shown.append("touched")

    device, stop = Display(), Event()
    display = BackgroundDisplay(device)
    display.show("first")  # type: ignore[arg-type]  # any value stands for a picture
    display.show("second")  # type: ignore[arg-type]  # any value stands for a picture
    display.send_one(stop)
    assert shown == ["second"]
    device.fails = True
    display.show("third")  # type: ignore[arg-type]  # any value stands for a picture
    display.send_one(stop)
    with pytest.raises(DriverError):
        display.show("fourth")  # type: ignore[arg-type]  # any value stands for a picture
    device.fails = False
    display.send_one(stop)
    display.show("fifth")  # type: ignore[arg-type]  # any value stands for a picture
    display.brighten()
    display.brighten()
    display.send_one(stop)
    display.close()
    assert shown == ["second", "fourth", "touched", "fifth", "closed"]
