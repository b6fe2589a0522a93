"""Replay a trace and print each ruling as one JSON object per line (`gnomon replay`)."""

import json
from collections.abc import Iterator
from typing import IO

import click

from gnomon.cli.words import say
from gnomon.refusals import statement, statement_of


class _ReplayError(click.ClickException):
    """The trace cannot be replayed, or no further; what was ruled before has been printed."""

    exit_code = 2


@click.command()
@click.argument("file")
def replay(file: str) -> None:
    """Print the rulings of the trace FILE ("-" reads standard input), one JSON object on each line."""
    from gnomon.records.trace_rulings import rulings
    from gnomon.records.traces import TraceError, read_trace, ruling_record
    from gnomon.rules.protocol import SettingsError

    try:
        with _open(file) as source:
            for ruling in rulings(read_trace(_lines(source, file))):
                click.echo(json.dumps(ruling_record(ruling)))
    except TraceError as error:
        raise _ReplayError(say(statement("cli.failed", file=file, why=statement_of(error)))) from error
    except SettingsError as error:
        raise _ReplayError(say(statement("cli.failed.line", file=file, why=statement_of(error)))) from error


def _open(file: str) -> IO[bytes]:
    try:
        return click.open_file(file, "rb")
    except OSError as error:
        raise _unreadable(file, error) from error


def _lines(source: IO[bytes], file: str) -> Iterator[bytes]:
    try:
        yield from source
    except OSError as error:
        raise _unreadable(file, error) from error


def _unreadable(file: str, error: OSError) -> _ReplayError:
    return _ReplayError(say(statement("cli.unreadable", file=file, detail=error.strerror)))
