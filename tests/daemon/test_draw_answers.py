"""An engine that is offered a draw: it answers by its own evaluation, whatever happens meanwhile."""

import asyncio
from pathlib import Path

import pytest

from gnomon.engines.protocol import Score
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import DrawOffered, TurnEntered
from gnomon.referee.game import Opponent
from gnomon.referee.games import begin, tell
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import Duration, Instant
from gnomon_pi.runtime.engine_play.draw_answers import EARLY, evaluation, would_accept
from gnomon_pi.runtime.service import Orders
from tests.daemon.test_opponent import present, until
from tests.daemon.test_service import SimulatedService, run

ON_TURN = begin("tabik", {"size": 3, "opponent": "2"})  # Black is on turn, and the engine plays White


@pytest.mark.parametrize(
    ("chance", "proven", "accepted"),
    [
        (0.9, False, True),
        (0.76, False, True),
        (0.74, False, False),  # nobody is clearly worse
        (0.5, False, False),
        (0.2, False, False),
        (0.5, True, True),
        (0.0, True, False),
        (1.0, True, True),
    ],
)
def test_an_engine_takes_what_it_does_not_expect_to_do_better_than(
    chance: float, accepted: bool, *, proven: bool
) -> None:
    assert would_accept(ON_TURN, "white", Score(chance, None, proven)) is accepted


@pytest.mark.parametrize(("name", "asked"), [("tabik", "white"), ("twenty-squares", "p2")])
def test_after_the_first_turns_an_engine_need_not_be_clearly_worse(name: str, asked: str) -> None:
    game = begin(name, {})
    answers: list[bool] = []
    while len(answers) <= EARLY:
        if not game.is_natures:  # a throw is no turn
            chance = 0.44 if game.rules.actor(game.position) == asked else 0.56
            answers.append(would_accept(game, asked, Score(chance)))
        text = min(game.rules.entries(game.position))
        game, _ = tell(game, TurnEntered(Instant(len(answers)), text, "Ann"))
    assert answers == [False] * EARLY + [True]


def test_the_chance_is_that_of_the_player_on_turn() -> None:
    assert would_accept(ON_TURN, "black", Score(0.2))
    assert not would_accept(ON_TURN, "white", Score(0.2))


def test_where_nothing_can_be_predicted_yet_it_plays_on() -> None:
    assert not would_accept(begin("tamsk", {"level": 1, "opponent": "1"}, board="tamsk"), "black", Score(0.9))


def test_the_answer_is_written_down_and_ends_the_game_or_not(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        await service.controller.enter("a2b2")
        await service.controller.correct(DrawOffered(Instant(0), "black", "Ann"))
        game = await until(service, lambda game: game.draw is not None and not game.draw.is_open)
        assert game.draw is not None

    run(tmp_path, Orders(GameSetup("tabik", {"size": 3, "opponent": "6"})), play, "table")
    with Journal.open(tmp_path / "journal") as journal:
        bodies = [each.entry.body for each in journal.read(1)]
    (answer,) = [body for body in bodies if body.get("event") == "draw_answered"]
    # After a2b2 the engine is proven to win, so it wants no draw.
    assert (answer["player"], answer["accepted"], answer["who"]) == ("white", False, "Gnomon 6")


@pytest.mark.parametrize("engine", ["missing", "1"])
def test_an_engine_that_says_nothing_declines(engine: str) -> None:
    game = ON_TURN if engine == "missing" else begin("tau", {"rows": 3, "columns": 3, "opponent": "1"})
    opponent = Opponent(engine, ("white",), Duration(0))
    score = asyncio.run(evaluation(game, Instant(0), opponent))
    assert (score is None) == (engine == "missing")


def test_an_offer_waits_for_a_throw_that_is_due(tmp_path: Path) -> None:
    async def play(service: SimulatedService) -> None:
        assert present(service).is_natures
        await service.controller.correct(DrawOffered(Instant(0), "p1", "Ann"))
        await service.controller.throw()
        game = await until(service, lambda game: game.draw is not None and not game.draw.is_open)
        assert game.draw is not None
        assert game.draw.answered is not None

    run(tmp_path, Orders(GameSetup("twenty-squares", {"counters": 2, "opponent": "1"})), play, "table")
