"""Define the interface of an engine and the values that it returns.

An engine is pure: the position, the limits and chance are arguments, and it reads no clock. It knows only what a player
on turn may know: no tile in the bag, and no coming throw. It runs in a process of its own (`gnomon engine`), which
stops it through `stopped` when its time is up.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from gnomon.rules.protocol import Rules
from gnomon.timekeeping.instants import Duration


class StoppedError(Exception):
    """A search was told to stop where it had to leave at once: it ends with what it found before."""


class Chance(Protocol):
    """A source of chance, such as `random.Random`: the same seed gives the same play."""

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""
        ...


class Score(NamedTuple):
    """What a position or a move is worth to the player on turn.

    `chance` is that of winning, from 0 to 1, where a draw counts half; `margin` is by how much they will win, in the
    unit in which the game counts (rings, points), where an engine estimates that. `proven` scores are exact: found to
    the end of the game, or in a table.
    """

    chance: float
    margin: float | None = None
    proven: bool = False


class Candidate(NamedTuple):
    """One move that was weighed, with its score for the player on turn, and the moves that are expected to follow.

    `wait` is for how long the player should do nothing before the move, in games with sand.
    """

    move: Any
    score: Score
    line: tuple[Any, ...] = ()
    wait: Duration = Duration(0)

    def texts(self, rules: Rules[Any, Any], position: object) -> Sequence[str]:
        """The move and those that are expected after it, from the position in which it was weighed."""
        texts = []
        for move in (self.move, *self.line):
            texts.append(rules.text(position, move))
            position = rules.play(position, move)
        return texts


class Report(NamedTuple):
    """What an engine has found so far: the moves that it has weighed, the best first, all to the same depth."""

    candidates: Sequence[Candidate]
    depth: int
    nodes: int


class Limits(NamedTuple):
    """How much an engine may think, and how fast the turns are carried out by hand; None: without limit.

    `hands` is how long the player and the opponent need from a decision to the glass on its new space. `moves` are the
    moves to weigh and to choose among; where there are none, all that are legal. `spread` is how far below the best
    one's a move's chance of winning may be that is to be reported: worse ones cost less to discard than to weigh. With
    0 an engine may report the best move alone, and plays its strongest. `reserve` is how many nodes more it may then
    spend on a position in which much depends on one choice, as on whether a sand glass is saved.
    """

    nodes: int | None = None
    depth: int | None = None
    hands: tuple[Duration, Duration] = (Duration(3_000_000), Duration(3_000_000))
    moves: tuple[Any, ...] = ()
    spread: float = 1.0
    reserve: int = 0


class Level(NamedTuple):
    """How strong to play: how much to think, and how large a mistake may be.

    A move is chosen among those whose chance of winning is at most `loss` below the best one's, the sooner the nearer.
    A level is defined by nodes and never by seconds, so that it is the same on every machine.
    """

    limits: Limits
    loss: float = 0.0


PositionT_contra = TypeVar("PositionT_contra", contravariant=True)


class Engine(Protocol[PositionT_contra]):
    """An engine for one game under one choice of settings. It is made of the game's `Rules`."""

    @property
    def levels(self) -> Sequence[Level]:
        """The levels of the game, from a first evening to full strength; there are at least eight."""
        ...

    def think(
        self, position: PositionT_contra, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the moves of the player on turn, and report again and again, each time more deeply.

        There is at least one report. `stopped` is asked at least every 20 ms; once it answers True, the last report
        follows soon. Raises ValueError if nobody is on turn.
        """
        ...
