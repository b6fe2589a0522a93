"""Implement the rules of TAMSK (Kris Burm, 1998) at all three levels.

Rule numbers in this folder are those of the project's rules file. [D] marks a decision where no source gives the rule.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Self

from gnomon.games.tamsk.rules._legality import fills_target, why_not, why_not_lift, why_not_timer15
from gnomon.games.tamsk.rules._mobility import (
    cannot_move,
    has_a_move,
    is_lined_up,
    lost_is_due,
    may_leave,
    must_pass,
    outcome_of,
)
from gnomon.games.tamsk.rules._moves import legal_moves
from gnomon.games.tamsk.rules._sand import glass_stopped, stops, timer15_stopped, timer15_turned, turn_glass
from gnomon.games.tamsk.rules._settings import TamskSettings
from gnomon.games.tamsk.rules.corrections import PositionCorrections
from gnomon.games.tamsk.rules.glasses import SAND, glasses_at_start, timer15_at_start
from gnomon.games.tamsk.rules.notation import read, write
from gnomon.games.tamsk.rules.position import (
    BIT,
    BLACK,
    BOARD,
    CAPACITY,
    FLIP15,
    LOST,
    NEVER,
    NOWHERE,
    ONE_RING,
    PASS,
    PLAYERS,
    RED,
    RINGS_EACH,
    SHIFT,
    START,
    STOP15,
    STOPS,
    UNTIL_SEEN,
    Move,
    Position,
    enterable_spaces,
    heights_of,
)
from gnomon.refusals import Statement, statement
from gnomon.rules import protocol
from gnomon.rules.protocol import GameRules, IllegalMoveError, Outcome, RulesError, TurnProgress, refusal
from gnomon.timekeeping.instants import Duration, Instant, seconds

__all__ = [
    "BLACK",
    "BOARD",
    "CAPACITY",
    "FLIP15",
    "LOST",
    "PASS",
    "PLAYERS",
    "RED",
    "START",
    "STOP15",
    "STOPS",
    "UNTIL_SEEN",
    "Move",
    "Position",
    "Tamsk",
    "TamskSettings",
    "heights_of",
    "may_leave",
]

_NOT_TURNS = ("lift", "flip15", "stop", "stop15")
_bare_tuple = tuple.__new__
_NO_SAND = Position(RED, START, 0, (0, 0), 0)[9:]  # what a position without sand holds from `sands` on


class Tamsk(GameRules[Position, Move]):
    """The rules of TAMSK under one choice of settings."""

    name: str = "tamsk"
    players: Sequence[str] = PLAYERS

    __slots__ = ("_auto", "_stall", "by_eye", "plays_apart", "settings")

    def __init__(self, settings: TamskSettings | None = None) -> None:
        self.settings = settings or TamskSettings()
        self._auto = self.settings.auto
        self._stall = self.settings.stalls_after or sys.maxsize
        self.by_eye = self.settings.time == SAND
        self.plays_apart = self.settings.level == 1  # sand would run at two places (decision 39)

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The rules under settings given as text or numbers. Raises SettingsError with one sentence."""
        return cls(TamskSettings.from_mapping(settings))

    # Questions

    def start(self) -> Position:
        """The position before the first turn, at instant 0: all upper bulbs empty, red on turn."""
        level, time, durations = self.settings.level, self.settings.time, self.settings.durations
        return Position(
            mover=RED,
            glasses=START,
            rings=0,
            rings_left=(RINGS_EACH, RINGS_EACH),
            enterable=enterable_spaces(START, 0),
            sands=glasses_at_start(time, durations, level),
            timer15=timer15_at_start(time, durations, level),
        )

    def turn(self, position: Position) -> str:
        """Who is to act: `red`, `black` or `over`."""
        return PLAYERS[position.mover] if position.ending is None else protocol.OVER

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Every legal move, in no particular order; empty exactly when the game is over."""
        moves = legal_moves(position, auto=self._auto)
        return (*moves, *stops(position)) if self.by_eye and position.sands and moves else moves

    def entries(self, position: Position) -> Sequence[str]:
        """The texts of all whole turns, in order; the 15-second glass is no turn."""
        moves = [move for move in self.legal_moves(position) if self.is_turn(move) and move != FLIP15]
        return sorted(self.text(position, move) for move in moves)

    def why_not(self, position: Position, move: Move) -> Statement | None:
        """Why a move is illegal now, or None when it is legal."""
        return why_not(self.settings, position, move)

    def progress(self, position: Position, move: Move) -> TurnProgress:
        """What a turn comes to as it stands on the board: complete, open to a ring still to fall, or impossible."""
        if move.kind == "turn" and not move.ring:
            stands = move._replace(ring=True) if self._auto else move
            return TurnProgress.IMPOSSIBLE if self.why_not(position, stands) else TurnProgress.MAY_GO_ON
        if self.why_not(position, move):
            return TurnProgress.IMPOSSIBLE
        second_due = move.kind == "turn" and position.penalty and move.free == NOWHERE
        spaces = range(len(BOARD.names)) if second_due else ()
        more = any(self.why_not(position, move._replace(free=space)) is None for space in spaces)
        return TurnProgress.MAY_GO_ON if more else TurnProgress.COMPLETE  # rules 18 and 22

    def cannot_move(self, position: Position) -> bool:
        """Whether the player on turn has no glass to move and must pass (rule 6)."""
        return cannot_move(position)

    def is_lined_up(self, position: Position) -> bool:
        """Whether nobody can move, and the sand that the players watch is still to decide (rule 15)."""
        return is_lined_up(position)

    def forced_turn(self, position: Position) -> Move | None:
        """The turn of a player who has no choice: lost, or passed (rules 6, 8, 19 and 21); None if they have one."""
        if position.ending is not None:
            return None
        if position.sands and lost_is_due(position):
            return LOST
        return PASS if must_pass(position) else None

    def lost_is_due(self, position: Position) -> bool:
        """Whether the player on turn has lost it (rules 19 and 21): `lost` is then the only legal move."""
        return lost_is_due(position)

    def outcome(self, position: Position) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return position.ending

    def score(self, position: Position) -> Mapping[str, int]:
        """Rings left in the holders: fewer is better (rule 7)."""
        return dict(zip(PLAYERS, position.rings_left, strict=True))

    def is_turn(self, move: Move) -> bool:
        """Whether the move ends a turn: a lift, a turning of the 15-second glass, and what is seen of sand do not."""
        return move.kind not in _NOT_TURNS

    def state(self, position: Position) -> Mapping[str, object]:
        """Rings, holders, glasses and timer, ready for JSON; times in seconds."""
        now, timer15 = position.now, position.timer15
        return {
            "rings": {name: position.rings_on(space) for space, name in enumerate(BOARD.names)},
            "rings_left": dict(zip(PLAYERS, position.rings_left, strict=True)),
            "glasses": [_glass_state(position, glass) for glass in range(len(position.glasses))],
            "timer15": 0 if timer15 is None else seconds(timer15.remaining(now)),
        }

    # Text

    def parse(self, position: Position, text: str) -> Move:
        """Read canonical text, the `x` optional. Raises NotationError, IllegalMoveError or GameOverError."""
        move, claims_to_fill = read(text, by_eye=self.by_eye)
        why = why_not(self.settings, position, move)
        if why is not None:
            raise refusal(why)
        if claims_to_fill and not fills_target(position, move):
            raise IllegalMoveError(statement("told.tamsk.not_full", rules=(4,), space=BOARD.names[move.target]))
        return move

    def text(self, position: Position, move: Move) -> str:
        """The canonical text of a move that is legal in `position`."""
        return write(move, fills=fills_target(position, move))

    # Time

    def deadline(self, position: Position) -> Instant | None:
        """The next instant at which sand runs out or a turn is lost, or None."""
        if position.ending is not None:
            return None
        glasses = position.sands if position.timer15 is None else (*position.sands, position.timer15)
        ends = [glass.runs_out_at() for glass in glasses]
        instants = [end for end in ends if end is not None]
        if position.timer15_binds and position.lifted < 0 and position.bound_until != UNTIL_SEEN:
            # Rule 19: a lift at the very instant at which the timer empties is in time.
            instants.append(Instant(position.bound_until + 1))
        return min((instant for instant in instants if instant > position.now), default=None)

    def elapse(self, position: Position, now: Instant) -> Position:
        """The position when time has come to `now`; an earlier instant, and level 1, leave it as it is.

        The game ends at the very instant at which neither player can move (rules 7, 13 and 15). Sand runs on after it.
        """
        if not position.sands or now <= position.now:
            return position
        if position.ending is None:
            ends = {end for glass in position.sands if (end := glass.runs_out_at()) and position.now < end <= now}
            for stop in sorted(ends):
                position = self._judge(position._replace(now=stop))
                if position.ending is not None:
                    break
        return position._replace(now=now)

    # Changes

    def play(self, position: Position, move: Move, placed_at: Instant | None = None) -> Position:
        """The position after a legal move, complete at `position.now`.

        A lifted glass was put down at `placed_at` and turned over then, if that was before its ring fell.
        Raises IllegalMoveError or GameOverError, and RulesError for a glass put down before it was lifted.
        """
        why = why_not(self.settings, position, move)
        if why is not None:
            raise refusal(why)
        match move.kind:
            case "turn":
                placed = position.now if placed_at is None else _placing_time(position, placed_at)
                return self._after_turn(position, move, placed)
            case "lift":
                return _lift_glass(position, move.origin)
            case "flip15":
                return timer15_turned(position)
            case "stop":
                return self._judge(glass_stopped(position, move.origin))
            case "stop15":
                return timer15_stopped(position)
            case "free":
                return self._after_free_ring(position, move.free)
            case _:
                return self._after_nothing(position)

    def lift(self, position: Position, space: int) -> Position:
        """The mover's glass on a space leaves the board now. Raises IllegalMoveError or GameOverError."""
        why = why_not_lift(position, space)
        if why is not None:
            raise refusal(why)
        return _lift_glass(position, space)

    def put_back(self, position: Position) -> Position:
        """The lifted glass is back where it stood, and no turn has begun. Raises IllegalMoveError."""
        if position.lifted < 0:
            raise IllegalMoveError(statement("told.tamsk.not_lifted", rules=(1,)))
        return self._judge(position._replace(lifted=NOWHERE, lifted_at=NEVER))

    def off_turn(self, position: Position) -> Sequence[Move]:
        """To turn the 15-second glass, also while a glass is in the air (rule 16)."""
        return (FLIP15,) if why_not_timer15(position) is None else ()

    def turn_timer15(self, position: Position) -> Position:
        """The player not on turn has turned the 15-second glass (rule 16). Raises IllegalMoveError or GameOverError."""
        why = why_not_timer15(position)
        if why is not None:
            raise refusal(why)
        return timer15_turned(position)

    # Corrections by hand: each raises RulesError for what cannot be, and asks again whether the game is over.

    def with_sand(self, position: Position, glass: int | str, remaining: Duration) -> Position:
        """The position in which a glass (0 to 5, or "timer15") runs out `remaining` µs from now."""
        return PositionCorrections(self.settings).with_sand(position, glass, remaining)

    def with_rings(self, position: Position, space: int | str, count: int, player: int | str) -> Position:
        """The position with `count` rings on a space; the difference is taken from or given to a player's holder."""
        return PositionCorrections(self.settings).with_rings(position, space, count, player)

    def with_turn(self, position: Position, player: int | str) -> Position:
        """The position with a player on turn who has begun nothing, owes nothing and is owed nothing."""
        return PositionCorrections(self.settings).with_turn(position, player)

    def with_glass(self, position: Position, glass: int, space: int | str, *, turned: bool) -> Position:
        """The position with a glass (0 to 5) standing on a space, turned over now or not."""
        return PositionCorrections(self.settings).with_glass(position, glass, space, turned=turned)

    def with_penalty(self, position: Position, *, due: bool) -> Position:
        """The position in which the player on turn may drop a second ring, or may not (rule 18)."""
        return PositionCorrections(self.settings).with_penalty(position, due=due)

    # Inside

    def _judge(self, position: Position) -> Position:
        end = outcome_of(self.settings, position)
        return position if end is position.ending else position._replace(ending=end)

    def _after_turn(self, position: Position, move: Move, placed_at: Instant) -> Position:
        """The position after a whole turn: glass, rings, sand, and what the next player may or must do."""
        origin, target, ring, forgotten, free, _ = move
        mover, glasses, rings, rings_left, enterable = position[:5]
        glass = glasses.index(origin)
        dropped = 0
        if forgotten >= 0:
            rings += ONE_RING[forgotten]
            dropped = 1
        if ring:
            rings += ONE_RING[target]
            dropped += 1
        enterable &= ~BIT[target]
        if rings >> SHIFT[origin] & 7 != CAPACITY[origin]:
            enterable |= BIT[origin]  # Rule 4: a glass may leave a full space, but none comes back.
        if free >= 0:
            rings += ONE_RING[free]
            dropped += 1
            if rings >> SHIFT[free] & 7 == CAPACITY[free]:
                enterable &= ~BIT[free]
        left = rings_left[mover] - dropped
        # The bare constructor of the tuple: a Position made by name takes as long as the rest of the turn.
        after = _bare_tuple(
            Position,
            (
                1 - mover,
                (*glasses[:glass], target, *glasses[glass + 1 :]),
                rings,
                (left, rings_left[BLACK]) if mover == RED else (rings_left[RED], left),
                enterable,
                NOWHERE if ring or self._auto else target,  # Rule 3.
                False,
                0,
                0 if dropped else position.idle + 1,
                *_NO_SAND,
            ),
        )
        if position.sands:
            after = self._in_time(position, after, glass, placed_at)
        if after.idle < self._stall and has_a_move(after, after.mover, after.now):
            return after
        return self._judge(after)

    def _in_time(self, before: Position, after: Position, glass: int, placed_at: Instant) -> Position:
        """What a turn does to the sand (rule 10), the opening (11) and the claims of the 15-second glass (18 to 21)."""
        late = 0 <= before.bound_until < before.now  # A turn that is complete when the timer empties is in time.
        sitting = late and self.settings.late == "skip_turn"
        return after._replace(
            penalty=late and not sitting,
            moved=before.moved | BIT[glass],
            sands=turn_glass(before.sands, glass, placed_at),
            timer15=before.timer15,
            sits_out=before.sits_out | BIT[before.mover] if sitting else before.sits_out,
            now=before.now,
        )

    def _after_free_ring(self, position: Position, space: int) -> Position:
        """The position after the second ring of a player who cannot move (rule 18)."""
        left = [*position.rings_left]
        left[position.mover] -= 1
        rings = position.rings + ONE_RING[space]
        return self._next_turn(
            position._replace(
                rings=rings,
                rings_left=(left[RED], left[BLACK]),
                enterable=enterable_spaces(position.glasses, rings),
                idle=0,
            )
        )

    def _after_nothing(self, position: Position) -> Position:
        """The position after a pass or a lost turn, which is the one that sitting out (rule 21) was about."""
        sits_out = position.sits_out & ~BIT[position.mover]
        return self._next_turn(position._replace(idle=position.idle + 1, sits_out=sits_out))

    def _next_turn(self, position: Position) -> Position:
        """The other player's turn: rights not used have lapsed (rules 3 and 18), and the timer binds nobody (20)."""
        return self._judge(
            position._replace(
                mover=1 - position.mover,
                forgotten=NOWHERE,
                penalty=False,
                bound_until=NEVER,
            )
        )


def _placing_time(position: Position, placed_at: Instant) -> Instant:
    """The instant at which the glass was put down, if that can be."""
    if not max(position.lifted_at, 0) <= placed_at <= position.now:
        raise RulesError(statement("told.tamsk.put_down", time=placed_at))
    return placed_at


def _lift_glass(position: Position, space: int) -> Position:
    return position._replace(lifted=space, lifted_at=position.now)


def _glass_state(position: Position, glass: int) -> Mapping[str, object]:
    sand = position.sands[glass] if position.sands else None
    return {
        "player": PLAYERS[glass // 3],
        "space": BOARD.names[position.glasses[glass]],
        "remaining": seconds(sand.remaining(position.now)) if sand else 0,
        "running": sand.is_running(position.now) if sand else False,
    }
