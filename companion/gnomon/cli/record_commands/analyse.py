"""Analyse a recorded game (`gnomon analyse`): the chance of winning, costly turns and better lines, accuracy, luck."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gnomon.cli import localized
from gnomon.cli._files import write_file
from gnomon.cli.record_commands.sheet import read_game
from gnomon.cli.words import UnusableError, command_words, say_line
from gnomon.refusals import statement

if TYPE_CHECKING:
    from gnomon.analysis import Analysis, Progress
    from gnomon.records.formats.sheets import Sheet


@localized.command(help="command.analyse")
@localized.argument("file")
@localized.option("--game", type=int, help="option.game")
@localized.option("--level", type=click.IntRange(min=1), help="option.level")
@localized.option("--nodes", type=click.IntRange(min=1), help="option.nodes")
@localized.option("--json", "as_json", is_flag=True, help="option.json")
@localized.option("--sgf", metavar="FILE", help="option.analyse.sgf")
@localized.option("--tables", metavar="FOLDER", help="option.tables")
def analyse(  # noqa: PLR0913 - the options of a command
    *,
    file: str,
    game: int | None,
    level: int | None,
    nodes: int | None,
    as_json: bool,
    sgf: str | None,
    tables: str | None,
) -> None:
    """Say what each turn of a game was worth, and what would have been better."""
    from gnomon.analysis import Effort
    from gnomon.analysis.codec import dump_analysis
    from gnomon.analysis.commented_sgf import commented_sgf
    from gnomon.analysis.report import report_lines

    if level is not None and nodes is not None:
        raise UnusableError(statement("analysis.both"))
    if sgf is not None and sgf != "-" and Path(sgf).exists() and Path(file).exists() and Path(sgf).samefile(file):
        raise UnusableError(statement("analysis.same_file", file=sgf))
    read = read_game(file, game)
    try:
        analysis = _analyse(read, Effort(level, nodes), tables)
        if sgf is not None:
            write_file(sgf, commented_sgf(read, analysis, command_words()))
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    if as_json:
        click.echo(json.dumps(dump_analysis(analysis), ensure_ascii=False))
    elif sgf != "-":
        for line in report_lines(analysis, command_words()):
            click.echo(line)


def _analyse(sheet: "Sheet", effort: Any, tables: str | None) -> "Analysis":  # noqa: ANN401 - an Effort
    """The analysis of a sheet, with progress on standard error. Raises ValueError."""
    from pathlib import Path

    from gnomon.analysis import analyse as analysis_of
    from gnomon.engines import engine_of
    from gnomon.engines.tables import TableError, tables_folder, with_table
    from gnomon.rules.registry import rules_of

    engine = plain = engine_of(rules_of(sheet.game, sheet.settings))
    try:
        engine = with_table(plain, Path(tables) if tables else tables_folder(os.environ))
    except TableError as error:
        click.echo(say_line(error), err=True)
    with _progress() as progress:
        return analysis_of(sheet, engine, effort, progress, with_table=engine is not plain)


@contextmanager
def _progress() -> "Iterator[Progress]":
    """Tell on standard error how many turns are done: as a bar where somebody looks, else on a line each."""
    if not sys.stderr.isatty():
        yield lambda done, of: click.echo(f"{done}/{of}", err=True)
        return
    with click.progressbar(length=1, file=sys.stderr, show_eta=False) as bar:

        def show(done: int, of: int) -> None:
            bar.length = max(1, of)
            bar.update(done - bar.pos)

        yield show
