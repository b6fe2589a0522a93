"""Connect a running daemon to its hall: its identity, the bus, and the callbacks between them."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib.metadata import version
from secrets import SystemRandom, token_hex
from typing import Final, NamedTuple

from gnomon.hall.messaging.bus import Bus, Will
from gnomon.hall.messaging.messages import Answer, Fate, Request, Status
from gnomon.records.journal import Journal
from gnomon.timekeeping.instants import Duration
from gnomon_pi.hall_link.commands import Errands
from gnomon_pi.hall_link.confirmation import Confirming
from gnomon_pi.hall_link.home_assistant import Describing
from gnomon_pi.hall_link.link import Link, World, will_of
from gnomon_pi.hall_link.thread import LinkThread
from gnomon_pi.runtime.clock import Watch
from gnomon_pi.runtime.service import Service

_ID: Final = 8  # bytes of a name that is made by chance

OpenBus = Callable[[Will], AbstractContextManager[Bus]]


class Manner(NamedTuple):
    """As which board it is in the hall, whether it describes itself to Home Assistant, and who is told what hinders.

    `delay` is by how much later than those at the board spectators may see it.
    """

    board: str
    home_assistant: bool = False
    say: Callable[[str], None] = print
    delay: Duration = Duration(0)


@contextmanager
def joined(manner: Manner, service: Service, journal: Journal, watch: Watch, open_bus: OpenBus) -> Iterator[Status]:
    """Be in the hall for a while, with who it is there; to be called in the daemon's loop. Raises JournalError."""
    me = _status(manner, service, journal, watch)
    with open_bus(will_of(me)) as bus:
        world = World(watch.now, SystemRandom().random, partial(token_hex, _ID))
        link = Link(me, journal, bus, world, service.health)
        errands = Errands(service.desk, watch.now, me.session, link.put_up)
        errands.remember(journal)
        _listen(link, service, journal)
        if manner.home_assistant:
            Describing(me, bus, watch.now, manner.say)
        do = partial(_hand_over, asyncio.get_running_loop(), errands, link)
        thread = LinkThread(link, do, watch.now, service.health)
        try:
            yield me
        finally:
            thread.stop()


def _status(manner: Manner, service: Service, journal: Journal, watch: Watch) -> Status:
    host = service.runner.host
    return Status(
        board=manner.board,
        online=True,
        epoch=journal.epoch,
        session=token_hex(_ID),
        boot=watch.boot,
        version=version("gnomon"),
        kind=host.board,
        games=tuple(host.games),
        delay=manner.delay,
    )


def _listen(link: Link, service: Service, journal: Journal) -> None:
    """Tell the link of everything that changes at the board."""
    confirming = Confirming(service.runner, service.health, journal.read)

    def show() -> None:
        link.show(service.desk.shown(), confirming.confirmed)

    service.runner.on_change(show)
    journal.on_durable(lambda _: link.stir())
    show()


def _hand_over(loop: asyncio.AbstractEventLoop, errands: Errands, link: Link, request: Request) -> None:
    """Have the daemon's loop carry out a wish."""
    doing = asyncio.run_coroutine_threadsafe(errands.do(request), loop)
    doing.add_done_callback(partial(_answered, link, request.id))


def _answered(link: Link, request: str, done: "Future[Answer]") -> None:
    if done.cancelled():  # the daemon is stopping
        return
    fault = done.exception()
    if fault is None:
        link.answered(done.result())
    else:
        why = f"The board made a mistake of its own: {type(fault).__name__}: {fault}."
        link.answered(Answer(request, Fate.REFUSED, why))
