"""Accept turns of TAMSK that were made by hand, and rule on what follows from them of itself."""

from collections.abc import Iterable, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD, LOST, PASS, PLAYERS, Position
from gnomon.games.tamsk.sensing._board_reading import BOTH, UNSEEN, Touch
from gnomon.games.tamsk.sensing._contradictions import first_shown, first_there
from gnomon.games.tamsk.sensing._explain import find_haste
from gnomon.games.tamsk.sensing._scene import (
    TIMED,
    Moved,
    Trust,
    difference,
    play,
    turn_text,
)
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import BUTTON_OF, trusts_sockets
from gnomon.games.tamsk.sensing.verdicts import Made
from gnomon.referee.announcements import announce
from gnomon.referee.effects import Effect
from gnomon.referee.game import Judged, Ply
from gnomon.referee.judgement import Judgement, Phase
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import (
    GameOver,
    GlassStopped,
    PenaltyRuled,
    Ruling,
    TurnLost,
    TurnRuled,
)
from gnomon.timekeeping.instants import Duration, Instant

_BY_TIME: Final = (PASS.kind, LOST.kind)
"""Turns that no hand has made."""


def accept(game: TamskGame, made: Made) -> Judged[TamskGame]:
    """The game after a whole turn that was made by hand."""
    before = game.position
    if find_haste(game.scene, made):
        made = made._replace(placed=made.done)  # nobody knows when its glass was set down: in its player's favour
    text = turn_text(game.rules, before, made)
    shown = _as_first_shown(game, made)
    after_turn = play(game.rules, before, shown)
    lifts, overdue = put_back(game), game.overdue
    others = [space for space in game.scene.own if space != made.move.origin]
    if game.sensing.evidence.contradictions and made.move.kind == "turn" and before.sands:
        game, after_turn = _in_favour(game, made, after_turn)
    poles = game.poles
    moved = Moved(made, before, game.trail, game.turn_began, len(game.plies)) if _is_trusted(game, made) else None
    game = replace(game, poles=_poles_after(game, made))
    at = Instant(max(made.at, game.resumed_at, game.turn_began))
    pressed = None
    if made.answered is not None and game.sensing.evidence.reply_presses:
        pressed = Instant(min(made.answered, made.done))
    game, said, at = apply_turn(game, before, after_turn, text, at, made.done, poles, pressed)
    plies = game.plies
    if made.move.kind == "turn":
        plies = (*plies[:-1], plies[-1]._replace(lifted=made.lifted, placed=shown.placed))
    game = replace(
        game,
        plies=plies,
        trail=game.trail.about(difference(game.scene).spaces),
        trust=replace(game.trust, moved=moved),
    )
    game, said = follow_up(game, said, at)
    if overdue is not None:
        game, effects = announce_overdue(game, overdue, others)  # they were in no hand, after all
        said += effects
    for space, lift in lifts:
        game, effects = announce_unseen(game, space, lift.game)  # it was in a hand, and the board in doubt
        said += effects
    # A turn is older than its ruling: its glass may have run out since.
    stopped = _stopped_since(game, made.move.target, game.position.now)
    if stopped is None or _is_lifted_by(game, made.move.target, stopped.at):
        return game, said
    game, unseen = announce_unseen(game, made.move.target, game.position.now)
    at = stopped.at
    position = game.rules.elapse(game.position, game.game_time(at))
    return follow_up(replace(game, position=position), said + unseen, at)


def _as_first_shown(game: TamskGame, made: Made) -> Made:
    """The turn whose sand runs from when its socket first showed the glass, if that was lost while its ring fell."""
    placed = game.scene.last_set_down(made.move.target) if made.move.kind == "turn" else None
    if placed is None or placed.since < placed.at or not game.sensing.evidence.contradictions:
        return made
    by = placed.at - first_shown(game, made, placed)
    return made._replace(placed=Instant(max(made.lifted, made.placed - by))) if by > 0 else made


def put_back(game: TamskGame) -> Sequence[tuple[int, Touch]]:
    """The spaces on which glasses stand again that were lifted in this turn, each with the lift."""
    if not game.sensing.evidence.contradictions:
        return ()
    trail, standing = game.trail, game.scene.sight.glasses
    return [(space, lift) for space in game.position.glasses if space in standing and (lift := trail.last_lift(space))]


def _in_favour(game: TamskGame, made: Made, position: Position) -> tuple[TamskGame, Position]:
    """The game, and the position after a turn, with as much sand in its glass as it may hold.

    Nobody saw when the glass was turned, in this turn or in one before: its sand ends no game too soon.
    """
    glass = game.position.glasses.index(made.move.origin)
    placed = game.scene.last_set_down(made.move.target)
    if placed is None:
        lifted = game.trail.last_lift(made.move.origin)
        since = made.lifted if lifted is None else min(lifted.granted, made.lifted)
        unseen = Duration(made.placed - since if made.move.target in game.scene.sight.blind else 0)
    elif placed.since < placed.at:
        unseen = Duration(placed.game - placed.granted)
    else:
        # A reply counts from the end of the turn that it answers, which may have been shown late.
        unseen = Duration(placed.at - first_there(game, made, placed) + max(0, made.placed - placed.game))
    sand = position.sands[glass]
    less = Duration(min(game.vague[glass], game.position.sands[glass].remaining(made.placed)))
    if less and not sand.by_eye:
        most = Duration(min(sand.durations[sand.up], sand.remaining(position.now) + less))
        sands = (*position.sands[:glass], sand.with_remaining(most, position.now), *position.sands[glass + 1 :])
        position = position._replace(sands=sands)
    # What runs from the upper bulb before it is turned, and what has run since, are both unknown by so much.
    vague = (*game.vague[:glass], Duration(less + 2 * unseen), *game.vague[glass + 1 :])
    return (game if vague == game.vague else replace(game, vague=vague)), position


def apply_turn(  # noqa: PLR0913, PLR0917 - a turn has so many sides
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
    presses = (game.pressed, game.answered) if game.sensing.evidence.contradictions else ()
    pending = {BUTTON_OF[press.input]: press for press in presses if press is not None and press.at > at}
    clock = behind = game.clock
    if clock is not None:
        # Without sand the referee keeps no game time of what follows by itself.
        done = when if before.sands else Instant(max(when, game.game_time(at)))
        turn = clock.enter_turn(before.mover, done if pressed is None else pressed)
        clock, behind = turn.after, turn.before
    game = replace(
        game,
        position=position,
        plies=(*game.plies, Ply(player, text, at, before, when, behind, poles or game.poles)),
        turn_began=at,
        clock=clock,
        pressed=pending.get(position.mover),
        answered=pending.get(1 - position.mover),
        under_way=None,
        overdue=None,
        put_back=Instant(0),
        pressed_in_vain=game.pressed_in_vain if text in _BY_TIME else Instant(0),
        timer_unsure=None,
        question=None,
        judgement=game.judgement if game.judgement.phase is Phase.WRONG else Judgement(Phase.AGREED),
        trust=game.trust if text == PASS.kind else nothing_to_deny(game.trust),
    )
    game, said = announce(game, *rulings)
    return game, said, at


def follow_up(game: TamskGame, said: tuple[Effect, ...], at: Instant) -> Judged[TamskGame]:
    """What follows of itself, at that instant: forced passes, turns already lost, the end of the game."""
    while game.declared is None:
        outcome = game.rules.outcome(game.position)
        if outcome is not None:
            game, effects = announce(
                game, GameOver(at, outcome.winner, outcome.reason, game.rules.score(game.position))
            )
            return game, said + effects
        before = game.position
        move = game.rules.forced_turn(before)
        if move is None or game.rules.is_lined_up(before):
            break
        position = game.rules.play(before, move)
        game, effects, at = apply_turn(game, before, position, game.rules.text(before, move), at, before.now)
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
    seen = game.scene.sight.glasses.get(move.target, BOTH)
    poles = list(game.poles)
    poles[glass] = 1 - poles[glass] if seen in (BOTH, UNSEEN) else seen
    return tuple(poles)


def catch_up(game: TamskGame, at: Instant) -> Judged[TamskGame]:
    """What time has decided against a player who has no turn under way: a lost turn, a pass, the end (13 and 19)."""
    position = game.rules.elapse(game.position, game.told)
    return follow_up(replace(game, position=position), (), at)


def announce_unseen(game: TamskGame, space: int, since: Instant) -> Judged[TamskGame]:
    """Announce the glass on a space that has run out since, when it was not known to stand there."""
    stopped = _stopped_since(game, space, since)
    is_told = stopped in game.rulings and game.sensing.evidence.contradictions
    return (game, ()) if stopped is None or is_told else announce(game, stopped)


def announce_overdue(game: TamskGame, overdue: Instant, spaces: Iterable[int]) -> Judged[TamskGame]:
    """Announce the sand of those of the mover's glasses that ran out while one of them may have been in a hand."""
    said: tuple[Effect, ...] = ()
    for space in spaces:
        game, effects = announce_unseen(game, space, Instant(game.game_time(overdue) - 1))
        said += effects
    return game, said


def _is_lifted_by(game: TamskGame, space: int, at: Instant) -> bool:
    """Whether the glass that went to a space had left it again by a board time: its lift may have ended the turn."""
    lifted = game.trail.last_lift(space)
    is_away = lifted is not None and space not in game.scene.sight.glasses and lifted.at <= at
    return is_away and game.sensing.evidence.contradictions


def _stopped_since(game: TamskGame, space: int, since: Instant) -> GlassStopped | None:
    """That the glass on a space has run out since; None: it has not, or nothing is told of it."""
    if not game.sensing.evidence.unseen or game.outcome is not None or space not in game.position.glasses:
        return None
    glass = game.position.glasses.index(space)
    end = game.position.sands[glass].runs_out_at() if game.position.sands else None
    if end is None or not since < end <= game.told:
        return None
    return GlassStopped(game.board_time(end), PLAYERS[glass // 3], BOARD.names[space])
