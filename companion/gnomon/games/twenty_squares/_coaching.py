"""Say what an answer to a throw does in the game of twenty squares: counters sent back, brought home, thrown again."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gnomon.games.twenty_squares.rules import HAND, Move, Position, TwentySquares
from gnomon.refusals import Statement, statement
from gnomon.rules.protocol import NATURE


class TwentySquaresCoach:
    """The coach of the game of twenty squares."""

    def __init__(self, rules: TwentySquares) -> None:
        self._rules = rules

    def piece(self, position: Position, move: Move) -> Statement:
        """The counter by its square, one from the hand, or that none moves."""
        if move.kind != "move":
            return statement("coach.twenty-squares.none")
        if move.start == HAND:
            return statement("coach.twenty-squares.hand")
        return statement("coach.twenty-squares.counter", square=self._rules.text(position, move).partition("-")[0])

    def place(self, position: Position, move: Move) -> Statement:
        """The text of the move, which has both squares."""
        return statement("coach.place", move=self._rules.text(position, move))

    def reasons(self, position: Position, move: Move) -> Sequence[Statement]:
        """Counters that are sent back or borne off, another throw, and what the opponent's throw may send back."""
        return () if move.kind == "forfeit" else tuple(self._reasons(position, move))

    def predicts(self, _position: Position) -> bool:
        """True: values mean something from the first move."""
        return True

    def other_turn(self, _position: Position) -> Position | None:
        """None: what the opponent can do depends on their throw."""
        return None

    # Inside

    def _reasons(self, position: Position, move: Move) -> Iterator[Statement]:
        rules, mover = self._rules, position.player
        after = rules.play(position, move)
        names = list(rules.players)
        for number, name in enumerate(names):
            if rules.counters_of(after, number)[0] > rules.counters_of(position, number)[0]:
                yield statement("coach.twenty-squares.sends_back", player=name)
        home = rules.score(after)[names[mover]]
        if home > rules.score(position)[names[mover]]:
            yield statement("coach.twenty-squares.home", player=names[mover], number=home)
        if rules.turn(after) == NATURE and after.player == mover:
            yield statement("coach.twenty-squares.again", player=names[mover])
        if move.kind == "move" and move.start == HAND:
            yield statement("coach.twenty-squares.enters", player=names[mover])
        if rules.turn(after) == NATURE and after.player != mover:
            player, to = names[mover], names[after.player]
            if risk := self._risk(after, mover):
                yield statement("coach.twenty-squares.risk", player=player, to=to, number=max(1, round(100 * risk)))
            else:
                yield statement("coach.twenty-squares.safe", player=player, to=to)

    def _risk(self, position: Position, victim: int) -> Fraction:
        """How likely the player to throw can send back a counter of `victim`, in a turn that may have two throws."""
        rules = self._rules
        thrown = ((odds, rules.play(position, Move("throw", number))) for number, odds in rules.odds.items())
        return sum((odds * self._reach(answering, victim) for odds, answering in thrown), Fraction(0))

    def _reach(self, position: Position, victim: int) -> Fraction:
        """How likely the best answer to a throw sends back a counter of `victim`."""
        rules, best = self._rules, Fraction(0)
        for move in rules.legal_moves(position):
            after = rules.play(position, move)
            if rules.counters_of(after, victim)[0] > rules.counters_of(position, victim)[0]:
                return Fraction(1)
            if move.kind == "convert":
                best = self._risk(after, victim)
        return best
