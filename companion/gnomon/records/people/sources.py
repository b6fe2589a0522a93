"""Gather the games of people from journals, bundles and folders of them, as they were recorded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from gnomon.people.games import FinishedGame
from gnomon.people.register import Register, hides_any
from gnomon.records.bundles import BEGAN, NUMBER, bundle, read_bundle
from gnomon.records.files import JournalFile, is_journal
from gnomon.records.formats.traces import players_in
from gnomon.records.journal.entries import GameSource
from gnomon.records.journal.folders import journals_in
from gnomon.records.journal.hidden_names import hide_in_game, hide_in_records
from gnomon.records.journal.store import JournalError
from gnomon.records.people._finished_games import finished_game_of_bundle, read_finished_games
from gnomon.refusals import statement, statement_of

_BUNDLES: Final = "*.jsonl"


class RecordedGame(NamedTuple):
    """A game as it is kept, for those who want everything that is: finished or not; `trace` is its bundle."""

    source: str
    number: int
    began: str
    game: str
    names: Mapping[str, str]
    trace: str


class PeopleSource(Protocol):
    """Where games of people are kept."""

    def finished_games(self) -> Iterator[FinishedGame]:
        """Every game that has ended with a result, in which somebody is named. Raises JournalError."""
        ...

    def names(self) -> Iterator[str]:
        """Every name, whatever became of the game. Raises JournalError."""
        ...

    def records_of(self, key: str, register: Register) -> Iterator[RecordedGame]:
        """Every game of a person, without the names of those who are forgotten. Raises JournalError."""
        ...


class ArchiveSource:
    """A journal, or a board's records in a hall, under the name `source`."""

    def __init__(self, archive: GameSource, source: str) -> None:
        self._archive = archive
        self._source = source

    def finished_games(self) -> Iterator[FinishedGame]:
        """See `PeopleSource`."""
        return read_finished_games(self._archive, self._source)

    def names(self) -> Iterator[str]:
        """See `PeopleSource`."""
        return (name for game in self._archive.games() for name in game.players.values())

    def records_of(self, key: str, register: Register) -> Iterator[RecordedGame]:
        """See `PeopleSource`."""
        for game in self._archive.games():
            if key in map(register.key, game.players.values()):
                records = hide_in_records(game, self._archive.read(game.id), register)
                hidden = hide_in_game(game, register)
                start, players = hidden.start, hidden.players
                try:
                    trace = "".join(bundle(hidden, records).lines())
                except ValueError:  # what no referee can follow is still theirs
                    trace = ""
                yield RecordedGame(self._source, game.id, start.wall, start.game, players, trace)


class BundleSource:
    """One bundle, or another trace."""

    def __init__(self, path: Path, data: bytes) -> None:
        """Raises JournalError for what is neither a bundle nor another trace."""
        self._path = path
        self._text = data.decode("utf-8", "replace")
        try:
            self._bundle = read_bundle(data.splitlines())
        except ValueError as error:
            raise JournalError(statement("people.unread", file=str(path), why=statement_of(error))) from error

    def finished_games(self) -> Iterator[FinishedGame]:
        """See `PeopleSource`."""
        try:
            found = finished_game_of_bundle(self._bundle, str(self._path))
        except ValueError as error:
            raise JournalError(statement("people.unread", file=str(self._path), why=statement_of(error))) from error
        return iter(() if found is None or not any(found.names.values()) else (found,))

    def names(self) -> Iterator[str]:
        """See `PeopleSource`."""
        return iter(players_in(self._bundle.header.extras).values())

    def records_of(self, key: str, register: Register) -> Iterator[RecordedGame]:
        """See `PeopleSource`. A bundle that names somebody who is forgotten comes without its trace."""
        extras = self._bundle.header.extras
        names = players_in(extras)
        if key in map(register.key, names.values()):
            number, hides = extras.get(NUMBER), hides_any(names.values(), register)
            shown = {seat: register.mask(name) for seat, name in names.items()}
            yield RecordedGame(
                str(self._path),
                number if isinstance(number, int) else 0,
                str(extras.get(BEGAN, "")),
                self._bundle.header.game,
                shown,
                "" if hides else self._text,
            )


def sources_at(path: Path) -> Sequence[PeopleSource]:
    """What a path leads to: a journal, a bundle, or a folder of both. Raises JournalError."""
    if path.is_dir():
        return [each for one in (*journals_in(path), *sorted(path.glob(_BUNDLES))) for each in sources_at(one)]
    try:
        if is_journal(_head(path)):
            return [ArchiveSource(JournalFile(path), str(path))]
        return [BundleSource(path, path.read_bytes())]
    except OSError as error:
        raise JournalError(statement("told.journal", file=str(path), cause=str(error.strerror))) from error


def games_in(sources: Iterable[PeopleSource]) -> Iterator[FinishedGame]:
    """The finished games of several sources. Raises JournalError."""
    return (game for source in sources for game in source.finished_games())


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)
