"""Keep uploaded entrant lists in memory until the director confirms them."""

import secrets
from collections import OrderedDict
from typing import Final, NamedTuple

from gnomon.tournament.events import EntrantRegistered, PersonTold

KEPT: Final = 16
"""Uploads that wait; the oldest is forgotten first, and is uploaded again."""


class Upload(NamedTuple):
    """The entrants of a file that was read for a tournament, and what it knows of them besides."""

    tournament: str
    file: str
    registrations: tuple[EntrantRegistered, ...]
    persons: tuple[PersonTold, ...] = ()


class Uploads:
    """Uploads by names that nobody guesses."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Upload] = OrderedDict()

    def keep(self, upload: Upload) -> str:
        """Keep one; by what it is asked for."""
        name = secrets.token_urlsafe(12)
        self._kept[name] = upload
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return name

    def of(self, name: str, tournament: str) -> Upload | None:
        """One for a tournament; None where there is none."""
        found = self._kept.get(name)
        return found if found is not None and found.tournament == tournament else None

    def drop(self, name: str) -> None:
        """Keep one no longer."""
        self._kept.pop(name, None)
