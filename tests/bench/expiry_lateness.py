"""How late the daemon says that time is over: glasses that stop and turns that are lost, against the exact instant.

The daemon's own service in real time at level 3, journal on disk. A ruling of time waits for the settling time, so that
edges stamped before it come first, and for the disk; its stamp is exact all the same, and that is checked, too. So that
a thousand glasses run out in a minute, their sand is set by hand (the arbiter's correction) to a fraction of a second;
hands turn the 15-second glass, which is shortened in the same way, and nobody moves until the turn is lost.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import BOARD, START
from gnomon.referee.debounce import SETTLING
from gnomon.referee.events import SandSet
from gnomon.referee.rulings import Corrected, GlassStopped, Ruling, TimerTurned, TurnLost
from gnomon.referee.setup import GameSetup
from gnomon.timekeeping.instants import MILLISECOND, Duration, Instant
from gnomon_pi.runtime.service import Orders
from gnomon_pi.simulated._table import TableAct, Verb
from gnomon_pi.simulated.players.player_timing import RandomSpan
from tests.bench._figures import Spread, parser, progress, say, say_machine
from tests.bench._live_daemon import Live, journal_disk, live, thinking

SETTINGS: Final[Mapping[str, object]] = {"level": 3, "stall": 0}  # turns that are lost one after the other are no stall
SPACES: Final = tuple(BOARD.names[space] for space in START)
TIMER: Final = "timer15"
LEFT: Final = RandomSpan(20 * MILLISECOND, 150 * MILLISECOND)
STOPS: Final = 1_000
LOSSES: Final = 120
TURNING: Final = 0.15  # seconds for which the 15-second glass is off its stand
PATIENCE: Final = 10.0  # seconds after which something is wrong
MARGIN_US: Final = 20 * MILLISECOND  # beyond the settling time


@dataclass
class Expiries:
    """What the daemon said of time that had run out."""

    table: Live
    random: Random
    late: dict[str, list[int]] = field(default_factory=lambda: {"stopped": [], "lost": []})  # µs
    misstamped: list[int] = field(default_factory=list)  # µs
    _due: dict[str, Instant] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _timer_runs: bool = False

    async def stop_glasses(self) -> None:
        """Let every glass run out once, each at its own instant."""
        for space in SPACES:
            await self._shorten(space)
        await self._wait_until(lambda: not self._due)

    async def lose_turn(self) -> None:
        """Turn the 15-second glass, and let the turn be lost."""
        self._timer_runs = False
        self.table.playground.act(TableAct(Verb.LIFT_TIMER15))
        await asyncio.sleep(TURNING)
        self.table.playground.act(TableAct(Verb.PUT_TIMER15, turned=True))
        await self._wait_until(lambda: self._timer_runs)
        await self._shorten(TIMER)
        await self._wait_until(lambda: not self._due)

    def hear(self, ruling: Ruling) -> None:
        """Take in a ruling at the moment at which it is shown."""
        live_game = self.table.service.runner.live_game
        assert live_game is not None
        late = live_game.board_time(self.table.watch.now()) - ruling.at
        match ruling:
            case TimerTurned():
                self._timer_runs = True
            case GlassStopped(space=space):
                self._note("stopped", late, ruling.at - self._due.pop(space))
            case TurnLost():
                self._note("lost", late, ruling.at - self._due.pop(TIMER))
            case _:
                return
        self._news.set()

    def _note(self, kind: str, late: int, misstamped: int) -> None:
        self.late[kind].append(late)
        self.misstamped.append(abs(misstamped))

    async def _shorten(self, glass: str) -> None:
        left = LEFT.draw(self.random)
        rulings = await self.table.service.controller.correct(SandSet(Instant(0), glass, Duration(left), "the bench"))
        self._due[glass] = next(Instant(each.at + left) for each in rulings if isinstance(each, Corrected))

    async def _wait_until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                self._news.clear()
                await self._news.wait()


async def measure(losses: int, stops: int, seed: int, engines: int = 0) -> Expiries:
    """Let so many turns be lost and so many glasses stop."""
    async with thinking(engines), live(Orders(GameSetup(settings=SETTINGS))) as table:
        expiries = Expiries(table, Random(seed))
        table.service.runner.on_ruling(expiries.hear)
        for kind, wanted, expire in (
            ("lost", losses, expiries.lose_turn),
            ("stopped", stops, expiries.stop_glasses),
        ):
            await _repeat(kind, wanted, expire, expiries)
        progress("")
        return expiries


async def _repeat(kind: str, wanted: int, expire: Callable[[], Awaitable[None]], expiries: Expiries) -> None:
    while len(expiries.late[kind]) < wanted:
        await expire()
        progress(f"{kind}: {len(expiries.late[kind])} of {wanted}")


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--stops", type=int, default=STOPS, help="glasses that stop")
    options.add_argument("--losses", type=int, default=LOSSES, help="turns that are lost")
    options.add_argument("--engines", type=int, default=0, help="engines that think meanwhile")
    given = options.parse_args()
    say_machine()
    say("journal on", journal_disk())
    say("engines that think meanwhile", given.engines)
    losses, stops = (2, 6) if given.quick else (given.losses, given.stops)
    expiries = asyncio.run(measure(losses, stops, given.seed, given.engines))
    every = [late for kind in expiries.late.values() for late in kind]
    say("shown after the instant: stopped glass", Spread.of(expiries.late["stopped"]))
    say("shown after the instant: lost turn", Spread.of(expiries.late["lost"]))
    say("shown after the instant: all", Spread.of(every))
    limit = SETTLING + MARGIN_US
    say(f"beyond {limit // MILLISECOND} ms", f"{sum(late > limit for late in every)} of {len(every)}")
    say("stamps wrong by at most", f"{max(expiries.misstamped)} µs")


if __name__ == "__main__":
    main()
