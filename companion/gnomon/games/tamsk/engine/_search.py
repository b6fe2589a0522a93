"""Search the game tree of TAMSK by alpha-beta on compact integers.

This file is plain Python, and mypyc compiles it unchanged: the same file gives the same moves either way. Integers
that are annotated as `i64` are machine integers there. mypyc gets `1 << x` wrong for these from 31 on, so the bits of
spaces come from a table; all of them stay under bit 62. The file is longer than others on purpose: `make compile`
makes one extension of it, and only within that are calls and attributes those of C.

A space is the bit 8 · column + height, in axial coordinates: its neighbours are 1, 8 and 9 bits away. Four planes say
where there is room for a ring, for two, three and four more; a ring that falls clears one bit. `free` are the spaces
that a glass may enter. `own` are the glasses of the player on turn, `other` those of the opponent, and `left` the rings
in their holders. Values are hundredths of log odds for the player on turn; from `WIN` on they are proven.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # it names the machine's integers for mypyc, and plain Python does without it
    from mypy_extensions import i64

SPACES: Final = tuple(
    (column, row, 8 * column + row - 1 + max(0, column - 3))
    for column in range(7)
    for row in range(1, 8 - abs(3 - column))
)
"""Column, row, and number of the bit of every space, in the order of the rules."""

WIN: Final = 10_000
"""A won game is worth this and the margin in rings; every estimate is smaller by far."""

INFINITE: Final = 20_000
CONTEMPT: Final = 60
"""By how much the player who asked would rather not have a draw."""

DEEPEST: Final = 64
_PASS: Final = -1
_RINGS: Final = 64
_MOST: Final = 2_900  # estimates lie between this and its negative

_ALL: Final = sum(1 << bit for _, _, bit in SPACES)
_STEPS: Final = (1, 8, 9, -1, -8, -9)
_EDGES: Final = tuple(
    (bit, bit + step) for _, _, bit in SPACES for step in _STEPS if bit + step >= 0 and _ALL >> (bit + step) & 1
)
EDGES: Final = tuple((1 << origin, 1 << target) for origin, target in _EDGES)
"""Every step from a space to a neighbour, as two bits; a move of a glass is an index of it."""

_OUT: Final[list[int]] = [origin for origin, _ in EDGES]
_INTO: Final[list[int]] = [target for _, target in EDGES]
NEAR: Final[dict[int, int]] = {
    1 << bit: sum(target for origin, target in EDGES if origin == 1 << bit) for _, _, bit in SPACES
}
"""The neighbours of every space."""


def _by_targets(space: int) -> dict[int, list[int]]:
    """The moves from a space, by the set of neighbours that may be entered."""
    edges = [edge for edge, (origin, _) in enumerate(EDGES) if origin == space]
    sets: dict[int, list[int]] = {0: []}
    for edge in edges:
        sets |= {mask | _INTO[edge]: [*moves, edge] for mask, moves in sets.items()}
    return sets


_TURNS: Final[dict[int, dict[int, list[int]]]] = {space: _by_targets(space) for space in NEAR}

_count: Final[Callable[[int], int]] = int.bit_count


def _keys(number: int, seed: int) -> list[int]:
    """Numbers of 60 bits without a pattern (splitmix64)."""
    found = []
    for index in range(1, number + 1):
        word = (seed + index * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        word = (word ^ word >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        found.append((word ^ word >> 31) & 0xFFFFFFFFFFFFFFF)
    return found


_GLASS_KEYS: Final = tuple(dict(zip(NEAR, _keys(37, seed), strict=True)) for seed in (1, 2))
_STEP_KEYS: Final[list[list[int]]] = [[keys[origin] ^ keys[target] for origin, target in EDGES] for keys in _GLASS_KEYS]
_ROOM_KEYS: Final[list[dict[int, int]]] = [dict(zip(NEAR, _keys(37, seed), strict=True)) for seed in (3, 4, 5, 6)]
LEFT_KEYS: Final[list[int]] = _keys(33, 7)
_IDLE_KEYS: Final[list[int]] = _keys(1024, 8)
_TURN_KEY: Final = _keys(1, 9)[0]
_FORGOTTEN_KEYS: Final[dict[int, int]] = dict(zip(NEAR, _keys(37, 10), strict=True)) | {0: 0}

# What a feature is worth in hundredths of log odds, by how many rings have fallen: a row for every eight.
# The columns: the turn; a glass that can move; a space that is reached first, or at the same time; room for a second
# ring, for a third there; a space beside a glass; a ring more that has fallen.
# Fitted to the results of 1 150 games of this engine against itself (1 500 nodes a turn, 4 to 11 random ones before).
_WEIGHTS: Final[list[list[int]]] = [
    [45, 129, 2, 0, 0, 1, 78],
    [48, 129, 2, 0, 0, 1, 78],
    [30, 136, 3, 1, 0, 1, 76],
    [35, 112, 4, 1, 1, 4, 77],
    [38, 90, 17, 1, 9, 0, 79],
    [32, 60, 40, 2, 30, -8, 84],
    [17, 60, 90, 18, 47, -12, 129],
    [5, 90, 168, 52, 0, -15, 210],
]


class Stopped(Exception):  # noqa: N818 - it unwinds the search, and is no error
    """The search has to end now."""


class Branch:
    """A move of the player to whom the search answers, and the position after it, where the opponent is on turn."""

    def __init__(
        self, tag: int, glasses: tuple[int, int], room: tuple[int, int, int, int], left: tuple[int, int]
    ) -> None:
        self.tag: i64 = tag
        """Whatever the caller knows the move by."""
        self.own: i64 = glasses[0]
        self.other: i64 = glasses[1]
        self.room: i64 = room[0]
        self.room2: i64 = room[1]
        self.room3: i64 = room[2]
        self.room4: i64 = room[3]
        self.own_left: i64 = left[0]
        self.other_left: i64 = left[1]
        self.forgotten: i64 = 0
        """Where the opponent may drop a ring that was withheld (rule 3), or 0."""
        self.idle: i64 = 0
        self.value: i64 = -INFINITE
        """What the move is worth to the player who makes it; no more than that unless `is_exact`."""
        self.is_exact: bool = False
        self.spaces: list[int] = []
        """With sand, by glass, red's first: where it stands."""
        self.ends: list[int] = []
        """With sand, by glass: in how many milliseconds from the root it runs out; 0 or less: it has."""
        self.ups: list[int] = []
        """With sand, by glass: which end is up."""
        self.moved: i64 = 0
        self.now: i64 = 0
        """With sand: how long after the root the move is made, waiting and hand included."""


class Search:
    """What all searches share: the root, its bounds, the order of moves, and the table of positions."""

    def __init__(self, side: int, slots: int, stopped: Callable[[], bool], polls: int) -> None:
        self.side: i64 = side
        """The player to whom it answers: 0 is red."""
        self.stopped = stopped
        self.polls: i64 = polls
        self.poll_at: i64 = polls
        self.nodes: i64 = 0
        self.most: i64 = 1 << 60
        """Nodes after which the search ends."""
        self.cut: bool = False
        """Whether anything in this iteration was estimated, and not played to the end."""
        self.reduces: bool = True
        self.generation: i64 = 0
        self.mask: i64 = slots - 1
        self.keys: list[int] = [0] * slots
        self.entries: list[int] = [0] * slots
        self.history: list[list[int]] = [[0] * 256, [0] * 256]
        self.killers: list[int] = [_PASS] * (2 * DEEPEST + 4)
        self.branches: list[Branch] = []
        self.finished: int = 0
        """How many branches were weighed in this iteration."""

    def deepen(self, depth: int, floor_of: Callable[[int], int]) -> bool:
        """Weigh every branch `depth` plies deep, the best of the last time first, and put the best first again.

        Values above `floor_of` the best one are exact, the others are bounds. Answers whether it came to an end; if
        not, the branches that were weighed have their new values, and the others the old ones.
        """
        self.cut = False
        self.generation = depth
        best: i64 = -INFINITE
        floor: i64 = -INFINITE
        weighed: list[Branch] = []
        whole = True
        for branch in self.branches:
            try:
                value = self._weigh(branch, depth - 1, floor)
            except Stopped:
                whole = False
                break
            branch.value = value
            branch.is_exact = value > floor or floor == -INFINITE
            weighed.append(branch)
            if value > best:
                best = value
                floor = floor_of(best)
        self.finished = len(weighed)
        rest = self.branches[len(weighed) :]
        weighed.sort(key=_rank, reverse=True)
        for branch in weighed:
            if branch.value <= floor and branch is not weighed[0]:
                branch.is_exact = False
        for branch in rest:
            branch.is_exact = False
        self.branches = weighed + rest
        return whole

    def _weigh(self, branch: Branch, depth: i64, floor: i64) -> i64:
        """The value of a branch for the player who makes the move; exact if it is above `floor`."""
        if floor == -INFINITE:
            return -self.answer(branch, depth, -INFINITE, INFINITE)
        value = -self.answer(branch, depth, -floor - 1, -floor)
        return value if value <= floor else -self.answer(branch, depth, -INFINITE, -floor)

    def answer(self, branch: Branch, depth: i64, alpha: i64, beta: i64) -> i64:
        """What the position after a branch is worth to the opponent."""
        raise NotImplementedError

    def poll(self) -> None:
        """Raise Stopped if the nodes are used up, or somebody says so."""
        if self.nodes >= self.most or self.stopped():
            raise Stopped
        self.poll_at = min(self.nodes + self.polls, self.most)

    def hint(self, key: int) -> tuple[int, int]:
        """What the table has as the best move of a position, as two bits; without one two zeros."""
        slot = key & self.mask
        edge = (self.entries[slot] >> 7 & 255) - 1 if self.keys[slot] == key else _PASS
        return EDGES[edge] if edge >= 0 else (0, 0)

    def order(self, moves: list[int], side: i64, ply: i64, first: i64) -> None:
        """Put the moves in the order in which they promise most: from the table, killers, and by history."""
        moves.sort(key=self.history[side].__getitem__, reverse=True)
        for edge in (self.killers[2 * ply + 1], self.killers[2 * ply], first):
            if edge in moves:
                moves.remove(edge)
                moves.insert(0, edge)

    def remember(self, edge: int, side: i64, ply: i64, depth: i64) -> None:
        """Keep in mind that a move refuted the one before it."""
        if self.killers[2 * ply] != edge:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = edge
        self.history[side][edge] += depth * depth

    def store(self, key: i64, value: i64, depth: i64, kind: i64, edge: i64) -> None:
        """Write a position into the table, unless a deeper one of this iteration stands there."""
        slot = key & self.mask
        entry: i64 = self.entries[slot]
        if self.keys[slot] == key or entry & 127 != self.generation or entry >> 17 & 127 <= depth:
            self.keys[slot] = key
            self.entries[slot] = (value + INFINITE) << 24 | depth << 17 | kind << 15 | (edge + 1) << 7 | self.generation

    def final_value(self, own_left: i64, other_left: i64, side: i64) -> i64:
        """What a game that has ended is worth to `side`: fewer rings win (rule 7)."""
        lead = other_left - own_left
        if lead > 0:
            return WIN + lead
        if lead < 0:
            return lead - WIN
        return -CONTEMPT if side == self.side else CONTEMPT


def _rank(branch: Branch) -> int:
    return branch.value


# Late moves, by their number in the order, are searched less deeply at first, and later ones less still.
_LATE: Final = 2
_LATE_WITH_SAND: Final = 3
_LATER: Final = 5
_LATER_WITH_SAND: Final = 8
_DEEP: Final = 3  # plies from which on that is worth it
_DEEPER: Final = 4

_EXACT: Final = 1
_AT_LEAST: Final = 2
_AT_MOST: Final = 3


class PlainSearch(Search):
    """The search without sand, where no ring is withheld."""

    def answer(self, branch: Branch, depth: i64, alpha: i64, beta: i64) -> i64:
        """What the position after a branch is worth to the opponent."""
        room, room2, room3, room4 = branch.room, branch.room2, branch.room3, branch.room4
        side = 1 - self.side
        self.nodes += 1
        if self.nodes >= self.poll_at:
            self.poll()
        if depth <= 0:
            return self.estimate(
                branch.own, branch.other, 0, room, room2, room3, branch.own_left, branch.other_left, side
            )
        key = position_key(branch.own, branch.other, room, room2, room3, room4, side)
        return self.search(
            depth, alpha, beta, branch.own, branch.other, room, room2, room3, room4,
            branch.own_left, branch.other_left, key, side, 1,
        )  # fmt: skip

    def search(
        self, depth: i64, alpha: i64, beta: i64, own: i64, other: i64, room: i64, room2: i64, room3: i64, room4: i64,
        own_left: i64, other_left: i64, key: i64, side: i64, ply: i64,
    ) -> i64:  # fmt: skip
        """What a position is worth to `side`, who is on turn, `depth` plies deep; at least one."""
        place = key ^ LEFT_KEYS[own_left]
        slot = place & self.mask
        first: i64 = _PASS
        if self.keys[slot] == place:
            entry: i64 = self.entries[slot]
            first = (entry >> 7 & 255) - 1
            if entry & 127 == self.generation and entry >> 17 & 127 >= depth:
                found = (entry >> 24) - INFINITE
                kind = entry >> 15 & 3
                if kind == _EXACT or (kind == _AT_LEAST and found >= beta) or (kind == _AT_MOST and found <= alpha):
                    return found
        glasses = own | other
        free = room ^ (room & glasses)
        moves: list[int] = []
        rest: i64 = own if own_left else 0
        while rest:
            space = rest & -rest
            rest ^= space
            targets = NEAR[space] & free
            if targets:
                moves = moves + _TURNS[space][targets]
        if not moves:
            if not other_left or not around(other) & free:
                return self.final_value(own_left, other_left, side)
            return -self.search(
                depth, -beta, -alpha, other, own, room, room2, room3, room4, other_left, own_left,
                key ^ _TURN_KEY, 1 - side, ply,
            )  # fmt: skip
        self.order(moves, side, ply, first)
        steps = _STEP_KEYS[side]
        best: i64 = -INFINITE
        best_edge: i64 = _PASS
        floor = alpha
        for index, edge in enumerate(moves):
            target: i64 = _INTO[edge]
            after = own ^ _OUT[edge] ^ target
            child, child2, child3, child4 = room, room2, room3, room4
            level: i64 = 0
            if not room2 & target:
                child ^= target
            elif not room3 & target:
                child2 ^= target
                level = 1
            elif not room4 & target:
                child3 ^= target
                level = 2
            else:
                child4 ^= target
                level = 3
            self.nodes += 1
            if self.nodes >= self.poll_at:
                self.poll()
            if depth == 1:
                value = -self.estimate(other, after, 0, child, child2, child3, other_left, own_left - 1, 1 - side)
            else:
                next_key = key ^ steps[edge] ^ _ROOM_KEYS[level][target] ^ _TURN_KEY
                less: i64 = 1
                if index >= _LATE and depth >= _DEEP and self.reduces:
                    less = 3 if index >= _LATER and depth >= _DEEPER else 2
                value = floor + 1
                if index:
                    value = -self.search(
                        depth - less, -floor - 1, -floor, other, after, child, child2, child3, child4,
                        other_left, own_left - 1, next_key, 1 - side, ply + 1,
                    )  # fmt: skip
                    if less > 1:
                        if value > floor:
                            value = -self.search(
                                depth - 1, -floor - 1, -floor, other, after, child, child2, child3, child4,
                                other_left, own_left - 1, next_key, 1 - side, ply + 1,
                            )  # fmt: skip
                        else:
                            self.cut = True
                if value > floor and (not index or value < beta):
                    value = -self.search(
                        depth - 1, -beta, -floor, other, after, child, child2, child3, child4,
                        other_left, own_left - 1, next_key, 1 - side, ply + 1,
                    )  # fmt: skip
            if value > best:
                best = value
                best_edge = edge
                if value > floor:
                    floor = value
                    if value >= beta:
                        self.remember(edge, side, ply, depth)
                        break
        kind = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        self.store(place, best, depth, kind, best_edge)
        return best

    def estimate(
        self, own: i64, other: i64, still: i64, room: i64, room2: i64, room3: i64, own_left: i64, other_left: i64,
        side: i64,
    ) -> i64:  # fmt: skip
        """What a position is worth to `side`, who is on turn, without a look further ahead.

        `still` are glasses that move no more and stand in the way. A space belongs to the player who reaches it first.
        """
        glasses = own | other | still
        free = room ^ (room & glasses)
        mine = around(own) & free if own_left else 0
        theirs = around(other) & free if other_left else 0
        both = mine | theirs
        if not both:
            return self.final_value(own_left, other_left, side)
        self.cut = True
        weights = _WEIGHTS[min(7, (_RINGS - own_left - other_left) >> 3)]
        alive = around(free)
        value: i64 = weights[0]
        value += weights[1] * (_count(alive & own) - _count(alive & other))
        value += weights[5] * (_count(mine) - _count(theirs))
        value += weights[6] * (other_left - own_left)
        shared = mine & theirs
        ties = shared
        first = mine ^ shared
        second = theirs ^ shared
        rest = free ^ both
        while rest:
            mine = around(mine) & rest
            theirs = around(theirs) & rest
            both = mine | theirs
            if not both:
                break
            rest ^= both
            shared = mine & theirs
            ties |= shared
            first |= mine ^ shared
            second |= theirs ^ shared
        value += weights[2] * (_count(first) - _count(second))
        value += weights[3] * _count(ties)
        value += weights[4] * (
            _count(first & room2) - _count(second & room2) + _count(first & room3) - _count(second & room3)
        )
        return max(-_MOST, min(_MOST, value))


def around(spaces: i64) -> i64:
    """The neighbours of a set of spaces, and some bits that are no spaces."""
    right = spaces << 8
    left = spaces >> 8
    return (spaces | right) << 1 | (spaces | left) >> 1 | right | left


def position_key(own: i64, other: i64, room: i64, room2: i64, room3: i64, room4: i64, side: i64) -> i64:
    """The number of a position in the table, without the rings in the holders."""
    key: i64 = _TURN_KEY if side else 0
    red, black = (other, own) if side else (own, other)
    for space in NEAR:
        if red & space:
            key ^= _GLASS_KEYS[0][space]
        if black & space:
            key ^= _GLASS_KEYS[1][space]
        if not room & space:
            key ^= _ROOM_KEYS[0][space]
        if not room2 & space:
            key ^= _ROOM_KEYS[1][space]
        if not room3 & space:
            key ^= _ROOM_KEYS[2][space]
        if not room4 & space:
            key ^= _ROOM_KEYS[3][space]
    return key


class FullSearch(PlainSearch):
    """The search without sand that also withholds rings and leaves forgotten ones (rules 2, 3 and 9): for the end."""

    def __init__(self, side: int, slots: int, stopped: Callable[[], bool], polls: int, stall: int) -> None:
        super().__init__(side, slots, stopped, polls)
        self.stall: i64 = stall or 1 << 60

    def answer(self, branch: Branch, depth: i64, alpha: i64, beta: i64) -> i64:
        """What the position after a branch is worth to the opponent."""
        side = 1 - self.side
        room = (branch.room, branch.room2, branch.room3, branch.room4)
        key = position_key(branch.own, branch.other, room[0], room[1], room[2], room[3], side)
        return self.full(
            max(0, depth), alpha, beta, branch.own, branch.other, branch.room, branch.room2, branch.room3, branch.room4,
            branch.own_left, branch.other_left, key, side, 1, branch.forgotten, branch.idle,
        )  # fmt: skip

    def full(
        self, depth: i64, alpha: i64, beta: i64, own: i64, other: i64, room: i64, room2: i64, room3: i64, room4: i64,
        own_left: i64, other_left: i64, key: i64, side: i64, ply: i64, forgotten: i64, idle: i64,
    ) -> i64:  # fmt: skip
        """What a position is worth to `side`, who is on turn and may use the ring forgotten on `forgotten`."""
        self.nodes += 1
        if self.nodes >= self.poll_at:
            self.poll()
        if idle >= self.stall:
            return self.final_value(own_left, other_left, side)
        if not depth:
            return self.estimate(own, other, 0, room, room2, room3, own_left, other_left, side)
        place = key ^ LEFT_KEYS[own_left] ^ _FORGOTTEN_KEYS[forgotten] ^ _IDLE_KEYS[idle & 1023]
        slot = place & self.mask
        first: i64 = _PASS
        if self.keys[slot] == place:
            entry: i64 = self.entries[slot]
            first = (entry >> 7 & 255) - 1
            if entry & 127 == self.generation and entry >> 17 & 127 >= depth:
                found = (entry >> 24) - INFINITE
                kind = entry >> 15 & 3
                if kind == _EXACT or (kind == _AT_LEAST and found >= beta) or (kind == _AT_MOST and found <= alpha):
                    return found
        glasses = own | other
        free = room ^ (room & glasses)
        moves: list[int] = []
        rest: i64 = own if own_left else 0
        while rest:
            space = rest & -rest
            rest ^= space
            targets = NEAR[space] & free
            if targets:
                moves = moves + _TURNS[space][targets]
        if not moves:
            if not other_left or not around(other) & free:
                return self.final_value(own_left, other_left, side)
            return -self.full(
                depth, -beta, -alpha, other, own, room, room2, room3, room4, other_left, own_left,
                key ^ _TURN_KEY, 1 - side, ply, 0, idle + 1,
            )  # fmt: skip
        self.order(moves, side, ply, first)
        best: i64 = -INFINITE
        best_edge: i64 = _PASS
        floor = alpha
        for edge in moves:
            target: i64 = _INTO[edge]
            after = own ^ _OUT[edge] ^ target
            # The rings that fall: both, the forgotten one, the turn's own, none.
            for way in (3, 2, 1, 0):
                rings: i64 = (way >> 1) + (way & 1)
                if rings > own_left or (way > 1 and not forgotten):
                    continue
                child, child2, child3, child4 = room, room2, room3, room4
                next_key = key ^ _STEP_KEYS[side][edge] ^ _TURN_KEY
                for fallen in (forgotten if way > 1 else 0, target if way & 1 else 0):
                    if not fallen:
                        continue
                    level = 0
                    if not child2 & fallen:
                        child ^= fallen
                    elif not child3 & fallen:
                        child2 ^= fallen
                        level = 1
                    elif not child4 & fallen:
                        child3 ^= fallen
                        level = 2
                    else:
                        child4 ^= fallen
                        level = 3
                    next_key ^= _ROOM_KEYS[level][fallen]
                value = -self.full(
                    depth - 1, -beta, -floor, other, after, child, child2, child3, child4, other_left,
                    own_left - rings, next_key, 1 - side, ply + 1, 0 if way & 1 else target, 0 if rings else idle + 1,
                )  # fmt: skip
                if value > best:
                    best = value
                    best_edge = edge
                    floor = max(floor, value)
            if floor >= beta:
                self.remember(edge, side, ply, depth)
                break
        kind = _AT_LEAST if best >= beta else _EXACT if best > alpha else _AT_MOST
        self.store(place, best, depth, kind, best_edge)
        return best


_FULL: Final = 0b111
_GLASS_BITS: Final = [1, 2, 4, 8, 16, 32]
_DOOMED: Final = 90
"""What it costs to have a glass that will die before it can be moved."""
_SLACK: Final = 30_000
_GLASS_SHIFT: Final = 8
_WAIT_SHIFT: Final = 11


class SandSearch(PlainSearch):
    """The search with sand: a turn takes as long as the hand of its player, glasses die, and waiting is a move.

    Glasses that are set down are turned over. Times are milliseconds from the root.
    """

    def __init__(
        self, side: int, slots: int, stopped: Callable[[], bool], polls: int, hands: list[int], durations: list[int],
        waits: list[int], longest: int,
    ) -> None:  # fmt: skip
        super().__init__(side, slots, stopped, polls)
        self.history = [[0] * 16384, [0] * 16384]
        self.hands: list[int] = hands
        self.durations: list[int] = durations
        """Two for every glass: how long it runs with one end up, and with the other."""
        self.waits: list[int] = waits
        """How long a player may wait before a turn, besides not at all and until a glass of the opponent has died."""
        self.longest: i64 = longest
        """Nobody waits longer."""
        self.spaces: list[int] = [0] * 6
        self.ends: list[int] = [0] * 6
        self.ups: list[int] = [0] * 6
        self.moved: i64 = 0
        self.now: i64 = 0

    def answer(self, branch: Branch, depth: i64, alpha: i64, beta: i64) -> i64:
        """What the position after a branch is worth to the opponent."""
        self.spaces = list(branch.spaces)
        self.ends = list(branch.ends)
        self.ups = list(branch.ups)
        side = 1 - self.side
        key = position_key(branch.own, branch.other, branch.room, branch.room2, branch.room3, branch.room4, side)
        return self.sand(
            max(0, depth), alpha, beta, branch.now, branch.moved, branch.own, branch.other,
            branch.room, branch.room2, branch.room3, branch.room4, branch.own_left, branch.other_left, key, side, 1,
        )  # fmt: skip

    def waits_at(self, now: i64, side: i64) -> list[int]:
        """How long `side` may wait before a turn."""
        first: i64 = self.longest + 1
        for glass in range(3 - 3 * side, 6 - 3 * side):
            left: i64 = self.ends[glass] - now - self.hands[side]
            if 0 < left < first:
                first = left
        return [0, *self.waits, first] if first <= self.longest else [0, *self.waits]

    def sand(
        self, depth: i64, alpha: i64, beta: i64, now: i64, moved: i64, own: i64, other: i64,
        room: i64, room2: i64, room3: i64, room4: i64, own_left: i64, other_left: i64, key: i64, side: i64, ply: i64,
    ) -> i64:  # fmt: skip
        """What a position is worth to `side`, who is on turn at `now`."""
        self.nodes += 1
        if self.nodes >= self.poll_at:
            self.poll()
        if not depth:
            return self.guess(now, moved, own, other, room, room2, room3, own_left, other_left, side)
        glasses = own | other
        free = room ^ (room & glasses)
        moves: list[int] = []
        waits = self.waits_at(now, side)
        opening = moved >> 3 * side & _FULL != _FULL
        if own_left:
            for glass in range(3 * side, 3 * side + 3):
                if opening and moved >> glass & 1:
                    continue
                space: i64 = self.spaces[glass]
                targets = NEAR[space] & free
                if targets:
                    left: i64 = self.ends[glass] - now - self.hands[side]
                    for index, wait in enumerate(waits):
                        if opening or left > wait:
                            code = glass << _GLASS_SHIFT | index << _WAIT_SHIFT
                            moves += [code | edge for edge in _TURNS[space][targets]]
        if not moves:
            if not self.can_move(1 - side, now, moved, free, other_left):
                self.now = now
                return self.final_value(own_left, other_left, side)
            return -self.sand(
                depth, -beta, -alpha, now, moved, other, own, room, room2, room3, room4, other_left, own_left,
                key ^ _TURN_KEY, 1 - side, ply,
            )  # fmt: skip
        slot = key & self.mask
        self.order(moves, side, ply, self.entries[slot] if self.keys[slot] == key else _PASS)
        best: i64 = -INFINITE
        best_code: i64 = _PASS
        floor = alpha
        for place, code in enumerate(moves):
            edge = code & 255
            target: i64 = _INTO[edge]
            after = own ^ _OUT[edge] ^ target
            child, child2, child3, child4 = room, room2, room3, room4
            level: i64 = 0
            if not room2 & target:
                child ^= target
            elif not room3 & target:
                child2 ^= target
                level = 1
            elif not room4 & target:
                child3 ^= target
                level = 2
            else:
                child4 ^= target
                level = 3
            next_key = key ^ _STEP_KEYS[side][edge] ^ _ROOM_KEYS[level][target] ^ _TURN_KEY
            glass = code >> _GLASS_SHIFT & 7
            at: i64 = now + waits[code >> _WAIT_SHIFT] + self.hands[side]
            end, up = self.ends[glass], self.ups[glass]
            after_moved = moved | _GLASS_BITS[glass]
            self.spaces[glass] = target
            self.ends[glass] = at + time_after_turning(self.durations, glass, up, end - at)
            self.ups[glass] = 1 - up
            less: i64 = 1
            if place >= _LATE_WITH_SAND and depth >= _DEEP:
                less = 3 if place >= _LATER_WITH_SAND and depth >= _DEEPER else 2
            value = floor + 1
            if place:
                value = -self.sand(
                    depth - less, -floor - 1, -floor, at, after_moved, other, after, child, child2, child3,
                    child4, other_left, own_left - 1, next_key, 1 - side, ply + 1,
                )  # fmt: skip
                if less > 1 and value > floor:
                    value = -self.sand(
                        depth - 1, -floor - 1, -floor, at, after_moved, other, after, child, child2, child3,
                        child4, other_left, own_left - 1, next_key, 1 - side, ply + 1,
                    )  # fmt: skip
            if value > floor and (not place or value < beta):
                value = -self.sand(
                    depth - 1, -beta, -floor, at, after_moved, other, after, child, child2, child3,
                    child4, other_left, own_left - 1, next_key, 1 - side, ply + 1,
                )  # fmt: skip
            self.spaces[glass] = _OUT[edge]
            self.ends[glass] = end
            self.ups[glass] = up
            if value > best:
                best = value
                best_code = code
                if value > floor:
                    floor = value
                    if value >= beta:
                        self.remember(code, side, ply, depth)
                        break
        self.keys[slot] = key
        self.entries[slot] = best_code
        return best

    def can_move(self, side: i64, now: i64, moved: i64, free: i64, left: i64) -> bool:
        """Whether `side` has a glass to move at `now`."""
        if not left:
            return False
        opening = moved >> 3 * side & _FULL != _FULL
        for glass in range(3 * side, 3 * side + 3):
            ready = not moved >> glass & 1 if opening else self.ends[glass] > now + self.hands[side]
            if ready and NEAR[self.spaces[glass]] & free:
                return True
        return False

    def guess(
        self, now: i64, moved: i64, own: i64, other: i64, room: i64, room2: i64, room3: i64, own_left: i64,
        other_left: i64, side: i64,
    ) -> i64:  # fmt: skip
        """What a position is worth to `side`, who is on turn at `now`, without a look further ahead."""
        self.now = now
        mine = self.live_glasses(own, side, now, moved)
        theirs = self.live_glasses(other, 1 - side, now, moved)
        still = own ^ mine | other ^ theirs
        value = self.estimate(mine, theirs, still, room, room2, room3, own_left, other_left, side)
        if value >= WIN or value <= -WIN:
            return value
        first: i64 = now + self.hands[side]
        second: i64 = first + self.hands[1 - side]
        value -= self.doom(side, mine, moved, first) - self.doom(1 - side, theirs, moved, second)
        return max(-_MOST, min(_MOST, value))

    def live_glasses(self, glasses: i64, side: i64, now: i64, moved: i64) -> i64:
        """Those of a player's glasses that are alive, or have yet to be moved in the opening."""
        alive: i64 = 0
        opening = moved >> 3 * side & _FULL != _FULL
        for glass in range(3 * side, 3 * side + 3):
            if self.ends[glass] > now or (opening and not moved >> glass & 1):
                alive |= self.spaces[glass]
        return glasses & alive

    def doom(self, side: i64, alive: i64, moved: i64, first: i64) -> i64:
        """What it will cost a player that glasses die before their turn comes, the soonest first."""
        step: i64 = self.hands[0] + self.hands[1]
        at = first
        cost: i64 = 0
        ends: list[int] = []
        for glass in range(3 * side, 3 * side + 3):
            if not moved >> glass & 1:
                at += step  # the opening comes first
            elif self.spaces[glass] & alive:
                ends.append(self.ends[glass])
        ends.sort()
        for end in ends:
            slack: i64 = end - at
            if slack <= 0:
                cost += _DOOMED
            else:
                if slack < _SLACK:
                    cost += (_SLACK - slack) // 1000
                at += step
        return cost

    def final_value(self, own_left: i64, other_left: i64, side: i64) -> i64:
        """What a game that has ended is worth to `side`: fewer rings, or else the last running glass (rule 15)."""
        if own_left == other_left:
            ends = self.ends
            mine = max(ends[3 * side], ends[3 * side + 1], ends[3 * side + 2], self.now)
            theirs = max(ends[3 - 3 * side], ends[4 - 3 * side], ends[5 - 3 * side], self.now)
            if mine != theirs:
                return WIN if mine > theirs else -WIN
        return super().final_value(own_left, other_left, side)


def time_after_turning(durations: list[int], glass: i64, up: i64, left: i64) -> i64:
    """How long a glass runs that is turned over when it would have run for `left` more (rule 12)."""
    whole: i64 = durations[2 * glass + up]
    other: i64 = durations[2 * glass + 1 - up]
    return other * (whole - max(0, left)) // whole
