"""Say what a turn of Tayu does: points at the sides, and channels that can still flow on."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tayu.rules import KINDS, Move, Position, Tayu
from gnomon.games.tayu.rules.position import NOBODY
from gnomon.games.tayu.rules.tiles import RINGED
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
        """Points, and how many channels of each axis can still flow on; what a bid leads to, or a pick may bring."""
        if move.kind == "bid":
            return (self._auction(position, move),)
        if move.kind == "pick":
            return (self._pick(position, move),)
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
        # The saboteur has no axis, and both concern them.
        axis, other = sorted(_SIDES, key=lambda each: each != rules.role(position, player))
        open_now = {each: self._open_channels(after, each) for each in _SIDES}
        yield statement("coach.tayu.open", player=axis, number=open_now[axis], to=other, other=open_now[other])

    def _auction(self, position: Position, move: Move) -> Statement:
        after = self._rules.play(position, move)
        if after.saboteur != NOBODY:
            return statement("coach.tayu.bid.ends", player=self._rules.players[after.saboteur], number=move.bid)
        return statement("coach.tayu.bid.stands", player=self._rules.turn(position), number=move.bid)

    def _pick(self, position: Position, move: Move) -> Statement:
        if move.pick not in ("ring", "plain"):
            return statement("coach.tayu.stack")
        left = {tile: position.copies_left(tile) for tile in range(len(KINDS))}
        ringed = sum(number for tile, number in left.items() if RINGED >> tile & 1)
        if move.pick == "ring":
            return statement("coach.tayu.ring", number=ringed, all=sum(left.values()))
        return statement("coach.tayu.plain", number=sum(left.values()) - ringed, all=sum(left.values()))

    def _open_channels(self, position: Position, axis: str) -> int:
        """How many channels lead on to the sides of an axis: the next square is on the board, and free."""
        board, number = self._rules.board, 0
        for side in _SIDES[axis]:
            step, flows = board.neighbours[side], position.outflows[side] & ~board.rims[side]
            number += ((flows << step if step > 0 else flows >> -step) & ~position.occupied).bit_count()
        return number
