"""How long the referee takes for what it is told, in the process and alone: raw edges and deadlines in, rulings out.

Games by simulated hands at human speed, with bounce and glitches; each `step` is timed by itself, in processor time of
its thread, which other programs on the machine do not lengthen. A step decides when a ruling comes out of it: that is
the edge, or the deadline after it, from which the table waits for an answer.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from gnomon.games.tamsk.rules import Tamsk
from gnomon.games.tamsk.sensing.board import new_game
from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.referee.effects import Announce
from gnomon.referee.events import DeadlineReached, Event
from gnomon.referee.step import step
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon_pi.cli._assembly import spare_what_is_loaded
from gnomon_pi.simulated.players.game_script import random_score
from gnomon_pi.simulated.players.hands import edges, play
from tests.bench._figures import Spread, parser, say, say_machine

LEVELS: Final = (1, 2, 3)
GAMES: Final = 20
WATCHED_ON: Final = 200 * SECOND  # after the last touch: then no sand runs any more


@dataclass
class Timed:
    """A referee whose every step is timed."""

    game: TamskGame
    steps: list[float] = field(default_factory=list)  # µs
    deciding: list[float] = field(default_factory=list)
    waking: list[float] = field(default_factory=list)  # to ask when to be told of the next deadline

    def tell(self, event: Event) -> None:
        """Hand over an event."""
        begun = time.thread_time_ns()
        self.game, effects = step(self.game, event)
        taken = (time.thread_time_ns() - begun) / 1000
        self.steps.append(taken)
        if any(isinstance(effect, Announce) for effect in effects):
            self.deciding.append(taken)

    def deadline(self) -> Instant | None:
        """When to wake the referee next."""
        begun = time.thread_time_ns()
        due = self.game.deadline()
        self.waking.append((time.thread_time_ns() - begun) / 1000)
        return due


def referee(level: int, seed: int) -> Timed:
    """A whole game, from the first edge to the last grain."""
    rules, random = Tamsk.from_settings({"level": level}), Random(seed)
    timed = Timed(new_game(rules))
    happenings = tuple(edges(play(random_score(rules, random), random, level=level)))
    for edge in happenings:
        for deadline in _due(timed, Instant(edge.at - 1)):
            timed.tell(DeadlineReached(deadline))
        timed.tell(edge)
    for deadline in _due(timed, Instant(happenings[-1].at + WATCHED_ON)):
        timed.tell(DeadlineReached(deadline))
    return timed


def _due(timed: Timed, until: Instant) -> Iterator[Instant]:
    while (deadline := timed.deadline()) is not None and deadline <= until:
        yield deadline


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--games", type=int, default=GAMES, help="at each level")
    given = options.parse_args()
    say_machine()
    for level in LEVELS:
        referee(level, given.seed)  # once for the caches of the interpreter
        spare_what_is_loaded()
        games = [referee(level, given.seed + number) for number in range(1 if given.quick else given.games)]
        say(f"level {level}: step with a ruling", Spread.of([each for game in games for each in game.deciding]))
        say(f"level {level}: every step", Spread.of([each for game in games for each in game.steps]))
        say(f"level {level}: asking for the next deadline", Spread.of([each for game in games for each in game.waking]))


if __name__ == "__main__":
    main()
