"""Play Tabik: by playouts, exactly towards the end, and with a decision whether to take the pie (rule 8).

With the pie the second player wins in theory, as there are no draws. So the engine begins with a turn after which
both sides are as good, and swaps when the other side is better.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, inf
from operator import itemgetter
from typing import Final

from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score
from gnomon.engines.tree_search import LINES, TreeSearch
from gnomon.games.tabik.engine._endings import Endings
from gnomon.games.tabik.engine._net import PIE_TURN, FastPosition, net_of
from gnomon.games.tabik.engine._solution import LARGEST, TabikSolver
from gnomon.games.tabik.rules import PIE, Move, Position, Tabik

__all__ = ["TabikEngine"]

_Tree = TreeSearch[FastPosition, int]

_EXACT: Final = 20  # positions of the exact search that take as long as a playout
_TURNS_LEFT: Final = 26  # to the end of a game at random: from there on exact results are looked for
_SAMPLES: Final = 8  # playouts that say how many turns are left
_FIRST_REPORT: Final = 32  # playouts
_UNIT: Final = 8.0  # squares of a group by which one is ahead that make the chance e to 1


class TabikEngine:
    """An engine for Tabik. A node is a playout, or as many positions of the exact search as take as long."""

    levels: Sequence[Level] = (
        Level(Limits(nodes=4), loss=0.6),
        Level(Limits(nodes=28), loss=0.35),
        Level(Limits(nodes=60), loss=0.24),
        Level(Limits(nodes=140), loss=0.17),
        Level(Limits(nodes=250), loss=0.125),
        Level(Limits(nodes=610), loss=0.107),
        Level(Limits(nodes=700), loss=0.07),
        Level(Limits(nodes=800), loss=0.03),
        Level(Limits(nodes=1_400), loss=0.005),
        Level(Limits(nodes=2_000)),
        Level(Limits(nodes=4_000)),
        Level(Limits(nodes=8_000)),
        Level(Limits(nodes=40_000)),
    )

    def __init__(self, rules: Tabik) -> None:
        self._rules = rules
        self._net = net_of(rules.board)

    @property
    def exact(self) -> TabikSolver | None:
        """What solves the whole game, on a board that is small enough."""
        return TabikSolver(self._rules) if self._rules.settings.size <= LARGEST else None

    def think(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the turns of the player on turn; see `gnomon.engines.protocol.Engine`."""
        if self._rules.outcome(position) is not None:
            message = "nobody is on turn"
            raise ValueError(message)
        if self._rules.settings.pie and not position.rods:
            return self._openings(position, limits, chance, stopped)
        return self._turns(position, limits, chance, stopped)

    # Inside

    def _turns(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh every turn by playouts, and exactly where the end is near."""
        net = self._net
        state = net.state(position)
        most = inf if limits.nodes is None else max(limits.nodes, 1)
        tree = TreeSearch(net, state, chance)
        tree.restrict([turn for turn in net.moves(state) if net.move(turn) in limits.moves])
        tree.expect(self._estimates(state, stopped))
        endings = Endings(self._rules.board, position) if self._is_near_the_end(state, chance) else None
        proven: Mapping[Move, bool] | None = None
        share = _FIRST_REPORT
        while True:
            self._grow(tree, min(share, most - self._nodes(tree, endings)), stopped)
            left = most - self._nodes(tree, endings)
            if endings is not None and left > 0:
                proven = endings.solve(int(min(share, left)) * _EXACT, stopped, limits.moves)
            yield self._report(tree, endings, proven, position)
            done = proven is not None or self._nodes(tree, endings) >= most
            if done or stopped() or len(net.moves(state)) == 1:
                return
            share *= 2

    def _openings(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the first turns where the opponent may swap sides: what is left is the worse side."""
        net = self._net
        start = net.state(position)
        trees: list[tuple[Move, _Tree]] = []
        for alike in net.openings():
            asked = [turn for turn in alike if net.move(turn) in limits.moves]
            if limits.moves and not asked:
                continue
            turns = asked or [alike[int(chance.random() * len(alike))]]
            trees += [(net.move(turn), TreeSearch(net, net.play(start, turn), chance)) for turn in turns]
        most = inf if limits.nodes is None else limits.nodes
        share = 1
        while True:
            for place, (_, tree) in enumerate(trees):
                if place and stopped():
                    break
                self._grow(tree, share, stopped)
            nodes = sum(tree.playouts for _, tree in trees)
            tried = [(min(tree.mean, 1 - tree.mean), move, tree) for move, tree in trees if tree.playouts]
            tried.sort(key=itemgetter(0), reverse=True)
            # To follow the lines of all openings takes longer than a `stop` may wait.
            candidates = [
                Candidate(move, Score(chance), self._line(tree) if place < LINES else ())
                for place, (chance, move, tree) in enumerate(tried)
            ]
            yield Report(candidates, 1 + max(len(each.line) for each in candidates), nodes)
            share = int(min(share * 2, (most - nodes) // len(trees)))
            if share <= 0 or stopped():
                return

    def _grow(self, tree: _Tree, playouts: float, stopped: Callable[[], bool]) -> None:
        """Grow a tree by so many playouts, or until it is to stop; by one at least, so that there is a result."""
        done = 0
        while done < playouts or not tree.playouts:
            tree.grow()
            done += 1
            if stopped():
                return

    def _estimates(self, state: FastPosition, stopped: Callable[[], bool]) -> Mapping[int, float]:
        """What each turn seems to be worth to the player on turn: groups by which one is ahead are what people see."""
        net, person = self._net, state.person
        estimates: dict[int, float] = {}
        for turn in net.moves(state):
            if turn == PIE_TURN:
                estimates[turn] = 0.5
                continue
            if stopped():
                break
            estimates[turn] = 1 / (1 + exp(-net.lead(net.play(state, turn), person) / _UNIT))
        return estimates

    def _is_near_the_end(self, state: FastPosition, chance: Chance) -> bool:
        """Whether so few turns are left that exact results are within reach."""
        if self._rules.settings.size <= LARGEST:
            return True
        turns = sum(self._net.turns_left(state, chance) for _ in range(_SAMPLES))
        return turns <= _TURNS_LEFT * _SAMPLES

    def _report(
        self, tree: _Tree, endings: Endings | None, proven: Mapping[Move, bool] | None, position: Position
    ) -> Report:
        """What playouts say, and what is proven instead."""
        net = self._net
        known = dict(proven or {})
        if known and position.pie:
            known[PIE] = not any(known.values())  # a player who swaps gets what the opponent would have had
        candidates = []
        for each in tree.candidates():
            move, line = net.move(each.move), tuple(map(net.move, each.line))
            score = Score(float(known[move]), proven=True) if move in known else Score(each.score.chance)
            candidates.append(Candidate(move, score, line))
        candidates.sort(key=_chance_of, reverse=True)
        return Report(candidates, 1 + max(len(each.line) for each in candidates), self._nodes(tree, endings))

    def _nodes(self, tree: _Tree, endings: Endings | None) -> int:
        return tree.playouts + (endings.positions // _EXACT if endings else 0)

    def _line(self, tree: _Tree) -> tuple[Move, ...]:
        """The moves that are expected to follow."""
        candidates = tree.candidates()
        return tuple(map(self._net.move, (candidates[0].move, *candidates[0].line))) if candidates else ()


def _chance_of(candidate: Candidate) -> float:
    return candidate.score.chance
