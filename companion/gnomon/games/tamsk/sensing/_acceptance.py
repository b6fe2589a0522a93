"""Accept turns of TAMSK, and what follows from them by itself."""

from dataclasses import replace

from gnomon.games.tamsk.rules import LOST, PASS, PLAYERS, Position
from gnomon.games.tamsk.sensing._board_reading import BOTH, UNSEEN
from gnomon.games.tamsk.sensing._difference import difference
from gnomon.games.tamsk.sensing._scene import TIMED, played, turn_text
from gnomon.games.tamsk.sensing._single_pole import Moved, Trust
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import trusts_sockets
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.announcements import ruled
from gnomon.referee.effects import Effect
from gnomon.referee.game import Judged, Ply
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.rulings import GameOver, PenaltyRuled, Ruling, TurnLost, TurnRuled
from gnomon.timekeeping.instants import Instant


def accept(game: TamskGame, made: Made) -> Judged[TamskGame]:
    """The game after a whole turn that was made by hand."""
    before = game.position
    text = turn_text(game.rules, before, made)
    after_turn = played(game.rules, before, made)
    poles = game.poles
    moved = Moved(made, before, game.trail, game.turn_began, len(game.plies)) if _is_trusted(game, made) else None
    game = replace(game, poles=_poles_after(game, made))
    at = Instant(max(made.at, game.resumed_at, game.turn_began))
    pressed = None
    if made.answered is not None and game.sensing.evidence.reply_presses:
        pressed = Instant(min(made.answered, made.done))
    game, said, at = entered(game, before, after_turn, text, at, made.done, poles, pressed)
    plies = game.plies
    if made.move.kind == "turn":
        plies = (*plies[:-1], plies[-1]._replace(lifted=made.lifted, placed=made.placed))
    game = replace(
        game,
        plies=plies,
        trail=game.trail.about(difference(game.scene()).spaces),
        trust=replace(game.trust, moved=moved),
    )
    return follow_up(game, said, at)


def entered(  # noqa: PLR0913, PLR0917 - a turn has so many sides
    game: TamskGame,
    before: Position,
    position: Position,
    text: str,
    at: Instant,
    when: Instant,
    poles: tuple[int, ...] = (),
    pressed: Instant | None = None,
) -> tuple[TamskGame, tuple[Effect, ...], Instant]:
    """The game with a turn written down: ruling, ply and penalty.

    `poles` as they were before it; `pressed` is when the turn ended on the match clock, if not `when` it was done.
    """
    player = PLAYERS[before.mover]
    rulings: list[Ruling] = [TurnLost(at, player) if text == "lost" else TurnRuled(at, player, text)]
    if position.penalty and position.rings_left[position.mover]:
        rulings.append(PenaltyRuled(at, PLAYERS[position.mover]))
    clock = behind = game.clock
    if clock is not None:
        # Without sand the referee keeps no game time of what follows by itself.
        done = when if before.sands else Instant(max(when, game.game_time(at)))
        turn = clock.entered(before.mover, done if pressed is None else pressed)
        clock, behind = turn.after, turn.before
    game = replace(
        game,
        position=position,
        plies=(*game.plies, Ply(player, text, at, before, when, behind, poles or game.poles)),
        turn_began=at,
        clock=clock,
        pressed=None,
        under_way=None,
        question=None,
        judgement=game.judgement if game.judgement.phase is Phase.WRONG else Judgement(Phase.AGREED),
        trust=game.trust if text == PASS.kind else nothing_to_deny(game.trust),
    )
    game, said = ruled(game, *rulings)
    return game, said, at


def follow_up(game: TamskGame, said: tuple[Effect, ...], at: Instant) -> Judged[TamskGame]:
    """What follows of itself, at that instant: forced passes, turns already lost, the end of the game."""
    while game.declared is None:
        outcome = game.rules.outcome(game.position)
        if outcome is not None:
            game, effects = ruled(game, GameOver(at, outcome.winner, outcome.reason, game.rules.score(game.position)))
            return game, said + effects
        moves = [move for move in game.rules.legal_moves(game.position) if game.rules.is_turn(move)]
        if len(moves) != 1 or moves[0] not in (PASS, LOST) or game.rules.is_lined_up(game.position):
            break
        before = game.position
        position = game.rules.play(before, moves[0])
        game, effects, at = entered(game, before, position, game.rules.text(before, moves[0]), at, before.now)
        said += effects
    return game, said


def nothing_to_deny(trust: Trust) -> Trust:
    """From now on nobody can say that a glass was not turned before."""
    return replace(trust, denied=None, moved=None, timer_turn=None)


def _is_trusted(game: TamskGame, made: Made) -> bool:
    """Whether a glass was moved of which only hands know that it was turned over (rule 10)."""
    return made.move.kind == "turn" and trusts_sockets(game.sensing) and game.rules.settings.level >= TIMED


def _poles_after(game: TamskGame, made: Made) -> tuple[int, ...]:
    move = made.move
    if move.kind != "turn":
        return game.poles  # a pass, or the second ring of a player who cannot move
    glass = game.position.glasses.index(move.origin)
    seen = game.scene().sight.glasses.get(move.target, BOTH)
    poles = list(game.poles)
    poles[glass] = 1 - poles[glass] if seen in (BOTH, UNSEEN) else seen
    return tuple(poles)
