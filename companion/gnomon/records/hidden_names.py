"""Hide the names of forgotten people in what is read from a journal, for everything that is shown or made of it.

The journal itself is chained and stays as it was written. Without the names a game is not what its links speak for: its
records come without them, so that a bundle that is made of them carries no chain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gnomon.people.register import Register, hides_any, mask_names
from gnomon.records.entries import Record, StoredGame

_WHO = "who"


def hide_in_game(stored: StoredGame, register: Register) -> StoredGame:
    """The game with the pseudonyms of those who are forgotten; the same one where nobody is."""
    names = stored.start.players
    if not hides_any(names.values(), register):
        return stored
    return replace(stored, start=replace(stored.start, players=mask_names(names, register)))


def hide_in_records(stored: StoredGame, records: Sequence[Record], register: Register) -> Sequence[Record]:
    """The records of a game, named as its beginning is shown; without links where a name is hidden."""
    entered = {str(record.entry.body[_WHO]) for record in records if isinstance(record.entry.body.get(_WHO), str)}
    if not hides_any((*stored.start.players.values(), *entered), register):
        return records
    return [
        Record(record.seq, replace(record.entry, body=_hide(record.entry.body, register)), ends=record.ends)
        for record in records
    ]


def _hide(body: Mapping[str, object], register: Register) -> Mapping[str, object]:
    who = body.get(_WHO)
    return {**body, _WHO: register.mask(who)} if isinstance(who, str) else body
