"""Try single faults of a board at every instant of a game, and keep the cheapest that misleads the referee.

A case is one fault in one game: an input that is stuck, that pulses, chatters, comes early or late; a register that
reads zeros, ones or chance; a glass that rolls; a daemon that is killed and comes back. Instants are taken from the
gaps between the true edges, each gap at several places, so that every order of fault and touches comes about. The
cases of a game are drawn from all of them without end and without order, half of the inputs from the spaces that are
touched just then.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from random import Random
from typing import Final, NamedTuple, Protocol

from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant
from gnomon_pi.simulated._chance import pick
from tests.faults.faults import Fault, Lie, killed, pulse, register_lies, stuck, toggling
from tests.faults.judging import Class, Judged, judge
from tests.faults.known_games import SCAN, Board, KnownGame
from tests.faults.lasting_faults import draw_lasting
from tests.faults.tamsk_games import TAMSK
from tests.faults.tayu_games import TAYU

WIDTHS: Final = tuple(Duration(ms * MILLISECOND) for ms in (5, 12, 25, 45, 60, 100, 180, 260, 400, 700, 1500, 4000))
SHIFTS: Final = tuple(Duration(ms * MILLISECOND) for ms in (15, 40, 90, 180, 300, 600, 1200, 2500))
_OUTAGES: Final = tuple(Duration(ms * MILLISECOND) for ms in (800, 1500, 3000, 8000))
"""From a kill to the first scan of the daemon that was started again."""

CALM: Final = Duration(21 * MILLISECOND)
"""A button that is closed for so long has been pressed, whatever closed it."""


class Explored(Board, Protocol):
    """What there is to try on a board, besides what every input may do."""

    def game(self, seed: int, number: int, most: int) -> KnownGame:
        """A game; with `most` only the beginning of one, of so many turns."""
        ...

    def idle_inputs(self) -> Sequence[str]:
        """The inputs beside the spaces."""
        ...

    def inputs_near(self, game: KnownGame, at: Instant, random: Random) -> Sequence[str]:
        """Inputs of a space that is touched about then or lies beside such a space; none: nothing is touched."""
        ...

    def by_hand(self, game: KnownGame, random: Random) -> Fault | None:
        """What hands do wrong with pieces and put right, or None where there is no room for it."""
        ...

    def keeps_order(self, game: KnownGame, lie: Lie, until: Instant, shift: str) -> bool:
        """Whether one edge of an input that comes `late` or `early` is in an order that hands can make."""
        ...

    def could_be_hands(self, game: KnownGame, fault: Fault, judged: Judged) -> bool:
        """Whether a fault that is peculiar to this board reads like play."""
        ...


GAMES: Final[Mapping[str, Explored]] = {each.name: each for each in (TAMSK, TAYU)}
"""The games of which faults are explored, by name."""


class Case(NamedTuple):
    """A fault, what became of it, and what it costs: how many edges it adds, and for how long (µs)."""

    number: int  # of the game
    fault: Fault
    judged: Judged

    @property
    def cost(self) -> tuple[int, int, int]:
        """The cheaper of two faults is the one with fewer inputs, fewer edges, and the shorter one."""
        edges = sum(len(lie.edges) for lie in self.fault.lies)
        length = min(self.fault.last, Instant(self.fault.first + 60 * SECOND)) - self.fault.first
        return len(self.fault.inputs), edges, length


@dataclass
class Findings:
    """What many cases came to."""

    total: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)  # by fault and what was wrong
    cheapest: dict[tuple[str, str], Case] = field(default_factory=dict)
    innocent: int = 0
    distrusted: int = 0

    def add(self, case: Case) -> None:
        """Count a case, and keep it if none was cheaper."""
        judged = case.judged
        self.total[judged.what.value] += 1
        self.innocent += bool(judged.innocent)
        self.distrusted += bool(judged.distrusted)
        if judged.what is Class.WRONG:
            self._keep((case.fault.name, judged.kind), case)
            self.wrong[case.fault.name, judged.kind] += 1

    def join(self, other: "Findings") -> None:
        """Add what another process found."""
        self.total += other.total
        self.wrong += other.wrong
        self.innocent += other.innocent
        self.distrusted += other.distrusted
        for key, case in other.cheapest.items():
            self._keep(key, case)

    @property
    def cases(self) -> int:
        """How many faults were tried."""
        return self.total.total()

    def _keep(self, key: tuple[str, str], case: Case) -> None:
        if key not in self.cheapest or case.cost < self.cheapest[key].cost:
            self.cheapest[key] = case


class Search(NamedTuple):
    """How a game is explored: by its name and a seed, so many cases, and so many of the kinds that last."""

    name: str
    seed: int
    cases: int
    most: int = 0  # turns; 0: whole games
    lasting: int = 0

    def findings(self, number: int) -> "Findings":
        """What is found in the game of that number."""
        found = explore(self.name, self.seed, number, self.cases, self.most)
        game, random, more = (
            game_of(self.name, self.seed, number, self.most),
            Random(f"lasting {self.seed} {number}"),
            0,
        )
        while game.is_right and more < self.lasting:
            fault = draw_lasting(game, random)
            if fault is not None:
                more += 1
                found.add(case_of(game, number, fault))
        return found


def explore(name: str, seed: int, number: int, cases: int, most: int = 0) -> Findings:
    """Try so many single faults in a game; none in one that is misjudged without any."""
    game, random, found = game_of(name, seed, number, most), Random(f"explore {seed} {number}"), Findings()
    while game.is_right and found.cases < cases:
        fault = draw(game, random)
        if fault is not None:
            found.add(case_of(game, number, fault))
    return found


def case_of(game: KnownGame, number: int, fault: Fault) -> Case:
    """What becomes of a fault in the game of that number."""
    return Case(number, fault, ruled(game, fault)._replace(told=()))


def ruled(game: KnownGame, fault: Fault, *, thorough: bool = False) -> Judged:
    """What becomes of a fault, what no referee can tell from play set apart; a `thorough` run takes no short cut."""
    judged = judge(game, fault, thorough=thorough)
    if judged.what is Class.WRONG and is_play(game, fault, judged):
        return judged._replace(what=Class.OPEN)
    return judged


@lru_cache(maxsize=16)
def game_of(name: str, seed: int, number: int, most: int = 0) -> KnownGame:
    """A game by the name of its rules, a seed and its number; with `most` only its first turns."""
    return GAMES[name].game(seed, number, most)


# What no referee can tell from play


def is_play(game: KnownGame, fault: Fault, judged: Judged) -> bool:
    """Whether hands could have made the very same edges, so that the ruling is the one that they would earn.

    A button closed for longer than a bounce is a press. One edge of one input that comes early or late is a touch
    made early or late, as long as a glass is still lifted before it is set down: a ring that its sensor shows when
    the turn is over belongs to the opponent, and a lift that it shows after the sand has run out is late. A press
    that begins and ends while the daemon is away leaves nothing behind. Where such a touch ends the game, it is ended.
    What else only the board knows, it says.
    """
    if judged.kind != "over" and _explored(game).could_be_hands(game, fault, judged):
        return True
    if fault.inputs <= set(game.board.host.buttons):
        return any(lie.end - lie.start >= CALM for lie in fault.lies)
    if fault.name == "kill":
        return any(_is_pressed_within(game, lie) for lie in fault.lies if lie.input in game.board.host.buttons)
    lies = [lie for lie in fault.lies if _shows_otherwise(game, lie)]
    shift = _shift(game, lies[0]) if len(lies) == 1 else None
    return shift is not None and _explored(game).keeps_order(game, lies[0], judged.at, shift)


def _shows_otherwise(game: KnownGame, lie: Lie) -> bool:
    """Whether an input ever reads otherwise than it truly does: a register that reads zeros is right about most."""
    true = game.level_of(lie.input, lie.start)
    return bool(game.changes_of(lie.input, lie.start, lie.end)) or any(value != true for _, value in lie.edges)


def _shift(game: KnownGame, lie: Lie) -> str | None:
    """Whether the input changes as it truly does and only `late`, or `early`; None where it does something else."""
    # One that begins in the bounce of the change hides it.
    before, after = game.level_of(lie.input, Instant(lie.start - CALM)), game.level_of(lie.input, lie.end)
    if before == after or len(lie.edges) > 1:
        return None
    shown = lie.edges[0][1] if lie.edges else before
    return "late" if shown == before else "early"


def _is_pressed_within(game: KnownGame, lie: Lie) -> bool:
    """Whether a button went down while nobody looked, and was let go by the time that a press takes to be one."""
    pressed = any(game.level_of(lie.input, at) for at in game.changes_of(lie.input, lie.start, lie.end))
    return pressed and not game.level_of(lie.input, Instant(lie.end + CALM))


def _explored(game: KnownGame) -> Explored:
    return GAMES[game.board.name]


# Drawing a fault


def draw(game: KnownGame, random: Random) -> Fault | None:
    """One single fault, or None where there is no room for it."""
    kind = random.choices(list(KINDS), weights=[weight for _, weight in KINDS.values()])[0]
    return KINDS[kind][0](game, random)


def _pulses(game: KnownGame, random: Random) -> Fault:
    at = _instant(game, random)
    name = _input(game, at, random)
    return Fault("pulse", (pulse(name, at, pick(random, WIDTHS), value=not game.level_of(name, at)),))


def _sticks(game: KnownGame, random: Random) -> Fault:
    at = _instant(game, random)
    return Fault("stuck", (stuck(_input(game, at, random), at, value=random.random() < 0.5),))


def _chatters(game: KnownGame, random: Random) -> Fault:
    at = _instant(game, random)
    name = _input(game, at, random)
    period = pick(random, [6, 10, 24, 50, 120])
    gaps = [int(period * MILLISECOND * random.uniform(0.8, 1.2)) for _ in range(2 * random.randint(2, 40))]
    return Fault("chatter", (toggling(name, at, gaps, value=not game.level_of(name, at)),))


def _late(game: KnownGame, random: Random) -> Fault:
    edge = pick(random, game.touches())
    end = Instant(edge.at + pick(random, SHIFTS))
    return Fault("late", (Lie(edge.input, edge.at, end, ((edge.at, not edge.value),)),))


def _early(game: KnownGame, random: Random) -> Fault:
    edge = pick(random, game.touches())
    start = Instant(max(0, edge.at - pick(random, SHIFTS)))
    # It holds through the bounce of the touch itself.
    return Fault("early", (Lie(edge.input, start, Instant(edge.at + 30 * MILLISECOND), ((start, edge.value),)),))


def _register(game: KnownGame, random: Random) -> Fault:
    at = _instant(game, random)
    inputs = sorted(pick(random, game.board.host.registers))
    scans = pick(random, [1, 2, 5, 10, 30, 100])
    if random.random() < 0.5:
        return Fault("register reads chance", register_lies(inputs, at, scans, random))
    level = random.random() < 0.5
    width = Duration(scans * SCAN)
    lies = tuple(pulse(name, at, width, value=level) for name in inputs)
    return Fault("register reads ones" if level else "register reads zeros", lies)


def _by_hand(game: KnownGame, random: Random) -> Fault | None:
    return _explored(game).by_hand(game, random)


def _is_killed(game: KnownGame, random: Random) -> Fault | None:
    """The daemon is killed and comes back."""
    start = _instant(game, random)
    return killed(game, start, pick(random, _OUTAGES))


KINDS: Final[Mapping[str, tuple[Callable[[KnownGame, Random], Fault | None], float]]] = {
    "pulse": (_pulses, 0.40),
    "stuck": (_sticks, 0.14),
    "chatter": (_chatters, 0.08),
    "late": (_late, 0.14),
    "early": (_early, 0.14),
    "register": (_register, 0.03),
    "by hand": (_by_hand, 0.03),
    "kill": (_is_killed, 0.04),
}
"""The faults by kind, and how often each is drawn."""


def _instant(game: KnownGame, random: Random) -> Instant:
    """An instant between two edges: just after the one, just before the other, or anywhere."""
    number = random.randrange(len(game.edges))
    since = game.edges[number].at
    until = game.edges[number + 1].at if number + 1 < len(game.edges) else Instant(since + 5 * SECOND)
    place = random.random()
    if place < 0.4:
        return Instant(min(until, since + pick(random, WIDTHS)))
    if place < 0.8:
        return Instant(max(since, until - pick(random, WIDTHS)))
    return Instant(random.randint(since, until))


def _input(game: KnownGame, at: Instant, random: Random) -> str:
    """Any input, in half of the cases one of a space that is touched about then or lies beside such a space."""
    explored = _explored(game)
    chance = random.random()
    if chance < 0.1:
        return pick(random, explored.idle_inputs())
    near = explored.inputs_near(game, at, random) if chance >= 0.5 else ()
    return pick(random, near or _sensors(game.board.name))


@cache
def _sensors(name: str) -> Sequence[str]:
    """The inputs of the spaces of a board."""
    return sorted(GAMES[name].host.sampled)
