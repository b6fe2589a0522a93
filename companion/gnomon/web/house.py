"""The only place that says what the pages are given by whoever serves them."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from gnomon.web.access import Door, Visitor
from gnomon.web.limits import Allowance
from gnomon.web.live import Archive, LiveBoard
from gnomon.web.shelf import Shelf
from gnomon.web.streams import Readers

Wait = Callable[[float], Awaitable[None]]
"""Lets a number of seconds pass."""


@dataclass(frozen=True, slots=True)
class House:
    """What the pages are about: a board, the games that were written down, and the names of this machine.

    `simulated` is the address of the bench where the board is in software and can be played on, or None. `door` knows
    who may do what, `readers` are those of all streams, and `allowance` is how much anybody may
    ask, None without limit; written games are read on the `shelf`.
    """

    board: LiveBoard
    archive: Archive
    hosts: Collection[str] = ()
    simulated: str | None = None
    wait: Wait = asyncio.sleep
    door: Door = field(default_factory=Door.closed)
    readers: Readers = field(default_factory=Readers)
    allowance: Allowance | None = None
    shelf: Shelf = field(default_factory=Shelf)

    def board_for(self, visitor: Visitor) -> LiveBoard:
        """The board as somebody may see it now."""
        del visitor  # all see the same
        return self.board

    def archive_for(self, visitor: Visitor) -> Archive:
        """The games as somebody may see them now."""
        del visitor  # all see the same
        return self.archive
