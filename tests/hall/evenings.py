"""Run a whole hall in virtual time: its boards, its hub and its database on one bus."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gnomon.hall.hall import Hall, HallSources
from gnomon.hall.hub.hub import EVERYBODY, HubTerms
from gnomon.hall.messaging.bus import Bus
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.board_assignment import BoardAssignment
from gnomon.hall.rounds.event_log_rows import SqlBook
from gnomon.hall.rounds.results import PairingState
from gnomon.tournament.events import (
    EntrantRegistered,
    ResultEntered,
    RoundPublished,
)
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System
from gnomon.tournament.state.settings import TournamentSettings as Announced
from tests.hall.boards import Clock, FaultyBus, KilledError, ModelBoard
from tests.hall.empty_halls import begin_hall

NAMES = ("Ada", "Ben", "Cleo", "Dan")
PAIRINGS = (Pairing(1, 1, 2), Pairing(2, 3, 4))


class Evening:
    """A hall and its boards on one bus, in a time that passes when a test lets it."""

    def __init__(self, where: Path | str) -> None:
        self.where = where if isinstance(where, str) else str(where / "hall.db")
        self.clock = Clock()
        self.broker = MemoryBroker()
        self.boards: dict[str, ModelBoard] = {}
        self.numbers = self.kills = 0
        self.faulty: FaultyBus | None = None  # that of the hall
        self.hall = self.open()

    def open(self, terms: HubTerms = EVERYBODY) -> Hall:
        world = HallSources(self.clock, lambda: datetime(2026, 11, 20, 19, tzinfo=UTC), self.name)
        bus = self.connect()
        if self.faulty is not None:
            bus = self.faulty = replace(self.faulty, bus=bus, kept=[])
        hall = Hall.open(begin_hall(self.where), bus, world, terms)
        hall.thread.connect()
        return hall

    def connect(self) -> Bus:
        """A connection for a hub or a recorder."""
        return self.broker.connect()

    def name(self) -> str:
        self.numbers += 1
        return f"r{self.numbers}"

    def board(self, name: str) -> ModelBoard:
        self.boards[name] = ModelBoard(name, self.broker.connect(), self.clock)
        self.boards[name].tell_state("empty")
        self.run()
        return self.boards[name]

    def run(self, seconds: float = 0) -> None:
        """Let time pass, and everybody do what is due."""
        for _ in range(max(1, round(seconds))):
            self.clock.wait(min(1, seconds))
            for _ in range(4):
                for board in self.boards.values():
                    board.run()
                    if isinstance(board.bus, FaultyBus):
                        board.bus.flush()
                self.broker.deliver()
                try:
                    self.hall.thread.step()
                except KilledError:
                    self.kill()
                if self.faulty is not None:
                    self.faulty.flush()
                self.broker.deliver()

    def kill(self) -> None:
        """The hall is killed, whatever it was doing, and there again."""
        self.kills += 1
        self.hall._thread._bus.close()
        self.hall._database.close()
        self.hall = self.open()

    def restart(self) -> None:
        self.hall.close()
        self.hall = self.open()
        self.run()

    def tournament(self, *, games: int = 1, system: System = System.SWISS, **plan: object) -> SqlBook:
        announced = Announced("Evening", system, 2, games=games, tie_breaks=("BH",))
        self.hall.open_tournament("open", announced, "Anna")
        book = self.hall.book("open")
        entrants = [EntrantRegistered(number, name) for number, name in enumerate(NAMES, start=1)]
        book.extend([*entrants, RoundPublished(1, PAIRINGS)], "Anna", after=1)
        told = {"game": "tamsk", "boards": {1: "t01", 2: "t02"}, **plan}
        self.hall.set_plan("open", BoardAssignment(**told))  # type: ignore[arg-type]  # its own fields
        return book

    def standings(self) -> list[PairingState]:
        return [proposal.standing for proposal in self.hall.proposals("open", 1)]


def results(book: SqlBook) -> list[tuple[str, ResultEntered]]:
    return [(told.who, told.event) for told in book.read() if isinstance(told.event, ResultEntered)]
