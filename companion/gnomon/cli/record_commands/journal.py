"""List, bundle, compare, import and verify the games of a journal (`gnomon journal`)."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from gnomon.cli import localized
from gnomon.cli._files import unreadable, write_file
from gnomon.cli.words import UnusableError, command_words, say
from gnomon.refusals import InvalidValueError, statement


@localized.group(help="command.journal")
def journal() -> None:
    """List the games of a journal, export one as a trace, compare its rulings, import one, or verify them all."""


@journal.command(help="command.journal.games")
@localized.argument("file", metavar="JOURNAL", type=click.Path(path_type=Path))
def games(file: Path) -> None:
    """List the games of JOURNAL: number, beginning, game and board, settings, and whether they have ended."""
    from gnomon.records.files import cut_off, stored_games
    from gnomon.records.formats.sheets import settings_text
    from gnomon.records.journal.store import JournalError

    try:
        stored, lost = stored_games(file), cut_off(file)
    except JournalError as error:
        raise UnusableError(error) from error
    rows: list[tuple[str, ...]] = []
    words = command_words()
    for game in stored:
        start = game.start
        settings = " ".join(map(_format_setting, settings_text(start.settings).items()))
        ended = words("cli.games.lost") if game.id in lost else "" if game.ended is None else words("cli.games.ended")
        where = start.board if start.game == start.board else f"{start.game} ({start.board})"
        rows.append((f"{game.id:>4}", start.wall, where, settings, ended))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


@journal.command(help="command.journal.throws")
@localized.argument("file", metavar="JOURNAL", type=click.Path(path_type=Path))
@localized.option("--game", type=int, help="option.journal.game")
def throws(file: Path, game: int | None) -> None:
    """Check what two boards threw and drew together in a game of JOURNAL."""
    from gnomon.distance.luck_proof import ThrowProof, anchors_in, check_throws
    from gnomon.records.bundles import bundle
    from gnomon.records.files import stored_game
    from gnomon.records.journal.store import JournalError
    from gnomon.records.replay import film

    words = command_words()
    try:
        stored, records = stored_game(file, game)
        played = film(bundle(stored, records)).last
    except (JournalError, ValueError) as error:
        raise UnusableError(error) from error
    bodies = [record.entry.body for record in records]
    notes = [body for body in bodies if body.get("note") == "distance"]
    is_guest = stored.start.settings.get("opponent_guest") == "yes"
    reasons = [str(body["why"]) for body in bodies if isinstance(body.get("why"), str)]
    checked = check_throws(played, reasons, anchors_in(notes, is_guest=is_guest))
    for each in checked:
        click.echo(f"{each.turn:>4}  {each.text:<10}  {words(f'cli.throws.{each.proof.value}')}")
    if not checked:
        click.echo(words("cli.throws.none"))
    if any(each.proof is ThrowProof.WRONG for each in checked):
        raise SystemExit(1)


@journal.command(help="command.journal.bundle")
@localized.argument("file", metavar="JOURNAL", type=click.Path(path_type=Path))
@localized.option("--game", type=int, help="option.journal.game")
@localized.option("--player", "players", multiple=True, metavar="SIDE=NAME", help="option.journal.player")
@localized.option("--output", "-o", default="-", metavar="FILE", help="option.output")
def bundle(file: Path, game: int | None, players: tuple[str, ...], output: str) -> None:
    """Write the dispute bundle of a game of JOURNAL: one trace with everything, for `gnomon replay`."""
    from gnomon.records import bundles
    from gnomon.records.files import stored_game
    from gnomon.records.journal.store import JournalError

    try:
        stored, records = stored_game(file, game)
        made = bundles.bundle(stored, records, _people(players, stored.start.players))
    except (JournalError, ValueError) as error:
        raise UnusableError(error) from error
    write_file(output, "".join(made.lines()))


@journal.command(help="command.journal.compare")
@localized.argument("file", metavar="TRACE")
@click.pass_context
def compare(context: click.Context, file: str) -> None:
    """Compare the rulings given at the table with those of a replay of the bundle TRACE."""
    from gnomon.records.bundles import difference
    from gnomon.records.formats.traces import RULED, read_trace

    try:
        with click.open_file(file, "rb") as source:
            trace = read_trace(source)
            found = difference(trace)
    except OSError as error:
        raise unreadable(file, error) from error
    except ValueError as error:
        raise UnusableError.in_file(file, error) from error
    if found is None:
        click.echo(say(statement("cli.compare.agree", file=file, number=len(trace.header.extras[RULED]))))
        return
    click.echo(say(statement("cli.compare.differs", file=file, number=found.number)))
    words = command_words()
    labels = words("cli.compare.table"), words("cli.compare.replayed")
    for label, record in zip(labels, (found.at_the_table, found.replayed), strict=True):
        click.echo(f"  {label:<{max(map(len, labels))}}  {_record(record)}")
    context.exit(1)


@journal.command("import", help="command.journal.import")
@localized.argument("trace", metavar="TRACE")
@localized.argument("file", metavar="JOURNAL", type=click.Path(path_type=Path))
def import_(trace: str, file: Path) -> None:
    """Write the game of TRACE into JOURNAL, which is created if it is missing, and print its number."""
    from gnomon.records.formats.traces import read_trace
    from gnomon.records.imports import import_trace
    from gnomon.records.journal.store import JournalError
    from gnomon.records.journal.writer import Journal

    try:
        with click.open_file(trace, "rb") as source, Journal.open(file) as target:
            number = import_trace(read_trace(source), target)
    except OSError as error:
        raise unreadable(trace, error) from error
    except ValueError as error:
        raise UnusableError.in_file(trace, error) from error
    except JournalError as error:
        raise UnusableError(error) from error
    click.echo(say(statement("cli.imported", number=number, file=file)))


@journal.command(help="command.journal.verify")
@localized.argument("path", required=False, metavar="[PATH]", type=click.Path(path_type=Path))
@localized.option("--entry", type=int, help="option.journal.entry")
@click.pass_context
def verify(context: click.Context, path: Path | None, entry: int | None) -> None:
    """Check that a journal or a bundle is as it was written, or name the first entry that is not."""
    from gnomon.records import verification
    from gnomon.records.journal.folders import journals_in, state_folder
    from gnomon.records.journal.store import JournalError

    folder = state_folder(os.environ)
    paths = journals_in(folder) if path is None else [path]
    if not paths:
        click.echo(say(statement("cli.no_journal", folder=folder)))
    is_whole = True
    for each in paths:
        try:
            verdict = verification.verify(each, entry)
        except JournalError as error:
            raise UnusableError(error) from error
        except OSError as error:
            raise unreadable(str(each), error) from error
        except ValueError as error:
            raise UnusableError.in_file(str(each), error) from error
        click.echo(f"{each}: {say(verdict.statement)}")
        is_whole = is_whole and verdict.is_whole
    if not is_whole:
        context.exit(1)


def _people(texts: Sequence[str], recorded: Mapping[str, str]) -> Mapping[str, str]:
    """The people whom the command line names; nobody whom the journal names has another name."""
    named = dict(map(_player, texts))
    for side, name in named.items():
        if recorded.get(side, name) != name:
            raise InvalidValueError(statement("cli.player_known", player=side, name=recorded[side]))
    return named


def _player(text: str) -> tuple[str, str]:
    side, equals, name = text.partition("=")
    if not equals:
        raise InvalidValueError(statement("cli.player", player=text))
    return side, name


def _record(record: object) -> str:
    return "nothing" if record is None else json.dumps(record)


def _format_setting(setting: tuple[str, str]) -> str:
    """A setting as the command line takes it: a time control has blanks, so it is quoted."""
    name, value = setting
    return f'{name}="{value}"' if " " in value else f"{name}={value}"
