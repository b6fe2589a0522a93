"""The only place that puts a running daemon into its hall: who it is there, over which bus, and who hears of what."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from secrets import SystemRandom, token_hex
from typing import Final

from gnomon.hall.bus import Bus, Will
from gnomon.hall.messages import Answer, Fate, Request, Status
from gnomon.records.journal import Journal
from gnomon_pi.hall_link.confirming import Confirming
from gnomon_pi.hall_link.errands import Errands
from gnomon_pi.hall_link.link import Link, World, will_of
from gnomon_pi.hall_link.thread import LinkThread
from gnomon_pi.service import Service
from gnomon_pi.watch import Watch

_ID: Final = 8  # bytes of a name that is made by chance

OpenBus = Callable[[Will], Bus]


@contextmanager
def joined(board: str, service: Service, journal: Journal, watch: Watch, open_bus: OpenBus) -> Iterator[Status]:
    """Be in the hall as `board` for a while; to be called in the daemon's loop. Raises JournalError.

    `open_bus` makes the connection, which then is nobody else's.
    """
    host = service.runner.host
    me = Status(
        board=board,
        online=True,
        epoch=journal.epoch,
        session=token_hex(_ID),
        boot=watch.boot,
        version=version("gnomon"),
        kind=host.board,
        games=tuple(host.games),
    )
    loop = asyncio.get_running_loop()
    bus = open_bus(will_of(me))
    world = World(watch.now, SystemRandom().random, lambda: token_hex(_ID))
    link = Link(me, journal, bus, world, service.health)
    errands = Errands(service.desk, watch.now, me.session, link.put_up)
    errands.remember(journal)

    def hand_over(request: Request) -> None:
        doing = asyncio.run_coroutine_threadsafe(errands.do(request), loop)
        doing.add_done_callback(partial(_answered, link, request.id))

    confirming = Confirming(service.runner, service.health, journal.read)

    def show() -> None:
        link.show(service.desk.shown(), confirming.confirmed)

    service.runner.on_change(show)
    journal.on_durable(lambda _: link.stir())
    show()
    thread = LinkThread(link, hand_over, watch.now, service.health)
    try:
        yield me
    finally:
        thread.stop()
        bus.close()


def _answered(link: Link, request: str, done: "Future[Answer]") -> None:
    if done.cancelled():  # the daemon is stopping
        return
    fault = done.exception()
    if fault is None:
        link.answered(done.result())
    else:
        why = f"The board made a mistake of its own: {type(fault).__name__}: {fault}."
        link.answered(Answer(request, Fate.REFUSED, why))
