"""Track the current state of every board in a hall, and detect boards that are stale or lost.

Instants are of the hall's own monotonic clock. No board's clock is compared with it: the time that a board reports as
left is counted on from the instant at which the report arrived, and is stale when nothing has arrived for too long.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, TypeGuard

from gnomon.hall.messaging.messages import BEAT, Json, State, Status
from gnomon.numbers import natural_order
from gnomon.timekeeping.instants import SECOND, Duration, Instant

SLOWEST: Final = Duration(300 * SECOND)
"""A board that says that it tells its state more seldom is not believed."""
STALE_RESTING: Final = Duration(25 * SECOND)
"""A board at which no game is being played says so each ten seconds, or at the pace that it tells."""
_FORMER: Final = 4
"""Sessions of a board that are remembered: one of them that speaks again shows that two devices bear one name."""
_LONGEST: Final = 365 * 24 * 3600 * SECOND  # of what anybody has left
_STANDSTILL: Final = Duration(2 * SECOND)

RUNNING: Final = "running"
EMPTY: Final = "empty"
PHASES: Final = (EMPTY, "waiting", RUNNING, "paused", "question", "wrong", "over", "adjourned")
_TIME_COUNTS: Final = frozenset({RUNNING, "question", "wrong"})


class Presence(StrEnum):
    """Whether a board is there; `lost` is one that went without a goodbye."""

    UNHEARD = "unheard"
    ONLINE = "online"
    LOST = "lost"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class RegisteredBoard:
    """One board as the hall knows it.

    `told` is when its state came, None when nobody knows how old it is (it was retained); `since` is when its presence
    changed, `phase_since` when its phase did. `through` is how far the hall keeps its journal, `last` how long that
    is. `swapped`, `fought` and `stopped` are when its card was changed, when two devices spoke under its name, and
    since when its clock stands still; `refused` counts what it said and nobody could read, the last at `refused_at`;
    `conflicts` counts records that came again with other content. `version` rises with everything that changes anywhere
    in the hall.

    `delay` is by how much later spectators may see it, None while nobody knows; `public` is what they may see where
    that is something else, and `public_told` when it came.
    """

    board: str
    presence: Presence = Presence.UNHEARD
    since: Instant = Instant(0)
    status: Status | None = None
    state: State | None = None
    told: Instant | None = None
    phase_since: Instant = Instant(0)
    epoch: str = ""
    session: str = ""
    through: int = 0
    last: int = 0
    former: tuple[str, ...] = ()
    swapped: Instant | None = None
    fought: Instant | None = None
    stopped: Instant | None = None
    refused: int = 0
    refused_at: Instant | None = None
    conflicts: int = 0
    version: int = 0
    delay: Duration | None = None
    public: State | None = None
    public_told: Instant | None = None

    # What is true now

    def for_spectators(self, now: Instant) -> "RegisteredBoard":
        """The board as spectators may see it now: nothing of its games before it has said how much later they may.

        What a board has told that has gone is old enough when it has been gone for so long.
        """
        if self.delay is not None and (self.delay == 0 or self._is_gone(now, self.delay)):
            return self
        seen = self.public if self.delay else None
        through = 0 if seen is None or seen.epoch != self.epoch else min(self.through, seen.through)
        return replace(self, state=seen, told=self.public_told, through=through, last=through, stopped=None)

    @property
    def card(self) -> Json:
        """What goes on, as `gnomon.views.status_payload` says it; empty before anything was told."""
        return {} if self.state is None else self.state.card

    @property
    def phase(self) -> str:
        """How its game stands, in one of the card's words."""
        phase = self.card.get("phase")
        return phase if isinstance(phase, str) and phase in PHASES else EMPTY

    @property
    def is_online(self) -> bool:
        """Whether the board is there."""
        return self.presence is Presence.ONLINE

    @property
    def lag(self) -> int:
        """How many records of its journal the hall does not have yet."""
        return max(0, self.last - self.through)

    def age(self, now: Instant) -> Duration | None:
        """How long ago its state came; None when nobody knows."""
        return None if self.told is None else Duration(max(0, now - self.told))

    def is_stale(self, now: Instant) -> bool:
        """Whether a board that is there has told nothing for too long, so that what is shown may be wrong."""
        if not self.is_online:
            return False
        age = self.age(now)
        beat = BEAT if self.state is None else min(self.state.beat, SLOWEST)
        return age is None or age > (beat * 3 // 2 if self.phase == RUNNING else max(STALE_RESTING, beat * 5 // 2))

    def urgent(self, now: Instant) -> Duration | None:
        """The least time that runs against anybody, counted on from when it was told; None where none runs."""
        return self._counted_on(self.card.get("urgent_us"), now)

    def remaining(self, player: str, now: Instant) -> Duration | None:
        """What a player has left, counted on where it runs; None where no time decides against them."""
        for each in self.players:
            if each.get("player") == player:
                left = each.get("remaining_us")
                if each.get("running") is True:
                    return self._counted_on(left, now)
                return Duration(left) if _is_time(left) else None
        return None

    @property
    def players(self) -> tuple[Json, ...]:
        """The players as the card tells them."""
        players = self.card.get("players")
        return tuple(each for each in players if isinstance(each, dict)) if isinstance(players, list) else ()

    def board_time(self, now: Instant) -> Instant | None:
        """What the board's raw clock says now at least, None when nobody knows."""
        age = self.age(now)
        return None if age is None or self.state is None else Instant(self.state.now + age)

    def _is_gone(self, now: Instant, for_long: Duration) -> bool:
        return self.presence in (Presence.GONE, Presence.LOST) and now - self.since >= for_long

    def _counted_on(self, left: object, now: Instant) -> Duration | None:
        return Duration(max(0, left - (self.age(now) or 0))) if _is_time(left) else None


# What happens to a board


def with_status(place: RegisteredBoard, status: Status, now: Instant) -> RegisteredBoard:
    """The board said that it is there, or that it goes, or its will was published.

    A goodbye of another session than the one that speaks now came late, and says nothing.
    """
    if not status.online:
        if place.is_online and place.session not in ("", status.session):
            return place
        presence = Presence.GONE if status.goodbye else Presence.LOST
        left = _held_back(_spoken_by(place, status.session, status.epoch, now), status.delay)
        return replace(left, presence=presence, since=now, status=status)
    spoken = _present(_spoken_by(place, status.session, status.epoch, now), now)
    return _held_back(replace(spoken, status=status), status.delay)


def with_public(place: RegisteredBoard, state: State, now: Instant, *, retained: bool = False) -> RegisteredBoard:
    """The board said what spectators may see of it by now; `retained`: some time ago, nobody knows when."""
    if state.delay == 0:
        return with_state(place, state, now, retained=retained)
    before = place.public
    if before is not None and before.session == state.session and state.now < before.now:
        return place
    if retained:
        known = place if place.session else replace(place, session=state.session, epoch=state.epoch)
        if known.public_told is not None or known.session != state.session:
            return place
        return _held_back(replace(known, public=state), state.delay)
    spoken = _present(_spoken_by(place, state.session, state.epoch, now), now)
    return _held_back(replace(spoken, public=state, public_told=now), state.delay)


def with_state(place: RegisteredBoard, state: State, now: Instant, *, retained: bool = False) -> RegisteredBoard:
    """The board said what goes on now; `retained`: some time ago, nobody knows when."""
    before = place.state
    if before is not None and before.session == state.session and state.now < before.now:
        return place
    if retained:
        known = place if place.session else replace(place, session=state.session, epoch=state.epoch)
        if known.told is not None or known.session != state.session:
            return place
        seen = replace(_held_back(known, state.delay), state=state, last=max(known.last, state.through))
    else:
        spoken = _present(_spoken_by(place, state.session, state.epoch, now), now)
        stopped = _stopped_since(spoken, before, state, now)
        last = max(spoken.last, state.through)
        seen = replace(_held_back(spoken, state.delay), state=state, told=now, last=last, stopped=stopped)
    return replace(seen, phase_since=now) if before is None or seen.phase != place.phase else seen


def with_records(place: RegisteredBoard, epoch: str, last: int, now: Instant) -> RegisteredBoard:
    """The board sent records of a journal that has `last`."""
    return replace(_of_journal(place, epoch, now), last=max(place.last if place.epoch == epoch else 0, last))


def with_refused(place: RegisteredBoard, now: Instant) -> RegisteredBoard:
    """Something came under the board's name that could not be read."""
    return replace(place, refused=place.refused + 1, refused_at=now)


def with_mark(place: RegisteredBoard, epoch: str, through: int) -> RegisteredBoard:
    """The hall keeps a journal up to `through`."""
    return replace(place, through=through, last=max(place.last, through)) if epoch == place.epoch else place


def _held_back(place: RegisteredBoard, delay: Duration) -> RegisteredBoard:
    """What one message says of the delay: of one session the longest counts, whatever came late."""
    return replace(place, delay=max(place.delay or Duration(0), delay))


def _present(place: RegisteredBoard, now: Instant) -> RegisteredBoard:
    """What a live board says shows that it is there, whatever came late of an older session's will."""
    return place if place.is_online else replace(place, presence=Presence.ONLINE, since=now)


def _spoken_by(place: RegisteredBoard, session: str, epoch: str, now: Instant) -> RegisteredBoard:
    place = _of_journal(place, epoch, now)
    if session == place.session:
        return place
    fought = now if session in place.former else place.fought
    former = tuple(filter(None, (place.session, *place.former)))[:_FORMER]
    return replace(place, session=session, former=former, fought=fought, told=None, stopped=None, delay=None)


def _of_journal(place: RegisteredBoard, epoch: str, now: Instant) -> RegisteredBoard:
    if epoch == place.epoch:
        return place
    swapped = now if place.epoch else None
    return replace(place, epoch=epoch, through=0, last=0, swapped=swapped)


def _stopped_since(place: RegisteredBoard, before: State | None, state: State, now: Instant) -> Instant | None:
    """Since when the board's clock stands still, though the board goes on talking."""
    if before is None or place.told is None or before.boot != state.boot or state.now > before.now:
        return None
    if place.stopped is not None:
        return place.stopped
    return place.told if now - place.told >= _STANDSTILL else None


def _is_time(value: object) -> TypeGuard[int]:
    # What a card says has been read as JSON and no further: a number may have thousands of digits.
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LONGEST


# All boards


@dataclass(slots=True)
class Floor:
    """All boards of a hall. A change costs the same however many there are; one thread changes, any may read."""

    places: dict[str, RegisteredBoard] = field(default_factory=dict)
    version: int = 0

    def place(self, board: str) -> RegisteredBoard:
        """What is known of a board; nothing, of one that was never heard of."""
        return self.places.get(board) or RegisteredBoard(board)

    def update(self, place: RegisteredBoard) -> bool:
        """What is known of a board now; whether that is anything new."""
        if self.places.get(place.board) == place:
            return False  # nothing new was said
        self.version += 1
        self.places[place.board] = replace(place, version=self.version)
        return True

    def expect(self, boards: Iterable[str]) -> None:
        """Boards that belong to the hall have a place before they are heard of."""
        for board in boards:
            if board not in self.places:
                self.update(RegisteredBoard(board))

    def remove(self, board: str) -> None:
        """Forget a board that does not belong to the hall any more."""
        if self.places.pop(board, None) is not None:
            self.version += 1

    def changed_since(self, version: int) -> tuple[RegisteredBoard, ...]:
        """The boards that have changed since the floor had a version, the latest change last."""
        changed = [place for place in tuple(self.places.values()) if place.version > version]
        return tuple(sorted(changed, key=lambda place: place.version))


def counts(places: Iterable[RegisteredBoard], now: Instant) -> Mapping[str, int]:
    """How many boards are in each phase, and `lost`, `gone`, `unheard` and `stale`."""
    counted: dict[str, int] = {}
    for place in places:
        words = [place.phase if place.is_online else place.presence.value]
        for word in words + ["stale"] * place.is_stale(now):
            counted[word] = counted.get(word, 0) + 1
    return counted


def for_wall(places: Iterable[RegisteredBoard], now: Instant) -> list[RegisteredBoard]:
    """Boards as a wall shows them: where time is short first, then what needs somebody, then what is being played."""
    return sorted(places, key=lambda place: _rank(place, now))


SHORT: Final = Duration(60 * SECOND)
"""So little time left is time trouble."""
_ATTENTION: Final = {
    "question": 1,
    "wrong": 1,
    RUNNING: 3,
    "paused": 4,
    "waiting": 5,
    "over": 6,
    "adjourned": 7,
    EMPTY: 8,
}


def _rank(place: RegisteredBoard, now: Instant) -> tuple[int, int, tuple[object, ...]]:
    urgent = place.urgent(now) if place.is_online else None
    time = urgent if urgent is not None else 2**62
    if urgent is not None and urgent < SHORT:
        group = 0
    elif place.presence is Presence.LOST:
        group = 2 if place.phase in _TIME_COUNTS else 9
    elif place.is_online:
        group = _ATTENTION.get(place.phase, 8)
    else:
        group = 10
    return group, time, natural(place.board)


@lru_cache(maxsize=8192)
def natural(name: str) -> tuple[object, ...]:
    """A key by which `t9` comes before `t10`."""
    return tuple(_parts(name))


def _parts(name: str) -> Iterator[object]:
    for part in re.split(r"([0-9]+)", name):
        yield natural_order(part)
