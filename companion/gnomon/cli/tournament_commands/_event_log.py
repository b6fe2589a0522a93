"""Open the tournament's event log for a command, with the options `--who`, `--after`, `--json` and `--why`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from getpass import getuser
from typing import Any

import click

from gnomon.cli import localized
from gnomon.cli.tournament_commands._places import Command, NamedEventLog, TournamentLocation, location_options
from gnomon.cli.words import CommandRefusedError
from gnomon.hall.rounds.event_log import Book, BookError
from gnomon.refusals import statement
from gnomon.tournament.errors import TournamentError, quote
from gnomon.tournament.events import EntrantRegistered, Event
from gnomon.tournament.state import Tournament

_who = localized.option("--who", envvar="GNOMON_WHO", show_envvar=True, help="option.tournament.who")
_after = localized.option("--after", type=int, metavar="NUMBER", help="option.tournament.after")
as_json = localized.option("--json", "as_json", is_flag=True, help="option.tournament.json")
why_option = localized.option("--why", default="", help="option.tournament.why")
namesake_option = localized.option("--namesake", is_flag=True, help="option.tournament.namesake")
because = localized.option("--why", required=True, help="option.tournament.why_needed")


@dataclass(slots=True)
class Desk:
    """A tournament's book, open before one who reads it, or tells it something."""

    kept: NamedEventLog
    who: str = ""
    after: int | None = None
    _last: int = field(default=0, init=False)

    @property
    def book(self) -> Book:
        """The book itself."""
        return self.kept.book

    def look(self) -> Tournament:
        """The tournament as it is now, on which what is told next rests. Raises BookError when there is none yet."""
        self._last = len(self.book.read())
        if not self._last:
            raise BookError(statement("cli.tournament.none", where=self.kept.where))
        return self.book.tournament()

    def tell(self, *events: Event, why: str = "") -> Tournament:
        """Tell the book what happened since it was looked at, and look again. Raises BookError and TournamentError."""
        after = self._last if self.after is None else self.after
        self.book.extend(events, self.who, why, after=after)
        return self.look()


OpenDesk = Callable[[], Desk]


def read_command(command: Command) -> Command:
    """A command that is given a `desk` to read at."""

    @location_options
    @wraps(command)
    def with_desk(*args: Any, place: TournamentLocation, **options: Any) -> None:
        command(*args, desk=Desk(place.find()), **options)

    return with_desk


def perhaps_reading(command: Command) -> Command:
    """A command that is given a `desk` to open where it needs one."""

    @location_options
    @wraps(command)
    def with_desk(*args: Any, place: TournamentLocation, **options: Any) -> None:
        command(*args, desk=lambda: Desk(place.find()), **options)

    return with_desk


def tell_command(command: Command) -> Command:
    """A command that is given a `desk` at which it may tell something."""

    @location_options
    @_who
    @_after
    @wraps(command)
    def with_desk(*args: Any, place: TournamentLocation, who: str | None, after: int | None, **options: Any) -> None:
        command(*args, desk=Desk(place.find(), who or speaker(), after), **options)

    return with_desk


def open_command(command: Command) -> Command:
    """A command that opens a book: it is given `place` and `who`."""

    @location_options
    @_who
    @wraps(command)
    def with_who(*args: Any, who: str | None, **options: Any) -> None:
        command(*args, who=who or speaker(), **options)

    return with_who


def speaker() -> str:
    """Who is logged in. Raises ClickException where the machine does not say."""
    try:
        return getuser()
    except (OSError, KeyError) as error:
        raise CommandRefusedError(statement("cli.tournament.no_user")) from error


def print_lines(lines: Sequence[str]) -> None:
    """Write lines to the terminal."""
    for line in lines:
        click.echo(line)


def refuse_namesakes(tournament: Tournament, entries: Sequence[EntrantRegistered], lines: Sequence[int] = ()) -> None:
    """Raise TournamentError for the first who has the name of somebody who is entered, or stands before them.

    `lines` are those of the file that the entries come from, where they come from one.
    """
    numbers = {_fold(one.name): number for number, one in tournament.entrants.items()}
    before: dict[str, int] = {}
    for at, entry in enumerate(entries):
        name, text = _fold(entry.name), quote(entry.name)
        if name in numbers:
            raise TournamentError(statement("cli.tournament.namesake", text=text, number=numbers[name]))
        first = before.setdefault(name, at)
        if first != at and lines:
            twice = statement("cli.tournament.listed_twice", text=text, line=lines[first], other=lines[at])
            raise TournamentError(twice)
        if first != at:
            raise TournamentError(statement("cli.tournament.named_twice", text=text))


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()
