"""Insert a missed turn among the later turns of a TAMSK game.

The later turns stand as they were made: none of them may have touched its glass or filled its space.
"""

from dataclasses import replace

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Position
from gnomon.games.tamsk.rules.corrections import Missed, PositionCorrections
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.game import Ply
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.instants import Instant


def inserted(game: TamskGame, number: int, text: str) -> TamskGame:
    """The game with a turn as number `number` of those made, at the instant of the turn before it.

    Raises RulesError for a turn that could not be made there, or that the turns after it do not allow.
    """
    if not 1 <= number <= len(game.plies):
        raise RulesError(statement("told.correction.inserted_as", plies=len(game.plies), number=number))
    follower = game.plies[number - 1]
    since = game.plies[number - 2].when if number > 1 else Instant(0)
    before = _with_mover_of(game, follower.before._replace(now=since), text)
    move = game.rules.parse(before, text)
    if move.kind != "turn":
        raise RulesError(statement("told.correction.moves_no_glass", text=text))
    after = game.rules.play(before, move)
    glass = before.glasses.index(move.origin)
    rings = tuple(space for space in (move.forgotten, move.target if move.ring else -1, move.free) if space >= 0)
    sand = (before.sands[glass], after.sands[glass]) if before.sands else ()
    missed = Missed(glass, move.origin, move.target, rings, sand)
    player, canonical = PLAYERS[before.mover], game.rules.text(before, move)
    at = game.plies[number - 2].at if number > 1 else Instant(0)
    made = Ply(player, canonical, at, before, before.now, follower.clock, follower.poles)
    later = tuple(_shifted(game, ply, missed) for ply in game.plies[number - 1 :])
    position = _with(game, game.position, missed)
    poles = _flipped(game, game.poles, glass)
    return replace(game, position=position, poles=poles, plies=(*game.plies[: number - 1], made, *later))


def _with_mover_of(game: TamskGame, position: Position, text: str) -> Position:
    """The position before a turn, with the owner of the glass that it moves to play."""
    if position.lifted >= 0:
        position = game.rules.put_back(position)
    owner = position.owner_of(read(text)[0].origin)
    return position if owner in (position.mover, -1) else game.rules.with_turn(position, owner)


def _shifted(game: TamskGame, ply: Ply, missed: Missed) -> Ply:
    before = _with(game, ply.before, missed, ply.text)
    if read(ply.text)[0].target == missed.target:
        raise RulesError(statement("told.tamsk.inserted.since", text=ply.text, space=BOARD.names[missed.target]))
    return ply._replace(before=before, poles=_flipped(game, ply.poles, missed.glass))


def _with(game: TamskGame, position: Position, missed: Missed, later: str | None = None) -> Position:
    """The position with a missed turn in it, as it stands now, or stood before a later turn. Raises RulesError."""
    try:
        return PositionCorrections(game.rules.settings).with_missed_turn(position, missed)
    except RulesError as error:
        if later is None:
            raise RulesError(statement("told.tamsk.inserted.now", cause=error.statement)) from error
        raise RulesError(statement("told.tamsk.inserted.before", cause=error.statement, text=later)) from error


def _flipped(game: TamskGame, poles: tuple[int, ...], glass: int) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if game.rules.settings.level == 1:
        return poles
    return (*poles[:glass], 1 - poles[glass], *poles[glass + 1 :])
