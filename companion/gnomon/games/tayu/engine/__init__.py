"""Play Tayu: shortlist moves by the points that they promise, then compare them by playouts over the tiles left.

Nobody holds tiles, so a player knows all that anybody knows: which tiles are left. The engine knows no more; which
tile comes next is drawn again for every playout.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score
from gnomon.engines.tree_search import TreeSearch, search
from gnomon.games.tayu.engine._play import Play
from gnomon.games.tayu.rules import Move, Position, Tayu

__all__ = ["TayuEngine"]

_SAMPLES = 200  # games at most by which the numbers of an auction are judged
_TRUST = 10  # playouts that say as much as a glance does
_BOLDNESS = 0.15  # by matches in which 0.1 and 0.2 were no better: docs/figures.md
_FAIR = 1 / 3  # the chance of one player of three


class TayuEngine:
    """An engine for Tayu. A node is a playout."""

    levels: Sequence[Level] = (
        Level(Limits(nodes=1), loss=1.0),
        Level(Limits(nodes=1), loss=0.28),
        Level(Limits(nodes=1), loss=0.165),
        Level(Limits(nodes=1), loss=0.09),
        Level(Limits(nodes=30), loss=0.06),
        Level(Limits(nodes=60), loss=0.03),
        Level(Limits(nodes=250)),
        Level(Limits(nodes=4_000)),
    )

    def __init__(self, rules: Tayu) -> None:
        self._rules = rules
        self._play = Play(rules)

    def think(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the moves of the player on turn; see `gnomon.engines.protocol.Engine`."""
        if position.ending is not None or position.due == "draw":
            message = "nobody is on turn"
            raise ValueError(message)
        if position.due == "bid":
            return self._bids(position, limits, chance, stopped)
        if position.due == "pick":
            return self._picks(position)
        return self._lays(position, limits, chance, stopped)

    # Inside

    def _lays(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh where the tile in hand may lie."""
        if not position.kinds:
            yield self._last(position)
            return
        promises = self._promises(position)
        if limits.nodes is not None and limits.nodes <= 1:
            candidates = [Candidate(move, Score(promise)) for move, promise in promises.items()]
            yield Report(sorted(candidates, key=_chance_of, reverse=True), 1, 1)
            return
        tree = TreeSearch(self._play, position, chance, _BOLDNESS)
        tree.restrict(limits.moves)
        tree.expect(promises, _TRUST)
        yield from search(tree, limits, stopped, _same)

    def _last(self, position: Position) -> Report:
        """Where the last tile may lie: there is nothing to guess."""
        candidates = []
        for move in self._rules.legal_moves(position):
            results, ahead = self._play.result(self._rules.play(position, move))
            candidates.append(Candidate(move, Score(results[position.mover], ahead[position.mover], proven=True)))
        return Report(sorted(candidates, key=_chance_of, reverse=True), 1, len(candidates))

    def _picks(self, position: Position) -> Iterator[Report]:
        """Weigh the backs or the stacks by the tiles that may turn up, each laid where it promises most."""
        rules = self._rules
        candidates = []
        nodes = 0
        for pick in rules.legal_moves(position):
            before = rules.play(position, pick)
            total = promised = 0.0
            for draw in rules.legal_moves(before):
                after, weight = rules.play(before, draw), rules.weight(before, draw)
                best = max(self._promises(after).values()) if after.ending is None else self._end(after, position.mover)
                total += weight
                promised += weight * best
                nodes += 1
            candidates.append(Candidate(pick, Score(promised / total)))
        yield Report(sorted(candidates, key=_chance_of, reverse=True), 2, nodes)

    def _bids(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh numbers by how often nobody reaches them in games that are played at a glance."""
        most = _SAMPLES if limits.nodes is None else max(1, min(_SAMPLES, limits.nodes))
        highest: list[int] = []
        while len(highest) < most:
            products = self._play.products(position, chance, stopped)
            if products is None:
                break
            highest.append(int(max(products)))
            if len(highest) & len(highest) - 1 == 0:
                yield self._numbers(position, highest)
        yield self._numbers(position, highest)

    def _numbers(self, position: Position, highest: Sequence[int]) -> Report:
        """The numbers that may be named, with what the sampled games say about them."""
        said = sorted(highest) or [self._rules.settings.target]

        def saboteur_chance(target: int) -> float:
            """How often nobody reaches a target: the saboteur's chance."""
            return sum(each < target for each in said) / len(said)

        fair = said[int(len(said) * _FAIR)]
        last = position.bids[-1] if position.bids else None
        numbers = set(range(max(0, fair - 8), fair + 9))
        if last is not None:
            numbers = {number for number in numbers if number < last} | {last, max(0, last - 1)}
        candidates = []
        for number in sorted(numbers):
            if number == last:
                # Two equal numbers: another player takes the role with this target.
                worth = (1 - saboteur_chance(number)) / 2
            else:
                # A number that leaves the saboteur more than a third goes down further; one that leaves less is kept.
                worth = min(saboteur_chance(number), _FAIR - (saboteur_chance(number) - _FAIR) / 10)
            move = Move("bid", bid=number)
            candidates.append(Candidate(move, Score(worth)))
        return Report(sorted(candidates, key=_chance_of, reverse=True), 1, len(highest))

    def _promises(self, position: Position) -> Mapping[Move, float]:
        """What each way to lay the tile in hand seems to be worth to its player."""
        if position.kinds:
            return self._play.promises(position)
        rules = self._rules
        return {move: self._end(rules.play(position, move), position.mover) for move in rules.legal_moves(position)}

    def _end(self, position: Position, player: int) -> float:
        """What a game that is over is worth to a player."""
        results, _ = self._play.result(position)
        return results[player]


def _same(candidate: Candidate) -> Candidate:
    return candidate


def _chance_of(candidate: Candidate) -> float:
    return candidate.score.chance
