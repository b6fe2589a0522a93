"""Hands that go on with a game of people: an engine chooses their turns, or chance where that is asked for."""

from dataclasses import replace
from pathlib import Path

import pytest

from gnomon.referee.game import Game
from gnomon.referee.setup import GameSetup
from gnomon.rules.protocol import NATURE
from gnomon.timekeeping.instants import Instant
from gnomon_pi.runtime.engine_play import advice
from gnomon_pi.runtime.engine_play.advice import Adviser
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated.autoplay import HURRIED
from tests.daemon import test_service
from tests.daemon.test_demonstration import demonstration
from tests.daemon.test_opponent import until
from tests.daemon.test_service import SimulatedService, run


@pytest.mark.parametrize(
    ("board", "game", "settings"),
    [
        ("tamsk", "tamsk", {"level": 1}),
        ("tayu", "tayu", {"size": 9}),
        ("table", "tabik", {"size": 4}),
        ("table", "twenty-squares", {}),
    ],
)
def test_an_engine_chooses_the_turns_in_a_game_of_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, game: str, settings: dict[str, object]
) -> None:
    advised: set[tuple[int, str]] = set()

    class Written(Adviser):
        async def advise(self, game: Game, now: Instant) -> str:
            text = await super().advise(game, now)
            advised.add((len(game.plies), text))
            return text

    monkeypatch.setattr(advice, "Adviser", Written)

    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3)
        assert not service.remote.playground.is_by_chance
        told = await until(service, lambda game: len(played(game)) > 3)
        assert played(told) <= advised
        assert told.opponent is None  # it stays a game of people, who may go on with it
        assert not [ruling for ruling in told.rulings if ruling.kind in {"illegal", "corrected"}]
        service.remote.playground.stop_playing()
        await service.remote.playground.hands_gone()

    run(tmp_path, Orders(GameSetup(game, settings)), show, board)


def test_people_go_on_with_their_game_when_the_hands_are_stopped(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3)
        await demonstration(service).stop()
        await service.remote.playground.hands_gone()
        game = service.controller.game()
        assert game is not None
        assert (game.adjourned, game.paused_at) == (False, None)
        assert await service.controller.enter(game.texts()[0])

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4})), show, "table")


def test_hands_that_answer_too_soon_which_way_round_a_tile_lies_say_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meant: set[tuple[int, str]] = set()

    class EitherWay(Adviser):
        """A tile that may lie either way round, if one may, and then as the referee asks for last."""

        async def advise(self, game: Game, now: Instant) -> str:  # noqa: ARG002 - the one above needs it
            rules, position = game.rules, game.position
            moves = rules.legal_moves(position)
            ways = (rules.placements_on(position, rules.squares_of(move)) for move in moves)
            text: str = rules.text(position, next((way[-1] for way in ways if len(way) > 1), moves[0]))
            meant.add((len(game.plies), text))
            return text

    monkeypatch.setattr(advice, "Adviser", EitherWay)
    # Presses that come before a question can have been read answer nothing.
    hasty = replace(HURRIED, table=replace(HURRIED.table, picks=1.0))
    monkeypatch.setattr(test_service, "HURRIED", hasty)

    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3)
        told = await until(service, lambda game: len(played(game)) > 5)
        assert played(told) <= meant
        service.remote.playground.stop_playing()
        await service.remote.playground.hands_gone()

    run(tmp_path, Orders(GameSetup("tayu", {"size": 9})), show, "tayu")


def played(game: Game) -> set[tuple[int, str]]:
    """What the players have played, and as which turn of the game."""
    return {(number, ply.text) for number, ply in enumerate(game.plies) if ply.player != NATURE}


def test_hands_go_on_by_chance_only_where_that_is_asked_for(tmp_path: Path) -> None:
    async def show(service: SimulatedService) -> None:
        await service.remote.let_it_play(3, GameSetup(settings={"opponent": "none"}))
        assert service.remote.playground.is_by_chance
        await until(service, lambda game: len(game.plies) > 2)
        service.remote.playground.stop_playing()

    run(tmp_path, Orders(GameSetup("tabik", {"size": 4})), show, "table")
