"""Define the messages between boards and hall: their topics, their fields, and how they are encoded.

A topic is `gnomon/1/BOARD/KIND` here, and `gnomon/2/HALL/BOARD/KIND` of a board of another hall, which is called
`BOARD@HALL`; on the bus those of the hall itself may name it, too (`hall_topics`). A payload is one JSON
object. Fields that a reader does not know are left alone, so that a hall may be a version behind its boards; another
meaning needs another VERSION.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gnomon.hall.messaging.hall_names import AT, join_hall, split_hall
from gnomon.records.journal.entries import GameStart, Record, StoredGame
from gnomon.refusals import NOTHING, InvalidValueError, Statement, sentence, statement
from gnomon.timekeeping.instants import SECOND, Duration, Instant

VERSION: Final = 1
PREFIX: Final = f"gnomon/{VERSION}"
NAMED: Final = "gnomon/2"
"""What topics begin with that name their hall."""
LARGEST: Final = 256 * 1024
"""Bytes of a payload; a longer one is not even read."""
SMALL: Final = 16 * 1024
"""Bytes of a status or a state: the hall holds the last of every board."""
BEAT: Final = Duration(2 * SECOND)
"""How often a board tells its state while a game is being played, unless the hall says otherwise."""
BATCH: Final = 50
"""Records in one message at most."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
Json = Mapping[str, object]


class MessageError(InvalidValueError):
    """A message is refused; the message is one sentence that names the topic and what is wrong."""


class Topic(StrEnum):
    """The last word of a topic. The first five come from the board, the others from the hall."""

    STATUS = "status"  # retained, and the will: whether the board is there
    STATE = "state"  # retained, the latest wins: what spectators may see of the board
    LIVE = "live"  # the same as it is now, for the hall alone, where spectators see it later
    RECORDS = "records"  # what the journal holds, in order, sent until it is acknowledged
    ANSWER = "answer"  # what became of a request
    ACK = "ack"  # retained: up to which record the hall has everything
    ASK = "ask"  # which records the hall lacks
    REQUEST = "request"  # what somebody wants of the board, for a while
    PACE = "pace"  # how often the board is to tell its state: retained for good, or for a while

    def of(self, board: str) -> str:
        """The whole topic of a board. Raises MessageError for what is no board's name."""
        name, hall = split_hall(checked_board(board), "")
        return f"{NAMED}/{hall}/{name}/{self.value}" if hall else f"{PREFIX}/{name}/{self.value}"

    @property
    def of_all(self) -> str:
        """The pattern of this topic of every board."""
        return f"{PREFIX}/+/{self.value}"

    def of_hall(self, hall: str) -> str:
        """The pattern of this topic of every board of another hall."""
        return f"{NAMED}/{hall}/+/{self.value}"


@dataclass(frozen=True, slots=True)
class Status:
    """A board is there, or has gone. `epoch` is its journal's, `session` is new each time the daemon starts.

    `boot` names the clock that `State.now` is read from; `kind` is the board's ("tamsk", "table" …). `goodbye` is said
    by a board that is switched off; its will, published when it was lost, has none. `delay` is by how many microseconds
    later spectators may see the board.
    """

    board: str
    online: bool
    epoch: str
    session: str
    boot: str = ""
    version: str = ""
    kind: str = ""
    label: str = ""
    games: tuple[str, ...] = ()
    goodbye: bool = False
    delay: Duration = Duration(0)


@dataclass(frozen=True, slots=True)
class State:
    """What goes on at a board when its raw monotonic clock said `now` (microseconds of the boot `boot`).

    `through` is the last record of its journal; `card` is what `gnomon.views.status_payload` makes of a game, with
    times as of `now`.
    `delay` is that of the board's `Status`: where there is one, a STATE is sent so much later than `now`, and what is
    true now is sent as LIVE. `beat` is how soon the next one comes at the latest, while it goes on as it does now.
    """

    board: str
    epoch: str
    session: str
    boot: str
    now: Instant
    through: int
    card: Json
    delay: Duration = Duration(0)
    beat: Duration = BEAT


@dataclass(frozen=True, slots=True)
class Records:
    """Records of a board's journal, in order and without a gap, with the beginnings of the games they belong to.

    `last` is the highest number that the journal holds: how far the hall is behind.
    """

    board: str
    epoch: str
    games: tuple[StoredGame, ...]
    records: tuple[Record, ...]
    last: int


@dataclass(frozen=True, slots=True)
class Ack:
    """The hall has every record of the epoch up to `through` where no power cut takes it.

    `other` names a session whose journal says something else under these numbers, empty for none: its card and another
    one were copied from each other, and it goes on under another epoch.
    """

    epoch: str
    through: int
    other: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """The hall lacks the records `first` to `last` of the epoch."""

    epoch: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody wants something of a board: a wish, until the board's own record proves that it was done.

    It is meant for one session of the board and until its raw clock says `until` (an instant of that session's boot):
    nothing hangs on synchronised clocks. `actor` is who wants it, for the record; `action` has a `do` and its fields.
    """

    id: str
    session: str
    until: Instant
    actor: str
    action: Json


@dataclass(frozen=True, slots=True)
class Pace:
    """How often the board is to tell its state while a game is being played, and half as long after a change.

    `lasts` is for how long, by the board's own clock: for 0, which is retained, until the hall says otherwise. A pace
    that lasts a while goes before the other, for somebody is looking at the board.
    """

    beat: Duration
    lasts: Duration = Duration(0)


class Fate(StrEnum):
    """What became of a request."""

    DONE = "done"
    REFUSED = "refused"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a request, and why; `proof` is the record that says who wanted it, 0 where nothing was done.

    On the bus, `why` is the English sentence, and `stated` its key and values.
    """

    id: str
    fate: Fate
    why: Statement = NOTHING
    proof: int = 0


Message = Status | State | Records | Ack | Ask | Request | Pace | Answer


def checked_name(board: str) -> str:
    """The name of a board: 1 to 32 small letters, digits and hyphens. Raises MessageError for any other."""
    if not _NAME.fullmatch(board):
        raise MessageError(statement("hall.board.name", name=board[:40]))
    return board


def checked_board(board: str) -> str:
    """The name of a board, or of a board of another hall (`t01@south`). Raises MessageError for any other."""
    name, at, hall = board.partition(AT)
    checked_name(name)
    if at:
        checked_name(hall)
    return board


def parse_topic(topic: str) -> tuple[str, Topic]:
    """The board and the kind that a topic names. Raises MessageError for a topic that is not of these versions."""
    path, _, kind = topic.rpartition("/")
    *begin, board = path.split("/")
    hall = begin.pop() if "/".join(begin[:-1]) == NAMED else ""
    if "/".join(begin) != (NAMED if hall else PREFIX) or kind not in {one.value for one in Topic}:
        message = f"the topic {topic[:80]!r} is none of {PREFIX}/BOARD/{{{','.join(Topic)}}}"
        raise MessageError(message)
    name = checked_name(board)
    return join_hall(name, checked_name(hall), "") if hall else name, Topic(kind)


# Writing


def encode(message: Message) -> bytes:
    """The payload of a message."""
    return json.dumps(_body(message), allow_nan=False, separators=(",", ":")).encode()


def _body(message: Message) -> dict[str, object]:
    match message:
        case Records():
            return {
                "board": message.board,
                "epoch": message.epoch,
                "last": message.last,
                "games": [_game_body(game) for game in message.games],
                "records": [_record_body(record) for record in message.records],
            }
        case Answer(why=why):
            told = {"id": message.id, "fate": message.fate, "why": sentence(why) if why.key else str(why)}
            return told | {"proof": message.proof} | ({"stated": why.dump()} if why.key else {})
        case _:
            return {name: getattr(message, name) for name in message.__dataclass_fields__}


def _game_body(game: StoredGame) -> dict[str, object]:
    start = {name: getattr(game.start, name) for name in GameStart.__dataclass_fields__}
    return {"id": game.id, "ended": game.ended, **start}


def _record_body(record: Record) -> dict[str, object]:
    entry = record.entry
    body: dict[str, object] = {
        "seq": record.seq,
        "game": entry.game,
        "kind": entry.kind.value,
        "at": entry.at,
        "body": entry.body,
        "boot": entry.boot,
        "wall": entry.wall,
    }
    return body if entry.cause is None else body | {"cause": entry.cause}
