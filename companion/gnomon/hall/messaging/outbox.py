"""Decide which journal records a board sends to its hall next, and when it sends them again.

The journal is the outbox: nothing is copied, and what has been sent is forgotten once the hall has acknowledged it as
durable. Records go out in order, a few batches ahead of the acknowledgement. When that does not come, they are sent
again from the last acknowledged record: possibly more than once, never permanently out of order, never with a gap.

On every connection the last record that the hall has goes first: if the hall has another record under that number,
the board's card is a copy whose journal has diverged, and nothing may be added to a journal that two cards write.
Until the hall has gone on from what was sent on the connection, one batch is under way at a time, and each begins with
that record: batches may reach different recorders of a hall, and each of them is to see a copy for what it is.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gnomon.hall.messaging.messages import BATCH, Ack, Ask
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after

WINDOW: Final = 4
"""Batches that may be under way; one alone after the hall has been silent, for it may be away."""
SOONEST: Final = Duration(1500 * MILLISECOND)
LATEST: Final = Duration(5 * SECOND)
"""A batch without a word from the hall is sent again so much later: sooner the first time, by chance between them."""
ONCE_ASKED: Final = SECOND
"""For so long an asking for what is being sent again changes nothing: batches that came in another order are on their
way, and every one of them makes the hall ask."""


class Span(NamedTuple):
    """Records by their numbers, both included."""

    first: int
    last: int


class Rewound(NamedTuple):
    """From which record on the hall asked to be sent everything again, and when."""

    first: int
    at: Instant


@dataclass(frozen=True, slots=True)
class Outbox:
    """What the hall has of a journal, and what is on its way there. `last` is the last durable record.

    `mark`: the hall has everything up to it; `sent`: everything up to it is on its way, in `batches` of which each
    number is the last record. `chance` below is a number from 0 up to 1: a thousand boards are not to speak at once.
    """

    epoch: str
    last: int = 0
    mark: int = 0
    sent: int = 0
    batches: tuple[int, ...] = ()
    is_connected: bool = False
    is_greeted: bool = False  # the hall has said what it has since the connection is there
    is_proven: bool = False  # and has gone on from there with what was sent: its journal is this one
    silences: int = 0  # how often in a row it did not say that it has what was sent
    again_at: Instant | None = None
    rewound: Rewound | None = None  # the last time it was asked to go back

    @property
    def waiting(self) -> int:
        """How many records the hall does not have yet."""
        return max(0, self.last - self.mark)

    @property
    def is_answered(self) -> bool:
        """Whether the hall has said that it has everything, or has not been silent yet."""
        return self.silences == 0

    def deadline(self) -> Instant | None:
        """When `wake` has something to do."""
        return self.again_at

    # What happens

    def extend(self, last: int) -> "Outbox":
        """The journal has durable records up to `last`."""
        return replace(self, last=max(self.last, last))

    def connect(self) -> "Outbox":
        """A connection is there: what was on its way may have been lost with the one before."""
        sent = max(0, self.mark - 1)
        fresh = replace(self, is_connected=True, is_greeted=False, is_proven=False, sent=sent, batches=())
        return replace(fresh, silences=0, again_at=None, rewound=None)

    def disconnect(self) -> "Outbox":
        """The connection was lost, or takes no more."""
        return replace(self, is_connected=False, again_at=None)

    def is_behind(self, ack: Ack) -> bool:
        """Whether the hall has more records of this epoch than there are: the journal is an old copy of itself."""
        return ack.epoch == self.epoch and ack.through > self.last

    def acknowledge(self, ack: Ack, now: Instant, chance: float) -> "Outbox":
        """The hall said what it has. Its first word on a connection counts even if it has less than it had.

        One that was silent, and says what it had said before, is there again: what was on its way is lost.
        """
        if ack.epoch != self.epoch or ack.through > self.last:
            return self
        if not self.is_greeted and ack.through < self.mark:
            return replace(self._back_to(ack.through), is_greeted=True)
        is_proven = self.is_proven or (self.is_greeted and ack.through > self.mark and ack.through in self.batches)
        greeted = replace(self, is_greeted=True, is_proven=is_proven)
        batches = tuple(last for last in self.batches if last > ack.through)
        if ack.through <= self.mark:
            was_away = ack.through == self.mark and not self.is_answered
            if was_away:
                return replace(greeted, sent=self.mark, batches=(), silences=0, again_at=None)
            return replace(greeted, batches=batches, again_at=self.again_at if batches else None)
        again_at = after(now, patience(0, chance)) if batches else None
        sent = max(self.sent, ack.through if self.is_greeted else ack.through - 1)
        return replace(greeted, mark=ack.through, sent=sent, batches=batches, silences=0, again_at=again_at)

    def resend(self, ask: Ask, now: Instant) -> "Outbox":
        """The hall lacks records: they go out again, and everything after them."""
        if ask.epoch != self.epoch or not 1 <= ask.first <= min(ask.last, self.sent):
            return self
        if self.rewound is not None and ask.first >= self.rewound.first and now < self.rewound.at + ONCE_ASKED:
            return self
        return replace(self._back_to(ask.first - 1), rewound=Rewound(ask.first, now))

    def wake(self, now: Instant) -> "Outbox":
        """Time has come to `now`: without a word from the hall everything on its way goes out again."""
        if self.again_at is None or now < self.again_at:
            return self
        return replace(self, sent=self.mark, batches=(), silences=self.silences + 1, again_at=None)

    # What to do

    def due(self) -> Span | None:
        """The records to send now, at most a batch; None while there are none, or the hall has to speak first."""
        width = WINDOW if self.is_answered and self.is_proven else 1
        if not self.is_connected or self.sent >= self.last or len(self.batches) >= width:
            return None
        sent = self.sent if self.is_proven else min(self.sent, max(0, self.mark - 1))
        return Span(sent + 1, min(sent + BATCH, self.last))

    def went_out(self, last: int, now: Instant, chance: float) -> "Outbox":
        """What was due went out, as far as record `last`."""
        again_at = self.again_at or after(now, patience(self.silences, chance))
        return replace(self, sent=last, batches=(*self.batches, last), again_at=again_at)

    def _back_to(self, mark: int) -> "Outbox":
        sent = min(self.sent, mark)
        batches = tuple(last for last in self.batches if last <= sent)
        again_at = self.again_at if batches else None
        return replace(self, mark=min(self.mark, mark), sent=sent, batches=batches, again_at=again_at)


def patience(silences: int, chance: float) -> Duration:
    """How long to wait for the hall's word after so many times without one; `chance` from 0 up to 1."""
    longest = min(LATEST, SOONEST << min(silences + 1, 2))
    return Duration(SOONEST + round((longest - SOONEST) * chance))
