"""Run safe mode: serve its page and show its pictures on the display, without sensors and games.

There are no buttons, lights, sounds or clocks either: without a journal there are no rulings, and a clock that nobody
can check is worse than the sand on the table. Whatever fails here is left out and reported; safe mode fails only
when it can open neither a page nor a display.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from gnomon.refusals import Statement, clause, statement
from gnomon.views import fonts
from gnomon.views.display import panes
from gnomon.web.access import Authenticator, Role
from gnomon.web.access.authenticator import AccessTerms
from gnomon.web.access.store import AccountStore, AccountStoreError
from gnomon.web.server.listener import PLAIN, Listener, PortError, Way
from gnomon.words import ENGLISH, Words
from gnomon_pi.drivers.protocols import DisplayDriver, DriverError
from gnomon_pi.pages.pairing_codes import FILE
from gnomon_pi.runtime.system.clock import Watch
from gnomon_pi.runtime.system.process import notify
from gnomon_pi.runtime.system.threads import BackgroundDisplay, CriticalThread
from gnomon_pi.runtime.watchdog import PERIOD
from gnomon_pi.tools.safe_mode import journal_recovery
from gnomon_pi.tools.safe_mode._page import Plight, application

JOIN: Final = 2.0  # seconds for the display's thread to end
PICTURE_TIME: Final = 5.0  # seconds for which each picture is shown

_ROWS: Final = (panes.HEIGHT - fonts.PITCH - 2) // fonts.PITCH
_TOP: Final = fonts.PITCH + 3


class SafeModeError(Exception):
    """Not even safe mode can run: it has neither a page nor a display; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class SafeModeServer:
    """What safe mode runs on; `display` opens the display, and may raise anything.

    `open_to` is what those may who have not signed in on the page, and `way` is how it is reached. The display speaks
    the language of `words`.
    """

    why: Statement
    state: Path
    page: tuple[str, int] | None
    display: Callable[[], DisplayDriver | None]
    watch: Watch
    version: str
    notify_socket: str | None = None
    open_to: Role = Role.SPECTATOR
    way: Way = PLAIN
    words: Words = ENGLISH


async def run(refuge: SafeModeServer, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
    """Show what is the matter until told to stop; `ready` is given the address of the page, or nothing without one.

    Raises SafeModeError.
    """
    remarks: list[Statement] = []
    display = _display(refuge, remarks)
    page = _page(refuge, remarks)
    if display is None and page is None:
        raise SafeModeError(" ".join(clause(told, refuge.words) for told in (refuge.why, *remarks)))
    journals = [journal_recovery.look_at(path) for path in journal_recovery.journals(refuge.state)]
    remarks += [found.remark for found in journals if found.remark is not None]
    address = "" if page is None else page.address
    work: list[Coroutine[Any, Any, None]] = [_feed(refuge.notify_socket)]
    if page is not None:
        work.append(_serve(page, refuge, remarks, journals))
    if display is not None:
        page_is = [statement("safe.oled.page", address=address)] if address else []
        advice = [statement("safe.oled.do"), *remarks, *page_is]
        work.append(_show(BackgroundDisplay(display), pictures(refuge.why, advice, refuge.words)))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in work]
        ready(address)
        await stop.wait()
        for task in tasks:
            task.cancel()


def _display(refuge: SafeModeServer, remarks: list[Statement]) -> DisplayDriver | None:
    try:
        return refuge.display()
    except Exception as error:  # noqa: BLE001 - whatever is broken, the page still has to come and say so
        remarks.append(statement("safe.display", detail=str(error).rstrip(".")))
        return None


async def _serve(
    page: Listener, refuge: SafeModeServer, remarks: list[Statement], journals: Sequence[journal_recovery.FoundJournal]
) -> None:
    """Serve the page, with people as they are known on the other pages."""
    with ExitStack() as stack:
        store = _people(refuge.state, remarks)
        stack.callback(store.close)
        copies = _folder_for_copies(refuge.state, stack)
        plight = Plight(refuge.why, remarks, journals, refuge.version, copies)
        await page.listen(
            application(plight, page.hosts, Authenticator(store, refuge.watch, AccessTerms(refuge.open_to)))
        )


def _people(state: Path, remarks: list[Statement]) -> AccountStore:
    """Who may do what; nobody anything where the file is not there or cannot be read."""
    file = state / FILE
    try:
        return AccountStore.open(file) if file.exists() else AccountStore.in_memory()
    except AccountStoreError as error:
        remarks.append(error.statement)
        return AccountStore.in_memory()


def _folder_for_copies(state: Path, stack: ExitStack) -> Path | None:
    """A folder on the disk of the journals, since /tmp may be memory; None where none can be made."""
    try:
        return Path(stack.enter_context(TemporaryDirectory(prefix="copies-", dir=state)))
    except OSError:
        return None


def _page(refuge: SafeModeServer, remarks: list[Statement]) -> Listener | None:
    if refuge.page is None:
        return None
    try:
        refuge.way.check()
        way = refuge.way
    except PortError as error:  # the very reason, maybe, why the board does not run
        remarks += [error.statement, statement("safe.plain")]
        way = PLAIN
    try:
        return Listener(*refuge.page, way)
    except PortError as error:
        remarks.append(error.statement)
        return None


async def _feed(address: str | None) -> None:
    while True:
        await asyncio.sleep(PERIOD)
        notify(address, "WATCHDOG=1")


async def _show(display: BackgroundDisplay, pictures: Sequence[Image.Image]) -> None:
    """Show the pictures in turn; a display that does not answer is asked again at the next one."""
    thread = CriticalThread("display", display.work)
    try:
        for picture in cycle(pictures):
            with suppress(DriverError):
                display.show(picture)
            await asyncio.sleep(PICTURE_TIME)
    finally:
        thread.stop()
        display.wake()
        thread.join(JOIN)
        display.close()


# What the display shows


def pictures(why: Statement, advice: Sequence[Statement], words: Words = ENGLISH) -> Sequence[Image.Image]:
    """Every picture in its order: the reason in as many as it needs, then each piece of advice in one."""
    lines = fonts.wrap(clause(why, words), panes.ROOM)
    reasons = [lines[start : start + _ROWS] for start in range(0, len(lines), _ROWS)]
    steps = [fonts.shorten(clause(told, words), panes.ROOM, _ROWS) for told in advice]
    count = len(reasons) + len(steps)
    return [
        _picture(written, words("safe.oled.title"), words("safe.oled.number", number=number, count=count))
        for number, written in enumerate([*reasons, *steps], 1)
    ]


def _picture(written: Sequence[str], title: str, right: str) -> Image.Image:
    image = Image.new("1", panes.SIZE)
    panes.headline(image, title, right, None)
    panes.lines(image, written, _TOP)
    return image
