"""Make puzzles from recorded games (`gnomon puzzles`): positions in which only one turn wins."""

import json
from time import process_time

import click

from gnomon.cli import localized
from gnomon.cli._files import write_file
from gnomon.cli.record_commands.sheet import read_games
from gnomon.cli.words import UnusableError, say
from gnomon.refusals import statement


@localized.command(help="command.puzzles")
@localized.argument("files", nargs=-1, required=True, metavar="FILE...")
@localized.option("--level", type=click.IntRange(min=1), help="option.level")
@localized.option("--nodes", type=click.IntRange(min=1), help="option.nodes")
@localized.option("--most", type=click.IntRange(min=1), help="option.puzzles.most")
@localized.option("--seconds", type=click.FloatRange(min=0), help="option.puzzles.seconds")
@localized.option("--output", "-o", default="-", metavar="FILE", help="option.output")
def puzzles(  # noqa: PLR0913 - the options of a command
    *,
    files: tuple[str, ...],
    level: int | None,
    nodes: int | None,
    most: int | None,
    seconds: float | None,
    output: str,
) -> None:
    """Find positions in the games of FILES in which only one turn wins, and write them as JSON."""
    from gnomon.analysis import Effort
    from gnomon.analysis.puzzles import Puzzle, dump_puzzles, find_puzzles
    from gnomon.engines import engine_of
    from gnomon.rules.registry import BARE_CLOCK, rules_of

    if level is not None and nodes is not None:
        raise UnusableError(statement("analysis.both"))
    found: dict[str, Puzzle] = {}
    for file in files:
        for number, sheet in enumerate(read_games(file), 1):
            if sheet.game == BARE_CLOCK:
                continue
            of_one = set()
            try:
                engine = engine_of(rules_of(sheet.game, sheet.settings))
                for each in find_puzzles(sheet, engine, Effort(level, nodes)):
                    if each is not None:
                        found[each.number] = each
                        of_one.add(each.number)
                    if len(of_one) == most or (seconds is not None and process_time() >= seconds):
                        break
            except ValueError as error:
                raise UnusableError.in_file(file, error) from error
            click.echo(say(statement("analysis.puzzles.found", file=file, game=number, number=len(found))), err=True)
    write_file(output, json.dumps(dump_puzzles(list(found.values())), ensure_ascii=False, indent=1) + "\n")
