"""Provide the tests of a hall with boards: a journal and an outbox on a bus that may lose and double messages."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gnomon.hall.messaging import decoder
from gnomon.hall.messaging.bus import Bus, Message
from gnomon.hall.messaging.messages import Answer, Fate, Records, Request, State, Status, Topic, encode
from gnomon.hall.messaging.outbox import Outbox
from gnomon.records.journal.entries import EntryKind, GameStart, Record, StoredGame
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import SECOND, Instant
from tests.hall.told import START, confirmed, over, record, requested


class Clock:
    """Time that passes when a test lets it."""

    def __init__(self) -> None:
        self.at = Instant(1000 * SECOND)

    def __call__(self) -> Instant:
        return self.at

    def wait(self, seconds: float) -> None:
        self.at = Instant(self.at + round(seconds * SECOND))


class KilledError(Exception):
    """The program ends here, with no time for anything."""


@dataclass
class FaultyBus:
    """A bus that loses, doubles and reorders by chance what is sent over another, and kills who sends."""

    bus: Bus
    chance: random.Random
    lose: float = 0
    double: float = 0
    kill: float = 0
    kept: list[tuple[str, bytes, bool]] = field(default_factory=list)

    def subscribe(self, pattern: str, take: Callable[[Message], None]) -> None:
        self.bus.subscribe(pattern, take)

    def publish(
        self, topic: str, payload: bytes, *, retain: bool = False, sure: bool = True, expires: int | None = None
    ) -> bool:
        if self.chance.random() < self.kill:
            raise KilledError
        if self.chance.random() < self.lose:
            return True
        self.kept.append((topic, payload, retain))
        if self.chance.random() < self.double:
            self.kept.append((topic, payload, retain))
        if self.chance.random() < 0.5:
            self.flush(sure=sure, expires=expires)
        return True

    def flush(self, *, sure: bool = True, expires: int | None = None) -> None:
        self.chance.shuffle(self.kept)
        for topic, payload, retain in self.kept:
            self.bus.publish(topic, payload, retain=retain, sure=sure, expires=expires)
        self.kept.clear()

    @property
    def hindrance(self) -> Statement | None:
        return None

    def on_connection(self, call: Callable[[bool], None]) -> None:
        self.bus.on_connection(call)

    def close(self) -> None:
        self.bus.close()


@dataclass
class ModelBoard:
    """A board: what it writes stands in `journal`, and goes to the hall by its outbox; requests begin games."""

    name: str
    bus: Bus
    clock: Clock
    epoch: str = "e1"
    session: str = "s1"
    journal: list[Record] = field(default_factory=list)
    ended: dict[int, int] = field(default_factory=dict)
    games: int = 0
    names: dict[int, dict[str, str]] = field(default_factory=dict)
    answers: dict[str, Answer] = field(default_factory=dict)
    offset: int = 12345  # its clock is not the hall's
    refuses: str = ""
    start: GameStart = START

    def __post_init__(self) -> None:
        self.outbox = Outbox(self.epoch, len(self.journal))
        for topic in (Topic.ACK, Topic.ASK, Topic.REQUEST):
            self.bus.subscribe(topic.of(self.name), self._take)
        self.outbox = self.outbox.connect()
        self.say_hello()

    def say_hello(self, *, online: bool = True, goodbye: bool = False) -> None:
        status = Status(self.name, online=online, epoch=self.epoch, session=self.session, kind="tamsk", goodbye=goodbye)
        self.bus.publish(Topic.STATUS.of(self.name), encode(status), retain=True)

    def write(self, *records: Record) -> None:
        """Write further records; their numbers are the journal's."""
        for each in records:
            self.journal.append(replace(each, seq=len(self.journal) + 1))
        self.outbox = self.outbox.extend(len(self.journal))

    def begin(self) -> int:
        self.games += 1
        self.write(record(0, {"note": "begun"}, self.games, EntryKind.NOTE))
        return self.games

    def end(self, winner: str | None, game: int | None = None) -> None:
        number = game or self.games
        self.write(over(0, winner, number))
        self.ended[number] = len(self.journal)

    def confirm(self, *players: str) -> None:
        self.write(*(confirmed(0, player, self.games) for player in players))

    def tell_state(self, phase: str = "running", **card: object) -> None:
        now = Instant(self.clock() + self.offset)
        state = State(self.name, self.epoch, self.session, "boot", now, len(self.journal), {"phase": phase, **card})
        self.bus.publish(Topic.STATE.of(self.name), encode(state), retain=True, sure=False)

    def run(self) -> None:
        """Send what is due."""
        now = self.clock()
        self.outbox = self.outbox.wake(now)
        while (due := self.outbox.due()) is not None:
            records = tuple(self.journal[due.first - 1 : due.last])
            batch = Records(self.name, self.epoch, self._told(records), records, len(self.journal))
            self.bus.publish(Topic.RECORDS.of(self.name), encode(batch))
            self.outbox = self.outbox.went_out(due.last, now, 0.5)

    def restart(self, session: str) -> None:
        """The daemon was killed and is there again: the journal is all that is left."""
        self.session = session
        self.outbox = Outbox(self.epoch, len(self.journal)).connect()
        self.say_hello()

    def _told(self, records: tuple[Record, ...]) -> tuple[StoredGame, ...]:
        return tuple(
            StoredGame(
                game,
                replace(self.start, players=self.names.get(game, {})),
                Instant(self.ended[game]) if game in self.ended else None,
            )
            for game in sorted({each.entry.game for each in records})
        )

    def _take(self, message: Message) -> None:
        if message.topic.endswith(Topic.ACK.value):
            self.outbox = self.outbox.acknowledge(decoder.ack(message.topic, message.payload), self.clock(), 0.5)
        elif message.topic.endswith(Topic.ASK.value):
            self.outbox = self.outbox.resend(decoder.ask(message.topic, message.payload), self.clock())
        else:
            self._answer(decoder.request(message.topic, message.payload))

    def _answer(self, request: Request) -> None:
        if request.id not in self.answers:
            self.answers[request.id] = self._do(request)
        self.bus.publish(Topic.ANSWER.of(self.name), encode(self.answers[request.id]))

    def _do(self, request: Request) -> Answer:
        if request.session != self.session or self.clock() + self.offset > request.until:
            return Answer(request.id, Fate.EXPIRED, Statement.plain("too late"))
        if self.refuses:
            return Answer(request.id, Fate.REFUSED, Statement.plain(self.refuses))
        if request.action["do"] == "new_game":
            self.games += 1
            players = request.action["players"]
            assert isinstance(players, dict)
            self.names[self.games] = players
        self.write(requested(0, request.id, self.games or 1))
        return Answer(request.id, Fate.DONE, proof=len(self.journal))
