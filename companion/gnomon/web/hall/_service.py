"""Run a hall and its web server until it is told to stop, and print its addresses and codes."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from gnomon.hall import clock as clocks
from gnomon.hall.connections import HallConnectionError
from gnomon.hall.demo import DemoHall, DemoWorld
from gnomon.hall.enrolment_sheet import for_terminal
from gnomon.hall.hall import Hall
from gnomon.hall.store.database import StoreError
from gnomon.refusals import NOTHING, clause, statement
from gnomon.timekeeping.instants import Instant
from gnomon.views import qr
from gnomon.web.access import Authenticator, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.codes import Code
from gnomon.web.access.store import AccountStore, AccountStoreError
from gnomon.web.hall._accounts import open_accounts
from gnomon.web.hall._app import application
from gnomon.web.hall._app_context import HallContext
from gnomon.web.hall._assembly import Opened, Wanted, open_hall
from gnomon.web.middleware.limits import Allowance
from gnomon.web.server.connections import Bounds
from gnomon.web.server.listener import Listener, PortError, Way
from gnomon.web.server.signals import on_end
from gnomon.web.server.workers import Workers
from gnomon.words import Words

PORT: Final = 8770
PEOPLE: Final = "people.sqlite"
BOUNDS: Final = Bounds(at_most_of_one=240, at_most_of_network=480, opened=60.0, opened_at_once=600.0)
"""All walls and telephones of a club may stand behind one router."""
ALLOWANCE: Final = Allowance(rate=60.0, burst=600.0, at_once=64, at_once_of_one=32)
_ALIVE: Final = 1.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Front:
    """Where the pages of a hall are served, and how it is called."""

    host: str = "127.0.0.1"
    port: int = PORT
    way: Way = field(default_factory=Way)
    name: str = ""

    @property
    def is_for_this_machine_alone(self) -> bool:
        """Whether nobody else can reach the pages."""
        try:
            return ip_address(self.host).is_loopback and not self.way.proxies
        except ValueError:
            return self.host == "localhost" and not self.way.proxies


class _Clock:
    """The clocks of this machine, as the door wants them."""

    def __init__(self) -> None:
        self.boot = clocks.boot()

    def now(self) -> Instant:
        return clocks.monotonic_now()

    def wall(self) -> datetime:
        return clocks.wall()


def run(wanted: Wanted, front: Front, say: Say, words: Words) -> None:
    """Run a hall until it is told to end.

    Raises HallConnectionError, and PortError for an address that cannot be had.
    """
    with ExitStack() as stack:
        listener = stack.enter_context(closing(Listener(front.host, front.port, front.way, BOUNDS)))
        if wanted.forgets:
            folder = stack.enter_context(TemporaryDirectory(prefix="gnomon-hall-"))
            wanted = replace(wanted, data=Path(folder))
        hall = stack.enter_context(open_hall(wanted, say, words))
        store = _people(wanted, hall.hall)
        stack.callback(store.close)
        if hall.here is not None and wanted.demo:
            world = DemoWorld(clocks.monotonic_now, lambda: clocks.timestamp(clocks.wall()), Random())  # noqa: S311 - for show
            played = DemoHall(wanted.demo, hall.here, hall.hall, world)
            played.start()
            stack.callback(played.close)
        is_open = bool(wanted.demo) and front.is_for_this_machine_alone
        terms = AccessTerms(
            Role.DIRECTOR if is_open else Role.SPECTATOR,
            lambda code: _show(code, say, words),
            is_local=is_open,
            is_shared=True,
        )
        door = stack.enter_context(closing(Authenticator(store, _Clock(), terms)))
        _greet(listener, hall, front, door, say, words)
        if wanted.forgets:
            say(words("cli.hall.forgets"))
        say(words("cli.hall.stop"))
        asyncio.run(_serve(listener, hall, _context(listener, hall, front, door, wanted)))


def _context(listener: Listener, hall: Opened, front: Front, door: Authenticator, wanted: Wanted) -> HallContext:
    return HallContext(
        hall.hall,
        listener.hosts,
        front.name,
        wanted.demo,
        door=door,
        allowance=ALLOWANCE,
        address=lambda: listener.for_phones,
        data=wanted.data,
        is_alone=front.is_for_this_machine_alone,
    )


async def _serve(listener: Listener, hall: Opened, context: HallContext) -> None:
    """Serve until told to stop. Raises HallConnectionError when the hall itself has ended."""
    workers = Workers()

    def stop() -> None:
        listener.stop()
        workers.shutdown()  # what they work out would slow everything down that ends now

    on_end(stop)
    asyncio.get_running_loop().set_default_executor(workers)
    watching = asyncio.create_task(_watch(listener, hall), name="whether the hall is alive")
    await listener.listen(application(context))
    watching.cancel()
    if not hall.hall.thread.is_alive:
        raise HallConnectionError(hall.hall.thread.failed or statement("hall.ended"))


async def _watch(listener: Listener, hall: Opened) -> None:
    """Let the pages end with the hall: a service manager restarts a dead program, but not a half-dead one."""
    while hall.hall.thread.is_alive:  # noqa: ASYNC110 - a thread that has failed sets no event of this loop
        await asyncio.sleep(_ALIVE)
    listener.stop()


def _people(wanted: Wanted, hall: Hall) -> AccountStore:
    """The people of a hall: in its database where that is a server, which several processes reach, or in a file.

    People who were in a file before are taken over.
    """
    file = wanted.data / PEOPLE
    try:
        if not hall.database.is_server:
            return AccountStore.open(file)
        shared = open_accounts(hall.database)
        if file.exists():
            with closing(AccountStore.open(file)) as before:
                shared.copy_from(before)
    except (AccountStoreError, StoreError) as error:
        raise HallConnectionError(error) from error
    return shared


def _show(code: Code | None, say: Say, words: Words) -> None:
    if code is not None:
        key = "cli.hall.code.admin" if code.role is Role.ADMIN else "cli.hall.code.player"
        say(words(key, code=code.readable))


def _greet(  # noqa: PLR0913, PLR0917 - all that is told of
    listener: Listener, hall: Opened, front: Front, door: Authenticator, say: Say, words: Words
) -> None:
    """Say where the hall is, how boards reach it, and who may come in."""
    say(words("cli.hall.at", address=listener.address))
    address = listener.for_phones
    if address:
        say(words("cli.hall.phones", address=address))
        say(for_terminal(qr.code(address)))
    elif front.is_for_this_machine_alone:
        say(words("cli.hall.alone"))
    if listener.is_exposed:
        say(words("cli.hall.unencrypted"))
    if hall.carried is not NOTHING:
        say(clause(hall.carried, words))
    elif not hall.hall.places() and hall.here is not None:
        say(words("cli.hall.first_page"))
    door.greet()


__all__ = ["PORT", "Front", "PortError", "run"]
