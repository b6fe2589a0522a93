"""Run a whole daemon on a simulated board, with a relay, in the loop of a test."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gnomon.records.journal.writer import Journal
from gnomon.referee.game import Game
from gnomon_pi import config
from gnomon_pi.relay_link.options import RelayOptions, on_relay
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.simulated.board import SimulatedBoard

PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for


@asynccontextmanager
async def service_at(
    journal: Path, address: str, board: str = "table", *, authority: Path | None = None
) -> AsyncIterator[Service]:
    """A daemon with a journal, which plays with other boards over the relay at an address."""
    watch, stop, ready = MachineWatch.of_this_boot(), asyncio.Event(), asyncio.Event()
    simulated = SimulatedBoard(config.load_bundled(board), now=watch.now, later=asyncio.get_running_loop().call_later)
    with Journal.open(journal) as opened:
        service = Service(Parts(watch, opened, simulated.drivers, simulated.description), Orders())
        with on_relay(RelayOptions(address, authority), service, opened, watch, lambda _: None) as desk:
            assert desk is not None
            running = asyncio.create_task(service.run(stop, ready.set, desk.work()))
            try:
                async with asyncio.timeout(PATIENCE):
                    await ready.wait()
                yield service
            finally:
                stop.set()
                await asyncio.wait_for(running, PATIENCE)
                simulated.close()


def game_at(service: Service) -> Game:
    """The present game of a daemon."""
    live = service.runner.live_game
    assert live is not None
    return live.game


async def begun(service: Service) -> None:
    """Wait until a daemon has a game."""
    changed = asyncio.Event()
    service.runner.on_change(changed.set)
    async with asyncio.timeout(PATIENCE):
        while service.runner.live_game is None:
            await changed.wait()
            changed.clear()


async def reached(service: Service, key: str) -> None:
    """Wait until people at a board are told something."""
    changed = asyncio.Event()
    service.runner.on_change(changed.set)
    async with asyncio.timeout(PATIENCE):
        while key not in [told.key for told in service.health.all()]:
            await changed.wait()
            changed.clear()


async def gone(service: Service, key: str) -> None:
    """Wait until people at a board are not told something any more."""
    changed = asyncio.Event()
    service.runner.on_change(changed.set)
    async with asyncio.timeout(PATIENCE):
        while key in [told.key for told in service.health.all()]:
            await changed.wait()
            changed.clear()


async def play_on(*services: Service, turns: int = 400) -> None:
    """Play until every board has so many turns, or has ended the game."""
    async with asyncio.timeout(PATIENCE):
        while any(len(game_at(each).plies) < turns and game_at(each).outcome is None for each in services):
            for each in services:
                game = game_at(each)
                if game.outcome is not None or len(game.plies) >= turns:
                    continue
                if game.announced is not None:
                    await each.controller.enter(game.announced.text)
                elif not game.is_elsewhere:
                    await (each.controller.throw() if game.is_natures else each.controller.enter(game.texts()[0]))
            await asyncio.sleep(0.01)


def texts_of(service: Service) -> list[str]:
    """The turns of a board's game."""
    return [ply.text for ply in game_at(service).plies]
