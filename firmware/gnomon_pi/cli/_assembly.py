"""Assemble the daemon from its options, run it, and stop it in order."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gnomon.cli.words import command_words, say
from gnomon.records.journal.rescue import Rescue, open_or_rescue
from gnomon.records.journal.writer import Journal, JournalInUseError
from gnomon.refusals import Refusal, statement
from gnomon.web.server.signals import on_end
from gnomon_pi import config
from gnomon_pi.cli._web_options import PageOptions, door_of, page_of
from gnomon_pi.config.description import BoardDescription
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.hall_link.options import HallOptions, in_the_hall
from gnomon_pi.relay_link.options import RelayOptions, on_relay
from gnomon_pi.runtime.controller import ControllerError
from gnomon_pi.runtime.json_stream import Announcer
from gnomon_pi.runtime.service import LATE, Orders, Parts, Service
from gnomon_pi.runtime.system.clock import MachineWatch, Watch
from gnomon_pi.runtime.system.process import (
    SETTLED,
    give_back_what_is_free,
    give_back_what_is_large,
    keep_one_heap,
    note_address,
    noted_address,
    notify,
)
from gnomon_pi.tools.safe_mode import reasons

if TYPE_CHECKING:
    from gnomon_pi.pages.server import PageServer, SimulationPages
    from gnomon_pi.simulated.autoplay import Playground
    from gnomon_pi.simulated.remote_control import RemoteControl

SWITCH: Final = 0.001
"""Seconds after which threads give way: with Python's default of 5 ms a picture being drawn delays the scans."""


class StartError(Refusal):
    """The daemon cannot start, or not stop in order."""


class AlreadyRunningError(StartError):
    """Another daemon writes the same journal."""


@dataclass(frozen=True, slots=True)
class DaemonOptions:
    """What the daemon runs on: the wired board or a simulated one, its journal, and where its page is served.

    By chance from `play` hands play by themselves, and begin the ordered game where one may begin; None: nobody does.
    """

    board: str
    wiring: Path | None
    variant: str
    journal: Path
    simulated: bool
    hurried: bool
    front: PageOptions | None
    announce: bool
    hall: HallOptions | None = None
    relay: RelayOptions | None = None
    witnesses: tuple[Path, ...] = ()
    play: int | None = None


async def serve(where: DaemonOptions, orders: Orders, describe: Callable[[Journal], BoardDescription]) -> None:
    """Run the daemon until it is told to end, and stop in order; `describe` knows the board, also by its journal.

    Raises DriverError, PageError, HallLinkError, JournalError and StartError, each with one sentence, and whatever ends
    anything vital.
    """
    sys.setswitchinterval(SWITCH)
    keep_one_heap()
    watch = _watch()
    stop = asyncio.Event()
    on_end(stop.set)
    _refuse_a_part(where)
    with (
        _open_journal(where, watch) as (journal, rescued),
        page_of(where.front) as page,
        _board(where, describe(journal), watch, journal) as (parts, playground),
        ExitStack() as stack,
    ):
        begun = orders if where.play is None else replace(orders, setup=None)  # then hands begin the game
        service, say = Service(parts, begun, rescued), partial(_say, where)
        remote = None if playground is None else _remote_control(service, playground)
        state, simulated = where.journal.parent, where.simulated
        door = stack.enter_context(door_of(where.front, state, service, watch, say, is_simulated=simulated))
        stack.enter_context(in_the_hall(where.hall, service, journal, watch, say))
        desk = stack.enter_context(on_relay(where.relay, service, journal, watch, say))
        if where.announce:
            Announcer(service.runner, watch, _write)

        async def let_it_play() -> None:
            if where.play is not None and remote is not None:
                await remote.let_it_play(where.play, orders.setup)

        def ready() -> None:
            spare_what_is_loaded()
            give_back_what_is_large()
            asyncio.get_running_loop().call_later(SETTLED, give_back_what_is_free)
            notify(orders.notify_socket, "READY=1")
            reasons.forget(os.environ)
            note_address(where.journal, "" if page is None else page.address)
            _greet(where, page, _game_of(service))
            if where.play is not None:
                by_chance = playground is not None and playground.is_by_chance
                say(command_words()("cli.hands" if by_chance else "cli.hands.engines", seed=where.play))
            if door is not None:
                door.greet()
            if page is not None:
                service.invite(lambda: page.for_phones)

        try:
            bench = None if page is None or remote is None else _bench(remote)
            pages = () if page is None or door is None else (page.serve(service.controller, journal, door, bench),)
            more = () if desk is None else (desk.work(),)
            late = partial(click.echo, command_words()("daemon.late", seconds=LATE), err=True)
            await service.run(stop, ready, *pages, *more, begin=let_it_play, late=late)
        except ControllerError as error:
            raise StartError(error) from error
        finally:
            notify(orders.notify_socket, "STOPPING=1")


def spare_what_is_loaded() -> None:
    """Let the collector of garbage leave alone what the daemon keeps until it ends.

    It would look through all of it again in the middle of a game, with every thread waiting: 12 ms on a desktop for
    fifty thousand objects, and ten times that on a Raspberry Pi.
    """
    gc.collect()
    gc.freeze()


def _refuse_a_part(where: DaemonOptions) -> None:
    """Raise StartError for a board of which only a part is wired, and BoardError for a wrong description."""
    if where.wiring is not None:
        described = config.load(where.wiring)
    elif where.variant:
        described = config.load_bundled(where.board, variant=where.variant)
    else:
        return
    if described.only:
        raise StartError(statement("start.part", places=described.only))


def _watch() -> MachineWatch:
    try:
        return MachineWatch.of_this_boot()
    except OSError as error:
        raise StartError(statement("start.boot", detail=str(error))) from error


@contextmanager
def _open_journal(where: DaemonOptions, watch: Watch) -> Iterator[tuple[Journal, Rescue | None]]:
    """The journal, and what was wrong with it; a damaged one is kept aside, and what stands before goes on."""
    path = where.journal
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(statement("start.folder", folder=str(path.parent), detail=error.strerror)) from error
    try:
        journal, rescued = open_or_rescue(path, watch.wall(), where.witnesses)
    except JournalInUseError as error:
        there = noted_address(path) or error.statement
        raise AlreadyRunningError(statement("start.running", there=there)) from error
    with journal:
        note_address(path, "")  # that of one that was killed
        if rescued is not None:
            _say(where, say(rescued.statement))
        yield journal, rescued
        note_address(path, "")


@contextmanager
def _board(
    where: DaemonOptions, description: BoardDescription, watch: Watch, journal: Journal
) -> "Iterator[tuple[Parts, Playground | None]]":
    """The devices, dark and closed again at the end, and what is on them when they are in software."""
    later = asyncio.get_running_loop().call_later
    if not where.simulated:
        drivers = open_devices(description, now=watch.now, later=later)
        try:
            yield Parts(watch, journal, drivers, description), None
        finally:
            drivers.close()
        return
    from gnomon_pi.simulated.autoplay import HURRIED, Playground
    from gnomon_pi.simulated.board import SimulatedBoard

    board = SimulatedBoard(description, now=watch.now, later=later)
    try:
        playground = Playground(board, HURRIED if where.hurried else None)
        yield Parts(watch, journal, board.drivers, description, playground), playground
    finally:
        board.close()


def _remote_control(service: Service, playground: "Playground") -> "RemoteControl":
    from gnomon_pi.simulated.remote_control import RemoteControl

    return RemoteControl(service.controller, service.runner, playground)


def _bench(remote: "RemoteControl") -> "SimulationPages":
    from gnomon_pi.simulated.bench import BenchPages

    return BenchPages(remote)


def _game_of(service: Service) -> str:
    """The game that is being played; empty for none."""
    live_game = service.runner.live_game
    return live_game.game.rules.name if live_game is not None and live_game.is_unfinished else ""


def _greet(where: DaemonOptions, page: "PageServer | None", game: str) -> None:
    """One friendly line, which names the game that is being played, or else the board."""
    words = command_words()
    board = words.name_of(f"game.{game}", game) if game else words(f"daemon.board.{where.board}")
    kind = words("daemon.kind.simulated" if where.simulated else "daemon.kind.wired")
    if page is None:
        _say(where, words("daemon.ready", board=board, kind=kind))
        return
    key = "daemon.ready.page" if game else "daemon.ready.start"
    _say(where, words(key, board=board, kind=kind, address=page.address))
    if page.is_exposed:
        _say(where, words("cli.hall.unencrypted"))


def _say(where: DaemonOptions, line: str) -> None:
    """Write a line for people, to standard error where standard output belongs to another program."""
    click.echo(line, err=where.announce)


def _write(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()
