"""Play any game by its rules alone: weigh each move by random games that follow it.

It is the engine of games that bring none of their own. It knows nothing of what is good in a game, and nothing of sand
that runs while people move; it is there so that every game has an opponent, and a first rung for better engines.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Generic

from gnomon.engines._chance import draw_weighted
from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score, StoppedError
from gnomon.rules.protocol import NATURE, OVER, GameRules, MoveT, PositionT, Rules
from gnomon.rules.registry import kind_of

LEVELS: Final = (
    Level(Limits(nodes=300), loss=0.5),
    Level(Limits(nodes=800), loss=0.35),
    Level(Limits(nodes=2_000), loss=0.25),
    Level(Limits(nodes=5_000), loss=0.18),
    Level(Limits(nodes=10_000), loss=0.12),
    Level(Limits(nodes=20_000), loss=0.07),
    Level(Limits(nodes=40_000), loss=0.03),
    Level(Limits(nodes=80_000)),
)
_LONGEST: Final = 500  # turns of a random game; one that is longer counts as a draw
_GAMES_EACH: Final = 4  # random games for which a move is worth looking at
_LOOKS: Final = 32  # nodes between two questions whether to stop: a few milliseconds with the slowest rules


class PlainEngine(Generic[PositionT, MoveT]):
    """The engine for one game under one choice of settings; one node is one move that is played."""

    levels: Sequence[Level] = LEVELS

    def __init__(self, rules: Rules[PositionT, MoveT]) -> None:
        self._rules = rules
        self._swap = kind_of(rules.name).swap
        self._has_parts = not isinstance(rules, GameRules) or type(rules).is_turn is not GameRules.is_turn
        self._team: Callable[[str], Sequence[str]] | None = getattr(rules, "team", None)

    def think(
        self, position: PositionT, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the moves of the player on turn by random games, and report after each doubling of their number.

        Raises ValueError if nobody is on turn.
        """
        me = self._rules.turn(position)
        if me in {NATURE, OVER}:
            message = "nobody is on turn"
            raise ValueError(message)
        moves = [move for move in self._turns(position) if not limits.moves or move in limits.moves]
        search = _PlayoutSearch(self, chance, stopped, limits.nodes)
        tries = self._select([_Try(self, position, move, me) for move in moves], search, position, me)
        depth = games = 0
        scored: list[float] = []
        while not depth or search.goes_on(limits, depth):
            depth += 1
            try:
                while games < 1 << (depth - 1):
                    scored = []
                    for each in tries:
                        scored.append(each.score(search))
                    games = _add(tries, scored, games)
                    search.longest = _LONGEST
            except StoppedError:
                if depth > 1:
                    break
                tries = tries[: max(1, len(scored))]
                games = _add(tries, scored or [0.5], games)
            found = [Candidate(each.move, each.worth(games)) for each in tries]
            found.sort(key=lambda each: -each.score.chance)
            yield Report(found, depth, search.nodes)
            if all(each.is_proven for each in tries):
                return

    def _select(
        self,
        tries: "Sequence[_Try[PositionT, MoveT]]",
        search: "_PlayoutSearch[PositionT, MoveT]",
        position: PositionT,
        me: str,
    ) -> "Sequence[_Try[PositionT, MoveT]]":
        """The moves to weigh, in an order by chance: with few nodes some alone, each of them by a few random games.

        A player who sees few moves, and judges those fairly, plays more like a beginner than one who judges all of them
        by nothing.
        """
        tries = sorted(tries, key=lambda _: search.chance.random())
        if search.most is None:
            return tries
        search.longest = max(1, search.most // 4)
        before = search.nodes
        with suppress(StoppedError):
            search.play_out(position, me)
        number = max(2, search.most // (_GAMES_EACH * max(1, search.nodes - before)))
        ends = [each for each in tries if each.is_proven]
        chosen = [*ends, *[each for each in tries if not each.is_proven][:number]]
        search.longest = min(_LONGEST, max(1, (search.most - search.nodes) // len(chosen)))
        return chosen

    def _turns(self, position: PositionT) -> Sequence[MoveT]:
        """The legal moves that end a turn, where there are some."""
        moves = self._rules.legal_moves(position)
        if self._has_parts:
            return [move for move in moves if self._rules.is_turn(move)] or moves
        return moves

    def follow(self, position: PositionT, move: MoveT, me: str) -> tuple[PositionT, str]:
        """The position after a move, and as whom the same person plays then."""
        rules = self._rules
        after = rules.play(position, move)
        if self._swap and rules.text(position, move) == self._swap:
            me = next(player for player in rules.players if player != me)
        return after, me

    def points(self, position: PositionT, me: str) -> float | None:
        """What the end of a game is worth to a player: 1, 0.5 or 0; None while it goes on."""
        end = self._rules.outcome(position)
        if end is None:
            return None
        if end.winner is None:
            return 0.5
        seat = self._rules.seat
        winner, mine = (seat(position, each) or each for each in (end.winner, me))
        return float(winner in self._team(mine) if self._team is not None else winner == mine)

    def random_move(self, position: PositionT, chance: Chance) -> MoveT:
        """One of the moves: of nature by how likely they are, of a player any."""
        rules = self._rules
        moves = self._turns(position)
        if rules.turn(position) != NATURE:
            return moves[int(chance.random() * len(moves))]
        return draw_weighted(moves, [float(rules.weight(position, move)) for move in moves], chance)


def _add(tries: "Sequence[_Try[PositionT, MoveT]]", scored: Sequence[float], games: int) -> int:
    """Count one more random game of each move; answers how many there are now."""
    for each, points in zip(tries, scored, strict=True):
        each.points += points
    return games + 1


class _PlayoutSearch(Generic[PositionT, MoveT]):
    """How far a search has come."""

    def __init__(
        self, engine: PlainEngine[PositionT, MoveT], chance: Chance, stopped: Callable[[], bool], nodes: int | None
    ) -> None:
        self.nodes = 0
        self.longest = _LONGEST
        self._engine = engine
        self.chance = chance
        self._stopped = stopped
        self.most = nodes

    def goes_on(self, limits: Limits, depth: int) -> bool:
        """Whether there is time for another report."""
        if (limits.depth is not None and depth >= limits.depth) or self._stopped():
            return False
        return self.most is None or self.nodes < self.most

    def play_out(self, position: PositionT, me: str) -> float:
        """What the end of a random game is worth to a player. Raises StoppedError."""
        engine, chance = self._engine, self.chance
        for _ in range(self.longest):
            points = engine.points(position, me)
            if points is not None:
                return points
            position, me = engine.follow(position, engine.random_move(position, chance), me)
            self.nodes += 1
            if self.most is not None and self.nodes > self.most and self.longest == _LONGEST:
                raise StoppedError
            if self.nodes % _LOOKS == 0 and self._stopped():
                raise StoppedError
        return 0.5


class _Try(Generic[PositionT, MoveT]):
    """One move and the random games after it."""

    def __init__(self, engine: PlainEngine[PositionT, MoveT], position: PositionT, move: MoveT, me: str) -> None:
        self.move = move
        self.points = 0.0
        self._after, self._me = engine.follow(position, move, me)
        self._end = engine.points(self._after, self._me)

    @property
    def is_proven(self) -> bool:
        """Whether the move ends the game."""
        return self._end is not None

    def score(self, search: _PlayoutSearch[PositionT, MoveT]) -> float:
        """What one more random game gives."""
        return search.play_out(self._after, self._me) if self._end is None else self._end

    def worth(self, games: int) -> Score:
        """The chance of winning as far as so many games tell it: none proves that one wins, or loses, for certain."""
        if self._end is not None:
            return Score(self._end, proven=True)
        return Score((self.points + 1) / (games + 2))
