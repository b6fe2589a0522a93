"""Read the tournaments of many halls into one book, and print results and standings (`gnomon league`)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli import localized
from gnomon.cli._files import write_json
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.words import UnusableError, command_words, say
from gnomon.refusals import statement

if TYPE_CHECKING:
    from gnomon.hall.league import League


@localized.command(help="command.league")
@localized.argument("book", type=click.Path(path_type=Path, dir_okay=False))
@localized.argument("halls", metavar="[NAME=ADDRESS]...", nargs=-1)
@localized.option("--results", "wants_results", is_flag=True, help="option.league.results")
@localized.option("--halls", "wants_halls", is_flag=True, help="option.league.halls")
@localized.option("--json", "as_json", is_flag=True, help="option.league.json")
def league(*, book: Path, halls: Sequence[str], wants_results: bool, wants_halls: bool, as_json: bool) -> None:
    """Read the tournaments of halls into the file BOOK, and print the standings of all of them together."""
    from gnomon.hall.league import LeagueError

    try:
        known, failed = _read(book, halls)
        if as_json:
            write_json(_value(known))
        else:
            for line in _lines(known, wants_results=wants_results, wants_halls=wants_halls):
                click.echo(line)
    except LeagueError as error:
        raise UnusableError(error) from error
    if failed:
        raise click.exceptions.Exit(1)


def _read(book: Path, halls: Sequence[str]) -> tuple["League", bool]:
    """The league after reading the halls, which is written if there are any; whether something was wrong with one."""
    from gnomon.hall.league import League, LeagueError, read_hall
    from gnomon.whole_files import READABLE, write_whole

    try:
        known = League.load(book.read_text(encoding="utf-8")) if book.exists() or not halls else League()
    except OSError as error:
        raise UnusableError(statement("cli.unreadable", file=str(book), detail=error.strerror)) from error
    failed = False
    for each in halls:
        name, _, address = each.partition("=")
        if not (name and address):
            raise localized.WrongUsageError(statement("cli.league.hall", text=each))
        try:
            known, odd = known.with_hall(name, read_hall(address))
        except LeagueError as error:
            click.echo(f"{name}: {say(error)}", err=True)
            failed = True
            continue
        for one in odd:
            click.echo(say(LeagueError(one)), err=True)
        failed = failed or bool(odd)
    if halls:
        try:
            write_whole(book, known.dump(), READABLE)
        except OSError as error:
            raise UnusableError(statement("cli.unwritable", file=str(book), detail=error.strerror)) from error
    return known, failed


def _lines(known: "League", *, wants_results: bool, wants_halls: bool) -> list[str]:
    from gnomon.tournament.state.notation import points_text

    words = command_words()

    def title(key: str, *, right: bool = False, gives: bool = False) -> TextColumn:
        return TextColumn(words(f"cli.league.column.{key}"), right, gives)

    if wants_results:
        columns = [title("hall"), title("tournament"), title("round", right=True), title("board", right=True)]
        columns += [title("first", gives=True), title("second", gives=True), title("result")]
        return list(table(columns, [[str(value) for value in row] for row in known.results()]))
    if wants_halls:
        counted = ("tournaments", "entrants", "results", "waiting")
        columns = [title("hall"), *(title(key, right=True) for key in counted)]
        return list(table(columns, [[str(value) for value in row] for row in known.overview()]))
    columns = [title("place", right=True), title("name", gives=True), title("points", right=True)]
    columns += [title("tournaments", right=True), title("halls", gives=True)]
    rows = [
        [str(row.place), row.name, points_text(row.points), str(row.tournaments), ", ".join(row.halls)]
        for row in known.standings()
    ]
    return list(table(columns, rows))


def _value(known: "League") -> dict[str, object]:
    """Everything as JSON; points are texts, since halves are not all there is."""
    return {
        "halls": [row._asdict() for row in known.overview()],
        "results": [row._asdict() for row in known.results()],
        "standings": [{**row._asdict(), "points": str(row.points)} for row in known.standings()],
    }
