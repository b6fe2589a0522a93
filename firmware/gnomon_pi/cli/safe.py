"""Run `gnomond safe`: serve only page and display after the daemon has failed repeatedly."""

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import click

from gnomon.cli import localized
from gnomon.cli.words import command_words, say
from gnomon.refusals import Statement, clause, statement
from gnomon.web.server.listener import PLAIN, Way
from gnomon.web.server.signals import on_end
from gnomon_pi import config
from gnomon_pi.cli._named_board import refuse_unknown_variant
from gnomon_pi.cli._web_options import PageOptions
from gnomon_pi.config.description import BOARDS, TABLE, BoardDescription
from gnomon_pi.drivers.devices import open_devices
from gnomon_pi.drivers.protocols import DisplayDriver
from gnomon_pi.pages.pairing_codes import open_to
from gnomon_pi.runtime.system.clock import MachineWatch, Watch
from gnomon_pi.runtime.system.process import notify
from gnomon_pi.tools.safe_mode import mode, reasons
from gnomon_pi.tools.safe_mode.mode import SafeModeError

_OPTIONS = "GNOMON_OPTIONS"  # in the environment: with what systemd starts the daemon


@dataclass(frozen=True, slots=True)
class SafeModeOptions:
    """What safe mode is to use: the builder's description or a bundled board's, the folder of state, and the page.

    `variant` is the other way in which the bundled board is wired; `front` says how the page is reached and by whom,
    where that is known.
    """

    board: str
    wiring: Path | None
    state: Path
    page: tuple[str, int] | None
    simulated: bool = False
    variant: str = ""
    front: PageOptions | None = None


@localized.command(help="command.gnomond.safe")
@localized.option("--wiring", type=click.Path(path_type=Path), help="option.wiring")
@localized.option("--board", type=click.Choice(BOARDS), help="option.gnomond.safe.board")
@localized.option("--variant", default="", metavar="NAME", help="option.other_variant")
@localized.option("--state", type=click.Path(path_type=Path), help="option.gnomond.safe.state")
@localized.option("--host", default="127.0.0.1", show_default=True, help="option.host")
@localized.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="option.port",
)
@localized.option("--why", help="option.gnomond.safe.why")
@click.pass_context
def safe(  # noqa: PLR0913 - one for each option
    context: click.Context,
    *,
    wiring: Path | None,
    board: str | None,
    variant: str,
    state: Path | None,
    host: str,
    port: int,
    why: str | None,
) -> None:
    """Run safe mode: say on page and display why the board does not run, and what to do."""
    from gnomon.records.journal.folders import state_folder

    _refuse_variant(board, wiring, variant)
    wish = SafeModeOptions(
        board or "",
        wiring,
        state or state_folder(os.environ),
        (host, port),
        variant=variant,
        front=_front(context, host, port),
    )
    start_or_exit(wish, reasons.reason(os.environ) if why is None else Statement.plain(why), "gnomond safe")


def start_or_exit(wish: SafeModeOptions, why: Statement, name: str) -> None:
    """Run safe mode until it is told to end; where that cannot be, exit 1 with one sentence that begins with a name."""
    try:
        asyncio.run(_run(wish, why, os.environ))
    except (SafeModeError, OSError) as error:  # OSError where the kernel names no boot
        click.echo(f"{name}: {say(error)}", err=True)
        sys.exit(1)


def _front(context: click.Context, host: str, port: int) -> PageOptions:
    """How the daemon's pages are reached; an option that is wrong, the very reason maybe, keeps nothing from coming.

    The language of those options becomes the one of this run, whose context they share.
    """
    try:
        options = shlex.split(os.environ.get(_OPTIONS, ""))
    except ValueError:
        options = []
    told = context.find_root().command.make_context("gnomond", options, context, resilient_parsing=True).params
    return PageOptions(
        host,
        port,
        told.get("tls_certificate"),
        told.get("tls_key"),
        told.get("behind_proxy") or (),
        told.get("known_as") or (),
        told.get("open_to") or "",
    )


def _refuse_variant(board: str | None, wiring: Path | None, variant: str) -> None:
    """Raise UsageError for a variant of no bundled board."""
    if not variant:
        return
    if board is None or wiring is not None:
        raise localized.WrongUsageError(statement("usage.variant.safe"))
    refuse_unknown_variant(board, variant)


async def _run(wish: SafeModeOptions, why: Statement, environment: Mapping[str, str]) -> None:
    stop = asyncio.Event()
    on_end(stop.set)
    watch = MachineWatch.of_this_boot()
    address = environment.get("NOTIFY_SOCKET")
    front = wish.front
    way = PLAIN if front is None else Way(front.certificate, front.key, front.proxies, front.names)
    host = "" if wish.page is None else wish.page[0]
    role = open_to(
        front.open_to if front is not None else "",
        host,
        is_simulated=wish.simulated,
        is_behind_proxy=bool(way.proxies),
    )
    say = command_words()
    refuge = mode.SafeModeServer(
        why, wish.state, wish.page, _display(wish, watch), watch, version("gnomon"), address, role, way, say
    )

    def ready(page: str) -> None:
        told = clause(why, say)
        notify(address, f"READY=1\nSTATUS={say('safe.ready.display', told=told)}")
        click.echo(say("safe.ready", address=page, told=told) if page else say("safe.ready.display", told=told))

    try:
        await mode.run(refuge, stop, ready)
    finally:
        notify(address, "STOPPING=1")


def _display(wish: SafeModeOptions, watch: Watch) -> Callable[[], DisplayDriver | None]:
    """What opens the display and nothing else."""

    def open_display() -> DisplayDriver | None:
        described = _describe(wish)
        only = replace(described, sensors=None, buttons=(), lights=None, buzzer=None, reader=None)
        if only.display is None:
            return None
        later = asyncio.get_running_loop().call_later
        if wish.simulated:
            from gnomon_pi.simulated.board import SimulatedBoard

            return SimulatedBoard(described, now=watch.now, later=later).drivers.display
        return open_devices(only, now=watch.now, later=later).display

    return open_display


def _describe(wish: SafeModeOptions) -> BoardDescription:
    """The description, or where it is the one that is wrong a bundled one: the display hangs where it usually does."""
    board = wish.board or TABLE
    try:
        return config.load_bundled(board, variant=wish.variant) if wish.wiring is None else config.load(wish.wiring)
    except config.BoardError:
        return config.load_bundled(board)
