"""Apply the corrections that only TAMSK knows: sand, rings, glasses, penalties, and turns that the board missed."""

from dataclasses import replace
from typing import assert_never

from gnomon.games.tamsk.rules import BOARD, Move, Position
from gnomon.games.tamsk.sensing._acceptance import entered, follow_up, nothing_to_deny
from gnomon.games.tamsk.sensing._sand_by_eye import declared
from gnomon.games.tamsk.sensing._time_adjustment import with_less, with_more
from gnomon.games.tamsk.sensing._turn_insertion import inserted
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.referee.announcements import ruled
from gnomon.referee.errors import CorrectionError
from gnomon.referee.events import (
    GameCorrection,
    GlassPlaced,
    PenaltySet,
    RingsSet,
    SandSet,
    StopDeclared,
    TimeGiven,
    TimeTaken,
    TurnSet,
)
from gnomon.referee.game import Judged
from gnomon.referee.rulings import TurnRuled
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant


def correct(game: TamskGame, event: GameCorrection) -> Judged[TamskGame]:
    """The game after a correction that only TAMSK knows. Raises CorrectionError, or RulesError for what cannot be."""
    at, rules = event.at, game.rules
    match event:
        case SandSet(space=space, remaining=remaining):
            position = now_at(game, at)
            glass = space if space == TIMER else _glass(position, space)
            return _set(game, rules.with_sand(position, glass, remaining), at)
        case TimeGiven(to=to, amount=amount):
            return _set(game, with_more(rules, now_at(game, at), to, amount), at)
        case TimeTaken(of=of, amount=amount):
            return _set(game, with_less(rules, now_at(game, at), of, amount), at)
        case RingsSet(space=space, count=count, player=player):
            return _set(game, rules.with_rings(now_at(game, at), _space(space), count, player), at)
        case GlassPlaced(origin=origin, target=target, turned=turned):
            return _place(game, origin, target, at, turned=turned)
        case TurnSet(player=player):
            return hand_over(game, player, at)
        case PenaltySet(due=due):
            return _set(game, rules.with_penalty(now_at(game, at), due=due), at)
        case StopDeclared(space=space, who=who):
            return declared(game, space, at, who)
        case _:
            assert_never(event)


def hand_over(game: TamskGame, player: str, at: Instant) -> Judged[TamskGame]:
    """The game with that player on turn. Raises RulesError."""
    return _set(game, game.rules.with_turn(now_at(game, at), player), at)


def now_at(game: TamskGame, at: Instant) -> Position:
    """The position at that time, as if no turn were under way."""
    position = game.position if game.position.lifted < 0 else game.rules.put_back(game.position)
    return game.rules.elapse(position, game.game_time(at))


def _space(name: str) -> int:
    space = BOARD.index.get(name)
    if space is None:
        raise CorrectionError(statement("told.no_space", space=name))
    return space


def enter_turn(game: TamskGame, text: str, at: Instant) -> Judged[TamskGame]:
    """The game after a turn that the board did not show. Raises CorrectionError."""
    if game.declared is not None:
        raise CorrectionError(statement("told.declared"))
    before = now_at(game, at)
    move = game.rules.parse(before, text)
    if not game.rules.is_turn(move):
        raise CorrectionError(statement("told.no_whole_turn", text=text))
    position = game.rules.play(before, move)
    old = game.poles
    game = replace(game, poles=_poles_after(game, before, move))
    return follow_up(*entered(game, before, position, game.rules.text(before, move), at, before.now, old))


def _poles_after(game: TamskGame, before: Position, move: Move) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if move.kind != "turn" or game.rules.settings.level == 1:
        return game.poles
    glass = before.glasses.index(move.origin)
    return (*game.poles[:glass], 1 - game.poles[glass], *game.poles[glass + 1 :])


def insert_turn(game: TamskGame, number: int, text: str, at: Instant) -> Judged[TamskGame]:
    """The game with a missed turn before those made since. Raises RulesError."""
    game = inserted(game, number, text)
    ply = game.plies[number - 1]
    game, said = ruled(game, TurnRuled(at, ply.player, ply.text))
    game, effects = _set(game, now_at(game, at), at)
    return game, said + effects


def _glass(position: Position, space: str) -> int:
    glass = position.glass_on(_space(space))
    if glass == -1:
        raise CorrectionError(statement("told.no_glass", space=space))
    return glass


def _place(game: TamskGame, origin: str, target: str, at: Instant, *, turned: bool) -> Judged[TamskGame]:
    """A glass stands elsewhere, or the other way up, than the game has it."""
    position = now_at(game, at)
    glass = _glass(position, origin)
    poles = game.poles
    if turned:
        poles = (*poles[:glass], 1 - poles[glass], *poles[glass + 1 :])
    elif origin == target:
        raise CorrectionError(statement("told.correction.same_place", space=origin))
    position = game.rules.with_glass(position, glass, _space(target), turned=turned)
    return _set(replace(game, poles=poles), position, at)


def _set(game: TamskGame, position: Position, at: Instant) -> Judged[TamskGame]:
    game = replace(
        game,
        position=position,
        under_way=None,
        question=None,
        told=position.now,
        turn_began=at,
        trust=nothing_to_deny(game.trust),
    )
    return follow_up(game, (), at)
