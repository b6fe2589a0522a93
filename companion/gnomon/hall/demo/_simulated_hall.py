"""Simulate a whole hall: virtual players on virtual boards, and a tournament that is paired and played.

Some boards play casual games; the first ones play a tournament that the hall pairs and whose results it collects, as
it would with real ones.
"""

import threading
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from gnomon.hall.demo._board import Casual, DemoBoard, DemoWorld
from gnomon.hall.hall import Hall, HallError
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.rounds.board_assignment import BoardAssignment, PlanError
from gnomon.hall.rounds.clocks import RoundClock
from gnomon.hall.rounds.event_log import BookError
from gnomon.hall.store.database import StoreError
from gnomon.rules.registry import games, kind_of
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import EntrantRegistered
from gnomon.tournament.pairing.berger import round_robin
from gnomon.tournament.state.settings import System, TournamentSettings

STEP: Final = 0.1
"""Seconds between two looks at all boards."""
TABLES: Final = 12
"""Boards of the tournament at most."""
WHO: Final = "demonstration"
_LOOK: Final = Duration(2 * SECOND)
_BREAK: Final = Duration(20 * SECOND)
_ROUND: Final = Duration(20 * 60 * SECOND)
_JOIN: Final = 2.0
_NAMES: Final = (
    *("Ada", "Ben", "Chiara", "David", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jana", "Kofi", "Lena", "Mateo"),
    *("Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Sven", "Tamar", "Uma", "Viktor", "Wanda", "Xenia", "Yusuf"),
    *("Zoë", "Anaïs", "Björn", "Cécile", "Dmitri", "Emre", "Fiona", "Goran", "Hugo", "Ingrid", "João", "Katja"),
)
_FAMILIES: Final = (
    *("Adler", "Brandt", "Costa", "Duval", "Eriksen", "Fischer", "García", "Haas", "Ito", "Jansen", "Keller"),
    *("Lambert", "Moreau", "Novák", "Okafor", "Petit", "Quinn", "Rossi", "Schäfer", "Tanaka", "Ueda", "Vogel", "Weiss"),
)


class DemoHall:
    """So many boards at a bus, in a thread of their own from `start` to `close`."""

    def __init__(self, count: int, bus: Bus, hall: Hall, world: DemoWorld) -> None:
        """`count` boards, d1 and so on."""
        self._world = world
        self._hall = hall
        tables = min(TABLES, count // 2 if count > 1 else 0)
        self.boards: Final = tuple(
            DemoBoard(f"d{number}", bus, world, None if number <= tables else _casual(world.chance))
            for number in range(1, count + 1)
        )
        self._director = _Director(hall, [board.name for board in self.boards[:tables]], world)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=WHO, daemon=True)

    def start(self) -> None:
        """Let everybody come."""
        for board in self.boards:
            board.join()
        self._thread.start()

    def step(self) -> None:
        """Let everybody do what is due."""
        for board in self.boards:
            board.run()
        self._director.look(self._world.now())

    def close(self) -> None:
        """Let everybody go."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(_JOIN)
        for board in self.boards:
            board.leave()

    def _run(self) -> None:
        while not self._stop.wait(STEP):
            self.step()


class _Director:
    """Pairs round after round, and sends each to its boards."""

    def __init__(self, hall: Hall, boards: Sequence[str], world: DemoWorld) -> None:
        self._hall = hall
        self._boards = boards
        self._world = world
        self._name = ""
        self._next_look = Instant(0)
        self._break_until: Instant | None = None

    def look(self, now: Instant) -> None:
        """Do what is to be done for the tournament; what fails is tried again."""
        if not self._boards or now < self._next_look:
            return
        self._next_look = after(now, _LOOK)
        try:
            self._direct(now)
        except (StoreError, BookError, TournamentError, HallError, PlanError):
            return  # the hall's health says so, and the next look tries again

    def _direct(self, now: Instant) -> None:
        hall = self._hall
        if not self._name:
            self._name = self._open_tournament()
        tournament = hall.book(self._name).tournament()
        if not tournament.waiting and len(tournament.rounds) < tournament.settings.rounds:
            pause = Duration(round(_BREAK / self._world.pace)) if tournament.rounds else Duration(0)
            self._break_until = self._break_until or after(now, pause)
            if now < self._break_until:
                return
            self._break_until = None
            # Every club has what a round robin needs; a Swiss needs a library of the extra `hall`.
            hall.publish(self._name, round_robin(tournament), WHO, after=len(hall.book(self._name).read()))
            hall.clocks.put(self._name, RoundClock(_ROUND).start(hall.now()))
        hall.send_round(self._name, WHO)

    def _open_tournament(self) -> str:
        hall, chance = self._hall, self._world.chance
        taken = {kept.id for kept in hall.tournaments()}
        name = next(name for number in range(1, 10_000) if (name := f"demo-{number}") not in taken)
        game, settings = next(played for played in _choices() if not kind_of(played[0]).hands)
        plan = BoardAssignment(game, settings, boards=dict(enumerate(self._boards, start=1)))
        names = _people(chance, 2 * len(self._boards))
        announced = TournamentSettings(
            "Demonstration", System.ROUND_ROBIN, len(names) - 1, tie_breaks=("DE", "SB", "WIN")
        )
        hall.open_tournament(name, announced, WHO, plan)
        entrants = [EntrantRegistered(number, person) for number, person in enumerate(names, start=1)]
        hall.book(name).extend(entrants, WHO, after=1)
        return name


def _choices() -> Sequence[tuple[str, Mapping[str, object]]]:
    """What is played, each with its settings."""
    return [(game, settings) for game in games() for settings in kind_of(game).demonstrated]


def _casual(chance: Random) -> Casual:
    game, settings = chance.choice(_choices())
    return Casual(game, settings, _people(chance, 2))


def _people(chance: Random, count: int) -> list[str]:
    pairs = chance.sample(range(len(_NAMES) * len(_FAMILIES)), min(count, len(_NAMES) * len(_FAMILIES)))
    return [f"{_NAMES[pair % len(_NAMES)]} {_FAMILIES[pair // len(_NAMES)]}" for pair in pairs]


__all__ = ["DemoHall", "DemoWorld"]
