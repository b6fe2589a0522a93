"""Define the analysis of a game, turn by turn, and the totals for each person.

Values that are proven stand apart from estimates: `Cost.points` is a difference of two values that one search has
found with the same configuration, and None where a proven value meets an estimate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from gnomon.refusals import Statement
from gnomon.rules.protocol import Outcome
from gnomon.timekeeping.instants import SECOND, Duration, Instant

LEAST: Final = 0.05
"""Differences below this one are within the errors of a search."""
_LEAST_EXACT: Final = 0.01
"""Exact values have no errors, and what is smaller is not worth a word."""
_RESULTS: Final = (0.0, 0.5, 1.0)
MOST_COSTLY: Final = 5
_DIGITS: Final = 4
_LONGEST_WAIT: Final = 60 * SECOND
"""Nobody would have waited longer for the sake of one glass."""


class Forecast(NamedTuple):
    """The first person's chance of winning, a draw counted half: a number, or a band where nothing predicts."""

    low: float
    high: float
    proven: bool = False

    @property
    def is_band(self) -> bool:
        """Whether there is no number."""
        return self.low != self.high

    @property
    def is_result(self) -> bool:
        """Whether it is proven how the game ends, and not only how likely that is."""
        return self.proven and self.low in _RESULTS


OPEN: Final = Forecast(0.2, 0.8)
"""The band where nothing predicts: its edges are drawn, not measured."""


class Value(NamedTuple):
    """What a move is worth to the player who makes it: the chance of winning, and whether it is proven."""

    chance: float
    proven: bool = False

    @property
    def is_result(self) -> bool:
        """Whether it is proven how the game ends, and not only how likely that is."""
        return self.proven and self.chance in _RESULTS


class CostKind(Enum):
    """In which way a turn cost something."""

    NUMBER = "number"
    PROVEN = "proven"
    MISSED_WIN = "missed_win"
    LOSES = "loses"


class Cost(NamedTuple):
    """What a turn cost against the best one: by a number, by proof, or by one of the two alone."""

    kind: CostKind
    points: float | None

    @property
    def weight(self) -> tuple[bool, float]:
        """How heavy it is: what is proven comes first."""
        return self.kind is not CostKind.NUMBER, self.points or 0.0


class Glass(NamedTuple):
    """A sand glass after a turn: whose it is, where it stands, and how much sand it has left."""

    player: str
    space: str
    left: Duration


class SpentGlass(NamedTuple):
    """A glass that ran out during the game: whose, where and when, and the turn in which it was last moved.

    `before` is the turn in which it was moved before that, and `apart` the time between the two; None if it was moved
    once. A glass that is turned over soon after it was turned has little sand above. `wait` is how much later the last
    of the two turns would have had to come for the glass to run until its player's next turn; None where a minute more
    would not have helped, or would have cost another glass.
    """

    person: int | None
    space: str
    at: Instant
    moved: int
    before: int | None = None
    apart: Duration | None = None
    wait: Duration | None = None


@dataclass(frozen=True, slots=True)
class AnalysedTurn:
    """A turn and what it was worth.

    `forecast` is that of the position before it, None for nature and where more than two play. `best` is what the
    engine would have played, with the `line` that it expects then; `best_value` and `played_value` are of one search,
    and None where the turn is not judged. `choices` is how many turns were legal, `mobility` in how many ways each
    player could move, where the game counts it. `found` says that only looking far ahead finds the turn: it is the best
    one, and a shallow search prefers another that is worth clearly less.
    """

    number: int
    player: str
    person: int | None
    text: str
    at: Instant
    took: Duration | None
    choices: int
    forecast: Forecast | None = None
    best: str = ""
    line: tuple[str, ...] = ()
    best_value: Value | None = None
    played_value: Value | None = None
    mobility: Mapping[str, int] | None = None
    sand: tuple[Glass, ...] = ()
    found: bool = False

    @property
    def cost(self) -> Cost | None:
        """What the turn cost; None where it was not judged, and where it was as good as the best one."""
        best, played = self.best_value, self.played_value
        if best is None or played is None or best.chance <= played.chance:
            return None
        points = round(best.chance - played.chance, _DIGITS)
        if best.proven == played.proven:
            is_told_by_result = best.is_result and played.is_result
            return Cost(CostKind.PROVEN if is_told_by_result else CostKind.NUMBER, points)
        if best.proven:
            return Cost(CostKind.MISSED_WIN, None) if best.chance == 1 else None
        return Cost(CostKind.LOSES, None) if played.chance == 0 and best.chance >= LEAST else None

    @property
    def is_costly(self) -> bool:
        """Whether the cost is more than an error of the search."""
        cost, best = self.cost, self.best_value
        if cost is None or best is None:
            return False
        least = _LEAST_EXACT if best.proven else LEAST
        return cost.kind is not CostKind.NUMBER or (cost.points or 0) >= least

    @property
    def kept(self) -> float | None:
        """What share of a won game the turn kept; None where nothing was at stake, or where it cannot be told."""
        best, played = self.best_value, self.played_value
        if best is None or played is None or self.choices < 2 or best == Value(0.0, proven=True):  # noqa: PLR2004 - no choice
            return None
        if best.proven != played.proven and self.cost is not None:
            return None
        return 1 - max(0.0, best.chance - played.chance)


class Luck(NamedTuple):
    """What throws and choices were worth in a game of two, in a statement; by exact values, or by an estimate."""

    told: Statement
    start: float
    luck: tuple[float, float]
    skill: tuple[float, float]
    exact: bool


class Accuracy(NamedTuple):
    """How well a person chose: the average share that their turns kept, and of how many turns."""

    share: float
    turns: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game with what each turn was worth.

    `seats` are the persons as the rules call them at the beginning, `names` their own names by these. `nodes` is how
    far each search went, with which the same engine gives the same values again, and `with_table` whether it had a
    table of exact ones.
    """

    game: str
    settings: Mapping[str, str]
    seats: tuple[str, ...]
    names: Mapping[str, str]
    nodes: int
    depth: int
    with_table: bool
    turns: tuple[AnalysedTurn, ...]
    end: Forecast | None = None
    result: Outcome | None = None
    luck: Luck | None = None

    @property
    def costly(self) -> Sequence[AnalysedTurn]:
        """The turns that cost most, the heaviest first."""
        found = [turn for turn in self.turns if turn.is_costly]
        found.sort(key=_weight, reverse=True)
        return found[:MOST_COSTLY]

    def accuracy(self, person: int) -> Accuracy | None:
        """How well a person chose; None where none of their turns could be judged."""
        kept = [turn.kept for turn in self.turns if turn.person == person and turn.kept is not None]
        return Accuracy(sum(kept) / len(kept), len(kept)) if kept else None

    @property
    def finds(self) -> Sequence[AnalysedTurn]:
        """The turns that only looking far ahead finds."""
        return [turn for turn in self.turns if turn.found]

    @property
    def spent(self) -> Sequence[SpentGlass]:
        """The glasses that ran out before the last turn, in the order in which they did."""
        found: list[SpentGlass] = []
        # By its place among the glasses: the turns in which each was moved, and how it stood after the last.
        moves: dict[int, list[AnalysedTurn]] = {}
        stood: dict[int, Glass] = {}
        for turn in self.turns:
            for place, glass in enumerate(turn.sand):
                known = stood.get(place)
                if known is not None and not glass.left and known.space == glass.space:
                    found.append(self._story(place, known, moves[place]))
                    del stood[place]
                elif glass.left and (known is None or known.space != glass.space):
                    moves.setdefault(place, []).append(turn)
                    stood[place] = glass
        return sorted(found, key=_instant_of)

    def _story(self, place: int, glass: Glass, moves: Sequence[AnalysedTurn]) -> SpentGlass:
        """A glass that ran out, as it stood after the last of the turns that moved it."""
        last = moves[-1]
        at = Instant(last.at + glass.left)
        person = next((each.person for each in self.turns if each.player == glass.player), None)
        spent = SpentGlass(person, glass.space, at, last.number)
        if len(moves) == 1:
            return spent
        before = moves[-2]
        due = next((turn.at for turn in self.turns if turn.person == person and turn.at > at), None)
        # What comes later comes as much later: each second of waiting is one second more of sand until then.
        wait = None if due is None else Duration(((due - at) // SECOND + 1) * SECOND)
        is_enough = wait is not None and wait <= _LONGEST_WAIT and self._lasts(place, last, wait)
        apart = Duration(last.at - before.at)
        return spent._replace(before=before.number, apart=apart, wait=wait if is_enough else None)

    def _lasts(self, place: int, turn: AnalysedTurn, wait: Duration) -> bool:
        """Whether the player who made a turn with a glass could have waited first, and lost no glass moved later."""
        earlier = self.turns[turn.number - 2]
        if earlier.sand[place].left - (turn.at - earlier.at) <= wait:
            return False
        for other, glass in enumerate(turn.sand):
            if other != place and glass.player == turn.player:
                later = self.turns[turn.number :]
                moved = next((each for each in later if each.sand[other].space != glass.space), None)
                if moved is not None and glass.left <= moved.at - turn.at + wait:
                    return False
        return True

    @property
    def points(self) -> Sequence[tuple[int, Forecast]]:
        """The forecasts by how many turns had been played, the end included."""
        found = [(turn.number - 1, turn.forecast) for turn in self.turns if turn.forecast is not None]
        return [*found, (len(self.turns), self.end)] if self.end is not None else found


def _instant_of(spent: SpentGlass) -> Instant:
    return spent.at


def _weight(turn: AnalysedTurn) -> tuple[bool, float]:
    cost = turn.cost
    assert cost is not None  # noqa: S101 - costly turns have one
    return cost.weight
