"""Decide how a recorder handles the records of boards: what to store, and what to acknowledge once it is durable.

Any number of recorders share the records of a hall, as the broker hands them out at random; a hub looks after
everything else. So a recorder knows nothing of a journal but what the database says each time: it keeps what comes,
in whatever order, and acknowledges how far the journal is there without a gap. It asks for nothing: what is missing is
most often with another recorder, and boards send again what nobody acknowledges.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from gnomon.hall.hub._record_queue import WaitingRecords
from gnomon.hall.hub.hub import (
    CONFLICT,
    COUNT,
    CROWD,
    EVERYBODY,
    FOREIGN,
    LET_GO,
    MALFORMED,
    OVERSIZED,
    UNKNOWN,
    HubTerms,
    Send,
)
from gnomon.hall.messaging import decoder, messages
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.topic_filters import shared_pattern
from gnomon.hall.store.records import Key, Saved, WriteBatch
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

GROUP: Final = "gnomon-recorders"
"""The group that shares the records of a hall."""
_REST: Final = Duration(60 * SECOND)


class Recorder:
    """What a recorder knows and has to do. Used by one thread."""

    patterns: Final = (messages.Topic.STATUS.of_all, shared_pattern(messages.Topic.RECORDS.of_all, GROUP))
    """What it hears. Each recorder hears who speaks at every board, in the order in which the board says so."""

    def __init__(self, terms: HubTerms = EVERYBODY, now: Instant = Instant(0)) -> None:
        self.refused: Counter[str] = Counter()
        self.kept = 0
        """How many records were new, since the start."""
        self._terms = terms
        self._waiting = WaitingRecords()
        self._sessions: dict[str, str] = {}
        self._others: dict[Key, str] = {}  # the session whose journal is not the one that is kept
        self._uncounted: Counter[str] = Counter()
        self._counted = now

    # What comes

    def take(self, message: Message, _now: Instant) -> None:
        """A message came: what is none is counted and dropped."""
        try:
            board, kind = messages.parse_topic(message.topic)
        except messages.MessageError:
            self._refuse(FOREIGN)
            return
        if not message.payload:
            return
        if self._terms.enrolled is not None and not self._terms.enrolled(board):
            self._refuse(UNKNOWN)
        elif len(message.payload) > messages.LARGEST:
            self._refuse(OVERSIZED)
        else:
            try:
                if kind is messages.Topic.STATUS:
                    self._came(decoder.status(message.topic, message.payload))
                elif kind is messages.Topic.RECORDS:
                    self._hold(decoder.records(message.topic, message.payload))
            except messages.MessageError:
                self._refuse(MALFORMED)

    def on_connect(self) -> None:
        """The bus is there (again): the boards send again what was lost with it."""

    def forget(self, board: str) -> None:
        """A board does not come any more."""
        self._sessions.pop(board, None)

    def count_dropped(self, what: str, count: int) -> None:
        """Something was not even taken on, so many times."""
        self._refuse(what, count)

    # What is to be written, and what follows once it is durable

    def pile(self, wall: str, now: Instant) -> WriteBatch:
        """What is to be written down now; it stays here until `commit`."""
        refused = dict(self._uncounted) if now - self._counted >= COUNT else {}
        return WriteBatch(self._waiting.first(), refused=refused, wall=wall)

    def commit(self, pile: WriteBatch, saved: Saved, now: Instant) -> list[Send]:
        """A pile is durable: forget it, and acknowledge it."""
        self._waiting.drop(pile.records)
        self.kept += saved.added
        if pile.refused:
            self._uncounted -= Counter(pile.refused)
            self._counted = now
        for conflict in saved.conflicts:
            self._refuse(CONFLICT)
            if session := self._sessions.get(conflict.key.board):
                self._others[conflict.key] = session
        return list(self._acknowledge(saved))

    def due(self, _now: Instant) -> list[Send]:
        """Nothing: a recorder speaks only of what it has just kept."""
        return []

    def deadline(self) -> Instant:
        """When there is something to be written that nothing else brings up."""
        return after(self._counted, COUNT if self._uncounted else _REST)

    def take_changed(self) -> frozenset[str]:
        """No board: nobody looks at a recorder."""
        return frozenset()

    def hears(self, _topic: str) -> bool:
        """Recorders share everything."""
        return True

    def watch(self, _boards: Sequence[str], _now: Instant) -> list[Send]:
        """Nobody looks at boards through a recorder."""
        return []

    def take_recorded(self) -> bool:
        """Nothing that others have kept concerns a recorder."""
        return False

    # Private

    def _came(self, status: messages.Status) -> None:
        if not status.online:
            return
        if status.board not in self._sessions and len(self._sessions) >= self._terms.most:
            self._refuse(CROWD)
        else:
            self._sessions[status.board] = status.session

    def _hold(self, records: messages.Records) -> None:
        key = Key(records.board, records.epoch)
        if not self._waiting.has_room(records):
            self._refuse(LET_GO)
        elif not self._waiting.is_journal(key):
            self._refuse(CROWD)
        elif key in self._others and self._others[key] == self._sessions.get(key.board):
            self._refuse(CONFLICT)  # until it has heard that it is to take another epoch
        else:
            self._waiting.add(records)

    def _acknowledge(self, saved: Saved) -> Iterator[Send]:
        for key, through in saved.marks.items():
            ack = messages.Ack(key.epoch, through, self._others.get(key, ""))
            yield Send(messages.Topic.ACK.of(key.board), messages.encode(ack), retain=True)

    def _refuse(self, what: str, count: int = 1) -> None:
        self.refused[what] += count
        self._uncounted[what] += count
