"""Print what positions of a solved game are worth (`gnomon engine value`), and what luck was (`gnomon engine luck`).

Both go by the table of the game's values, which is made first where there is none.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click

from gnomon.cli._arguments import position_after
from gnomon.cli.words import UnusableError, say, say_sentence
from gnomon.refusals import statement

_DIGITS: Final = 9
_LARGE: Final = 64_000_000  # positions: 0.26 GB while a table of them is made, and twice as much on the disk


def solved_engine(game: str, rules: Any, folder: Path | None, *, large: bool) -> Any:  # noqa: ANN401 - any game's
    """The engine of a game with its table, which is made first if it is not there. Raises UnusableError."""
    from gnomon.engines.cores import compiled_library
    from gnomon.engines.tables import TableError, find_table, make_table, tables_folder
    from gnomon.rules.kinds import load
    from gnomon.rules.registry import kind_of

    kind = kind_of(game)
    engine = load(kind.engine)(rules) if kind.engine else None
    solver = getattr(engine, "solver", None)
    if solver is None:
        raise UnusableError(statement("engine.table.none", game=game))
    folder = folder or tables_folder(os.environ)
    try:
        table = find_table(solver, folder)
        if table is None or not table.has_digits:
            if solver.size > _LARGE and not large:
                raise UnusableError(statement("engine.table.large", number=solver.size))
            _make(make_table(solver, folder, compiled_library(solver.core, os.environ)), solver.size)
            table = find_table(solver, folder)
    except TableError as error:
        raise UnusableError(error) from error
    except OSError as error:
        raise UnusableError(statement("cli.failed", file=error.filename or folder, why=error.strerror)) from error
    return engine.with_values(table.exact)  # type: ignore[union-attr]  # a solver has an engine, a made table is found


def _make(stages: Iterable[Any], size: int) -> None:
    """Make a table, and tell how far it has come where somebody looks."""
    if not sys.stderr.isatty():
        for _ in stages:
            pass
        return
    label = say(statement("engine.table.made", number=size))
    with click.progressbar(length=size, label=label, file=sys.stderr, show_eta=False) as bar:
        for stage in stages:
            bar.update(stage.solved - bar.pos)


_tables = click.option(
    "--tables",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the tables.  [default: ~/.cache/gnomon/tables]",
)
_large = click.option("--large", is_flag=True, help="Make a table of more than 64 million positions too.")


@click.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting of the game.")
@_tables
@_large
def value(game: str, moves: tuple[str, ...], settings: tuple[str, ...], tables: Path | None, *, large: bool) -> None:
    """Print the chance of winning in a solved GAME after MOVES, for the player who is to throw or to move.

    The moves are written as in `gnomon rules`, the throws among them, as in throw:1 convert throw:4 in-a1. Where there
    is no table of the game's values yet, it is made first.
    """
    rules, position = position_after(game, settings, moves)
    engine = solved_engine(game, rules, tables, large=large)
    click.echo(f"{engine.values.chance(position):.{_DIGITS}f}")


@click.command()
@click.argument("file")
@click.option("--game", type=int, help="The number of the game, from 1, in a file that holds several.")
@_tables
@_large
def luck(file: str, game: int | None, tables: Path | None, *, large: bool) -> None:
    """Print what throws and answers were worth in the game of FILE, if that game is solved.

    FILE is a score sheet, SGF, a trace, or a journal; "-" reads standard input.
    """
    from gnomon.cli.sheet import read_game
    from gnomon.records.sheet_play import steps
    from gnomon.rules.registry import rules_of

    read = read_game(file, game)
    moves = []
    try:
        rules = rules_of(read.game, read.settings)
        position = rules.start()
        for step in steps(read):
            moves.append(rules.parse(position, step.text))
            position = step.position
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    engine = solved_engine(read.game, rules, tables, large=large)
    click.echo(say_sentence(engine.account(moves).summary(tuple(rules.players))))
