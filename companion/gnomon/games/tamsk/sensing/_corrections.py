"""Apply the corrections that only TAMSK knows: sand, rings, glasses, penalties, and turns that the board missed.

Time is added to glasses or taken from them as an arbiter does it. A missed turn is inserted among later ones, which
stand as they were made: none of them may have touched its glass or filled its space.
"""

from collections.abc import Iterator
from typing import assert_never

from gnomon.games.tamsk.rules import BOARD, FLIP15, PLAYERS, Move, Position, Tamsk
from gnomon.games.tamsk.rules.corrections import Missed, PositionCorrections
from gnomon.games.tamsk.rules.notation import read
from gnomon.games.tamsk.rules.position import NOWHERE
from gnomon.games.tamsk.sensing._acceptance import apply_turn, follow_up, nothing_to_deny
from gnomon.games.tamsk.sensing._scene import TIMED, repairs
from gnomon.games.tamsk.sensing._timer_turns import enter_timer_turn
from gnomon.games.tamsk.sensing.declarations import declare
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import TIMER
from gnomon.games.tamsk.sensing.verdicts import InHand
from gnomon.referee.announcements import announce
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
from gnomon.referee.game import Judged, Ply
from gnomon.referee.judgement import Action, Repair
from gnomon.referee.replacement import replace
from gnomon.referee.rulings import TurnRuled
from gnomon.refusals import statement
from gnomon.rules.protocol import RulesError
from gnomon.timekeeping.glasses import SandGlass
from gnomon.timekeeping.instants import Duration, Instant


def correct(game: TamskGame, event: GameCorrection) -> Judged[TamskGame]:
    """The game after a correction that only TAMSK knows. Raises CorrectionError, or RulesError for what cannot be."""
    at, rules = event.at, game.rules
    match event:
        case SandSet(space=space, remaining=remaining):
            position = now_at(game, at)
            glass = space if space == TIMER else _glass(position, space)
            return _set_position(game, rules.with_sand(position, glass, remaining), at)
        case TimeGiven(to=to, amount=amount):
            return _set_position(game, with_more(rules, now_at(game, at), to, amount), at)
        case TimeTaken(of=of, amount=amount):
            return _set_position(game, with_less(rules, now_at(game, at), of, amount), at)
        case RingsSet(space=space, count=count, player=player):
            return _set_position(game, rules.with_rings(now_at(game, at), _space(space), count, player), at)
        case GlassPlaced(origin=origin, target=target, turned=turned):
            return _place(game, origin, target, at, turned=turned)
        case TurnSet(player=player):
            return hand_over(game, player, at)
        case PenaltySet(due=due):
            return _set_position(game, rules.with_penalty(now_at(game, at), due=due), at)
        case StopDeclared(space=space, who=who):
            return declare(game, space, at, who)
        case _:
            assert_never(event)


def hand_over(game: TamskGame, player: str, at: Instant) -> Judged[TamskGame]:
    """The game with that player on turn. Raises RulesError."""
    return _set_position(game, game.rules.with_turn(now_at(game, at), player), at)


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
    """The game after a turn that the board did not show. Raises CorrectionError.

    The 15-second glass is no turn: only that of an engine that has announced it is entered.
    """
    if game.declared is not None:
        raise CorrectionError(statement("told.declared"))
    if game.announced is not None and text == game.announced.text == FLIP15.kind:
        return enter_timer_turn(game, at)
    before = now_at(game, at)
    move = game.rules.parse(before, text)
    if not game.rules.is_turn(move):
        raise CorrectionError(statement("told.no_whole_turn", text=text))
    position = game.rules.play(before, move)
    old = game.poles
    game = replace(game, poles=_poles_after(game, before, move))
    return follow_up(*apply_turn(game, before, position, game.rules.text(before, move), at, before.now, old))


def steps(game: TamskGame, text: str) -> tuple[Repair, ...]:
    """What hands have to change for the board to show the position after a turn. Raises RulesError.

    What was done elsewhere by mistake is put right first; a glass goes back there as it stood.
    """
    if text == FLIP15.kind:
        return (Repair(Action.FLIP_TIMER),)
    before = _before_turn(game, read(text)[0].origin)
    move = game.rules.parse(before, text)
    forgotten = before.forgotten
    if forgotten != NOWHERE and game.scene.sight.heights(forgotten).fewest > before.rings_on(forgotten):
        move = move._replace(forgotten=forgotten)  # the other player has dropped the ring late (rule 3)
    after = game.rules.play(before, move)
    due = repairs(game.scene._replace(position=after, poles=_poles_after(game, before, move)))
    own = {BOARD.names[each] for each in (move.origin, move.target, move.free, move.forgotten) if each != NOWHERE}
    due = tuple(sorted(due, key=lambda step: step.space in own))
    if game.rules.settings.level < TIMED or move.target == NOWHERE:
        return due
    target = Repair(Action.PUT_GLASS, BOARD.names[move.target])
    return tuple(replace(step, action=Action.PUT_TURNED) if step == target else step for step in due)


def is_same_turn(one: str, other: str) -> bool:
    """Whether two turns are the same but for the ring that the other player had forgotten."""
    return read(one)[0]._replace(forgotten=NOWHERE) == read(other)[0]._replace(forgotten=NOWHERE)


def _before_turn(game: TamskGame, origin: int) -> Position:
    """The position as a turn finds it: with its glass in the air, if hands have lifted that one already."""
    if isinstance(game.under_way, InHand) and game.under_way.space == origin:
        return game.position_with_turn
    return game.position if game.position.lifted < 0 else game.rules.put_back(game.position)


def _poles_after(game: TamskGame, before: Position, move: Move) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if move.kind != "turn" or game.rules.settings.level == 1:
        return game.poles
    glass = before.glasses.index(move.origin)
    return (*game.poles[:glass], 1 - game.poles[glass], *game.poles[glass + 1 :])


def insert_turn(game: TamskGame, number: int, text: str, at: Instant) -> Judged[TamskGame]:
    """The game with a missed turn before those made since. Raises RulesError."""
    game = insert_ply(game, number, text)
    ply = game.plies[number - 1]
    game, said = announce(game, TurnRuled(at, ply.player, ply.text))
    game, effects = _set_position(game, now_at(game, at), at)
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
    return _set_position(replace(game, poles=poles), position, at)


def _set_position(game: TamskGame, position: Position, at: Instant) -> Judged[TamskGame]:
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


def with_more(rules: Tamsk, position: Position, whose: str, amount: Duration) -> Position:
    """The position with more sand above, at most all: in a glass by its space, `timer15`, or a player's running ones.

    Raises RulesError for what cannot be.
    """
    return _change_supply(rules, position, whose, amount, 1)


def with_less(rules: Tamsk, position: Position, whose: str, amount: Duration) -> Position:
    """The position with less sand above, at least none. Raises RulesError for what cannot be."""
    return _change_supply(rules, position, whose, amount, -1)


def _change_supply(rules: Tamsk, position: Position, whose: str, amount: Duration, sign: int) -> Position:
    if not amount:
        raise CorrectionError(statement("told.correction.no_time"))
    for name, sand in list(_glasses(position, whose)):
        left = sand.remaining(position.now) + sign * amount
        position = rules.with_sand(position, name, Duration(min(max(left, 0), sand.durations[sand.up])))
    return position


def _glasses(position: Position, whose: str) -> Iterator[tuple[int | str, SandGlass]]:
    """The glasses that are meant, by what the rules call them."""
    if not position.sands:
        raise CorrectionError(statement("told.tamsk.no_sand"))
    if whose == TIMER:
        if position.timer15 is None:
            raise CorrectionError(statement("told.tamsk.no_timer15"))
        yield TIMER, position.timer15
    elif whose in PLAYERS:
        first = 3 * PLAYERS.index(whose)
        running = [glass for glass in range(first, first + 3) if position.sands[glass].is_running(position.now)]
        if not running:
            raise CorrectionError(statement("told.correction.nothing_runs", player=whose))
        yield from ((glass, position.sands[glass]) for glass in running)
    else:
        glass = position.glass_on(BOARD.index.get(whose, -1))
        if glass < 0:
            raise CorrectionError(statement("told.no_glass", space=whose))
        yield glass, position.sands[glass]


def insert_ply(game: TamskGame, number: int, text: str) -> TamskGame:
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
    later = tuple(_shift(game, ply, missed) for ply in game.plies[number - 1 :])
    position = _with(game, game.position, missed)
    poles = _flip(game, game.poles, glass)
    return replace(game, position=position, poles=poles, plies=(*game.plies[: number - 1], made, *later))


def _with_mover_of(game: TamskGame, position: Position, text: str) -> Position:
    """The position before a turn, with the owner of the glass that it moves to play."""
    if position.lifted >= 0:
        position = game.rules.put_back(position)
    owner = position.owner_of(read(text)[0].origin)
    return position if owner in (position.mover, -1) else game.rules.with_turn(position, owner)


def _shift(game: TamskGame, ply: Ply, missed: Missed) -> Ply:
    before = _with(game, ply.before, missed, ply.text)
    if read(ply.text)[0].target == missed.target:
        raise RulesError(statement("told.tamsk.inserted.since", text=ply.text, space=BOARD.names[missed.target]))
    return ply._replace(before=before, poles=_flip(game, ply.poles, missed.glass))


def _with(game: TamskGame, position: Position, missed: Missed, later: str | None = None) -> Position:
    """The position with a missed turn in it, as it stands now, or stood before a later turn. Raises RulesError."""
    try:
        return PositionCorrections(game.rules.settings).with_missed_turn(position, missed)
    except RulesError as error:
        if later is None:
            raise RulesError(statement("told.tamsk.inserted.now", cause=error.statement)) from error
        raise RulesError(statement("told.tamsk.inserted.before", cause=error.statement, text=later)) from error


def _flip(game: TamskGame, poles: tuple[int, ...], glass: int) -> tuple[int, ...]:
    """A glass that moves is turned (rule 10), at level 1 as it pleases."""
    if game.rules.settings.level == 1:
        return poles
    return (*poles[:glass], 1 - poles[glass], *poles[glass + 1 :])
