"""Generate timed TAMSK scores: legal games of some chooser, with touches at human speed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final, NamedTuple, Protocol

from gnomon.games.tamsk.rules import BOARD, FLIP15, LOST, PASS, Move, Position, Tamsk
from gnomon.referee.evidence import STANDING
from gnomon.rules.protocol import IllegalMoveError
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after
from gnomon_pi.simulated._chance import pick, toss
from gnomon_pi.simulated.players.player_timing import FINGER, Habits

LEAD: Final = Duration(2 * SECOND)  # a forgotten ring falls at most so long before the lift
LATENESS: Final = Duration(6 * SECOND)  # at most so much after the 15-second glass is empty
CLEARLY: Final = Duration(20 * MILLISECOND)  # at least so much, unless it is meant to be fine: scans are granted
UNHURRIED: Final = Duration(11 * SECOND)  # of the fifteen seconds, for one who means to be in time
SOON: Final = Duration(30 * SECOND)  # a glass that runs out within this time after the thought is waited for
NEVER: Final = Instant(1 << 62)
FREE_RING: Final = "free"  # the kind of a second ring dropped by a player who cannot move (rule 18)


# What is played


class Pressure(Enum):
    """What the 15-second glass does to a turn."""

    NONE = "not turned"
    IN_TIME = "turned, and the turn is complete in time"
    LATE = "turned, and the turn is begun in time and completed late (rule 18)"
    LOST = "turned, and the turn is not begun in time (rule 19)"


class MoveChooser(Protocol):
    """What is played. `number` counts the turns of the score from 0."""

    def pressure(self, number: int) -> Pressure:
        """Whether the other player turns the 15-second glass in this turn, and how the mover takes it."""
        ...

    def choose(self, number: int, position: Position, moves: Sequence[Move]) -> Move:
        """One of the legal moves. Raises NotationError or IllegalMoveError when the wanted one is not among them."""
        ...

    def waits(self, number: int) -> bool:
        """Whether nothing is touched until the sand forces a pass."""
        ...

    def leaves_open(self, number: int) -> bool:
        """Whether the end of the turn is left to the other player's lift (rule 22)."""
        ...


class RandomPlayer:
    """Chooses by chance."""

    def __init__(self, random: Random, habits: Habits) -> None:
        self._random = random
        self._habits = habits

    def pressure(self, _number: int) -> Pressure:
        """The 15-second glass is turned now and then, and mostly moves people to hurry."""
        if not self._happens(self._habits.turns_timer15):
            return Pressure.NONE
        luck = self._random.random() - self._habits.loses_turn
        if luck < 0:
            return Pressure.LOST
        return Pressure.LATE if luck < self._habits.comes_late else Pressure.IN_TIME

    def choose(self, _number: int, _position: Position, moves: Sequence[Move]) -> Move:
        """The way of the glass is drawn first, so that the many ways to drop rings do not weigh."""
        left = sorted(moves)
        if PASS in left:
            return self._prefer(left, lambda move: move.kind == FREE_RING, self._habits.plays_penalty)[0]
        way = pick(self._random, sorted({move[:2] for move in left}))
        left = [move for move in left if move[:2] == way]
        left = self._prefer(left, lambda move: move.forgotten >= 0, self._habits.plays_forgotten)
        left = self._prefer(left, lambda move: move.ring, self._habits.drops_ring)
        left = self._prefer(left, lambda move: move.free >= 0, self._habits.plays_penalty)
        return left[0]

    def waits(self, _number: int) -> bool:
        """Nobody waits on purpose for their sand to run out."""
        return False

    def leaves_open(self, _number: int) -> bool:
        """Now and then nobody presses the button."""
        return self._happens(self._habits.leaves_end_open)

    def _happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def _prefer(self, moves: Sequence[Move], wanted: Callable[[Move], bool], chance: float) -> list[Move]:
        """The moves that are as wanted (with that chance, else the others; all if there are none), in random order."""
        likes = self._happens(chance)
        left = [move for move in moves if wanted(move) is likes] or list(moves)
        self._random.shuffle(left)
        return left


class PlannedPlayer(RandomPlayer):
    """Makes one turn that was decided on before, hurries nobody and ends its turn; by chance only what is left open."""

    def __init__(self, random: Random, habits: Habits, rules: Tamsk, text: str) -> None:
        super().__init__(random, habits)
        self._rules = rules
        self._text = text

    def pressure(self, _number: int) -> Pressure:
        """Nobody turns the 15-second glass."""
        return Pressure.NONE

    def choose(self, number: int, position: Position, moves: Sequence[Move]) -> Move:
        """The turn that was decided on; another one where time has made it impossible."""
        meant = (move for move in moves if self._rules.text(position, move) == self._text)
        return next(meant, None) or super().choose(number, position, moves)

    def leaves_open(self, _number: int) -> bool:
        """The button is pressed."""
        return False


# When it is played


class Drop(NamedTuple):
    """A ring falls on a space."""

    at: Instant
    space: str


class TimedTurn(NamedTuple):
    """One turn of a score and the instants (µs of game time) of its touches; None for what is not done.

    `at` is when the turn is complete, or when a pass or a loss became due. `timer15` is when the other player has put
    the 15-second glass back, turned. `penalty` tells that the mover may drop a second ring, used or not. `is_open`
    tells that the end was left to the other player, who ended the turn at `at` by lifting a glass (rule 22).
    """

    player: str
    text: str
    at: Instant
    origin: str = ""
    target: str = ""
    lifted: Instant | None = None
    placed: Instant | None = None
    forgotten: Drop | None = None
    ring: Instant | None = None
    free: Drop | None = None
    button: Instant | None = None
    timer15: Instant | None = None
    penalty: bool = False
    is_open: bool = False

    @property
    def movers_until(self) -> Instant:
        """Until when a ring on its space is this turn's, though the opponent has begun (rule 22); 0 where none is."""
        if self.placed is None or not self.is_open:
            return Instant(0)
        return after(self.placed, STANDING.late_ring)


Score = tuple[TimedTurn, ...]


def random_score(
    rules: Tamsk,
    random: Random,
    habits: Habits | None = None,
    *,
    position: Position | None = None,
    turns: int = 1 << 30,
) -> Score:
    """A random legal game of at most `turns` turns, from the start or from `position` on."""
    habits = habits or Habits()
    return ScriptWriter(rules, random, habits, RandomPlayer(random, habits), position or rules.start()).write(turns)


def planned_score(rules: Tamsk, random: Random, habits: Habits, position: Position, text: str) -> Score:
    """The turn of this canonical text, from `position` on; another one where time makes it impossible."""
    return ScriptWriter(rules, random, habits, PlannedPlayer(random, habits, rules, text), position).write(1)


class _Standing(NamedTuple):
    """A turn that stands on the board and has not ended."""

    held: Position  # its glass lifted
    move: Move
    placed: Instant
    touched: Instant  # last


@dataclass(slots=True)
class _Touches:
    """The instants of one turn after the lift, before they are written down."""

    placed: Instant
    ring: Instant | None
    free: Instant | None
    button: Instant | None

    @property
    def end(self) -> Instant:
        """The last of them: the turn is complete."""
        return max(instant for instant in (self.placed, self.ring, self.free, self.button) if instant is not None)

    def postpone(self, by: int, *, glass: bool) -> None:
        """Make everything later, the placing of the glass only if wanted and needed."""
        if glass or self.end == self.placed:
            self.placed = after(self.placed, by)
        self.ring, self.free, self.button = (
            None if instant is None else after(instant, by) for instant in (self.ring, self.free, self.button)
        )


class ScriptWriter:
    """Let time pass through the rules, and write down who touches what when; a `MoveChooser` says what is played."""

    def __init__(self, rules: Tamsk, random: Random, habits: Habits, chooser: MoveChooser, position: Position) -> None:
        self._rules = rules
        self._random = random
        self._habits = habits
        self._chooser = chooser
        self._made: list[TimedTurn] = []
        self._position = position
        self._now = position.now  # level 1's positions know no time
        self._standing: _Standing | None = None

    def write(self, turns: int) -> Score:
        """Play on until the game is over or `turns` turns are made."""
        while len(self._made) < turns and self._rules.outcome(self._position) is None:
            self._next()
        if self._standing is not None:
            self._press_button(self._standing)
        return tuple(self._made)

    def _next(self) -> None:
        if self._standing is not None:
            self._reply(self._standing)
        elif not self._is_settled(self._position, self._now):
            if self._rules.cannot_move(self._position):
                self._stand_by()
            else:
                self._think()

    # The end of an open turn

    def _reply(self, standing: _Standing) -> None:
        """The other one ends the open turn by lifting a glass; when they cannot, the button is needed after all."""
        now = after(standing.touched, FINGER + self._habits.react.draw(self._random))
        position = self._complete(standing, now)
        if not self._turns(position):
            self._press_button(standing)
            return
        self._end(position, now)
        self._make(position, now, Pressure.NONE, None)

    def _press_button(self, standing: _Standing) -> None:
        now = after(standing.touched, self._habits.button.draw(self._random))
        self._end(self._complete(standing, now), now)
        self._made[-1] = self._made[-1]._replace(button=now, is_open=False)

    def _end(self, position: Position, now: Instant) -> None:
        self._made[-1] = self._made[-1]._replace(at=now)
        self._position, self._now, self._standing = position, now, None

    # What nobody decides

    def _is_settled(self, position: Position, now: Instant, timer15: Instant | None = None) -> bool:
        """Write down a pass or a loss that is due; also true when the game is over."""
        self._position, self._now = position, now
        if self._rules.outcome(position) is not None:
            return True
        move = self._rules.forced_turn(position)
        if move is None:
            return False
        # A loss is ruled at the instant at which the glass is empty, a microsecond before it can be played.
        due = Instant(now - 1) if move == LOST and position.timer15_binds else now
        self._chooser.choose(len(self._made), position, (move,))
        self._made.append(TimedTurn(self._rules.turn(position), move.kind, due, timer15=timer15))
        self._position, self._now = self._rules.play(position, move), due
        return True

    def _stand_by(self, timer15: Instant | None = None) -> None:
        """They cannot move (any more) but may drop the free ring (rule 18); to pass they press the button."""
        position, now = self._pass_time(self._position, after(self._now, self._thinking_time()))
        if self._rules.outcome(position) is not None:
            self._position = position
            return
        move = self._chooser.choose(len(self._made), position, self._rules.legal_moves(position))
        drops = move != PASS
        turn = TimedTurn(
            player=self._rules.turn(position),
            text=self._rules.text(position, move),
            at=now,
            free=Drop(now, BOARD.names[move.free]) if drops else None,
            button=None if drops else now,
            timer15=timer15,
            penalty=True,
        )
        self._made.append(turn)
        self._position, self._now = self._rules.play(position, move), now

    # A turn

    def _think(self) -> None:
        number = len(self._made)
        position, now = self._position, self._now
        pressure = self._chooser.pressure(number) if position.timer15 is not None else Pressure.NONE
        timer15 = None
        if pressure is not Pressure.NONE:
            position, now = self._pass_time(position, self._turn_time(position, now, pressure))
            if self._is_settled(position, now):
                return
            if self._rules.why_not(position, FLIP15) is None:
                position, timer15 = self._rules.turn_timer15(position), now
            else:
                pressure = Pressure.NONE
        until = NEVER if self._chooser.waits(number) else self._moment(position, now, pressure)
        position, now = self._pass_time(position, until)
        if self._is_settled(position, now, timer15):
            return
        if self._rules.cannot_move(position):
            self._stand_by(timer15)
        else:
            self._make(position, now, pressure, timer15)

    def _turn_time(self, position: Position, now: Instant, pressure: Pressure) -> Instant:
        """When the other one turns the 15-second glass; if all depends on it they wait until it is empty (rule 16)."""
        empty = None if position.timer15 is None else position.timer15.runs_out_at()
        if pressure is not Pressure.IN_TIME and empty is not None:
            now = max(now, empty)
        return after(now, FINGER + self._habits.react.draw(self._random))

    def _moment(self, position: Position, now: Instant, pressure: Pressure) -> Instant:
        """When the glass is lifted, if nothing forbids it before."""
        fine = self._random.random() < self._habits.cuts_it_fine
        thought = self._thinking_time()
        match pressure:
            case Pressure.LOST:
                return after(Instant(position.bound_until), 1)
            case Pressure.LATE if fine:
                return Instant(position.bound_until)
            case Pressure.LATE:
                return Instant(self._random.randint(now + FINGER, position.bound_until))
            case Pressure.IN_TIME:
                return after(now, min(thought, UNHURRIED))
            case _:
                return self._brink(position, now, thought) if fine else after(now, thought)

    def _brink(self, position: Position, now: Instant, thought: Duration) -> Instant:
        """The last microsecond of one of the mover's glasses if that comes soon (a glass at 0 is dead, rule 12)."""
        own = position.sands[position.mover * 3 :][:3]
        lasts = [Instant(end - 1) for end in (sand.runs_out_at() for sand in own) if end is not None]
        soon = [last for last in lasts if now + FINGER < last < now + thought + SOON]
        return pick(self._random, soon) if soon else after(now, thought)

    def _make(self, position: Position, lifted: Instant, pressure: Pressure, timer15: Instant | None) -> None:
        """Lift, carry, place, drop, and end the turn or leave it open."""
        number = len(self._made)
        move = self._chooser.choose(number, position, self._turns(position))
        held = self._rules.lift(position, move.origin)
        touches = self._touches(position, move, lifted)
        if move.forgotten >= 0 and self._movers_until > lifted:
            touches.postpone(max(0, self._movers_until + 3 * FINGER - touches.placed), glass=True)
        self._press_on(touches, pressure, position.bound_until)
        if timer15 is None and position.timer15 is not None:
            held, timer15 = self._turned_in_the_air(held, lifted, touches.placed)
        is_open = (
            touches.button is not None
            and move.free < 0
            and pressure is not Pressure.LATE
            and self._chooser.leaves_open(number)
        )
        turn = TimedTurn(
            player=self._rules.turn(position),
            text=self._rules.text(position, move),
            at=touches.end,
            origin=BOARD.names[move.origin],
            target=BOARD.names[move.target],
            lifted=lifted,
            placed=touches.placed,
            forgotten=self._forgotten_ring(move, lifted, touches.placed),
            ring=touches.ring,
            free=None if touches.free is None else Drop(touches.free, BOARD.names[move.free]),
            button=None if is_open else touches.button,
            timer15=timer15,
            penalty=position.penalty,
            is_open=is_open,
        )
        self._made.append(turn)
        standing = _Standing(held, move, touches.placed, max(touches.placed, touches.ring or touches.placed))
        if is_open:
            self._standing = standing
        else:
            self._position, self._now = self._complete(standing, touches.end), touches.end

    def _touches(self, position: Position, move: Move, lifted: Instant) -> _Touches:
        """Carry, place, drop the rings; the button when nothing else ends the turn (rule 22)."""
        draw, habits = self._random, self._habits
        placed = last = after(lifted, habits.carry.draw(draw))
        ring = free = button = None
        if move.ring:
            ring = last = after(last, habits.ring.draw(draw))
        if move.free >= 0:
            free = last = after(last, habits.ring.draw(draw))
        if not self._ends_by_itself(position, move):
            button = after(last, habits.button.draw(draw))
        return _Touches(placed, ring, free, button)

    def _ends_by_itself(self, position: Position, move: Move) -> bool:
        """Whether the last ring that may fall has fallen (rule 22)."""
        if not move.ring:
            return False
        longer = (other for other in self._rules.legal_moves(position) if other[:4] == move[:4])
        return move.free >= 0 or all(other.free < 0 for other in longer)

    def _press_on(self, touches: _Touches, pressure: Pressure, bound_until: int) -> None:
        """Under the 15-second glass: too late as it was meant, or sometimes exactly in time."""
        random = self._random
        glass = toss(random)  # late with the glass, or only with the ring
        fine = random.random() < self._habits.cuts_it_fine
        spare = bound_until - touches.end
        if pressure is Pressure.LATE and spare >= 0:
            touches.postpone(spare + (1 if fine else random.randint(CLEARLY, LATENESS)), glass=glass)
        if pressure is Pressure.IN_TIME and spare >= 0 and fine:
            touches.postpone(spare, glass=glass)

    def _turned_in_the_air(self, held: Position, lifted: Instant, placed: Instant) -> tuple[Position, Instant | None]:
        """Now and then the other one turns the 15-second glass only when the mover has lifted (rule 16)."""
        now = Instant((lifted + placed) // 2)
        if self._random.random() >= self._habits.turns_timer15 or now - lifted < FINGER:
            return held, None
        try:
            return self._rules.turn_timer15(self._rules.elapse(held, now)), now
        except IllegalMoveError:
            return held, None

    @property
    def _movers_until(self) -> Instant:
        return self._made[-1].movers_until if self._made else Instant(0)

    def _forgotten_ring(self, move: Move, lifted: Instant, placed: Instant) -> Drop | None:
        """The opponent's forgotten ring: before the lift, or while the glass is in the air (rule 3).

        While the other's turn is open, a ring on its target would be theirs; so it must wait for the lift (rule 22).
        """
        if move.forgotten < 0:
            return None
        earliest = max(self._now, lifted - LEAD) + FINGER
        if earliest < lifted - FINGER and toss(self._random):
            now = self._random.randint(earliest, lifted - FINGER)
        else:
            now = self._random.randint(max(lifted, self._movers_until) + FINGER, placed - FINGER)
        return Drop(Instant(now), BOARD.names[move.forgotten])

    # The rules and time

    def _complete(self, standing: _Standing, now: Instant) -> Position:
        """The position when a standing turn is complete at `now`; its glass was turned when it was placed."""
        held = self._rules.elapse(standing.held, now)
        return self._rules.play(held, standing.move, standing.placed if held.sands else None)

    def _pass_time(self, position: Position, until: Instant) -> tuple[Position, Instant]:
        """Let time pass, but not beyond the instant at which the game ends or the mover has nothing to decide."""
        while (deadline := self._rules.deadline(position)) is not None and deadline <= until:
            position = self._rules.elapse(position, deadline)
            if self._rules.outcome(position) is not None or self._rules.forced_turn(position):
                return position, deadline
        if until == NEVER:
            return position, after(max(position.now, self._now), FINGER)
        return self._rules.elapse(position, until), until

    def _turns(self, position: Position) -> Sequence[Move]:
        return [move for move in self._rules.legal_moves(position) if move.kind == "turn"]

    def _thinking_time(self) -> Duration:
        return Duration(self._habits.react.draw(self._random) + self._habits.think.draw(self._random))
