"""Read and write the files that a command line names; "-" is standard input or output."""

import json

import click

from gnomon.cli.words import UnusableError
from gnomon.refusals import statement


def read_file(file: str) -> bytes:
    """What stands in a file. Raises UnusableError."""
    try:
        with click.open_file(file, "rb") as source:
            data: bytes = source.read()
    except OSError as error:
        raise unreadable(file, error) from error
    return data


def unreadable(file: str, error: OSError) -> UnusableError:
    """That a file cannot be read, and why."""
    return UnusableError(statement("cli.unreadable", file=file, detail=error.strerror))


def write_file(file: str, text: str) -> None:
    """Write a text into a file. Raises UnusableError."""
    try:
        with click.open_file(file, "wb") as target:
            target.write(text.encode())
    except OSError as error:
        raise UnusableError(statement("cli.unwritable", file=file, detail=error.strerror)) from error


def write_json(value: object) -> None:
    """Write a value to the terminal."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
