"""Play TAU: perfectly on grids that the solver can handle, by playouts on larger ones; decide how much to bid.

Perfect play knows the value *V* of a grid, the score to which it leads. The player who names *V* − 1 wins (rule 2): an
opponent who then passes is LOW and cannot keep the score down, and one who names more is HIGH and cannot exceed it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from gnomon.boards.bitsets import places_of
from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score, StoppedError
from gnomon.engines.tree_search import Result, TreeSearch, search
from gnomon.games.tau.rules import HIGH, LOW, PASS, Move, Position, Tau
from gnomon.games.tau.rules.position import NO_BID, drawable
from gnomon.games.tau.rules.solver import MOST_VALUES, PerfectPlay, TooLargeError
from gnomon.refusals import Statement, statement
from gnomon.rules.bids import digits

__all__ = ["TauEngine", "bid_review"]

_FIRST_PLAYOUTS: Final = 64  # before the solver is asked, so that there is an answer at once
_SAMPLES: Final = 2_000  # playouts at most by which numbers are judged
_BELIEVED: Final = 0.75  # the chance by a number that need not be right
_WON: Final = ((1.0, 0.0), (0.0, 1.0))  # by who wins: HIGH or LOW
_EVEN: Final = (0.0, 0.0)  # the score counts above or within the LIMIT only


class TauEngine:
    """An engine for TAU. A node is a playout, or a value that the solver computes."""

    def __init__(self, rules: Tau) -> None:
        self._rules = rules
        self._lines = _Lines(rules)
        all_but_one = max(rules.start().turns_left - 1, 1)
        self.levels: Sequence[Level] = (
            Level(Limits(nodes=1), loss=1.0),
            Level(Limits(nodes=5), loss=0.37),
            Level(Limits(nodes=17), loss=0.175),
            Level(Limits(nodes=100), loss=0.05),
            Level(Limits(nodes=1_000, depth=all_but_one)),
            Level(Limits(nodes=2_000, depth=all_but_one), loss=0.58),
            Level(Limits(nodes=3_600, depth=all_but_one)),
            Level(Limits(nodes=4_000)),
            Level(Limits(nodes=100_000)),
            Level(Limits(nodes=MOST_VALUES)),
        )

    def think(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the lines, or the numbers, of the player on turn; see `gnomon.engines.protocol.Engine`."""
        if position.ending is not None:
            message = "nobody is on turn"
            raise ValueError(message)
        return (self._bids if position.high is None else self._turns)(position, limits, chance, stopped)

    # Inside

    def _turns(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh every line."""
        tree = TreeSearch(self._lines, position, chance)
        tree.restrict(_first_alike(position, limits.moves))
        if limits.nodes is None:
            yield from self._all_alike(position, search(tree, Limits(nodes=_FIRST_PLAYOUTS), stopped, _without_margin))
        solution = _solve(position, limits, stopped)
        if solution is None:
            yield from self._all_alike(position, search(tree, limits, stopped, _without_margin))
        else:
            yield self._perfect_report(position, solution)

    def _perfect_report(self, position: Position, solution: PerfectPlay) -> Report:
        """What perfect play says of every line."""
        rules = self._rules
        candidates = []
        for move, value in solution.values(position).items():
            won = (value > position.bid) is (position.mover == HIGH)
            line = tuple(solution.best_line(rules.play(position, move)))
            candidates.append(Candidate(move, Score(float(won), proven=True), line))
        candidates.sort(key=_chance_of, reverse=True)
        return Report(candidates, position.turns_left, solution.size)

    def _all_alike(self, position: Position, reports: Iterator[Report]) -> Iterator[Report]:
        """The reports with every line that leaves runs of the same lengths as one that was weighed."""
        alike: dict[Move, list[Move]] = {}
        first: dict[_Likeness, Move] = {}
        for move, likeness in _likenesses(position):
            alike.setdefault(first.setdefault(likeness, move), []).append(move)
        for report in reports:
            candidates = [
                each._replace(move=move, line=()) if move != each.move else each
                for each in report.candidates
                for move in alike[each.move]
            ]
            yield report._replace(candidates=candidates)

    def _bids(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the numbers that may be named, and the pass."""
        is_shallow = limits.depth is not None and limits.depth < position.turns_left
        if is_shallow and (value := self._value_of_some(position, limits, chance, stopped)) is not None:
            yield self._report_of_belief(position, value - 1, limits)
            return
        if limits.nodes is None:
            yield self._guess(position, _FIRST_PLAYOUTS, chance, stopped)
        solution = None if is_shallow else _solve(position, limits, stopped)
        if solution is None:
            playouts = min(_SAMPLES, limits.nodes or _SAMPLES)
            yield self._guess(position, playouts, chance, stopped, _asked_numbers(limits))
            return
        best, named = solution.best_bid(), position.bid
        numbers = {max(best, named + 1), named + 1, *_asked_numbers(limits)}
        worth = {Move("bid", number): number == best for number in numbers}
        if named != NO_BID:
            worth[PASS] = named > best
        candidates = [
            Candidate(move, Score(float(won), proven=True)) for move, won in sorted(worth.items(), reverse=True)
        ]
        yield Report(sorted(candidates, key=_chance_of, reverse=True), position.turns_left, solution.size)

    def _value_of_some(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> int | None:
        """The value of the grid to a player who tries as many first lines as nodes allow, and sees all after them.

        None where what follows one line is too much, or deeper than they look, or takes too long.
        """
        # The lines begin with HIGH, no matter which player that will be.
        position = self._rules.play(position._replace(bid=max(position.bid, 0)), PASS)
        if position.turns_left - 1 != limits.depth:
            return None
        lines = list(self._lines.moves(position))
        best: int | None = None
        spent = size = 0
        while lines and (limits.nodes is None or spent + size <= limits.nodes):
            after = self._rules.play(position, lines.pop(int(chance.random() * len(lines))))
            solution = _solve(after, limits, stopped)
            if solution is None:
                break
            size = solution.size
            spent += size
            best = max(best or 0, solution.value(after))
        return best

    def _report_of_belief(self, position: Position, best: int, limits: Limits) -> Report:
        """What is to be named by who believes in a number, without being sure."""
        named = position.bid
        number = max(best, named + 1)
        worth = {Move("bid", each): _BELIEVED if each == best else 1 - _BELIEVED for each in _asked_numbers(limits)}
        worth[Move("bid", number)] = _BELIEVED if named < best else 1 - _BELIEVED
        if named != NO_BID:
            worth[PASS] = _BELIEVED if named > best else 1 - _BELIEVED
        candidates = [Candidate(move, Score(share)) for move, share in sorted(worth.items())]
        return Report(sorted(candidates, key=_chance_of, reverse=True), limits.depth or 1, limits.nodes or 1)

    def _guess(
        self,
        position: Position,
        playouts: int,
        chance: Chance,
        stopped: Callable[[], bool],
        asked: Collection[int] = (),
    ) -> Report:
        """Numbers, weighed by games that are played at random; those that are asked for among them."""
        scores: list[int] = []
        while len(scores) < max(playouts, 1) and not (scores and stopped()):
            scores.append(self._lines.score(position, chance))
        scores.sort()
        named = position.bid

        def above(limit: int) -> float:
            """How often HIGH exceeds a LIMIT."""
            return (sum(score > limit for score in scores) + 1) / (len(scores) + 2)

        numbers = {score - 1 for score in scores[:: max(1, len(scores) // 16)] if score - 1 > named}
        numbers |= {named + 1, *asked}
        # The opponent passes and leaves the LIMIT, or names one more and leaves it to them: they take what is better.
        worth = {Move("bid", number): min(above(number), 1 - above(number + 1)) for number in numbers}
        if named != NO_BID:
            worth[PASS] = 1 - above(named)
        candidates = [Candidate(move, Score(share)) for move, share in sorted(worth.items())]
        return Report(sorted(candidates, key=_chance_of, reverse=True), 1, len(scores))


def bid_review(limit: int, value: int) -> Statement:
    """What is to be said after the game of the LIMIT that was agreed upon, if perfect play leads to a score of `value`.

    Its code is `right`, `too_low` (who passed should have named more) or `too_high` (who named it could not win).
    """
    best = value - 1
    if limit == best:
        return statement("review.tau.right", limit=digits(limit))
    if limit < best:
        return statement("review.tau.too_low", limit=digits(limit), best=digits(best))
    return statement("review.tau.too_high", limit=digits(limit), best=digits(best))


_Likeness = tuple[bool, int, int]  # a row or not, the length of the run, and how far the line is from its nearer end


class _Lines:
    """The lines of a game as a search asks for them: a `gnomon.engines.tree_search.Playable`."""

    def __init__(self, rules: Tau) -> None:
        self._rules = rules

    def mover(self, state: Position) -> int:
        """HIGH or LOW."""
        return state.mover

    def moves(self, state: Position) -> Sequence[Move]:
        """One line of each kind that leaves other runs."""
        if not state.turns_left:
            return ()
        first: dict[_Likeness, Move] = {}
        for move, likeness in _likenesses(state):
            first.setdefault(likeness, move)
        return tuple(first.values())

    def play(self, state: Position, move: Move) -> Position:
        """The position after a line."""
        return self._rules.play(state, move)

    def draw(self, state: Position, _chance: Chance) -> Move:
        """Never asked: there is no chance in TAU."""
        raise AssertionError(state)

    def playout(self, state: Position, chance: Chance) -> Result:
        """Who wins if the rest is drawn at random."""
        return _WON[HIGH if self.score(state, chance) > state.bid else LOW], _EVEN

    def score(self, state: Position, chance: Chance) -> int:
        """The score if the rest is drawn at random."""
        sets = [state.rows, state.columns]
        lines = [(axis, number) for axis in (0, 1) for number in places_of(sets[axis])]
        turns = state.turns_left
        while turns:
            place = int(chance.random() * len(lines))
            lines[place], lines[-1] = lines[-1], lines[place]
            axis, number = lines.pop()
            if drawable(sets[axis]):
                sets[axis] ^= 1 << number
                turns -= 1
        rows, columns = sets
        return self._rules.score(state._replace(rows=rows, columns=columns))["product"]


def _likenesses(position: Position) -> Iterator[tuple[Move, _Likeness]]:
    """Every line that may be drawn, with what it does to the runs."""
    for is_row, lines in ((True, position.rows), (False, position.columns)):
        if not drawable(lines):
            continue
        places = list(places_of(lines))
        first = 0
        while first < len(places):
            after = first + 1
            while after < len(places) and places[after] == places[after - 1] + 1:
                after += 1
            length = after - first
            for place, number in enumerate(places[first:after]):
                yield Move("row" if is_row else "column", number), (is_row, length, min(place, length - 1 - place))
            first = after


def _first_alike(position: Position, moves: Collection[Move]) -> Collection[Move]:
    """Of some lines, those that stand in the search for all that leave runs of the same lengths."""
    first: dict[_Likeness, Move] = {}
    asked = set()
    for move, likeness in _likenesses(position):
        first.setdefault(likeness, move)
        if move in moves:
            asked.add(likeness)
    return {first[likeness] for likeness in asked}


def _asked_numbers(limits: Limits) -> Collection[int]:
    return {move.number for move in limits.moves if move.kind == "bid"}


def _solve(position: Position, limits: Limits, stopped: Callable[[], bool]) -> PerfectPlay | None:
    """Perfect play from a position, or None where that is too much, or takes too long."""

    def pause() -> None:
        if stopped():
            raise StoppedError

    try:
        return PerfectPlay(position, pause=pause, most=MOST_VALUES if limits.nodes is None else limits.nodes)
    except (TooLargeError, StoppedError):
        return None


def _without_margin(candidate: Candidate) -> Candidate:
    """The candidate as it counts here: above the LIMIT or not, by however much."""
    return candidate._replace(score=Score(candidate.score.chance))


def _chance_of(candidate: Candidate) -> float:
    return candidate.score.chance
