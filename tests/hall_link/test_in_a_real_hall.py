"""The running daemon and the running hall together: a round is sent, played at the board, and its result entered."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from gnomon.hall.hall import Hall
from gnomon.hall.messaging.memory_bus import MemoryBroker
from gnomon.hall.rounds.board_assignment import Accept, BoardAssignment
from gnomon.hall.rounds.results import PairingState
from gnomon.records.bundles import bundle
from gnomon.records.journal.writer import Journal
from gnomon.records.replay import film
from gnomon.referee.events import ResultDeclared
from gnomon.timekeeping.instants import Instant
from gnomon.tournament.events import EntrantRegistered, ResultEntered
from gnomon.tournament.state.results import parse_result
from gnomon.tournament.state.rounds import Pairing
from gnomon.tournament.state.settings import System, TournamentSettings
from gnomon_pi.hall_link._assembly import LinkOptions, join_hall
from gnomon_pi.runtime.service import Orders, Service
from tests.daemon.test_service import run
from tests.hall_link.test_assembly import BOARD, broker, over

PATIENCE = 60.0  # seconds; a bound for a machine in trouble, never waited for
__all__ = ["broker"]


class Waiting:
    """Waits in a loop until something is true of a hall, looking whenever something has changed there."""

    def __init__(self, hall: Hall) -> None:
        self._changed = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._listener = hall.listen(lambda: loop.call_soon_threadsafe(self._changed.set))

    async def until(self, is_true: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_true():
                await self._changed.wait()
                self._changed.clear()
                self._listener.take()


def opened(hall: Hall) -> None:
    """A tournament of two, with one board."""
    announced = TournamentSettings("Evening", System.SWISS, 1, tie_breaks=("BH",))
    plan = BoardAssignment("tamsk", {"level": 1}, accept=Accept.AT_ONCE, boards={1: BOARD})
    book = hall.open_tournament("open", announced, "Anna", plan)
    book.append(EntrantRegistered(1, "Ada"), "Anna", after=1)
    book.append(EntrantRegistered(2, "Bo"), "Anna", after=2)
    hall.publish("open", [Pairing(1, 2, 1)], "Anna", after=3)


def test_a_round_is_played_at_a_real_board_and_entered_in_the_book(tmp_path: Path, broker: MemoryBroker) -> None:
    hall = Hall.open(str(tmp_path / "hall.db"), broker.connect())
    hall.start()
    opened(hall)

    async def act(service: Service) -> None:
        journal, watch, controller = service._parts.journal, service._parts.watch, service.controller
        waiting = Waiting(hall)
        with join_hall(LinkOptions(BOARD), service, journal, watch, over(broker)):
            await waiting.until(lambda: hall.place(BOARD).age(hall.now()) is not None)
            sent = await asyncio.to_thread(hall.send_round, "open", "Anna")
            assert (list(sent.requests), list(sent.left)) == ([1], [])
            await waiting.until(lambda: hall.proposals("open", 1)[0].standing is PairingState.PLAYING)
            game = controller.game()
            assert game is not None
            assert dict(game.people) == {"red": "Bo", "black": "Ada"}
            await controller.correct(ResultDeclared(Instant(0), "red", "resigned", "page"))
            await waiting.until(lambda: hall.proposals("open", 1)[0].standing is PairingState.ENTERED)

    run(tmp_path, Orders(), act)
    (entered,) = [told for told in hall.book("open").read() if isinstance(told.event, ResultEntered)]
    assert (entered.who, entered.event) == (f"board {BOARD}", ResultEntered(1, 1, parse_result("1-0")))
    archive = hall.archive(BOARD)
    hall.close()
    with Journal.open(tmp_path / "journal") as journal:
        written = list(journal.records_after(0, 1000).records)
    (stored,) = archive.games()
    kept = list(archive.read(stored.id))
    assert written[: len(kept)] == kept
    last = film(bundle(stored, kept)).last
    assert last.outcome is not None
    assert last.outcome.winner == "red"
