"""Run the boards of the drill in a process: whole daemons on simulated tables, in a real hall.

What they play and correct is chance; they play on whatever happens to the hall, and say on standard output, a line of
JSON each, how far their journals are written and how far the hall says that it has them.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Lock, Thread
from typing import Final

from gnomon.games.tamsk.sensing.game import TamskGame
from gnomon.hall.messaging.bus import Bus, Will
from gnomon.hall.messaging.enrolment import NONE, Enrolment
from gnomon.hall.messaging.mqtt_bus import MqttBus, Patience
from gnomon.hall.rounds.results import ABANDONED
from gnomon.records.journal.writer import Journal
from gnomon.referee.events import (
    Correction,
    CorrectionUndone,
    NoteTaken,
    Paused,
    ResultDeclared,
    Resumed,
    TurnsVoided,
)
from gnomon.referee.game import Game
from gnomon.referee.judgement import Temperament
from gnomon.referee.rulings import GameOver
from gnomon.referee.setup import GameSetup
from gnomon.referee.table import NEXT, PREVIOUS
from gnomon.timekeeping.instants import SECOND, Duration, Instant
from gnomon_pi import config
from gnomon_pi.hall_link._assembly import LinkOptions, join_hall
from gnomon_pi.hall_link._confirmation import CALM, confirmed_players
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.live_game import LiveGame
from gnomon_pi.runtime.scanner import InputEdge
from gnomon_pi.runtime.service import Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch
from gnomon_pi.runtime.system.randomness import SeededChance
from gnomon_pi.simulated.board import SimulatedBoard
from tests.hall.drill_bus import TRACE, WatchedBus
from tests.hall.servers import HOST

HASTE: Final = Patience(keepalive=3, first=0.05, longest=0.3, looks=0.25, connecting=2)
"""How long a connection of the drill waits before it is tried again; a hall's waits up to 30 s."""
FAREWELL: Final = 2.0  # seconds
FRIENDLY: Final[Mapping[str, Mapping[str, object]]] = {"tabik": {"size": 4}, "twenty-squares": {}, "tau": {"limit": 20}}
"""What is played beside the tournament."""

# Buttons alone: a display of each of fifty boards would be drawn ten times a second, and nobody looks.
_TABLE: Final = """
board = "table"
pins = "lgpio"
[buttons]
"button.next" = 5
"button.previous" = 6
"button.enter" = 13
"button.back" = 19
"button.arbiter" = 26
"""
_WHO: Final = "drill"
_UNFINISHED: Final = 0.3  # friendly games of which a round finds the board occupied
_said = Lock()


def say(**what: object) -> None:
    """Tell the drill something; any thread may."""
    with _said:
        sys.stdout.write(json.dumps(what) + "\n")
        sys.stdout.flush()


class TellingJournal(Journal):
    """A journal that says how far a hall has it."""

    board = ""

    def acknowledge(self, seq: int) -> None:
        super().acknowledge(seq)
        say(board=self.board, mark=seq)


class Players:
    """Those who sit at one board; everything here happens in the daemon's loop."""

    def __init__(self, service: Service, journal: Journal, chance: Random) -> None:
        self.friendly_until = 0
        """They begin no game of their own once the journal is so long."""
        self._service, self._journal, self._chance = service, journal, chance
        self._changed = asyncio.Event()
        self._confirmed: tuple[int, int] = (0, 0)
        self._lengths: dict[int, int] = {}
        self._is_left = chance.random() < _UNFINISHED
        service.controller.on_change(self.stir)

    def stir(self) -> None:
        """There may be something to do."""
        self._changed.set()

    async def play(self) -> None:
        """Play for ever."""
        while True:
            self._changed.clear()
            live_game = self._service.runner.live_game
            try:
                is_busy = await self._act(live_game)
            except ControllerError:
                continue  # the hall has begun another game meanwhile
            if not is_busy:
                await self._changed.wait()

    async def _act(self, live_game: LiveGame | None) -> bool:
        """Do the next thing; whether there was one."""
        if live_game is None:
            return await self._begin()
        game = live_game.game
        assert not isinstance(game, TamskGame)
        if game.outcome is not None:
            return await self._begin() if self._is_done_with(game) else await self._confirm(live_game, game)
        if game.paused_at is not None:
            await self._correct(Resumed(Instant(0), _WHO))
            return True
        if not game.people and self._journal.durable_seq >= self.friendly_until and self._is_left:
            return False
        await self._turn(game)
        return True

    def _is_done_with(self, game: Game) -> bool:
        """Whether nobody has to confirm a game that is over, or everybody has."""
        outcome = game.outcome
        if not game.people or outcome is None or outcome.reason == ABANDONED:
            return True
        return len(confirmed_players(self._journal.read(self._service.runner.shown_number))) > 1

    async def _begin(self) -> bool:
        if self._journal.durable_seq >= self.friendly_until:
            return False
        name = self._chance.choice(sorted(FRIENDLY))
        self._is_left = self._chance.random() < _UNFINISHED
        await self._service.controller.new_game(GameSetup(name, FRIENDLY[name], temperament=Temperament.SILENT))
        return True

    async def _turn(self, game: Game) -> None:
        controller, chance = self._service.controller, self._chance
        number = self._service.runner.shown_number
        length = self._lengths.setdefault(number, chance.randint(6, 14))
        if len(game.plies) >= length or not (game.is_natures or game.texts()):
            winner = chance.choice([*game.rules.players[:2], None])
            await self._correct(ResultDeclared(Instant(0), winner, "agreed", _WHO))
        elif chance.random() < 0.12:
            await self._correct(self._correction(game))
        elif game.is_natures:
            await controller.throw()
        else:
            await controller.enter(chance.choice(game.texts()), _WHO)

    def _correction(self, game: Game) -> Correction:
        may_be: list[Correction] = [
            Paused(Instant(0), _WHO, "tea"),
            NoteTaken(Instant(0), "a piece fell — ♟", Duration(0), _WHO),
        ]
        if game.plies:
            may_be.append(TurnsVoided(Instant(0), 1, True, _WHO, "touched"))
        return self._chance.choice(may_be)

    async def _confirm(self, live_game: LiveGame, game: Game) -> bool:
        """Press both players' buttons once for each end of a game; sometimes the end is taken back first."""
        overs = [ruling for ruling in game.rulings if isinstance(ruling, GameOver)]
        end = (live_game.origin, len(overs))
        if self._confirmed == end:
            return False  # pressed, and not heard yet
        if len(overs) == 1 and game.declared is not None and self._chance.random() < 0.15:
            await self._correct(CorrectionUndone(Instant(0), _WHO, "misheard"))
            return True
        self._confirmed = end
        # Stamped when the calm after the end is over, so that nobody waits for it but the daemon.
        pressed = Instant(
            max(live_game.raw(overs[-1].at) + CALM, self._service.runner.now() + live_game.origin) + SECOND // 5
        )
        self._service.runner.post(
            tuple(
                InputEdge(Instant(pressed + later), button, value)
                for later, value in ((0, True), (SECOND // 10, False))
                for button in (PREVIOUS, NEXT)
            )
        )
        return True

    async def _correct(self, correction: Correction) -> None:
        await self._service.controller.correct(correction)


class Board:
    """One board of the process."""

    def __init__(self, enrolment: Enrolment, folder: Path, seed: int) -> None:
        self._enrolment = enrolment
        self._name = name = enrolment.user
        self._chance = Random(f"{seed} {name}")
        self._journal = TellingJournal.open(folder / f"{name}.journal")
        self._journal.board = name
        self._journal.on_durable(self._written)
        watch, loop = MachineWatch.of_this_boot(), asyncio.get_running_loop()
        self._watch, self._loop = watch, loop
        self._table = SimulatedBoard(config.parse_board(_TABLE, "drill"), now=watch.now, later=loop.call_later)
        parts = Parts(watch, self._journal, self._table.drivers, self._table.description)
        self._service = Service(parts, Orders(chance=SeededChance(seed)))
        self._watched: WatchedBus | None = None
        self.players = Players(self._service, self._journal, self._chance)

    def _written(self, seq: int) -> None:
        say(board=self._name, written=seq)
        self._loop.call_soon_threadsafe(self.players.stir)

    def play(self, records: int) -> None:
        """Let those at the board play until the journal has so many records more."""
        self.players.friendly_until = self._journal.durable_seq + records
        self.players.stir()

    def trace(self) -> None:
        """Say what the board and its hall have told each other last, and what is wrong with the board."""
        said = {} if self._watched is None else self._watched.trace()
        say(board=self._name, trace=said, health=self._service.health.sentences())

    async def run(self, stop: asyncio.Event) -> None:
        """Be in the hall until told to stop."""
        ready = asyncio.Event()
        running = asyncio.create_task(self._service.run(stop, ready.set))
        await ready.wait()
        with join_hall(LinkOptions(self._name, say=_nothing), self._service, self._journal, self._watch, self._bus):
            say(board=self._name, written=self._journal.durable_seq, mark=self._journal.acknowledged)
            playing = asyncio.create_task(self.players.play())
            done, _ = await asyncio.wait([running, playing], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            playing.cancel()
        self._journal.close()
        self._table.close()

    @contextmanager
    def _bus(self, will: Will) -> Iterator[Bus]:
        bus = MqttBus(self._enrolment, chance=self._chance, will=will, patience=HASTE)
        self._watched = WatchedBus(bus)
        try:
            yield self._watched
        finally:
            bus.close()
            bus.join(FAREWELL)


def _nothing(_: str) -> None:
    pass


async def main(names: list[str], folder: Path, port: int, seed: int) -> None:
    """Run boards until standard input ends.

    `play N` on it lets each write N records more by friendly games, TRACE has each say what it knows.
    """
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    boards = [Board(Enrolment(HOST, port, name, "any", NONE), folder, seed) for name in names]

    def play(records: int) -> None:
        for board in boards:
            board.play(records)

    def obey() -> None:
        for line in sys.stdin:
            if line.rstrip() == TRACE:
                for board in boards:
                    board.trace()  # in this thread: the loop may stand still
            else:
                loop.call_soon_threadsafe(play, int(line.removeprefix("play ")))
        loop.call_soon_threadsafe(play, 0)
        loop.call_soon_threadsafe(stop.set)

    Thread(target=obey, name="orders", daemon=True).start()
    await asyncio.gather(*(board.run(stop) for board in boards))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="+")
    options.add_argument("--folder", type=Path, required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--seed", type=int, required=True)
    told = options.parse_args()
    asyncio.run(main(told.names, told.folder, told.port, told.seed))
