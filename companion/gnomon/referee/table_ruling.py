"""The only place that writes down what is ruled at a table: a move entered is accepted or refused with its rule."""

from dataclasses import replace

from gnomon.referee.accepting import tune_of
from gnomon.referee.corrections import CorrectionError
from gnomon.referee.effects import Announce, Effect, Sound
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.rulings import GameOver, IllegalRuled, Ruling, TurnRuled
from gnomon.referee.table_game import TableGame, TablePly
from gnomon.rules.protocol import IllegalMoveError
from gnomon.timekeeping.instants import Instant

TableJudged = tuple[TableGame, tuple[Effect, ...]]


def ruled(game: TableGame, *rulings: Ruling) -> TableJudged:
    """The game with rulings written down, and the orders to announce them."""
    effects: list[Effect] = []
    for ruling in rulings:
        effects.append(Announce(ruling))
        tune = tune_of(ruling, game.temperament)
        if tune is not None:
            effects.append(Sound(tune))
    return replace(game, rulings=(*game.rulings, *rulings)), tuple(effects)


def enter(game: TableGame, text: str, at: Instant) -> TableJudged:
    """The game after a move in canonical text; an illegal one is refused with the rule's reason and recorded.

    Raises CorrectionError for text that is no move of this game, in a pause and after the end.
    """
    if game.outcome is not None:
        message = "the game is over"
        raise CorrectionError(message)
    if game.paused_at is not None:
        message = "the game is paused; resume it first"
        raise CorrectionError(message)
    before, player = game.position, game.turn
    try:
        move = game.rules.parse(before, text)
        position = game.rules.play(before, move)
    except IllegalMoveError as error:
        game = replace(game, judgement=Judgement(Phase.AGREED, code=error.code, reason=str(error)), chooser=None)
        return ruled(game, IllegalRuled(at, player, text, error.code, ()))
    canonical = game.rules.text(before, move)
    game = replace(
        game,
        position=position,
        plies=(*game.plies, TablePly(player, canonical, at, before, game.game_time(at))),
        judgement=Judgement(Phase.AGREED),
        chooser=None,
        question=None,
    )
    rulings: list[Ruling] = [TurnRuled(at, player, canonical)]
    outcome = game.rules.outcome(position)
    if outcome is not None:
        rulings.append(GameOver(at, outcome.winner, outcome.reason, game.rules.score(position)))
    return ruled(game, *rulings)
