"""TAMSK once more, as slowly and plainly as the rules are written: what the fast rules are compared with.

Spaces are names, rings a dictionary, glasses objects, times plain integers of microseconds. Nothing here is imported
from the rules under test. Numbers in comments are the rules'.
"""

from __future__ import annotations

COLUMNS = "ABCDEFG"
HEIGHTS = (4, 5, 6, 7, 6, 5, 4)
SPACES = [f"{letter}{row}" for letter, height in zip(COLUMNS, HEIGHTS, strict=True) for row in range(1, height + 1)]
THREE_MINUTES = 180_000_000
FIFTEEN_SECONDS = 15_000_000


def touching(space: str) -> list[str]:
    """The neighbours of a space, as the rules list them: in its column, to the right, to the left."""
    c, r = COLUMNS.index(space[0]), int(space[1:])
    right = [(c + 1, r), (c + 1, r + 1)] if c < 3 else [(c + 1, r - 1), (c + 1, r)]
    left = [(c - 1, r - 1), (c - 1, r)] if c <= 3 else [(c - 1, r), (c - 1, r + 1)]
    places = [(c, r - 1), (c, r + 1), *right, *left]
    return [f"{COLUMNS[x]}{y}" for x, y in places if 0 <= x < 7 and 1 <= y <= HEIGHTS[x]]


def tubes() -> dict[str, int]:
    """How many rings each space holds: peel the board from outside."""
    size: dict[str, int] = {}
    left = set(SPACES)
    for rings in (1, 2, 3, 4):
        edge = {space for space in left if len([other for other in touching(space) if other in left]) < 6}
        for space in edge:
            size[space] = rings
        left -= edge
    return size


NEIGHBOURS = {space: touching(space) for space in SPACES}
SIZE = tubes()


class Glass:
    """A glass that holds `full` µs of sand either way."""

    def __init__(self, player: str, space: str, full: int) -> None:
        self.player, self.space, self.full = player, space, full
        self.upper, self.turned_at = 0, 0
        self.moved = False

    def sand(self, now: int) -> int:
        """What is left in the upper bulb."""
        return max(0, self.upper - (now - self.turned_at))

    def turn(self, now: int) -> None:
        """Turn the glass over."""
        self.upper, self.turned_at = self.full - self.sand(now), now


class OracleGame:
    """A game in progress."""

    def __init__(self, level: int, ring: str, late: str, stall: int) -> None:
        self.level, self.auto, self.late, self.stall = level, ring == "auto", late, stall
        corners = [("red", space) for space in ("D1", "A4", "G4")] + [("black", space) for space in ("A1", "G1", "D7")]
        self.glasses = [Glass(player, space, THREE_MINUTES) for player, space in corners]
        self.timer = Glass("nobody", "stand", FIFTEEN_SECONDS)
        self.rings = dict.fromkeys(SPACES, 0)
        self.holder = {"red": 32, "black": 32}
        self.player, self.now = "red", 0
        self.forgotten: str | None = None
        self.second_ring = False
        self.sitting_out: set[str] = set()
        self.quiet = 0
        self.timer_ran_out_at: int | None = None  # for this turn: then, or in the future
        self.in_hand: Glass | None = None
        self.over: tuple[str | None, str] | None = None

    # Who may do what

    def other(self) -> str:
        return "black" if self.player == "red" else "red"

    def full(self, space: str) -> bool:
        return self.rings[space] >= SIZE[space]

    def glass_at(self, space: str) -> Glass | None:
        return next((glass for glass in self.glasses if glass.space == space), None)

    def ways(self, glass: Glass) -> list[str]:
        return [to for to in NEIGHBOURS[glass.space] if not self.full(to) and self.glass_at(to) is None]

    def may_be_lifted(self, glass: Glass, now: int) -> bool:
        if self.level == 1:
            return True
        own = [other for other in self.glasses if other.player == glass.player]
        if not all(other.moved for other in own):
            return not glass.moved  # 11
        return glass.sand(now) > 0  # 12

    def movable(self, player: str, now: int) -> list[Glass]:
        if self.holder[player] == 0:
            return []  # 8
        return [
            glass
            for glass in self.glasses
            if glass.player == player and self.ways(glass) and self.may_be_lifted(glass, now)
        ]

    def has_lost_turn(self) -> bool:
        if self.player in self.sitting_out:
            return True  # 21
        end = self.timer_ran_out_at
        # 19; a player who had no move when the timer ran out had passed by then.
        return end is not None and end < self.now and self.in_hand is None and bool(self.movable(self.player, end))

    def turns(self) -> set[str]:
        """The texts of all legal moves."""
        if self.over:
            return set()
        if self.has_lost_turn():
            return {"lost"}
        glasses = [self.in_hand] if self.in_hand else self.movable(self.player, self.now)
        if not glasses:
            free = self.second_ring and self.holder[self.player] > 0
            return {"pass"} | {f"+{space}" for space in SPACES if free and not self.full(space)}
        texts = {
            text
            for glass in glasses
            for to in self.ways(glass)
            for before in {None, None if self.auto else self.forgotten}
            for ring in ((True,) if self.auto else (True, False))
            for text in self.finished(glass.space, to, before, ring)
        }
        if self.level == 3 and not self.in_hand:
            texts |= {f"lift:{glass.space}" for glass in glasses}
            if self.timer.sand(self.now) == 0:
                texts.add("flip15")  # 16
        return texts

    def finished(self, start: str, to: str, before: str | None, ring: bool) -> set[str]:
        """The texts of one way to move, without and with a second ring (18)."""
        rings, left = dict(self.rings), self.holder[self.player]
        for space in ([before] if before else []) + ([to] if ring else []):
            rings[space] += 1
            left -= 1
        if left < 0:
            return set()
        mark = ("x" if rings[to] == SIZE[to] else "") if ring else "="
        text = (f"+{before}," if before else "") + f"{start}-{to}{mark}"
        texts = {text}
        if self.second_ring and left > 0:
            texts |= {f"{text},+{space}" for space in SPACES if rings[space] < SIZE[space] and (ring or space != to)}
        return texts

    # What happens

    def wait_until(self, then: int) -> None:
        """Let time pass, glass by glass."""
        if self.level == 1 or then <= self.now:
            return
        ends = sorted(glass.turned_at + glass.upper for glass in self.glasses)
        for end in ends:
            if self.now < end <= then and not self.over:
                self.now = end
                self.look_for_the_end()
        self.now = then

    def play(self, text: str) -> None:
        """Make a legal move."""
        if text.startswith("lift:"):
            self.in_hand = self.glass_at(text[5:])
            return
        if text == "flip15":
            self.timer.turn(self.now)
            if self.timer_ran_out_at is None:
                self.timer_ran_out_at = self.now + FIFTEEN_SECONDS
            return
        late = False
        dropped = 0
        unused = None
        if text == "lost":
            self.sitting_out.discard(self.player)
        elif text == "pass":
            pass
        elif "-" not in text:
            dropped = self.drop(text[1:])
        else:
            parts = text.split(",")
            move = next(part for part in parts if "-" in part)
            start, to = move.rstrip("x=").split("-")
            glass = self.glass_at(start)
            assert glass is not None
            glass.space = to
            if self.level > 1:
                glass.turn(self.now)  # 10
                glass.moved = True
            dropped = sum(self.drop(part[1:]) for part in parts if part.startswith("+"))
            if move.endswith("="):
                unused = to  # 3
            else:
                dropped += self.drop(to)
            late = self.timer_ran_out_at is not None and self.timer_ran_out_at < self.now  # 18
        if late and self.late == "skip_turn":
            self.sitting_out.add(self.player)  # 21
        self.second_ring = late and self.late == "two_rings"
        self.forgotten = unused
        self.quiet = 0 if dropped else self.quiet + 1
        self.timer_ran_out_at = None  # 20
        self.in_hand = None
        self.player = self.other()
        self.look_for_the_end()

    def drop(self, space: str) -> int:
        self.rings[space] += 1
        self.holder[self.player] -= 1
        assert self.rings[space] <= SIZE[space]
        return 1

    def look_for_the_end(self) -> None:
        if self.in_hand:
            return
        if self.stall and not self.auto and self.quiet >= self.stall:
            self.over = (self.winner(), "stall")  # 9
            return
        if self.movable("red", self.now) or self.movable("black", self.now):
            return
        if self.second_ring and self.holder[self.player] and not all(map(self.full, SPACES)):
            return  # 18: a ring is still due
        winner = self.winner()
        if self.holder["red"] != self.holder["black"]:
            self.over = (winner, "fewest_rings")  # 7
        else:
            self.over = (winner, "last_running_glass" if winner else "draw")

    def winner(self) -> str | None:
        red, black = self.holder["red"], self.holder["black"]
        if red != black:
            return "red" if red < black else "black"
        if self.level == 1:
            return None  # 7
        lasting = {
            player: max(glass.sand(self.now) for glass in self.glasses if glass.player == player)
            for player in ("red", "black")
        }
        if lasting["red"] == lasting["black"]:
            return None
        return max(lasting, key=lambda player: lasting[player])  # 15

    def next_changes(self) -> list[int]:
        """Instants at which something may change, for a test that wants to be there."""
        ends = [glass.turned_at + glass.upper for glass in [*self.glasses, self.timer]]
        return [end for end in ends if end > self.now]
