"""Say what a turn of Tayu does: points at the sides, and channels that can still flow on."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tayu.rules import KINDS, Move, Position, Tayu
from gnomon.refusals import Statement, statement

_SIDES: Final = {"north-south": (0, 2), "east-west": (1, 3)}
"""The sides of each axis, as the board numbers them."""


class TayuCoach:
    """The coach of Tayu."""

    def __init__(self, rules: Tayu) -> None:
        self._rules = rules

    def piece(self, _position: Position, move: Move) -> Statement:
        """The tile in hand, a bid, or the next tile to be drawn."""
        if move.kind == "lay":
            return statement("coach.tayu.tile", tile=KINDS[move.tile])
        return statement("coach.tayu.bid" if move.kind == "bid" else "coach.tayu.draw")

    def place(self, position: Position, move: Move) -> Statement:
        """The squares under the tile."""
        text = self._rules.text(position, move)
        if move.kind != "lay":
            return statement("coach.place", move=text)
        first, _, last = self._rules.squares_of(move)
        return statement("coach.tayu.lay", first=first, last=last, move=text)

    def reasons(self, position: Position, move: Move) -> Sequence[Statement]:
        """Points, and how many channels of each axis can still flow on."""
        return tuple(self._reasons(position, move)) if move.kind == "lay" else ()

    def predicts(self, _position: Position) -> bool:
        """True: values mean something from the first move."""
        return True

    def other_turn(self, _position: Position) -> Position | None:
        """None: what the opponent could do depends on the tile that they draw."""
        return None

    # Inside

    def _reasons(self, position: Position, move: Move) -> Iterator[Statement]:
        rules, player = self._rules, self._rules.players[position.mover]
        after = rules.play(position, move)
        was, now = rules.score(position)[player], rules.score(after)[player]
        if now > was:
            yield statement("coach.tayu.points", player=player, before=was, after=now)
        role = rules.role(position, player)
        if role in _SIDES:
            other = next(axis for axis in _SIDES if axis != role)
            open_now = {axis: self._open_channels(after, axis) for axis in _SIDES}
            yield statement("coach.tayu.open", player=role, number=open_now[role], to=other, other=open_now[other])

    def _open_channels(self, position: Position, axis: str) -> int:
        """How many channels lead on to the sides of an axis: the next square is on the board, and free."""
        board, number = self._rules.board, 0
        for side in _SIDES[axis]:
            step, flows = board.neighbours[side], position.outflows[side] & ~board.rims[side]
            number += ((flows << step if step > 0 else flows >> -step) & ~position.occupied).bit_count()
        return number
