"""Decide how a hall handles messages from boards: what to store, acknowledge, request and send.

It does no I/O: it is given messages and the time, returns what to write, and once that is durable, what to send. What
it holds is bounded: records beyond the bound are dropped unacknowledged, and the boards send them again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from gnomon.hall.board_registry import (
    Floor,
    RegisteredBoard,
    with_mark,
    with_public,
    with_records,
    with_refused,
    with_state,
    with_status,
)
from gnomon.hall.hub._record_queue import WaitingRecords
from gnomon.hall.hub.requests_under_way import LIFE, RequestsUnderWay
from gnomon.hall.messaging import decoder, messages
from gnomon.hall.messaging.bus import Message
from gnomon.hall.messaging.hall_names import hall_of
from gnomon.hall.messaging.messages import NAMED
from gnomon.hall.store.records import Conflict, Key, Saved, WriteBatch
from gnomon.hall.store.requests import (
    UNANSWERED,
    UNSET,
    BoardRequest,
    RequestOutcome,
    RequestSharing,
    Seating,
)
from gnomon.refusals import Refusal, statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant, after

ANSWERS: Final = 10_000
"""Answers that wait to be written; a board that is asked again answers again."""
BOARDS: Final = 4096
"""Boards of one hall, unless it is told otherwise; a name more is taken for an attack."""
WATCHED: Final = Duration(30 * SECOND)
"""For so long a board tells its state often after somebody has looked at it."""
MOST_WATCHED: Final = 1000
ASKED_AT_ONCE: Final = 500
"""Boards of which a hub that keeps no records asks the database at once how far they are kept."""
BOARDS_AT_ONCE: Final = 1000
"""Boards that are written down in one transaction: when all of a large hall come at once, records go between them."""
ASK_AGAIN: Final = Duration(2 * SECOND)
"""A board is asked for the same gap no sooner than that."""
STUCK: Final = Duration(10 * SECOND)
"""A board that is behind and sends nothing for so long is asked for what is missing."""
COUNT: Final = Duration(10 * SECOND)
"""How often what was refused is written down."""
_LOOK_ROUND: Final = Duration(2 * SECOND)
SHARE: Final = Duration(SECOND)
"""How often a hub looks what other hubs of the same hall were asked."""

FOREIGN: Final = "foreign"  # a topic that is none of ours
UNKNOWN: Final = "unknown"  # a board that is not enrolled
OVERSIZED: Final = "oversized"
MALFORMED: Final = "malformed"
CROWD: Final = "crowd"  # more boards than a hall has
CONFLICT: Final = "conflict"  # a record that came with other content
LET_GO: Final = "let-go"  # records for which there was no room: they come again


class HubError(Refusal, RuntimeError):
    """What is asked of a board cannot be sent; the statement says why, and what to do."""


class HubTerms(NamedTuple):
    """What a process of the hall does, and for which boards; None means all.

    `enrolled` are the boards that belong to the hall, and `most` is how many there may be. With recorders, other
    processes keep the records: a hub hears from their acknowledgements how far they are, and asks the database before
    it says so itself.

    With others, several hubs share one database: what is wanted of a board stands there, and is sent by one that
    `serves` the board, which means that it greets it, too. What concerns a board that it does not hear (`hears`) does
    not even reach it. `beat` is how often boards tell their state while nobody looks at them, None: as they please.

    `other_halls` are those of the same database whose boards are seen here and may be asked for games. Their own hubs
    send what is asked, and keep and acknowledge what they write.
    """

    enrolled: Callable[[str], bool] | None = None
    most: int = BOARDS
    has_recorders: bool = False
    has_others: bool = False
    beat: Duration | None = None
    hears: Callable[[str], bool] | None = None
    serves: Callable[[str], bool] | None = None
    other_halls: frozenset[str] = frozenset()


EVERYBODY: Final = HubTerms()


class Send(NamedTuple):
    """Something to publish, with the words of `Bus.publish`."""

    topic: str
    payload: bytes
    retain: bool = False
    expires: int | None = None


@dataclass(slots=True)
class _Waiting:
    """What is to be written down beside records, oldest first."""

    boards: dict[str, messages.Status] = field(default_factory=dict)
    fates: list[RequestOutcome] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


class Hub:
    """What a hall knows and has to do. Used by one thread; `floor` may be read by any."""

    def __init__(
        self,
        marks: Mapping[Key, int],
        terms: HubTerms = EVERYBODY,
        wishes: Iterable[BoardRequest] = (),
        now: Instant = Instant(0),
    ) -> None:
        """`marks` is how far each journal is kept; `wishes` are requests that were under way when it was stopped."""
        self.floor = Floor()
        self.refused: Counter[str] = Counter()
        self._marks = dict(marks)
        self._terms = terms
        self._waiting, self._records = _Waiting(), WaitingRecords(marks)
        self._has_heard_acks = False
        self._asked = RequestsUnderWay(wishes, self._serves, now)
        self._greet: set[str] = set()
        self._asked_at: dict[Key, Instant] = {}
        self._others: dict[Key, str] = {}  # the session whose journal is not the one that is kept
        self._moved: dict[str, Instant] = {}  # when the hall last got on with a board's journal
        self._unpaced: set[str] = set()
        self._watched: dict[str, Instant] = {}
        self._looked = self._counted = self._shared = now
        self._changed: set[str] = set()

    # What comes

    def take(self, message: Message, now: Instant) -> None:
        """A message came: what is none is counted and dropped."""
        try:
            board, kind = messages.parse_topic(message.topic)
        except messages.MessageError:
            self._refuse(FOREIGN)
            return
        if not message.payload:  # what was retained was taken away
            return
        hall = hall_of(board)
        if hall and hall not in self._terms.other_halls:
            self._refuse(FOREIGN)
        elif not hall and self._terms.enrolled is not None and not self._terms.enrolled(board):
            self._refuse(UNKNOWN)
        elif board not in self.floor.places and len(self.floor.places) >= self._terms.most:
            self._refuse(CROWD)
        elif len(message.payload) > messages.LARGEST:
            self._refuse_of(board, OVERSIZED, now)
        else:
            try:
                self._read(board, kind, message, now)
            except messages.MessageError:
                self._refuse_of(board, MALFORMED, now)

    def on_connect(self) -> None:
        """The bus is there (again): what it had retained may be lost, so every board is told once more."""
        online = (place.board for place in self.floor.places.values() if place.is_online)
        self._greet.update(filter(self._serves, online))
        self._unpaced |= self._greet

    def forget(self, board: str) -> None:
        """A board does not come any more."""
        self.floor.remove(board)
        self._greet.discard(board)
        self._waiting.boards.pop(board, None)
        self._change(board)

    def count_dropped(self, what: str, count: int) -> None:
        """Something was not even taken on, so many times."""
        self._refuse(what, count)

    def ask(  # noqa: PLR0913 - who wants what of whom, for what, and since when
        self,
        identity: str,
        board: str,
        actor: str,
        action: messages.Json,
        now: Instant,
        *,
        wall: str,
        life: Duration = LIFE,
        seating: Seating | None = None,
    ) -> BoardRequest:
        """Want something of a board, for a while; it is sent when it is durable, by a hub that serves the board.

        Raises HubError for a board that is not there, or of whose clock nothing is known, unless another serves it.
        """
        place = self.floor.place(board)
        board_time = place.board_time(now)
        if not place.is_online and (hall_of(board) or self._serves(board)):
            raise HubError(statement("hall.board.not_there", board=board))
        if not self._serves(board):
            session, until = "", UNSET
        elif board_time is None:
            raise HubError(statement("hall.board.unheard", board=board))
        else:
            session, until = place.session, after(board_time, life)
        request = messages.Request(identity, session, until, actor, action)
        wish = BoardRequest(board, request, wall, seating)
        self._asked.add(wish, now, life)
        self._change(board)
        return wish

    # What is to be written, and what follows once it is durable

    def pile(self, wall: str, now: Instant) -> WriteBatch:
        """What is to be written down now; it stays here until `commit`.

        How much was refused is written now and then only: nobody is to have the disk written to by sending nonsense.
        """
        wishes = self._asked.to_write
        waiting = self._waiting
        boards, fates = tuple(islice(waiting.boards.values(), BOARDS_AT_ONCE)), tuple(waiting.fates)
        refused = dict(waiting.refused) if now - self._counted >= COUNT else {}
        asked = tuple(Key(board, self.floor.place(board).epoch) for board in self._first_to_greet())
        return WriteBatch(
            self._records.first(), boards, wishes, fates, refused, wall, asked, self._terms_of_sharing(now)
        )

    def commit(self, pile: WriteBatch, saved: Saved, now: Instant) -> list[Send]:
        """A pile is durable: forget it, acknowledge it, and send the requests in it."""
        waiting = self._waiting
        self._records.drop(pile.records)
        self._greet.difference_update(board for board, epoch in pile.asked if self.floor.place(board).epoch == epoch)
        for status in pile.boards:
            if waiting.boards.get(status.board) is status:
                del waiting.boards[status.board]
        del waiting.fates[: len(pile.fates)]
        self._asked.on_durable(pile.wishes, [fated.id for fated in pile.fates])
        if pile.refused:
            waiting.refused -= Counter(pile.refused)
            self._counted = now
        if pile.sharing is not None:
            self._shared = now
            for taken in saved.taken:
                if self._asked.take_up(taken, now):
                    self._change(taken.wish.board)
        self._note_conflicts(saved.conflicts)
        return [*self._acknowledge(saved, now), *self._gaps(pile.records, now)]

    def due(self, now: Instant) -> list[Send]:
        """What is to be sent by now beside acknowledgements: greetings, requests, and asking for what is missing."""
        greetings = [] if self._terms.has_recorders else self._greetings()
        sends = [*self._paces(), *greetings, *self._requests(now)]
        if now - self._looked >= _LOOK_ROUND:
            self._looked = now
            sends += self._stuck_journals(now)
        return sends

    def deadline(self) -> Instant:
        """When `due` has something to do at the latest."""
        looks = [after(self._looked, _LOOK_ROUND), *([after(self._shared, SHARE)] if self._terms.has_others else [])]
        asked = self._asked.deadline()
        return min([*looks, *([] if asked is None else [asked])])

    def watch(self, boards: Iterable[str], now: Instant) -> list[Send]:
        """Somebody looks at some boards: those that tell their state seldom are to tell it often for a while."""
        sends: list[Send] = []
        for board in boards:
            state, last = self.floor.place(board).state, self._watched.get(board)
            is_slow = state is not None and (state.beat > messages.BEAT or last is not None)
            if (
                is_slow
                and not hall_of(board)
                and self.floor.place(board).is_online
                and (last is None or now - last >= WATCHED // 2)
            ):
                self._watched[board] = now
                pace = messages.Pace(messages.BEAT, WATCHED)
                sends.append(Send(messages.Topic.PACE.of(board), messages.encode(pace)))
        if len(self._watched) > MOST_WATCHED:
            self._watched = {board: at for board, at in self._watched.items() if now - at < WATCHED}
        return sends

    def take_changed(self) -> frozenset[str]:
        """The boards of which something has changed since this was asked last."""
        changed, self._changed = frozenset(self._changed), set()
        return changed

    @property
    def waits(self) -> int:
        """How many records wait to be written."""
        return self._records.rows

    @property
    def patterns(self) -> tuple[str, ...]:
        """What the hub hears: everything that boards say, or with recorders these instead of the records."""
        heard = messages.Topic.ACK if self._terms.has_recorders else messages.Topic.RECORDS
        of_boards = (messages.Topic.STATUS, messages.Topic.STATE, messages.Topic.LIVE, messages.Topic.ANSWER)
        own = tuple(topic.of_all for topic in (*of_boards, heard))
        others = sorted(self._terms.other_halls)
        return own + tuple(topic.of_hall(hall) for hall in others for topic in (*of_boards, messages.Topic.ACK))

    def hears(self, topic: str) -> bool:
        """Whether a message concerns a board that this process hears."""
        return self._terms.hears is None or topic.startswith(NAMED) or self._terms.hears(topic.split("/")[-2])

    def take_recorded(self) -> bool:
        """Whether recorders have kept something since this was asked last."""
        has_heard, self._has_heard_acks = self._has_heard_acks, False
        return has_heard

    def under_way(self) -> frozenset[Seating]:
        """The pairings for which games were asked for and no answer is written down."""
        return self._asked.seatings

    def mark(self, key: Key) -> int:
        """How far a journal is kept."""
        return self._marks.get(key, 0)

    # Private

    def _read(self, board: str, kind: messages.Topic, message: Message, now: Instant) -> None:
        place = self.floor.place(board)
        if kind is messages.Topic.STATE or kind is messages.Topic.LIVE:
            state = decoder.state(message.topic, message.payload)
            heard = with_state if kind is messages.Topic.LIVE else with_public
            self._update(self._with_mark(heard(place, state, now, retained=message.retained)))
        elif kind is messages.Topic.RECORDS and not hall_of(board):
            records = decoder.records(message.topic, message.payload)
            self._update(self._with_mark(with_records(place, records.epoch, records.last, now)))
            self._hold(records, now)
        elif kind is messages.Topic.STATUS:
            self._came(place, decoder.status(message.topic, message.payload), now, retained=message.retained)
        elif kind is messages.Topic.ANSWER:
            self._take_answer(board, decoder.answer(message.topic, message.payload))
        elif kind is messages.Topic.ACK and (self._terms.has_recorders or hall_of(board)):
            self._hear_ack(place, decoder.ack(message.topic, message.payload), now)
        # What the hall itself publishes does not come back to it.

    def _came(self, place: RegisteredBoard, status: messages.Status, now: Instant, *, retained: bool) -> None:
        self._update(self._with_mark(with_status(place, status, now)))
        if status.online and not hall_of(status.board):
            self._waiting.boards[status.board] = status
            self._moved[status.board] = now
            # Or the hall was started again, and waits for its clock.
            if (not retained or place.told is None) and self._serves(status.board):
                self._greet.add(status.board)
                self._unpaced.add(status.board)

    def _take_answer(self, board: str, answer: messages.Answer) -> None:
        if len(self._waiting.fates) >= ANSWERS:
            self._refuse(LET_GO)
            return
        self._asked.on_answer(board, answer.id)
        self._waiting.fates.append(RequestOutcome.from_answer(board, answer))
        self._change(board)

    def _hear_ack(self, place: RegisteredBoard, ack: messages.Ack, now: Instant) -> None:
        """A recorder has said how far a journal is kept: true, and perhaps old."""
        key = Key(place.board, ack.epoch)
        if ack.through > self.mark(key):
            self._marks[key] = ack.through
            self._moved[place.board] = now
            self._has_heard_acks = True
            if place.board in self.floor.places:  # nobody has it forgotten meanwhile
                self._update(self._with_mark(place))

    def _hold(self, records: messages.Records, now: Instant) -> None:
        key = Key(records.board, records.epoch)
        if not self._records.has_room(records):
            self._refuse(LET_GO)
        elif not self._records.is_journal(key):
            self._refuse_of(records.board, CROWD, now)
        elif self._others.get(key) == self.floor.place(key.board).session:
            self._refuse(CONFLICT)  # until it has heard that it is to take another epoch
        else:
            self._records.add(records)

    def _refuse(self, what: str, count: int = 1) -> None:
        self.refused[what] += count
        self._waiting.refused[what] += count

    def _refuse_of(self, board: str, what: str, now: Instant) -> None:
        self._refuse(what)
        self._update(with_refused(self.floor.place(board), now))

    def _update(self, place: RegisteredBoard) -> None:
        if self.floor.update(place):
            self._change(place.board)

    def _with_mark(self, place: RegisteredBoard) -> RegisteredBoard:
        """The board with the mark of the journal that it has now."""
        return with_mark(place, place.epoch, self.mark(Key(place.board, place.epoch)))

    def _change(self, board: str) -> None:
        self._changed.add(board)

    def _note_conflicts(self, conflicts: Iterable[Conflict]) -> None:
        for conflict in conflicts:
            self._refuse(CONFLICT)
            place = self.floor.place(conflict.key.board)
            self._update(replace(place, conflicts=place.conflicts + 1))
            if place.epoch == conflict.key.epoch:
                self._others[conflict.key] = place.session

    def _acknowledge(self, saved: Saved, now: Instant) -> Iterator[Send]:
        for key, through in saved.marks.items():
            if through > self._marks.get(key, 0):
                self._moved[key.board] = now
            self._marks[key] = through
            if key.board in self.floor.places:  # nobody has it forgotten meanwhile
                self._update(with_mark(self.floor.place(key.board), key.epoch, through))
                yield self._ack(key)
        for noted in saved.noted:
            self._change(noted.key.board)

    def _gaps(self, batches: Iterable[messages.Records], now: Instant) -> Iterator[Send]:
        """Ask for what lies between what is kept and what came."""
        for batch in batches:
            key = Key(batch.board, batch.epoch)
            mark, first = self.mark(key), batch.records[0].seq
            if first > mark + 1:
                yield from self._ask_for(key, mark + 1, first - 1, now)

    def _ask_for(self, key: Key, first: int, last: int, now: Instant) -> Iterator[Send]:
        asked = self._asked_at.get(key)
        if asked is None or now - asked >= ASK_AGAIN:
            self._asked_at[key] = now
            yield Send(messages.Topic.ASK.of(key.board), messages.encode(messages.Ask(key.epoch, first, last)))

    def _first_to_greet(self) -> list[str]:
        """The boards of which the database is to say how far they are kept, before they are greeted."""
        return sorted(self._greet)[:ASKED_AT_ONCE] if self._terms.has_recorders else []

    def _serves(self, board: str) -> bool:
        return not hall_of(board) and (self._terms.serves is None or self._terms.serves(board))

    def _requests(self, now: Instant) -> Iterator[Send]:
        to_send, given_up = self._asked.due(now)
        for wish in given_up:
            self._waiting.fates.append(RequestOutcome(wish.board, wish.request.id, UNANSWERED))
            self._change(wish.board)
        for wish, left in to_send:
            yield Send(messages.Topic.REQUEST.of(wish.board), messages.encode(wish.request), expires=left)

    def _terms_of_sharing(self, now: Instant) -> RequestSharing | None:
        """What is to be taken up of what other hubs were asked; now and then."""
        if not self._terms.has_others or now - self._shared < SHARE:
            return None
        return RequestSharing(self._asked.sent, partial(self._until, now=now))

    def _until(self, board: str, now: Instant) -> tuple[str, Instant] | None:
        """The session of a board that is served here, and until when it is meant, by its clock, what is sent now."""
        place = self.floor.place(board)
        board_time = place.board_time(now)
        if not self._serves(board) or not place.is_online or board_time is None:
            return None
        return place.session, after(board_time, LIFE)

    def _paces(self) -> Iterator[Send]:
        boards, self._unpaced = self._unpaced, set()
        if self._terms.beat is not None:
            pace = messages.encode(messages.Pace(self._terms.beat))
            yield from (Send(messages.Topic.PACE.of(board), pace, retain=True) for board in sorted(boards))

    def _greetings(self) -> Iterator[Send]:
        boards, self._greet = self._greet, set()
        for board in sorted(boards):
            key = Key(board, self.floor.place(board).epoch)
            yield self._ack(key)

    def _ack(self, key: Key) -> Send:
        ack = messages.Ack(key.epoch, self.mark(key), self._others.get(key, ""))
        return Send(messages.Topic.ACK.of(key.board), messages.encode(ack), retain=True)

    def _stuck_journals(self, now: Instant) -> Iterator[Send]:
        for place in tuple(self.floor.places.values()):
            if not place.lag or not self._serves(place.board):
                self._moved[place.board] = now
            elif place.is_online and now - self._moved.setdefault(place.board, now) >= STUCK:
                self._moved[place.board] = now
                key = Key(place.board, place.epoch)
                yield from self._ask_for(key, self.mark(key) + 1, place.last, now)
