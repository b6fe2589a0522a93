"""Define what the journal holds (games, entries, numbered records and excerpts), and what an archive answers."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from gnomon.referee.setup import GameSetup
from gnomon.refusals import statement
from gnomon.timekeeping.instants import Instant

Values = tuple[str | int | None, ...]
"""The columns of a row."""

_LARGEST: Final = 2**63 - 1  # of SQLite's integers

CUT: Final = statement("why.lost")
"""Why a game was paused of which the journal lost the end."""


FIRST_GAME: Final = "tamsk"
"""The game of every journal, trace and card of versions that knew one game only: those do not name it."""


class EntryKind(Enum):
    """What an entry is: a raw edge, an event by hand, a ruling, or a remark such as "the daemon was started"."""

    RAW = "raw"
    EVENT = "event"
    RULING = "ruling"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game as it begins: which game, and the board that senses it.

    `started` is an instant of the raw monotonic clock in the boot `boot`; `wall` is a label for people, never a
    measure; `version` is that of the software; `players` are the people's names by the players of the rules.
    """

    board: str
    settings: Mapping[str, object]
    temperament: str
    started: Instant
    boot: str
    wall: str
    version: str
    game: str = FIRST_GAME
    players: Mapping[str, str] = field(default_factory=dict)

    @property
    def setup(self) -> GameSetup:
        """How the game is set up."""
        return GameSetup(self.game, self.settings, self.temperament, self.players, self.board)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of the journal; `ended` is the stamp of the entry with which it ended, None while it goes on.

    `guests` are those who came when it had begun, from another board; its beginning names only those who were there.
    """

    id: int
    start: GameStart
    ended: Instant | None
    guests: Mapping[str, str] = field(default_factory=dict)

    @property
    def players(self) -> Mapping[str, str]:
        """Everybody's names by the players of the rules."""
        return {**self.start.players, **self.guests}


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened in a game; `at` counts from its beginning, `cause` is the number of an earlier entry.

    `body` is anything that JSON can say; `boot` and `wall` as in `GameStart`.
    """

    game: int
    kind: EntryKind
    at: Instant
    body: Mapping[str, object]
    boot: str
    wall: str
    cause: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An entry of the journal and its number: numbers rise by one through all games.

    `link` is the hash by which the entry speaks for everything before it, and `before` the link of the entry before it;
    both are empty where there is none (written by a Gnomon that had no links, or told by a hall). `ends` is whether its
    game ended with it (True) or went on after all (False).
    """

    seq: int
    entry: Entry
    link: bytes = field(default=b"", compare=False, repr=False)
    ends: bool | None = field(default=None, compare=False, repr=False)
    before: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of the journal: records in order and without a gap, and the games that they belong to."""

    games: tuple[StoredGame, ...]
    records: tuple[Record, ...]


class GameSource(Protocol):
    """Where written games are read."""

    def games(self) -> Sequence[StoredGame]:
        """Every game, oldest first."""
        ...

    def read(self, game: int) -> Sequence[Record]:
        """The records of one game."""
        ...

    def endings(self, first: int = 1, last: int | None = None) -> Mapping[int, Mapping[str, object]]:
        """How each game from number `first` on was ruled to have ended last, up to `last`; empty: it is unreadable."""
        ...


class Archive(GameSource, Protocol):
    """The games that were written down, as in `gnomon.records.journal.writer.Journal`. Safe to call from any thread."""

    def last_game(self) -> StoredGame | None:
        """The game that was written about last: the one at the board."""
        ...

    def cut_off(self) -> Collection[int]:
        """The games that have not ended of which a damaged journal lost the end."""
        ...


def values_of_start(start: GameStart) -> Values:
    """A game as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    known = (text_value(start.board), _json(start.settings), text_value(start.temperament), _integer(start.started))
    return *known, *map(text_value, (start.boot, start.wall, start.version, start.game)), _json(start.players)


def values_of_entry(entry: Entry) -> Values:
    """An entry as it stands in its row. Raises ValueError or TypeError for what cannot be written."""
    told = (entry.game, entry.kind.value, _integer(entry.at), entry.cause, _json(entry.body))
    return *told, text_value(entry.boot), text_value(entry.wall)


def text_value(text: str) -> str:
    """A text that SQLite keeps as it is. Raises ValueError for halves of characters and for NUL."""
    text.encode()  # raises UnicodeEncodeError, a ValueError
    if "\0" in text:
        message = "a text in the journal holds no NUL"
        raise ValueError(message)
    return text


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, allow_nan=False, separators=(",", ":"))


def _integer(value: int) -> int:
    if not -_LARGEST <= value <= _LARGEST:
        message = f"{value} is too large for the journal"
        raise ValueError(message)
    return value
