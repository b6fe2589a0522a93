"""Extract from a game's journal how long after its event each ruling was decided.

An entry holds the board time on which it rests and the wall time, to the millisecond, at which it was decided. Both
start with the game; rulings made after a restart of the daemon are left out, because then they no longer do.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from gnomon.records.entries import Kind, Record
from gnomon.records.event_codec import BEGUN, NOTE
from gnomon.records.files import stored_game
from gnomon.timekeeping.instants import SECOND
from gnomon_pi.tools.accuracy.answers import Answers

_BY_TIME: Final = frozenset({"stopped", "lost"})
_BY_HANDS: Final = frozenset({"turn", "illegal", "timer15"})
_LONGEST: Final = 10 * SECOND  # beyond that the wall clock was set, or the referee waited for people


def answers_in(path: Path) -> Answers:
    """What the last game of a journal tells; the daemon may be running. Raises JournalError."""
    _, records = stored_game(path, None)
    return answers_of(records)


def answers_of(records: Sequence[Record]) -> Answers:
    """How late each ruling was decided, by hands and by time, up to where the daemon was started anew."""
    touches: list[int] = []
    expiries: list[int] = []
    began: datetime | None = None
    for entry in (record.entry for record in records):
        if entry.kind is Kind.NOTE and entry.body.get(NOTE) == BEGUN:
            began = datetime.fromisoformat(entry.wall)
        elif entry.kind is Kind.NOTE and entry.body.get(NOTE) == "resumed":
            break
        elif entry.kind is Kind.RULING and began is not None:
            late = (datetime.fromisoformat(entry.wall) - began) // timedelta(microseconds=1) - entry.at
            if 0 <= late <= _LONGEST:
                ruling = entry.body.get("ruling")
                (touches if ruling in _BY_HANDS else expiries if ruling in _BY_TIME else []).append(late)
    return Answers(tuple(touches), tuple(expiries))
