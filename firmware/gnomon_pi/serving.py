"""The only place that serves the daemon's page, in the daemon's own loop."""

from typing import Final

from starlette.routing import Mount

from gnomon.records.journal import Journal
from gnomon.web.access import Door, Guarded, Role
from gnomon.web.app import application
from gnomon.web.house import House
from gnomon_pi.bench.app import application as bench
from gnomon_pi.desk import Desk
from gnomon_pi.listening import Listener
from gnomon_pi.page_board import PageBoard

BENCH: Final = "/bench/"


class Page(Listener):
    """The page at an address; the address is taken when this is made."""

    async def serve(self, desk: Desk, journal: Journal, door: Door) -> None:
        """Serve the pages of a desk and of the games in a journal, and the bench, until told to stop."""
        simulated = BENCH if desk.board is not None else None
        house = House(PageBoard(desk), journal, self.hosts, simulated, door=door)
        hands = Guarded(Role.ARBITER, bench(desk, self.hosts))  # it can correct a game
        await self.listen(application(house, Mount(BENCH.rstrip("/"), hands)))
