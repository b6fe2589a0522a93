"""Make puzzles from recorded games (`gnomon puzzles`): positions in which only one turn wins."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli.sheet import UnreadableError
from gnomon.cli.words import say, say_line
from gnomon.refusals import statement, statement_of

if TYPE_CHECKING:
    from gnomon.records.sheets import Sheet


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--level", type=click.IntRange(min=1), help="Search as far as this level of the engine does.")
@click.option("--nodes", type=click.IntRange(min=1), help="Search so many nodes instead.")
@click.option("--output", "-o", default="-", metavar="FILE", help='Write there ("-": standard output, the default).')
def puzzles(files: tuple[str, ...], level: int | None, nodes: int | None, output: str) -> None:
    """Find positions in the games of FILES in which only one turn wins, and write them as JSON.

    A file is a score sheet, SGF, a record of Boardspace, a trace, or a journal. The pages of a board offer the puzzles
    in the folder "puzzles" beside its journal.
    """
    from gnomon.analysis import Effort
    from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles
    from gnomon.engines import engine_of
    from gnomon.rules.registry import BARE_CLOCK, rules_of

    if level is not None and nodes is not None:
        raise UnreadableError(say(statement("analysis.both")))
    found: dict[str, Puzzle] = {}
    for file in files:
        for number, sheet in enumerate(_sheets(file), 1):
            if sheet.game == BARE_CLOCK:
                continue
            try:
                engine = engine_of(rules_of(sheet.game, sheet.settings))
                for each in find_puzzles(sheet, engine, Effort(level, nodes)):
                    if each is not None:
                        found[each.number] = each
            except ValueError as error:
                raise _unreadable(file, error) from error
            click.echo(say(statement("analysis.puzzles.found", file=file, game=number, number=len(found))), err=True)
    text = json.dumps(dump_puzzles(list(found.values())), ensure_ascii=False, indent=1) + "\n"
    try:
        with click.open_file(output, "wb") as target:
            target.write(text.encode())
    except OSError as error:
        raise UnreadableError(say(statement("cli.unwritable", file=output, detail=error.strerror))) from error


def _sheets(file: str) -> "Iterator[Sheet]":
    """Every game of a file; of a journal those that are over. Raises UnreadableError."""
    from gnomon.records.files import is_journal, read_sheets, sheet_of_stored, stored_games
    from gnomon.records.store import JournalError

    try:
        with click.open_file(file, "rb") as source:
            data = source.read()
        if is_journal(data):
            for stored in stored_games(Path(file)):
                if stored.ended is not None:
                    yield sheet_of_stored(Path(file), stored.id)
        else:
            yield from read_sheets(data)
    except OSError as error:
        raise UnreadableError(say(statement("cli.unreadable", file=file, detail=error.strerror))) from error
    except (JournalError, ValueError) as error:
        raise _unreadable(file, error) from error


def _unreadable(file: str, error: Exception) -> UnreadableError:
    return UnreadableError(say_line(statement("cli.failed", file=file, why=statement_of(error))))
