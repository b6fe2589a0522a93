"""Run the board's end of the hall protocol: send state, records and answers, and handle incoming messages.

All of it happens in one thread; methods that may be called from other threads only leave work for that one. What
waits is bounded: the records wait in the journal, of the state only the latest is kept, and the sender of a request
repeats it.
"""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Protocol

from gnomon.hall.messaging import decoder, messages
from gnomon.hall.messaging.bus import Bus, Message, Will
from gnomon.hall.messaging.outbox import Outbox
from gnomon.records.journal.entries import Excerpt, Record
from gnomon.records.journal.store import JournalError
from gnomon.refusals import Statement, statement
from gnomon.timekeeping.instants import MILLISECOND, SECOND, Duration, Instant, after
from gnomon.views.status_payload import card, phase
from gnomon_pi.runtime.controller import BoardSnapshot
from gnomon_pi.runtime.health import Audience, Health

SPACING: Final = SECOND
"""Between two tellings at least, whatever happens."""
BEAT: Final = messages.BEAT
"""While a game is being played, unless the hall says otherwise: after one and a half of it a board counts as stale."""
SLOWEST: Final = Duration(300 * SECOND)
"""A hall may not let a board be silent for longer."""
REST: Final = 10 * SECOND
"""While nothing goes on."""

_TIME_RUNS: Final = ("running", "question", "wrong")  # a question, or a board to be put right, stops no clock
PATIENCE: Final = 10 * SECOND
"""Without the hall before anything is said, and between two sayings in the first minute."""

_MINUTE: Final = 60
NOTICE: Final = 60 * SECOND
"""For so long a notice of the hall is shown."""
LINGER: Final = 10
"""Seconds after which a board that was lost without a word counts as gone: a network may blink."""

LONGEST: Final = 32 * 1024
"""Bytes of a message that the hall may send."""

_WAITING: Final = 256  # messages that may wait to be read
_AT_WORK: Final = 16  # wishes that may wait to be carried out
_TRY_AGAIN: Final = 250 * MILLISECOND  # after the bus would not take a message
_READ_AGAIN: Final = SECOND  # after the journal could not be read
_NEVER: Final = Instant(1 << 62)
_HALL, _NOTICE, _LOST = "hall", "notice", "journal in the hall"  # parts of the machine's health
LONGEST_BODY: Final = messages.LARGEST - 32 * 1024
"""Bytes of a record's body: the rest of a message is for its other fields and for the game that it belongs to."""
COMFORTABLE: Final = 64 * 1024
"""Bytes of a message with more than one record: one message is not to hold everything else up on a slow network."""


# When there is something to tell


@dataclass(slots=True)
class Telemetry:
    """What is to be told of a board, and when; instants of the raw clock."""

    shown: BoardSnapshot
    confirmed: tuple[str, ...] = ()
    has_changed: bool = True
    told_at: Instant | None = None
    told_phase: str = ""
    beat: Duration = BEAT
    hurry: tuple[Duration, Instant] | None = None  # a pace, and until when it goes before the other

    def take(self, shown: BoardSnapshot, confirmed: tuple[str, ...]) -> None:
        """What is shown now has changed; what was not told of before is not told of any more."""
        self.shown, self.confirmed, self.has_changed = shown, confirmed, True

    def request(self) -> None:
        """Somebody may not know it: tell it soon."""
        self.has_changed = True

    def again(self) -> None:
        """Nobody remembers what was told: tell it at once."""
        self.told_at = None

    def mark_sent(self, now: Instant) -> None:
        """It was told."""
        self.told_at, self.told_phase, self.has_changed = now, phase(self.shown.game), False

    def keep_pace(self, pace: messages.Pace, now: Instant) -> None:
        """The hall says how often to tell it."""
        beat = Duration(min(max(BEAT, pace.beat), SLOWEST))
        if pace.lasts:
            self.hurry = beat, after(now, min(pace.lasts, SLOWEST))
        else:
            self.beat = beat

    def pace(self, now: Instant) -> Duration:
        """How often it is told while a game is being played."""
        if self.hurry is not None and now < self.hurry[1]:
            return min(self.hurry[0], self.beat)
        return self.beat

    def interval(self, now: Instant) -> Duration:
        """After how long it is told again when nothing changes."""
        pace = self.pace(now)
        return pace if phase(self.shown.game) in _TIME_RUNS else Duration(max(REST, pace))

    def due(self, now: Instant) -> Instant:
        """When to tell it next; soon what people have to know, such as the end of a game."""
        if self.told_at is None:
            return Instant(0)
        if self.has_changed:
            is_urgent = phase(self.shown.game) != self.told_phase
            return after(self.told_at, SPACING if is_urgent else max(SPACING, self.pace(now) // 2))
        return after(self.told_at, self.interval(now))


class HallContact:
    """When the hall was reached last."""

    def __init__(self, now: Instant) -> None:
        self._reached_at = now

    def mark_reached(self, now: Instant) -> None:
        """The hall is there."""
        self._reached_at = now

    def away(self, now: Instant, waiting: int) -> Statement | None:
        """What to say while so many records wait; None while the hall is there, or has not been away for long."""
        away = now - self._reached_at
        if away < PATIENCE:
            return None
        seconds = away // PATIENCE * PATIENCE // SECOND
        spell = f"{seconds} s" if seconds < _MINUTE else f"{seconds // _MINUTE} min"
        return statement("health.hall", spell=spell, number=waiting)

    def due(self, now: Instant) -> Instant:
        """When there may be something else to say, if the hall stays away."""
        away = max(0, now - self._reached_at)
        return after(self._reached_at, (away // PATIENCE + 1) * PATIENCE)


# The link


class KeptJournal(Protocol):
    """What is needed of a journal; `gnomon.records.journal.writer.Journal` is one."""

    @property
    def epoch(self) -> str:
        """What tells it from another journal of this board."""
        ...

    @property
    def durable_seq(self) -> int:
        """The number of the last durable entry."""
        ...

    @property
    def acknowledged(self) -> int:
        """The entry up to which a hall has everything."""
        ...

    def records_after(self, seq: int, limit: int) -> Excerpt:
        """The next durable entries. Raises JournalError."""
        ...

    def acknowledge(self, seq: int) -> None:
        """Remember what the hall has."""
        ...

    def renew(self, epoch: str) -> None:
        """Begin another epoch. Raises JournalError."""
        ...


class LinkSources(NamedTuple):
    """What the link asks of the world: the raw clock, chance from 0 up to 1, and names for epochs."""

    now: Callable[[], Instant]
    chance: Callable[[], float]
    new_epoch: Callable[[], str]


class _Moment(NamedTuple):
    """What was shown at a raw instant, the last record of the journal by then, and when there would be more to show."""

    at: Instant
    shown: BoardSnapshot
    confirmed: tuple[str, ...]
    through: int
    beat: Duration


class HallLink:
    """One board in its hall."""

    refused = 0
    """Messages that could not be read."""

    def __init__(self, me: messages.Status, journal: KeptJournal, bus: Bus, world: LinkSources, health: Health) -> None:
        """`me` says who the board is while it is there, and by how much later spectators may see it."""
        self._me = me
        self._journal = journal
        self._bus = bus
        self._world = world
        self._health = health
        self._do: Callable[[messages.Request], None] = _not_yet
        self._outbox = Outbox(journal.epoch, journal.durable_seq, journal.acknowledged)
        self._telemetry = Telemetry(BoardSnapshot(None, Instant(0), ()))
        self._presence = HallContact(world.now())
        self._messages: deque[Message] = deque(maxlen=_WAITING)
        self._connections: deque[bool] = deque(maxlen=_WAITING)
        self._answers: deque[messages.Answer] = deque(maxlen=_WAITING)
        self._shown: deque[tuple[BoardSnapshot, tuple[str, ...]]] = deque(maxlen=1)
        self._held: deque[_Moment] = deque()  # what spectators will see
        self._at_work: set[str] = set()
        self._is_greeted = False
        self._has_renewed = False
        self._blocked_until = Instant(0)
        self._notice_until = _NEVER
        self._stir: Callable[[], None] = _do_nothing

    def join(self, stir: Callable[[], None], do: Callable[[messages.Request], None]) -> None:
        """Begin; `stir` is called from any thread when `run` has something to do before the instant it answered.

        `do` has the daemon carry out a wish and returns at once.
        """
        self._stir, self._do = stir, do
        for topic in (messages.Topic.ACK, messages.Topic.ASK, messages.Topic.REQUEST, messages.Topic.PACE):
            self._bus.subscribe(topic.of(self._me.board), self.take)
        self._bus.on_connection(self.connection)

    # From any thread

    def stir(self) -> None:
        """The journal holds something new."""
        self._stir()

    def take(self, message: Message) -> None:
        """A message came; one that is longer than any that the hall sends is not even kept."""
        if len(message.payload) > LONGEST:
            self.refused += 1
            return
        self._messages.append(message)
        self._stir()

    def connection(self, is_there: bool) -> None:  # noqa: FBT001 - as a bus calls it
        """The connection is there, or was lost."""
        self._connections.append(is_there)
        self._stir()

    def show(self, shown: BoardSnapshot, confirmed: tuple[str, ...]) -> None:
        """What everyone may see has changed."""
        self._shown.append((shown, confirmed))
        self._stir()

    def answer(self, answer: messages.Answer) -> None:
        """What became of a wish."""
        self._answers.append(answer)
        self._stir()

    def put_up(self, text: str) -> None:
        """Show a notice of the hall to those at the board for a while."""
        self._notice_until = after(self._world.now(), NOTICE)
        self._health.wrong(_NOTICE, statement("health.hall.notice", detail=text), Audience.ALWAYS)
        self._stir()

    # In the link's own thread

    def run(self, now: Instant) -> Instant:
        """Do everything that is due at the raw instant `now`; answer when to run again if nothing stirs before."""
        while self._connections:
            self._on_connect(is_there=self._connections.popleft())
        self._outbox = self._outbox.extend(self._journal.durable_seq)
        while self._messages:
            self._read(self._messages.popleft(), now)
        while self._shown:
            self._telemetry.take(*self._shown.popleft())
        self._outbox = self._outbox.wake(now)
        if self._outbox.is_connected and now >= self._blocked_until:
            self._send(now)
        self._look_after_notices(now)
        return self._due(now)

    def goodbye(self) -> None:
        """Say that the board is switched off, where somebody hears it."""
        gone = replace(self._me, epoch=self._outbox.epoch, online=False, goodbye=True)
        self._bus.publish(messages.Topic.STATUS.of(self._me.board), messages.encode(gone), retain=True)
        self._health.well(_HALL)
        self._health.well(_NOTICE)

    def _on_connect(self, *, is_there: bool) -> None:
        self._outbox = self._outbox.connect() if is_there else self._outbox.disconnect()
        self._is_greeted = False
        self._blocked_until = Instant(0)
        self._telemetry.again()

    # What comes

    def _read(self, message: Message, now: Instant) -> None:
        try:
            _, topic = messages.parse_topic(message.topic)
            if topic is messages.Topic.ACK:
                self._on_acknowledge(message, now)
            elif topic is messages.Topic.ASK:
                self._outbox = self._outbox.resend(decoder.ask(*message[:2]), now)
            elif topic is messages.Topic.PACE and message.payload:
                self._telemetry.keep_pace(decoder.pace(*message[:2]), now)
            elif topic is messages.Topic.REQUEST:
                self._take_request(decoder.request(*message[:2]))
        except messages.MessageError:
            self.refused += 1

    def _on_acknowledge(self, message: Message, now: Instant) -> None:
        ack, before = decoder.ack(*message[:2]), self._outbox.mark
        if self._outbox.is_behind(ack):
            self._health.wrong(_LOST, statement("health.hall.more", there=ack.through, number=self._outbox.last))
            self._begin_anew()
            return
        if ack.epoch == self._outbox.epoch and ack.other == self._me.session:
            self._begin_anew()
            return
        self._outbox = self._outbox.acknowledge(ack, now, self._world.chance())
        if self._outbox.mark != before:
            self._journal.acknowledge(self._outbox.mark)
        else:
            self._telemetry.request()  # a hall that greets was away, and knows nothing of what goes on

    def _begin_anew(self) -> None:
        """The journal is an old copy of itself, or another card's: as another one, everything in it is told again."""
        if self._has_renewed:  # a hall that says so twice is wrong
            return
        try:
            self._journal.renew(self._world.new_epoch())
        except JournalError:
            return  # it is being closed
        self._has_renewed = True
        self._outbox = Outbox(self._journal.epoch, self._journal.durable_seq).connect()
        self._is_greeted = False
        self._telemetry.again()

    def _take_request(self, request: messages.Request) -> None:
        if request.id in self._at_work or len(self._at_work) >= _AT_WORK:
            return
        self._at_work.add(request.id)
        self._do(request)

    # What goes out

    def _send(self, now: Instant) -> None:
        """Everything that is due, the shortest first; what the bus does not take waits a moment."""
        try:
            is_taken = self._greet() and self._answer() and self._tell(now) and self._send_records(now)
        except JournalError:
            self._blocked_until = after(now, _READ_AGAIN)
            return
        if not is_taken:
            self._blocked_until = after(now, _TRY_AGAIN)

    def _publish(self, topic: messages.Topic, payload: bytes, *, retain: bool = False, sure: bool = True) -> bool:
        return self._bus.publish(topic.of(self._me.board), payload, retain=retain, sure=sure)

    def _greet(self) -> bool:
        if not self._is_greeted:
            here = messages.encode(replace(self._me, epoch=self._outbox.epoch))
            self._is_greeted = self._publish(messages.Topic.STATUS, here, retain=True)
        return self._is_greeted

    def _answer(self) -> bool:
        while self._answers:
            if not self._publish(messages.Topic.ANSWER, messages.encode(self._answers[0])):
                return False
            self._at_work.discard(self._answers.popleft().id)
        return True

    def _tell(self, now: Instant) -> bool:
        telemetry, is_held_back = self._telemetry, self._me.delay > 0
        if telemetry.due(now) <= now:
            last, beat = self._journal.durable_seq, telemetry.interval(now)
            moment = _Moment(now, telemetry.shown, telemetry.confirmed, last, beat)
            if not self._tell_of(moment, messages.Topic.LIVE if is_held_back else messages.Topic.STATE):
                return False
            telemetry.mark_sent(now)
            if is_held_back:
                self._held.append(moment)
        return self._tell_spectators(now)

    def _tell_spectators(self, now: Instant) -> bool:
        """Publish what spectators may see by now: of several moments the last one."""
        due: _Moment | None = None
        while self._held and self._seen_at(self._held[0]) <= now:
            due = self._held.popleft()
        if due is None or self._tell_of(due, messages.Topic.STATE):
            return True
        self._held.appendleft(due)
        return False

    def _seen_at(self, moment: _Moment) -> Instant:
        """When spectators may see a moment."""
        return after(moment.at, self._me.delay)

    def _tell_of(self, moment: _Moment, topic: messages.Topic) -> bool:
        me, shown = self._me, moment.shown
        at = Instant(max(0, moment.at - shown.origin))
        told = card(
            shown.game,
            at,
            number=shown.number,
            confirmed=moment.confirmed,
            health=shown.health,
        )
        epoch = self._outbox.epoch
        names, as_of = (me.board, epoch, me.session, me.boot), (moment.at, moment.through)
        state = messages.State(*names, *as_of, told, me.delay, moment.beat)
        return self._publish(topic, messages.encode(state), retain=True, sure=False)

    def _send_records(self, now: Instant) -> bool:
        while (span := self._outbox.due()) is not None:
            excerpt = self._journal.records_after(span.first - 1, span.last - span.first + 1)
            if not excerpt.records:
                return False
            parcel = pack(self._me.board, self._outbox.epoch, excerpt, self._outbox.last)
            if not self._publish(messages.Topic.RECORDS, parcel.payload):
                return False
            self._outbox = self._outbox.went_out(parcel.last, now, self._world.chance())
        return True

    # What those at the board are told

    def _look_after_notices(self, now: Instant) -> None:
        if self._outbox.is_connected and self._outbox.is_answered:
            self._presence.mark_reached(now)
        away = self._presence.away(now, self._outbox.waiting)
        if away is not None:
            self._health.wrong(_HALL, away)
        else:
            self._health.well(_HALL)
        if now >= self._notice_until:
            self._notice_until = _NEVER
            self._health.well(_NOTICE)

    def _due(self, now: Instant) -> Instant:
        first = min(self._presence.due(now), self._notice_until)
        if not self._outbox.is_connected:
            return first
        if now < self._blocked_until:
            return min(first, self._blocked_until)
        seen = self._seen_at(self._held[0]) if self._held else _NEVER
        return min(first, seen, self._telemetry.due(now), self._outbox.deadline() or _NEVER)


def will_of(me: messages.Status) -> Will:
    """What the bus says of a board that has gone without a word."""
    return Will(messages.Topic.STATUS.of(me.board), messages.encode(replace(me, online=False)), LINGER)


def _do_nothing() -> None:
    pass


def _not_yet(_: messages.Request) -> None:
    pass


# Records as messages


class Parcel(NamedTuple):
    """A payload, and the last record in it."""

    payload: bytes
    last: int


def pack(board: str, epoch: str, excerpt: Excerpt, last: int) -> Parcel:
    """As many of the records as fit, at least one; `last` is the last one of the journal.

    One that is longer than a hall takes goes without its body, or it would hold up all that come after it; it is so
    whenever it is sent, for the hall compares what comes again.
    """
    records = tuple(map(_short_enough, excerpt.records))
    while True:
        payload = messages.encode(_message(board, epoch, excerpt, records, last))
        if len(records) == 1 or len(payload) <= COMFORTABLE:
            return Parcel(payload, records[-1].seq)
        records = records[: len(records) // 2]


def _message(board: str, epoch: str, excerpt: Excerpt, records: tuple[Record, ...], last: int) -> messages.Records:
    wanted = {record.entry.game for record in records}
    return messages.Records(board, epoch, tuple(game for game in excerpt.games if game.id in wanted), records, last)


def _short_enough(record: Record) -> Record:
    length = len(json.dumps(record.entry.body, separators=(",", ":")))
    if length <= LONGEST_BODY:
        return record
    return replace(record, entry=replace(record.entry, body={"left_out": length}))
