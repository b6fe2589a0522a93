"""Define the dependencies of a hall's pages: hall, access, stream readers, limits and names."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from gnomon.hall.hall import Hall
from gnomon.web.access import Authenticator
from gnomon.web.app_context import Wait
from gnomon.web.live.streams import Readers
from gnomon.web.middleware.limits import Allowance
from gnomon.web.server.workers import Shelf

AT_MOST = 400
"""Readers at a time: every one of them costs a descriptor, as every connection does."""
AT_MOST_OF_ONE = 120
"""Readers at one address: all walls and telephones of a club may stand behind one router."""


@dataclass(frozen=True, slots=True)
class HallContext:
    """What the pages are about: a hall, and the names of this machine; the rest as in `gnomon.web.app_context.House`.

    `name` is how the hall is called; `demonstrated` is how many of its boards are played by this program itself.
    In the folder `data` pages keep what can be made again. `is_alone` where no other machine reaches the pages.
    """

    hall: Hall
    hosts: Collection[str] = ()
    name: str = ""
    demonstrated: int = 0
    wait: Wait = asyncio.sleep
    door: Authenticator = field(default_factory=Authenticator.without_accounts)
    readers: Readers = field(default_factory=lambda: Readers(AT_MOST, AT_MOST_OF_ONE))
    allowance: Allowance | None = None
    shelf: Shelf = field(default_factory=Shelf)
    address: Callable[[], str] = str
    data: Path | None = None
    is_alone: bool = False
