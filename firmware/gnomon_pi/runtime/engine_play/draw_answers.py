"""Let an engine answer the offer of a draw by its own evaluation of the position alone.

It accepts what it does not expect to do better than: a chance of winning of at most 45 %, where a draw counts half, or
a draw that is proven. Where it does not say what the position is worth, or nothing can be predicted yet, it declines.
In the first turns it plays on unless it is clearly worse: a weak engine sees 44 % where nothing has been decided.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from gnomon.engines.process import EngineFailedError, EngineProcess, Go
from gnomon.engines.protocol import Score
from gnomon.referee.draws import asked_for_a_draw
from gnomon.referee.events import DrawAnswered
from gnomon.referee.game import Game, Opponent
from gnomon.referee.opponents import plays_as, seat_at_table
from gnomon.rules.protocol import NATURE, RulesError
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi.runtime.engine_play.opponent import MoveLists, open_moves, plugin_of
from gnomon_pi.runtime.runner import Runner, RunnerError

CONTENT: Final = 0.45
"""With at most this chance of winning an engine is content with a draw; with half it plays on."""
EARLY: Final = 20
"""So many turns of both players together are early."""
CLEARLY_WORSE: Final = 0.25
"""With at most this chance of winning an engine is content with a draw early, too."""
_DRAWN: Final = 0.5
_THINKS: Final = Duration(2 * SECOND)


class DrawAnswers:
    """Answers each offer that is made to an engine, once it has looked at the position."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._stirred = asyncio.Event()
        runner.on_change(self._stirred.set)

    async def work(self) -> None:
        """Look after offers for as long as the daemon runs."""
        while True:
            self._stirred.clear()
            asked = self._open_offer()
            if asked is None:
                await self._stirred.wait()
            else:
                await self._answer(*asked)

    def _open_offer(self) -> tuple[Game, str] | None:
        """The game and the player, if it is an engine that has to answer, and is not about to be thrown for."""
        live = self._runner.live_game
        player = None if live is None else asked_for_a_draw(live.game)
        if live is None or player is None or live.game.paused_at is not None or live.game.turn == NATURE:
            return None
        if live.game.opponent is not None and live.game.opponent.is_distant:
            return None  # the person who plays there answers there
        return (live.game, player) if plays_as(live.game, player, live.game.position) else None

    async def _answer(self, game: Game, player: str) -> None:
        opponent = game.opponent
        if opponent is None:
            return
        engine = opponent.at(seat_at_table(game, player, game.position))
        score = await evaluation(game, game.game_time(self._runner.now()), engine)
        live = self._runner.live_game
        if live is None or live.game.draw is not game.draw:
            return  # it has lapsed, or was answered by an arbiter
        accepted = score is not None and would_accept(game, player, score)
        with suppress(RunnerError):  # somebody has stopped the game: it is answered once that goes on
            self._runner.correct(DrawAnswered(self._runner.now(), player, accepted, engine.name))
            return
        await self._stirred.wait()


def would_accept(game: Game, player: str, score: Score) -> bool:
    """Whether a player to whom a draw is offered takes it; the score is for the player on turn."""
    chance = score.chance if player == game.rules.actor(game.position) else 1 - score.chance
    if score.proven:
        return chance <= _DRAWN
    from gnomon.coaching import coach_of  # few offer a draw to an engine

    turns = sum(ply.player != NATURE for ply in game.plies)
    content = CLEARLY_WORSE if turns < EARLY else CONTENT
    return bool(chance <= content and coach_of(game.rules).predicts(game.position))


async def evaluation(game: Game, now: Instant, opponent: Opponent) -> Score | None:
    """What the position is worth to the player on turn, as an engine has it; None where it does not say.

    It is asked in a process of its own, and nothing waits for it.
    """
    plugin = plugin_of(opponent, game.rules.name)
    if plugin is None:
        return None
    try:
        moves = await asyncio.to_thread(MoveLists().moves, game, now)
        among = await asyncio.to_thread(open_moves, game, moves, now)
    except RulesError:
        return None
    moves = replace(moves, position=game.rules.elapse(game.position, now))
    process = EngineProcess(plugin, dict(game.given))
    try:
        answer = await process.move(moves, Go(time=_THINKS, moves=among))
    except EngineFailedError:
        return None
    finally:
        await process.close()
    return next((info.score for info in answer.infos if info.rank == 1), None)
