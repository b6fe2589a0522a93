"""Hold the hands that play for an engine to what it announced.

Nothing else counts as its turn: if something else was done, the announced turn is entered, and the board is guided to
it. What was announced is withdrawn as soon as the position is not the one for which it was.
"""

from contextlib import suppress
from typing import Final

from gnomon.referee.announcements import announce
from gnomon.referee.corrections import void_turns
from gnomon.referee.effects import Effect
from gnomon.referee.events import DeadlineReached, Event, InputChanged, QuestionAnswered, TurnsVoided
from gnomon.referee.game import Game, GameT, Judged, Ply
from gnomon.referee.opponents import (
    NOT_ANNOUNCED,
    WHO,
    is_engines_turn,
    is_forced,
    player_off_turn,
    plays_as,
    texts_off_turn,
)
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import GameOver, IllegalRuled, PenaltyRuled, TurnRuled
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant

_OF_A_TURN: Final = (TurnRuled, PenaltyRuled, GameOver)
_OF_THE_BOARD: Final = (InputChanged, DeadlineReached)


def hold_to_announcement(before: GameT, game: GameT, said: tuple[Effect, ...], event: Event) -> Judged[GameT]:
    """The game after an event, in which the engine's turns are those that it has announced."""
    if game.opponent is None:
        return game, said
    ply = _other_turn(before, game) if isinstance(event, (*_OF_THE_BOARD, QuestionAnswered)) else None
    if ply is not None:
        game, said = _put_right(before, game, ply, event)
    if game.announced is not None and not (_is_as_before(before, game, event) and _can_be_made(game, event.at)):
        game = replace(game, announced=None)
    return game, said


def _is_as_before(before: Game, game: Game, event: Event) -> bool:
    """Whether nothing has changed of what the engine was asked about, or has just announced."""
    if len(before.plies) != len(game.plies):
        return False
    # A 15-second glass that is turned changes the position, and nothing of what was announced.
    return isinstance(event, _OF_THE_BOARD) or bool(before.timeless == game.timeless)


def _can_be_made(game: Game, at: Instant) -> bool:
    """Whether what was announced can be done: it is the engine's turn, or allowed off turn, and not too late."""
    told = game.announced
    if told is None or not is_engines_turn(game):
        return told is not None and told.player == player_off_turn(game, at) and told.text in texts_off_turn(game, at)
    try:
        game.board.steps(game, told.text)
    except RulesError:
        return False
    return True


def _other_turn(before: Game, game: Game) -> Ply | None:
    """The first new turn that hands made for the engine, and that it has not announced."""
    count = len(before.plies)
    if len(game.plies) <= count or game.plies[:count] != before.plies:
        return None
    ply = game.plies[count]
    if not plays_as(before, ply.player, ply.before) or is_forced(game, ply):
        return None
    told = before.announced
    return None if told is not None and game.board.is_same_turn(told.text, ply.text) else ply


def _put_right(before: GameT, game: GameT, ply: Ply, event: Event) -> Judged[GameT]:
    """The game without the turn that was made, and with the announced one; the board lags behind, and is guided."""
    count, told, at = len(game.plies) - len(before.plies), before.announced, event.at
    kept = [
        ruling
        for ruling in game.rulings[len(before.rulings) :]
        if not (isinstance(ruling, _OF_A_TURN) and ruling.at >= ply.at)
    ]
    game, said = announce(replace(game, rulings=before.rulings), *kept)
    game, effects = void_turns(game, count, at, give_back=False)
    said += effects
    if told is not None and is_engines_turn(game):
        with suppress(RulesError):  # if time has decided meanwhile, the engine is asked again, or has lost the turn
            game, effects = game.board.enter(game, told.text, at)
            said += effects
    game, effects = game.board.guide(game, before, TurnsVoided(at, count, give_back=False, who=WHO))
    said += effects
    game, effects = announce(game, IllegalRuled(at, ply.player, ply.text, NOT_ANNOUNCED, game.judgement.repairs))
    return game, said + effects
