"""Rule on moves entered at a table: accept each one, or refuse it with the rule that forbids it."""

from dataclasses import replace

from gnomon.games.clock.rules import Free
from gnomon.games.protocol import IllegalMoveError
from gnomon.referee.acceptance import tune_of
from gnomon.referee.effects import Announce, Effect, Sound
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.match_clock import MatchClock
from gnomon.referee.player_roles import actor, side_of
from gnomon.referee.remarks import CorrectionError
from gnomon.referee.rulings import GameOver, IllegalRuled, Ruling, TurnRuled
from gnomon.referee.table_game import TableGame, TablePly
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


def enter(game: TableGame, text: str, at: Instant, granted: Instant | None = None) -> TableJudged:
    """The game after a move in canonical text; an illegal one is refused with the rule's reason and recorded.

    `granted` is the game time at which it was made, where that is not that of board time `at`.

    Raises CorrectionError for text that is no move of this game, in a pause and after the end.
    """
    if game.outcome is not None:
        message = "the game is over"
        raise CorrectionError(message)
    if game.paused_at is not None:
        message = "the game is paused; resume it first"
        raise CorrectionError(message)
    if game.clock is not None and isinstance(game.rules, Free) and not game.clock.has_started:
        message = "the clock has not been started: the player who does not begin presses first"
        raise CorrectionError(message)
    before, player = game.position, game.turn
    try:
        move = game.rules.parse(before, text)
        position = game.rules.play(before, move)
    except IllegalMoveError as error:
        game = replace(game, judgement=Judgement(Phase.AGREED, code=error.code, reason=str(error)), chooser=None)
        return ruled(game, IllegalRuled(at, player, text, error.code, ()))
    canonical = game.rules.text(before, move)
    outcome = game.rules.outcome(position)
    clock, behind, when = _on_the_clock(game, position, game.game_time(at) if granted is None else granted)
    if clock is not None and outcome is not None:
        clock = clock.stopped(game.game_time(at))
    game = replace(
        game,
        position=position,
        plies=(*game.plies, TablePly(player, canonical, at, before, when, behind)),
        judgement=Judgement(Phase.AGREED),
        chooser=None,
        question=None,
        clock=clock,
    )
    rulings: list[Ruling] = [TurnRuled(at, player, canonical)]
    if outcome is not None:
        rulings.append(GameOver(at, outcome.winner, outcome.reason, game.rules.score(position)))
    return ruled(game, *rulings)


def _on_the_clock(
    game: TableGame, position: object, when: Instant
) -> tuple[MatchClock | None, MatchClock | None, Instant]:
    """The match clock after a move to a position, and as it was when the move was made, at a game time.

    A turn ends when another side is to act: a throw, or a second move of the same side, presses nothing.
    """
    match, rules = game.clock, game.rules
    if match is None:
        return None, None, when
    side = side_of(rules, match.teams, game.position, actor(rules, game.position))
    following = side_of(rules, match.teams, position, actor(rules, position))
    if side is None or side == following:
        return match, match, when
    entered = match.entered(side, when, by_entry=isinstance(rules, Free))
    last = game.plies[-1].when if game.plies else entered.when
    return entered.after, entered.before, max(entered.when, last)
