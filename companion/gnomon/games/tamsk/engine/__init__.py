"""Play TAMSK: alpha-beta on compact integers, and with sand a search that knows how long a turn takes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp, log
from typing import Final

from gnomon.engines.protocol import Candidate, Chance, Level, Limits, Report, Score
from gnomon.games.tamsk.engine import _search as core
from gnomon.games.tamsk.rules import CAPACITY, FLIP15, PASS, PLAYERS, Move, Position, Tamsk, may_leave
from gnomon.games.tamsk.rules.position import GLASSES, MASKS
from gnomon.timekeeping.instants import Duration

_BITS: Final = tuple(1 << bit for _, _, bit in core.SPACES)
"""The spaces of the rules, as the search counts them."""
_SPACE: Final = {bit: space for space, bit in enumerate(_BITS)}

_OPEN: Final = 34
"""While more rings than these are still to fall, nothing predicts the result."""
_LAST_RINGS: Final = 10
"""With so many rings left that can still fall, it is worth a look whether to withhold one."""
_POLLS: Final = 64 if core.__file__.endswith(".py") else 2048  # nodes: a few milliseconds on a slow machine
_FOR_EVER: Final = 1 << 60
_RINGS_IN_A_LOG_ODD: Final = 0.7
_LONGEST_LINE: Final = 8
_NEVER: Final = bool  # called without an argument it is False: nobody stops the first ply

_WAITS: Final = (10_000, 25_000)  # ms
_LONGEST_WAIT: Final = 60_000
_TIMER15: Final = 15_000
_IN_TIME: Final = 1_000
"""How much earlier than the 15-second glass a turn shall be complete."""
_LAST_GRAINS: Final = 1_000
"""What a glass that people watch is thought to have left when it should have run out."""
_FLIP_NODES: Final = 1_500
_FLIP_GAIN: Final = 25
_SLOWEST: Final = 3
"""How long the slowest hand takes, in halves of what is expected."""
_RESERVE: Final = 180_000
"""How many nodes at least are spent more at the levels without mistakes where a glass may be lost."""
_FALLEN: Final = 0.05
"""By how much less chance of winning a deeper look makes the engine think again."""
_NEARLY: Final = 0.001
"""An estimate is never nearer than this to certainty."""


class TamskEngine:
    """An engine for TAMSK under one choice of settings."""

    def __init__(self, rules: Tamsk) -> None:
        self.rules = rules

    @property
    def levels(self) -> Sequence[Level]:
        """The levels, from a first evening to full strength."""
        return _LEVELS

    def think(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """Weigh the moves of the player on turn, and report again and again, each time more deeply."""
        if position.ending is not None:
            message = "nobody is on turn: the game is over"
            raise ValueError(message)
        return self._reports(position, limits, chance, stopped)

    def _reports(
        self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]
    ) -> Iterator[Report]:
        """What is found, and where a glass is at stake, what the same search finds with the reserve.

        The reserve is also spent where the nodes ended when the best move had just turned out to be worse: what is
        better has not been looked at yet. A third of it comes first. The rest follows if the search then ends in the
        same way, or if its best move still puts a glass at stake: such a move is often refuted one ply deeper.
        """
        thought = _Thought(self.rules, position, limits, chance)
        found: list[Report] = []
        for report in thought.reports(stopped):
            found.append(report)
            yield report
        for more in (thought.reserve // 3, thought.reserve):
            if not more or not (_has_fallen(found) or thought.puts_at_stake(found[-1].candidates[0])) or stopped():
                return
            for report in thought.further_reports(stopped, (limits.nodes or _FOR_EVER) + more):
                found.append(report)
                yield report

    def predicts(self, position: Position) -> bool:
        """Whether what is found says who will win.

        As far as anybody knows, it does not while many rings are still to fall, unless a player has no glass left.
        """
        alive = [_lives(position, glass) for glass in range(len(position.glasses))]
        if not all(any(alive[glass] for glass in own) for own in GLASSES):
            return True
        return min(_rings_to_go(position), sum(position.rings_left)) <= _OPEN

    def mobility(self, position: Position) -> Mapping[str, int]:
        """How many spaces the glasses of each player could be moved to now, by player."""
        return {
            name: sum(
                (position.enterable & MASKS[position.glasses[glass]]).bit_count()
                for glass in GLASSES[player]
                if may_leave(position, glass, position.now)
            )
            for player, name in enumerate(PLAYERS)
        }

    def is_alike(self, move: Move, other: Move) -> bool:
        """Whether two turns differ in rings only, as one that withholds the ring which belongs to it."""
        return (move.kind, move.origin, move.target) == (other.kind, other.origin, other.target)

    def off_turn(self, position: Position, limits: Limits, chance: Chance, stopped: Callable[[], bool]) -> Move | None:
        """What the player who is not on turn had better do now: turn the 15-second glass, or None.

        `limits.hands` are the hands of that player and of the one on turn. The glass is turned where it takes time away
        that the other could use: to wait, or to move at all.
        """
        if self.rules.why_not(position, FLIP15) is not None:
            return None
        own, other = limits.hands
        if other >= _TIMER15 * 1000:
            return FLIP15
        nodes = min(limits.nodes or _FLIP_NODES, _FLIP_NODES)
        values = []
        for longest in (_LONGEST_WAIT, _longest_wait((other, own))):
            theirs = Limits(nodes, limits.depth, (other, own), spread=0.0)
            thought = _Thought(self.rules, position, theirs, chance, longest)
            for _ in thought.reports(stopped):
                pass
            values.append(thought.search.branches[0].value)
        return FLIP15 if values[0] - values[1] >= _FLIP_GAIN else None


class _Thought:
    """What is thought about one position."""

    def __init__(
        self,
        rules: Tamsk,
        position: Position,
        limits: Limits,
        chance: Chance,
        longest: int = 0,
    ) -> None:
        self.rules = rules
        self.position = position
        self.limits = limits
        self.to_go = _rings_to_go(position)
        self.is_full = not position.sands and not rules.settings.auto and self.to_go <= _LAST_RINGS
        # A caller that asks about all moves is told what was asked for, and without sand no glass is lost.
        self.reserve = limits.reserve if position.sands and not limits.spread else 0
        self.proves = not position.sands and (rules.settings.auto or self.is_full)
        hands = limits.hands if position.mover == 0 else limits.hands[::-1]
        self.hands = [max(1, hand // 1000) for hand in hands]
        self.longest = longest or (_LONGEST_WAIT if position.timer15 is None else _longest_wait(limits.hands))
        self.durations = [duration // 1000 for sand in position.sands for duration in sand.durations]
        self.search = self._new_search()
        self.depth = 1
        """To how many plies all moves have been weighed."""
        self.is_whole = True
        """Whether the last search came to its end."""
        self.moves: list[tuple[Move, int]] = []
        branches = [branch for move in self._moves_worth_a_thought() for branch in self._branches(move)]
        # Of moves that are worth the same any may be the best, but there is no waiting for nothing.
        order = {branch.tag: (self.moves[branch.tag][1], chance.random()) for branch in branches}
        self.search.branches = sorted(branches, key=lambda branch: order[branch.tag])

    def reports(self, stopped: Callable[[], bool]) -> Iterator[Report]:
        """Search one ply, two plies, and so on, until the end of the game is found, or the limits are reached."""
        search, limits = self.search, self.limits
        search.deepen(1, self._floor)
        self._choose_free_rings()
        yield self._report(1)
        yield from self.further_reports(stopped, limits.nodes or _FOR_EVER)

    def further_reports(self, stopped: Callable[[], bool], most: int) -> Iterator[Report]:
        """Search on where the last search ended, until there have been `most` nodes altogether."""
        search, limits = self.search, self.limits
        search.stopped, search.most = stopped, most
        search.polls, search.poll_at = _POLLS, search.nodes
        for depth in range(self.depth + 1, 1 + min(limits.depth or core.DEEPEST, core.DEEPEST)):
            if self.is_whole and self._is_settled():
                return
            search.reduces = depth <= self.to_go
            self.is_whole = search.deepen(depth, self._floor)
            self.depth += self.is_whole
            if self.is_whole or (search.finished and not limits.spread):
                yield self._report(depth)
            if not self.is_whole:
                return

    def puts_at_stake(self, chosen: Candidate) -> bool:
        """Whether a move leaves a glass that may run out before it can be moved again, or has one way out alone.

        The opponent may wait before their turn, and all hands may be slow.
        """
        position, mover = self.position, self.position.mover
        if chosen.move.kind != "turn" or position.lifted >= 0:
            return False
        hand, wait = self.hands[mover], chosen.wait // 1000
        slow, other = (each * _SLOWEST // 2 for each in (hand, self.hands[1 - mover]))
        soon = self.longest + other + slow
        exits = Counter(origin for origin, _ in {(move.origin, move.target) for move, _ in self.moves})
        for glass in range(3 * mover, 3 * mover + 3):
            left, space = self._sand_left(glass), position.glasses[glass]
            if not (left and position.moved >> glass & 1):
                continue
            if chosen.move.origin == space:
                # A glass that is nearly full loses most of its sand when it is turned.
                at = left - wait - hand
                after = core.time_after_turning(self.durations, glass, position.sands[glass].up, at)
                if after < at and after <= soon and len(exits) > 1:
                    return True
            elif exits[space] and slow < left and (exits[space] == 1 or left <= wait + slow + soon):
                return True
        return False

    def _new_search(self) -> core.Search:
        position, limits = self.position, self.limits
        slots = 1 << max(10, min(17, ((limits.nodes or _FOR_EVER) + self.reserve).bit_length()))
        if self.is_full:
            return core.FullSearch(position.mover, slots, _NEVER, _FOR_EVER, self.rules.settings.stalls_after)
        if not position.sands:
            return core.PlainSearch(position.mover, slots, _NEVER, _FOR_EVER)
        return core.SandSearch(
            position.mover,
            slots,
            _NEVER,
            _FOR_EVER,
            self.hands,
            self.durations,
            [wait for wait in _WAITS if wait <= self.longest],
            self.longest,
        )

    def _moves_worth_a_thought(self) -> Sequence[Move]:
        """The legal turns; those that withhold a ring, or leave a forgotten one, only when asked for, or at the end."""
        legal = [move for move in self.rules.legal_moves(self.position) if move.kind in _WHOLE_TURNS]
        asked = [move for move in legal if move in self.limits.moves]
        if asked or self.is_full:
            return asked or legal
        most = max(_rings_of(move) for move in legal)
        return [move for move in legal if _rings_of(move) == most]

    # Branches

    def _branches(self, move: Move) -> Iterator[core.Branch]:
        """What the search is to weigh of a move: with sand, once for each time that the player may wait."""
        after = self.rules.play(self.position, move)
        if not self.position.sands:
            yield self._branch(move, after, 0)
            return
        for wait in self._waits(move):
            branch = self._branch(move, after, wait)
            self._let_sand_run(branch, move, wait)
            yield branch

    def _branch(self, move: Move, after: Position, wait: int) -> core.Branch:
        own = _mask(after.glasses, 1 - self.position.mover)
        other = _mask(after.glasses, self.position.mover)
        left = after.rings_left
        branch = core.Branch(
            len(self.moves),
            (own, other),
            _room(after),
            (left[1], left[0]) if self.position.mover == 0 else (left[0], left[1]),
        )
        self.moves.append((move, wait))
        branch.forgotten = _BITS[after.forgotten] if after.forgotten >= 0 else 0
        branch.idle = after.idle
        branch.moved = after.moved
        return branch

    def _waits(self, move: Move) -> Sequence[int]:
        """For how many milliseconds the player may wait before a move: not at all, or as long as it stays possible."""
        position, hand = self.position, self.hands[self.position.mover]
        if move.kind != "turn" or position.lifted >= 0:
            return (0,)
        glass = position.glasses.index(move.origin)
        left = self.longest + hand
        if position.timer15_binds:
            left = min(left, (position.bound_until - position.now) // 1000 - _IN_TIME)
        if position.sands[glass].is_running(position.now):  # even the slowest hand shall come in time
            left = min(left, self._sand_left(glass) - 1 - hand * _SLOWEST // 2 + hand)
        deaths = [self._sand_left(each) - hand for each in range(3 - 3 * position.mover, 6 - 3 * position.mover)]
        first = min((death for death in deaths if death > 0), default=left)  # it may pay to wait for that
        return sorted({0} | {wait for wait in (*_WAITS, first) if wait + hand <= left})

    def _sand_left(self, glass: int) -> int:
        """For how many milliseconds a glass runs; 0 if it does not."""
        sand, now = self.position.sands[glass], self.position.now
        if not sand.is_running(now):
            return 0
        left = sand.remaining(now) // 1000
        return max(left, _LAST_GRAINS) if sand.by_eye else left

    def _ends(self) -> list[int]:
        return [self._sand_left(glass) for glass in range(len(self.position.sands))]

    def _let_sand_run(self, branch: core.Branch, move: Move, wait: int) -> None:
        """Tell a branch when each glass runs out, if the move is made after a wait by hand."""
        position, ends = self.position, self._ends()
        ups = [sand.up for sand in position.sands]
        branch.spaces = [_BITS[space] for space in position.glasses]
        if move.kind == "turn":
            glass = position.glasses.index(move.origin)
            at = wait + self.hands[position.mover]
            if ends[glass]:  # the hand hurries for the last grains
                at = min(at, max(0, ends[glass] - 1))
            branch.now = at
            branch.spaces[glass] = _BITS[move.target]
            ends[glass] = at + core.time_after_turning(self.durations, glass, ups[glass], ends[glass] - at)
            ups[glass] = 1 - ups[glass]
        branch.ends, branch.ups = ends, ups

    def _choose_free_rings(self) -> None:
        """Keep of all moves that differ in the second ring (rule 18) the one that looks best."""
        best: dict[tuple[Move, int], core.Branch] = {}
        for branch in self.search.branches:
            move, wait = self.moves[branch.tag]
            best.setdefault((move._replace(free=-1), wait), branch)
        self.search.branches = list(best.values())

    # Reports

    def _floor(self, best: int) -> int:
        """The value from which on moves are weighed exactly, if the best one has this value."""
        chance = self._score(best).chance - self.limits.spread
        if not self.limits.spread:
            return best
        if chance <= _NEARLY:
            return -core.INFINITE
        # No chance is quite 0 or 1, so a small spread below a bad value may come out above it.
        return min(best, int(100 * log(chance / (1 - chance))))

    def _is_settled(self) -> bool:
        """Whether no deeper search would change anything."""
        search = self.search
        exact = [branch for branch in search.branches if branch.is_exact]
        return not search.cut or (self.proves and all(abs(int(branch.value)) >= core.WIN for branch in exact))

    def _report(self, depth: int) -> Report:
        exact = [branch for branch in self.search.branches if branch.is_exact]
        candidates = [self._candidate(branch, with_line=not index) for index, branch in enumerate(exact)]
        return Report(candidates, depth, self.search.nodes)

    def _candidate(self, branch: core.Branch, *, with_line: bool) -> Candidate:
        move, wait = self.moves[branch.tag]
        line = self._line(move) if with_line and not self.position.sands and not self.is_full else ()
        return Candidate(move, self._score(branch.value), line, Duration(wait * 1000))

    def _score(self, value: int) -> Score:
        """What a value of the search says to people."""
        won = abs(value) >= core.WIN
        margin = float(abs(value) - core.WIN if won else abs(value) / 100 * _RINGS_IN_A_LOG_ODD)
        margin = margin if value > 0 else -margin
        if self.proves and won:
            return Score(1.0 if value > 0 else 0.0, margin, proven=True)
        if self.proves and not self.search.cut:
            return Score(0.5, 0.0, proven=True)
        odds = abs(value) / 100 if not won else 30 + (abs(value) - core.WIN) / 16
        chance = _NEARLY + (1 - 2 * _NEARLY) / (1 + exp(-odds))
        return Score(chance if value > 0 else 1 - chance, margin)

    def _line(self, move: Move) -> tuple[Move, ...]:
        """The moves that the search expects after a move, as far as its table has them."""
        line: list[Move] = []
        after = self.rules.play(self.position, move)
        while after.ending is None and len(line) < _LONGEST_LINE:
            legal = [each for each in self.rules.legal_moves(after) if each.forgotten < 0]
            if legal[0] != PASS:
                side = after.mover
                own, other = _mask(after.glasses, side), _mask(after.glasses, 1 - side)
                key = core.position_key(own, other, *_room(after), side) ^ core.LEFT_KEYS[after.rings_left[side]]
                origin, target = (_SPACE.get(bit, -1) for bit in self.search.hint(key))
                legal = [each for each in legal if each == Move(origin, target, ring=True)]
                if not legal:
                    break
            line.append(legal[0])
            after = self.rules.play(after, legal[0])
        return tuple(line)


def _has_fallen(found: Sequence[Report]) -> bool:
    """Whether the best move that was found last is worth clearly less than the best before."""
    last, *before = (report.candidates[0].score.chance for report in reversed(found))
    return bool(before) and last < before[0] - _FALLEN


def _longest_wait(hands: tuple[Duration, Duration]) -> int:
    """How many milliseconds a player may wait who may find the 15-second glass turned."""
    return max(0, _TIMER15 - _IN_TIME - max(hands) // 1000)


def _mask(glasses: Sequence[int], player: int) -> int:
    return sum(_BITS[space] for space in glasses[3 * player : 3 * player + 3])


def _room(position: Position) -> tuple[int, int, int, int]:
    """Where there is room for a ring, for two, three and four."""
    rooms = [capacity - position.rings_on(space) for space, capacity in enumerate(CAPACITY)]
    planes = [sum(bit for bit, room in zip(_BITS, rooms, strict=True) if room >= level) for level in (1, 2, 3, 4)]
    return planes[0], planes[1], planes[2], planes[3]


def _rings_of(move: Move) -> int:
    return move.ring + (move.forgotten >= 0) + (move.free >= 0)


def _lives(position: Position, glass: int) -> bool:
    """Whether a glass may still be moved now or later: its sand has not run out since it was first moved."""
    return not position.sands or not position.moved >> glass & 1 or position.sands[glass].is_running(position.now)


def _rings_to_go(position: Position) -> int:
    """How many rings can still fall at most: the room in all spaces that any glass might come to."""
    room, *more = _room(position)
    found = 0
    front = _mask(position.glasses, 0) | _mask(position.glasses, 1)
    while front:
        front = core.around(front) & room & ~found
        found |= front
    return sum((found & plane).bit_count() for plane in (room, *more))


_WHOLE_TURNS: Final = ("turn", "pass", "lost", "free")
_LEVELS: Final = tuple(
    Level(Limits(nodes, depth, spread=loss, reserve=0 if loss else max(_RESERVE, 3 * (nodes or 0))), loss)
    for nodes, depth, loss in (
        (None, 1, 0.5),
        (None, 1, 0.24),
        (None, 2, 0.22),
        (220, None, 0.076),
        (700, None, 0.04),
        (3_000, None, 0.022),
        (6_000, None, 0.006),
        (15_000, None, 0.0),
        (85_000, None, 0.0),
        (500_000, None, 0.0),
    )
)
