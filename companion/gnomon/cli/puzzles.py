"""Make puzzles from recorded games (`gnomon puzzles`): positions in which only one turn wins."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gnomon.cli._files import read_file, write_file
from gnomon.cli.words import UnusableError, say
from gnomon.refusals import statement

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
        raise UnusableError(statement("analysis.both"))
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
                raise UnusableError.in_file(file, error) from error
            click.echo(say(statement("analysis.puzzles.found", file=file, game=number, number=len(found))), err=True)
    write_file(output, json.dumps(dump_puzzles(list(found.values())), ensure_ascii=False, indent=1) + "\n")


def _sheets(file: str) -> "Iterator[Sheet]":
    """Every game of a file; of a journal those that are over. Raises UnusableError."""
    from gnomon.records.files import is_journal, read_sheets, sheet_of_stored, stored_games
    from gnomon.records.store import JournalError

    data = read_file(file)
    try:
        if is_journal(data):
            for stored in stored_games(Path(file)):
                if stored.ended is not None:
                    yield sheet_of_stored(Path(file), stored.id)
        else:
            yield from read_sheets(data)
    except (JournalError, ValueError) as error:
        raise UnusableError.in_file(file, error) from error
