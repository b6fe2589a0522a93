"""The running daemon against engines, in real time: whole games, a killed daemon, engines that fail, turns taken back."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from gnomon.referee.game import Announced, Game
from gnomon.referee.opponents import is_engines_turn
from gnomon.referee.setup import GameSetup
from gnomon_pi.runtime.service import Orders
from tests.daemon.halves import live_game
from tests.daemon.test_service import SimulatedService, run

PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for
MOST = 400  # turns of a game


def orders(game: str, **settings: object) -> Orders:
    """A game against an engine."""
    return Orders(GameSetup(game, settings))


def present(service: SimulatedService) -> Game:
    """The game that goes on, whether it has been shown already or not."""
    return live_game(service.runner).game


async def announced(service: SimulatedService) -> Announced:
    """What the engine announces."""
    async with asyncio.timeout(PATIENCE):
        while (told := present(service).announced) is None:
            await asyncio.sleep(0.01)
    return told


async def play_one(service: SimulatedService) -> None:
    """Throw for nature, make the engine's turn once it is announced, or make the first turn there is."""
    game = present(service)
    if game.is_natures:
        await service.controller.throw()
    elif is_engines_turn(game):
        await service.controller.enter((await announced(service)).text)
    else:
        await service.controller.enter(game.texts()[0])


async def play_to_the_end(service: SimulatedService) -> None:
    """Play until the game is over."""
    for _ in range(MOST):
        if present(service).outcome is not None:
            return
        await play_one(service)
    pytest.fail("the game does not end")


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("tabik", {"size": 3, "opponent": "1"}),
        ("tau", {"opponent": "2", "rows": 3, "columns": 3}),
        ("tayu", {"opponent": "1", "size": 9}),
    ],
)
def test_a_whole_game_is_played_against_an_engine(tmp_path: Path, game: str, settings: Mapping[str, object]) -> None:
    async def play(service: SimulatedService) -> None:
        await play_to_the_end(service)
        assert present(service).outcome is not None
        assert present(service).announced is None
        assert not service.health.sentences()

    run(tmp_path, Orders(GameSetup(game, settings)), play, "table")
