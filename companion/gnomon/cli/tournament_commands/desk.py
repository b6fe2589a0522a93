"""The only place that says at which book a command of `gnomon tournament` works, and who speaks there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from getpass import getuser
from pathlib import Path
from typing import Any

import click

from gnomon.hall.books import BookError
from gnomon.hall.file_book import SUFFIX, FileBook
from gnomon.hall.wall import Wall, wall
from gnomon.tournament.events import Event
from gnomon.tournament.state import Tournament

Command = Callable[..., None]

_file = click.option(
    "--file",
    type=click.Path(path_type=Path),
    envvar="GNOMON_TOURNAMENT",
    show_envvar=True,
    help=f"The tournament's file; unless told, the only *{SUFFIX} in this folder.",
)
_who = click.option(
    "--who", envvar="GNOMON_WHO", show_envvar=True, help="Who tells this; unless told, who is logged in."
)
_after = click.option("--after", type=int, metavar="NUMBER", help="Refuse when something was told since this event.")
as_json = click.option("--json", "as_json", is_flag=True, help="For programs: JSON instead of a table.")
why_option = click.option("--why", default="", help="A reason, which is kept.")
because = click.option("--why", required=True, help="The reason, which is kept.")


@dataclass(slots=True)
class Desk:
    """A tournament's book, open before one who reads it, or tells it something."""

    book: FileBook
    who: str = ""
    after: int | None = None
    _last: int = field(default=0, init=False)

    def look(self) -> Tournament:
        """The tournament as it is now, on which what is told next rests. Raises BookError when there is none yet."""
        self._last = len(self.book.read())
        if not self._last:
            message = f"there is no tournament in {self.book.path}: open one with `gnomon tournament new`"
            raise BookError(message)
        return self.book.tournament()

    def tell(self, *events: Event, why: str = "") -> Tournament:
        """Tell the book what happened since it was looked at, and look again. Raises BookError and TournamentError."""
        after = self._last if self.after is None else self.after
        self.book.extend(events, self.who, why, after=after)
        return self.look()


OpenDesk = Callable[[], Desk]


def reading(command: Command) -> Command:
    """A command that is given a `desk` to read at."""

    @_file
    @wraps(command)
    def with_desk(*args: Any, file: Path | None, **options: Any) -> None:  # noqa: ANN401 - the command's own
        command(*args, desk=Desk(book_at(file or only_file())), **options)

    return with_desk


def perhaps_reading(command: Command) -> Command:
    """A command that is given a `desk` to open where it needs one."""

    @_file
    @wraps(command)
    def with_desk(*args: Any, file: Path | None, **options: Any) -> None:  # noqa: ANN401 - the command's own
        command(*args, desk=lambda: Desk(book_at(file or only_file())), **options)

    return with_desk


def telling(command: Command) -> Command:
    """A command that is given a `desk` at which it may tell something."""

    @_file
    @_who
    @_after
    @wraps(command)
    def with_desk(
        *args: Any,  # noqa: ANN401 - the command's own
        file: Path | None,
        who: str | None,
        after: int | None,
        **options: Any,  # noqa: ANN401 - likewise
    ) -> None:
        command(*args, desk=Desk(book_at(file or only_file()), who or speaker(), after), **options)

    return with_desk


def opening(command: Command) -> Command:
    """A command that opens a book: it is given `file`, which may be None, and `who`."""

    @_file
    @_who
    @wraps(command)
    def with_who(*args: Any, who: str | None, **options: Any) -> None:  # noqa: ANN401 - the command's own
        command(*args, who=who or speaker(), **options)

    return with_who


def book_at(path: Path) -> FileBook:
    """The book in a file, with the wall clock that the caller of the program has given, or the machine's."""
    given = click.get_current_context().find_object(_GivenWall)
    return FileBook(path, given.wall if given else wall)


def speaker() -> str:
    """Who is logged in. Raises ClickException where the machine does not say."""
    try:
        return getuser()
    except (OSError, KeyError) as error:
        message = "this machine does not say who is logged in: tell it with --who"
        raise click.ClickException(message) from error


def said(lines: Sequence[str]) -> None:
    """Write lines to the terminal."""
    for line in lines:
        click.echo(line)


@dataclass(frozen=True, slots=True)
class _GivenWall:
    wall: Wall


def at_wall(given: Wall) -> object:
    """What to hand to the command line as its object, for a day and time of one's own."""
    return _GivenWall(given)


def only_file() -> Path:
    """The one tournament of this folder. Raises ClickException when there is none, or more than one."""
    found = sorted(path for path in Path().glob(f"*{SUFFIX}") if path.is_file())
    if len(found) == 1:
        return found[0]
    if not found:
        message = (
            "there is no tournament in this folder: open one with `gnomon tournament new`, or name one with --file"
        )
        raise click.ClickException(message)
    message = f"there are {len(found)} tournaments in this folder: say which with --file ({', '.join(map(str, found))})"
    raise click.ClickException(message)
