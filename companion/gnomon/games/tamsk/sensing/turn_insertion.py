"""Insert a missed turn among the later turns of a TAMSK game.

The later turns stand as they were made: none of them may have touched its glass or filled its space.
"""

from dataclasses import replace

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position
from gnomon.games.tamsk.rules.corrections import Missed, PositionCorrections
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.game import Ply
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant


def inserted(game: TamskGame, number: int, text: str) -> TamskGame:
    """The game with a turn as number `number` of those made, at the instant of the turn before it.

    Raises RulesError for a turn that could not be made there, or that the turns after it do not allow.
    """
    if not 1 <= number <= len(game.plies):
        message = f"a turn is inserted as number 1 to {len(game.plies)}, before one that was made, not as {number}"
        raise RulesError(message)
    follower = game.plies[number - 1]
    since = game.plies[number - 2].when if number > 1 else Instant(0)
    before = _with_mover_of(game, follower.before._replace(now=since), text)
    move = game.rules.parse(before, text)
    if move.kind != "turn":
        message = f"{text} moves no glass: only a turn that does is inserted"
        raise RulesError(message)
    after = game.rules.play(before, move)
    glass = before.glasses.index(move.origin)
    rings = tuple(space for space in (move.forgotten, move.target if move.ring else -1, move.free) if space >= 0)
    sand = (before.sands[glass], after.sands[glass]) if before.sands else ()
    missed = Missed(glass, move.origin, move.target, rings, sand)
    player, canonical = PLAYERS[before.mover], game.rules.text(before, move)
    at = game.plies[number - 2].at if number > 1 else Instant(0)
    made = Ply(player, canonical, at, before, before.now, follower.clock, follower.poles)
    later = tuple(_shifted(game, ply, missed) for ply in game.plies[number - 1 :])
    position = _with(game, game.position, missed, "now")
    poles = _flipped(game, game.poles, glass)
    return replace(game, position=position, poles=poles, plies=(*game.plies[: number - 1], made, *later))


def _with_mover_of(game: TamskGame, position: Position, text: str) -> Position:
    """The position before a turn, with the owner of the glass that it moves to play."""
    if position.lifted >= 0:
        position = game.rules.put_back(position)
    owner = position.owner_of(read(text)[0].origin)
    return position if owner in (position.mover, -1) else game.rules.with_turn(position, owner)


def _shifted(game: TamskGame, ply: Ply, missed: Missed) -> Ply:
    before = _with(game, ply.before, missed, f"before {ply.text}")
    if read(ply.text)[0].target == missed.target:
        message = f"{ply.text} went to {BOARD.names[missed.target]} since: restore the position and enter the turns"
        raise RulesError(message)
    return ply._replace(before=before, poles=_flipped(game, ply.poles, missed.glass))


def _with(game: TamskGame, position: Position, missed: Missed, when: str) -> Position:
    try:
        return PositionCorrections(game.rules.settings).with_missed_turn(position, missed)
    except RulesError as error:
        message = f"{error} ({when}): restore the position before it and enter the turns"
        raise RulesError(message) from error


def _flipped(game: TamskGame, poles: tuple[int, ...], glass: int) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if game.rules.settings.level == 1:
        return poles
    return (*poles[:glass], 1 - poles[glass], *poles[glass + 1 :])
