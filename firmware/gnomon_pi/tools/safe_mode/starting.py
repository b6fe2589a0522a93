"""Start safe mode, by `gnomond safe`, `gnomond --safe` or a flag file."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from gnomon.web.signals import on_end
from gnomon_pi import config
from gnomon_pi.cli.web_options import Front
from gnomon_pi.config.description import TABLE, BoardDescription
from gnomon_pi.drivers.opening import open_devices
from gnomon_pi.drivers.protocols import DisplayDriver
from gnomon_pi.runtime.clock import MachineWatch, Watch
from gnomon_pi.runtime.notify import notify
from gnomon_pi.tools.safe_mode import reasons

ASKED: Final = "Safe mode was asked for on the command line."


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
    front: Front | None = None


def asked_by(files: Sequence[Path]) -> str:
    """Why safe mode is asked for by a file that is there, or nothing when none is."""
    for file in files:
        try:
            file.stat()
        except OSError:  # not there, or on a partition that this user may not look into
            continue
        return f"The file {file} asks for safe mode."
    return ""


def start(wish: SafeModeOptions, why: str, environment: Mapping[str, str] = os.environ) -> None:
    """Run safe mode until it is told to end. Raises SafeModeError, and OSError where the kernel names no boot."""
    asyncio.run(_run(wish, why, environment))


def started_by_failure(wish: SafeModeOptions, environment: Mapping[str, str] = os.environ) -> None:
    """Run safe mode because the daemon failed, and say what it or systemd said. Raises as `start` does."""
    start(wish, reasons.reason(environment), environment)


async def _run(wish: SafeModeOptions, why: str, environment: Mapping[str, str]) -> None:
    stop = asyncio.Event()
    on_end(stop.set)
    watch = MachineWatch.of_this_boot()
    address = environment.get("NOTIFY_SOCKET")
    # Here, because a daemon that is well asks this module whether it should be in safe mode, and needs no page for it.
    from importlib.metadata import version

    from gnomon.web.listening import PLAIN, Way
    from gnomon_pi.pages.pairing_codes import open_to
    from gnomon_pi.tools.safe_mode import mode

    front = wish.front
    way = PLAIN if front is None else Way(front.certificate, front.key, front.proxies, front.names)
    host = "" if wish.page is None else wish.page[0]
    role = open_to(
        front.open_to if front is not None else "",
        host,
        is_simulated=wish.simulated,
        is_behind_proxy=bool(way.proxies),
    )
    refuge = mode.SafeModeServer(
        why, wish.state, wish.page, _display(wish, watch), watch, version("gnomon"), address, role, way
    )

    def ready(page: str) -> None:
        notify(address, f"READY=1\nSTATUS=Safe mode: {why}")
        click.echo(f"Safe mode{f' on {page}' if page else ''}: {why}")

    try:
        await mode.run(refuge, stop, ready)
    finally:
        notify(address, "STOPPING=1")


def _display(wish: SafeModeOptions, watch: Watch) -> Callable[[], DisplayDriver | None]:
    """What opens the display and nothing else."""

    def open_display() -> DisplayDriver | None:
        described = _described(wish)
        only = replace(described, sensors=None, buttons=(), lights=None, buzzer=None, reader=None)
        if only.display is None:
            return None
        later = asyncio.get_running_loop().call_later
        if wish.simulated:
            from gnomon_pi.simulated.board import SimulatedBoard

            return SimulatedBoard(described, now=watch.now, later=later).drivers.display
        return open_devices(only, now=watch.now, later=later).display

    return open_display


def _described(wish: SafeModeOptions) -> BoardDescription:
    """The description, or where it is the one that is wrong a bundled one: the display hangs where it usually does."""
    board = wish.board or TABLE
    try:
        return config.bundled(board, variant=wish.variant) if wish.wiring is None else config.load(wish.wiring)
    except config.BoardError:
        return config.bundled(board)
