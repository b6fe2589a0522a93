"""Parse and validate message payloads from the bus, field by field.

An invalid payload is refused with one sentence that names the topic and the error.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from typing import Final, NoReturn

from gnomon.hall.messaging import messages
from gnomon.hall.messaging.hall_names import split_hall
from gnomon.records.journal.entries import Entry, EntryKind, GameStart, Record, StoredGame
from gnomon.refusals import Statement
from gnomon.timekeeping.instants import Duration, Instant

_DEEPEST: Final = 40
_WIDEST: Final = 2**53 - 1
"""What every reader of JSON keeps (RFC 8259, section 6); sums of such numbers still fit into a database's 63 bits."""
_NAMING: Final = 80
"""Letters of what names a journal, a start, a boot or a request: PostgreSQL keeps no long text in an index."""
_LONGEST: Final = 4096
"""Letters of any other text: a sentence, a label."""


def status(topic: str, payload: bytes) -> messages.Status:
    """The status in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload, messages.SMALL)
    games = tuple(fields.text_of(one) for one in fields.array("games"))
    told = {name: fields.text(name, "") for name in ("version", "kind", "label")}
    told["boot"] = fields.identifier("boot", "")
    board, epoch, session = fields.own_board(), fields.identifier("epoch"), fields.identifier("session")
    goodbye, delay = fields.truth("goodbye", default=False), fields.delay()
    return messages.Status(
        board, fields.truth("online"), epoch, session, **told, games=games, goodbye=goodbye, delay=delay
    )


def state(topic: str, payload: bytes) -> messages.State:
    """The state in a payload, under STATE or LIVE. Raises MessageError."""
    fields = _JsonFields.of(topic, payload, messages.SMALL)
    texts = (fields.identifier("epoch"), fields.identifier("session"), fields.identifier("boot"))
    now, through = Instant(fields.number("now")), fields.number("through")
    beat = Duration(fields.number("beat")) if "beat" in fields.body else messages.BEAT
    return messages.State(fields.own_board(), *texts, now, through, fields.object_("card"), fields.delay(), beat)


def records(topic: str, payload: bytes) -> messages.Records:
    """The records in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    games = tuple(fields.inside(one, "a game").game() for one in fields.array("games"))
    told = tuple(fields.inside(one, "a record").record() for one in fields.array("records"))
    known = {game.id for game in games}
    if len(games) > messages.BATCH:
        fields.refuse(f"tells of more than {messages.BATCH} games")
    if len(told) > messages.BATCH or any(record.entry.game not in known for record in told):
        fields.refuse(f"holds more than {messages.BATCH} records, or one of a game that it does not tell of")
    if any(later.seq != earlier.seq + 1 for earlier, later in pairwise(told)):
        fields.refuse("has a gap in its records")
    return messages.Records(fields.own_board(), fields.identifier("epoch"), games, told, fields.number("last"))


def ack(topic: str, payload: bytes) -> messages.Ack:
    """The acknowledgement in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    return messages.Ack(fields.identifier("epoch"), fields.number("through"), fields.identifier("other", ""))


def ask(topic: str, payload: bytes) -> messages.Ask:
    """The range that is asked for in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    return messages.Ask(fields.identifier("epoch"), fields.number("first"), fields.number("last"))


def pace(topic: str, payload: bytes) -> messages.Pace:
    """The pace in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    return messages.Pace(Duration(fields.number("beat")), Duration(fields.number("lasts")))


def request(topic: str, payload: bytes) -> messages.Request:
    """The request in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    until = Instant(fields.number("until"))
    return messages.Request(
        fields.identifier("id"), fields.identifier("session"), until, fields.text("actor"), fields.object_("action")
    )


def answer(topic: str, payload: bytes) -> messages.Answer:
    """The answer in a payload. Raises MessageError."""
    fields = _JsonFields.of(topic, payload)
    fate = fields.text("fate")
    if fate not in {one.value for one in messages.Fate}:
        fields.refuse(f"has the fate {fate[:20]!r}, which is none of {', '.join(messages.Fate)}")
    why = Statement.from_message(fields.text("why", ""), fields.body.get("stated"), _LONGEST)
    return messages.Answer(fields.identifier("id"), messages.Fate(fate), why, fields.number("proof"))


@dataclass(frozen=True, slots=True)
class _JsonFields:
    """The fields of one JSON object, read with their kinds; `where` begins the sentence about what is wrong."""

    where: str
    body: messages.Json
    board: str = field(default="")

    @classmethod
    def of(cls, topic: str, payload: bytes, longest: int = messages.LARGEST) -> "_JsonFields":
        board, _ = messages.parse_topic(topic)
        where = f"{topic}: the payload"
        if len(payload) > longest:
            message = f"{where} has {len(payload)} bytes, and {longest} are the most"
            raise messages.MessageError(message)
        try:
            body = json.loads(payload, parse_constant=_no_number, parse_float=_finite)
        except (ValueError, RecursionError) as error:
            message = f"{where} is no JSON: {str(error)[:80]}"
            raise messages.MessageError(message) from error
        if not isinstance(body, dict) or _too_deep(body):
            message = f"{where} is no JSON object, or too deep a one"
            raise messages.MessageError(message)
        return cls(where, body, board)

    def refuse(self, what: str) -> NoReturn:
        message = f"{self.where} {what}"
        raise messages.MessageError(message)

    def own_board(self) -> str:
        """The board that a payload names, which is that of the topic: a broker lets nobody write another's."""
        if self.body.get("board") != split_hall(self.board, "").name:
            self.refuse("names another board than its topic")
        return self.board

    def text(self, name: str, default: str | None = None) -> str:
        return self.text_of(self.body.get(name, default), name)

    def text_of(self, value: object, name: str = "a text", longest: int = _LONGEST) -> str:
        if not isinstance(value, str) or not _is_writable(value) or len(value) > longest:
            self.refuse(f"has no text {name} of at most {longest} letters")
        return value

    def identifier(self, name: str, default: str | None = None) -> str:
        """A text that tells one thing from another."""
        return self.text_of(self.body.get(name, default), name, _NAMING)

    def number(self, name: str) -> int:
        value = self.body.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _WIDEST:
            self.refuse(f"has no whole number {name} from 0 to {_WIDEST}")
        return value

    def delay(self) -> Duration:
        """How much later spectators see it; a board that says nothing of it holds nothing back."""
        return Duration(self.number("delay") if "delay" in self.body else 0)

    def truth(self, name: str, *, default: bool | None = None) -> bool:
        value = self.body.get(name, default)
        if not isinstance(value, bool):
            self.refuse(f"does not say whether {name}")
        return value

    def array(self, name: str) -> Sequence[object]:
        value = self.body.get(name, [])
        if not isinstance(value, list):
            self.refuse(f"has no list {name}")
        return value

    def object_(self, name: str) -> messages.Json:
        value = self.body.get(name)
        if not isinstance(value, dict):
            self.refuse(f"has no object {name}")
        return value

    def inside(self, value: object, what: str) -> "_JsonFields":
        if not isinstance(value, dict):
            self.refuse(f"has {what} that is no object")
        return _JsonFields(f"{self.where}, in {what},", value, self.board)

    def game(self) -> StoredGame:
        players = self.object_("players")
        names = {self.text_of(player): self.text_of(name) for player, name in players.items()}
        labels = (self.identifier("boot"), self.text("wall"), self.text("version"), self.text("game"))
        start = GameStart(
            self.text("board"),
            self.object_("settings"),
            self.text("temperament"),
            Instant(self.number("started")),
            *labels,
            names,
        )
        ended = None if self.body.get("ended") is None else Instant(self.number("ended"))
        return StoredGame(self.number("id"), start, ended)

    def record(self) -> Record:
        kind = self.text("kind")
        if kind not in {one.value for one in EntryKind}:
            self.refuse(f"has the kind {kind[:20]!r}, which is none of {', '.join(one.value for one in EntryKind)}")
        cause = None if self.body.get("cause") is None else self.number("cause")
        labels = (self.identifier("boot"), self.text("wall"))
        at, body = Instant(self.number("at")), self.object_("body")
        return Record(self.number("seq"), Entry(self.number("game"), EntryKind(kind), at, body, *labels, cause))


def _is_writable(text: str) -> bool:
    """Whether a database takes the text: no half characters (UTF-8), and no NUL, which PostgreSQL refuses."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _too_deep(value: object) -> bool:
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def _finite(text: str) -> float:
    # What is read as infinite, such as 1e999, can be written nowhere.
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    message = f"{text} is no number"
    raise ValueError(message)
