"""Print what positions of a solved game are worth (`gnomon engine value`), and what luck was (`gnomon engine luck`).

Both go by the table of the game's values, which is made first where there is none.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from gnomon.cli import localized
from gnomon.cli._arguments import position_after
from gnomon.cli._tables import TextColumn, table
from gnomon.cli.record_commands.sheet import read_game, read_games
from gnomon.cli.words import UnusableError, command_words, say, say_sentence
from gnomon.records.formats.sheets import Sheet
from gnomon.refusals import statement
from gnomon.tournament.state.notation import gain_text, two_places

_DIGITS: Final = 9
_LARGE: Final = 64_000_000  # positions: 0.26 GB while a table of them is made, and twice as much on the disk


def solved_engine(game: str, rules: object, folder: Path | None, *, large: bool) -> Any:  # noqa: ANN401 - any game's
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


_tables = localized.option(
    "--tables",
    type=click.Path(file_okay=False, path_type=Path),
    help="option.tables",
)
_large = localized.option("--large", is_flag=True, help="option.engine.large")


@localized.command(help="command.engine.value")
@localized.argument("game")
@localized.argument("moves", nargs=-1)
@localized.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="option.set")
@_tables
@_large
def value(game: str, moves: tuple[str, ...], settings: tuple[str, ...], tables: Path | None, *, large: bool) -> None:
    """Print the chance of winning in a solved GAME after MOVES, for the player who is to throw or to move."""
    rules, position = position_after(game, settings, moves)
    engine = solved_engine(game, rules, tables, large=large)
    click.echo(f"{engine.values.chance(position):.{_DIGITS}f}")


@localized.command(help="command.engine.luck")
@localized.argument("files", nargs=-1, required=True, metavar="FILE...")
@localized.option("--game", type=int, help="option.game")
@localized.option("--everybody", is_flag=True, help="option.engine.everybody")
@_tables
@_large
def luck(files: tuple[str, ...], game: int | None, tables: Path | None, *, everybody: bool, large: bool) -> None:
    """Print what throws and answers were worth in the game of FILE, if that game is solved."""
    if len(files) == 1 and not everybody:
        rules, account, _ = _account(files[0], read_game(files[0], game), tables, large=large)
        click.echo(say_sentence(account.summary(tuple(rules.players))))
        return
    rows: dict[str, list[float]] = {}
    for file in files:
        for read in read_games(file) if game is None else [read_game(file, game)]:
            if not _is_solved(read):
                continue
            rules, account, is_over = _account(file, read, tables, large=large)
            if is_over:
                names = [read.players.get(player) or _nameless(player, file, files) for player in rules.players]
                _add(rows, names, account)
    if not rows:
        raise UnusableError(statement("engine.luck.none"))
    words = command_words()
    columns = [TextColumn(words("people.name"), gives=True), TextColumn(words("people.column.games"), right=True)]
    columns += [TextColumn(words(f"engine.luck.{name}"), right=True) for name in ("points", "luck", "even")]
    ranked = sorted(rows.items(), key=lambda row: (-row[1][3], row[0]))
    texts = [
        (name, f"{games:g}", f"{points:g}", gain_text(fortune), two_places(even))
        for name, (games, points, fortune, even) in ranked
    ]
    for line in table(columns, texts):
        click.echo(line)


def _nameless(player: str, file: str, files: Sequence[str]) -> str:
    """How somebody without a name is called: in several files these are different people."""
    name = command_words().player(player)
    return name if len(files) == 1 else f"{name} ({Path(file).name})"


def _is_solved(read: Sheet) -> bool:
    """Whether there is a table for a game with its settings, made or not. Raises UnusableError."""
    from gnomon.rules.kinds import load
    from gnomon.rules.registry import BARE_CLOCK, kind_of, rules_of

    if read.game == BARE_CLOCK:
        return False
    engine = kind_of(read.game).engine
    try:
        return bool(engine) and getattr(load(engine)(rules_of(read.game, read.settings)), "solver", None) is not None
    except ValueError as error:
        raise UnusableError(error) from error


def _account(file: str, read: Sheet, tables: Path | None, *, large: bool) -> tuple[Any, Any, bool]:
    """The rules of a game, what luck and skill were in it, and whether it is over. Raises UnusableError."""
    from gnomon.records.formats.sheet_play import steps
    from gnomon.rules.registry import rules_of

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
    return rules, engine.account(moves), rules.outcome(position) is not None


def _add(rows: dict[str, list[float]], names: Sequence[str], account: Any) -> None:  # noqa: ANN401 - any game's
    """Count a game for both: how many, points, the part of luck, and what even luck would have left."""
    gained = account.luck[0] - account.luck[1]
    first = (1.0, account.end, gained, account.deserved)
    second = (1.0, 1 - account.end, -gained, 1 - account.deserved)
    for name, gains in zip(names, (first, second), strict=True):
        row = rows.setdefault(name, [0.0] * 4)
        row[:] = [before + gain for before, gain in zip(row, gains, strict=True)]
