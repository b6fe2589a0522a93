"""Locate a tournament's event log, in a file or in a hall's database, from options and environment."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from gnomon.cli import localized
from gnomon.cli.words import CommandRefusedError
from gnomon.hall.clock import Wall, wall
from gnomon.hall.rounds.event_log import Book, BookError
from gnomon.hall.rounds.event_log_file import SUFFIX, FileBook
from gnomon.hall.store.database import StoreError
from gnomon.refusals import Statement, statement, statement_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.formats.go.opengotha import is_opengotha, read_opengotha
from gnomon.tournament.formats.tables.csv import decode
from gnomon.tournament.formats.trf import read_trf
from gnomon.tournament.state import Tournament

if TYPE_CHECKING:
    from gnomon.hall.store.database import Database

Command = Callable[..., None]

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LONGEST: Final = 64


class NamedEventLog(NamedTuple):
    """A book, what to call it in a sentence, and the wall clock that its events are labelled by."""

    book: Book
    called: Statement
    wall: Wall

    @property
    def where(self) -> Statement:
        """The same as `called`, where it is said that nothing is there."""
        if isinstance(self.book, FileBook):
            return statement("cli.tournament.in_file", file=self.book.path)
        return self.called

    @property
    def seal(self) -> str:
        """The seal of the last line that was read; empty of a book that has none, in a database."""
        return self.book.seal if isinstance(self.book, FileBook) else ""


class TournamentLocation(NamedTuple):
    """Where a tournament is kept, as the options say: a file, or a name in a database."""

    file: Path | None = None
    database: str = ""
    tournament: str = ""

    def find(self) -> NamedEventLog:
        """The book of a tournament that is there. Raises ClickException and BookError where it must be named."""
        if self.database:
            database = self.open()
            return _row(database, self.tournament or _only_row(database))
        path = self.file or only_file()
        return NamedEventLog(FileBook(path, _wall()), Statement.plain(str(path)), _wall())

    def new(self, name: str) -> NamedEventLog:
        """A book that is still empty, called after a tournament unless the options say how.

        Raises ClickException for one that is not, and for a name that no hall's tournament can have.
        """
        if self.database:
            return self._new_row(name)
        path = self.file or Path(_slug(name) + SUFFIX)
        book = FileBook(path, _wall())
        if book.read():
            raise CommandRefusedError(statement("cli.tournament.holds", file=path))
        return NamedEventLog(book, Statement.plain(str(path)), _wall())

    def _new_row(self, name: str) -> NamedEventLog:
        plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
        called = self.tournament or _slug(plain.replace("_", " "))[:_LONGEST].strip("-")
        if not _NAME.fullmatch(called):
            raise CommandRefusedError(statement("cli.tournament.no_short_name", name=called))
        kept = _row(self.open(), called)
        if kept.book.read():
            raise CommandRefusedError(statement("cli.tournament.taken", called=kept.called))
        return kept

    def open(self) -> "Database":
        """The database, until the command ends. Raises ClickException for a file that is not there, and BookError."""
        from gnomon.hall.store import backend

        try:
            file = backend.file_of(self.database)
            if file is not None and not file.is_file():
                raise CommandRefusedError(statement("cli.tournament.no_database", file=self.database))
            database = backend.open_database(self.database)
        except StoreError as error:
            raise BookError(error) from error
        click.get_current_context().call_on_close(database.close)
        return database


def location_options(command: Command) -> Command:
    """A command with the options that say where a tournament is kept: it is given a `place`."""

    @localized.option(
        "--file",
        type=click.Path(path_type=Path),
        envvar="GNOMON_TOURNAMENT",
        show_envvar=True,
        help="option.tournament.file",
    )
    @localized.option(
        "--database",
        default="",
        metavar="ADDRESS",
        envvar="GNOMON_DATABASE",
        show_envvar=True,
        help="option.tournament.database",
    )
    @localized.option("--tournament", default="", metavar="NAME", help="option.tournament.tournament")
    @wraps(command)
    def with_place(*args: Any, file: Path | None, database: str, tournament: str, **options: Any) -> None:
        command(*args, place=_choose(TournamentLocation(file, database, tournament)), **options)

    return with_place


def only_file() -> Path:
    """The one tournament of this folder. Raises ClickException when there is none, or more than one."""
    found = sorted(path for path in Path().glob(f"*{SUFFIX}") if path.is_file())
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandRefusedError(statement("cli.tournament.none_here"))
    raise CommandRefusedError(statement("cli.tournament.several_here", number=len(found), files=found))


def tournaments_at(source: str) -> Iterator[Tournament]:
    """The tournaments of a source: a tournament's file, a file of another program, or all of a hall's database.

    Rounds that name no game play what the hall's boards play, or what stands after `=` behind a file. Raises
    ClickException, BookError and TournamentError for what cannot be read; the sentence names the file.
    """
    from gnomon.hall.rounds.result_rows import tournaments
    from gnomon.hall.store.backend import POSTGRESQL, is_database

    if source.startswith(POSTGRESQL) or is_database(source):
        database = TournamentLocation(database=source).open()
        for kept in tournaments(database):
            yield _of_game(_row(database, kept.id).book.tournament(), kept.plan.game)
        return
    name, sign, game = source.rpartition("=")
    is_named = bool(sign) and not Path(source).exists()
    yield _of_game(_in_file(Path(name if is_named else source)), game if is_named else "")


def _in_file(path: Path) -> Tournament:
    if path.suffix == SUFFIX:
        return FileBook(path, _wall()).tournament()
    try:
        text = decode(path.read_bytes())
        if text.startswith("{"):  # a tournament's events, under another name
            return FileBook(path, _wall()).tournament()
        return (read_opengotha(text) if is_opengotha(text) else read_trf(text)).tournament
    except OSError as error:
        raise CommandRefusedError(statement("cli.unreadable", file=path, detail=error.strerror)) from error
    except TournamentError as error:
        raise CommandRefusedError(statement("cli.failed", file=path, why=statement_of(error))) from error


def _of_game(tournament: Tournament, game: str) -> Tournament:
    """The tournament with the game that all its rounds play, unless its own settings name games."""
    settings = tournament.settings
    return (
        tournament
        if settings.round_games or not game
        else replace(tournament, settings=replace(settings, round_games=(game,)))
    )


def at_wall(given: Wall) -> object:
    """What to hand to the command line as its object, for a day and time of one's own."""
    return _GivenWall(given)


def _choose(place: TournamentLocation) -> TournamentLocation:
    """The place, where what is said on the command line counts before the environment. Raises UsageError for two."""
    context = click.get_current_context()
    said = {name for name in ("file", "database") if _was_said(context, name)}
    if place.file is not None and place.database:
        if len(said) != 1:
            raise localized.WrongUsageError(statement("usage.two_places"))
        place = place._replace(database="") if said == {"file"} else place._replace(file=None)
    if place.tournament and not place.database:
        raise localized.WrongUsageError(statement("usage.which_database"))
    return place


def _was_said(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _row(database: "Database", name: str) -> NamedEventLog:
    from gnomon.hall.rounds.event_log_rows import SqlBook

    called = statement("cli.tournament.called", name=name, database=database.name)
    return NamedEventLog(SqlBook(database, name, _wall()), called, _wall())


def _only_row(database: "Database") -> str:
    """The one tournament of a database. Raises ClickException when there is none, or more than one."""
    from gnomon.hall.rounds.result_rows import tournaments

    try:
        names = [kept.id for kept in tournaments(database)]
    except StoreError as error:
        raise BookError(error) from error
    if len(names) == 1:
        return names[0]
    if not names:
        raise CommandRefusedError(statement("cli.tournament.none_in", database=database.name))
    several = statement("cli.tournament.several_in", number=len(names), database=database.name, names=names)
    raise CommandRefusedError(several)


class _GivenWall(NamedTuple):
    wall: Wall


def _wall() -> Wall:
    """The wall clock that the caller of the program has given, or the machine's."""
    given = click.get_current_context().find_object(_GivenWall)
    return given.wall if given else wall


def _slug(name: str) -> str:
    return re.sub(r"\W+", "-", name.casefold()).strip("-") or "tournament"
