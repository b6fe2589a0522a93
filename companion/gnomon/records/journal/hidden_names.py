"""Hide the names of forgotten people in what is read from a journal, for everything that is shown or made of it.

The journal itself is chained and stays as it was written. Without the names a game is not what its links speak for: its
records come without them, so that a bundle that is made of them carries no chain.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gnomon.people.register import Register, RegisterError, hides_any, mask_names
from gnomon.records.journal.entries import Archive, Record, StoredGame
from gnomon.records.journal.people_file import PeopleFile
from gnomon.records.journal.store import JournalError

_WHO: Final = "who"
_NAMES: Final = (_WHO, "name")
_NAMED: Final = "player_named"
"""The event that says who plays at another board."""


class MaskedArchive:
    """Written games without the names of forgotten people. Raises JournalError as the archive behind it does.

    Where the decisions about people cannot be read, no game is: a name that should be hidden may be in it.
    """

    def __init__(self, archive: Archive, people: PeopleFile) -> None:
        self._archive = archive
        self._people = people

    def games(self) -> Sequence[StoredGame]:
        """Every game, oldest first."""
        register = self._register()
        return [hide_in_game(game, register) for game in self._archive.games()]

    def last_game(self) -> StoredGame | None:
        """The game that was written about last."""
        last = self._archive.last_game()
        return None if last is None else hide_in_game(last, self._register())

    def read(self, game: int) -> Sequence[Record]:
        """The records of one game."""
        register, records = self._register(), self._archive.read(game)
        if not register.forgotten:
            return records
        stored = next((one for one in self._archive.games() if one.id == game), None)
        return records if stored is None else hide_in_records(stored, records, register)

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How each game from number `first` on was ruled to have ended last, up to entry `last`."""
        return self._archive.endings(first, last)

    def cut_off(self) -> Collection[int]:
        """The games that have not ended of which a damaged journal lost the end."""
        return self._archive.cut_off()

    def _register(self) -> Register:
        try:
            return self._people.register()
        except RegisterError as error:
            raise JournalError(error.statement) from error


def hide_in_game(stored: StoredGame, register: Register) -> StoredGame:
    """The game with the pseudonyms of those who are forgotten; the same one where nobody is."""
    if not hides_any(stored.players.values(), register):
        return stored
    start = replace(stored.start, players=mask_names(stored.start.players, register))
    return replace(stored, start=start, guests=mask_names(stored.guests, register))


def hide_in_records(stored: StoredGame, records: Sequence[Record], register: Register) -> Sequence[Record]:
    """The records of a game, named as its beginning is shown; without links where a name is hidden."""
    entered = {str(record.entry.body[key]) for record in records for key in _NAMES if _is_name(record.entry.body, key)}
    if not hides_any((*stored.start.players.values(), *entered), register):
        return records
    return [
        Record(record.seq, replace(record.entry, body=_hide(record.entry.body, register)), ends=record.ends)
        for record in records
    ]


def _hide(body: Mapping[str, object], register: Register) -> Mapping[str, object]:
    return {**body, **{key: register.mask(str(body[key])) for key in _NAMES if _is_name(body, key)}}


def _is_name(body: Mapping[str, object], key: str) -> bool:
    """Whether an entry has the name of somebody under a key."""
    return isinstance(body.get(key), str) and (key == _WHO or body.get("event") == _NAMED)
