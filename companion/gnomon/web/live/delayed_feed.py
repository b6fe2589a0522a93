"""Show spectators the board and the recorded games with a fixed delay.

Games are immutable values: those of the last minutes are kept, and a spectator's request is answered from the one
that stood `delay` seconds ago. Recorded games are cut at the entry that was the last one then.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from gnomon.records.journal.entries import Archive, Record, StoredGame
from gnomon.records.journal.store import JournalError
from gnomon.referee.game import Game
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import SECOND, Instant
from gnomon.web.live.interfaces import LiveBoard, LookingOn

SPACING: Final = 0.1  # seconds; spectators hear of no more than ten changes a second
BEAT: Final = 1.0  # seconds; and at least once in each
_RENEWED: Final = 10.0
"""Seconds after which an unchanged board is noted again: board time and the loop's clock may drift apart."""


class GrowingArchive(Archive, Protocol):
    """Written games that are being written; the numbers of their entries rise by one."""

    @property
    def durable_seq(self) -> int:
        """The number of the last entry that can be read."""
        ...


class Sample(NamedTuple):
    """What was true at one moment of the loop's clock, and what had been written by then."""

    seen: float
    now: Instant
    game: Game | None
    health: tuple[Statement, ...]
    last: int
    games: tuple[StoredGame, ...]
    is_demonstrated: bool


_NOTHING: Final = Sample(0.0, Instant(0), None, (), 0, (), is_demonstrated=False)


class DelayedFeed:
    """What a board showed `delay` seconds ago; to be used in one loop, in which `follow` runs meanwhile.

    Until it has followed the board for so long nothing is known of that time, and nothing is shown: neither a game nor
    what was written before.
    """

    def __init__(
        self,
        board: LiveBoard,
        archive: GrowingArchive,
        delay: float,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] | None = None,
    ) -> None:
        """`delay` in seconds; `now` answers seconds of a monotonic clock, the loop's own unless told."""
        self.delay: Final = delay
        self._live = board
        self._archive = archive
        self._now = now or _loop_time
        self._board = DelayedBoard(self, board, wait)
        self._shown = _NOTHING
        self._samples: deque[Sample] = deque()  # those that will be shown
        self._games: tuple[StoredGame, ...] = ()
        self._known = object()  # of the game whose beginning or end was last looked up

    async def follow(self) -> None:
        """Keep what the board shows, for good. Raises what ends the board's news."""
        async for _ in self._live.changes():
            await self._look_at_games()
            self._keep()
            self.advance()

    def advance(self) -> None:
        """Show what was true `delay` seconds ago; what came later stays unseen."""
        while self._samples and self._samples[0].seen <= self.then:
            self._shown = self._samples.popleft()

    @property
    def board(self) -> "DelayedBoard":
        """The board as it was, the same object at every moment."""
        self.advance()
        return self._board

    @property
    def archive(self) -> "DelayedArchive":
        """The written games as they stood."""
        self.advance()
        return DelayedArchive(self._archive, self._shown)

    @property
    def then(self) -> float:
        """The moment that is shown, on the loop's clock."""
        return self._now() - self.delay

    @property
    def sample(self) -> Sample:
        """What is shown, of one moment until the loop goes on."""
        return self._shown

    def next_change(self) -> float:
        """In how many seconds something else will be shown, as far as is known."""
        return (self._samples[0].seen if self._samples else self._now()) - self.then

    async def _look_at_games(self) -> None:
        """Read the list of games again when one has begun, ended or been taken up again."""
        game, last = self._live.game(), self._samples[-1] if self._samples else self._shown
        known = None if game is None else (game.rules.name, game.people, game.outcome, game.adjourned)
        if known == self._known and self._live.now() >= last.now:
            return
        with suppress(JournalError):  # then the next change tries again
            self._games = tuple(await asyncio.to_thread(self._archive.games))
            self._known = known

    def _keep(self) -> None:
        live = self._live
        sample = Sample(
            self._now(),
            live.now(),
            live.game(),
            live.health(),
            self._archive.durable_seq,
            self._games,
            is_demonstrated=live.is_demonstrated,
        )
        last = self._samples[-1] if self._samples else self._shown
        is_known = sample.game is last.game and sample[3:] == last[3:] and sample.seen - last.seen < _RENEWED
        if last is _NOTHING or not is_known:
            self._samples.append(sample)


class DelayedBoard(LookingOn):
    """A board as it was, to look at: a LiveBoard at which nothing can be entered."""

    refusal = statement("told.board.delayed")

    def __init__(self, past: DelayedFeed, board: LiveBoard, wait: Callable[[float], Awaitable[None]]) -> None:
        self._past = past
        self._board = board
        self._wait = wait

    @property
    def games(self) -> Sequence[str]:
        """The games that can be started here."""
        return self._board.games

    @property
    def buttons(self) -> Sequence[str]:
        """The inputs of the board's buttons."""
        return self._board.buttons

    def now(self) -> Instant:
        """Board time then, in microseconds; 0 without a game."""
        shown = self._past.sample
        return shown.now if shown.game is None else Instant(shown.now + round((self._past.then - shown.seen) * SECOND))

    def game(self) -> Game | None:
        """The game as it stood then, None when there was none or nothing is known of that time."""
        return self._past.sample.game

    def health(self) -> tuple[Statement, ...]:
        """What was wrong then with the machine."""
        return self._past.sample.health

    @property
    def replay(self) -> int:
        """The number of the game that stood there then."""
        shown = self._past.sample
        return shown.games[-1].id if shown.game is not None and shown.games else 0

    @property
    def is_demonstrated(self) -> bool:
        """Whether hands in software showed a game then."""
        return self._past.sample.is_demonstrated

    def notices(self) -> tuple[Statement, ...]:
        """Nothing: nobody sits at the board as it was."""
        return ()

    async def changes(self) -> AsyncIterator[None]:
        """Yield at once, when something else is to be shown, and at least each second.

        It follows a clock of its own: when the board itself changes must not be seen.
        """
        while True:
            self._past.advance()
            yield
            await self._wait(max(SPACING, min(BEAT, self._past.next_change())))


class DelayedArchive:
    """The written games as they stood at one moment; safe to call from any thread."""

    def __init__(self, archive: Archive, sample: Sample) -> None:
        self._archive = archive
        self._sample = sample

    def games(self) -> Sequence[StoredGame]:
        """Every game that had begun then; one that ended later goes on."""
        return self._sample.games

    def last_game(self) -> StoredGame | None:
        """The game that had begun last."""
        return self._sample.games[-1] if self._sample.games else None

    def read(self, game: int) -> Sequence[Record]:
        """What had been written then of one game."""
        return tuple(record for record in self._archive.read(game) if record.seq <= self._sample.last)

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How each game had been ruled to have ended then."""
        return self._archive.endings(first, self._sample.last if last is None else min(last, self._sample.last))

    def cut_off(self) -> Collection[int]:
        """The games of which the journal has lost the end by now."""
        return self._archive.cut_off()


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
