"""Schedule the evaluation of board results: for new records, after a failure, and at intervals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from gnomon.hall.rounds.result_entry import Scope
from gnomon.hall.store.records import Noted
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

AGAIN: Final = Duration(5 * SECOND)
"""After results could not be judged: then everything is."""
LOOK: Final = Duration(5 * SECOND)
"""How often it is looked whether another program has told a book something, or kept what counts and not judged it."""
HEAR: Final = Duration(SECOND // 4)
"""How often at most it is looked what recorders have kept, when they say that they have."""


class Judge(Protocol):
    """What follows from new records beside their being kept: results. Every method raises StoreError."""

    def process(self, noted: Sequence[Noted]) -> Iterable[str]:
        """Do what follows; the tournaments in which something has changed."""
        ...

    def again(self, scopes: Iterable[Scope]) -> Iterable[str]:
        """Do what follows from what is kept for something; the tournaments that it is about."""
        ...

    def process_all(self) -> Iterable[str]:
        """Do what follows from everything that is kept: after a start, or a failure."""
        ...

    def process_changed(self) -> Iterable[str]:
        """See whether others have told a book something; the tournaments in which they have."""
        ...


class JudgingTask(NamedTuple):
    """What is to be judged at once; `noted` is None for everything, and `looks` whether books are to be looked at.

    `hears`: recorders have kept something, of which the database says whether it counts.
    """

    noted: tuple[Noted, ...] | None = ()
    scopes: frozenset[Scope] = frozenset()
    looks: bool = False
    hears: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be done."""
        return self == _NOTHING

    def and_also(self, noted: Sequence[Noted]) -> "JudgingTask":
        """The task with what a transaction has brought."""
        return self if self.noted is None else self._replace(noted=(*self.noted, *noted))

    def done_by(self, judge: Judge) -> frozenset[str]:
        """Do it; the tournaments in which something has changed. Raises StoreError."""
        changed: set[str] = set()
        if self.noted is None:
            changed.update(judge.process_all())
        elif self.noted:
            changed.update(judge.process(self.noted))
        if self.scopes:
            changed.update(judge.again(self.scopes))
        if self.looks:
            changed.update(judge.process_changed())
        return frozenset(changed)


_NOTHING: Final = JudgingTask()
_NEVER: Final = Instant(1 << 62)


@dataclass(slots=True)
class Agenda:
    """What waits to be judged; at first everything does."""

    _task: JudgingTask = field(default_factory=lambda: JudgingTask(None))
    _judge_at: Instant = Instant(0)
    _look_at: Instant = Instant(0)
    _hear_at: Instant = Instant(0)
    _has_heard: bool = False

    def hear(self) -> None:
        """Recorders have kept something."""
        self._has_heard = True

    def deadline(self) -> Instant:
        """When what was heard is to be looked at; far off when nothing was."""
        return max(self._hear_at, self._judge_at) if self._has_heard else _NEVER

    def add(self, *scopes: Scope) -> None:
        """Something is to be judged again, and books are to be looked at."""
        self._task = self._task._replace(scopes=self._task.scopes | {*scopes})
        self._look_at = Instant(0)

    def take(self, now: Instant) -> JudgingTask:
        """What is to be judged now; empty after a failure, for a while."""
        if now < self._judge_at:
            return _NOTHING
        hears = self._has_heard and now >= self._hear_at
        task = self._task._replace(looks=now >= self._look_at, hears=hears)
        self._task = _NOTHING
        if hears:
            self._has_heard, self._hear_at = False, after(now, HEAR)
        if task.looks:
            self._look_at = after(now, LOOK)
        return task

    def on_failure(self, now: Instant) -> None:
        """Nothing is known of what was judged: everything is judged again, some time later."""
        self._task = self._task._replace(noted=None)
        self._judge_at = after(now, AGAIN)

    def on_loss(self) -> None:
        """Nothing is known of what a transaction has brought: everything is judged again."""
        self._task = self._task._replace(noted=None)
