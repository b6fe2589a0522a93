"""Search the tree of a game by playouts (UCT), chance nodes included; several games share it.

A game tells who is on turn, what they may do, and how a position that is played to its end turns out; everything else
is here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Any, Final, Generic, Protocol, TypeVar

from gnomon.engines.protocol import Candidate, Chance, Limits, Report, Score

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")

NATURE: Final = -1
"""The player on turn where chance decides."""

Result = tuple[Sequence[float], Sequence[float]]
"""How a game turns out: each player's result from 0 to 1, and by how much each is ahead."""

_FIRST_REPORT: Final = 64  # playouts; every later report comes after twice as many
_MOST_STATES: Final = 100_000  # in a tree: about 100 MB; from then on it grows no further, and only learns
LINES: Final = 8  # candidates whose lines are followed further than by their own move
_DOUBT: Final = 2.0  # playouts of an average result that are added to what is known of a move


class Playable(Protocol[StateT, MoveT]):
    """What the search asks about a game. States are immutable."""

    def mover(self, state: StateT) -> int:
        """The number of the player on turn, or NATURE."""
        ...

    def moves(self, state: StateT) -> Sequence[MoveT]:
        """What the player on turn may do: nothing where the game is over, or where the tree shall not grow."""
        ...

    def play(self, state: StateT, move: MoveT) -> StateT:
        """The state after a move."""
        ...

    def draw(self, state: StateT, chance: Chance) -> MoveT:
        """A move of nature, each as often as it comes."""
        ...

    def playout(self, state: StateT, chance: Chance) -> Result:
        """How a game turns out that goes on from the state by quick moves."""
        ...


class _Node(Generic[StateT, MoveT]):
    """A state in the tree, and how the playouts through it turned out for the player who chose it."""

    __slots__ = (
        "ahead",
        "children",
        "expected",
        "mean",
        "move",
        "mover",
        "result",
        "spread",
        "state",
        "untried",
        "visits",
    )

    def __init__(self, state: StateT, mover: int, move: Any) -> None:  # noqa: ANN401 - the root has none
        self.state = state
        self.mover = mover
        self.move = move
        self.untried: list[MoveT] | None = None
        self.children: list[_Node[StateT, MoveT]] = []
        self.visits = 0  # those that were only expected among them
        self.expected = 0
        self.result = 0.0
        self.ahead = 0.0
        self.mean = 0.0
        self.spread = 1.0


_URGENCY: Final = 10.0
"""What a move counts that was never tried."""


class TreeSearch(Generic[StateT, MoveT]):
    """A tree that grows by one state with each playout; `boldness`: how much a move counts that was seldom tried."""

    __slots__ = ("_boldness", "_chance", "_game", "_only", "_root", "_states")

    def __init__(self, game: Playable[StateT, MoveT], state: StateT, chance: Chance, boldness: float = 0.5) -> None:
        self._game = game
        self._chance = chance
        self._boldness = boldness
        self._only: Collection[MoveT] = ()
        self._root = self._node(state, None)
        self._states = 1

    @property
    def playouts(self) -> int:
        """How many games have been played out."""
        return self._root.visits

    def restrict(self, moves: Collection[MoveT]) -> None:
        """Weigh these moves of the player on turn alone, if there are any; to be asked before anything else."""
        self._only = moves

    def expect(self, estimates: Mapping[MoveT, float], playouts: int = 1) -> None:
        """Begin with what the moves of the player on turn seem to be worth, each as if it came from some playouts."""
        root = self._root
        root.untried = [move for move in self._moves(root) if move not in estimates]
        for move, estimate in estimates.items():
            if self._only and move not in self._only:
                continue
            child = self._node(self._game.play(root.state, move), move)
            child.visits, child.expected = playouts, playouts
            child.result, child.mean = estimate * playouts, estimate
            child.spread = 1 / sqrt(playouts)
            root.children.append(child)

    @property
    def mean(self) -> float:
        """How the playouts turned out for the player on turn, on average."""
        return sum(child.result for child in self._root.children) / sum(child.visits for child in self._root.children)

    def grow(self) -> None:
        """Play out one more game."""
        path = self._descend()
        results, ahead = self._game.playout(path[-1].state, self._chance)
        self._root.visits += 1
        for parent, node in pairwise(path):
            node.visits += 1
            node.spread = 1 / sqrt(node.visits)
            if parent.mover != NATURE:
                node.result += results[parent.mover]
                node.ahead += ahead[parent.mover]
                node.mean = node.result / node.visits

    def candidates(self) -> Sequence[Candidate]:
        """The moves that were tried, the best first, and the best of them with the lines that were tried most.

        What was tried seldom is judged with doubt: as if it had also had some average results. No such move comes
        before the one that was tried most, unless it was tried at least half as often.
        """
        tried = sorted(self._root.children, key=_visits, reverse=True)
        if not tried:
            return ()
        usual = sum(node.result for node in tried) / sum(node.visits for node in tried)
        most = tried[0]
        bound = _cautious_mean(most, usual)
        scored = []
        for node in tried:
            chance = _cautious_mean(node, usual)
            if node.visits * 2 < most.visits and chance >= bound:
                chance = bound * (1 - 1e-6)
            scored.append((chance, node))
        scored.sort(key=_first, reverse=True)
        return tuple(
            Candidate(
                node.move,
                Score(chance, _margin(node)),
                _line(node) if place < LINES else (),
            )
            for place, (chance, node) in enumerate(scored)
        )

    # Inside

    def _node(self, state: StateT, move: MoveT | None) -> _Node[StateT, MoveT]:
        return _Node(state, self._game.mover(state), move)

    def _moves(self, node: _Node[StateT, MoveT]) -> list[MoveT]:
        """The moves of a state that were never tried; they are found when somebody first comes back to it."""
        if node.untried is None:
            node.untried = list(self._game.moves(node.state))
            if self._only and node is self._root:
                node.untried = [move for move in node.untried if move in self._only]
        return node.untried

    def _descend(self) -> list[_Node[StateT, MoveT]]:
        """The way from the root to a state that is new, or where the tree ends."""
        node = self._root
        path = [node]
        while True:
            untried: list[MoveT] = []
            if node.mover == NATURE:
                move = self._game.draw(node.state, self._chance)
                child = next((each for each in node.children if each.move == move), None)
            else:
                untried = self._moves(node)
                child = self._best(node)
                if child is None and not untried:
                    return path
                move = child.move if child is not None else self._pick(untried)
            if child is not None:
                path.append(child)
                node = child
                continue
            child = self._node(self._game.play(node.state, move), move)
            if self._states < _MOST_STATES or node is self._root:
                self._states += 1
                node.children.append(child)
            elif node.mover != NATURE:
                untried.append(move)
            path.append(child)
            return path

    def _best(self, node: _Node[StateT, MoveT]) -> _Node[StateT, MoveT] | None:
        """The child to try next, or None if a move that was never tried is more promising."""
        children = node.children
        if not children:
            return None
        scale = self._boldness * sqrt(log(node.visits + 1))
        values = [child.mean + scale * child.spread for child in children]
        best = max(values)
        return None if node.untried and best < _URGENCY else children[values.index(best)]

    def _pick(self, moves: list[MoveT]) -> MoveT:
        """Take one out of some moves."""
        place = int(self._chance.random() * len(moves))
        moves[place], moves[-1] = moves[-1], moves[place]
        return moves.pop()


def search(
    tree: TreeSearch[Any, Any], limits: Limits, stopped: Callable[[], bool], lines: Callable[[Candidate], Candidate]
) -> Iterator[Report]:
    """Grow a tree until a limit is reached or `stopped` says so, and report on the way.

    `lines` turns a candidate of the tree into one of the game.
    """
    most = limits.nodes if limits.nodes is not None else float("inf")
    due = _FIRST_REPORT
    reported = -1
    while tree.playouts < most and not stopped():
        tree.grow()
        if tree.playouts >= due:
            due, reported = tree.playouts * 2, tree.playouts
            yield report(tree, lines)
    if reported != tree.playouts:
        if not tree.playouts:
            tree.grow()
        yield report(tree, lines)


def report(tree: TreeSearch[Any, Any], lines: Callable[[Candidate], Candidate]) -> Report:
    """What a tree has found so far."""
    candidates = [lines(each) for each in tree.candidates()]
    return Report(candidates, max((1 + len(each.line) for each in candidates), default=0), tree.playouts)


def _visits(node: _Node[Any, Any]) -> int:
    return node.visits


def _first(pair: tuple[float, object]) -> float:
    return pair[0]


def _cautious_mean(node: _Node[Any, Any], usual: float) -> float:
    return (node.result + _DOUBT * usual) / (node.visits + _DOUBT)


def _margin(node: _Node[Any, Any]) -> float | None:
    """By how much the player was ahead at the end, on average of the games that were really played out."""
    played = node.visits - node.expected
    return node.ahead / played if played else None


def _line(node: _Node[Any, Any]) -> tuple[Any, ...]:
    """The moves that were tried most from a state on; nature's cannot be expected."""
    line = []
    while node.children and node.mover != NATURE:
        node = max(node.children, key=_visits)
        line.append(node.move)
    return tuple(line)
