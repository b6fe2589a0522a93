"""Replay a trace and print each ruling as one JSON object per line (`gnomon replay`)."""

import json
from collections.abc import Iterator
from typing import IO

import click

from gnomon.cli import localized
from gnomon.cli._files import unreadable
from gnomon.cli.words import UnusableError
from gnomon.refusals import statement, statement_of


@localized.command(help="command.replay")
@localized.argument("file")
def replay(file: str) -> None:
    """Print the rulings of the trace FILE ("-" reads standard input), one JSON object on each line."""
    from gnomon.records.formats.trace_rulings import rulings
    from gnomon.records.formats.traces import TraceError, read_trace, ruling_record
    from gnomon.rules.protocol import SettingsError

    try:
        with _open(file) as source:
            for ruling in rulings(read_trace(_lines(source, file))):
                click.echo(json.dumps(ruling_record(ruling)))
    except TraceError as error:
        raise UnusableError.in_file(file, error) from error
    except SettingsError as error:
        raise UnusableError(statement("cli.failed.line", file=file, why=statement_of(error))) from error


def _open(file: str) -> IO[bytes]:
    try:
        return click.open_file(file, "rb")
    except OSError as error:
        raise unreadable(file, error) from error


def _lines(source: IO[bytes], file: str) -> Iterator[bytes]:
    try:
        yield from source
    except OSError as error:
        raise unreadable(file, error) from error
