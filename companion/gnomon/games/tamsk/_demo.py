"""Play faultless turns by hand on the board of a demonstration: what its sensors see of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gnomon.games.tamsk.rules import BOARD, PLAYERS, START, Move
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.games.tamsk.sensing.inputs import POLES
from gnomon.referee.events import InputChanged
from gnomon.referee.judgement import Phase
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant, after

IN_THE_AIR = Duration(900 * MILLISECOND)
DROPPED = Duration(1600 * MILLISECOND)
RELEASED = Duration(1750 * MILLISECOND)


class DemoChance(Protocol):
    """What chooses among the turns."""

    def choice(self, moves: Sequence[Move], /) -> Move:
        """One of the turns."""
        ...


@dataclass(slots=True)
class Hands:
    """Which pole of each glass is up, and how many rings lie where."""

    poles: dict[str, int] = field(default_factory=lambda: dict.fromkeys((BOARD.names[space] for space in START), 0))
    rings: dict[str, int] = field(default_factory=dict)

    def begin_turn(self, game: TamskGame, at: Instant, chance: DemoChance) -> Sequence[InputChanged]:
        """What is seen of a turn by chance that begins at board time `at`; nothing while the board is not agreed on."""
        position = game.position_at(at)
        moves = [move for move in game.rules.legal_moves(position) if self._can(move)]
        if not moves or game.judgement.phase is not Phase.AGREED:
            return ()
        return self._input_changes(chance.choice(moves), PLAYERS[position.mover], at)

    def _can(self, move: Move) -> bool:
        """Whether a turn is one glass and its ring, and the glass stands there."""
        is_plain = move.kind == "turn" and move.free < 0 and move.forgotten < 0
        return is_plain and BOARD.names[move.origin] in self.poles and BOARD.names[move.target] not in self.poles

    def _input_changes(self, move: Move, player: str, at: Instant) -> list[InputChanged]:
        """What is seen of a turn that begins at board time `at`: a glass is lifted, turned, set down, a ring falls."""
        origin, target = BOARD.names[move.origin], BOARD.names[move.target]
        pole = self.poles.pop(origin)
        self.poles[target] = 1 - pole
        seen = [
            InputChanged(at, f"{origin}.{POLES[pole]}", value=False),
            InputChanged(after(at, IN_THE_AIR), f"{target}.{POLES[1 - pole]}", value=True),
        ]
        if move.ring:
            self.rings[target] = self.rings.get(target, 0) + 1
            seen.append(InputChanged(after(at, DROPPED), f"{target}.ring{self.rings[target]}", value=True))
        else:  # without a ring, the button says that the turn is over
            seen.append(InputChanged(after(at, DROPPED), f"button.{player}", value=True))
            seen.append(InputChanged(after(at, RELEASED), f"button.{player}", value=False))
        return seen
