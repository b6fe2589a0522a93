"""The only place that says what the pages are given by whoever serves them."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from gnomon.web.access import Door
from gnomon.web.limits import Allowance
from gnomon.web.live import Archive, LiveBoard
from gnomon.web.streams import Readers

Wait = Callable[[float], Awaitable[None]]
"""Lets a number of seconds pass."""


@dataclass(frozen=True, slots=True)
class House:
    """What the pages are about: a board, the games that were written down, and the names of this machine.

    `simulated` is the address of the bench where the board is in software and can be played on, or None. `door` knows
    who may do what, `readers` are those of all streams, and `allowance` is how much anybody may
    ask, None without limit.
    """

    board: LiveBoard
    archive: Archive
    hosts: Collection[str] = ()
    simulated: str | None = None
    wait: Wait = asyncio.sleep
    door: Door = field(default_factory=Door.closed)
    readers: Readers = field(default_factory=Readers)
    allowance: Allowance | None = None
