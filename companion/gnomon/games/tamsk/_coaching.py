"""Say what a turn of TAMSK does: room to move, glasses that are trapped or set free, spaces that are filled."""

from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.games.tamsk.rules import BOARD, PLAYERS, Move, Position, Tamsk
from gnomon.games.tamsk.rules.position import GLASSES, MASKS, NOWHERE, RINGS
from gnomon.refusals import Statement, statement

_NAMES: Final = BOARD.names
_OPEN: Final = 30  # rings


class TamskCoach:
    """The coach of TAMSK."""

    def __init__(self, rules: Tamsk) -> None:
        self._rules = rules

    def piece(self, _position: Position, move: Move) -> Statement:
        """The glass, or that none moves."""
        if move.kind == "turn":
            return statement("coach.tamsk.glass", space=_NAMES[move.origin])
        return statement("coach.tamsk.ring" if move.kind == "free" else "coach.tamsk.no_glass")

    def place(self, position: Position, move: Move) -> Statement:
        """Where the glass goes, and whether a ring falls."""
        if move.kind != "turn":
            return statement("coach.place", move=self._rules.text(position, move))
        rings = move.ring + (move.forgotten != NOWHERE) + (move.free != NOWHERE)
        first, second, text = _NAMES[move.origin], _NAMES[move.target], self._rules.text(position, move)
        if rings > 1:
            return statement("coach.tamsk.to.rings", first=first, second=second, move=text)
        return statement(
            "coach.tamsk.to.ring" if rings else "coach.tamsk.to.bare", first=first, second=second, move=text
        )

    def reasons(self, position: Position, move: Move) -> Sequence[Statement]:
        """Glasses that are trapped, those that are led out of a trap, room to move, and a space that is filled."""
        return tuple(self._reasons(position, move)) if move.kind == "turn" else ()

    def predicts(self, position: Position) -> bool:
        """Whether thirty rings have fallen: before, nothing is known to say who will win."""
        return RINGS - sum(position.rings_left) >= _OPEN

    def other_turn(self, position: Position) -> Position | None:
        """The position with the opponent on turn, where no sand runs: with sand, a turn more is time too."""
        if position.ending is not None or position.sands:
            return None
        other = position._replace(mover=1 - position.mover, forgotten=NOWHERE, penalty=False)
        return None if self._rules.cannot_move(other) else other

    # Inside

    def _reasons(self, position: Position, move: Move) -> Iterator[Statement]:
        after, mover = self._rules.play(position, move), position.mover
        own, other = PLAYERS[mover], PLAYERS[1 - mover]
        for glass in GLASSES[1 - mover]:
            if _ways(position, glass) and not _ways(after, glass):
                yield statement("coach.tamsk.traps", player=other, space=_NAMES[after.glasses[glass]])
        ways = [sum(_ways(after, glass) for glass in GLASSES[player]) for player in (mover, 1 - mover)]
        yield statement("coach.tamsk.mobility", player=own, number=ways[0], to=other, other=ways[1])
        if after.is_full(move.target):
            yield statement("coach.tamsk.fills", space=_NAMES[move.target])


def _ways(position: Position, glass: int) -> int:
    """To how many spaces a glass could go, as far as spaces tell."""
    return (position.enterable & MASKS[position.glasses[glass]]).bit_count()
