"""Publish tournaments, or the games of a board, as a site of files (`gnomon publish`)."""

from contextlib import suppress
from pathlib import Path

import click

from gnomon.cli import localized
from gnomon.cli.words import CommandRefusedError, command_words, say_sentence
from gnomon.words import LANGUAGES


@localized.command(help="command.publish")
@localized.argument("folder", type=click.Path(path_type=Path))
@localized.option(
    "--from",
    "source",
    metavar="SOURCE",
    help="option.publish.from",
)
@localized.option(
    "--in",
    "languages",
    type=click.Choice(LANGUAGES),
    multiple=True,
    help="option.publish.in",
)
@localized.option(
    "--to",
    "targets",
    multiple=True,
    metavar="TARGET",
    help="option.publish.to",
)
@localized.option("--every", type=click.FloatRange(min=1), metavar="SECONDS", help="option.publish.every")
def publish(
    folder: Path, source: str | None, languages: tuple[str, ...], targets: tuple[str, ...], every: float | None
) -> None:
    """Write pairings, standings, tables and games as a site of files to FOLDER, for any web server."""
    from gnomon.cli.hall_commands.hall import data_folder
    from gnomon.web.publication import Publication, PublicationError, Written, keep_published
    from gnomon.web.publication import publish as publish_site

    words = command_words()
    chosen = tuple(dict.fromkeys(languages)) or (words.language,)
    publication = Publication(source or str(data_folder()), folder, chosen, tuple(dict.fromkeys(targets)))

    def report(told: Written | PublicationError) -> None:
        if isinstance(told, PublicationError):
            click.echo(say_sentence(told), err=True)
            return
        size = round(told.size / 1024)
        click.echo(words("cli.publish.done", folder=folder, files=told.files, changed=told.changed, size=size))

    try:
        if every is None:
            report(publish_site(publication))
        else:
            with suppress(KeyboardInterrupt):
                keep_published(publication, every, report)
    except PublicationError as error:
        raise CommandRefusedError(error) from error
