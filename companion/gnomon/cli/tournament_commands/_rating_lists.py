"""Open a rating list for a command, and fill entries from it: the options `--list` and `--list-kind`."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

import click

from gnomon.cli import localized
from gnomon.cli.words import CommandRefusedError, command_words
from gnomon.refusals import statement, statement_of
from gnomon.tournament.errors import TournamentError
from gnomon.tournament.events import EntrantRegistered, PersonTold
from gnomon.tournament.formats.tables.csv import check_text
from gnomon.tournament.ratings.rating_list import ListedPlayer, ListKind, LookUp, look_up, read_rating_list

_Command = TypeVar("_Command", bound=Callable[..., object])
_BEGINNING: Final = 4096  # bytes of a list that show whether it is a text


def list_options(command: _Command) -> _Command:
    """A command that may be given a list of rated players, and which of its ratings is meant."""
    of_list = localized.option(
        "--list",
        "list_file",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="option.tournament.list_options.list",
    )
    of_kind = localized.option(
        "--list-kind",
        type=click.Choice([kind.value for kind in ListKind]),
        default=ListKind.STANDARD.value,
        show_default=True,
        help="option.tournament.list_kind",
    )
    return of_list(of_kind(command))


def listed_players(file: Path, kind: ListKind) -> Iterator[ListedPlayer]:
    """The players of a list. Raises CommandRefusedError for a file that cannot be read."""
    try:
        with file.open("rb") as content:
            check_text(content.read(_BEGINNING))
        # FIDE's lists are plain ASCII; what older programs wrote in Latin-1 is looked up without its accents.
        with file.open(encoding="utf-8", errors="replace") as lines:
            yield from read_rating_list(lines, kind)
    except OSError as error:
        raise CommandRefusedError(statement("cli.unreadable", file=file, detail=error.strerror)) from error
    except TournamentError as error:
        raise CommandRefusedError(statement("cli.failed", file=file, why=statement_of(error))) from error


def filled_entries(
    file: Path | None, kind: str, entries: Sequence[EntrantRegistered], persons: Sequence[PersonTold]
) -> LookUp:
    """The entries with what a list knows of them, or as they are without one; those who are not found are named."""
    if file is None:
        return LookUp(tuple(entries), tuple(persons))
    found = look_up(listed_players(file, ListKind(kind)), entries, persons)
    words = command_words()
    for key, names in (("cli.ratings.missing", found.missing), ("cli.ratings.ambiguous", found.ambiguous)):
        if names:
            click.echo(words(key, file=file, names=", ".join(names)), err=True)
    return found
