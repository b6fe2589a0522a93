"""Hold the proven result of every legal turn of a position under perfect play.

An engine that can prove that for a game under small enough settings has an attribute `exact`, an `ExactSolver`; that
of any other is None, or it has none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from gnomon.rules.protocol import NATURE, OVER, Rules


class SolvedTurns(NamedTuple):
    """Turns that differ only by how one looks at the board, and whether who makes one of them wins."""

    moves: Sequence[Any]
    wins: bool


class ExactSolver(Protocol):
    """What proves results, kind of turn after kind of turn; there are no draws in its game."""

    @property
    def positions(self) -> int:
        """How many were looked at so far."""
        ...

    def kinds(self, position: Any) -> Sequence[Sequence[Any]]:  # noqa: ANN401 - each game has positions of its own
        """The legal turns, in groups of those that differ only by how one looks at the board."""
        ...

    def solve(self, position: Any, stopped: Callable[[], bool]) -> Iterator[SolvedTurns]:  # noqa: ANN401 - as above
        """Prove one kind of turn after the other; it ends early once it is stopped."""
        ...


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proven of a position: by text of a turn whether it wins, and how many positions were looked at.

    `is_whole` says that all legal turns are among them. `turn` is who is to make one.
    """

    turn: str
    wins: Mapping[str, bool]
    positions: int
    is_whole: bool

    @property
    def winner_is_on_turn(self) -> bool | None:
        """Whether who is on turn wins; None where that is not known."""
        if any(self.wins.values()):
            return True
        return False if self.is_whole else None


def exact_solver(engine: object) -> ExactSolver | None:
    """What proves results for the game of an engine; None where nothing can."""
    solver: ExactSolver | None = getattr(engine, "exact", None)
    return solver


def solve(
    rules: Rules[Any, Any],
    solver: ExactSolver,
    position: object,
    tell: Callable[[int, int, SolvedTurns], None],
    stopped: Callable[[], bool],
) -> Solution:
    """Solve a position; `tell` hears of each kind of turn how many are done, of how many, and its result.

    Raises ValueError where nobody is on turn.
    """
    turn = rules.turn(position)
    if turn in {NATURE, OVER}:
        message = "nobody is on turn"
        raise ValueError(message)
    wins: dict[str, bool] = {}
    number = len(solver.kinds(position))
    for done, solved in enumerate(solver.solve(position, stopped), 1):
        wins |= {rules.text(position, move): solved.wins for move in solved.moves}
        tell(done, number, solved)
    legal = {rules.text(position, move) for move in rules.legal_moves(position)}
    return Solution(turn, wins, solver.positions, wins.keys() == legal)


def dump_solution(solution: Solution) -> Mapping[str, Any]:
    """A solution, ready for JSON."""
    return {
        "turn": solution.turn,
        "wins": dict(solution.wins),
        "positions": solution.positions,
        "whole": solution.is_whole,
    }


def load_solution(told: object) -> Solution:
    """A solution from JSON. Raises ValueError for anything else."""
    if isinstance(told, dict):
        turn, wins, positions, whole = (told.get(name) for name in ("turn", "wins", "positions", "whole"))
        if isinstance(wins, dict) and isinstance(turn, str) and isinstance(positions, int) and isinstance(whole, bool):
            results = {str(text): won for text, won in wins.items() if isinstance(won, bool)}
            if len(results) == len(wins):
                return Solution(turn, results, positions, whole)
    message = "this is no solution"
    raise ValueError(message)
